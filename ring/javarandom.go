package ring

// javaRandom is java.util.Random, which the allocator seeds with the size of the
// ring: so the tokens of a cluster follow from its first one.
type javaRandom uint64

const (
	javaMultiplier = 0x5DEECE66D
	javaMask       = 1<<48 - 1
)

func newJavaRandom(seed int64) *javaRandom {
	r := javaRandom((uint64(seed) ^ javaMultiplier) & javaMask)
	return &r
}

func (r *javaRandom) next(bits uint) uint64 {
	*r = (*r*javaMultiplier + 0xB) & javaMask
	return uint64(*r >> (48 - bits))
}

// float64 is nextDouble: 53 random bits in [0, 1).
func (r *javaRandom) float64() float64 {
	high := r.next(26) << 27
	return float64(high+r.next(27)) / (1 << 53)
}
