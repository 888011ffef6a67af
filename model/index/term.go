package index

import (
	"bytes"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// term is what a storage-attached index holds of a column: the whole value, an
// element of a collection, or an entry of a map.
// Source: Cassandra 5.0 IndexTermType.
type term struct {
	typ      *types.Type // of a whole value or an element; the map for entries
	element  bool        // of a non-frozen collection
	entry    bool        // key and value of a map together
	reversed bool        // of a clustering column in descending order
}

// indexed is the term of an index.
func indexed(i *schema.Index, c *schema.Column) *term { return termOf(c, i.Target) }

func termOf(c *schema.Column, target schema.Target) *term {
	t := &term{typ: c.Type, reversed: c.Desc}
	if !c.Type.IsCollection() || !c.Type.IsMultiCell() {
		return t
	}
	t.element = true
	switch {
	case c.Type.Kind != types.KindMap || target == schema.TargetKeys:
		t.typ = c.Type.Elems[0]
	case target == schema.TargetEntries:
		t.entry = true
	default:
		t.typ = c.Type.Elems[1]
	}
	return t
}

// unindexed is the term that an operator asks for where no index helps it.
// Source: Cassandra 5.0 Operation.determineIndexTargetType.
func unindexed(c *schema.Column, op plan.Op) *term {
	target := schema.TargetValues
	switch op {
	case plan.EQ:
		target = schema.TargetEntries
	case plan.ContainsKey:
		target = schema.TargetKeys
	}
	return termOf(c, target)
}

func (t *term) isVector() bool { return !t.entry && t.typ.Kind == types.KindVector }

func (t *term) isString() bool {
	return !t.entry && (t.typ.Kind == types.KindText || t.typ.Kind == types.KindAscii)
}

// frozen says whether the value is made of others, which are compared as bytes.
func (t *term) frozen() bool { return !t.entry && len(t.typ.Elems) > 0 }

// literal says whether terms are held in a trie, which knows no ranges.
func (t *term) literal() bool {
	return t.entry || t.isString() || t.frozen() || t.typ.Kind == types.KindBoolean
}

// name is the type as refusals name it.
func (t *term) name() string {
	if !t.entry {
		return t.typ.String()
	}
	return "'org.apache.cassandra.db.marshal.CompositeType(" + t.typ.Elems[0].MarshalName() + "," + t.typ.Elems[1].MarshalName() + ")'"
}

// skipsEmpty says whether empty values are not in the index.
// Source: Cassandra 5.0 IndexTermType.skipsEmptyValue.
func (t *term) skipsEmpty() bool { return t.reversed || !t.literal() }

// compare orders two terms. Addresses are compared as those of IPv6.
// Source: Cassandra 5.0 IndexTermType.comparePostFilter.
func (t *term) compare(a, b []byte) int {
	if t.typ.Kind == types.KindInet {
		return bytes.Compare(mapped(a), mapped(b))
	}
	return t.typ.Compare(a, b)
}

// mapped is an address as one of IPv6.
func mapped(a []byte) []byte {
	if len(a) != 4 {
		return a
	}
	return append([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, a...)
}

// Match is the test of a value, an element or, for column[key] = value, the
// value of an entry, that a storage-attached read makes; i is the index that
// finds it, nil where the test only filters what other indexes find. A nil
// result means that types decide.
// Source: Cassandra 5.0 Expression.isSatisfiedBy, FilterTree.
func Match(i *schema.Index, c *schema.Column, op plan.Op, value []byte) func([]byte) bool {
	t := unindexed(c, op)
	if i != nil {
		t = indexed(i, c)
		if fold := Analyzer(i); fold != nil {
			wanted := fold(value)
			return func(v []byte) bool { return len(v) <= maxTerm && bytes.Equal(fold(v), wanted) }
		}
	}
	equal := op == plan.EQ || op == plan.Contains || op == plan.ContainsKey
	if equal && (t.entry || t.frozen()) {
		return func(v []byte) bool { return (i == nil || len(v) <= maxTerm) && bytes.Equal(v, value) }
	}
	holds := func(v []byte) bool {
		d := t.compare(v, value)
		switch op {
		case plan.LT:
			return d < 0
		case plan.LTE:
			return d <= 0
		case plan.GT:
			return d > 0
		case plan.GTE:
			return d >= 0
		}
		return d == 0
	}
	if i == nil {
		return holds
	}
	return func(v []byte) bool { return (len(v) > 0 || !t.skipsEmpty()) && len(v) <= maxTerm && holds(v) }
}

// maxTerm is the size from which on values are left out of an index, in bytes.
// Nobody is told, since clients are superusers here, whom the guardrail spares.
// Source: Cassandra 5.0 Config.sai_string_term_size_fail_threshold, StorageAttachedIndex.validateTermSize.
const maxTerm = 8 << 10

// MatchTable is the test that a hidden table makes, whose key is the value: its
// bytes have to be the same. Source: Cassandra 5.0 CassandraIndex, LocalPartitioner.
func MatchTable(value []byte) func([]byte) bool {
	return func(v []byte) bool { return bytes.Equal(v, value) }
}
