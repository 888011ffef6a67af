package picture

import (
	"slices"

	"ringlab/engine/view"
)

// members maps the nodes of the picture, those that belong to the ring, to the
// cluster's numbers, which never change: a node that has left keeps its own.
func (p *Painter) members() []int {
	var out []int
	for i, n := range p.core.Cluster.Nodes {
		if n.IsMember() {
			out = append(out, i)
		}
	}
	return out
}

// onlyMembers takes the nodes that have left the ring out of a picture and numbers
// the others anew. What is shared with earlier pictures is copied.
func (p *Painter) onlyMembers(v *view.View, members []int) {
	if len(members) == len(v.Nodes) {
		return
	}
	place := make([]int, len(v.Nodes))
	for i := range place {
		place[i] = -1
	}
	nodes := make([]view.Node, len(members))
	for i, n := range members {
		place[n], nodes[i] = i, v.Nodes[n]
	}
	v.Nodes = nodes
	v.Ring = slices.Clone(v.Ring)
	for i := range v.Ring {
		v.Ring[i].Node = place[v.Ring[i].Node]
	}
	v.Partitions = slices.Clone(v.Partitions)
	for i := range v.Partitions {
		replicas := slices.Clone(v.Partitions[i].Replicas)
		for j, n := range replicas {
			replicas[j] = place[n]
		}
		v.Partitions[i].Replicas = replicas
	}
	if v.Selection != nil {
		for i := range v.Selection.Replicas {
			v.Selection.Replicas[i].Node = place[v.Selection.Replicas[i].Node]
		}
	}
	if v.Storage != nil {
		v.Storage.Node = max(place[v.Storage.Node], 0)
	}
	if v.Trace != nil {
		v.Trace.Lanes = slices.DeleteFunc(v.Trace.Lanes, func(l view.Lane) bool { return place[l.Node] < 0 })
		for i := range v.Trace.Lanes {
			l := &v.Trace.Lanes[i]
			l.Node = place[l.Node]
			for j := range l.Marks {
				if peer := l.Marks[j].Peer; peer >= 0 {
					l.Marks[j].Peer = place[peer]
				}
			}
		}
	}
	picturesOf(v, place)
}

// picturesOf numbers the nodes of the large pictures anew.
func picturesOf(v *view.View, place []int) {
	renumber := func(nodes []int) {
		for i, n := range nodes {
			if n >= 0 {
				nodes[i] = place[n]
			}
		}
	}
	if s := v.Strip; s != nil {
		for i := range s.Columns {
			s.Columns[i].Owner = place[s.Columns[i].Owner]
		}
		renumber(s.Before)
		shares, keys := make([]float64, len(v.Nodes)), make([]int64, len(v.Nodes))
		for n, to := range place {
			if to >= 0 && n < len(s.Shares) {
				shares[to] = s.Shares[n]
			}
			if to >= 0 && n < len(s.Keys) {
				keys[to] = s.Keys[n]
			}
		}
		s.Shares, s.Keys = shares, keys
		if s.At != nil {
			s.At.Owner = place[s.At.Owner]
			renumber(s.At.Replicas)
		}
	}
	if q := v.Placement; q != nil {
		for i := range q.Walk {
			q.Walk[i].Node = place[q.Walk[i].Node]
		}
		for _, d := range q.DCs {
			for _, r := range d.Racks {
				for i := range r.Nodes {
					r.Nodes[i].Node = place[r.Nodes[i].Node]
				}
			}
		}
		renumber(q.Simple)
	}
	if l := v.Levels; l != nil {
		for i := range l.Answers {
			renumber(l.Answers[i].Nodes)
		}
	}
	if v.Files != nil {
		v.Files.Node = max(place[v.Files.Node], 0)
	}
	if v.Chain != nil {
		v.Chain.Node = place[v.Chain.Node]
	}
}
