// Package headless runs scripts without a screen: it reads files and standard
// input, feeds a lab, and prints what comes out as text, JSON or the script
// itself.
package headless

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// Output is the form in which answers are printed.
type Output string

// The forms of output.
const (
	Table Output = "table"
	JSON  Output = "json"
	Lab   Output = "lab"
)

// Runner runs scripts on a lab.
type Runner struct {
	// Do runs one statement or command and returns once its answers are safe.
	Do func(text, file string, line int) ([]*answer.Answer, error)
	// Expand says whether results are shown row by row now.
	Expand func() bool
	// Deliver hands on what one item printed, when its command is safe. Nil
	// writes to Out and Err at once.
	Deliver func(out, errs []byte) error
	// Finish waits until all is delivered and gives the first error of it. Nil
	// is for runners that deliver at once.
	Finish    func() error
	Out, Err  io.Writer
	Output    Output
	KeepGoing bool
	Classic   bool // statements of files without a telling name are of the classic language
	Traces    bool
	Events    bool

	n       int
	failed  bool // an expectation did not hold
	held    *held
	printed string // what the last item printed, for ----
	last    script.Item
	sources []string
	opening int // files that :open runs
	capture host.Capture
	out     bytes.Buffer // what the running item prints
	errs    bytes.Buffer
}

// deliver hands on what was printed since the last call.
func (r *Runner) deliver() error {
	defer r.out.Reset()
	defer r.errs.Reset()
	if r.Deliver != nil {
		return r.Deliver(bytes.Clone(r.out.Bytes()), bytes.Clone(r.errs.Bytes()))
	}
	return Write(r.Out, r.Err, r.out.Bytes(), r.errs.Bytes())
}

// Write prints what one item gave.
func Write(out, errs io.Writer, text, complaints []byte) error {
	if len(complaints) > 0 {
		if _, err := errs.Write(complaints); err != nil {
			return err
		}
	}
	if len(text) > 0 {
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// held is an error that the script may still turn out to expect.
type held struct {
	err  *answer.Error
	file string
	line int
}

// errStop ends a run after an error was printed.
var errStop = errors.New("stopped")

// Failed says whether an error that nobody expected ended the run, or an
// expectation did not hold: exit status 1.
func (r *Runner) Failed() bool { return r.failed }

// File runs one script; "-" is standard input.
func (r *Runner) File(name string, stdin io.Reader) error {
	if name == "-" {
		return r.Read("-", stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read the script: %w", err)
	}
	defer f.Close()
	if strings.EqualFold(filepath.Ext(name), ".md") {
		text, err := io.ReadAll(f)
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		return r.Markdown(name, string(text))
	}
	return r.Read(name, f)
}

// Read runs a script as its lines arrive.
func (r *Runner) Read(name string, in io.Reader) error {
	cut := script.For(name, r.Classic)
	b := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := b.ReadString('\n')
		if line != "" {
			if e := r.items(name, cut.Line(strings.TrimSuffix(line, "\n"))); e != nil {
				return e
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
	if err := r.items(name, cut.Close()); err != nil {
		return err
	}
	return r.release()
}

// Markdown runs the blocks of a Markdown file.
func (r *Runner) Markdown(name, text string) error {
	for _, b := range Blocks(text) {
		if b.Lang != "cql" && b.Lang != "lab" && b.Lang != "cli" {
			continue
		}
		cut := script.Reader{Classic: b.Lang == "cli"}
		for _, line := range strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n") {
			items := cut.Line(line)
			if e := r.items(name, shift(items, b.Line-1)); e != nil {
				return e
			}
		}
		if err := r.items(name, shift(cut.Close(), b.Line-1)); err != nil {
			return err
		}
	}
	return r.release()
}

func shift(items []script.Item, by int) []script.Item {
	for i := range items {
		items[i].Line += by
		items[i].End += by
	}
	return items
}

func (r *Runner) items(file string, items []script.Item) error {
	for _, it := range items {
		if err := r.item(file, it); err != nil {
			return err
		}
	}
	return nil
}

// item runs one item of a script.
func (r *Runner) item(file string, it script.Item) error {
	if it.Kind == script.Expect {
		return r.compare(file, it)
	}
	word, rest, _ := strings.Cut(it.Text, " ")
	if it.Kind == script.Lab && word == ":expect" {
		if r.held != nil && r.held.err.Name != admin.ExpectationFailed && strings.HasPrefix(strings.TrimSpace(rest), "error") {
			r.held = nil // it is expected
		}
	}
	if err := r.release(); err != nil {
		return err
	}
	if it.Kind == script.Shell && strings.EqualFold(word, "SOURCE") {
		return r.source(file, it)
	}
	if host.IsCapture(it) {
		a := r.capture.Command(it.Text)
		a.File, a.Line = file, it.Line
		if err := r.show(a, it); err != nil {
			return err
		}
		return r.deliver()
	}
	if it.Kind == script.Lab && word == ":open" {
		return r.open(file, it)
	}
	return r.command(file, it)
}

// command runs a statement or command of the lab and prints its answers.
func (r *Runner) command(file string, it script.Item) error {
	word, _, _ := strings.Cut(it.Text, " ")
	answers, err := r.Do(it.Text, file, it.Line)
	if err != nil {
		return err
	}
	printed := r.printed
	r.printed = ""
	defer func() { // ---- looks at what a statement printed, whatever was expected of it before
		if it.Kind == script.Lab && word == ":expect" {
			r.printed = printed
		} else {
			r.last = it
		}
	}()
	for _, a := range answers {
		if err := r.show(r.capture.Take(a, r.Expand()), it); err != nil {
			r.deliver()
			return err
		}
	}
	return r.deliver()
}

// show prints one answer.
func (r *Runner) show(a *answer.Answer, it script.Item) error {
	r.n++
	a.N = r.n
	text := render.Text(a, r.Expand())
	r.printed += text
	switch r.Output {
	case JSON:
		if _, err := r.out.Write(render.JSON(a, r.Traces, r.Events)); err != nil {
			return err
		}
	case Lab:
		if r.opening > 0 { // the script opens the file itself
			break
		}
		if err := r.script(a, text); err != nil {
			return err
		}
	default:
		if _, err := io.WriteString(&r.out, render.Table(a, r.Expand())); err != nil {
			return err
		}
		if r.Traces && len(a.Trace) > 0 {
			io.WriteString(&r.out, render.Trace(a))
		}
	}
	if r.Output != JSON && r.Events {
		for _, e := range a.Events {
			fmt.Fprintln(&r.errs, e)
		}
	}
	if a.Cli != nil && r.Output == Table {
		r.errs.WriteString(a.Cli.Err)
	}
	if a.Error != nil {
		if a.Error.Name == admin.ExpectationFailed {
			r.failed = true
		}
		r.held = &held{err: a.Error, file: a.File, line: it.End + 1} // as cqlsh counts: the line behind the statement
		if it.Kind == script.Lab {
			r.held.line = it.Line
		}
	}
	if a.Exit {
		return errStop
	}
	return nil
}

// script writes an answer back as part of a .lab script.
func (r *Runner) script(a *answer.Answer, text string) error {
	out := a.Statement
	if a.Cli != nil {
		out = script.ClassicCommand + out
	}
	if !strings.HasPrefix(out, ":") && !script.ShellWord(strings.SplitN(out, " ", 2)[0]) {
		out += ";"
	}
	out += "\n"
	if text = strings.Trim(text, "\n"); text != "" && !strings.HasPrefix(a.Statement, ":expect") {
		if strings.Contains(text, "\n\n") {
			out += "----\n----\n" + text + "\n----\n----\n"
		} else {
			out += "----\n" + text + "\n"
		}
	}
	_, err := io.WriteString(&r.out, out+"\n")
	return err
}

// release reports an error that turned out not to be expected.
func (r *Runner) release() error {
	h := r.held
	if h == nil {
		return nil
	}
	r.held = nil
	r.report(h)
	if err := r.deliver(); err != nil {
		return err
	}
	if r.KeepGoing {
		return nil
	}
	r.failed = true
	return errStop
}

func (r *Runner) report(h *held) {
	if h.file != "" && h.file != "-" {
		fmt.Fprintf(&r.errs, "%s:%d:%s\n", h.file, h.line, render.Error(h.err))
		return
	}
	fmt.Fprintf(&r.errs, "<stdin>:%d:%s\n", h.line, render.Error(h.err))
}

// compare checks what the last item printed against expected text.
func (r *Runner) compare(file string, it script.Item) error {
	if r.held != nil && r.held.err.Name != admin.ExpectationFailed {
		r.held = nil // whether it is the expected one shows now
	}
	if err := r.release(); err != nil {
		return err
	}
	if render.Same(r.printed, it.Text) {
		return nil
	}
	r.failed = true
	fmt.Fprintf(&r.errs, "%s:%d: the output is not what is expected of: %s\n%s", file, it.Line, firstLine(r.last.Text), difference(it.Text, r.printed))
	if err := r.deliver(); err != nil {
		return err
	}
	if r.KeepGoing {
		return nil
	}
	return errStop
}

func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if more {
		line += " …"
	}
	return line
}

// difference shows expected and real text line by line.
func difference(want, got string) string {
	var b strings.Builder
	w := strings.Split(strings.Trim(want, "\n"), "\n")
	g := strings.Split(strings.Trim(got, "\n"), "\n")
	for i := 0; i < max(len(w), len(g)); i++ {
		x, y := at(w, i), at(g, i)
		if x == y {
			b.WriteString("    " + x + "\n")
			continue
		}
		if i < len(w) {
			b.WriteString("  - " + x + "\n")
		}
		if i < len(g) {
			b.WriteString("  + " + y + "\n")
		}
	}
	return b.String()
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return strings.TrimRight(lines[i], " \t")
	}
	return ""
}

// source runs another file in the place of the SOURCE command.
func (r *Runner) source(from string, it script.Item) error {
	_, arg, _ := strings.Cut(it.Text, " ")
	name := strings.Trim(strings.TrimSpace(strings.TrimSuffix(arg, ";")), `'"`)
	if name == "" {
		return r.complain(from, it, "Improper SOURCE command.")
	}
	if !filepath.IsAbs(name) && from != "-" && from != "" {
		if _, err := os.Stat(name); err != nil {
			name = filepath.Join(filepath.Dir(from), name)
		}
	}
	if len(r.sources) > 16 {
		return r.complain(from, it, "SOURCE goes more than 16 files deep; do the files call each other?")
	}
	f, err := os.Open(name)
	if err != nil {
		return r.complain(from, it, fmt.Sprintf("Could not open '%s': %s", name, reason(err)))
	}
	defer f.Close()
	r.sources = append(r.sources, name)
	defer func() { r.sources = r.sources[:len(r.sources)-1] }()
	return r.Read(name, f)
}

func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// complain answers a command of the front end with an error.
func (r *Runner) complain(file string, it script.Item, text string) error {
	err := r.show(&answer.Answer{Statement: it.Text, File: file, Line: it.Line, Error: &answer.Error{Name: "CommandError", Message: text}}, it)
	if e := r.deliver(); err == nil {
		err = e
	}
	return err
}

// Stopped says whether an error only means that the run has ended early, after
// it was reported.
func Stopped(err error) bool { return errors.Is(err, errStop) }
