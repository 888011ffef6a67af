package host

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/timeline"
	"ringlab/engine/workspace"
)

// mostRows bounds what a comparison shows, widest how much of one value.
const (
	mostRows = 500
	widest   = 50
)

// diff compares the branch of now with another one: what they answered since
// they parted, and what their nodes hold.
func (s *Store) diff(name string) (*answer.Answer, error) {
	other, err := s.branch(name)
	if err != nil {
		return nil, err
	}
	current := s.tree.Current()
	if other == current {
		return nil, fmt.Errorf("this is %s; `:diff` takes another branch, and `:branches` lists them", name)
	}
	mine, theirs := current.Done(), other.Done()
	shared := timeline.Common(mine, theirs)
	watch := s.watch("replayed", int(timeline.Count(mine)+timeline.Count(theirs)))
	here, a, err := s.outcomes(mine, shared, watch)
	if err != nil {
		return nil, err
	}
	there, b, err := s.outcomes(theirs, shared, watch)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, p := range timeline.Align(a, b) {
		switch {
		case p.B < 0:
			rows = append(rows, []string{commandName(a[p.A].N), firstLine(a[p.A].Text), a[p.A].Short(), "not run"})
		case p.A < 0:
			rows = append(rows, []string{commandName(b[p.B].N) + " of " + name, firstLine(b[p.B].Text), "not run", b[p.B].Short()})
		default:
			if left, right, differ := timeline.Contrast(a[p.A], b[p.B]); differ {
				rows = append(rows, []string{commandName(a[p.A].N), firstLine(a[p.A].Text), left, right})
			}
		}
	}
	data, err := timeline.Differences(here.lab.Core(), there.lab.Core(), mostRows, s.watch("compared", 0))
	if err != nil {
		return nil, err
	}
	for _, d := range data {
		rows = append(rows, []string{strings.Join(d.Nodes, " "), d.Table + " " + d.Partition, d.A, d.B})
	}
	if len(rows) == 0 {
		return &answer.Answer{Message: fmt.Sprintf("%s and %s parted behind %s: both answered alike since, and every node holds the same rows.",
			current.Name, name, counted(s.tree.Commands(current.Upto(shared)), "command"))}, nil
	}
	return contrastTable(rows, current.Name, name), nil
}

func commandName(n int) string { return fmt.Sprintf("command %d", n) }

// contrastTable shows two branches side by side.
func contrastTable(rows [][]string, left, right string) *answer.Answer {
	more := len(rows) - mostRows
	if more > 0 {
		rows = append(rows[:mostRows:mostRows], []string{"", fmt.Sprintf("and %d more differences", more), "", ""})
	}
	for i, r := range rows {
		rows[i] = []string{r[0], ansi.Truncate(r[2], widest, "…"), ansi.Truncate(r[3], widest, "…"), ansi.Truncate(r[1], 2*widest, "…")}
	}
	a := answer.Table([]string{"where", left, right, "what"}, rows)
	a.Prose = true
	return a
}

// outcomes runs a path on a lab of its own and keeps what was answered behind
// its first shared entries.
func (s *Store) outcomes(path []timeline.Span, shared uint64, watch func() error) (standing, []timeline.Outcome, error) {
	st, err := s.begin()
	if err != nil {
		return st, nil, err
	}
	var out []timeline.Outcome
	place, n := uint64(0), 0
	err = s.each(path, func(e workspace.Entry) error {
		answers := s.play(&st, e)
		if place++; s.tree.Kind(e.N) == timeline.Command {
			if n++; place > shared {
				out = append(out, timeline.NewOutcome(n, e.Text, answers))
			}
		}
		return watch()
	})
	return st, out, err
}

// replayWith runs the branch's commands again, some of them changed, on a new
// branch, and shows which of the others came to something else. The lab stays
// where it is.
func (s *Store) replayWith(text string, j *admin.Journey) (*answer.Answer, error) {
	name, err := s.newName(j.Name)
	if err != nil {
		return nil, err
	}
	r := rerun{store: s, changes: j.Changes, branch: name}
	if r.as, err = s.begin(); err != nil {
		return nil, err
	}
	if r.changed, err = s.begin(); err != nil {
		return nil, err
	}
	current := s.tree.Current()
	path := current.Done()
	watch := s.watch("replayed", int(timeline.Count(path)))
	r.open()
	err = s.each(path, func(e workspace.Entry) error {
		r.entry(e, s.tree.Kind(e.N))
		return watch()
	})
	if err != nil {
		return nil, err
	}
	if left := strings.Join(j.Changes.Without, " "); left != "" && r.left == 0 {
		return nil, fmt.Errorf("no command of %s begins with `%s`, so there is nothing to leave out", current.Name, left)
	}
	step := timeline.Step{To: name, Begin: true, Stay: true, Clock: r.changed.lab.Now()}
	entries := append([]workspace.Entry{s.stepEntry(text, step)}, r.entries...)
	if err := s.store(entries); err != nil {
		return nil, err
	}
	if err := s.tree.Step(step); err != nil {
		return nil, err
	}
	for i := range r.entries {
		if err := s.grow(&r.entries[i]); err != nil {
			return nil, err
		}
		s.mark(s.tree.Len(), r.marks[i])
	}
	if len(r.rows) == 0 {
		return &answer.Answer{Message: fmt.Sprintf("All %s answered as on %s; `:branch %s` goes to the replay, `:diff %s` compares what its nodes hold.",
			counted(r.compared, "command"), current.Name, name, name)}, nil
	}
	return contrastTable(r.rows, current.Name, name), nil
}

// newName is the name of a branch that begins, made up where none is asked for.
func (s *Store) newName(name string) (string, error) {
	if name != "" && s.tree.Find(name) != nil {
		return "", fmt.Errorf("there is a branch %s already; choose another name with as=", name)
	}
	for n := 1; name == ""; n++ {
		if made := fmt.Sprintf("replay-%d", n); s.tree.Find(made) == nil {
			name = made
		}
	}
	return name, nil
}

// rerun runs commands twice: as they were, and changed.
type rerun struct {
	store       *Store
	changes     admin.Changes
	branch      string
	as, changed standing
	entries     []workspace.Entry // of the changed ones
	marks       []byte
	n, compared int
	left        int // commands that were left out
	rows        [][]string
}

// open gives the commands that every new ring begins with.
func (r *rerun) open() {
	for _, text := range r.changes.Opening() {
		r.play(workspace.Entry{Text: text})
	}
}

// play runs an entry of the changed ones and keeps it.
func (r *rerun) play(e workspace.Entry) []*answer.Answer {
	e.At, e.Client, e.Branch, e.N = r.changed.lab.Now(), r.changed.lab.Client(), r.branch, 0
	answers := r.store.play(&r.changed, e)
	if e.Hash = 0; r.store.file != nil && e.Kind != idle {
		e.Hash = engine.Hash(answers)
	}
	r.entries = append(r.entries, e)
	r.marks = append(r.marks, markOf(e.Text, answers))
	return answers
}

// entry runs an entry of the branch both ways.
func (r *rerun) entry(e workspace.Entry, kind timeline.Kind) {
	answers := r.store.play(&r.as, e)
	switch kind {
	case timeline.Check: // what was expected then is not what is asked now
		return
	case timeline.Idle:
		r.play(e)
		return
	}
	r.n++
	text, keep := r.changes.Of(e.Text)
	before := timeline.NewOutcome(r.n, e.Text, answers)
	if !keep {
		r.left++
		r.rows = append(r.rows, []string{commandName(r.n), firstLine(e.Text), before.Short(), "left out"})
		return
	}
	same := text == e.Text
	e.Text = text
	after := timeline.NewOutcome(r.n, text, r.play(e))
	if same {
		r.compared++
		if left, right, differ := timeline.Contrast(before, after); differ {
			r.rows = append(r.rows, []string{commandName(r.n), firstLine(text), left, right})
		}
	}
	if admin.Renews(text) {
		r.open()
	}
}
