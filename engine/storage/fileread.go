package storage

import (
	"bytes"
	"slices"

	"ringlab/model/schema"
	"ringlab/ring"
)

// FileRead is what a read of one partition did with one file that may hold it.
type FileRead struct {
	Gen     int
	Read    bool
	Cached  bool   // its place in the file came from the key cache
	Outside bool   // none of its rows lies in the slice
	Deletes bool   // Outside, but it deletes the partition
	Early   bool   // a read of slices looked for the key before it had chosen all files
	Blocks  int64  // entries of the partition's row index, 0 for one that has none; only with Query.Tell
	Passed  bool   // with Miss: the search ended at a greater key; only with Query.Tell
	Miss    string // it was opened and does not hold the key: what Lookup said
	Why     string // why it was not opened; "" if it was
}

// What Lookup says of a file that does not hold the key, though it lies between the
// first and the last one.
const (
	MissFilter = "bloom"          // the filter says so
	MissIndex  = "false positive" // the filter does not say so
)

// passed says whether a search of the file's index for a key that it does not hold ends
// at a greater key: at the first of the summary's next stretch, while the keys of one
// stretch are compared byte by byte, so that a search of the last one ends with the file.
// In format da the trie's leaf has hash bits of its key, by which nearly all others are
// told.
// Source: Cassandra 5.0 BigTableReader.getRowIndexEntry, BtiTableReader.getExactPosition.
func (t *SSTable) passed(table *schema.Table, token ring.Token, key string) bool {
	if t.Format == DA {
		return true
	}
	stretch := max(table.Options.MinIndexInterval, 1)
	return ((t.index(token, key)-1)/stretch+1)*stretch < len(t.Parts)
}

// Reasons why a file is not read.
const (
	WhyDeleted  = "everything in it is older than the partition's deletion"
	WhyComplete = "newer files hold all of the rows and columns that are asked for"
	WhySlice    = "none of its rows lies in the slice"
	WhyLimit    = "its rows lie behind the last one that was needed"
)

// Merges says whether the read's answer was put together from anything, be it empty:
// the memtable's part or that of any file that was chosen.
func (f *Found) Merges() bool {
	return f.InMemtable || slices.ContainsFunc(f.Files, func(r FileRead) bool { return r.Why == "" && (!r.Outside || r.Deletes) })
}

// Covered is the stretch of the clustering that the rows and range tombstones
// of a file cover, in whatever partition.
// Source: Cassandra 5.0 StatsMetadata.coveredClustering.
type Covered struct {
	Any      bool
	From, To schema.Cut
}

// add widens the stretch by those of a partition.
func (c *Covered) add(t *schema.Table, p *Partition) {
	widen := func(from, to schema.Cut) {
		if !c.Any || t.CompareCuts(from, c.From) < 0 {
			c.From = from
		}
		if !c.Any || t.CompareCuts(to, c.To) > 0 {
			c.To = to
		}
		c.Any = true
	}
	if n := len(p.Rows); n > 0 {
		widen(schema.Cut{Prefix: p.Rows[0].Clustering()}, schema.Cut{Prefix: p.Rows[n-1].Clustering(), After: true})
	}
	if n := len(p.Ranges); n > 0 {
		widen(p.Ranges[0].From, p.Ranges[n-1].To)
	}
}

// candidate is a file whose first and last key have the partition's between them.
type candidate struct {
	file *SSTable
	part *Partition // nil if it is not there
	miss string     // then what Lookup said
}

// unit is the candidate's part in a merge.
func (c *candidate) unit() unit {
	return unit{Partition: c.part, marks: c.file.marksOf(c.part), lasting: c.file.lasting()}
}

// opened is what a read tells of the file when it looks for the partition.
func (c *candidate) opened(q *Query) FileRead {
	out := FileRead{Gen: c.file.Gen, Read: c.part != nil, Miss: c.miss}
	switch {
	case !q.Tell:
	case c.part != nil:
		out.Blocks = c.file.rowBlocks(q.Table, c.part)
	case c.miss == MissIndex:
		out.Passed = c.file.passed(q.Table, q.Token, q.Key)
	}
	return out
}

// deletion is that of the partition in the file.
func (c *candidate) deletion() Deletion {
	if c.part == nil {
		return Live
	}
	return c.part.Del
}

// byNames says whether rows are read by name, newest file first and no further
// than needed: all of the primary key is given, and nothing that is asked for has
// cells of its own.
// Source: Cassandra 5.0 SinglePartitionReadCommand.queryMemtableAndDiskInternal.
func (q *Query) byNames() bool {
	t := q.Table
	if q.Names == nil && len(t.Clustering) > 0 || t.Counter || q.Distinct {
		return false
	}
	for _, list := range [...][]*schema.Column{t.Static, t.Regular} {
		for _, c := range list {
			if c.Type.IsMultiCell() && q.asks(c) {
				return false
			}
		}
	}
	return true
}

// CountsStatic says whether a live static row is counted beside the rows: if it was
// fetched, and is not itself taken for a row.
// Source: Cassandra 5.0 ReadCommand.withMetricsRecording.
func (q *Query) CountsStatic(f *Found) bool {
	if f.Static.IsZero() || !q.fetchesStatics() || !f.Static.HasLive(q.Now, false) {
		return false
	}
	return !q.StaticAlone(q.Key) || slices.ContainsFunc(f.Rows, func(r Row) bool { return r.HasLive(q.Now, q.Table.Strict()) })
}

// Passed counts what a replica met on its way to what it found: live rows, static
// ones too, and tombstones. Source: Cassandra 5.0 ReadCommand.withMetricsRecording.
func (q *Query) Passed(found []*Found) (live, dead int) {
	for _, f := range found {
		live, dead = live+f.Live, dead+f.Tombstones
		if q.CountsStatic(f) {
			live++
		}
	}
	return live, dead
}

// asks says whether a column is among those that the reader asked for.
func (q *Query) asks(c *schema.Column) bool { return q.Columns == nil || q.Columns[c.ID] }

// Fetches says whether a column is read at all.
func (q *Query) Fetches(c *schema.Column) bool {
	return q.asks(c) || q.Fetch == FetchAll || q.Fetch == FetchRegular && c.Kind != schema.Static
}

// asked are the columns of a list that the reader asked for.
func (q *Query) asked(list []*schema.Column) []*schema.Column {
	var out []*schema.Column
	for _, c := range list {
		if q.asks(c) {
			out = append(out, c)
		}
	}
	return out
}

// fileReads says which of the files that may hold a partition a read looks into, in
// the order in which it opens them, and why not into the others: one for each of the
// files, which it sorts. The rows of the answer do not depend on it: what is left out
// could not change them. Range tombstones and deletions of rows do. found is the
// answer, for where a limit stopped a read of slices; nil for a read by names. The list
// is good until the next read.
func (s *TableStore) fileReads(q *Query, mem *Partition, files []candidate, found *Found) []FileRead {
	slices.SortStableFunc(files, func(a, b candidate) int {
		switch x, y := a.file.Stats.MaxTimestamp, b.file.Stats.MaxTimestamp; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if q.byNames() {
		return s.readByNames(q, mem, files)
	}
	return s.readSlices(q, mem, files, found)
}

// readSlices merges all files whose rows meet the slices.
// Source: Cassandra 5.0 SinglePartitionReadCommand.queryMemtableAndDiskInternal.
func (s *TableStore) readSlices(q *Query, mem *Partition, files []candidate, found *Found) []FileRead {
	deletion := Live
	if mem != nil {
		deletion = mem.Del
	}
	statics := len(q.asked(q.Table.Static)) > 0
	out := s.looked[:0]
	defer func() { s.looked = out }()
	merged := 0 // of memtable and files
	if mem != nil {
		merged++
	}
	for i, c := range files {
		if !deletion.IsLive() && c.file.Stats.MaxTimestamp < deletion.At {
			for _, rest := range files[i:] {
				out = append(out, FileRead{Gen: rest.file.Gen, Why: WhyDeleted})
			}
			break
		}
		read := c.opened(q)
		meets := c.file.meets(q) || statics && c.file.Stats.Statics.len() > 0
		switch deletes := c.file.Stats.PartitionDeletion; {
		case deletes:
			read.Early, read.Outside = true, !meets
			read.Deletes = !meets && !c.deletion().IsLive()
			if deletion = maxDeletion(deletion, c.deletion()); meets || read.Deletes {
				merged++
			}
		case meets:
			merged++
		default:
			read = FileRead{Gen: c.file.Gen, Outside: true, Why: WhySlice}
		}
		out = append(out, read)
	}
	if found.full && merged > 1 && !q.fetchesStatics() && !q.Table.Compact {
		last := found.Rows[len(found.Rows)-1].Clustering()
		for i := range out {
			if r := &out[i]; r.Why == "" && !r.Early && files[i].file.behind(q, last) {
				*r = FileRead{Gen: r.Gen, Why: WhyLimit}
			}
		}
	}
	return out
}

// fetchesStatics says whether any static column is read: each file is then opened for
// its static row. Source: Cassandra 5.0 UnfilteredRowIteratorWithLowerBound.staticRow.
func (q *Query) fetchesStatics() bool {
	return slices.ContainsFunc(q.Table.Static, q.Fetches)
}

// meets says whether the rows of a file, of whatever partition, meet the query's
// slices.
func (t *SSTable) meets(q *Query) bool {
	if q.Names == nil && q.Slices == nil {
		return true
	}
	for _, s := range q.slices() {
		if t.Covered.Any && q.Table.CompareCuts(s.From, t.Covered.To) < 0 && q.Table.CompareCuts(t.Covered.From, s.To) < 0 {
			return true
		}
	}
	return false
}

// behind says whether all rows of a file lie behind the last one that was needed.
// Source: Cassandra 5.0 UnfilteredRowIteratorWithLowerBound.lowerBound, ClusteringBound.artificialLowerBound.
func (t *SSTable) behind(q *Query, last []byte) bool {
	if !t.Covered.Any {
		return false
	}
	bound := schema.Cut{Prefix: t.Covered.From.Prefix} // inclusive, whatever it was
	if q.Reversed {
		bound = schema.Cut{Prefix: t.Covered.To.Prefix, After: true}
		return q.Table.CompareCutRow(bound, last) < 0
	}
	return q.Table.CompareCutRow(bound, last) > 0
}

// readByNames looks into the files by timestamp, the newest first, and stops
// where older ones cannot change the rows any more.
// Source: Cassandra 5.0 SinglePartitionReadCommand.queryMemtableAndSSTablesInTimestampOrder, reduceFilter.
func (s *TableStore) readByNames(q *Query, mem *Partition, files []candidate) []FileRead {
	t := q.Table
	w := nameReader{q: q, merger: merger{table: t, reads: true}, have: &Partition{Del: Live}, statics: q.asked(t.Static), regulars: q.asked(t.Regular)}
	names := q.Names
	if len(t.Clustering) == 0 {
		names = [][]byte{{}}
	}
	w.left = slices.Clone(names)
	if mem != nil {
		w.add(mem)
	}
	out := make([]FileRead, 0, len(files))
	for i, c := range files {
		at := c.file.Stats.MaxTimestamp
		why := ""
		if !w.have.Del.IsLive() && at < w.have.Del.At {
			why = WhyDeleted
		} else if w.complete(at) {
			why = WhyComplete
		}
		if why != "" {
			for _, rest := range files[i:] {
				out = append(out, FileRead{Gen: rest.file.Gen, Why: why})
			}
			return out
		}
		switch {
		case c.file.holdsAny(q.Table, names) || len(w.statics) > 0 && c.file.Stats.Statics.len() > 0:
			if c.part != nil {
				w.add(c.part)
			}
		case c.file.Stats.PartitionDeletion:
			w.have.Del = maxDeletion(w.have.Del, c.deletion())
		default:
			out = append(out, FileRead{Gen: c.file.Gen, Why: WhySlice})
			continue
		}
		out = append(out, c.opened(q))
	}
	return out
}

// holdsAny says whether a row of those names may be in a file, by the rows that
// the file covers.
func (t *SSTable) holdsAny(table *schema.Table, names [][]byte) bool {
	for _, n := range names {
		if t.Covered.Any && table.CompareCutRow(t.Covered.From, n) < 0 && table.CompareCutRow(t.Covered.To, n) > 0 {
			return true
		}
	}
	return false
}

// nameReader is a read by names in progress.
type nameReader struct {
	merger
	q        *Query
	left     [][]byte   // names that older files may still say something of
	have     *Partition // what was read so far, of those names
	statics  []*schema.Column
	regulars []*schema.Column
}

// add merges what a file or the memtable holds of the names that are left.
func (w *nameReader) add(p *Partition) {
	take := &Partition{Del: p.Del, Static: p.Static, Ranges: p.Ranges}
	for _, n := range w.left {
		if i, ok := slices.BinarySearchFunc(p.Rows, n, func(r Row, n []byte) int { return w.table.CompareClustering(r.Clustering(), n) }); ok {
			take.Rows = append(take.Rows, p.Rows[i])
		}
	}
	w.have = Merge(w.table, []*Partition{w.have, take}, false)
}

// complete drops the names that files up to a timestamp cannot change, and says
// whether nothing is left.
// Source: Cassandra 5.0 SinglePartitionReadCommand.isRowComplete.
func (w *nameReader) complete(at int64) bool {
	w.left = slices.DeleteFunc(w.left, func(n []byte) bool {
		if d := maxDeletion(w.have.Del, rangeAt(w.table, w.have.Ranges, n)); !d.IsLive() && d.Deletes(at) {
			return true
		}
		for _, r := range w.have.Rows {
			if bytes.Equal(r.Clustering(), n) {
				return w.rowComplete(r, at)
			}
		}
		return false
	})
	statics := len(w.statics) == 0 || !w.have.Static.IsZero() && w.columnsComplete(w.have.Static, w.statics, at)
	return statics && len(w.left) == 0
}

func (w *nameReader) rowComplete(r Row, at int64) bool {
	r.header(&w.a)
	switch {
	case !w.a.Deletion.IsLive() && w.a.Deletion.Deletes(at):
		return true
	case w.a.Liveness.Timestamp == NoTimestamp || w.a.Liveness.Timestamp <= at:
		return false
	}
	return w.columnsComplete(r, w.regulars, at)
}

// columnsComplete says whether every column has a cell newer than a timestamp.
func (w *nameReader) columnsComplete(r Row, columns []*schema.Column, at int64) bool {
	r.Unpack(&w.b)
next:
	for _, c := range columns {
		for i := range w.b.Cells {
			if w.b.Cells[i].Column == c.ID && !w.b.Cells[i].Complex {
				if w.b.Cells[i].Timestamp <= at {
					return false
				}
				continue next
			}
		}
		return false
	}
	return true
}
