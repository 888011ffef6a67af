// Package compaction decides which SSTables are compacted together, one file a
// strategy. It sees sizes only, reads no clock and moves no data.
package compaction

import "sort"

// File is what a strategy sees of an SSTable.
type File struct {
	Gen   int
	Bytes int64 // on-disk length of the data
	Disk  int64 // of all components
	Hot   float64
}

// SizeTiered is SizeTieredCompactionStrategy. The zero value has the defaults.
type SizeTiered struct {
	BucketLow, BucketHigh float64 // 0 means 0.5 and 1.5
	MinSSTableSize        int64   // bytes; negative means 50 MiB
	MinThreshold          int     // 0 means 4
	MaxThreshold          int     // 0 means 32
}

// DefaultSizeTiered has Cassandra's defaults.
var DefaultSizeTiered = SizeTiered{BucketLow: 0.5, BucketHigh: 1.5, MinSSTableSize: 50 << 20, MinThreshold: 4, MaxThreshold: 32}

// Bucket is a group of files of similar size.
type Bucket struct {
	Avg   int64
	Files []File
}

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
	var best []File
	var bestHot, bestSize float64
	for _, b := range s.Buckets(files) {
		cut := append([]File(nil), b.Files...)
		sort.SliceStable(cut, func(i, j int) bool { return cut[i].Hot > cut[j].Hot })
		if len(cut) > s.MaxThreshold {
			cut = cut[:s.MaxThreshold]
		}
		if len(cut) < s.MinThreshold {
			continue
		}
		hot, size := 0.0, 0.0
		for _, f := range cut {
			hot += f.Hot
			size += float64(f.Disk)
		}
		size /= float64(len(cut))
		if best == nil || hot > bestHot || hot == bestHot && size > bestSize {
			best, bestHot, bestSize = cut, hot, size
		}
	}
	return best
}
