package storage

import (
	"fmt"
	"math/bits"

	"ringlab/model/schema"
)

// Component is one of the files that make an SSTable.
type Component struct {
	Name  string // as in its file name: Data.db
	Bytes int64  // -1 where it is not known: see Unknown
	Exact bool   // else a usual size, or a sample of the data
}

// Unknown says why a size is not known.
const Unknown = "not known: the tries of format da are laid out for Murmur3Partitioner and clustering columns of numbers, texts, blobs, times and UUIDs"

// FileName is the name of one of the file's components, as `ls` shows it.
// Source: Cassandra 5.0 Descriptor.
func (s *SSTable) FileName(component string) string {
	return fmt.Sprintf("%s-%d-%s-%s", s.Format, s.Gen, s.Format.Family(), component)
}

// Components are the files of an SSTable as `ls` shows them.
// Source: Cassandra 5.0 BigFormat.Components, BtiFormat.Components,
// IndexSummary, CompressionMetadata, StatsMetadata.
func (s *SSTable) Components(t *schema.Table) []Component {
	compressed := s.packing.IsOn()
	out := []Component{{"Data.db", s.OnDisk + s.emptyChunk(), !compressed || s.compressedExactly()}}
	toc := int64(80)
	if compressed {
		out = append(out, Component{"CompressionInfo.db", s.packing.header + 8*s.Offsets(), true})
		toc += int64(len("CompressionInfo.db") - len("CRC.db"))
	} else {
		out = append(out, Component{"CRC.db", 4 + 4*s.ended(pieces(s.DataBytes, crcChunk)), true})
	}
	out = append(out, Component{"Digest.crc32", 10, false})
	if s.Filter != nil {
		out = append(out, Component{"Filter.db", s.Filter.Bytes(), true})
	} else {
		toc -= int64(len("Filter.db\n"))
	}
	if s.Format == DA {
		toc += int64(len("Partitions.db") + len("Rows.db") - len("Index.db") - len("Summary.db"))
		out = append(out, Component{"Partitions.db", s.partitionsDB, true}, Component{"Rows.db", s.rowsDB, true})
	} else {
		out = append(out, Component{"Index.db", s.IndexBytes, true}, Component{"Summary.db", s.summaryBytes(t), true})
	}
	return append(out, Component{"Statistics.db", s.statisticsBytes(t), true}, Component{"TOC.txt", toc, true})
}

// crcChunk is how much of an uncompressed file each checksum covers.
const crcChunk = 64 << 10

// Chunks are the pieces in which the file's data is compressed.
func (s *SSTable) Chunks() int64 {
	return pieces(s.DataBytes, s.packing.Chunk)
}

// Offsets are the places of chunks that CompressionInfo.db lists: what a
// compaction has written ends in an empty one. Measured on a node of 5.0.5.
func (s *SSTable) Offsets() int64 {
	return s.ended(s.Chunks())
}

// ended counts the empty piece at the end of what a compaction has written.
func (s *SSTable) ended(pieces int64) int64 {
	if s.Origin != "flush" {
		pieces++
	}
	return pieces
}

// pieces is into how many pieces of a size so many bytes go.
func pieces(bytes, size int64) int64 { return (bytes + size - 1) / size }

// summaryBytes: a header, what a node keeps of the summary in memory, and the
// first and last key.
func (s *SSTable) summaryBytes(t *schema.Table) int64 {
	n := 24 + s.SummaryBytes(t)
	if last := len(s.Parts) - 1; last >= 0 {
		n += 8 + int64(len(s.Parts[0].Key)+len(s.Parts[last].Key))
	}
	return n
}

// compressedExactly says whether OnDisk is what Cassandra's own library makes.
func (s *SSTable) compressedExactly() bool {
	p := s.packing
	return p.Class == "NoopCompressor" || p.Class == "LZ4Compressor" && !p.High && s.DataBytes <= int64(p.sampled())*p.Chunk
}

// MemoryText is a number of bytes as 5.146KiB.
// Source: Cassandra 5.0 FBUtilities.prettyPrintMemory.
func MemoryText(bytes int64) string {
	unit := (bits.Len64(uint64(bytes)) - 1) / 10
	if bytes == 0 || unit == 0 {
		return fmt.Sprintf("%dB", bytes)
	}
	return fmt.Sprintf("%.3f%ciB", float64(bytes)/float64(int64(1)<<(10*unit)), "KMGTPE"[unit-1])
}
