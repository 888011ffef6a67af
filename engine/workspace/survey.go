package workspace

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"io"
	"math"
	"slices"
)

// found is an intact entry record in a file's raw bytes.
type found struct {
	n, gen uint64
	at     int64
	size   int
}

// blobFound is an intact blob record.
type blobFound struct {
	hash [sha256.Size]byte
	at   int64
	size int
}

// findings is what a scan of the raw bytes met.
type findings struct {
	head     head
	haveHead bool
	entries  []found // the journal's, by n, each once
	blobs    []blobFound
	broken   int  // records that begin well and are not whole
	newer    int  // records of a newer format
	gaveUp   bool // too many broken records to look at all of them
}

// intact is the number of entries before the first gap, which is what can be replayed.
func (s *findings) intact() uint64 {
	for i, e := range s.entries {
		if e.n != uint64(i)+1 {
			return uint64(i)
		}
	}
	return uint64(len(s.entries))
}

// survey scans a file for records, whatever its pages say, and keeps what
// belongs to the journal: of each number the newest generation, and nothing that
// an undo or a reset took away. It maps nothing and reads the file about once.
func survey(r io.ReaderAt, size int64) *findings {
	s := &findings{}
	var reader entryReader
	known := map[[sha256.Size]byte]bool{}
	scan(r, size, s, func(at int64, kind byte, payload []byte) {
		switch kind {
		case kindHeader:
			h, err := decodeHead(payload)
			if err == nil && (!s.haveHead || h.gen > s.head.gen) {
				s.head, s.haveHead = h, true
			}
			if err == errNewer {
				s.newer++
			}
		case kindEntry:
			if e, gen, err := reader.decode(payload); err == nil {
				s.entries = append(s.entries, found{e.N, gen, at, recordHead + len(payload)})
			}
		case kindBlob:
			if sum := sha256.Sum256(payload); !known[sum] {
				known[sum] = true
				s.blobs = append(s.blobs, blobFound{sum, at, recordHead + len(payload)})
			}
		}
	})
	s.entries = s.head.journal(s.entries)
	return s
}

// journal sorts out the entries that are the journal's. Generations never fall
// along a journal, so an older one behind a newer was taken away.
func (h head) journal(all []found) []found {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(b.gen, a.gen), cmp.Compare(a.at, b.at))
	})
	var kept []found
	gen := uint64(0)
	for _, e := range all {
		if !h.alive(e.n, e.gen) || e.gen < gen || len(kept) > 0 && kept[len(kept)-1].n == e.n {
			continue
		}
		gen = e.gen
		kept = append(kept, e)
	}
	return kept
}

const (
	scanWindow = 1 << 20
	// A broken record costs its length. A file of nothing but beginnings of
	// records would cost the square of its size, so there is a limit.
	scanBudget = 8
)

// scan finds every intact record. What lies inside one is not looked at: a blob
// may be a workspace itself.
func scan(r io.ReaderAt, size int64, s *findings, visit func(at int64, kind byte, payload []byte)) {
	w := window{r: r, size: size}
	budget := int64(math.MaxInt64)
	if size < budget/scanBudget-scanWindow {
		budget = size*scanBudget + scanWindow
	}
	for at := int64(0); at < size; {
		b := w.at(at, recordHead)
		i := bytes.Index(b, magic[:3])
		if i < 0 {
			at += int64(max(1, len(b)-2))
			continue
		}
		at += int64(i)
		b = w.at(at, recordHead)
		n, err := recordSize(b)
		if err == errNewer {
			s.newer++
		}
		if err != nil {
			at++
			continue
		}
		if int64(n) <= size-at {
			kind, payload, _, err := readRecord(w.at(at, n))
			if err == nil {
				visit(at, kind, payload)
				at += int64(n)
				continue
			}
			if budget -= int64(n); budget < 0 {
				s.gaveUp = true
				return
			}
		}
		s.broken++
		at++
	}
}

// window is a part of a file that moves forward. Pages that cannot be read are zeros.
type window struct {
	r     io.ReaderAt
	size  int64
	start int64
	b     []byte
}

// at is the bytes from offset at to the window's end, at least n of them where the file has so many.
func (w *window) at(at int64, n int) []byte {
	end := w.start + int64(len(w.b))
	if at < w.start || at+int64(n) > end && end < w.size {
		want := int(min(int64(max(n, scanWindow)), w.size-at))
		if cap(w.b) < want {
			w.b = make([]byte, want)
		}
		w.start, w.b = at, w.b[:want]
		if got, err := w.r.ReadAt(w.b, at); err != nil {
			w.readAround(got)
		}
	}
	return w.b[at-w.start:]
}

// readAround reads the window page by page after got bytes, past bad sectors.
func (w *window) readAround(got int) {
	const page = 4096
	for i := got &^ (page - 1); i < len(w.b); i += page {
		p := w.b[i:min(i+page, len(w.b))]
		if n, err := w.r.ReadAt(p, w.start+int64(i)); err != nil {
			clear(p[n:])
		}
	}
}

// seemsOurs reports whether a file whose pages are wrong was a workspace: it
// begins as a bbolt file, or there is a record near its beginning.
func seemsOurs(r io.ReaderAt, size int64) bool {
	w := window{r: r, size: size}
	if size >= pageHead+4 && hasBoltMagic(w.at(0, pageHead+4)) {
		return true
	}
	for page := int64(1024); page <= 1<<16 && page+pageHead+4 <= size; page *= 2 {
		if hasBoltMagic(w.at(page, pageHead+4)) {
			return true
		}
	}
	return holdsRecords(r, size)
}

// holdsRecords reports whether there is a whole record near a file's beginning.
func holdsRecords(r io.ReaderAt, size int64) bool {
	found := false
	scan(r, min(size, 4<<20), &findings{}, func(int64, byte, []byte) { found = true })
	return found
}
