package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// ifClause is a checked IF clause.
// Source: Cassandra 5.0 cql3.conditions.Conditions.
type ifClause struct {
	exists    bool
	notExists bool
	tests     []condition
}

func (c *ifClause) any() bool { return c.exists || c.notExists || len(c.tests) > 0 }

// onRegular says whether a regular column is tested.
func (c *ifClause) onRegular() bool {
	return len(c.tests) > 0 && c.tests[0].column.Kind == schema.Regular
}

// condition is one test before values are bound.
type condition struct {
	column *schema.Column
	op     plan.Op
	part   plan.ConditionPart
	key    term
	field  int
	value  term
	values []term
	list   *later // IN of a marker
}

var conditionOps = map[cql.Op]plan.Op{cql.EQ: plan.EQ, cql.NEQ: plan.NEQ, cql.LT: plan.LT, cql.LTE: plan.LTE, cql.GT: plan.GT,
	cql.GTE: plan.GTE, cql.IN: plan.In, cql.CONTAINS: plan.Contains, cql.CONTAINS_KEY: plan.ContainsKey}

// conditions checks an IF clause, which comes before everything else of a
// statement but its table and USING.
// Source: Cassandra 5.0 ModificationStatement.Parsed.prepareConditions.
func (p *preparation) conditions(st *writeStatement, exists bool, list []cql.Condition) error {
	st.conditions.exists = exists
	if len(list) == 0 {
		return nil
	}
	if st.attributes.timestamp != nil {
		return invalid("Cannot provide custom timestamp for conditional updates")
	}
	var statics []condition
	for i := range list {
		c, err := p.column(list[i].Column)
		if err != nil {
			return err
		}
		out, err := p.condition(c, &list[i])
		if err != nil {
			return err
		}
		switch c.Kind {
		case schema.PartitionKey, schema.Clustering:
			return invalid("PRIMARY KEY column '%s' cannot have IF conditions", c.Name)
		case schema.Static:
			statics = append(statics, out)
		default:
			st.conditions.tests = append(st.conditions.tests, out)
		}
	}
	st.conditions.tests = append(st.conditions.tests, statics...)
	return nil
}

// condition checks one test.
// Source: Cassandra 5.0 ColumnCondition.Raw.prepare.
func (p *preparation) condition(c *schema.Column, raw *cql.Condition) (condition, error) {
	out := condition{column: c, op: conditionOps[raw.Op]}
	if c.Type.IsCounter() {
		return out, invalid("Conditions on counters are not supported")
	}
	to := columnSpec(c)
	switch {
	case raw.Element != nil:
		out.part = plan.Element
		var key spec
		switch {
		case !c.Type.IsCollection():
			return out, invalid("Invalid element access syntax for non-collection column %s", c.Name)
		case c.Type.Kind == types.KindSet:
			return out, invalid("Invalid element access syntax for set column %s", c.Name)
		case c.Type.Kind == types.KindList:
			key = indexSpec(to)
		default:
			key = keySpec(to)
		}
		to = elementSpec(to)
		if err := slicedCondition(raw.Op, to.typ); err != nil {
			return out, err
		}
		var err error
		if out.key, err = p.prepare(raw.Element, key); err != nil {
			return out, err
		}
	case raw.Field != nil:
		out.part = plan.Field
		if c.Type.Kind != types.KindUDT {
			return out, notUserType(c.Type)
		}
		if out.field = c.Type.Field(raw.Field.Text); out.field < 0 {
			return out, invalid("Unknown field %s for column %s", raw.Field.Text, c.Name)
		}
		to = fieldSpec(to, out.field)
		fallthrough
	default:
		if err := slicedCondition(raw.Op, to.typ); err != nil {
			return out, err
		}
	}
	return out, p.conditionValue(&out, raw, to)
}

// notUserType is the internal error of Cassandra for column.field of a column
// that has no fields.
func notUserType(t *types.Type) error {
	const user = "org.apache.cassandra.db.marshal.UserType"
	class, _, _ := strings.Cut(t.MarshalName(), "(")
	return &plan.Error{Code: plan.ServerError, Message: "java.lang.ClassCastException: class " + class + " cannot be cast to class " + user +
		" (" + class + " and " + user + " are in unnamed module of loader 'app')"}
}

// slicedCondition refuses < and the like on durations.
// Source: Cassandra 5.0 ColumnCondition.Raw.validateOperationOnDurations.
func slicedCondition(op cql.Op, t *types.Type) error {
	if op == cql.EQ || op == cql.NEQ || op > cql.GTE || !t.ContainsDuration() {
		return nil
	}
	what := "durations"
	switch {
	case t.IsCollection():
		what = "collections containing durations"
	case t.Kind == types.KindTuple:
		what = "tuples containing durations"
	case t.Kind == types.KindUDT:
		what = "UDTs containing durations"
	}
	return invalid("Slice conditions ( %s ) are not supported on %s", op, what)
}

// conditionValue checks the right side of a test.
// Source: Cassandra 5.0 ColumnCondition.Raw.prepareTerms.
func (p *preparation) conditionValue(out *condition, raw *cql.Condition, to spec) (err error) {
	switch {
	case raw.Op == cql.CONTAINS_KEY && to.typ.Kind != types.KindMap:
		return invalid("Cannot use CONTAINS KEY on non-map column %s", to.name)
	case raw.Op == cql.CONTAINS && !to.typ.IsCollection():
		return invalid("Cannot use CONTAINS on non-collection column %s", to.name)
	case raw.Op == cql.CONTAINS_KEY:
		to = keySpec(to)
	case raw.Op == cql.CONTAINS:
		to = elementSpec(to)
	case raw.InMarker != nil:
		out.list = p.marker(raw.InMarker, spec{name: "in(" + to.name + ")", typ: types.ListOf(to.typ.Freeze())}).later
		return nil
	case raw.Op == cql.IN:
		out.values = make([]term, len(raw.InValues))
		for i, t := range raw.InValues {
			if out.values[i], err = p.prepare(t, to); err != nil {
				return err
			}
		}
		return nil
	}
	out.value, err = p.prepare(raw.Value, to)
	return err
}

// bind gives the conditions of a write; nil if there are none.
func (c *ifClause) bind(env *Env) (*plan.Conditions, error) {
	if !c.any() {
		return nil, nil
	}
	out := &plan.Conditions{Exists: c.exists, NotExists: c.notExists}
	for i := range c.tests {
		t, err := c.tests[i].bind(env)
		if err != nil {
			return nil, err
		}
		out.Tests = append(out.Tests, t)
	}
	return out, nil
}

func (c *condition) bind(env *Env) (plan.Condition, error) {
	out := plan.Condition{Column: c.column, Op: c.op, Part: c.part, Field: c.field}
	if c.part == plan.Element {
		key, unset, err := c.key.bind(env)
		kind := map[types.Kind]string{types.KindList: "list", types.KindMap: "map"}[c.column.Type.Kind]
		switch {
		case err != nil:
			return out, err
		case unset && kind == "list":
			return out, &plan.Error{Code: plan.ServerError, Message: "java.lang.IndexOutOfBoundsException"}
		case unset:
			key = []byte{} // as the marker of an unset value is empty itself
		case key == nil:
			return out, invalid("Invalid null value for %s element access", kind)
		case kind == "list" && len(key) == 0:
			return out, plan.Fault("java.lang.IndexOutOfBoundsException")
		case kind == "list" && types.DecodeInt32(key) < 0:
			return out, invalid("Invalid negative list index %d", types.DecodeInt32(key))
		}
		out.Key = key
	}
	if c.op == plan.In {
		return out, c.bindValues(&out, env)
	}
	v, unset, err := c.value.bind(env)
	out.Value, out.Unset = v, unset
	if err == nil && unset {
		err = c.unset()
	}
	return out, err
}

// unset is how Cassandra stumbles on a marker that was left unset: it takes that of
// a whole collection of many cells for a collection. Others are told of when the
// condition is tested.
// Source: Cassandra 5.0 ColumnCondition.MultiCellCollectionBound.
func (c *condition) unset() error {
	t := c.column.Type
	if c.part == plan.Whole && t.IsCollection() && t.IsMultiCell() && c.op != plan.Contains && c.op != plan.ContainsKey {
		return notCollectionValue(t)
	}
	return nil
}

func (c *condition) bindValues(out *plan.Condition, env *Env) error {
	if c.list != nil {
		elems, unset, ok, err := c.list.members(env)
		switch {
		case err != nil:
			return err
		case unset:
			return invalid("Invalid 'unset' value in condition")
		case !ok:
			return invalid("Invalid null list in IN condition")
		}
		out.Values = elems
		return nil
	}
	for _, t := range c.values {
		v, unset, err := t.bind(env)
		if err != nil {
			return err
		}
		if !unset {
			out.Values = append(out.Values, v)
		}
	}
	return nil
}
