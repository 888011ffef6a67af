package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/picture"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// run works through one input.
func (h *Host) run(j *job) {
	defer func() {
		_ = h.store.Flush() // whoever waits was told of a failure
		h.paint()
		close(j.out)
	}()
	if j.cancelled.Load() {
		h.send(j, answer.Answer{Statement: firstLine(j.text), Message: "Cancelled before it began."})
		return
	}
	h.remember(j.text)
	h.job = j
	defer func() { h.job = nil }()
	cut := script.Reader{Classic: h.classic}
	h.items(j, cut.Cut(j.text), nil)
	h.classic = cut.Classic
}

// send hands an answer to whoever gave the input. After Close nobody may be
// there to take it.
func (h *Host) send(j *job, a answer.Answer) {
	select {
	case j.out <- a:
		return
	default:
	}
	select {
	case j.out <- a:
	case <-h.quit:
	}
}

// tell gives an answer of the host's own, behind those of the commands before.
func (h *Host) tell(j *job, a answer.Answer) {
	h.store.Commit(Receipt{}, func(err error) {
		if err != nil {
			a = notStored(a.Statement, err)
		}
		h.send(j, a)
	})
}

// notStored is the answer to a command that the workspace does not have.
func notStored(statement string, err error) answer.Answer {
	return answer.Answer{Statement: statement, Error: &answer.Error{Name: "WorkspaceError", Message: err.Error()}}
}

// items runs the items of a text, which is the input itself or the last of the
// sourced files; false means that the rest is not wanted.
func (h *Host) items(j *job, items []script.Item, files []string) bool {
	for i, it := range items {
		if j.cancelled.Load() {
			where := ""
			if len(files) > 0 {
				where = " of " + files[len(files)-1]
			}
			h.tell(j, answer.Answer{Message: fmt.Sprintf("Cancelled: %d of %d commands%s were run and are kept.", i, len(items), where)})
			return false
		}
		if err := h.store.Failed(); err != nil {
			h.tell(j, notStored(it.Text, err))
			return false
		}
		h.needsRing = false
		if !h.item(j, it, files) {
			return false
		}
		if left := len(items) - i - 1; h.needsRing && left > 0 {
			h.tell(j, answer.Answer{Message: fmt.Sprintf("The other %d statements were not run, since they need this keyspace: F4 makes a ring with its data centers, "+
				"then ↑ brings the text back.", left)})
			return false
		}
		h.errands()
		if time.Since(h.painted) >= frame {
			h.paint()
		}
	}
	return true
}

// item runs one item.
func (h *Host) item(j *job, it script.Item, files []string) bool {
	word, rest, _ := strings.Cut(it.Text, " ")
	switch {
	case it.Kind == script.Expect:
		h.tell(j, h.compare(it))
		return true
	case it.Kind == script.Shell && strings.EqualFold(word, "SOURCE"):
		return h.source(j, it, strings.Trim(strings.TrimSpace(rest), `'"`), files)
	case IsCapture(it):
		h.tell(j, *h.capture.Command(it.Text))
		return true
	case it.Kind == script.Shell && strings.EqualFold(word, "HISTORY"):
		h.tell(j, h.recent(it.Text, rest))
		return true
	case it.Kind == script.Lab && word == ":open":
		return h.open(j, it, files)
	}
	h.command(j, it, files)
	return true
}

// command runs one statement or command and sends its answers once they are
// safe.
func (h *Host) command(j *job, it script.Item, files []string) []*answer.Answer {
	word, _, _ := strings.Cut(it.Text, " ")
	file := ""
	if len(files) > 0 {
		file = files[len(files)-1]
	}
	h.store.Lab.Place(file, it.Line)
	expand := h.store.Lab.Expand()
	h.started = time.Now()
	lab := h.store.Lab
	answers, receipt := h.store.Run(it.Text)
	if lab != h.store.Lab {
		h.painter = picture.New(h.store.Lab.Core())
	}
	h.looked()
	h.needsRing = offersRing(answers)
	h.done = ""
	if word != ":expect" { // ---- looks at what the statement printed
		h.last = ""
		for _, a := range answers {
			h.last += render.Text(a, expand)
		}
	}
	for i := range answers {
		answers[i] = h.capture.Take(answers[i], expand)
	}
	h.store.Commit(receipt, func(err error) {
		for _, a := range answers {
			if err != nil {
				h.send(j, notStored(a.Statement, err))
			} else {
				h.send(j, *a)
			}
		}
	})
	return answers
}

// recent answers HISTORY: the last inputs, 50 of them unless a number is given.
func (h *Host) recent(text, rest string) answer.Answer {
	a, most := answer.Answer{Statement: text}, 50
	if rest = strings.TrimSpace(rest); rest != "" {
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			a.Error = &answer.Error{Name: "CommandError", Message: "Improper HISTORY command."}
			return a
		}
		most = n
	}
	lines := *h.history.Load()
	a.Message = strings.Join(lines[max(0, len(lines)-most):], "\n")
	return a
}

// offersRing says whether a statement was refused because its ring lacks data
// centers: then what follows it in a pasted schema is refused as well, and the
// offer should not scroll away.
func offersRing(answers []*answer.Answer) bool {
	return slices.ContainsFunc(answers, func(a *answer.Answer) bool {
		return a.Error != nil && len(a.Fix) > 0 && strings.HasPrefix(a.Fix[0].Text, ":ring new")
	})
}

// compare checks expected output.
func (h *Host) compare(it script.Item) answer.Answer {
	a := answer.Answer{Statement: ":expect output", Message: "as expected"}
	if !render.Same(h.last, it.Text) {
		a.Message = ""
		a.Error = &answer.Error{Name: "ExpectationFailed", Message: "the output is not what the lesson expects:\n" + it.Text}
	}
	return a
}

// source runs a file in the place of the command. A relative name is looked for
// where ringlab runs, then beside the file that the command stands in.
func (h *Host) source(j *job, it script.Item, name string, files []string) bool {
	complain := func(text string) bool {
		h.tell(j, answer.Answer{Statement: it.Text, Error: &answer.Error{Name: "CommandError", Message: text}})
		return true
	}
	if name == "" {
		return complain("Improper SOURCE command.")
	}
	info, err := os.Stat(name)
	if err != nil && len(files) > 0 && !filepath.IsAbs(name) {
		beside := filepath.Join(filepath.Dir(files[len(files)-1]), name)
		if found, e := os.Stat(beside); e == nil {
			name, info, err = beside, found, nil
		}
	}
	switch {
	case err != nil:
		return complain(fmt.Sprintf("Could not open '%s': %s", name, reason(err)))
	case !info.Mode().IsRegular():
		return complain(fmt.Sprintf("Could not open '%s': it is not a file", name))
	case len(files) >= 16:
		return complain("SOURCE goes more than 16 files deep.")
	}
	open := filepath.Clean(name)
	if abs, err := filepath.Abs(name); err == nil {
		open = abs
	}
	if slices.ContainsFunc(files, func(f string) bool { abs, err := filepath.Abs(f); return err == nil && abs == open }) {
		return complain(fmt.Sprintf("'%s' is being run already; SOURCE would never end.", name))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return complain(fmt.Sprintf("Could not open '%s': %s", name, reason(err)))
	}
	cut := script.For(name, false)
	return h.items(j, cut.Cut(string(text)), append(files[:len(files):len(files)], name))
}

// reason is what the system said, without the path.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
