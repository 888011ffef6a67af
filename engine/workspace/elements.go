package workspace

import (
	"fmt"
	"io"
	"slices"
)

// item is one element of a branch or leaf page.
type item struct {
	key      []byte
	child    uint64 // of a branch page
	at, size int64  // of a leaf page: where the value stands within the page
	bucket   bool
}

// elements reads the elements of a page of the given length. head is its
// beginning; r reads the rest, relative to the page.
func elements(r io.ReaderAt, head []byte, length int64) ([]item, error) {
	branch := native.Uint16(head[8:]) == branchPage
	count := int64(native.Uint16(head[10:]))
	table := pageHead + count*element
	if table > length {
		return nil, fmt.Errorf("it says it has %d elements", count)
	}
	if int64(len(head)) < table {
		head = make([]byte, table)
		if _, err := r.ReadAt(head, 0); err != nil {
			return nil, err
		}
	}
	items := make([]item, count)
	for i := range items {
		it := &items[i]
		start := pageHead + int64(i)*element
		e := head[start:]
		var flags uint32
		var pos, ksize, vsize int64
		if branch {
			pos, ksize = int64(native.Uint32(e)), int64(native.Uint32(e[4:]))
			it.child = native.Uint64(e[8:])
		} else {
			flags = native.Uint32(e)
			pos, ksize, vsize = int64(native.Uint32(e[4:])), int64(native.Uint32(e[8:])), int64(native.Uint32(e[12:]))
		}
		key := start + pos
		it.at, it.size, it.bucket = key+ksize, vsize, flags == bucketFlag
		if ksize == 0 || ksize > 1<<15 || key < table || it.at+it.size > length || flags > bucketFlag {
			return nil, fmt.Errorf("element %d does not fit", i)
		}
		if it.at <= int64(len(head)) {
			it.key = slices.Clone(head[key:it.at])
			continue
		}
		it.key = make([]byte, ksize)
		if _, err := r.ReadAt(it.key, key); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// freelist checks the page of free pages, where a file has one. Files of this
// package have none after their first commit: bbolt finds the free pages itself.
func (w *pageWalk) freelist() error {
	if w.meta.freelist == noFreelist {
		return nil
	}
	p, length, err := w.page(w.meta.freelist)
	if err != nil {
		return err
	}
	if native.Uint16(p[8:]) != freelistPage {
		return fmt.Errorf("page %d is not the list of free pages", w.meta.freelist)
	}
	all := make([]byte, length)
	if _, err := w.r.ReadAt(all, int64(w.meta.freelist)*int64(w.meta.pageSize)); err != nil {
		return err
	}
	ids := all[pageHead:]
	count := uint64(native.Uint16(p[10:]))
	if count == 0xFFFF && len(ids) >= 8 {
		count, ids = native.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids))/8 {
		return fmt.Errorf("the list of free pages is longer than its page")
	}
	last := uint64(1)
	for i := range count {
		id := native.Uint64(ids[i*8:])
		if id <= last || id >= w.meta.used || w.seen[id/64]&(1<<(id%64)) != 0 {
			return fmt.Errorf("the list of free pages is not what was written")
		}
		w.seen[id/64] |= 1 << (id % 64)
		last = id
	}
	return nil
}
