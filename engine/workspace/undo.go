package workspace

import (
	"slices"

	"go.etcd.io/bbolt"
)

// Truncate takes the entries after number after out of the journal and puts
// them aside, before those of earlier calls: Undone lists them, Redo brings them
// back, the next Append drops them.
func (f *File) Truncate(after uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed != nil {
		return f.failed
	}
	if after >= f.length {
		return nil
	}
	h := f.head.cutAfter(after)
	err := f.update(func(tx *bbolt.Tx) error {
		journal, undone := tx.Bucket(bucketJournal), tx.Bucket(bucketUndone)
		moved, err := tail(journal, after)
		if err != nil {
			return err
		}
		for i, g := range moved {
			if err := journal.Delete(g.key()); err != nil {
				return err
			}
			if i == 0 && g.first <= after {
				left, right, err := g.split(after)
				if err != nil {
					return err
				}
				if err := journal.Put(left.key(), left.value); err != nil {
					return err
				}
				g = right
			}
			if err := undone.Put(g.key(), g.value); err != nil {
				return err
			}
		}
		return putHead(tx, h)
	})
	if err != nil {
		return f.explain(err)
	}
	f.undone += f.length - after
	f.length, f.head = after, h
	return nil
}

// tail copies the groups that hold entries after n.
func tail(b *bbolt.Bucket, n uint64) ([]group, error) {
	var groups []group
	c := b.Cursor()
	for k, v := seekGroup(c, n); k != nil; k, v = c.Next() {
		g, err := parseKey(k)
		if err != nil {
			return nil, &groupFault{n, err.Error()}
		}
		if g.last() > n {
			g.value = slices.Clone(v)
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// Undone is what Truncate put aside, in the order in which Redo brings it back.
func (f *File) Undone() ([]Entry, error) {
	var entries []Entry
	_, err := f.walk(1, func(e Entry) error {
		entries = append(entries, e)
		return nil
	}, bucketUndone)
	return entries, f.explain(err)
}

// Redo moves up to count entries from what Truncate put aside back to the end
// of the journal, in one durable commit, and returns them with the numbers they
// have now. The rest stays aside.
func (f *File) Redo(count uint64) ([]Entry, error) {
	undone, err := f.Undone()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed != nil {
		return nil, f.failed
	}
	if uint64(len(undone)) != f.undone {
		return nil, nil // a command came in between and ended redo
	}
	count = min(count, uint64(len(undone)))
	if count == 0 {
		return nil, nil
	}
	back, rest := undone[:count], undone[count:]
	groups, _, err := makeGroups(nil, f.head, back, f.length+1)
	if err != nil {
		return nil, err
	}
	err = f.update(func(tx *bbolt.Tx) error {
		if err := empty(tx, bucketUndone); err != nil {
			return err
		}
		if err := putAside(tx, f.head, rest); err != nil {
			return err
		}
		return putGroups(tx.Bucket(bucketJournal), groups)
	})
	if err != nil {
		return nil, err
	}
	f.length += count
	f.undone -= count
	return back, nil
}

// putAside stores entries, whose numbers rise, as undone. They are encoded as
// the generation before any journal's, so that a salvage passes over them.
func putAside(tx *bbolt.Tx, h head, entries []Entry) error {
	h.gen = 0
	for len(entries) > 0 {
		run := 1
		for run < len(entries) && entries[run].N == entries[run-1].N+1 {
			run++
		}
		groups, _, err := makeGroups(nil, h, entries[:run], entries[0].N)
		if err != nil {
			return err
		}
		if err := putGroups(tx.Bucket(bucketUndone), groups); err != nil {
			return err
		}
		entries = entries[run:]
	}
	return nil
}
