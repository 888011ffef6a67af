// Package index says what the indexes of a table can answer, which options they
// take, and how they compare values, which is not always how types compare.
package index

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Supports says whether an index finds rows by this operator on the column.
// Source: Cassandra 5.0 Index.supportsExpression.
func Supports(i *schema.Index, c *schema.Column, op plan.Op) bool {
	switch {
	case i.Column != c.Name:
		return false
	case i.IsSAI():
		t := indexed(i, c)
		return t.supports(i.Target, op)
	case i.IsSASI():
		return newSASI(i, c).supports(op)
	}
	return tableSupports(i.Target, c.Type, op)
}

// tableSupports is Supports for the index that is a hidden table.
// Source: Cassandra 5.0 CassandraIndex.supportsOperator and its overrides.
func tableSupports(target schema.Target, t *types.Type, op plan.Op) bool {
	if !t.IsCollection() || !t.IsMultiCell() || target == schema.TargetEntries {
		return op == plan.EQ
	}
	if target == schema.TargetKeys {
		return op == plan.ContainsKey
	}
	return op == plan.Contains
}

// supports is Supports for storage-attached indexes.
// Source: Cassandra 5.0 IndexTermType.supports.
func (t *term) supports(target schema.Target, op plan.Op) bool {
	switch op {
	case plan.EQ, plan.LT, plan.LTE, plan.GT, plan.GTE, plan.Contains, plan.ContainsKey:
	case plan.NearestTo:
		return t.isVector()
	default:
		return false
	}
	if t.element {
		switch target {
		case schema.TargetKeys:
			return op == plan.ContainsKey
		case schema.TargetEntries:
			return op == plan.EQ
		}
		return op == plan.Contains
	}
	switch {
	case op == plan.EQ:
		return true
	case target == schema.TargetFull || t.literal():
		return false
	case t.typ.Kind == types.KindUUID:
		return t.reversed // the list of types with nothing but = does not know it in descending order
	}
	return true
}

// Of are the indexes of a table of which one operator on a column can use some.
func Of(t *schema.Table, c *schema.Column, op plan.Op) []*schema.Index {
	var out []*schema.Index
	for _, i := range t.Indexes {
		if Supports(i, c, op) {
			out = append(out, i)
		}
	}
	return out
}

// Groups are the sets of indexes that answer a query together: all
// storage-attached ones, and each other index for itself.
// Source: Cassandra 5.0 Index.Group.
func Groups(t *schema.Table) [][]*schema.Index {
	var sai []*schema.Index
	var out [][]*schema.Index
	for _, i := range t.Indexes {
		if i.IsSAI() {
			sai = append(sai, i)
		} else {
			out = append(out, []*schema.Index{i})
		}
	}
	if sai != nil {
		out = append(out, sai)
	}
	return out
}
