package storage

import (
	"math"

	"ringlab/ring"
)

// Bloom is an SSTable's filter over partition keys, with the very bits that
// Cassandra sets, so that its false positives are Cassandra's.
// Source: Cassandra 5.0 BloomFilter, BloomCalculations, OffHeapBitSet.
type Bloom struct {
	words  []uint64
	hashes int
}

// bloomProbs holds the false positive rate of b buckets (bits) a key and k hash
// functions. Source: BloomCalculations.probs.
func bloomProb(b, k int) float64 {
	return math.Pow(1-math.Exp(-float64(k)/float64(b)), float64(k))
}

// optimalHashes is BloomCalculations.optKPerBuckets.
var optimalHashes = [...]int{1, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 8, 8, 8, 8, 10, 11, 12, 13, 14}

// bloomParameters chooses buckets a key and hashes for a wanted rate.
// Source: BloomCalculations.computeBloomSpec.
func bloomParameters(chance float64) (buckets, hashes int) {
	if chance >= bloomProb(2, 1) {
		return 1, 2 // the code swaps its arguments here
	}
	buckets = 2
	for buckets < 20 && bloomProb(buckets, optimalHashes[buckets]) > chance {
		buckets++
	}
	hashes = optimalHashes[buckets]
	for hashes > 1 && bloomProb(buckets, hashes-1) <= chance {
		hashes--
	}
	return buckets, hashes
}

// NewBloom is an empty filter for that many keys; nil when chance is 1.
func NewBloom(keys int64, chance float64) *Bloom {
	if chance >= 1 {
		return nil
	}
	buckets, hashes := bloomParameters(chance)
	bitCount := keys*int64(buckets) + 20
	return &Bloom{words: make([]uint64, (bitCount+63)/64), hashes: hashes}
}

// Add puts a key into the filter.
func (f *Bloom) Add(key []byte) {
	if f == nil {
		return
	}
	f.visit(key, func(i uint64) bool { f.words[i/64] |= 1 << (i % 64); return true })
}

// May says whether the key may be in the file; false is certain.
func (f *Bloom) May(key []byte) bool {
	if f == nil {
		return true
	}
	found := true
	f.visit(key, func(i uint64) bool { found = f.words[i/64]&(1<<(i%64)) != 0; return found })
	return found
}

// visit calls each for the key's bits until it says stop.
func (f *Bloom) visit(key []byte, each func(uint64) bool) {
	h1, h2 := ring.Murmur3Hash(key)
	base, step, capacity := h2, h1, int64(len(f.words))*64
	for i := 0; i < f.hashes; i++ {
		at := base % capacity
		if at < 0 {
			at = -at
		}
		if !each(uint64(at)) {
			return
		}
		base += step
	}
}

// Bytes is the size of Filter.db.
func (f *Bloom) Bytes() int64 {
	if f == nil {
		return 0
	}
	return 8 + int64(len(f.words))*8
}
