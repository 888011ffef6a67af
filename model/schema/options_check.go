package schema

// minBloomFPChance is the smallest chance that a bloom filter can be sized for.
// Source: Cassandra 5.0 BloomCalculations.minSupportedBloomFilterFpChance.
const minBloomFPChance = 6.71e-5

// MaxTTL is the longest time to live in seconds. Source: Cassandra 5.0 Attributes.
const MaxTTL = 630720000

// Check refuses values out of bounds and contradictions, in Cassandra's order.
// Source: Cassandra 5.0 TableParams.validate.
func (o Options) Check() error {
	if err := checkCompaction(o.Compaction, o.written); err != nil {
		return err
	}
	switch {
	case o.BloomFPChance <= minBloomFPChance || o.BloomFPChance > 1: // which NaN is not
		return configf("bloom_filter_fp_chance must be larger than %s and less than or equal to 1.0 (got %s)",
			javaDouble(minBloomFPChance), javaDouble(o.BloomFPChance))
	case o.CRCCheckChance < 0 || o.CRCCheckChance > 1:
		return configf("crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 (got %s)",
			javaDouble(o.CRCCheckChance))
	case o.DefaultTTL < 0:
		return atLeast("default_time_to_live", 0, o.DefaultTTL)
	case o.DefaultTTL > MaxTTL:
		return configf("default_time_to_live must be less than or equal to %d (got %d)", MaxTTL, o.DefaultTTL)
	case o.GCGrace < 0:
		return atLeast("gc_grace_seconds", 0, o.GCGrace)
	case o.MinIndexInterval < 1:
		return atLeast("min_index_interval", 1, o.MinIndexInterval)
	case o.MaxIndexInterval < o.MinIndexInterval:
		return configf("max_index_interval must be greater than or equal to min_index_interval (%d) (got %d)",
			o.MinIndexInterval, o.MaxIndexInterval)
	case o.MemtableFlushPeriod < 0:
		return atLeast("memtable_flush_period_in_ms", 0, o.MemtableFlushPeriod)
	}
	return nil
}

func atLeast(name string, bound, got int) error {
	return configf("%s must be greater than or equal to %d (got %d)", name, bound, got)
}
