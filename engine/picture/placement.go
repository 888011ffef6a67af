package picture

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/view"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// mostSteps bounds the walk that is shown; nodes that are passed over may be many.
const mostSteps = 24

// placementPart tells where a key's copies are and what they survive.
func (p *Painter) placementPart(t *schema.Table, key []byte, lens view.PlacementLens) *view.Placement {
	c := p.core.Cluster
	entry := c.Ring.Primary(c.Partitioner().Token(key))
	if entry < 0 {
		return nil
	}
	s := c.Strategy(t.Keyspace)
	replicas := c.Placement(t.Keyspace).ReplicasOf(entry)
	out := &view.Placement{Class: s.Class(), Walk: p.walkSteps(s, entry, replicas), Simple: ring.SimpleStrategy(len(replicas)).Replicas(c.Ring, entry), Lost: lens.Lost}
	seen := map[int]bool{}
	for i := 0; i < c.Ring.Len() && len(out.Order) < 12; i++ {
		if n := c.Ring.Node((entry + i) % c.Ring.Len()); !seen[n] {
			seen[n] = true
			out.Order = append(out.Order, c.Nodes[n].Name)
		}
	}
	lost := lostNodes(p, lens.Lost)
	out.DCs = p.plans(s, replicas, lost)
	out.Losses = p.losses(t.Keyspace, replicas)
	if lens.Lost != "" {
		out.Now, out.NowOK = p.survives(t.Keyspace, replicas, lost)
	}
	out.Why = p.whyPlacement(out, s, c.Partitioner().Token(key), replicas)
	return out
}

// walkSteps goes along the ring as the strategy does, and says of each node that it
// meets for the first time, or that it takes at last, why. The orders are those of
// replicas. Source: Cassandra 5.0 NetworkTopologyStrategy.calculateNaturalReplicas,
// DatacenterEndpoints.addEndpointAndCheckIfDone, SimpleStrategy.
func (p *Painter) walkSteps(s ring.Strategy, entry int, replicas []int) []view.WalkStep {
	c := p.core.Cluster
	left := map[string]int{}
	repeats := map[string]int{}
	of := map[string]int{}    // racks of a data center
	racks := map[string]int{} // replicas by dc and rack
	for _, d := range c.Ring.Datacenters() {
		left[d.Name] = min(s.RFIn(d.Name), d.Nodes)
		of[d.Name] = len(d.Racks)
		repeats[d.Name] = s.RFIn(d.Name) - len(d.Racks)
	}
	var out []view.WalkStep
	told := map[int]bool{}
	taken := 0
	for i := 0; i < c.Ring.Len() && taken < len(replicas); i++ {
		n := c.Ring.Node((entry + i) % c.Ring.Len())
		node := c.Nodes[n]
		step := view.WalkStep{Node: n, Place: node.DC + " " + node.Rack}
		take := false
		switch {
		case told[n]:
			continue // a vnode of a node met before
		case s.Class() != ring.ClassNetworkTopology:
			take, step.Why = true, "next on the ring"
		case s.RFIn(node.DC) == 0:
			step.Why = "no copies in " + node.DC
		case left[node.DC] == 0:
			step.Why = fmt.Sprintf("%s has its %d", node.DC, s.RFIn(node.DC))
		case racks[step.Place] == 0:
			take, step.Why = true, "new rack"
		case repeats[node.DC] > 0:
			take = true
			repeats[node.DC]--
			step.Why = fmt.Sprintf("its rack has one, but RF %d is more than %d racks", s.RFIn(node.DC), of[node.DC])
		default:
			step.Why = "its rack has one, other racks have none"
		}
		told[n] = true
		if take {
			taken++
			step.Order = taken
			racks[step.Place]++
			left[node.DC]--
			if s.Class() == ring.ClassNetworkTopology && left[node.DC] == 0 {
				step.Why += fmt.Sprintf(", %s has %d of %d", node.DC, s.RFIn(node.DC), s.RFIn(node.DC))
			}
		}
		if take || len(out) < mostSteps {
			out = append(out, step)
		}
	}
	return out
}

// lostNodes reads what is lost in thought: node, DC/RACK and DC.
func lostNodes(p *Painter, text string) map[int]bool {
	out := map[int]bool{}
	for _, word := range strings.Fields(text) {
		for _, n := range p.core.Cluster.Members() {
			node := p.core.Cluster.Nodes[n.Index]
			if word == node.Name || word == node.DC || word == node.DC+"/"+node.Rack {
				out[n.Index] = true
			}
		}
	}
	return out
}

// plans lays the nodes out by data center and rack.
func (p *Painter) plans(s ring.Strategy, replicas []int, lost map[int]bool) []view.DCPlan {
	c := p.core.Cluster
	var out []view.DCPlan
	for _, n := range c.Members() {
		dc := slices.IndexFunc(out, func(d view.DCPlan) bool { return d.Name == n.DC })
		if dc < 0 {
			dc = len(out)
			out = append(out, view.DCPlan{Name: n.DC, RF: s.RFIn(n.DC)})
		}
		racks := &out[dc].Racks
		rack := slices.IndexFunc(*racks, func(r view.RackPlan) bool { return r.Name == n.Rack })
		if rack < 0 {
			rack = len(*racks)
			*racks = append(*racks, view.RackPlan{Name: n.Rack})
		}
		(*racks)[rack].Nodes = append((*racks)[rack].Nodes, view.NodePlan{Node: n.Index, Order: slices.Index(replicas, n.Index) + 1, Lost: lost[n.Index]})
	}
	return out
}

// losses are what is left without each rack and each data center that has a copy.
func (p *Painter) losses(keyspace string, replicas []int) []view.Loss {
	c := p.core.Cluster
	var out []view.Loss
	seen := map[string]bool{}
	dcs := map[string]bool{}
	for _, n := range c.Members() {
		dcs[n.DC] = true
	}
	tell := func(what string) {
		if !seen[what] {
			seen[what] = true
			text, ok := p.survives(keyspace, replicas, lostNodes(p, what))
			out = append(out, view.Loss{What: what, Text: text, OK: ok})
		}
	}
	for _, n := range replicas {
		tell(c.Nodes[n].DC + "/" + c.Nodes[n].Rack)
	}
	if len(dcs) > 1 {
		for _, n := range replicas {
			tell(c.Nodes[n].DC)
		}
	}
	return out
}

// survives says what levels can still be had from each data center without some
// nodes; ok is whether a quorum is among them. What is really down stays down.
func (p *Painter) survives(keyspace string, replicas []int, lost map[int]bool) (text string, ok bool) {
	c := p.core.Cluster
	var left []int
	up := 0
	for _, n := range replicas {
		if !lost[n] {
			left = append(left, n)
			if !c.Nodes[n].Down {
				up++
			}
		}
	}
	parts := []string{fmt.Sprintf("%d of %d copies", up, len(replicas))}
	seen := map[string]bool{}
	several := len(p.core.DataCenters()) > 1
	for _, n := range c.Members() {
		if seen[n.DC] || lost[n.Index] || n.Down {
			continue
		}
		seen[n.DC] = true
		var can, cannot []string
		for _, cl := range []plan.Consistency{plan.One, plan.LocalQuorum, plan.Quorum, plan.All} {
			if cl == plan.LocalQuorum && !several {
				continue
			}
			if _, _, possible := c.Preview(cl, keyspace, n.Index, left); possible {
				can = append(can, cl.String())
				ok = ok || cl == plan.Quorum || cl == plan.LocalQuorum
			} else {
				cannot = append(cannot, cl.String())
			}
		}
		word := ""
		if several {
			word = "in " + n.DC + " "
		}
		if len(can) > 0 {
			parts = append(parts, word+strings.Join(can, " ")+" ok")
		}
		if len(cannot) > 0 {
			parts = append(parts, word+strings.Join(cannot, " ")+" unavailable")
		}
	}
	if len(seen) == 0 {
		return "no node is left to ask", false
	}
	return strings.Join(parts, ", "), ok
}

// shareText says how many copies of a data center may stand in a rack that has one.
func shareText(repeats int) string {
	switch {
	case repeats <= 0:
		return "no two copies in one rack."
	case repeats == 1:
		return "one copy may stand in a rack that has one already."
	}
	return fmt.Sprintf("%d copies may stand in racks that have one already.", repeats)
}

// whyPlacement tells the rule of the strategy with the numbers at hand.
func (p *Painter) whyPlacement(v *view.Placement, s ring.Strategy, token ring.Token, replicas []int) []string {
	c := p.core.Cluster
	part, entry := c.Partitioner(), c.Ring.Primary(token)
	r := c.Ring.Range(entry)
	before := c.Ring.Node((entry + c.Ring.Len() - 1) % c.Ring.Len())
	out := []string{fmt.Sprintf("The key's token is %s: behind %s of %s, up to %s of %s. The walk begins at %s and goes clockwise: %s.", part.Format(token),
		part.Format(r.Left), c.Nodes[before].Name, part.Format(r.Right), v.Order[0], v.Order[0], strings.Join(v.Order, " "))}
	if s.Class() == ring.ClassNetworkTopology {
		out = append(out, "In each data center it takes nodes of racks that have no copy yet; a node of a rack that has one only as often as RF exceeds the number of racks.")
		for _, d := range c.Ring.Datacenters() {
			if d.Nodes > 0 {
				rf := s.RFIn(d.Name)
				out = append(out, fmt.Sprintf("%s: RF %d, %d nodes on %d racks: %s", d.Name, rf, d.Nodes, len(d.Racks), shareText(rf-len(d.Racks))))
			}
		}
		out = append(out, "Source: NetworkTopologyStrategy.calculateNaturalReplicas, DatacenterEndpoints.addEndpointAndCheckIfDone.")
	} else {
		out = append(out, fmt.Sprintf("It takes the next %d different nodes, whatever their rack and data center.", s.RF()), "Source: SimpleStrategy.calculateNaturalReplicas.")
	}
	for _, w := range v.Walk {
		word := "skip"
		if w.Order > 0 {
			word = "take"
		}
		out = append(out, fmt.Sprintf("%s %s (%s): %s.", word, c.Nodes[w.Node].Name, w.Place, w.Why))
	}
	if same := slices.Equal(v.Simple, replicas); same {
		out = append(out, "SimpleStrategy would take the same nodes here.")
	} else {
		racks := map[string]bool{}
		for _, n := range v.Simple {
			racks[c.Nodes[n].DC+"/"+c.Nodes[n].Rack] = true
		}
		out = append(out, fmt.Sprintf("SimpleStrategy would take %s, on %d racks.", names(c, v.Simple), len(racks)))
	}
	for _, l := range v.Losses {
		out = append(out, "Without "+l.What+": "+l.Text+".")
	}
	return out
}
