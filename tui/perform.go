package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

var speeds = []string{"0.001x", "0.01x", "0.1x", "1x", "4x", "16x", "max"}

// perform does what a binding means everywhere.
func (a *App) perform(id string) tea.Cmd {
	if n, ok := strings.CutPrefix(id, "focus."); ok && len(n) == 1 {
		return a.goTo(int(n[0] - '0'))
	}
	switch id {
	case "help":
		a.over = a.helpOverlay()
	case "palette":
		a.over = a.paletteOverlay()
	case "messages":
		a.over = &reader{title: "messages", lines: slices.Clone(a.messages), top: 1 << 20}
	case "fixes":
		return a.showFixes()
	case "focus.next", "focus.prev":
		order := []int{1, 2, 6, 3, 4, 5}
		at := slices.Index(order, a.focus)
		if a.w < twoWidth && a.zoom == 0 && a.w >= tabsWidth && a.h >= tabsHeight { // pane ↔ console
			return a.goTo(pick(a.focus == 3, a.last, 3))
		}
		return a.goTo(order[(at+pick(id == "focus.next", 1, len(order)-1))%len(order)])
	case "zoom":
		a.zoom = (a.zoom + 1) % 3
		if a.zoom == 1 && a.w < twoWidth {
			a.zoom = 2
		}
		a.touchAll()
		a.save()
	case "sim.toggle":
		return a.quiet(":speed " + pick(a.v.Running, "pause", a.speed))
	case "sim.step":
		return a.quiet(":step")
	case "sim.slower", "sim.faster":
		return a.changeSpeed(pick(id == "sim.faster", 1, -1))
	case "undo":
		return a.start(&job{text: ":undo", from: "pane"})
	case "redo":
		return a.start(&job{text: ":redo", from: "pane"})
	case "events":
		return a.openEvents("")
	case "home":
		return a.openHome()
	case "schema.insert":
		return a.openInsert()
	case "schema.options":
		return a.openOptions()
	case "schema.fill":
		return a.openFill()
	case "schema.import":
		return a.openImport()
	case "schema.new":
		return a.openWizard()
	case "timeline":
		return a.openTimeline()
	case "timeline.fork", "timeline.branch", "timeline.diff":
		return a.act(Action{Insert: ":" + strings.TrimPrefix(id, "timeline.") + " "})
	case "growth.bucket", "growth.unit", "growth.tombstones", "growth.limits":
		over, ok := a.over.(*growthPicture)
		if !ok {
			over = newGrowthPicture(a.scene(a.focus))
			a.over = over
		}
		over.do(id)
	case "op.prev", "op.next":
		return a.walkOps(pick(id == "op.next", 1, -1))
	case "copy", "copy.pane":
		return a.copy(a.paneText())
	case "explain":
		return a.explain()
	case "follow":
		return a.follow()
	case "find":
		return a.find()
	case "export":
		a.over = a.exportOverlay(nil)
	case "present":
		return a.present()
	case "theme":
		a.setTheme(a.th.after())
		return a.say(Text, "theme "+a.th.Name)
	case "mouse":
		a.mouseOff = !a.mouseOff
		return a.say(Text, pick(a.mouseOff, "the mouse is the terminal's: select text as usual, M takes it back", "the mouse works here again"))
	case "lang":
		return a.start(&job{text: ":language " + pick(a.v.Language == "cli", "cql", "cli"), from: "pane"})
	case "cancel":
		return a.cancel()
	case "suspend":
		return tea.Suspend
	case "size.wider", "size.narrower", "size.higher", "size.lower", "size.usual":
		return a.resize(id)
	case "trace.play", "trace.step", "strip.play":
		return a.play(id)
	case "vi":
		return a.setVi(!a.console.vi.on)
	case "quit":
		return a.leave()
	case "back":
		if a.zoom > 0 {
			a.zoom = 0
			a.touchAll()
		}
	default:
		if b := bindingByID[id]; b != nil && b.Where != "lists" {
			return a.say(Dim, keysText(b)+" "+b.Label+" means nothing here")
		}
	}
	return nil
}

// quiet runs a command that leaves no trace in the transcript.
func (a *App) quiet(text string) tea.Cmd {
	return a.start(&job{text: text, from: "pane", quiet: true})
}

// goTo focuses a pane; the focused one zooms.
func (a *App) goTo(n int) tea.Cmd {
	if n == a.focus {
		a.zoom = pick(a.zoom == 2, 0, 2)
		a.touchAll()
		a.save()
		return nil
	}
	a.setFocus(n)
	return nil
}

func (a *App) changeSpeed(by int) tea.Cmd {
	at := slices.Index(speeds, pick(a.v.Running, a.v.Speed, a.speed))
	if at < 0 {
		at = 3
	}
	to := speeds[max(min(at+by, len(speeds)-1), 0)]
	return a.quiet(":speed " + to)
}

// walkOps selects the operation before or after the shown one, for every pane.
func (a *App) walkOps(by int) tea.Cmd {
	ops := a.v.Ops
	if len(ops) == 0 {
		return a.say(Dim, "no operation yet")
	}
	at := len(ops) - 1
	for i := range ops {
		if ops[i].N == a.need.Op {
			at = i
		}
	}
	to := max(min(at+by, len(ops)-1), 0)
	a.setNeed(func(n *view.Need) { n.Op = pick(to == len(ops)-1, 0, ops[to].N) })
	return a.say(Text, fmt.Sprintf("#%d %s at %s: %s", ops[to].N, ops[to].Kind, ops[to].CL, pick(ops[to].Text != "", ops[to].Text, ops[to].Outcome)))
}

// showFixes lists the remedies of the last refusal.
func (a *App) showFixes() tea.Cmd {
	if len(a.fixes) == 0 {
		return a.say(Dim, "no remedy known for the last answer")
	}
	p := &picker{title: "remedies of the last refusal", digits: true, noInput: true}
	for i, f := range a.fixes {
		p.items = append(p.items, pickItem{name: fmt.Sprintf("%d  %s", i+1, f.Text), help: f.Why, act: Action{Job: &job{text: f.Text}}})
	}
	a.over = p
	return nil
}

// cancel stops running work, else empties the prompt, else quits when pressed
// twice within a second.
func (a *App) cancel() tea.Cmd {
	switch {
	case a.running != nil:
		a.lab.Cancel()
		a.running.canceled = true
		a.queue = nil
		return a.say(Warn, "cancelled; what was done before stays")
	case a.typing() && a.console.edit.text != "":
		a.console.edit.set("")
		a.console.vi.normal = false
		a.console.popup = completion{}
		return nil
	case !a.armed.IsZero() && a.now().Sub(a.armed) < time.Second:
		return a.leave()
	}
	a.armed = a.now()
	return a.say(Warn, "ctrl+c again quits")
}

const clipboardLimit = 70_000

// copy hands text to the terminal's clipboard, which never says whether it took it.
func (a *App) copy(text string) tea.Cmd {
	if text == "" {
		return a.say(Dim, "nothing to copy")
	}
	note := ""
	if len(text) > clipboardLimit {
		text, note = strings.ToValidUTF8(text[:clipboardLimit], ""), ", cut"
	}
	lines := strings.Count(text, "\n") + 1
	return tea.Batch(tea.SetClipboard(text), a.say(OK, fmt.Sprintf("copied %d %s, %s%s (if the terminal allows OSC 52)", lines, plural(int64(lines), "line", "lines"), draw.Bytes(int64(len(text))), note)))
}

// paneText is the focused pane as it stands on the screen, without its box.
func (a *App) paneText() string {
	for _, p := range a.layout() {
		if p.id == a.focus {
			key, paint := a.recipe(p)
			c := a.pieces[p.id].cells(key, paint)
			return strings.TrimRight(strings.Join(c.Sub(1, 1, c.W-2, c.H-2).Plain(), "\n"), "\n ")
		}
	}
	return ""
}

func (a *App) setTheme(t *Theme) {
	a.th, a.chosenTh = t, true
	a.save()
}
