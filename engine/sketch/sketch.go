// Package sketch counts keys as Cassandra's files do, without keeping them: from
// it Statistics.db has its size, a compaction the size of its filter, and
// tablestats its number of partitions.
package sketch

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// How precise the sketch is: as registers, and as a sparse list of hashes, which
// holds until the list is longer than most.
// Source: Cassandra 5.0 MetadataCollector, HyperLogLogPlus(13, 25).
const (
	precision = 13
	registers = 1 << precision
	sparse    = 25
	most      = registers * 3 / 4
	batch     = most/4 + 1 // hashes that are sorted into the list at once
	perWord   = 6          // registers of five bits
	words     = registers/perWord + 1
)

// Keys is a sketch of keys. Its zero value is one of no key. The order in which
// keys come matters, as it does in Cassandra: its sparse list is sorted by places
// and merged by codes, which are not always in that order.
// Source: com.clearspring HyperLogLogPlus, RegisterSet, of stream 2.5.2.
type Keys struct {
	list    []int32  // the sparse list
	waiting []int32  // codes that are not in it yet
	dense   []uint32 // registers, from when they are too many for the list
}

// Hash is the hash of a key that the sketch takes.
// Source: Cassandra 5.0 MurmurHash.hash2_64.
func Hash(key string) uint64 {
	const m, r = 0xc6a4a7935bd1e995, 47
	h := uint64(len(key)) * m
	i := 0
	for ; i+8 <= len(key); i += 8 {
		k := binary.LittleEndian.Uint64([]byte(key[i:i+8])) * m
		k ^= k >> r
		h = (h ^ k*m) * m
	}
	if rest := key[i:]; len(rest) > 0 {
		for j := len(rest) - 1; j >= 0; j-- {
			h ^= uint64(int64(int8(rest[j]))) << (8 * j) // bytes are signed there
		}
		h *= m
	}
	h ^= h >> r
	h *= m
	return h ^ h>>r
}

// Add takes a key's hash into the sketch.
func (k *Keys) Add(hash uint64) {
	if k.dense != nil {
		k.raise(int(hash>>(64-precision)), run(hash))
		return
	}
	k.waiting = append(k.waiting, encode(hash))
	if len(k.waiting) == batch {
		k.settle()
		if len(k.list) > most {
			k.condense()
		}
	}
}

// run is one more than the zeros that the hash has behind its register's number.
func run(hash uint64) int32 {
	return int32(bits.LeadingZeros64(hash<<precision|1<<(precision-1))) + 1
}

// encode makes the code of a hash in the list: its place, and the run where the
// place does not tell it.
func encode(hash uint64) int32 {
	place := int32(hash >> (64 - sparse))
	if place<<(32-sparse+precision) == 0 {
		return (place<<6|run(hash)^0x3f)<<1 | 1
	}
	return place << 1
}

func placeOf(code int32) int32 {
	if code&1 == 1 {
		return int32(uint32(code) >> 7)
	}
	return int32(uint32(code) >> 1)
}

func runOf(code int32) int32 {
	if code&1 == 1 {
		return int32(uint32(code)>>1&0x3f ^ 0x3f)
	}
	return int32(bits.LeadingZeros32(uint32(code)<<(precision+31-sparse))) + 1
}

// raise sets a register to a run if that is longer.
func (k *Keys) raise(register int, run int32) {
	word, shift := register/perWord, uint(5*(register%perWord))
	mask, value := uint32(31)<<shift, uint32(run)<<shift
	if k.dense[word]&mask < value {
		k.dense[word] = k.dense[word]&^mask | value
	}
}

// settle takes the waiting codes into the list.
func (k *Keys) settle() {
	if len(k.waiting) == 0 {
		return
	}
	slices.SortStableFunc(k.waiting, func(a, b int32) int {
		if d := placeOf(a) - placeOf(b); d != 0 {
			return int(d)
		}
		x, y := a<<(precision+31-sparse), b<<(precision+31-sparse)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	k.list, k.waiting = join(k.list, k.waiting, true), k.waiting[:0]
}

// join merges two lists as Cassandra does: by codes, and one code for two that
// meet at one place. repeats says that b may hold places more than once.
func join(a, b []int32, repeats bool) []int32 {
	out := make([]int32, 0, len(a)+len(b))
	next := func() {
		at := placeOf(b[0])
		b = b[1:]
		for repeats && len(b) > 0 && placeOf(b[0]) == at {
			b = b[1:]
		}
	}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0:
			return append(out, a...)
		case len(a) == 0:
			out = append(out, b[0])
			next()
		case placeOf(a[0]) == placeOf(b[0]):
			out = append(out, min(a[0], b[0]))
			a = a[1:]
			next()
		case a[0] < b[0]:
			out = append(out, a[0])
			a = a[1:]
		default:
			out = append(out, b[0])
			next()
		}
	}
	return out
}

// condense makes registers of the list.
func (k *Keys) condense() {
	k.settle()
	k.dense = make([]uint32, words)
	k.take(k.list)
	k.list, k.waiting = nil, nil
}

// take raises the registers of a list's codes.
func (k *Keys) take(list []int32) {
	for _, code := range list {
		k.raise(int(uint32(placeOf(code))>>(sparse-precision)), runOf(code))
	}
}

// Join makes the sketch that of its keys and another's. Source: HyperLogLogPlus.addAll.
func (k *Keys) Join(o *Keys) {
	k.settle()
	o.settle()
	switch {
	case k.dense == nil && o.dense == nil:
		if k.list = join(k.list, o.list, false); len(k.list) > most+most/4 {
			k.condense()
		}
	case o.dense == nil:
		k.take(o.list)
	default:
		if k.dense == nil {
			k.condense()
		}
		for i, word := range o.dense {
			for shift := uint(0); shift < 5*perWord; shift += 5 {
				if mask := uint32(31) << shift; k.dense[i]&mask < word&mask {
					k.dense[i] = k.dense[i]&^mask | word&mask
				}
			}
		}
	}
}

// Bytes is the size of the sketch in Statistics.db. Source: HyperLogLogPlus.getBytes.
func (k *Keys) Bytes() int64 {
	const head = 4 + 1 + 1 + 1 // version, both precisions, kind
	if k.dense != nil {
		return head + varint(4*words) + 4*words
	}
	k.settle()
	n, before := head+varint(uint32(len(k.list))), int32(0)
	for _, code := range k.list {
		n += varint(uint32(code - before))
		before = code
	}
	return n
}

// varint is the size of a number in bytes of seven bits.
func varint(n uint32) int64 { return int64(max(bits.Len32(n)+6, 7)) / 7 }

// IsDense says whether the sketch has registers, which it does from about 6,144
// keys on: it stays at 5 KiB then.
func (k *Keys) IsDense() bool { return k.dense != nil }

// Count estimates how many different keys there are.
// Source: HyperLogLogPlus.cardinality.
func (k *Keys) Count() int64 {
	if k.dense == nil {
		k.settle()
		const places = 1 << sparse
		return round(places * math.Log(places/float64(places-len(k.list))))
	}
	sum, zeros := 0.0, 0.0
	for i := range registers {
		value := k.dense[i/perWord] >> (5 * (i % perWord)) & 31
		sum += 1 / float64(int32(1)<<value)
		if value == 0 {
			zeros++
		}
	}
	const alpha = 0.7213 / (1 + 1.079/registers) * registers * registers
	raw := alpha * (1 / sum)
	better := raw
	if raw <= 5*registers {
		better = raw - bias(raw)
	}
	counted := better
	if zeros > 0 {
		counted = registers * math.Log(registers/zeros)
	}
	if counted < linearBelow {
		return round(counted)
	}
	return round(better)
}

// round is Java's Math.round.
func round(x float64) int64 { return int64(math.Floor(x + 0.5)) }

// bias is how far the registers' estimate is off by experience: the mean of the
// six that were measured nearest to it.
func bias(raw float64) float64 {
	type near struct {
		distance float64
		at       int
	}
	var all []near
	for i, measured := range rawEstimates {
		d := (raw - measured) * (raw - measured)
		if j := slices.IndexFunc(all, func(n near) bool { return n.distance == d }); j >= 0 {
			all[j].at = i
			continue
		}
		all = append(all, near{d, i})
	}
	slices.SortFunc(all, func(a, b near) int {
		if a.distance < b.distance {
			return -1
		}
		return 1
	})
	total := 0.0
	for _, n := range all[:6] {
		total += biases[n.at]
	}
	return total / 6
}
