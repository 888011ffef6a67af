package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var anyEntry = rapid.Custom(func(t *rapid.T) Entry {
	return Entry{
		At:     rapid.Int64().Draw(t, "at"),
		Client: rapid.StringN(0, 8, -1).Draw(t, "client"),
		Branch: rapid.SampledFrom([]string{"", "main", "what if"}).Draw(t, "branch"),
		Text:   rapid.String().Draw(t, "text"),
		Hash:   rapid.Uint64().Draw(t, "hash"),
		Kind:   rapid.Byte().Draw(t, "kind"),
		Data:   append([]byte(nil), rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data")...),
	}
})

func TestEntryEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyEntry.Draw(t, "entry")
		want.N = rapid.Uint64Min(1).Draw(t, "n")
		gen := rapid.Uint64().Draw(t, "gen")
		rec, err := appendEntry([]byte("before"), &want, gen)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := readWhole(rec[len("before"):], kindEntry)
		if err != nil {
			t.Fatal(err)
		}
		got, gotGen, err := new(entryReader).decode(payload)
		if err != nil || gotGen != gen || !equal(got, want) {
			t.Fatalf("%v\n got %v %d\nwant %v %d", err, got, gotGen, want, gen)
		}
		at := rapid.IntRange(len("before"), len(rec)-1).Draw(t, "flipped byte")
		rec[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "flipped bit")
		if _, err := readWhole(rec[len("before"):], kindEntry); err == nil {
			t.Fatal("a flipped bit was not seen")
		}
	})
}

func equal(a, b Entry) bool {
	return slices.Equal(a.Data, b.Data) && a.N == b.N && a.At == b.At && a.Client == b.Client && a.Branch == b.Branch &&
		a.Text == b.Text && a.Hash == b.Hash && a.Kind == b.Kind
}

// TestAgainstSlices runs random steps on a file and on plain slices. After each
// reopening both hold the same, and so does a salvage of the raw bytes.
func TestAgainstSlices(t *testing.T) {
	for _, after := range []int{1, intakeAfter} { // with an intake early or late
		t.Run(fmt.Sprint("intake after ", after), func(t *testing.T) {
			takeInAfter(t, after)
			againstSlices(t)
		})
	}
}

// takeInAfter has files get their intake after so many commits.
func takeInAfter(t *testing.T, n int) {
	old := intakeAfter
	t.Cleanup(func() { intakeAfter = old })
	intakeAfter = n
}

func againstSlices(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp(base, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		path := filepath.Join(folder, "x.ringlab")
		f, err := Create(path, someHeader)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { f.Close() }()
		var journal, undone []Entry
		ok := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		read := func() (got []Entry) {
			ok(f.Each(1, func(e Entry) error { got = append(got, e); return nil }))
			return got
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				group := rapid.SliceOfN(anyEntry, 1, 5).Draw(t, "group")
				for range rapid.SampledFrom([]int{0, 0, 3, 7}).Draw(t, "doublings") {
					group = append(group, group...)
				}
				ok(f.Append(group))
				journal, undone = append(journal, group...), nil
			},
			"truncate": func(t *rapid.T) {
				n := rapid.IntRange(0, len(journal)).Draw(t, "after")
				ok(f.Truncate(uint64(n)))
				undone = append(slices.Clone(journal[n:]), undone...)
				journal = journal[:n:n]
			},
			"redo": func(t *rapid.T) {
				n := rapid.IntRange(0, len(undone)+1).Draw(t, "count")
				back, err := f.Redo(uint64(n))
				ok(err)
				n = min(n, len(undone))
				if !slices.EqualFunc(back, undone[:n], equal) {
					t.Fatalf("redone %v", back)
				}
				journal, undone = append(journal, undone[:n]...), undone[n:]
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "rarely") == 0 {
					ok(f.Reset(someHeader))
					journal, undone = nil, nil
				}
			},
			"": func(t *rapid.T) {
				if uint64(len(journal)) != f.Len() {
					t.Fatalf("%d entries, want %d", f.Len(), len(journal))
				}
				if rapid.IntRange(0, 3).Draw(t, "reopen") > 0 {
					return
				}
				ok(f.Close())
				header, saved, report, err := Salvage(path)
				ok(err)
				if header.Seed != someHeader.Seed || !slices.EqualFunc(saved, journal, equal) {
					t.Fatalf("salvage: %d entries, want %d\n%s", len(saved), len(journal), report)
				}
				f, err = Open(path)
				ok(err)
				if got := read(); !slices.EqualFunc(got, journal, equal) {
					t.Fatalf("%d entries, want %d", len(got), len(journal))
				}
				aside, err := f.Undone()
				ok(err)
				if !slices.EqualFunc(aside, undone, equal) {
					t.Fatalf("%d undone, want %d", len(aside), len(undone))
				}
			},
		})
	})
}
