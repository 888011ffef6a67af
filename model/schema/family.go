package schema

import (
	"sort"
	"strconv"

	"github.com/google/uuid"

	"ringlab/model/types"
)

// Family is the classic side of a table: what a column family of cassandra-cli
// and Thrift is beyond the columns that CQL sees. A table has one if it was made
// as a column family or WITH COMPACT STORAGE.
//
// Its cells are stored in one way, whatever CQL makes of them: a row of storage
// for each cell, whose clustering is the cell's name (the components of a
// composite name one by one) and whose one column is the value.
// Source: Cassandra 2.1 CFMetaData, CfDef.
type Family struct {
	Super         bool
	Comparator    *types.Comparator
	Subcomparator *types.Comparator // of the inner names; nil unless Super
	KeyClass      *types.Comparator // key_validation_class
	ValueClass    *types.Comparator // default_validation_class
	Columns       []FamilyColumn    // column_metadata, in the order in which they were given

	Comment             string
	ReadRepair          float64 // read_repair_chance
	LocalReadRepair     float64 // dclocal_read_repair_chance
	GCGrace             int     // seconds
	MinThreshold        int
	MaxThreshold        int
	Strategy            string // of compaction, fully qualified
	StrategyOptions     []Option
	Compression         []Option // empty: none
	Caching             string   // ALL, KEYS_ONLY, ROWS_ONLY, NONE
	CellsPerRow         string   // to cache
	BloomFPChance       float64  // 0: the strategy's default
	SpeculativeRetry    string
	DefaultTTL          int // seconds
	MemtableFlushPeriod int // ms

	KeyAliases    []string // names that CQL gives to the key's components; "" = key, key2 …
	ColumnAliases []string // … to the name's components; "" = column1, column2 …
	ValueAlias    string   // "" = value

	// SignedTies is the table's.
	SignedTies bool

	Counters bool   // it was made for counters, and stays so
	KeyOnly  bool   // CQL sees no value: each cell is a row for itself
	Store    *Table // where the cells are, if CQL sees another table: a static family, or KeyOnly
}

// FamilyColumn is one entry of column_metadata.
type FamilyColumn struct {
	Name    []byte
	Class   *types.Comparator // validation_class
	Index   string            // the index's name, "" for none
	Custom  bool              // index_type CUSTOM
	Options []Option          // index_options
}

// DefaultFamily is a column family without attributes.
// Source: Cassandra 2.1 CFMetaData defaults, CfDef.
func DefaultFamily() *Family {
	return &Family{
		Comparator: types.ClassOf(types.Blob), KeyClass: types.ClassOf(types.Blob), ValueClass: types.ClassOf(types.Blob),
		LocalReadRepair: 0.1, GCGrace: 864000, MinThreshold: 4, MaxThreshold: 32, Strategy: compactionPackage + SizeTiered,
		Compression: []Option{{"sstable_compression", compressPackage + "LZ4Compressor"}},
		Caching:     "KEYS_ONLY", CellsPerRow: "0", SpeculativeRetry: "NONE",
	}
}

// Stored is the table that holds the data: the table itself, but for a static
// column family or one of keys alone.
func (t *Table) Stored() *Table {
	if t.Family != nil && t.Family.Store != nil {
		return t.Family.Store
	}
	return t
}

// Column is the entry of column_metadata for a name; nil if there is none.
func (f *Family) Column(name []byte) *FamilyColumn {
	for i := range f.Columns {
		if string(f.Columns[i].Name) == string(name) {
			return &f.Columns[i]
		}
	}
	return nil
}

// ClassOf is the class of the values under a name.
func (f *Family) ClassOf(name []byte) *types.Comparator {
	if c := f.Column(name); c != nil {
		return c.Class
	}
	return f.ValueClass
}

// MetadataClass is the class of the names in column_metadata.
func (f *Family) MetadataClass() *types.Comparator {
	if f.Super {
		return f.Subcomparator
	}
	return f.Comparator
}

// Static says whether CQL sees one column for each entry of column_metadata
// instead of a row for each cell.
// Source: Cassandra 2.1 CFMetaData.calculateIsDense.
func (f *Family) Static() bool {
	return len(f.Columns) > 0 && !f.Super && !f.Comparator.Composite()
}

// Parts are the classes of the components of a stored name: of a super column
// family those of the outer and the inner name.
func (f *Family) Parts() []*types.Comparator {
	if f.Super {
		return []*types.Comparator{f.Comparator, f.Subcomparator}
	}
	if f.Comparator.Composite() {
		return f.Comparator.Parts
	}
	return []*types.Comparator{f.Comparator}
}

// valueID is the column that holds the values of every column family.
const valueID = 0

// Table makes the table that CQL sees. The classes may be new ones of the same
// family: cells that are stored stay readable.
func (f *Family) Table(keyspace, name string, id uuid.UUID) *Table {
	f.Store = nil
	if f.keyTable() {
		t := &Table{ID: id, Keyspace: keyspace, Name: name, Dropped: map[string]Dropped{}, Options: f.options()}
		f.keys(t)
		return t.Finish()
	}
	store := f.store(keyspace, name, id)
	switch {
	case f.KeyOnly:
		f.Store = store.Finish()
		t := store.Clone()
		t.Regular, t.Family = nil, f
		return t.Finish()
	case f.Static():
		f.Store = store.Finish()
		return f.face(store)
	}
	store.Family = f
	return store.Finish()
}

// keyTable says whether a node takes the column family for a table of CQL3 that has
// no columns but its key: one named column component is all that such a table has.
// Source: Cassandra 2.1 CFMetaData.isCQL3OnlyPKComparator.
func (f *Family) keyTable() bool {
	c := f.Comparator
	return !f.Super && len(f.Columns) == 0 && c.Composite() && len(c.Parts) == 1 && c.Parts[0].Type != nil && c.Parts[0].Type.Kind == types.KindText
}

// store is the table with a row for each cell.
func (f *Family) store(keyspace, name string, id uuid.UUID) *Table {
	t := &Table{ID: id, Keyspace: keyspace, Name: name, Dropped: map[string]Dropped{}, Options: f.options(), Compact: true, NextID: valueID + 1,
		Counter: f.ValueClass.Counter(), SignedTies: f.SignedTies}
	value := &Column{ID: valueID, Name: alias(f.ValueAlias, "value"), Type: one(f.ValueClass), Kind: Regular, Position: -1}
	t.Regular = []*Column{value}
	f.keys(t)
	for i, part := range f.Parts() {
		base, desc := part.Base()
		t.Clustering = append(t.Clustering, t.next(numbered(f.ColumnAliases, i, "column", true), one(base), Clustering, i))
		t.Clustering[i].Desc = desc
	}
	return t
}

// one is the CQL type of a class that a cell holds as one value, whatever it is.
func one(c *types.Comparator) *types.Type { return types.Of(c).Freeze() }

// keys adds the columns of the row key.
func (f *Family) keys(t *Table) {
	parts := []*types.Comparator{f.KeyClass}
	if f.KeyClass.Composite() {
		parts = f.KeyClass.Parts
	}
	for i, part := range parts {
		base, _ := part.Base()
		t.Key = append(t.Key, t.next(numbered(f.KeyAliases, i, "key", false), one(base), PartitionKey, i))
	}
}

// face is the table with a column for each entry of column_metadata. An entry
// that is called like the key is hidden.
func (f *Family) face(store *Table) *Table {
	t := &Table{ID: store.ID, Keyspace: store.Keyspace, Name: store.Name, Dropped: map[string]Dropped{}, Options: store.Options, Compact: true,
		Counter: store.Counter, SignedTies: store.SignedTies, Family: f}
	f.keys(t)
	taken := map[string]bool{}
	for _, c := range t.Key {
		taken[c.Name] = true
	}
	for _, c := range f.Columns {
		name := f.Comparator.ClassicShown(c.Name)
		if taken[name] {
			continue
		}
		taken[name] = true
		t.Regular = append(t.Regular, t.next(name, one(c.Class), Regular, -1))
		if c.Index != "" && !c.Custom {
			t.Indexes = append(t.Indexes, &Index{Name: c.Index, Column: name})
		}
	}
	return t.Finish()
}

// CellName is the name of the cell in which a column of a static family stands.
func (f *Family) CellName(column string) []byte {
	for _, c := range f.Columns {
		if f.Comparator.ClassicShown(c.Name) == column {
			return c.Name
		}
	}
	return nil
}

func (t *Table) next(name string, of *types.Type, kind Kind, position int) *Column {
	c := &Column{ID: t.NextID, Name: name, Type: of, Kind: kind, Position: position}
	t.NextID++
	return c
}

func alias(given, usual string) string {
	if given != "" {
		return given
	}
	return usual
}

// numbered is the name of the i-th component: key, key2 … or column1, column2 …
func numbered(given []string, i int, usual string, first bool) string {
	if i < len(given) && given[i] != "" {
		return given[i]
	}
	if i == 0 && !first {
		return usual
	}
	return usual + strconv.Itoa(i+1)
}

// options are the properties as CQL names them.
func (f *Family) options() Options {
	o := DefaultOptions()
	o.Comment, o.GCGrace, o.DefaultTTL, o.MemtableFlushPeriod = f.Comment, max(f.GCGrace, 0), max(f.DefaultTTL, 0), f.MemtableFlushPeriod
	if f.BloomFPChance > 0 && f.BloomFPChance <= 1 {
		o.BloomFPChance = f.BloomFPChance
	}
	o.Compaction = []Option{{"class", f.Strategy}}
	switch {
	case f.MinThreshold == 0 || f.MaxThreshold == 0: // Source: Cassandra 2.1 ColumnFamilyStore, which switches compaction off
		o.Compaction = append(o.Compaction, Option{"enabled", "false"})
	case f.Strategy == compactionPackage+SizeTiered || f.Strategy == compactionPackage+DateTiered:
		o.Compaction = append(o.Compaction, Option{"max_threshold", strconv.Itoa(f.MaxThreshold)}, Option{"min_threshold", strconv.Itoa(f.MinThreshold)})
	}
	for _, s := range f.StrategyOptions {
		if s.Key != "min_threshold" && s.Key != "max_threshold" && !has(o.Compaction, s.Key) {
			o.Compaction = append(o.Compaction, s)
		}
	}
	rest := o.Compaction[1:]
	sort.Slice(rest, func(i, j int) bool { return rest[i].Key < rest[j].Key })
	o.Compression = []Option{{"enabled", "false"}}
	for _, c := range f.Compression {
		if c.Key == "sstable_compression" && c.Value != "" {
			o.Compression = []Option{{"chunk_length_in_kb", "64"}, {"class", c.Value}}
		}
	}
	for _, c := range f.Compression {
		if c.Key == "chunk_length_kb" && len(o.Compression) == 2 {
			o.Compression[0].Value = c.Value
		}
	}
	if f.Caching == "NONE" || f.Caching == "ROWS_ONLY" {
		o.Caching = []Option{{"keys", "NONE"}, {"rows_per_partition", "NONE"}}
	}
	if f.Caching == "ALL" || f.Caching == "ROWS_ONLY" {
		o.Caching = []Option{{"keys", o.Caching[0].Value}, {"rows_per_partition", f.CellsPerRow}}
	}
	return o
}
