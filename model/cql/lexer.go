package cql

import "unicode/utf8"

// lexer reads tokens from left to right. It follows the predictions of ANTLR's
// lexer, not the longest match: a prefix that only one rule can continue is
// committed to that rule, and what breaks it is an error there ("1f)" is a
// broken UUID, "-i " a broken -Infinity).
// Source: Cassandra 5.0 Lexer.g.
type lexer struct {
	src  string
	off  int  // next byte
	line int  // of off, from 1
	base int  // col of an offset o on this line is o - base
	keep bool // yield spaces, comments and error tokens
	err  *SyntaxError
}

const (
	cOther uint8 = iota
	cSpace
	cLetter
	cDigit
)

var charClass = func() (t [256]uint8) {
	for _, c := range " \t\n\r" {
		t[c] = cSpace
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = cLetter, cLetter
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = cDigit
	}
	return t
}()

// symbols are the tokens of one character that start no other token.
var symbols = [128]kind{
	'(': tLParen, ')': tRParen, '[': tLBracket, ']': tRBracket, '{': tLBrace, '}': tRBrace,
	',': tComma, ';': tSemi, ':': tColon, '=': tEq, '*': tStar, '%': tPercent, '?': tQMark,
}

// next reads one token. Without keep, spaces and comments are skipped, and the
// first error ends the text: err is set and the token is a tError.
func (l *lexer) next() token {
	for {
		if l.off >= len(l.src) {
			return token{kind: tEOF, start: int32(len(l.src)), end: int32(len(l.src)), line: 0, col: -1}
		}
		t := token{start: int32(l.off), line: int32(l.line), col: int32(l.off - l.base)}
		l.scan(&t)
		t.end = int32(l.off)
		if l.keep || t.kind != tSpace && t.kind != tComment {
			return t
		}
	}
}

func (l *lexer) scan(t *token) {
	src, i := l.src, l.off
	c := src[i]
	switch charClass[c] {
	case cSpace:
		for ; i < len(src) && charClass[src[i]] == cSpace; i++ {
			if src[i] == '\n' {
				l.line, l.base = l.line+1, i+1
			}
		}
		l.off, t.kind = i, tSpace
		return
	case cLetter:
		l.word(t)
		return
	case cDigit:
		l.number(t, i)
		return
	}
	if c < utf8.RuneSelf {
		if k := symbols[c]; k != tEOF {
			l.off, t.kind = i+1, k
			return
		}
	}
	l.mark(t, c)
}

// mark reads the tokens that begin with a mark and may have several characters.
func (l *lexer) mark(t *token, c byte) {
	switch i := l.off; c {
	case '\'':
		l.quoted(t, tString, '\'')
	case '"':
		l.quoted(t, tQuoted, '"')
	case '$':
		l.dollars(t)
	case '-':
		l.minus(t)
	case '/':
		switch l.at(i + 1) {
		case '/':
			l.lineComment(t)
		case '*':
			l.blockComment(t)
		default:
			l.off, t.kind = i+1, tSlash
		}
	case '.':
		l.pair(t, '.', tDot, tRange)
	case '<':
		l.pair(t, '=', tLT, tLTE)
	case '>':
		l.pair(t, '=', tGT, tGTE)
	case '+':
		l.pair(t, '=', tPlus, tPlusEq)
	case '!':
		if l.at(i+1) != '=' {
			l.fail(t, i+1, "mismatched character ", "'='")
			return
		}
		l.off, t.kind = i+2, tNeq
	default:
		l.fail(t, i, "no viable alternative at character ", "")
	}
}

// pair reads one character, or two where the second is second.
func (l *lexer) pair(t *token, second byte, one, two kind) {
	if l.off++; l.off < len(l.src) && l.src[l.off] == second {
		l.off, t.kind = l.off+1, two
		return
	}
	t.kind = one
}

// minus reads everything that begins with a minus sign.
func (l *lexer) minus(t *token) {
	switch c := l.at(l.off + 1); {
	case c == '-':
		l.lineComment(t)
	case c == '=':
		l.off, t.kind = l.off+2, tMinusEq
	case charClass[c] == cDigit:
		l.number(t, l.off+1)
	case c == 'P':
		l.isoDuration(t, l.off+1)
	case c == 'n' || c == 'N':
		l.signed(t, "NAN", tNegNaN)
	case c == 'i' || c == 'I':
		l.signed(t, "INFINITY", tNegInfinity)
	default:
		l.off, t.kind = l.off+1, tMinus
	}
}

// signed reads a minus sign and the word that the next letter commits to.
func (l *lexer) signed(t *token, word string, k kind) {
	for j := range len(word) {
		i := l.off + 1 + j
		if c := l.at(i); i >= len(l.src) || c|0x20 != word[j]|0x20 {
			l.fail(t, i, "mismatched character ", "set null")
			return
		}
	}
	l.off, t.kind = l.off+1+len(word), k
}

// at is the byte at i, 0 at and behind the end.
func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// word reads an identifier, a keyword, or the literals that begin with a letter.
func (l *lexer) word(t *token) {
	src, i, h := l.src, l.off, uint32(0)
	upper := false
	for ; i < len(src); i++ {
		c := src[i]
		switch charClass[c] {
		case cLetter:
			upper = upper || c < 'a'
		case cDigit:
		default:
			if c != '_' {
				goto end
			}
		}
		h = hashStep(h, c|0x20)
	}
end:
	n := i - l.off
	if n == 8 && l.at(i) == '-' && allHex(src[l.off:i]) {
		l.uuid(t)
		return
	}
	if src[l.off] == 'P' && (charClass[l.at(l.off+1)] == cDigit || l.at(l.off+1) == 'T') && l.period(t, i) {
		return
	}
	if n == 4 && src[l.off:i] == "expr" && l.at(i) == '(' {
		l.off, t.kind = i+1, tExpr
		return
	}
	t.kind, t.upper = keywordKind(src[l.off:i], h), upper
	l.off = i
}
