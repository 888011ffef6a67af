package storage

import (
	"slices"
	"sort"

	"ringlab/engine/metrics"
	"ringlab/model/schema"
	"ringlab/ring"
)

// TableStore is one table on one node: a memtable and the files below it.
type TableStore struct {
	Table    *schema.Table
	Mem      *Memtable
	SSTables []*SSTable // newest first
	NextGen  int
	Format   Format    // of the files that it writes
	RowCache *RowCache // of the node, nil for none

	Partitioner string // the class, without its package

	Flushes      int
	BytesFlushed int64
	BytesWritten int64 // by flushes and compactions
	Compactions  int
	PeakDisk     int64 // most bytes of all components that were on disk at once, inputs and outputs of a compaction both
	PeakData     int64 // the same of the data alone
	History      History
	Metrics      metrics.Table
	Reads        int64
	Writes       int64
	FilesRead    int64     // files that held the key, of all single-partition reads
	PerRead      [16]int64 // single-partition reads by number of files that held the key; the last counts more too
	Truncated    int64     // write timestamps up to this are of before a TRUNCATE, µs
	reader       reader
	candidates   []candidate // of the read at hand
	holders      int         // of these hold the key
	looked       []FileRead  // what it did with them
	keys         keyCache
	now          int64 // virtual µs of the read at hand
}

// NewTableStore is an empty table.
func NewTableStore(t *schema.Table) *TableStore {
	return &TableStore{Table: t, Mem: NewMemtable(t), NextGen: 1, reader: reader{merger: merger{reads: true}}}
}

// SetTable follows a change of the schema.
func (s *TableStore) SetTable(t *schema.Table) {
	s.Table = t
	s.Mem.SetTable(t)
}

// Apply merges a write.
func (s *TableStore) Apply(u *Partition) {
	s.Writes++
	s.RowCache.invalidate(s.Table.ID, u.Key)
	s.Mem.Apply(u)
}

// Flush writes the memtable to a file, which is returned; nil if there was
// nothing to write.
func (s *TableStore) Flush(at int64) *SSTable {
	if files := s.FlushCut(at, nil); len(files) > 0 {
		return files[0]
	}
	return nil
}

// Making begins a file of the table with the next number, which it does not take.
func (s *TableStore) Making(origin string, at int64) Making {
	return Making{Format: s.Format, Gen: s.NextGen, Origin: origin, Created: at, Partitioner: s.Partitioner}
}

// FlushCut is Flush into a file for each part of the token space; cuts are the
// last tokens of all parts but one.
// Source: Cassandra 5.0 unified.ShardedMultiWriter.
func (s *TableStore) FlushCut(at int64, cuts []ring.Token) []*SSTable {
	if s.Mem.Partitions() == 0 {
		return nil
	}
	parts, order := s.Mem.Flushed()
	stats := s.Mem.stats
	s.Mem = NewMemtable(s.Table)
	s.Flushes++
	if len(parts) == 0 {
		return nil
	}
	var files []*SSTable
	m := s.Making("flush", at)
	m.Keys, m.Logs = int64(max(len(parts)/(len(cuts)+1), 1)), []LogSpan{{s.Flushes - 1, s.Flushes}}
	if len(cuts) == 0 {
		files = append(files, newSSTable(s.Table, m, parts, order, stats))
		s.NextGen++
	} else {
		if order != nil {
			sorted := make([]*Partition, len(parts))
			for i := range parts {
				sorted[i] = parts[order[i]]
			}
			parts = sorted
		}
		for len(parts) > 0 {
			n := len(parts)
			if len(cuts) > 0 {
				n = sort.Search(n, func(i int) bool { return parts[i].Token.Compare(cuts[0]) > 0 })
				cuts = cuts[1:]
			}
			if n > 0 {
				m.Gen = s.NextGen
				files = append(files, NewSSTable(s.Table, m, parts[:n:n], stats.Share(parts[:n])))
				s.NextGen++
			}
			parts = parts[n:]
		}
	}
	for _, t := range files {
		s.BytesFlushed += t.DataBytes
		s.BytesWritten += t.DataBytes
		s.SSTables = append([]*SSTable{t}, s.SSTables...)
	}
	s.History.add(files, at)
	s.peak(nil)
	return files
}

// Replace puts a compaction's outputs in the place of its inputs; without one,
// nothing was left.
func (s *TableStore) Replace(inputs []*SSTable, outputs ...*SSTable) {
	gone := map[*SSTable]bool{}
	for _, in := range inputs {
		gone[in] = true
	}
	s.Compactions++
	s.peak(outputs)
	kept := make([]*SSTable, 0, len(s.SSTables))
	for i := len(outputs) - 1; i >= 0; i-- {
		if t := outputs[i]; t != nil {
			kept = append(kept, t)
			s.BytesWritten += t.DataBytes
		}
	}
	for _, t := range s.SSTables {
		if !gone[t] {
			kept = append(kept, t)
		}
	}
	s.SSTables = kept
}

// peak follows the most that was on disk: all files and those that are just
// being written.
func (s *TableStore) peak(outputs []*SSTable) {
	disk, data := int64(0), int64(0)
	for _, list := range [][]*SSTable{s.SSTables, outputs} {
		for _, t := range list {
			if t != nil {
				disk += t.DiskBytes()
				data += t.DataBytes
			}
		}
	}
	s.PeakDisk, s.PeakData = max(s.PeakDisk, disk), max(s.PeakData, data)
}

// Truncate empties the table.
func (s *TableStore) Truncate(at int64) {
	s.Mem = NewMemtable(s.Table)
	s.SSTables = nil
	s.History = History{}
	s.RowCache.drop(s.Table.ID)
	s.Truncated = at
}

// Load puts copies of files, newest first, beside what is there.
func (s *TableStore) Load(files []*SSTable) {
	s.RowCache.drop(s.Table.ID)
	for i := len(files) - 1; i >= 0; i-- {
		f := *files[i]
		f.Gen, f.Busy, f.Suspect, f.Level = s.NextGen, false, false, 0
		s.SSTables = append([]*SSTable{&f}, s.SSTables...)
		s.NextGen++
	}
}

// DiskBytes is the size of all files.
func (s *TableStore) DiskBytes() int64 {
	n := int64(0)
	for _, t := range s.SSTables {
		n += t.DiskBytes()
	}
	return n
}

// units gathers what holds the key and gives the memtable's part. Counted reads
// count what the filters said.
func (s *TableStore) units(key string, token ring.Token, counted bool) (mem memPartition) {
	r := &s.reader
	r.units, s.candidates, s.holders = r.units[:0], s.candidates[:0], 0
	if mem = s.Mem.find(key); mem.Partition != nil {
		r.units = append(r.units, s.Mem.unit(mem))
	}
	for _, t := range s.SSTables {
		p, why := t.Lookup(token, key)
		if p != nil {
			c := candidate{file: t, part: p}
			s.candidates = append(s.candidates, c)
			s.holders++
			r.units = append(r.units, c.unit())
			continue
		}
		if why != "range" {
			s.candidates = append(s.candidates, candidate{file: t, miss: why})
		}
		if counted {
			t.checks.count(why)
		}
	}
	return mem
}

// At sets the time of the reads that follow, virtual µs.
func (s *TableStore) At(now int64) *TableStore {
	s.now = now
	return s
}

// Read answers a query for one partition. A partition of which nothing is
// stored gives an empty answer, never nil.
func (s *TableStore) Read(q *Query) *Found {
	cache := s.RowCache.through(s, q)
	f := s.find(q, cache != RowCacheHit)
	if f.RowCache = cache; cache == RowCacheHit {
		f.SSTables, f.Files = 0, nil
	}
	s.Reads++
	s.FilesRead += int64(f.SSTables)
	s.PerRead[min(f.SSTables, len(s.PerRead)-1)]++
	return f
}

// Seek is Read for who reads a table or its index in search of rows: nothing of it
// is a read of its own, and no row cache is asked.
// Source: Cassandra 5.0 SinglePartitionReadCommand.queryMemtableAndDisk.
func (s *TableStore) Seek(q *Query) *Found { return s.find(q, true) }

// Peek is Read for those who only look: it is not counted.
func (s *TableStore) Peek(q *Query) *Found { return s.find(q, false) }

// find reads one partition; counted reads go through the key cache.
func (s *TableStore) find(q *Query, counted bool) *Found {
	r := &s.reader
	mem := s.units(q.Key, q.Token, counted)
	r.table, r.q = s.Table, q
	var reads []FileRead
	byNames := q.byNames()
	if byNames && !s.plainly(q, mem) {
		reads = s.fileReads(q, mem.asked(q), s.candidates, nil)
		r.units = r.units[:0]
		if mem.Partition != nil {
			r.units = append(r.units, s.Mem.unit(mem))
		}
		for i, c := range s.candidates {
			if reads[i].Read {
				r.units = append(r.units, c.unit())
			}
		}
	}
	f := r.read(q.Key, q.Token, q.Limit)
	if !byNames && !s.plainly(q, mem) {
		reads = s.fileReads(q, mem.asked(q), s.candidates, f)
	}
	s.countFiles(q, reads, f, counted)
	if q.Tell {
		f.ByNames, f.InMemtable, f.Files = byNames, mem.Partition != nil, slices.Clone(reads)
	}
	return f
}

// plainly says whether a read needs no thought about which files it looks into, and
// is not to tell of them: one alone has it, or none.
func (s *TableStore) plainly(q *Query, mem memPartition) bool {
	return len(s.candidates) == 0 || !q.Tell && (s.holders == 0 || len(s.candidates) == 1 && mem.Partition == nil && s.candidates[0].file.meets(q))
}

// countFiles says how many files an answer needed; without reads, those that hold
// the key.
func (s *TableStore) countFiles(q *Query, reads []FileRead, f *Found, counted bool) {
	if reads == nil {
		if f.SSTables = s.holders; counted && s.holders == 1 {
			s.candidates[0].file.selected(s.now)
			s.keys.hit(s.candidates[0].file.Gen, q.Key)
		}
		return
	}
	for i := range reads {
		if r := &reads[i]; r.Read {
			f.SSTables++
			r.Cached = counted && s.keys.hit(r.Gen, q.Key)
			if counted {
				s.candidates[i].file.selected(s.now)
			}
		}
	}
}

// Scan answers a query for the partitions of a token range (left, right] in
// token order, until q.Limit live rows were found.
func (s *TableStore) Scan(q *Query, left, right ring.Token, leftOpen, rightOpen bool) []*Found {
	return s.ScanAfter(q, Bounds{Left: left, Right: right, NoLeft: leftOpen, NoRight: rightOpen})
}

// Bounds are a stretch of the ring, without wrap: (Left, Right] with the ends
// that are said to be open at the minimum or the maximum. AfterKey moves the
// beginning behind one key of token Left.
type Bounds struct {
	Left, Right     ring.Token
	NoLeft, NoRight bool
	IncludeLeft     bool
	ExcludeRight    bool
}

// In says whether a token lies inside.
func (b *Bounds) In(t ring.Token) bool {
	if !b.NoLeft {
		if c := t.Compare(b.Left); c < 0 || c == 0 && !b.IncludeLeft {
			return false
		}
	}
	if !b.NoRight {
		if c := t.Compare(b.Right); c > 0 || c == 0 && b.ExcludeRight {
			return false
		}
	}
	return true
}

// ScanAfter is Scan with bounds of any kind.
func (s *TableStore) ScanAfter(q *Query, b Bounds) []*Found {
	r := &s.reader
	r.table, r.q = s.Table, q
	mem := s.Mem.sorted()
	start := func(n int, token func(int) ring.Token) int {
		return sort.Search(n, func(i int) bool {
			if b.NoLeft {
				return true
			}
			c := token(i).Compare(b.Left)
			return c > 0 || c == 0 && b.IncludeLeft
		})
	}
	mem = mem[start(len(mem), func(i int) ring.Token { return s.Mem.list[mem[i]].Token }):]
	files := make([][]*Partition, 0, len(s.SSTables))
	for _, t := range s.SSTables {
		if p := t.Parts[start(len(t.Parts), func(i int) ring.Token { return t.Parts[i].Token }):]; len(p) > 0 {
			files = append(files, p)
			if b.In(p[0].Token) {
				t.reads.Mark(s.now)
			}
		}
	}
	var out []*Found
	live := 0
	for {
		var key string
		var token ring.Token
		any := false
		if len(mem) > 0 {
			p := s.Mem.list[mem[0]]
			key, token, any = p.Key, p.Token, true
		}
		for _, f := range files {
			if len(f) > 0 && (!any || less(f[0].Token, f[0].Key, token, key)) {
				key, token, any = f[0].Key, f[0].Token, true
			}
		}
		if !any || !b.In(token) {
			return out
		}
		r.units = r.units[:0]
		if len(mem) > 0 && s.Mem.list[mem[0]].Key == key {
			p := s.Mem.list[mem[0]]
			r.units = append(r.units, unit{Partition: p.Partition, set: p.rows, lasting: !s.Mem.mortal})
			mem = mem[1:]
		}
		n := 0
		for i, f := range files {
			if len(f) > 0 && f[0].Key == key {
				r.units = append(r.units, unit{Partition: f[0]})
				files[i] = f[1:]
				n++
			}
		}
		limit := 0
		if q.Limit > 0 && !q.Ghosts {
			limit = q.Limit - live
		}
		if a := q.After; a != nil && token == b.Left && key < a.Key {
			continue
		}
		r.q = q.Of(key)
		f := r.read(key, token, limit)
		r.q = q
		f.SSTables = n
		if f.IsEmpty() && !q.Ghosts {
			continue
		}
		out = append(out, f)
		if live += f.Live; q.Ghosts {
			live = len(out)
		}
		if q.Limit > 0 && live >= q.Limit {
			return out
		}
	}
}

// Keys lists the partition keys held, in token order, with their tokens.
func (s *TableStore) Keys(visit func(key string, token ring.Token) bool) {
	type entry struct {
		key   string
		token ring.Token
	}
	seen := map[string]bool{}
	var all []entry
	add := func(k string, t ring.Token) {
		if !seen[k] {
			seen[k] = true
			all = append(all, entry{k, t})
		}
	}
	for _, p := range s.Mem.list {
		add(p.Key, p.Token)
	}
	for _, t := range s.SSTables {
		for _, p := range t.Parts {
			add(p.Key, p.Token)
		}
	}
	sort.Slice(all, func(i, j int) bool { return less(all[i].token, all[i].key, all[j].token, all[j].key) })
	for _, e := range all {
		if !visit(e.key, e.token) {
			return
		}
	}
}

// Purgeable says whether a tombstone of that timestamp may go from a partition:
// nothing outside of the compaction may hold older data of the key.
// Source: Cassandra 5.0 CompactionController.getPurgeEvaluator.
func (s *TableStore) Purgeable(p *Partition, timestamp int64, inputs map[*SSTable]bool) bool {
	if s.Mem.find(p.Key).Partition != nil && timestamp >= s.Mem.stats.MinTimestamp {
		return false
	}
	for _, t := range s.SSTables {
		if inputs[t] || timestamp < t.Held.MinTimestamp {
			continue
		}
		if len(t.Parts) == 0 || p.Token.Compare(t.Parts[0].Token) < 0 || p.Token.Compare(t.Parts[len(t.Parts)-1].Token) > 0 {
			continue
		}
		if t.Filter.May([]byte(p.Key)) {
			return false
		}
	}
	return true
}
