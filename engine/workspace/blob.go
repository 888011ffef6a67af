package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
)

// PutBlob stores an input file and returns its SHA-256 in hexadecimal, by which
// Blob finds it. It is on disk when PutBlob returns, so an entry that names it
// may be appended then. The same content is stored once. At most 1 GiB.
func (f *File) PutBlob(data []byte) (hash string, err error) {
	sum := sha256.Sum256(data)
	hash = hex.EncodeToString(sum[:])
	if _, err := f.Blob(hash); err == nil {
		return hash, nil
	}
	rec, err := makeRecord(kindBlob, data)
	if err != nil {
		return "", fmt.Errorf("an input of %d bytes is %w", len(data), err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	err = f.update(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketBlobs).Put(sum[:], rec)
	})
	if err != nil {
		return "", err
	}
	return hash, nil
}

// NoBlob says that no input file is stored under a hash.
type NoBlob struct{ Path, Hash string }

func (e *NoBlob) Error() string {
	return fmt.Sprintf("%s holds no input file with the hash %s", e.Path, e.Hash)
}

// Blob is the input file with the given hash. The error is *NoBlob where there
// is none, and *Damaged where its content is not what was stored; PutBlob of
// the same content mends that.
func (f *File) Blob(hash string) ([]byte, error) {
	key, err := hex.DecodeString(hash)
	if err != nil || len(key) != sha256.Size {
		return nil, &NoBlob{f.path, hash}
	}
	value, err := f.get(bucketBlobs, key)
	if err != nil {
		return nil, err
	}
	if value == nil {
		return nil, &NoBlob{f.path, hash}
	}
	data, err := readWhole(value, kindBlob)
	if err == nil && sha256.Sum256(data) != [sha256.Size]byte(key) {
		err = errChecksum
	}
	if err != nil {
		return nil, &Damaged{Path: f.path, Lost: fmt.Sprintf("the input file %s: %v", hash, err), Recovered: f.Len()}
	}
	return data, nil
}

// get copies a value; nil where there is none.
func (f *File) get(bucket, key []byte) (value []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err = f.view(func(tx *bbolt.Tx) error {
		value = slices.Clone(tx.Bucket(bucket).Get(key))
		return nil
	})
	return value, err
}
