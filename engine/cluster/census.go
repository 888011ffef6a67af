package cluster

import (
	"ringlab/model/schema"
	"ringlab/ring"
)

// Held is a partition and the node whose copy of it has the most rows.
type Held struct {
	Key   string
	Token ring.Token
	Node  int

	rows int
}

// Census gives each partition of a table once, in the order in which nodes and
// their files name them, and no more than most of them. It counts as no read.
func (c *Cluster) Census(t *schema.Table, most int) []Held {
	var list []Held
	at := map[string]int{}
	for _, n := range c.Nodes {
		s := n.Stores[t.ID]
		if s == nil {
			continue
		}
		s.EachKey(func(key string, token ring.Token, rows int) bool {
			i, known := at[key]
			if !known {
				if len(list) >= most {
					return false
				}
				i = len(list)
				at[key] = i
				list = append(list, Held{Key: key, Token: token, rows: -1})
			}
			if h := &list[i]; rows > h.rows {
				h.rows, h.Node = rows, n.Index
			}
			return true
		})
	}
	return list
}
