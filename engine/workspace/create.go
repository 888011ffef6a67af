package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// Create makes a workspace and opens it. A file that exists is used only where
// it is empty; otherwise the error is *Exists, or *Locked where another process
// has it open. The folder must exist (*NoFolder), but for the default workspace,
// whose folder is made. A workspace that could not be made whole is not there.
func Create(path string, h Header) (*File, error) {
	real, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if err := vacant(path, real); err != nil {
		return nil, err
	}
	if err := makeFolder(real); err != nil {
		return nil, err
	}
	lock, err := acquire(real)
	if err != nil {
		return nil, err
	}
	f, err := create(path, real, lock, h)
	if err != nil {
		_ = lock.release()
		return nil, err
	}
	return f, nil
}

func create(path, real string, lock *lockFile, h Header) (*File, error) {
	if err := vacant(path, real); err != nil {
		return nil, err // another process was quicker
	}
	h.Format = Format
	fresh := real + ".new"
	if err := build(path, fresh, head{Header: h}, nil); err != nil {
		return nil, err
	}
	if err := os.Rename(fresh, real); err != nil {
		_ = os.Remove(fresh)
		return nil, storing(path, err)
	}
	if err := syncFolder(filepath.Dir(real)); err != nil {
		return nil, storing(path, err)
	}
	return openLocked(path, real, lock, false)
}

// vacant returns nil where a workspace can be made.
func vacant(path, real string) error {
	err := examine(path, real)
	foreign := new(Foreign)
	switch {
	case err == nil:
		return &Exists{path}
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &foreign) && foreign.Empty:
		return nil
	}
	return err
}

// build writes a whole new file at fresh, which gets its final name afterwards:
// so a workspace is there completely or not at all. What an earlier attempt left
// at fresh is removed; the lock file keeps everyone else away. Errors name path.
func build(path, fresh string, h head, fill func(tx *bbolt.Tx) error) (err error) {
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return storing(path, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(fresh)
		}
	}()
	db, err := bbolt.Open(fresh, 0o600, &bbolt.Options{Timeout: lockWait, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return storing(path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		if fill != nil {
			if err := fill(tx); err != nil {
				return err
			}
		}
		return putHead(tx, h)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return storing(path, err)
	}
	return nil
}

// putHead stores a header.
func putHead(tx *bbolt.Tx, h head) error {
	rec, err := h.appendTo(nil)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketMeta).Put(keyHeader, rec)
}
