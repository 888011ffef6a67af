package session

import (
	"bytes"
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

func nextComponent(clustering []byte) (value, rest []byte, ok bool) {
	return schema.NextComponent(clustering)
}

// describe answers a DESCRIBE.
func (c *Core) describe(a *answer.Answer, p *plan.Describe) {
	a.Describe = true
	for _, name := range p.Columns() {
		t := "text"
		if name == "range_ownership" {
			t = "map<text, list<text>>"
		}
		a.Columns = append(a.Columns, answer.Column{Name: name, Type: t})
	}
	if a.Bytes {
		c.describeBytes(a, p)
		return
	}
	a.Rows = [][]answer.Cell{}
	if p.Cluster {
		row := []answer.Cell{{Text: ClusterName}, {Text: c.Cluster.Partitioner().Name()}, {Text: "DynamicEndpointSnitch"}}
		if p.Keyspace != "" {
			row = append(row, answer.Cell{Text: c.ownershipText(p.Keyspace)})
		}
		a.Rows = append(a.Rows, row)
		return
	}
	for _, r := range p.Rows {
		row := make([]answer.Cell, len(a.Columns))
		for i := range row {
			row[i] = answer.Cell{Text: r[i]}
		}
		a.Rows = append(a.Rows, row)
	}
}

// describeBytes answers a DESCRIBE for a driver.
func (c *Core) describeBytes(a *answer.Answer, p *plan.Describe) {
	a.Spec, a.Columns = &answer.Spec{Keyspace: "system", Table: "describe"}, nil
	for _, name := range p.Columns() {
		t := types.Text
		if name == "range_ownership" {
			t = types.MapOf(types.Text, types.ListOf(types.Text).Freeze())
		}
		a.Spec.Columns = append(a.Spec.Columns, plan.Selector{Name: name, Type: t})
	}
	if p.Cluster {
		row := [][]byte{[]byte(ClusterName), []byte(c.Cluster.Partitioner().Name()), []byte("DynamicEndpointSnitch")}
		if p.Keyspace != "" {
			row = append(row, c.ownership(p.Keyspace))
		}
		a.Values = append(a.Values, row)
		return
	}
	for _, r := range p.Rows {
		row := make([][]byte, len(a.Spec.Columns))
		for i := range row {
			row[i] = []byte(r[i])
		}
		a.Values = append(a.Values, row)
	}
}

// ownership is DESCRIBE CLUSTER's map from range end to replicas.
func (c *Core) ownership(keyspace string) []byte {
	placement := c.Cluster.Placement(keyspace)
	tm := c.Cluster.Ring
	var entries [][2][]byte
	for e := 0; e < tm.Len(); e++ {
		var nodes [][]byte
		for _, n := range placement.ReplicasOf(e) {
			nodes = append(nodes, []byte("/"+c.Cluster.Nodes[n].Address+":7000"))
		}
		entries = append(entries, [2][]byte{[]byte(c.Cluster.Partitioner().Format(tm.Token(e))), types.EncodeCollection(nodes)})
	}
	slices.SortFunc(entries, func(a, b [2][]byte) int { return bytes.Compare(a[0], b[0]) })
	kv := make([][]byte, 0, 2*len(entries))
	for _, e := range entries {
		kv = append(kv, e[0], e[1])
	}
	return types.EncodeMap(kv)
}

// ownershipText is DESCRIBE CLUSTER's map from range end to replicas.
func (c *Core) ownershipText(keyspace string) string {
	placement := c.Cluster.Placement(keyspace)
	tm := c.Cluster.Ring
	var parts []string
	for e := 0; e < tm.Len(); e++ {
		var nodes []string
		for _, n := range placement.ReplicasOf(e) {
			nodes = append(nodes, "'/"+c.Cluster.Nodes[n].Address+":7000'")
		}
		parts = append(parts, "'"+c.Cluster.Partitioner().Format(tm.Token(e))+"': ["+strings.Join(nodes, ", ")+"]")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
