package tui

import (
	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// explainer is a pane that can tell its rule with the numbers at hand.
type explainer interface {
	Explain(sc *Scene) (title string, lines []string)
}

// explanation shows why a picture is as it is. It stays open while the lab goes on,
// and its numbers go on with it.
type explanation struct {
	of   explainer
	pane int
	read reader
}

func (e *explanation) paint(sc *Scene, c *draw.Canvas) (int, int) {
	title, lines := e.of.Explain(sc)
	e.read.title, e.read.lines, e.read.fit = title, nil, true
	w := min(c.W-8, 110)
	for _, l := range lines {
		for i, s := range draw.Wrap(l, max(w, 8)) {
			e.read.lines = append(e.read.lines, draw.Line{Text: pick(i == 0, "", "  ") + s, Style: pick(i == 0 && len(lines) > 1, Text, Dim)})
		}
	}
	if len(lines) == 0 {
		e.read.lines = []draw.Line{{Text: "one moment: the numbers are on their way", Style: Dim}}
	}
	return e.read.paint(sc, c)
}

func (e *explanation) key(k tea.KeyPressMsg) (Action, bool) {
	if id := lookup(k.String(), "everywhere"); id == "explain" {
		return Action{}, true
	}
	return e.read.key(k)
}

func (e *explanation) wheel(delta int)                   { e.read.wheel(delta) }
func (e *explanation) click(x, y int) (a Action, c bool) { return e.read.click(x, y) }
func (e *explanation) pasted(s string)                   { e.read.pasted(s) }

// explain opens the explanation of the focused pane.
func (a *App) explain() tea.Cmd {
	if e, ok := a.pieces[a.focus].pane.(explainer); ok {
		a.over = &explanation{of: e, pane: a.focus}
		return nil
	}
	return a.say(Dim, paneNames[a.focus]+" has nothing to explain; Schema, Ring, Trace and Storage do")
}

func (p *ringPane) Explain(sc *Scene) (string, []string) {
	v := sc.V
	if q := v.Placement; q != nil && p.mode != "strip" {
		return "why these replicas: " + showKey(v.Selection.Key), q.Why
	}
	if v.Strip == nil {
		return "who owns what", nil
	}
	return "who owns what", v.Strip.Why
}

func (p *storagePane) Explain(sc *Scene) (string, []string) {
	title := "why this compaction, or none"
	switch {
	case sc.V.Storage == nil:
		return title, []string{"There is no table on this node yet."}
	case sc.V.Files == nil:
		return title, nil
	}
	return title, sc.V.Files.Why
}

func (p *tracePane) Explain(sc *Scene) (string, []string) {
	title := "what a client may see"
	var lines []string
	if c := sc.V.Chain; c != nil {
		lines = append(lines, c.Text...)
	}
	if t := sc.V.Trace; t != nil {
		lines = append(lines, t.Why...)
	}
	if sc.V.Levels != nil {
		return title, append(lines, sc.V.Levels.Why...)
	}
	if len(sc.V.Keyspaces) == 0 {
		lines = append(lines, "There is no keyspace yet: without a replication factor there is no rule to explain.")
	}
	return title, lines
}

func (p *schemaPane) Explain(sc *Scene) (string, []string) {
	s := sc.V.Selection
	t := selectedTable(sc.V, sc.Need)
	switch {
	case t == nil:
		return "what a primary key is for", []string{"There is no table yet."}
	case s != nil && s.Err == "":
		return "where " + showKey(s.Key) + " lives", append([]string{t.Key,
			"The columns before the first comma, or within the inner parentheses, are the partition key: its bytes are hashed to the token " + s.Token + ", which lies in " + s.RangeText + ".",
			"Source: " + sc.V.Partitioner + ".getToken, TokenMetadata.firstTokenIndex."}, s.Why...)
	}
	return "how " + t.Name + " is laid out", []string{t.Key,
		"Rows of one partition key are one partition, on the same replicas, in the order of the clustering columns.",
		"enter on a partition shows where it lives."}
}
