package session

import (
	"fmt"
	"slices"

	"ringlab/engine/cluster"
	"ringlab/model/schema"
)

// Table finds a table by keyspace.table or, with the client's keyspace, by name.
func (c *Core) Table(name string) (*schema.Table, error) {
	ks, table := c.Current.Keyspace, name
	for i := 0; i < len(name); i++ {
		if name[i] == '.' {
			ks, table = name[:i], name[i+1:]
			break
		}
	}
	if ks == "" {
		return nil, fmt.Errorf("%q names no keyspace: write keyspace.table, or USE a keyspace first", name)
	}
	if c.Cluster.Schema.Keyspace(ks) == nil {
		return nil, fmt.Errorf("keyspace %s does not exist%s", ks, nearest(ks, c.Cluster.Schema.Names()))
	}
	t := c.Cluster.Schema.Table(ks, table)
	if t == nil {
		return nil, fmt.Errorf("table %s.%s does not exist%s", ks, table, nearest(table, c.Cluster.Schema.Keyspace(ks).TableNames()))
	}
	return t, nil
}

// nearest offers the most similar of the names there are.
func nearest(name string, have []string) string {
	if n, ok := Nearest(name, have); ok {
		return "; did you mean " + n + "?"
	}
	return ""
}

// Node finds a node by name; the error names what there is.
func (c *Core) Node(name string) (*cluster.Node, error) {
	if n, ok := c.Cluster.Find(name); ok {
		return n, nil
	}
	if c.left(name) {
		return nil, fmt.Errorf("%s has left the ring", name)
	}
	members := c.Cluster.Members()
	return nil, fmt.Errorf("there is no node %s; this ring has %s to %s", name, members[0].Name, members[len(members)-1].Name)
}

// left says whether a node of that name was a member once.
func (c *Core) left(name string) bool {
	return slices.ContainsFunc(c.Cluster.Nodes, func(n *cluster.Node) bool { return n.Name == name && !n.IsMember() })
}

// Where is a set of nodes given as node names, data centers or racks
// (dc1:rack2), joined by commas.
func (c *Core) Where(text string) ([]int, error) {
	var out []int
	for _, part := range splitComma(text) {
		if n, ok := c.Cluster.Find(part); ok {
			out = append(out, n.Index)
			continue
		}
		found := false
		for _, n := range c.Cluster.Nodes {
			if n.IsMember() && (n.DC == part || n.DC+":"+n.Rack == part) {
				out, found = append(out, n.Index), true
			}
		}
		if !found && c.left(part) {
			return nil, fmt.Errorf("%s has left the ring", part)
		}
		if !found {
			return nil, fmt.Errorf("%q is neither a node nor a data center nor dc:rack of this ring", part)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("name at least one node or data center")
	}
	return out, nil
}
