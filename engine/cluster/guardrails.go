package cluster

import (
	"fmt"
	"strings"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Thresholds is one guardrail: above Warn the node's log warns, above Fail it
// says so as an error; 0 turns either off.
type Thresholds struct{ Warn, Fail int64 }

// Guardrails are those that look at what is written to files. The others spare
// superusers, and without authentication every client is one.
// Source: Cassandra 5.0 Guardrails, SortedTableWriter.
type Guardrails struct {
	PartitionSize       Thresholds // bytes
	PartitionTombstones Thresholds
	CollectionSize      Thresholds // bytes
	Items               Thresholds // items_per_collection
}

// LogLine is one line of a node's log.
type LogLine struct {
	At    sim.Time
	Level string // INFO, WARN, ERROR
	Text  string
}

// logLines is how many of its last lines a node keeps.
const logLines = 500

// log writes to a node's log.
func (c *Cluster) log(node int, level, text string) {
	n := c.Nodes[node]
	if n.SystemLog = append(n.SystemLog, LogLine{c.now, level, text}); len(n.SystemLog) >= 2*logLines {
		n.SystemLog = append(n.SystemLog[:0], n.SystemLog[len(n.SystemLog)-logLines:]...)
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Log, Node: node, Peer: -1, What: level, Text: text})
	}
}

// guard holds a new file against the guardrails.
func (c *Cluster) guard(node int, t *schema.Table, f *storage.SSTable) {
	c.warnLargePartitions(node, t, f)
	g := &c.Set.Guardrails
	if g.PartitionSize != (Thresholds{}) || g.PartitionTombstones != (Thresholds{}) {
		f.Weights(t, func(w storage.Weight) {
			where := fmt.Sprintf("Partition %s.%s:%s on sstable %s has", t.Keyspace, t.Name, t.KeyText([]byte(w.Key)), f.FileName("Data.db"))
			c.violated(node, g.PartitionSize, w.Bytes, "partition_size", where, " size %d", " Too large partitions can cause performance problems.")
			c.violated(node, g.PartitionTombstones, w.Tombstones, "partition_tombstones", where, " %d tombstones", " Partitions with too many tombstones can cause performance problems.")
		})
	}
	if g.CollectionSize != (Thresholds{}) || g.Items != (Thresholds{}) {
		f.Collections(t, c.Seconds(node), func(w storage.CollectionWeight) {
			where := fmt.Sprintf("Detected collection %s in row %s in table %s.%s", w.Column.Name, primaryKeyText(t, w.Key, w.Clustering), t.Keyspace, t.Name)
			c.violated(node, g.CollectionSize, w.Bytes, "collection_size", where, " of size %d", "")
			c.violated(node, g.Items, w.Items, "items_per_collection", where, " with %d items", "")
		})
	}
}

// violated logs a guardrail that a value has passed. Source: Cassandra 5.0
// MaxThreshold, Guardrail.
func (c *Cluster) violated(node int, at Thresholds, value int64, name, where, has, reason string) {
	level, word, threshold := "WARN", "warning", at.Warn
	switch {
	case at.Fail > 0 && value > at.Fail:
		level, word, threshold = "ERROR", "failure", at.Fail
	case at.Warn > 0 && value > at.Warn:
	default:
		return
	}
	c.log(node, level, fmt.Sprintf("Guardrail %s violated: %s%s, this exceeds the %s threshold of %d.%s", name, where, fmt.Sprintf(has, value), word, threshold, reason))
}

// primaryKeyText is the key of a row as CQL writes it.
// Source: Cassandra 5.0 TableMetadata.primaryKeyAsCQLLiteral.
func primaryKeyText(t *schema.Table, key string, clustering []byte) string {
	var parts []string
	for i, v := range t.SplitPartitionKey([]byte(key)) {
		if i < len(t.Key) {
			parts = append(parts, t.Key[i].Type.Literal(v))
		}
	}
	for i, v := range schema.Components(clustering) {
		if i < len(t.Clustering) {
			parts = append(parts, t.Clustering[i].Type.Literal(v))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
