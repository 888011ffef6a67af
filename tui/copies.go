package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
)

// versions asks what each replica holds of the partition of the cursor's row.
func (g *grid) versions() Action {
	if g.list.cur >= len(g.rows) || tableOf(g.answer) == "" {
		return Action{Status: "the copies of a row are known where a SELECT names its table"}
	}
	var key []string
	for i, c := range g.answer.Columns {
		if c.Kind == "partition_key" && i < len(g.rows[g.list.cur]) {
			key = append(key, g.rows[g.list.cur][i].Text)
		}
	}
	if len(key) == 0 {
		return Action{Status: "the copies need the partition key: select its columns, too"}
	}
	return Action{Look: ":partition " + tableOf(g.answer) + " " + strings.Join(key, ":")}
}

// lookAt runs a command without a trace in the transcript and shows its answer over
// what is there.
func (a *App) lookAt(text string) tea.Cmd {
	under := a.over
	var got []answer.Answer
	j := &job{text: text, from: "pane", quiet: true, answers: func(ans answer.Answer) { got = append(got, ans) }}
	j.done = func() {
		for i := range got {
			switch {
			case got[i].Error != nil:
				return // the status line tells it
			case strings.HasPrefix(text, ":cell "):
				a.over = newCellDialog(text, &got[i], under)
			case len(got[i].Columns) > 0:
				g := newGrid(&got[i])
				g.answer.Statement, g.under = text, under
				a.over = g
			case got[i].Message != "":
				a.over = newReader(text, messageText(&got[i]))
			}
		}
	}
	return a.start(j)
}
