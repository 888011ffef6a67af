package storage

import (
	"fmt"
	"hash/crc32"
	"slices"
	"sort"
	"strings"

	"ringlab/model/schema"
)

// rot is what is wrong with a file whose bytes are not those that were written:
// the chunks of Data.db that do not fit their checksums any more.
type rot struct {
	size   int64   // bytes of a chunk before compression
	starts []int64 // where each partition begins, and the end of the last
	chunks []Chunk // ascending
}

// Chunk is a piece of a compressed Data.db.
type Chunk struct {
	Number         int64 // from 0
	Offset, Length int64 // in the compressed file, without the checksum behind it
}

// Corruption is what a read met: a chunk that does not fit its checksum.
// Source: Cassandra 5.0 CorruptSSTableException, CorruptBlockException.
type Corruption struct {
	File *SSTable
	Chunk
}

// Text is what the node's log has of it, in one line.
func (c *Corruption) Text(t *schema.Table) string {
	path := c.File.Path(t)
	return fmt.Sprintf("org.apache.cassandra.io.sstable.CorruptSSTableException: Corrupted: %s Caused by: %s", path, c.Cause(t))
}

// Cause is the exception behind it.
func (c *Corruption) Cause(t *schema.Table) string {
	return fmt.Sprintf("org.apache.cassandra.io.compress.CorruptBlockException: (%s): corruption detected, chunk at %d of length %d.", c.File.Path(t), c.Offset, c.Length)
}

// Directory is where a real node would keep a table's files.
func Directory(t *schema.Table) string {
	return "/var/lib/cassandra/data/" + t.Keyspace + "/" + t.Name + "-" + strings.ReplaceAll(t.ID.String(), "-", "")
}

// Path is where a real node would keep a file's data.
func (s *SSTable) Path(t *schema.Table) string { return Directory(t) + "/" + s.FileName("Data.db") }

// Corrupt flips bytes of the chunk that holds the middle of a partition, of the
// whole file where at is negative. A file without compression has no checksums
// that a read would look at, so it is refused by a nil result.
// It gives the chunk and the number of partitions that it holds some of.
func (s *SSTable) Corrupt(t *schema.Table, at int) (hit *Chunk, partitions int) {
	if !s.packing.IsOn() || len(s.Parts) == 0 {
		return nil, 0
	}
	if s.rot == nil {
		s.rot = &rot{size: s.packing.Chunk, starts: s.starts(t)}
	}
	r := s.rot
	middle := s.DataBytes / 2
	if at >= 0 {
		middle = (r.starts[at] + r.starts[at+1]) / 2
	}
	number := middle / r.size
	if i := slices.IndexFunc(r.chunks, func(c Chunk) bool { return c.Number == number }); i < 0 {
		r.chunks = append(r.chunks, s.chunkAt(t, number))
		slices.SortFunc(r.chunks, func(a, b Chunk) int { return int(a.Number - b.Number) })
	}
	for i := range r.chunks {
		if r.chunks[i].Number == number {
			hit = &r.chunks[i]
		}
	}
	for i := range s.Parts {
		if r.starts[i] < (number+1)*r.size && r.starts[i+1] > number*r.size {
			partitions++
		}
	}
	return hit, partitions
}

// starts are where each partition begins, and the end of the last.
func (s *SSTable) starts(t *schema.Table) []int64 {
	z := newSizer(t, &s.Stats, s.Format)
	out := make([]int64, 1, len(s.Parts)+1)
	for i, p := range s.Parts {
		out = append(out, out[i]+z.partition(p))
	}
	return out
}

// chunkAt is where a chunk stands in the compressed file; of a large file, of
// which OnDisk is an estimate, it is one too.
func (s *SSTable) chunkAt(t *schema.Table, number int64) Chunk {
	size := s.packing.Chunk
	c := Chunk{Number: number}
	if s.DataBytes > int64(s.packing.sampled())*size {
		each := s.OnDisk / s.Chunks()
		c.Offset, c.Length = number*each, each-4
		return c
	}
	packed := s.packing.chunkSizer()
	data := s.Data(t)
	for i := int64(0); i <= number; i++ {
		c.Offset += c.Length
		c.Length = packed(data[i*size : min((i+1)*size, int64(len(data)))])
	}
	c.Length -= 4
	return c
}

// IsCorrupt says whether some of the file's chunks do not fit their checksums.
func (s *SSTable) IsCorrupt() bool { return s.rot != nil }

// CorruptChunks are those, ascending.
func (s *SSTable) CorruptChunks() []Chunk {
	if s.rot == nil {
		return nil
	}
	return s.rot.chunks
}

// bad is the first corrupt chunk that bytes from, up to but without to, lie in.
func (s *SSTable) bad(from, to int64) *Corruption {
	for _, c := range s.rot.chunks {
		if c.Number*s.rot.size < to && (c.Number+1)*s.rot.size > from {
			return &Corruption{s, c}
		}
	}
	return nil
}

// CorruptIn is what a read of whole partitions of the file meets first, nil for
// nothing. parts are some of the file's, in its order.
func (s *SSTable) CorruptIn(parts []*Partition) *Corruption {
	if s.rot == nil {
		return nil
	}
	for _, p := range parts {
		i := s.index(p.Token, p.Key)
		if c := s.bad(s.rot.starts[i], s.rot.starts[i+1]); c != nil {
			return c
		}
	}
	return nil
}

// CorruptScan is CorruptIn for a read of all of the file.
func (s *SSTable) CorruptScan() *Corruption {
	if s.rot == nil {
		return nil
	}
	return s.bad(0, s.DataBytes)
}

// CorruptRead is what the last Read, of that query with that answer, met; nil for
// nothing. A file is read where the query needs it, and there no further than it
// needs: rows come one after the other, up to the last one wanted.
func (s *TableStore) CorruptRead(q *Query, f *Found) *Corruption {
	if f.RowCache == RowCacheHit || !slices.ContainsFunc(s.candidates, func(c candidate) bool { return c.file.rot != nil }) {
		return nil
	}
	for i, r := range s.fileReads(q, s.Mem.find(q.Key).asked(q), s.candidates, f) {
		c := s.candidates[i]
		if !r.Read || c.file.rot == nil {
			continue
		}
		start := c.file.rot.starts[c.file.index(q.Token, q.Key)]
		from, to := c.file.extent(q, c.part, f)
		if bad := c.file.bad(start+from, start+to); bad != nil {
			return bad
		}
	}
	return nil
}

// extent is the stretch of a partition's bytes that a query reads: from its
// beginning, or from the block of its row index where the first row wanted stands,
// to the end of the last one. Partitions with range tombstones are read whole.
// Source: Cassandra 5.0 SSTableIterator, SSTableReversedIterator.
func (s *SSTable) extent(q *Query, p *Partition, f *Found) (from, to int64) {
	z := newSizer(q.Table, &s.Stats, s.Format)
	size := z.partition(p)
	if len(p.Ranges) > 0 || size <= s.rot.size && q.Limit == 0 && q.Slices == nil && q.Names == nil {
		return 0, size
	}
	first, last := len(p.Rows), -1
	for _, slice := range q.slices() {
		lo := sort.Search(len(p.Rows), func(i int) bool { return q.Table.CompareCutRow(slice.From, p.Rows[i].Clustering()) <= 0 })
		hi := sort.Search(len(p.Rows), func(i int) bool { return q.Table.CompareCutRow(slice.To, p.Rows[i].Clustering()) <= 0 })
		if lo < hi {
			first, last = min(first, lo), max(last, hi-1)
		}
	}
	if n := len(f.Rows); f.Cut && n > 0 {
		end := f.Rows[n-1].Clustering()
		for i := first; i <= last; i++ {
			order := q.Table.CompareClustering(p.Rows[i].Clustering(), end)
			if !q.Reversed && order >= 0 {
				last = i // the row that is not wanted any more may have to be seen
				break
			}
			if q.Reversed && order <= 0 {
				first = i
			}
		}
	}
	at, rows := z.offsets(p)
	switch {
	case last < 0:
		return 0, at
	case size >= 2*indexBlock:
		from = rows[first] / indexBlock * indexBlock
	}
	if q.Reversed && size < 2*indexBlock {
		last = len(p.Rows) - 1 // without a row index it is read to its end
	}
	return from, rows[last+1]
}

// offsets are the bytes in front of a partition's first row, and where each row of
// one without range tombstones begins, and the end of the last.
func (z *sizer) offsets(p *Partition) (header int64, rows []int64) {
	alone := *p
	alone.Rows = nil
	header = z.partition(&alone) - 1
	prev := header
	rows = append(make([]int64, 0, len(p.Rows)+1), header)
	for i, r := range p.Rows {
		prev = z.row(r, prev)
		rows = append(rows, rows[i]+prev)
	}
	return header, rows
}

// CorruptScanAfter is what a scan of those bounds met that found so much: up to
// the last partition of an answer that its limit cut, else to the end of the bounds.
func (s *TableStore) CorruptScanAfter(q *Query, b Bounds, found []*Found) *Corruption {
	for _, t := range s.SSTables {
		if t.rot == nil {
			continue
		}
		end := len(t.Parts)
		if live := 0; q.Limit > 0 && len(found) > 0 {
			for _, f := range found {
				live += f.Live
			}
			if last := found[len(found)-1]; live >= q.Limit || q.Ghosts && len(found) >= q.Limit {
				end = sort.Search(len(t.Parts), func(i int) bool { return less(last.Token, last.Key, t.Parts[i].Token, t.Parts[i].Key) })
			}
		}
		for i, p := range t.Parts[:end] {
			if !b.In(p.Token) {
				continue
			}
			if c := t.bad(t.rot.starts[i], t.rot.starts[i+1]); c != nil {
				return c
			}
		}
	}
	return nil
}

// Digests are the checksum that Digest.crc32 has of a corrupt file and the one of
// what stands there now. Both are of the bytes before compression, which a real
// node's are not.
func (s *SSTable) Digests(t *schema.Table) (now, written uint32) {
	data := s.Data(t)
	written = crc32.ChecksumIEEE(data)
	for _, c := range s.CorruptChunks() {
		data[c.Number*s.rot.size] ^= 0xff
	}
	return crc32.ChecksumIEEE(data), written
}

// PartitionStarts are where each partition of a file begins, and the end of the last.
func (s *SSTable) PartitionStarts(t *schema.Table) []int64 {
	if s.rot != nil {
		return s.rot.starts
	}
	return s.starts(t)
}

// CorruptAt says whether the byte at that place lies in a corrupt chunk.
func (s *SSTable) CorruptAt(place int64) bool { return s.rot != nil && s.bad(place, place+1) != nil }
