package storage

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"ringlab/model/schema"
)

// vint is the number of bytes of an unsigned variable-length integer.
// Source: Cassandra 5.0 VIntCoding.computeUnsignedVIntSize.
func vint(v uint64) int64 {
	return int64(9 - (bits.LeadingZeros64(v|1)-1)/7)
}

// sizer computes how many bytes partitions take in a Data.db, from the header
// that the file will have: what Encoder writes, without writing it.
// Source: Cassandra 5.0 SerializationHeader, UnfilteredSerializer.
type sizer struct {
	table    *schema.Table
	format   Format
	ts       int64
	local    int64
	ttl      int32
	regular  int // number of header columns
	static   int
	columns  [2][]*schema.Column // header columns in order: regular, static
	view     View
	prevSize int64
	held     Held
	blocks   blocks
	rows     *rowTries // of Rows.db, while that is laid out
	content  content
}

// Held is what a file's statistics say of its content. They are exact, unlike
// the header, which counts from whatever was written to the memtable or stood in
// a compaction's inputs. Source: Cassandra 5.0 MetadataCollector.
type Held struct {
	MinTimestamp int64
	MinLocal     int64 // seconds; of tombstones and expiring cells
	MinTTL       int32 // a cell or row that does not expire counts as 0
}

func newSizer(t *schema.Table, s *Stats, f Format) *sizer {
	z := &sizer{table: t, format: f, ts: s.baseTimestamp(), local: s.baseLocal(), ttl: s.MinTTL, regular: s.Columns.len(), static: s.Statics.len()}
	z.held = Held{math.MaxInt64, math.MaxInt64, math.MaxInt32}
	z.content = content{maxTimestamp: math.MinInt64, maxLocal: math.MinInt64}
	z.columns = [2][]*schema.Column{headerColumns(t, t.Regular, &s.Columns), headerColumns(t, t.Static, &s.Statics)}
	return z
}

func (z *sizer) tsSize(ts int64) int64 {
	if ts != NoTimestamp {
		z.held.MinTimestamp = min(z.held.MinTimestamp, ts)
		z.content.maxTimestamp = max(z.content.maxTimestamp, ts)
	}
	return vint(uint64(ts - z.ts))
}

func (z *sizer) locSize(l int64) int64 {
	z.held.MinLocal = min(z.held.MinLocal, l)
	return vint(uint64(localDelta(l, z.local)))
}

func (z *sizer) ttlSize(t int32) int64 { return vint(uint64(int64(t - z.ttl))) }

func (z *sizer) delSize(d Deletion) int64 {
	if !d.IsLive() {
		z.content.ends(d.Local)
	}
	return z.tsSize(d.At) + z.locSize(d.Local)
}

// partition is the size of one partition.
func (z *sizer) partition(p *Partition) int64 {
	header := int64(2+len(p.Key)) + z.format.deletionBytes(p.Del)
	size := header
	z.prevSize = header
	z.blocks.begin(z.format.deletionBytes(p.Del))
	if !p.Del.IsLive() {
		z.delSize(p.Del) // of a fixed size, but it counts
	}
	if z.static > 0 {
		n := 4 + vint(1<<z.static-1) // flags, size, and a bitmap of what is missing: everything
		if !p.Static.IsZero() {
			n = z.row(p.Static, 0)
		} else if z.static >= 64 {
			n = 4 + vint(uint64(z.static))
		}
		size += n
		z.prevSize += n
	}
	z.blocks.header = size
	if z.rows != nil {
		z.rows.begin(size)
	}
	rows := p.Rows
	for i := 0; i < len(p.Ranges); i++ {
		r := p.Ranges[i]
		for len(rows) > 0 && z.table.CompareCutRow(r.From, rows[0].Clustering()) > 0 {
			size += z.nextRow(rows[0])
			rows = rows[1:]
		}
		if i == 0 || z.table.CompareCuts(p.Ranges[i-1].To, r.From) != 0 {
			size += z.nextMarker(r.From, z.delSize(r.Del), true)
		}
		for len(rows) > 0 && z.table.CompareCutRow(r.To, rows[0].Clustering()) > 0 {
			size += z.nextRow(rows[0])
			rows = rows[1:]
		}
		del := z.delSize(r.Del)
		boundary := i+1 < len(p.Ranges) && z.table.CompareCuts(r.To, p.Ranges[i+1].From) == 0
		if boundary {
			del += z.delSize(p.Ranges[i+1].Del) // one boundary closes and opens
		}
		size += z.nextMarker(r.To, del, boundary)
	}
	for _, r := range rows {
		size += z.nextRow(r)
	}
	return size + 1
}

// nextRow is the size of the next row of the partition at hand.
func (z *sizer) nextRow(r Row) int64 {
	n := z.next(z.row(r, z.prevSize), 1+z.clustering(r.Clustering()))
	if z.rows != nil {
		z.rows.add(r.Clustering(), comparableRow, n, z.rows.open)
	}
	return n
}

// nextMarker is the size of its next range tombstone marker, whose deletions take
// so many bytes; open says that one goes on behind it.
func (z *sizer) nextMarker(c schema.Cut, del int64, open bool) int64 {
	z.blocks.open = open // an entry of the index tells what is open behind its block
	n := z.next(z.marker(c, del), 3+z.clustering(c.Prefix))
	if z.rows != nil {
		end := byte(comparableBefore)
		if c.After {
			end = comparableAfter
		}
		z.rows.add(c.Prefix, end, n, open)
	}
	return n
}

// next remembers the size of the unfiltered just counted, which the one after
// it points back over, and takes it into the row index.
func (z *sizer) next(n, clustering int64) int64 {
	z.prevSize = n
	z.blocks.add(n, clustering)
	return n
}

// marker is the size of one range tombstone marker.
func (z *sizer) marker(c schema.Cut, del int64) int64 {
	body := vint(uint64(z.prevSize)) + del
	return 1 + 1 + 2 + z.clustering(c.Prefix) + vint(uint64(body)) + body
}

// clustering is the size of clustering values: a header per 32 of them, then
// the values that are not empty.
func (z *sizer) clustering(packed []byte) int64 {
	if len(packed) == 0 {
		return 0
	}
	n, i := int64(0), 0
	var header uint64
	for {
		v, rest, ok := schema.NextComponent(packed)
		if !ok {
			break
		}
		if len(v) == 0 {
			header |= 1 << (2 * (i % 32))
		} else {
			n += int64(len(v))
			if i >= len(z.table.Clustering) || z.table.Clustering[i].Type.FixedLen() < 0 {
				n += vint(uint64(len(v)))
			}
		}
		if i++; i%32 == 0 {
			n += vint(header)
			header = 0
		}
		packed = rest
	}
	if z.table.IndexOf != nil {
		for ; i < len(z.table.Clustering) && i < 32; i++ {
			header |= 2 << (2 * i)
		}
	}
	if i%32 != 0 {
		n += vint(header)
	}
	return n
}

// row is the size of one row; prev is what it points back over.
func (z *sizer) row(r Row, prev int64) int64 {
	r.Unpack(&z.view)
	v := &z.view
	size := int64(1)
	header := z.regular
	if v.Static {
		size++
		header = z.static
	} else {
		size += z.clustering(v.Clustering)
	}
	body := vint(uint64(prev))
	live := v.Liveness
	if live.Timestamp != NoTimestamp {
		body += z.tsSize(live.Timestamp)
		z.held.MinTTL = min(z.held.MinTTL, live.TTL)
		z.content.ends(live.Expiry)
		if live.TTL > 0 {
			body += z.ttlSize(live.TTL) + z.locSize(live.Expiry)
		}
	}
	if !v.Deletion.IsLive() {
		body += z.delSize(v.Deletion)
	}
	present, missing := 0, uint64(0)
	complexDel := false
	for i := 0; i < len(v.Cells); i++ {
		if i == 0 || v.Cells[i].Column != v.Cells[i-1].Column {
			present++
		}
		complexDel = complexDel || v.Cells[i].Complex
	}
	if present < header {
		missing = z.missing(v)
		body += z.subset(header, present, missing)
	}
	for i := 0; i < len(v.Cells); {
		c := &v.Cells[i]
		col := columnOf(z.table, c.Column)
		if col == nil || !col.Type.IsMultiCell() {
			body += z.cell(c, col, live)
			i++
			continue
		}
		n := int64(0)
		del := int64(0)
		if complexDel {
			del = z.delSize(Live)
		}
		j := i
		for ; j < len(v.Cells) && v.Cells[j].Column == c.Column; j++ {
			if v.Cells[j].Complex {
				del = z.delSize(Deletion{v.Cells[j].Timestamp, v.Cells[j].Local})
				continue
			}
			n++
			body += z.cell(&v.Cells[j], col, live)
		}
		body += del + vint(uint64(n))
		i = j
	}
	return size + vint(uint64(body)) + body
}

// missing is the bitmap of header columns that the row lacks; its highest bit
// decides its size.
func (z *sizer) missing(v *View) uint64 {
	columns := z.columns[0]
	if v.Static {
		columns = z.columns[1]
	}
	if len(columns) >= 64 {
		return 0
	}
	return missing(columns, v.Cells)
}

// missing has a bit for each of less than 64 columns that has no cell.
func missing(columns []*schema.Column, cells []Cell) (bitmap uint64) {
	for i, c := range columns {
		if cellsOf(cells, c.ID) == nil {
			bitmap |= 1 << i
		}
	}
	return bitmap
}

// headerColumns lists the columns that occur in a file in header order: simple
// ones before complex ones, each by name. Dropped columns stay in the files that
// have them.
func headerColumns(t *schema.Table, columns []*schema.Column, occur *ColumnSet) []*schema.Column {
	var out []*schema.Column
	for _, c := range columns {
		if occur.Has(c.ID) {
			out = append(out, c)
		}
	}
	for _, d := range t.Dropped {
		if occur.Has(d.Column.ID) && t.ColumnByID(d.Column.ID) == nil {
			out = append(out, d.Column)
		}
	}
	slices.SortFunc(out, func(a, b *schema.Column) int {
		if x, y := a.Type.IsMultiCell(), b.Type.IsMultiCell(); x != y {
			if y {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// columnOf is a column by its ID, dropped or not.
func columnOf(t *schema.Table, id uint16) *schema.Column {
	if c := t.ColumnByID(id); c != nil {
		return c
	}
	d, _ := t.DroppedByID(id)
	return d.Column
}

func (z *sizer) subset(header, present int, missing uint64) int64 {
	if header < 64 {
		return vint(missing)
	}
	n := vint(uint64(header - present))
	columns := z.columns[0]
	if z.view.Static {
		columns = z.columns[1]
	}
	for i, c := range columns {
		if has := cellsOf(z.view.Cells, c.ID) != nil; has == (present < header/2) {
			n += vint(uint64(i))
		}
	}
	return n
}

// cell is the size of one cell.
func (z *sizer) cell(c *Cell, col *schema.Column, live Liveness) int64 {
	n := int64(1)
	z.held.MinTTL = min(z.held.MinTTL, c.TTL)
	z.content.ends(c.Local)
	z.content.cells++
	if c.Timestamp != live.Timestamp || live.Timestamp == NoTimestamp {
		n += z.tsSize(c.Timestamp)
	}
	rowTTL := live.TTL > 0 && c.TTL == live.TTL && c.Local == live.Expiry
	if c.Local != NoDeletionTime && !rowTTL {
		n += z.locSize(c.Local)
		if c.TTL > 0 {
			n += z.ttlSize(c.TTL)
		}
	}
	if c.HasPath {
		n += vint(uint64(len(c.Path))) + int64(len(c.Path))
	}
	if len(c.Value) > 0 {
		n += int64(len(c.Value))
		if col == nil || col.Type.FixedLen() < 0 || col.Type.IsMultiCell() {
			n += vint(uint64(len(c.Value)))
		}
	}
	return n
}
