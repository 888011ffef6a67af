package bind

import (
	"bytes"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// Get is get: one column, or one super column with what is under it.
// Source: Cassandra 2.1 CassandraServer.internal_get.
func (e *Env) Get(key Bytes, p ColumnPath, cl plan.Consistency) (*plan.CellRead, *View, error) {
	v, err := e.family(p.Family)
	if err != nil {
		return nil, nil, err
	}
	if err := v.validatePath(p.Super, p.Column); err != nil {
		return nil, nil, err
	}
	if err := Readable(cl); err != nil {
		return nil, nil, err
	}
	if err := v.validateKey(key); err != nil {
		return nil, nil, err
	}
	parent, name := ColumnParent{p.Family, p.Super}, p.Column
	if v.Super && p.Column == nil {
		parent.Super, name = nil, p.Super
	}
	r, err := v.read(parent, SlicePredicate{Names: []Bytes{name}})
	if err == nil {
		r.Keys = [][]byte{key}
	}
	return r, v, err
}

// sliced is the family of a slice that may be asked for.
func (e *Env) sliced(parent ColumnParent, p SlicePredicate) (*View, error) {
	v, err := e.family(parent.Family)
	if err == nil {
		err = v.validateParent(parent)
	}
	if err == nil {
		err = v.validatePredicate(parent, p)
	}
	return v, err
}

// Slice is get_slice and multiget_slice.
// Source: CassandraServer.multigetSliceInternal.
func (e *Env) Slice(keys []Bytes, parent ColumnParent, p SlicePredicate, cl plan.Consistency) (*plan.CellRead, *View, error) {
	v, err := e.sliced(parent, p)
	if err != nil {
		return nil, nil, err
	}
	if err := Readable(cl); err != nil {
		return nil, nil, err
	}
	for _, key := range keys {
		if err := v.validateKey(key); err != nil {
			return nil, nil, err
		}
	}
	if cl.IsSerial() && len(keys) > 1 {
		return nil, nil, plan.Invalid("SERIAL/LOCAL_SERIAL consistency may only be requested for one row at a time")
	}
	r, err := v.read(parent, p)
	if err == nil {
		r.Keys = make([][]byte, len(keys))
		for i, k := range keys {
			r.Keys[i] = k
		}
	}
	return r, v, err
}

// Count is get_count. A real node looks at little when it counts a stretch of
// names: a super column of a standard column family does not matter, and a key
// that is none, bounds in the wrong order or a negative count find nothing
// (none). Source: Cassandra 2.1 CassandraServer.get_count.
func (e *Env) Count(key Bytes, parent ColumnParent, p SlicePredicate, cl plan.Consistency) (r *plan.CellRead, none bool, err error) {
	if p.Names != nil {
		r, _, err := e.Slice([]Bytes{key}, parent, p, cl)
		return r, false, err
	}
	v, err := e.family(parent.Family)
	if err != nil {
		return nil, false, err
	}
	stretch := SliceRange{Count: 1<<31 - 1}
	if p.Range != nil {
		stretch = *p.Range
	}
	if !v.Super {
		parent.Super = nil
	}
	switch {
	case stretch.Count <= 0, v.validateKey(key) != nil:
		return nil, true, nil
	case parent.Super != nil && (len(parent.Super) == 0 || v.Comparator.ClassicValidate(parent.Super) != nil):
		if base, _ := v.Comparator.Base(); len(parent.Super) > 0 && base.Type != nil && !base.ComparesAll() {
			return nil, false, noName("counting under", v.Comparator, v.Comparator.ClassicValidate(parent.Super))
		}
		return nil, true, nil
	}
	class := v.nameClass(parent.Super)
	for _, bound := range []Bytes{stretch.Start, stretch.Finish} {
		if err := v.countable(class, bound); err != nil {
			return nil, false, err
		}
	}
	if stretch.passes(class) {
		return nil, true, nil
	}
	r, err = v.read(parent, SlicePredicate{Range: &stretch})
	if err == nil {
		r.Keys = [][]byte{key}
	}
	return r, false, err
}

// countable refuses a bound of a count that is no name, where a real node fails: it
// makes a name of it that it compares with others, but checks nothing.
// Source: Cassandra 2.1 CassandraServer.toInternalFilter, AbstractCompoundCellNameType.fromByteBuffer.
func (v *View) countable(class *types.Comparator, bound Bytes) error {
	no := class.ClassicValidate(bound)
	if no == nil {
		return nil
	}
	switch {
	case !v.Super && class.Composite():
		parts, err := compound(bound)
		if err != nil {
			return err
		}
		if len(parts) <= len(class.Parts) && !slices.ContainsFunc(class.Parts[:len(parts)], func(c *types.Comparator) bool { return !c.ComparesAll() }) {
			return nil
		}
	case class.ComparesAll() && (v.Family == nil || !v.Family.Static()):
		return nil
	}
	return noName("counting from or to", class, no)
}

// compound takes a composite name apart without a look at what its components are.
// Source: Cassandra 2.1 AbstractCompoundCellNameType.fromByteBuffer.
func compound(name []byte) (parts [][]byte, err error) {
	for left := name; len(left) > 0; {
		at := len(name) - len(left)
		if len(left) < 2 {
			return nil, plan.Invalid("Not enough bytes. Offset: %d. Length: %d. Buffer size: %d", at, 2, len(name))
		}
		n := int(left[0])<<8 | int(left[1])
		if len(left) < n+3 {
			return nil, plan.Invalid("Not enough bytes. Offset: %d. Length: %d. Buffer size: %d", at+2, n+1, len(name))
		}
		parts, left = append(parts, left[2:2+n]), left[n+3:]
	}
	return parts, nil
}

// noName refuses what is no name of a class, where a real node fails.
func noName(doing string, class *types.Comparator, why error) error {
	return plan.Unsupported(doing+" what is no name ("+why.Error()+")", "give a name of the class "+class.ClassicName())
}

// read is what a predicate asks of a row.
func (v *View) read(parent ColumnParent, p SlicePredicate) (*plan.CellRead, error) {
	r := &plan.CellRead{Table: v.Table, Limit: -1, Grouped: v.Super && parent.Super == nil, Inner: v.Super && parent.Super != nil}
	if p.Range != nil {
		r.Reversed, r.Limit = p.Range.Reversed, int(p.Range.Count)
	}
	if v.CQL3 {
		r.Pick = v.pick(parent.Super, p)
		return r, nil
	}
	r.Name = v.CellName
	if p.Range != nil {
		r.Slices = []schema.Slice{v.slice(parent.Super, p.Range)}
		return r, nil
	}
	r.Slices = make([]schema.Slice, 0, len(p.Names))
	for _, name := range p.Names {
		s, err := v.exactly(parent.Super, name)
		if err != nil {
			return nil, err
		}
		r.Slices = append(r.Slices, s)
	}
	t := v.Table.Stored()
	slices.SortFunc(r.Slices, func(a, b schema.Slice) int { return t.CompareCuts(a.From, b.From) })
	r.Slices = slices.CompactFunc(r.Slices, func(a, b schema.Slice) bool { return t.CompareCuts(a.From, b.From) == 0 })
	return r, nil
}

// pick says of a cell whether a predicate asks for it.
func (v *View) pick(super []byte, p SlicePredicate) func(outer, name []byte) bool {
	return func(outer, name []byte) bool {
		if super != nil && v.Super && !bytes.Equal(outer, super) {
			return false
		}
		class := v.nameClass(super)
		if v.Super && super == nil {
			name = outer
		}
		if p.Range == nil {
			return slices.ContainsFunc(p.Names, func(n Bytes) bool { return bytes.Equal(n, name) })
		}
		start, finish := p.Range.Start, p.Range.Finish
		if p.Range.Reversed {
			start, finish = finish, start
		}
		return (len(start) == 0 || class.Compare(start, name) <= 0) && (len(finish) == 0 || class.Compare(name, finish) <= 0)
	}
}

// RangeSlices is get_range_slices.
// Source: CassandraServer.get_range_slices, ThriftValidation.validateKeyRange.
func (e *Env) RangeSlices(parent ColumnParent, p SlicePredicate, k KeyRange, part ring.Partitioner, cl plan.Consistency) (*plan.CellRead, *View, error) {
	v, err := e.sliced(parent, p)
	if err != nil {
		return nil, nil, err
	}
	scan, err := v.scan(k, part)
	if err != nil {
		return nil, nil, err
	}
	if err := Readable(cl); err != nil {
		return nil, nil, err
	}
	r, err := v.read(parent, p)
	if err != nil {
		return nil, nil, err
	}
	r.Scan = scan
	if len(k.RowFilter) > 0 {
		if v.Super {
			return nil, nil, plan.Invalid("super columns are not supported for indexing")
		}
		slices := r.Slices
		v.filter(r, parent.Super, p, k.RowFilter)
		// A real node that goes through rows without an index tests what the slice
		// gives, unless its rows are larger than a page of their index.
		// Source: Cassandra 2.1 ExtendedFilter.WithClauses.needsExtraQuery.
		if indexed, err := v.validateExpressions(k.RowFilter); err == nil && !indexed && p.Range != nil && !v.CQL3 && !v.Comparator.Composite() {
			r.Slices, r.Pick, r.Sliced = slices, nil, true
		}
	}
	return r, v, nil
}

// filter makes a read test whole rows, and choose their cells afterwards.
func (v *View) filter(r *plan.CellRead, super []byte, p SlicePredicate, list []IndexExpression) {
	r.Slices, r.Pick = nil, v.pick(super, p)
	r.Passes = func(get func(name []byte) []byte) bool {
		for _, x := range list {
			have := get(x.Column)
			if have == nil || !holds(v.ValueClassOf(x.Column).Compare(have, x.Value), x.Op) {
				return false
			}
		}
		return true
	}
	r.Scan.Live = true
	// Source: Cassandra 2.1 ExtendedFilter.WithClauses.prune, which forgets the order.
	r.Ahead = !v.CQL3 && !v.Comparator.Composite()
	for _, x := range list {
		if c := v.column(x.Column); x.Op == "EQ" && c != nil && !c.Custom {
			if i := v.Table.Index(c.Index); i != nil {
				r.Seeks = append(r.Seeks, plan.CellSeek{Index: i, Value: x.Value})
			}
		}
	}
}

// column is the entry of column_metadata for a name; nil if there is none.
func (v *View) column(name []byte) *schema.FamilyColumn {
	if v.Family == nil {
		return nil
	}
	return v.Family.Column(name)
}

func holds(order int, op string) bool {
	switch op {
	case "EQ":
		return order == 0
	case "GT":
		return order > 0
	case "GTE":
		return order >= 0
	case "LT":
		return order < 0
	case "LTE":
		return order <= 0
	}
	return false
}

// scan is the stretch of the ring that a range of keys stands for.
func (v *View) scan(k KeyRange, p ring.Partitioner) (*plan.CellScan, error) {
	if (k.StartKey == nil) == (k.StartToken == nil) || (k.EndKey == nil) == (k.EndToken == nil) {
		return nil, plan.Invalid("exactly one each of {start key, start token} and {end key, end token} must be specified")
	}
	if k.StartToken != nil && k.EndKey != nil {
		return nil, plan.Invalid("start token + end key is not a supported key range")
	}
	s := &plan.CellScan{Rows: int(k.Count), NoStart: k.StartKey != nil && len(k.StartKey) == 0, NoEnd: k.EndKey != nil && len(k.EndKey) == 0}
	if k.StartKey != nil && !s.NoStart {
		s.Start = p.Token(k.StartKey)
	}
	if k.EndKey != nil && !s.NoEnd {
		s.End = p.Token(k.EndKey)
	}
	for _, t := range []struct {
		text *string
		into *ring.Token
	}{{k.StartToken, &s.Start}, {k.EndToken, &s.End}} {
		if t.text != nil {
			var err error
			if *t.into, err = p.Parse(*t.text); err != nil {
				return nil, plan.Invalid("%s", err)
			}
		}
	}
	least := p.Minimum()
	switch {
	case k.StartToken != nil: // tokens may wrap
		s.AfterStart = true
		s.NoEnd = s.End == least
		s.Wraps = !s.NoEnd && s.Start.Compare(s.End) >= 0
	case k.EndToken != nil:
		s.NoEnd = s.End == least
		if !s.NoStart && !s.NoEnd && s.Start.Compare(s.End) > 0 {
			return nil, plan.Invalid("Start key's token sorts after end token")
		}
	case !s.NoStart && !s.NoEnd && s.Start.Compare(s.End) > 0:
		if keepsOrder(p) {
			return nil, plan.Invalid("start key must sort before (or equal to) finish key in your partitioner!")
		}
		return nil, plan.Invalid("start key's token sorts after end key's token.  this is not allowed; you probably should not specify end key at all " +
			"except with an ordered partitioner")
	}
	if _, err := v.validateExpressions(k.RowFilter); err != nil {
		return nil, err
	}
	if k.Count <= 0 {
		return nil, plan.Invalid("maxRows must be positive")
	}
	s.Fails = v.boundKeys(k.StartKey, k.EndKey)
	return s, nil
}

// boundKeys refuses bounds of a range that are no keys, at which a real node fails
// so that the request times out, if there are enough of them to ask.
func (v *View) boundKeys(keys ...Bytes) error {
	for _, k := range keys {
		if err := v.KeyClass.ClassicValidate(k); err != nil {
			return plan.Unsupported("a range of keys from or to what is no key ("+err.Error()+")", "give a key of the class "+v.KeyClass.ClassicName())
		}
	}
	return nil
}

// keepsOrder says whether the order of keys is that of their tokens.
func keepsOrder(p ring.Partitioner) bool {
	return p.Name() == "ByteOrderedPartitioner" || p.Name() == "OrderPreservingPartitioner"
}

// IndexedSlices is get_indexed_slices.
// Source: CassandraServer.get_indexed_slices.
func (e *Env) IndexedSlices(parent ColumnParent, c IndexClause, p SlicePredicate, part ring.Partitioner, cl plan.Consistency) (*plan.CellRead, *View, error) {
	v, err := e.family(parent.Family)
	if err != nil {
		return nil, nil, err
	}
	if v.Counter() {
		return nil, nil, plan.Invalid("invalid operation for commutative columnfamily %s", parent.Family)
	}
	if err := v.validateParent(parent); err != nil {
		return nil, nil, err
	}
	if err := v.validatePredicate(parent, p); err != nil {
		return nil, nil, err
	}
	if len(c.Expressions) == 0 {
		return nil, nil, plan.Invalid("index clause list may not be empty")
	}
	indexed, err := v.validateExpressions(c.Expressions)
	if err != nil {
		return nil, nil, err
	}
	if !indexed {
		return nil, nil, plan.Invalid("No indexed columns present in index clause with operator EQ")
	}
	if err := Readable(cl); err != nil {
		return nil, nil, err
	}
	r, err := v.read(parent, p)
	if err != nil {
		return nil, nil, err
	}
	r.Scan = &plan.CellScan{Rows: int(c.Count), NoStart: len(c.StartKey) == 0, NoEnd: true, Fails: v.boundKeys(c.StartKey)}
	if !r.Scan.NoStart {
		r.Scan.Start = part.Token(c.StartKey)
	}
	v.filter(r, parent.Super, p, c.Expressions)
	return r, v, nil
}

// MultiSlice is the request of get_multi_slice.
type MultiSlice struct {
	Key    Bytes        `json:"key"`
	Parent ColumnParent `json:"column_parent"`
	Slices []struct {
		Start  Bytes `json:"start"`
		Finish Bytes `json:"finish"`
	} `json:"column_slices"`
	Reversed bool   `json:"reversed"`
	Count    int32  `json:"count"`
	Level    string `json:"consistency_level"`
}

// MultiSlice is get_multi_slice: the columns of several stretches, each once.
// Source: Cassandra 2.1 CassandraServer.get_multi_slice.
func (e *Env) MultiSlice(m *MultiSlice, cl plan.Consistency) (*plan.CellRead, *View, error) {
	v, err := e.family(m.Parent.Family)
	if err != nil {
		return nil, nil, err
	}
	if v.Super {
		return nil, nil, plan.Invalid("get_multi_slice does not support super columns")
	}
	if err := Readable(cl); err != nil {
		return nil, nil, err
	}
	for i, s := range m.Slices {
		order := 0
		if len(s.Start) > 0 && len(s.Finish) > 0 {
			order = v.Comparator.Compare(s.Start, s.Finish)
		}
		switch {
		case !m.Reversed && order > 0:
			return nil, nil, plan.Invalid("Column slice at index %d had start greater than finish", i)
		case m.Reversed && order < 0:
			return nil, nil, plan.Invalid("Reversed column slice at index %d had start less than finish", i)
		}
	}
	if err := v.validateKey(m.Key); err != nil {
		return nil, nil, err
	}
	r := &plan.CellRead{Table: v.Table, Keys: [][]byte{m.Key}, Limit: int(m.Count), Reversed: m.Reversed, Name: v.CellName,
		Slices: make([]schema.Slice, 0, len(m.Slices))}
	t := v.Table.Stored()
	for _, s := range m.Slices {
		r.Slices = append(r.Slices, v.slice(nil, &SliceRange{Start: s.Start, Finish: s.Finish, Reversed: m.Reversed}))
	}
	slices.SortFunc(r.Slices, func(a, b schema.Slice) int { return t.CompareCuts(a.From, b.From) })
	joined := r.Slices[:0]
	for _, s := range r.Slices {
		if n := len(joined); n > 0 && t.CompareCuts(s.From, joined[n-1].To) <= 0 {
			if t.CompareCuts(s.To, joined[n-1].To) > 0 {
				joined[n-1].To = s.To
			}
			continue
		}
		joined = append(joined, s)
	}
	r.Slices = joined
	if v.CQL3 {
		return nil, nil, plan.Unsupported("get_multi_slice of a CQL3 table", "read it with get_slice")
	}
	return r, v, nil
}

// Existing is the table of a column family.
func (e *Env) Existing(name string) (*schema.Table, error) {
	v, err := e.family(name)
	if err != nil {
		return nil, err
	}
	return v.Table.Stored(), nil
}
