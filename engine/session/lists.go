package session

import (
	"bytes"
	"sort"

	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// readsBefore says whether a write needs lists as they are.
func readsBefore(w *plan.Write) bool {
	for _, list := range [][]plan.Assign{w.Static, w.Cells} {
		for i := range list {
			if list[i].ReadsBefore() {
				return true
			}
		}
	}
	return false
}

// readLists reads, at the write's own level, the lists that it addresses by
// index or value, and then goes on.
// Source: Cassandra 5.0 ModificationStatement.readRequiredLists.
func (c *Core) readLists(op *cluster.Op, w *plan.Write, now int64, next func()) {
	names := append([][]byte{}, w.Rows...)
	sort.Slice(names, func(i, j int) bool { return w.Table.CompareClustering(names[i], names[j]) < 0 })
	columns := map[uint16]bool{}
	for _, list := range [][]plan.Assign{w.Static, w.Cells} {
		for i := range list {
			columns[list[i].Column.ID] = true
		}
	}
	queries := make([]*storage.Query, len(w.Keys))
	for i, key := range w.Keys {
		queries[i] = &storage.Query{Table: w.Table, Key: string(key), Token: c.Cluster.Partitioner().Token(key), Names: names,
			Columns: columns, Fetch: storage.FetchNone, Now: now, GCBefore: now - int64(w.Table.Options.GCGrace)}
	}
	op.Then(next)
	c.Cluster.Read(op, queries)
}

// read is the row, or the static row, as it was before the write.
func (l *Lowerer) read(row *storage.View) (old storage.View) {
	if l.found != nil && row.Static {
		if !l.found.Static.IsZero() {
			l.found.Static.Unpack(&old)
		}
	} else if l.found != nil {
		for _, r := range l.found.Rows {
			if bytes.Equal(r.Clustering(), row.Clustering) {
				r.Unpack(&old)
				break
			}
		}
	}
	return old
}

// liveList gives the paths and values of a list as it was read.
func (l *Lowerer) liveList(row *storage.View, column uint16) []storage.Cell {
	old := l.read(row)
	var out []storage.Cell
	for _, cell := range old.Cells {
		if cell.Column == column && cell.IsLive(l.now) {
			out = append(out, cell)
		}
	}
	return out
}

// inList adds what an assignment to elements of a list writes.
// Source: Cassandra 5.0 Lists.SetterByIndex, DiscarderByIndex, Discarder.
func (l *Lowerer) inList(row *storage.View, a *plan.Assign) {
	list := l.liveList(row, a.Column.ID)
	put := func(path []byte, value []byte) {
		cell := l.dead(a.Column)
		if value != nil {
			cell = l.live(a.Column, value)
		}
		cell.Path, cell.HasPath = path, true
		row.Cells = append(row.Cells, cell)
	}
	if a.Kind == plan.Discard {
		unwanted := make(map[string]bool, len(a.Elems))
		for _, e := range a.Elems {
			unwanted[string(e)] = true
		}
		for i := range list {
			if unwanted[string(list[i].Value)] {
				put(list[i].Path, nil)
			}
		}
		return
	}
	at := int(types.DecodeInt32(a.Key))
	switch {
	case len(list) == 0 && a.Kind == plan.RemoveElement:
		l.fail("Attempted to delete an element from a list which is null")
	case len(list) == 0:
		l.fail("Attempted to set an element on a list which is null")
	case at < 0 || at >= len(list):
		l.fail("List index %d out of bound, list has size %d", at, len(list))
	default:
		put(list[at].Path, a.Value)
	}
}

// increase adds to the number or text that is stored, or that the write itself
// has made of it: of several such values the greatest counts, as among cells of
// one timestamp. Source: Cassandra 5.0 Constants.Adder, UpdateParameters.getPrefetchedRow.
func (l *Lowerer) increase(row *storage.View, a *plan.Assign) {
	var stored []byte
	own := false
	for _, cell := range row.Cells {
		if cell.Column == a.Column.ID && (!own || bytes.Compare(cell.Value, stored) > 0) {
			stored, own = cell.Value, true
		}
	}
	if !own {
		old := l.read(row)
		for _, cell := range old.Cells {
			if cell.Column == a.Column.ID && cell.IsLive(l.now) {
				stored = cell.Value
			}
		}
	}
	sum, err := function.Add(a.Column.Type, stored, a.Value)
	switch {
	case err != nil && l.err == nil:
		l.err = err
	case sum != nil:
		row.Cells = append(row.Cells, l.live(a.Column, sum))
	}
}

func (l *Lowerer) fail(format string, args ...any) {
	if l.err == nil {
		l.err = plan.Invalid(format, args...)
	}
}

// listName is a timeuuid for a list cell; n grows with every element and its
// bytes are ordered as signed, like those of all timeuuids.
func listName(micros int64, n uint64) []byte {
	return types.NewTimeUUID(types.TicksOfMillis(0)+uint64(micros)*10, n&(1<<56-1)^0x8080808080808080)
}

// listReference is 2010-01-01, from which the names of prepended elements count
// backwards. Source: Cassandra 5.0 Lists.Prepender.
const listReference = 1262304000000000

// nextList names a new list cell: at the end a timeuuid that grows with every
// call, in front one that shrinks.
func (c *Core) nextList(coord int, front bool) []byte {
	c.lists++
	if front {
		return listName(2*listReference-c.Cluster.Clock(coord), ^c.lists)
	}
	return listName(c.Cluster.Clock(coord), c.lists)
}
