package compaction

import (
	"fmt"
	"sort"
)

// TimeWindow is TimeWindowCompactionStrategy.
type TimeWindow struct {
	Window     int64      // seconds
	PerMilli   float64    // units of the timestamps in a millisecond: 1000 for microseconds
	CheckEvery int64      // ms between looks for expired files
	Sized      SizeTiered // of the newest window; its tombstone options are the table's
}

// DefaultTimeWindow has Cassandra's defaults.
var DefaultTimeWindow = func() TimeWindow {
	w := TimeWindow{Window: 86400, PerMilli: 1000, CheckEvery: 600_000, Sized: DefaultSizeTiered}
	w.Sized.Tombstones.Off = true // unless a tombstone option is given
	return w
}()

// Name is TWCS.
func (w TimeWindow) Name() string { return "TWCS" }

// Bounds are the first second of a time's window and its last, all in ms.
// Source: Cassandra 5.0 TimeWindowCompactionStrategy.getWindowBoundsInMillis.
func (w TimeWindow) Bounds(ms int64) (lower, upper int64) {
	seconds := ms / 1000
	lower = seconds - seconds%w.Window
	return lower * 1000, (lower + w.Window - 1) * 1000
}

// window is where a file belongs: by its newest timestamp.
func (w TimeWindow) window(f *File) int64 {
	lower, _ := w.Bounds(int64(float64(f.MaxTimestamp) / w.PerMilli))
	return lower
}

// windows groups files by window, newest first.
func (w TimeWindow) windows(files []File) (starts []int64, in map[int64][]File) {
	in = map[int64][]File{}
	for i := range files {
		at := w.window(&files[i])
		if in[at] == nil {
			starts = append(starts, at)
		}
		in[at] = append(in[at], files[i])
	}
	sort.Slice(starts, func(i, j int) bool { return starts[i] > starts[j] })
	return starts, in
}

// Next picks within the newest window that has something to do, and every file
// that has expired. Source: Cassandra 5.0
// TimeWindowCompactionStrategy.getNextBackgroundSSTables, newestBucket.
func (w TimeWindow) Next(t *Table, m *Memory) Pick {
	expired := m.expired(t, w.CheckEvery)
	files := without(t.free(), expired)
	starts, in := w.windows(files)
	if len(starts) > 0 {
		m.newestWindow = max(m.newestWindow, starts[0])
	}
	var p Pick
	for _, at := range starts {
		w.look(&p, at, in[at], m.newestWindow)
	}
	if p.Files == nil && !single(t, w.Sized.Tombstones, files, &p, func(a, b *File) bool { return a.Bytes < b.Bytes }) {
		p.Why = w.whyNot(starts, in, m.newestWindow)
	}
	if len(expired) > 0 {
		why := fmt.Sprintf("in %s everything has expired", count(len(expired), "file"))
		if p.Files != nil {
			why = p.Why + "; " + why
		}
		p.Files, p.Why = append(p.Files, expired...), why
	}
	return p
}

// look picks from a window unless a newer one was picked, and counts what it
// leaves to do.
func (w TimeWindow) look(p *Pick, at int64, files []File, newest int64) {
	n, s := len(files), w.Sized
	var picked []File
	why := ""
	switch {
	case at >= newest && n >= s.MinThreshold:
		if picked = s.Pick(files); picked == nil {
			return
		}
		why = fmt.Sprintf("the newest window, from %s, has %s of similar size, min_threshold is %d", w.text(at), count(len(picked), "file"), s.MinThreshold)
	case at < newest && n >= 2:
		picked = append(picked, files...)
		sort.SliceStable(picked, func(i, j int) bool { return picked[i].Bytes < picked[j].Bytes })
		if n > s.MaxThreshold {
			picked = picked[:s.MaxThreshold]
		}
		why = fmt.Sprintf("the window from %s is over and has %s, where one is enough", w.text(at), count(n, "file"))
		if n > s.MaxThreshold {
			why += fmt.Sprintf("; max_threshold %d cuts it", s.MaxThreshold)
		}
	default:
		return
	}
	if p.Files == nil {
		p.Files, p.Why = picked, why
	}
	p.Pending++
	if rest := n - s.MaxThreshold; rest > s.MinThreshold {
		p.Pending += (rest + s.MaxThreshold - 1) / s.MaxThreshold
	}
}

func (w TimeWindow) whyNot(starts []int64, in map[int64][]File, newest int64) string {
	switch {
	case len(starts) == 0:
		return "there is no free SSTable"
	case starts[0] < newest:
		return fmt.Sprintf("each of %s has one file", count(len(starts), "window"))
	}
	why := fmt.Sprintf("the newest window, from %s, has %s, min_threshold is %d", w.text(starts[0]), count(len(in[starts[0]]), "file"), w.Sized.MinThreshold)
	if len(in[starts[0]]) >= w.Sized.MinThreshold {
		why = fmt.Sprintf("the files of the newest window, from %s, are of different sizes", w.text(starts[0]))
	}
	if len(starts) > 1 {
		why += ", each older one has a single file"
	}
	return why
}

// Major makes one file of all, whatever their windows.
func (w TimeWindow) Major(t *Table, _ bool) []Pick { return wholeTable(t) }

// Chosen makes one file of the files that somebody chose.
func (w TimeWindow) Chosen(t *Table, files []File) Pick { return w.Sized.Chosen(t, files) }

// Tiers are the windows.
func (w TimeWindow) Tiers(t *Table, m *Memory) []Tier {
	starts, in := w.windows(t.free())
	var out []Tier
	for _, at := range starts {
		tier := Tier{Name: w.text(at), Files: in[at], Bytes: bytesOf(in[at]), Have: len(in[at]), Need: 2}
		if at >= m.newestWindow {
			tier.Need = w.Sized.MinThreshold
		}
		out = append(out, tier)
	}
	return out
}

// Due is when the next file expires or may be worth compacting alone.
func (w TimeWindow) Due(t *Table, m *Memory) int64 {
	return min(w.Sized.Tombstones.due(t), m.expiryDue(t, w.CheckEvery))
}

// text is a window's beginning as a date, with the hour and minute where windows
// are shorter than a day.
func (w TimeWindow) text(ms int64) string {
	day := ms / 86_400_000
	if ms%86_400_000 < 0 {
		day--
	}
	y, m, d := civil(day)
	date := fmt.Sprintf("%04d-%02d-%02d", y, m, d)
	if w.Window%86400 == 0 {
		return date
	}
	minutes := (ms - day*86_400_000) / 60_000
	return fmt.Sprintf("%s %02d:%02d", date, minutes/60, minutes%60)
}

// civil is the date of a day, counted from 1970-01-01. Eras of 400 years begin
// on the first of March.
func civil(day int64) (year, month, dayOfMonth int64) {
	day += 719468
	era := day / 146097
	if day < 0 {
		era = (day - 146096) / 146097
	}
	of := day - era*146097
	y := (of - of/1460 + of/36524 - of/146096) / 365
	of -= 365*y + y/4 - y/100
	m := (5*of + 2) / 153
	dayOfMonth = of - (153*m+2)/5 + 1
	month, year = m+3, y+era*400
	if month > 12 {
		month, year = month-12, year+1
	}
	return year, month, dayOfMonth
}
