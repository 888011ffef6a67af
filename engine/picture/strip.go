package picture

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"ringlab/engine/session"
	"ringlab/engine/view"
	"ringlab/model/schema"
	"ringlab/ring"
)

// strip is what the painter keeps for the ring laid out as a strip.
type strip struct {
	ring, before *ring.TokenMap // the ring now, and before its last change
	at, then     []float64      // positions of their entries
	gains        []gain
	moved        []string  // the gains in words
	places       []float64 // of the known partitions, sorted
	bytes        []placed
	placesOf     int64
	placesTable  *schema.Table
	keys         []int64
	bare         *ring.Placement // of one copy, for rings without a table
	most         *ring.Placement // of the spreads
	made         []madeRing      // that are compared
	spreads      []view.Spread
	seen         view.StripLens // that the spreads were laid out for
}

// gain is what a node has taken over by a change of the ring.
type gain struct {
	node   int
	share  float64
	givers []int
}

type placed struct {
	token ring.Token
	bytes int64
}

// madeRing is a ring that is compared with others by how even it is.
type madeRing struct {
	spread view.Spread
	ring   *ring.TokenMap // nil if it was not made
	at     []float64      // positions of its entries
}

// follow notices that the ring has changed and works out what that moved.
func (p *Painter) follow() {
	tm := p.core.Cluster.Ring
	s := &p.strip
	if s.ring == tm {
		return
	}
	if s.ring != nil && s.ring.Partitioner().Name() == tm.Partitioner().Name() {
		s.before, s.then = s.ring, s.at
	}
	s.ring, s.at = tm, positions(tm)
	s.placesTable = nil
	s.gains = nil
	if s.before != nil {
		s.gains = p.moves()
	}
}

func positions(tm *ring.TokenMap) []float64 {
	out := make([]float64, tm.Len())
	for e := range out {
		out[e] = position(tm.Partitioner(), tm.Token(e))
	}
	return out
}

// ownerAt is the entry that owns a place of the ring, 0..1.
func ownerAt(at []float64, x float64) int {
	e := sort.SearchFloat64s(at, x)
	if e == len(at) {
		return 0
	}
	return e
}

// moves says which parts of the ring changed hands, by who gained them.
func (p *Painter) moves() []gain {
	s := &p.strip
	if len(s.at) == 0 || len(s.then) == 0 {
		return nil
	}
	cuts := slices.Concat(s.at, s.then, []float64{1})
	sort.Float64s(cuts)
	gained := map[int]map[int]float64{}
	from := 0.0
	for _, to := range cuts {
		if to > from {
			mid := (from + to) / 2
			now, then := s.ring.Node(ownerAt(s.at, mid)), s.before.Node(ownerAt(s.then, mid))
			if now != then {
				if gained[now] == nil {
					gained[now] = map[int]float64{}
				}
				gained[now][then] += to - from
			}
			from = to
		}
	}
	var out []gain
	for node := range p.core.Cluster.Nodes {
		if gained[node] == nil {
			continue
		}
		g := gain{node: node}
		for giver := range p.core.Cluster.Nodes {
			if share := gained[node][giver]; share > 0 {
				g.share += share
				g.givers = append(g.givers, giver)
			}
		}
		out = append(out, g)
	}
	return out
}

// tell puts the gains into words, with what of a table came with them: the
// partitions that a node is a replica of now and was not before.
func (p *Painter) tell(t *schema.Table) []string {
	s := &p.strip
	if len(s.gains) == 0 {
		return nil
	}
	count, bytes := make([]int, len(p.core.Cluster.Nodes)), make([]int64, len(p.core.Cluster.Nodes))
	if t != nil {
		now, then := p.core.Cluster.Placement(t.Keyspace), ring.NewPlacement(s.before, p.core.Cluster.Strategy(t.Keyspace))
		for _, k := range s.bytes {
			old := then.Replicas(k.token)
			for _, n := range now.Replicas(k.token) {
				if !slices.Contains(old, n) {
					count[n]++
					bytes[n] += k.bytes
				}
			}
		}
	}
	var out []string
	for i, g := range s.gains {
		if i == 6 {
			return append(out, fmt.Sprintf("%d more nodes take something over", len(s.gains)-i))
		}
		text := fmt.Sprintf("%s takes %.1f%% from %s", p.core.Cluster.Nodes[g.node].Name, g.share*100, someNames(p, g.givers))
		if count[g.node] > 0 {
			text += fmt.Sprintf("; %d partitions of %s, %d bytes, became its copies", count[g.node], t.Name, bytes[g.node])
		}
		out = append(out, text)
	}
	return out
}

// someNames joins node names, the first six of them.
func someNames(p *Painter, nodes []int) string {
	if len(nodes) > 6 {
		return names(p.core.Cluster, nodes[:6]) + fmt.Sprintf(" and %d more", len(nodes)-6)
	}
	return names(p.core.Cluster, nodes)
}

// settle sorts the partitions of the table by their place, and counts them by the
// node that owns it.
func (p *Painter) settle(t *schema.Table) {
	s := &p.strip
	if t == nil {
		s.places, s.bytes, s.keys, s.placesTable = nil, nil, make([]int64, len(p.core.Cluster.Nodes)), nil
		s.moved = p.tell(nil)
		return
	}
	if s.placesTable == t && s.placesOf == p.parts.at && len(s.keys) == len(p.core.Cluster.Nodes) {
		return
	}
	s.placesTable, s.placesOf = t, p.parts.at
	s.places, s.bytes, s.keys = s.places[:0], s.bytes[:0], make([]int64, len(p.core.Cluster.Nodes))
	for i, token := range p.parts.tokens {
		s.places = append(s.places, position(s.ring.Partitioner(), token))
		s.bytes = append(s.bytes, placed{token, p.parts.sizes[i]})
		if e := s.ring.Primary(token); e >= 0 {
			s.keys[s.ring.Node(e)]++
		}
	}
	sort.Float64s(s.places)
	s.moved = p.tell(t)
}

// stripPart lays the ring out.
func (p *Painter) stripPart(t *schema.Table, lens view.StripLens) *view.Strip {
	p.follow()
	s := &p.strip
	if lens.Width <= 0 || s.ring.Len() == 0 {
		return nil
	}
	p.settle(t)
	if lens.To <= lens.From {
		lens.From, lens.To = 0, 1
	}
	w := min(lens.Width, 1000)
	out := &view.Strip{From: lens.From, To: lens.To, Columns: make([]view.StripColumn, w), Partitions: len(s.places), Moved: s.moved}
	part := s.ring.Partitioner()
	step := (lens.To - lens.From) / float64(w)
	for i := range out.Columns {
		a, b := lens.From+float64(i)*step, lens.From+float64(i+1)*step
		c := &out.Columns[i]
		c.Owner = s.ring.Node(mostOf(s.ring, s.at, a, b))
		c.Tokens = within(s.at, a, b)
		c.Keys = within(s.places, a, b)
		out.MostKeys = max(out.MostKeys, c.Keys)
		if s.before != nil {
			owner := s.before.Node(mostOf(s.before, s.then, a, b))
			out.Before = append(out.Before, owner)
			c.Moved = owner != c.Owner
		}
	}
	out.FromToken, out.ToToken = tokenText(part, lens.From), tokenText(part, lens.To)
	out.Shares = p.bareShares()
	out.Keys = s.keys
	members := len(p.core.Cluster.Members())
	out.Even = 1 / float64(max(members, 1))
	at := lens.From + (float64(max(min(lens.Cursor, w-1), 0))+0.5)*step
	out.At = p.rangeAt(t, mostOf(s.ring, s.at, at-step/2, at+step/2))
	if lens.Compare {
		out.Spreads = p.spreads(t, lens)
	}
	out.Why = p.whyStrip(out, t)
	return out
}

// within counts the sorted values in (a, b].
func within(sorted []float64, a, b float64) int {
	above := func(x float64) int { return sort.Search(len(sorted), func(i int) bool { return sorted[i] > x }) }
	if a <= 0 { // the minimum token lies at 0
		return above(b)
	}
	return above(b) - above(a)
}

// mostOf is the entry whose node owns the most of (a, b]. Where many ranges lie in
// it, it is the one in the middle: so each node is met as often as it owns, while the
// most would go to the node with a few large ranges.
func mostOf(tm *ring.TokenMap, at []float64, a, b float64) int {
	if within(at, a, b) > 4 {
		return ownerAt(at, (a+b)/2)
	}
	first := sort.Search(len(at), func(i int) bool { return at[i] > a })
	share := map[int]float64{}
	best, most := first%len(at), 0.0
	for from, e := a, first; from < b; e++ {
		to := b
		if e < len(at) {
			to = min(at[e], b)
		}
		n := tm.Node(e % len(at))
		if share[n] += to - from; share[n] > most+1e-15 {
			best, most = e%len(at), share[n]
		}
		from = to
	}
	return best
}

// tokenText is the token at a place of the ring; only Murmur3's are numbers to
// work with here.
func tokenText(p ring.Partitioner, x float64) string {
	if p.Name() != "Murmur3Partitioner" {
		return fmt.Sprintf("%.2f%% of the ring", x*100)
	}
	switch {
	case x <= 0:
		return "−2^63"
	case x >= 1:
		return "2^63"
	}
	return fmt.Sprintf("%.4g", math.Ldexp(x, 64)-math.Ldexp(1, 63))
}

// bareShares are the shares of the ring without replication.
func (p *Painter) bareShares() []float64 {
	shares, err := p.core.Cluster.Ring.Owns()
	if err != nil {
		return nil
	}
	return shares
}

// rangeAt describes the range that ends at an entry.
func (p *Painter) rangeAt(t *schema.Table, e int) *view.RangeAt {
	s := &p.strip
	r := s.ring.Range(e)
	part := s.ring.Partitioner()
	at := &view.RangeAt{Start: part.Format(r.Left), End: part.Format(r.Right), Owner: s.ring.Node(e)}
	before := e - 1
	if before < 0 {
		before = s.ring.Len() - 1
	}
	at.Share = s.at[e] - s.at[before]
	if at.Share <= 0 {
		at.Share++
	}
	if t != nil {
		at.Replicas = slices.Clone(p.core.Cluster.Placement(t.Keyspace).ReplicasOf(e))
	}
	for _, k := range s.bytes {
		if s.ring.Primary(k.token) == e {
			at.Keys++
		}
	}
	return at
}

// mostTokens bounds the rings that are made up to compare vnodes.
const mostTokens = 8_000

// spreads compares numbers of vnodes: each is the ring that `:ring new` would make
// of the same data centers and seed, measured by what its nodes would hold of the
// table's keyspace, copies included, and laid out in the columns of the strip.
func (p *Painter) spreads(t *schema.Table, lens view.StripLens) []view.Spread {
	s := &p.strip
	var strategy ring.Strategy = ring.SimpleStrategy(1)
	if s.bare == nil || s.bare.TokenMap() != s.ring {
		s.bare = ring.NewPlacement(s.ring, strategy)
	}
	placement := s.bare
	if t != nil {
		placement = p.core.Cluster.Placement(t.Keyspace)
		strategy = placement.Strategy()
	}
	lens.Cursor = 0
	if s.most == placement && s.seen == lens {
		return s.spreads
	}
	if s.most != placement {
		s.made = p.makeRings(placement, strategy)
	}
	s.most, s.seen = placement, lens
	s.spreads = make([]view.Spread, len(s.made))
	w := min(lens.Width, 1000)
	step := (lens.To - lens.From) / float64(w)
	for i, m := range s.made {
		s.spreads[i] = m.spread
		if m.ring == nil {
			continue
		}
		owners := make([]int, w)
		for k := range owners {
			owners[k] = m.ring.Node(mostOf(m.ring, m.at, lens.From+float64(k)*step, lens.From+float64(k+1)*step))
		}
		s.spreads[i].Owners = owners
	}
	return s.spreads
}

// makeRings makes the rings to compare, the one there is first.
func (p *Painter) makeRings(placement *ring.Placement, strategy ring.Strategy) []madeRing {
	spec := p.core.Spec
	spec.Tokens, spec.Names = nil, nil
	spec.DCs = slices.Clone(spec.DCs)
	nodes := 0
	for i := range spec.DCs {
		spec.DCs[i].Nodes = p.core.Nodes(spec.DCs[i].Name)
		nodes += spec.DCs[i].Nodes
	}
	spec.DCs = slices.DeleteFunc(spec.DCs, func(d session.DCSpec) bool { return d.Nodes == 0 })
	var out []madeRing
	if row, ok := spreadOf(p.core.Spec.VNodes, placement); ok {
		row.Now = true
		out = append(out, madeRing{row, p.strip.ring, p.strip.at})
	}
	for _, n := range []int{1, 4, 16, 256} {
		m := madeRing{spread: view.Spread{VNodes: n, Ranges: n * nodes, Skipped: true}}
		if n*nodes <= mostTokens {
			spec.VNodes = n
			if part, list, err := spec.Build(); err == nil {
				if tm, err := ring.NewTokenMap(part, list); err == nil {
					if row, ok := spreadOf(n, ring.NewPlacement(tm, strategy)); ok {
						m = madeRing{row, tm, positions(tm)}
					}
				}
			}
		}
		out = append(out, m)
	}
	return out
}

func spreadOf(vnodes int, placement *ring.Placement) (view.Spread, bool) {
	shares, err := placement.EffectiveOwns()
	out := view.Spread{VNodes: vnodes, Least: math.Inf(1), Ranges: placement.TokenMap().Len()}
	n, sum := 0, 0.0
	for _, x := range shares {
		if x > 0 {
			n++
			sum += x
			out.Least, out.Most = min(out.Least, x), max(out.Most, x)
		}
	}
	mean := sum / float64(max(n, 1))
	out.Least, out.Most = out.Least/mean, out.Most/mean
	return out, err == nil && n > 0
}

// whyStrip tells the rule of ownership with the numbers at hand.
func (p *Painter) whyStrip(s *view.Strip, t *schema.Table) []string {
	c := p.core.Cluster
	out := []string{
		fmt.Sprintf("Each of the %d tokens ends a range: (token before, token]. A key belongs to the first token at or after its own, the first of all behind the last.", c.Ring.Len()),
		"Source: TokenMetadata.firstTokenIndex, getPrimaryRangeFor.",
	}
	if a := s.At; a != nil {
		out = append(out, fmt.Sprintf("Under the cursor: (%s, %s] belongs to %s, %.2f%% of the ring, %d of the %d known partitions.", a.Start, a.End, c.Nodes[a.Owner].Name, a.Share*100, a.Keys, s.Partitions))
		if t != nil {
			out = append(out, fmt.Sprintf("Its replicas in keyspace %s are %s.", t.Keyspace, names(c, a.Replicas)))
		}
	}
	most, least := -1, -1
	for n, x := range s.Shares {
		if x > 0 && (most < 0 || x > s.Shares[most]) {
			most = n
		}
		if x > 0 && (least < 0 || x < s.Shares[least]) {
			least = n
		}
	}
	if most >= 0 {
		vnodes := len(c.Nodes[most].Tokens)
		if s.Shares[most]-s.Shares[least] < 0.0005 {
			out = append(out, fmt.Sprintf("The ring is even: %.1f%% each.", s.Even*100))
		} else {
			out = append(out, fmt.Sprintf("Even would be %.1f%% each. %s owns the most, %.1f%% (%.2fx), %s the least, %.1f%% (%.2fx).", s.Even*100,
				c.Nodes[most].Name, s.Shares[most]*100, s.Shares[most]/s.Even, c.Nodes[least].Name, s.Shares[least]*100, s.Shares[least]/s.Even))
		}
		out = append(out, fmt.Sprintf("num_tokens is %d: more tokens a node even the shares out, and each range is one more piece for repairs and streams. Source: TokenAllocation, Config.num_tokens.", vnodes))
	}
	for _, m := range s.Moved {
		out = append(out, "The last change of the ring: "+m+".")
	}
	return out
}
