package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
)

// readAhead is how many bytes of groups are copied in one read transaction.
const readAhead = 256 << 10

// Each calls visit for every entry from number from on, in order, and checks
// each entry's checksum and number before. It stops at the first error: visit's
// own, or *Damaged, whose Recovered then counts the entries before the damage.
// Visit runs outside of any transaction and may call the file's methods.
func (f *File) Each(from uint64, visit func(Entry) error) error {
	from = max(from, 1)
	length := f.Len()
	next, err := f.walk(from, visit, bucketJournal)
	if err == nil && next <= min(length, f.Len()) {
		err = &groupFault{next, fmt.Sprintf("command %d is missing", next)}
	}
	return f.explain(err)
}

// walk visits the entries from number from on of a bucket of groups, which is
// found by its name and those of the buckets around it. It returns the number
// after the last.
func (f *File) walk(from uint64, visit func(Entry) error, names ...[]byte) (uint64, error) {
	var r entryReader
	next := from
	for {
		groups, err := f.readGroups(next, names)
		if err != nil || len(groups) == 0 {
			return next, err
		}
		for _, g := range groups {
			err := g.each(&r, func(e Entry) error {
				if e.N < next {
					return nil
				}
				next = e.N + 1
				return visit(e)
			})
			if err != nil {
				return next, err
			}
		}
	}
}

// readGroups copies some groups, beginning with the one that holds entry from
// or, where there is none, the first behind it.
func (f *File) readGroups(from uint64, names [][]byte) (groups []group, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err = f.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket(names[0])
		for _, name := range names[1:] {
			if b != nil {
				b = b.Bucket(name)
			}
		}
		if b == nil {
			return &groupFault{from, fmt.Sprintf("its part %q is missing", bytes.Join(names, []byte("/")))}
		}
		c := b.Cursor()
		k, v := seekGroup(c, from)
		for size := 0; k != nil && size < readAhead; k, v = c.Next() {
			g, err := parseKey(k)
			if err != nil {
				return &groupFault{from, err.Error()}
			}
			if g.last() < from {
				continue
			}
			g.value = slices.Clone(v)
			groups = append(groups, g)
			size += len(v)
		}
		if k == nil && len(names) == 1 && &names[0][0] == &bucketJournal[0] {
			groups = append(groups, f.intake.from(from)...)
		}
		return nil
	})
	return groups, err
}

// seekGroup moves the cursor to the group before the first that begins behind
// entry n, or to the first.
func seekGroup(c *bbolt.Cursor, n uint64) (k, v []byte) {
	if k, _ := c.Seek(binary.BigEndian.AppendUint64(nil, n+1)); k == nil {
		return c.Last()
	}
	if k, v = c.Prev(); k == nil {
		return c.First()
	}
	return k, v
}

// explain turns a fault of a stored group into *Damaged.
func (f *File) explain(err error) error {
	if fault := new(groupFault); errors.As(err, &fault) {
		return &Damaged{Path: f.path, Recovered: max(fault.n, 1) - 1, Lost: fault.text}
	}
	return err
}
