package bind

import (
	"slices"
	"strconv"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

const (
	compactionPackage  = "org.apache.cassandra.db.compaction."
	compressionPackage = "org.apache.cassandra.io.compress."
)

// properties reads what has nothing to do with types.
func (f family) properties(d *FamilyDef) error {
	set := func(into *int, from *int) {
		if from != nil {
			*into = *from
		}
	}
	set(&f.GCGrace, d.GCGrace)
	set(&f.MinThreshold, d.MinThreshold)
	set(&f.MaxThreshold, d.MaxThreshold)
	set(&f.DefaultTTL, d.DefaultTTL)
	set(&f.MemtableFlushPeriod, d.MemtableFlushPeriod)
	if d.Comment != nil {
		f.Comment = *d.Comment
	}
	if d.ReadRepair != nil {
		f.ReadRepair = *d.ReadRepair
	}
	if d.LocalReadRepair != nil {
		f.LocalReadRepair = *d.LocalReadRepair
	}
	if d.BloomFPChance != nil {
		f.BloomFPChance = *d.BloomFPChance
	}
	for _, read := range []func(*FamilyDef) error{f.caching, f.retry, f.compaction, f.compression} {
		if err := read(d); err != nil {
			return err
		}
	}
	return nil
}

// caching reads what is cached. Source: Cassandra 2.1 CachingOptions.fromThrift.
func (f family) caching(d *FamilyDef) error {
	if d.Caching == "" && d.CellsPerRow == "" {
		return nil
	}
	kind := strings.ToUpper(d.Caching)
	switch kind {
	case "ALL", "ROWS_ONLY":
		switch n, err := strconv.ParseInt(d.CellsPerRow, 10, 32); {
		case d.CellsPerRow == "":
			f.CellsPerRow = "100"
		case strings.EqualFold(d.CellsPerRow, "ALL"):
			f.CellsPerRow = "ALL"
		case strings.EqualFold(d.CellsPerRow, "NONE"):
			kind = map[string]string{"ALL": "KEYS_ONLY", "ROWS_ONLY": "NONE"}[kind]
		case err != nil:
			return plan.Unsupported("cells_per_row_to_cache = "+d.CellsPerRow, "it is ALL, NONE or a number (a real node fails and closes the connection)")
		default:
			f.CellsPerRow = strconv.FormatInt(n, 10)
		}
	case "", "KEYS_ONLY":
		kind = "KEYS_ONLY"
	case "NONE":
	default:
		return plan.Unsupported("caching = "+d.Caching, "it is ALL, KEYS_ONLY, ROWS_ONLY or NONE (a real node fails and closes the connection)")
	}
	f.Caching = kind
	return nil
}

// retry reads speculative_retry. Source: Cassandra 2.1 CFMetaData.SpeculativeRetry.fromString.
func (f family) retry(d *FamilyDef) error {
	text := d.SpeculativeRetry
	if text == "" {
		return nil
	}
	upper := strings.ToUpper(text)
	number := func(suffix string) (float64, bool) {
		rest, ok := strings.CutSuffix(upper, suffix)
		if !ok {
			return 0, false
		}
		x, err := strconv.ParseFloat(rest, 64)
		return x, err == nil
	}
	if x, ok := number("PERCENTILE"); ok {
		if x < 0 || x > 100 {
			return plan.Invalid("PERCENTILE should be between 0 and 100")
		}
		f.SpeculativeRetry = types.JavaDouble(x) + "PERCENTILE"
		return nil
	}
	if x, ok := number("MS"); ok {
		f.SpeculativeRetry = types.JavaDouble(x) + "ms"
		return nil
	}
	if upper == "NONE" || upper == "ALWAYS" {
		f.SpeculativeRetry = upper
		return nil
	}
	return plan.Invalid("invalid speculative_retry type: %s", text)
}

// classicStrategies are the strategies that a column family may name.
var classicStrategies = []string{schema.SizeTiered, schema.Leveled, schema.DateTiered}

func (f family) compaction(d *FamilyDef) error {
	if d.Strategy != "" {
		f.Strategy = d.Strategy
		if !strings.Contains(f.Strategy, ".") {
			f.Strategy = compactionPackage + f.Strategy
		}
	}
	simple := strings.TrimPrefix(f.Strategy, compactionPackage)
	if !slices.Contains(classicStrategies, simple) {
		return plan.Invalid("Unable to find compaction strategy class '%s'", f.Strategy)
	}
	f.StrategyOptions = slices.Clone(d.StrategyOptions)
	return nil
}

// newerOptions are options of strategies that 2.1 does not have yet.
var newerOptions = []string{"log", "log_all", "only_purge_repaired_tombstones", "provide_overlapping_tombstones", "fanout_size", "single_sstable_uplevel"}

// checkCompaction checks the options of the strategy, which thresholds are none of:
// nothing reads them. Source: Cassandra 2.1 CFMetaData.validateCompactionOptions.
func (f family) checkCompaction() error {
	simple := strings.TrimPrefix(f.Strategy, compactionPackage)
	strange, err := schema.StrangeCompactionOptions(simple, f.StrategyOptions)
	if err != nil {
		return plan.Invalid("%s", err)
	}
	var keys []string
	for _, o := range f.StrategyOptions {
		threshold := o.Key == "min_threshold" || o.Key == "max_threshold"
		if slices.Contains(newerOptions, o.Key) || simple == schema.Leveled && threshold || slices.Contains(strange, o) && o.Key != "cold_reads_to_omit" {
			keys = append(keys, o.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return plan.Invalid("Properties specified [%s] are not understood by %s", strings.Join(schema.HashOrderCopied(keys, len(f.StrategyOptions)), ", "), simple)
}

// compression reads compression_options.
// Source: Cassandra 2.1 CompressionParameters.create.
func (f family) compression(d *FamilyDef) error {
	if d.Compression == nil {
		return nil
	}
	f.Compression = nil
	class, chunk, chance := "", "", ""
	var other []string
	for _, o := range *d.Compression {
		switch o.Key {
		case "sstable_compression":
			if class = o.Value; class == "" {
				continue
			}
			if !strings.Contains(class, ".") {
				class = compressionPackage + class
			}
			o.Value = class
		case "chunk_length_kb":
			chunk = o.Value
		case "crc_check_chance":
			chance = o.Value
		default:
			other = append(other, o.Key)
		}
		f.Compression = append(f.Compression, o)
	}
	kib, err := strconv.ParseInt(chunk, 10, 32)
	if chunk != "" && err != nil {
		return plan.Invalid("Invalid value for chunk_length_kb")
	}
	other = schema.HashOrder(other)
	switch strings.TrimPrefix(class, compressionPackage) {
	case "":
		if len(other) > 0 {
			return plan.Invalid("Unknown compression options ([%s]) since no compression class found", strings.Join(other, ", "))
		}
		f.Compression = nil
	case "LZ4Compressor", "SnappyCompressor", "DeflateCompressor":
		if len(other) > 0 {
			return plan.Invalid("Unknown compression options %s", other[0])
		}
	default:
		return plan.Invalid("Could not create Compression for type %s", class)
	}
	switch x, err := strconv.ParseFloat(chance, 64); {
	case chance == "":
	case err != nil:
		return plan.Invalid("crc_check_chance should be a double")
	case x < 0 || x > 1:
		return plan.Invalid("crc_check_chance should be between 0.0 and 1.0")
	}
	switch {
	case chunk == "":
	case kib <= 0:
		return plan.Invalid("Invalid negative or null chunk_length_kb")
	case kib&(kib-1) != 0:
		return plan.Invalid("chunk_length_kb must be a power of 2")
	}
	return nil
}
