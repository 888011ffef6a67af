package engine_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/cluster"
	"ringlab/engine/event"
	"ringlab/engine/render"
	"ringlab/engine/storage"
)

// small are options under which each strategy does all it can with a few megabytes.
var small = map[string][]string{
	"STCS": {"'class': 'SizeTieredCompactionStrategy', 'min_threshold': 2, 'max_threshold': 4, 'min_sstable_size': 0",
		"'class': 'SizeTieredCompactionStrategy', 'tombstone_compaction_interval': 1, 'unchecked_tombstone_compaction': 'true'"},
	"LCS": {"'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 1, 'fanout_size': 2",
		"'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 1, 'fanout_size': 1, 'single_sstable_uplevel': 'true', 'tombstone_compaction_interval': 1"},
	"TWCS": {"'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'MINUTES', 'min_threshold': 2, 'expired_sstable_check_frequency_seconds': 0",
		"'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'MINUTES', 'tombstone_compaction_interval': 1"},
	"UCS": {"'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T2, L3', 'min_sstable_size': '0B', 'target_sstable_size': '1MiB', 'flush_size_override': '1MiB'",
		"'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'L4', 'min_sstable_size': '0B', 'base_shard_count': 3, 'sstable_growth': '0', 'target_sstable_size': '1MiB', 'overlap_inclusion_method': 'SINGLE'"},
}

// fewer draws so many cases where each costs much.
func fewer(t *testing.T, cases string) {
	old := flag.Lookup("rapid.checks").Value.String()
	flag.Set("rapid.checks", cases)
	t.Cleanup(func() { flag.Set("rapid.checks", old) })
}

// watched is a table on a ring of one node whose compactions somebody counts.
type watched struct {
	*storageRun
	flushed, written int64
}

func newWatched(t *rapid.T, create string) *watched {
	lab, err := engine.New(engine.Options{Ring: "dc1=1 vnodes=4"})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{storageRun: &storageRun{lab: lab}}
	w.must(t, "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", create)
	c := lab.Core().Cluster
	w.table = c.Schema.Table("ks", "t")
	c.Listen(func(r *event.Record) {
		switch r.Kind {
		case event.Flush:
			w.flushed, w.written = w.flushed+r.M, w.written+r.M
		case event.CompactEnd:
			w.written += r.M
		}
	})
	return w
}

func (w *watched) must(t *rapid.T, statements ...string) {
	if what := w.do(statements); what != "" {
		t.Fatal(what)
	}
}

// answers are what a client sees of the table.
func (w *watched) answers() string {
	var b strings.Builder
	for _, q := range []string{"SELECT JSON * FROM ks.t", "SELECT JSON k, c, writetime(v) FROM ks.t WHERE k = 3", "SELECT JSON count(*) FROM ks.t WHERE k = 1 AND c > 1"} {
		for _, a := range w.lab.Do(q) {
			b.WriteString(render.Text(a, false))
		}
	}
	return b.String()
}

// check compares the store's numbers with what was counted, and the levels.
func (w *watched) check(t *rapid.T) {
	s := w.store()
	if s.BytesFlushed != w.flushed || s.BytesWritten != w.written {
		t.Fatalf("%d bytes were flushed and %d written; the table says %d and %d", w.flushed, w.written, s.BytesFlushed, s.BytesWritten)
	}
	bytes := int64(0)
	for _, f := range s.SSTables {
		bytes += f.DataBytes
		if n := len(f.Data(w.table)); int64(n) != f.DataBytes {
			t.Fatalf("sstable %d says %d bytes and has %d", f.Gen, f.DataBytes, n)
		}
		parts := int64(0)
		for _, p := range f.Parts {
			parts += f.Size(w.table, p.Token, p.Key)
		}
		if parts != f.DataBytes {
			t.Fatalf("the partitions of sstable %d have %d bytes, the file %d", f.Gen, parts, f.DataBytes)
		}
		for _, o := range s.SSTables {
			a, b := f.File(), o.File()
			if f != o && f.Level > 0 && f.Level == o.Level && a.First.Compare(b.Last) <= 0 && b.First.Compare(a.Last) <= 0 {
				t.Fatalf("sstables %d and %d of L%d overlap", f.Gen, o.Gen, f.Level)
			}
		}
	}
	if s.PeakData < bytes || s.PeakData > s.BytesWritten {
		t.Fatalf("at most %d bytes were on disk, but %d are now and %d were written", s.PeakData, bytes, s.BytesWritten)
	}
}

// chooseFiles compacts some of the files now and then, whatever their strategy
// thinks of it: tombstones come without what they hide, and the other way round.
func (w *watched) chooseFiles(t *rapid.T) {
	chosen := ""
	for _, f := range w.sorted() {
		if !f.Busy && rapid.IntRange(0, 2).Draw(t, "choose") == 0 {
			chosen += fmt.Sprintf(" %d", f.Gen)
		}
	}
	if chosen != "" && rapid.IntRange(0, 3).Draw(t, "by hand") == 0 {
		w.must(t, ":compact --user-defined ks.t"+chosen)
	}
}

// TestCompactionChangesNoAnswer: whatever is written, deleted, flushed and
// compacted, and whenever, a table under any strategy answers as one that never
// compacts. With the tombstones of gc_grace 0 gone and rows as large as that the
// levels fill, no deleted cell returns and no live one is lost; levels never
// overlap; what the table counts is what a listener counts.
func TestCompactionChangesNoAnswer(t *testing.T) {
	for _, name := range []string{"STCS", "LCS", "TWCS", "UCS"} {
		t.Run(name, func(t *testing.T) {
			fewer(t, "25")
			did, most := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				grace := rapid.SampledFrom([]int{0, 30, 864000}).Draw(t, "gc_grace")
				create := fmt.Sprintf("CREATE TABLE ks.t (k int, c int, s text static, v text, m map<int, int>, PRIMARY KEY (k, c)) WITH gc_grace_seconds = %d AND ", grace)
				if name == "LCS" || rapid.Bool().Draw(t, "uncompressed") { // repeated letters would leave nothing to fill levels with
					create += "compression = {'enabled': 'false'} AND "
				}
				create += "compaction = "
				w := newWatched(t, create+"{"+rapid.SampledFrom(small[name]).Draw(t, "options")+"}")
				plain := newWatched(t, create+"{'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}")
				for range rapid.IntRange(5, 60).Draw(t, "steps") {
					step := drawStep(t, grace)
					for _, s := range step {
						if !strings.HasPrefix(s, ":compact") {
							plain.must(t, s)
						}
					}
					w.must(t, step...)
					w.chooseFiles(t)
					w.check(t)
					// A major compaction takes its time; the other table waits as long.
					late := w.lab.Core().Cluster.Now() - plain.lab.Core().Cluster.Now()
					if late > 0 {
						plain.lab.Core().Cluster.Advance(w.lab.Core().Cluster.Now())
					}
				}
				if got, want := w.answers(), plain.answers(); got != want {
					t.Fatalf("with compaction the answers are\n%s\nwithout\n%s", got, want)
				}
				did += w.store().Compactions
				for _, f := range w.store().SSTables {
					most = max(most, f.Level)
				}
			})
			t.Logf("%d compactions, highest level %d", did, most)
			if did == 0 || name == "LCS" && most < 2 {
				t.Errorf("the histories led to %d compactions and level %d at most: too little to say anything", did, most)
			}
		})
	}
}

// drawStep is a write, a deletion, or something that moves files. Where tombstones
// may go soon, timestamps are the clock's: a write older than a tombstone that is
// gone would come back, as in Cassandra.
func drawStep(t *rapid.T, grace int) []string {
	k, c := rapid.IntRange(1, 6).Draw(t, "k"), rapid.IntRange(1, 3).Draw(t, "c")
	using := ""
	if grace > 30 && rapid.Bool().Draw(t, "own timestamp") {
		using = fmt.Sprintf(" USING TIMESTAMP %d", rapid.IntRange(1, 50).Draw(t, "at"))
	}
	switch n := rapid.IntRange(0, 19).Draw(t, "step"); {
	case n < 7:
		var out []string
		for i := range rapid.IntRange(1, 4).Draw(t, "rows") {
			value := strings.Repeat(string(rune('a'+(k+c+i)%26)), rapid.SampledFrom([]int{1, 1000, 150_000, 400_000}).Draw(t, "length"))
			out = append(out, fmt.Sprintf("INSERT INTO ks.t (k, c, v, m) VALUES (%d, %d, '%s', {%d: %d})%s", k+i, c, value, c, k, using))
		}
		return append(out, ":flush")
	case n < 8:
		gone := fmt.Sprintf("DELETE FROM ks.t%s WHERE k = %d", using, k)
		return []string{gone + fmt.Sprintf(" AND c = %d", c), ":flush", ":advance 40s"}
	case n < 9:
		ttl := fmt.Sprintf(" USING TTL %d", rapid.IntRange(1, 100).Draw(t, "ttl"))
		return []string{fmt.Sprintf("UPDATE ks.t%s SET v = 'short', m[%d] = 7 WHERE k = %d AND c = %d", ttl, c, k, c)}
	case n < 10:
		return []string{fmt.Sprintf("UPDATE ks.t%s SET s = 'static' WHERE k = %d", using, k)}
	case n < 14:
		return []string{fmt.Sprintf([]string{"DELETE FROM ks.t%s WHERE k = %d AND c = %d", "DELETE v FROM ks.t%s WHERE k = %d AND c = %d", "DELETE FROM ks.t%s WHERE k = %d AND c >= %d",
			"DELETE m FROM ks.t%s WHERE k = %d AND c = %d"}[n-10], using, k, c)}
	case n < 15:
		return []string{fmt.Sprintf("DELETE FROM ks.t%s WHERE k = %d", using, k)}
	case n < 17:
		return []string{":flush"}
	case n < 19:
		return []string{":advance " + rapid.SampledFrom([]string{"1ms", "2s", "45s", "10m", "2d"}).Draw(t, "time")}
	default:
		return []string{":flush", ":compact"}
	}
}

// TestReplayIsWhatHappened: a table's flushes replayed under its own strategy
// give what really was: files, bytes, compactions and the most that was on disk.
func TestReplayIsWhatHappened(t *testing.T) {
	for _, name := range []string{"STCS", "LCS", "TWCS", "UCS"} {
		t.Run(name, func(t *testing.T) {
			fewer(t, "25")
			rapid.Check(t, func(t *rapid.T) {
				w := newWatched(t, "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compaction = {"+small[name][0]+"}")
				for range rapid.IntRange(1, 15).Draw(t, "flushes") {
					for range rapid.IntRange(1, 4).Draw(t, "rows") {
						w.must(t, fmt.Sprintf("INSERT INTO ks.t (k, v) VALUES (%d, '%s')", rapid.IntRange(1, 9).Draw(t, "k"),
							strings.Repeat("x", rapid.SampledFrom([]int{1, 1000, 150_000, 400_000}).Draw(t, "length"))))
					}
					w.must(t, ":flush", ":advance "+rapid.SampledFrom([]string{"30s", "5m"}).Draw(t, "time"))
				}
				s := w.store()
				r, err := w.lab.Core().Cluster.Replay(0, w.table, w.table.Options)
				if err != nil {
					t.Fatal(err)
				}
				bytes := int64(0)
				for _, f := range s.SSTables {
					bytes += f.DataBytes
				}
				really := cluster.Replayed{Strategy: name, Files: len(s.SSTables), Bytes: bytes, BytesFlushed: s.BytesFlushed, BytesWritten: s.BytesWritten, PeakDisk: s.PeakData, Compactions: s.Compactions,
					FilesPerRead: r.FilesPerRead, Least: r.Least}
				if name == "UCS" { // where regions are alike it takes one at random
					really.PeakDisk = r.PeakDisk
				}
				if r != really {
					t.Fatalf("the replay gives %+v, really it was %+v", r, really)
				}
				if s.History.Share() != 1 {
					t.Fatalf("of so little one key in %d is kept", s.History.Share())
				}
			})
		})
	}
}

// TestCompactionNeedsRoom: a compaction for whose output the disk has no room
// leaves out its largest files; with one file left, or with files that somebody
// chose, it is not begun and all files stay.
func TestCompactionNeedsRoom(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	r := &storageRun{lab: lab}
	r.do([]string{":set autocompaction off", "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", "CREATE TABLE ks.t (k int PRIMARY KEY, v text)"})
	c := lab.Core().Cluster
	r.table = c.Schema.Table("ks", "t")
	for k, length := range []int{1000, 2000, 90000, 3000} {
		r.do([]string{fmt.Sprintf("INSERT INTO ks.t (k, v) VALUES (%d, '%s')", k, strings.Repeat("x", length)), ":flush"})
	}
	n := c.Nodes[0]
	var disk int64
	for _, f := range r.store().SSTables {
		disk += f.DiskBytes()
	}
	c.Set.DiskSpace = disk + 50<<20 + 8000 // and of these 8000 bytes, 95 % may be used
	if k, err := c.CompactFiles(0, r.table, []int{1, 3}); k != nil || err == nil || n.Aborted != 1 {
		t.Errorf("chosen files of 91 kB were compacted in 8 kB: %v %v", k, err)
	}
	started := c.Compact(0, r.table, false)
	if len(started) != 1 || !slices.Equal(started[0].Gens(), []int{1, 2, 4}) || n.Reduced != 1 || n.Dropped != 1 {
		t.Errorf("compactions %v begun, %d reduced, %d files left out", started, n.Reduced, n.Dropped)
	}
	c.Set.DiskSpace = 1
	if started = c.Compact(0, r.table, false); len(started) != 0 || n.Aborted != 2 {
		t.Errorf("a compaction began on a full disk")
	}
	if files := r.sorted(); len(files) != 4 || slices.ContainsFunc(files, func(f *storage.SSTable) bool { return f.Busy }) {
		t.Errorf("the files of what was not begun are not free: %v", files)
	}
}

// TestThroughputIsShared: two compactions that run at once take twice as long,
// and one that is left alone goes on at the full rate.
func TestThroughputIsShared(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	r := &storageRun{lab: lab}
	r.do([]string{":set autocompaction off", ":setcompactionthroughput 1", "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"})
	c := lab.Core().Cluster
	var ks []*cluster.Compaction
	for i, rows := range []int{2, 4, 1} {
		name := fmt.Sprintf("t%d", i)
		r.do([]string{"CREATE TABLE ks." + name + " (k int PRIMARY KEY, v text)"})
		for k := range rows {
			r.do([]string{fmt.Sprintf("INSERT INTO ks.%s (k, v) VALUES (%d, '%s')", name, k, strings.Repeat("x", 512<<10))})
		}
		r.do([]string{":flush"})
	}
	for i := range 3 {
		ks = append(ks, c.Compact(0, c.Schema.Table("ks", fmt.Sprintf("t%d", i)), false)...)
	}
	if running, waiting := len(c.Nodes[0].Running()), len(c.Nodes[0].Waiting()); running != 2 || waiting != 1 {
		t.Fatalf("%d compactions run and %d wait, want 2 and 1", running, waiting)
	}
	start := c.Now()
	c.Advance(start + 10_000_000)
	// 1 MiB and 2 MiB at half a MiB a second each; then the half MiB that waited
	// beside the second MiB of the other, which goes on alone at the end.
	for i, want := range []float64{2, 3.5, 3} {
		if took := float64(ks[i].End-start) / 1e6; !ks[i].Finished() || took < want-0.01 || took > want+0.01 {
			t.Errorf("compaction %d ended after %.3f s, want %.1f", i, took, want)
		}
	}
}
