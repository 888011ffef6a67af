package storage

import "ringlab/model/schema"

// indexBlock is the size from which the rows of a partition are indexed, in
// blocks of about that many bytes. Source: Cassandra 5.0 BigFormatPartitionWriter.DEFAULT_GRANULARITY.
const indexBlock = 64 << 10

// deletionTime is a DeletionTime that deletes something.
const deletionTime = 12

// blocks is the row index of the partition being measured.
// Source: Cassandra 5.0 BigFormatPartitionWriter, IndexInfo.
type blocks struct {
	del    int64 // bytes of the partition's deletion
	header int64 // bytes of the partition in front of its first row
	at     int64 // bytes of it so far, from there
	start  int64 // where the block at hand begins
	first  int64 // size of its first clustering, 0 if nothing is in it yet
	last   int64
	open   bool // a range tombstone goes on behind the last row or marker
	count  int64
	bytes  int64
}

func (b *blocks) begin(del int64) { *b = blocks{del: del} }

// add takes a row or marker of n bytes into the index; clustering is the size of
// its clustering with the kind in front.
func (b *blocks) add(n, clustering int64) {
	if b.first == 0 {
		b.first = clustering
	}
	b.last = clustering
	if b.at += n; b.at-b.start >= indexBlock {
		b.close()
	}
}

// close ends a block.
func (b *blocks) close() {
	width := b.at - b.start
	b.bytes += b.first + b.last + vint(uint64(b.header+b.start)) + vint(zigzag(width-indexBlock)) + 1
	if b.open {
		b.bytes += deletionTime
	}
	b.count++
	b.start, b.first = b.at, 0
}

func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

// payload is what the partition's entry in Index.db holds beside its key and
// place: nothing for one with less than two blocks.
func (b *blocks) payload() int64 {
	if b.first != 0 {
		b.close()
	}
	if b.count < 2 {
		return 0
	}
	return vint(uint64(b.header)) + b.del + vint(uint64(b.count)) + b.bytes + 4*b.count
}

// rowBlocks is how many entries the row index of a file's partition has, 0 for a
// partition without one.
// Source: Cassandra 5.0 AbstractRowIndexEntry.blockCount.
func (t *SSTable) rowBlocks(table *schema.Table, p *Partition) int64 {
	z := newSizer(table, &t.Stats, t.Format)
	if t.Format == DA {
		rows := rowTries{table: table}
		z.rows = &rows
		z.partition(p)
		if rows.finish(t.Format, p, 0); rows.blocks < 2 {
			return 0
		}
		return rows.blocks
	}
	z.partition(p)
	if z.blocks.payload() == 0 {
		return 0
	}
	return z.blocks.count
}
