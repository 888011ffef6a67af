package schema

import (
	"slices"

	"ringlab/model/types"
)

// ValidName says whether a keyspace or table can have that name: 1 to 48
// letters, digits and underscores.
// Source: Cassandra 5.0 SchemaConstants.isValidName.
func ValidName(name string) bool {
	if name == "" || len(name) > 48 {
		return false
	}
	return ValidTableName(name)
}

// ValidTableName is ValidName without the bound on the length, which 5.0 no
// longer checks for new tables.
func ValidTableName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return name != ""
}

// WithType is the keyspace after a user type was created or altered: types,
// columns, functions and aggregates that contain it contain the new form.
// Source: Cassandra 5.0 KeyspaceMetadata.withUpdatedUserType.
func (k *Keyspace) WithType(t *types.Type) *Keyspace {
	next := k.Clone()
	for _, name := range k.TypeNames() {
		next.Types[name] = Substitute(next.Types[name], t)
	}
	next.Types[t.Name] = t
	for _, name := range k.TableNames() {
		next.Tables[name] = k.Tables[name].withType(t)
	}
	for s, f := range k.Functions {
		changed := *f
		changed.Args, changed.Returns, changed.Compiled = substituteAll(f.Args, t), Substitute(f.Returns, t), nil
		next.Functions[s] = &changed
	}
	for s, a := range k.Aggregates {
		changed := *a
		if slices.ContainsFunc(append([]*types.Type{a.StateType, a.Returns}, a.Args...), func(u *types.Type) bool { return u.ReferencesUDT(t.Keyspace, t.Name) }) {
			changed.Step, changed.Final = nil, nil
		}
		changed.Args, changed.StateType, changed.Returns = substituteAll(a.Args, t), Substitute(a.StateType, t), Substitute(a.Returns, t)
		next.Aggregates[s] = &changed
	}
	return next
}

func substituteAll(list []*types.Type, udt *types.Type) []*types.Type {
	out := make([]*types.Type, len(list))
	for i, t := range list {
		out[i] = Substitute(t, udt)
	}
	return out
}

func (t *Table) withType(udt *types.Type) *Table {
	if !t.ReferencesType(udt.Keyspace, udt.Name) {
		return t
	}
	next := t.Clone()
	for _, list := range [][]*Column{next.Key, next.Clustering, next.Static, next.Regular} {
		for i, c := range list {
			if c.Type.ReferencesUDT(udt.Keyspace, udt.Name) {
				changed := *c
				changed.Type = Substitute(c.Type, udt)
				list[i] = &changed
			}
		}
	}
	return next.Finish()
}

// ReferencesType says whether a column holds values of the user type.
func (t *Table) ReferencesType(keyspace, name string) bool {
	for _, c := range t.Columns() {
		if c.Type.ReferencesUDT(keyspace, name) {
			return true
		}
	}
	return false
}

// Substitute puts the new form of a user type in place of the old one, wherever
// it occurs, and keeps what is frozen.
func Substitute(t, udt *types.Type) *types.Type {
	switch {
	case !t.ReferencesUDT(udt.Keyspace, udt.Name):
		return t
	case t.Kind == types.KindUDT && t.Keyspace == udt.Keyspace && t.Name == udt.Name:
		if t.Frozen {
			return udt.Freeze()
		}
		return udt
	}
	c := *t
	c.Elems = make([]*types.Type, len(t.Elems))
	for i, e := range t.Elems {
		c.Elems[i] = Substitute(e, udt)
	}
	return &c
}

// Expand replaces user types by tuples of their fields, the form in which the
// types of dropped columns are kept.
// Source: Cassandra 5.0 AbstractType.expandUserTypes.
func Expand(t *types.Type) *types.Type {
	if t.IsNative() {
		return t
	}
	elems := make([]*types.Type, len(t.Elems))
	for i, e := range t.Elems {
		elems[i] = Expand(e)
	}
	if t.Kind == types.KindUDT {
		return types.TupleOf(elems...)
	}
	c := *t
	c.Elems = elems
	return &c
}
