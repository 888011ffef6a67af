package materialize

import (
	"bytes"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// Index is the hidden table of an index as its base's writes and reads see it.
// Source: Cassandra 5.0 CassandraIndex and the classes of internal.composites.
type Index struct {
	Table *schema.Table // the hidden one
	Base  *schema.Table

	of     *schema.Column // the indexed column
	typ    *types.Type    // of what is indexed
	target schema.Target
	path   bool   // a value stands for several cells
	name   []byte // of a static column family: where the column's cell stands in the table that holds the cells, nil for others
}

// NewIndex prepares an index of a base table on a ring with that partitioner.
func NewIndex(base *schema.Table, i *schema.Index, p ring.Partitioner) *Index {
	order := func(a, b []byte) int {
		if c := p.Token(a).Compare(p.Token(b)); c != 0 {
			return c
		}
		return bytes.Compare(a, b)
	}
	of := base.Column(i.Column)
	x := &Index{Table: base.IndexTable(i, order), Base: base, of: of, typ: of.Indexed(i.Target), target: i.Target, path: of.IndexedPath(i.Target) != nil}
	if base.Stored() != base {
		x.name = schema.PackClustering([][]byte{base.Family.CellName(of.Name)})
	}
	return x
}

// OnStatic says whether the indexed column is static: an entry then stands for a
// whole partition.
func (x *Index) OnStatic() bool { return x.of.Kind == schema.Static }

// Whole says whether an entry stands for a whole partition: that of a static
// column, or of a column of a static column family.
func (x *Index) Whole() bool { return x.OnStatic() || x.name != nil }

// onKey says whether the indexed column is one of the primary key.
func (x *Index) onKey() bool {
	return x.of.Kind == schema.PartitionKey || x.of.Kind == schema.Clustering
}

// Key is where the entries of a value stand in the hidden table. Its partitions
// are in the order of the values. Source: Cassandra 5.0 LocalPartitioner.
func (x *Index) Key(value []byte) (key string, token ring.Token) {
	plain := value
	if x.entries() {
		plain = types.EncodeTuple(schema.SplitComposite(value))
	}
	ordered := x.typ.AppendOrdered(nil, plain)
	if x.of.Desc {
		ordered = descending(ordered)
	}
	return string(value), ring.ByteOrdered.Token(ordered)
}

func (x *Index) entries() bool {
	return x.of.IsSplit() && x.target == schema.TargetEntries && x.of.Type.Kind == types.KindMap
}

// descending are bytes that stand the other way round: an end is written so that
// what begins a longer one stands behind it.
func descending(b []byte) []byte {
	out := make([]byte, 0, len(b)+2)
	for _, c := range b {
		if out = append(out, ^c); c == 0 {
			out = append(out, 0)
		}
	}
	return append(out, 0xff, 0xff)
}

// Sought is the value of the hidden table's key that a filter asks for; key is
// that of an entry of a map.
func (x *Index) Sought(key, value []byte) []byte {
	if x.entries() {
		return schema.PartitionKeyComposite([][]byte{key, value})
	}
	return value
}

// entry is where a cell, or a row where the key is indexed, stands in the index.
func (x *Index) entry(key string, row *storage.View, cell *storage.Cell) (value, clustering []byte) {
	clustering = schema.AppendComponent(nil, []byte(key))
	if x.name != nil {
		return cell.Value, clustering
	}
	at := 0
	for rest := row.Clustering; ; at++ {
		v, next, ok := schema.NextComponent(rest)
		if !ok {
			break
		}
		if x.of.Kind == schema.Clustering && at == x.of.Position {
			value = v
		} else {
			clustering = schema.AppendComponent(clustering, v)
		}
		rest = next
	}
	switch {
	case x.of.Kind == schema.Clustering:
	case x.of.Kind == schema.PartitionKey:
		value = x.Base.SplitPartitionKey([]byte(key))[x.of.Position]
	case !x.of.IsSplit():
		value = cell.Value
	case x.entries():
		value = schema.PartitionKeyComposite([][]byte{cell.Path, cell.Value})
	case x.path:
		value = cell.Value
		clustering = schema.AppendComponent(clustering, cell.Path)
	default:
		value = cell.Path
	}
	return value, clustering
}

// BaseKey is the key of the base's partition that an entry leads to.
func (x *Index) BaseKey(entry []byte) string {
	key, _, _ := schema.NextComponent(entry)
	return string(key)
}

// BaseClustering is the clustering of the base's row that an entry of a value
// leads to, empty if the column is static.
func (x *Index) BaseClustering(value, entry []byte) []byte {
	if x.OnStatic() || len(x.Base.Clustering) == 0 {
		return nil
	}
	_, rest, _ := schema.NextComponent(entry)
	var out []byte
	for _, c := range x.Base.Clustering {
		if c == x.of {
			out = schema.AppendComponent(out, value)
			continue
		}
		v, next, ok := schema.NextComponent(rest)
		if !ok { // a static row of a table whose key is indexed
			return nil
		}
		out, rest = schema.AppendComponent(out, v), next
	}
	return out
}

// EntryPrefix is the beginning of the entries of a row or, without a clustering,
// of a partition.
func (x *Index) EntryPrefix(key string, clustering []byte) []byte {
	_, prefix := x.entry(key, &storage.View{Clustering: clustering}, &storage.Cell{})
	if x.path { // without the path
		prefix = schema.AppendComponent(nil, []byte(key))
		prefix = append(prefix, clustering...)
	}
	return prefix
}

// cells are a row's cells of the indexed column.
func (x *Index) cells(v *storage.View) []storage.Cell {
	var out []storage.Cell
	id := x.of.ID
	if x.name != nil {
		if !bytes.Equal(v.Clustering, x.name) {
			return nil
		}
		id = x.Base.Stored().Regular[0].ID
	}
	for _, c := range v.Cells {
		if c.Column == id && !c.Complex {
			out = append(out, c)
		}
	}
	return out
}

// Write is one entry that comes or goes.
type Write struct {
	Value      []byte
	Clustering []byte
	Liveness   storage.Liveness
	Deletion   storage.Deletion
}

// Partition is the write as the hidden table takes it.
func (x *Index) Partition(w Write) *storage.Partition {
	key, token := x.Key(w.Value)
	row := storage.View{Clustering: w.Clustering, Liveness: w.Liveness, Deletion: w.Deletion}
	packed, _ := row.Pack(nil)
	return &storage.Partition{Key: key, Token: token, Del: storage.Live, Rows: []storage.Row{packed}}
}

// Updates are what follows for the index when a memtable's row, which may be
// zero, becomes another one, at second now.
// Source: Cassandra 5.0 SecondaryIndexManager.WriteTimeTransaction, CassandraIndex.indexerFor.
func (x *Index) Updates(key string, before, after storage.Row, now int64) []Write {
	if after.IsZero() {
		return nil
	}
	var old, now0 storage.View
	old.Liveness, old.Deletion = storage.NoLiveness, storage.Live
	if !before.IsZero() {
		before.Unpack(&old)
	}
	after.Unpack(&now0)
	if now0.Static && x.of.Kind != schema.Static && x.of.Kind != schema.PartitionKey {
		return nil
	}
	if x.onKey() {
		return x.keyUpdates(key, &old, &now0, now)
	}
	was, is := x.cells(&old), x.cells(&now0)
	at := func(list []storage.Cell, path []byte) *storage.Cell {
		for i := range list {
			if bytes.Equal(list[i].Path, path) {
				return &list[i]
			}
		}
		return nil
	}
	var out []Write
	for i := range is {
		c := &is[i]
		if o := at(was, c.Path); c.IsLive(now) && (o == nil || !o.Same(c)) {
			out = append(out, x.insert(key, &now0, c))
		}
	}
	for i := range was {
		o := &was[i]
		c := at(is, o.Path)
		if c == nil && o.Path == nil && now0.Deletion.Deletes(o.Timestamp) {
			continue // seen on real nodes: the entry of a row that is deleted stays, and who reads it next removes it
		}
		if o.IsLive(now) && (c == nil || !bytes.Equal(c.Value, o.Value) || c.Timestamp != o.Timestamp) {
			out = append(out, x.remove(key, &old, o, now))
		}
	}
	return out
}

func (x *Index) insert(key string, row *storage.View, c *storage.Cell) Write {
	value, clustering := x.entry(key, row, c)
	live := storage.Liveness{Timestamp: c.Timestamp, TTL: c.TTL, Expiry: storage.NoDeletionTime}
	if c.TTL > 0 {
		live.Expiry = c.Local
	}
	return Write{Value: bytes.Clone(value), Clustering: clustering, Liveness: live, Deletion: storage.Live}
}

func (x *Index) remove(key string, row *storage.View, c *storage.Cell, now int64) Write {
	value, clustering := x.entry(key, row, c)
	return Write{Value: bytes.Clone(value), Clustering: clustering, Liveness: storage.NoLiveness, Deletion: storage.Deletion{At: c.Timestamp, Local: now}}
}

// keyUpdates is Updates where a column of the primary key is indexed: an entry is
// as new as the newest of its row, and lives as long as that one.
// Source: Cassandra 5.0 CassandraIndex.indexPrimaryKey, getPrimaryKeyIndexLiveness.
func (x *Index) keyUpdates(key string, old, row *storage.View, now int64) []Write {
	value, clustering := x.entry(key, row, nil)
	live := row.Liveness
	for i := range row.Cells {
		c := &row.Cells[i]
		if !c.Complex && c.IsLive(now) && c.Timestamp > live.Timestamp && !contains(old.Cells, c) {
			live.Timestamp, live.TTL = c.Timestamp, c.TTL
		}
	}
	if live.TTL > 0 {
		live.Expiry = now + int64(live.TTL)
	} else {
		live.Expiry = storage.NoDeletionTime
	}
	var out []Write
	if live.Timestamp != storage.NoTimestamp {
		out = append(out, Write{Value: bytes.Clone(value), Clustering: clustering, Liveness: live, Deletion: storage.Live})
	}
	if !row.Deletion.IsLive() {
		out = append(out, Write{Value: bytes.Clone(value), Clustering: clustering, Liveness: storage.NoLiveness, Deletion: row.Deletion})
	}
	return out
}

func contains(list []storage.Cell, c *storage.Cell) bool {
	for i := range list {
		if list[i].Column == c.Column && bytes.Equal(list[i].Path, c.Path) && list[i].Same(c) {
			return true
		}
	}
	return false
}

// Build are the entries of a row that is there already.
func (x *Index) Build(key string, row storage.Row, now int64) []Write {
	return x.Updates(key, storage.Row{}, row, now)
}

// Gone are the entries of a row's version that go because what compaction made of
// it, which may be zero, has no live cell in their place.
// Source: Cassandra 5.0 SecondaryIndexManager.IndexGCTransaction.
func (x *Index) Gone(key string, version, merged storage.Row, now int64) []Write {
	if x.onKey() {
		return nil
	}
	var old, is storage.View
	version.Unpack(&old)
	if !merged.IsZero() {
		merged.Unpack(&is)
	}
	left := x.cells(&is)
	var out []Write
next:
	for _, c := range x.cells(&old) {
		if !c.IsLive(now) {
			continue
		}
		for i := range left {
			if bytes.Equal(left[i].Path, c.Path) && left[i].IsLive(now) {
				continue next
			}
		}
		out = append(out, x.remove(key, &old, &c, now))
	}
	return out
}

// IsStale says whether a row of the base, which may be zero, has no more what an
// entry of that value says, at second now.
// Source: Cassandra 5.0 CassandraIndex.isStale and its overrides.
func (x *Index) IsStale(row storage.Row, value []byte, now int64) bool {
	if row.IsZero() {
		return true
	}
	if x.onKey() {
		return !row.HasLive(now, x.Base.Strict())
	}
	var v storage.View
	row.Unpack(&v)
	for _, c := range x.cells(&v) {
		if !c.IsLive(now) {
			continue
		}
		has, _ := x.entry("", &v, &c)
		if x.typ.Compare(has, value) == 0 && !x.entries() || bytes.Equal(has, value) {
			return false
		}
	}
	return true
}
