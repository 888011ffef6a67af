// Package scenarios holds the lessons that come with ringlab: Markdown files
// with blocks of statements and lab commands. They read well as they are, are
// shown step by step in the guide pane and run headless as tests.
package scenarios

import (
	"embed"
	"fmt"
	"sort"
	"strings"
)

//go:embed *.md
var files embed.FS

// Scenario is one lesson. The first heading is its title; a `> key: value`
// quote right below it gives level, minutes, from (article and row ids); every
// second-level heading opens a step.
type Scenario struct {
	Name    string // file name without .md
	Title   string
	Summary string // first paragraph
	Level   string // basic, intermediate, advanced
	Minutes int
	From    string // article and rows it stands for
	Steps   []Step
	Source  string // the whole file
}

// Step is one part of a lesson: text and blocks in the order written.
type Step struct {
	Title string
	Parts []Part
}

// Part is prose or a block. Lang is "" for prose, else cql, cli, lab, quiz or
// clue: help that stays folded until it is asked for.
type Part struct {
	Lang string
	Text string
	Line int // of the first line of Text in the file, from 1
}

// Run is a block as a lab runs it, whose language is CQL before and after: a block
// of cassandra-cli stands between two lines of its own, and above says how many are
// before the block's first.
func (p Part) Run() (text string, above int) {
	if p.Lang == "cli" {
		return ":language cli\n" + p.Text + ":language cql\n", 1
	}
	return p.Text, 0
}

// Script is the step's blocks as one script.
func (s Step) Script() string {
	var b strings.Builder
	for _, p := range s.Parts {
		if p.Lang == "cql" || p.Lang == "lab" || p.Lang == "cli" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Shown are a block's lines without expected outputs and checks.
func Shown(text string) []string {
	var out []string
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		switch {
		case lines[i] == "----":
			end := ""
			if i+1 < len(lines) && lines[i+1] == "----" {
				end, i = "----", i+1
			}
			for i++; i < len(lines) && lines[i] != end; i++ {
			}
			if end != "" {
				i++
			}
		case strings.HasPrefix(lines[i], ":expect"):
		default:
			out = append(out, lines[i])
		}
	}
	return out
}

// List returns every lesson that comes with ringlab, by name, numbers in names
// in their order.
func List() []*Scenario {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var out []*Scenario
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".md")
		if s, err := Load(name); err == nil {
			out = append(out, s)
		}
	}
	sort.Slice(out, func(i, j int) bool { return before(out[i].Name, out[j].Name) })
	return out
}

// before orders names as people count: u2 before u10.
func before(a, b string) bool {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			if na != nb {
				return na < nb
			}
			if a[:na] != b[:nb] {
				return a[:na] < b[:nb]
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		a, b = a[1:], b[1:]
	}
	return a == "" && b != ""
}

// digits is how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// Load returns the lesson of that name; the error names what there is.
func Load(name string) (*Scenario, error) {
	text, err := files.ReadFile(strings.TrimSuffix(name, ".md") + ".md")
	if err != nil {
		return nil, fmt.Errorf("no scenario %q; `ringlab scenario list` shows what there is", name)
	}
	return Parse(strings.TrimSuffix(name, ".md"), string(text))
}

// Parse reads a lesson from its text. It fails on a block that is not closed
// and on a file without a title.
func Parse(name, text string) (*Scenario, error) {
	s := &Scenario{Name: name, Level: "basic", Source: text}
	var step *Step
	var prose []string
	proseLine := 0
	flush := func() {
		t := strings.TrimSpace(strings.Join(prose, "\n"))
		prose = nil
		if t == "" {
			return
		}
		if step == nil {
			if s.Summary == "" {
				s.Summary = strings.Join(strings.Fields(strings.SplitN(t, "\n\n", 2)[0]), " ")
			}
			return
		}
		step.Parts = append(step.Parts, Part{Text: t, Line: proseLine})
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r")
		switch {
		case strings.HasPrefix(line, "# ") && s.Title == "":
			s.Title = strings.TrimSpace(line[2:])
		case strings.HasPrefix(line, "> ") && step == nil:
			s.attribute(line[2:])
		case strings.HasPrefix(line, "## "):
			flush()
			s.Steps = append(s.Steps, Step{Title: strings.TrimSpace(line[3:])})
			step = &s.Steps[len(s.Steps)-1]
		case strings.HasPrefix(line, "```"):
			flush()
			lang, start := strings.TrimSpace(line[3:]), i+1
			end := start
			for end < len(lines) && strings.TrimRight(lines[end], "\r ") != "```" {
				end++
			}
			if end == len(lines) {
				return nil, fmt.Errorf("%s.md:%d: this block is never closed; end it with a line of three backticks", name, i+1)
			}
			if step == nil {
				s.Steps = append(s.Steps, Step{Title: "Start"})
				step = &s.Steps[len(s.Steps)-1]
			}
			step.Parts = append(step.Parts, Part{Lang: lang, Text: strings.Join(lines[start:end], "\n") + "\n", Line: start + 1})
			i = end
		default:
			if len(prose) == 0 {
				proseLine = i + 1
			}
			prose = append(prose, line)
		}
	}
	flush()
	if s.Title == "" {
		return nil, fmt.Errorf("%s.md: a scenario begins with a title line `# …`", name)
	}
	return s, nil
}

// Talks are the titles of the articles and talks that the lesson stands for; none
// where it stands for none.
func (s *Scenario) Talks() []string {
	_, titles, ok := strings.Cut(s.From, "(")
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimSuffix(titles, ")"), "; ")
}

// TalkLine says which talk the lesson speaks of, "" if it speaks of none.
func (s *Scenario) TalkLine() string {
	switch t := s.Talks(); len(t) {
	case 0:
		return ""
	case 1:
		return "The talk: " + t[0] + "."
	default:
		return "The talks: " + strings.Join(t, "; ") + "."
	}
}

func (s *Scenario) attribute(line string) {
	for _, part := range strings.Split(line, "·") {
		key, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "level":
			s.Level = value
		case "minutes":
			fmt.Sscan(value, &s.Minutes)
		case "from":
			s.From = value
		}
	}
}
