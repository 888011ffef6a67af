package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/render"
	"ringlab/engine/session"
	"ringlab/engine/stress"
	"ringlab/model/plan"
)

// loadTables are tables that loads are tried on, with the columns' options.
var loadTables = []struct{ create, columns string }{
	{"CREATE TABLE k.t (id text, a int, b blob, PRIMARY KEY (id))", `{"name": "b", "size": "UNIFORM(0..40)"}`},
	{"CREATE TABLE k.t (x int, y text, c timestamp, d text, v double, w varint, s set<int>, l list<text>, PRIMARY KEY ((x, y), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)",
		`{"name": "c", "cluster": "UNIFORM(1..4)"}, {"name": "d", "cluster": "FIXED(3)", "size": "UNIFORM(0..3)", "population": "UNIFORM(1..20)"}`},
	{"CREATE TABLE k.t (id uuid, f double, i boolean, PRIMARY KEY (id, f, i))", `{"name": "f", "cluster": "FIXED(20)", "population": "UNIFORM(-3..3)"}`},
	{"CREATE TABLE k.t (id int, c int, s text static, t time, PRIMARY KEY (id, c))", `{"name": "c", "cluster": "UNIFORM(1..6)", "population": "UNIFORM(1..8)"}, {"name": "s", "population": "FIXED(9)"}`}, // of several static values in a batch the greatest stays
	{"CREATE TABLE k.t (id tinyint PRIMARY KEY, v inet, e decimal, u timeuuid, r smallint, g bigint) WITH default_time_to_live = 86400", ""},
}

// TestLoadWritesWhatItsStatementsWrite compares what a load leaves behind with
// what its rows do one by one as statements with values.
func TestLoadWritesWhatItsStatementsWrite(t *testing.T) {
	for i, c := range loadTables {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			profile := `{"keyspace": "k", "table": "t", "columnspec": [` + c.columns + `], "insert": {"batchtype": "UNLOGGED", "partitions": "UNIFORM(1..3)", "select": "UNIFORM(1..4)/4"}}`
			loaded, written := loadLab(t, c.create), loadLab(t, c.create)
			well(t, loaded, ":stress "+profile+" n=200 seq=1..150 cl=QUORUM")

			p, err := stress.ParseProfile(profile)
			if err != nil {
				t.Fatal(err)
			}
			table := written.Core().Cluster.Schema.Table("k", "t")
			l, err := stress.NewLoad(p, table, stress.Options{N: 200, Ops: []stress.OpRatio{{Name: "insert", Ratio: 1}}, Sequence: &[2]int64{1, 150}, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			var sets, keys []string
			for _, col := range l.Columns {
				if kind := col.Type.String(); strings.HasPrefix(kind, "set") || strings.HasPrefix(kind, "list") {
					sets = append(sets, col.Name+" = "+col.Name+" + ?")
				} else {
					sets = append(sets, col.Name+" = ?")
				}
			}
			for _, col := range slices.Concat(table.Key, table.Clustering) {
				keys = append(keys, col.Name+" = ?")
			}
			text := "UPDATE k.t SET " + strings.Join(sets, ", ") + " WHERE " + strings.Join(keys, " AND ")
			if len(sets) == 0 {
				text = "INSERT INTO k.t (id, f, i) VALUES (?, ?, ?)"
			}
			prepared, refused := written.Prepare(text)
			if prepared == nil {
				t.Fatal(refused.Error)
			}
			rows := 0
			var op stress.Operation
			for l.Next(&op) {
				for _, r := range op.Rows {
					rows++
					if a := written.Execute(prepared, session.Values{Args: slices.Concat(r.Values, r.Key, r.Clustering)}); a.Error != nil {
						t.Fatalf("%s: %s", text, a.Error.Message)
					}
				}
			}
			if rows < 100 {
				t.Fatalf("the load has %d rows only", rows)
			}
			if got, want := well(t, loaded, "SELECT * FROM k.t"), well(t, written, "SELECT * FROM k.t"); got != want {
				t.Errorf("the load wrote\n%s\nits statements\n%s", got, want)
			}
		})
	}
}

// Whoever listens to a load or looks at it changes nothing of it.
func TestListeningChangesNothingOfALoad(t *testing.T) {
	c := loadTables[1]
	load := `:stress {"keyspace": "k", "table": "t", "columnspec": [` + c.columns + `], "insert": {"batchtype": "UNLOGGED", "select": "UNIFORM(1..4)/4"}, "queries": ` +
		`{"q": {"cql": "SELECT * FROM t WHERE x = ? AND y = ?", "fields": "samerow"}}} n=2000 ops(insert=2,q=1) cl=QUORUM`
	run := func(prepare func(*engine.Lab)) (string, int64) {
		lab := loadLab(t, c.create)
		prepare(lab)
		return well(t, lab, load) + well(t, lab, "SELECT * FROM k.t"), lab.Now()
	}
	want, at := run(func(*engine.Lab) {})
	for name, prepare := range map[string]func(*engine.Lab){"recorded": (*engine.Lab).Record, "heard": func(l *engine.Lab) { l.Events() }, "traced": func(l *engine.Lab) { l.Trace(true) }} {
		if got, now := run(prepare); got != want || now != at {
			t.Errorf("%s, the load ends at %d, not %d, and answers\n%s\nnot\n%s", name, now, at, got, want)
		}
	}
}

// A load is counted by whoever looks at operations, who sees the ones behind it
// again with their events.
func TestOperationsBehindALoadAreRecorded(t *testing.T) {
	lab := loadLab(t, loadTables[0].create)
	lab.Record()
	well(t, lab, `:stress {"keyspace": "k", "table": "t"} n=700 ops(insert=1) cl=ONE`)
	well(t, lab, "CONSISTENCY QUORUM")
	well(t, lab, "INSERT INTO k.t (id, a) VALUES ('x', 1)")
	r := lab.Core().Recorder
	if n := r.Counts[session.OutcomeKey{Kind: "write", CL: plan.One}]; n == nil || n.Fresh != 700 {
		t.Errorf("the load is counted as %+v", n)
	}
	if op := r.Find(0); op == nil || op.Kind != "write" || op.CL != plan.Quorum || len(op.Records) < 5 {
		t.Errorf("the write behind the load is recorded as %+v", op)
	}
	if len(r.Ops) != 1 {
		t.Errorf("%d operations are kept", len(r.Ops))
	}
	for range 300 {
		well(t, lab, "INSERT INTO k.t (id, a) VALUES ('x', 1)")
	}
	if len(r.Ops) != 256 || r.Find(int(r.Ops[0].ID)) != r.Ops[0] || r.Find(int(r.Ops[0].ID)-1) != nil {
		t.Errorf("%d operations are kept, not the last 256", len(r.Ops))
	}
}

// A profile goes from a table to a file and back to the same rows.
func TestExportReadsBackFromItsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	lab := loadLab(t, loadTables[1].create)
	lab.Outside(host.Files{})
	well(t, lab, `:stress {"keyspace": "k", "table": "t", "columnspec": [`+loadTables[1].columns+`]} n=100`)
	well(t, lab, ":stress export k.t '"+file+"'")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cluster: UNIFORM(1..4)", "name: d\n    size: ", "batchtype: UNLOGGED", "CREATE TABLE k.t"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the profile has no %q:\n%s", want, text)
		}
	}
	by := func(from string) string {
		other, err := engine.New(engine.Options{Ring: "dc1=3"})
		if err != nil {
			t.Fatal(err)
		}
		other.Outside(host.Files{})
		return well(t, other, ":stress "+from+" n=300 ops(insert=3,read1=1,partition1=1)") + well(t, other, "SELECT * FROM k.t")
	}
	p, err := stress.ParseProfile(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := by("'"+file+"'"), by(p.JSON()); a != b || len(a) < 5000 {
		t.Errorf("the file gives\n%s\nand its line\n%s", a, b)
	}
}

// loadLab is a lab of three nodes with a keyspace k and a table.
func loadLab(t *testing.T, create string) *engine.Lab {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	well(t, lab, "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}")
	well(t, lab, create)
	return lab
}

// well is what a command prints, which has to succeed.
func well(t *testing.T, lab *engine.Lab, text string) string {
	t.Helper()
	var b strings.Builder
	for _, a := range lab.Do(text) {
		if a.Error != nil {
			t.Fatalf("%s: %s", text, a.Error.Message)
		}
		b.WriteString(render.Text(withoutTrace(a), false))
	}
	return b.String()
}

func withoutTrace(a *answer.Answer) *answer.Answer {
	plain := *a
	plain.Trace, plain.Events = nil, nil
	return &plain
}
