package bind

import (
	"slices"

	"ringlab/model/plan"
)

// Cas is cas: it gives what to read, the expected columns in the order of their
// names, and what to write.
// Source: Cassandra 2.1 CassandraServer.cas.
func (e *Env) Cas(key Bytes, family string, expected, updates []Column, serial plan.Consistency) (*plan.CellRead, []Column, []*plan.Write, error) {
	v, err := e.familyFor(family, false)
	if err != nil {
		return nil, nil, nil, err
	}
	if v.Super {
		return nil, nil, nil, plan.Invalid("CAS does not support supercolumns")
	}
	if v.CQL3 {
		return nil, nil, nil, plan.Unsupported("cas on a CQL3 table", "write with IF in CQL")
	}
	if err := v.validateKey(key); err != nil {
		return nil, nil, nil, err
	}
	var names []Bytes
	for _, c := range expected {
		names = append(names, c.Name)
	}
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
		w, err := v.set(key, nil, &updates[i])
		if err != nil {
			return nil, nil, nil, err
		}
		writes = append(writes, w)
	}
	if !serial.IsSerial() {
		return nil, nil, nil, plan.Invalid("Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL")
	}
	p := SlicePredicate{Names: names[:len(expected)]}
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
