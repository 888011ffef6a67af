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
}
