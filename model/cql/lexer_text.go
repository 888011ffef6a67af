package cql

import (
	"strings"
	"unicode/utf8"
)

// Source: Cassandra 5.0 Lexer.g rules STRING_LITERAL, QUOTED_NAME,
// EMPTY_QUOTED_NAME, COMMENT, MULTILINE_COMMENT.

// advance moves over src[l.off:to], which may hold line ends and characters of
// several bytes, and keeps line and column right.
func (l *lexer) advance(to int) {
	for i := l.off; i < to; {
		c := l.src[i]
		if c < utf8.RuneSelf {
			if i++; c == '\n' {
				l.line, l.base = l.line+1, i
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(l.src[i:])
		i += n
		l.base += n - 1
		if r > 0xFFFF {
			l.base--
		}
	}
	l.off = to
}

// quoted reads text up to the next single quote; two of them stand for one.
func (l *lexer) quoted(t *token, k kind, quote byte) {
	src, i := l.src, l.off+1
	for { // i is behind a quote that opens, or behind a doubled one
		n := strings.IndexByte(src[i:], quote)
		if n < 0 {
			l.advance(len(src))
			l.fail(t, len(src), "mismatched character ", "'"+string(quote)+"'")
			return
		}
		i += n + 1
		if l.at(i) != quote {
			break
		}
		i++
		t.upper = true
	}
	if quote == '"' && i == l.off+2 {
		k = tEmptyQuoted
	}
	t.kind = k
	l.advance(i)
}

// dollars reads a string between two pairs of dollar signs, without escapes.
func (l *lexer) dollars(t *token) {
	if l.at(l.off+1) != '$' {
		l.fail(t, l.off+1, "mismatched character ", "'$'")
		return
	}
	n := strings.Index(l.src[l.off+2:], "$$")
	if n < 0 {
		l.advance(len(l.src))
		l.fail(t, len(l.src), "mismatched character ", "'$'")
		return
	}
	t.kind = tString
	l.advance(l.off + 2 + n + 2)
}

// lineComment reads up to the end of the line, which must come.
func (l *lexer) lineComment(t *token) {
	n := strings.IndexAny(l.src[l.off:], "\n\r")
	if n < 0 {
		l.advance(len(l.src))
		l.fail(t, len(l.src), "mismatched character ", "set null")
		return
	}
	t.kind = tComment
	l.advance(l.off + n + 1)
}

func (l *lexer) blockComment(t *token) {
	n := strings.Index(l.src[l.off+2:], "*/")
	if n < 0 {
		l.advance(len(l.src))
		l.fail(t, len(l.src), "mismatched character ", "'*'")
		return
	}
	t.kind = tComment
	l.advance(l.off + 2 + n + 2)
}

// fail makes t the error token and records the first error, which stands at the
// byte at. Reading goes on there, at least one character further.
// Source: ANTLR 3.5 Lexer.getErrorMessage, getCharErrorDisplay.
func (l *lexer) fail(t *token, at int, what, expecting string) {
	t.kind = tError
	shown, size := "<EOF>", 0
	if at < len(l.src) {
		_, size = utf8.DecodeRuneInString(l.src[at:])
		shown = showEscaped(l.src[at : at+size])
	}
	if l.err == nil {
		msg := what + "'" + shown + "'"
		if expecting != "" {
			msg += " expecting " + expecting
		}
		pos := Pos{Line: l.line, Col: at - l.base, Offset: at}
		l.err = &SyntaxError{Pos: pos, Near: shown, Message: positioned(pos.Line, pos.Col, msg)}
	}
	if at == int(t.start) {
		at += size
	}
	l.advance(max(at, l.off))
}
