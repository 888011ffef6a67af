package session

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/model/cql"
)

// TestMend reads testdata/mend.txt: a statement that the parser refuses, then
// the refusal and what is offered instead.
func TestMend(t *testing.T) {
	datadriven.RunTest(t, "testdata/mend.txt", func(t *testing.T, d *datadriven.TestData) string {
		_, err := cql.Parse(d.Input)
		if err == nil {
			return "fine\n"
		}
		var b strings.Builder
		b.WriteString(err.Error() + "\n")
		for _, f := range fixes(err, d.Input) {
			b.WriteString("-> " + f.Text + "\n   " + f.Why + "\n")
		}
		return b.String()
	})
}

// What is offered parses, whatever was written.
func FuzzMend(f *testing.F) {
	for _, s := range []string{"selct * from t", "select * from t where a = b and c == \"d", "insert into t (a, b values (1, 2)", "use a\nselect * from t", "&&&", "'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := cql.Parse(text)
		if err == nil {
			return
		}
		for _, fix := range fixes(err, text) {
			for _, p := range cql.Split(fix.Text) {
				if _, err := cql.Parse(p.Text); err != nil && strings.TrimSpace(p.Text) != "" {
					t.Errorf("%q is offered for %q: %v", fix.Text, text, err)
				}
			}
		}
	})
}
