// Package materialize computes what a write to a base table means for its
// materialized views: the view's rows that come, change and go, from the base's
// rows before and after. It is a function of rows and of the second it runs at.
// Source: Cassandra 5.0 TableViews, ViewUpdateGenerator.
package materialize

import (
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// View is a materialized view as its base's writes see it.
type View struct {
	Table *schema.Table

	base    *schema.Table
	columns []*schema.Column // of the view outside its key, by the ID of the base's column; nil where it has none
	extra   *schema.Column   // of the base: part of the view's key but not of the base's; nil for none
}

// New prepares a view of a base table.
func New(base, view *schema.Table) *View {
	v := &View{Table: view, base: base, columns: make([]*schema.Column, base.NextID)}
	for _, c := range base.Columns() {
		of := view.Column(c.Name)
		inBase := c.Kind == schema.PartitionKey || c.Kind == schema.Clustering
		switch {
		case of == nil:
		case of.Kind == schema.Regular:
			v.columns[c.ID] = of
		case !inBase:
			v.extra = c
		}
	}
	return v
}

// Update is a write to a view that follows from one to its base.
type Update struct {
	Table *schema.Table
	Part  *storage.Partition
}

// Query asks for the rows of the base that a write to it touches, at second now;
// nil if it touches none, as a write to static columns.
// Source: Cassandra 5.0 TableViews.readExistingRowsCommand.
func Query(base *schema.Table, update *storage.Partition, now int64) *storage.Query {
	q := &storage.Query{Table: base, Key: update.Key, Token: update.Token, Now: now, GCBefore: now - int64(base.Options.GCGrace)}
	switch {
	case !update.Del.IsLive() || len(update.Ranges) > 0:
	case len(update.Rows) == 0:
		return nil
	default:
		for _, r := range update.Rows {
			q.Names = append(q.Names, r.Clustering())
		}
		slices.SortFunc(q.Names, base.CompareClustering)
		q.Names = slices.CompactFunc(q.Names, func(a, b []byte) bool { return base.CompareClustering(a, b) == 0 })
	}
	return q
}

// Updates are the writes to the views, in order of the views, of keys as they
// are met and of rows. existing is what was stored before; a view that is built
// has nothing before its update, which is then all that is stored.
// Source: Cassandra 5.0 TableViews.generateViewUpdates.
func Updates(views []*View, existing, update *storage.Partition, p ring.Partitioner, now int64) []Update {
	base := views[0].base
	var out []Update
	rows := pairs(base, existing, update)
	for _, v := range views {
		g := generator{View: v, key: base.SplitPartitionKey([]byte(update.Key)), now: now, partitioner: p}
		for i := range rows {
			g.add(&rows[i])
		}
		out = append(out, g.updates()...)
	}
	return out
}

// pair is a row of the base before and after a write. One that was not there has
// neither liveness nor deletion nor cells.
type pair struct {
	before, after storage.View
}

// pairs matches what is stored with what is written, row by row; a row that is
// only under a deletion counts as written by it.
func pairs(base *schema.Table, existing, update *storage.Partition) []pair {
	written := slices.Clone(update.Rows)
	slices.SortStableFunc(written, func(a, b storage.Row) int { return base.CompareClustering(a.Clustering(), b.Clustering()) })
	stored := existing.Rows
	var out []pair
	for len(written) > 0 || len(stored) > 0 {
		order := 0
		switch {
		case len(written) == 0:
			order = 1
		case len(stored) == 0:
			order = -1
		default:
			order = base.CompareClustering(written[0].Clustering(), stored[0].Clustering())
		}
		var old, add storage.Row
		if order >= 0 {
			old, stored = stored[0], stored[1:]
		}
		for order <= 0 && len(written) > 0 && (add.IsZero() || base.CompareClustering(add.Clustering(), written[0].Clustering()) == 0) {
			if add.IsZero() {
				add = written[0]
			} else {
				add = storage.MergeRows(base, add, written[0])
			}
			written = written[1:]
		}
		like := add
		if like.IsZero() {
			like = old
		}
		clustering := like.Clustering()
		around := update.DeletionAt(base, clustering)
		if !add.IsZero() { // a batch may hold what its own deletions shadow
			add = storage.FilterRow(base, add, around)
		}
		add = under(around, clustering, add)
		if add.IsZero() {
			continue
		}
		old = under(existing.DeletionAt(base, clustering), clustering, old)
		after := add
		if !old.IsZero() {
			after = storage.MergeRows(base, old, add)
		}
		var p pair
		p.before.Liveness, p.before.Deletion = storage.NoLiveness, storage.Live
		if !old.IsZero() {
			old.Unpack(&p.before)
		}
		if after.IsZero() {
			continue
		}
		after.Unpack(&p.after)
		out = append(out, p)
	}
	return out
}

// under is a row with a deletion around it as its own.
// Source: Cassandra 5.0 Row.withRowDeletion.
func under(d storage.Deletion, clustering []byte, r storage.Row) storage.Row {
	if d.IsLive() {
		return r
	}
	v := storage.View{Clustering: clustering, Liveness: storage.NoLiveness, Deletion: storage.Live}
	if !r.IsZero() {
		r.Unpack(&v)
	}
	if !d.Supersedes(v.Deletion) {
		return r
	}
	v.Deletion = d
	out, _ := v.Pack(nil)
	return out
}
