package headless

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// Plain is the workbench without a screen: a line goes in, answers come out as
// text that a screen reader can follow.
type Plain struct {
	Lab     *host.Host
	In      io.Reader
	Out     io.Writer
	Prompt  bool             // somebody sits at a terminal
	Signals <-chan os.Signal // interrupts and requests to end; may be nil

	lesson lesson
}

// Ended says that a signal ended a session.
type Ended struct{ Signal os.Signal }

func (e *Ended) Error() string { return "ended by the signal " + e.Signal.String() }

// tick is how often virtual time flows on while the session waits for a line.
const tick = 100 * time.Millisecond

// Run works until EXIT, QUIT or the end of the input. An interrupt cancels what
// runs; at the prompt it empties the line, without one it ends the session, as
// every other signal does.
func (p *Plain) Run() error {
	lines := make(chan string)
	ended := make(chan error, 1)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		b := bufio.NewReaderSize(p.In, 1<<16)
		for {
			line, err := b.ReadString('\n')
			if line != "" {
				select {
				case lines <- line:
				case <-stop:
					return
				}
			}
			if err != nil {
				if err == io.EOF {
					err = nil
				}
				ended <- err
				return
			}
		}
	}()
	if p.Prompt {
		v := p.Lab.View()
		if err := p.say("ringlab without a screen: %d nodes. `:help` lists the commands, `:scenario` the lessons, EXIT or ctrl+d ends.\n", len(v.Nodes)); err != nil {
			return err
		}
	}
	clock := time.NewTicker(tick)
	defer clock.Stop()
	var cut script.Reader
	text := ""
	if err := p.prompt(false); err != nil {
		return err
	}
	for {
		select {
		case line := <-lines:
			text += line
			cut.Line(strings.TrimSuffix(line, "\n"))
			if cut.Pending() {
				if err := p.prompt(true); err != nil {
					return err
				}
				continue
			}
			exit, err := p.input(text)
			if exit || err != nil {
				return err
			}
			text, cut = "", script.Reader{}
		case err := <-ended:
			if _, e := p.input(text); err == nil {
				err = e
			}
			if p.Prompt && err == nil {
				err = p.say("\n")
			}
			return err
		case s := <-p.Signals:
			if s != os.Interrupt || !p.Prompt {
				return &Ended{s}
			}
			text, cut = "", script.Reader{}
			if err := p.say("\n"); err != nil {
				return err
			}
		case <-clock.C:
			if p.Lab.View().Running {
				p.Lab.Tick(tick)
			}
			continue
		}
		if err := p.prompt(false); err != nil {
			return err
		}
	}
}

// prompt asks for a line; more says that a statement goes on.
func (p *Plain) prompt(more bool) error {
	v := p.Lab.View()
	who := "cql"
	if v.Client != "" {
		who = v.Client
	}
	if v.Keyspace != "" {
		who += ":" + v.Keyspace
	}
	switch {
	case !p.Prompt:
		return nil
	case more:
		return p.say("%*s... ", max(0, len(who)-2), "")
	}
	return p.say("%s> ", who)
}

// input runs what was typed; exit says that the session is to end.
func (p *Plain) input(text string) (exit bool, err error) {
	if strings.TrimSpace(text) == "" {
		return false, nil
	}
	if done, err := p.guide(text); done {
		return false, err
	}
	return p.do(text, func(a *answer.Answer) string { return Spoken(a, p.Lab.Expand()) })
}

// do has the lab run a text and says what spoken makes of each answer; exit says that
// the session is to end.
func (p *Plain) do(text string, spoken func(*answer.Answer) string) (exit bool, err error) {
	answers := p.Lab.Do(text)
	for {
		select {
		case a, ok := <-answers:
			if !ok {
				return exit, err
			}
			exit = exit || a.Exit
			if err == nil {
				if err = p.say("%s", spoken(&a)); err != nil {
					p.Lab.Cancel()
				}
			}
		case s := <-p.Signals:
			p.Lab.Cancel()
			if err == nil && (s != os.Interrupt || !p.Prompt) {
				err = &Ended{s}
			}
		}
	}
}

func (p *Plain) say(format string, args ...any) error {
	_, err := fmt.Fprintf(p.Out, format, args...)
	return err
}

// Spoken is an answer in words: its rows as lines of names and values, or with EXPAND
// as cqlsh prints them, what else there is to do after a refusal, and how the
// operation went.
func Spoken(a *answer.Answer, expand bool) string {
	var b strings.Builder
	if a.Columns != nil && a.Cli == nil && !a.Describe && !a.Prose && a.Error == nil && !expand {
		b.WriteString(spokenRows(a))
	} else {
		b.WriteString(render.Text(a, expand))
	}
	if len(a.Trace) > 0 {
		b.WriteString(render.Trace(a))
	}
	for _, f := range a.Fix {
		b.WriteString("Instead: " + render.Visible(f.Text))
		if f.Why != "" {
			b.WriteString("  (" + render.Visible(f.Why) + ")")
		}
		b.WriteByte('\n')
	}
	verdict := strings.NewReplacer("  ", ", ", " + ", " and ").Replace(a.Verdict)
	switch {
	case a.Op > 0 && a.Error != nil:
		fmt.Fprintf(&b, "Operation %d failed.\n", a.Op)
	case a.Op > 0 && verdict != "":
		fmt.Fprintf(&b, "Operation %d: %s.\n", a.Op, verdict)
	case verdict != "":
		fmt.Fprintf(&b, "%s.\n", verdict)
	}
	return b.String()
}

// spokenRows are rows as they are read aloud: nothing in them is told by its place.
func spokenRows(a *answer.Answer) string {
	var b strings.Builder
	for _, w := range a.Warnings {
		b.WriteString("Warning: " + render.Visible(w) + "\n")
	}
	if len(a.Rows) == 0 {
		b.WriteString("No rows.\n")
	}
	for i, r := range a.Rows {
		fmt.Fprintf(&b, "Row %d of %d.\n", i+1, len(a.Rows))
		for j, c := range a.Columns {
			if j < len(r) {
				text := r[j].Text
				if r[j].Null {
					text = "null"
				}
				b.WriteString(render.Visible(c.Name) + ": " + render.Visible(text) + "\n")
			}
		}
	}
	return b.String()
}
