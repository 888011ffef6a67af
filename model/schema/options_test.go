package schema

import (
	"strings"
	"testing"
)

// set parses "a=b,c=d" of one map option.
func mapOf(text string) []Option {
	var m []Option
	for _, e := range strings.Split(text, ",") {
		if k, v, ok := strings.Cut(e, "="); ok {
			m = append(m, Option{k, strings.ReplaceAll(v, ";", ",")})
		}
	}
	return m
}

func TestMapOptions(t *testing.T) {
	const stcs, lcs, twcs, ucs = "class=" + SizeTiered, "class=" + Leveled, "class=" + TimeWindow, "class=" + Unified
	for _, c := range []struct{ name, value, message string }{
		{"compaction", stcs + ",min_threshold=4,max_threshold=32,bucket_low=0.4,bucket_high=1.2,min_sstable_size=0", ""},
		{"compaction", "class=org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy,enabled=false", ""},
		{"compaction", stcs + ",bucket_low=2", "bucket_high value (1.5) is less than or equal to the bucket_low value (2.0)"},
		{"compaction", stcs + ",bucket_low=x", "x is not a parsable float for bucket_low"},
		{"compaction", stcs + ",min_sstable_size=-1", "min_sstable_size must be non negative: -1"},
		{"compaction", stcs + ",min_threshold=x", "Invalid value x for 'min_threshold' compaction sub-option - must be an integer"},
		{"compaction", stcs + ",max_threshold=0", "Disabling compaction by setting compaction thresholds to 0 has been removed, " +
			"set the compaction option 'enabled' to false instead."},
		{"compaction", stcs + ",tombstone_threshold=-1", "tombstone_threshold must be greater than 0, but was -1.000000"},
		{"compaction", stcs + ",unchecked_tombstone_compaction=x", "'unchecked_tombstone_compaction' should be either 'true' or 'false', not 'x'"},
		{"compaction", stcs + ",provide_overlapping_tombstones=x", "Invalid value X for 'provide_overlapping_tombstones' compaction sub-option - " +
			"must be one of the following [NONE, ROW, CELL]."},
		{"compaction", stcs + ",sstable_size_in_mb=1", "Properties specified [sstable_size_in_mb] are not understood by SizeTieredCompactionStrategy"},
		{"compaction", lcs + ",sstable_size_in_mb=80,fanout_size=5,single_sstable_uplevel=true", ""},
		{"compaction", lcs + ",fanout_size=0", "fanout_size must be larger than 0, but was 0"},
		{"compaction", twcs + ",compaction_window_size=0", "0 must be greater than 1 for compaction_window_size"},
		{"compaction", twcs + ",timestamp_resolution=DAYS", "DAYS is not valid for timestamp_resolution"},
		{"compaction", ucs + ",scaling_parameters=T4; L8; N; -3,target_sstable_size=100MiB,base_shard_count=4", ""},
		{"compaction", ucs + ",scaling_parameters=X", "Scaling parameter X must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+"},
		{"compaction", ucs + ",scaling_parameters=T1", "Fan factor cannot be lower than 2 in T1"},
		{"compaction", ucs + ",target_sstable_size=1KiB", "target_sstable_size 1KiB is not acceptable, size must be at least 1.000MiB"},
		{"compaction", ucs + ",min_threshold=4", "Properties specified [min_threshold] are not understood by UnifiedCompactionStrategy"},
		{"compression", "class=ZstdCompressor,compression_level=3,chunk_length_in_kb=64", ""},
		{"compression", "", ""},
		{"compression", "class=LZ4Compressor,chunk_length_in_kb=0", "Invalid negative or null chunk_length_in_kb"},
		{"compression", "class=LZ4Compressor,chunk_length_in_kb=x", "Invalid value for chunk_length_in_kb"},
		{"compression", "class=,a=b", "The 'class' option must not be empty. To disable compression use 'enabled' : false"},
		{"compression", "enabled=false,class=LZ4Compressor", "If the 'enabled' option is set to false no other options must be specified"},
		{"compression", "class=LZ4Compressor,min_compress_ratio=0.5", "min_compress_ratio can either be 0 or greater than or equal to 1"},
		{"caching", "keys=all,rows_per_partition=120", ""},
	} {
		o, err := NewOptions([]Setting{{Name: c.name, IsMap: true, Map: mapOf(c.value)}})
		if err == nil {
			err = o.Check()
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.message {
			t.Errorf("%s = {%s}\n want %q\n  got %q", c.name, c.value, c.message, got)
		}
	}
}

func TestRetryPolicies(t *testing.T) {
	for in, want := range map[string]string{
		"99PERCENTILE": "99p", "99.9p": "99.9p", "50MS": "50ms", "none": "NEVER", "always": "ALWAYS", "min(5ms,90p)": "MIN(90p,5ms)",
		"MAX(5ms,6ms)": "Invalid value MAX(5ms,6ms) for option 'speculative_retry': MIN()/MAX() arguments should be of different types, but both are of type FIXED",
		"0p":           "Invalid value 0p for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)",
		"1.1.1ms":      "Invalid value 1.1.1ms for option 'speculative_retry'",
	} {
		got, err := parseRetryPolicy(in)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: want %q, got %q", in, want, got)
		}
	}
}

func TestGettersAndTexts(t *testing.T) {
	o, err := NewOptions([]Setting{
		{Name: "compaction", IsMap: true, Map: mapOf("class=LeveledCompactionStrategy,sstable_size_in_mb=20,enabled=false")},
		{Name: "compression", IsMap: true},
		{Name: "comment", Text: "it's"}})
	if err != nil {
		t.Fatal(err)
	}
	if o.CompactionClass() != Leveled || o.CompactionInt("sstable_size_in_mb", 160) != 20 || o.CompactionEnabled() || o.Compressed() ||
		o.BloomFilterFPChance() != 0.1 || o.MinThreshold() != 4 || o.CompactionFloat("bucket_high", 1.5) != 1.5 {
		t.Errorf("%+v", o)
	}
	if text := o.Texts()[5].Value; text != "'it''s'" {
		t.Error(text)
	}
	for f, want := range map[float64]string{0: "0.0", 1: "1.0", 0.01: "0.01", 6.71e-5: "6.71E-5", 1e-7: "1.0E-7", 12345678: "1.2345678E7"} {
		if got := javaDouble(f); got != want {
			t.Errorf("%g: %s, want %s", f, got, want)
		}
	}
}
