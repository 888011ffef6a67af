package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
)

// viewTwin is a view with its naive twin: which of the base's rows it holds and
// what it shows of them.
type viewTwin struct {
	create  string
	name    string
	columns []int // of SELECT p, c, v, w, x on the base, in the view's order
	needs   []int // columns that must not be null
	keeps   func(p, c string) bool
}

var viewTwins = []viewTwin{
	{"SELECT * FROM b WHERE v IS NOT NULL AND p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, p, c)", "by_v", []int{2, 0, 1, 3, 4}, []int{2}, nil},
	{"SELECT * FROM b WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)", "by_c", []int{1, 0, 2, 3, 4}, nil, nil},
	{"SELECT p, c, w FROM b WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)", "part", []int{1, 0, 3}, nil, nil},
	{"SELECT p, c FROM b WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY ((p, c))", "keys", []int{0, 1}, nil, nil},
	{"SELECT w, p, c, x FROM b WHERE w IS NOT NULL AND p IN (1, 2) AND c > 1 PRIMARY KEY ((w, p), c)", "some", []int{3, 0, 1, 4}, []int{3},
		func(p, c string) bool { return p != "3" && c != "1" }},
}

// of is what the twin holds when the base has those rows.
func (v *viewTwin) of(base []string) []string {
	var out []string
	for _, row := range base {
		cells := strings.Split(row, "|")
		if slices.ContainsFunc(v.needs, func(i int) bool { return cells[i] == "null" }) || v.keeps != nil && !v.keeps(cells[0], cells[1]) {
			continue
		}
		picked := make([]string, len(v.columns))
		for i, at := range v.columns {
			picked[i] = cells[at]
		}
		out = append(out, strings.Join(picked, "|"))
	}
	slices.Sort(out)
	return out
}

// TestViewsHoldWhatTheBaseHolds writes at random, each write newer than the one
// before, while nodes come and go and memtables are flushed. Once every replica
// has everything, a view shows what is computed anew from the base.
func TestViewsHoldWhatTheBaseHolds(t *testing.T) {
	for _, ring := range []struct {
		spec, replication string
		loses             bool // a replica may be down while QUORUM goes on
	}{
		{"dc1=1", "'SimpleStrategy', 'replication_factor': 1", false},
		{"dc1=3", "'SimpleStrategy', 'replication_factor': 1", false},
		{"dc1=3", "'SimpleStrategy', 'replication_factor': 3", true},
		{"dc1=4 vnodes=4", "'SimpleStrategy', 'replication_factor': 2", false},
		{"dc1=3 dc2=3", "'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 1", false},
	} {
		t.Run(ring.spec+" "+ring.replication, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { viewsHold(t, ring.spec, ring.replication, ring.loses) })
		})
	}
}

func viewsHold(t *rapid.T, spec, replication string, loses bool) {
	lab, err := engine.New(engine.Options{Ring: spec})
	if err != nil {
		t.Fatal(err)
	}
	var script []string
	do := func(text string) [][]string {
		script = append(script, text)
		a := lab.Do(text)
		last := a[len(a)-1]
		if last.Error != nil {
			t.Fatalf("%s: %s", text, last.Error.Message)
		}
		rows := make([][]string, len(last.Rows))
		for i, r := range last.Rows {
			for _, c := range r {
				if c.Null {
					c.Text = "null"
				}
				rows[i] = append(rows[i], c.Text)
			}
		}
		return rows
	}
	sorted := func(text string) []string {
		var out []string
		for _, r := range do(text) {
			out = append(out, strings.Join(r, "|"))
		}
		slices.Sort(out)
		return out
	}
	do("CREATE KEYSPACE k WITH replication = {'class': " + replication + "}")
	do("USE k")
	do("CREATE TABLE b (p int, c int, v int, w text, x int, PRIMARY KEY (p, c))")
	// Where a view leaves columns out, their expiry can outlive that of the base's
	// row, in Cassandra too: such views get no rows with a TTL.
	ttl, twins := "", viewTwins
	if rapid.Bool().Draw(t, "rows that expire") {
		ttl = " AND TTL 30"
		twins = slices.DeleteFunc(slices.Clone(twins), func(v viewTwin) bool { return v.name == "part" || v.name == "keys" })
	}
	late := rapid.IntRange(0, len(twins)).Draw(t, "views before the data")
	create := func(v *viewTwin) { do("CREATE MATERIALIZED VIEW " + v.name + " AS " + v.create) }
	for i := range twins[:late] {
		create(&twins[i])
	}
	number := rapid.IntRange(1, 3)
	key := func() string { return fmt.Sprintf("p = %d AND c = %d", number.Draw(t, "p"), number.Draw(t, "c")) }
	value := func() string { return rapid.SampledFrom([]string{"1", "2", "null"}).Draw(t, "v") }
	text := func() string { return rapid.SampledFrom([]string{"'a'", "'b'", "null"}).Draw(t, "w") }
	down := ""
	for n := range rapid.IntRange(1, 40).Draw(t, "writes") {
		using := fmt.Sprintf(" USING TIMESTAMP %d", 1000+n)
		switch rapid.IntRange(0, 11).Draw(t, "what") {
		case 0, 1, 2:
			do(fmt.Sprintf("INSERT INTO b (p, c, v, w) VALUES (%d, %d, %s, %s)%s", number.Draw(t, "p"), number.Draw(t, "c"), value(), text(), using))
		case 3:
			do(fmt.Sprintf("INSERT INTO b (p, c, x) VALUES (%d, %d, %s)%s%s", number.Draw(t, "p"), number.Draw(t, "c"), value(), using, ttl))
		case 4, 5:
			do("UPDATE b" + using + " SET v = " + value() + " WHERE " + key())
		case 6:
			do("UPDATE b" + using + " SET w = " + text() + ", x = " + value() + " WHERE " + key())
		case 7:
			do("DELETE " + rapid.SampledFrom([]string{"v", "w", "x", "v, w"}).Draw(t, "columns") + " FROM b" + using + " WHERE " + key())
		case 8:
			do("DELETE FROM b" + using + " WHERE " + key())
		case 9:
			do(fmt.Sprintf("DELETE FROM b%s WHERE p = %d AND c >= %d", using, number.Draw(t, "p"), number.Draw(t, "c")))
		case 10:
			do(fmt.Sprintf("DELETE FROM b%s WHERE p = %d", using, number.Draw(t, "p")))
		case 11:
			switch {
			case !loses:
				do(":flush")
			case down != "":
				do(":up " + down)
				do(":advance 1m")
				down = ""
			default:
				down = rapid.SampledFrom([]string{"n2", "n3"}).Draw(t, "node")
				do(":down " + down)
			}
		}
		if late < len(twins) && rapid.IntRange(0, 9).Draw(t, "one more view") == 0 && down == "" {
			create(&twins[late])
			late++
		}
	}
	if down != "" {
		do(":up " + down)
	}
	do(":advance 1m") // hints arrive, what has a TTL expires
	do("CONSISTENCY ALL")
	base := sorted("SELECT p, c, v, w, x FROM b")
	for i := range twins[:late] {
		v := &twins[i]
		if got, want := sorted("SELECT * FROM "+v.name), v.of(base); !slices.Equal(got, want) {
			t.Errorf("view %s\n  %q\nof %q\n  %q\n%s", v.name, got, base, want, strings.Join(script, "\n"))
		}
	}
	do("TRUNCATE b")
	for i := range twins[:late] {
		if got := sorted("SELECT * FROM " + twins[i].name); len(got) > 0 {
			t.Errorf("view %s of an empty table: %q", twins[i].name, got)
		}
	}
}

// TestViewWithAnEmptyKey: only a view may have a partition whose key is empty;
// its token is the minimum, which on some rings is a node's own.
func TestViewWithAnEmptyKey(t *testing.T) {
	for _, ring := range []string{"dc1=1", "dc1=3", "dc1=6 vnodes=4"} {
		lab, err := engine.New(engine.Options{Ring: ring})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, text := range []string{
			"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
			"CREATE TABLE k.t (p int PRIMARY KEY, v text)",
			"CREATE MATERIALIZED VIEW k.mv AS SELECT * FROM k.t WHERE v IS NOT NULL AND p IS NOT NULL PRIMARY KEY (v, p)",
			"INSERT INTO k.t (p, v) VALUES (2, 'a')",
			"INSERT INTO k.t (p, v) VALUES (1, '')",
			":page 1 SELECT * FROM k.mv", ":more",
			"SELECT * FROM k.mv",
		} {
			a := lab.Do(text)[0]
			if a.Error != nil {
				t.Fatalf("%s: %s: %s", ring, text, a.Error.Message)
			}
			for _, row := range a.Rows {
				got = append(got, row[0].Text+"/"+row[1].Text)
			}
		}
		if want := "/1 a/2 /1 a/2"; strings.Join(got, " ") != want {
			t.Errorf("%s: %q, expected %q", ring, got, want)
		}
	}
}
