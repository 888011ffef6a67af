package workspace

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// load reads the header, the keys of the journal and what was taken in. The values are checked
// when they are read, but for the last group, where a disk that lied about a
// power cut shows first.
func (f *File) load() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view(func(tx *bbolt.Tx) error {
		err := f.loadHead(tx.Bucket(bucketMeta).Get(keyHeader))
		if err != nil {
			return err
		}
		if f.length, err = journalLength(tx.Bucket(bucketJournal)); err != nil {
			return err
		}
		if err := f.intake.find(tx, f.disk); err != nil {
			return err
		}
		if err := f.intake.load(f.disk, f.head, f.length); err != nil {
			return err
		}
		f.length += f.intake.count()
		f.undone, err = count(tx.Bucket(bucketUndone))
		return err
	})
}

func (f *File) loadHead(value []byte) error {
	payload, err := readWhole(value, kindHeader)
	if err == nil {
		f.head, err = decodeHead(payload)
	}
	switch {
	case errors.Is(err, errNewer):
		return &Newer{Path: f.path, Format: f.head.Format, Known: Format}
	case err != nil:
		return &groupFault{text: fmt.Sprintf("its header cannot be read: %v", err)}
	}
	return nil
}

// journalLength is the number of entries, whose groups must follow each other
// without a gap.
func journalLength(b *bbolt.Bucket) (uint64, error) {
	next := uint64(1)
	var last group
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		g, err := parseKey(k)
		if err != nil {
			return 0, &groupFault{next, err.Error()}
		}
		if g.first != next {
			return 0, &groupFault{next, fmt.Sprintf("command %d is missing", next)}
		}
		next = g.last() + 1
		last = group{g.first, g.count, v}
	}
	if last.count > 0 {
		if err := last.each(new(entryReader), func(Entry) error { return nil }); err != nil {
			return 0, err
		}
	}
	return next - 1, nil
}

// count is the number of entries of a bucket of groups.
func count(b *bbolt.Bucket) (uint64, error) {
	var n uint64
	err := b.ForEach(func(k, _ []byte) error {
		g, err := parseKey(k)
		if err != nil {
			return &groupFault{text: err.Error()}
		}
		n += uint64(g.count)
		return nil
	})
	return n, err
}
