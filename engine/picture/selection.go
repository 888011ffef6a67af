package picture

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/engine/view"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// compareUpTo is the number of rows up to which the copies of a selected
// partition are compared row by row.
const compareUpTo = 5000

// selection says where a partition key lives and what its copies hold.
func (p *Painter) selection(t *schema.Table, text string) *view.Selection {
	c := p.core.Cluster
	s := &view.Selection{Keyspace: t.Keyspace, Table: t.Name, Key: text}
	key, err := p.key(t, text)
	if err != nil {
		s.Err = err.Error()
		return s
	}
	part := c.Partitioner()
	token := part.Token(key)
	tm := c.Ring
	entry := tm.Primary(token)
	r := tm.Range(entry)
	s.KeyHex, s.Token, s.Pos = fmt.Sprintf("%x", key), part.Format(token), position(part, token)
	s.RangeFrom, s.RangeTo = position(part, r.Left), position(part, r.Right)
	before := entry - 1
	if before < 0 {
		before = tm.Len() - 1
	}
	s.RangeText = "(" + c.Nodes[tm.Node(before)].Name + ", " + c.Nodes[tm.Node(entry)].Name + "]"
	replicas := c.Placement(t.Keyspace).ReplicasOf(entry)
	p.copies(s, t, string(key), token, replicas)
	coord := 0
	if i, err := p.core.Coordinator(p.core.Current); err == nil {
		coord = i
	}
	for _, cl := range []plan.Consistency{plan.One, plan.Two, plan.Three, plan.Quorum, plan.LocalQuorum, plan.EachQuorum, plan.All} {
		need, alive, ok := c.Preview(cl, t.Keyspace, coord, replicas)
		s.Levels = append(s.Levels, view.Level{CL: cl.String(), Required: need, Alive: alive, OK: ok})
	}
	s.Why = p.walk(t, entry, replicas)
	return s
}

// copies describes each replica's copy, beside the newest state of all.
func (p *Painter) copies(s *view.Selection, t *schema.Table, key string, token ring.Token, replicas []int) {
	c := p.core.Cluster
	holdings := make([]storage.Holding, len(replicas))
	var all []*storage.Partition
	rows := 0
	for i, n := range replicas {
		if store := c.Nodes[n].Stores[t.ID]; store != nil {
			if q := store.Quick(key, token); q.Rows > compareUpTo {
				holdings[i] = storage.Holding{Any: true, Rows: int(q.Rows), Bytes: q.Bytes, Tombstones: q.Tombstones}
				rows = int(q.Rows)
				continue
			}
			holdings[i] = store.Holding(key, token)
		}
		if holdings[i].Part != nil {
			all = append(all, holdings[i].Part)
			rows = max(rows, holdings[i].Rows)
		}
	}
	var newest *storage.Partition
	if len(all) > 0 && rows <= compareUpTo {
		newest = storage.Merge(t, all, false)
	}
	for i, n := range replicas {
		h := holdings[i]
		w := view.Replica{Node: n, Order: i + 1, Rows: int64(h.Rows), Bytes: h.Bytes, Tombstones: h.Tombstones, SSTables: len(h.Files), Memtable: h.Memtable, State: "newest"}
		switch {
		case len(all) == 0 && rows == 0:
			w.State = "empty"
		case !h.Any:
			w.State, w.Detail = "missing", "no copy"
		case newest != nil && h.Part != nil:
			if d := storage.Diff(t, newest, h.Part, nil); d != nil {
				n := len(d.Rows) + len(d.Ranges)
				if !d.Static.IsZero() {
					n++
				}
				w.State, w.Detail = "stale", fmt.Sprintf("%d behind", max(n, 1))
			}
		}
		s.Replicas = append(s.Replicas, w)
	}
}

// walk tells how the replicas were found, one line a step.
func (p *Painter) walk(t *schema.Table, entry int, replicas []int) []string {
	var out []string
	for _, w := range p.walkSteps(p.core.Cluster.Strategy(t.Keyspace), entry, replicas) {
		name := p.core.Cluster.Nodes[w.Node].Name
		if w.Order > 0 {
			out = append(out, fmt.Sprintf("take %s  %s  %d  %s", name, w.Place, w.Order, w.Why))
		} else {
			out = append(out, fmt.Sprintf("skip %s  %s  %s", name, w.Place, w.Why))
		}
	}
	return out
}

// storage describes one table on one node.
func (p *Painter) storage(t *schema.Table, need view.Need) *view.Storage {
	c := p.core.Cluster
	if need.Node < 0 || need.Node >= len(c.Nodes) {
		return nil
	}
	n := c.Nodes[need.Node]
	s := c.Store(need.Node, t)
	w := &view.Storage{Node: need.Node, Keyspace: t.Keyspace, Table: t.Name, Strategy: strategyName(t), MemtableBytes: s.Mem.Heap,
		MemtableLimit: int64(float64(c.Set.MemtableSpace) * c.Set.CleanupThreshold), MemtablePartitions: s.Mem.Partitions(), MemtableOps: s.Mem.Ops,
		CommitLogBytes: n.Log.Bytes(), CommitLogSegments: len(n.Log.Segments), Flushes: s.Flushes, BytesWritten: s.BytesWritten, BytesFlushed: s.BytesFlushed,
		PeakDisk: s.PeakDisk, Trouble: diskTrouble(n), FilesPerRead: [2]int64{s.FilesRead, s.Reads}, Compacted: s.Compactions}
	for _, f := range s.SSTables {
		w.SSTables = append(w.SSTables, view.SSTable{Gen: f.Gen, Bytes: f.DataBytes, Partitions: len(f.Parts), Rows: f.Rows, Tombstones: f.Stats.Tombstones,
			Level: f.Level, Origin: f.Origin, AgeMicros: int64(c.Now()) - f.Created, Busy: f.Busy, Rot: rotText(f)})
		w.Tombstones += f.Stats.Tombstones
	}
	state := c.Compacting(need.Node, t)
	for _, tier := range state.Tiers {
		v := view.Tier{Name: tier.Name, Bytes: tier.Bytes, Have: tier.Have, Need: tier.Need, Limit: tier.Limit}
		for _, f := range tier.Files {
			v.Gens = append(v.Gens, f.Gen)
		}
		w.Tiers = append(w.Tiers, v)
	}
	for _, k := range n.Running() {
		if k.Table.ID == t.ID {
			w.Compactions = append(w.Compactions, view.Compaction{Inputs: k.Gens(), BytesIn: k.BytesIn, Progress: c.Progress(k), Level: k.Level})
		}
	}
	for i := len(n.Done) - 1; i >= 0 && len(w.Done) < 8; i-- {
		if k := n.Done[i]; k.Table.ID == t.ID {
			w.Done = append(w.Done, view.Compaction{Inputs: k.Gens(), Outputs: k.OutputGens(), BytesIn: k.BytesIn, BytesOut: k.BytesOut, Progress: 1, Level: k.Level})
		}
	}
	w.SSTablesPerRead = percentiles(s.PerRead)
	w.Why, w.Pending = why(w, &state), state.Next.Pending
	return w
}

// percentiles are p50, p95 and max of SSTables per read.
func percentiles(counts [16]int64) (out [3]int) {
	total := int64(0)
	for i, n := range counts {
		total += n
		if n > 0 {
			out[2] = i
		}
	}
	for j, share := range []int64{50, 95} {
		sum := int64(0)
		for i, n := range counts {
			if sum += n; sum*100 >= total*share && total > 0 {
				out[j] = i
				break
			}
		}
	}
	return out
}

// why says in one sentence why a compaction runs, or what it would take for one.
func why(w *view.Storage, state *cluster.Compacting) string {
	switch {
	case len(w.SSTables) == 0:
		return "no SSTable yet: flush writes the first"
	case len(w.Compactions) > 0:
		return state.Last.Why
	}
	return state.Next.Why
}

// readPath says which units a read of the selected key visits.
func (p *Painter) readPath(w *view.Storage, t *schema.Table, text string) {
	c := p.core.Cluster
	key, err := p.key(t, text)
	if err != nil {
		return
	}
	token := c.Partitioner().Token(key)
	s := c.Store(w.Node, t)
	result := "no"
	if s.InMemtable(string(key)) {
		result = "hit"
	}
	w.ReadPath = append(w.ReadPath, view.ReadStep{Unit: "memtable", Result: result})
	for i, f := range s.SSTables {
		_, found := f.Lookup(token, string(key))
		switch found {
		case "bloom":
			found = "bloom no"
		case "range":
			found = "range no"
		}
		w.ReadPath = append(w.ReadPath, view.ReadStep{Unit: strconv.Itoa(f.Gen), Result: found})
		if i < len(w.SSTables) {
			w.SSTables[i].HasKey = found
		}
	}
}

// names joins node names.
func names(c *cluster.Cluster, nodes []int) string {
	var out []string
	for _, n := range nodes {
		out = append(out, c.Nodes[n].Name)
	}
	return strings.Join(out, " ")
}
