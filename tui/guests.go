package tui

import (
	"fmt"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// shownRequests is how many requests of drivers one picture brings to the
// console: whoever asks more often is not read line by line.
const shownRequests = 8

// hear shows in the console what drivers have asked for since the last picture.
func (a *App) hear() {
	s := a.v.Served
	if s == nil {
		a.heard = 0
		return
	}
	if s.Total < a.heard { // another server
		a.heard = 0
	}
	fresh := s.Recent
	for len(fresh) > 0 && fresh[0].N <= a.heard {
		fresh = fresh[1:]
	}
	if len(fresh) == 0 {
		return
	}
	if first := fresh[max(len(fresh)-shownRequests, 0)].N; first > a.heard+1 {
		a.console.unread += int64(first - a.heard - 1)
		fresh = fresh[max(len(fresh)-shownRequests, 0):]
	}
	for i := range fresh {
		a.console.request(&fresh[i])
	}
	a.heard = s.Total
	a.touch(3)
}

// request adds a request of a driver to the transcript. Those that came too fast
// are a number before it.
func (p *consolePane) request(r *view.Request) {
	if p.unread > 0 {
		last := len(p.log.entries) - 1
		if last < 0 || !p.log.entries[last].more {
			p.add(&entry{more: true})
			last = len(p.log.entries) - 1
		}
		e := p.log.entries[last]
		e.skipped += p.unread
		e.note = draw.Spans{{Text: fmt.Sprintf("… %s more requests, all in the journal: R shows them", draw.Thousands(e.skipped)), Style: Dim}}
		e.lines, p.unread = nil, 0
	}
	p.add(&entry{request: r, answer: r.Answer})
}

// requestLines are a request as the console shows it: who asked whom for what,
// and how it went.
func requestLines(r *view.Request, w int) []draw.Spans {
	head := draw.Spans{{Text: r.Client, Style: Key}, {Text: " → " + r.Node, Style: Dim}}
	for _, more := range []string{r.Level, r.Verb} {
		if more != "" {
			head = append(head, draw.Line{Text: " " + more, Style: Dim})
		}
	}
	out := []draw.Spans{head}
	lines := wrapCode(short(r.Answer.Statement), max(w-2, 1))
	for i, l := range lines {
		if i == 3 {
			out = append(out, draw.Spans{{Text: "  …", Style: Dim}})
			break
		}
		out = append(out, append(draw.Spans{{Text: "  "}}, l...))
	}
	return append(out, answerLines(r.Answer, w)...)
}

// short is a statement on one line, and not more of it than can be read.
func short(text string) string {
	out := make([]rune, 0, min(len(text), 600))
	blank := false
	for _, r := range text {
		if r == '\n' || r == '\t' || r == ' ' {
			blank = len(out) > 0
			continue
		}
		if blank {
			out = append(out, ' ')
			blank = false
		}
		if out = append(out, r); len(out) >= 600 {
			return string(out) + "…"
		}
	}
	return string(out)
}
