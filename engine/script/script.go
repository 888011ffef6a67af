// Package script cuts the text of a script, a scenario's block or the console
// into what runs one by one: statements, cqlsh commands, lab commands, and the
// output that a script expects.
package script

import (
	"path/filepath"
	"regexp"
	"strings"

	"ringlab/model/cql"
)

// Kind says what an item is.
type Kind uint8

// The kinds of items.
const (
	Statement Kind = iota // CQL, without its semicolon
	Shell                 // a cqlsh command or nodetool line
	Lab                   // begins with ':'
	Expect                // text after ----
)

// Item is one thing of a script.
type Item struct {
	Kind Kind
	Text string
	Line int // where it begins, from 1
	End  int // its last line
}

// shellWords begin lines that cqlsh runs itself and that need no semicolon.
var shellWords = map[string]bool{
	"consistency": true, "serial": true, "tracing": true, "expand": true, "paging": true, "source": true, "show": true, "capture": true,
	"copy": true, "help": true, "?": true, "clear": true, "cls": true, "exit": true, "quit": true, "login": true, "unicode": true,
	"history": true, "describe": true, "desc": true, "nodetool": true,
}

// ShellWord says whether a line that begins with this word ends with its line.
func ShellWord(word string) bool { return shellWords[strings.ToLower(strings.TrimRight(word, ";"))] }

// Reader cuts text that arrives line by line. The zero Reader is ready for CQL.
type Reader struct {
	Classic bool // statements are of the classic language; `:language` changes it
	Plain   bool // no output is expected: a line ---- is a comment

	classic []string // lines of a statement of the classic language that has begun
	split   cql.Splitter
	line    int // lines taken so far
	base    int // line before the one the splitter began with
	expect  []string
	mode    byte // 0, 'e' in expected text, 'E' in expected text with blank lines, 'c' in the rows of a COPY FROM STDIN
	started int
}

// For is a Reader for a file of that name; classic says of what language its
// statements are where the name does not.
func For(name string, classic bool) Reader {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".cql":
		return Reader{Plain: true}
	case ".cli":
		return Reader{Plain: true, Classic: true}
	case ".lab":
		return Reader{}
	}
	return Reader{Classic: classic}
}

// Line takes one line, without its end, and gives what is complete with it.
func (r *Reader) Line(line string) []Item {
	r.line++
	line = strings.TrimSuffix(line, "\r")
	if r.mode != 0 {
		return r.expected(line)
	}
	text := strings.TrimSpace(line)
	if text == "----" && !r.Plain && !r.split.Quoted() { // a statement ends here, with a semicolon or without one
		out := r.last(r.line - 1)
		r.mode, r.started, r.expect = 'e', r.line, nil
		return out
	}
	if len(r.classic) > 0 {
		return r.classicLine(line)
	}
	if !r.split.Pending() {
		word, _, _ := strings.Cut(text, " ")
		switch {
		case strings.HasPrefix(text, ":"):
			if l := strings.Fields(text); len(l) == 2 && l[0] == ":language" && (l[1] == "cli" || l[1] == "cql") {
				r.Classic = l[1] == "cli"
			}
			if r.Classic {
				text = withClassicBody(text)
			}
			return []Item{{Lab, text, r.line, r.line}}
		case r.Classic:
			return r.classicLine(line)
		case copyStdin.MatchString(text):
			r.mode, r.started, r.expect = 'c', r.line, []string{strings.TrimSpace(strings.TrimRight(text, "; \t"))}
			return nil
		case text != "" && ShellWord(word):
			return []Item{{Shell, strings.TrimSpace(strings.TrimRight(text, "; \t")), r.line, r.line}}
		}
		r.split = cql.Splitter{}
		r.base = r.line - 1
	}
	r.split.Feed(line + "\n")
	return r.statements()
}

func (r *Reader) statements() []Item {
	var out []Item
	for {
		p, ok := r.split.Next()
		if !ok {
			return out
		}
		out = append(out, Item{Statement, p.Text, r.base + p.Pos.Line, r.line})
	}
}

// ClassicCommand runs one statement of the classic language.
const ClassicCommand = ":cli "

// classicBody is a command that runs a statement, up to that statement.
var classicBody = regexp.MustCompile(`^:(?:at\s+\+\S+|for(?:\s+[a-z]\w*=\d+\.\.\d+)+)\s+`)

// withClassicBody marks the statement that a command runs as one of the classic
// language.
func withClassicBody(text string) string {
	head := classicBody.FindString(text)
	if head == "" || strings.HasPrefix(text[len(head):], ":") {
		return text
	}
	return head + ClassicCommand + text[len(head):]
}

// classicLine takes a line in the classic language: a statement ends with a line
// that ends with a semicolon, and becomes one line. Lines that are comments are
// left out. Source: Cassandra 2.1 CliMain.main.
func (r *Reader) classicLine(line string) []Item {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "--") {
		return nil
	}
	if len(r.classic) == 0 {
		r.started = r.line
	}
	r.classic = append(r.classic, line)
	if strings.HasSuffix(line, ";") || line == "?" {
		return r.closeClassic()
	}
	return nil
}

func (r *Reader) closeClassic() []Item {
	text := strings.Join(r.classic, " ")
	r.classic = nil
	return []Item{{Lab, ClassicCommand + text, r.started, r.line}}
}

// last gives a statement that ends without a semicolon, in that line.
func (r *Reader) last(line int) []Item {
	if len(r.classic) > 0 {
		out := r.closeClassic()
		out[0].End = line
		return out
	}
	out := r.statements()
	if p, ok := r.split.Flush(); ok {
		out = append(out, Item{Statement, p.Text, r.base + p.Pos.Line, line})
	}
	return out
}

// copyStdin is a command whose rows follow it, up to a line that is . or \.
var copyStdin = regexp.MustCompile(`(?i)^copy\s+("[^"]*"|[^'"])*\sfrom\s+stdin\b`)

// expected takes a line of expected output, or of rows.
func (r *Reader) expected(line string) []Item {
	text := strings.TrimRight(line, " \t")
	switch {
	case r.mode == 'c' && (line == "." || line == `\.`):
		return r.closeExpect()
	case r.mode == 'c':
		r.expect = append(r.expect, line)
		return nil
	case r.mode == 'e' && len(r.expect) == 0 && text == "----":
		r.mode = 'E'
		return nil
	case r.mode == 'e' && text == "":
		return r.closeExpect()
	case r.mode == 'E' && text == "----" && len(r.expect) > 0 && r.expect[len(r.expect)-1] == "----":
		r.expect = r.expect[:len(r.expect)-1]
		return r.closeExpect()
	}
	r.expect = append(r.expect, text)
	return nil
}

func (r *Reader) closeExpect() []Item {
	it := Item{Expect, strings.Join(r.expect, "\n"), r.started, r.line}
	if r.mode == 'c' {
		it.Kind = Shell
	}
	r.mode, r.expect = 0, nil
	return []Item{it}
}

// Close gives what is left at the end of the text: a last statement needs no
// semicolon.
func (r *Reader) Close() []Item {
	if r.mode != 0 {
		return r.closeExpect()
	}
	return r.last(r.line)
}

// Pending says whether a statement has begun that is not complete yet.
func (r *Reader) Pending() bool { return r.mode != 0 || r.split.Pending() || len(r.classic) > 0 }

// Cut cuts a whole text of CQL.
func Cut(text string) []Item {
	var r Reader
	return r.Cut(text)
}

// Cut cuts a whole text.
func (r *Reader) Cut(text string) []Item {
	var out []Item
	for len(text) > 0 {
		line, rest, found := strings.Cut(text, "\n")
		out = append(out, r.Line(line)...)
		if !found {
			break
		}
		text = rest
	}
	return append(out, r.Close()...)
}
