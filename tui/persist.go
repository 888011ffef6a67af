package tui

import (
	"encoding/json"
	"slices"
)

// layoutState is what a workspace remembers of the screen.
type layoutState struct {
	Theme    string            `json:"theme,omitempty"`
	Focus    int               `json:"focus"`
	Last     int               `json:"last"`
	Zoom     int               `json:"zoom"`
	Sort     string            `json:"sort,omitempty"`
	Keyspace string            `json:"keyspace,omitempty"`
	Table    string            `json:"table,omitempty"`
	Key      string            `json:"key,omitempty"`
	Node     int               `json:"node"`
	Recent   []string          `json:"recent,omitempty"`
	Speed    string            `json:"speed,omitempty"`
	Reverse  bool              `json:"reverse,omitempty"`
	Filter   string            `json:"filter,omitempty"`
	Ring     string            `json:"ring,omitempty"`
	Files    bool              `json:"files,omitempty"`
	Lesson   string            `json:"lesson,omitempty"`
	Step     int               `json:"step"`
	Marks    map[string]byte   `json:"marks,omitempty"`
	Picks    map[string]int    `json:"picks,omitempty"`
	Clues    map[int]int       `json:"clues,omitempty"`
	Best     map[string]string `json:"best,omitempty"`
	Design   string            `json:"design,omitempty"`
	Sizes    shares            `json:"sizes,omitzero"`
	Vi       string            `json:"vi,omitempty"` // on or off, where it is not what keys.toml says
}

// save hands the layout to the lab when it changed.
func (a *App) save() {
	s := layoutState{Focus: a.focus, Last: a.last, Zoom: a.zoom, Sort: a.need.Sort, Keyspace: a.need.Keyspace,
		Table: a.need.Table, Key: a.need.Key, Node: a.need.Node, Recent: a.recent, Reverse: a.need.Reverse, Filter: a.need.Filter,
		Ring: a.pieces[2].pane.(*ringPane).mode, Files: a.storage.mapped, Speed: pick(a.speed == "1x", "", a.speed)}
	if a.chosenTh && !a.opts.NoColor {
		s.Theme = a.th.Name
	}
	if a.console.vi.on != viKeys {
		s.Vi = pick(a.console.vi.on, "on", "off")
	}
	s.Sizes = a.sizes
	s.Best, s.Design = a.guide.best, a.design
	if a.guide.open != nil && a.guide.file == nil {
		s.Picks, s.Clues = a.guide.picks, a.guide.used
		s.Lesson, s.Step, s.Marks = a.guide.open.Name, a.guide.step, a.guide.marks
	}
	data, err := json.Marshal(s)
	if err != nil || string(data) == a.saved {
		return
	}
	a.saved = string(data)
	a.lab.SaveUI(data)
}

// load takes up the layout where it was left.
func (a *App) load() {
	var s layoutState
	data := a.lab.LoadUI()
	if a.opts.ResetUI || len(data) == 0 || json.Unmarshal(data, &s) != nil {
		return
	}
	a.saved = string(data)
	if s.Theme != "" && a.opts.Theme == "" {
		a.th, a.chosenTh = themeNamed(s.Theme), true
	}
	if s.Last >= 1 && s.Last <= 6 && s.Last != 3 {
		a.last = s.Last
	}
	// The console has the focus at every start, so only its own zoom comes back.
	if s.Focus == 3 {
		a.zoom = max(min(s.Zoom, 2), 0)
	}
	a.need.Sort, a.need.Keyspace, a.need.Table, a.need.Key, a.need.Node = s.Sort, s.Keyspace, s.Table, s.Key, max(s.Node, 0)
	a.need.Reverse, a.need.Filter, a.recent = s.Reverse, s.Filter, s.Recent
	a.storage.mapped = s.Files
	if ring := a.pieces[2].pane.(*ringPane); s.Ring == "strip" || s.Ring == "placement" {
		ring.mode = s.Ring
	}
	a.sizes = s.Sizes
	if s.Vi != "" {
		a.console.vi.on = s.Vi == "on"
	}
	if slices.Contains(speeds, s.Speed) {
		a.speed = s.Speed
	}
	for name, text := range s.Best {
		a.guide.best[name] = text
	}
	a.design = s.Design
	if l := a.guide.named(s.Lesson); l != nil {
		a.guide.load(l, s.Step)
		for id, n := range s.Picks {
			a.guide.picks[id] = n
		}
		for step, n := range s.Clues {
			a.guide.used[step] = n
		}
		a.guide.clues = a.guide.used[a.guide.step]
		for id, m := range s.Marks {
			if m == 'v' || m == 'x' {
				a.guide.marks[id] = m
			}
		}
	}
}
