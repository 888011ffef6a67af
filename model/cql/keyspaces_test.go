package cql

import (
	"strings"
	"testing"
)

func TestKeyspaces(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE KEYSPACE a WITH replication = {'class': 'SimpleStrategy'}":                          "a",
		`SELECT b.f(v), "B".g(1) FROM "a b".t WHERE k = 'c.d'`:                                      `b "B" "a b"`,
		"CREATE TABLE a.t (k int PRIMARY KEY, v frozen<b.addr>, w map<int, frozen<c.x>>)":           "a b c",
		"BEGIN BATCH INSERT INTO a.t (k) VALUES (1); UPDATE b.t SET v = 1 WHERE k = 1; APPLY BATCH": "a b",
		"DROP INDEX a.i":      "a",
		"USE \"x\"":           `"x"`,
		"DESCRIBE KEYSPACE a": "a",
		"DESCRIBE TABLE a.t":  "a",
		"CREATE MATERIALIZED VIEW a.v AS SELECT k FROM b.t WHERE k IS NOT NULL PRIMARY KEY (k)": "a b",
		"CREATE AGGREGATE a.s(int) SFUNC f STYPE frozen<b.u>":                                   "a b",
		"TRUNCATE t": "",
	} {
		s, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got []string
		for _, n := range Keyspaces(s) {
			got = append(got, text[n.Pos.Offset:n.Pos.Offset+n.Written(text)])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}
