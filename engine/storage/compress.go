package storage

import (
	"bytes"
	"compress/zlib"
	"fmt"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"

	"ringlab/engine/lz4"
	"ringlab/model/schema"
)

// sampledBytes stand for a file: a smaller one is compressed whole, of a larger one
// as many chunks, evenly spread.
const sampledBytes = 2 << 20

// sampled is how many chunks that are.
func (p *Packing) sampled() int { return max(int(sampledBytes/p.Chunk), 16) }

// compressedBytes is the length of Data.db on disk. The file's compressor
// really compresses. With LZ4's fast mode that is exact; those of Snappy, Deflate and
// Zstd are not Cassandra's libraries, for LZ4's slow mode its fast one stands, and of a
// large file a sample stands for all.
// Source of the layout: Cassandra 5.0 CompressedSequentialWriter.
func compressedBytes(t *schema.Table, s *SSTable, sizes func(i int) int64) int64 {
	size := int(s.packing.Chunk)
	onDisk := s.packing.chunkSizer()
	sampled := s.packing.sampled()
	if s.DataBytes <= int64(sampled*size) {
		n := int64(0)
		for data := s.Data(t); len(data) > 0; data = data[min(size, len(data)):] {
			n += onDisk(data[:min(size, len(data))])
		}
		return n
	}
	e := NewEncoder(t, &s.Stats, s.Format)
	var chunk []byte
	n, part, at := int64(0), 0, int64(0) // at is where part begins
	for i := range sampled {
		target := s.DataBytes / int64(sampled) * int64(i)
		for at+sizes(part) <= target {
			at += sizes(part)
			part++
		}
		chunk = e.from(chunk[:0], s.Parts[part:], target-at, sizes(part), size)
		n += onDisk(chunk[:min(size, len(chunk))]) * int64(size) / int64(min(size, len(chunk)))
	}
	return int64(float64(n) * (float64(s.DataBytes) / float64(sampled*size))) // the last chunk is a part of one
}

// emptyChunk is what the last chunk of nothing takes that compactions write. It is
// a part of the file, not of what the node takes for the length of its data.
func (s *SSTable) emptyChunk() int64 {
	if s.packing.IsOn() && s.Offsets() > s.Chunks() {
		return s.packing.chunkSizer()(nil)
	}
	return 0
}

// chunkSizer gives the function that says how many bytes a chunk takes in a file
// with the checksum behind it. A short chunk that is kept as it is, the last, is filled
// with zeros, so that a reader sees that it is not compressed.
// Source: Cassandra 5.0 CompressedSequentialWriter.flushData.
func (p *Packing) chunkSizer() func(chunk []byte) int64 {
	squeeze := compressor(p.Class)
	return func(chunk []byte) int64 {
		n := int64(squeeze(chunk))
		if n >= p.Most {
			n = max(int64(len(chunk)), p.Most)
		}
		return n + 4
	}
}

// from appends about n bytes from a place inside of the first partition on: of a
// large one the rows that stand there, then whole partitions.
func (e *Encoder) from(b []byte, parts []*Partition, offset, size int64, n int) []byte {
	first := *parts[0]
	if rows := int64(len(first.Rows)); rows > 1 && size > int64(n) {
		skip := rows * offset / size
		take := rows*int64(n)/size + 2
		first.Rows = first.Rows[min(skip, rows-1):min(skip+take, rows)]
		first.Ranges = nil
		b = e.Partition(b, &first)
	} else {
		b = e.Partition(b, &first)
		b = b[min(offset, int64(len(b))):]
	}
	parts = parts[1:]
	for len(b) < n && len(parts) > 0 {
		b = e.Partition(b, parts[0])
		parts = parts[1:]
	}
	return b
}

// Ratio is the share of their bytes that files take on disk, 1 without any.
func Ratio(files []*SSTable) float64 {
	disk, data := int64(0), int64(0)
	for _, f := range files {
		disk += f.OnDisk
		data += f.DataBytes
	}
	if data == 0 {
		return 1
	}
	return float64(disk) / float64(data)
}

// compressor gives the function that says how many bytes a chunk becomes.
// Source: Cassandra 5.0 LZ4Compressor, SnappyCompressor, DeflateCompressor,
// ZstdCompressor, NoopCompressor.
func compressor(name string) func(chunk []byte) int {
	var out []byte
	switch name {
	case "LZ4Compressor":
		z := &lz4.Block{}
		return func(chunk []byte) int {
			return z.Size(chunk) + 4 // its own length in front
		}
	case "SnappyCompressor":
		return func(chunk []byte) int {
			out = snappy.Encode(out[:cap(out)], chunk)
			return len(out)
		}
	case "DeflateCompressor":
		return func(chunk []byte) int {
			var b bytes.Buffer
			w := zlib.NewWriter(&b)
			w.Write(chunk)
			w.Close()
			return b.Len()
		}
	case "ZstdCompressor":
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
		if err != nil {
			panic(fmt.Sprintf("storage: no encoder of zstd: %v", err))
		}
		return func(chunk []byte) int {
			out = w.EncodeAll(chunk, out[:0])
			return len(out)
		}
	}
	return func(chunk []byte) int { return len(chunk) } // NoopCompressor
}
