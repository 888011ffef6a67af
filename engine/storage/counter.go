package storage

import (
	"bytes"
	"encoding/binary"
)

// A counter cell's value is a context: one shard for each node that has led an
// update, ordered by counter id. Its bytes are Cassandra's: an int16 with the
// number of header elements, an int16 for each of them (the shard's place, less
// 2^15 for a global shard), then a shard of 16 bytes id, int64 clock, int64
// count. An update that no leader has taken yet is the 8 bytes of its delta.
// Source: Cassandra 5.0 CounterContext.
const (
	shardSize   = 32
	deltaLength = 8
)

// CounterShard is what one node has counted.
type CounterShard struct {
	ID    [16]byte
	Clock int64
	Count int64
}

// CounterShards reads a context.
func CounterShards(context []byte) []CounterShard {
	if len(context) < 2 {
		return nil
	}
	body := context[2+2*int(binary.BigEndian.Uint16(context)):]
	out := make([]CounterShard, 0, len(body)/shardSize)
	for ; len(body) >= shardSize; body = body[shardSize:] {
		s := CounterShard{Clock: int64(binary.BigEndian.Uint64(body[16:])), Count: int64(binary.BigEndian.Uint64(body[24:]))}
		copy(s.ID[:], body)
		out = append(out, s)
	}
	return out
}

// CounterContext writes shards, which are in order of id, as a context.
func CounterContext(shards []CounterShard) []byte {
	out := make([]byte, 0, 2+len(shards)*(2+shardSize))
	out = binary.BigEndian.AppendUint16(out, uint16(len(shards)))
	for i := range shards {
		out = binary.BigEndian.AppendUint16(out, uint16(i)|0x8000)
	}
	for i := range shards {
		out = append(out, shards[i].ID[:]...)
		out = binary.BigEndian.AppendUint64(out, uint64(shards[i].Clock))
		out = binary.BigEndian.AppendUint64(out, uint64(shards[i].Count))
	}
	return out
}

// CounterTotal is the number that readers see.
// Source: Cassandra 5.0 CounterContext.total.
func CounterTotal(context []byte) int64 {
	total := int64(0)
	for _, s := range CounterShards(context) {
		total += s.Count
	}
	return total
}

// mergeCounters joins two live counter cells into one: for each shard the higher
// clock counts, for two deltas their sum.
// Source: Cassandra 5.0 Cells.resolveCounter, CounterContext.merge.
func mergeCounters(a, b *Cell) Cell {
	out := *a
	out.Timestamp = max(a.Timestamp, b.Timestamp)
	if len(a.Value) == deltaLength && len(b.Value) == deltaLength {
		out.Value = binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(a.Value)+binary.BigEndian.Uint64(b.Value))
		return out
	}
	x, y := CounterShards(a.Value), CounterShards(b.Value)
	merged := make([]CounterShard, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		switch c := bytes.Compare(x[0].ID[:], y[0].ID[:]); {
		case c < 0:
			merged, x = append(merged, x[0]), x[1:]
		case c > 0:
			merged, y = append(merged, y[0]), y[1:]
		default:
			newer := x[0]
			if y[0].Clock > newer.Clock || y[0].Clock == newer.Clock && y[0].Count > newer.Count {
				newer = y[0]
			}
			merged, x, y = append(merged, newer), x[1:], y[1:]
		}
	}
	merged = append(append(merged, x...), y...)
	out.Value = CounterContext(merged)
	return out
}

// counterWins reconciles two counter cells: a tombstone is kept whatever the
// timestamps, and two live cells are joined.
func counterWins(a, b *Cell) Cell {
	switch x, y := a.IsTombstone(), b.IsTombstone(); {
	case x && y:
		if b.Timestamp > a.Timestamp {
			return *b
		}
		return *a
	case x:
		return *a
	case y:
		return *b
	}
	return mergeCounters(a, b)
}
