package simulation

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
)

// history is what clients know of the table of rows: what they wrote, and whether it
// was acknowledged.
type history struct{ writes []write }

// write is one that was sent. It was acknowledged, or it may have happened.
type write struct {
	Op
	start, end  int64
	acked       bool
	dc          string
	coordinator string
	owed        bool              // every replica gets it, by a hint if need be
	settled     bool              // all replicas were seen to have it
	shown       bool              // not a write: a read that repairs has shown this
	lost        map[string]string // nodes that may have lost it since, and their data centers; nil for none
}

// covers says whether a write is about a row.
func (w *write) covers(key, row int) bool { return w.Key == key && w.Lo <= row && row <= w.Hi }

// before is the order of last write wins: by timestamp, then a delete, then the
// greater value. Source: Cassandra 5.0 Cells.resolveRegular.
func (w *write) before(o *write) bool {
	switch {
	case w.At != o.At:
		return w.At < o.At
	case w.Kind != o.Kind:
		return w.Kind == Insert
	}
	return w.Kind == Insert && w.Value < o.Value
}

func (w *write) String() string {
	if w.Kind == Delete {
		return fmt.Sprintf("the delete of rows %d to %d at %d", w.Lo, w.Hi, w.At)
	}
	return fmt.Sprintf("%d at %d", w.Value, w.At)
}

// lose forgives the hints of a coordinator that stops while it may still wait for
// replicas, or of all.
func (h *history) lose(node string, now int64) {
	for i := range h.writes {
		if w := &h.writes[i]; (node == "" || w.coordinator == node) && w.start+5e6 > now {
			w.owed = false
		}
	}
}

// floor is the newest write of a row that must be seen, nil if there is none.
func (h *history) floor(key, row int, must func(*write) bool) *write {
	var newest *write
	for i := range h.writes {
		if w := &h.writes[i]; w.acked && w.covers(key, row) && (newest == nil || newest.before(w)) && must(w) {
			newest = w
		}
	}
	return newest
}

// explain says what is wrong with a row's value, absent for no row: it must have been
// written, or deleted, by the newest write that must be seen or a newer one that began
// before the read's end. It gives the oldest write that explains it.
func (h *history) explain(key, row int, value int64, end int64, must func(*write) bool) (by *write, wrong string) {
	floor := h.floor(key, row, must)
	if value == absent && floor == nil {
		return nil, ""
	}
	written := false
	for i := range h.writes {
		w := &h.writes[i]
		if w.shown || w.start > end || !w.covers(key, row) || (w.Kind == Delete) != (value == absent) || w.Kind == Insert && w.Value != value {
			continue
		}
		written = true
		if (floor == nil || !w.before(floor)) && (by == nil || w.before(by)) {
			by = w
		}
	}
	switch {
	case by != nil:
		return by, ""
	case value == absent:
		return nil, fmt.Sprintf("row %d of partition %d is not there, but %s was acknowledged and nothing newer deletes it", row, key, floor)
	case !written:
		return nil, fmt.Sprintf("row %d of partition %d is %d, which nobody wrote", row, key, value)
	}
	return nil, fmt.Sprintf("row %d of partition %d is %d, but %s was acknowledged", row, key, value, floor)
}

// tokenOrder are the keys by their Murmur3 tokens: -4069959284402364209,
// -3485513579396041028 and -3248873570005575792.
var tokenOrder = [keys]int{1, 0, 2}

// place is one row of the table.
type place struct{ key, row int }

// entries is a read of maps with a row for each entry: k, its key and its value.
func entries(a *answer.Answer) *answer.Answer {
	out := *a
	out.Rows = nil
	for _, r := range a.Rows {
		for _, e := range strings.Split(strings.Trim(r[1].Text, "{}"), ", ") {
			if key, value, ok := strings.Cut(e, ": "); ok {
				out.Rows = append(out.Rows, []answer.Cell{r[0], {Text: key}, {Text: value}})
			}
		}
	}
	return &out
}

// settle notes that all replicas have what was acknowledged. What may have been lost
// by all that had it may be there, or not.
func (h *history) settle(p *player) {
	for i := range h.writes {
		if w := &h.writes[i]; w.acked && p.survives(w) {
			w.settled, w.lost = true, nil
		} else if len(w.lost) > 0 {
			w.acked = false
		}
	}
}

// scope are the rows that a read is about, in the order of its answer.
func (p *player) scope(o Op) (out []place) {
	partitions := []int{o.Key}
	if o.Kind == ReadAll {
		partitions = tokenOrder[:]
	}
	for _, k := range partitions {
		for i := o.Lo; i <= o.Hi; i++ {
			row := i
			if !o.Map && p.script.Down != o.Back {
				row = o.Hi - (i - o.Lo)
			}
			out = append(out, place{k, row})
		}
	}
	return out
}

// judge checks a read: its rows are in order, and it misses nothing that R + W > RF
// promises.
func (h *history) judge(p *player, a asked) {
	must := func(w *write) bool {
		if w.settled && len(w.lost) == 0 {
			return w.end <= a.start
		}
		cl := w.CL
		if w.settled {
			cl = "ALL"
		}
		return w.end <= a.start && p.overlap(cl, w.dc, a.CL, a.dc, w.lost)
	}
	for pl, by := range h.compare(p, "acknowledged write", a, must) {
		// Reads repair what they return before they answer.
		if by != nil && by.Kind == Insert && p.script.Repairs && !p.script.Moves && p.overlap(a.CL, a.dc, a.CL, a.dc, nil) {
			seen := *by
			seen.Lo, seen.Hi, seen.settled, seen.lost = pl.row, pl.row, false, nil
			seen.acked, seen.shown, seen.owed, seen.start, seen.end, seen.CL, seen.dc = true, true, false, a.start, a.end, a.CL, a.dc
			h.writes = append(h.writes, seen)
		}
	}
}

// compare holds a read's rows against the history and gives what explains each place.
func (h *history) compare(p *player, checker string, a asked, must func(*write) bool) map[place]*write {
	by := map[place]*write{}
	next := 0
	for _, pl := range p.scope(a.Op) {
		value := int64(absent)
		if next < len(a.Rows) {
			r := a.Rows[next]
			if r[0].Text == strconv.Itoa(pl.key) && r[1].Text == strconv.Itoa(pl.row) {
				value, _ = strconv.ParseInt(r[2].Text, 10, 64)
				next++
			}
		} else if a.Limit > 0 && len(a.Rows) == a.Limit {
			break
		}
		w, wrong := h.explain(pl.key, pl.row, value, a.end, must)
		if wrong != "" {
			p.fail(checker, "%s at %s: %s", a.Statement, a.CL, wrong)
		}
		by[pl] = w
	}
	if next < len(a.Rows) {
		p.fail("order of rows", "%s at %s: row %d is (%s, %s), which comes too late or twice or was not asked for", a.Statement, a.CL, next+1, a.Rows[next][0].Text, a.Rows[next][1].Text)
	}
	return by
}
