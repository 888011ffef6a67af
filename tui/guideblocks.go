package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	"ringlab/engine/answer"
	"ringlab/scenarios"
	"ringlab/tui/draw"
)

// body renders the current step and says on which line its next block begins.
func (p *guidePane) body(w int) (out []draw.Spans, next int) {
	if len(p.open.Steps) == 0 {
		return markdown(p.open.Summary, w), 0
	}
	if p.step == 0 {
		out = p.opening(w)
	}
	nextPart, clue := p.nextBlock(), 0
	for i, part := range p.open.Steps[p.step].Parts {
		if part.Lang == "clue" && clue > p.clues {
			continue // only the next closed one is offered
		}
		if len(out) > 0 {
			out = append(out, nil)
		}
		switch {
		case part.Lang == "":
			out = append(out, markdown(part.Text, w)...)
		case part.Lang == "quiz":
			out = append(out, p.quiz(i, w)...)
		case part.Lang == "clue":
			out = append(out, p.clue(part.Text, clue, w)...)
			clue++
		default:
			if i == nextPart {
				next = len(out)
			}
			out = append(out, p.block(i, part, i == nextPart, w)...)
		}
	}
	if nextPart < 0 {
		next = len(out)
		if p.step < len(p.open.Steps)-1 {
			out = append(out, nil, draw.Spans{{Text: "✓ ", Style: OK}, {Text: "n goes to step " + fmt.Sprint(p.step+2), Style: Dim}})
		} else {
			out = append(out, nil, draw.Spans{{Text: "✓ ", Style: OK}, {Text: p.score().String(), Style: Text | draw.Bold}})
			out = append(out, draw.Spans{{Text: "  That was the last step. " + p.onward(), Style: Dim}})
		}
	}
	return out, next
}

// opening is what a lesson is about, and whose words it takes up.
func (p *guidePane) opening(w int) []draw.Spans {
	out := markdown(p.open.Summary, w)
	for _, l := range draw.Wrap(p.open.TalkLine(), w) {
		if l != "" {
			out = append(out, draw.Spans{{Text: l, Style: Dim}})
		}
	}
	return out
}

func (p *guidePane) block(i int, part scenarios.Part, next bool, w int) []draw.Spans {
	var out []draw.Spans
	mark, style := "│ ", Border
	switch p.marks[p.id(p.step, i)] {
	case 'v':
		mark, style = "│ ", OK
	case 'x':
		mark, style = "│ ", Error
	}
	if next {
		mark, style = "┃ ", Focus
	}
	for _, line := range scenarios.Shown(part.Text) {
		first := true
		for _, l := range wrapCode(line, max(w-4, 1)) {
			row := draw.Spans{{Text: mark, Style: style}}
			if !first {
				row = append(row, draw.Line{Text: "  "})
			}
			out, first = append(out, append(row, l...)), false
		}
	}
	switch p.marks[p.id(p.step, i)] {
	case 'r':
		out = append(out, draw.Spans{{Text: "⧗ running", Style: Warn}})
	case 'v':
		out = append(out, draw.Spans{{Text: "✓ done", Style: OK}})
	case 'x':
		out = append(out, draw.Spans{{Text: "✗ not as expected", Style: Error}})
	default:
		if next {
			out = append(out, draw.Spans{{Text: "enter", Style: Key}, {Text: " runs it in the console", Style: Dim}})
		}
	}
	for _, k := range p.checks[p.id(p.step, i)] {
		out = append(out, draw.Spans{{Text: pick(k.ok, "  ✓ ", "  ✗ "), Style: pick(k.ok, OK, Error)}, {Text: k.text, Style: Dim}})
		if k.why != "" {
			for _, l := range draw.Wrap(k.why, w-4) {
				out = append(out, draw.Spans{{Text: "    " + l, Style: Error}})
			}
		}
	}
	return out
}

// clue shows the n-th clue of the step once it was asked for; they open in the
// order written.
func (p *guidePane) clue(text string, n, w int) []draw.Spans {
	if n >= p.clues {
		return []draw.Spans{{{Text: "c", Style: Key}, {Text: pick(n == 0, " shows a clue", " shows another clue"), Style: Dim}}}
	}
	out := []draw.Spans{{{Text: "! Clue", Style: Warn | draw.Bold}}}
	for _, l := range markdown(strings.TrimSpace(text), w-2) {
		out = append(out, append(draw.Spans{{Text: "  "}}, l...))
	}
	return out
}

// nextBlock is the first block of the step that has not run well, or -1.
func (p *guidePane) nextBlock() int {
	if p.open == nil || p.step >= len(p.open.Steps) {
		return -1
	}
	for i, part := range p.open.Steps[p.step].Parts {
		if m := p.marks[p.id(p.step, i)]; runs(part.Lang) && m != 'v' && m != 'r' {
			return i
		}
	}
	return -1
}

// run returns the job of the next block; its answers set the marks.
func (p *guidePane) run() (Action, bool) {
	n := p.nextBlock()
	if n < 0 {
		return Action{}, false
	}
	part, id := p.open.Steps[p.step].Parts[n], p.id(p.step, n)
	text, above := part.Run()
	p.marks[id], p.checks[id] = 'r', nil
	lesson, from := p.open, part.Line-1-above
	var got []answer.Answer
	return Action{Job: &job{text: text, from: "guide", each: true, answers: func(a answer.Answer) { got = append(got, a) }, done: func() {
		if p.open != lesson {
			return
		}
		p.checks[id] = checksOf(got)
		if p.file != nil {
			p.checks[id] = append(p.failures(got, from), p.checks[id]...)
		}
		p.marks[id] = pick(answer.AsExpected(got), byte('v'), byte('x'))
		p.follow = true
		if id == p.id(p.step, n) { // nobody has turned the page
			p.told = p.verdict(n)
		}
		if p.step == len(p.open.Steps)-1 && p.nextBlock() < 0 {
			p.best[p.open.Name] = p.score().short()
		}
	}}}, true
}

func isExpect(a *answer.Answer) bool { return strings.HasPrefix(a.Statement, ":expect") }

func checksOf(got []answer.Answer) []check {
	var out []check
	for i := range got {
		if isExpect(&got[i]) {
			k := check{text: strings.TrimPrefix(got[i].Statement, ":"), ok: got[i].Error == nil}
			if !k.ok {
				k.why = got[i].Error.Message
			}
			out = append(out, k)
		}
	}
	return out
}

// nextOnPath is the lesson behind the open one on the path for newcomers, nil
// behind its last and beside it.
func (p *guidePane) nextOnPath() *scenarios.Scenario {
	if at := scenarios.OnPath(p.open.Name); at > 0 && at < len(scenarios.Path) {
		return p.named(scenarios.Path[at])
	}
	return nil
}

// onward says where to go after the last step.
func (p *guidePane) onward() string {
	if next := p.nextOnPath(); next != nil {
		return "n opens the next of the ten: " + next.Title + "; esc shows all lessons."
	}
	return "esc shows all lessons."
}

// failures are the errors of a block of a lesson's file that nothing expects, at
// their lines.
func (p *guidePane) failures(got []answer.Answer, from int) []check {
	var out []check
	for i := range got {
		if got[i].Error == nil || answer.AsExpected(got[i:min(i+2, len(got))]) {
			continue
		}
		text := fmt.Sprintf("%s:%d:1", filepath.Base(p.file.path), from+max(got[i].Line, 1))
		out = append(out, check{text: text, why: got[i].Error.Message})
	}
	return out
}

// fileLines are the path of a lesson that is being written, and its mistakes.
func (p *guidePane) fileLines(w int) []draw.Spans {
	out := []draw.Spans{{{Text: "read again when it is saved: " + p.file.path, Style: Dim}}}
	for i, m := range p.file.problems {
		if i == 8 {
			out = append(out, draw.Spans{{Text: fmt.Sprintf("… %d more", len(p.file.problems)-i), Style: Error}})
			break
		}
		for _, l := range draw.Wrap("✗ "+m.Error(), w) {
			out = append(out, draw.Spans{{Text: l, Style: Error}})
		}
	}
	return append(out, nil)
}
