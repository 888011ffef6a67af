package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
)

// snapMsg says that the lab has a newer picture, tickMsg that time passed.
type (
	snapMsg struct{}
	tickMsg time.Time
)

// frame is the shortest time between two pictures.
func (a *App) frame() time.Duration {
	switch {
	case a.blurred:
		return 500 * time.Millisecond
	case a.opts.ReducedMotion:
		return time.Second
	}
	return 33 * time.Millisecond
}

// wake waits a frame and then for the lab. Exactly one of these is under way.
func (a *App) wake() tea.Cmd {
	every, stop, wake := a.frame(), a.stop, a.lab.Wake()
	if a.opts.ReducedMotion && !a.v.Running {
		every = 33 * time.Millisecond
	}
	return func() tea.Msg {
		t := time.NewTimer(every)
		defer t.Stop()
		select {
		case <-t.C:
		case <-stop:
			return nil
		}
		select {
		case <-wake:
			return snapMsg{}
		case <-stop:
			return nil
		}
	}
}

// look takes the lab's newest picture and settles what the panes need.
func (a *App) look() tea.Cmd {
	a.v = a.lab.View()
	told := a.crossed()
	a.hear()
	a.storage.observe(a.v)
	if ring, _ := a.pieces[2].pane.(*ringPane); ring.mode == "strip" && ring.strip.watch(a.v.Strip) {
		if a.opts.ReducedMotion {
			ring.strip.flipping = false
		} else {
			told = tea.Batch(told, playTick(2))
		}
	}
	a.setNeed(func(n *view.Need) { settle(n, a.v) })
	a.turn()
	if a.v.Running {
		a.speed = a.v.Speed
		if !a.ticking {
			a.ticking, a.lastTick = true, a.now()
			return tea.Batch(told, a.armTick())
		}
	}
	return told
}

func (a *App) armTick() tea.Cmd {
	every := a.frame()
	if a.opts.ReducedMotion {
		every = 100 * time.Millisecond
	}
	return tea.Tick(every, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// tick lets the lab advance while time runs. A paused lab gets no ticks.
func (a *App) tick(t time.Time) tea.Cmd {
	if !a.v.Running {
		a.ticking = false
		return nil
	}
	if passed := t.Sub(a.lastTick); passed > 0 {
		a.lab.Tick(min(passed, 2*time.Second))
	}
	a.lastTick = t
	return a.armTick()
}

// setNeed changes what the panes need and tells the lab if it differs.
func (a *App) setNeed(change func(*view.Need)) {
	before := a.need
	change(&a.need)
	if a.need != before {
		a.lab.Show(a.need)
		a.touchAll()
		a.save()
	}
}

// settle fills what the need leaves open from the picture.
func settle(n *view.Need, v *view.View) {
	if n.Table == "" || selectedTable(v, *n) == nil && len(v.Keyspaces) > 0 {
		n.Keyspace, n.Table, n.Key = "", "", ""
		for _, ks := range v.Keyspaces {
			if len(ks.Tables) > 0 && (n.Table == "" || ks.Name == v.Keyspace && n.Keyspace != ks.Name) {
				n.Keyspace, n.Table = ks.Name, ks.Tables[0].Name
			}
		}
	}
	if n.Op > 0 && v.Trace == nil && !slices.ContainsFunc(v.Ops, func(op view.Op) bool { return op.N == n.Op }) {
		n.Op = 0 // undone
	}
	if n.Node >= len(v.Nodes) {
		n.Node = 0
	}
}

// crossed logs the limits that partitions have passed since the last picture.
func (a *App) crossed() (told tea.Cmd) {
	fresh := a.v.Crossings - a.crossings
	a.crossings = a.v.Crossings
	for i := max(len(a.v.Crossed)-fresh, 0); fresh > 0 && i < len(a.v.Crossed); i++ {
		told = a.say(Warn, a.v.Crossed[i])
	}
	return told
}
