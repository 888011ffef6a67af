package compaction

import (
	"fmt"
	"math"
	"sort"
)

// LevelCount is the number of levels, L0 to L8.
// Source: Cassandra 5.0 LeveledGenerations.MAX_LEVEL_COUNT.
const LevelCount = 9

// Leveled is LeveledCompactionStrategy. Files of a level above 0 never overlap.
type Leveled struct {
	SSTableSize int64 // bytes
	Fanout      int
	Uplevel     bool       // single_sstable_uplevel: a lone file is lifted without being read
	Sized       SizeTiered // for a crowded L0; its thresholds are the table's
}

const (
	crowdedL0   = 32 // files in L0 above which size tiers are compacted there
	starvedFrom = 25 // rounds without a compaction in the highest level
)

// DefaultLeveled has Cassandra's defaults.
var DefaultLeveled = Leveled{SSTableSize: 160 << 20, Fanout: 10, Sized: DefaultSizeTiered}

// Name is LCS.
func (l Leveled) Name() string { return "LCS" }

// MaxBytes is how much a level may hold.
// Source: Cassandra 5.0 LeveledManifest.maxBytesForLevel.
func (l Leveled) MaxBytes(level int) int64 {
	if level == 0 {
		return 4 * l.SSTableSize
	}
	bytes := math.Pow(float64(l.Fanout), float64(level)) * float64(l.SSTableSize)
	if bytes >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(bytes)
}

// levels groups files by level, those above 0 in token order.
func levels(files []File) (out [LevelCount][]File) {
	for _, f := range files {
		n := min(max(f.Level, 0), LevelCount-1)
		out[n] = append(out[n], f)
	}
	for n := 1; n < LevelCount; n++ {
		level := out[n]
		sort.SliceStable(level, func(i, j int) bool { return level[i].First.Compare(level[j].First) < 0 })
	}
	return out
}

// Fits says whether a file may join its level beside the files there; otherwise
// it belongs to L0. Source: Cassandra 5.0 LeveledGenerations.addAll.
func Fits(f File, files []File) bool {
	if f.Level == 0 {
		return true
	}
	for i := range files {
		if o := &files[i]; o.Level == f.Level && o.Gen != f.Gen && o.First.Compare(f.Last) <= 0 && f.First.Compare(o.Last) <= 0 {
			return false
		}
	}
	return true
}

// NewMemory is what a strategy remembers when it starts, in ms: leveled compaction
// goes on behind the file of the next level that was made last, unified compaction
// looks for expired files only after a while.
// Source: Cassandra 5.0 LeveledManifest.calculateLastCompactedKeys, UnifiedCompactionStrategy.
func NewMemory(s Strategy, files []File, now int64) Memory {
	var m Memory
	if _, unified := s.(Unified); unified {
		m.checked = now
	}
	all := levels(files)
	for n := 0; n+1 < LevelCount; n++ {
		newest := int64(math.MinInt64)
		for _, f := range all[n+1] {
			if f.Created >= newest {
				last := f.Last
				newest, m.compacted[n] = f.Created, &last
			}
		}
	}
	return m
}

// Finished tells the memory what a compaction of these files gave.
// Source: Cassandra 5.0 LeveledManifest.replace.
func (m *Memory) Finished(inputs, outputs []File) {
	if len(inputs) == 0 || len(outputs) == 0 {
		return
	}
	lowest := LevelCount - 1
	for _, f := range inputs {
		lowest = min(lowest, f.Level)
	}
	final := outputs[0]
	for _, f := range outputs[1:] {
		if f.First.Compare(final.First) > 0 {
			final = f
		}
	}
	m.compacted[lowest] = &final.Last
}

// Next picks what the most urgent level needs.
// Source: Cassandra 5.0 LeveledManifest.getCompactionCandidates.
func (l Leveled) Next(t *Table, m *Memory) Pick {
	all := levels(t.Files)
	p := Pick{Pending: l.pending(all)}
	crowd, crowdWhy := l.crowded(all[0])
	for n := LevelCount - 2; n > 0; n-- { // nothing lies above the last
		score := float64(bytesOf(idle(all[n]))) / float64(l.MaxBytes(n))
		if score <= 1.001 {
			continue
		}
		if crowd != nil {
			p.Files, p.Why = crowd, crowdWhy
			return p
		}
		if picked := l.from(all, n, m); picked != nil {
			level := l.target(picked)
			p.Why = fmt.Sprintf("L%d holds %s, %.2f times its %s: sstable %d goes to L%d with %d that overlap it there", n, size(bytesOf(idle(all[n]))), score,
				size(l.MaxBytes(n)), picked[0].Gen, level, len(picked)-1)
			if f := l.starved(all, level, picked, m); f != nil {
				picked = append(picked, *f)
				p.Why += fmt.Sprintf("; sstable %d of L%d joins, which was not compacted for %d rounds", f.Gen, f.Level, starvedFrom)
			}
			p.Files, p.Level, p.Cut, p.MaxBytes = picked, level, BySize, l.SSTableSize
			return p
		}
	}
	if picked := l.fromL0(all); picked != nil {
		p.Files, p.Level, p.Cut, p.MaxBytes = picked, l.target(picked), BySize, l.SSTableSize
		young := 0
		for _, f := range picked {
			if f.Level == 0 {
				young++
			}
		}
		if p.Level == 0 {
			p.Why = fmt.Sprintf("L0 has %s of %s together, less than one of %s: they are merged within L0", count(young, "file"), size(bytesOf(picked)), size(l.SSTableSize))
		} else {
			p.Why = fmt.Sprintf("no higher level is over its size; %s of L0 go to L1 with %d that overlap them there", count(young, "file"), len(picked)-young)
		}
		return p
	}
	if crowd != nil {
		p.Files, p.Why = crowd, crowdWhy
		return p
	}
	if f := l.droppable(t, all); f != nil {
		p.Files, p.Level, p.Cut, p.MaxBytes, p.Single = []File{*f}, f.Level, BySize, l.SSTableSize, true
		p.Why = fmt.Sprintf("%.0f%% of sstable %d of L%d can be dropped, tombstone_threshold is %.0f%%", f.Droppable(t.GCBefore)*100, f.Gen, f.Level, l.Sized.Tombstones.Threshold*100)
		return p
	}
	p.Why = l.whyNot(all)
	return p
}

func idle(files []File) []File { return (&Table{Files: files}).free() }

// crowded is the size tier to compact in an L0 that is far behind, nil if it is
// not. Source: Cassandra 5.0 LeveledManifest.getSTCSInL0CompactionCandidate.
func (l Leveled) crowded(l0 []File) ([]File, string) {
	if len(l0) <= crowdedL0 {
		return nil, ""
	}
	picked := l.Sized.Pick(idle(l0))
	return picked, fmt.Sprintf("L0 has %d files, more than %d: %s of similar size are merged within L0 first", len(l0), crowdedL0, count(len(picked), "file"))
}

// target is the level of a compaction's output.
// Source: Cassandra 5.0 LeveledManifest.getNextLevel.
func (l Leveled) target(files []File) int {
	low, high := LevelCount, 0
	for _, f := range files {
		low, high = min(low, f.Level), max(high, f.Level)
	}
	switch {
	case high == 0 && bytesOf(files) < l.SSTableSize:
		return 0
	case low == high:
		return high + 1
	}
	return high
}

// from picks a file of a level above 0 and what it overlaps in the next one,
// going on where the level's last compaction ended; nil if all are busy.
// Source: Cassandra 5.0 LeveledManifest.getCandidatesFor.
func (l Leveled) from(all [LevelCount][]File, level int, m *Memory) []File {
	files, start := all[level], 0
	if last := m.compacted[level]; last != nil {
		for i := range files {
			if files[i].First.Compare(*last) > 0 {
				start = i
				break
			}
		}
	}
next:
	for i := range files {
		f := files[(start+i)%len(files)]
		picked := []File{f}
		for j := range all[level+1] {
			if o := &all[level+1][j]; overlap(&f, o) {
				picked = append(picked, *o)
			}
		}
		for _, o := range picked {
			if o.Busy {
				continue next
			}
		}
		return picked
	}
	return nil
}

// fromL0 picks the oldest files of L0 with all that overlap them, and those of
// L1 if enough comes together. Source: Cassandra 5.0 LeveledManifest.getCandidatesFor.
func (l Leveled) fromL0(all [LevelCount][]File) []File {
	var busy, picked []File
	for _, f := range all[0] {
		if f.Busy {
			busy = append(busy, f)
		}
	}
	left, taken := byAge(all[0]), map[int]bool{}
	for _, f := range left {
		if taken[f.Gen] {
			continue
		}
		group, rest, held := []File{f}, []File(nil), f.Busy
		for _, o := range left {
			switch {
			case o.Gen == f.Gen:
			case overlap(&f, &o):
				group = append(group, o)
				held = held || o.Busy
			default:
				rest = append(rest, o)
			}
		}
		if held {
			continue
		}
		left = rest
		for _, o := range group {
			if len(busy) == 0 || !overlap(&o, spanOf(busy)) {
				picked = append(picked, o)
				taken[o.Gen] = true
			}
		}
		if len(picked) > l.Sized.MaxThreshold {
			picked = byAge(picked)[:l.Sized.MaxThreshold]
			break
		}
	}
	if bytesOf(picked) > l.SSTableSize {
		span := spanOf(picked)
		for i := range all[1] {
			if o := &all[1][i]; overlap(span, o) {
				if o.Busy {
					return nil
				}
				picked = append(picked, *o)
			}
		}
		for i := range busy {
			if overlap(span, &busy[i]) {
				return nil
			}
		}
	}
	if len(picked) < 2 {
		return nil
	}
	return picked
}

// spanOf is a file from the first to the last token of some.
func spanOf(files []File) *File {
	span := files[0]
	for _, f := range files[1:] {
		if f.First.Compare(span.First) < 0 {
			span.First = f.First
		}
		if f.Last.Compare(span.Last) > 0 {
			span.Last = f.Last
		}
	}
	return &span
}

// starved is a file of the highest level that joins a compaction around it,
// because that level had none for long.
// Source: Cassandra 5.0 LeveledManifest.getOverlappingStarvedSSTables.
func (l Leveled) starved(all [LevelCount][]File, target int, picked []File, m *Memory) *File {
	for n := 1; n < LevelCount; n++ {
		m.rounds[n]++
	}
	m.rounds[target] = 0
	for n := LevelCount - 1; n > 0; n-- {
		if len(all[n]) == 0 {
			continue
		}
		if m.rounds[n] <= starvedFrom {
			return nil
		}
		span := spanOf(picked)
		if span.First.Compare(span.Last) == 0 {
			return nil
		}
		for i := range all[n] {
			if f := &all[n][i]; !f.Busy && span.First.Compare(f.First) <= 0 && f.Last.Compare(span.Last) <= 0 {
				if len(without([]File{*f}, picked)) == 0 {
					return nil // there already
				}
				return f
			}
		}
		return nil
	}
	return nil
}

// droppable is the file with most to drop, in the highest level that has one
// worth it. Source: Cassandra 5.0 LeveledCompactionStrategy.findDroppableSSTable.
func (l Leveled) droppable(t *Table, all [LevelCount][]File) *File {
	for n := LevelCount - 1; n >= 0; n-- {
		level := append([]File(nil), all[n]...)
		sort.SliceStable(level, func(i, j int) bool { return level[i].Droppable(t.GCBefore) > level[j].Droppable(t.GCBefore) })
		for i := range level {
			if f := &level[i]; !f.Busy && l.Sized.Tombstones.worth(t, f) {
				return f
			}
		}
	}
	return nil
}

// pending estimates how many compactions are left.
// Source: Cassandra 5.0 LeveledManifest.getEstimatedTasks.
func (l Leveled) pending(all [LevelCount][]File) int {
	tasks := 0
	for n, files := range all {
		over := bytesOf(files) - int64(float64(l.MaxBytes(n))*1.001)
		tasks += int(math.Ceil(float64(max(over, 0)) / float64(l.SSTableSize)))
	}
	if n := len(all[0]); n > l.Sized.MaxThreshold {
		tasks += n / l.Sized.MaxThreshold
	}
	return tasks
}

func (l Leveled) whyNot(all [LevelCount][]File) string {
	fullest, share := 0, -1.0
	for n := 1; n < LevelCount; n++ {
		if s := float64(bytesOf(all[n])) / float64(l.MaxBytes(n)); len(all[n]) > 0 && s > share {
			fullest, share = n, s
		}
	}
	switch free := len(idle(all[0])); {
	case fullest == 0 && free == 0:
		return "there is no free SSTable"
	case fullest == 0:
		return fmt.Sprintf("L0 has %s, two make a compaction; the levels above are empty", count(free, "file"))
	default:
		return fmt.Sprintf("no level is over its size: L%d, the fullest, holds %s of %s; L0 has %s", fullest, size(bytesOf(all[fullest])), size(l.MaxBytes(fullest)), count(free, "file"))
	}
}

// Major fills the levels from L1 on with everything.
// Source: Cassandra 5.0 LeveledCompactionStrategy.getMaximalTask.
func (l Leveled) Major(t *Table, _ bool) []Pick {
	picks := wholeTable(t)
	if picks != nil {
		p := &picks[0]
		p.Level, p.Cut, p.MaxBytes, p.Fanout = 1, ByLevels, l.SSTableSize, l.Fanout
	}
	return picks
}

// Chosen compacts into L0, but a single file stays in its level.
// Source: Cassandra 5.0 LeveledCompactionStrategy.getUserDefinedTask.
func (l Leveled) Chosen(_ *Table, files []File) Pick {
	p := Pick{Files: files, Why: "somebody chose these files"}
	if len(files) == 1 && files[0].Level > 0 {
		p.Level, p.Cut, p.MaxBytes = files[0].Level, BySize, l.SSTableSize
	}
	return p
}

// Tiers are the levels that hold something, L0 always.
func (l Leveled) Tiers(t *Table, _ *Memory) []Tier {
	all := levels(t.Files)
	var out []Tier
	for n, files := range all {
		if n == 0 || len(files) > 0 {
			out = append(out, Tier{Name: fmt.Sprintf("L%d", n), Files: files, Bytes: bytesOf(files), Have: len(files), Limit: l.MaxBytes(n)})
		}
	}
	return out
}

// Due is when a file may become worth compacting for its tombstones.
func (l Leveled) Due(t *Table, _ *Memory) int64 { return l.Sized.Tombstones.due(t) }
