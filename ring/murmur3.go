package ring

import (
	"encoding/binary"
	"math/bits"

	"github.com/spaolacci/murmur3"
)

const (
	murmurC1 = 0x87c37b91114253d5
	murmurC2 = 0x4cf5ad432745937f
)

// Murmur3Hash is the 128-bit hash of Murmur3Partitioner as its two words, before
// the normalisation of the token. Tail bytes (the last len mod 16) are
// sign-extended, unlike reference murmur3: 0xc3a9 gives 5461403030378599040, not
// -3956277427552623640. Without a tail byte of 0x80 or more both agree, and the
// library does the work. It does not allocate.
// Source: Cassandra 5.0 MurmurHash.hash3_x64_128.
func Murmur3Hash(key []byte) (h1, h2 int64) {
	for _, b := range key[len(key)&^15:] {
		if b >= 0x80 {
			return signedTailHash(key)
		}
	}
	u1, u2 := murmur3.Sum128(key)
	return int64(u1), int64(u2)
}

func signedTailHash(key []byte) (int64, int64) {
	var h1, h2 uint64
	blocks := len(key) &^ 15
	for i := 0; i < blocks; i += 16 {
		h1 ^= mixFirst(binary.LittleEndian.Uint64(key[i:]))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mixSecond(binary.LittleEndian.Uint64(key[i+8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var k1, k2 uint64
	for i, b := range key[blocks:] {
		signed := uint64(int64(int8(b)))
		if i < 8 {
			k1 ^= signed << (8 * i)
		} else {
			k2 ^= signed << (8 * (i - 8))
		}
	}
	h1 ^= mixFirst(k1) ^ uint64(len(key))
	h2 ^= mixSecond(k2) ^ uint64(len(key))
	h1 += h2
	h2 += h1
	h1, h2 = finalMix(h1), finalMix(h2)
	h1 += h2
	h2 += h1
	return int64(h1), int64(h2)
}

func mixFirst(k uint64) uint64 { return bits.RotateLeft64(k*murmurC1, 31) * murmurC2 }

func mixSecond(k uint64) uint64 { return bits.RotateLeft64(k*murmurC2, 33) * murmurC1 }

func finalMix(k uint64) uint64 {
	k ^= k >> 33
	k *= 0xff51afd7ed558ccd
	k ^= k >> 33
	k *= 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}
