package bind

import (
	"bytes"
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// whereText is a WHERE clause as views keep it.
// Source: Cassandra 5.0 WhereClause.toCQLString.
func whereText(relations []cql.Relation) string {
	out := make([]string, len(relations))
	for i := range relations {
		out[i] = relations[i].String()
	}
	return strings.Join(out, " AND ")
}

// viewWhere checks the WHERE clause of a view on its base; notNull are the
// columns with IS NOT NULL.
func viewWhere(relations []cql.Relation, base *schema.Table, env *Env) (w *where, notNull map[string]bool, err error) {
	p := &preparation{env: env, table: base}
	w, notNull = &where{table: base}, map[string]bool{}
	for i := range relations {
		r := &relations[i]
		if r.Op == cql.IS_NOT {
			c, err := p.column(r.Columns[0])
			if err != nil {
				return nil, nil, err
			}
			notNull[c.Name] = true
			continue
		}
		if err := p.addRelation(w, selecting, r, true); err != nil {
			return nil, nil, err
		}
	}
	return w, notNull, w.finish(selecting, false, true)
}

// viewFilter makes the test that says which rows of the base a view holds: none
// where its WHERE clause lets all of them pass.
func viewFilter(view, base *schema.Table, env *Env) error {
	st, err := cql.Parse("SELECT * FROM x WHERE " + view.View.Where)
	if err != nil {
		return plan.Syntax("Failed parsing CQL term: [%s] reason: SyntaxException %s", view.View.Where, err)
	}
	w, _, err := viewWhere(st.(*cql.Select).Where, base, env)
	if err != nil {
		return err
	}
	var tests []func(key, clustering [][]byte) bool
	for _, set := range []*restrictions{&w.key, &w.clustering} {
		set.each(func(r *restriction) bool {
			var t func(values [][]byte) bool
			if t, err = r.test(env); err == nil {
				tests = append(tests, func(key, clustering [][]byte) bool {
					values := key
					if r.first().Kind == schema.Clustering {
						values = clustering
					}
					own := make([][]byte, len(r.columns))
					for i, c := range r.columns {
						own[i] = values[c.Position]
					}
					return t(own)
				})
			}
			return err == nil
		})
	}
	if err != nil || len(tests) == 0 {
		return err
	}
	view.View.Holds = func(key, clustering [][]byte) bool {
		for _, t := range tests {
			if !t(key, clustering) {
				return false
			}
		}
		return true
	}
	return nil
}

// test says which values of its columns the restriction lets pass.
func (r *restriction) test(env *Env) (func(values [][]byte) bool, error) {
	compare := func(a, b [][]byte) int {
		for i := range min(len(a), len(b)) {
			if o := r.columns[i].Type.Compare(a[i], b[i]); o != 0 {
				return o
			}
		}
		return 0
	}
	switch r.kind {
	case equality:
		want, _, err := r.value.bind(env)
		return func(v [][]byte) bool { return !hasNull([][][]byte{want}) && compare(v, want) == 0 }, err
	case membership:
		members, err := r.members(env)
		return func(v [][]byte) bool {
			return slices.ContainsFunc(members, func(m [][]byte) bool { return !hasNull([][][]byte{m}) && compare(v, m) == 0 })
		}, err
	case interval:
		var bounds [2][][]byte
		for b := range bounds {
			if !r.bounds[b].set {
				continue
			}
			var err error
			if bounds[b], _, err = r.bounds[b].value.bind(env); err != nil {
				return nil, err
			}
		}
		return func(v [][]byte) bool {
			for b, sign := range [2]int{1, -1} {
				if !r.bounds[b].set || hasNull([][][]byte{bounds[b]}) {
					continue
				}
				if o := sign * compare(v, bounds[b]); o < 0 || o == 0 && !r.bounds[b].inclusive {
					return false
				}
			}
			return true
		}, nil
	}
	fs, err := r.containments(nil, env)
	return func(v [][]byte) bool {
		return !slices.ContainsFunc(fs, func(f plan.Filter) bool { return !contains(r.first().Type, v[0], f) })
	}, err
}

// contains is CONTAINS or CONTAINS KEY of a frozen collection.
func contains(t *types.Type, value []byte, f plan.Filter) bool {
	elems, _ := types.DecodeCollection(value)
	if t.Kind == types.KindMap {
		kv, _ := types.DecodeMap(value)
		elems = nil
		for i := 0; i+1 < len(kv); i += 2 {
			e := kv[i]
			if f.Op == plan.Contains {
				e = kv[i+1]
			}
			elems = append(elems, e)
		}
	}
	return slices.ContainsFunc(elems, func(e []byte) bool { return bytes.Equal(e, f.Value) })
}

// renameInViews carries the renamed columns of a base table into its views.
// Source: Cassandra 5.0 ViewMetadata.withRenamedPrimaryKeyColumn.
func renameInViews(next *schema.Keyspace, base *schema.Table, to map[string]string, env *Env) error {
	for _, v := range next.Views(base.Name) {
		st, err := cql.Parse("SELECT * FROM x WHERE " + v.View.Where)
		if err != nil {
			return err
		}
		relations := st.(*cql.Select).Where
		for i := range relations {
			for j, n := range relations[i].Columns {
				if name, ok := to[n.Text]; ok {
					relations[i].Columns[j] = cql.Name{Text: name, Quoted: true}
				}
			}
		}
		after, view := v.Clone(), *v.View
		view.Where = whereText(relations)
		after.View = &view
		for _, list := range [][]*schema.Column{after.Key, after.Clustering} {
			for i, c := range list {
				if name, ok := to[c.Name]; ok {
					renamed := *c
					renamed.Name = name
					list[i] = &renamed
				}
			}
		}
		next.Tables[v.Name] = after.Finish()
		if err := viewFilter(after, base, env); err != nil {
			return err
		}
	}
	return nil
}

// addToViews gives the new regular columns of a base table to its views with SELECT *.
// Source: Cassandra 5.0 AlterTableStatement.AddColumns.
func addToViews(next *schema.Keyspace, before, base *schema.Table) {
	for _, v := range next.Views(base.Name) {
		if !v.View.All {
			continue
		}
		after := v.Clone()
		for _, c := range base.Columns() {
			if before.Column(c.Name) == nil && c.Kind == schema.Regular {
				after.Regular = append(after.Regular, &schema.Column{ID: after.NextID, Name: c.Name, Type: c.Type, Kind: schema.Regular, Position: -1})
				after.NextID++
			}
		}
		next.Tables[v.Name] = after.Finish()
	}
}
