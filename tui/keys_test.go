package tui

import (
	"slices"
	"testing"
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
