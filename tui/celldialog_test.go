package tui

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/engine/view"
)

// From a row of a result to the cell's versions, its bytes and back, by keys and by
// the mouse.
func TestCellDialog(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT sensor_id FROM readings;\n")
	b.press("esc", "enter")
	b.view()
	x, y := find(t, b, "21.4")
	for range 2 {
		b.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	if want := ":cell readings '2026-11-21 04:30:12.000000+0000' 'ts' '21.4'"; !slices.Contains(b.lab.did, want) {
		t.Errorf("did %q, expected %s", b.lab.did, want)
	}
	want(t, b, "cell readings", "4 bytes of value, 9 in Data.db", "32 31 2e 34", "✓ newest", "missing")
	b.press("up")
	want(t, b, "69 74 27 73 20 61 20 73 6e 73 00 6f 72", "it's a sns.or", "TTL       3600 s, expires 2026-01-01 01:00:00", "purgeable from 2026-01-11")
	b.press("up")
	want(t, b, "the local deletion time of this row deletion")
	b.press("esc")
	if g, ok := b.app.over.(*grid); !ok || g.list.cur != 0 {
		t.Error("esc does not go back to the result")
	}
	b.press("esc")
	for name, a := range map[string]*answer.Answer{
		"a SELECT names its table": {Statement: ":status"},
		"select the key columns":   {Statement: "SELECT v FROM t"},
		"shown otherwise":          {Statement: "SELECT k FROM t", Columns: []answer.Column{{Name: "k", Type: "text", Kind: "partition_key"}}, Rows: [][]answer.Cell{{{Text: `a\nb`}}}},
	} {
		if a.Columns == nil {
			a.Columns, a.Rows = []answer.Column{{Name: "v", Type: "int"}}, [][]answer.Cell{{{Text: "1"}}}
		}
		b.app.over = newGrid(a)
		b.press("enter")
		want(t, b, name, "bytes of text")
	}
	b.app.over = nil
	b.press("1", "p")
	s := momentSheet(view.SheetReplicas)
	s.Cells = make([]string, len(s.Rows))
	s.Cells[1] = ":cell sensor.readings 'a' 'v' '1'"
	b.lab.v.Sheet = s
	b.app.look()
	b.view()
	b.press("enter")
	want(t, b, "this line is no cell of a row")
	b.press("down", "enter")
	if !slices.Contains(b.lab.did, s.Cells[1]) {
		t.Errorf("did %q", b.lab.did)
	}
	if _, ok := b.app.over.(*cellDialog); !ok {
		t.Error("no dialog over the sheet")
	}
}
