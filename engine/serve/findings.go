package serve

import (
	"fmt"
	"strings"

	"ringlab/engine/session"
	"ringlab/model/cql"
)

// findings are what a reviewer would say of how a client asks.
type findings struct {
	shapes    map[string]*literals // statements as text, by shape
	loops     []*literals          // of these, those that come again and again with other constants
	filtering habit
	spread    habit // over several partitions
	many      habit // IN on many partitions
	unaware   bool
}

// literals is one shape of statements that hold constants.
type literals struct {
	shape    string
	prepared bool // each of them
	last     string
	n        uint64 // how often another text of it came
}

// habit is how often something happened, and the worst time of it.
type habit struct {
	n, worst uint64
	text     string
}

func (s *habit) mark(size uint64, text string) bool {
	s.n++
	if size >= s.worst {
		s.worst, s.text = size, text
	}
	return s.n == 1
}

const (
	loopLength = 10   // as many texts of one shape are a loop
	mostShapes = 1024 // shapes of a client that are told apart
	manyKeys   = 5    // partitions of an IN that are many
)

// look takes note of a request and gives what is found for the first time.
func (f *findings) look(k *client, r *session.Request, out *session.Reply, a aim) (fresh []string) {
	asked := r.Verb == session.Query && len(r.Values) == 0 && a.partitions > 0
	if r.Verb == session.Prepare && out.Prepared != nil {
		_, known := k.prepared[out.ID]
		asked = !known
	}
	if asked && out.Error == nil {
		if l := f.literal(r.Text, r.Verb == session.Prepare); l != nil {
			f.loops = append(f.loops, l)
			fresh = append(fresh, l.String())
		}
	}
	text := out.Statement
	if a.filtering && f.filtering.mark(1, text) {
		fresh = append(fresh, f.filteringText())
	}
	if a.batch && len(r.Batch) > 0 {
		if text = r.Batch[0].Text; r.Batch[0].ID != nil {
			text = k.prepared[session.StatementID(r.Batch[0].ID)]
		}
	}
	if a.batch && a.partitions > 1 && f.spread.mark(uint64(a.partitions), text) {
		fresh = append(fresh, f.batchesText())
	}
	if a.read && a.partitions >= manyKeys && f.many.mark(uint64(a.partitions), text) {
		fresh = append(fresh, f.manyText())
	}
	if a.placed && k.placed >= 2*fewPlaced && k.placed%fewPlaced == 0 {
		was := f.unaware
		if f.unaware = !k.isAware(); f.unaware && !was {
			fresh = append(fresh, k.unawareText())
		}
	}
	return fresh
}

// literal counts a statement by its shape; it gives the shape when it becomes a loop.
func (f *findings) literal(text string, prepared bool) *literals {
	shape, n := cql.Shape(text)
	if n == 0 {
		return nil
	}
	key := shape
	if prepared {
		key = "prepared " + shape
	}
	l := f.shapes[key]
	switch {
	case l == nil && len(f.shapes) >= mostShapes:
		return nil
	case l == nil:
		if f.shapes == nil {
			f.shapes = map[string]*literals{}
		}
		f.shapes[key] = &literals{shape: shape, prepared: prepared, last: text, n: 1}
		return nil
	case l.last == text:
		return nil
	}
	l.last = text
	if l.n++; l.n == loopLength {
		return l
	}
	return nil
}

// found is everything that was found.
func (k *client) found() (out []string) {
	for _, l := range k.loops {
		out = append(out, l.String())
	}
	if k.filtering.n > 0 {
		out = append(out, k.filteringText())
	}
	if k.spread.n > 0 {
		out = append(out, k.batchesText())
	}
	if k.many.n > 0 {
		out = append(out, k.manyText())
	}
	if k.placed >= fewPlaced && !k.isAware() {
		out = append(out, k.unawareText())
	}
	return out
}

func (l *literals) String() string {
	if l.prepared {
		return fmt.Sprintf("%d prepared statements differ in nothing but their constants: each takes two trips and a place among those that are kept. Bind the values of `%s`", l.n, short(l.shape))
	}
	return fmt.Sprintf("%d statements differ in nothing but their constants, and none was prepared: every one is parsed anew, and none can be sent to a replica. Prepare `%s`", l.n, short(l.shape))
}

func (f *findings) filteringText() string {
	return fmt.Sprintf("%s with ALLOW FILTERING: all nodes read rows to throw them away. `%s`", times(f.filtering.n), short(f.filtering.text))
}

func (f *findings) batchesText() string {
	return fmt.Sprintf("%s over several partitions, up to %d: they are no faster than single writes, and one coordinator carries them all. They begin with `%s`",
		count(f.spread.n, "batch", "batches"), f.spread.worst, short(f.spread.text))
}

func (f *findings) manyText() string {
	return fmt.Sprintf("IN on up to %d partitions, %s: one coordinator asks for all and is as slow as the slowest; ask for each, side by side. `%s`", f.many.worst, times(f.many.n), short(f.many.text))
}

func (u *use) unawareText() string {
	return fmt.Sprintf("%s of the executions for one partition went to a replica, no more than by chance (%.0f%%): a token-aware policy saves the others a hop",
		percent(u.local, u.placed), u.chance*100/float64(max(u.placed, 1)))
}

func times(n uint64) string { return count(n, "request", "requests") }

func count(n uint64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// short is the beginning of a statement on one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 160 {
		return string(r[:159]) + "…"
	}
	return text
}
