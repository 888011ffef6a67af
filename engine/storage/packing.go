package storage

import (
	"math"

	"ringlab/model/schema"
)

// Packing is how a file's Data.db is compressed: what the table's options said when it was
// written, so that a file stays as it is when they change. The zero value is none.
type Packing struct {
	Class  string // the compressor's, without its package
	Chunk  int64  // bytes of a chunk before compression
	Most   int64  // a chunk that would take as many bytes or more is kept as it is
	High   bool   // LZ4's slow mode
	own    string // the compressor's own options, in order of name
	header int64  // bytes of CompressionInfo.db without the chunks' places
}

// defaultPacking is LZ4 with chunks of 16 KiB.
// Source: Cassandra 5.0 CompressionParams.DEFAULT.
var defaultPacking = Packing{Class: "LZ4Compressor", Chunk: 16 << 10, Most: math.MaxInt32, header: 26 + int64(len("LZ4Compressor"))}

// PackingOf is how a table's files are compressed that are written now. A flush must
// be fast: where the table's compressor is not, it takes the default one.
// Source: Cassandra 5.0 SortedTableWriter.compressionFor, Config.FlushCompression,
// CompressionParams.calcMaxCompressedLength, CompressionMetadata.Writer.writeHeader.
func PackingOf(o schema.Options, flush bool) Packing {
	if !o.Compressed() {
		return Packing{}
	}
	p := Packing{Class: o.Compressor(), Chunk: int64(o.ChunkKiB()) << 10}
	p.Most = schema.MostCompressed(int(p.Chunk), o.MinCompressRatio())
	p.header = 26 + int64(len(p.Class))
	for _, own := range o.CompressorOptions() {
		p.header += 4 + int64(len(own.Key)+len(own.Value))
		p.own += own.Key + "=" + own.Value + ";"
		p.High = p.High || own.Key == "lz4_compressor_type" && own.Value == "high"
	}
	if flush && (p.Class == "DeflateCompressor" || p.Class == "ZstdCompressor" || p.High) {
		return defaultPacking
	}
	return p
}

// Packing is how the file is compressed.
func (s *SSTable) Packing() *Packing { return s.packing }

// IsOn says whether there is any compression.
func (p *Packing) IsOn() bool { return p.Class != "" }

// Same says whether files of both are compressed alike.
// Source: Cassandra 5.0 CompressionParams.equals.
func (p *Packing) Same(o *Packing) bool { return *p == *o }

// Compressed are those of some files that are.
func Compressed(files []*SSTable) (out []*SSTable) {
	for _, f := range files {
		if f.packing.IsOn() {
			out = append(out, f)
		}
	}
	return out
}
