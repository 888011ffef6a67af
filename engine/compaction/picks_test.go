package compaction_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/compaction"
	"ringlab/ring"
)

// drawTable draws files; those of levels above 0 do not overlap within a level.
func drawTable(t *rapid.T) *compaction.Table {
	table := &compaction.Table{Now: 1_000_000_000, GCBefore: 900_000, MemTimestamp: rapid.Int64Range(0, 2000).Draw(t, "memtable"), Coverage: 1, FlushBytes: 1 << 20,
		SpanOf: func(first, last ring.Token) float64 { f, _ := ring.Murmur3.Size(first, last); return f },
		Draw:   func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "draw") }}
	edge := map[int]int64{} // of each level, where its last file ends
	for gen := range rapid.IntRange(0, 45).Draw(t, "files") {
		level := rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3}).Draw(t, "level")
		first := rapid.Int64Range(0, 900).Draw(t, "first")
		if level > 0 {
			first = edge[level] + rapid.Int64Range(1, 50).Draw(t, "gap")
		}
		last := first + rapid.Int64Range(0, 100).Draw(t, "length")
		edge[level] = last
		f := compaction.File{Gen: gen + 1, Bytes: rapid.Int64Range(1, 400).Draw(t, "bytes") << 20, Level: level, Busy: rapid.IntRange(0, 5).Draw(t, "busy") == 0,
			First: at(first), Last: at(last), Created: rapid.Int64Range(0, 1_000_000_000).Draw(t, "created"), MaxLocal: compaction.NoDeletion, Keys: 10, Cells: 100}
		f.MinTimestamp = rapid.Int64Range(0, 1000).Draw(t, "oldest")
		f.MaxTimestamp = f.MinTimestamp + rapid.Int64Range(0, 1000).Draw(t, "newer")
		if rapid.Bool().Draw(t, "tombstones") {
			f.MaxLocal = rapid.Int64Range(800_000, 1_000_000).Draw(t, "dies")
			f.Drops = compaction.NewDrops(map[int64]int64{f.MaxLocal: 50})
		}
		f.Disk, f.Span = f.Bytes, table.SpanOf(f.First.Token, f.Last.Token)
		table.Files = append(table.Files, f)
	}
	return table
}

// at is a place far enough from the next for a file between both to have a span.
func at(n int64) compaction.Position {
	return compaction.Position{Token: ring.Murmur3Token(n << 50)}
}

// TestPicks: whatever the files, a strategy picks free ones, each once, and says
// why; looking at tiers and at what is due changes no pick; files that it drops as
// expired hide nothing older.
func TestPicks(t *testing.T) {
	twcs, lcs, ucs := compaction.DefaultTimeWindow, compaction.DefaultLeveled, compaction.DefaultUnified
	twcs.Window, twcs.PerMilli = 1, 1
	ucs.Scaling, ucs.FlushBytes = []int{2, -2, 0}, 100<<20
	for _, s := range []compaction.Strategy{compaction.DefaultSizeTiered, lcs, twcs, ucs} {
		t.Run(s.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				table := drawTable(t)
				m := compaction.NewMemory(s, table.Files, 0)
				held := 0
				for _, tier := range s.Tiers(table, &m) {
					held += len(tier.Files)
				}
				if due := s.Due(table, &m); due <= table.Now-1_000_000_000 {
					t.Fatalf("a check is due at %d", due)
				}
				p := s.Next(table, &m)
				if p.Why == "" || p.Pending < 0 {
					t.Fatalf("no reason, or %d pending", p.Pending)
				}
				seen := map[int]bool{}
				for _, f := range p.Files {
					if f.Busy || seen[f.Gen] {
						t.Fatalf("sstable %d is busy or picked twice", f.Gen)
					}
					seen[f.Gen] = true
				}
				for _, f := range compaction.Expired(table, p.Files) {
					for _, o := range table.Files {
						if !o.Busy && o.MaxLocal >= table.GCBefore && f.MaxTimestamp >= o.MinTimestamp && f.First.Compare(o.Last) <= 0 && o.First.Compare(f.Last) <= 0 {
							t.Fatalf("sstable %d is dropped as expired and may hide what sstable %d has", f.Gen, o.Gen)
						}
					}
				}
				if s.Name() == "LCS" {
					checkLevel(t, table, p)
				}
				if len(p.Files) > 0 && s.Name() != "UCS" && held == 0 {
					t.Fatalf("files were picked and no tier has any")
				}
			})
		})
	}
}

// checkLevel: the output of a leveled compaction overlaps nothing that stays in
// its level.
func checkLevel(t *rapid.T, table *compaction.Table, p compaction.Pick) {
	if p.Level == 0 || len(p.Files) == 0 {
		return
	}
	picked := map[int]bool{}
	first, last := p.Files[0].First, p.Files[0].Last
	for _, f := range p.Files {
		picked[f.Gen] = true
		if f.First.Compare(first) < 0 {
			first = f.First
		}
		if f.Last.Compare(last) > 0 {
			last = f.Last
		}
	}
	for _, f := range table.Files {
		if f.Level != p.Level || picked[f.Gen] || f.First.Compare(last) > 0 || first.Compare(f.Last) > 0 {
			continue
		}
		// A file between two of the picked ones is not in its way.
		for _, g := range p.Files {
			if f.First.Compare(g.Last) <= 0 && g.First.Compare(f.Last) <= 0 {
				t.Fatalf("the output goes to L%d, where sstable %d overlaps sstable %d", p.Level, f.Gen, g.Gen)
			}
		}
	}
}

// TestDrops: every deletion counts once, rounded up to the minute; what lies
// between two bins is on a straight line; a hundred bins are enough for any number
// of seconds, and none is lost. Source: Cassandra 5.0 TombstoneHistogram.
func TestDrops(t *testing.T) {
	d := compaction.NewDrops(map[int64]int64{1: 2, 60: 3, 61: 10, 300: 20})
	for _, c := range []struct {
		second int64
		want   float64
	}{{59, 0}, {60, 2.5}, {120, 10}, {180, 13.88888888888889}, {300, 35}, {999, 35}} {
		if got := d.Before(c.second); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v before %d, want %v", got, c.second, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.MapOfN(rapid.Int64Range(0, 1_000_000), rapid.Int64Range(1, 100), 0, 400).Draw(t, "seconds")
		sum := int64(0)
		for _, n := range seconds {
			sum += n
		}
		d := compaction.NewDrops(seconds)
		if len(d) > 100 || d.Before(2_000_000) != float64(sum) {
			t.Fatalf("%d bins hold %v of %d", len(d), d.Before(2_000_000), sum)
		}
		for i := range d {
			if i > 0 && (d[i-1].At >= d[i].At || d.Before(d[i-1].At) > d.Before(d[i].At)) {
				t.Fatalf("bins are out of order: %v", d)
			}
		}
	})
}
