package tui

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/scenarios"
	"ringlab/tui/draw"
)

// lessonOrders are the ways to list the lessons.
var lessonOrders = []string{"path", "level", "minutes", "question"}

// order sorts the lessons: those for newcomers first, or by level, by minutes,
// or by what they ask.
func (p *guidePane) order(by string) {
	p.by = by
	var on *scenarios.Scenario
	if p.list.cur < len(p.lessons) {
		on = p.lessons[p.list.cur]
	}
	rank := func(s *scenarios.Scenario) int {
		switch by {
		case "level":
			return slices.Index([]string{"basic", "intermediate", "advanced"}, s.Level)
		case "minutes":
			return s.Minutes
		case "path":
			if n := scenarios.OnPath(s.Name); n > 0 {
				return n
			}
			return len(scenarios.Path) + 1
		}
		return 0
	}
	p.lessons = slices.Clone(p.all)
	slices.SortStableFunc(p.lessons, func(a, b *scenarios.Scenario) int {
		if d := rank(a) - rank(b); d != 0 || by != "question" {
			return d
		}
		return strings.Compare(asks(a), asks(b))
	})
	if at := slices.Index(p.lessons, on); at >= 0 {
		p.list.cur = at
	}
}

// asks is the first question of a lesson, or its summary.
func asks(s *scenarios.Scenario) string {
	for _, step := range s.Steps {
		for _, part := range step.Parts {
			if part.Lang == "quiz" {
				q, _, _ := strings.Cut(scenarios.ParseQuiz(part.Text).Question, "\n1. ")
				return strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(q)), " ")
			}
		}
	}
	return s.Summary
}

func (p *guidePane) paintLessons(sc *Scene, c *draw.Canvas) {
	if len(p.lessons) == 0 {
		c.PutIn(1, 1, c.W-2, Dim, "No lessons here. Console: :help")
		return
	}
	p.rows, p.topRow = max((c.H-2)/2, 1), 1
	p.list.clamp(len(p.lessons), p.rows)
	if p.by == "path" {
		c.PutIn(1, 0, c.W-2, Dim, "★ ten lessons for newcomers, about an hour")
	} else {
		c.PutIn(1, 0, c.W-2, Dim, "by "+p.by)
	}
	for i := range min(p.rows, len(p.lessons)-p.list.top) {
		n := p.list.top + i
		s := p.lessons[n]
		y := 1 + 2*i
		x := 2
		if at := scenarios.OnPath(s.Name); at > 0 {
			x = c.Put(x, y, Accent, fmt.Sprintf("★%d ", at))
		}
		room := c.W - 1 - x
		short := fmt.Sprintf("%d min", s.Minutes)
		if done := p.best[s.Name]; done != "" {
			short = done + "  " + short
		}
		for _, info := range []string{s.Level + "  " + short, short} { // the level, if the title leaves room
			if left := room - draw.Width(info) - 2; left >= draw.Width(s.Title) || info == short && left >= 12 {
				room = left
				c.Right(c.W-1, y, Dim, info)
				break
			}
		}
		c.PutIn(x, y, room, Text|draw.Bold, s.Title)
		c.PutIn(4, y+1, c.W-5, Dim, pick(p.by == "question", "? "+asks(s), s.Summary))
		if sc.Focused && n == p.list.cur {
			c.Restyle(0, y, c.W, Select)
		}
	}
	hints(c, c.H-1, "enter opens the lesson", "o another order")
}
