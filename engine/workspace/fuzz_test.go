package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func FuzzEntry(f *testing.F) {
	for _, e := range someEntries(1, 12) {
		rec, err := appendEntry(nil, &e, 3)
		must(f, err)
		f.Add(rec[recordHead:])
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		e, gen, err := new(entryReader).decode(payload)
		if err != nil {
			return
		}
		rec, err := appendEntry(nil, &e, gen)
		must(t, err)
		again, err := readWhole(rec, kindEntry)
		must(t, err)
		got, gotGen, err := new(entryReader).decode(again)
		if err != nil || gotGen != gen || !equal(got, e) {
			t.Fatalf("%v %d, then %v %d, %v", e, gen, got, gotGen, err)
		}
	})
}

func FuzzHeader(f *testing.F) {
	rec, err := head{Header: someHeader, gen: 4, cuts: []cut{{1, 2}, {4, 9}}}.appendTo(nil)
	must(f, err)
	f.Add(rec[recordHead:])
	f.Fuzz(func(t *testing.T, payload []byte) {
		h, err := decodeHead(payload)
		if err != nil {
			return
		}
		rec, err := h.appendTo(nil)
		must(t, err)
		again, err := readWhole(rec, kindHeader)
		must(t, err)
		got, err := decodeHead(again)
		must(t, err)
		same(t, "header", got, h)
	})
}

// fuzzContent is a small workspace's bytes, without the free pages at its end.
func fuzzContent(f *testing.F) []byte {
	path := newPath(f)
	file := mustCreate(f, path)
	mustAppend(f, file, someEntries(1, 40))
	must(f, file.Truncate(37))
	_, err := file.PutBlob([]byte("a,b"))
	must(f, err)
	must(f, file.Close())
	content, err := os.ReadFile(path)
	must(f, err)
	return bytes.TrimRight(content, "\x00")
}

// FuzzSurvey scans any bytes: whatever is found is whole and in order.
func FuzzSurvey(f *testing.F) {
	content := fuzzContent(f)
	f.Add(content)
	f.Add(content[len(content)/2:])
	f.Add([]byte("\xf5RL\x01E"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s := survey(bytes.NewReader(content), int64(len(content)))
		entries, err := s.load(bytes.NewReader(content))
		must(t, err)
		for i, e := range entries {
			if e.N == 0 || i > 0 && entries[i-1].N >= e.N {
				t.Fatal("out of order")
			}
		}
		s.report("x")
	})
}

// FuzzOpen opens any bytes. Only the files that the walk over the pages lets
// through reach bbolt.
func FuzzOpen(f *testing.F) {
	content := fuzzContent(f)
	f.Add(content)
	f.Add(content[:8192])
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(folder, "x.ringlab")
		must(t, os.WriteFile(path, content, 0o600))
		file, err := Open(path)
		if err != nil {
			return
		}
		_ = file.Each(1, func(Entry) error { return nil })
		_, _ = file.Undone()
		_, _ = file.Before()
		_ = file.Truncate(file.Len() / 2)
		_ = file.Append(someEntries(1, 3))
		_ = file.Reset(someHeader)
		_ = file.Close()
	})
}
