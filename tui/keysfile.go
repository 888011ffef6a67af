package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Rebind gives bindings other keys, as a keys.toml says it: a binding's id, and a
// key or a list of keys that takes the place of its own; vi = true gives the console
// vi's keys. An error names file and
// line, and then no key has changed.
//
//	vi = true
//	focus.next = ["tab", "ctrl+w"]
//	[storage]
//	flush = "ctrl+f"
func Rebind(name string, data []byte) error {
	changed := slices.Clone(bindings)
	lines := map[string]int{} // of changed ids
	var p unstable.Parser
	p.Reset(data)
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(format, args...))
	}
	table, vi := "", viKeys
	for p.NextExpression() {
		e := p.Expression()
		path, line := keyPath(&p, e)
		switch e.Kind {
		case unstable.Table:
			table = path + "."
		case unstable.KeyValue:
			id := table + path
			if id == "vi" && e.Value().Kind == unstable.Bool {
				vi = string(e.Value().Data) == "true"
				continue
			}
			i := slices.IndexFunc(changed, func(b Binding) bool { return b.ID == id })
			if i < 0 {
				return fail(line, "there is no binding %s; ringlab's help (?) lists keys, and the palette what they do", id)
			}
			keys, ok := keyList(e.Value())
			if !ok {
				return fail(line, "%s takes a key in quotes, or a list of such, for example [\"ctrl+w\", \"f9\"]", id)
			}
			for _, k := range keys {
				if strings.TrimSpace(k) != k || k == "" {
					return fail(line, "%q is no key; keys are written a, A, ctrl+w, alt+enter, f5, space, pgdown", k)
				}
			}
			changed[i].Keys = keys
			lines[id] = line
		default:
			return fail(line, "keys.toml has tables and keys only")
		}
	}
	if err := p.Error(); err != nil {
		line := 1
		var at *unstable.ParserError
		if errors.As(err, &at) {
			line = p.Shape(p.Range(at.Highlight)).Start.Line
		}
		return fail(line, "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, c := range clashes(changed) {
		return fail(max(lines[c.a.ID], lines[c.b.ID], 1), "%s would be both %s and %s; give one of them another key", c.key, c.a.ID, c.b.ID)
	}
	bindings, viKeys = changed, vi
	bindingByID = byID()
	return nil
}

// keyPath is the dotted key of a table or a value, and its line.
func keyPath(p *unstable.Parser, e *unstable.Node) (string, int) {
	var parts []string
	line := 1
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if len(parts) == 0 && n.Raw.Length > 0 {
			line = p.Shape(n.Raw).Start.Line
		}
		parts = append(parts, string(n.Data))
	}
	return strings.Join(parts, "."), line
}

// keyList reads one string or an array of strings.
func keyList(n *unstable.Node) ([]string, bool) {
	switch n.Kind {
	case unstable.String:
		return []string{string(n.Data)}, true
	case unstable.Array:
		var out []string
		for it := n.Children(); it.Next(); {
			if it.Node().Kind != unstable.String {
				return nil, false
			}
			out = append(out, string(it.Node().Data))
		}
		return out, len(out) > 0
	}
	return nil, false
}

// clash is a key with two meanings where the focus is.
type clash struct {
	key  string
	a, b *Binding
}

// foci are the places that a key is looked up in together, for each thing that can
// have the focus. The prompt takes its keys before all others do.
func foci() [][]string {
	out := [][]string{{"prompt"}}
	for _, where := range helpPlaces {
		switch where {
		case "prompt", "lists", "everywhere":
		case "normal": // esc, enter and the keys with ctrl are the prompt's
			out = append(out, []string{where, "prompt"})
		case "insert": // asked before the prompt
			out = append(out, []string{where})
		case "wizard", "form", "events": // they take text, and so all keys
			out = append(out, []string{where})
		default:
			out = append(out, []string{where, "lists", "everywhere"})
		}
	}
	return append(out, []string{"Trace", "lists", "everywhere"})
}

// clashes are the keys of a table of bindings that have two meanings in one focus.
func clashes(table []Binding) []clash {
	var out []clash
	for _, places := range foci() {
		taken := map[string]*Binding{}
		for i := range table {
			b := &table[i]
			if !slices.Contains(places, b.Where) {
				continue
			}
			for _, k := range b.Keys {
				if other := taken[k]; other != nil && other.ID != b.ID {
					out = append(out, clash{k, other, b})
				}
				taken[k] = b
			}
		}
	}
	return out
}
