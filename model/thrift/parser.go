package thrift

import "slices"

// parser reads the tokens of one statement. Each failed match is answered as
// ANTLR 3 does: what is behind the token at hand decides whether that token is
// called extraneous, or another one missing.
type parser struct {
	toks []token
	pos  int
}

// Parse reads one statement; its semicolon may be left out. A refusal is a
// *SyntaxError.
// Source: Cassandra 2.1 Cli.g.
func Parse(text string) (st Statement, err error) {
	p := &parser{toks: lex(text)}
	defer func() {
		if r := recover(); r != nil {
			refused, is := r.(*SyntaxError)
			if !is {
				panic(r)
			}
			st, err = nil, refused
		}
	}()
	st = p.statement()
	if p.la(1).is(";") {
		p.pos++
	}
	p.end()
	return st, nil
}

// la is the i-th token from here on, counting from 1.
func (p *parser) la(i int) token {
	t := p.toks[min(p.pos+i-1, len(p.toks)-1)]
	if t.bad != nil {
		panic(t.bad)
	}
	return t
}

func (p *parser) fail(t token, msg string) { panic(&SyntaxError{t.at, msg}) }

// none refuses a token that no alternative begins with.
func (p *parser) none(i int) {
	t := p.la(i)
	p.fail(t, "no viable alternative at input "+t.display())
}

// shown is how messages write what a rule wants.
func shown(name string) string {
	switch name {
	case "[", "]", "{", "}", "(", ")", ":", ",", ".", "/", "=":
		return "'" + name + "'"
	}
	return name
}

// match takes a token that must stand here. follow is what may stand behind it:
// if it does stand here, the token is missing.
// Source: ANTLR 3 BaseRecognizer.recoverFromMismatchedToken.
func (p *parser) match(name string, follow ...string) token {
	t := p.la(1)
	switch {
	case t.is(name):
		p.pos++
		return t
	case p.la(2).is(name):
		p.fail(t, "extraneous input "+t.display()+" expecting "+shown(name))
	case t.kind != tokEOF && slices.Contains(follow, t.name): // sets of ANTLR have no place for the end
		p.fail(t, "missing "+shown(name)+" at "+t.display())
	}
	p.fail(t, "mismatched input "+t.display()+" expecting "+shown(name))
	return t
}

// end refuses what stands behind a whole statement.
func (p *parser) end() {
	t := p.la(1)
	switch {
	case t.kind == tokEOF:
	case p.la(2).kind == tokEOF:
		p.fail(t, "extraneous input "+t.display()+" expecting EOF")
	default:
		p.fail(t, "missing EOF at "+t.display())
	}
}

// oneOf takes a token of a set, which messages do not spell out.
func (p *parser) oneOf(names ...string) token {
	t := p.la(1)
	if !slices.Contains(names, t.name) {
		p.fail(t, "mismatched input "+t.display()+" expecting set null")
	}
	p.pos++
	return t
}

// take takes a token if it stands here.
func (p *parser) take(name string) bool {
	if p.la(1).is(name) {
		p.pos++
		return true
	}
	return false
}

const (
	identifier = "Identifier"
	positive   = "IntegerPositiveLiteral"
	negative   = "IntegerNegativeLiteral"
	literal    = "StringLiteral"
	double     = "DoubleLiteral"
)

var atEnd = []string{";", "EOF"}

// name is the name of a keyspace, a column family, a column or a type.
func (p *parser) name() Name { return nameOf(p.oneOf(identifier, literal, positive, negative)) }

func nameOf(t token) Name {
	if t.kind == tokString {
		return Name{unquote(t.text), true}
	}
	return Name{Text: t.text}
}

func (p *parser) isName() bool {
	switch p.la(1).kind {
	case tokIdentifier, tokString, tokPositive, tokNegative:
		return true
	}
	return false
}

// term is a key, a column or a value. follow is what may stand behind any term
// of its rule: a word is read together with what is behind it.
func (p *parser) term(follow []string) Term {
	t := p.la(1)
	switch t.kind {
	case tokString:
		p.pos++
		return Term{Form: Quoted, Text: unquote(t.text)}
	case tokPositive, tokNegative:
		p.pos++
		return Term{Form: Integer, Text: t.text}
	case tokIdentifier:
		switch next := p.la(2); {
		case next.is("("):
			return p.call(follow)
		case slices.Contains(follow, next.name):
			p.pos++
			return Term{Text: t.text}
		}
		p.none(2)
	}
	p.none(1)
	return Term{}
}

// call is name(argument).
func (p *parser) call(follow []string) Term {
	out := Term{Form: Call, Text: p.la(1).text}
	p.pos += 2
	switch t := p.la(1); t.kind {
	case tokString:
		out.Argument = &Term{Form: Quoted, Text: unquote(t.text)}
	case tokPositive, tokNegative:
		out.Argument = &Term{Form: Integer, Text: t.text}
	case tokIdentifier:
		out.Argument = &Term{Text: t.text}
	}
	if out.Argument != nil {
		p.pos++
	}
	p.match(")", follow...)
	return out
}

// What may stand behind the terms of each rule.
var (
	behindKey    = []string{"]", ":"}
	behindColumn = []string{"]", "=", ">", "<", ">=", "<="}
	behindValue  = []string{";", "EOF", "WITH", "AND", "LIMIT"}
	behindPair   = []string{",", "}"}
)

// access is family[key] with up to two columns; behind is what may follow it.
func (p *parser) access(behind ...string) Access {
	a := Access{Family: p.name()}
	p.match("[", identifier, literal, positive, negative)
	a.Key = p.term(behindKey)
	p.match("]", append([]string{"["}, behind...)...)
	for len(a.Columns) < 2 && p.take("[") {
		a.Columns = append(a.Columns, p.term(behindColumn))
		p.match("]", append([]string{"["}, behind...)...)
	}
	return a
}

// count is limit n, columns n and the like: the number behind the word.
func (p *parser) count(word string, follow ...string) string {
	if !p.take(word) {
		return ""
	}
	return p.match(positive, append(follow, atEnd...)...).text
}
