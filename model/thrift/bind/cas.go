package bind

import (
	"slices"
	"strings"

	"ringlab/model/plan"
)

// Cas is cas: it gives what to read, the expected columns in the order of their
// names, and what to write.
// Source: Cassandra 2.1 CassandraServer.cas.
func (e *Env) Cas(key Bytes, family string, expected, updates []Column, serial, commit plan.Consistency) (*plan.CellRead, []Column, []*plan.Write, error) {
	v, err := e.familyFor(family, false)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := v.validateKey(key); err != nil {
		return nil, nil, nil, err
	}
	if v.Super {
		return nil, nil, nil, plan.Invalid("CAS does not support supercolumns")
	}
	if v.CQL3 {
		return nil, nil, nil, plan.Unsupported("cas on a CQL3 table", "write with IF in CQL")
	}
	var names []Bytes
	for _, c := range updates {
		names = append(names, c.Name)
	}
	if err := v.validateNames(nil, names...); err != nil {
		return nil, nil, nil, err
	}
	var writes []*plan.Write
	for i := range updates {
		if err := v.validateData(e, nil, &updates[i]); err != nil {
			return nil, nil, nil, err
		}
		lasting := updates[i]
		lasting.TTL = nil // it is checked, and forgotten
		w, err := v.set(key, nil, &lasting)
		if err != nil {
			return nil, nil, nil, err
		}
		writes = append(writes, w)
	}
	if !serial.IsSerial() {
		return nil, nil, nil, plan.Invalid("Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL")
	}
	switch k := e.Schema.Keyspace(e.Keyspace); {
	case commit.IsSerial():
		return nil, nil, nil, plan.Invalid("%s is not supported as conditional update commit consistency. Use ANY if you mean "+
			"\"make sure it is accepted but I don't care how many replicas commit it for non-SERIAL reads\"", commit)
	case commit == plan.EachQuorum && strings.HasSuffix(k.Replication[0].Value, "SimpleStrategy"):
		return nil, nil, nil, plan.Invalid("consistency level EACH_QUORUM not compatible with replication strategy (%s)", k.Replication[0].Value)
	}
	p := SlicePredicate{Names: []Bytes{}}
	for _, c := range expected { // one whose name is none is never there
		if v.validateNames(nil, c.Name) == nil {
			p.Names = append(p.Names, c.Name)
		}
	}
	if len(expected) == 0 {
		p = SlicePredicate{Range: &SliceRange{Count: 1}}
	}
	r, err := v.read(ColumnParent{Family: family}, p)
	if err != nil {
		return nil, nil, nil, err
	}
	r.Keys = [][]byte{key}
	expected = slices.Clone(expected)
	slices.SortFunc(expected, func(a, b Column) int { return v.Comparator.Compare(a.Name, b.Name) })
	return r, expected, writes, nil
}
