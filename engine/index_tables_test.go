package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
)

// TestIndexesFindWhatFiltersFind writes the same at random to a table with
// indexes on everything that can have one and to a table without, while files are
// written, merged and nodes come and go. What an index finds is what filtering
// the other table gives.
func TestIndexesFindWhatFiltersFind(t *testing.T) {
	for _, ring := range []string{"dc1=1", "dc1=3", "dc1=4 vnodes=4"} {
		t.Run(ring, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { indexesFind(t, ring) })
		})
	}
}

func indexesFind(t *rapid.T, ring string) {
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		t.Fatal(err)
	}
	var script []string
	do := func(text string) []string {
		script = append(script, text)
		a := lab.Do(text)
		last := a[len(a)-1]
		if last.Error != nil {
			t.Fatalf("%s: %s", text, last.Error.Message)
		}
		var rows []string
		for _, r := range last.Rows {
			var cells []string
			for _, c := range r {
				cells = append(cells, c.Text)
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		slices.Sort(rows)
		return rows
	}
	rf := 1
	if ring != "dc1=1" {
		rf = 3
	}
	do(fmt.Sprintf("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': %d}", rf))
	do("USE k")
	do("CONSISTENCY QUORUM")
	for _, name := range []string{"a", "b"} {
		do("CREATE TABLE " + name + " (p int, q int, c int, d int, v text, s int static, m map<int, text>, l list<int>, PRIMARY KEY ((p, q), c, d)) WITH gc_grace_seconds = 60")
	}
	indexes := []string{"q", "d", "v", "s", "keys(m)", "entries(m)", "values(m)", "l"}
	late := rapid.IntRange(0, len(indexes)).Draw(t, "indexes before the data")
	for _, i := range indexes[:late] {
		do("CREATE INDEX ON a (" + i + ")")
	}
	small := rapid.IntRange(1, 2)
	both := func(text string) {
		for _, name := range []string{"a", "b"} {
			do(strings.ReplaceAll(text, "TABLE", name))
		}
	}
	key := func() string { return fmt.Sprintf("p = %d AND q = %d", small.Draw(t, "p"), small.Draw(t, "q")) }
	row := func() string {
		return key() + fmt.Sprintf(" AND c = %d AND d = %d", small.Draw(t, "c"), small.Draw(t, "d"))
	}
	text := func() string { return rapid.SampledFrom([]string{"'x'", "'y'", "null"}).Draw(t, "v") }
	down, expires := "", false
	for range rapid.IntRange(1, 25).Draw(t, "steps") {
		switch rapid.IntRange(0, 12).Draw(t, "step") {
		case 0, 1, 2:
			both(fmt.Sprintf("UPDATE TABLE SET v = %s WHERE %s", text(), row()))
		case 3:
			both(fmt.Sprintf("INSERT INTO TABLE (p, q, c, d, v, s, l) VALUES (%d, %d, %d, %d, %s, %d, [1, 2, 1])", small.Draw(t, "p"), small.Draw(t, "q"),
				small.Draw(t, "c"), small.Draw(t, "d"), text(), small.Draw(t, "s")))
		case 4:
			both(fmt.Sprintf("UPDATE TABLE SET m[%d] = %s WHERE %s", small.Draw(t, "key"), text(), row()))
		case 5:
			both(fmt.Sprintf("UPDATE TABLE SET m = {1: 'x', 2: 'y'}, l = l + [%d] WHERE %s", small.Draw(t, "element"), row()))
		case 6:
			both(fmt.Sprintf("UPDATE TABLE SET s = %d WHERE %s", small.Draw(t, "s"), key()))
		case 7:
			both("DELETE FROM TABLE WHERE " + row())
		case 8:
			both("DELETE FROM TABLE WHERE " + key() + rapid.SampledFrom([]string{"", " AND c = 1"}).Draw(t, "of"))
		case 9:
			do(":flush")
		case 10:
			do(":compact")
		case 11:
			if down == "" && rf == 3 {
				down = rapid.SampledFrom([]string{"n2", "n3"}).Draw(t, "node")
				do(":down " + down)
			} else if down != "" {
				do(":up " + down)
				down = ""
			}
		case 12:
			both(fmt.Sprintf("INSERT INTO TABLE (p, q, c, d, v) VALUES (1, 1, 1, %d, %s) USING TTL 20", small.Draw(t, "d"), text()))
			do(":advance 15s")
			expires = true
		}
	}
	if down == "" {
		for _, i := range indexes[late:] {
			do("CREATE INDEX ON a (" + i + ")")
		}
		late = len(indexes)
	}
	for n, where := range []string{"q = 1", "d = 2", "v = 'x'", "s = 1", "m CONTAINS KEY 1", "m[1] = 'x'", "m CONTAINS 'y'", "l CONTAINS 1"} {
		if n >= late {
			break
		}
		if expires && n < 2 {
			continue // an entry of a key lives as long as the newest of its row, in Cassandra too, which older cells may outlive
		}
		for _, more := range []string{"", " AND v = 'x'", " AND p = 1 AND q = 1", " AND c = 1"} {
			if strings.Contains(more, where) || strings.HasPrefix(where, "q") && strings.Contains(more, "q = ") {
				continue
			}
			for range 2 { // the first read removes stale entries
				got := do("SELECT * FROM a WHERE " + where + more + " ALLOW FILTERING")
				want := do("SELECT * FROM b WHERE " + where + more + " ALLOW FILTERING")
				// An entry of a static column leads to whole partitions only.
				if !slices.Equal(got, want) && !(where == "s = 1" && more != "") {
					t.Fatalf("%s\nWHERE %s%s: the index found %q, filters %q", strings.Join(script, "\n"), where, more, got, want)
				}
			}
		}
	}
}
