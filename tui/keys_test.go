package tui

import (
	"slices"
	"strings"
	"testing"

	"ringlab/tui/draw"
)

func TestBindings(t *testing.T) {
	ids := map[string]bool{}
	type at struct{ where, key string }
	taken := map[at]string{}
	for _, b := range bindings {
		if ids[b.ID] {
			t.Errorf("id %s twice", b.ID)
		}
		ids[b.ID] = true
		if b.Help == "" || b.Label == "" || len(b.Keys) == 0 {
			t.Errorf("%s lacks help, label or keys", b.ID)
		}
		for _, k := range b.Keys {
			if other := taken[at{b.Where, k}]; other != "" {
				t.Errorf("%s in %s is both %s and %s", k, b.Where, other, b.ID)
			}
			taken[at{b.Where, k}] = b.ID
			if got := lookup(k, b.Where); got != b.ID {
				t.Errorf("lookup(%s, %s) = %s", k, b.Where, got)
			}
		}
	}
}

// No key has two meanings where the focus is, and each binding is reached by its keys
// there.
func TestNoKeyHasTwoMeanings(t *testing.T) {
	for _, c := range clashes(bindings) {
		t.Errorf("%s is both %s and %s", c.key, c.a.ID, c.b.ID)
	}
	for _, places := range foci() {
		for i := range bindings {
			for _, k := range bindings[i].Keys {
				if slices.Contains(places, bindings[i].Where) && lookup(k, places...) != bindings[i].ID {
					t.Errorf("%s does not reach %s in %v", k, bindings[i].ID, places)
				}
			}
		}
	}
}

// Every binding does something where it belongs: none is dead.
func TestNoKeyIsDead(t *testing.T) {
	for i := range bindings {
		b := &bindings[i]
		if slices.Contains([]string{"lists", "text", "grid", "wizard", "form", "events"}, b.Where) { // those of overlays are pressed in their own tests
			continue
		}
		w := newBench(t, withTimeline(scripted()), Options{})
		w.typeText("SELECT * FROM readings;\n")
		w.app.guide.load(w.app.opts.Scenarios[0], 0)
		w.app.status = draw.Line{}
		w.app.dispatchGlobal(b.ID)
		if strings.Contains(w.app.status.Text, "means nothing here") {
			t.Errorf("%s is dead", b.ID)
		}
	}
}

func TestHelpHasEveryKey(t *testing.T) {
	for focus := 1; focus <= 6; focus++ {
		b := newBench(t, scripted(), Options{})
		b.app.focus = focus
		var shown []string
		for _, it := range b.app.helpOverlay().items {
			shown = append(shown, it.act.Perform)
		}
		for _, bind := range bindings {
			if !slices.Contains(shown, bind.ID) {
				t.Errorf("help of %s lacks %s", paneNames[focus], bind.ID)
			}
		}
	}
}

func TestPaletteReachesEverything(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	var names []string
	for _, it := range b.app.paletteOverlay().items {
		names = append(names, it.name)
	}
	for _, want := range []string{":down NODE", ":status", "n3", "sensor.readings", "Time series", "theme none", "kill/revive"} {
		if !slices.Contains(names, want) {
			t.Errorf("the palette lacks %q", want)
		}
	}
}

func TestEveryFooterKeyIsBound(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	for focus := 1; focus <= 6; focus++ {
		for _, browse := range []bool{false, true} {
			b.app.focus, b.app.console.browse = focus, browse
			for _, id := range b.app.footIDs() {
				if bindingByID[id] == nil {
					t.Errorf("%s shows %s, which is nothing", paneNames[focus], id)
				}
			}
		}
	}
}

func TestRebind(t *testing.T) {
	saved := slices.Clone(bindings)
	t.Cleanup(func() { bindings = saved; bindingByID = byID() })
	for text, says := range map[string]string{
		"zoom = \"ctrl+w\"\n[storage]\nflush = [\"ctrl+f\", \"f9\"]\n": "",
		"\nnothing = \"x\"\n":               "keys.toml:2: there is no binding nothing",
		"[ring]\n\nkill = 7\n":              "keys.toml:3: ring.kill takes a key in quotes",
		"[ring]\nkill = [\"x\", 3]\n":       "keys.toml:2: ring.kill takes a key in quotes",
		"# comment\nzoom = \"q\"\n":         "keys.toml:2: q would be both zoom and quit",
		"zoom = \"ctrl+w\"\nhelp = \"ctrl+": "keys.toml:2: ",
		"[[ring]]\n":                        "keys.toml:1: ",
	} {
		bindings, bindingByID = slices.Clone(saved), byID()
		err := Rebind("keys.toml", []byte(text))
		switch {
		case says == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case says != "" && (err == nil || !strings.HasPrefix(err.Error(), says)):
			t.Errorf("%q: %v, expected %s", text, err, says)
		case says != "" && lookup("z", "everywhere") != "zoom":
			t.Errorf("%q changes keys in spite of its error", text)
		}
	}
	bindings, bindingByID = slices.Clone(saved), byID()
	if err := Rebind("keys.toml", []byte("zoom = \"ctrl+w\"")); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, scripted(), Options{})
	b.press("2", "ctrl+w")
	if b.app.zoom == 0 {
		t.Error("the new key does nothing")
	}
	b.press("z")
	b.press("?")
	b.typeText("normal, half")
	want(t, b, "^w", "normal, half and full size in turn")
}
