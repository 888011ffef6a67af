package review

import (
	"fmt"
	"strconv"

	"ringlab/model/schema"
)

const (
	hintWindow  = 3 * 3600 // seconds, Cassandra 5.0 max_hint_window
	manyWindows = 50       // SSTables that a table of TimeWindowCompactionStrategy has when all windows are full
)

// options looks at a table's properties.
func (r *reviewer) options(k *schema.Keyspace, t *schema.Table) {
	name, o := t.String(), t.Options
	add := func(s Severity, rule, found, evidence, remedy, source string) {
		r.add(Finding{s, rule, name, "", found, evidence, remedy, source})
	}
	replicated := k.Class() != "SimpleStrategy" || option(k, "replication_factor") != "1"
	switch {
	case o.GCGrace == 0 && replicated:
		add(Warn, "gc-grace", "gc_grace_seconds 0: no hints are kept for the table, and what one replica missed of a deletion comes back", "",
			"more than the time between two repairs; 864,000 is ten days", "Cassandra 5.0 HintsService, gc_grace")
	case o.GCGrace < hintWindow && replicated:
		add(Warn, "gc-grace", fmt.Sprintf("gc_grace_seconds %d is less than the hint window: hints expire with it", o.GCGrace), fmt.Sprintf("max_hint_window %d s", hintWindow),
			"more than the time between two repairs; 864,000 is ten days", "Cassandra 5.0 Hint.ttl")
	}
	r.windows(t)
	if all, rows := o.CachedRows(); (all || rows > 0) && len(t.Clustering) > 0 {
		kept := "all rows"
		if !all {
			kept = strconv.Itoa(rows) + " rows"
		}
		add(Warn, "row-cache", "the row cache keeps "+kept+" of a partition: reading one row of a wide one loads so many, and a write throws them out", "",
			"rows_per_partition NONE, or the few that are always asked for", "Skinny on wide rows: caches and width")
	}
	if !o.CompactionEnabled() {
		add(Warn, "compaction-off", "compaction is off: SSTables pile up, and reads with them", "", "enabled = true once what it was switched off for is done", "Cassandra 5.0 CompactionParams")
	}
	if !o.Compressed() {
		add(Note, "uncompressed", "SSTables are not compressed, and not checked by chunk when they are read", "", "LZ4Compressor, unless values are compressed already", "Cassandra 5.0 CompressionParams")
	}
	if o.ReadRepair == "NONE" {
		add(Note, "read-repair", "read_repair NONE: two reads at QUORUM may answer with the new value first and the old one after", "", "BLOCKING, where reads must not go back in time", "Cassandra 5.0 ReadRepairStrategy")
	}
}

// windows looks at time to live and time windows.
func (r *reviewer) windows(t *schema.Table) {
	o, name := t.Options, t.String()
	windowed := o.CompactionClass() == schema.TimeWindow
	switch {
	case windowed && o.DefaultTTL == 0:
		r.add(Finding{Note, "windows-without-ttl", name, "", "TimeWindowCompactionStrategy without default_time_to_live: windows are dropped whole only when all of them has expired", "",
			"default_time_to_live, or USING TTL in every write", "Cassandra 5.0 TimeWindowCompactionStrategy"})
	case windowed:
		unit := map[string]int{"MINUTES": 60, "HOURS": 3600, "DAYS": 86400}[o.CompactionText("compaction_window_unit")]
		if unit == 0 {
			unit = 86400
		}
		window := unit * o.CompactionInt("compaction_window_size", 1)
		if n := (o.DefaultTTL + window - 1) / window; n > manyWindows {
			r.add(Finding{Warn, "many-windows", name, "", fmt.Sprintf("%d windows live at a time, each with an SSTable at least", n), fmt.Sprintf("%s / %s", seconds(o.DefaultTTL), seconds(window)),
				"larger windows: 20 to 30 of them are usual", "Cassandra 5.0 TimeWindowCompactionStrategy"})
		}
	case o.DefaultTTL > 0 && isTimeSeries(t):
		r.add(Finding{Note, "ttl-without-windows", name, "", "rows expire in the order of time, but " + o.CompactionClass() + " mixes old and new ones in its SSTables", "",
			"TimeWindowCompactionStrategy, which drops expired SSTables whole", "Cassandra 5.0 TimeWindowCompactionStrategy"})
	}
}
