package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// key sends a key to the overlay, the prompt, the focused pane, or to what it
// means everywhere, in this order.
func (a *App) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	a.presenting.pressed(name)
	if name != "ctrl+c" {
		a.armed = time.Time{}
	}
	if a.over != nil {
		was := a.over
		act, closed := a.over.key(k)
		if closed && a.over == was {
			a.over = nil
			a.touchAll()
		}
		return a.act(act)
	}
	a.touch(a.focus)
	if a.typing() {
		if act, ok := a.console.key(k); ok {
			return a.act(act)
		}
	}
	id := lookup(name, a.places()...)
	if id != "follow" {
		a.trail = nil
	}
	if id == "" {
		if a.focus == 3 && k.Text != "" && a.console.browse { // a letter that means nothing among the results is the first of a statement
			a.console.browse, a.console.scroll = false, 0
			act, _ := a.console.key(k)
			return a.act(act)
		}
		return nil
	}
	return a.dispatch(id)
}

// places are where a key is looked up, the focused picture or pane first.
func (a *App) places() []string {
	if a.focus == 3 {
		if a.typing() {
			return []string{"everywhere"}
		}
		return []string{"transcript", "lists", "everywhere"}
	}
	own := paneNames[a.focus]
	if p, ok := a.pieces[a.focus].pane.(interface{ Place() string }); ok {
		own = p.Place()
	}
	return []string{own, "lists", "everywhere"}
}

// dispatch offers a binding to the focused pane first.
func (a *App) dispatch(id string) tea.Cmd {
	a.touch(a.focus)
	if act, ok := a.pieces[a.focus].pane.Do(id, a.scene(a.focus)); ok {
		return a.act(act)
	}
	return a.perform(id)
}

// act does what a pane or overlay asked for.
func (a *App) act(act Action) tea.Cmd {
	var cmds []tea.Cmd
	if act.Call != nil {
		act.Call()
		a.touch(6)
		a.touch(a.focus)
	}
	if act.Need != nil {
		a.setNeed(act.Need)
	}
	if act.Status != "" {
		cmds = append(cmds, a.say(Text, act.Status))
	}
	if act.Copy != "" {
		cmds = append(cmds, a.copy(act.Copy))
	}
	if act.Insert != "" {
		a.setFocus(3)
		a.console.browse = false
		a.console.edit.set(act.Insert)
		a.touch(3)
	}
	if act.Save != "" {
		cmds = append(cmds, saveFile(act.Save, act.Data))
	}
	if act.Recent != "" {
		a.recent = append([]string{act.Recent}, slices.DeleteFunc(a.recent, func(s string) bool { return s == act.Recent })...)
		a.recent = a.recent[:min(len(a.recent), 12)]
		a.save()
	}
	if act.Look != "" {
		cmds = append(cmds, a.lookAt(act.Look))
	}
	if act.Export != nil {
		a.over = a.exportOverlay(act.Export)
	}
	if act.Overlay != nil {
		a.over = act.Overlay
	}
	switch {
	case act.Ask != "":
		a.over = &question{text: act.Ask, act: Action{Run: act.Run, Quiet: act.Quiet}}
	case act.Run != "":
		cmds = append(cmds, a.start(&job{text: act.Run, from: "pane", quiet: act.Quiet}))
	case act.Job != nil:
		cmds = append(cmds, a.input(act.Job))
	}
	if act.Pane > 0 {
		a.setFocus(act.Pane)
	}
	if act.Perform != "" {
		cmds = append(cmds, a.dispatchGlobal(act.Perform))
	}
	return tea.Batch(cmds...)
}

// dispatchGlobal performs a binding; the pane's own ones go to their pane.
func (a *App) dispatchGlobal(id string) tea.Cmd {
	b := bindingByID[id]
	if b == nil {
		return nil
	}
	if n := paneOf(b.Where); n > 0 {
		a.setFocus(n)
		if p, ok := a.pieces[2].pane.(*ringPane); ok && n == 2 {
			p.mode = pick(b.Where == "Ring", "", b.Where)
		}
		return a.dispatch(id)
	}
	switch b.Where {
	case "prompt":
		a.setFocus(3)
		a.console.browse = false
		if id == "prompt.editor" {
			return a.editOutside()
		}
		return a.act(a.console.bound(id))
	case "normal", "insert":
		a.setFocus(3)
		a.console.browse = false
		if id == "insert.escape" {
			return a.say(Dim, "esc, while something is typed with vi keys")
		}
		return a.act(a.console.viDo(id))
	case "transcript", "lists":
		return a.dispatch(id)
	}
	return a.perform(id)
}

// input runs what was typed, unless it is a command of the workbench itself.
func (a *App) input(j *job) tea.Cmd {
	words := strings.Fields(j.text)
	if j.from == "" && len(words) > 0 && !strings.Contains(j.text, "\n") {
		if cmd, ok := a.own(words); ok {
			return cmd
		}
	}
	if j.from == "" && !strings.HasPrefix(j.text, ":") { // what it does is what is looked at
		a.setNeed(func(n *view.Need) { n.Op = 0 })
		a.trail = nil
	}
	return a.start(j)
}

// own handles the commands that concern the screen and not the lab, and takes
// note of a partition somebody asks for.
func (a *App) own(words []string) (tea.Cmd, bool) {
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	switch strings.ToLower(words[0]) {
	case ":messages":
		return a.perform("messages"), true
	case ":home":
		return a.openHome(), true
	case ":events":
		if arg != "on" && arg != "off" {
			return a.openEvents(strings.Join(words[1:], " ")), true
		}
	case ":timeline":
		return a.perform("timeline"), true
	case ":wizard":
		return a.perform("schema.new"), true
	case ":clear", "clear", "cls":
		a.console.log = transcript{}
		return nil, true
	case ":theme":
		a.setTheme(themeNamed(arg))
		return a.say(Text, "theme "+a.th.Name), true
	case ":scenario", ":next", ":goto", ":clue", ":answer":
		return a.guideCommand(strings.ToLower(words[0]), arg), true
	case ":partition":
		if len(words) > 2 {
			a.selectKey(arg, strings.Join(words[2:], " "))
		}
	}
	return nil, false
}

// selectKey shows a partition everywhere; table may carry its keyspace.
func (a *App) selectKey(table, key string) {
	ks, name, ok := strings.Cut(table, ".")
	if !ok {
		ks, name = a.v.Keyspace, table
	}
	a.setNeed(func(n *view.Need) { n.Keyspace, n.Table, n.Key = ks, name, strings.Trim(key, "'") })
}

// paste gives pasted text to whoever has the focus.
func (a *App) paste(s string) tea.Cmd {
	if a.over != nil {
		a.over.pasted(s)
		return nil
	}
	a.setFocus(3)
	a.console.browse = false
	a.console.pasted(s)
	a.touch(3)
	return nil
}

func (a *App) setFocus(n int) {
	if n < 1 || n > 6 || n == a.focus {
		return
	}
	if a.focus != 3 {
		a.last = a.focus
	}
	a.focus = n
	if n != 3 {
		a.last = n
	}
	// whoever comes to the console wants to type, and whoever leaves it to see what is new
	a.console.browse, a.console.scroll = false, 0
	a.touchAll()
	a.save()
}

// click focuses, selects and presses what lies under the pointer; a second
// click at the same place opens it.
func (a *App) click(m tea.Mouse) tea.Cmd {
	double := a.clicked.x == m.X && a.clicked.y == m.Y && a.now().Sub(a.clicked.at) < 400*time.Millisecond
	a.clicked = click{m.X, m.Y, a.now()}
	if cmd, ok := a.pressHint(m.X, m.Y); ok {
		return cmd
	}
	if a.over != nil {
		return a.clickOver(m, double)
	}
	p, ok := a.under(m.X, m.Y)
	if !ok {
		return nil
	}
	if a.grab(m, double) {
		a.setFocus(p.id)
		return nil
	}
	switch p.id {
	case pieceFoot:
		cmd := a.press(a.footSpots, m.X)
		if cmd == nil && a.status.Text != "" { // the keys are below the message
			a.status = draw.Line{}
		}
		return cmd
	case pieceTabs:
		return a.press(a.tabSpots, m.X)
	case pieceGuideLine:
		a.setFocus(6)
	case pieceHead:
	default:
		came := a.focus != p.id
		a.setFocus(p.id)
		a.touch(p.id)
		if p.id == 3 && came {
			return nil
		}
		sc := a.scene(p.id)
		cmd := a.act(a.pieces[p.id].pane.Click(m.X-p.x-1, m.Y-p.y-1, sc))
		if double && a.over == nil && !a.typing() {
			a.clicked = click{}
			return tea.Batch(cmd, a.dispatch("open"))
		}
		return cmd
	}
	return nil
}

// clickOver gives a click to the overlay. What reads that esc closes is closed by a
// click, too, and in tables a second click opens.
func (a *App) clickOver(m tea.Mouse, double bool) tea.Cmd {
	was := a.over
	act, closed := Action{}, false
	switch _, opens := was.(interface{ opens() }); {
	case a.reads("esc closes", m.X, m.Y):
		act, closed = was.key(tea.KeyPressMsg{Code: tea.KeyEscape})
	case opens && double:
		a.clicked = click{}
		act, closed = was.key(tea.KeyPressMsg{Code: tea.KeyEnter})
	default:
		act, closed = was.click(m.X, m.Y)
	}
	if closed && a.over == was {
		a.over = nil
		a.touchAll()
	}
	return a.act(act)
}

// reads says whether a text stands at a cell of the screen.
func (a *App) reads(text string, x, y int) bool {
	rows := a.screenCanvas().Plain()
	if y < 0 || y >= len(rows) {
		return false
	}
	at := strings.Index(rows[y], text)
	if at < 0 {
		return false
	}
	from := draw.Width(rows[y][:at])
	return x >= from && x < from+draw.Width(text)
}

func (a *App) press(spots []spot, x int) tea.Cmd {
	for _, s := range spots {
		if x >= s.x && x < s.x+s.w {
			return a.dispatchGlobal(s.id)
		}
	}
	return nil
}

// under finds the piece at a cell.
func (a *App) under(x, y int) (place, bool) {
	for _, p := range a.layout() {
		if x >= p.x && x < p.x+p.w && y >= p.y && y < p.y+p.h {
			return p, true
		}
	}
	return place{}, false
}

// wheel scrolls the pane under the pointer and leaves the focus alone.
func (a *App) wheel(m tea.Mouse) {
	delta, sideways := 0, m.Mod.Contains(tea.ModShift)
	switch m.Button {
	case tea.MouseWheelUp:
		delta = -3
	case tea.MouseWheelDown:
		delta = 3
	case tea.MouseWheelLeft:
		delta, sideways = -3, true
	case tea.MouseWheelRight:
		delta, sideways = 3, true
	default:
		return
	}
	if sideways {
		a.wheelSideways(m, delta)
		return
	}
	if a.over != nil {
		a.over.wheel(delta)
		return
	}
	if p, ok := a.under(m.X, m.Y); ok && p.id >= 1 && p.id <= 6 {
		a.pieces[p.id].pane.Wheel(delta)
		a.touch(p.id)
	}
}

// wheelSideways goes to the columns beside those that are seen, where there are some.
func (a *App) wheelSideways(m tea.Mouse, delta int) {
	if a.over != nil {
		if o, ok := a.over.(interface{ sideways(int) }); ok {
			o.sideways(4 * delta)
		} else if _, ok := a.over.(interface{ opens() }); ok {
			a.over.key(tea.KeyPressMsg{Code: pick(delta < 0, tea.KeyLeft, tea.KeyRight)})
		}
		return
	}
	p, ok := a.under(m.X, m.Y)
	if ring, _ := a.pieces[2].pane.(*ringPane); ok && p.id == 2 && ring.mode == "strip" {
		ring.strip.move(delta)
		a.touch(2)
	}
}
