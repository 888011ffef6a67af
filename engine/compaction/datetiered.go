package compaction

import "math"

// DateTiered is DateTieredCompactionStrategy of 2.1, which 5.0 does not have. A table
// may have it; what it compacts by itself is not modelled, and Next says so.
type DateTiered struct{ Sized SizeTiered }

// Name is its short name.
func (d DateTiered) Name() string { return "DTCS" }

// Next picks nothing.
func (d DateTiered) Next(t *Table, _ *Memory) Pick {
	if len(t.free()) == 0 {
		return Pick{Why: "there is no free SSTable"}
	}
	return Pick{Why: "ringlab does not support what DateTieredCompactionStrategy picks by itself; :compact makes one file of all, " +
		"and SizeTieredCompactionStrategy or, in CQL, TimeWindowCompactionStrategy are those that it knows"}
}

// Major makes one file of all.
func (d DateTiered) Major(t *Table, _ bool) []Pick { return wholeTable(t) }

// Chosen makes one file of the files that somebody chose.
func (d DateTiered) Chosen(t *Table, files []File) Pick { return d.Sized.Chosen(t, files) }

// Tiers is one, of all files.
func (d DateTiered) Tiers(t *Table, _ *Memory) []Tier {
	files := t.free()
	if len(files) == 0 {
		return nil
	}
	return []Tier{{Name: "all", Files: files, Bytes: bytesOf(files), Have: len(files)}}
}

// Due is never: it does nothing by itself.
func (d DateTiered) Due(*Table, *Memory) int64 { return math.MaxInt64 }
