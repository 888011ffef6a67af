package cluster

import (
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// protect asks the replicas of a read by an index for the rows that others found
// and they did not: such a row may be old, and a newer one, or its deletion, is
// not in that index. It says whether it asked anybody.
// Source: Cassandra 5.0 ReplicaFilteringProtection.
func (c *Cluster) protect(r *request) bool {
	if r.plain || r.missing != 0 || c.sought(r.op, r.table) == nil {
		return false
	}
	type hits struct {
		of    *storage.Found
		names [][]byte
	}
	var order []string
	all := map[string]*hits{}
	for i := range r.contacts {
		for _, f := range r.contacts[i].resp.found {
			h := all[f.Key]
			if h == nil {
				h = &hits{of: f}
				all[f.Key] = h
				order = append(order, f.Key)
			}
			for _, row := range f.Rows {
				h.names = append(h.names, row.Clustering())
			}
		}
	}
	slices.Sort(order)
	var asks []*request
	for i := range r.contacts {
		have := map[string]*storage.Found{}
		for _, f := range r.contacts[i].resp.found {
			have[f.Key] = f
		}
		for _, key := range order {
			h := all[key]
			q := *r.query.Of(key)
			q.Key, q.Token, q.After, q.Limit, q.PerPartition, q.Slices, q.Names = key, h.of.Token, nil, 0, 0, nil, [][]byte{}
			for _, n := range h.names {
				f := have[key]
				if f == nil || f.Row(r.table, n).IsZero() {
					q.Names = append(q.Names, n)
				}
			}
			if len(q.Names) == 0 && have[key] != nil {
				continue
			}
			slices.SortFunc(q.Names, r.table.CompareClustering)
			if q.Names = slices.CompactFunc(q.Names, slices.Equal); len(r.table.Clustering) == 0 {
				q.Names = nil
			}
			ask := newRead(request{kind: reqRead, op: r.op, coord: r.coord, table: r.table, cl: plan.One, strategy: r.strategy, slot: i, need: 1},
				reading{query: &q, repair: -1, plain: true, protects: r})
			ask.contacts = append(ask.contacts, contact{node: r.contacts[i].node})
			asks = append(asks, ask)
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
		both.Partition = storage.Merge(r.table, []*storage.Partition{both.Partition, f.Partition}, false)
		both.Live, both.Tombstones = both.Live+f.Live, both.Tombstones+f.Tombstones
		resp.found[at] = &both
	}
	if r.missing--; r.missing == 0 {
		r.missing = -1
		c.reconcile(r)
	}
}
