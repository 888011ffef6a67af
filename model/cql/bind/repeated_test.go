package bind

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/model/cql"
	"ringlab/model/plan"
)

// insertHeads are the beginnings of statements on the schema of the fuzz test, with
// what fits as their values: whole numbers (i) or text (s).
var insertHeads = []struct{ text, fit string }{
	{"INSERT INTO k (a, b, v) VALUES (", "isi"}, {"insert into ks.k(v,b,a)values(", "isi"}, {"INSERT INTO k (a, b) VALUES\n(", "is"},
	{"INSERT INTO t (p, c1, c2, v, w) VALUES (", "iisis"}, {"INSERT INTO t (p, c1, c2, s) VALUES (", "iiss"}, {"INSERT INTO t (p, c1, c2, st) VALUES (", "iisi"},
	{"INSERT INTO all_types (k, a, bi, ts, vi) VALUES (", "isiii"}, {"INSERT INTO d (a, i, ts, d, ti) VALUES (", "ssiii"}, {"INSERT INTO d (a, ts, d, i, ti) VALUES (", "siisi"},
	{"INSERT INTO k (a, b, v) VALUES (1, 'x', 2) --(", "isi"}, {"INSERT INTO k (a, a, v) VALUES (", "iii"}, {"INSERT INTO k (a, v) VALUES (", "ii"}, {"INSERT INTO no (a) VALUES (", "i"},
	{`INSERT INTO k (a, "b", v) VALUES (`, "isi"}, {"INSERT INTO i (a, b) VALUES (", "is"},
}

var insertLiterals = []string{"1", "-1", "0", "007", "12345678", "2147483648", "'x'", "''", "'it''s'", "'2020-01-01'", "'now'", "'::1'", "'é'", "'a(b'", "' '", "'x y'", "'19'", "99999999999999999999", "- 1",
	"null", "?", "1.5", "1e5", "true", "0x00", "1mo", "now()", "{1}", "1 + 1", "(int) 1", "5d0c7e3a-0000-1000-8000-000000000000", "12345678-0000-1000-8000-000000000000", "'\n'", "1 /**/", "$$x$$", ""}

// TestRepeated: an INSERT that is taken for one like an earlier one means what it means
// when it is parsed and bound, and is none of those that are refused.
func TestRepeated(t *testing.T) {
	env := envWith(t, append([]string{"CREATE TABLE d (a ascii, i inet, ts timestamp, d date, ti time, PRIMARY KEY ((a, i), ts, d))", "CREATE TABLE i (a int PRIMARY KEY, b text)", "CREATE INDEX ON i (b)"}, fuzzSchema...)...)
	var known []*Repeated
	learn := func(text string, p plan.Plan, env *Env) {
		st, _ := cql.Parse(text)
		if r := NewRepeated(text, st, p, env); r != nil && len(known) < 200 {
			known = append(known, r)
		}
	}
	for _, head := range insertHeads {
		var values []string
		for _, fit := range head.fit {
			values = append(values, map[rune]string{'i': "1", 's': "'19'"}[fit])
		}
		text := head.text + strings.Join(values, ",") + ")"
		if p, err := parsedAndBound(text, env); err == nil {
			learn(text, p, env)
		}
	}
	hits := 0
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SampledFrom(insertHeads).Draw(t, "head")
		var values []string
		for _, fit := range head.fit {
			literals := insertLiterals
			if rapid.IntRange(0, 19).Draw(t, "odd") > 0 {
				literals = map[rune][]string{'i': insertLiterals[:6], 's': insertLiterals[6:16]}[fit]
			}
			values = append(values, rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "space")+rapid.SampledFrom(literals).Draw(t, "value"))
		}
		if rapid.IntRange(0, 19).Draw(t, "more") == 0 {
			values = append(values, "1")
		}
		text := head.text + strings.Join(values, ",") + rapid.SampledFrom([]string{")", ")", ") ", ") USING TTL 5", ") IF NOT EXISTS", ") --(1, 'x', 2)", ""}).Draw(t, "tail")
		own := *env
		if rapid.IntRange(0, 9).Draw(t, "elsewhere") == 0 {
			own.Keyspace = "other"
		}
		want, err := parsedAndBound(text, &own)
		for _, r := range known {
			if got := r.Write(text, &own); got != nil {
				hits++
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s\nis taken for %+v\nand means     %+v %v", text, got, want, err)
				}
			}
		}
		if err == nil {
			learn(text, want, &own)
		}
	})
	if hits == 0 {
		t.Fatal("nothing was repeated")
	}
}

func parsedAndBound(text string, env *Env) (plan.Plan, error) {
	st, err := cql.Parse(text)
	if err != nil {
		return nil, err
	}
	return Bind(st, env)
}
