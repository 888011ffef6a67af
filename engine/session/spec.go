package session

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ringlab/engine/sim"
	"ringlab/ring"
)

// RingSpec says what ring a lab has, as `:ring new` and --ring take it.
type RingSpec struct {
	DCs         []DCSpec          // in the order written
	Racks       int               // per data center, dealt round robin
	RackNames   []string          // of those racks; nil for rack1, rack2 …
	RackOf      map[string]string // node -> rack given by hand, in place of both
	VNodes      int               // tokens a node
	Partitioner string
	Seed        uint64
	Tokens      map[string][]string // node -> tokens given by hand
	Names       []string            // node names; default n1, n2, …
}

// DCSpec is one data center.
type DCSpec struct {
	Name  string
	Nodes int
}

// DefaultRing is the ring of a new lab.
func DefaultRing() RingSpec {
	return RingSpec{DCs: []DCSpec{{"dc1", 6}}, Racks: 3, VNodes: 1, Partitioner: "Murmur3Partitioner", Seed: 1}
}

// maxNodes bounds a ring, so that a slip of the finger does not fill the memory.
const maxNodes = 10000

// ParseRing reads words like dc1=3 dc2=3 racks=3 vnodes=16. Keys left out keep
// the default; naming any data center replaces the default ones.
func ParseRing(words []string) (RingSpec, error) {
	spec := DefaultRing()
	first := true
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok || key == "" || value == "" {
			return spec, fmt.Errorf("%q is not of the form key=value; for example: dc1=3 dc2=3 racks=3 vnodes=16 seed=1", w)
		}
		if key == "racks" && strings.Contains(value, ":") {
			spec.Racks, spec.RackNames, spec.RackOf = DefaultRing().Racks, nil, map[string]string{}
			for _, part := range strings.Split(value, ",") {
				node, rack, ok := strings.Cut(part, ":")
				if !ok || !plainName(node) || !plainName(rack) {
					return spec, fmt.Errorf("racks takes node:rack pairs joined by commas, for example racks=n1:a,n2:b; %q is none", part)
				}
				spec.RackOf[node] = rack
			}
			continue
		}
		if key == "racks" && strings.ContainsFunc(value, unicode.IsLetter) {
			spec.RackNames = strings.Split(value, ",")
			spec.Racks, spec.RackOf = len(spec.RackNames), nil
			for _, name := range spec.RackNames {
				if !plainName(name) {
					return spec, fmt.Errorf("racks takes a number, or names joined by commas, for example racks=r1,r2,r3; %q is none", name)
				}
			}
			continue
		}
		switch key {
		case "racks", "vnodes", "seed":
			n, err := strconv.ParseUint(value, 10, 63)
			if err != nil || n == 0 && key != "seed" {
				return spec, fmt.Errorf("%s takes a whole number from 1, not %q", key, value)
			}
			switch key {
			case "racks":
				spec.Racks, spec.RackNames, spec.RackOf = int(min(n, maxNodes)), nil, nil
			case "vnodes":
				if n > 1536 {
					return spec, fmt.Errorf("vnodes is at most 1536, as num_tokens is; not %s", value)
				}
				spec.VNodes = int(n)
			case "seed":
				spec.Seed = n
			}
		case "partitioner":
			p, err := ring.ByName(value)
			if err != nil {
				return spec, err
			}
			spec.Partitioner = p.Name()
		case "tokens":
			spec.Tokens = map[string][]string{}
			for _, part := range strings.Split(value, ",") {
				node, token, ok := strings.Cut(part, ":")
				if !ok || node == "" || token == "" {
					return spec, fmt.Errorf("tokens takes node:token pairs joined by commas, for example tokens=n1:0,n2:100; %q is none", part)
				}
				spec.Tokens[node] = append(spec.Tokens[node], token)
			}
		case "names":
			spec.Names = strings.Split(value, ",")
			for _, name := range spec.Names {
				if !plainName(name) {
					return spec, fmt.Errorf("names takes node names joined by commas, for example names=A,B,C; %q is none", name)
				}
			}
		default:
			if !plainName(key) {
				return spec, fmt.Errorf("%q is no name of a data center", key)
			}
			n, err := strconv.ParseUint(value, 10, 31)
			if err != nil || n == 0 {
				return spec, fmt.Errorf("%s takes the number of nodes of that data center, from 1, not %q (other keys: racks, vnodes, partitioner, seed, tokens, names)", key, value)
			}
			if first {
				spec.DCs, first = nil, false
			}
			for _, d := range spec.DCs {
				if d.Name == key {
					return spec, fmt.Errorf("data center %s is given twice", key)
				}
			}
			spec.DCs = append(spec.DCs, DCSpec{key, int(n)})
		}
	}
	total := 0
	for _, d := range spec.DCs {
		total += d.Nodes
	}
	if total > maxNodes {
		return spec, fmt.Errorf("a ring has at most %d nodes, not %d", maxNodes, total)
	}
	return spec, nil
}

// plainName says whether a name can stand in commands: it is not empty and holds
// nothing that separates words, lists or tokens there.
func plainName(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(",|>:='\"`", r)
	})
}

// String is the spec as `:ring new` takes it; it is the same for equal rings.
func (s RingSpec) String() string {
	var b strings.Builder
	for _, d := range s.DCs {
		fmt.Fprintf(&b, "%s=%d ", d.Name, d.Nodes)
	}
	racks := strconv.Itoa(s.Racks)
	if s.RackNames != nil {
		racks = strings.Join(s.RackNames, ",")
	}
	if len(s.RackOf) > 0 {
		var pairs []string
		for _, n := range slices.Sorted(maps.Keys(s.RackOf)) {
			pairs = append(pairs, n+":"+s.RackOf[n])
		}
		racks = strings.Join(pairs, ",")
	}
	fmt.Fprintf(&b, "racks=%s vnodes=%d partitioner=%s seed=%d", racks, s.VNodes, s.Partitioner, s.Seed)
	if len(s.Tokens) > 0 {
		names := make([]string, 0, len(s.Tokens))
		for n := range s.Tokens {
			names = append(names, n)
		}
		sort.Strings(names)
		var pairs []string
		for _, n := range names {
			for _, t := range s.Tokens[n] {
				pairs = append(pairs, n+":"+t)
			}
		}
		b.WriteString(" tokens=" + strings.Join(pairs, ","))
	}
	if len(s.Names) > 0 {
		b.WriteString(" names=" + strings.Join(s.Names, ","))
	}
	return b.String()
}

// Build makes the nodes with their tokens.
func (s RingSpec) Build() (ring.Partitioner, []ring.Node, error) {
	p, err := ring.ByName(s.Partitioner)
	if err != nil {
		return nil, nil, err
	}
	var nodes []ring.Node
	for _, d := range s.DCs {
		for i := 0; i < d.Nodes; i++ {
			n := len(nodes)
			name := "n" + strconv.Itoa(n+1)
			if n < len(s.Names) {
				name = s.Names[n]
			}
			nodes = append(nodes, ring.Node{Name: name, Address: address(n), DC: d.Name, Rack: s.rack(name, i)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.RackOf)) {
		if !slices.ContainsFunc(nodes, func(n ring.Node) bool { return n.Name == name }) {
			return nil, nil, fmt.Errorf("racks names node %s, which this ring does not have", name)
		}
	}
	if len(s.Names) > len(nodes) {
		return nil, nil, fmt.Errorf("names gives %d names for %d nodes", len(s.Names), len(nodes))
	}
	seen := map[string]bool{}
	for _, n := range nodes {
		if seen[n.Name] {
			return nil, nil, fmt.Errorf("two nodes are called %s", n.Name)
		}
		seen[n.Name] = true
	}
	if err := s.assign(p, nodes); err != nil {
		return nil, nil, err
	}
	return p, nodes, nil
}

// rack is that of a data center's i-th node.
func (s RingSpec) rack(name string, i int) string {
	if rack := s.RackOf[name]; rack != "" {
		return rack
	}
	if s.RackNames != nil {
		return s.RackNames[i%len(s.RackNames)]
	}
	return "rack" + strconv.Itoa(i%s.Racks+1)
}

// address is 127.0.0.1 for the first node, counting up.
func address(i int) string {
	i++
	return fmt.Sprintf("127.%d.%d.%d", i>>16&0xff, i>>8&0xff, i&0xff)
}

// assign gives every node its tokens: by hand, evenly, or from the allocator.
func (s RingSpec) assign(p ring.Partitioner, nodes []ring.Node) error {
	byName := map[string]*ring.Node{}
	for i := range nodes {
		byName[nodes[i].Name] = &nodes[i]
	}
	given := make([]string, 0, len(s.Tokens))
	for name := range s.Tokens {
		given = append(given, name)
	}
	sort.Strings(given)
	for _, name := range given {
		n := byName[name]
		if n == nil {
			return fmt.Errorf("tokens names node %s, which this ring does not have", name)
		}
		for _, text := range s.Tokens[name] {
			t, err := p.Parse(text)
			if err != nil {
				return err
			}
			n.Tokens = append(n.Tokens, t)
		}
	}
	if s.VNodes > 1 {
		return s.allocate(p, nodes)
	}
	at := 0
	for d, dc := range s.DCs {
		even := p.Even(dc.Nodes)
		for i := 0; i < dc.Nodes; i++ {
			if n := &nodes[at+i]; len(n.Tokens) == 0 {
				n.Tokens = []ring.Token{even[i]}
				if d > 0 {
					n.Tokens[0] = p.Offset(even[i], 100*d)
				}
			}
		}
		at += dc.Nodes
	}
	return nil
}

// allocateUpTo is the number of tokens up to which a ring's vnodes come from the
// replication-aware allocator; its work grows with the square of the ring.
const allocateUpTo = 8192

// allocate lets the nodes join one by one.
func (s RingSpec) allocate(p ring.Partitioner, nodes []ring.Node) error {
	source := sim.NewStream(s.Seed, "tokens").Source(0)
	first := ring.StartAtRandom(p, source)
	if len(nodes)*s.VNodes > allocateUpTo {
		return s.random(p, nodes, source)
	}
	racks := map[string]map[string]bool{}
	for _, n := range nodes {
		if racks[n.DC] == nil {
			racks[n.DC] = map[string]bool{}
		}
		racks[n.DC][n.Rack] = true
	}
	for i := range nodes {
		if len(nodes[i].Tokens) > 0 {
			continue
		}
		rf := 3
		if r := len(racks[nodes[i].DC]); r > 1 && r < rf {
			rf = r // the allocator refuses fewer racks than replicas
		}
		tokens, err := ring.Allocate(p, nodes[:i], nodes[i], s.VNodes, rf, first)
		if err != nil {
			return err
		}
		nodes[i].Tokens = tokens
	}
	return nil
}

// random draws every token, as num_tokens without an allocator does.
func (s RingSpec) random(p ring.Partitioner, nodes []ring.Node, source *sim.Source) error {
	taken := make(map[ring.Token]bool, len(nodes)*s.VNodes)
	for i := range nodes {
		for len(nodes[i].Tokens) < s.VNodes {
			if t := p.Random(source); !taken[t] {
				taken[t] = true
				nodes[i].Tokens = append(nodes[i].Tokens, t)
			}
		}
	}
	return nil
}
