package java

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokKeyword
	tokInt
	tokLong
	tokFloat
	tokDouble
	tokChar
	tokString
	tokOperator
)

// token is one word of the source. text is as written; value is that of a string
// or character literal.
type token struct {
	kind  tokenKind
	text  string
	value string
	line  int
	off   int
}

var keywords = map[string]bool{}

func init() {
	for _, k := range strings.Fields(`abstract assert boolean break byte case catch char class const continue default do double else enum extends
		final finally float for goto if implements import instanceof int interface long native new package private protected public return short
		static strictfp super switch synchronized this throw throws transient try void volatile while true false null`) {
		keywords[k] = true
	}
}

// operators, longest first.
var operators = strings.Fields(`>>>= <<= >>= >>> ... -> :: ++ -- && || == != <= >= += -= *= /= &= |= ^= %= << >>
	( ) { } [ ] ; , . @ = > < ! ~ ? : + - * / & | ^ %`)

// scan splits a body into tokens; the last one is tokEnd.
func scan(src string) ([]token, error) {
	s := &scanner{src: src, line: 1}
	var out []token
	for {
		if err := s.blank(); err != nil {
			return nil, err
		}
		t, err := s.next()
		if err != nil {
			return nil, err
		}
		// Shifts to the right are put together by the parser, since > also closes type arguments.
		out = append(out, t)
		if t.kind == tokEnd {
			return out, nil
		}
	}
}

type scanner struct {
	src  string
	off  int
	line int
}

func (s *scanner) fail(text string) error { return &CompileError{lines: []note{{s.line, text}}} }

// blank skips white space and comments.
func (s *scanner) blank() error {
	for s.off < len(s.src) {
		rest := s.src[s.off:]
		switch {
		case rest[0] == '\n':
			s.line++
			s.off++
		case strings.IndexByte(" \t\r\f", rest[0]) >= 0:
			s.off++
		case strings.HasPrefix(rest, "//"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				s.off += i
			} else {
				s.off = len(s.src)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return s.fail("Unexpected end of comment")
			}
			s.line += strings.Count(rest[:i+4], "\n")
			s.off += i + 4
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) next() (token, error) {
	t := token{line: s.line, off: s.off}
	if s.off >= len(s.src) {
		t.text = "}"
		return t, nil
	}
	rest := s.src[s.off:]
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == '_' || r == '$' || unicode.IsLetter(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(rest)
		}
		t.kind, t.text = tokName, rest[:n]
		if keywords[t.text] {
			t.kind = tokKeyword
		}
	case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		t.text = number(rest)
		t.kind = numberKind(t.text)
	case r == '"' || r == '\'':
		return s.quoted(t, rest)
	default:
		for _, o := range operators {
			if strings.HasPrefix(rest, o) {
				if o[0] == '>' && len(o) > 1 && o != ">=" { // one at a time
					o = ">"
				}
				t.kind, t.text = tokOperator, o
				break
			}
		}
		if t.kind != tokOperator {
			return t, s.fail("Syntax error on token \"" + strconv.QuoteRune(r) + "\", delete this token")
		}
	}
	s.off += len(t.text)
	return t, nil
}

// number is the longest numeric literal at the start of a text.
func number(s string) string {
	i, hex := 0, len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
	if hex {
		i = 2
	}
	for i < len(s) {
		c := s[i] | 0x20
		switch {
		case s[i] >= '0' && s[i] <= '9' || s[i] == '_' || hex && c >= 'a' && c <= 'f' || c == 'l':
		case !hex && (c == 'f' || c == 'd' || c == 'e' || c == 'b'):
		case !hex && s[i] == '.' && !strings.Contains(s[:i], ".") && !(i+1 < len(s) && unicode.IsLetter(rune(s[i+1])) && strings.IndexByte("eEfFdD", s[i+1]) < 0):
		case !hex && (s[i] == '+' || s[i] == '-') && (s[i-1]|0x20) == 'e' && !strings.HasPrefix(strings.ToLower(s), "0b"):
		default:
			return s[:i]
		}
		i++
	}
	return s
}

func numberKind(s string) tokenKind {
	l := strings.ToLower(s)
	switch {
	case strings.HasSuffix(l, "l"):
		return tokLong
	case strings.HasPrefix(l, "0x") || strings.HasPrefix(l, "0b"):
		return tokInt
	case strings.HasSuffix(l, "f"):
		return tokFloat
	case strings.ContainsAny(l, ".ed"):
		return tokDouble
	}
	return tokInt
}

// quoted reads a string or character literal.
func (s *scanner) quoted(t token, rest string) (token, error) {
	quote := rest[0]
	t.kind = tokString
	bad := "String literal is not properly closed by a double-quote"
	if quote == '\'' {
		t.kind, bad = tokChar, "Invalid character constant"
	}
	var units []uint16
	for i := 1; i < len(rest); {
		switch c := rest[i]; {
		case c == quote:
			t.text, t.value = rest[:i+1], fromUnits(units)
			if quote == '\'' && len(units) != 1 {
				return t, s.fail(bad)
			}
			s.off += i + 1
			return t, nil
		case c == '\n':
			return t, s.fail(bad)
		case c == '\\':
			u, n := escape(rest[i:])
			if n == 0 {
				return t, s.fail("Invalid escape sequence (valid ones are  \\b  \\t  \\n  \\f  \\r  \\\"  \\'  \\\\ )")
			}
			units = append(units, u)
			i += n
		default:
			r, n := utf8.DecodeRuneInString(rest[i:])
			units = append(units, toUnits(string(r))...)
			i += n
		}
	}
	return t, s.fail(bad)
}

// escape reads one escape sequence and says how long it is, 0 for none.
func escape(s string) (uint16, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte("btnfr\"'\\", s[1]); i >= 0 {
		return uint16("\b\t\n\f\r\"'\\"[i]), 2
	}
	if s[1] == 'u' {
		h := strings.TrimLeft(s[1:], "u")
		skip := len(s) - len(h)
		if len(h) >= 4 {
			if v, err := strconv.ParseUint(h[:4], 16, 16); err == nil {
				return uint16(v), skip + 4
			}
		}
		return 0, 0
	}
	n := 1
	for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	if n == 4 && s[1] > '3' {
		n = 3
	}
	v, err := strconv.ParseUint(s[1:n], 8, 16)
	if err != nil {
		return 0, 0
	}
	return uint16(v), n
}
