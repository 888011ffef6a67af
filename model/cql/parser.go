package cql

import (
	"math"
	"strings"
	"sync"
)

// maxDepth bounds the nesting of terms, types, relations and selectors.
const maxDepth = 500

// parser is a recursive-descent parser over the tokens of one statement. Where
// ANTLR decides by several tokens, the decision refuses the same token.
// Source: Cassandra 5.0 Parser.g, Cql.g.
type parser struct {
	src     string
	toks    []token // without spaces and comments; the last is tEOF or tError
	pos     int
	ahead   int // the last token that ANTLR has read, see fetched
	depth   int
	lexErr  *SyntaxError
	markers []*Marker
	slab    []Constant // constants to come, allocated together
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

const keptTokens = 1 << 14 // a larger token buffer is not kept for the next text

// Parse reads exactly one statement, with any number of semicolons behind it.
// The error is a *SyntaxError. It takes linear time and never panics.
func Parse(src string) (stmt Statement, err error) {
	if len(src) > math.MaxInt32 {
		return nil, &SyntaxError{Pos: Pos{Line: 1}, Message: "Statement is too long"}
	}
	p := parsers.Get().(*parser)
	defer func() {
		if r := recover(); r != nil {
			b, ok := r.(bailout)
			if !ok {
				panic(r)
			}
			stmt, err = nil, b.err
		}
		toks := p.toks[:0]
		if cap(toks) > keptTokens {
			toks = nil
		}
		*p = parser{toks: toks}
		parsers.Put(p)
	}()
	p.tokenize(src)
	stmt = p.statement()
	for p.is(tSemi) {
		p.next()
	}
	p.expect(tEOF)
	return stmt, nil
}

func (p *parser) tokenize(src string) {
	p.src = src
	l := lexer{src: src, line: 1}
	for {
		t := l.next()
		p.toks = append(p.toks, t)
		if t.kind == tEOF || t.kind == tError {
			break
		}
	}
	p.lexErr = l.err
	p.ahead = -1
	p.fetched(0)
}

func (t token) pos() Pos {
	return Pos{Line: int(t.line), Col: int(t.col), Offset: int(t.start)}
}

// kind is the type of the current token; a lexer's error ends the parse here.
func (p *parser) kind() kind { return p.kindAt(0) }

// kindAt is the type of the token k places ahead.
func (p *parser) kindAt(k int) kind {
	i := p.pos + k
	if i >= len(p.toks) {
		return tEOF
	}
	got := p.toks[i].kind
	if got == tError {
		panic(bailout{err: p.lexErr})
	}
	if i > p.ahead {
		p.ahead = i
	}
	return got
}

func (p *parser) is(k kind) bool { return p.kind() == k }

func (p *parser) here() Pos { return p.toks[p.pos].pos() }

// next consumes the current token, which is not the end.
func (p *parser) next() token {
	t := p.toks[p.pos]
	if t.kind != tEOF {
		p.pos++
	}
	return t
}

// accept consumes the current token if it is of type k.
func (p *parser) accept(k kind) bool {
	if p.kind() != k {
		return false
	}
	p.pos++
	return true
}

// expect consumes a token of type k or refuses what stands there.
func (p *parser) expect(k kind) token {
	if p.kind() != k {
		p.mismatch(k.String())
	}
	return p.next()
}

// keywords consumes a fixed sequence of tokens.
func (p *parser) keywords(ks ...kind) {
	for _, k := range ks {
		p.expect(k)
	}
}

// chain bounds the n operators that stand beside each other: they nest to the left.
func (p *parser) chain(n int) {
	if n > maxDepth {
		p.invalid(p.toks[p.pos], "Statement is nested too deeply")
	}
}

// enter counts a level of nesting; the caller leaves it with p.depth--.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.invalid(p.toks[p.pos], "Statement is nested too deeply")
	}
}

// ifNotExists reads IF NOT EXISTS, or nothing.
func (p *parser) ifNotExists() bool {
	if !p.accept(kIf) {
		return false
	}
	p.keywords(kNot, kExists)
	return true
}

// ifExists reads IF EXISTS, or nothing.
func (p *parser) ifExists() bool {
	if !p.accept(kIf) {
		return false
	}
	p.expect(kExists)
	return true
}

// nameOf makes a name of an identifier token.
// Source: Cassandra 5.0 Parser.g rule ident.
func (p *parser) nameOf(t token) Name {
	n := Name{Quoted: t.kind == tQuoted || t.kind == tEmptyQuoted, Pos: t.pos()}
	switch {
	case t.kind == tQuoted:
		n.Text = t.text(p.src)
	case t.kind == tEmptyQuoted:
	case t.upper:
		n.Text = strings.ToLower(p.src[t.start:t.end])
	default:
		n.Text = p.src[t.start:t.end]
	}
	return n
}

// name reads an identifier. Source: Cassandra 5.0 Parser.g rules ident, fident, noncol_ident.
func (p *parser) name() Name {
	if !p.kind().isName() {
		p.noViable(0)
	}
	return p.nameOf(p.next())
}

// columnName reads an identifier or "". Source: Cassandra 5.0 Parser.g rule cident.
func (p *parser) columnName() Name {
	if p.is(tEmptyQuoted) {
		return p.nameOf(p.next())
	}
	return p.name()
}

// names reads identifiers between commas. Source: Cassandra 5.0 Parser.g rule ident.
func (p *parser) names() []Name {
	list := append(make([]Name, 0, 4), p.name())
	for p.accept(tComma) {
		list = append(list, p.name())
	}
	return list
}

// keyspaceName reads a keyspace. Source: Cassandra 5.0 Parser.g rules keyspaceName, ksName.
func (p *parser) keyspaceName() Name {
	if p.is(tQMark) {
		p.invalid(p.toks[p.pos], "Bind variables cannot be used for keyspace names")
	}
	return p.name()
}

// afterTable are the tokens that may follow a table's name, otherwise the name
// itself is refused.
var afterTable = set(tEOF, tSemi, tLParen, kWhere, kGroup, kOrder, kPer, kLimit, kAllow, kPrimary, kJson, kUsing,
	kSet, kAs, kAlter, kAdd, kDrop, kRename, kWith, kTo, kFrom, kOf, kNorecursive)

var (
	afterIndex    = set(tEOF, tSemi)
	afterFunction = set(tEOF, tSemi, tLParen, kWith)
)

// tableName reads [keyspace.]name. Source: Cassandra 5.0 Parser.g rule columnFamilyName.
func (p *parser) tableName() QualifiedName { return p.qualifiedName(&afterTable, "table") }

// indexName reads [keyspace.]name. Source: Cassandra 5.0 Parser.g rule indexName.
func (p *parser) indexName() QualifiedName { return p.qualifiedName(&afterIndex, "index") }

func (p *parser) qualifiedName(after *kindSet, what string) (q QualifiedName) {
	if k := p.kind(); !k.isName() && k != tQMark {
		p.noViable(0)
	}
	k := p.kindAt(1)
	if k == tDot {
		q.Keyspace = p.keyspaceName()
		p.next()
	} else if !after.has(k) {
		p.noViable(1)
	} else {
		p.fetched(2)
	}
	if p.is(tQMark) {
		p.invalid(p.toks[p.pos], "Bind variables cannot be used for "+what+" names")
	}
	q.Name = p.name()
	return q
}

// kindSet is a set of token types.
type kindSet [4]uint64

func set(ks ...kind) (s kindSet) {
	for _, k := range ks {
		s[k/64] |= 1 << (k % 64)
	}
	return s
}

func (s *kindSet) has(k kind) bool { return s[k/64]&(1<<(k%64)) != 0 }
