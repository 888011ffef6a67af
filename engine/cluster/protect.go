package cluster

import (
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// protect asks the replicas of a filtered read for the rows that others sent and
// they did not, or not with all columns: such a row may be old, and a newer one,
// or its deletion, does not pass there. It says whether it asked anybody.
// Source: Cassandra 5.0 ReplicaFilteringProtection, DataResolver.usesReplicaFilteringProtection.
func (c *Cluster) protect(r *request) bool {
	filter := r.filter()
	if filter == nil || filter.trusting || r.missing != 0 {
		return false
	}
	all := map[string][]*storage.Partition{} // a copy of each contact, nil where it sent none
	var order []*storage.Partition
	for i := range r.contacts {
		for _, f := range r.contacts[i].resp.found {
			if all[f.Key] == nil {
				all[f.Key] = make([]*storage.Partition, len(r.contacts))
				order = append(order, f.Partition)
			}
			all[f.Key][i] = f.Partition
		}
	}
	slices.SortFunc(order, func(a, b *storage.Partition) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
	var asks []*request
	dead := map[string]bool{}
	for _, p := range order {
		copies := all[p.Key]
		sent := slices.DeleteFunc(slices.Clone(copies), func(p *storage.Partition) bool { return p == nil })
		merged := storage.Merge(r.table, sent, r.query.Reversed)
		if !r.lives(merged) {
			dead[p.Key] = true
			continue
		}
		for i := range r.contacts {
			static := silent(r, copies, i, nil, merged.Static)
			names := [][]byte{}
			for _, row := range merged.Rows {
				if silent(r, copies, i, row.Clustering(), row) {
					names = append(names, row.Clustering())
				}
			}
			if !static && len(names) == 0 {
				continue
			}
			q := *r.query.Of(p.Key)
			q.Key, q.Token, q.After, q.Limit, q.PerPartition = p.Key, p.Token, nil, 0, 0
			if !static || !filter.Static() {
				slices.SortFunc(names, r.table.CompareClustering)
				if q.Slices, q.Names = nil, names; len(r.table.Clustering) == 0 {
					q.Names = nil
				}
			}
			c.tr(r.op, r.coord, threadClient, "Requesting %d rows in partition DecoratedKey(%s, %x) from Full(/%s:7000,%s) for replica filtering protection",
				len(names), c.Partitioner().Format(p.Token), p.Key, c.Nodes[r.contacts[i].node].Address, c.tokenRange(p.Token))
			ask := newRead(request{kind: reqRead, op: r.op, coord: r.coord, table: r.table, cl: plan.One, strategy: r.strategy, slot: i, need: 1},
				reading{query: &q, repair: -1, plain: true, protects: r})
			ask.contacts = append(ask.contacts, contact{node: r.contacts[i].node})
			asks = append(asks, ask)
		}
	}
	if len(dead) > 0 {
		for i := range r.contacts {
			resp := r.contacts[i].resp
			resp.found = slices.DeleteFunc(slices.Clone(resp.found), func(f *storage.Found) bool { return dead[f.Key] })
		}
	}
	r.missing = len(asks)
	for _, ask := range asks {
		c.watch(ask)
		c.ask(ask)
	}
	if len(asks) == 0 {
		r.missing = -1 // all have given what there is
	}
	return len(asks) > 0
}

// lives says whether anything of a partition is left when what is deleted is taken
// away. Of what replicas sent, only such a partition is looked at again: the others
// are not repaired either.
// Source: Cassandra 5.0 ReplicaFilteringProtection.queryProtectedPartitions,
// EmptyPartitionsDiscarder.
func (r *request) lives(p *storage.Partition) bool {
	q := r.query
	if slices.ContainsFunc(p.Rows, func(row storage.Row) bool { return row.HasLive(q.Now, q.Table.Strict()) }) {
		return true
	}
	if p.Static.IsZero() || !p.Static.HasLive(q.Now, false) {
		return false
	}
	return slices.ContainsFunc(columnsOf(p.Static), func(id uint16) bool {
		c := r.table.ColumnByID(id)
		return c != nil && q.Fetches(c)
	})
}

// silent says whether one of some copies lacks a row (clustering nil: the static
// one) that has merged to something, or a column of it that another copy has.
// Source: Cassandra 5.0 ReplicaFilteringProtection.PartitionMergeListerner.onMergedRows.
func silent(r *request, copies []*storage.Partition, i int, clustering []byte, merged storage.Row) bool {
	if merged.IsZero() {
		return false
	}
	of := func(p *storage.Partition) storage.Row {
		switch {
		case p == nil:
			return storage.Row{}
		case clustering == nil:
			return p.Static
		}
		return p.Row(r.table, clustering, r.query.Reversed)
	}
	own := of(copies[i])
	if own.IsZero() {
		return true
	}
	have := columnsOf(own)
	for j, p := range copies {
		if j == i {
			continue
		}
		for _, id := range columnsOf(of(p)) {
			if !slices.Contains(have, id) {
				return true
			}
		}
	}
	return false
}

// columnsOf are the columns of which a row holds anything, by ID, each once.
func columnsOf(row storage.Row) []uint16 {
	if row.IsZero() {
		return nil
	}
	var out []uint16
	var v storage.View
	in := row.Read(&v)
	for c := (storage.Cell{}); in.Next(&c); {
		if n := len(out); n == 0 || out[n-1] != c.Column { // the cells of a column lie side by side
			out = append(out, c.Column)
		}
	}
	return out
}

// completed adds what a replica has of rows that its index did not find.
func (c *Cluster) completed(ask *request, found []*storage.Found) {
	r := ask.protects
	resp := r.contacts[ask.slot].resp
	if r.answered || r.settled || resp == nil {
		return
	}
	for _, f := range found {
		at := slices.IndexFunc(resp.found, func(have *storage.Found) bool { return have.Key == f.Key })
		if at < 0 {
			resp.found = append(resp.found, f)
			continue
		}
		both := *resp.found[at]
		both.Partition = storage.Merge(r.table, []*storage.Partition{both.Partition, f.Partition}, r.query.Reversed)
		both.Live, both.Tombstones = both.Live+f.Live, both.Tombstones+f.Tombstones
		resp.found[at] = &both
	}
	if r.missing--; r.missing == 0 {
		r.missing = -1
		c.reconcile(r)
	}
}
