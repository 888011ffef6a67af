package workspace

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

func TestSalvageAndRepair(t *testing.T) {
	path, want := made(t, 900)
	f := mustOpen(t, path)
	inside, err := os.ReadFile(path) // a workspace within a workspace must not be taken for it
	must(t, err)
	hash, err := f.PutBlob(inside)
	must(t, err)
	must(t, f.Truncate(880))
	must(t, f.Close())
	content, err := os.ReadFile(path)
	must(t, err)

	// One command is broken, wherever it is stored, and the first page too.
	broken := bytes.ReplaceAll(content, []byte("tea 500'"), []byte("tee 500'"))
	at := bytes.Index(content, inside[:100])
	copy(broken[at:], inside) // but the blob is whole
	clear(broken[:4096])
	must(t, os.WriteFile(path, broken, 0o600))

	_, err = Open(path)
	damaged := new(Damaged)
	if !errors.As(err, &damaged) || damaged.Recovered != 499 {
		t.Fatal(err)
	}
	contains(t, err, path, "499 commands can be recovered", "repair")
	h, saved, report, err := Salvage(path)
	must(t, err)
	same(t, "seed", h.Seed, someHeader.Seed)
	same(t, "salvaged", saved, append(append([]Entry{}, want[:499]...), want[500:880]...))
	contains(t, errors.New(report), "Command 500 is missing", "first 499 can be replayed", "2 input files")

	must(t, os.WriteFile(path+".damaged-1", []byte("an earlier one"), 0o600))
	backup, recovered, err := Repair(path)
	must(t, err)
	same(t, "backup", backup, path+".damaged-2")
	same(t, "recovered", recovered, uint64(499))
	kept, err := os.ReadFile(backup)
	must(t, err)
	same(t, "the damaged file is kept", bytes.Equal(kept, broken), true)

	f = mustOpen(t, path)
	same(t, "entries", all(t, f), want[:499])
	same(t, "ring", f.Header().Ring, someHeader.Ring)
	blob, err := f.Blob(hash)
	must(t, err)
	same(t, "blob", bytes.Equal(blob, inside), true)
	aside, err := f.Undone()
	must(t, err)
	same(t, "behind the gap", aside, want[500:880])
	back, err := f.Redo(2)
	must(t, err)
	same(t, "number after the gap", back[1].N, uint64(501))
	aside, err = f.Undone()
	must(t, err)
	same(t, "behind the gap", aside, want[502:880])
	must(t, f.Close())
	_, saved, _, err = Salvage(path)
	must(t, err)
	same(t, "salvage of the repaired file", len(saved), 501)
}

func TestRepairWithoutHeader(t *testing.T) {
	path := newPath(t)
	rec, err := appendEntry(make([]byte, 4096), &Entry{N: 1, Text: "x"}, 0)
	must(t, err)
	must(t, os.WriteFile(path, rec, 0o600))
	_, saved, report, err := Salvage(path)
	must(t, err)
	same(t, "salvaged", len(saved), 1)
	contains(t, errors.New(report), "header is lost")
	_, _, err = Repair(path)
	contains(t, err, "header is lost", "left as it is")
	left, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	same(t, "files", len(left), 1)
}

func TestRepairOfWholeFile(t *testing.T) {
	path, want := made(t, 600)
	_, recovered, err := Repair(path)
	must(t, err)
	same(t, "recovered", recovered, uint64(600))
	same(t, "entries", all(t, mustOpen(t, path)), want)
}

func TestForeignBbolt(t *testing.T) {
	for _, syncFreelist := range []bool{true, false} {
		path := newPath(t)
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoFreelistSync: !syncFreelist})
		must(t, err)
		must(t, db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte("users"))
			if err != nil {
				return err
			}
			return b.Put([]byte("k"), []byte("v"))
		}))
		must(t, db.Close())
		_, err = Open(path)
		contains(t, err, "a bbolt database of another program")
		if !errors.As(err, new(*Foreign)) {
			t.Fatal(err)
		}
	}
}

// TestStoredFreelist opens a workspace that another tool copied: it then has a
// list of free pages, which is checked too.
func TestStoredFreelist(t *testing.T) {
	path, want := made(t, 900)
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{})
	must(t, err)
	must(t, db.Close())
	content, err := os.ReadFile(path)
	must(t, err)
	m0, err := readMeta(bytes.NewReader(content), 0)
	must(t, err)
	m1, err := readMeta(bytes.NewReader(content), 4096)
	must(t, err)
	list := max(m0.freelist+1, m1.freelist+1) - 1 // the one that is not "none"
	if m0.freelist == noFreelist {
		list = m1.freelist
	} else if m1.freelist == noFreelist {
		list = m0.freelist
	}
	for at := range 64 {
		for _, value := range []byte{0xff, 0x03, 0x00} {
			tampered := bytes.Clone(content)
			tampered[int(list)*m0.pageSize+at] = value
			copied := newPath(t)
			must(t, os.WriteFile(copied, tampered, 0o600))
			tryDamaged(t, "freelist", copied, want)
		}
	}
	f := mustOpen(t, path)
	same(t, "entries", all(t, f), want)
	mustAppend(t, f, someEntries(901, 3))
}

// TestScanOfBeginningsEnds scans a file made of nothing but beginnings of large records.
func TestScanOfBeginningsEnds(t *testing.T) {
	rec, err := makeRecord(kindEntry, make([]byte, 1<<20))
	must(t, err)
	content := bytes.Repeat(rec[:recordHead], 1<<18)
	s := survey(bytes.NewReader(content), int64(len(content)))
	same(t, "gave up", s.gaveUp, true)
}
