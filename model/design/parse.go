package design

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/model/types"
)

// parser reads the lines of a design. Entities may stand behind the questions
// that need them.
type parser struct {
	d *Design
}

// line is a line of the text without what numbers or ends it.
type line struct {
	text string
	n    int // from 1
	at   int // column of its first byte, from 1
}

// mostText bounds what is read, so that a pasted file is no work.
const mostText = 64 << 10

func (p *parser) fail(l line, at int, format string, args ...any) {
	p.d.Problems = append(p.d.Problems, Problem{l.n, l.at + at, fmt.Sprintf(format, args...)})
}

// lines cuts a text at line ends and semicolons and leaves out remarks, bullets
// and numbers.
func lines(text string) []line {
	var out []line
	for n, whole := range strings.Split(text, "\n") {
		at := 1
		for part := range strings.SplitSeq(whole, ";") {
			l := line{part, n + 1, at}
			at += len(part) + 1
			l.skip(len(l.text) - len(strings.TrimLeft(l.text, " \t\r-*•?")))
			for i := 0; i < len(l.text); i++ { // "1." and "Q1:"
				if c := l.text[i]; c >= '0' && c <= '9' || i == 0 && (c == 'Q' || c == 'q') {
					continue
				} else if i > 0 && (c == '.' || c == ')' || c == ':') {
					l.skip(i + 1)
				}
				break
			}
			l.skip(len(l.text) - len(strings.TrimLeft(l.text, " \t")))
			l.text = strings.TrimRight(l.text, " \t\r.?!")
			if l.text != "" && l.text[0] != '#' && !strings.HasPrefix(l.text, "//") {
				out = append(out, l)
			}
		}
	}
	return out
}

func (l *line) skip(n int) { l.text, l.at = l.text[n:], l.at+n }

func (p *parser) read(text string) {
	if len(text) > mostText {
		p.fail(line{n: 1, at: 1}, 0, "a design is at most %d bytes long, this is %d", mostText, len(text))
		return
	}
	var asked []line
	for _, l := range lines(text) {
		name, rest, ok := strings.Cut(l.text, ":")
		switch lower := strings.ToLower(strings.TrimSpace(l.text)); {
		case lower == "entities" || lower == "entities:" || lower == "queries" || lower == "queries:" || lower == "questions" || lower == "questions:":
		case ok && !strings.ContainsAny(strings.TrimSpace(name), " \t"):
			p.entity(l, strings.TrimSpace(name), rest, len(name)+1)
		default:
			asked = append(asked, l)
		}
	}
	for _, l := range asked {
		p.query(l)
	}
	if len(p.d.Entities) == 0 && len(asked) > 0 {
		p.d.Problems = nil
		p.fail(asked[0], 0, "first say what there is, as in `book: isbn text key, title text`")
	}
}

// entity reads `book: isbn text key, title text(30), unique (title, author)`.
func (p *parser) entity(l line, name, rest string, at int) {
	name = strings.ToLower(name)
	if !isName(name) {
		p.fail(l, 0, "%q is no name for an entity: letters, digits and _, a letter first", name)
		return
	}
	if other := p.d.entity(name); other != nil && other.Name == name {
		p.fail(l, 0, "%s stands in line %d already", name, other.Line)
		return
	}
	e := &Entity{Name: name, Line: l.n}
	var marked []string
	type pending struct {
		words []string
		at    int
	}
	var uniques []pending
	for _, part := range splitTop(rest) {
		from := at + part.at
		text := strings.TrimSpace(part.text)
		lower := strings.ToLower(text)
		if set, ok := strings.CutPrefix(lower, "unique"); ok && strings.HasPrefix(strings.TrimSpace(set), "(") {
			uniques = append(uniques, pending{strings.FieldsFunc(set, func(r rune) bool { return strings.ContainsRune("(), \t", r) }), from})
			continue
		}
		if text == "" {
			continue
		}
		a, key, unique, err := parseAttribute(text)
		switch {
		case err != nil:
			p.fail(l, from, "%s", err)
			continue
		case e.attribute(a.Name) != nil && e.attribute(a.Name).Name == a.Name:
			p.fail(l, from, "%s has %s twice", name, a.Name)
			continue
		}
		a.Entity = e
		e.Attributes = append(e.Attributes, a)
		if key {
			marked = append(marked, a.Name)
		}
		if unique {
			uniques = append(uniques, pending{[]string{a.Name}, from})
		}
	}
	if len(marked) > 0 {
		e.Keys = append(e.Keys, marked)
	}
	for _, u := range uniques {
		for i, w := range u.words {
			if a := e.attribute(w); a != nil {
				u.words[i] = a.Name
				continue
			}
			p.fail(l, u.at, "%s has no attribute %s that could be unique", name, w)
			u.words = nil
			break
		}
		if len(u.words) > 0 {
			e.Keys = append(e.Keys, u.words)
		}
	}
	if len(e.Attributes) == 0 {
		p.fail(l, at, "%s has no attributes: write `%s: id uuid key, name text`", name, name)
		return
	}
	p.d.Entities = append(p.d.Entities, e)
}

// parseAttribute reads `*isbn text(13) key`: the type is text unless it is
// given, the number is the size of an average value.
func parseAttribute(text string) (a *Attribute, key, unique bool, err error) {
	if rest, ok := strings.CutPrefix(text, "*"); ok {
		key, text = true, rest
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, false, false, fmt.Errorf("an attribute has a name and a type, as in `title text`")
	}
	for len(words) > 1 {
		last := strings.ToLower(words[len(words)-1])
		if last == "key" {
			key = true
		} else if last == "unique" {
			unique = true
		} else {
			break
		}
		words = words[:len(words)-1]
	}
	name := strings.ToLower(strings.TrimSuffix(words[0], "*"))
	key = key || strings.HasSuffix(words[0], "*")
	if !isName(name) {
		return nil, false, false, fmt.Errorf("%q is no name for an attribute: letters, digits and _, a letter first", words[0])
	}
	a = &Attribute{Name: name, Type: types.Text}
	written := strings.Join(words[1:], " ")
	size := 0
	if i := strings.IndexByte(written, '('); i > 0 && strings.HasSuffix(written, ")") {
		size, err = strconv.Atoi(strings.TrimSuffix(written[i+1:], ")"))
		if err != nil || size < 1 || size > 1<<30 {
			return nil, false, false, fmt.Errorf("the size of an average value stands in bytes behind the type, as in %s text(30)", name)
		}
		written = strings.TrimSpace(written[:i])
	}
	if written != "" {
		if a.Type, err = types.Parse(written, nil); err != nil {
			return nil, false, false, fmt.Errorf("%s: there is no type %s; text, int, uuid, timestamp are some", name, written)
		}
	}
	if a.Bytes = size; size == 0 {
		a.Bytes = average(a.Type)
	}
	return a, key, unique, nil
}

// average is the size of a value of a type: that of fixed types, and a guess
// of the others, which a design can replace.
func average(t *types.Type) int {
	switch t.Kind {
	case types.KindBoolean, types.KindTinyInt:
		return 1
	case types.KindSmallInt:
		return 2
	case types.KindInt, types.KindFloat, types.KindDate, types.KindInet:
		return 4
	case types.KindUUID, types.KindTimeUUID:
		return 16
	case types.KindText, types.KindAscii:
		return 20
	case types.KindBlob, types.KindList, types.KindSet, types.KindMap, types.KindTuple, types.KindVector:
		return 100
	}
	return 8
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '_')) {
			return false
		}
	}
	return s != "" && len(s) <= 48
}

// piece is a part of a text, and where it begins.
type piece struct {
	text string
	at   int
}

// splitTop cuts at commas outside of brackets.
func splitTop(s string) []piece {
	var out []piece
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			part := s[from:i]
			out = append(out, piece{part, from + len(part) - len(strings.TrimLeft(part, " \t"))})
			from = i + 1
		case strings.IndexByte("(<", s[i]) >= 0:
			depth++
		case strings.IndexByte(")>", s[i]) >= 0 && depth > 0:
			depth--
		}
	}
	return out
}
