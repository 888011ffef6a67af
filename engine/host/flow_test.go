package host

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringlab/engine/view"
)

func TestTimeThatFlowsIsJournaledOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	before := len(entries(t, h))
	for _, speed := range []string{"1x", "0.001x", "max", "100x"} {
		well(t, h, ":speed "+speed)
		well(t, h, ":down n2 undetected\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');")
		rev := h.View().Rev
		for range 40 {
			h.Tick(33 * time.Millisecond)
			h.Show(view.Need{Node: int(h.View().Rev % 3)})
		}
		until(t, "a newer picture", func() bool { return h.View().Rev > rev })
		well(t, h, ":help up\n:up n2 undetected")
	}
	well(t, h, ":speed pause")
	list := entries(t, h)[before:]
	idle := 0
	for i, e := range list {
		if strings.HasPrefix(e, ":speed") || strings.HasPrefix(e, ":help") {
			t.Errorf("%s is journaled", e)
		}
		if strings.HasPrefix(e, ":advance ") {
			if idle++; i > 0 && strings.HasPrefix(list[i-1], ":advance ") {
				t.Error("idle time is journaled in pieces")
			}
		}
	}
	if idle < 3 {
		t.Errorf("%d pieces of idle time in %q", idle, list)
	}
	now := h.View().Now
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if again := open(t, path); again.View().Now != now {
		t.Errorf("the clock is at %d, it was at %d", again.View().Now, now)
	}
}

func TestUndoAndRedo(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	steps := []string{
		"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a')",
		"SELECT * FROM ks.t",
		":client bob node=n5",
		":as bob",
		"INSERT INTO ks.t (k, c, v) VALUES (1, 2, 'b')",
		":down n1",
		":reset",
		strings.Split(tables, "\n")[0],
		":ring new dc1=4",
		"SELECT * FROM system.local",
	}
	state := func() string {
		v := h.View()
		v2 := *v
		v2.Rev, v2.Undo, v2.Redo, v2.Undone = 0, "", "", 0
		text, err := json.Marshal(v2)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	states := []string{state()}
	for _, s := range steps {
		do(t, h, s)
		if got := h.View().Undo; got != strings.TrimSuffix(s, ";") {
			t.Errorf("undo offers %q after %q", got, s)
		}
		states = append(states, state())
	}
	for round := range 2 {
		for i := len(steps) - 1; i >= 0; i-- {
			if got := well(t, h, ":undo"); !strings.Contains(got, "Undone: "+strings.TrimSuffix(steps[i], ";")) {
				t.Errorf("undo %d says %q", i, got)
			}
			if got := state(); got != states[i] {
				t.Errorf("round %d, undo of %s:\n%s\nexpected\n%s", round, steps[i], got, states[i])
			}
		}
		for i, s := range steps {
			if got := well(t, h, ":redo"); !strings.Contains(got, "Done again: "+strings.TrimSuffix(s, ";")) {
				t.Errorf("redo %d says %q", i, got)
			}
			if got := state(); got != states[i+1] {
				t.Errorf("round %d, redo of %s:\n%s\nexpected\n%s", round, s, got, states[i+1])
			}
		}
	}
	if got := said(do(t, h, ":redo")); !strings.Contains(got, "nothing to redo") {
		t.Errorf("redo at the end: %q", got)
	}
	for h.View().Undo != "" {
		well(t, h, ":undo")
	}
	if got := said(do(t, h, ":undo")); !strings.Contains(got, "nothing to undo") {
		t.Errorf("undo at the beginning: %q", got)
	}
	well(t, h, tables)
	if got := said(do(t, h, ":redo")); !strings.Contains(got, "nothing to redo") {
		t.Errorf("redo after a new command: %q", got)
	}
}

// Undo takes what somebody did: idle time and checks go along with it, and the
// speed at which time flows stays.
func TestUndoTakesIdleTimeAndChecksAlong(t *testing.T) {
	h := fresh(t)
	well(t, h, tables+":speed 1x")
	before := h.View().Now
	h.Tick(time.Second)
	until(t, "time to pass", func() bool { return h.View().Now > before })
	well(t, h, "SELECT * FROM ks.t;\n:expect rows 0")
	h.Tick(time.Second)
	until(t, "time to pass", func() bool { return h.View().Now > before+1_500_000 })
	if got := h.View().Undo; got != "SELECT * FROM ks.t" {
		t.Errorf("undo offers %q", got)
	}
	well(t, h, ":undo")
	if v := h.View(); v.Now != before || v.Speed != "1x" {
		t.Errorf("the clock is at %d with speed %s, expected %d and 1x", v.Now, v.Speed, before)
	}
	well(t, h, ":redo")
	if v := h.View(); v.Now < before+1_000_000 || v.Now > before+1_100_000 {
		t.Errorf("the clock is at %d after redo", v.Now)
	}
	revs := map[uint64]bool{}
	for range 3 {
		well(t, h, ":undo")
		well(t, h, ":redo")
		if v := h.View(); revs[v.Rev] {
			t.Errorf("revision %d came twice", v.Rev)
		} else {
			revs[v.Rev] = true
		}
	}
}
