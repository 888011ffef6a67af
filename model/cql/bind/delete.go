package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// prepareDelete checks DELETE.
// Source: Cassandra 5.0 DeleteStatement.Parsed.prepareInternal.
func (p *preparation) prepareDelete(s *cql.Delete) (*writeStatement, error) {
	st := &writeStatement{kind: plan.Delete, verb: deleting, table: p.table}
	var err error
	if st.attributes, err = p.attributes(s.Using); err != nil {
		return nil, err
	}
	if err := p.conditions(st, s.IfExists, s.Conditions); err != nil {
		return nil, err
	}
	for i := range s.Deletions {
		d := &s.Deletions[i]
		c, err := p.column(d.Column)
		if err != nil {
			return nil, err
		}
		if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
			return nil, invalid("Invalid identifier %s for deletion (should not be a PRIMARY KEY part)", c.Name)
		}
		o, err := p.deletion(c, d)
		if err != nil {
			return nil, err
		}
		st.add(o)
	}
	if st.where, err = p.modified(deleting, s.Where, st.onlyStatic()); err != nil {
		return nil, err
	}
	if err := st.finish(); err != nil {
		return nil, err
	}
	// 5.0 counts the hidden name of a static column family's cells as a clustering
	// column that is not restricted here.
	if p.table.Family != nil && len(p.table.Clustering) == 0 && !p.env.Classic && st.conditions.any() && len(st.regular) == 0 {
		return nil, invalid("DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to delete non static columns")
	}
	return st, nil
}

// deletion checks one selection of DELETE.
// Source: Cassandra 5.0 Operation.ColumnDeletion, ElementDeletion, FieldDeletion.
func (p *preparation) deletion(c *schema.Column, d *cql.Deletion) (operation, error) {
	o := operation{column: c, kind: plan.RemoveElement}
	switch {
	case d.Field != nil:
		i, err := fieldOfColumn(c, d.Field.Text, "Invalid field deletion operation for non-UDT column %s", "Frozen UDT column %s does not support field deletions")
		o.key = term{value: fieldIndex(i)}
		return o, err
	case d.Element == nil:
		o.kind = plan.Remove
		return o, nil
	case !c.Type.IsCollection():
		return o, invalid("Invalid deletion operation for non collection column %s", c.Name)
	case !c.Type.IsMultiCell():
		return o, invalid("Invalid deletion operation for frozen collection column %s", c.Name)
	}
	s := columnSpec(c)
	to := keySpec(s)
	switch c.Type.Kind {
	case types.KindList:
		to = indexSpec(s)
	case types.KindSet:
		to = elementSpec(s)
	}
	var err error
	o.key, err = p.prepare(d.Element, to)
	return o, err
}
