package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// multiRelation is (a, b) op …. Source: Cassandra 5.0 MultiColumnRelation.
func (p *preparation) multiRelation(r *cql.Relation) (*restriction, error) {
	if r.Op == cql.CONTAINS || r.Op == cql.CONTAINS_KEY || r.Op == cql.LIKE {
		return nil, invalid("%s cannot be used for multi-column relations", r.Op)
	}
	columns, err := p.multiColumns(r)
	if err != nil {
		return nil, err
	}
	if r.Op != cql.IN {
		v, err := p.tupleOf(r.Value, columns)
		if err != nil {
			return nil, err
		}
		if r.Op == cql.EQ {
			return &restriction{kind: equality, multi: true, columns: columns, value: v}, nil
		}
		out := intervalOf(r.Op, columns, v)
		out.multi = true
		return out, nil
	}
	if r.InMarker != nil {
		for _, c := range columns {
			if c.Type.IsCollection() && c.Type.IsMultiCell() {
				return nil, invalid("Non-frozen collection columns do not support IN relations")
			}
		}
		name, t := tupleSpec(columns)
		list := spec{name: "in" + name, typ: types.ListOf(t)}
		return &restriction{kind: membership, multi: true, columns: columns, list: p.marker(r.InMarker, list).later}, nil
	}
	values := make([]tupleTerm, len(r.InValues))
	for i, t := range r.InValues {
		if values[i], err = p.tupleOf(t, columns); err != nil {
			return nil, err
		}
	}
	if len(values) == 1 {
		return &restriction{kind: equality, multi: true, columns: columns, value: values[0]}, nil
	}
	return &restriction{kind: membership, multi: true, columns: columns, values: values}, nil
}

func (p *preparation) multiColumns(r *cql.Relation) ([]*schema.Column, error) {
	columns := make([]*schema.Column, 0, len(r.Columns))
	for _, n := range r.Columns {
		c, err := p.column(n)
		if err != nil {
			return nil, err
		}
		if c.Kind != schema.Clustering {
			return nil, invalid("Multi-column relations can only be applied to clustering columns but was applied to: %s", c.Name)
		}
		for _, d := range columns {
			if c == d {
				return nil, invalid("Column \"%s\" appeared twice in a relation: %s", c.Name, relationText(r))
			}
		}
		if k := len(columns); k > 0 && c.Position != columns[k-1].Position+1 {
			return nil, invalid("Clustering columns must appear in the PRIMARY KEY order in multi-column relations: %s", relationText(r))
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// tupleSpec names a marker that stands for a tuple of columns.
func tupleSpec(columns []*schema.Column) (string, *types.Type) {
	names, ts := make([]string, len(columns)), make([]*types.Type, len(columns))
	for i, c := range columns {
		names[i], ts[i] = c.Name, c.Type
	}
	return "(" + strings.Join(names, ",") + ")", types.TupleOf(ts...)
}

// tupleOf is the right side of a multi-column relation.
// Source: Cassandra 5.0 Tuples.Literal.prepare, Tuples.Raw.prepare.
func (p *preparation) tupleOf(t cql.Term, columns []*schema.Column) (tupleTerm, error) {
	switch t := t.(type) {
	case *cql.Marker:
		name, typ := tupleSpec(columns)
		return tupleTerm{marker: p.marker(t, spec{name: name, typ: typ}).later}, nil
	case *cql.TupleLit:
		if len(t.Elems) != len(columns) {
			return tupleTerm{}, invalid("Expected %d elements in value tuple, but got %d: %s", len(columns), len(t.Elems), t)
		}
		terms := make([]term, len(columns))
		for i, e := range t.Elems {
			var err error
			if terms[i], err = p.prepare(e, columnSpec(columns[i])); err != nil {
				return tupleTerm{}, err
			}
		}
		return tupleTerm{terms: terms}, nil
	}
	return tupleTerm{}, invalid("Unsupported term %s", t)
}

// tokenRelation is token(a, b) op value. Source: Cassandra 5.0 TokenRelation.
func (p *preparation) tokenRelation(r *cql.Relation) (*restriction, error) {
	if r.Op > cql.GTE || r.Op == cql.IN {
		return nil, invalid("%s cannot be used with the token function", r.Op)
	}
	columns := make([]*schema.Column, 0, len(r.Columns))
	for _, n := range r.Columns {
		c, err := p.column(n)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	if err := p.checkToken(columns); err != nil {
		return nil, err
	}
	if schema.Virtual(p.table.Keyspace) {
		return nil, plan.Unsupported("restrictions of token() on virtual tables", "restrict the partition key with ALLOW FILTERING")
	}
	v, err := p.prepare(r.Value, spec{name: "partition key token", typ: tokenType(p.env.Partitioner)})
	if err != nil {
		return nil, err
	}
	if r.Op == cql.EQ {
		return &restriction{kind: equality, columns: columns, value: single(v)}, nil
	}
	return intervalOf(r.Op, columns, single(v)), nil
}

// checkToken wants the columns of the partition key, in order.
func (p *preparation) checkToken(columns []*schema.Column) error {
	key := p.table.Key
	same := len(columns) == len(key)
	for i := range columns {
		same = same && columns[i] == key[i]
	}
	if same {
		return nil
	}
	for _, k := range key {
		if !containsColumn(columns, k) {
			return invalid("The token() function must be applied to all partition key components or none of them")
		}
	}
	for i, c := range columns {
		if containsColumn(columns[:i], c) {
			return invalid("The token() function contains duplicate partition key components")
		}
	}
	for _, c := range columns {
		if !containsColumn(key, c) {
			return invalid("The token() function must contains only partition key components")
		}
	}
	return invalid("The token function arguments must be in the partition key order: %s", names(key))
}

func containsColumn(cs []*schema.Column, c *schema.Column) bool {
	for _, d := range cs {
		if c == d {
			return true
		}
	}
	return false
}
