package compaction

import (
	"fmt"
	"sort"
)

// SizeTiered is SizeTieredCompactionStrategy.
type SizeTiered struct {
	BucketLow, BucketHigh float64
	MinSSTableSize        int64 // bytes
	MinThreshold          int
	MaxThreshold          int
	Tombstones            Tombstones
}

// DefaultSizeTiered has Cassandra's defaults.
var DefaultSizeTiered = SizeTiered{BucketLow: 0.5, BucketHigh: 1.5, MinSSTableSize: 50 << 20, MinThreshold: 4, MaxThreshold: 32, Tombstones: DefaultTombstones}

// DefaultTombstones are the defaults of all strategies; the threshold is a
// 32-bit number, as Cassandra has it.
var DefaultTombstones = Tombstones{Threshold: float64(float32(0.2)), Interval: 86400}

// Bucket is a group of files of similar size.
type Bucket struct {
	Avg   int64
	Files []File
}

// Name is STCS.
func (s SizeTiered) Name() string { return "STCS" }

// Buckets groups files by size, smallest first. The average is carried on in
// whole bytes, as the source does. Source: SizeTieredCompactionStrategy.getBuckets.
func (s SizeTiered) Buckets(files []File) []Bucket {
	sorted := append([]File(nil), files...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Bytes < sorted[j].Bytes })
	var buckets []Bucket
next:
	for _, f := range sorted {
		for i := range buckets {
			b := &buckets[i]
			size, avg := float64(f.Bytes), float64(b.Avg)
			if size > avg*s.BucketLow && size < avg*s.BucketHigh || f.Bytes < s.MinSSTableSize && b.Avg < s.MinSSTableSize {
				n := int64(len(b.Files))
				b.Avg = (n*b.Avg + f.Bytes) / (n + 1)
				b.Files = append(b.Files, f)
				continue next
			}
		}
		buckets = append(buckets, Bucket{Avg: f.Bytes, Files: []File{f}})
	}
	return buckets
}

// Pick chooses the files of the next compaction, nil if no bucket is full
// enough. Source: SizeTieredCompactionStrategy.mostInterestingBucket.
func (s SizeTiered) Pick(files []File) []File {
	picked, _, _ := s.mostInteresting(s.Buckets(files))
	return picked
}

// mostInteresting is Pick for buckets; full is the number that could have been
// picked, hot whether it mattered how often their files are read.
func (s SizeTiered) mostInteresting(buckets []Bucket) (best []File, full int, hot bool) {
	var bestHot, bestSize float64
	for _, b := range buckets {
		cut := append([]File(nil), b.Files...)
		sort.SliceStable(cut, func(i, j int) bool { return cut[i].Hot > cut[j].Hot })
		if len(cut) > s.MaxThreshold {
			cut = cut[:s.MaxThreshold]
		}
		if len(cut) < s.MinThreshold {
			continue
		}
		full++
		heat, size := 0.0, 0.0
		for _, f := range cut {
			heat += f.Hot
			size += float64(f.Disk)
		}
		size /= float64(len(cut))
		hot = hot || best != nil && heat != bestHot
		if best == nil || heat > bestHot || heat == bestHot && size > bestSize {
			best, bestHot, bestSize = cut, heat, size
		}
	}
	return best, full, hot
}

// Next picks the most interesting bucket, or else a file for its tombstones.
// Source: SizeTieredCompactionStrategy.getNextBackgroundSSTables.
func (s SizeTiered) Next(t *Table, _ *Memory) Pick {
	files := t.free()
	buckets := s.Buckets(files)
	var p Pick
	for _, b := range buckets {
		if n := len(b.Files); n >= s.MinThreshold {
			p.Pending += (n + s.MaxThreshold - 1) / s.MaxThreshold
		}
	}
	picked, full, hot := s.mostInteresting(buckets)
	if picked != nil {
		p.Files = picked
		p.Why = fmt.Sprintf("the bucket of about %s has %s, min_threshold is %d", size(bytesOf(picked)/int64(len(picked))), count(len(picked), "file"), s.MinThreshold)
		if len(picked) == s.MaxThreshold {
			p.Why += fmt.Sprintf("; max_threshold %d cuts it", s.MaxThreshold)
		}
		switch {
		case full > 1 && hot:
			p.Why += fmt.Sprintf("; of %d full buckets its files are read most", full)
		case full > 1:
			p.Why += fmt.Sprintf("; of %d full buckets it has the largest files", full)
		}
		return p
	}
	if single(t, s.Tombstones, files, &p, func(a, b *File) bool { return a.Bytes > b.Bytes }) {
		return p
	}
	p.Why = s.whyNot(buckets)
	return p
}

// single makes p the compaction of one file for its tombstones, the first by an
// order; false if none is worth it.
func single(t *Table, o Tombstones, files []File, p *Pick, before func(a, b *File) bool) bool {
	var best *File
	for i := range files {
		if f := &files[i]; o.worth(t, f) && (best == nil || before(f, best)) {
			best = f
		}
	}
	if best == nil {
		return false
	}
	p.Files, p.Single = []File{*best}, true
	p.Why = fmt.Sprintf("%.0f%% of sstable %d can be dropped, tombstone_threshold is %.0f%%", best.Droppable(t.GCBefore)*100, best.Gen, o.Threshold*100)
	return true
}

func (s SizeTiered) whyNot(buckets []Bucket) string {
	fullest := Bucket{}
	for _, b := range buckets {
		if len(b.Files) >= len(fullest.Files) {
			fullest = b
		}
	}
	switch n := len(fullest.Files); n {
	case 0:
		return "there is no free SSTable"
	case s.MinThreshold - 1:
		return fmt.Sprintf("the next file of about %s starts a compaction: the bucket has %d of min_threshold %d", size(fullest.Avg), n, s.MinThreshold)
	default:
		return fmt.Sprintf("no bucket has min_threshold %d files: the fullest, of about %s, has %d", s.MinThreshold, size(fullest.Avg), n)
	}
}

// Major compacts everything. Source: SizeTieredCompactionStrategy.getMaximalTask.
func (s SizeTiered) Major(t *Table, split bool) []Pick {
	picks := wholeTable(t)
	if split && picks != nil {
		picks[0].Cut = Halves
	}
	return picks
}

// wholeTable makes one file of all.
func wholeTable(t *Table) []Pick {
	files := t.free()
	if len(files) == 0 {
		return nil
	}
	return []Pick{{Files: files, Why: "a major compaction takes all files"}}
}

// Chosen makes one file of the files that somebody chose.
func (s SizeTiered) Chosen(_ *Table, files []File) Pick {
	return Pick{Files: files, Why: "somebody chose these files"}
}

// Tiers are the buckets.
func (s SizeTiered) Tiers(t *Table, _ *Memory) []Tier {
	var out []Tier
	for _, b := range s.Buckets(t.free()) {
		out = append(out, Tier{Name: "~" + size(b.Avg), Files: b.Files, Bytes: bytesOf(b.Files), Have: len(b.Files), Need: s.MinThreshold})
	}
	return out
}

// Due is when a file may become worth compacting for its tombstones.
func (s SizeTiered) Due(t *Table, _ *Memory) int64 { return s.Tombstones.due(t) }
