package workspace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
)

// bbolt maps a file and trusts its pages; a wrong one ends the process. So the
// pages are walked here first, with ordinary reads. The layout is that of
// go.etcd.io/bbolt/internal/common, in the machine's byte order.
const (
	boltMagic   = 0xED0CDAED
	boltVersion = 2
	noFreelist  = ^uint64(0)

	pageHead  = 16 // id u64, flags u16, count u16, overflow u32
	metaBytes = 64 // of which the last 8 are the checksum
	element   = 16
	bucketRef = 16 // root page u64, sequence u64

	branchPage, leafPage, metaPage, freelistPage = 0x01, 0x02, 0x04, 0x10

	bucketFlag = 0x01
	maxDepth   = 100
)

var native = binary.NativeEndian

// boltMeta is a meta page.
type boltMeta struct {
	pageSize             int
	root, freelist, used uint64 // used: pages from here on are not part of the tree
	tx                   uint64
}

// readMeta reads the meta page at offset at.
func readMeta(r io.ReaderAt, at int64) (boltMeta, error) {
	var b [pageHead + metaBytes]byte
	if _, err := r.ReadAt(b[:], at); err != nil {
		return boltMeta{}, fmt.Errorf("it ends within its first pages")
	}
	m := b[pageHead:]
	sum := fnv.New64a()
	sum.Write(m[:56])
	if native.Uint32(m) != boltMagic || native.Uint32(m[4:]) != boltVersion || native.Uint64(m[56:]) != sum.Sum64() {
		return boltMeta{}, fmt.Errorf("the first page at byte %d is not what was written", at)
	}
	meta := boltMeta{
		pageSize: int(native.Uint32(m[8:])),
		root:     native.Uint64(m[16:]),
		freelist: native.Uint64(m[32:]),
		used:     native.Uint64(m[40:]),
		tx:       native.Uint64(m[48:]),
	}
	if p := meta.pageSize; p < 1024 || p > 1<<24 || p&(p-1) != 0 {
		return boltMeta{}, fmt.Errorf("a page size of %d bytes", p)
	}
	return meta, nil
}

// pageWalk visits every page that is in use, each once.
type pageWalk struct {
	r    io.ReaderAt
	meta boltMeta
	seen []uint64 // a bit a page

	nested int      // buckets around the tree that is walked
	names  []string // of the outermost buckets
}

// checkPages walks the pages of a bbolt file of the given size and returns the
// names of its buckets. A nil error means that bbolt can open it and read every key.
//
// Both meta pages must be whole. bbolt would go on with one of them, but a meta
// page fits into a disk sector and is not torn by a power cut: one that is not
// whole was damaged later, and then the other may lack the last commit.
func checkPages(r io.ReaderAt, size int64) (names []string, err error) {
	m0, err := readMeta(r, 0)
	if err != nil {
		return nil, err
	}
	m1, err := readMeta(r, int64(m0.pageSize))
	if err != nil {
		return nil, err
	}
	meta, older := m0, m1
	if m1.tx > m0.tx {
		meta, older = m1, m0
	}
	switch {
	case m0.pageSize != m1.pageSize || meta.tx != older.tx+1 || m0.tx&1 != 0:
		return nil, fmt.Errorf("its two first pages do not fit together")
	case meta.used < 4 || meta.used > uint64(size)/uint64(meta.pageSize):
		return nil, fmt.Errorf("it is %d bytes long and should have at least %d pages of %d bytes", size, meta.used, meta.pageSize)
	}
	w := &pageWalk{r: r, meta: meta, seen: make([]uint64, meta.used/64+1)}
	w.seen[0] = 3
	if err := w.freelist(); err != nil {
		return nil, err
	}
	err = w.tree(meta.root, nil, nil, 0)
	return w.names, err
}

// page reads a page's first bytes (all but its overflow) and marks it as used.
func (w *pageWalk) page(id uint64) (p []byte, length int64, err error) {
	if id < 2 || id >= w.meta.used {
		return nil, 0, fmt.Errorf("page %d is referred to and does not exist", id)
	}
	p = make([]byte, w.meta.pageSize)
	if _, err := w.r.ReadAt(p, int64(id)*int64(w.meta.pageSize)); err != nil {
		return nil, 0, fmt.Errorf("page %d cannot be read: %w", id, err)
	}
	more := uint64(native.Uint32(p[12:]))
	if native.Uint64(p) != id || id+more >= w.meta.used {
		return nil, 0, fmt.Errorf("page %d is not what was written", id)
	}
	for i := id; i <= id+more; i++ {
		if w.seen[i/64]&(1<<(i%64)) != 0 {
			return nil, 0, fmt.Errorf("page %d is used twice", i)
		}
		w.seen[i/64] |= 1 << (i % 64)
	}
	return p, int64(more+1) * int64(w.meta.pageSize), nil
}

// tree walks the pages below id. Their keys are at least low and less than high,
// where those are not nil; low is then the very first key.
func (w *pageWalk) tree(id uint64, low, high []byte, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("page %d is too deep", id)
	}
	p, length, err := w.page(id)
	if err != nil {
		return err
	}
	flags := native.Uint16(p[8:])
	if flags != branchPage && flags != leafPage {
		return fmt.Errorf("page %d is of an unknown sort", id)
	}
	at := int64(id) * int64(w.meta.pageSize)
	items, err := elements(io.NewSectionReader(w.r, at, length), p, length)
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	if flags == branchPage && len(items) == 0 {
		return fmt.Errorf("page %d is empty", id)
	}
	for i, it := range items {
		end := high
		if i+1 < len(items) {
			end = items[i+1].key
		}
		switch {
		case i == 0 && low != nil && !bytes.Equal(it.key, low),
			end != nil && bytes.Compare(it.key, end) >= 0:
			return fmt.Errorf("page %d: its keys are out of order", id)
		case flags == branchPage:
			err = w.tree(it.child, it.key, end, depth+1)
		case it.bucket:
			if w.nested == 0 {
				w.names = append(w.names, string(it.key))
			}
			err = w.bucket(io.NewSectionReader(w.r, at+it.at, it.size), it.size, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bucket checks a bucket's value: a reference to its root page or, inline, a leaf page.
func (w *pageWalk) bucket(r io.ReaderAt, size int64, depth int) error {
	if size < bucketRef {
		return fmt.Errorf("a bucket of %d bytes", size)
	}
	b := make([]byte, min(size, 1<<16))
	if _, err := r.ReadAt(b, 0); err != nil {
		return err
	}
	if root := native.Uint64(b); root != 0 {
		w.nested++
		defer func() { w.nested-- }()
		return w.tree(root, nil, nil, depth+1)
	}
	p := b[bucketRef:]
	if len(p) < pageHead || int64(len(b)) != size || native.Uint16(p[8:]) != leafPage {
		return fmt.Errorf("an inline bucket is not what was written")
	}
	items, err := elements(bytes.NewReader(p), p, int64(len(p)))
	for i, it := range items {
		if it.bucket || i > 0 && bytes.Compare(items[i-1].key, it.key) >= 0 {
			return fmt.Errorf("an inline bucket is not what was written")
		}
	}
	return err
}
