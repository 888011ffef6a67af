package ring

import (
	"errors"
	"fmt"
	"strings"
)

// Partitioner is one way to place keys on the ring. Implementations have no state.
type Partitioner interface {
	// Name is the class name without its package; SlideMD5 is not one of Cassandra's.
	Name() string
	// Token places partition key bytes (see CompositeKey). It never fails.
	Token(key []byte) Token
	// Minimum stands before every key's token and closes the last unwrapped range.
	Minimum() Token
	// Parse reads a token as initial_token does. Its errors are *ConfigError.
	Parse(text string) (Token, error)
	// Format is decimal, lower-case hex for ByteOrdered, the string for OrderPreserving.
	Format(t Token) string
	// Midpoint halves (l,r]; l at or after r wraps.
	Midpoint(l, r Token) Token
	// Split cuts (l,r] so that ratio of it, in 0..1, lies left of the result.
	Split(l, r Token, ratio float64) (Token, error)
	// Size is the fraction of the ring in (l,r], above 0 and at most 1; (t,t] is 1.
	Size(l, r Token) (float64, error)
	// Even gives the classic tokens of n nodes with one token each, ascending.
	Even(n int) []Token
	// Ownership gives each of the ascending tokens the fraction of the ring in the
	// range that ends at it. Ordered partitioners fail with ErrNoOwnership.
	Ownership(sorted []Token) ([]float64, error)
	// Offset moves a token k steps on, as further datacenters and clashes need.
	Offset(t Token, k int) Token
	// Random draws a token, uniformly where the partitioner hashes.
	Random(src Source) Token
}

// Source is a stream of random bits, for example a rand.PCG.
type Source interface{ Uint64() uint64 }

// ErrNoOwnership says that the fraction of a range is not a matter of tokens:
// ordered partitioners count the keys that lie in it.
// Source: Cassandra 5.0 ByteOrderedPartitioner.describeOwnership.
var ErrNoOwnership = errors.New("ownership of an ordered partitioner depends on the stored keys")

// The partitioners, as ByName knows them.
var (
	Murmur3         Partitioner = murmur3Partitioner{}
	Random          Partitioner = randomPartitioner{}
	ByteOrdered     Partitioner = byteOrderedPartitioner{}
	OrderPreserving Partitioner = orderPreservingPartitioner{}
	SlideMD5        Partitioner = slidePartitioner{}
)

var partitioners = []Partitioner{Murmur3, Random, ByteOrdered, OrderPreserving, SlideMD5}

// Names lists the partitioners that ByName knows, Cassandra's default first.
func Names() []string {
	names := make([]string, len(partitioners))
	for i, p := range partitioners {
		names[i] = p.Name()
	}
	return names
}

// ByName finds a partitioner by its class name, with or without the package
// org.apache.cassandra.dht. The error of an unknown name lists the known ones.
func ByName(name string) (Partitioner, error) {
	short := strings.TrimPrefix(name, "org.apache.cassandra.dht.")
	for _, p := range partitioners {
		if p.Name() == short {
			return p, nil
		}
	}
	return nil, fmt.Errorf("unknown partitioner %q; known are %s", name, strings.Join(Names(), ", "))
}

func noAllocation(tokenType string) error {
	return configErrorf("Token type %s does not support token allocation.", tokenType)
}
