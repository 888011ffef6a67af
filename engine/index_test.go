package engine_test

import (
	"strings"
	"testing"

	"ringlab/engine"
)

// TestIndexesAcrossReplicas looks at what an index read or write answers only
// where there are several replicas.
func TestIndexesAcrossReplicas(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=4"})
	if err != nil {
		t.Fatal(err)
	}
	do := func(text string) string {
		out := lab.Do(text)
		a := out[len(out)-1]
		switch {
		case a.Error != nil:
			return a.Error.Name + ": " + a.Error.Message
		case a.Columns != nil:
			rows := make([]string, len(a.Rows))
			for i, r := range a.Rows {
				rows[i] = r[0].Text
			}
			return strings.Join(append(rows, a.Warnings...), " ")
		}
		return ""
	}
	for _, s := range []string{
		"CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}", "USE ks",
		"CREATE TABLE t (k int PRIMARY KEY, v int, w int, e vector<float, 2>)",
		"CREATE INDEX ON t (v) USING 'sai'", "CREATE INDEX ON t (e) USING 'sai'",
		"INSERT INTO t (k, v, w, e) VALUES (1, 1, 1, [1, 0])",
		"INSERT INTO t (k, v, w, e) VALUES (2, 2, 1, [0, 1])",
	} {
		if got := do(s); got != "" {
			t.Fatalf("%s: %s", s, got)
		}
	}
	const in = "SELECT k FROM t WHERE v IN (1, 2) AND w = 1 ALLOW FILTERING"
	const strict = "InvalidRequest: Operator IN is only supported in intersections for reads that do not require replica reconciliation."
	for _, c := range []struct{ level, statement, want string }{
		{"ONE", in, "1 2"},
		{"QUORUM", in, strict},
		{"QUORUM", "SELECT k FROM t WHERE v IN (1, 2) ALLOW FILTERING", "1 2"},
		{"QUORUM", "SELECT k FROM t WHERE v = 2 AND w = 1 ALLOW FILTERING", "2"},
		{"QUORUM", "SELECT k FROM t ORDER BY e ANN OF [1, 0] LIMIT 1", "1 Top-K queries can only be run with consistency level ONE / LOCAL_ONE / NODE_LOCAL. " +
			"Consistency level QUORUM was requested. Downgrading the consistency level to ONE."},
	} {
		do("CONSISTENCY " + c.level)
		if got := do(c.statement); got != c.want {
			t.Errorf("%s at %s: %s\n expected %s", c.statement, c.level, got, c.want)
		}
	}
	for level, failures := range map[string]string{"ONE": "3", "QUORUM": "2", "ALL": "1"} {
		do("CONSISTENCY " + level)
		got := do("INSERT INTO t (k, e) VALUES (1, [0, 0])")
		if want := "WriteFailure: Operation failed - received 0 responses and " + failures + " failures: UNKNOWN from /"; !strings.HasPrefix(got, want) {
			t.Errorf("a vector of zeros at %s: %s\n expected %s", level, got, want)
		}
	}
	if got, want := do("SELECT k FROM t ORDER BY e ANN OF [0, 0] LIMIT 1"), "ReadFailure: "; !strings.HasPrefix(got, want) {
		t.Errorf("ranking by a vector of zeros: %s", got)
	}
}

// TestIndexReadsStopAtTheirLimit: a built-in index is asked range by range until
// the LIMIT is complete, with one range planned ahead: at RF 1 the third node may
// be down, the second may not, as recorded of a real ring. A storage-attached
// index asks all ranges at once.
func TestIndexReadsStopAtTheirLimit(t *testing.T) {
	for _, c := range []struct{ down, index, where, want string }{
		{"n3", "", "v = 1 LIMIT 1", "5"},
		{"n2", "", "v = 1 LIMIT 1", "Unavailable"},
		{"n3", "", "v = 1 LIMIT 2", "Unavailable"}, // the second range, with the third one planned ahead
		{"n4", "", "v = 1 LIMIT 2", "5 1"},
		{"n3", "", "v = 1", "Unavailable"},
		{"n3", "", "v = 2 LIMIT 1", "Unavailable"}, // nothing in the first range: then all the others
		{"n3", "", "w = 1 LIMIT 1 ALLOW FILTERING", "5"},
		{"n3", " USING 'sai'", "v = 1 LIMIT 1", "Unavailable"},
	} {
		lab, err := engine.New(engine.Options{Ring: "dc1=4 racks=1 tokens=n1:-4611686018427387904,n2:0,n3:4611686018427387904,n4:-9223372036854775808"})
		if err != nil {
			t.Fatal(err)
		}
		do := func(text string) string {
			out := lab.Do(text)
			a := out[len(out)-1]
			if a.Error != nil {
				return a.Error.Name
			}
			var rows []string
			for _, r := range a.Rows {
				rows = append(rows, r[0].Text)
			}
			return strings.Join(rows, " ")
		}
		do("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
		do("CREATE TABLE ks.t (k int PRIMARY KEY, v int, w int)")
		do("CREATE INDEX ON ks.t (v)" + c.index)
		for _, k := range []string{"1, 1", "2, 1", "3, 1", "4, 2", "5, 1", "6, 1"} { // in the order of tokens 5 | 1 2 4 | 6 | 3
			do("INSERT INTO ks.t (k, v, w) VALUES (" + k + ", 1)")
		}
		do(":down " + c.down)
		if got := do("SELECT k FROM ks.t WHERE " + c.where); got != c.want {
			t.Errorf("with %s down, %s%s: %s, expected %s", c.down, c.where, c.index, got, c.want)
		}
	}
}
