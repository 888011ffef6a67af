package tui

import (
	"fmt"
	"strings"

	"ringlab/scenarios"
	"ringlab/tui/draw"
)

// predictor asks for a prediction with the options of a quiz.
func (p *guidePane) predictor(part int) *picker {
	q := scenarios.ParseQuiz(p.open.Steps[p.step].Parts[part].Text)
	id := p.id(p.step, part)
	question, _, _ := strings.Cut(q.Question, "\n1. ")
	o := &picker{title: "predict: " + strings.Join(strings.Fields(question), " "), digits: true, noInput: true}
	for i, text := range q.Options {
		o.items = append(o.items, pickItem{name: fmt.Sprintf("%d  %s", i+1, text), act: Action{Call: func() { p.picks[id] = i + 1 }, Status: p.whatNext(part)}})
	}
	o.items = append(o.items, pickItem{name: "-  no prediction", act: Action{Call: func() { p.picks[id] = -1 }}})
	return o
}

// whatNext says what shows whether a prediction is right.
func (p *guidePane) whatNext(part int) string {
	if p.blockBehind(part) >= 0 {
		return "enter runs the block that shows whether you are right"
	}
	return ""
}

// blockBehind is the first block of the step behind a part that runs, or -1.
func (p *guidePane) blockBehind(part int) int {
	for i, o := range p.open.Steps[p.step].Parts {
		if i > part && runs(o.Lang) {
			return i
		}
	}
	return -1
}

// asked is the quiz that wants a prediction before the next block runs or the
// step is left, or -1.
func (p *guidePane) asked() int {
	if p.open == nil || p.step >= len(p.open.Steps) {
		return -1
	}
	next := p.nextBlock()
	for i, part := range p.open.Steps[p.step].Parts {
		if next >= 0 && i > next {
			break
		}
		if part.Lang == "quiz" && p.picks[p.id(p.step, i)] == 0 && !p.answer && len(scenarios.ParseQuiz(part.Text).Options) > 0 {
			return i
		}
	}
	return -1
}

// verdict says how the predictions have turned out that a block of the step has
// put to the test, "" if it has none.
func (p *guidePane) verdict(block int) string {
	for i, part := range p.open.Steps[p.step].Parts {
		picked := p.picks[p.id(p.step, i)]
		if part.Lang != "quiz" || picked <= 0 || p.blockBehind(i) != block {
			continue
		}
		switch right := scenarios.ParseQuiz(part.Text).Right(); right {
		case 0:
		case picked:
			return fmt.Sprintf("✓ your pick %d was right", picked)
		default:
			return fmt.Sprintf("✗ your pick was %d, the answer is %d; ↑ shows why", picked, right)
		}
	}
	return ""
}

// revealed says whether the answer of a quiz is shown: when it was asked for, or
// when a prediction has been put to the test.
func (p *guidePane) revealed(part int) bool {
	if p.answer {
		return true
	}
	if p.picks[p.id(p.step, part)] == 0 {
		return false
	}
	behind := p.blockBehind(part)
	return behind < 0 || p.marks[p.id(p.step, behind)] == 'v' || p.marks[p.id(p.step, behind)] == 'x'
}

// quiz shows the question, what was predicted, and the answer once it may be
// seen.
func (p *guidePane) quiz(part int, w int) []draw.Spans {
	q := scenarios.ParseQuiz(p.open.Steps[p.step].Parts[part].Text)
	out := []draw.Spans{{{Text: "? Predict", Style: Warn | draw.Bold}}}
	for _, l := range markdown(q.Question, w-2) {
		out = append(out, append(draw.Spans{{Text: "  "}}, l...))
	}
	pick_ := p.picks[p.id(p.step, part)]
	if !p.revealed(part) {
		if pick_ > 0 {
			return append(out, draw.Spans{{Text: fmt.Sprintf("  your pick: %d", pick_), Style: Accent}})
		}
		line := draw.Spans{{Text: "  a a", Style: Key}, {Text: " shows the answer", Style: Dim}}
		if len(q.Options) > 0 {
			line = append(draw.Spans{{Text: "  p", Style: Key}, {Text: " predicts", Style: Dim}}, line...)
		}
		return append(out, line)
	}
	if pick_ > 0 && q.Right() > 0 {
		good := pick_ == q.Right()
		out = append(out, draw.Spans{{Text: fmt.Sprintf("  your pick: %d  ", pick_), Style: Accent}, {Text: pick(good, "✓ right", "✗ not this time"), Style: pick(good, OK, Error)}})
	}
	for _, l := range markdown("answer: "+q.Answer+"\n"+q.Why, w-2) {
		out = append(out, append(draw.Spans{{Text: "  ", Style: OK}}, l...))
	}
	return out
}

// score counts what a lesson has shown of whoever did it.
type score struct {
	right, quizzes int
	clues          int
	shown          int // answers looked at before a prediction
	failed         int // blocks that did not go as expected
	done, blocks   int
}

func (p *guidePane) score() score {
	var s score
	for i, step := range p.open.Steps {
		s.clues += p.used[i]
		for j, part := range step.Parts {
			id := p.id(i, j)
			switch {
			case part.Lang == "quiz":
				q := scenarios.ParseQuiz(part.Text)
				if len(q.Options) == 0 {
					continue
				}
				s.quizzes++
				if p.picks[id] > 0 && p.picks[id] == q.Right() {
					s.right++
				}
				if p.picks[id] == -2 {
					s.shown++
				}
			case runs(part.Lang):
				s.blocks++
				if p.marks[id] == 'v' {
					s.done++
				} else if p.marks[id] == 'x' {
					s.failed++
				}
			}
		}
	}
	return s
}

// String is the score in one line.
func (s score) String() string {
	out := []string{fmt.Sprintf("%d of %d predictions right", s.right, s.quizzes)}
	if s.quizzes == 0 {
		out = nil
	}
	out = append(out, fmt.Sprintf("%d %s", s.clues, plural(int64(s.clues), "clue", "clues")))
	if s.shown > 0 {
		out = append(out, fmt.Sprintf("%d %s looked up", s.shown, plural(int64(s.shown), "answer", "answers")))
	}
	if s.done < s.blocks {
		out = append(out, fmt.Sprintf("%d of %d blocks done", s.done, s.blocks))
	}
	return strings.Join(out, ", ")
}

// short is the score for the list of lessons.
func (s score) short() string {
	if s.quizzes == 0 {
		return "✓"
	}
	return fmt.Sprintf("✓ %d/%d", s.right, s.quizzes)
}

// lookUp shows the answers of the step: the first call says what the second does.
func (p *guidePane) lookUp() Action {
	if p.answer {
		p.answer, p.sure = false, false
		return Action{}
	}
	if p.count("quiz") == 0 {
		return Action{Status: "this step asks nothing"}
	}
	if !p.sure {
		p.sure = true
		return Action{Status: "a again shows the answer"}
	}
	p.answer, p.sure = true, false
	for i, part := range p.open.Steps[p.step].Parts {
		if id := p.id(p.step, i); part.Lang == "quiz" && p.picks[id] <= 0 {
			p.picks[id] = -2
		}
	}
	return Action{}
}

// predict takes the option of that number for the step's quiz, or asks for one.
func (p *guidePane) predict(option int) Action {
	at := p.asked()
	for i, part := range p.open.Steps[p.step].Parts {
		if at < 0 && part.Lang == "quiz" && p.picks[p.id(p.step, i)] == 0 {
			at = i
		}
	}
	if at < 0 {
		return Action{Status: pick(p.count("quiz") > 0, "this step's questions are answered", "this step asks nothing")}
	}
	o := p.predictor(at)
	switch {
	case option == 0:
		return Action{Overlay: o}
	case option < 0 || option >= len(o.items):
		return Action{Status: fmt.Sprintf("the question has the options 1 to %d", len(o.items)-1)}
	}
	return o.items[option-1].act
}
