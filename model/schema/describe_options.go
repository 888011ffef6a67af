package schema

import (
	"strconv"
	"strings"
)

// optionsText is what follows WITH in the text of a table.
// Source: Cassandra 5.0 TableMetadata.appendTableOptions, TableParams.appendCqlTo.
func (t *Table) optionsText(internals bool) string {
	var parts []string
	if internals {
		parts = append(parts, "ID = "+t.ID.String())
	}
	if t.Compact {
		parts = append(parts, "COMPACT STORAGE")
	}
	if len(t.Clustering) > 0 {
		order := make([]string, len(t.Clustering))
		for i, c := range t.Clustering {
			order[i] = Quote(c.Name) + " ASC"
			if c.Desc {
				order[i] = Quote(c.Name) + " DESC"
			}
		}
		parts = append(parts, "CLUSTERING ORDER BY ("+strings.Join(order, ", ")+")")
	}
	for _, o := range t.Options.Texts() {
		if t.IsView() && o.Key == "default_time_to_live" || Virtual(t.Keyspace) && o.Key != "comment" {
			continue
		}
		parts = append(parts, o.Key+" = "+o.Value)
	}
	return strings.Join(parts, "\n    AND ")
}

// Texts are all options with their values as CQL, in the order of DESCRIBE.
func (o Options) Texts() []Option {
	return []Option{
		{"additional_write_policy", literal(o.AdditionalWritePolicy)},
		{"allow_auto_snapshot", strconv.FormatBool(o.AllowAutoSnapshot)},
		{"bloom_filter_fp_chance", javaDouble(o.BloomFPChance)},
		{"caching", mapText(o.Caching)},
		{"cdc", strconv.FormatBool(o.CDC)},
		{"comment", literal(o.Comment)},
		{"compaction", mapText(o.Compaction)},
		{"compression", mapText(o.Compression)},
		{"memtable", literal(o.Memtable)},
		{"crc_check_chance", javaDouble(o.CRCCheckChance)},
		{"default_time_to_live", strconv.Itoa(o.DefaultTTL)},
		{"extensions", "{}"},
		{"gc_grace_seconds", strconv.Itoa(o.GCGrace)},
		{"incremental_backups", strconv.FormatBool(o.IncrementalBackups)},
		{"max_index_interval", strconv.Itoa(o.MaxIndexInterval)},
		{"memtable_flush_period_in_ms", strconv.Itoa(o.MemtableFlushPeriod)},
		{"min_index_interval", strconv.Itoa(o.MinIndexInterval)},
		{"read_repair", literal(o.ReadRepair)},
		{"speculative_retry", literal(o.SpeculativeRetry)},
	}
}

func mapText(m []Option) string {
	entries := make([]string, len(m))
	for i, o := range m {
		entries[i] = literal(o.Key) + ": " + literal(o.Value)
	}
	return "{" + strings.Join(entries, ", ") + "}"
}
