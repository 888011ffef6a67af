package storage

import (
	"encoding/binary"
	"math/bits"

	"ringlab/model/schema"
)

// Encoder writes partitions as the bytes of a Data.db, before compression: what
// a file's size counts, and what its compressed size is estimated from.
// Source: Cassandra 5.0 SerializationHeader, UnfilteredSerializer, Cell.Serializer.
type Encoder struct {
	table   *schema.Table
	format  Format
	ts      int64
	local   int64
	ttl     int32
	columns [2][]*schema.Column // header columns in order: regular, static
	view    View
	body    []byte
	prev    int // size of the unfiltered before
}

// NewEncoder writes with the header of a file.
func NewEncoder(t *schema.Table, s *Stats, f Format) *Encoder {
	return &Encoder{table: t, format: f, ts: s.baseTimestamp(), local: s.baseLocal(), ttl: s.MinTTL,
		columns: [2][]*schema.Column{headerColumns(t, t.Regular, &s.Columns), headerColumns(t, t.Static, &s.Statics)}}
}

// Data is the whole file, uncompressed.
func (s *SSTable) Data(t *schema.Table) []byte {
	b := make([]byte, 0, s.DataBytes)
	e := NewEncoder(t, &s.Stats, s.Format)
	for _, p := range s.Parts {
		b = e.Partition(b, p)
	}
	return b
}

// Partition appends one partition.
func (e *Encoder) Partition(b []byte, p *Partition) []byte {
	start := len(b)
	b = binary.BigEndian.AppendUint16(b, uint16(len(p.Key)))
	b = append(b, p.Key...)
	b = e.format.appendDeletion(b, p.Del)
	e.prev = len(b) - start
	if len(e.columns[1]) > 0 {
		at := len(b)
		if p.Static.IsZero() {
			b = append(b, flagExtended, extStatic)
			e.body = e.subset(append(e.body[:0], 0), e.columns[1], nil)
			b = append(appendVint(b, uint64(len(e.body))), e.body...)
		} else {
			p.Static.Unpack(&e.view)
			b = e.row(b, 0)
		}
		e.prev += len(b) - at
	}
	rows := p.Rows
	before := func(c schema.Cut) {
		for len(rows) > 0 && e.table.CompareCutRow(c, rows[0].Clustering()) > 0 {
			b = e.next(b, rows[0])
			rows = rows[1:]
		}
	}
	for i, r := range p.Ranges {
		touches := i > 0 && e.table.CompareCuts(p.Ranges[i-1].To, r.From) == 0
		if before(r.From); !touches {
			b = e.marker(b, boundKind(r.From, false, false), r.From, r.Del)
		}
		before(r.To)
		if i+1 < len(p.Ranges) && e.table.CompareCuts(r.To, p.Ranges[i+1].From) == 0 {
			b = e.marker(b, boundKind(r.To, true, true), r.To, r.Del, p.Ranges[i+1].Del)
		} else {
			b = e.marker(b, boundKind(r.To, true, false), r.To, r.Del)
		}
	}
	for _, r := range rows {
		b = e.next(b, r)
	}
	return append(b, flagEnd)
}

func (e *Encoder) next(b []byte, r Row) []byte {
	at := len(b)
	r.Unpack(&e.view)
	b = e.row(b, uint64(e.prev))
	e.prev = len(b) - at
	return b
}

// Flags of rows and cells. Source: UnfilteredSerializer, Cell.Serializer.
const (
	flagEnd       = 0x01
	flagMarker    = 0x02
	flagTimestamp = 0x04
	flagTTL       = 0x08
	flagDeletion  = 0x10
	flagAll       = 0x20
	flagComplex   = 0x40
	flagExtended  = 0x80
	extStatic     = 0x01

	flagCellDeleted  = 0x01
	flagCellExpiring = 0x02
	flagCellEmpty    = 0x04
	flagCellRowTime  = 0x08
	flagCellRowTTL   = 0x10
)

// boundKind is the kind of a range tombstone's marker. A cut that lies behind
// the rows of its prefix closes inclusively and opens exclusively.
// Source: ClusteringPrefix.Kind.
func boundKind(c schema.Cut, closes, opens bool) byte {
	switch {
	case closes && opens && c.After:
		return 5
	case closes && opens:
		return 2
	case closes && c.After:
		return 6
	case closes:
		return 0
	case c.After:
		return 7
	}
	return 1
}

func (e *Encoder) marker(b []byte, kind byte, c schema.Cut, dels ...Deletion) []byte {
	at := len(b)
	b = append(b, flagMarker, kind)
	b = binary.BigEndian.AppendUint16(b, uint16(componentCount(c.Prefix)))
	b = e.clustering(b, c.Prefix)
	body := appendVint(e.body[:0], uint64(e.prev))
	for _, d := range dels {
		body = e.deletion(body, d)
	}
	e.body = body
	b = append(appendVint(b, uint64(len(body))), body...)
	e.prev = len(b) - at
	return b
}

func componentCount(packed []byte) (n int) {
	for {
		_, rest, ok := schema.NextComponent(packed)
		if !ok {
			return n
		}
		packed = rest
		n++
	}
}

// clustering writes a header for each 32 values, then those that are not empty.
// Source: ClusteringPrefix.Serializer.
func (e *Encoder) clustering(b, packed []byte) []byte {
	for i := 0; len(packed) > 0; {
		var header uint64
		var values []byte
		for n := 0; n < 32; n++ {
			v, rest, ok := schema.NextComponent(packed)
			if !ok {
				break
			}
			if len(v) == 0 {
				header |= 1 << (2 * n)
			} else {
				if i >= len(e.table.Clustering) || e.table.Clustering[i].Type.FixedLen() < 0 {
					values = appendVint(values, uint64(len(v)))
				}
				values = append(values, v...)
			}
			packed = rest
			i++
		}
		if e.table.IndexOf != nil { // the entry of a static column has no clustering of the base
			for n := i; n < len(e.table.Clustering) && n < 32; n++ {
				header |= 2 << (2 * n)
			}
		}
		b = append(appendVint(b, header), values...)
	}
	return b
}

// row writes the row in e.view; prev is what it points back over.
func (e *Encoder) row(b []byte, prev uint64) []byte {
	v := &e.view
	columns, flags := e.columns[0], byte(0)
	if v.Static {
		columns, flags = e.columns[1], flagExtended
	}
	body := appendVint(e.body[:0], prev)
	live := v.Liveness
	if live.Timestamp != NoTimestamp {
		flags |= flagTimestamp
		body = e.timestamp(body, live.Timestamp)
		if live.TTL > 0 {
			flags |= flagTTL
			body = e.localTime(e.lifetime(body, live.TTL), live.Expiry)
		}
	}
	if !v.Deletion.IsLive() {
		flags |= flagDeletion
		body = e.deletion(body, v.Deletion)
	}
	present := 0
	for i := range v.Cells {
		if i == 0 || v.Cells[i].Column != v.Cells[i-1].Column {
			present++
		}
		if v.Cells[i].Complex {
			flags |= flagComplex
		}
	}
	if present == len(columns) {
		flags |= flagAll
	} else {
		body = e.subset(body, columns, v.Cells)
	}
	for _, c := range columns {
		if cells := cellsOf(v.Cells, c.ID); len(cells) > 0 {
			body = e.column(body, c, cells, live, flags&flagComplex != 0)
		}
	}
	e.body = body
	if b = append(b, flags); v.Static {
		b = append(b, extStatic)
	} else {
		b = e.clustering(b, v.Clustering)
	}
	return append(appendVint(b, uint64(len(body))), body...)
}

// cellsOf are the cells of one column.
func cellsOf(cells []Cell, id uint16) []Cell {
	for i := range cells {
		if cells[i].Column == id {
			j := i + 1
			for j < len(cells) && cells[j].Column == id {
				j++
			}
			return cells[i:j]
		}
	}
	return nil
}

// subset says which header columns a row has. Source: Columns.Serializer.
func (e *Encoder) subset(b []byte, columns []*schema.Column, cells []Cell) []byte {
	if len(columns) < 64 {
		return appendVint(b, missing(columns, cells))
	}
	var has, lacks []int
	for i, c := range columns {
		if cellsOf(cells, c.ID) != nil {
			has = append(has, i)
		} else {
			lacks = append(lacks, i)
		}
	}
	b = appendVint(b, uint64(len(lacks)))
	listed := has
	if len(has) >= len(columns)/2 {
		listed = lacks
	}
	for _, i := range listed {
		b = appendVint(b, uint64(i))
	}
	return b
}

// column writes the cells of one column of a row.
func (e *Encoder) column(b []byte, col *schema.Column, cells []Cell, live Liveness, complexDel bool) []byte {
	if !col.Type.IsMultiCell() {
		return e.cell(b, &cells[0], col, live)
	}
	del := Live
	if cells[0].Complex {
		del = Deletion{cells[0].Timestamp, cells[0].Local}
		cells = cells[1:]
	}
	if complexDel {
		b = e.deletion(b, del)
	}
	b = appendVint(b, uint64(len(cells)))
	for i := range cells {
		b = e.cell(b, &cells[i], col, live)
	}
	return b
}

func (e *Encoder) cell(b []byte, c *Cell, col *schema.Column, live Liveness) []byte {
	rowTime := c.Timestamp == live.Timestamp && live.Timestamp != NoTimestamp
	rowTTL := live.TTL > 0 && c.TTL == live.TTL && c.Local == live.Expiry
	var flags byte
	switch {
	case c.TTL > 0:
		flags |= flagCellExpiring
	case c.Local != NoDeletionTime:
		flags |= flagCellDeleted
	}
	if len(c.Value) == 0 {
		flags |= flagCellEmpty
	}
	if rowTime {
		flags |= flagCellRowTime
	}
	if rowTTL {
		flags |= flagCellRowTTL
	}
	if b = append(b, flags); !rowTime {
		b = e.timestamp(b, c.Timestamp)
	}
	if c.Local != NoDeletionTime && !rowTTL {
		if b = e.localTime(b, c.Local); c.TTL > 0 {
			b = e.lifetime(b, c.TTL)
		}
	}
	if c.HasPath {
		b = append(appendVint(b, uint64(len(c.Path))), c.Path...)
	}
	if len(c.Value) > 0 {
		if col.Type.FixedLen() < 0 || col.Type.IsMultiCell() {
			b = appendVint(b, uint64(len(c.Value)))
		}
		b = append(b, c.Value...)
	}
	return b
}

func (e *Encoder) timestamp(b []byte, ts int64) []byte { return appendVint(b, uint64(ts-e.ts)) }

func (e *Encoder) localTime(b []byte, l int64) []byte {
	return appendVint(b, uint64(localDelta(l, e.local)))
}

func (e *Encoder) lifetime(b []byte, ttl int32) []byte {
	return appendVint(b, uint64(int64(ttl-e.ttl)))
}

func (e *Encoder) deletion(b []byte, d Deletion) []byte {
	return e.localTime(e.timestamp(b, d.At), d.Local)
}

// localDelta is a local deletion time as a file's rows hold it: the low half of the
// difference, sign and all.
// Source: Cassandra 5.0 SerializationHeader.writeLocalDeletionTime.
func localDelta(l, base int64) int64 { return int64(int32(l - base)) }

// appendVint writes an unsigned variable-length integer: as many leading ones as
// bytes follow. Source: Cassandra 5.0 VIntCoding.writeUnsignedVInt.
func appendVint(b []byte, v uint64) []byte {
	n := 9 - (bits.LeadingZeros64(v|1)-1)/7
	if n == 9 {
		return binary.BigEndian.AppendUint64(append(b, 0xff), v)
	}
	v |= uint64(0xff<<(9-n)&0xff) << (8 * (n - 1))
	for i := n - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}
