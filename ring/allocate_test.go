package ring_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"ringlab/ring"
)

func TestRandomTokensAreDifferentAndAscend(t *testing.T) {
	for _, name := range ring.Names() {
		p, _ := ring.ByName(name)
		a := ring.RandomTokens(p, nil, 64, rand.NewPCG(1, 2))
		b := ring.RandomTokens(p, nil, 64, rand.NewPCG(1, 2))
		for i := range a {
			if a[i] != b[i] || i > 0 && !a[i-1].Less(a[i]) {
				t.Fatalf("%s: token %d", name, i)
			}
		}
	}
}

// The second datacenter starts at a token of the first, and each of its tokens that
// the first has already moves one on.
func TestAllocateAvoidsTokensOfOtherDatacenters(t *testing.T) {
	p := ring.Murmur3
	start := ring.StartAt(ring.Murmur3Token(42))
	first := ring.Node{Name: "n1", DC: "dc1", Rack: "r1"}
	first.Tokens = must(ring.Allocate(p, nil, first, 16, 3, start))
	second := ring.Node{Name: "n2", DC: "dc2", Rack: "r1"}
	second.Tokens = must(ring.Allocate(p, []ring.Node{first}, second, 16, 3, start))
	for i := range first.Tokens {
		if second.Tokens[i] != p.Offset(first.Tokens[i], 1) {
			t.Errorf("token %d is %s beside %s", i, p.Format(second.Tokens[i]), p.Format(first.Tokens[i]))
		}
	}
}

func TestAllocateOnEveryHashingPartitioner(t *testing.T) {
	for _, p := range []ring.Partitioner{ring.Murmur3, ring.Random, ring.SlideMD5} {
		for _, s := range []ring.Strategy{ring.SimpleStrategy(3), ring.SimpleStrategy(1)} {
			var nodes []ring.Node
			for i := range 8 {
				node := ring.Node{Name: fmt.Sprint("n", i), DC: "dc1", Rack: "r1"}
				tokens, err := ring.AllocateFor(p, s, nodes, node, 16, ring.StartAtRandom(p, rand.NewPCG(3, 4)))
				if err != nil || len(tokens) != 16 {
					t.Fatalf("%s: %d tokens, %v", p.Name(), len(tokens), err)
				}
				node.Tokens = tokens
				nodes = append(nodes, node)
			}
			tm := must(ring.NewTokenMap(p, nodes))
			b := must(ring.BalanceOf(ring.NewPlacement(tm, s), ""))
			if _, _, sd := b.Relative(); sd > 0.06 {
				t.Errorf("%s RF %d: relative deviation %v", p.Name(), s.RF(), sd)
			}
		}
	}
}

func TestAllocateRefuses(t *testing.T) {
	node := ring.Node{Name: "n1", DC: "dc1", Rack: "r1"}
	start := func(p ring.Partitioner) ring.FirstToken { return ring.StartAtRandom(p, rand.NewPCG(1, 1)) }
	allocate := func(p ring.Partitioner, s ring.Strategy, n int) error {
		_, err := ring.AllocateFor(p, s, nil, node, n, start(p))
		return err
	}
	for want, err := range map[string]error{
		"Token type BytesToken does not support token allocation.":             allocate(ring.ByteOrdered, ring.SimpleStrategy(3), 4),
		"Token type StringToken does not support token allocation.":            allocate(ring.OrderPreserving, ring.SimpleStrategy(1), 4),
		"num_tokens must be >= 1":                                              allocate(ring.Murmur3, ring.SimpleStrategy(1), 0),
		"Token allocation does not support replication strategy LocalStrategy": allocate(ring.Murmur3, ring.LocalStrategy(0), 4),
	} {
		var refused *ring.ConfigError
		if !errors.As(err, &refused) || refused.Message != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

func TestGrowthWarning(t *testing.T) {
	want := "Growth of 7.50% in token ownership standard deviation after allocation above warning threshold of 5%"
	if got := ring.GrowthWarning(ring.Balance{}, ring.Balance{StdDev: 0.075}); got != want {
		t.Error(got)
	}
	if got := ring.GrowthWarning(ring.Balance{StdDev: 0.07}, ring.Balance{StdDev: 0.1}); got != "" {
		t.Error(got)
	}
}
