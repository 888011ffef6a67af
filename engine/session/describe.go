package session

import (
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/plan"
	"ringlab/model/schema"
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
