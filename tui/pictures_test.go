package tui

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ringlab/engine/answer"
)

// A stale answer leads to the replica, to the write that it missed and to the outage
// with three keys, and every pane turns along.
func TestFollowAStaleAnswer(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("f6")
	if b.app.focus != 2 || b.app.need.Op != 431 || b.app.need.Node != 3 {
		t.Errorf("the first key: focus %d, %+v", b.app.focus, b.app.need)
	}
	want(t, b, "#431 at ONE was answered by n4")
	b.press("F")
	if b.app.focus != 4 || b.app.need.Op != 412 {
		t.Errorf("the second key: focus %d, op %d", b.app.focus, b.app.need.Op)
	}
	b.press("F")
	want(t, b, "why the answer was stale", "n4 was down from +00:01:43.900 until +00:02:10.000")
	b.press("esc")
	b.app.v.Chain, b.lab.v.Chain = nil, nil
	b.app.trail = nil
	b.press("2", "F")
	want(t, b, "no stale answer is remembered")
}

// The pane's own question decides what the lab has to work out: nothing for a picture
// that nobody sees.
func TestLensesFollowTheScreen(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	if n := b.lab.need; n.Strip.Width != 0 || n.Placement.On || n.Files != 0 || n.Levels {
		t.Errorf("closed pictures are asked for: %+v", n)
	}
	b.press("2", "t")
	at := b.lab.need.Strip
	if at.Width != 68-stripMargin || at.To != 1 {
		t.Errorf("the strip asks for %+v", at)
	}
	b.press("right", "right", "+")
	if s := b.lab.need.Strip; s.To-s.From != 0.5 || s.Cursor == 0 && s.From == 0 {
		t.Errorf("zoomed it asks for %+v", s)
	}
	for range 60 {
		b.press("+")
	}
	if s := b.lab.need.Strip; s.To <= s.From {
		t.Errorf("the deepest zoom asks for %+v", s)
	}
	b.press("end", "-", "c", "p", "x")
	if n := b.lab.need; n.Strip.Width != 0 || !n.Placement.On || n.Placement.Lost != "n1" {
		t.Errorf("the placement asks for %+v", n)
	}
	if slices.Contains(b.lab.did, ":down n1") {
		t.Error("a loss in thought took the node down")
	}
	b.press("esc", "5", "m", "4", "4")
	if n := b.lab.need; n.Placement.On || n.Files != 0 || !n.Levels {
		t.Errorf("the zoomed trace asks for %+v", n)
	}
	b.press("e")
	want(t, b, "what a client may see", "W QUORUM 2 + R ONE 1 = 3, which is not > RF 3: a read may miss the write.")
}

func TestFindFiltersAndSearches(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("1", "/")
	b.typeText("!a-17\n")
	if b.lab.need.Filter != "!a-17" || b.app.over != nil {
		t.Errorf("filter %q", b.lab.need.Filter)
	}
	want(t, b, "/!a-17  by size")
	b.press("esc")
	if b.lab.need.Filter != "" || b.app.zoom != 0 {
		t.Error("esc keeps the filter")
	}
	b.press("2", "/")
	b.typeText("rack3\n")
	if b.app.pieces[2].pane.(*ringPane).list.cur != 2 {
		t.Error("the ring finds no node of rack3")
	}
	r := newReader("x", "one\ntwo\nthree\nfour\ntwo")
	r.rows = 2
	for _, k := range []string{"/", "t", "w", "o", "enter", "n"} {
		r.key(keyNamed(k))
	}
	if r.top != 4 {
		t.Errorf("n leads to line %d", r.top)
	}
	g := newGrid(&answer.Answer{Columns: []answer.Column{{Name: "k", Type: "text"}, {Name: "n", Type: "int"}},
		Rows: [][]answer.Cell{{{Text: "a"}, {Text: "10"}}, {{Text: "b"}, {Text: "9"}}, {{Text: "ab"}, {Null: true}}}})
	for _, k := range []string{"/", "a", "enter", "l", "o"} {
		g.key(keyNamed(k))
	}
	if len(g.rows) != 2 || g.rows[1][0].Text != "a" {
		t.Errorf("filtered and sorted: %v", g.rows)
	}
	if _, closed := g.key(keyNamed("esc")); closed || len(g.rows) != 3 {
		t.Error("esc closes the grid before it shows all rows")
	}
}

func TestExports(t *testing.T) {
	a := &answer.Answer{Statement: "SELECT * FROM ks.t;", Columns: []answer.Column{{Name: "k", Type: "text"}, {Name: "n", Type: "int"}, {Name: "ok", Type: "boolean"}},
		Rows: [][]answer.Cell{{{Text: "it's, \"|\""}, {Text: "7"}, {Text: "True"}}, {{Text: "b"}, {Null: true}, {Text: "False"}}}}
	if got, want := rowsCSV(a, a.Rows), "k,n,ok\n\"it's, \"\"|\"\"\",7,True\nb,,False\n"; got != want {
		t.Errorf("CSV %q", got)
	}
	var back []map[string]any
	if err := json.Unmarshal([]byte(rowsJSON(a, a.Rows)), &back); err != nil || back[0]["n"] != 7.0 || back[1]["n"] != nil || back[1]["ok"] != false {
		t.Errorf("JSON %v %v", back, err)
	}
	if got := rowsMarkdown(a, a.Rows); !strings.Contains(got, `| it's, "\|" | 7 | True |`) || !strings.Contains(got, "| b | null | False |") {
		t.Errorf("Markdown %s", got)
	}
	if got := rowsCQL(a, a.Rows); got != "INSERT INTO ks.t (k, n, ok) VALUES ('it''s, \"|\"', 7, True);\nINSERT INTO ks.t (k, ok) VALUES ('b', False);\n" {
		t.Errorf("CQL %s", got)
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"ringlab-rows.csv", "ringlab-rows-2.csv"} {
		if e := saveFile("rows.csv", func() string { return "x" })().(exported); e.err != nil || e.name != name {
			t.Errorf("written as %s: %v", e.name, e.err)
		}
	}
}

func TestPaletteKinds(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("ctrl+p")
	b.typeText("@")
	want(t, b, "6 of ")
	b.press("backspace")
	b.typeText("#431")
	b.press("enter")
	if b.app.need.Op != 431 || b.app.focus != 4 {
		t.Errorf("op %d focus %d", b.app.need.Op, b.app.focus)
	}
	b.press("ctrl+p")
	if name := b.app.over.(*picker).items[0].name; name != "#431 read ONE" {
		t.Errorf("the first entry is %s, not the last taken", name)
	}
}

func TestPresenter(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("2", "P")
	want(t, b, "R I N G", "A L L   U P", "0 : 0 0")
	b.press("t")
	b.press("p")
	want(t, b, " t  p")
	b.press("P")
	if b.app.zoom != 0 || strings.Contains(b.view(), "R I N G") {
		t.Error("P does not end presenter mode")
	}
}

// A choice by the mouse at the foot of a message, and outside of a box.
func TestClicksClose(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("2", "e")
	b.view()
	if _, closed := b.app.over.click(0, 20); !closed {
		t.Error("a click outside keeps the explanation")
	}
	q := &question{text: "sure?", act: Action{Run: ":x"}}
	b.app.over = q
	b.view()
	if act, closed := q.click(q.x+3, q.y); !closed || act.Run != ":x" {
		t.Error("y cannot be clicked")
	}
	if act, closed := q.click(q.half+2, q.y); !closed || act.Run != "" {
		t.Error("no cannot be clicked")
	}
}
