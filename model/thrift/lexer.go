package thrift

import (
	"strings"
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
	case letter(c) || digit(c):
		l.word()
	case (c == '>' || c == '<') && l.at(1) == '=':
		l.add(tokMark, string(c)+"=", 2)
	case c < utf8.RuneSelf && c > 0 && strings.ContainsRune(marks, c):
		l.add(tokMark, string(c), 1)
	default:
		return l.unexpected()
	}
	return nil
}

// word takes a name, a keyword or a number.
func (l *lexer) word() {
	n := 0
	for inWord(l.at(n)) {
		n++
	}
	if d := l.digits(0); d == n {
		l.number(n)
		return
	}
	text := strings.ToUpper(string(l.text[l.pos : l.pos+n]))
	if second, two := map[string]string{"CLUSTER": " NAME", "API": " VERSION"}[text]; two && l.pos+n+len(second) <= len(l.text) &&
		strings.EqualFold(string(l.text[l.pos+n:l.pos+n+len(second)]), second) && !inWord(l.at(n+len(second))) {
		text += second
		n += len(second)
	}
	if name, is := keywords[text]; is {
		l.add(tokWord, name, n)
		return
	}
	l.add(tokIdentifier, "Identifier", n)
}

// number takes digits, which may go on as a double or as an address.
func (l *lexer) number(n int) {
	ends := [4]int{n}
	parts := 1
	for parts < 4 {
		at := ends[parts-1]
		d := l.digits(at + 1)
		if l.at(at) != '.' || d == 0 {
			break
		}
		ends[parts] = at + 1 + d
		parts++
	}
	switch parts {
	case 4:
		l.add(tokAddress, "IP_ADDRESS", ends[3])
	case 1:
		l.add(tokPositive, "IntegerPositiveLiteral", n)
	default:
		l.add(tokDouble, "DoubleLiteral", ends[1])
	}
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
			l.pos++
			if err := l.escape(); err != nil {
				return err
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

// escape takes what follows a backslash, up to its last character.
func (l *lexer) escape() *SyntaxError {
	hex := 0
	switch c := l.at(0); {
	case c < 0 || c >= '1' && c <= '9':
		return l.unexpected()
	case c == 'x':
		hex = 2
	case c == 'u':
		hex = 4
	}
	for range hex {
		l.pos++
		if c := l.at(0); !(digit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			got := "<EOF>"
			if c >= 0 {
				got = string(c)
			}
			return l.mismatch(got, "set null")
		}
	}
	return nil
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
