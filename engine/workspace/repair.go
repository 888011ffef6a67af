package workspace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// Repair writes a new workspace with what Salvage finds in a damaged one, and
// keeps the damaged file beside it as <path>.damaged-1 (or -2, …), whose path is
// backup. The journal is the entries before the first gap, recovered of them;
// whole entries behind it are put aside as if undone, so that Redo can try them.
// Input files are kept, what the screen remembers is not. At every moment path
// is either the damaged file or the new one. After an error nothing was changed.
func Repair(path string) (backup string, recovered uint64, err error) {
	real, err := resolve(path)
	if err != nil {
		return "", 0, err
	}
	if err := examine(path, real); err != nil {
		return "", 0, err
	}
	if err := writable(path, real); err != nil {
		return "", 0, err
	}
	lock, err := acquire(real)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	fresh := real + ".new"
	recovered, err = rebuild(path, real, fresh)
	if err != nil {
		return "", 0, err
	}
	backup, err = putBeside(path, real, fresh)
	if err != nil {
		_ = os.Remove(fresh)
		return "", 0, err
	}
	return backup, recovered, nil
}

// rebuild writes what can be saved to fresh.
func rebuild(path, real, fresh string) (uint64, error) {
	file, err := os.Open(real)
	if err != nil {
		return 0, opening(path, err)
	}
	defer file.Close()
	s, entries, err := salvage(path, file)
	if err != nil {
		return 0, err
	}
	if !s.haveHead {
		return 0, fmt.Errorf("%s cannot be repaired: the header is lost, with the ring and the seed that its %s ran on; it was left as it is", path, commands(uint64(len(entries))))
	}
	whole := s.intact()
	h := head{Header: s.head.Header}
	h.Format = Format
	if whole < uint64(len(entries)) {
		h = h.cutAfter(whole)
	}
	return whole, build(path, fresh, h, func(tx *bbolt.Tx) error {
		groups, _, err := makeGroups(nil, h, entries[:whole], 1)
		if err != nil {
			return err
		}
		if err := putGroups(tx.Bucket(bucketJournal), groups); err != nil {
			return err
		}
		if err := putAside(tx, h, entries[whole:]); err != nil {
			return err
		}
		return putBlobs(tx, file, s.blobs)
	})
}

func putBlobs(tx *bbolt.Tx, file *os.File, blobs []blobFound) error {
	for _, f := range blobs {
		rec := make([]byte, f.size)
		if _, err := file.ReadAt(rec, f.at); err != nil {
			return err
		}
		data, err := readWhole(rec, kindBlob)
		if err != nil || sha256.Sum256(data) != f.hash {
			return fmt.Errorf("the file changed while it was read")
		}
		if err := tx.Bucket(bucketBlobs).Put(f.hash[:], rec); err != nil {
			return err
		}
	}
	return nil
}

// putBeside gives the damaged file its new name and the new one the old name. A
// second name for the damaged file comes first, where the file system has such.
func putBeside(path, real, fresh string) (string, error) {
	for n := 1; ; n++ {
		backup := fmt.Sprintf("%s.damaged-%d", real, n)
		if _, err := os.Lstat(backup); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", storing(path, err)
		}
		linked := os.Link(real, backup) == nil
		if !linked {
			if err := os.Rename(real, backup); err != nil {
				return "", storing(path, err)
			}
		}
		if err := os.Rename(fresh, real); err != nil {
			if linked {
				return "", errors.Join(storing(path, err), os.Remove(backup))
			}
			return "", errors.Join(storing(path, err), os.Rename(backup, real))
		}
		return backup, syncFolder(filepath.Dir(real))
	}
}
