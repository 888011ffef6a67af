package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// job is one input on its way through the lab. Jobs run one after the other.
type job struct {
	text    string
	from    string // who asked, for status lines; "" is the console
	each    bool   // show every statement with its answer instead of the input
	bulk    bool   // so much that only errors and a count are shown
	quiet   bool   // nothing in the transcript
	answers func(answer.Answer)
	done    func()

	ch       <-chan answer.Answer
	started  time.Time
	seen     int
	failed   int
	last     answer.Answer
	canceled bool
}

// answersMsg brings what a job's channel had; closed says that it is over.
type answersMsg struct {
	job    *job
	list   []answer.Answer
	closed bool
}

// collect waits for an answer and takes along what else is there.
func (j *job) collect() tea.Msg {
	msg := answersMsg{job: j}
	a, ok := <-j.ch
	for {
		if !ok {
			msg.closed = true
			return msg
		}
		msg.list = append(msg.list, a)
		if len(msg.list) == 512 {
			return msg
		}
		select {
		case a, ok = <-j.ch:
		default:
			return msg
		}
	}
}

// start queues a job and runs it when nothing else does.
func (a *App) start(j *job) tea.Cmd {
	a.queue = append(a.queue, j)
	if a.running != nil {
		return nil
	}
	return a.nextJob()
}

func (a *App) nextJob() tea.Cmd {
	if len(a.queue) == 0 {
		a.running = nil
		return nil
	}
	j := a.queue[0]
	a.queue = a.queue[1:]
	a.running = j
	if !j.quiet && !j.each {
		a.console.echo(j.text, a.v != nil && a.v.Language == "cli")
	}
	j.started = a.now()
	j.ch = a.lab.Do(j.text)
	a.console.busy = ""
	return tea.Batch(j.collect, a.busyTick())
}

// busyMsg asks for the next look at the running job's clock.
type busyMsg struct{ job *job }

func (a *App) busyTick() tea.Cmd {
	j := a.running
	every := 200 * time.Millisecond
	if a.opts.ReducedMotion {
		every = time.Second
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return busyMsg{j} })
}

func (a *App) showBusy(j *job) tea.Cmd {
	if a.running != j || j == nil {
		return nil
	}
	if past := a.now().Sub(j.started); past > 300*time.Millisecond {
		a.console.busy = fmt.Sprintf("running %.1f s", past.Seconds())
		if j.seen > 1 {
			a.console.busy += fmt.Sprintf("  %s answers", draw.Thousands(int64(j.seen)))
		}
		a.touch(3)
	}
	return a.busyTick()
}

// took shows answers as they come and ends the job when its channel closed.
func (a *App) took(msg answersMsg) tea.Cmd {
	j := msg.job
	exit := false
	for i := range msg.list {
		ans := &msg.list[i]
		j.seen++
		if ans.Error != nil {
			j.failed++
			a.fixes = ans.Fix
		}
		if j.answers != nil {
			j.answers(*ans)
		}
		j.last = *ans
		exit = exit || ans.Exit
		a.show(j, ans)
	}
	a.touch(3)
	if j.answers != nil {
		a.touch(6)
	}
	if exit {
		return a.leave()
	}
	if !msg.closed {
		return j.collect
	}
	return a.finish(j)
}

func (a *App) show(j *job, ans *answer.Answer) {
	if j.quiet || j.bulk && (ans.Error == nil || j.failed > 20) {
		return
	}
	if (j.each || j.bulk) && ans.Statement != "" && !isExpect(ans) {
		a.console.echo(ans.Statement, ans.Cli != nil)
	}
	if isExpect(ans) && ans.Error == nil {
		return
	}
	a.console.add(&entry{answer: ans})
	if ans.Error != nil && ans.File != "" {
		a.console.add(&entry{note: draw.Spans{{Text: fmt.Sprintf("  at %s:%d", ans.File, ans.Line), Style: Dim}}})
	}
}

func (a *App) finish(j *job) tea.Cmd {
	a.console.busy = ""
	if j.done != nil {
		j.done()
		a.touch(6)
	}
	if j.bulk {
		text := fmt.Sprintf("%s statements, %s failed, %.1f s", draw.Thousands(int64(j.seen)), draw.Thousands(int64(j.failed)), a.now().Sub(j.started).Seconds())
		a.console.add(&entry{note: draw.Spans{{Text: pick(j.failed > 0, "✗ ", "✓ "), Style: pick(j.failed > 0, Error, OK)}, {Text: text}}})
	}
	var cmd tea.Cmd
	if j.quiet || j.from != "" {
		cmd = a.report(j)
	}
	a.touch(3)
	return tea.Batch(cmd, a.look(), a.nextJob())
}

// report tells in the status line how something not typed went.
func (a *App) report(j *job) tea.Cmd {
	switch {
	case j.last.Error != nil:
		return a.say(Error, "✗ "+j.last.Error.Message)
	case j.from == "guide":
		told := a.guide.told
		a.guide.told = ""
		return a.say(pick(strings.HasPrefix(told, "✗"), Error, OK), told)
	case j.last.Message != "":
		return a.say(OK, "✓ "+firstLine(messageText(&j.last)))
	case j.last.Verdict != "":
		return a.say(OK, j.last.Verdict)
	case j.seen == 0:
		return a.say(Dim, firstLine(j.text)+": no answer")
	}
	return nil
}
