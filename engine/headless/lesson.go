package headless

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/scenarios"
)

// lesson is the guide in lines: what is read out, what waits to be run, and what was
// predicted.
type lesson struct {
	open  *scenarios.Scenario
	step  int
	part  int         // the part of the step that is next
	asked int         // the quiz that :answer is about, -1 for none
	picks map[int]int // predictions of the step by part
	clues int         // given in the step
	right int         // predictions that were right, in all
	made  int         // predictions
	used  int         // clues, in all
}

// What stands in the place of a prediction: the answer was looked at before there was
// one, or a block has shown it.
const looked, tested = -1, -2

// guideWords are the commands of the guide, which are about the lesson and not about
// the lab.
var guideWords = map[string]string{":scenario": "", ":next": "", ":goto": "", ":clue": "", ":answer": ""}

// guide does a command of the guide; it says false for everything else.
func (p *Plain) guide(text string) (done bool, err error) {
	words := strings.Fields(text)
	if len(words) == 0 || strings.Contains(strings.TrimSpace(text), "\n") {
		return false, nil
	}
	word, arg := strings.ToLower(words[0]), strings.Trim(strings.Join(words[1:], " "), "'\";")
	if _, ok := guideWords[word]; !ok {
		return false, nil
	}
	l := &p.lesson
	switch {
	case word == ":scenario":
		return true, p.openLesson(arg)
	case l.open == nil:
		return true, p.say("No lesson is open. `:scenario` lists the lessons, `:scenario NAME` opens one.\n")
	}
	switch word {
	case ":next":
		return true, p.goOn()
	case ":clue":
		return true, p.clue()
	case ":answer":
		return true, p.predict(arg)
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > len(l.open.Steps) {
		return true, p.say("The lesson has the steps 1 to %d: `:goto 2`.\n", len(l.open.Steps))
	}
	l.begin(n - 1)
	return true, p.read()
}

// begin goes to the start of a step.
func (l *lesson) begin(step int) {
	l.step, l.part, l.asked, l.clues, l.picks = step, -1, -1, 0, map[int]int{}
}

// openLesson opens a lesson by its name, or a file; without a name it lists all.
func (p *Plain) openLesson(name string) error {
	if name == "" {
		for _, s := range scenarios.List() {
			if err := p.say("%s: %s, %s, %d minutes.\n", s.Name, words(s.Title), s.Level, s.Minutes); err != nil {
				return err
			}
		}
		return p.say("`:scenario NAME` opens a lesson; %s is a good one to begin with.\n", scenarios.Path[0])
	}
	s, err := scenarios.Load(name)
	if strings.HasSuffix(name, ".md") {
		var data []byte
		if data, err = os.ReadFile(name); err == nil {
			s, err = scenarios.Parse(strings.TrimSuffix(filepath.Base(name), ".md"), string(data))
		}
	}
	switch {
	case err != nil && !strings.HasSuffix(name, ".md") || errors.Is(err, fs.ErrNotExist):
		return p.say("There is no lesson %s; `:scenario` lists all.\n", render.Visible(name))
	case err != nil:
		return p.say("%s cannot be opened: %s\n", name, render.Visible(err.Error()))
	case len(s.Steps) == 0:
		return p.say("The lesson %s has no steps.\n", name)
	}
	p.lesson = lesson{open: s}
	p.lesson.begin(0)
	if err := p.say("Lesson: %s. Level %s, about %d minutes, %d steps.\n%s\n", words(s.Title), s.Level, s.Minutes, len(s.Steps), words(s.Summary)); err != nil {
		return err
	}
	if talk := s.TalkLine(); talk != "" {
		if err := p.say("%s\n", words(talk)); err != nil {
			return err
		}
	}
	return p.read()
}

// read reads the step out, up to what waits for an answer or to be run.
func (p *Plain) read() error {
	l := &p.lesson
	step := &l.open.Steps[l.step]
	if l.part < 0 {
		l.part = 0
		if err := p.say("\nStep %d of %d: %s.\n", l.step+1, len(l.open.Steps), words(step.Title)); err != nil {
			return err
		}
	}
	for ; l.part < len(step.Parts); l.part++ {
		part := &step.Parts[l.part]
		switch part.Lang {
		case "":
			if err := p.say("%s\n", words(part.Text)); err != nil {
				return err
			}
		case "clue":
		case "quiz":
			l.asked = l.part
			q := scenarios.ParseQuiz(part.Text)
			if err := p.say("Question: %s\n", words(q.Question)); err != nil {
				return err
			}
			if len(q.Options) > 0 {
				return p.say("`:answer` and a number predicts, `:answer` alone shows the answer, `:next` goes on without.\n")
			}
			if err := p.say("`:answer` shows the answer.\n"); err != nil {
				return err
			}
		default:
			text := strings.TrimSpace(strings.Join(scenarios.Shown(part.Text), "\n"))
			return p.say("To be run, in %s:\n%s\n`:next` runs it.\n", part.Lang, text)
		}
	}
	if l.step+1 < len(l.open.Steps) {
		return p.say("This was step %d. `:next` goes to step %d: %s.%s\n", l.step+1, l.step+2, words(l.open.Steps[l.step+1].Title), l.offer())
	}
	return p.say("That was the last step. %d of %d predictions were right, %d clues were used.%s `:scenario` lists the lessons.\n", l.right, l.made, l.used, l.offer())
}

// offer names the clues that are left.
func (l *lesson) offer() string {
	if left := len(l.partsOf("clue")) - l.clues; left > 0 {
		return " `:clue` gives a clue."
	}
	return ""
}

func (l *lesson) partsOf(lang string) (out []string) {
	for _, part := range l.open.Steps[l.step].Parts {
		if part.Lang == lang {
			out = append(out, part.Text)
		}
	}
	return out
}

// goOn does what waits: runs a block, leaves a question, or turns to the next step.
func (p *Plain) goOn() error {
	l := &p.lesson
	parts := l.open.Steps[l.step].Parts
	switch {
	case l.part >= len(parts) && l.step+1 == len(l.open.Steps):
		return p.say("That was the last step. `:goto 1` begins anew, `:scenario` lists the lessons.\n")
	case l.part >= len(parts):
		l.begin(l.step + 1)
		return p.read()
	case parts[l.part].Lang != "quiz":
		if well, err := p.runBlock(&parts[l.part]); err != nil || !well {
			return err
		}
	}
	l.part++
	return p.read()
}

// runBlock runs a block of the step, statement by statement, and says whether all went
// as the lesson has it.
func (p *Plain) runBlock(part *scenarios.Part) (well bool, err error) {
	text, _ := part.Run()
	var got []answer.Answer
	if _, err := p.do(text, func(a *answer.Answer) string {
		got = append(got, *a)
		switch check, ok := strings.CutPrefix(a.Statement, ":expect "); {
		case ok && a.Error == nil:
			return "As expected: " + render.Visible(check) + ".\n"
		case ok:
			return "Not as expected: " + render.Visible(a.Error.Message) + ".\n"
		}
		return "Statement: " + render.Visible(strings.Join(strings.Fields(a.Statement), " ")) + "\n" + Spoken(a, p.Lab.Expand())
	}); err != nil {
		return false, err
	}
	if !answer.AsExpected(got) {
		return false, p.say("This did not go as the lesson has it. `:undo` takes statements back, `:next` runs the block again, `:goto %d` begins the step anew.\n", p.lesson.step+1)
	}
	return true, p.verdicts()
}

// verdicts say how the predictions turned out that the block has put to the test.
func (p *Plain) verdicts() error {
	l := &p.lesson
	for i := 0; i < l.part; i++ {
		pick, part := l.picks[i], &l.open.Steps[l.step].Parts[i]
		if part.Lang != "quiz" {
			continue
		}
		l.picks[i] = tested
		if pick <= 0 {
			continue
		}
		q := scenarios.ParseQuiz(part.Text)
		if q.Right() == 0 {
			continue
		}
		said := fmt.Sprintf("Your prediction, %d, was right.", pick)
		if pick == q.Right() {
			l.right++
		} else {
			said = fmt.Sprintf("Your prediction was %d, the answer is %d.", pick, q.Right())
		}
		if err := p.say("%s %s\n", said, words(strings.TrimSpace(q.Answer+"\n"+q.Why))); err != nil {
			return err
		}
	}
	return nil
}

// predict takes a prediction, or without a number shows the answer.
func (p *Plain) predict(arg string) error {
	l := &p.lesson
	if l.asked < 0 {
		return p.say("Nothing is asked yet in this step; `:next` goes on.\n")
	}
	q := scenarios.ParseQuiz(l.open.Steps[l.step].Parts[l.asked].Text)
	if arg == "" {
		if l.picks[l.asked] == 0 {
			l.picks[l.asked] = looked
		}
		return p.say("Answer: %s\n", words(strings.TrimSpace(q.Answer+"\n"+q.Why)))
	}
	n, err := strconv.Atoi(arg)
	switch {
	case err != nil || n < 1 || n > len(q.Options):
		return p.say("The question has the answers 1 to %d: `:answer 1`.\n", len(q.Options))
	case l.picks[l.asked] == looked:
		return p.say("The answer was shown already; `:next` goes on.\n")
	case l.picks[l.asked] == tested:
		return p.say("That has been put to the test already; `:answer` alone shows the answer.\n")
	}
	if l.picks[l.asked] == 0 {
		l.made++
	}
	l.picks[l.asked] = n
	if err := p.say("Your prediction is %d: %s.\n", n, words(q.Options[n-1])); err != nil || l.asked != l.part {
		return err
	}
	l.part++
	return p.read()
}

// clue reads out the next clue of the step.
func (p *Plain) clue() error {
	l := &p.lesson
	clues := l.partsOf("clue")
	if l.clues >= len(clues) {
		return p.say("There is no further clue in this step.\n")
	}
	l.clues++
	l.used++
	return p.say("Clue %d of %d: %s\n", l.clues, len(clues), words(clues[l.clues-1]))
}

// words is Markdown as it is read aloud: without the marks of emphasis and code, and
// with nothing that a terminal obeys.
func words(s string) string {
	lines := strings.Split(strings.NewReplacer("**", "", "`", "").Replace(strings.TrimSpace(s)), "\n")
	for i := range lines {
		lines[i] = render.Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}
