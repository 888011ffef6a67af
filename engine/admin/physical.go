package admin

import (
	"encoding/hex"
	"fmt"

	"ringlab/engine/session"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// holders are the nodes that have a partition or should have it: its replicas in
// their order, then others.
func holders(core *session.Core, t *schema.Table, key []byte) []int {
	c := core.Cluster
	token := c.Partitioner().Token(key)
	out := append([]int(nil), c.Placement(t.Keyspace).Replicas(token)...)
	is := map[int]bool{}
	for _, n := range out {
		is[n] = true
	}
	for _, n := range c.Members() {
		if !is[n.Index] && c.Store(n.Index, t).Holding(string(key), token).Any {
			out = append(out, n.Index)
		}
	}
	return out
}

// Physical is a partition as Map<RowKey, SortedMap<ColumnName, Value>>: a line for
// each name, with what every replica has there. differ says which lines are not
// the same everywhere, names are the stored ones, nil for the partition's own line.
func Physical(core *session.Core, t *schema.Table, key []byte) (heads []string, rows [][]string, differ []bool, names [][]byte) {
	nodes := holders(core, t, key)
	list, deleted := core.SideBySide(nodes, t, key)
	heads = []string{"name"}
	gone, differs := []string{"(partition)"}, false
	any := false
	for i, n := range nodes {
		heads = append(heads, core.Cluster.Nodes[n].Name)
		text := "—"
		if deleted[i] != storage.NoTimestamp {
			text, any = fmt.Sprintf("deleted @%d", deleted[i]), true
		}
		gone = append(gone, text)
		differs = differs || deleted[i] != deleted[0]
	}
	if any {
		rows, differ, names = append(rows, gone), append(differ, differs), append(names, nil)
	}
	shown := atomNames(t)
	for i := range list {
		b := &list[i]
		name := shown(b.Name)
		if name == "" {
			name = "(row marker)"
		}
		if b.Range {
			name += " … " + shown(b.End)
		}
		row := []string{name}
		for _, a := range b.Atoms {
			row = append(row, atomText(t, a))
		}
		rows, differ, names = append(rows, row), append(differ, b.Differ), append(names, b.Name)
	}
	return heads, rows, differ, names
}

// atomText is what a replica has under a name: value, kind and write time.
func atomText(t *schema.Table, a *session.Atom) string {
	if a == nil {
		return "—"
	}
	at := fmt.Sprintf(" @%d", a.Timestamp)
	switch a.Kind {
	case "range tombstone", "deleted":
		return "deleted" + at
	case "expiring":
		at = fmt.Sprintf(" ttl %d", a.TTL) + at
	}
	if len(a.Value) == 0 {
		return "''" + at
	}
	if of := atomColumn(t, a.Name); of != nil && !of.Type.IsMultiCell() && !t.Counter {
		return of.Type.Literal(a.Value) + at
	}
	return "0x" + hex.EncodeToString(a.Value) + at
}

// atomColumn is the column whose value stands under a stored name, nil if that is
// not one of the schema.
func atomColumn(t *schema.Table, name []byte) *schema.Column {
	s := t.Stored()
	if s.Compact {
		if len(s.Regular) == 1 {
			return s.Regular[0]
		}
		return nil
	}
	if len(name) > 1 && name[0] == 0xff && name[1] == 0xff {
		name = name[2:]
	}
	if parts := schema.SplitComposite(name); len(parts) > len(s.Clustering) {
		return s.Column(string(parts[len(s.Clustering)]))
	}
	return nil
}
