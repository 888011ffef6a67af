package bind

import (
	"errors"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// prepareUpdate checks UPDATE.
// Source: Cassandra 5.0 UpdateStatement.ParsedUpdate.prepareInternal.
func (p *preparation) prepareUpdate(s *cql.Update) (*writeStatement, error) {
	st := &writeStatement{kind: plan.Update, verb: updating, table: p.table}
	var err error
	if st.attributes, err = p.attributes(s.Using); err != nil {
		return nil, err
	}
	if err := p.conditions(st, s.IfExists, s.Conditions); err != nil {
		return nil, err
	}
	for i := range s.Set {
		a := &s.Set[i]
		c, err := p.column(a.Column)
		if err != nil {
			return nil, err
		}
		if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
			return nil, invalid("PRIMARY KEY part %s found in SET part", c.Name)
		}
		o, err := p.assignment(c, a, st.conditions.any())
		if err != nil {
			return nil, err
		}
		st.add(o)
	}
	if st.where, err = p.modified(updating, s.Where, st.onlyStatic()); err != nil {
		return nil, err
	}
	return st, st.finish()
}

// modified checks the WHERE clause of UPDATE and DELETE.
// Source: Cassandra 5.0 ModificationStatement.Parsed.newRestrictions.
func (p *preparation) modified(v verb, relations []cql.Relation, onlyStatic bool) (*where, error) {
	for i := range relations {
		if relations[i].Kind == cql.CustomRelation {
			return nil, invalid("Custom index expressions cannot be used in WHERE clauses for UPDATE or DELETE statements")
		}
	}
	return p.where(v, relations, nil, onlyStatic, false)
}

// assignment checks one item of SET. read says that the row is read before it is
// written, as conditions make it be.
// Source: Cassandra 5.0 Operation.RawUpdate.prepare of each kind.
func (p *preparation) assignment(c *schema.Column, a *cql.Assignment, read bool) (operation, error) {
	switch a.Kind {
	case cql.SetValue:
		return p.setValue(c, a.Value)
	case cql.SetElement:
		return p.setElement(c, a)
	case cql.SetField:
		return p.setField(c, a)
	case cql.Addition:
		return p.addition(c, a, "+", plan.Append, read)
	case cql.Subtract:
		return p.addition(c, a, "-", plan.Discard, false)
	}
	v, err := p.prepare(a.Value, columnSpec(c))
	what := c.Name + " = " + a.Value.String() + " - " + c.Name
	switch {
	case err != nil:
	case c.Type.Kind != types.KindList:
		err = invalid("Invalid operation (%s) for non list column %s", what, c.Name)
	case !c.Type.IsMultiCell():
		err = invalid("Invalid operation (%s) for frozen list column %s", what, c.Name)
	}
	return operation{column: c, kind: plan.Prepend, value: v}, err
}

func (p *preparation) setElement(c *schema.Column, a *cql.Assignment) (operation, error) {
	o := operation{column: c, kind: plan.SetElement}
	s := columnSpec(c)
	what := c.Name + "[" + a.Element.String() + "] = " + a.Value.String()
	switch {
	case !c.Type.IsCollection():
		return o, invalid("Invalid operation (%s) for non collection column %s", what, c.Name)
	case !c.Type.IsMultiCell():
		return o, invalid("Invalid operation (%s) for frozen collection column %s", what, c.Name)
	case c.Type.Kind == types.KindSet:
		return o, invalid("Invalid operation (%s) for set column %s", what, c.Name)
	}
	key := keySpec(s)
	if c.Type.Kind == types.KindList {
		key = indexSpec(s)
	}
	var err error
	if o.key, err = p.prepare(a.Element, key); err == nil {
		o.value, err = p.prepare(a.Value, elementSpec(s))
	}
	return o, err
}

func (p *preparation) setField(c *schema.Column, a *cql.Assignment) (operation, error) {
	o := operation{column: c, kind: plan.SetElement}
	i, err := fieldOfColumn(c, a.Field.Text, "Invalid operation (%s) for non-UDT column %s", "Invalid operation (%s) for frozen UDT column %s",
		c.Name+"."+a.Field.Text+" = "+a.Value.String())
	if err != nil {
		return o, err
	}
	o.key = term{value: fieldIndex(i)}
	o.value, err = p.prepare(a.Value, fieldSpec(columnSpec(c), i))
	return o, err
}

// fieldOfColumn finds a field of a non-frozen user type.
func fieldOfColumn(c *schema.Column, field, notUDT, frozen string, args ...any) (int, error) {
	args = append(args, c.Name)
	switch {
	case c.Type.Kind != types.KindUDT:
		return 0, invalid(notUDT, args...)
	case !c.Type.IsMultiCell():
		return 0, invalid(frozen, args...)
	}
	i := c.Type.Field(field)
	if i < 0 {
		return 0, invalid("UDT column %s does not have a field named %s", c.Name, field)
	}
	return i, nil
}

// addition is c = c + value and c = c - value. Numbers and texts are added to
// where the row is read anyway.
// Source: Cassandra 5.0 Operation.Addition, Operation.Substraction.
func (p *preparation) addition(c *schema.Column, a *cql.Assignment, sign string, kind plan.AssignKind, read bool) (operation, error) {
	o := operation{column: c, kind: kind}
	s := columnSpec(c)
	what := c.Name + " = " + c.Name + " " + sign + " " + a.Value.String()
	var err error
	switch {
	case !c.Type.IsCollection():
		switch {
		case sign == "+" && isTuple(c.Type):
			return o, invalid("Invalid operation (%s) for tuple column %s", what, c.Name)
		case !c.Type.IsCounter() && read:
			if !function.Adds(c.Type) {
				return o, invalid("Invalid operation (%s) for non-numeric and non-text type %s", what, c.Name)
			}
			o.kind = plan.Increase
			o.value, err = p.prepare(a.Value, s)
			return o, err
		case !c.Type.IsCounter():
			return o, invalid("Invalid operation (%s) for non counter column %s", what, c.Name)
		}
		o.kind, o.negative = plan.Add, sign == "-"
		o.value, err = p.prepare(a.Value, s)
		return o, err
	case !c.Type.IsMultiCell():
		return o, invalid("Invalid operation (%s) for frozen collection column %s", what, c.Name)
	case c.Type.Kind != types.KindMap:
		o.value, err = p.prepare(a.Value, s)
		return o, err
	}
	message := "Value for a map addition has to be a map, but was: '%s'"
	if sign == "-" {
		message = "Value for a map substraction has to be a set, but was: '%s'"
		s.typ = types.SetOf(c.Type.Elems[0])
	}
	o.value, err = p.prepare(a.Value, s)
	var refused *plan.Error
	if errors.As(err, &refused) && refused.Code == plan.InvalidRequest {
		err = invalid(message, a.Value)
	}
	return o, err
}
