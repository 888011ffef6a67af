package storage

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Row is one row, packed and immutable: clustering, primary key liveness, row
// deletion and cells in one string, shared by pointer between memtables,
// SSTables, replicas and answers. The zero Row is no row. Two rows of equal
// content are equal strings.
type Row struct{ s string }

const (
	rowLiveness = 1 << iota
	rowExpiring // liveness has a TTL
	rowDeletion
	rowPlain // everything in it is live for ever
	rowStatic
)

// Liveness is the primary key's own liveness, which INSERT writes and UPDATE
// does not. Source: Cassandra 5.0 LivenessInfo.
type Liveness struct {
	Timestamp int64 // NoTimestamp: none
	TTL       int32 // seconds, 0 = for ever
	Expiry    int64 // second of expiry; NoDeletionTime without TTL
}

// ExpiredTTL is the TTL of a liveness that never was live: it takes the liveness
// of a view's row away without deleting its cells.
// Source: Cassandra 5.0 LivenessInfo.EXPIRED_LIVENESS_TTL.
const ExpiredTTL = math.MaxInt32

// NoLiveness is that of a row made by UPDATE.
var NoLiveness = Liveness{Timestamp: NoTimestamp, Expiry: NoDeletionTime}

// IsLive says whether the liveness makes a row exist at second now.
func (l Liveness) IsLive(now int64) bool {
	return l.Timestamp != NoTimestamp && (l.TTL == 0 || now < l.Expiry && l.TTL != ExpiredTTL)
}

// supersedes says which liveness to keep. Source: LivenessInfo.supersedes.
func (l Liveness) supersedes(o Liveness) bool {
	if l.Timestamp != o.Timestamp {
		return l.Timestamp > o.Timestamp
	}
	if (l.TTL == ExpiredTTL) != (o.TTL == ExpiredTTL) {
		return l.TTL == ExpiredTTL
	}
	if (l.TTL > 0) != (o.TTL > 0) {
		return l.TTL > 0
	}
	if l.Expiry != o.Expiry {
		return l.Expiry > o.Expiry
	}
	return l.TTL < o.TTL
}

// IsZero says whether there is no row at all.
func (r Row) IsZero() bool { return r.s == "" }

// Size is the number of bytes the packed row takes in memory.
func (r Row) Size() int { return len(r.s) }

// bytes is the packed form, which nobody may change.
func (r Row) bytes() []byte { return unsafe.Slice(unsafe.StringData(r.s), len(r.s)) }

// pack makes a row of a buffer; the buffer's content is copied.
func pack(b []byte) Row { return Row{string(b)} }

// Clustering is the row's clustering, empty for static rows and for tables
// without clustering columns.
func (r Row) Clustering() []byte {
	b := r.bytes()
	n, w := uvarint(b)
	return b[w : w+int(n) : w+int(n)]
}

func (r Row) flags() byte {
	b := r.bytes()
	n, w := uvarint(b)
	return b[w+int(n)]
}

// IsPlain says whether everything in the row lives for ever: nothing in it can
// be a tombstone or expire.
func (r Row) IsPlain() bool { return r.flags()&rowPlain != 0 }

// View is a row unpacked. Its cells and clustering point into the row.
type View struct {
	Clustering []byte
	Static     bool
	Liveness   Liveness
	Deletion   Deletion
	Cells      []Cell
}

// Unpack reads the row into v, reusing v's cells.
func (r Row) Unpack(v *View) {
	b := r.header(v)
	v.Cells = v.Cells[:0]
	for len(b) > 0 {
		v.Cells = append(v.Cells, Cell{})
		b = readCell(b, v.Liveness.Timestamp, &v.Cells[len(v.Cells)-1])
	}
}

// CellReader reads the cells of a row one after the other.
type CellReader struct {
	rest    []byte
	rowTime int64
}

// Read is Unpack for those who look at one cell after the other: it fills
// everything of v but its cells.
func (r Row) Read(v *View) CellReader {
	rest := r.header(v)
	return CellReader{rest, v.Liveness.Timestamp}
}

// Next reads the next cell into c; false at the end. The cell points into the
// row.
func (r *CellReader) Next(c *Cell) bool {
	if len(r.rest) == 0 {
		return false
	}
	r.rest = readCell(r.rest, r.rowTime, c)
	return true
}

// header reads all of a row but its cells, which it returns packed: those who
// look at one cell after the other need no memory for them.
func (r Row) header(v *View) []byte {
	b := r.bytes()
	n, w := uvarint(b)
	v.Clustering = b[w : w+int(n) : w+int(n)]
	flags := b[w+int(n)]
	b = b[w+int(n)+1:]
	v.Static = flags&rowStatic != 0
	v.Liveness, v.Deletion = NoLiveness, Live
	if flags&rowLiveness != 0 {
		v.Liveness.Timestamp = int64(binary.LittleEndian.Uint64(b))
		b = b[8:]
		if flags&rowExpiring != 0 {
			ttl, n := uvarint(b)
			b = b[n:]
			at, n := binary.Varint(b)
			b = b[n:]
			v.Liveness.TTL, v.Liveness.Expiry = int32(ttl), at
		}
	}
	if flags&rowDeletion != 0 {
		at := int64(binary.LittleEndian.Uint64(b))
		local, n := binary.Varint(b[8:])
		b = b[8+n:]
		v.Deletion = Deletion{at, local}
	}
	return b
}

// Pack writes the view as a row; cells must be in order. An empty view gives
// the zero Row.
func (v *View) Pack(buf []byte) (Row, []byte) {
	if v.Liveness.Timestamp == NoTimestamp && v.Deletion.IsLive() && len(v.Cells) == 0 {
		return Row{}, buf
	}
	b := AppendHeader(buf[:0], v.Clustering, v.Static, v.Liveness, v.Deletion)
	at := headerFlags(b)
	for i := range v.Cells {
		c := &v.Cells[i]
		if c.Local != NoDeletionTime || c.Complex {
			b[at] &^= rowPlain
		}
		b = appendCell(b, c, v.Liveness.Timestamp)
	}
	return pack(b), b
}

// headerFlags is the index of the flags byte in a packed row.
func headerFlags(b []byte) int {
	n, w := uvarint(b)
	return w + int(n)
}

// AppendHeader begins a packed row.
func AppendHeader(b, clustering []byte, static bool, l Liveness, d Deletion) []byte {
	b = binary.AppendUvarint(b, uint64(len(clustering)))
	b = append(b, clustering...)
	flags := byte(rowPlain)
	if static {
		flags |= rowStatic
	}
	if l.Timestamp != NoTimestamp {
		flags |= rowLiveness
		if l.TTL > 0 {
			flags = flags&^rowPlain | rowExpiring
		}
	}
	if !d.IsLive() {
		flags = flags&^rowPlain | rowDeletion
	}
	b = append(b, flags)
	if flags&rowLiveness != 0 {
		b = binary.LittleEndian.AppendUint64(b, uint64(l.Timestamp))
		if flags&rowExpiring != 0 {
			b = binary.AppendUvarint(b, uint64(l.TTL))
			b = binary.AppendVarint(b, l.Expiry)
		}
	}
	if flags&rowDeletion != 0 {
		b = binary.LittleEndian.AppendUint64(b, uint64(d.At))
		b = binary.AppendVarint(b, d.Local)
	}
	return b
}

// HasLive says whether the row is there for a reader at second now: its
// liveness or, unless it is strict, one of its cells is live.
// Source: Cassandra 5.0 Row.hasLiveData.
func (r Row) HasLive(now int64, strict bool) bool {
	if r.IsPlain() {
		return true
	}
	var v View
	rest := r.header(&v)
	if v.Liveness.IsLive(now) {
		return true
	}
	if strict {
		return false
	}
	for c := (Cell{}); len(rest) > 0; {
		if rest = readCell(rest, v.Liveness.Timestamp, &c); c.IsLive(now) {
			return true
		}
	}
	return false
}

// HasLive is Row.HasLive for an unpacked row.
func (v *View) HasLive(now int64, strict bool) bool {
	if v.Liveness.IsLive(now) {
		return true
	}
	if strict {
		return false
	}
	for i := range v.Cells {
		if v.Cells[i].IsLive(now) {
			return true
		}
	}
	return false
}
