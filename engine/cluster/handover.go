package cluster

import (
	"slices"

	"ringlab/model/schema"
	"ringlab/ring"
)

// handover is a piece of the ring whose replicas a movement changes.
type handover struct {
	piece         ring.Range
	before, after []int
}

// handovers are the pieces of a keyspace whose replicas change. Those of a node that
// comes or goes are a run of pieces before each of its tokens, since walks along the
// ring that begin farther back meet it later; so a large ring need not be placed
// whole.
func (c *Cluster) handovers(m *Movement, keyspace string) []handover {
	now, then := c.Placement(keyspace), m.placement(c, keyspace)
	whole := now.TokenMap() // the one with more tokens
	if then.TokenMap().Len() > whole.Len() {
		whole = then.TokenMap()
	}
	if m.Kind == "Relocation" {
		return c.relocated(now, then)
	}
	subject := func(replicas []int) bool {
		return slices.Contains(replicas, m.Node) || m.Replaces >= 0 && slices.Contains(replicas, m.Replaces)
	}
	n := whole.Len()
	seen := make(map[int]bool)
	var out []handover
	for _, t := range c.turning(m) {
		for e, steps := whole.Primary(t), 0; steps < n && !seen[e]; e, steps = (e+n-1)%n, steps+1 {
			token := whole.Token(e)
			h := handover{whole.Range(e), now.Replicas(token), then.Replicas(token)}
			if !subject(h.before) && !subject(h.after) {
				break
			}
			seen[e] = true
			if !slices.Equal(h.before, h.after) {
				out = append(out, h)
			}
		}
	}
	slices.SortFunc(out, func(a, b handover) int { return a.piece.Right.Compare(b.piece.Right) })
	return out
}

// turning are the tokens that a movement adds to the ring or takes from it.
func (c *Cluster) turning(m *Movement) []ring.Token {
	if len(m.tokens) > 0 {
		return m.tokens
	}
	return c.Nodes[m.Node].Tokens
}

// relocated compares two placements piece by piece.
func (c *Cluster) relocated(now, then *ring.Placement) []handover {
	all := slices.Concat(now.TokenMap().Tokens(), then.TokenMap().Tokens())
	slices.SortFunc(all, ring.Token.Compare)
	all = slices.Compact(all)
	var out []handover
	for i, t := range all {
		h := handover{ring.Range{Left: all[(i+len(all)-1)%len(all)], Right: t}, now.Replicas(t), then.Replicas(t)}
		if !slices.Equal(h.before, h.after) {
			out = append(out, h)
		}
	}
	return out
}

// fetching collects what nodes have to send each other, source and target by source
// and target.
type fetching struct {
	pairs  [][2]int
	ranges map[[2]int][]ring.Range
}

func (f *fetching) add(from, to int, r ring.Range) {
	k := [2]int{from, to}
	if f.ranges == nil {
		f.ranges = map[[2]int][]ring.Range{}
	}
	if f.ranges[k] == nil {
		f.pairs = append(f.pairs, k)
	}
	f.ranges[k] = append(f.ranges[k], r)
}

// gained lists who becomes a replica of a piece.
func (h *handover) gained() []int {
	var out []int
	for _, n := range h.after {
		if !slices.Contains(h.before, n) {
			out = append(out, n)
		}
	}
	return out
}

// strictSource is whom a node takes a piece from: the replica that loses it, so
// that what only that one has is not lost; it must be alive. Where nobody loses it,
// since there were fewer nodes than replicas, the nearest live replica will do.
// Source: Cassandra 5.0 RangeStreamer.calculateRangesToFetchWithPreferredEndpoints.
func (c *Cluster) strictSource(node int, h *handover, rf int, keyspace string) (int, error) {
	var losing []int
	for _, n := range h.before {
		if !slices.Contains(h.after, n) {
			losing = append(losing, n)
		}
	}
	if len(losing) == 0 || len(h.before) != rf {
		return c.nearestSource(node, h.piece, h.before, keyspace)
	}
	if source := losing[0]; c.Alive.Alive(node, source) && !c.Nodes[source].Down {
		return source, nil
	}
	return 0, refusal("Necessary replicas for strict consistency were removed by source filters: Filtered Full(/%s:7000,%s) out because it was down",
		c.Nodes[losing[0]].Address, c.tokenRange(h.piece.Right))
}

// nearestSource is the nearest live one of a piece's replicas, but the node itself.
func (c *Cluster) nearestSource(node int, piece ring.Range, replicas []int, keyspace string) (int, error) {
	for _, n := range c.Ring.SortByProximity(nil, node, replicas) {
		if n != node && c.Alive.Alive(node, n) && !c.Nodes[n].Down {
			return n, nil
		}
	}
	return 0, refusal("Unable to find sufficient sources for streaming range Full(/%s:7000,%s) in keyspace %s", c.Nodes[node].Address, c.RangeText(piece), keyspace)
}

// keyspaces are those whose replicas a movement may change: all of the lab's.
func (c *Cluster) keyspaces() []*schema.Keyspace {
	var out []*schema.Keyspace
	for _, name := range c.Schema.Names() {
		out = append(out, c.Schema.Keyspace(name))
	}
	return out
}

// fetch begins the streams of a keyspace.
func (c *Cluster) fetch(m *Movement, k *schema.Keyspace, f *fetching) {
	for _, pair := range f.pairs {
		for _, name := range k.TableNames() {
			c.pull(m, pair[0], pair[1], k.Tables[name], f.ranges[pair])
		}
	}
}
