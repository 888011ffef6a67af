package schema

import (
	"slices"
	"strconv"
	"strings"
)

// Options are the properties of a table. Maps are sorted by key.
// Source: Cassandra 5.0 TableParams.
type Options struct {
	AdditionalWritePolicy string
	AllowAutoSnapshot     bool
	BloomFPChance         float64
	Caching               []Option // keys, rows_per_partition
	CDC                   bool
	Comment               string
	Compaction            []Option // class is fully qualified
	Compression           []Option // class is fully qualified; {enabled: false} is none
	CRCCheckChance        float64
	DefaultTTL            int // seconds, 0 = none
	GCGrace               int // seconds
	IncrementalBackups    bool
	MaxIndexInterval      int
	Memtable              string // name of a memtable configuration of the node
	MemtableFlushPeriod   int    // ms, 0 = never
	MinIndexInterval      int
	ReadRepair            string // BLOCKING or NONE
	SpeculativeRetry      string

	written []string // the names in the compaction map, in their order
}

// DefaultOptions are those of a CREATE TABLE without WITH.
// Source: Cassandra 5.0 TableParams.Builder.
func DefaultOptions() Options {
	return Options{
		AdditionalWritePolicy: "99p",
		AllowAutoSnapshot:     true,
		BloomFPChance:         0.01,
		Caching:               []Option{{"keys", "ALL"}, {"rows_per_partition", "NONE"}},
		Compaction: []Option{{"class", compactionPackage + SizeTiered}, {"max_threshold", "32"},
			{"min_threshold", "4"}},
		Compression:        []Option{{"chunk_length_in_kb", "16"}, {"class", compressPackage + "LZ4Compressor"}},
		CRCCheckChance:     1,
		GCGrace:            864000,
		IncrementalBackups: true,
		MaxIndexInterval:   2048,
		Memtable:           "default",
		MinIndexInterval:   128,
		ReadRepair:         "BLOCKING",
		SpeculativeRetry:   "99p",
	}
}

// Equal says whether both are the same options.
func (o Options) Equal(p Options) bool {
	return o.AdditionalWritePolicy == p.AdditionalWritePolicy && o.AllowAutoSnapshot == p.AllowAutoSnapshot &&
		o.BloomFPChance == p.BloomFPChance && slices.Equal(o.Caching, p.Caching) && o.CDC == p.CDC && o.Comment == p.Comment &&
		slices.Equal(o.Compaction, p.Compaction) && slices.Equal(o.Compression, p.Compression) &&
		o.CRCCheckChance == p.CRCCheckChance && o.DefaultTTL == p.DefaultTTL && o.GCGrace == p.GCGrace &&
		o.IncrementalBackups == p.IncrementalBackups && o.MaxIndexInterval == p.MaxIndexInterval && o.Memtable == p.Memtable &&
		o.MemtableFlushPeriod == p.MemtableFlushPeriod && o.MinIndexInterval == p.MinIndexInterval &&
		o.ReadRepair == p.ReadRepair && o.SpeculativeRetry == p.SpeculativeRetry
}

// GCGraceSeconds is how long tombstones are kept at least.
func (o Options) GCGraceSeconds() int { return o.GCGrace }

// BloomFilterFPChance is the wanted share of false positives, in (0, 1].
func (o Options) BloomFilterFPChance() float64 { return o.BloomFPChance }

// CompactionClass is the strategy without its package.
func (o Options) CompactionClass() string {
	return simpleName(find(o.Compaction, "class"))
}

// CompactionText is a compaction option as written, "" if it is absent.
func (o Options) CompactionText(key string) string { return find(o.Compaction, key) }

// CompactionInt is a whole-number compaction option, or def.
func (o Options) CompactionInt(key string, def int) int {
	if n, ok := parseInt(find(o.Compaction, key), 64); ok {
		return int(n)
	}
	return def
}

// CompactionFloat is a fractional compaction option, or def.
func (o Options) CompactionFloat(key string, def float64) float64 {
	if f, err := strconv.ParseFloat(find(o.Compaction, key), 64); err == nil {
		return f
	}
	return def
}

// CompactionBytes is a compaction option that is a size such as 100MiB, or def.
func (o Options) CompactionBytes(key string, def int64) int64 {
	if f, problem := humanBytes(find(o.Compaction, key)); problem == "" {
		return int64(f)
	}
	return def
}

// CompactionShare is a compaction option that is a share such as 0.333 or 33%,
// or def.
func (o Options) CompactionShare(key string, def float64) float64 {
	text, percent := strings.CutSuffix(strings.TrimSpace(find(o.Compaction, key)), "%")
	f, ok := parseDouble(text)
	switch {
	case !ok:
		return def
	case percent:
		return f / 100
	}
	return f
}

// HasCompaction says whether a compaction option is written.
func (o Options) HasCompaction(key string) bool { return has(o.Compaction, key) }

// CompactionEnabled says whether automatic compaction is on.
func (o Options) CompactionEnabled() bool {
	e := find(o.Compaction, "enabled")
	return e == "" || isTrue(e)
}

// MinThreshold and MaxThreshold bound the sstables of one compaction.
func (o Options) MinThreshold() int { return o.CompactionInt("min_threshold", 4) }

// MaxThreshold is the upper bound.
func (o Options) MaxThreshold() int { return o.CompactionInt("max_threshold", 32) }

// Compressed says whether sstables are compressed.
func (o Options) Compressed() bool { return find(o.Compression, "class") != "" }

// CachedRows is how many rows of a partition the row cache keeps, and whether
// that is all of them. Source: Cassandra 5.0 CachingParams.
func (o Options) CachedRows() (all bool, rows int) {
	switch v := find(o.Caching, "rows_per_partition"); v {
	case "ALL":
		return true, 1
	default:
		n, _ := strconv.Atoi(v) // NONE is none
		return false, n
	}
}

// Compressor is the simple name of the class that compresses sstables, empty for
// none.
func (o Options) Compressor() string {
	return strings.TrimPrefix(find(o.Compression, "class"), compressPackage)
}

// CompressorOptions are those of the compressor itself.
func (o Options) CompressorOptions() []Option {
	return without(o.Compression, "class", "chunk_length_in_kb", "min_compress_ratio", "enabled")
}

// MinCompressRatio is how much a chunk must shrink to be stored compressed; 0
// stores all so. Source: Cassandra 5.0 CompressionParams.
func (o Options) MinCompressRatio() float64 {
	r, _ := strconv.ParseFloat(find(o.Compression, "min_compress_ratio"), 64)
	return r
}

// ChunkKiB is the length of a compressed chunk.
func (o Options) ChunkKiB() int {
	if n, ok := parseInt(find(o.Compression, "chunk_length_in_kb"), 32); ok {
		return int(n)
	}
	return 16
}

func find(options []Option, key string) string {
	for _, o := range options {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

func has(options []Option, key string) bool {
	return slices.ContainsFunc(options, func(o Option) bool { return o.Key == key })
}

func without(options []Option, keys ...string) []Option {
	var rest []Option
	for _, o := range options {
		if !slices.Contains(keys, o.Key) {
			rest = append(rest, o)
		}
	}
	return rest
}

func sorted(options []Option) []Option {
	out := slices.Clone(options)
	slices.SortStableFunc(out, func(a, b Option) int {
		switch {
		case a.Key < b.Key:
			return -1
		case a.Key > b.Key:
			return 1
		}
		return 0
	})
	return out
}

func simpleName(class string) string {
	for i := len(class) - 1; i >= 0; i-- {
		if class[i] == '.' {
			return class[i+1:]
		}
	}
	return class
}
