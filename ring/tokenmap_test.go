package ring_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ringlab/ring"
)

func TestNewTokenMapRefusesDuplicates(t *testing.T) {
	token := []ring.Token{ring.Murmur3Token(7)}
	for want, nodes := range map[string][]ring.Node{
		"token 7 is given to":        {{Name: "n1", Tokens: token}, {Name: "n2", Tokens: token}},
		"two nodes have the name":    {{Name: "n1"}, {Name: "n1"}},
		"two nodes have the address": {{Address: "127.0.0.1"}, {Address: "127.0.0.1"}},
	} {
		if _, err := ring.NewTokenMap(ring.Murmur3, nodes); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func TestEmptyRing(t *testing.T) {
	tm, err := ring.NewTokenMap(ring.Murmur3, []ring.Node{{Name: "n1", DC: "dc1"}})
	if err != nil || tm.Primary(ring.Token{}) != -1 || tm.Len() != 0 {
		t.Fatal(err)
	}
	if replicas := ring.NewPlacement(tm, ring.SimpleStrategy(3)).Replicas(ring.Token{}); replicas != nil {
		t.Error(replicas)
	}
}

// twoDCs is dc1 of n1 to n4 on racks r1, r2 and dc2 of n5, n6 on r1, r2, even.
func twoDCs(t *testing.T) *ring.TokenMap {
	t.Helper()
	p := ring.Murmur3
	var nodes []ring.Node
	for i, token := range p.Even(4) {
		nodes = append(nodes, ring.Node{Name: fmt.Sprint("n", i+1), DC: "dc1", Rack: fmt.Sprint("r", 1+i%2), Tokens: []ring.Token{token}})
	}
	for i, token := range p.Even(2) {
		nodes = append(nodes, ring.Node{Name: fmt.Sprint("n", i+5), DC: "dc2", Rack: fmt.Sprint("r", 1+i%2), Tokens: []ring.Token{p.Offset(token, 100)}})
	}
	tm, err := ring.NewTokenMap(p, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tm
}

func TestPlacementOverTwoDatacenters(t *testing.T) {
	tm := twoDCs(t)
	p := ring.NewPlacement(tm, ring.NetworkTopologyStrategy(ring.DatacenterRF{DC: "dc1", RF: 2}, ring.DatacenterRF{DC: "dc2", RF: 1}))
	first := p.Replicas(ring.Murmur3.Minimum())
	if fmt.Sprint(first) != "[0 4 1]" || &first[0] != &p.Replicas(ring.Murmur3.Minimum())[0] {
		t.Error(first)
	}
	owns, err := p.EffectiveOwns()
	sums := map[string]float64{}
	for i, n := range tm.Nodes() {
		sums[n.DC] += owns[i]
		ranges := p.RangesOf(i)
		for e := range tm.Len() {
			if slices.Contains(ranges, tm.Range(e)) != slices.Contains(p.ReplicasOf(e), i) {
				t.Errorf("%s: range %d", n.Name, e)
			}
		}
	}
	if err != nil || sums["dc1"] < 1.9999 || sums["dc1"] > 2.0001 || sums["dc2"] < 0.9999 || sums["dc2"] > 1.0001 {
		t.Errorf("effective ownership sums to %v, %v", sums, err)
	}
	if dc := tm.Datacenter("dc1"); dc.Nodes != 4 || fmt.Sprint(dc.Racks) != "[r1 r2]" || len(tm.Datacenters()) != 2 {
		t.Errorf("%+v", dc)
	}
	if n, ok := tm.NodeNamed("n5"); !ok || n != 4 {
		t.Error(n, ok)
	}
	if r := tm.PrimaryRanges(4); len(r) != 1 || r[0].Right != tm.Nodes()[4].Tokens[0] {
		t.Error(r)
	}
}

func TestSortByProximity(t *testing.T) {
	tm := twoDCs(t)
	for _, c := range []struct {
		from     int
		replicas []int
		want     string
	}{
		{0, []int{5, 4, 3, 2, 1, 0}, "[0 2 3 1 4 5]"},
		{5, []int{0, 1, 2, 3, 4, 5}, "[5 4 1 3 0 2]"},
		{1, []int{2, 4, 0}, "[2 0 4]"},
	} {
		byName := ring.SortByProximity(nil, c.from, c.replicas, tm.Nodes())
		byNumber := tm.SortByProximity(make([]int, 0, 6), c.from, c.replicas)
		if fmt.Sprint(byName) != c.want || !slices.Equal(byName, byNumber) {
			t.Errorf("from %d: %v and %v, not %s", c.from, byName, byNumber, c.want)
		}
	}
}
