package workspace

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// Past is a journal that Reset put aside.
type Past struct {
	Header Header
	Len    uint64 // entries
}

// Reset starts again with an empty journal and header h. The old header and
// journal are kept: Before lists them. What Truncate put aside is dropped; input
// files and what the screen remembers stay.
func (f *File) Reset(h Header) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	h.Format = Format
	next := f.head.cutAfter(0)
	next.Header = h
	err := f.update(func(tx *bbolt.Tx) error {
		before := tx.Bucket(bucketBefore)
		n, err := before.NextSequence()
		if err != nil {
			return err
		}
		past, err := before.CreateBucket(binary.BigEndian.AppendUint64(nil, n))
		if err != nil {
			return err
		}
		old, err := f.head.appendTo(nil)
		if err != nil {
			return err
		}
		if err := past.Put(keyHeader, old); err != nil {
			return err
		}
		if err := tx.MoveBucket(bucketJournal, nil, past); err != nil {
			return err
		}
		if _, err := tx.CreateBucket(bucketJournal); err != nil {
			return err
		}
		if err := empty(tx, bucketUndone); err != nil {
			return err
		}
		return putHead(tx, next)
	})
	if err != nil {
		return err
	}
	f.head, f.length, f.undone = next, 0, 0
	return nil
}

// Before lists the journals that Reset put aside, oldest first.
func (f *File) Before() ([]Past, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Past
	err := f.view(func(tx *bbolt.Tx) error {
		before := tx.Bucket(bucketBefore)
		return before.ForEachBucket(func(k []byte) error {
			b := before.Bucket(k)
			payload, err := readWhole(b.Get(keyHeader), kindHeader)
			if err != nil {
				return &groupFault{text: fmt.Sprintf("the header of journal %x before a reset: %v", k, err)}
			}
			h, err := decodeHead(payload)
			if err != nil {
				return &groupFault{text: fmt.Sprintf("the header of journal %x before a reset: %v", k, err)}
			}
			n, err := journalLength(b.Bucket(bucketJournal))
			all = append(all, Past{h.Header, n})
			return err
		})
	})
	return all, f.explain(err)
}

// EachBefore visits the entries of the journal that Before lists at index i, in order.
func (f *File) EachBefore(i int, visit func(Entry) error) error {
	if i < 0 {
		return errors.New("there is no such journal before a reset")
	}
	key := binary.BigEndian.AppendUint64(nil, uint64(i)+1)
	_, err := f.walk(1, visit, bucketBefore, key, bucketJournal)
	return f.explain(err)
}
