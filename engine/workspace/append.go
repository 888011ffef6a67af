package workspace

import "go.etcd.io/bbolt"

// Append stores entries behind the others in one durable commit and sets their
// N. After an error none of them is stored, and the error says what to do: *Full
// can be tried again, after *Unsure and *Gone the workspace must be opened again.
// Entries that Truncate put aside are dropped: a new command ends redo.
func (f *File) Append(entries []Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed != nil {
		return f.failed
	}
	if len(entries) == 0 {
		return nil
	}
	groups, buf, err := makeGroups(f.buf, f.head, entries, f.length+1)
	if cap(buf) <= 4*groupBytes {
		f.buf = buf[:0]
	}
	if err != nil {
		return err
	}
	taken, err := f.takeIn(groups)
	if err != nil {
		return err
	}
	if !taken {
		err = f.update(func(tx *bbolt.Tx) error {
			if f.undone > 0 {
				if err := empty(tx, bucketUndone); err != nil {
					return err
				}
			}
			return putGroups(tx.Bucket(bucketJournal), groups)
		})
		if err != nil {
			return err
		}
	}
	f.length += uint64(len(entries))
	f.undone = 0
	if f.commits++; f.commits == intakeAfter && f.intake.size == 0 {
		f.makeIntake()
	}
	return nil
}

func putGroups(b *bbolt.Bucket, groups []group) error {
	b.FillPercent = 1 // keys only ever come behind the last
	for _, g := range groups {
		if err := b.Put(g.key(), g.value); err != nil {
			return err
		}
	}
	return nil
}

// empty leaves a bucket without keys.
func empty(tx *bbolt.Tx, name []byte) error {
	if err := tx.DeleteBucket(name); err != nil {
		return err
	}
	_, err := tx.CreateBucket(name)
	return err
}
