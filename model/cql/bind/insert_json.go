package bind

import (
	"fmt"
	"slices"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// jsonRow is the object of INSERT JSON as values of columns. One from a marker
// is read when it is bound.
type jsonRow struct {
	table  *schema.Table
	marker *later // nil for a literal
	values map[*schema.Column][]byte
	done   bool
}

// prepareInsertJSON checks INSERT … JSON.
// Source: Cassandra 5.0 UpdateStatement.ParsedInsertJson.prepareInternal.
func (p *preparation) prepareInsertJSON(s *cql.InsertJSON) (*writeStatement, error) {
	st := &writeStatement{kind: plan.Insert, verb: inserting, table: p.table}
	var err error
	if st.attributes, err = p.attributes(s.Using); err != nil {
		return nil, err
	}
	st.conditions.notExists = s.IfNotExists
	if p.table.Counter {
		return nil, invalid("INSERT statements are not allowed on counter tables, use UPDATE instead")
	}
	row := &jsonRow{table: p.table}
	switch v := s.Value.(type) {
	case *cql.Constant:
		if err := row.decode(v.Text, p.env); err != nil {
			return nil, err
		}
	case *cql.Marker:
		row.marker = p.marker(v, spec{name: "[json]", typ: types.Text}).later
	}
	st.where = &where{table: p.table, compact: p.table.Compact && !p.env.Classic}
	for _, c := range p.table.Columns() {
		value := row.term(c, s.DefaultUnset)
		if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
			r := &restriction{kind: equality, columns: []*schema.Column{c}, value: single(value)}
			if err := st.where.add(r, false, false); err != nil {
				return nil, err
			}
			continue
		}
		st.add(operation{column: c, kind: plan.Set, value: value})
	}
	if err := st.where.finish(inserting, len(p.table.Clustering) == 0 && st.onlyStatic(), false); err != nil {
		return nil, err
	}
	return st, st.finish()
}

// term is the value of a column: that of the object, null, or unset.
func (r *jsonRow) term(c *schema.Column, unset bool) term {
	if r.marker != nil {
		return term{later: &later{kind: jsonLater, spec: columnSpec(c), json: r, column: c, unset: unset}}
	}
	v, ok := r.values[c]
	if !ok && unset {
		return term{later: &later{kind: jsonLater, json: r, column: c, unset: true}}
	}
	return term{value: v}
}

// value is what a column gets when values are bound.
func (r *jsonRow) value(c *schema.Column, unset bool, env *Env) ([]byte, bool, error) {
	if r.marker != nil && !r.done {
		if bad := r.marker.raw(env); types.Text.Validate(bad) != nil { // Json.Marker does not catch it
			return nil, false, plan.Fault(fmt.Sprintf("org.apache.cassandra.serializers.MarshalException: Invalid UTF-8 bytes %x", bad))
		}
		text, unset, err := r.marker.bind(env)
		if err != nil {
			return nil, false, err
		}
		if text == nil && !unset { // the mark of an unset value is an empty text
			return nil, false, invalid("Got null for INSERT JSON values")
		}
		if err := r.decode(string(text), env); err != nil {
			return nil, false, err
		}
	}
	v, ok := r.values[c]
	return v, !ok && unset, nil
}

// hashedColumns are the columns in the order in which an object is searched for
// them. Source: Cassandra 5.0 TableMetadata.columns.
func hashedColumns(t *schema.Table) []*schema.Column {
	var names, rest []string
	for _, c := range t.Columns() {
		if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
			names = append(names, c.Name)
		} else {
			rest = append(rest, c.Name)
		}
	}
	slices.Sort(rest)
	names = append(names, rest...)
	cql.SortByHash(names)
	out := make([]*schema.Column, len(names))
	for i, n := range names {
		out[i] = t.Column(n)
	}
	return out
}

// decode reads the object.
// Source: Cassandra 5.0 Json.parseJson.
func (r *jsonRow) decode(text string, env *Env) error {
	r.done, r.values = true, map[*schema.Column][]byte{}
	o, err := types.ReadJSONObject(text)
	switch {
	case err != nil:
		return invalid("Could not decode JSON string as a map: %s. (String was: %s)", err.Error(), text)
	case o == nil:
		return invalid("Got null for INSERT JSON values")
	}
	o = o.FoldCase()
	for _, c := range hashedColumns(r.table) {
		x, ok := o.Values[c.Name]
		if !ok {
			continue
		}
		delete(o.Values, c.Name)
		b, err := c.Type.FromJSON(x)
		if err == types.ErrNow {
			b, err = types.EncodeInt64(env.Now()/1000), nil
		}
		if fault, ok := err.(*types.Fault); ok {
			return plan.Fault(fault.Msg)
		}
		if m, ok := err.(*types.MarshalError); ok && m.Request {
			return invalid("%s", m.Msg)
		}
		if err != nil {
			return invalid("Error decoding JSON value for %s: %s", c.Name, err.Error())
		}
		r.values[c] = b
	}
	for _, k := range o.Keys {
		if _, left := o.Values[k]; left {
			return invalid("JSON values map contains unrecognized column: %s", k)
		}
	}
	return nil
}
