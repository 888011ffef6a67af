package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/session"
	"ringlab/engine/stress"
)

// mixedStress is a load of inserts, and of all that named queries allow: TTLs long
// and short, deletions of every level, sets, and columns set to null. The generator
// of cassandra-stress makes no maps and no user-defined types.
const mixedStress = `{"keyspace": "ringlab_stress", "table": "orders",
	"table_definition": "CREATE TABLE orders (customer text, region int, at timestamp, kind int, note text, payload blob, tags set<text>, top text static, PRIMARY KEY ((customer, region), at)) WITH CLUSTERING ORDER BY (at DESC)",
	"columnspec": [{"name": "customer", "size": "GAUSSIAN(6..20)"}, {"name": "at", "cluster": "GAUSSIAN(1..79)"}, {"name": "kind", "population": "UNIFORM(1..9)"},
		{"name": "note", "size": "EXP(0..200)"}, {"name": "payload", "size": "UNIFORM(0..60)"}, {"name": "tags", "size": "UNIFORM(0..3)"}],
	"insert": {"batchtype": "UNLOGGED"},
	"queries": {
		"brief": {"cql": "INSERT INTO orders (customer, region, at, kind, note) VALUES (?, ?, ?, ?, ?) USING TTL 10", "fields": "samerow"},
		"long": {"cql": "UPDATE orders USING TTL 500000 SET note = ?, tags = tags + {'a', 'b'} WHERE customer = ? AND region = ? AND at = ?", "fields": "samerow"},
		"head": {"cql": "UPDATE orders SET top = 'first' WHERE customer = ? AND region = ?", "fields": "samerow"},
		"none": {"cql": "UPDATE orders SET payload = null, tags = {'c'} WHERE customer = ? AND region = ? AND at = ?", "fields": "samerow"},
		"note": {"cql": "DELETE note FROM orders WHERE customer = ? AND region = ? AND at = ?", "fields": "samerow"},
		"row": {"cql": "DELETE FROM orders WHERE customer = ? AND region = ? AND at = ?", "fields": "samerow"},
		"past": {"cql": "DELETE FROM orders WHERE customer = ? AND region = ? AND at < ?", "fields": "samerow"},
		"all": {"cql": "DELETE FROM orders WHERE customer = ? AND region = ?", "fields": "samerow"}}}`

// mixedOps is how often each of them comes.
var mixedOps = []stress.OpRatio{{Name: "insert", Ratio: 12}, {Name: "brief", Ratio: 6}, {Name: "long", Ratio: 8}, {Name: "head", Ratio: 2}, {Name: "none", Ratio: 4},
	{Name: "note", Ratio: 3}, {Name: "row", Ratio: 5}, {Name: "past", Ratio: 1}, {Name: "all", Ratio: 1}}

// TestMixedStressAsOnARealNode gives a lab and the node that $RINGLAB_REAL names the
// statements of a mixed load, each with a timestamp and a second of its own, and
// holds the files of both together behind each flush, and behind a major compaction
// that finds the brief rows expired. See TestStressAsOnARealNode.
func TestMixedStressAsOnARealNode(t *testing.T) {
	at := os.Getenv("RINGLAB_REAL")
	if at == "" {
		t.Skip("RINGLAB_REAL names no node")
	}
	r := newRealNode(t, at, "orders")
	now := time.Now().Unix()
	lab, err := engine.New(engine.Options{Ring: "dc1=1", Epoch: now})
	if err != nil {
		t.Fatal(err)
	}
	profile, err := stress.ParseProfile(mixedStress)
	if err != nil {
		t.Fatal(err)
	}
	const ks = "CREATE KEYSPACE ringlab_stress WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
	r.do("DROP KEYSPACE IF EXISTS ringlab_stress")
	r.do(ks)
	r.do(strings.Replace(profile.TableDefinition, " orders ", " ringlab_stress.orders ", 1))
	defer r.do("DROP KEYSPACE ringlab_stress")
	well(t, lab, ks)
	well(t, lab, "USE ringlab_stress")
	well(t, lab, profile.TableDefinition)
	data := r.dataPath("ringlab_stress.orders")
	statements := 0
	for flush := range 3 {
		n := r.mixed(lab, profile, flush, now-1000+int64(100*flush))
		statements += n
		r.run("flush", "ringlab_stress", "orders")
		well(t, lab, "nodetool flush ringlab_stress orders")
		r.compare(lab, data, fmt.Sprintf("flush %d, %d statements: ", flush+1, n))
	}
	if statements < 20_000 {
		t.Errorf("the load has %d statements only", statements)
	}
	r.run("compact", "ringlab_stress", "orders")
	well(t, lab, "nodetool compact ringlab_stress orders")
	well(t, lab, ":advance 20s")
	r.compare(lab, data, "compaction: ")
}

// mixed runs a part of the load on both, a microsecond apart and a hundred a
// second from that one on, and says how many statements it had.
func (r *realNode) mixed(lab *engine.Lab, profile *stress.Profile, part int, second int64) (n int) {
	table := lab.Core().Cluster.Schema.Table("ringlab_stress", r.table)
	seq := [2]int64{int64(60*part + 1), int64(60*part + 150)}
	l, err := stress.NewLoad(profile, table, stress.Options{N: 3000, Ops: mixedOps, Sequence: &seq, Seed: uint64(part) + 1})
	if err != nil {
		r.t.Fatal(err)
	}
	type statement struct {
		text          string
		args          []any
		stamp, second int64
	}
	work := make(chan statement)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for s := range work {
				err := errors.New("not sent")
				for range 3 {
					if err = r.session.Query(s.text, s.args...).WithTimestamp(s.stamp).WithNowInSeconds(int(s.second)).Exec(); err == nil {
						break
					}
				}
				if err != nil {
					r.t.Error(s.text, err)
				}
			}
		})
	}
	prepared := map[string]*session.Prepared{}
	prepare := func(text string) *session.Prepared {
		if prepared[text] == nil {
			p, refused := lab.Prepare(text)
			if p == nil {
				r.t.Fatal(text, refused.Error.Message)
			}
			prepared[text] = p
		}
		return prepared[text]
	}
	for i, q := range profile.Queries {
		var markers []string
		for _, v := range prepare(q.CQL).Meta.Variables {
			markers = append(markers, v.Name)
		}
		if err := l.Bind(i, markers); err != nil {
			r.t.Fatal(err)
		}
	}
	run := func(text string, args [][]byte) {
		s := statement{text: text, stamp: second*1_000_000 + int64(n), second: second + int64(n/100)}
		if a := lab.Execute(prepare(text), session.Values{Args: args, Timestamp: &s.stamp, Second: &s.second}); a.Error != nil {
			r.t.Fatal(text, a.Error.Message)
		}
		for _, v := range args {
			if v == nil {
				s.args = append(s.args, nil)
				continue
			}
			s.args = append(s.args, onTheWire(bytes.Clone(v)))
		}
		s.text = strings.Replace(text, " orders ", " ringlab_stress.orders ", 1)
		work <- s
		n++
	}
	names, marks := []string{}, []string{}
	for _, c := range slices.Concat(table.Key, table.Clustering) {
		marks = append(marks, c.Name+" = ?")
	}
	for _, c := range l.Columns {
		set := c.Name + " = ?"
		if c.Type.IsMultiCell() {
			set = c.Name + " = " + c.Name + " + ?"
		}
		names = append(names, set)
	}
	insert := "UPDATE orders SET " + strings.Join(names, ", ") + " WHERE " + strings.Join(marks, " AND ")
	var op stress.Operation
	for l.Next(&op) {
		if op.Query >= 0 {
			run(profile.Queries[op.Query].CQL, op.Args)
			continue
		}
		for _, row := range op.Rows {
			run(insert, slices.Concat(row.Values, row.Key, row.Clustering))
		}
	}
	close(work)
	wait.Wait()
	return n
}
