package compaction_test

import (
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/compaction"
)

// TestBuckets: every file lies in exactly one bucket, smallest first; what is
// picked is one bucket or the hottest part of one, of at least min_threshold and
// at most max_threshold files. The recorded cases are in golden/storage.
func TestBuckets(t *testing.T) {
	sizes := rapid.OneOf(rapid.Int64Range(0, 200), rapid.Int64Range(40<<20, 60<<20), rapid.Int64Range(0, 1<<40))
	rapid.Check(t, func(t *rapid.T) {
		s := compaction.DefaultSizeTiered
		s.MinThreshold = rapid.IntRange(2, 5).Draw(t, "min")
		s.MaxThreshold = s.MinThreshold + rapid.IntRange(0, 5).Draw(t, "more")
		s.MinSSTableSize = rapid.SampledFrom([]int64{0, 100, 50 << 20}).Draw(t, "min size")
		var files []compaction.File
		for i := range rapid.IntRange(0, 30).Draw(t, "files") {
			size := sizes.Draw(t, "size")
			files = append(files, compaction.File{Gen: i, Bytes: size, Disk: size + 5000, Hot: float64(rapid.IntRange(0, 2).Draw(t, "hot"))})
		}
		home, last := map[int]int{}, int64(-1)
		for n, b := range s.Buckets(files) {
			sum, most, least := int64(0), int64(0), int64(1<<62)
			for _, f := range b.Files {
				if _, twice := home[f.Gen]; twice {
					t.Fatalf("file %d lies in two buckets", f.Gen)
				}
				home[f.Gen] = n
				sum, most, least = sum+f.Bytes, max(most, f.Bytes), min(least, f.Bytes)
			}
			// Whole bytes are carried on, so the average loses less than one a file.
			if exact := sum / int64(len(b.Files)); b.Avg > exact || b.Avg < exact-int64(len(b.Files)) {
				t.Fatalf("bucket %d has the average %d, its files %d", n, b.Avg, exact)
			}
			if least < last {
				t.Fatalf("bucket %d begins with %d bytes, below %d of the one before", n, least, last)
			}
			if last = least; most >= s.MinSSTableSize && float64(most) > 2*float64(b.Avg)+1 {
				t.Fatalf("a file of %d bytes lies in a bucket of average %d", most, b.Avg)
			}
		}
		if len(home) != len(files) {
			t.Fatalf("%d of %d files lie in buckets", len(home), len(files))
		}
		picked := s.Pick(files)
		if picked == nil {
			for _, b := range s.Buckets(files) {
				if len(b.Files) >= s.MinThreshold {
					t.Fatalf("a bucket of %d files is full and nothing was picked", len(b.Files))
				}
			}
			return
		}
		if len(picked) < s.MinThreshold || len(picked) > s.MaxThreshold {
			t.Fatalf("%d files were picked of %d to %d", len(picked), s.MinThreshold, s.MaxThreshold)
		}
		chosen := map[int]bool{}
		coldest := 99.0
		for _, f := range picked {
			if chosen[f.Gen] || home[f.Gen] != home[picked[0].Gen] {
				t.Fatalf("picked files lie in buckets %d and %d", home[picked[0].Gen], home[f.Gen])
			}
			chosen[f.Gen] = true
			coldest = min(coldest, f.Hot)
		}
		for _, f := range files {
			if home[f.Gen] == home[picked[0].Gen] && !chosen[f.Gen] && f.Hot > coldest {
				t.Fatalf("file %d is hotter than one that was picked", f.Gen)
			}
		}
	})
}
