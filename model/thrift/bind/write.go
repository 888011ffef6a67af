package bind

import (
	"fmt"
	"sort"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Insert is insert. Source: Cassandra 2.1 CassandraServer.internal_insert.
func (e *Env) Insert(key Bytes, parent ColumnParent, c Column, cl plan.Consistency) (*plan.Write, error) {
	v, err := e.familyFor(parent.Family, false)
	if err != nil {
		return nil, err
	}
	if err := v.validateKey(key); err != nil {
		return nil, err
	}
	if err := v.validateHolder(parent, c.Name); err != nil {
		return nil, err
	}
	if err := v.validateData(e, parent.Super, &c); err != nil {
		return nil, err
	}
	if err := v.Writable(cl); err != nil {
		return nil, err
	}
	return v.set(key, parent.Super, &c)
}

// validateHolder checks what an insert writes into.
func (v *View) validateHolder(parent ColumnParent, name Bytes) error {
	if err := v.validateParent(parent); err != nil {
		return err
	}
	if v.Super && parent.Super == nil {
		return plan.Invalid("missing mandatory super column name for super CF %s", v.Table.Name)
	}
	return v.validateNames(parent.Super, name)
}

// Add is add. Source: CassandraServer.add.
func (e *Env) Add(key Bytes, parent ColumnParent, c CounterColumn, cl plan.Consistency) (*plan.Write, error) {
	v, err := e.familyFor(parent.Family, true)
	if err != nil {
		return nil, err
	}
	if err := v.validateKey(key); err != nil {
		return nil, err
	}
	if err := v.Writable(cl); err != nil {
		return nil, err
	}
	if err := v.validateHolder(parent, c.Name); err != nil {
		return nil, err
	}
	return v.add(key, parent.Super, c)
}

// Remove is remove, and remove_counter with counter.
// Source: CassandraServer.internal_remove.
func (e *Env) Remove(key Bytes, p ColumnPath, timestamp *int64, counter bool, cl plan.Consistency) (*plan.Write, error) {
	v, err := e.familyFor(p.Family, counter)
	if err != nil {
		return nil, err
	}
	if err := v.validateKey(key); err != nil {
		return nil, err
	}
	if err := v.validateRemoval(p); err != nil {
		return nil, err
	}
	if err := v.Writable(cl); err != nil {
		return nil, err
	}
	if counter {
		timestamp = nil
	}
	switch {
	case p.Super == nil && p.Column == nil:
		return &plan.Write{Table: v.Table.Stored(), Kind: plan.Delete, Keys: [][]byte{key}, Partition: true, Timestamp: timestamp}, nil
	case p.Column == nil:
		s, err := v.exactly(nil, p.Super)
		return &plan.Write{Table: v.Table.Stored(), Kind: plan.Delete, Keys: [][]byte{key}, Slices: []schema.Slice{s}, Timestamp: timestamp}, err
	}
	return v.remove(key, p.Super, p.Column, timestamp)
}

// set writes one cell.
func (v *View) set(key, super []byte, c *Column) (*plan.Write, error) {
	w := &plan.Write{Table: v.Table.Stored(), Kind: plan.Update, Keys: [][]byte{key}, Timestamp: c.Timestamp, TTL: c.TTL}
	if v.CQL3 {
		return w, v.assign(w, c.Name, c.Value, true)
	}
	at, err := v.clustering(super, c.Name)
	w.Rows = [][]byte{at}
	w.Cells = []plan.Assign{{Column: w.Table.Regular[0], Kind: plan.Set, Value: c.Value}}
	return w, err
}

// add adds to one counter.
func (v *View) add(key, super []byte, c CounterColumn) (*plan.Write, error) {
	w := &plan.Write{Table: v.Table.Stored(), Kind: plan.Update, Keys: [][]byte{key}}
	delta := types.EncodeInt64(c.Value)
	if v.CQL3 {
		column, parts := v.columnOf(c.Name)
		if column == nil {
			return nil, plan.Unsupported("markers of rows in counter tables", "add to one of its counters")
		}
		w.Rows = [][]byte{schema.PackClustering(parts[:len(v.Table.Clustering)])}
		w.Cells = []plan.Assign{{Column: column, Kind: plan.Add, Value: delta}}
		return w, nil
	}
	at, err := v.clustering(super, c.Name)
	w.Rows = [][]byte{at}
	w.Cells = []plan.Assign{{Column: w.Table.Regular[0], Kind: plan.Add, Value: delta}}
	return w, err
}

// remove deletes one cell.
func (v *View) remove(key, super, name []byte, timestamp *int64) (*plan.Write, error) {
	w := &plan.Write{Table: v.Table.Stored(), Kind: plan.Delete, Keys: [][]byte{key}, Timestamp: timestamp}
	if v.CQL3 {
		return w, v.assign(w, name, nil, false)
	}
	at, err := v.clustering(super, name)
	w.Rows = [][]byte{at}
	w.Cells = []plan.Assign{{Column: w.Table.Regular[0], Kind: plan.Remove}}
	return w, err
}

// assign writes or deletes a cell of a CQL3 table.
func (v *View) assign(w *plan.Write, name, value []byte, live bool) error {
	c, parts := v.columnOf(name)
	at := len(v.Table.Clustering)
	if c == nil {
		if !live {
			return plan.Unsupported("removing the marker of a CQL row alone", "remove its cells, or DELETE the row in CQL")
		}
		w.Liveness, w.Rows = true, [][]byte{schema.PackClustering(parts[:at])}
		return nil
	}
	a := plan.Assign{Column: c, Kind: plan.Set, Value: value}
	if !live {
		a.Kind, a.Value = plan.Remove, nil
	}
	if c.Type.IsMultiCell() {
		if len(parts) <= at+1 {
			return plan.Unsupported("a cell of a collection without its element", "give the element as the last component of the name")
		}
		element := parts[at+1]
		switch {
		case !live && c.Type.Kind != types.KindList:
			a = plan.Assign{Column: c, Kind: plan.Discard, Elems: [][]byte{element}}
		case c.Type.Kind == types.KindMap:
			a = plan.Assign{Column: c, Kind: plan.SetElement, Key: element, Value: value}
		case c.Type.Kind == types.KindSet:
			a = plan.Assign{Column: c, Kind: plan.Append, Elems: [][]byte{element}}
		default:
			return plan.Unsupported("writing cells of lists by their internal ids", "write the list in CQL")
		}
	}
	if c.Kind == schema.Static {
		w.Static = []plan.Assign{a}
		return nil
	}
	w.Rows, w.Cells = [][]byte{schema.PackClustering(parts[:at])}, []plan.Assign{a}
	return nil
}

// Batch is batch_mutate: key -> column family -> mutations. It gives the writes
// of plain column families and those of counters apart.
// Source: CassandraServer.createMutationList.
func (e *Env) Batch(m map[string]map[string][]Mutation, cl plan.Consistency, counters bool) (plain, counter []*plan.Write, err error) {
	for _, key := range schema.HashOrderBytes(sortedKeys(m), 2*len(m)) {
		for _, family := range schema.HashOrderIn(sortedKeys(m[key]), schema.Buckets(2*len(m[key]))) {
			v, err := e.family(family)
			if err != nil {
				return nil, nil, err
			}
			if err := v.validateKey([]byte(key)); err != nil {
				return nil, nil, err
			}
			if v.Counter() {
				if err := v.Writable(cl); err != nil {
					return nil, nil, err
				}
			}
			for _, one := range m[key][family] {
				if err := v.validateMutation(e, one); err != nil {
					return nil, nil, err
				}
				list, err := v.mutate(e, []byte(key), one)
				if err != nil {
					return nil, nil, err
				}
				if v.Counter() {
					counter = append(counter, list...)
				} else {
					plain = append(plain, list...)
				}
			}
		}
		if len(counter) > 0 && !counters {
			return nil, nil, plan.Invalid("Counter mutations are not allowed in atomic batches")
		}
	}
	if cl.IsSerial() && len(m) > 0 {
		return nil, nil, plan.Invalid("You must use conditional updates for serializable writes")
	}
	return plain, counter, nil
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// validateMutation checks one mutation of a batch.
// Source: ThriftValidation.validateMutation, validateColumnOrSuperColumn, validateDeletion.
func (v *View) validateMutation(e *Env, m Mutation) error {
	if (m.Column == nil) == (m.Deletion == nil) {
		return plan.Invalid("mutation must have one and only one of column_or_supercolumn or deletion")
	}
	if m.Deletion != nil {
		return v.validateDeletion(m.Deletion)
	}
	c := m.Column
	set := 0
	for _, is := range []bool{c.Column != nil, c.Super != nil, c.Counter != nil, c.CounterSuper != nil} {
		if is {
			set++
		}
	}
	name := v.Table.Name
	switch {
	case set != 1:
		return plan.Invalid("ColumnOrSuperColumn must have one (and only one) of column, super_column, counter and counter_super_column")
	case (c.Column != nil || c.Super != nil) && v.Counter():
		return plan.Invalid("invalid operation for commutative columnfamily %s", name)
	case (c.Counter != nil || c.CounterSuper != nil) && !v.Counter():
		return plan.Invalid("invalid operation for non commutative columnfamily %s", name)
	case c.Column != nil:
		if err := v.validatePath(nil, c.Column.Name); err != nil {
			return err
		}
		return v.validateData(e, nil, c.Column)
	case c.Counter != nil:
		return v.validatePath(nil, c.Counter.Name)
	case c.Super != nil:
		for i := range c.Super.Columns {
			if err := v.validatePath(c.Super.Name, c.Super.Columns[i].Name); err != nil {
				return err
			}
			if err := v.validateData(e, c.Super.Name, &c.Super.Columns[i]); err != nil {
				return err
			}
		}
	default:
		for i := range c.CounterSuper.Columns {
			if err := v.validatePath(c.CounterSuper.Name, c.CounterSuper.Columns[i].Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *View) validateDeletion(d *Deletion) error {
	if d.Super != nil {
		if err := v.validateNames(nil, d.Super); err != nil {
			return err
		}
	}
	if p := d.Predicate; p != nil {
		if p.Names == nil && p.Range == nil {
			return plan.Invalid("A SlicePredicate must be given a list of Columns, a SliceRange, or both")
		}
		if p.Range != nil {
			if err := v.validateRange(d.Super, p.Range); err != nil {
				return err
			}
		}
		if p.Names != nil {
			if err := v.validateNames(d.Super, p.Names...); err != nil {
				return err
			}
		}
	}
	t := v.Table
	if !v.Super && d.Super != nil {
		return plan.Invalid("Deletion of super columns is not possible on a standard ColumnFamily (KeySpace=%s ColumnFamily=%s Deletion=%s)",
			t.Keyspace, t.Name, d)
	}
	if !v.Counter() && d.Timestamp == nil {
		return plan.Invalid("Deletion timestamp is not optional for non commutative column family %s", t.Name)
	}
	return nil
}

// String is the deletion as Thrift prints it.
func (d *Deletion) String() string {
	s := ""
	add := func(format string, args ...any) {
		if s != "" {
			s += ", "
		}
		s += fmt.Sprintf(format, args...)
	}
	if d.Timestamp != nil {
		add("timestamp:%d", *d.Timestamp)
	}
	if d.Super != nil {
		add("super_column:%s", ThriftBytes(d.Super))
	}
	if d.Predicate != nil {
		add("predicate:%s", d.Predicate)
	}
	return "Deletion(" + s + ")"
}

// String is the predicate as Thrift prints it.
func (p *SlicePredicate) String() string {
	if p.Range == nil {
		names := make([]string, len(p.Names))
		for i, n := range p.Names {
			names[i] = ThriftBytes(n)
		}
		return "SlicePredicate(column_names:[" + strings.Join(names, ", ") + "])"
	}
	r := p.Range
	return fmt.Sprintf("SlicePredicate(slice_range:SliceRange(start:%s, finish:%s, reversed:%t, count:%d))",
		ThriftBytes(r.Start), ThriftBytes(r.Finish), r.Reversed, r.Count)
}

// ThriftBytes is a binary field as Thrift prints it: bytes in capitals, apart.
func ThriftBytes(b []byte) string {
	s := ""
	for i, c := range b {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%02X", c)
	}
	return s
}

// mutate makes the writes of one mutation of a batch.
func (v *View) mutate(e *Env, key []byte, m Mutation) ([]*plan.Write, error) {
	if m.Deletion != nil {
		return v.delete(e, key, m.Deletion)
	}
	var out []*plan.Write
	put := func(w *plan.Write, err error) error {
		if err == nil {
			out = append(out, w)
		}
		return err
	}
	c := m.Column
	switch {
	case c.Column != nil:
		err := put(v.set(key, nil, c.Column))
		return out, err
	case c.Counter != nil:
		err := put(v.add(key, nil, *c.Counter))
		return out, err
	case c.Super != nil:
		for i := range c.Super.Columns {
			if err := put(v.set(key, c.Super.Name, &c.Super.Columns[i])); err != nil {
				return nil, err
			}
		}
	default:
		for _, one := range c.CounterSuper.Columns {
			if err := put(v.add(key, c.CounterSuper.Name, one)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// deleted is the stretch that a deletion with a range covers; ok is false for one
// that covers nothing. Which way it is written does not matter, but no end of it is
// open: an empty one is a name like others, the least one, or the greatest one of a
// reversed class. One whose end comes before its start covers the start alone.
// Source: CassandraServer.deleteColumnOrSuperColumn, RangeTombstoneList.searchInternal.
func (v *View) deleted(super []byte, r *SliceRange) (s schema.Slice, ok bool) {
	switch order := v.nameClass(super).Compare(r.Start, r.Finish); {
	case len(r.Start) == 0 && len(r.Finish) == 0:
		return s, false
	case order <= 0:
		return v.slice(super, &SliceRange{Start: r.Start, Finish: r.Finish}), true
	case len(r.Start) == 0, v.Super && super == nil:
		return s, false
	}
	s, err := v.exactly(super, r.Start)
	return s, err == nil
}

// delete makes the writes of a deletion. One of counters is of a clock in ms, and
// so older than all that was ever added, in µs.
// Source: CassandraServer.deleteColumnOrSuperColumn, ThriftValidation.validateDeletion.
func (v *View) delete(e *Env, key []byte, d *Deletion) ([]*plan.Write, error) {
	stamp := d.Timestamp
	if v.Counter() {
		ms := e.Now * 1000
		stamp = &ms
	}
	w := &plan.Write{Table: v.Table.Stored(), Kind: plan.Delete, Keys: [][]byte{key}, Timestamp: stamp}
	switch p := d.Predicate; {
	case p != nil && p.Names != nil:
		var out []*plan.Write
		for _, name := range p.Names {
			if v.Super && d.Super == nil {
				s, err := v.exactly(nil, name)
				if err != nil {
					return nil, err
				}
				w.Slices = append(w.Slices, s)
				continue
			}
			one, err := v.remove(key, d.Super, name, stamp)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		if len(w.Slices) > 0 {
			out = append(out, w)
		}
		return out, nil
	case p != nil:
		if v.CQL3 {
			return nil, plan.Unsupported("deleting slices of a CQL3 table", "DELETE the rows in CQL, or name the cells")
		}
		s, ok := v.deleted(d.Super, p.Range)
		if !ok {
			return nil, nil
		}
		w.Slices = []schema.Slice{s}
	case d.Super != nil:
		s, err := v.exactly(nil, d.Super)
		if err != nil {
			return nil, err
		}
		w.Slices = []schema.Slice{s}
	default:
		w.Partition = true
	}
	return []*plan.Write{w}, nil
}
