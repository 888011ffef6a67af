package cluster

import (
	"strings"

	"ringlab/engine/compaction"
	"ringlab/model/schema"
)

// CompactionStrategy reads a table's compaction options into its strategy. The options
// were checked when they were set.
// Source: Cassandra 5.0 CompactionParams, the strategies' own options.
func CompactionStrategy(o schema.Options) compaction.Strategy {
	sized := sizeTiered(o)
	switch o.CompactionClass() {
	case schema.Leveled:
		return compaction.Leveled{SSTableSize: int64(o.CompactionInt("sstable_size_in_mb", 160)) << 20, Fanout: o.CompactionInt("fanout_size", 10),
			Uplevel: strings.EqualFold("true", o.CompactionText("single_sstable_uplevel")), Sized: sized}
	case schema.TimeWindow:
		return timeWindow(o, sized)
	case schema.DateTiered:
		return compaction.DateTiered{Sized: sized}
	case schema.Unified:
		u := compaction.DefaultUnified
		if v := o.CompactionText("scaling_parameters"); v != "" {
			u.Scaling = compaction.ParseScaling(v)
		}
		if v := o.CompactionText("overlap_inclusion_method"); v != "" {
			u.Inclusion = strings.ToUpper(v)
		}
		u.Target = o.CompactionBytes("target_sstable_size", u.Target)
		u.BaseShards = o.CompactionInt("base_shard_count", u.BaseShards)
		u.MinSize = o.CompactionBytes("min_sstable_size", u.MinSize)
		u.Growth = o.CompactionShare("sstable_growth", u.Growth)
		u.MaxFiles = o.CompactionInt("max_sstables_to_compact", 0)
		u.FlushBytes = o.CompactionBytes("flush_size_override", 0)
		u.CheckEvery = checkEvery(o)
		return u
	}
	return sized
}

// sizeTiered reads the options of size tiers, which all strategies but UCS have,
// and those of compaction for tombstones.
func sizeTiered(o schema.Options) compaction.SizeTiered {
	d := compaction.DefaultSizeTiered
	return compaction.SizeTiered{
		BucketLow: o.CompactionFloat("bucket_low", d.BucketLow), BucketHigh: o.CompactionFloat("bucket_high", d.BucketHigh),
		MinSSTableSize: int64(o.CompactionInt("min_sstable_size", int(d.MinSSTableSize))),
		MinThreshold:   o.MinThreshold(), MaxThreshold: o.MaxThreshold(),
		Tombstones: compaction.Tombstones{
			Threshold: float64(float32(o.CompactionFloat("tombstone_threshold", 0.2))),
			Interval:  int64(o.CompactionInt("tombstone_compaction_interval", 86400)),
			Unchecked: strings.EqualFold("true", o.CompactionText("unchecked_tombstone_compaction")),
		},
	}
}

// timeWindow reads the options of windows. Files are compacted for their
// tombstones only if the table says something about it.
func timeWindow(o schema.Options, sized compaction.SizeTiered) compaction.TimeWindow {
	unit := map[string]int64{"MINUTES": 60, "HOURS": 3600}[o.CompactionText("compaction_window_unit")]
	if unit == 0 {
		unit = 86400
	}
	perMilli := map[string]float64{"SECONDS": 0.001, "MILLISECONDS": 1, "NANOSECONDS": 1e6}[o.CompactionText("timestamp_resolution")]
	if perMilli == 0 {
		perMilli = 1000
	}
	sized.Tombstones.Off = !o.HasCompaction("tombstone_threshold") && !o.HasCompaction("tombstone_compaction_interval") && !o.HasCompaction("unchecked_tombstone_compaction")
	return compaction.TimeWindow{Window: unit * int64(o.CompactionInt("compaction_window_size", 1)), PerMilli: perMilli, CheckEvery: checkEvery(o), Sized: sized}
}

// checkEvery is the time between looks for expired files, in ms.
func checkEvery(o schema.Options) int64 {
	return int64(o.CompactionInt("expired_sstable_check_frequency_seconds", 600)) * 1000
}
