package storage

import (
	"encoding/binary"
	"math/bits"

	"ringlab/model/schema"
	"ringlab/ring"
)

// The bytes between the components of what stands in a trie.
// Source: Cassandra 5.0 ByteSource, ClusteringPrefix.Kind.
const (
	comparableBefore       = 0x20 // a bound before everything that begins so
	comparableRow          = 0x38
	comparableEmpty        = 0x3f
	comparableNext         = 0x40
	comparableEmptyFlipped = 0x41 // of a descending column
	comparableAfter        = 0x60 // a bound behind it
)

// trieBlock is the size from which rows are indexed in format da, in blocks of
// about that many bytes. Source: Cassandra 5.0 BtiFormatPartitionWriter.DEFAULT_GRANULARITY.
const trieBlock = 16 << 10

// signedBytes is how many bytes hold a signed number.
// Source: Cassandra 5.0 SizedInts.nonZeroSize.
func signedBytes(n int64) int64 { return int64(bits.Len64(uint64(n^n>>63))+8) / 8 }

// partitionsBytes is the size of Partitions.db: a trie of the shortest prefixes of
// the tokens that tell keys apart, each with a byte of the key's hash and the
// partition's place in Data.db, or in Rows.db where it has rows there. Tokens are
// of Murmur3Partitioner. Source: Cassandra 5.0 PartitionIndexBuilder, PartitionIndex.
func partitionsBytes(parts []*Partition, places []int64) int64 {
	if len(parts) == 0 {
		return 2 + 2 + 24
	}
	var w trieLayout
	w.begin()
	prefix := func(i int) []byte {
		return append(binary.BigEndian.AppendUint64([]byte{comparableNext}, ring.Murmur3Bits(parts[i].Token)), comparableNext)
	}
	last, differ := prefix(0), 0 // differ is how many bytes tell last from the one before it
	for i := 1; i < len(parts); i++ {
		next, at := prefix(i), 1
		for at < len(next) && last[at-1] == next[at-1] {
			at++
		}
		w.add(last[:max(at, differ)], 1+signedBytes(places[i-1]))
		last, differ = next, at
	}
	w.add(last[:differ], 1+signedBytes(places[len(parts)-1]))
	w.finish()
	return w.pos + 2 + int64(len(parts[0].Key)) + 2 + int64(len(parts[len(parts)-1].Key)) + 24
}

// rowTries lays out Rows.db: for each partition of several blocks a trie of what
// tells their first rows apart, then its key and place.
// Source: Cassandra 5.0 BtiFormatPartitionWriter, RowIndexWriter, TrieIndexEntry.
type rowTries struct {
	table   *schema.Table
	w       trieLayout
	at      int64 // bytes of the partition so far
	start   int64 // where the block at hand begins
	first   []byte
	last    []byte // clustering of what was added last, and the byte behind it
	kind    byte
	begun   bool   // something is in the block at hand
	open    bool   // a range tombstone goes on behind what came last
	opened  bool   // and did so where the block at hand begins
	end     []byte // of the block before
	cut     []byte // what tells the last block from the one before it
	blocks  int64
	unknown bool // there is a clustering whose bytes are not known
}

// begin starts a partition whose rows begin behind so many bytes.
func (r *rowTries) begin(header int64) {
	r.w.begin()
	r.at, r.begun, r.open, r.end, r.cut, r.blocks = header, false, false, nil, nil, 0
}

// add takes in a row or marker of n bytes; kind is the byte behind its clustering,
// open whether a range tombstone goes on behind it.
func (r *rowTries) add(packed []byte, kind byte, n int64, open bool) {
	if !r.begun {
		r.first = r.bytes(r.first[:0], packed, kind)
		r.begun, r.opened, r.start = true, r.open, r.at
	}
	r.open = open
	r.at += n
	r.kind = kind
	if r.last = append(r.last[:0], packed...); r.at-r.start >= trieBlock {
		r.close()
	}
}

// bytes are those of a clustering in a trie.
// Source: Cassandra 5.0 ClusteringComparator.ByteComparableClustering.
func (r *rowTries) bytes(out, packed []byte, kind byte) []byte {
	for i, v := range schema.Components(packed) {
		c := r.table.Clustering[i]
		from := len(out)
		b, none, ok := c.Type.AppendComparable(append(out, comparableNext), v)
		r.unknown = r.unknown || !ok
		switch out = b; {
		case none && c.Desc:
			out[from] = comparableEmptyFlipped
		case none:
			out[from] = comparableEmpty
		case c.Desc:
			for j := from + 1; j < len(out); j++ {
				out[j] ^= 0xff
			}
		}
	}
	return append(out, kind)
}

// close ends a block with what was added last.
func (r *rowTries) close() {
	var cut []byte
	if r.blocks > 0 {
		at := 0
		for at < len(r.end)-1 && at < len(r.first)-1 && r.end[at] == r.first[at] {
			at++
		}
		cut = append(append(cut, r.end[:at]...), r.end[at]+1)
	}
	payload := signedBytes(r.start)
	if r.opened {
		payload += deletionTime
	}
	r.w.add(cut, payload)
	r.cut, r.end = cut, r.bytes(r.end[:0], r.last, r.kind)
	r.begun = false
	r.blocks++
}

// finish ends a partition that stands at a place of Data.db and gives the one that
// the partition index has for it.
func (r *rowTries) finish(f Format, p *Partition, data int64) int64 {
	if r.blocks > 0 && r.begun {
		r.close()
	}
	if r.blocks < 2 {
		return ^data
	}
	at := 0
	for at < len(r.cut) && at < len(r.end)-1 && r.cut[at] == r.end[at] {
		at++
	}
	behind := append([]byte(nil), r.end[:at+1]...)
	for behind[at] == 0xff && at+1 < len(r.end) {
		at++
		behind = append(behind, r.end[at])
	}
	behind[at]++
	r.w.add(behind, signedBytes(r.at))
	root := r.w.finish()
	place := r.w.pos
	r.w.pos += 2 + int64(len(p.Key))
	r.w.pos += vint(uint64(data)) + vint(zigzag(root-r.w.pos)) + vint(uint64(r.blocks)) + f.deletionBytes(p.Del)
	return place
}

// tries measures the indexes of a file of format da; nil for other formats.
type tries struct {
	sizer  *sizer
	rows   rowTries
	places []int64
	known  bool
}

func newTries(t *schema.Table, m Making, stats *Stats) *tries {
	if m.Format != DA {
		return nil
	}
	z := newSizer(t, stats, m.Format)
	x := &tries{sizer: z, rows: rowTries{table: t}, known: m.Partitioner == "Murmur3Partitioner" && t.IndexOf == nil}
	z.rows = &x.rows
	return x
}

// partition takes in the next partition of the file, which has so many bytes from
// a place of Data.db on.
func (x *tries) partition(p *Partition, data, bytes int64) {
	if x == nil || !x.known {
		return
	}
	place := ^data
	if bytes > trieBlock { // else it has one block at most
		x.sizer.partition(p)
		place = x.rows.finish(DA, p, data)
	}
	x.places = append(x.places, place)
}

// sizes are those of Partitions.db and Rows.db; -1 where they are not known.
func (x *tries) sizes(parts []*Partition) (partitions, rows int64) {
	switch {
	case x == nil:
		return 0, 0
	case !x.known || x.rows.unknown:
		return -1, -1
	}
	return partitionsBytes(parts, x.places), x.rows.w.pos
}
