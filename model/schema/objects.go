package schema

import (
	"slices"
	"sort"
	"strings"

	"github.com/google/uuid"

	"ringlab/model/types"
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
// sai among them. Options are those written, without class_name and target.
// Source: Cassandra 5.0 IndexMetadata.
type Index struct {
	Name    string
	Column  string
	Target  Target
	Class   string
	Options []Option
}

// IsSAI says whether the index is storage-attached.
func (i *Index) IsSAI() bool {
	short := i.Class[strings.LastIndexByte(i.Class, '.')+1:]
	return short == "StorageAttachedIndex" || strings.EqualFold(i.Class, "sai")
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

// View is what makes a table a materialized view: its base, whether it was
// defined with SELECT *, and its WHERE clause as CQL text.
// Source: Cassandra 5.0 ViewMetadata.
type View struct {
	Base   string
	BaseID uuid.UUID
	All    bool
	Where  string
}

// IsView says whether the table is a materialized view.
func (t *Table) IsView() bool { return t.View != nil }

// Views are the materialized views of a base table in order of name.
func (k *Keyspace) Views(base string) []*Table {
	var out []*Table
	for _, name := range k.TableNames() {
		if t := k.Tables[name]; t.IsView() && t.View.Base == base {
			out = append(out, t)
		}
	}
	return out
}

// Function is a user-defined function. Its body is Java, which is kept and shown
// but never run. Source: Cassandra 5.0 UDFunction.
type Function struct {
	Keyspace     string
	Name         string
	ArgNames     []string
	Args         []*types.Type
	Returns      *types.Type
	CalledOnNull bool
	Language     string
	Body         string
}

// Aggregate is a user-defined aggregate. InitCond is the initial state, nil for
// null. Source: Cassandra 5.0 UDAggregate.
type Aggregate struct {
	Keyspace  string
	Name      string
	Args      []*types.Type
	StateFunc string
	StateType *types.Type
	FinalFunc string // "" for none
	Returns   *types.Type
	InitCond  []byte
}

// Signature is what tells overloads apart: name(type, type).
func Signature(name string, args []*types.Type) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}

// FunctionsNamed are the overloads of a function in order of signature.
func (k *Keyspace) FunctionsNamed(name string) []*Function {
	var out []*Function
	for _, s := range sortedKeys(k.Functions) {
		if f := k.Functions[s]; f.Name == name {
			out = append(out, f)
		}
	}
	return out
}

// AggregatesNamed are the overloads of an aggregate in order of signature.
func (k *Keyspace) AggregatesNamed(name string) []*Aggregate {
	var out []*Aggregate
	for _, s := range sortedKeys(k.Aggregates) {
		if a := k.Aggregates[s]; a.Name == name {
			out = append(out, a)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for s := range m {
		out = append(out, s)
	}
	sort.Strings(out)
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
