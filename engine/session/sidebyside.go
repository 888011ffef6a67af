package session

import (
	"encoding/binary"
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Beside is one stored name, as each of several nodes has it.
type Beside struct {
	Name, End []byte  // as in Atom
	Range     bool    // the tombstone of a range of names
	Atoms     []*Atom // of each node in the order asked for, nil where it has none
	Differ    bool    // not the same everywhere
}

// SideBySide is what nodes hold of a partition, in the layout of 2.1, with what is
// of the same name side by side in the order of the names. deleted are the write
// times of the partition's deletion, storage.NoTimestamp for none.
func (c *Core) SideBySide(nodes []int, t *schema.Table, key []byte) (list []Beside, deleted []int64) {
	at := map[string]int{}
	for i, node := range nodes {
		row, ok := c.Atoms(node, t, key)
		if !ok {
			row.DeletedAt = storage.NoTimestamp
		}
		deleted = append(deleted, row.DeletedAt)
		for j := range row.Atoms {
			a := &row.Atoms[j]
			id := string(binary.AppendUvarint(nil, uint64(len(a.Name)))) + string(a.Name) + string(a.End)
			k, ok := at[id]
			if !ok {
				k = len(list)
				at[id] = k
				list = append(list, Beside{Name: a.Name, End: a.End, Range: a.Kind == "range tombstone", Atoms: make([]*Atom, len(nodes))})
			}
			list[k].Atoms[i] = a
		}
	}
	for i := range list {
		b := &list[i]
		for _, a := range b.Atoms[1:] {
			b.Differ = b.Differ || !sameAtom(b.Atoms[0], a)
		}
	}
	order := nameOrder(t.Stored())
	slices.SortStableFunc(list, func(a, b Beside) int { return order(a.Name, b.Name) })
	return list, deleted
}

func sameAtom(a, b *Atom) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Timestamp == b.Timestamp && a.TTL == b.TTL && string(a.Value) == string(b.Value)
}
