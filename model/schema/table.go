// Package schema holds keyspaces, tables and columns, says which changes are
// legal, and writes them as DESCRIBE does. Everything in it is immutable: a
// change makes a new object and shares what stays.
package schema

import (
	"strings"

	"github.com/google/uuid"

	"ringlab/model/types"
)

// Kind is what a column is for.
type Kind uint8

// The four kinds of columns.
const (
	PartitionKey Kind = iota
	Clustering
	Static
	Regular
)

// String is the kind's name in system_schema.columns.
func (k Kind) String() string {
	return [...]string{"partition_key", "clustering", "static", "regular"}[k]
}

// Column is one column of a table. ID is stable through every ALTER and never
// used again for a column of another name, so that stored cells stay readable.
type Column struct {
	ID       uint16
	Name     string
	Type     *types.Type
	Kind     Kind
	Position int  // within the partition key or the clustering, else -1
	Desc     bool // clustering order

	Order func(a, b []byte) int // of the values, where it is not the type's; nil for most
}

// compare orders two values of a clustering column as rows are.
func (c *Column) compare(a, b []byte) int {
	if c.Order != nil {
		return c.Order(a, b)
	}
	return c.Type.Compare(a, b)
}

// Dropped remembers a dropped column: cells not newer than At stay hidden.
type Dropped struct {
	Column *Column
	At     int64 // write timestamp, µs
}

// Table is one table. Static and Regular are sorted by name as SELECT * shows
// them; Key and Clustering are in declared order.
type Table struct {
	ID       uuid.UUID
	Keyspace string
	Name     string

	Key        []*Column
	Clustering []*Column
	Static     []*Column
	Regular    []*Column

	Dropped map[string]Dropped
	Options Options
	Counter bool
	Compact bool

	// SignedTies says that of two values with one timestamp the greater one by signed
	// bytes stays, as before 3.0. Source: Cassandra 2.1 AbstractCell.reconcile.
	SignedTies bool

	NextID  uint16
	Indexes []*Index // in order of name
	View    *View    // of a materialized view, nil for tables
	IndexOf *Index   // of the hidden table of an index: that index, nil for others
	Family  *Family  // its classic side, nil for tables that have none

	byName map[string]*Column
	byID   []*Column
	gone   map[uint16]Dropped // by ID, those that did not come back
}

// Finish sorts the columns and builds the lookups; it must be called once on a
// new table before anybody else sees it.
func (t *Table) Finish() *Table {
	t.Static, t.Regular = selectOrder(t.Static), selectOrder(t.Regular)
	t.byName = map[string]*Column{}
	t.byID = make([]*Column, t.NextID)
	for _, c := range t.Columns() {
		t.byName[c.Name] = c
		if int(c.ID) >= len(t.byID) {
			grown := make([]*Column, c.ID+1)
			copy(grown, t.byID)
			t.byID = grown
		}
		t.byID[c.ID] = c
	}
	t.gone = nil
	for _, d := range t.Dropped {
		if t.ColumnByID(d.Column.ID) == nil {
			if t.gone == nil {
				t.gone = map[uint16]Dropped{}
			}
			t.gone[d.Column.ID] = d
		}
	}
	return t
}

// Columns are all columns in SELECT * order: partition key, clustering, static,
// regular.
func (t *Table) Columns() []*Column {
	out := make([]*Column, 0, len(t.Key)+len(t.Clustering)+len(t.Static)+len(t.Regular))
	out = append(out, t.Key...)
	out = append(out, t.Clustering...)
	out = append(out, t.Static...)
	return append(out, t.Regular...)
}

// Column finds a column by its exact name; nil if there is none.
func (t *Table) Column(name string) *Column { return t.byName[name] }

// ColumnByID finds a column by its ID; nil if it was dropped.
func (t *Table) ColumnByID(id uint16) *Column {
	if int(id) < len(t.byID) {
		return t.byID[id]
	}
	return nil
}

// DroppedByID finds a dropped column by its ID; ok is false for one that the
// table has or never had.
func (t *Table) DroppedByID(id uint16) (d Dropped, ok bool) {
	d, ok = t.gone[id]
	return d, ok
}

// HiddenBefore is the timestamp up to which cells of the column are hidden
// because a column of that name was dropped then; hidden is false if none was.
func (t *Table) HiddenBefore(c *Column) (at int64, hidden bool) {
	if len(t.Dropped) == 0 {
		return 0, false
	}
	d, ok := t.Dropped[c.Name]
	return d.At, ok
}

// String is keyspace.table with quotes where CQL needs them.
func (t *Table) String() string { return Quote(t.Keyspace) + "." + Quote(t.Name) }

// Clone is a shallow copy for a change; call Finish on it afterwards.
func (t *Table) Clone() *Table {
	c := *t
	c.Key = append([]*Column(nil), t.Key...)
	c.Clustering = append([]*Column(nil), t.Clustering...)
	c.Static = append([]*Column(nil), t.Static...)
	c.Regular = append([]*Column(nil), t.Regular...)
	c.Dropped = make(map[string]Dropped, len(t.Dropped))
	for k, v := range t.Dropped {
		c.Dropped[k] = v
	}
	return &c
}

// PartitionKeyBytes joins key components into the bytes that are hashed and
// stored: the value alone for one component, else per component a 2-byte
// length, the value and 0x00. Source: Cassandra 5.0 CompositeType.
func PartitionKeyBytes(components [][]byte) []byte {
	if len(components) == 1 {
		return components[0]
	}
	n := 0
	for _, c := range components {
		n += len(c) + 3
	}
	out := make([]byte, 0, n)
	for _, c := range components {
		out = append(out, byte(len(c)>>8), byte(len(c)))
		out = append(out, c...)
		out = append(out, 0)
	}
	return out
}

// SplitPartitionKey undoes PartitionKeyBytes for a table.
func (t *Table) SplitPartitionKey(key []byte) [][]byte {
	if len(t.Key) == 1 {
		return [][]byte{key}
	}
	out := make([][]byte, 0, len(t.Key))
	for len(key) >= 3 {
		n := int(key[0])<<8 | int(key[1])
		if len(key) < n+3 {
			break
		}
		out = append(out, key[2:2+n])
		key = key[n+3:]
	}
	return out
}

// ValidPartitionKey says whether bytes from outside are a partition key: a valid
// value for each of its columns. A view may have the empty one.
func (t *Table) ValidPartitionKey(key []byte) bool {
	parts := t.SplitPartitionKey(key)
	if len(parts) != len(t.Key) {
		return false
	}
	n := len(key)
	for i, p := range parts {
		if t.Key[i].Type.Validate(p) != nil {
			return false
		}
		if len(parts) > 1 {
			n -= len(p) + 3
		}
	}
	return len(parts) == 1 || n == 0
}

// KeyText is a partition key as people read it: components as cqlsh prints
// them, joined by ':'.
func (t *Table) KeyText(key []byte) string {
	parts := t.SplitPartitionKey(key)
	text := make([]string, len(parts))
	for i, p := range parts {
		if i < len(t.Key) {
			text[i] = t.Key[i].Type.Text(p)
		}
	}
	return strings.Join(text, ":")
}

// Quote writes a name as CQL needs it: bare when it is lower case, a letter
// first and not reserved, else in double quotes. Source: Cassandra 5.0
// ColumnIdentifier.maybeQuote.
func Quote(name string) string {
	if plain(name) && !Reserved(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func plain(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return true
}

// PartitionKeyComposite is PartitionKeyBytes of a key that is a composite even
// if it has one component alone.
func PartitionKeyComposite(components [][]byte) []byte {
	var out []byte
	for _, c := range components {
		out = append(out, byte(len(c)>>8), byte(len(c)))
		out = append(out, c...)
		out = append(out, 0)
	}
	return out
}

// SplitComposite takes a composite apart, as far as it is one.
func SplitComposite(b []byte) [][]byte {
	var out [][]byte
	for len(b) >= 3 {
		n := int(b[0])<<8 | int(b[1])
		if len(b) < n+3 {
			break
		}
		out = append(out, b[2:2+n])
		b = b[n+3:]
	}
	return out
}
