package cql

import (
	"slices"
	"strings"
	"testing"
)

// TestNextHoldsWhatWasWritten: wherever a recorded statement that is legal is
// cut off between two words, the word that follows is among those that Next
// gives.
func TestNextHoldsWhatWasWritten(t *testing.T) {
	cuts := 0
	for i, r := range recordings(t) {
		if _, err := Parse(r.CQL); err != nil || i%29 != 0 {
			continue
		}
		var before strings.Builder
		for _, tok := range Tokens(r.CQL) {
			if word := strings.ToUpper(tok.Text); tok.Kind == KeywordToken && before.Len() > 0 && cuts%3 == 0 {
				f := Next(before.String())
				if !slices.Contains(f.Keywords, word) && !f.Name {
					t.Errorf("%s[%s]: %s is not among %v", before.String(), tok.Text, word, f.Keywords)
				}
			}
			cuts++
			before.WriteString(tok.Text)
		}
	}
	if cuts == 0 {
		t.Error("nothing was cut")
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct{ prefix, keywords string }{
		{"", "ADD ALTER BEGIN CREATE DELETE DESC DESCRIBE DROP GRANT INSERT LIST REVOKE SELECT TRUNCATE UPDATE USE"},
		{"SELECT * FROM t WHERE a = 1", "ALLOW AND GROUP LIMIT ORDER PER"},
		{"SELECT * FROM t WHERE a = 1 LIMIT 1", "ALLOW"},
		{"SELECT * FROM t WHERE a", "CONTAINS IN IS LIKE"},
		{"INSERT INTO t", "JSON"},
		{"INSERT INTO t (a)", "VALUES"},
		{"INSERT INTO t (a) VALUES (1)", "IF USING"},
		{"INSERT INTO t (a) VALUES (1) IF", "NOT"},
		{"UPDATE t", "SET USING"},
		{"DELETE FROM t WHERE a = 1", "AND IF"},
		{"CREATE TABLE t (a int", "MASKED PRIMARY STATIC"},
		{"CREATE TABLE t (a int PRIMARY KEY) WITH", "CLUSTERING COMPACT"},
		{"BEGIN", "BATCH COUNTER UNLOGGED"},
		{"SELECT a", "AS FROM"},
		{"DROP", "AGGREGATE COLUMNFAMILY FUNCTION IDENTITY INDEX KEYSPACE MATERIALIZED ROLE TABLE TRIGGER TYPE USER"},
		{"SELEC", ""},
	} {
		got := strings.Join(Next(c.prefix).Keywords, " ")
		if !strings.HasPrefix(got, c.keywords) || c.keywords == "" && got != "" {
			t.Errorf("%q: %s", c.prefix, got)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		Next("SELECT ")
	}
}
