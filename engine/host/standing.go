package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/timeline"
	"ringlab/engine/workspace"
)

// standing is a lab at a point of the journal.
type standing struct {
	lab    *engine.Lab
	lastAt int64  // virtual time at the end of its last command
	last   string // that command, "" if there is none; checks do not count
}

// parked is a lab that was left: whoever comes back to its point, or goes on
// from there, need not run its commands again.
type parked struct {
	standing
	path []timeline.Span
}

// mostParked and parkedBytes bound the labs that are kept, and their data.
const (
	mostParked  = 3
	parkedBytes = 64 << 20
)

// errTravelCancelled says that a rebuild was given up.
var errTravelCancelled = errors.New("cancelled; the lab is where it was")

// begin makes the empty lab that the journal starts from.
func (s *Store) begin() (st standing, err error) {
	if s.file == nil {
		st.lab, err = s.Lab.Fresh()
	} else {
		h := s.file.Header()
		st.lab, err = engine.New(engine.Options{Ring: h.Ring, Epoch: h.Epoch})
	}
	if err == nil {
		err = s.dress(st.lab)
	}
	if err == nil {
		st.lastAt = st.lab.Now()
	}
	return st, err
}

// dress connects a new lab with the store and with whoever watches.
func (s *Store) dress(lab *engine.Lab) error {
	if s.options.Record {
		lab.Record()
	}
	if s.options.Prepare != nil {
		if err := s.options.Prepare(lab); err != nil {
			return err
		}
	}
	lab.Outside(s)
	return nil
}

// own makes a lab the store's.
func (s *Store) own(st standing) {
	s.Lab, s.standing, s.loose, s.moved, s.shown = st.lab, st, false, nil, shown{}
}

// each visits the entries of a path.
func (s *Store) each(path []timeline.Span, visit func(workspace.Entry) error) error {
	for _, span := range path {
		next := span.From
		err := s.journal.Each(span.From, func(e workspace.Entry) error {
			if next > span.To {
				return errEnough
			}
			next++
			return visit(e)
		})
		switch {
		case next > span.To && (err == nil || errors.Is(err, errEnough)):
		case err != nil:
			return err
		default:
			return fmt.Errorf("entry %d of the journal is missing", next)
		}
	}
	return nil
}

// errEnough ends a walk through the journal.
var errEnough = errors.New("enough")

// entry reads one entry.
func (s *Store) entry(n uint64) (found workspace.Entry, err error) {
	err = s.each([]timeline.Span{{From: n, To: n}}, func(e workspace.Entry) error { found = e; return nil })
	return found, err
}

// play runs an entry of the journal on a lab.
func (s *Store) play(st *standing, e workspace.Entry) []*answer.Answer {
	if e.Kind == idle {
		micros, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(e.Text, ":advance "), "us"), 10, 64)
		st.lab.Advance(st.lab.Now() + micros)
		st.lastAt = st.lab.Now()
		return nil
	}
	s.inputs = inputs{again: true}
	if e.Kind == input {
		_ = json.Unmarshal(e.Data, &s.inputs.replaying) // what is missing then shows in the answer
	}
	answers := st.lab.Do(e.Text)
	s.inputs = inputs{}
	st.lastAt = st.lab.Now()
	if !isCheck(e.Text) {
		st.last = e.Text
	}
	return answers
}

// stand is a lab at the end of a path: a parked one, or what the commands of the
// path give anew. Cancelled, it leaves everything as it was.
func (s *Store) stand(path []timeline.Span) (standing, error) {
	st, done, err := s.nearest(path)
	if err != nil {
		return st, err
	}
	rest, watch := without(path, done), s.watch("replayed", int(timeline.Count(path)-done))
	err = s.each(rest, func(e workspace.Entry) error {
		answers := s.play(&st, e)
		s.mark(e.N, markOf(e.Text, answers))
		return watch()
	})
	return st, err
}

// nearest takes the parked lab that has gone furthest on a path, or a new one,
// and says how many entries of the path it has run.
func (s *Store) nearest(path []timeline.Span) (standing, uint64, error) {
	best, most := -1, uint64(0)
	for i, p := range s.parked {
		n := timeline.Count(p.path)
		if n > most && timeline.Common(p.path, path) == n {
			best, most = i, n
		}
	}
	if best < 0 {
		st, err := s.begin()
		return st, 0, err
	}
	st := s.parked[best].standing
	s.parked = slices.Delete(s.parked, best, best+1)
	return st, most, nil
}

// park keeps the lab that is left, if it is exactly what its path gives: no time
// has flowed and nothing was said since that the journal does not know.
func (s *Store) park(path []timeline.Span) {
	if s.loose || s.Lab.Now() != s.lastAt {
		return
	}
	held := int64(0)
	for _, n := range s.Lab.Core().Cluster.Nodes {
		held += n.DiskBytes()
		for _, t := range n.SortedStores() {
			held += t.Mem.Heap
		}
	}
	if held > parkedBytes {
		return
	}
	if s.moved != nil {
		s.Lab.Core().Last = s.moved.before
	}
	if len(s.parked) == mostParked {
		s.parked = s.parked[1:]
	}
	s.parked = append(s.parked, parked{s.standing, path})
}

// without is a path less its first n entries.
func without(path []timeline.Span, n uint64) (out []timeline.Span) {
	for _, span := range path {
		skip := min(n, span.To-span.From+1)
		if n -= skip; span.From+skip <= span.To {
			out = append(out, timeline.Span{From: span.From + skip, To: span.To})
		}
	}
	return out
}

// watch counts steps of work that takes long and tells whoever watches; its
// error means that the work is cancelled.
func (s *Store) watch(what string, of int) func() error {
	done, told := 0, time.Now()
	s.halted = false
	return func() error {
		done++
		if !s.halted && s.went != nil && time.Since(told) >= s.every {
			told = time.Now()
			s.halted = !s.went(admin.Progress{What: what, Done: done, Of: of})
		}
		if s.halted {
			return errTravelCancelled
		}
		return nil
	}
}

// adopt goes to another lab; only the speed at which time flows stays.
func (s *Store) adopt(st standing, left []timeline.Span) {
	speed := s.Lab.Speed()
	file, line := s.Lab.Placed()
	s.park(left)
	last := st.lab.Core().Last
	st.lab.Do(":speed " + speed)
	st.lab.Core().Last = last
	st.lab.Place(file, line)
	s.own(st)
}

func clockAt(micros int64) string { return fmt.Sprintf("the clock is at %s", answer.Clock(micros)) }
