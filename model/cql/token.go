package cql

import "strings"

// kind is a token type of the grammar; the keywords follow in keyword_table.go.
type kind uint8

const (
	tEOF kind = iota
	tError
	tSpace
	tComment
	tString
	tQuoted
	tEmptyQuoted
	tIdent
	tInteger
	tFloat
	tBoolean
	tDuration
	tHex
	tUUID
	tNaN // K_POSITIVE_NAN, K_NEGATIVE_NAN
	tNegNaN
	tInfinity
	tNegInfinity
	tQMark
	tRange
	tExpr // expr( written together
	tLParen
	tRParen
	tLBracket
	tRBracket
	tLBrace
	tRBrace
	tComma
	tSemi
	tColon
	tDot
	tEq
	tNeq
	tLT
	tLTE
	tGT
	tGTE
	tPlus
	tMinus
	tPlusEq
	tMinusEq
	tStar
	tSlash
	tPercent
	firstKeyword
)

var kindNames = [...]string{
	tEOF: "EOF", tString: "STRING_LITERAL", tQuoted: "QUOTED_NAME", tEmptyQuoted: "EMPTY_QUOTED_NAME",
	tIdent: "IDENT", tInteger: "INTEGER", tFloat: "FLOAT", tBoolean: "BOOLEAN", tDuration: "DURATION",
	tHex: "HEXNUMBER", tUUID: "UUID", tQMark: "QMARK", tRange: "RANGE", tExpr: "'expr('",
	tLParen: "'('", tRParen: "')'", tLBracket: "'['", tRBracket: "']'", tLBrace: "'{'", tRBrace: "'}'",
	tComma: "','", tSemi: "';'", tColon: "':'", tDot: "'.'", tEq: "'='", tNeq: "'!='", tLT: "'<'",
	tLTE: "'<='", tGT: "'>'", tGTE: "'>='", tPlus: "'+'", tMinus: "'-'", tPlusEq: "'+='",
	tMinusEq: "'-='", tStar: "'*'", tSlash: "'/'", tPercent: "'%'",
}

// String is the token type's name in ANTLR's messages.
func (k kind) String() string {
	if k >= firstKeyword {
		return "K_" + keywordNames[k-firstKeyword]
	}
	return kindNames[k]
}

// token is one lexeme: src[start:end] at line (from 1) and col (from 0).
type token struct {
	start, end int32
	line, col  int32
	kind       kind
	upper      bool // an identifier or keyword with capital letters, or a string with doubled quotes
}

// TokenKind is the class of a token, as a highlighter needs it.
type TokenKind uint8

const (
	ErrorToken TokenKind = iota // text that no token can hold
	SpaceToken
	CommentToken
	KeywordToken // reserved or not
	IdentToken
	QuotedToken // "name"
	StringToken // 'text' or $$text$$
	NumberToken // integer or float, NaN, Infinity
	LiteralToken
	MarkerToken // ?
	SymbolToken
)

// Token is one piece of source text. The tokens of a text are its exact
// partition: nothing is left out.
type Token struct {
	Kind TokenKind
	Text string // as written
	Pos  Pos
}

// Tokens splits a text into tokens, with spaces and comments. It never fails:
// what the lexer refuses becomes an ErrorToken, and reading goes on behind it.
// Source: Cassandra 5.0 Lexer.g.
func Tokens(src string) []Token {
	var out []Token
	l := lexer{src: src, line: 1, keep: true}
	for {
		t := l.next()
		if t.kind == tEOF {
			return out
		}
		out = append(out, Token{
			Kind: t.kind.class(),
			Text: src[t.start:t.end],
			Pos:  Pos{Line: int(t.line), Col: int(t.col), Offset: int(t.start)},
		})
	}
}

func (k kind) class() TokenKind {
	switch {
	case k >= firstKeyword:
		return KeywordToken
	case k >= tRange:
		return SymbolToken
	case k >= tNaN && k <= tNegInfinity:
		return NumberToken
	}
	switch k {
	case tError:
		return ErrorToken
	case tSpace:
		return SpaceToken
	case tComment:
		return CommentToken
	case tString:
		return StringToken
	case tQuoted, tEmptyQuoted:
		return QuotedToken
	case tIdent:
		return IdentToken
	case tInteger, tFloat:
		return NumberToken
	case tQMark:
		return MarkerToken
	}
	return LiteralToken
}

// text is the token's text as the grammar's actions see it: strings and quoted
// names without their quotes.
func (t token) text(src string) string {
	s := src[t.start:t.end]
	switch t.kind {
	case tString:
		if s[0] == '$' {
			return s[2 : len(s)-2]
		}
		if s = s[1 : len(s)-1]; t.upper {
			return strings.ReplaceAll(s, "''", "'")
		}
		return s
	case tQuoted:
		if s = s[1 : len(s)-1]; t.upper {
			return strings.ReplaceAll(s, `""`, `"`)
		}
		return s
	case tEOF:
		return "<EOF>"
	}
	return s
}
