package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"
)

// image is the content of an open file.
func image(t *testing.T, f *File) []byte {
	t.Helper()
	b, err := os.ReadFile(f.Path())
	must(t, err)
	return b
}

// abandon lets go of a file as a process does that is killed.
func abandon(t *testing.T, f *File) {
	t.Helper()
	must(t, f.db.Close())
	must(t, f.lock.release())
	f.db = nil
}

// sector is what a disk writes whole or not at all.
const sector = 512

// metaPages is where bbolt's two first pages end.
const metaPages = 2 * 4096

// torn is the older content with some of what the newer has: every sector that
// differs is taken where keep says so.
func torn(older, newer []byte, keep func(at int) bool) []byte {
	out := make([]byte, max(len(older), len(newer)))
	copy(out, older)
	for at := 0; at < len(newer); at += sector {
		end := min(at+sector, len(newer))
		if !bytes.Equal(out[at:end], newer[at:end]) && keep(at) {
			copy(out[at:end], newer[at:end])
		}
	}
	return out
}

// powerCuts are what a disk may hold where the power goes while older becomes
// newer. What bbolt commits is on disk before the first page that names it is
// written; in the intake anything may be there of a group, and nothing else is
// written meanwhile.
func powerCuts(r *rand.Rand, older, newer []byte) map[string][]byte {
	cuts := map[string][]byte{"all": newer}
	commit := !bytes.Equal(older[:metaPages], newer[:metaPages])
	for i, chance := range []int{0, 1, 5, 9, 10} {
		cuts[fmt.Sprint("part ", i)] = torn(older, newer, func(at int) bool {
			return (!commit || at >= metaPages) && r.IntN(10) < chance
		})
	}
	for i := range 4 { // all but one, or one alone, of what differs
		var at []int
		torn(older, newer, func(n int) bool {
			if !commit || n >= metaPages {
				at = append(at, n)
			}
			return true
		})
		if len(at) == 0 {
			break
		}
		one := at[r.IntN(len(at))]
		cuts[fmt.Sprint("one ", i)] = torn(older, newer, func(n int) bool {
			return (!commit || n >= metaPages) && (n == one) == (i%2 == 0)
		})
	}
	return cuts
}

// TestPowerCuts cuts the power while entries are stored, at every step of a long
// series: what was acknowledged is there when the file is opened again, the group
// that was under way is there whole or not at all, and whole where all of it had
// reached the disk. Now and then the series goes on with what such a disk holds.
func TestPowerCuts(t *testing.T) {
	takeInAfter(t, -1) // at a step of its own
	steps := 100
	if testing.Short() {
		steps = 50
	}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 3))
		folder := t.TempDir()
		f := mustCreate(t, filepath.Join(folder, "lab.ringlab"))
		journal := []Entry{}
		partly, wholly, moved := 0, 0, 0
		for step := range steps {
			older, before := image(t, f), slices.Clone(journal)
			what := ""
			switch k := r.IntN(30); {
			case f.intake.size == 0 && r.IntN(4) == 0:
				what = "intake"
				f.makeIntake()
			case k < 24:
				n := r.IntN(40) + 1
				if k == 0 {
					n = r.IntN(600) + 1
				}
				group := someEntries(uint64(len(journal))+1, n)
				for i := range group { // other content wherever numbers come again
					group[i].Text += fmt.Sprint(" -- ", seed, step) + string(bytes.Repeat([]byte{'.'}, r.IntN(300)))
				}
				what = fmt.Sprint("append ", n)
				mustAppend(t, f, group)
				journal = append(journal, group...)
			case k < 26:
				after := len(journal) - r.IntN(min(40, len(journal))+1)
				what = fmt.Sprint("truncate to ", after)
				must(t, f.Truncate(uint64(after)))
				journal = journal[:after:after]
			case k == 26:
				what = "blob"
				_, err := f.PutBlob(bytes.Repeat([]byte{byte(step)}, r.IntN(30_000)))
				must(t, err)
			case k == 27:
				what = "screen"
				must(t, f.SaveUI(make([]byte, r.IntN(3000))))
			case k == 28 && r.IntN(4) == 0:
				what = "reset"
				must(t, f.Reset(someHeader))
				journal = nil
			default:
				what = "reopen"
				must(t, f.Close())
				f = mustOpen(t, f.Path())
			}
			newer := image(t, f)
			if bytes.Equal(older, newer) {
				continue
			}
			if f.intake.used == 0 {
				moved++
			}
			cuts := powerCuts(r, older, newer)
			names := slices.Sorted(func(yield func(string) bool) {
				for name := range cuts {
					if !yield(name) {
						return
					}
				}
			})
			goOn := names[r.IntN(len(names))]
			for _, name := range names {
				if name != goOn && name != "all" && r.IntN(3) > 0 && len(newer) > 4<<20 {
					continue
				}
				path := filepath.Join(folder, "cut.ringlab")
				must(t, os.WriteFile(path, cuts[name], 0o600))
				g, err := Open(path)
				if err != nil {
					t.Fatalf("seed %d, step %d (%s), %s: %v", seed, step, what, name, err)
				}
				got := all(t, g)
				is, was := slices.EqualFunc(got, journal, equal), slices.EqualFunc(got, before, equal)
				if !is && (!was || name == "all") || g.Len() != uint64(len(got)) {
					t.Fatalf("seed %d, step %d (%s), %s: %d entries, which are neither the %d before nor the %d behind it", seed, step, what, name, len(got), len(before), len(journal))
				}
				if is && !was {
					wholly++
				} else if !is {
					partly++
				}
				abandon(t, g)
				if r.IntN(12) == 0 && name == goOn {
					must(t, f.Close())
					must(t, os.Rename(path, filepath.Join(folder, fmt.Sprint(step, ".ringlab"))))
					f = mustOpen(t, filepath.Join(folder, fmt.Sprint(step, ".ringlab")))
					journal = got
					break
				}
				must(t, os.Remove(path))
			}
		}
		t.Logf("%d times the state before, %d times the one behind; %d steps emptied the intake", partly, wholly, moved)
		if partly < 50 || wholly < 20 || moved < 3 {
			t.Error("too few to mean anything")
		}
		must(t, f.Close())
	}
}

// unclean is an open file with entries in its intake, and all of its entries.
func unclean(t *testing.T) (f *File, want []Entry) {
	t.Helper()
	takeInAfter(t, 1)
	f = mustCreate(t, newPath(t))
	want = someEntries(1, 300)
	for at := 0; at < len(want); at += 20 {
		mustAppend(t, f, want[at:at+20])
	}
	same(t, "taken in", f.intake.count(), uint64(280))
	return f, want
}

// TestIntakeRead reads entries that are not in the journal yet, from anywhere, also
// after an unclean end and without the right to write.
func TestIntakeRead(t *testing.T) {
	f, want := unclean(t)
	check := func(what string, f *File) {
		t.Helper()
		same(t, what, all(t, f), want)
		for _, from := range []uint64{1, 20, 21, 40, 41, 299, 300, 301} {
			var got []Entry
			must(t, f.Each(from, func(e Entry) error { got = append(got, e); return nil }))
			same(t, fmt.Sprint(what, " from ", from), len(got), len(want)+1-int(from))
		}
	}
	check("open", f)
	content := image(t, f)
	abandon(t, f)
	read, err := OpenReadOnly(f.Path())
	must(t, err)
	check("read-only", read)
	must(t, read.Close())
	same(t, "changed by reading", bytes.Equal(image(t, f), content), true)

	_, saved, _, err := Salvage(f.Path())
	must(t, err)
	same(t, "salvaged", saved, want)

	f = mustOpen(t, f.Path())
	check("opened again", f)
	more := someEntries(301, 1)
	mustAppend(t, f, more)
	want = append(want, more...)
	must(t, f.Close())
	check("closed in between", mustOpen(t, f.Path()))
}

// TestIntakeDamage spoils blocks of the intake. Where another group follows, that
// is told; the last group may be one that was under way.
func TestIntakeDamage(t *testing.T) {
	f, want := unclean(t)
	content := image(t, f)
	var starts []int
	for at := int(f.intake.at); at < int(f.intake.at+f.intake.used); at += intakeBlock {
		if _, _, err := readIntake(content[at:], 0); err == nil {
			starts = append(starts, at)
		}
	}
	same(t, "groups", len(starts), 14)
	end := int(f.intake.at + f.intake.used)
	abandon(t, f)
	path := newPath(t)
	for i, start := range starts {
		next := end
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		for _, at := range []int{start, start + 9, start + 20, start + 100, start + 700} {
			spoiled := bytes.Clone(content)
			spoiled[at] ^= 4
			must(t, os.WriteFile(path, spoiled, 0o600))
			whole := 20 + 20*uint64(i)
			g, err := Open(path)
			if next == end {
				must(t, err)
				same(t, "without the last group", g.Len(), whole)
				must(t, g.Close())
				continue
			}
			damaged := new(Damaged)
			if !errors.As(err, &damaged) || damaged.Recovered < whole {
				t.Fatalf("group %d: %v", i, err)
			}
			_, recovered, err := Repair(path)
			must(t, err)
			g = mustOpen(t, path)
			same(t, "repaired", all(t, g), want[:recovered])
			must(t, g.Close())
		}
	}
}

// TestOlderFormat opens a file that was made before there were intakes, which gets
// one, and is of the newer format from then on.
func TestOlderFormat(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	f.head.Format = 1
	must(t, f.update(func(tx *bbolt.Tx) error { return putHead(tx, f.head) }))
	mustAppend(t, f, someEntries(1, 5))
	must(t, f.Close())
	takeInAfter(t, 2)
	f = mustOpen(t, path)
	same(t, "format", f.Header().Format, 1)
	mustAppend(t, f, someEntries(6, 5))
	same(t, "format", f.Header().Format, 1)
	mustAppend(t, f, someEntries(11, 5))
	same(t, "format", f.Header().Format, 2)
	mustAppend(t, f, someEntries(16, 5))
	same(t, "taken in", f.intake.count(), uint64(5))
	must(t, f.Close())
	f = mustOpen(t, path)
	same(t, "format", f.Header().Format, 2)
	same(t, "entries", all(t, f), someEntries(1, 20))
}
