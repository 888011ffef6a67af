package bind

import (
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// compact gives a table WITH COMPACT STORAGE its classic side, and the form in
// which its cells are stored; classic ones follow the rules before 3.0.
// Source: Cassandra 2.1 CFMetaData.rebuild.
func compact(t *schema.Table, classic bool) *schema.Table {
	f := schema.DefaultFamily()
	f.SignedTies = classic
	f.BloomFPChance, f.SpeculativeRetry = t.Options.BloomFPChance, "99.0PERCENTILE"
	f.KeyClass = classOf(t.Key)
	for _, c := range t.Key {
		f.KeyAliases = append(f.KeyAliases, c.Name)
	}
	for _, c := range t.Clustering {
		f.ColumnAliases = append(f.ColumnAliases, c.Name)
	}
	switch {
	case len(t.Clustering) == 0:
		f.Comparator = types.ClassOf(types.Text)
		for _, c := range t.Regular {
			f.Columns = append(f.Columns, schema.FamilyColumn{Name: []byte(c.Name), Class: types.ClassOf(c.Type)})
		}
		if t.Counter {
			f.ValueClass = types.ClassOf(types.Counter)
		}
	case len(t.Regular) == 0:
		f.KeyOnly = true
		f.Comparator = classOf(t.Clustering)
	default:
		f.Comparator = classOf(t.Clustering)
		f.ValueClass, f.ValueAlias = types.ClassOf(t.Regular[0].Type), t.Regular[0].Name
	}
	f.Counters = t.Counter
	return withOptions(f, t, t.Options)
}

// withOptions makes the table of a family with properties that CQL has set.
func withOptions(f *schema.Family, t *schema.Table, o schema.Options) *schema.Table {
	f.Comment, f.GCGrace, f.DefaultTTL, f.MemtableFlushPeriod = o.Comment, o.GCGrace, o.DefaultTTL, o.MemtableFlushPeriod
	out := f.Table(t.Keyspace, t.Name, t.ID)
	out.Options = o
	out.Stored().Options = o
	return out
}

// classOf is the class of a row key or of a comparator.
func classOf(columns []*schema.Column) *types.Comparator {
	parts := make([]*types.Comparator, len(columns))
	for i, c := range columns {
		parts[i] = types.ClassOf(c.Type)
		if c.Desc {
			parts[i] = &types.Comparator{Class: "ReversedType", Parts: []*types.Comparator{parts[i]}}
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &types.Comparator{Class: "CompositeType", Parts: parts}
}

// alterFamily brings a change of a table to its classic side: names of the key
// and the value are aliases, columns of a static family are its metadata.
func alterFamily(before, after *schema.Table) (*schema.Table, error) {
	f := *before.Family
	f.KeyAliases, f.ColumnAliases = nil, nil
	for _, c := range after.Key {
		f.KeyAliases = append(f.KeyAliases, c.Name)
	}
	for _, c := range after.Clustering {
		f.ColumnAliases = append(f.ColumnAliases, c.Name)
	}
	if !f.Static() {
		if len(after.Regular) == 1 {
			f.ValueAlias = after.Regular[0].Name
		}
		return withOptions(&f, after, after.Options), nil
	}
	f.Columns = slices.Clone(f.Columns)
	for _, c := range after.Regular {
		if before.Column(c.Name) != nil {
			continue
		}
		name, err := f.Comparator.ClassicParse(c.Name)
		if err != nil {
			return nil, plan.Invalid("%s", err)
		}
		f.Columns = append(f.Columns, schema.FamilyColumn{Name: name, Class: types.ClassOf(c.Type)})
	}
	out := withOptions(&f, after, after.Options)
	out.Indexes = after.Indexes
	return out, nil
}
