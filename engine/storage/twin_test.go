package storage_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// The table of these tests has a clustering of two components, the second one
// descending, a static column, two simple columns and a map.
//
//	CREATE TABLE ks.t (k text, c1 int, c2 text, s text static, v int, w text, m map<text, text>,
//	  PRIMARY KEY (k, c1, c2)) WITH CLUSTERING ORDER BY (c1 ASC, c2 DESC)
const (
	colC1 = iota + 1
	colC2
	colS
	colV
	colW
	colM
)

var table = func() *schema.Table {
	t := &schema.Table{ID: uuid.NameSpaceOID, Keyspace: "ks", Name: "t", NextID: 7, Options: schema.DefaultOptions()}
	t.Key = []*schema.Column{{ID: 0, Name: "k", Type: types.Text, Kind: schema.PartitionKey}}
	t.Clustering = []*schema.Column{{ID: colC1, Name: "c1", Type: types.Int, Kind: schema.Clustering},
		{ID: colC2, Name: "c2", Type: types.Text, Kind: schema.Clustering, Position: 1, Desc: true}}
	t.Static = []*schema.Column{{ID: colS, Name: "s", Type: types.Text, Kind: schema.Static, Position: -1}}
	t.Regular = []*schema.Column{{ID: colV, Name: "v", Type: types.Int, Kind: schema.Regular, Position: -1},
		{ID: colW, Name: "w", Type: types.Text, Kind: schema.Regular, Position: -1},
		{ID: colM, Name: "m", Type: types.MapOf(types.Text, types.Text), Kind: schema.Regular, Position: -1}}
	return t.Finish()
}()

// TestMain tries more than rapid's hundred cases, since one takes microseconds.
func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "600")
	os.Exit(m.Run())
}

func token(key string) ring.Token { return ring.Murmur3.Token([]byte(key)) }

// place is a clustering as the twin sees it.
type place struct {
	c1 int
	c2 string
}

func (p place) pack() []byte {
	return schema.PackClustering([][]byte{types.EncodeInt32(int32(p.c1)), []byte(p.c2)})
}

func placeOf(clustering []byte) place {
	c := schema.Components(clustering)
	return place{int(types.DecodeInt32(c[0])), string(c[1])}
}

// before is the order of the table: c1 up, c2 down.
func (p place) before(o place) bool {
	if p.c1 != o.c1 {
		return p.c1 < o.c1
	}
	return p.c2 > o.c2
}

// behind says whether the place stands behind a cut.
func (p place) behind(c schema.Cut) bool {
	parts := schema.Components(c.Prefix)
	if len(parts) > 0 {
		if n := int(types.DecodeInt32(parts[0])); n != p.c1 {
			return p.c1 > n
		}
	}
	if len(parts) > 1 && string(parts[1]) != p.c2 {
		return p.c2 < string(parts[1])
	}
	return !c.After
}

func (p place) in(slices []schema.Slice) bool {
	for _, s := range slices {
		if p.behind(s.From) && !p.behind(s.To) {
			return true
		}
	}
	return slices == nil
}

// Generators. Domains are small, so that writes meet.

var places = rapid.Custom(func(t *rapid.T) place {
	return place{rapid.IntRange(-1, 3).Draw(t, "c1"), rapid.SampledFrom([]string{"", "a", "ab", "b"}).Draw(t, "c2")}
})

var cuts = rapid.Custom(func(t *rapid.T) schema.Cut {
	p := places.Draw(t, "at")
	parts := [][]byte{types.EncodeInt32(int32(p.c1)), []byte(p.c2)}
	return schema.Cut{Prefix: schema.PackClustering(parts[:rapid.IntRange(0, 2).Draw(t, "components")]), After: rapid.Bool().Draw(t, "after")}
})

// slicesOf draws up to n disjoint slices in table order, none of them empty.
func slicesOf(t *rapid.T, n int) []schema.Slice {
	list := rapid.SliceOfN(cuts, 2, 2*n).Draw(t, "cuts")
	sort.Slice(list, func(i, j int) bool { return table.CompareCuts(list[i], list[j]) < 0 })
	var out []schema.Slice
	for i := 0; i+1 < len(list); i += 2 {
		if s := (schema.Slice{From: list[i], To: list[i+1]}); !table.Empty(s) {
			out = append(out, s)
		}
	}
	if out == nil {
		return []schema.Slice{schema.AllRows}
	}
	return out
}

// clock says when a write was made: its timestamp, and the second of the server.
type clock struct{ at, second int64 }

var values = rapid.SampledFrom([]string{"", "a", "b", "ba"})

// write draws one statement's worth of mutation of a partition.
func write(t *rapid.T, key string, c clock) *storage.Partition {
	u := &storage.Partition{Key: key, Token: token(key), Del: storage.Live}
	del := storage.Deletion{At: c.at, Local: c.second}
	switch rapid.SampledFrom([]string{"insert", "insert", "insert", "update", "update", "row", "range", "partition", "static"}).Draw(t, "kind") {
	case "insert":
		u.Rows = rowsOf(t, c, true)
	case "update":
		u.Rows = rowsOf(t, c, false)
	case "row":
		v := storage.View{Clustering: places.Draw(t, "row").pack(), Liveness: storage.NoLiveness, Deletion: del}
		r, _ := v.Pack(nil)
		u.Rows = []storage.Row{r}
	case "range":
		for _, s := range slicesOf(t, 2) {
			u.Ranges = append(u.Ranges, storage.RangeTombstone{Slice: s, Del: del})
		}
	case "partition":
		u.Del = del
	case "static":
		v := storage.View{Static: true, Liveness: storage.NoLiveness, Deletion: storage.Live, Cells: []storage.Cell{cellOf(t, c, colS, ttlOf(t))}}
		u.Static, _ = v.Pack(nil)
	}
	return u
}

func ttlOf(t *rapid.T) int32 { return rapid.SampledFrom([]int32{0, 0, 5, 6, 50}).Draw(t, "ttl") }

func cellOf(t *rapid.T, c clock, column uint16, ttl int32) storage.Cell {
	cell := storage.Cell{Column: column, Timestamp: c.at, Local: storage.NoDeletionTime}
	switch {
	case rapid.IntRange(0, 3).Draw(t, "null") == 0:
		cell.Local = c.second
	default:
		if cell.Value = []byte(values.Draw(t, "value")); column == colV {
			cell.Value = types.EncodeInt32(rapid.Int32Range(-1, 1).Draw(t, "int"))
		}
		if ttl > 0 {
			cell.TTL, cell.Local = ttl, c.second+int64(ttl)
		}
	}
	return cell
}

// rowsOf draws one to three rows in table order.
func rowsOf(t *rapid.T, c clock, insert bool) []storage.Row {
	at := rapid.SliceOfNDistinct(places, 1, 3, rapid.ID[place]).Draw(t, "rows")
	sort.Slice(at, func(i, j int) bool { return at[i].before(at[j]) })
	ttl := ttlOf(t)
	var out []storage.Row
	for _, p := range at {
		v := storage.View{Clustering: p.pack(), Liveness: storage.NoLiveness, Deletion: storage.Live}
		if insert {
			v.Liveness = storage.Liveness{Timestamp: c.at, Expiry: storage.NoDeletionTime}
			if ttl > 0 {
				v.Liveness.TTL, v.Liveness.Expiry = ttl, c.second+int64(ttl)
			}
		}
		if rapid.Bool().Draw(t, "v") {
			v.Cells = append(v.Cells, cellOf(t, c, colV, ttl))
		}
		if rapid.Bool().Draw(t, "w") {
			v.Cells = append(v.Cells, cellOf(t, c, colW, ttl))
		}
		if rapid.Bool().Draw(t, "m") {
			if rapid.Bool().Draw(t, "whole") {
				v.Cells = append(v.Cells, storage.Cell{Column: colM, Timestamp: c.at - 1, Local: c.second, Complex: true})
			}
			for _, path := range []string{"x", "y"} {
				if rapid.Bool().Draw(t, path) {
					cell := cellOf(t, c, colM, ttl)
					cell.Path, cell.HasPath = []byte(path), true
					v.Cells = append(v.Cells, cell)
				}
			}
		}
		if r, _ := v.Pack(nil); !r.IsZero() {
			out = append(out, r)
		}
	}
	return out
}

// twin remembers every write and computes what a reader sees from all of them,
// by the rules as they are written down. Source: Cassandra 5.0
// Cells.resolveRegular, LivenessInfo.supersedes, Row.Merger.
type twin struct{ writes []*storage.Partition }

// better is the rule table of two cells of the same column and path.
func better(a, b *storage.Cell) bool {
	aDies, bDies := a.Local != storage.NoDeletionTime, b.Local != storage.NoDeletionTime
	aDead, bDead := aDies && a.TTL == 0, bDies && b.TTL == 0
	switch {
	case a.Timestamp != b.Timestamp:
		return a.Timestamp > b.Timestamp
	case aDies != bDies:
		return aDies
	case aDead != bDead:
		return aDead
	case a.Local != b.Local:
		return a.Local > b.Local
	case a.TTL != b.TTL:
		return a.TTL < b.TTL
	}
	return bytes.Compare(a.Value, b.Value) > 0
}

func betterLiveness(a, b storage.Liveness) bool {
	switch {
	case a.Timestamp != b.Timestamp:
		return a.Timestamp > b.Timestamp
	case (a.TTL > 0) != (b.TTL > 0):
		return a.TTL > 0
	case a.Expiry != b.Expiry:
		return a.Expiry > b.Expiry
	}
	return a.TTL < b.TTL
}

// row is what a reader sees of one row at second now, "" for nothing. at is nil
// for the static row.
func (w *twin) row(key string, at *place, now int64) string {
	cover, whole := int64(storage.NoTimestamp), int64(storage.NoTimestamp)
	live := storage.NoLiveness
	cells := map[string]storage.Cell{}
	var versions []storage.View
	for _, u := range w.writes {
		if u.Key != key {
			continue
		}
		cover = max(cover, u.Del.At)
		for _, r := range u.Ranges {
			if at != nil && at.in([]schema.Slice{r.Slice}) {
				cover = max(cover, r.Del.At)
			}
		}
		rows := u.Rows
		if at == nil {
			if rows = nil; !u.Static.IsZero() {
				rows = []storage.Row{u.Static}
			}
		}
		for _, r := range rows {
			var v storage.View
			if r.Unpack(&v); at == nil || placeOf(v.Clustering) == *at {
				versions = append(versions, v)
				cover = max(cover, v.Deletion.At)
			}
		}
	}
	for _, v := range versions {
		if betterLiveness(v.Liveness, live) {
			live = v.Liveness
		}
		for _, c := range v.Cells {
			if c.Complex {
				whole = max(whole, c.Timestamp)
				continue
			}
			id := fmt.Sprintf("%d/%s", c.Column, c.Path)
			if old, ok := cells[id]; !ok || better(&c, &old) {
				cells[id] = c
			}
		}
	}
	any := live.Timestamp > cover && (live.TTL == 0 || now < live.Expiry)
	var out []string
	for id, c := range cells {
		dead := c.Local != storage.NoDeletionTime && (c.TTL == 0 || now >= c.Local)
		if !dead && c.Timestamp > cover && !(c.Column == colM && c.Timestamp <= whole) {
			out = append(out, seen(id, &c))
		}
	}
	if !any && len(out) == 0 {
		return ""
	}
	sort.Strings(out)
	name := "static"
	if at != nil {
		name = fmt.Sprint(*at)
	}
	return name + " " + strings.Join(out, " ")
}

func seen(id string, c *storage.Cell) string {
	return fmt.Sprintf("%s=%x@%d+%d", id, c.Value, c.Timestamp, c.TTL)
}

// rows is what a reader sees of a partition.
func (w *twin) rows(key string, slices []schema.Slice, now int64) []string {
	all := map[place]bool{}
	for _, u := range w.writes {
		for _, r := range u.Rows {
			all[placeOf(r.Clustering())] = true
		}
	}
	var order []place
	for p := range all {
		if p.in(slices) {
			order = append(order, p)
		}
	}
	sort.Slice(order, func(i, j int) bool { return order[i].before(order[j]) })
	out := []string{}
	for _, p := range order {
		if text := w.row(key, &p, now); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// visible is what a reader sees of an answer.
func visible(rows []storage.Row, now int64) []string {
	out := []string{}
	for _, r := range rows {
		if r.IsZero() {
			continue
		}
		var v storage.View
		r.Unpack(&v)
		var cells []string
		for i := range v.Cells {
			if c := &v.Cells[i]; c.IsLive(now) {
				cells = append(cells, seen(fmt.Sprintf("%d/%s", c.Column, c.Path), c))
			}
		}
		if !r.HasLive(now, false) {
			continue
		}
		sort.Strings(cells)
		name := "static"
		if !v.Static {
			name = fmt.Sprint(placeOf(v.Clustering))
		}
		out = append(out, name+" "+strings.Join(cells, " "))
	}
	return out
}

// dump is everything that a partition holds, deletions included.
func dump(p *storage.Partition) string {
	var b strings.Builder
	del := func(d storage.Deletion) string {
		if d.IsLive() {
			return "-"
		}
		return fmt.Sprintf("%d/%d", d.At, d.Local)
	}
	fmt.Fprintf(&b, "%s del %s\n", p.Key, del(p.Del))
	for _, r := range p.Ranges {
		fmt.Fprintf(&b, "  range %x %v .. %x %v del %s\n", r.From.Prefix, r.From.After, r.To.Prefix, r.To.After, del(r.Del))
	}
	for _, r := range append([]storage.Row{p.Static}, p.Rows...) {
		if r.IsZero() {
			continue
		}
		var v storage.View
		r.Unpack(&v)
		fmt.Fprintf(&b, "  row %x live %v del %s", v.Clustering, v.Liveness, del(v.Deletion))
		for _, c := range v.Cells {
			fmt.Fprintf(&b, " %+v", c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
