package schema

import (
	"slices"
	"sort"
	"strings"
)

// Target is what of a column an index holds.
// Source: Cassandra 5.0 IndexTarget.Type.
type Target uint8

// The targets: whole values, and the keys, values or entries of a collection, or
// a frozen collection as a whole.
const (
	TargetSimple Target = iota
	TargetKeys
	TargetValues
	TargetEntries
	TargetFull
)

// String is the target's function in CREATE INDEX, "" for whole values.
func (t Target) String() string { return [...]string{"", "keys", "values", "entries", "full"}[t] }

// Index is one index of a table. Class is "" for the table-based index, else the
// class of a custom index as it was written, StorageAttachedIndex or its alias
// sai among them. Options are those written, without class_name and target, in
// order of key. Source: Cassandra 5.0 IndexMetadata.
type Index struct {
	Name    string
	Column  string
	Target  Target
	Class   string
	Options []Option
}

// SASI is the class of an index with LIKE.
const SASI = "org.apache.cassandra.index.sasi.SASIIndex"

// IsSAI says whether the index is storage-attached.
// Source: Cassandra 5.0 IndexMetadata.indexNameAliases.
func (i *Index) IsSAI() bool { return IsSAIClass(i.Class) }

// IsSAIClass says whether a class, or an alias, is that of storage-attached
// indexes.
func IsSAIClass(class string) bool {
	return class == "org.apache.cassandra.index.sai.StorageAttachedIndex" || strings.EqualFold(class, "sai") ||
		strings.EqualFold(class, "StorageAttachedIndex")
}

// IsSASI says whether the index is one of SASI.
func (i *Index) IsSASI() bool { return i.Class == SASI }

// Option is the value of an option; ok is false where it was not written.
func (i *Index) Option(key string) (value string, ok bool) {
	for _, o := range i.Options {
		if o.Key == key {
			return o.Value, true
		}
	}
	return "", false
}

// Same says whether two indexes are alike in all but their names.
// Source: Cassandra 5.0 IndexMetadata.equalsWithoutName.
func (i *Index) Same(j *Index) bool {
	return i.Column == j.Column && i.Target == j.Target && i.Class == j.Class && slices.Equal(i.Options, j.Options)
}

// TargetText is the target as CQL writes it, "" for the one index of Cassandra's
// own that is on no column. Source: Cassandra 5.0 IndexTarget.asCqlString.
func (i *Index) TargetText() string {
	if i.Column == "" {
		return ""
	}
	if i.Target == TargetSimple {
		return Quote(i.Column)
	}
	return i.Target.String() + "(" + Quote(i.Column) + ")"
}

// CreateIndexText is the index of a table as DESCRIBE shows it.
// Source: Cassandra 5.0 IndexMetadata.appendCqlTo.
func CreateIndexText(t *Table, i *Index) string {
	on := Quote(i.Name) + " ON " + t.String() + " (" + i.TargetText() + ")"
	if i.Class == "" {
		return "CREATE INDEX " + on + ";"
	}
	text := "CREATE CUSTOM INDEX " + on + " USING " + literal(i.Class)
	if len(i.Options) > 0 {
		text += " WITH OPTIONS = " + OptionsText(i.Options)
	}
	return text + ";"
}

// OptionsText is a map of options as CQL writes it.
func OptionsText(options []Option) string {
	parts := make([]string, len(options))
	for i, o := range options {
		parts[i] = literal(o.Key) + ": " + literal(o.Value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Index finds an index of the table by its exact name; nil if there is none.
func (t *Table) Index(name string) *Index {
	for _, i := range t.Indexes {
		if i.Name == name {
			return i
		}
	}
	return nil
}

// IndexesOn are the indexes whose target is that column.
func (t *Table) IndexesOn(column string) []*Index {
	var out []*Index
	for _, i := range t.Indexes {
		if i.Column == column {
			out = append(out, i)
		}
	}
	return out
}

// FindIndex finds an index of the keyspace by name, with its table.
func (k *Keyspace) FindIndex(name string) (*Table, *Index) {
	for _, n := range k.TableNames() {
		if i := k.Tables[n].Index(name); i != nil {
			return k.Tables[n], i
		}
	}
	return nil, nil
}

// WithIndex is the table with one more index, in order of name.
func (t *Table) WithIndex(i *Index) *Table {
	next := t.Clone()
	next.Indexes = append(slices.Clone(t.Indexes), i)
	sort.SliceStable(next.Indexes, func(a, b int) bool { return next.Indexes[a].Name < next.Indexes[b].Name })
	return next.Finish()
}

// WithoutIndex is the table without an index.
func (t *Table) WithoutIndex(name string) *Table {
	next := t.Clone()
	next.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(i *Index) bool { return i.Name == name })
	return next.Finish()
}

// IndexNames are the indexes of all tables of the keyspace in order of name.
func (k *Keyspace) IndexNames() []string {
	var out []string
	for _, t := range k.Tables {
		for _, i := range t.Indexes {
			out = append(out, i.Name)
		}
	}
	sort.Strings(out)
	return out
}
