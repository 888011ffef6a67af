package ring_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ringlab/ring"
)

var sink int

// bigRing is 1,000 nodes with 256 random tokens each, in two datacenters of three racks.
func bigRing() []ring.Node {
	src := rand.NewPCG(1, 1)
	nodes := make([]ring.Node, 1000)
	for i := range nodes {
		nodes[i] = ring.Node{
			Name: fmt.Sprint("n", i+1), Address: fmt.Sprintf("10.0.%d.%d", i/250, i%250),
			DC: fmt.Sprint("dc", 1+i/500), Rack: fmt.Sprint("rack", 1+i%3),
			Tokens: ring.RandomTokens(ring.Murmur3, nil, 256, src),
		}
	}
	return nodes
}

func benchKeys() [][]byte {
	keys := make([][]byte, 1024)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "user-%08d", i*7919)
	}
	return keys
}

func BenchmarkMurmur3Token(b *testing.B) {
	keys, i := benchKeys(), 0
	b.ReportAllocs()
	for b.Loop() {
		if ring.Murmur3.Token(keys[i&1023]) == (ring.Token{}) {
			sink++
		}
		i++
	}
}

func BenchmarkMurmur3SignedTail(b *testing.B) {
	key := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	b.ReportAllocs()
	for b.Loop() {
		if ring.Murmur3.Token(key) == (ring.Token{}) {
			sink++
		}
	}
}

func BenchmarkNewTokenMap256000(b *testing.B) {
	nodes := bigRing()
	b.ReportAllocs()
	for b.Loop() {
		sink += must(ring.NewTokenMap(ring.Murmur3, nodes)).Len()
	}
}

func benchTokens() []ring.Token {
	var tokens []ring.Token
	for _, key := range benchKeys() {
		tokens = append(tokens, ring.Murmur3.Token(key))
	}
	return tokens
}

func BenchmarkPrimary256000(b *testing.B) {
	tm, tokens, i := must(ring.NewTokenMap(ring.Murmur3, bigRing())), benchTokens(), 0
	b.ReportAllocs()
	for b.Loop() {
		sink += tm.Primary(tokens[i&1023])
		i++
	}
}

func BenchmarkPrimary6(b *testing.B) {
	tm, tokens, i := deckOf(6), benchTokens(), 0
	b.ReportAllocs()
	for b.Loop() {
		sink += tm.Primary(tokens[i&1023])
		i++
	}
}

func deckOf(n int) *ring.TokenMap {
	var nodes []ring.Node
	for i, t := range ring.Murmur3.Even(n) {
		nodes = append(nodes, ring.Node{Name: fmt.Sprint("n", i+1), DC: "dc1", Rack: fmt.Sprint("rack", 1+i%3), Tokens: []ring.Token{t}})
	}
	return must(ring.NewTokenMap(ring.Murmur3, nodes))
}

func BenchmarkPlacementHit(b *testing.B) {
	p, tokens, i := ring.NewPlacement(deckOf(6), ring.NetworkTopologyStrategy(ring.DatacenterRF{DC: "dc1", RF: 3})), benchTokens(), 0
	for _, t := range tokens {
		p.Replicas(t)
	}
	b.ReportAllocs()
	for b.Loop() {
		sink += len(p.Replicas(tokens[i&1023]))
		i++
	}
}

func BenchmarkPlacementMiss256000(b *testing.B) {
	tm, i := must(ring.NewTokenMap(ring.Murmur3, bigRing())), 0
	s := ring.NetworkTopologyStrategy(ring.DatacenterRF{DC: "dc1", RF: 3}, ring.DatacenterRF{DC: "dc2", RF: 3})
	b.ReportAllocs()
	for b.Loop() {
		sink += len(s.Replicas(tm, i%tm.Len()))
		i++
	}
}

func BenchmarkSortByProximity(b *testing.B) {
	tm, buf := deckOf(6), make([]int, 0, 8)
	replicas := []int{3, 4, 5}
	b.ReportAllocs()
	for b.Loop() {
		buf = tm.SortByProximity(buf[:0], 4, replicas)
	}
	sink += len(buf)
}

func BenchmarkAllocate24Nodes16Tokens(b *testing.B) {
	for b.Loop() {
		var nodes []ring.Node
		for i := range 24 {
			n := ring.Node{Name: fmt.Sprint("n", i+1), DC: "dc1", Rack: "rack1"}
			n.Tokens = must(ring.Allocate(ring.Murmur3, nodes, n, 16, 3, ring.StartAt(ring.Murmur3Token(1))))
			nodes = append(nodes, n)
		}
		sink += len(nodes)
	}
}
