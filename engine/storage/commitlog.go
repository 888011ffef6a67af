package storage

import "github.com/google/uuid"

// CommitLog is a node's log of writes that no file holds yet: segments of a
// fixed size, each remembered with the tables that still need it. A segment
// goes when all of its tables were flushed. The writes themselves are not kept:
// what they would restore stands in the memtables, which outlive a node that is
// down. Source: Cassandra 5.0 CommitLog.
type CommitLog struct {
	Segments []*Segment // oldest first; the last one is being written
	Written  int64      // bytes ever
}

// Segment is one file of the log.
type Segment struct {
	Bytes int64
	Dirty map[uuid.UUID]bool
	last  uuid.UUID // table of the last write, which is dirty; it spares most look-ups
}

// Append logs one write of about that many bytes.
func (l *CommitLog) Append(table uuid.UUID, size, segment int64) {
	n := len(l.Segments)
	if n == 0 || l.Segments[n-1].Bytes+size > segment {
		l.Segments = append(l.Segments, &Segment{Dirty: map[uuid.UUID]bool{}})
		n++
	}
	s := l.Segments[n-1]
	s.Bytes += size
	if s.last != table {
		s.last, s.Dirty[table] = table, true
	}
	l.Written += size
}

// Flushed tells the log that everything of a table so far is in files.
func (l *CommitLog) Flushed(table uuid.UUID) {
	kept := l.Segments[:0]
	for _, s := range l.Segments {
		delete(s.Dirty, table)
		s.last = uuid.Nil
		if len(s.Dirty) > 0 {
			kept = append(kept, s)
		}
	}
	for i := len(kept); i < len(l.Segments); i++ {
		l.Segments[i] = nil
	}
	l.Segments = kept
}

// Forget drops a table that does not exist any more.
func (l *CommitLog) Forget(table uuid.UUID) { l.Flushed(table) }

// Bytes is the size of all segments.
func (l *CommitLog) Bytes() int64 {
	n := int64(0)
	for _, s := range l.Segments {
		n += s.Bytes
	}
	return n
}

// Fits says whether a write goes into the segment that is being written.
func (l *CommitLog) Fits(size, segment int64) bool {
	n := len(l.Segments)
	return n > 0 && l.Segments[n-1].Bytes+size <= segment
}
