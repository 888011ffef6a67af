package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Variable is a marker of a statement: what a client binds to it.
type Variable struct {
	Name  string
	Type  *types.Type
	Table *schema.Table // nil for those of a batch itself
}

// Prepared is what a client learns of a prepared statement.
// Source: Cassandra 5.0 ResultSet.PreparedMetadata.
type Prepared struct {
	Table     *schema.Table
	Others    []*schema.Table // that a batch writes beside the first
	Variables []Variable      // by index
	Key       []int           // for each partition key column the variable that is its value; nil if one has none
	Columns   []plan.Selector // of the answer, without expressions; nil for writes
}

// Prepare checks a statement that reads or writes rows without any values.
// Other statements have no variables and give nil; what their text alone lacks is
// refused.
// Source: Cassandra 5.0 QueryProcessor.prepare.
func Prepare(st cql.Statement, env *Env) (*Prepared, error) {
	switch s := st.(type) {
	case *cql.Select:
		p, err := prepareOn(s.Table, env)
		if err != nil {
			return nil, err
		}
		out, err := p.prepareSelect(s)
		if p.misfit != nil {
			err = p.misfit
		}
		if err != nil {
			return nil, err
		}
		return p.prepared(out.selectors, s.JSON), nil
	case *cql.Insert, *cql.InsertJSON, *cql.Update, *cql.Delete:
		p, st, err := prepareWrite(s, env)
		if err == nil {
			err = st.validate()
		}
		if err != nil {
			return nil, err
		}
		return p.prepared(nil, false), nil
	case *cql.Batch:
		out, err := prepareBatch(s, env)
		if err != nil {
			return nil, err
		}
		return out.prepared(), nil
	}
	return nil, prepareSchema(st, env)
}

func (p *preparation) prepared(selectors []selector, json bool) *Prepared {
	out := &Prepared{Table: p.table}
	for _, s := range selectors {
		out.Columns = append(out.Columns, plan.Selector{Name: s.name, Type: s.shown()})
	}
	if json {
		out.Columns = []plan.Selector{{Name: "[json]", Type: types.Text}}
	}
	for _, m := range p.markers {
		out.Variables = append(out.Variables, Variable{m.name, m.typ, p.table})
	}
	out.Key = keyVariables(p.table, p.markers)
	return out
}

// keyVariables is for each partition key column the variable that is its value;
// nil if one has none.
func keyVariables(t *schema.Table, variables []spec) []int {
	var out []int
	for _, k := range t.Key {
		at := -1
		for i, m := range variables {
			if m.column == k {
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// marker is a term that waits for a bound value; a named marker keeps its name.
func (p *preparation) marker(m *cql.Marker, s spec) term {
	for len(p.markers) <= m.Index {
		p.markers = append(p.markers, spec{})
	}
	noted := s
	if m.Name.Text != "" {
		noted.name = m.Name.Text
	}
	p.markers[m.Index] = noted
	return term{later: &later{kind: marker, index: m.Index, spec: s}}
}
