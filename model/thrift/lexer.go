package thrift

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts a statement into tokens; blanks and comments are left out.
type lexer struct {
	text []rune
	pos  int
	line int // where the current line begins
	out  []token
}

// lex is all tokens of a statement, the last of which is tokEOF, or tokBad where
// characters begin no token: its refusal waits until the parser comes there.
// Source: Cassandra 2.1 Cli.g, the lexer rules.
func lex(statement string) []token {
	l := &lexer{text: []rune(statement)}
	for l.blank() {
		if err := l.next(); err != nil {
			return append(l.out, token{kind: tokBad, bad: err})
		}
	}
	if l.pos < len(l.text) { // an open comment
		return append(l.out, token{kind: tokBad, bad: l.mismatch("<EOF>", "'*'")})
	}
	return append(l.out, token{kind: tokEOF, name: "EOF", at: len(l.text) - l.line})
}

func (l *lexer) at(i int) rune {
	if l.pos+i < len(l.text) {
		return l.text[l.pos+i]
	}
	return -1
}

// blank skips what stands between tokens; false at the end of the text, or at a
// comment without end.
func (l *lexer) blank() bool {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == '\n':
			l.pos++
			l.line = l.pos
		case c == ' ' && l.at(1) == '.':
			return true // a double, which may begin so
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case c == '-' && l.at(1) == '-':
			for l.pos < len(l.text) && l.text[l.pos] != '\n' && l.text[l.pos] != '\r' {
				l.pos++
			}
		case c == '/' && l.at(1) == '*':
			end := strings.Index(string(l.text[l.pos+2:]), "*/")
			if end < 0 {
				return false
			}
			end = l.pos + 4 + utf8.RuneCountInString(string(l.text[l.pos+2:])[:end])
			for ; l.pos < end; l.pos++ {
				if l.text[l.pos] == '\n' {
					l.line = l.pos + 1
				}
			}
		default:
			return true
		}
	}
	return false
}

func letter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c rune) bool  { return c >= '0' && c <= '9' }
func inWord(c rune) bool { return letter(c) || digit(c) || c == '_' || c == '-' }

func (l *lexer) add(k kind, name string, n int) {
	l.out = append(l.out, token{kind: k, name: name, text: string(l.text[l.pos : l.pos+n]), at: l.pos - l.line})
	l.pos += n
}

// digits counts the digits from i on.
func (l *lexer) digits(i int) int {
	n := 0
	for digit(l.at(i + n)) {
		n++
	}
	return n
}

// next takes one token.
func (l *lexer) next() *SyntaxError {
	switch c := l.at(0); {
	case c == '\'':
		return l.quoted()
	case c == '-':
		if n := l.digits(1); n > 0 {
			l.add(tokNegative, "IntegerNegativeLiteral", n+1)
			return nil
		}
		l.pos++
		return l.unexpected()
	case c == ' ':
		return l.point()
	case letter(c) || digit(c):
		return l.word()
	case (c == '>' || c == '<') && l.at(1) == '=':
		l.add(tokMark, string(c)+"=", 2)
	case c < utf8.RuneSelf && c > 0 && strings.ContainsRune(marks, c):
		l.add(tokMark, string(c), 1)
	default:
		return l.unexpected()
	}
	return nil
}

// word takes a name, a keyword or a number. A blank behind cluster and api is
// the first character of what makes two words of them one keyword.
func (l *lexer) word() *SyntaxError {
	n := 0
	for inWord(l.at(n)) {
		n++
	}
	if d := l.digits(0); d == n {
		return l.number(n)
	}
	text := strings.ToUpper(string(l.text[l.pos : l.pos+n]))
	if second, two := map[string]string{"CLUSTER": " NAME", "API": " VERSION"}[text]; two && l.at(n) == ' ' {
		for i, want := range second {
			if unicode.ToUpper(l.at(n+i)) != want {
				l.pos += n + i
				return l.mismatch(l.shown(), "'"+string(want)+"'")
			}
		}
		text += second
		n += len(second)
	}
	if name, is := keywords[text]; is {
		l.add(tokWord, name, n)
		return nil
	}
	l.add(tokIdentifier, "Identifier", n)
	return nil
}

// number takes digits, which may go on as a double, and two numbers as an address.
func (l *lexer) number(n int) *SyntaxError {
	if l.at(n) != '.' {
		l.add(tokPositive, "IntegerPositiveLiteral", n)
		return nil
	}
	end := n + 1 + l.digits(n+1)
	switch {
	case end == n+1:
		l.pos += end
		return l.unexpected()
	case l.at(end) != '.':
		l.add(tokDouble, "DoubleLiteral", end)
		return nil
	}
	for part := 2; part < 4; part++ {
		if l.at(end) != '.' {
			l.pos += end
			return l.mismatch(l.shown(), "'.'")
		}
		d := l.digits(end + 1)
		if end += 1 + d; d == 0 {
			l.pos += end
			return l.noDigits()
		}
	}
	l.add(tokAddress, "IP_ADDRESS", end)
	return nil
}

// point takes a double that is written as a blank, a point and digits.
func (l *lexer) point() *SyntaxError {
	n := l.digits(2)
	if n == 0 {
		l.pos += 2
		return l.noDigits()
	}
	l.add(tokDouble, "DoubleLiteral", 2+n)
	return nil
}

// shown is the character at hand as messages show it: the lexer sees capitals.
func (l *lexer) shown() string {
	if c := l.at(0); c >= 0 {
		return string(unicode.ToUpper(c))
	}
	return "<EOF>"
}

// noDigits refuses what stands where digits must.
func (l *lexer) noDigits() *SyntaxError {
	return &SyntaxError{l.pos - l.line, "required (...)+ loop did not match anything at character '" + l.shown() + "'"}
}

// quoted takes a string with its quotes.
func (l *lexer) quoted() *SyntaxError {
	start := l.pos
	for l.pos++; ; l.pos++ {
		switch c := l.at(0); {
		case c < 0:
			return l.mismatch("<EOF>", "'''")
		case c == '\'':
			n := l.pos + 1 - start
			l.pos = start
			l.add(tokString, "StringLiteral", n)
			l.newlines(start)
			return nil
		case c == '\\':
			l.pos++ // x and u need no digits: the lexer sees them as capitals
			if c := l.at(0); c < 0 || c >= '1' && c <= '9' {
				return l.unexpected()
			}
		}
	}
}

// newlines moves the line on past line breaks in what was taken.
func (l *lexer) newlines(from int) {
	for i := from; i < l.pos; i++ {
		if l.text[i] == '\n' {
			l.line = i + 1
		}
	}
}

// unexpected refuses the character at hand. The character that is named is the
// one of that place in the whole statement, whatever the line.
func (l *lexer) unexpected() *SyntaxError {
	at := l.pos - l.line
	c := ""
	if at < len(l.text) {
		c = string(l.text[at])
	}
	return &SyntaxError{at, `unexpected "` + c + "\" for `" + string(l.text) + "`."}
}

func (l *lexer) mismatch(got, want string) *SyntaxError {
	at := l.pos
	if got == "<EOF>" {
		at = len(l.text)
	}
	return &SyntaxError{at - l.line, "mismatched character '" + got + "' expecting " + want}
}
