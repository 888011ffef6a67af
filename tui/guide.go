package tui

import (
	"fmt"
	"slices"

	"ringlab/scenarios"
	"ringlab/tui/draw"
)

// guidePane lists the lessons and walks through one.
type guidePane struct {
	all     []*scenarios.Scenario
	lessons []*scenarios.Scenario // sorted
	by      string                // how
	best    map[string]string     // score of lessons that were done, by name
	file    *lessonFile           // of the open lesson, nil for those that come with ringlab
	list    list
	open    *scenarios.Scenario
	step    int
	scroll  int
	follow  bool            // bring the next block into sight
	answer  bool            // of the quiz, shown
	told    string          // of a prediction, when its block has run
	sure    bool            // the answer was asked for once
	picks   map[string]int  // predictions, "step.part": option from 1, -1 none, -2 looked up
	used    map[int]int     // clues that were shown, by step
	clues   int             // of the step, shown
	marks   map[string]byte // "step.part": 'r' running, 'v' went well, 'x' did not
	checks  map[string][]check
	rows    int
	topRow  int
}

// check is one :expect of a block with its outcome.
type check struct {
	text string
	ok   bool
	why  string
}

func (p *guidePane) id(step, part int) string { return fmt.Sprintf("%d.%d", step, part) }

func (p *guidePane) Title(*Scene) (string, string) {
	if p.open == nil {
		return "6 Guide", fmt.Sprintf("%d ", len(p.lessons)) + plural(int64(len(p.lessons)), "lesson", "lessons")
	}
	return "6 Guide", fmt.Sprintf("%s, step %d of %d", p.open.Title, p.step+1, max(len(p.open.Steps), 1))
}

func (p *guidePane) Keys(*Scene) []string {
	if p.open == nil {
		return []string{"open", "guide.sort"}
	}
	keys := []string{"open", "guide.next"}
	if p.count("quiz") > 0 {
		keys = append(keys, "guide.predict", "guide.answer")
	}
	if p.count("clue") > 0 {
		keys = append(keys, "guide.clue")
	}
	return append(keys, "guide.back", "guide.restart", "back")
}

// load opens a lesson at a step.
func (p *guidePane) load(s *scenarios.Scenario, step int) {
	if s != p.open {
		p.forget()
		p.file = nil
	}
	p.open, p.answer, p.sure, p.scroll = s, false, false, 0
	p.step = max(min(step, len(s.Steps)-1), 0)
	p.clues = p.used[p.step]
}

// forget begins a lesson with nothing done.
func (p *guidePane) forget() {
	p.marks, p.checks, p.picks, p.used = map[string]byte{}, map[string][]check{}, map[string]int{}, map[int]int{}
}

func (p *guidePane) named(name string) *scenarios.Scenario {
	for _, s := range p.all {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (p *guidePane) Paint(sc *Scene, c *draw.Canvas) {
	if p.open == nil {
		p.paintLessons(sc, c)
		return
	}
	p.paintLesson(sc, c)
}

func (p *guidePane) paintLesson(sc *Scene, c *draw.Canvas) {
	w := c.W - 2
	y := p.paintSteps(c)
	if c.H < 8 {
		y = 0
	}
	foot := 1
	body, next := p.body(w)
	if p.file != nil {
		head := p.fileLines(w)
		body, next = append(head, body...), next+len(head)
	}
	room := max(c.H-y-foot, 1)
	if p.follow {
		p.follow = false
		if next >= p.scroll+room-2 || next < p.scroll {
			p.scroll = next - room/3
		}
	}
	p.scroll = max(min(p.scroll, len(body)-room), 0)
	for i := 0; i < room && p.scroll+i < len(body); i++ {
		body[p.scroll+i].Paint(c, 1, y+i, w)
	}
	if below := len(body) - p.scroll - room; below > 0 {
		c.Right(c.W-1, c.H-2, Dim, fmt.Sprintf(" ↓ %d more", below))
	}
	keys := []string{"enter run", "n next"}
	if p.nextBlock() < 0 {
		keys = []string{"enter n next"}
	}
	if p.count("quiz") > 0 {
		keys = append(keys, "p predict", "a answer")
	}
	if p.count("clue") > 0 {
		keys = append(keys, "c clue")
	}
	hints(c, c.H-1, append(keys, "b back", "esc lessons", "r restart")...)
}

// paintSteps writes the steps with their marks, a window around the current
// one, and returns the row below.
func (p *guidePane) paintSteps(c *draw.Canvas) int {
	n := len(p.open.Steps)
	show := min(n, max(c.H/4, 1), 7)
	first := max(min(p.step-show/2, n-show), 0)
	for i := range show {
		s := first + i
		mark, style := "  ", Dim
		switch {
		case s == p.step:
			mark, style = "▸ ", Text|draw.Bold
		case p.done(s):
			mark = "✓ "
		}
		x := c.Put(2, i, pick(mark == "✓ ", OK, style), mark)
		c.PutIn(x, i, c.W-x-1, style, fmt.Sprintf("%d %s", s+1, p.open.Steps[s].Title))
	}
	if show < c.H {
		rule(c, show)
	}
	return show + 1
}

// done says whether every block of a step has run well.
func (p *guidePane) done(step int) bool {
	any := false
	for i, part := range p.open.Steps[step].Parts {
		if !runs(part.Lang) {
			continue
		}
		if p.marks[p.id(step, i)] != 'v' {
			return false
		}
		any = true
	}
	return any
}

func runs(lang string) bool { return lang == "cql" || lang == "lab" || lang == "cli" }

// count says how many blocks of that name the current step has.
func (p *guidePane) count(lang string) int {
	n := 0
	if p.step < len(p.open.Steps) {
		for _, part := range p.open.Steps[p.step].Parts {
			if part.Lang == lang {
				n++
			}
		}
	}
	return n
}

func (p *guidePane) Do(id string, sc *Scene) (Action, bool) {
	if id == "guide.sort" {
		at := slices.Index(lessonOrders, p.by) + 1
		p.order(lessonOrders[at%len(lessonOrders)])
		return Action{Status: "lessons by " + p.by}, true
	}
	if p.open == nil {
		if p.list.move(id, len(p.lessons), p.rows) {
			return Action{}, true
		}
		if id == "open" && p.list.cur < len(p.lessons) {
			p.load(p.lessons[p.list.cur], 0)
			return Action{}, true
		}
		return Action{}, false
	}
	switch id {
	case "up", "down", "pgup", "pgdn", "top", "bottom":
		p.Wheel(map[string]int{"up": -1, "down": 1, "pgup": -8, "pgdn": 8, "top": -1 << 20, "bottom": 1 << 20}[id])
	case "open":
		if at := p.asked(); at >= 0 {
			return Action{Overlay: p.predictor(at)}, true
		}
		if a, ok := p.run(); ok {
			return a, true
		}
		return p.turn(1), true
	case "guide.next", "right":
		return p.turn(1), true
	case "guide.back", "left":
		return p.turn(-1), true
	case "guide.restart":
		p.forget()
		p.load(p.open, 0)
		return Action{Status: "from the first step; u undoes what the blocks did"}, true
	case "guide.answer":
		return p.lookUp(), true
	case "guide.predict":
		return p.predict(0), true
	case "guide.clue":
		if p.clues == p.count("clue") {
			return Action{Status: "no more clues in this step"}, true
		}
		p.clues++
		p.used[p.step] = p.clues
	case "back":
		p.open = nil
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (p *guidePane) turn(by int) Action {
	to := p.step + by
	if to < 0 || to >= len(p.open.Steps) {
		if by > 0 {
			p.best[p.open.Name] = p.score().short()
			if next := p.nextOnPath(); next != nil && p.nextBlock() < 0 {
				told := p.open.Title + ": " + p.score().String()
				p.load(next, 0)
				return Action{Status: told}
			}
		}
		return Action{Status: pick(by > 0, "that was the last step: "+p.score().String(), "this is the first step")}
	}
	p.step, p.scroll, p.answer, p.sure, p.clues = to, 0, false, false, p.used[to]
	return Action{}
}

func (p *guidePane) Click(_, y int, _ *Scene) Action {
	if p.open == nil {
		if n := p.list.top + (y-p.topRow)/2; y >= p.topRow && n < len(p.lessons) {
			p.list.cur = n
		}
	}
	return Action{}
}

func (p *guidePane) Wheel(delta int) {
	if p.open == nil {
		p.list.cur = max(p.list.cur+delta, 0)
		return
	}
	p.scroll = max(p.scroll+delta, 0)
}
