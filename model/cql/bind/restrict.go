package bind

import (
	"fmt"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// restrictionKind is the form of a restriction.
type restrictionKind uint8

const (
	equality restrictionKind = iota
	membership
	interval
	containment
	likeness
	nearest // ORDER BY … ANN OF, which indexes know as a restriction
)

// Start and end of an interval, as indexes of its bounds.
const (
	start = 0
	end   = 1
)

// restriction is what the WHERE clause says about one column, about several
// clustering columns together, or about the token of the partition key.
// Source: Cassandra 5.0 SingleColumnRestriction, MultiColumnRestriction, TokenRestriction.
type restriction struct {
	kind    restrictionKind
	multi   bool // written as (a, b) op …
	columns []*schema.Column
	value   tupleTerm   // equality, likeness, nearest
	values  []tupleTerm // membership
	list    *later      // membership in a marker
	bounds  [2]limit    // interval
	tests   []contained // containment
}

// limit is one end of an interval.
type limit struct {
	set       bool
	inclusive bool
	value     tupleTerm
}

// contained is CONTAINS, CONTAINS KEY or column[key] = value.
type contained struct {
	op    plan.Op
	key   term
	value term
}

// tupleTerm is one value for each column of a restriction.
type tupleTerm struct {
	one    [1]term // of a single column
	terms  []term
	marker *later // (a, b) > ?
}

func single(t term) tupleTerm { return tupleTerm{one: [1]term{t}} }

// isInclusive is true also where there is no bound.
func (r *restriction) isInclusive(b int) bool { return !r.bounds[b].set || r.bounds[b].inclusive }

func (r *restriction) first() *schema.Column { return r.columns[0] }
func (r *restriction) last() *schema.Column  { return r.columns[len(r.columns)-1] }

// rank is the place of a column among the restrictions of its kind.
func rank(c *schema.Column) int {
	if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
		return c.Position
	}
	return -1
}

// merge joins two restrictions of the same columns, which only intervals from
// two sides and tests of containment allow.
// Source: Cassandra 5.0 SingleColumnRestriction.mergeWith, MultiColumnRestriction.mergeWith.
func (r *restriction) merge(o *restriction) (*restriction, error) {
	if r.multi || o.multi && r.kind != containment && r.kind != likeness {
		return r.mergeMulti(o)
	}
	name := r.first().Name
	switch r.kind {
	case equality:
		return nil, invalid("%s cannot be restricted by more than one relation if it includes an Equal", name)
	case membership:
		return nil, invalid("%s cannot be restricted by more than one relation if it includes a IN", name)
	case likeness:
		return nil, invalid("%s cannot be restricted by more than one relation if it includes a LIKE", name)
	case containment:
		if o.kind != containment {
			return nil, invalid("Collection column %s can only be restricted by CONTAINS, CONTAINS KEY, or map-entry equality", name)
		}
		merged := *r
		merged.tests = append(append([]contained(nil), r.tests...), o.tests...)
		return &merged, nil
	}
	if o.kind != interval {
		return nil, invalid("Column \"%s\" cannot be restricted by both an equality and an inequality relation", name)
	}
	return r.mergeBounds(o, name, "More than one restriction was found for the %s bound on %s")
}

// mergeMulti is merge where one of both is about several columns.
func (r *restriction) mergeMulti(o *restriction) (*restriction, error) {
	names := common2(r.columns, o.columns)
	switch r.kind {
	case equality:
		return nil, invalid("%s cannot be restricted by more than one relation if it includes an Equal", names)
	case membership:
		return nil, invalid("%s cannot be restricted by more than one relation if it includes a IN", names)
	}
	if o.kind != interval {
		return nil, invalid("Column \"%s\" cannot be restricted by both an equality and an inequality relation", names)
	}
	if r.first() != o.first() {
		later := r.first()
		if o.first().Position > later.Position {
			later = o.first()
		}
		return nil, invalid("Column \"%s\" cannot be restricted by two inequalities not starting with the same column", later.Name)
	}
	merged, err := r.mergeBounds(o, names, "More than one restriction was found for the %s bound on %s")
	if err == nil {
		merged.multi = true
		if len(o.columns) > len(r.columns) {
			merged.columns = o.columns
		}
	}
	return merged, err
}

func (r *restriction) mergeBounds(o *restriction, names, message string) (*restriction, error) {
	for b, word := range [...]string{"start", "end"} {
		if r.bounds[b].set && o.bounds[b].set {
			return nil, invalid(message, word, names)
		}
	}
	merged := *r
	for b := range merged.bounds {
		if o.bounds[b].set {
			merged.bounds[b] = o.bounds[b]
		}
	}
	return &merged, nil
}

// common2 lists the columns that both have.
func common2(a, b []*schema.Column) string {
	text := ""
	for _, c := range a {
		for _, d := range b {
			if c == d {
				if text != "" {
					text += " ,"
				}
				text += c.Name
			}
		}
	}
	return text
}

// bind gives the values of a tuple, one for each column.
func (t *tupleTerm) bind(env *Env) (values [][]byte, unset bool, err error) {
	if t.marker != nil {
		v := t.marker.raw(env)
		switch {
		case t.marker.index < len(env.Unset) && env.Unset[t.marker.index]:
			return nil, false, invalid("Invalid unset value for tuple %s", t.marker.spec.name)
		case v == nil:
			return nil, false, &plan.Error{Code: plan.ServerError, Message: `java.lang.NullPointerException: Cannot invoke ` +
				`"org.apache.cassandra.cql3.Tuples$Value.getElements()" because "t" is null`}
		}
		fields, err := splitTuple(t.marker.spec.typ, v)
		return fields, false, err
	}
	if t.terms == nil {
		v, unset, err := t.one[0].bind(env)
		return [][]byte{v}, unset, err
	}
	values = make([][]byte, len(t.terms))
	for i, e := range t.terms {
		v, unset, err := e.bind(env)
		switch {
		case err != nil:
			return nil, false, err
		case unset:
			return nil, false, invalid("Invalid unset value for tuple field number %d", i)
		}
		values[i] = v
	}
	return values, false, nil
}

// splitTuple takes a bound tuple apart, whose components may be anything.
// Source: Cassandra 5.0 TupleType.split.
func splitTuple(t *types.Type, v []byte) (fields [][]byte, err error) {
	const failed = "org.apache.cassandra.serializers.MarshalException: "
	for i := range t.Elems {
		if len(v) == 0 {
			return fields, nil
		}
		if len(v) < 4 || int(types.DecodeInt32(v)) > len(v)-4 {
			return nil, plan.Fault(fmt.Sprintf(failed+"Not enough bytes to read %dth component", i))
		}
		n := int(types.DecodeInt32(v))
		v = v[4:]
		if n < 0 {
			fields = append(fields, nil)
			continue
		}
		fields, v = append(fields, v[:n:n]), v[n:]
	}
	if len(v) > 0 {
		what := "values"
		if len(t.Elems) == 1 {
			what = "value"
		}
		return nil, plan.Fault(fmt.Sprintf(failed+"Expected %d %s for %s column, but got more", len(t.Elems), what, t.Freeze()))
	}
	return fields, nil
}

// members are the tuples of an IN.
func (r *restriction) members(env *Env) ([][][]byte, error) {
	if r.list != nil {
		return r.boundMembers(env)
	}
	out := make([][][]byte, 0, len(r.values))
	missing := false
	for i := range r.values {
		v, unset, err := r.values[i].bind(env)
		if err != nil {
			return nil, err
		}
		if missing = missing || unset; !unset {
			out = append(out, v)
		}
	}
	if missing && !hasNull(out) { // a null is told of first
		return nil, invalid("Invalid unset value for column %s", r.first().Name)
	}
	return out, nil
}

// operators of relations as filters know them.
var filterOps = map[cql.Op]plan.Op{cql.CONTAINS: plan.Contains, cql.CONTAINS_KEY: plan.ContainsKey}
