package bind

import (
	"strings"
	"testing"

	"ringlab/model/cql"
	"ringlab/model/plan"
)

// TestIndexFixes looks at the indexes that a refusal offers: each has to make the
// statement legal, and none is offered where none does.
func TestIndexFixes(t *testing.T) {
	env := inKeyspace(t,
		"CREATE TABLE t (k int, c int, d text, v int, w text, b blob, s set<text>, m map<text, int>, f frozen<list<int>>, e vector<float, 2>, x int, PRIMARY KEY (k, c, d))",
		"CREATE INDEX ON t (x)")
	for statement, want := range map[string]string{
		"SELECT * FROM t WHERE v = 1":                      "CREATE INDEX ON ks.t (v) USING 'sai'",
		"SELECT * FROM t WHERE v > 1 AND v < 9":            "CREATE INDEX ON ks.t (v) USING 'sai'",
		"SELECT * FROM t WHERE b = 0x01":                   "CREATE INDEX ON ks.t (b)",
		"SELECT * FROM t WHERE w > 'a'":                    "",
		"SELECT * FROM t WHERE v IN (1, 2)":                "",
		"SELECT * FROM t WHERE v = 1 AND w = 'a'":          "",
		"SELECT * FROM t WHERE x = 1 AND v = 1":            "",
		"SELECT * FROM t WHERE s CONTAINS 'a'":             "CREATE INDEX ON ks.t (values(s)) USING 'sai'",
		"SELECT * FROM t WHERE m CONTAINS KEY 'a'":         "CREATE INDEX ON ks.t (keys(m)) USING 'sai'",
		"SELECT * FROM t WHERE m['a'] = 1":                 "CREATE INDEX ON ks.t (entries(m)) USING 'sai'",
		"SELECT * FROM t WHERE f = [1]":                    "CREATE INDEX ON ks.t (full(f)) USING 'sai'",
		"SELECT * FROM t WHERE c = 1":                      "CREATE INDEX ON ks.t (c) USING 'sai'",
		"SELECT * FROM t WHERE k > 1":                      "",
		"SELECT * FROM t ORDER BY e ANN OF [1, 2] LIMIT 1": "CREATE INDEX ON ks.t (e) USING 'sai'",
	} {
		err := run(t, env, statement)
		if err == nil {
			t.Errorf("%s is not refused", statement)
			continue
		}
		got := ""
		for _, f := range err.(*plan.Error).Fix {
			if strings.HasPrefix(f.Text, "CREATE INDEX") {
				got = f.Text
			}
		}
		if got != want {
			t.Errorf("%s: offers %q, expected %q", statement, got, want)
		}
		if got == "" {
			continue
		}
		trial := *env
		if err := run(t, &trial, got, statement); err != nil {
			t.Errorf("%s after %s: %v", statement, got, err)
		}
	}
}

// TestIndexedSizes looks at values that are too long to become keys of a hidden
// table, and at those that just are not.
func TestIndexedSizes(t *testing.T) {
	env := inKeyspace(t, "CREATE TABLE t (k text, c text, v text, s text static, l list<text>, m map<text, text>, f frozen<list<text>>, PRIMARY KEY (k, c))",
		"CREATE INDEX ON t (v)", "CREATE INDEX ON t (s)", "CREATE INDEX ON t (l)", "CREATE INDEX ON t (entries(m))", "CREATE INDEX ON t (full(f))")
	const row = " WHERE k = 'k' AND c = 'c'"
	for _, c := range []struct {
		statement string // § stands for a text of n letters
		n         int
		refusal   string
	}{
		{"INSERT INTO t (k, c, v) VALUES ('k', 'c', '§')", 65534, ""},
		{"INSERT INTO t (k, c, v) VALUES ('k', 'c', '§')", 65535, "Cannot index value of size 65535 for index t_v_idx on ks.t(v) (maximum allowed size=65535)"},
		{"UPDATE t SET s = '§' WHERE k = 'k'", 70000, "Cannot index value of size 70000 for index t_s_idx on ks.t(s) (maximum allowed size=65535)"},
		{"UPDATE t SET l = ['a', '§'] + l" + row, 70000, "Cannot index value of size 70000 for index t_l_idx on ks.t(l) (maximum allowed size=65535)"},
		{"UPDATE t SET m['a'] = '§'" + row, 65527, ""},
		{"UPDATE t SET m['a'] = '§'" + row, 65534, "Cannot index value of size 65541 for index t_m_idx on ks.t(m) (maximum allowed size=65535)"},
		{"UPDATE t SET f = ['§']" + row, 65535, "Cannot index value of size 65543 for index t_f_idx on ks.t(f) (maximum allowed size=65535)"},
		{"DELETE v FROM t" + row, 0, ""},
		{"SELECT * FROM t WHERE v = '§'", 65535, ""},
		{"SELECT * FROM t WHERE v = '§'", 65536, "Index expression values may not be larger than 64K"},
	} {
		got := ""
		if err := run(t, env, strings.ReplaceAll(c.statement, "§", strings.Repeat("x", c.n))); err != nil {
			got = err.Error()
		}
		if got != c.refusal {
			t.Errorf("%s with %d letters: %q, expected %q", c.statement, c.n, got, c.refusal)
		}
	}
}

// TestUnindexableVectors looks at vectors that replicas fail on.
func TestUnindexableVectors(t *testing.T) {
	env := inKeyspace(t, "CREATE TABLE t (k int PRIMARY KEY, e vector<float, 2>, f vector<float, 2>, g vector<float, 2>)", "CREATE INDEX ON t (e) USING 'sai'",
		"CREATE INDEX ON t (f) USING 'sai' WITH OPTIONS = {'similarity_function': 'euclidean'}")
	for assignment, want := range map[string]bool{
		"e = [0, 0]": true, "e = [0, 1]": false, "e = [NaN, 1]": true, "e = [1e18, 1]": true, "e = null": false,
		"f = [0, 0]": false, "f = [Infinity, 0]": true, "g = [NaN, 0]": false,
	} {
		st, err := cql.Parse("UPDATE t SET " + assignment + " WHERE k = 1")
		if err != nil {
			t.Fatal(err)
		}
		p, err := Bind(st, env)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.(*plan.Write).Unindexable; got != want {
			t.Errorf("%s: unindexable is %v", assignment, got)
		}
	}
}
