package bind

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// AddFamily makes a column family. Source: Cassandra 2.1 CassandraServer.system_add_column_family.
func (e *Env) AddFamily(d *FamilyDef, id uuid.UUID) (*plan.SchemaChange, error) {
	k, err := e.writableKeyspace()
	if err != nil {
		return nil, err
	}
	f, err := d.family()
	if err != nil {
		return nil, err
	}
	if err := f.checkCompaction(); err != nil {
		return nil, err
	}
	if err := e.nameIndexes(f, d.Name, nil); err != nil {
		return nil, err
	}
	if !schema.ValidTableName(d.Name) || len(d.Name) > maxName {
		return nil, badName("ColumnFamily", d.Name)
	}
	if err := f.check(e.Schema, d, nil); err != nil {
		return nil, err
	}
	if k.Tables[d.Name] != nil {
		return nil, plan.Invalid("Cannot add already existing column family \"%s\" to keyspace \"%s\"", d.Name, k.Name)
	}
	f.Counters, f.SignedTies = f.ValueClass.Counter(), true
	return e.replace(k, f.Table(k.Name, d.Name, id), "CREATED"), nil
}

// UpdateFamily changes a column family into what the definition says.
// Source: CassandraServer.system_update_column_family, CFMetaData.validateCompatility.
func (e *Env) UpdateFamily(d *FamilyDef) (*plan.SchemaChange, error) {
	v, err := e.family(d.Name)
	if err != nil {
		return nil, err
	}
	k, err := e.writableKeyspace()
	if err != nil {
		return nil, err
	}
	if v.CQL3 {
		return nil, plan.Invalid("Cannot modify CQL3 table %s as it may break the schema. You should use cqlsh to modify CQL3 tables instead.", d.Name)
	}
	f, err := d.family()
	if err != nil {
		return nil, err
	}
	old := v.Family
	if err := f.checkCompaction(); err != nil {
		return nil, err
	}
	if err := e.nameIndexes(f, d.Name, old); err != nil {
		return nil, err
	}
	if err := f.check(e.Schema, d, v.Table); err != nil {
		return nil, err
	}
	switch {
	case f.Super != old.Super:
		return nil, plan.Invalid("types do not match.")
	case f.Comparator.Composite() && old.Comparator.Type != nil && f.Comparator.Parts[0].CompatibleWith(old.Comparator):
		return nil, plan.Unsupported("a composite comparator in the place of a simple one", "make a new column family (a real node takes it, and fails on the columns that are there)")
	case !f.Super && old.Comparator.Class == "CompositeType" && old.Comparator.Type == nil && len(old.Comparator.Parts) == 0: // no component to agree with
	case !f.Comparator.CompatibleWith(old.Comparator) || f.Super && !f.Subcomparator.CompatibleWith(old.Subcomparator):
		return nil, plan.Invalid("comparators do not match or are not compatible.")
	}
	f.KeyAliases, f.ColumnAliases, f.ValueAlias, f.KeyOnly, f.Counters = old.KeyAliases, old.ColumnAliases, old.ValueAlias, old.KeyOnly, old.Counters
	f.SignedTies = old.SignedTies
	return e.replace(k, f.Table(k.Name, d.Name, v.Table.ID), "UPDATED"), nil
}

// DropFamily drops a column family, or a table of CQL.
// Source: CassandraServer.system_drop_column_family.
func (e *Env) DropFamily(name string) (*plan.SchemaChange, error) {
	if _, err := e.family(name); err != nil {
		return nil, err
	}
	k, err := e.writableKeyspace()
	if err != nil {
		return nil, err
	}
	if views := k.Views(name); len(views) > 0 {
		return nil, plan.Invalid("Cannot drop table when materialized views still depend on it (%s)", k.Name)
	}
	next := k.Clone()
	delete(next.Tables, name)
	return &plan.SchemaChange{After: e.Schema.With(next), Event: &plan.SchemaEvent{Change: "DROPPED", Target: "TABLE", Keyspace: k.Name, Name: name}}, nil
}

func (e *Env) replace(k *schema.Keyspace, t *schema.Table, change string) *plan.SchemaChange {
	next := k.Clone()
	next.Tables[t.Name] = t
	return &plan.SchemaChange{After: e.Schema.With(next), Event: &plan.SchemaEvent{Change: change, Target: "TABLE", Keyspace: k.Name, Name: t.Name}}
}

func (e *Env) writableKeyspace() (*schema.Keyspace, error) {
	if e.Keyspace == "" {
		return nil, plan.Invalid("You have not set a keyspace for this session")
	}
	if schema.System(e.Keyspace) {
		return nil, plan.Invalid("%s keyspace is not user-modifiable", e.Keyspace)
	}
	return e.Schema.Keyspace(e.Keyspace), nil
}

// maxName is how long names of keyspaces and column families may be.
// Source: Cassandra 2.1 Schema.NAME_LENGTH.
const maxName = 48

func badName(what, name string) error {
	return plan.Invalid("%s name must not be empty, more than 48 characters long, or contain non-alphanumeric-underscore characters (got \"%s\")", what, name)
}

// family is a Family with what is checked on it.
type family struct{ *schema.Family }

// family reads the definition. Source: CFMetaData.fromThrift.
func (d *FamilyDef) family() (family, error) {
	f := family{schema.DefaultFamily()}
	switch d.ColumnType {
	case "", "Standard":
	case "Super":
		f.Super = true
	default:
		return f, plan.Invalid("Invalid column type %s", d.ColumnType)
	}
	classes := []struct {
		text string
		into **types.Comparator
	}{{d.Comparator, &f.Comparator}, {d.KeyClass, &f.KeyClass}, {d.ValueClass, &f.ValueClass}}
	if f.Super {
		f.Subcomparator = types.ClassOf(types.Blob)
		classes = append(classes, struct {
			text string
			into **types.Comparator
		}{d.Subcomparator, &f.Subcomparator})
	}
	for _, c := range classes {
		if c.text == "" {
			continue
		}
		var err error
		if *c.into, err = ParseClass(c.text); err != nil {
			return f, err
		}
	}
	if counterInside(f.Comparator) || counterInside(f.Subcomparator) {
		return f, plan.Unsupported("CounterColumnType as a comparator", "counters are values: make it the default_validation_class (a real node fails and closes the connection)")
	}
	if err := f.columns(d); err != nil {
		return f, err
	}
	return f, f.properties(d)
}

// columns reads column_metadata. Of one name the last entry counts.
func (f family) columns(d *FamilyDef) error {
	for _, c := range d.Columns {
		names := f.MetadataClass()
		if err := names.ClassicValidate(c.Name); err != nil {
			return plan.Invalid("Column name %s is not valid for comparator %s", hex.EncodeToString(c.Name), names.SchemaName())
		}
		class, err := ParseClass(c.Class)
		if err != nil {
			return err
		}
		one := schema.FamilyColumn{Name: stored(names, c.Name), Class: class, Options: c.Options}
		switch c.Type {
		case "":
		case "KEYS", "CUSTOM":
			one.Custom = c.Type == "CUSTOM"
			one.Index = c.Index
			if one.Index == "" {
				one.Index = unnamed
			}
		default:
			return plan.Unsupported("index_type "+c.Type, "KEYS is the index of column families (a real node fails and closes the connection)")
		}
		if i := slices.IndexFunc(f.Columns, func(o schema.FamilyColumn) bool { return string(o.Name) == string(one.Name) }); i >= 0 {
			f.Columns[i] = one
			continue
		}
		f.Columns = append(f.Columns, one)
	}
	return nil
}

// stored is a name of column_metadata as a node keeps it: as text, which not every
// class reads back as it was. A timestamp loses its seconds, an integer the zeros
// before it. Source: Cassandra 2.1 ColumnDefinition.toSchema, fromSchema.
func stored(class *types.Comparator, name []byte) []byte {
	text, err := class.ClassicText(name)
	if err != nil {
		return name
	}
	again, err := class.ClassicParse(text)
	if err != nil {
		return name
	}
	return again
}

// unnamed is the name of an index until nameIndexes gives it one.
const unnamed = "\x00"

var notWord = regexp.MustCompile(`\W`)

// nameIndexes gives indexes without a name the one that they had, else a name that
// no index of any keyspace has.
// Source: Cassandra 2.1 CFMetaData.addDefaultIndexNames, existingIndexNames.
func (e *Env) nameIndexes(f family, cf string, old *schema.Family) error {
	taken := map[string]bool{}
	for _, name := range e.Schema.Names() {
		for _, t := range e.Schema.Keyspace(name).Tables {
			for _, i := range t.Indexes {
				taken[i.Name] = true
			}
		}
	}
	for i := range f.Columns {
		c := &f.Columns[i]
		if c.Index == "" {
			continue
		}
		if old != nil {
			if was := old.Column(c.Name); was != nil && was.Index != "" {
				if c.Index != unnamed && c.Index != was.Index {
					return plan.Invalid("Can't modify index name: was '%s' changed to '%s'.", was.Index, c.Index)
				}
				c.Index = was.Index
			}
		}
		if c.Index != unnamed {
			continue
		}
		base := notWord.ReplaceAllString(cf+"_"+f.MetadataClass().ClassicShown(c.Name)+"_idx", "")
		c.Index = base
		for n := 1; taken[c.Index]; n++ {
			c.Index = base + "_" + strconv.Itoa(n)
		}
	}
	return nil
}

// check is the last check of a new column family, or of one that was before.
// Source: Cassandra 2.1 CFMetaData.validate.
func (f family) check(s *schema.Schema, d *FamilyDef, before *schema.Table) error {
	if f.KeyClass.Counter() {
		return plan.Invalid("CounterColumnType is not a valid key validator")
	}
	counter := f.ValueClass.Counter()
	columns := slices.SortedFunc(slices.Values(f.Columns), func(a, b schema.FamilyColumn) int { return bytes.Compare(a.Name, b.Name) })
	if !counter {
		columns = f.MetadataOrder()
	}
	for _, c := range columns {
		switch name := f.MetadataClass().ClassicShown(c.Name); {
		case counter && !c.Class.Counter():
			return plan.Invalid("Cannot add a non counter column (%s) in a counter column family", name)
		case !counter && c.Class.Counter():
			return plan.Invalid("Cannot add a counter column (%s) in a non counter column family", name)
		}
	}
	if before != nil && before.Family.Counters && !counter {
		return plan.Invalid("Cannot add a counter column (%s) in a non counter column family", before.Stored().Regular[0].Name)
	}
	if err := f.checkIndexes(s, d); err != nil {
		return err
	}
	switch {
	case f.MaxThreshold != 0 && f.MinThreshold < 2: // 0 leaves compaction to nobody
		return plan.Invalid("Min compaction threshold cannot be less than 2 (got %d).", f.MinThreshold)
	case f.MaxThreshold != 0 && f.MinThreshold > f.MaxThreshold:
		return plan.Invalid("Min compaction threshold (got %d) cannot be greater than max compaction threshold (got %d)", f.MinThreshold, f.MaxThreshold)
	case d.BloomFPChance != nil && f.BloomFPChance == 0:
		return plan.Invalid("Zero false positives is impossible; bloom filter false positive chance bffpc must be 0 < bffpc <= 1")
	case d.IndexInterval != nil && *d.IndexInterval <= 0:
		return plan.Invalid("Min index interval must be greater than 0 (got %d).", *d.IndexInterval)
	}
	return nil
}

// namesIndex says whether an entry of column_metadata has the name of an index
// without a type of one. Of one name the last entry counts.
func (d *FamilyDef) namesIndex(name []byte, class *types.Comparator) bool {
	named := false
	for _, c := range d.Columns {
		if string(stored(class, c.Name)) == string(name) {
			named = c.Type == "" && c.Index != ""
		}
	}
	return named
}

// checkIndexes checks the indexes; their names against those of all keyspaces, but for
// column families of the same name.
func (f family) checkIndexes(s *schema.Schema, d *FamilyDef) error {
	named := map[string]bool{}
	for _, keyspace := range s.Names() {
		for name, t := range s.Keyspace(keyspace).Tables {
			for _, i := range t.Indexes {
				named[i.Name] = named[i.Name] || name != d.Name
			}
		}
	}
	for _, c := range f.MetadataOrder() {
		switch {
		case c.Index == "" && d.namesIndex(c.Name, f.MetadataClass()):
			return plan.Invalid("Index name cannot be set without index type")
		case c.Index == "":
			continue
		case f.Super:
			return plan.Invalid("Secondary indexes are not supported on super column families")
		case notWord.MatchString(c.Index):
			return plan.Invalid("Illegal index name %s", c.Index)
		case named[c.Index]:
			return plan.Invalid("Duplicate index name %s", c.Index)
		}
		named[c.Index] = true
		if !c.Custom {
			continue
		}
		class := ""
		for _, o := range c.Options {
			if o.Key == "class_name" {
				class = o.Value
			}
		}
		if class == "" {
			return plan.Invalid("Required index option missing: class_name")
		}
		return plan.Unsupported("custom indexes ("+class+")", "KEYS is the index of column families")
	}
	return nil
}
