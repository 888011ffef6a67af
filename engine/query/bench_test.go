package query

import (
	"fmt"
	"testing"

	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/types"
)

func benchSession(b *testing.B) *session {
	s := newSession()
	for _, text := range []string{
		"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", "USE k",
		"CREATE TABLE t (id int, day text, at timestamp, name text, n bigint, PRIMARY KEY ((id, day), at))",
	} {
		if _, err := s.run(text); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func BenchmarkBindInsert(b *testing.B) {
	benchmarkBind(b, "INSERT INTO t (id, day, at, name, n) VALUES (7, 'monday', 1700000000000, 'some name', 42)")
}

func BenchmarkBindSelect(b *testing.B) {
	benchmarkBind(b, "SELECT at, name, n FROM t WHERE id = 7 AND day = 'monday'")
}

func benchmarkBind(b *testing.B, text string) {
	s := benchSession(b)
	st, err := cql.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bind.Bind(st, &s.env); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRunner(b *testing.B) {
	s := benchSession(b)
	st, _ := cql.Parse("SELECT at, name, n FROM t WHERE id = 7 AND day = 'monday'")
	p, err := bind.Bind(st, &s.env)
	if err != nil {
		b.Fatal(err)
	}
	sel := p.(*plan.Select)
	t := s.env.Schema.Table("k", "t")
	name, n := t.Column("name"), t.Column("n")
	key := [][]byte{types.EncodeInt32(7), []byte("monday")}
	rows := make([]Row, 100)
	for i := range rows {
		cells := []Cell{{Column: name, Value: fmt.Append(nil, i)}, {Column: n, Value: types.EncodeInt64(int64(i))}}
		rows[i] = Row{Key: key, Clustering: [][]byte{types.EncodeInt64(int64(i))}, HasRow: true, Cells: cells}
	}
	b.ReportAllocs()
	for b.Loop() {
		r := New(sel, 0)
		for i := range rows {
			r.Add(&rows[i])
		}
		if out, _ := r.Finish(); len(out) != 100 {
			b.Fatal(len(out))
		}
	}
}
