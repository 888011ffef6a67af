package engine_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/classic"
	"ringlab/engine/session"
	"ringlab/model/schema"
	"ringlab/model/thrift/bind"
)

// TestTwoViewsOfOneStorage: the same random writes through the operations of
// Thrift on a column family, and in CQL on a table WITH COMPACT STORAGE, give
// the same cells on every replica, and both sides read the same of both.
func TestTwoViewsOfOneStorage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lab, err := engine.New(engine.Options{Ring: "dc1=3 racks=1"})
		if err != nil {
			t.Fatal(err)
		}
		do := func(text string) {
			if a := lab.Do(text)[0]; a.Error != nil {
				t.Fatal(text, a.Error.Message)
			}
		}
		do("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}")
		do("USE k")
		static := rapid.Bool().Draw(t, "static")
		if static {
			do("CREATE TABLE cql (k text PRIMARY KEY, a text, b text) WITH COMPACT STORAGE")
			do(":cli create column family cli with comparator = UTF8Type and key_validation_class = UTF8Type and default_validation_class = UTF8Type " +
				"and column_metadata = [{column_name: a, validation_class: UTF8Type}, {column_name: b, validation_class: UTF8Type}];")
		} else {
			do("CREATE TABLE cql (k text, c text, d int, v text, PRIMARY KEY (k, c, d)) WITH COMPACT STORAGE AND CLUSTERING ORDER BY (c ASC, d DESC)")
			do(":cli create column family cli with comparator = 'CompositeType(UTF8Type,ReversedType(Int32Type))' and key_validation_class = UTF8Type " +
				"and default_validation_class = UTF8Type;")
		}
		w := twoViews{t: t, lab: lab, client: classic.New(lab.Core()), static: static}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			w.step()
		}
		w.compare()
	})
}

type twoViews struct {
	t      *rapid.T
	lab    *engine.Lab
	client *classic.Client
	static bool
}

// both runs a statement of CQL on one table and an operation on the other.
func (w *twoViews) both(cql string, o *classic.Operation) {
	if a := w.lab.Do(cql)[0]; a.Error != nil {
		w.t.Fatal(cql, a.Error.Message)
	}
	if _, a, err := w.client.Operate(o); err != nil {
		w.t.Fatal(cql, err, a)
	}
}

func (w *twoViews) step() {
	t := w.t
	key := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "key")
	at := int64(rapid.IntRange(1, 5).Draw(t, "timestamp"))
	value := rapid.SampledFrom([]string{"", "p", "qq"}).Draw(t, "value")
	column := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "column")
	number := rapid.IntRange(0, 2).Draw(t, "number")
	where, name := fmt.Sprintf("k = '%s'", key), bind.Bytes(column)
	if !w.static {
		where += fmt.Sprintf(" AND c = '%s' AND d = %d", column, number)
		name = schema.PartitionKeyComposite([][]byte{[]byte(column), {0, 0, 0, byte(number)}})
		column = "v"
	}
	switch rapid.IntRange(0, 4).Draw(t, "what") {
	case 0:
		w.both(fmt.Sprintf("DELETE %s FROM cql USING TIMESTAMP %d WHERE %s", column, at, where),
			&classic.Operation{Name: "remove", Key: bind.Bytes(key), Path: bind.ColumnPath{Family: "cli", Column: name}, Timestamp: &at})
	case 1:
		w.both(fmt.Sprintf("DELETE FROM cql USING TIMESTAMP %d WHERE k = '%s'", at, key),
			&classic.Operation{Name: "remove", Key: bind.Bytes(key), Path: bind.ColumnPath{Family: "cli"}, Timestamp: &at})
	case 2:
		w.lab.Do(rapid.SampledFrom([]string{":down n3", ":up n3", ":flush", ":compact"}).Draw(t, "fault"))
	default:
		using, ttl := "", (*int32)(nil)
		if rapid.Bool().Draw(t, "expires") {
			n := int32(1000)
			using, ttl = " AND TTL 1000", &n
		}
		w.both(fmt.Sprintf("UPDATE cql USING TIMESTAMP %d%s SET %s = '%s' WHERE %s", at, using, column, value, where),
			&classic.Operation{Name: "insert", Key: bind.Bytes(key), Parent: bind.ColumnParent{Family: "cli"},
				InsertColumn: &bind.Column{Name: name, Value: bind.Bytes(value), Timestamp: &at, TTL: ttl}})
	}
}

func (w *twoViews) compare() {
	core := w.lab.Core()
	w.lab.Do(":up n3")
	w.lab.Do(":advance 60s") // hints arrive
	s := core.Cluster.Schema
	for _, key := range []string{"x", "y"} {
		for n := range 3 {
			a, okA := core.Atoms(n, s.Table("k", "cql"), []byte(key))
			b, okB := core.Atoms(n, s.Table("k", "cli"), []byte(key))
			if okA != okB || okA && !reflect.DeepEqual(a, b) {
				w.t.Fatalf("n%d holds of %s\nby CQL    %+v\nby Thrift %+v", n+1, key, a, b)
			}
		}
		var rows [2][]session.Cell
		for i, family := range []string{"cql", "cli"} {
			o := &classic.Operation{Name: "get_slice", Key: bind.Bytes(key), Parent: bind.ColumnParent{Family: family},
				Predicate: bind.SlicePredicate{Range: &bind.SliceRange{Count: 100}}}
			res, _, err := w.client.Operate(o)
			if err != nil {
				w.t.Fatal(err)
			}
			rows[i] = res.Rows[0].Cells()
		}
		if len(rows[0])+len(rows[1]) > 0 && !reflect.DeepEqual(rows[0], rows[1]) {
			w.t.Fatalf("%s reads\n%v\n%v", key, rows[0], rows[1])
		}
	}
	columns := "k, c, d, v"
	classicColumns := "key, column1, column2, value"
	if w.static {
		columns, classicColumns = "k, a, b", "key, a, b"
	}
	a, b := w.lab.Do("SELECT " + columns + " FROM cql")[0], w.lab.Do("SELECT " + classicColumns + " FROM cli")[0]
	if a.Error != nil || b.Error != nil || !reflect.DeepEqual(a.Rows, b.Rows) {
		w.t.Fatalf("SELECT gives\n%v %v\n%v %v", a.Rows, a.Error, b.Rows, b.Error)
	}
}
