package storage

// History is what a store keeps of its flushes, so that they can be replayed
// under other compaction strategies: each flush's size, and its partitions as
// long as they are few enough. Beyond that it keeps those of a share of the keys,
// the same keys of every flush, so that what flushes have in common stays.
type History struct {
	Flushes []Flushed
	shift   uint  // one key in 1<<shift is kept
	kept    int64 // bytes of the partitions kept, estimated
}

// Flushed is one flush.
type Flushed struct {
	At         int64 // virtual µs
	Bytes      int64
	Partitions int
	Parts      []*Partition // of the keys that are kept, in file order
	Stats      Stats        // of the file's header
}

// keepBytes and keepFlushes bound a history; the oldest flushes go first.
const (
	keepBytes   = 8 << 20
	keepFlushes = 4096
)

// Share is one over the part of the keys that is kept.
func (h *History) Share() int { return 1 << h.shift }

// add notes a flush, which may have made several files.
func (h *History) add(files []*SSTable, at int64) {
	f := Flushed{At: at, Stats: files[0].Stats}
	for i, t := range files {
		f.Bytes += t.DataBytes
		f.Partitions += len(t.Parts)
		if i > 0 {
			f.Parts = append(f.Parts[:len(f.Parts):len(f.Parts)], t.Parts...)
		} else {
			f.Parts = t.Parts
		}
	}
	if h.shift > 0 {
		f.Parts = h.sample(f.Parts)
	}
	h.kept += f.keptBytes()
	if len(h.Flushes) == keepFlushes {
		h.kept -= h.Flushes[0].keptBytes()
		h.Flushes = append(h.Flushes[:0:0], h.Flushes[1:]...)
	}
	h.Flushes = append(h.Flushes, f)
	for h.kept > keepBytes && h.shift < 40 {
		h.shift++
		h.kept = 0
		for i := range h.Flushes {
			f := &h.Flushes[i]
			f.Parts = h.sample(f.Parts)
			h.kept += f.keptBytes()
		}
	}
}

func (f *Flushed) keptBytes() int64 { return f.Bytes * int64(len(f.Parts)) / int64(f.Partitions) }

// sample is the part of a file's partitions whose keys are kept.
func (h *History) sample(parts []*Partition) []*Partition {
	var out []*Partition
	for _, p := range parts {
		if hashKey(p.Key)>>(64-h.shift) == 0 {
			out = append(out, p)
		}
	}
	return out
}
