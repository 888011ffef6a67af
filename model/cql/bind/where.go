package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// column finds a column of the statement's table.
// Source: Cassandra 5.0 TableMetadata.getExistingColumn.
func (p *preparation) column(n cql.Name) (*schema.Column, error) {
	if c := p.table.Column(n.Text); c != nil {
		return c, nil
	}
	return nil, undefinedColumn(p.table, n)
}

// relation turns one relation of a WHERE clause into a restriction.
// Source: Cassandra 5.0 Relation.toRestriction.
func (p *preparation) relation(r *cql.Relation) (*restriction, error) {
	switch r.Op {
	case cql.EQ, cql.LT, cql.LTE, cql.GT, cql.GTE, cql.IN, cql.CONTAINS, cql.CONTAINS_KEY, cql.LIKE:
	default:
		return nil, invalid("Unsupported \"!=\" relation: %s", relationText(r))
	}
	switch r.Kind {
	case cql.MultiRelation:
		return p.multiRelation(r)
	case cql.TokenRelation:
		return p.tokenRelation(r)
	}
	return p.columnRelation(r)
}

// intervalOf is the restriction of <, <=, > and >=.
func intervalOf(op cql.Op, columns []*schema.Column, v tupleTerm) *restriction {
	out := &restriction{kind: interval, columns: columns}
	b := start
	if op == cql.LT || op == cql.LTE {
		b = end
	}
	out.bounds[b] = limit{set: true, inclusive: op == cql.LTE || op == cql.GTE, value: v}
	return out
}

// columnRelation is c op value or c[key] op value.
// Source: Cassandra 5.0 SingleColumnRelation.
func (p *preparation) columnRelation(r *cql.Relation) (*restriction, error) {
	if r.Op == cql.LIKE && r.Kind == cql.ElementRelation {
		return nil, invalid("%s can't be used with collections.", r.Op)
	}
	c, err := p.column(r.Columns[0])
	if err != nil {
		return nil, err
	}
	ranged := r.Op != cql.EQ && r.Op != cql.IN && r.Op <= cql.GTE
	if ranged && c.Type.ContainsDuration() {
		return nil, invalid("Slice restrictions are not supported on %s", durationHolder(c.Type))
	}
	s, err := p.receiver(c, r)
	if err != nil {
		return nil, err
	}
	columns := []*schema.Column{c}
	switch {
	case r.Kind == cql.ElementRelation:
		key, err := p.prepare(r.Key, keySpec(s))
		if err != nil {
			return nil, err
		}
		v, err := p.prepare(r.Value, elementSpec(s))
		return &restriction{kind: containment, columns: columns, tests: []contained{{key: key, value: v}}}, err
	case r.Op == cql.IN:
		return p.inColumn(r, columns, s)
	}
	v, err := p.prepare(r.Value, s)
	switch {
	case err != nil:
		return nil, err
	case r.Op == cql.EQ:
		return &restriction{kind: equality, columns: columns, value: single(v)}, nil
	case r.Op == cql.LIKE:
		return &restriction{kind: likeness, columns: columns, value: single(v)}, nil
	case ranged:
		return intervalOf(r.Op, columns, single(v)), nil
	}
	return &restriction{kind: containment, columns: columns, tests: []contained{{op: filterOps[r.Op], value: v}}}, nil
}

func (p *preparation) inColumn(r *cql.Relation, columns []*schema.Column, s spec) (*restriction, error) {
	if r.InMarker != nil {
		list := spec{name: "in(" + s.name + ")", typ: types.ListOf(s.typ.Freeze())}
		return &restriction{kind: membership, columns: columns, list: p.marker(r.InMarker, list).later}, nil
	}
	values := make([]tupleTerm, len(r.InValues))
	for i, t := range r.InValues {
		v, err := p.prepare(t, s)
		if err != nil {
			return nil, err
		}
		values[i] = single(v)
	}
	if len(values) == 1 {
		return &restriction{kind: equality, columns: columns, value: values[0]}, nil
	}
	return &restriction{kind: membership, columns: columns, values: values}, nil
}

func durationHolder(t *types.Type) string {
	switch {
	case t.IsCollection():
		return "collections containing durations"
	case t.Kind == types.KindTuple:
		return "tuples containing durations"
	case t.Kind == types.KindUDT:
		return "UDTs containing durations"
	}
	return "duration columns"
}

// receiver says what the right side of a relation has to be, and refuses
// relations that the column's type does not have.
// Source: Cassandra 5.0 SingleColumnRelation.toReceivers.
func (p *preparation) receiver(c *schema.Column, r *cql.Relation) (spec, error) {
	s, t := columnSpec(c), c.Type
	containsKey, contains := r.Op == cql.CONTAINS_KEY, r.Op == cql.CONTAINS
	element := r.Kind == cql.ElementRelation
	switch {
	case containsKey && (t.Kind != types.KindMap || c.Desc): // in descending order no class of collection is left
		return s, invalid("Cannot use CONTAINS KEY on non-map column %s", c.Name)
	case contains && (!t.IsCollection() || c.Desc):
		return s, invalid("Cannot use CONTAINS on non-collection column %s", c.Name)
	case element && t.Kind == types.KindList && !c.Desc:
		return s, invalid("Indexes on list entries (%s[index] = value) are not currently supported.", c.Name)
	case element && (t.Kind != types.KindMap || c.Desc):
		return s, invalid("Column %s cannot be used as a map", c.Name)
	case element && !t.IsMultiCell():
		return s, invalid("Map-entry equality predicates on frozen map column %s are not supported", c.Name)
	case element && r.Op != cql.EQ:
		return s, invalid("Only EQ relations are supported on map entries")
	case t.Kind == types.KindUDT && t.IsMultiCell():
		return s, invalid("Non-frozen UDT column '%s' (%s) cannot be restricted by any relation", c.Name, t)
	case t.IsMultiCell() && !containsKey && !contains && !element:
		return s, invalid("Collection column '%s' (%s) cannot be restricted by a '%s' relation", c.Name, t, r.Op)
	case containsKey:
		return keySpec(s), nil
	case contains:
		return elementSpec(s), nil
	}
	return s, nil
}

// relationText is a relation as refusals show it.
// Source: Cassandra 5.0 Relation.toCQLString.
func relationText(r *cql.Relation) string {
	var left string
	switch r.Kind {
	case cql.MultiRelation, cql.TokenRelation:
		quoted := make([]string, len(r.Columns))
		for i, n := range r.Columns {
			quoted[i] = n.CQL()
		}
		left = "(" + strings.Join(quoted, ", ") + ")"
		if r.Kind == cql.TokenRelation {
			left = "token" + left
		}
	case cql.ElementRelation:
		left = r.Columns[0].CQL() + "[" + r.Key.String() + "]"
	default:
		left = r.Columns[0].CQL()
	}
	if r.Op != cql.IN {
		return left + " " + r.Op.String() + " " + r.Value.String()
	}
	if r.InMarker != nil {
		return left + " IN ?"
	}
	values := make([]string, len(r.InValues))
	for i, v := range r.InValues {
		values[i] = v.String()
	}
	return left + " IN (" + strings.Join(values, ", ") + ")"
}
