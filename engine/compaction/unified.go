package compaction

import (
	"fmt"
	"math"
	"math/bits"
	"sort"
	"strings"
)

// Unified is UnifiedCompactionStrategy.
type Unified struct {
	Scaling    []int // W of each density level; the last one repeats
	Target     int64 // bytes wanted in a file
	BaseShards int
	MinSize    int64 // bytes below which a file is not split, 0 = none
	Growth     float64
	MaxFiles   int    // max_sstables_to_compact, 0 = no limit
	FlushBytes int64  // flush_size_override, 0 = what flushes really have
	Inclusion  string // TRANSITIVE, SINGLE or NONE
	CheckEvery int64  // ms between looks for expired files
}

// DefaultUnified has Cassandra's defaults.
var DefaultUnified = Unified{Scaling: []int{2}, Target: 1 << 30, BaseShards: 4, MinSize: 100 << 20, Growth: 0.333, Inclusion: "TRANSITIVE", CheckEvery: 600_000}

// Name is UCS.
func (u Unified) Name() string { return "UCS" }

func (u Unified) scaling(level int) int { return u.Scaling[min(level, len(u.Scaling)-1)] }

// Fanout is how many files of a level weigh as one of the next.
func (u Unified) Fanout(level int) int {
	w := u.scaling(level)
	return 2 + max(w, -w)
}

// Threshold is how many files must overlap on a level for a compaction.
func (u Unified) Threshold(level int) int { return 2 + max(u.scaling(level), 0) }

// scalingText is a scaling parameter as written: T4, L10, N.
func scalingText(w int) string {
	switch {
	case w < 0:
		return fmt.Sprintf("L%d", 2-w)
	case w > 0:
		return fmt.Sprintf("T%d", 2+w)
	}
	return "N"
}

// maxShardShift bounds the shards: the base count shifted that far.
const maxShardShift = 20

// Shards is the number of parts into which the token space is cut for files of a
// density in bytes. Source: Cassandra 5.0 unified.Controller.getNumShards.
func (u Unified) Shards(density float64) int {
	if u.MinSize > 0 {
		if n := density / float64(u.MinSize); !(n >= float64(u.BaseShards)) {
			return min(highestBit(toInt(n)|1), u.BaseShards&-u.BaseShards)
		}
	}
	switch u.Growth {
	case 1:
		return u.BaseShards
	case 0:
		n := density / (float64(u.Target) * math.Sqrt(0.5) * float64(u.BaseShards))
		return u.BaseShards * highestBit(toInt(math.Min(n, 1<<maxShardShift))|1)
	}
	n := density / float64(float64(u.Target)*float64(u.BaseShards))
	shift := float64(math.Log(n)*(1/math.Log(2))*(1-u.Growth)) + 0.5
	switch {
	case shift >= maxShardShift:
		return u.BaseShards << maxShardShift
	case shift >= 0:
		return u.BaseShards << int(shift)
	}
	return u.BaseShards
}

func highestBit(n int) int { return 1 << (bits.Len(uint(n)) - 1) }

// toInt rounds down as Java's cast does; what is no number is 0.
func toInt(f float64) int {
	if math.IsNaN(f) {
		return 0
	}
	return int(math.Max(0, math.Min(f, math.MaxInt32)))
}

// minSpan is the share of the token space below which a file's span says nothing.
const minSpan = 1.0 / (1 << 48)

// Density is a file's bytes for each whole of the token space that it spans.
// Source: Cassandra 5.0 ShardManager.density.
func (u Unified) Density(f *File) float64 {
	span := f.Span
	if !(span >= minSpan) {
		span = 1
	}
	return float64(f.Bytes) / span
}

// flushBytes is the size of flushes on which the levels are based: it follows
// the average only when that has moved by half.
// Source: Cassandra 5.0 unified.Controller.getFlushSizeBytes.
func (u Unified) flushBytes(t *Table, m *Memory) int64 {
	if u.FlushBytes > 0 {
		return u.FlushBytes
	}
	if m.flushBytes == 0 || math.Abs(1-float64(m.flushBytes)/t.FlushBytes) > 0.5 {
		m.flushBytes = 0
		if !math.IsNaN(t.FlushBytes) {
			m.flushBytes = int64(math.Ceil(t.FlushBytes/(1<<20))) << 20
		}
	}
	return m.flushBytes
}

// DensityLevel is a level of files of similar density.
type DensityLevel struct {
	Index            int
	Min, Max         float64 // bytes
	Files            []File  // by density
	MaxOverlap       int     // most files that overlap at a key; -1 before anybody looked
	Fanout, Required int
	Pick             []File // what a compaction of this level would take
	overlap          int    // of the pick
}

// Levels groups free files by density. Source: Cassandra 5.0
// UnifiedCompactionStrategy.formLevels.
func (u Unified) Levels(t *Table, m *Memory, files []File) []DensityLevel {
	sorted := append([]File(nil), files...)
	sort.SliceStable(sorted, func(i, j int) bool { return u.Density(&sorted[i]) < u.Density(&sorted[j]) })
	base := float64(max(1<<20, u.flushBytes(t, m))) * (1 - 0.9/float64(u.Fanout(0))) / t.Coverage
	level := u.level(0, 0, base)
	var out []DensityLevel
	for _, f := range sorted {
		for u.Density(&f) >= level.Max {
			out = append(out, level)
			level = u.level(level.Index+1, level.Max, level.Max)
		}
		level.Files = append(level.Files, f)
	}
	if len(level.Files) > 0 {
		out = append(out, level)
	}
	return out
}

func (u Unified) level(index int, least, base float64) DensityLevel {
	return DensityLevel{Index: index, Min: least, Max: math.Floor(base * float64(u.Fanout(index))), MaxOverlap: -1,
		Fanout: u.Fanout(index), Required: u.Threshold(index)}
}

// overlapSets are the greatest groups of files that overlap at a key, in token
// order. Source: Cassandra 5.0 Overlaps.constructOverlapSets.
func overlapSets(files []File) [][]File {
	starts := append([]File(nil), files...)
	sort.SliceStable(starts, func(i, j int) bool { return starts[i].First.Compare(starts[j].First) < 0 })
	var out [][]File
	var active []File
	for _, f := range starts {
		var on []File
		for _, a := range active {
			if f.First.Compare(a.Last) <= 0 {
				on = append(on, a)
			}
		}
		if len(on) < len(active) {
			out = append(out, active)
		}
		active = append(on, f)
	}
	if len(active) > 0 {
		out = append(out, active)
	}
	return out
}

// region is a bucket of UCS: neighbouring overlap sets that are compacted together.
type region struct {
	sets    [][]File
	files   []File // newest timestamp first
	overlap int
}

// regions joins sets of at least threshold files with the neighbours that share
// files with them. Source: Cassandra 5.0 Overlaps.assignOverlapsIntoBuckets.
func (u Unified) regions(sets [][]File, threshold int) []region {
	var out []region
	end := 0
	for i := 0; i < len(sets); i++ {
		if len(sets[i]) < threshold {
			continue
		}
		from, to := i, i+1
		if u.Inclusion != "NONE" {
			with := newGens(sets[i])
			grow := func(j int) bool {
				if !with.meets(sets[j]) {
					return false
				}
				if u.Inclusion != "SINGLE" {
					with.add(sets[j])
				}
				return true
			}
			for from > end && grow(from-1) {
				from--
			}
			for to < len(sets) && grow(to) {
				to++
			}
		}
		i, end = to-1, to
		r := region{sets: sets[from:to]}
		all := gens{}
		for _, set := range r.sets {
			r.overlap = max(r.overlap, len(set))
			for _, f := range set {
				if !all[f.Gen] {
					all[f.Gen] = true
					r.files = append(r.files, f)
				}
			}
		}
		sort.Slice(r.files, func(i, j int) bool {
			a, b := &r.files[i], &r.files[j]
			if a.MaxTimestamp != b.MaxTimestamp {
				return a.MaxTimestamp > b.MaxTimestamp
			}
			return a.Gen > b.Gen
		})
		out = append(out, r)
	}
	return out
}

type gens map[int]bool

func newGens(files []File) gens {
	g := gens{}
	g.add(files)
	return g
}

func (g gens) add(files []File) {
	for _, f := range files {
		g[f.Gen] = true
	}
}

func (g gens) meets(files []File) bool {
	for _, f := range files {
		if g[f.Gen] {
			return true
		}
	}
	return false
}

// pick finds what a compaction of the level would take and how many are left.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.Level.getCompactionPick.
func (u Unified) pick(l *DensityLevel, draw func(int) int) (pending int) {
	sets := overlapSets(l.Files)
	for _, s := range sets {
		l.MaxOverlap = max(l.MaxOverlap, len(s))
	}
	if l.MaxOverlap < l.Required {
		return 0
	}
	var chosen region
	same := 0
	for _, r := range u.regions(sets, l.Required) {
		if r.overlap == l.MaxOverlap {
			if same++; same == 1 || draw(same) == 0 {
				chosen = r
			}
		}
		pending += r.overlap / l.Required
	}
	l.Pick, l.overlap = u.take(l, &chosen)
	return pending
}

// take picks from a region: all of it, or where compaction is late the oldest
// files, as many as would have been compacted in time.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.Bucket.constructPick.
func (u Unified) take(l *DensityLevel, r *region) ([]File, int) {
	most := u.MaxFiles
	if most <= 0 {
		most = math.MaxInt32
	}
	most = max(l.Fanout, most)
	n := r.overlap
	late := n > l.Fanout*u.Fanout(l.Index+1) && most > l.Fanout
	if n <= l.Fanout || !late && n <= most {
		return r.files, n
	}
	limit := most
	if late {
		limit = u.pickSize(l, min(most, n))
	}
	return r.oldest(limit), limit
}

// pickSize is how many overlapping files a late compaction takes.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.Bucket.selectPickSize.
func (u Unified) pickSize(l *DensityLevel, limit int) int {
	pick, next := 0, l.Fanout
	for i := l.Index + 1; ; i++ {
		pick = next
		if next *= u.Fanout(i); next > limit {
			break
		}
	}
	if u.scaling(l.Index) < 0 {
		pick *= limit / pick
	}
	return pick
}

// oldest takes files, oldest first, until one more would make more than limit
// overlap. Source: Cassandra 5.0 Overlaps.pullLastWithOverlapLimit.
func (r *region) oldest(limit int) []File {
	taken := make([]int, len(r.sets))
	var out []File
	for i := len(r.files) - 1; i >= 0; i-- {
		f := r.files[i]
		for j, set := range r.sets {
			if newGens(set)[f.Gen] {
				if taken[j]++; taken[j] > limit {
					return out
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// Look is Levels with what a compaction of each level would take.
func (u Unified) Look(t *Table, m *Memory) []DensityLevel {
	levels, _ := u.look(t, m, t.free())
	return levels
}

func (u Unified) look(t *Table, m *Memory, files []File) (levels []DensityLevel, pending int) {
	levels = u.Levels(t, m, files)
	for i := range levels {
		pending += u.pick(&levels[i], t.Draw)
	}
	return levels, pending
}

// Next picks on the level where most files overlap, the lower one of two, and
// every file that has expired. A level below its threshold takes part in the
// comparison: where it has most, nothing is compacted.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.getNextCompactionPick.
func (u Unified) Next(t *Table, m *Memory) Pick {
	expired := m.expired(t, u.CheckEvery)
	levels, pending := u.look(t, m, without(t.free(), expired))
	p := Pick{Cut: ByShards, Pending: pending}
	best := -1
	for i := range levels {
		if best < 0 || levels[i].MaxOverlap > levels[best].MaxOverlap {
			best = i
		}
	}
	if best >= 0 && levels[best].Pick != nil {
		l := &levels[best]
		p.Files = l.Pick
		p.Why = fmt.Sprintf("on density level %d (%s) %d files overlap, %s compacts from %d on", l.Index, l.text(), l.MaxOverlap, scalingText(u.scaling(l.Index)), l.Required)
		if l.overlap < l.MaxOverlap {
			p.Why += fmt.Sprintf("; compaction is late, so it takes %d of them", l.overlap)
		}
	} else {
		p.Why = u.whyNot(levels, best)
	}
	if len(expired) > 0 {
		why := fmt.Sprintf("in %s everything has expired", count(len(expired), "file"))
		if p.Files != nil {
			why = p.Why + "; " + why
		}
		p.Files, p.Why = append(append([]File(nil), p.Files...), expired...), why
	}
	p.Shards = u.shardsFor(t, p.Files)
	return p
}

func (l *DensityLevel) text() string { return size(int64(l.Min)) + " to " + size(int64(l.Max)) }

func (u Unified) whyNot(levels []DensityLevel, best int) string {
	if best < 0 || levels[best].MaxOverlap < 0 {
		return "there is no free SSTable"
	}
	l := &levels[best]
	why := fmt.Sprintf("on density level %d (%s) %s, %s compacts from %d on", l.Index, l.text(), overlapText(l.MaxOverlap), scalingText(u.scaling(l.Index)), l.Required)
	for i := range levels {
		if levels[i].Pick != nil {
			return why + fmt.Sprintf("; level %d has enough, but only the level where most overlap is looked at", levels[i].Index)
		}
	}
	return why
}

func overlapText(n int) string {
	if n == 1 {
		return "no files overlap"
	}
	return fmt.Sprintf("%d files overlap", n)
}

// shardsFor is the number of shards of a compaction's output: by the density
// that it will have before anything is merged away.
// Source: Cassandra 5.0 ShardManager.calculateCombinedDensity.
func (u Unified) shardsFor(t *Table, files []File) int {
	if files = without(files, Expired(t, files)); len(files) == 0 {
		return 1
	}
	all := *spanOf(files)
	all.Bytes, all.Span = bytesOf(files), t.SpanOf(all.First.Token, all.Last.Token)
	return u.Shards(u.Density(&all))
}

// Major compacts each group of files that overlap.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.getMaximalTask.
func (u Unified) Major(t *Table, _ bool) []Pick {
	var out []Pick
	sets := overlapSets(t.free())
	for i := 0; i < len(sets); {
		group, j := newGens(sets[i]), i+1
		files := append([]File(nil), sets[i]...)
		for ; j < len(sets) && group.meets(sets[j]); j++ {
			for _, f := range sets[j] {
				if !group[f.Gen] {
					files = append(files, f)
				}
			}
			group.add(sets[j])
		}
		i = j
		out = append(out, Pick{Files: files, Cut: ByShards, Shards: u.shardsFor(t, files), Why: "a major compaction takes all files that overlap"})
	}
	return out
}

// Chosen compacts the files that somebody chose, cut into shards.
func (u Unified) Chosen(t *Table, files []File) Pick {
	return Pick{Files: files, Cut: ByShards, Shards: u.shardsFor(t, files), Why: "somebody chose these files"}
}

// Tiers are the density levels that hold files.
func (u Unified) Tiers(t *Table, m *Memory) []Tier {
	var out []Tier
	for _, l := range u.Levels(t, m, t.free()) {
		if len(l.Files) == 0 {
			continue
		}
		most := 0
		for _, s := range overlapSets(l.Files) {
			most = max(most, len(s))
		}
		out = append(out, Tier{Name: fmt.Sprintf("D%d %s", l.Index, scalingText(u.scaling(l.Index))), Files: l.Files, Bytes: bytesOf(l.Files), Have: most, Need: l.Required})
	}
	return out
}

// Due is when the next file expires.
func (u Unified) Due(t *Table, m *Memory) int64 { return m.expiryDue(t, u.CheckEvery) }

// ParseScaling reads a list such as "T8, T4, N, L4"; it was checked before.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.parseScalingParameter.
func ParseScaling(list string) []int {
	var out []int
	for _, v := range strings.Split(list, ",") {
		v = strings.TrimSpace(v)
		n := 0
		switch {
		case strings.HasPrefix(v, "T"):
			fmt.Sscan(v[1:], &n)
			n -= 2
		case strings.HasPrefix(v, "L"):
			fmt.Sscan(v[1:], &n)
			n = 2 - n
		case v != "N":
			fmt.Sscan(v, &n)
		}
		out = append(out, n)
	}
	return out
}
