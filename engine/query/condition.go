package query

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Holds says whether the conditions of a write hold. row is what was read of the
// row that they are about, with the cells of the static row, nil if there is no
// such row; for conditions on the static row itself it is nil if that is empty.
// Tests of static columns look at the static cells of any row of the partition.
// Source: Cassandra 5.0 CQL3CasRequest.RowCondition, ColumnCondition.Bound.appliesTo.
func Holds(c *plan.Conditions, row, static *Row) (bool, error) {
	about := row
	if c.Static {
		about = static
	}
	switch {
	case c.NotExists:
		return about == nil, nil
	case c.Exists:
		return about != nil, nil
	}
	for i := range c.Tests {
		t := &c.Tests[i]
		of := row
		if t.Column.Kind == schema.Static {
			of = static
		}
		if ok, err := holds(t, of); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// holds tests one condition; a nil row has nothing but null.
func holds(c *plan.Condition, row *Row) (bool, error) {
	t := c.Column.Type
	var have []byte
	if row != nil {
		have = row.value(c.Column)
	}
	switch c.Part {
	case plan.Element:
		have, t = elementAt(t, have, c.Key), t.Elems[len(t.Elems)-1]
	case plan.Field:
		if fields, _ := t.DecodeTuple(have); have != nil && c.Field < len(fields) {
			have = fields[c.Field]
		} else {
			have = nil
		}
		t = t.Elems[c.Field]
	}
	if c.Op != plan.In {
		return compareValue(c, t, have, c.Value)
	}
	for _, v := range c.Values {
		if same, err := equal(c, t, have, v); err != nil || same {
			return same, err
		}
	}
	return false, nil
}

// equal is the test of one value of IN.
func equal(c *plan.Condition, t *types.Type, have, want []byte) (bool, error) {
	one := *c
	one.Op = plan.EQ
	return compareValue(&one, t, have, want)
}

// opText are operators as refusals name them.
var opText = map[plan.Op]string{plan.EQ: "=", plan.NEQ: "!=", plan.LT: "<", plan.LTE: "<=", plan.GT: ">", plan.GTE: ">=", plan.Contains: "CONTAINS",
	plan.ContainsKey: "CONTAINS KEY"}

// compareValue tests a value that is there, or null, against that of a condition.
func compareValue(c *plan.Condition, t *types.Type, have, want []byte) (bool, error) {
	if c.Unset && (c.Op == plan.Contains || c.Op == plan.ContainsKey) && t.IsMultiCell() {
		return false, nil
	}
	if c.Unset {
		return false, plan.Invalid("Invalid 'unset' value in condition")
	}
	// A collection of many cells that is empty is no collection at all.
	if c.Part == plan.Whole && t.IsMultiCell() && t.IsCollection() && want != nil && c.Op <= plan.GTE && empty(want) {
		if c.Op != plan.EQ && c.Op != plan.NEQ {
			kind := map[types.Kind]string{types.KindList: "list", types.KindSet: "set", types.KindMap: "map"}[t.Kind]
			return false, plan.Invalid("Invalid comparison with an empty %s for operator \"%s\"", kind, opText[c.Op])
		}
		want = nil
	}
	switch {
	case want == nil && c.Op == plan.EQ:
		return have == nil, nil
	case want == nil && c.Op == plan.NEQ:
		return have != nil, nil
	case want == nil:
		return false, plan.Invalid("Invalid comparison with null for operator \"%s\"", opText[c.Op])
	case have == nil:
		return c.Op == plan.NEQ, nil
	case c.Op == plan.Contains || c.Op == plan.ContainsKey:
		return holdsElement(t, have, c.Op, want, nil), nil
	}
	if t.Kind == types.KindList && t.MeetsNull(have, want) {
		return false, plan.Fault(`java.lang.NullPointerException: Cannot invoke "java.nio.ByteBuffer.remaining()" because "value" is null`)
	}
	order := t.Compare(have, want)
	switch c.Op {
	case plan.EQ:
		return order == 0, nil
	case plan.NEQ:
		return order != 0, nil
	case plan.LT:
		return order < 0, nil
	case plan.LTE:
		return order <= 0, nil
	case plan.GT:
		return order > 0, nil
	}
	return order >= 0, nil
}

func empty(collection []byte) bool { return types.DecodeInt32(collection) == 0 }

// elementAt is what stands at an index of a list or under a key of a map.
func elementAt(t *types.Type, v, key []byte) []byte {
	if v == nil {
		return nil
	}
	if t.Kind == types.KindMap {
		return element(t, v, key)
	}
	elems, _ := types.DecodeCollection(v)
	if i := int(types.DecodeInt32(key)); i >= 0 && i < len(elems) {
		return elems[i]
	}
	return nil
}
