package storage

import (
	"ringlab/engine/sketch"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// What Statistics.db has whatever the table, in bytes.
// Source: Cassandra 5.0 MetadataSerializer, ValidationMetadata, StatsMetadata,
// EstimatedHistogram, CommitLogPosition, TombstoneHistogram.
const (
	statisticsFrame = 4 + 4*8 + 4 + 4 + 4*4 // number of parts, kind and place of each, checksums
	sizeHistogram   = 4 + 156*16            // offset and count of each bucket
	cellHistogram   = 4 + 119*16            // the same
	logPosition     = 12                    // segment and offset
	dropBin         = 16                    // second and count
)

// statisticsBytes is the size of Statistics.db.
func (s *SSTable) statisticsBytes(t *schema.Table) int64 {
	return statisticsFrame + s.validationBytes(t) + 4 + int64(s.sketchBytes) + s.statsBytes(t) + s.headerBytes(t)
}

// validationBytes: the partitioner's class and the filter's chance.
func (s *SSTable) validationBytes(t *schema.Table) int64 {
	name := s.partitioner
	if t.IndexOf != nil {
		name = "LocalPartitioner"
	}
	return 2 + int64(len("org.apache.cassandra.dht."+name)) + 8
}

// statsBytes: what the reader asks of the content.
func (s *SSTable) statsBytes(t *schema.Table) int64 {
	n := int64(sizeHistogram + cellHistogram)
	n += logPosition                             // of the last write
	n += 8 + 8 + 4 + 4 + 4 + 4 + 8               // timestamps, deletion times, TTLs, compression ratio
	n += 8 + dropBin*int64(len(s.content.drops)) // tombstones
	n += 4 + 8                                   // level, repaired at
	n += 1 + 8 + 8                               // counter shards of old, cells, rows
	n += logPosition + 4 + 2*logPosition*int64(len(s.logs))
	n += 1 + 1 + 1 + 16 // pending repair, transient, host
	if s.Pending != 0 {
		n += 16
	}
	from, to := s.Covered.From.Prefix, s.Covered.To.Prefix
	if s.Format == NB {
		for _, bound := range [][]byte{from, to} {
			n += 4
			for _, v := range schema.Components(bound) {
				n += 2 + int64(len(v))
			}
		}
		return n
	}
	n += 1 + clusteringTypes(t) // partition deletions
	z := sizer{table: t}
	n += 3 + z.clustering(from) + 3 + z.clustering(to)
	for _, i := range []int{0, len(s.Parts) - 1} {
		if i >= 0 && i < len(s.Parts) {
			key := int64(len(s.Parts[i].Key))
			n += vint(uint64(key)) + key
		}
	}
	return n + 8 // coverage of the token space
}

// headerBytes: minima and types, of which the rows are read.
// Source: Cassandra 5.0 SerializationHeader.Serializer, EncodingStats.Serializer.
func (s *SSTable) headerBytes(t *schema.Table) int64 {
	n := vint(uint64(s.Stats.baseTimestamp()-baseTimestamp)) + vint(uint64(int64(int32(s.Stats.baseLocal()-baseLocal)))) + vint(uint64(s.Stats.MinTTL))
	n += typeBytes(keyClass(t)) + clusteringTypes(t)
	for _, list := range [][]*schema.Column{headerColumns(t, t.Static, &s.Stats.Statics), headerColumns(t, t.Regular, &s.Stats.Columns)} {
		n += vint(uint64(len(list)))
		for _, c := range list {
			n += typeBytes(c.Name) + typeBytes(c.Type.MarshalName())
		}
	}
	return n
}

// clusteringTypes is the size of a list of the clustering columns' classes.
func clusteringTypes(t *schema.Table) int64 {
	n := vint(uint64(len(t.Clustering)))
	for _, c := range t.Clustering {
		name := c.Type.MarshalName()
		if c.Desc {
			name = (&types.Comparator{Class: "ReversedType", Parts: []*types.Comparator{types.ClassOf(c.Type)}}).MarshalName()
		}
		n += typeBytes(name)
	}
	return n
}

// keyClass is the class of a table's partition key.
func keyClass(t *schema.Table) string {
	if len(t.Key) == 1 {
		return t.Key[0].Type.MarshalName()
	}
	composite := types.Comparator{Class: "CompositeType"}
	for _, c := range t.Key {
		composite.Parts = append(composite.Parts, types.ClassOf(c.Type))
	}
	return composite.MarshalName()
}

// typeBytes is the size of a text with its length in front.
func typeBytes(text string) int64 { return vint(uint64(len(text))) + int64(len(text)) }

// keys is the sketch of the file's keys: made anew as long as it is small.
func (s *SSTable) keys() *sketch.Keys {
	if s.sketch != nil {
		return s.sketch
	}
	k := &sketch.Keys{}
	for _, p := range s.Parts {
		k.Add(sketch.Hash(p.Key))
	}
	return k
}

// ApproximateKeys is how many different keys files have, as their sketches tell.
// Source: Cassandra 5.0 SSTableReader.getApproximateKeyCount.
func ApproximateKeys(files []*SSTable) int64 {
	if len(files) == 0 {
		return -1
	}
	all := &sketch.Keys{}
	for _, f := range files {
		all.Join(f.keys())
	}
	return all.Count()
}

// EstimatedKeys is how many keys a file has, as its index tells without being
// read. Source: Cassandra 5.0 BigTableReader.estimatedKeys, BtiTableReader.estimatedKeys.
func (s *SSTable) EstimatedKeys(t *schema.Table) int64 {
	n := int64(len(s.Parts))
	if s.Format == DA {
		return n
	}
	interval := int64(max(t.Options.MinIndexInterval, 1))
	return (pieces(n, interval) + 1) * interval
}
