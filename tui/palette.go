package tui

import (
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/view"
)

// paletteOverlay offers everything: bindings, commands, nodes, tables, lessons
// and themes.
func (a *App) paletteOverlay() *picker {
	p := &picker{title: "commands", kinds: true}
	for i := range bindings {
		b := &bindings[i]
		switch b.Where {
		case "lists", "prompt", "normal", "insert", "transcript", "text", "grid", "wizard", "form", "events":
			continue
		}
		p.items = append(p.items, pickItem{name: b.Label, place: b.Where, key: keysText(b), help: b.Help, act: Action{Perform: b.ID}})
	}
	for _, c := range a.lab.Commands() {
		act := Action{Insert: c.Name + " "}
		if strings.TrimSpace(c.Usage) == c.Name || c.Usage == "" {
			act = Action{Job: &job{text: c.Name}}
		}
		p.items = append(p.items, pickItem{name: pick(c.Usage != "", c.Usage, c.Name), place: c.Group, help: c.Help, act: act})
	}
	for _, s := range a.opts.Scenarios {
		p.items = append(p.items, pickItem{name: s.Title, place: "lesson", help: s.Summary, act: Action{Job: &job{text: ":scenario " + s.Name}}})
	}
	for _, ks := range a.v.Keyspaces {
		for _, t := range ks.Tables {
			p.items = append(p.items, pickItem{name: ks.Name + "." + t.Name, place: "table", help: t.Key, act: Action{
				Need:    func(n *view.Need) { n.Keyspace, n.Table, n.Key = ks.Name, t.Name, "" },
				Perform: "focus.1"}})
		}
	}
	for i := range min(len(a.v.Nodes), 256) {
		n := &a.v.Nodes[i]
		word, _ := stateWord(n)
		p.items = append(p.items, pickItem{name: n.Name, place: "node", help: word + " " + n.Address + " " + n.DC + " " + n.Rack, act: Action{
			Need:    func(need *view.Need) { need.Node = i },
			Perform: "focus.5"}})
	}
	for i := range min(len(a.v.Ops), 64) {
		op := &a.v.Ops[len(a.v.Ops)-1-i]
		p.items = append(p.items, pickItem{name: "#" + strconv.Itoa(op.N) + " " + op.Kind + " " + op.CL, place: "operation", help: op.Outcome + "  " + op.Text, act: Action{
			Need:    func(n *view.Need) { n.Op = op.N },
			Perform: "focus.4"}})
	}
	for i := range Themes {
		p.items = append(p.items, pickItem{name: "theme " + Themes[i].Name, place: "setting", help: "colours", act: Action{Job: &job{text: ":theme " + Themes[i].Name}}})
	}
	slices.SortStableFunc(p.items, func(x, y pickItem) int { return a.lastTaken(x.name) - a.lastTaken(y.name) })
	return p
}

// lastTaken is the place of an entry among those taken last, and behind them all
// others.
func (a *App) lastTaken(name string) int {
	if i := slices.Index(a.recent, name); i >= 0 {
		return i
	}
	return len(a.recent)
}

// helpOverlay lists the keys, those of the focused pane first.
func (a *App) helpOverlay() *picker {
	p := &picker{title: "keys for " + strconv.Itoa(a.focus) + " " + paneNames[a.focus] + ", then everywhere"}
	first := a.places()
	if a.focus == 3 {
		first = []string{"prompt", "transcript", "everywhere", "lists"}
		if a.console.vi.on {
			first = append([]string{"normal", "insert"}, first...)
		}
	}
	for _, where := range append(slices.Clone(first), helpPlaces...) {
		if p.has(where) {
			continue
		}
		for i := range bindings {
			if b := &bindings[i]; b.Where == where {
				p.items = append(p.items, pickItem{name: keysText(b), place: where, help: b.Help, act: Action{Perform: b.ID}})
			}
		}
	}
	return p
}

// helpPlaces are all places that bindings have, in the order of the help.
var helpPlaces = func() []string {
	var out []string
	for i := range bindings {
		if !slices.Contains(out, bindings[i].Where) {
			out = append(out, bindings[i].Where)
		}
	}
	return out
}()

func (p *picker) has(place string) bool {
	for i := range p.items {
		if p.items[i].place == place {
			return true
		}
	}
	return false
}

func keysText(b *Binding) string {
	parts := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		parts[i] = keyText(k)
	}
	return strings.Join(parts, " ")
}
