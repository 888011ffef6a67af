package workspace

import (
	"encoding/binary"

	"go.etcd.io/bbolt"
)

// maxHistory is how many lines of history are kept.
const maxHistory = 10_000

// LoadUI is what SaveUI stored last, nil where there is nothing or where it
// cannot be read: the screen then starts as it does the first time.
func (f *File) LoadUI() []byte {
	value, err := f.get(bucketUI, keyState)
	if err != nil || value == nil {
		return nil
	}
	state, err := readWhole(value, kindUI)
	if err != nil {
		return nil
	}
	return state
}

// SaveUI stores what the screen remembers.
func (f *File) SaveUI(state []byte) error {
	rec, err := makeRecord(kindUI, state)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.update(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketUI).Put(keyState, rec)
	})
}

// LoadHistory is the lines given to AddHistory, oldest first, at most the last
// 10,000. Lines that cannot be read are left out.
func (f *File) LoadHistory() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var lines []string
	err := f.view(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketHistory).ForEach(func(_, v []byte) error {
			if line, err := readWhole(v, kindHistory); err == nil {
				lines = append(lines, string(line))
			}
			return nil
		})
	})
	if err != nil {
		return nil
	}
	return lines
}

// AddHistory stores a line typed by the user.
func (f *File) AddHistory(line string) error {
	rec, err := makeRecord(kindHistory, []byte(line))
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucketHistory)
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		if n > maxHistory {
			if err := b.Delete(binary.BigEndian.AppendUint64(nil, n-maxHistory)); err != nil {
				return err
			}
		}
		return b.Put(binary.BigEndian.AppendUint64(nil, n), rec)
	})
}
