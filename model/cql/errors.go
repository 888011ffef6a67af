package cql

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// SyntaxError is a refusal by the lexer or the parser, with Cassandra's text.
// Its protocol code is 0x2000.
type SyntaxError struct {
	// Pos is the place of the error; 0 <= Offset <= len(src). At the end of the
	// text the message says "line 0:-1", while Pos is the real end.
	Pos     Pos
	Message string // the full text, e.g. line 1:7 mismatched input '*' expecting K_FROM (DELETE [*]...)
	Near    string // the offending token or character, <EOF> at the end
}

// Error returns Message.
func (e *SyntaxError) Error() string { return e.Message }

// positioned puts ANTLR's header in front of a message.
func positioned(line, col int, msg string) string {
	return "line " + strconv.Itoa(line) + ":" + strconv.Itoa(col) + " " + msg
}

var escapes = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// showEscaped is a token or character as ANTLR displays it, without quotes.
// Source: ANTLR 3.5 BaseRecognizer.getTokenErrorDisplay, Lexer.getCharErrorDisplay.
func showEscaped(s string) string { return escapes.Replace(s) }

// bailout carries a SyntaxError out of the parser; Parse recovers it. A thrown one
// stands for a Java exception, after which Cassandra tries nothing else.
type bailout struct {
	err    *SyntaxError
	thrown bool
}

// noViable refuses the token k places ahead: no alternative can hold it, while
// the parser still stands at the current one.
func (p *parser) noViable(k int) {
	p.refuse(k, "no viable alternative at input ", "")
}

// mismatch refuses the current token where exactly one other could stand.
func (p *parser) mismatch(expecting string) {
	p.refuse(0, "mismatched input ", " expecting "+expecting)
}

func (p *parser) refuse(k int, before, after string) {
	i := min(p.pos+k, len(p.toks)-1)
	p.fetched(i - p.pos)
	t := p.toks[i]
	near := t.text(p.src)
	msg := positioned(int(t.line), int(t.col), before+"'"+showEscaped(near)+"'"+after)
	panic(bailout{err: &SyntaxError{Pos: p.place(t), Near: near, Message: msg + p.excerpt()}})
}

// invalid refuses with a text of its own, as the grammar's actions do. t is the
// token that the error is about; Cassandra's text does not show its place.
func (p *parser) invalid(t token, msg string) {
	panic(bailout{err: &SyntaxError{Pos: p.place(t), Near: t.text(p.src), Message: msg}})
}

// place is a token's position; the end of the text gets its real line.
func (p *parser) place(t token) Pos {
	if t.kind != tEOF {
		return t.pos()
	}
	l := lexer{src: p.src, line: 1}
	l.advance(len(p.src))
	return Pos{Line: l.line, Col: l.off - l.base, Offset: l.off}
}

// fetched notes that ANTLR has read ahead to the token k places from here. A
// lexer's error up to there comes before any error of the parser.
func (p *parser) fetched(k int) {
	i := min(p.pos+k, len(p.toks)-1)
	if i <= p.ahead {
		return
	}
	p.ahead = i
	if p.toks[i].kind == tError {
		panic(bailout{err: p.lexErr})
	}
}

const (
	excerptBefore = 10 // tokens, with spaces and comments
	excerptBehind = 2
)

// excerpt shows the text around the current token, which stands in brackets. It
// ends at most at the last token that ANTLR has read ahead.
// Source: Cassandra 5.0 ErrorCollector.appendQuerySnippet, appendSnippet.
func (p *parser) excerpt() string {
	current, last := p.toks[p.pos], p.toks[min(p.ahead, len(p.toks)-1)]
	var all []token
	at := 0
	for l := (lexer{src: p.src, line: 1, keep: true}); ; {
		t := l.next()
		if t.start == current.start {
			at = len(all)
		}
		all = append(all, t)
		if t.start >= last.start || t.kind == tEOF {
			break
		}
	}
	from := all[max(0, at-excerptBefore)]
	to := all[min(len(all)-1, at+excerptBehind)]
	if from.kind == tEOF || to.kind == tEOF || current.kind == tEOF {
		return ""
	}
	return snippet(p.src, from, to, current)
}

// snippet works in Java characters, as Cassandra does: the end of a token is its
// column plus the length of its text without quotes.
func snippet(src string, from, to, offending token) string {
	text := strings.Split(src, "\n")
	for len(text) > 0 && text[len(text)-1] == "" {
		text = text[:len(text)-1]
	}
	if int(to.line) > len(text) {
		return ""
	}
	lines := make([][]uint16, len(text))
	for i := from.line - 1; i < to.line; i++ {
		lines[i] = utf16.Encode([]rune(text[i]))
	}
	last := len(text) - 1
	end := func(t token) int { return int(t.col) + len(utf16.Encode([]rune(t.text(src)))) }
	insert := func(line []uint16, at int, c byte) []uint16 {
		at = min(at, len(line))
		return append(append(append([]uint16{}, line[:at]...), uint16(c)), line[at:]...)
	}
	fromLine, toLine, hitLine := int(from.line)-1, int(to.line)-1, int(offending.line)-1
	whole := toLine == last && end(to) == len(utf16.Encode([]rune(text[last])))

	if e := end(to); e < len(lines[toLine]) {
		lines[toLine] = lines[toLine][:e]
	}
	hit := insert(lines[hitLine], end(offending), ']')
	lines[hitLine] = insert(hit, int(offending.col), '[')
	lines[fromLine] = lines[fromLine][min(int(from.col), len(lines[fromLine])):]

	var b strings.Builder
	b.WriteString(" (")
	if from.line != 1 || from.col != 0 {
		b.WriteString("...")
	}
	for i := fromLine; i <= toLine; i++ {
		b.WriteString(string(utf16.Decode(lines[i])))
	}
	if !whole {
		b.WriteString("...")
	}
	b.WriteString(")")
	return b.String()
}
