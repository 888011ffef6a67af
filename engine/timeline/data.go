package timeline

import (
	"slices"
	"strings"

	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// Difference is a partition of which nodes hold other rows in two labs.
type Difference struct {
	Table, Partition string
	Nodes            []string
	A, B             string // the rows that only one of the labs has
}

// Differences are the live rows that nodes hold in one lab and not in the other,
// as a read at NODE_LOCAL gives them: without write times and tombstones, which
// differ wherever clocks do. The reads move the labs' time, so these are labs to
// throw away. Went is asked before each table of each node; its error ends it.
func Differences(a, b *session.Core, most int, went func() error) (out []Difference, err error) {
	for _, name := range tables(a, b) {
		nodes := union(nodeNames(a), nodeNames(b))
		var here []Difference
		for _, node := range nodes {
			if err := went(); err != nil {
				return nil, err
			}
			left, err := holds(a, name, node)
			if err != nil {
				return nil, err
			}
			right, err := holds(b, name, node)
			if err != nil {
				return nil, err
			}
			for _, key := range union(left.keys, right.keys) {
				x, y := only(left.rows[key], right.rows[key]), only(right.rows[key], left.rows[key])
				if x == "" && y == "" {
					continue
				}
				d := Difference{name, key, []string{node}, said(x, left.rows[key]), said(y, right.rows[key])}
				if i := slices.IndexFunc(here, d.same); i >= 0 {
					here[i].Nodes = append(here[i].Nodes, node)
				} else if len(here) < most {
					here = append(here, d)
				}
			}
		}
		if out = append(out, here...); len(out) >= most {
			return out[:most], nil
		}
	}
	return out, nil
}

func (d Difference) same(o Difference) bool {
	return d.Partition == o.Partition && d.A == o.A && d.B == o.B
}

// said is a side of a difference in words.
func said(only string, rows []string) string {
	switch {
	case only != "":
		return only
	case len(rows) == 0:
		return "nothing"
	}
	return "nothing more"
}

func nodeNames(c *session.Core) (out []string) {
	for _, n := range c.Cluster.Nodes {
		out = append(out, n.Name)
	}
	return out
}

func tables(cores ...*session.Core) (out []string) {
	for _, c := range cores {
		for _, ks := range c.Cluster.Schema.Names() {
			k := c.Cluster.Schema.Keyspace(ks)
			for _, t := range k.TableNames() {
				out = append(out, k.Tables[t].String())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// union is two lists without what stands in both twice, in their order.
func union(a, b []string) []string {
	out := slices.Clone(a)
	seen := map[string]bool{}
	for _, s := range a {
		seen[s] = true
	}
	for _, s := range b {
		if !seen[s] {
			out = append(out, s)
		}
	}
	return out
}

// only are the rows of a list that another one has not, at most two of them.
func only(rows, other []string) string {
	have := map[string]int{}
	for _, r := range other {
		have[r]++
	}
	var out []string
	for _, r := range rows {
		if have[r]--; have[r] < 0 {
			out = append(out, r)
		}
	}
	if len(out) > 2 {
		out = append(out[:2], "and "+count(len(out)-2, "more row"))
	}
	return strings.Join(out, "; ")
}

// held are the partitions that a node holds of a table, in the order of a scan.
type held struct {
	keys []string
	rows map[string][]string
}

func holds(c *session.Core, table, node string) (held, error) {
	h := held{rows: map[string][]string{}}
	at, ok := c.Cluster.Find(node)
	t := find(c, table)
	if !ok || t == nil || !at.IsMember() {
		return h, nil
	}
	reader := c.Client("")
	c.Current, c.Together = reader, nil
	reader.Node, reader.CL, reader.DC, reader.Tracing = at.Index, plan.NodeLocal, "", false
	p, refused := c.Prepare("SELECT * FROM " + t.String())
	if p == nil {
		return h, refused.Error
	}
	next := session.Page{Size: 1000}
	for {
		a := c.Execute(p, session.Values{Page: next})
		if a.Error != nil {
			return h, a.Error
		}
		for _, r := range a.Rows {
			var key, cells []string
			for i, cell := range r {
				text := a.Columns[i].Name + "=" + cell.Text
				switch {
				case a.Columns[i].Kind == "partition_key":
					key = append(key, text)
				case !cell.Null:
					cells = append(cells, text)
				}
			}
			k := strings.Join(key, ", ")
			if _, seen := h.rows[k]; !seen {
				h.keys = append(h.keys, k)
			}
			text := strings.Join(cells, ", ")
			if text == "" {
				text = "a row"
			}
			h.rows[k] = append(h.rows[k], text)
		}
		if !a.More {
			return h, nil
		}
		next.State = a.State
	}
}

func find(c *session.Core, name string) *schema.Table {
	for _, ks := range c.Cluster.Schema.Names() {
		k := c.Cluster.Schema.Keyspace(ks)
		for _, t := range k.TableNames() {
			if k.Tables[t].String() == name {
				return k.Tables[t]
			}
		}
	}
	return nil
}
