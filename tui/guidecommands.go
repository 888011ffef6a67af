package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// guideCommand does what was typed for the guide: `:scenario NAME` or `FILE.md`,
// `:next`, `:goto STEP`, `:clue`, `:answer [N]`.
func (a *App) guideCommand(word, arg string) tea.Cmd {
	g := a.guide
	if word == ":scenario" {
		return a.openScenario(arg)
	}
	if g.open == nil {
		return a.say(Warn, word+" is about a lesson, but none is open: `:scenario NAME` opens one, 6 lists them")
	}
	a.touch(6)
	switch word {
	case ":next":
		return a.dispatchGlobal("guide.next")
	case ":clue":
		return a.dispatchGlobal("guide.clue")
	case ":answer":
		a.setFocus(6)
		if arg == "" {
			g.sure = true // whoever writes it out means it
			return a.act(g.lookUp())
		}
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 {
			return a.say(Warn, ":answer takes the number of an option; alone it shows the answer")
		}
		return a.act(g.predict(n))
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > len(g.open.Steps) {
		return a.say(Warn, "the lesson has the steps 1 to "+strconv.Itoa(len(g.open.Steps))+": `:goto 2`")
	}
	g.load(g.open, n-1)
	a.setFocus(6)
	a.save()
	return nil
}

// openScenario opens a lesson by its name, or a file.
func (a *App) openScenario(arg string) tea.Cmd {
	a.touch(6)
	name := strings.TrimSuffix(arg, ".md")
	if arg == "" {
		a.guide.open = nil
		a.setFocus(6)
		return nil
	}
	if s := a.guide.named(name); s != nil && arg == name {
		a.guide.load(s, 0)
		a.setFocus(6)
		a.save()
		return nil
	}
	if strings.HasSuffix(arg, ".md") {
		return a.openLesson(strings.Trim(arg, "'\""))
	}
	near := ""
	for _, s := range a.guide.all {
		if near == "" && (strings.HasPrefix(s.Name, name+"-") || fuzzy(name, s.Name, s.Title) >= 30) {
			near = s.Name
		}
	}
	if near != "" {
		return a.say(Warn, "there is no lesson "+arg+"; did you mean "+near+"? 6 lists all; a file ends in .md")
	}
	return a.say(Warn, "there is no lesson "+arg+"; 6 lists all; a file ends in .md")
}
