package admin

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/types"
)

func init() {
	register(&Command{Name: "cell", Group: "storage", Usage: "ks.table KEY COLUMN [CLUSTERING…]",
		Help: "every version of a cell, on each replica and in each file: bytes, write time, TTL, deletions over it and when they may go; a key column shows the row's marker, or a COMPACT STORAGE table's value", Run: cell})
}

// cellHeads are the columns of the versions of a cell.
const cellHeads = "node replica unit what type element value hex writetime ttl expires deleted purgeable bytes state"

func cell(ctx *Context, a Args) ([]*answer.Answer, error) {
	words, err := splitWords(a.Raw) // with =, which values may have
	if err != nil {
		return nil, err
	}
	if len(words) < 3 {
		return nil, usageError(byName["cell"])
	}
	text := make([]string, len(words))
	for i := range words {
		text[i] = words[i].text
	}
	t, key, err := tableAndKey(ctx, text)
	if err != nil {
		return nil, err
	}
	column := t.Column(text[2])
	if column == nil {
		return nil, fmt.Errorf("table %s has no column %s", t, text[2])
	}
	static := column.Kind == schema.Static
	id := column.ID
	var clustering []byte
	switch isKey := column.Kind == schema.PartitionKey || column.Kind == schema.Clustering; {
	case t.Family != nil: // a row of storage for each cell, without a marker
		clustering, err = nameOf(t, column, text[3:])
		t = t.Stored()
		id = t.Regular[0].ID
		if isKey {
			column = t.Regular[0]
		}
	case isKey:
		id = storage.MarkerColumn
		fallthrough
	default:
		clustering, err = clusteringOf(t, text[3:], static)
	}
	if err != nil {
		return nil, err
	}
	token := ctx.Cluster.Partitioner().Token(key)
	order := map[int]int{}
	for i, n := range ctx.Cluster.Placement(t.Keyspace).Replicas(token) {
		order[n] = i + 1
	}
	var all []storage.Version
	var nodes []int // that the versions are of
	for _, n := range holders(ctx.Core, t, key) {
		list := ctx.Cluster.Store(n, t).Versions(t, string(key), token, clustering, static, id)
		if len(list) == 0 {
			list = []storage.Version{{What: "nothing"}}
		}
		for range list {
			nodes = append(nodes, n)
		}
		all = append(all, list...)
	}
	newest := storage.NewestOf(t.Stored(), all)
	now := ctx.Cluster.Epoch() + int64(ctx.Cluster.Now()/sim.Second)
	rows := [][]string{}
	for i := range all {
		name, replica := ctx.Cluster.Nodes[nodes[i]].Name, ""
		if o := order[nodes[i]]; o > 0 {
			replica = strconv.Itoa(o)
		}
		rows = append(rows, append([]string{name, replica}, versionRow(t, column, &all[i], newest[i], now)...))
	}
	return table(cellHeads, rows), nil
}

// nameOf is the name of the cell of a column family in which a column stands that CQL
// sees, as storage has it: the clustering of its row. See schema.Family.
func nameOf(t *schema.Table, column *schema.Column, words []string) ([]byte, error) {
	if !t.Family.Static() {
		return clusteringOf(t, words, false)
	}
	name := t.Family.CellName(column.Name)
	if name == nil {
		return nil, fmt.Errorf("%s has no cell of its own: a row of %s exists by its other columns", column.Name, t)
	}
	if len(words) > 0 {
		return nil, fmt.Errorf("a row of %s has no clustering values to name it by, %d given", t, len(words))
	}
	return schema.AppendComponent(nil, name), nil
}

// clusteringOf packs the values of all clustering columns, as they are written behind
// a column's name.
func clusteringOf(t *schema.Table, words []string, static bool) ([]byte, error) {
	if static {
		return nil, nil // a static column is the partition's, whatever row it is shown with
	}
	if len(words) != len(t.Clustering) {
		return nil, fmt.Errorf("a row of %s is named by %s behind the column, %d given", t, plural(len(t.Clustering), "clustering value"), len(words))
	}
	var out []byte
	for i, c := range t.Clustering {
		v, err := fromText(c.Type, words[i])
		if err != nil {
			return nil, fmt.Errorf("%s is no %s for clustering column %s: %w", words[i], c.Type, c.Name, err)
		}
		out = schema.AppendComponent(out, v)
	}
	return out, nil
}

// fromText is a value written as nodetool takes it, blobs with 0x before them, too.
func fromText(t *types.Type, text string) ([]byte, error) {
	if t.Kind == types.KindBlob {
		text = strings.TrimPrefix(text, "0x")
	}
	return t.FromString(text)
}

// versionRow is the part of a line from unit on. now is in Unix seconds.
func versionRow(t *schema.Table, column *schema.Column, v *storage.Version, newest bool, now int64) []string {
	unit := "memtable"
	if v.File != "" {
		unit = "sstable " + v.File
	}
	var element, value, raw, written, ttl, expires, deleted, purgeable, bytes, state string
	grace := int64(t.Options.GCGrace)
	switch v.What {
	case "nothing":
		return []string{"", "nothing", column.Type.String(), "", "", "", "", "", "", "", "", "", "missing"}
	case "marker":
		l := v.Liveness
		written = strconv.FormatInt(l.Timestamp, 10)
		state = versionState(newest, l.IsLive(now))
		if l.TTL > 0 && l.TTL != storage.ExpiredTTL {
			ttl, expires = strconv.Itoa(int(l.TTL)), secondText(l.Expiry)
			purgeable = secondText(max(l.Expiry, l.Expiry-int64(l.TTL)+grace))
		}
	case "cell":
		c := &v.Cell
		written, bytes = strconv.FormatInt(c.Timestamp, 10), strconv.FormatInt(v.Bytes, 10)
		element = elementText(column.Type, c)
		state = versionState(newest, c.IsLive(now))
		switch {
		case c.IsTombstone():
			deleted, purgeable = secondText(c.Local), secondText(c.Local+grace)
			if state != "older" {
				state = "tombstone"
			}
		default:
			value, raw = cellValue(t, column.Type, c), "0x"+hex.EncodeToString(c.Value)
			if c.TTL > 0 {
				ttl, expires = strconv.Itoa(int(c.TTL)), secondText(c.Local)
				purgeable = secondText(max(c.Local, c.Local-int64(c.TTL)+grace))
			}
		}
	default:
		written, deleted, purgeable = strconv.FormatInt(v.Deletion.At, 10), secondText(v.Deletion.Local), secondText(v.Deletion.Local+grace)
		state = map[bool]string{true: "deletes", false: "older"}[newest]
		return []string{unit, v.What + " deletion", column.Type.String(), element, value, raw, written, ttl, expires, deleted, purgeable, bytes, state}
	}
	return []string{unit, v.What, column.Type.String(), element, value, raw, written, ttl, expires, deleted, purgeable, bytes, state}
}

// versionState is what stands of a version when all are merged.
func versionState(newest, live bool) string {
	switch {
	case !newest:
		return "older"
	case !live:
		return "expired"
	}
	return "newest"
}

// elementText names the element of a collection that a cell is.
func elementText(of *types.Type, c *storage.Cell) string {
	switch {
	case !c.HasPath:
		return ""
	case of.Kind == types.KindUDT && len(c.Path) == 2:
		if i := int(c.Path[0])<<8 | int(c.Path[1]); i < len(of.Names) {
			return of.Names[i]
		}
	case of.Kind == types.KindList:
		return types.TimeUUID.Literal(c.Path)
	case len(of.Elems) > 0:
		return of.Elems[0].Literal(c.Path)
	}
	return "0x" + hex.EncodeToString(c.Path)
}

// cellValue is a cell's value as CQL writes it; a set's elements have none.
func cellValue(t *schema.Table, of *types.Type, c *storage.Cell) string {
	switch {
	case t.Counter:
		return strconv.FormatInt(storage.CounterTotal(c.Value), 10)
	case len(c.Value) == 0: // which is a value, and no null
		return emptyText(of, c.HasPath)
	case !c.HasPath:
		return of.Literal(c.Value)
	case of.Kind == types.KindSet:
		return ""
	case of.Kind == types.KindUDT && len(c.Path) == 2:
		if i := int(c.Path[0])<<8 | int(c.Path[1]); i < len(of.Elems) {
			return of.Elems[i].Literal(c.Value)
		}
		return ""
	}
	return of.Elems[len(of.Elems)-1].Literal(c.Value)
}

// emptyText is how a value of no bytes is written where that can be done.
func emptyText(of *types.Type, element bool) string {
	switch {
	case element:
		return ""
	case of.Kind == types.KindBlob:
		return "0x"
	case of.Kind == types.KindText || of.Kind == types.KindAscii:
		return "''"
	}
	return ""
}

// secondText is a second since 1970, in UTC.
func secondText(s int64) string {
	text, _, _ := strings.Cut(types.Instant(s*1000), ".")
	return text
}

// CellCommand is the command that shows the versions of what stands under a stored
// name of a partition, "" where it is no column of a row.
func CellCommand(t *schema.Table, key string, name []byte) string {
	s := t.Stored()
	if s.Compact {
		return ""
	}
	static := len(name) > 1 && name[0] == 0xff && name[1] == 0xff
	if static {
		name = name[2:]
	}
	parts := schema.SplitComposite(name)
	if len(parts) <= len(s.Clustering) || parts[len(s.Clustering)] == nil {
		return ""
	}
	column := string(parts[len(s.Clustering)])
	if column == "" { // the row's marker
		column = s.Key[0].Name
	}
	if s.Column(column) == nil {
		return ""
	}
	words := []string{":cell", t.Keyspace + "." + t.Name, quoteWord(key), quoteWord(column)}
	for i, c := range s.Clustering {
		if static {
			break
		}
		words = append(words, quoteWord(c.Type.Text(parts[i])))
	}
	return strings.Join(words, " ")
}

// quoteWord writes a word so that splitWords gives it back.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }
