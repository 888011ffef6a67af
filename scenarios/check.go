package scenarios

import (
	"fmt"
	"strconv"
	"strings"
)

// MostBytes is how long a lesson may be.
const MostBytes = 1 << 20

// Problem is a mistake in a lesson's file.
type Problem struct {
	Line, Column int // from 1
	Text         string
}

func (p Problem) Error() string { return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Text) }

// TooLong says of a file of so many bytes that it is no lesson.
func TooLong(size int64) string {
	return fmt.Sprintf("has %.1f MB; a lesson has at most 1 MB", float64(size)/(1<<20))
}

// Check reads a lesson and lists its mistakes in the order of their lines; known
// says whether there is a lab command of that name, and else what it may be
// meant to be. A lesson with mistakes is given all the same, if it can be shown.
func Check(name, text string, known func(command string) (near string, ok bool)) (*Scenario, []Problem) {
	if len(text) > MostBytes {
		return nil, []Problem{{1, 1, "the file " + TooLong(int64(len(text)))}}
	}
	s, err := Parse(name, text)
	if err != nil {
		return nil, []Problem{whereOf(name, err)}
	}
	c := checker{known: known}
	c.head(strings.Split(text, "\n"))
	for _, step := range s.Steps {
		for _, p := range step.Parts {
			c.part(p)
		}
	}
	if len(s.Steps) == 0 {
		c.add(1, 1, "there is no step: a line `## …` begins one")
	}
	return s, c.out
}

// whereOf takes the place out of an error of Parse.
func whereOf(name string, err error) Problem {
	text := strings.TrimPrefix(err.Error(), name+".md:")
	if at, rest, ok := strings.Cut(text, ": "); ok {
		if line, err := strconv.Atoi(at); err == nil {
			return Problem{line, 1, rest}
		}
	}
	return Problem{1, 1, strings.TrimSpace(text)}
}

type checker struct {
	known func(string) (string, bool)
	out   []Problem
}

func (c *checker) add(line, column int, format string, args ...any) {
	c.out = append(c.out, Problem{line, column, fmt.Sprintf(format, args...)})
}

// head checks the line below the title.
func (c *checker) head(lines []string) {
	for n, line := range lines {
		if strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "```") {
			return
		}
		rest, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		column := 3
		for _, part := range strings.Split(rest, "·") {
			at := column + len(part) - len(strings.TrimLeft(part, " "))
			column += len(part) + len("·")
			key, value, ok := strings.Cut(part, ":")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			minutes, err := strconv.Atoi(value)
			switch {
			case !ok:
				c.add(n+1, at, "%q has no value: the line reads `> level: basic · minutes: 5 · from: …`", key)
			case key == "level" && value != "basic" && value != "intermediate" && value != "advanced":
				c.add(n+1, at, "level is basic, intermediate or advanced, not %q", value)
			case key == "minutes" && (err != nil || minutes < 1):
				c.add(n+1, at, "minutes is a whole number from 1 on, not %q", value)
			case key != "level" && key != "minutes" && key != "from":
				c.add(n+1, at, "there is no %q here: level, minutes and from are", key)
			}
		}
	}
}

// part checks a block.
func (c *checker) part(p Part) {
	switch p.Lang {
	case "":
	case "clue":
		if strings.TrimSpace(p.Text) == "" {
			c.add(p.Line, 1, "the clue is empty")
		}
	case "quiz":
		q := ParseQuiz(p.Text)
		switch {
		case q.Answer == "":
			c.add(p.Line, 1, "the quiz has no line `answer: …`")
		case len(q.Options) > 0 && q.Right() == 0:
			c.add(p.Line, 1, "the answer is %q, but there is no such option", q.Answer)
		}
	case "lab", "cql", "cli":
		c.commands(p)
	default:
		c.add(p.Line-1, 4, "a block is lab, cql, cli, quiz or clue, not %q", p.Lang)
	}
}

// commands looks for lab commands that do not exist, outside of expected output.
func (c *checker) commands(p Part) {
	end, output := "", false
	for i, line := range strings.Split(p.Text, "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case output && line == "----" && end == "": // the second of two opens a text that blank lines do not end
			end = "----"
		case output && line == end:
			output = end == "----" && !output
		case output:
		case line == "----":
			output, end = true, ""
		case strings.HasPrefix(strings.TrimLeft(line, " \t"), ":") && c.known != nil:
			column := strings.IndexByte(line, ':') + 1
			word, _, _ := strings.Cut(line[column:], " ")
			if near, ok := c.known(word); !ok {
				if near != "" {
					near = "; did you mean " + near + "?"
				}
				c.add(p.Line+i, column, "there is no command :%s%s", word, near)
			}
		}
	}
}
