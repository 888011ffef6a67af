package ring_test

import (
	"fmt"
	"slices"

	"ringlab/ring"
)

type recordedTopology struct {
	ID          int
	Partitioner string
	NumTokens   int `json:"num_tokens"`
	Nodes       []struct {
		Endpoint, DC, Rack string
		Tokens             []string
		Owns               *float64
	}
	Ring       [][2]string
	Strategies []struct {
		Strategy struct {
			Class string
			RF    int `json:"replication_factor"`
			DCs   map[string]int
		}
		Lookups []struct {
			Token, Why, Key string
			Range           [2]string
			Replicas        []string
		}
	}
}

// topologyCases counts a ring with its nodes as one case, and each lookup as one.
func topologyCases(g *goldenRun, text []byte) error {
	topologies, err := cases[recordedTopology](text, "topologies")
	for _, rec := range topologies {
		p, err := ring.ByName(rec.Partitioner)
		if err != nil {
			return err
		}
		var nodes []ring.Node
		for _, n := range rec.Nodes {
			node := ring.Node{Address: n.Endpoint, DC: n.DC, Rack: n.Rack}
			for _, t := range n.Tokens {
				node.Tokens = append(node.Tokens, parse(p, t))
			}
			nodes = append(nodes, node)
		}
		tm, err := ring.NewTokenMap(p, nodes)
		if err != nil {
			return err
		}
		g.check(fmt.Sprintf("%d/ring", rec.ID), checkRing(rec, tm))
		for s, strategy := range rec.Strategies {
			placement := ring.NewPlacement(tm, recordedStrategy(strategy.Strategy.Class, strategy.Strategy.RF, strategy.Strategy.DCs))
			for l, look := range strategy.Lookups {
				var d differ
				token := parse(p, look.Token)
				if look.Key != "" {
					d.same("token of the key", p.Format(p.Token(unhex(look.Key))), look.Token)
				}
				r := tm.Range(tm.Primary(token))
				d.same("range", []string{p.Format(r.Left), p.Format(r.Right)}, look.Range[:])
				var replicas []string
				for _, n := range placement.Replicas(token) {
					replicas = append(replicas, nodes[n].Address)
				}
				d.same("replicas", replicas, look.Replicas)
				g.check(fmt.Sprintf("%d/%d/%d", rec.ID, s, l), d.err())
			}
		}
	}
	return err
}

func checkRing(rec recordedTopology, tm *ring.TokenMap) error {
	var d differ
	var entries [][2]string
	for e := range tm.Len() {
		entries = append(entries, [2]string{tm.Partitioner().Format(tm.Token(e)), tm.Nodes()[tm.Node(e)].Address})
	}
	d.same("ring", entries, rec.Ring)
	owns, err := tm.Owns()
	for i, n := range rec.Nodes {
		if n.Owns == nil {
			d.same("error of Owns", err, ring.ErrNoOwnership)
		} else if err != nil {
			d.same("error of Owns", err, nil)
		} else {
			d.near("owns of "+n.Endpoint, owns[i], *n.Owns, 1.5e-6)
		}
		d.same("tokens of "+n.Endpoint, len(n.Tokens), rec.NumTokens)
	}
	return d.err()
}

func recordedStrategy(class string, rf int, dcs map[string]int) ring.Strategy {
	if class == ring.ClassSimple {
		return ring.SimpleStrategy(rf)
	}
	var factors []ring.DatacenterRF
	for dc, n := range dcs {
		factors = append(factors, ring.DatacenterRF{DC: dc, RF: n})
	}
	return ring.NetworkTopologyStrategy(factors...)
}

// allocationRuns counts each node that joins as a case, the refused one too.
func allocationRuns(g *goldenRun, text []byte) error {
	runs, err := cases[struct {
		Partitioner string
		NumTokens   int `json:"num_tokens"`
		RF, Racks   int
		Error       string
		Nodes       []struct {
			Endpoint, Rack string
			Start          string `json:"start_token"`
			Tokens         []string
			MaxOverMean    float64 `json:"max_over_mean"`
			MinOverMean    float64 `json:"min_over_mean"`
			StdDev         float64
		}
	}](text, "allocations")
	for i, run := range runs {
		p, err := ring.ByName(run.Partitioner)
		if err != nil {
			return err
		}
		var nodes []ring.Node
		for j, rec := range run.Nodes {
			var d differ
			first := func() ring.Token { return parse(p, rec.Start) }
			node := ring.Node{Address: rec.Endpoint, DC: "dc1", Rack: rec.Rack}
			node.Tokens, err = ring.Allocate(p, nodes, node, run.NumTokens, run.RF, first)
			d.same("error", err, nil)
			d.same("rack", rec.Rack, fmt.Sprintf("rack%d", 1+j%run.Racks))
			var tokens []string
			for _, t := range node.Tokens {
				tokens = append(tokens, p.Format(t))
			}
			d.same("tokens", tokens, rec.Tokens)
			nodes = append(nodes, node)
			checkBalance(&d, p, nodes, run.RF, [3]float64{rec.MaxOverMean, rec.MinOverMean, rec.StdDev})
			g.check(fmt.Sprintf("%d/%d", i, j), d.err())
		}
		if run.Error != "" {
			var d differ
			node := ring.Node{Address: "next", DC: "dc1", Rack: fmt.Sprintf("rack%d", 1+len(nodes)%run.Racks)}
			_, err := ring.Allocate(p, nodes, node, run.NumTokens, run.RF, nil)
			d.same("error", err, run.Error)
			g.check(fmt.Sprintf("%d/error", i), d.err())
		}
	}
	return err
}

func checkBalance(d *differ, p ring.Partitioner, nodes []ring.Node, rf int, want [3]float64) {
	tm, err := ring.NewTokenMap(p, slices.Clone(nodes))
	if err != nil {
		d.same("error of NewTokenMap", err, nil)
		return
	}
	placement := ring.NewPlacement(tm, ring.NetworkTopologyStrategy(ring.DatacenterRF{DC: "dc1", RF: rf}))
	b, err := ring.BalanceOf(placement, "dc1")
	d.same("error of BalanceOf", err, nil)
	maximum, minimum, stdDev := b.Relative()
	d.near("max/mean", maximum, want[0], 1e-6)
	d.near("min/mean", minimum, want[1], 1e-6)
	d.near("stddev", stdDev, want[2], 1e-6)
}
