package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// prepareInsert checks INSERT … VALUES.
// Source: Cassandra 5.0 UpdateStatement.ParsedInsert.prepareInternal.
func (p *preparation) prepareInsert(s *cql.Insert) (*writeStatement, error) {
	space := new(struct {
		writeStatement
		w where
	})
	st := &space.writeStatement
	st.kind, st.verb, st.table = plan.Insert, inserting, p.table
	var err error
	if st.attributes, err = p.attributes(s.Using); err != nil {
		return nil, err
	}
	st.conditions.notExists = s.IfNotExists
	switch {
	case p.table.Counter:
		return nil, invalid("INSERT statements are not allowed on counter tables, use UPDATE instead")
	case len(s.Columns) == 0:
		return nil, invalid("No columns provided to INSERT")
	case len(s.Columns) != len(s.Values):
		return nil, invalid("Unmatched column names/values")
	}
	if twice(s.Columns) {
		return nil, invalid("The column names contains duplicates")
	}
	var few [16]*schema.Column
	columns := few[:0]
	clustered := false
	if n := len(s.Columns) - len(p.table.Key) - len(p.table.Clustering); n > 0 {
		st.regular = make([]operation, 0, n)
	}
	for i, n := range s.Columns {
		c, err := p.column(n)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
		switch c.Kind {
		case schema.Clustering:
			clustered = true
			fallthrough
		case schema.PartitionKey:
			continue
		}
		o, err := p.setValue(c, s.Values[i])
		if err != nil {
			return nil, err
		}
		st.add(o)
	}
	st.where = &space.w
	st.where.table = p.table
	st.where.short, st.where.compact = p.env.Classic, p.table.Compact && !p.env.Classic
	keys := make([]restriction, len(p.table.Key)+len(p.table.Clustering))
	at := 0
	for i, c := range columns {
		if c.Kind != schema.PartitionKey && c.Kind != schema.Clustering {
			continue
		}
		r := &keys[at]
		at++
		if err := p.equals(r, c, s.Values[i]); err != nil {
			return nil, err
		}
		if err := st.where.add(r, false, false); err != nil {
			return nil, err
		}
	}
	if err := st.where.finish(inserting, !clustered && st.onlyStatic(), false); err != nil {
		return nil, err
	}
	if f := p.table.Family; f != nil && len(p.table.Clustering) == 0 && len(st.regular) == 0 && !p.env.Classic {
		return nil, invalid("Some clustering keys are missing: column1")
	}
	if f := p.table.Family; f != nil && len(p.table.Clustering) > 0 && !f.KeyOnly && len(st.regular) == 0 {
		return nil, invalid("Column %s is mandatory for this COMPACT STORAGE table", p.table.Regular[0].Name)
	}
	return st, st.finish()
}

// equals makes the restriction of a key column that INSERT gives a value.
func (p *preparation) equals(r *restriction, c *schema.Column, value cql.Term) error {
	s, err := p.receiver(c, &equalRelation)
	if err != nil {
		return err
	}
	v, err := p.prepare(value, s)
	r.kind, r.columns, r.value = equality, []*schema.Column{c}, single(v)
	return err
}

var equalRelation = cql.Relation{Op: cql.EQ}

// setValue is c = value.
// Source: Cassandra 5.0 Operation.SetValue.prepare.
func (p *preparation) setValue(c *schema.Column, value cql.Term) (operation, error) {
	v, err := p.prepare(value, columnSpec(c))
	if err == nil && c.Type.IsCounter() {
		err = invalid("Cannot set the value of counter column %s (counters can only be incremented/decremented, not set)", c.Name)
	}
	_, tuple := value.(*cql.TupleLit)
	return operation{column: c, kind: plan.Set, value: v, tuple: tuple && c.Type.Kind == types.KindUDT}, err
}

// twice says whether a name stands twice in a list.
func twice(list []cql.Name) bool {
	if len(list) > 16 { // a statement may be long
		seen := make(map[string]bool, len(list))
		for _, n := range list {
			if seen[n.Text] {
				return true
			}
			seen[n.Text] = true
		}
		return false
	}
	for i, n := range list {
		for _, m := range list[:i] {
			if n.Text == m.Text {
				return true
			}
		}
	}
	return false
}
