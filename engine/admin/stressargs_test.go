package admin

import (
	"strings"
	"testing"
)

// FuzzStressArgs: no words behind :stress make their reader panic, and a command
// that was cut short is read like the whole one.
func FuzzStressArgs(f *testing.F) {
	for _, s := range []string{
		"p.yaml n=1M ops(insert=3,read1=1) cl=QUORUM rate=5000/s threads=10", `{"keyspace": "k", "table": "t}"} n=5`, `user profile='a b.yaml' n=1k ops\(insert=1\) -pop seq=1..5`,
		"table=ks.t n=5 dist=~exp(1..10) errors=ignore stop=3", "{", "'", "ops(", "ops(a=1,a=2) x n=1", `{"a": "\"} n=1`, "p n=1 seq=", "p n=1 threads=>=4",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := parseStress(raw)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatalf("%q is refused without a word", raw)
			}
			return
		}
		b, err := parseStress(strings.TrimPrefix(StressLimited(":stress "+raw, 7), ":stress"))
		if err != nil || b.stop != 7 || b.profile != a.profile || b.n != a.n || b.table != a.table {
			t.Fatalf("%q cut short is read as %+v, not %+v: %v", raw, b, a, err)
		}
	})
}
