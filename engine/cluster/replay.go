package cluster

import (
	"fmt"
	"math"
	"slices"

	"ringlab/engine/compaction"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Replayed is what a strategy would have made of a table's flushes.
type Replayed struct {
	Strategy     string
	Files        int
	Bytes        int64 // of the files at the end
	Least        int64 // of the same data in one file
	BytesFlushed int64
	BytesWritten int64 // by flushes and compactions
	PeakDisk     int64 // most bytes at once, inputs and outputs of a compaction both
	Compactions  int
	FilesPerRead float64 // mean over keys and flushes
}

// replay is a table of its own whose files weigh what the real ones would, even
// where only a share of their partitions is there.
type replay struct {
	*Cluster
	node     int
	space    *tokenSpace
	strategy compaction.Strategy
	memory   compaction.Memory
	store    *storage.TableStore
	weight   map[*storage.SSTable]int64 // bytes
	flushed  flushAverage
	now      int64 // ms
	out      Replayed
	keys     []replayKey
	read     float64 // files, of all looks
	looks    float64
	draws    uint64
}

type replayKey struct {
	key   string
	token ring.Token
}

// readKeys is the number of keys whose reads are counted.
const readKeys = 64

// Replay runs a node's history of flushes of a table under other compaction
// options. Compactions end before the next flush; nothing of the lab changes.
func (c *Cluster) Replay(node int, t *schema.Table, options schema.Options) (Replayed, error) {
	history := &c.Store(node, t).History
	like := *t
	like.Options = options
	r := &replay{Cluster: c, node: node, space: c.space(node, t.Keyspace), strategy: CompactionStrategy(options), store: storage.NewTableStore(&like),
		weight: map[*storage.SSTable]int64{}}
	r.store.Format = c.Set.Format
	r.out.Strategy = r.strategy.Name()
	r.flushed = flushAverage(math.NaN())
	if err := replayable(history); err != nil {
		return r.out, err
	}
	r.memory = compaction.NewMemory(r.strategy, nil, (c.epoch*1_000_000+history.Flushes[0].At)/1000)
	for i := range history.Flushes {
		if len(history.Flushes[i].Parts) == 0 {
			continue
		}
		r.flush(&history.Flushes[i])
		if err := r.compact(); err != nil {
			return r.out, err
		}
		r.look()
	}
	r.now = max(r.now, c.Clock(node)/1000)
	if err := r.compact(); err != nil {
		return r.out, err
	}
	r.out.Files, r.out.Bytes = len(r.store.SSTables), r.bytes(r.store.SSTables)
	if r.looks > 0 {
		r.out.FilesPerRead = r.read / r.looks
	}
	parts, stats, _ := r.merge(r.store.SSTables)
	if n := r.out.Bytes; n > 0 {
		r.out.Least = r.weigh(r.store.SSTables, storage.NewSSTable(r.store.Table, r.store.Making("", 0), parts, stats).DataBytes)
	}
	return r.out, nil
}

// replayable says whether enough of a history is kept: flushes of which no
// partition is must not weigh more than a twentieth.
func replayable(h *storage.History) error {
	all, lost := int64(0), int64(0)
	for _, f := range h.Flushes {
		if all += f.Bytes; len(f.Parts) == 0 {
			lost += f.Bytes
		}
	}
	switch {
	case all == 0:
		return fmt.Errorf("nothing was flushed yet; `:flush` writes the memtables to SSTables")
	case lost*20 > all:
		return fmt.Errorf("the partitions are too wide to keep what was flushed: of %d flushes only one key in %d is kept, and of too many flushes none", len(h.Flushes), h.Share())
	}
	return nil
}

func (r *replay) bytes(files []*storage.SSTable) int64 {
	n := int64(0)
	for _, t := range files {
		n += r.weight[t]
	}
	return n
}

// weigh is what bytes of the partitions that are there stand for, in the output
// of a compaction of these files.
func (r *replay) weigh(inputs []*storage.SSTable, bytes int64) int64 {
	there := int64(0)
	for _, t := range inputs {
		there += t.DataBytes
	}
	if there == 0 {
		return r.bytes(inputs)
	}
	return int64(float64(r.bytes(inputs)) / float64(there) * float64(bytes))
}

// flush adds a flush of the history, cut as the strategy cuts flushes.
func (r *replay) flush(f *storage.Flushed) {
	r.now = (r.epoch*1_000_000 + f.At + r.Nodes[r.node].Skew) / 1000
	chunks := [][]*storage.Partition{f.Parts}
	if u, is := r.strategy.(compaction.Unified); is {
		w := compaction.NewWriter(compaction.Pick{Cut: compaction.ByShards}, 0, r.space.cuts(u.Shards(float64(r.flushed))))
		if stats := f.Stats; w.Cuts() && len(f.Parts) > 0 {
			chunks = storage.Cut(r.store.Table, r.store.Format, f.Parts, &stats, w.Next)
		}
	}
	var files []*storage.SSTable
	there := int64(0)
	for _, chunk := range chunks {
		t := storage.NewSSTable(r.store.Table, r.store.Making("flush", f.At), chunk, f.Stats)
		r.store.NextGen++
		there += t.DataBytes
		files = append(files, t)
	}
	for _, t := range files {
		r.weight[t] = f.Bytes
		if there > 0 {
			r.weight[t] = int64(float64(f.Bytes) / float64(there) * float64(t.DataBytes))
		}
		r.store.SSTables = append([]*storage.SSTable{t}, r.store.SSTables...)
	}
	r.flushed.note(f.Bytes)
	r.out.BytesFlushed += f.Bytes
	r.out.BytesWritten += f.Bytes
	r.out.PeakDisk = max(r.out.PeakDisk, r.bytes(r.store.SSTables))
	for _, p := range f.Parts {
		if len(r.keys) == readKeys {
			break
		}
		if !slices.ContainsFunc(r.keys, func(k replayKey) bool { return k.key == p.Key }) {
			r.keys = append(r.keys, replayKey{p.Key, p.Token})
		}
	}
}

// look reads every key and counts the files that have it.
func (r *replay) look() {
	for _, k := range r.keys {
		for _, t := range r.store.SSTables {
			if _, found := t.Lookup(k.token, k.key); found == "hit" {
				r.read++
			}
		}
		r.looks++
	}
}

// table is what the strategy sees.
func (r *replay) table() *compaction.Table {
	t := &compaction.Table{Now: r.now, GCBefore: r.now/1000 - int64(r.store.Table.Options.GCGrace), MemTimestamp: math.MaxInt64, Coverage: r.space.coverage(),
		SpanOf: r.space.span, FlushBytes: float64(r.flushed), Draw: func(n int) int { r.draws++; return int(r.draws * 0x9e3779b97f4a7c15 >> 33 % uint64(n)) }}
	for i := len(r.store.SSTables) - 1; i >= 0; i-- {
		s := r.store.SSTables[i]
		f := s.File()
		f.Bytes = int64(float64(r.weight[s]) * storage.Ratio([]*storage.SSTable{s}))
		f.Disk = f.Bytes
		f.Created += r.epoch * 1000
		f.Span = r.space.span(f.First.Token, f.Last.Token)
		t.Files = append(t.Files, f)
	}
	slices.SortFunc(t.Files, func(a, b compaction.File) int { return a.Gen - b.Gen })
	return t
}

// mostRounds is the number of compactions behind one flush that no strategy needs.
const mostRounds = 100_000

// compact does what the strategy wants until it wants nothing.
func (r *replay) compact() error {
	for range mostRounds {
		t := r.table()
		pick := r.strategy.Next(t, &r.memory)
		if pick.Files == nil {
			return nil
		}
		r.do(pick, t)
	}
	return fmt.Errorf("%s finds no end of compactions", r.strategy.Name())
}

func (r *replay) merge(files []*storage.SSTable) ([]*storage.Partition, storage.Stats, []int64) {
	inside := map[*storage.SSTable]bool{}
	for _, t := range files {
		inside[t] = true
	}
	may := func(p *storage.Partition, ts int64) bool { return r.store.Purgeable(p, ts, inside) }
	now := r.now / 1000
	return storage.Compact(r.store.Table, files, now, now-int64(r.store.Table.Options.GCGrace), may)
}

func (r *replay) do(pick compaction.Pick, t *compaction.Table) {
	expired := compaction.Expired(t, pick.Files)
	is := func(list []compaction.File, s *storage.SSTable) bool {
		return slices.ContainsFunc(list, func(f compaction.File) bool { return f.Gen == s.Gen })
	}
	var inputs, read []*storage.SSTable
	var in, out []compaction.File
	for _, s := range r.store.SSTables {
		if is(pick.Files, s) {
			inputs, in = append(inputs, s), append(in, s.File())
			if !is(expired, s) {
				read = append(read, s)
			}
		}
	}
	parts, stats, _ := r.merge(read)
	ratio := storage.Ratio(read)
	w := compaction.NewWriter(pick, int64(float64(r.bytes(read))*ratio), r.space.cuts(pick.Shards))
	chunks := [][]*storage.Partition{parts}
	if w.Cuts() {
		chunks = storage.Cut(r.store.Table, r.store.Format, parts, &stats, func(written int64, token ring.Token) bool {
			return w.Next(int64(float64(r.weigh(read, written))*ratio), token)
		})
	}
	var outputs []*storage.SSTable
	used := r.bytes(r.store.SSTables)
	for i, chunk := range chunks {
		if len(chunk) == 0 {
			continue
		}
		s := storage.NewSSTable(r.store.Table, r.store.Making("compaction", (r.now-r.epoch*1000)*1000), chunk, stats)
		r.store.NextGen++
		s.Level = w.Level(i)
		r.weight[s] = r.weigh(read, s.DataBytes)
		r.out.BytesWritten += r.weight[s]
		used += r.weight[s]
		outputs = append(outputs, s)
	}
	r.out.PeakDisk = max(r.out.PeakDisk, used)
	r.out.Compactions++
	r.store.Replace(inputs, outputs...)
	files := r.table().Files
	for _, s := range outputs {
		if s.Level > 0 && !compaction.Fits(s.File(), files) {
			s.Level = 0
		}
		out = append(out, s.File())
	}
	r.memory.Finished(in, out)
	for _, s := range inputs {
		delete(r.weight, s)
	}
}
