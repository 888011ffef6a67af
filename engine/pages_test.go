package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/session"
)

// Pages of any size, one after the other, are the whole answer, and come to an end.
func TestPagesAreTheWholeAnswer(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=4 vnodes=4"})
	if err != nil {
		t.Fatal(err)
	}
	do := func(text string) {
		for _, a := range lab.Do(text) {
			if a.Error != nil {
				t.Fatalf("%s: %s", text, a.Error.Message)
			}
		}
	}
	do("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}")
	do("CREATE TABLE k.one (a int PRIMARY KEY, v int)")
	do("CREATE TABLE k.two (a int, b int, s int static, v int, PRIMARY KEY (a, b))")
	do("CREATE TABLE k.three (a int, b int, c int, d int, v int, PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)")
	do("CREATE TABLE k.static (a int PRIMARY KEY, v int, w text) WITH COMPACT STORAGE")
	do("CREATE TABLE k.keys (a int, b int, PRIMARY KEY (a, b)) WITH COMPACT STORAGE")
	for a := range 13 {
		do(fmt.Sprintf("INSERT INTO k.static (a, v, w) VALUES (%d, %d, 'w')", a, a%3))
		do(fmt.Sprintf("DELETE FROM k.static WHERE a = %d", a/4*4))
		for b := range a {
			do(fmt.Sprintf("INSERT INTO k.keys (a, b) VALUES (%d, %d)", a, b))
		}
	}
	for a := range 7 {
		do(fmt.Sprintf("INSERT INTO k.one (a, v) VALUES (%d, %d)", a, a%3))
		if a%3 == 2 {
			do(fmt.Sprintf("INSERT INTO k.two (a, s) VALUES (%d, 9)", a))
			continue
		}
		for b := range a {
			do(fmt.Sprintf("INSERT INTO k.two (a, b, s, v) VALUES (%d, %d, 5, %d)", a, b, b%2))
			for c := range 3 {
				do(fmt.Sprintf("INSERT INTO k.three (a, b, c, d, v) VALUES (%d, %d, %d, %d, 1)", a, b, c, a-c))
			}
		}
	}
	queries := strings.Split(strings.TrimSpace(`
SELECT a, v FROM k.one
SELECT a FROM k.one WHERE a IN (1, 2, 5, 6)
SELECT a FROM k.one WHERE a = 3
SELECT a FROM k.one WHERE v = 1 ALLOW FILTERING
SELECT a FROM k.one WHERE token(a) > 0
SELECT a, b, s FROM k.two
SELECT a, b FROM k.two WHERE a = 6
SELECT a, b FROM k.two WHERE a = 6 ORDER BY b DESC
SELECT a, b FROM k.two WHERE a = 6 AND b <= 3
SELECT a, b FROM k.two WHERE a = 6 AND b IN (0, 2, 3)
SELECT a, b FROM k.two WHERE a IN (1, 3, 4, 6) AND b < 2
SELECT a, b FROM k.two WHERE b > 1 ALLOW FILTERING
SELECT a, b FROM k.two WHERE v = 1 ALLOW FILTERING
SELECT a, b, s FROM k.two WHERE a IN (1, 2, 3, 4, 5)
SELECT a, b FROM k.two WHERE a IN (1, 2, 3, 4, 5, 6) PER PARTITION LIMIT 2
SELECT a, b FROM k.two WHERE a IN (1, 2, 6) LIMIT 5
SELECT a, s FROM k.two WHERE s = 5 ALLOW FILTERING
SELECT DISTINCT a, s FROM k.two WHERE a IN (1, 2, 3)
SELECT DISTINCT a, s FROM k.two
SELECT a, b FROM k.two PER PARTITION LIMIT 2
SELECT a, b FROM k.two LIMIT 7
SELECT a, b FROM k.two PER PARTITION LIMIT 2 LIMIT 5
SELECT a, count(*) FROM k.two GROUP BY a
SELECT count(*) FROM k.two
SELECT a, b, c, d FROM k.three
SELECT c, d FROM k.three WHERE a = 6 AND b = 1 AND c >= 1
SELECT c, d FROM k.three WHERE a = 6 AND b IN (1, 2, 3) AND (c, d) > (0, 5)
SELECT c, d FROM k.three WHERE a = 6 AND b = 1 AND c = 2
SELECT a, b, c FROM k.three WHERE c = 1 ALLOW FILTERING
SELECT a, v, w FROM k.static
SELECT a, v FROM k.static LIMIT 5
SELECT a, v FROM k.static WHERE v = 1 ALLOW FILTERING
SELECT a, v FROM k.static WHERE v = 1 LIMIT 2 ALLOW FILTERING
SELECT a FROM k.static WHERE a IN (1, 4, 5, 6, 10)
SELECT a FROM k.static WHERE a = 5
SELECT DISTINCT a FROM k.static
SELECT count(*) FROM k.static
SELECT a, b FROM k.keys
SELECT a, b FROM k.keys WHERE a = 12 AND b > 2
SELECT a, b FROM k.keys WHERE a = 12 ORDER BY b DESC
SELECT a, b FROM k.keys WHERE a IN (1, 5, 9) LIMIT 9
SELECT a, b FROM k.keys PER PARTITION LIMIT 2
SELECT keyspace_name, table_name FROM system_schema.tables
SELECT table_name, column_name FROM system_schema.columns WHERE keyspace_name = 'k' AND table_name > 'one'
SELECT name, value FROM system_views.settings LIMIT 30`), "\n")
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.SampledFrom(queries).Draw(t, "query")
		size := rapid.IntRange(1, 12).Draw(t, "size")
		p, refused := lab.Prepare(query)
		if p == nil {
			t.Fatalf("%s: %s", query, refused.Error.Message)
		}
		whole := lab.Execute(p, session.Values{})
		if whole.Error != nil {
			t.Fatalf("%s: %s", query, whole.Error.Message)
		}
		var rows [][]answer.Cell
		for page := (session.Page{Size: size}); ; {
			a := lab.Execute(p, session.Values{Page: page})
			if a.Error != nil {
				t.Fatalf("%s: %s", query, a.Error.Message)
			}
			counted := len(a.Rows)
			if strings.Contains(query, "system_views") { // rows of keys alone, which real nodes do not count there
				for _, row := range a.Rows {
					if row[1].Null {
						counted--
					}
				}
			}
			if counted > size {
				t.Fatalf("%s: a page of %d rows, not %d", query, counted, size)
			}
			if rows = append(rows, a.Rows...); !a.More {
				break
			}
			if page.State = a.State; len(rows) > len(whole.Rows) {
				break
			}
		}
		if got, want := fmt.Sprint(rows), fmt.Sprint(whole.Rows); got != want && len(rows)+len(whole.Rows) > 0 {
			t.Fatalf("%s by %d\n%s\nnot\n%s", query, size, got, want)
		}
	})
}
