package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/scenarios"
)

// bench drives an App without a terminal: it runs commands until none is left,
// but never waits for a clock.
type bench struct {
	t   testing.TB
	app *App
	lab *fakeLab
	at  time.Time
}

func newBench(t testing.TB, lab *fakeLab, opts Options) *bench {
	opts.Scenarios = []*scenarios.Scenario{lesson()}
	if opts.Theme == "" {
		opts.Theme = "dark"
	}
	b := &bench{t: t, lab: lab, app: newApp(lab, opts), at: time.Unix(1_700_000_000, 0)}
	b.app.now = func() time.Time { return b.at }
	b.app.w, b.app.h = 160, 45
	return b
}

// send delivers a message and then the answers of the jobs it started.
func (b *bench) send(msg tea.Msg) {
	b.app.Update(msg)
	for i := 0; b.app.running != nil && !b.lab.hold && i < 10_000; i++ {
		b.app.Update(b.app.running.collect())
	}
	select {
	case <-b.lab.wake:
		b.app.look()
	default:
	}
}

func (b *bench) press(names ...string) {
	for _, n := range names {
		b.send(keyNamed(n))
	}
}

func (b *bench) typeText(s string) {
	for _, r := range s {
		if r == '\n' {
			b.press("enter")
			continue
		}
		b.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func (b *bench) view() string { return b.app.plain() }

var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7,
	"f8": tea.KeyF8, "f11": tea.KeyF11,
}

func keyNamed(name string) tea.KeyPressMsg {
	k := tea.KeyPressMsg{}
	for {
		mod := tea.KeyMod(0)
		rest, ok := strings.CutPrefix(name, "ctrl+")
		if ok {
			mod = tea.ModCtrl
		} else if rest, ok = strings.CutPrefix(name, "alt+"); ok {
			mod = tea.ModAlt
		} else if rest, ok = strings.CutPrefix(name, "shift+"); ok {
			mod = tea.ModShift
		}
		if !ok || rest == "" {
			break
		}
		k.Mod |= mod
		name = rest
	}
	if c, ok := codes[name]; ok {
		k.Code = c
		return k
	}
	if name == "space" {
		k.Code = tea.KeySpace
		if k.Mod == 0 {
			k.Text = " "
		}
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}
