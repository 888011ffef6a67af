package java

import (
	"slices"
	"strconv"
)

// maxDepth bounds nesting, so that no source exhausts the stack.
const maxDepth = 120

type parser struct {
	toks    []token
	i       int
	depth   int
	chained int // binary operators so far
}

// parse reads the statements of a body.
func parse(src string) (list []statement, err error) {
	toks, err := scan(src)
	if err != nil {
		return nil, err
	}
	p := &parser{toks: toks}
	defer func() {
		if x := recover(); x != nil {
			e, ok := x.(error)
			if _, runtime := x.(interface{ RuntimeError() }); !ok || runtime {
				panic(x)
			}
			list, err = nil, e
		}
	}()
	for p.peek().kind != tokEnd {
		if p.is("}") {
			p.outside()
		}
		list = append(list, p.statement())
	}
	return list, nil
}

// outside refuses what follows the end of the body.
func (p *parser) outside() {
	i := p.i + 1
	for i+1 < len(p.toks) && (p.toks[i].kind == tokName || p.toks[i].kind == tokKeyword) && p.toks[i+1].text != "(" {
		i++
	}
	if i+2 < len(p.toks) && p.toks[i+1].text == "(" {
		panic(&Limit{"declaring the method " + p.toks[i].text})
	}
	p.unexpected()
}

func (p *parser) peek() token { return p.toks[p.i] }

func (p *parser) ahead(n int) token { return p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != tokEnd {
		p.i++
	}
	return t
}

// is says whether the next token is that operator or keyword.
func (p *parser) is(text string) bool { return p.ahead(0).is(text) }

func (t token) is(text string) bool {
	return t.text == text && (t.kind == tokOperator || t.kind == tokKeyword)
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.i++
		return true
	}
	return false
}

// last is the line of the token before, where the compiler sees what is missing.
func (p *parser) last() int { return p.toks[max(p.i-1, 0)].line }

func (p *parser) fail(line int, text string) { panic(&CompileError{lines: []note{{line, text}}}) }

func (p *parser) unexpected() {
	t := p.peek()
	if t.kind == tokEnd {
		p.fail(p.last(), `Syntax error, insert "}" to complete Block`)
	}
	p.fail(t.line, "Syntax error on token "+quote(t.text)+", delete this token")
}

func quote(s string) string { return `"` + s + `"` }

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.unexpected()
	}
}

// semicolon ends a statement of that name.
func (p *parser) semicolon(what string) {
	if !p.accept(";") {
		p.fail(p.last(), `Syntax error, insert ";" to complete `+what)
	}
}

func (p *parser) enter(line int) {
	if p.depth++; p.depth > maxDepth {
		panic(&Limit{"nesting deeper than " + strconv.Itoa(maxDepth) + " levels"})
	}
}

func (p *parser) name() string {
	t := p.next()
	if t.kind != tokName {
		p.i--
		p.unexpected()
	}
	return t.text
}

func (p *parser) block() *block {
	b := &block{row: row(p.peek().line)}
	p.expect("{")
	for !p.accept("}") {
		if p.peek().kind == tokEnd {
			p.fail(p.last(), `Syntax error, insert "}" to complete Block`)
		}
		b.list = append(b.list, p.statement())
	}
	return b
}

func (p *parser) statement() statement {
	t := p.peek()
	p.enter(t.line)
	defer func() { p.depth-- }()
	line := row(t.line)
	if t.kind == tokName && p.ahead(1).is(":") {
		p.i += 2
		return &labeled{line, t.text, p.statement()}
	}
	if t.kind == tokName && t.text == "yield" && p.ahead(1).kind != tokOperator {
		panic(&Limit{"yield"})
	}
	if t.kind == tokOperator {
		switch t.text {
		case "{":
			return p.block()
		case ";":
			p.i++
			return &empty{line}
		}
	}
	if t.kind == tokKeyword {
		switch t.text {
		case "if":
			p.i++
			s := &ifStatement{row: line, cond: p.condition()}
			s.then = p.statement()
			if p.accept("else") {
				s.other = p.statement()
			}
			return s
		case "while":
			p.i++
			cond := p.condition()
			return &loop{row: line, cond: cond, body: p.statement()}
		case "do":
			p.i++
			s := &doLoop{row: line, body: p.statement()}
			p.expect("while")
			s.cond = p.condition()
			if !p.accept(";") {
				p.fail(p.last(), `Syntax error on token ")", ; expected after this token`)
			}
			return s
		case "for":
			return p.forStatement()
		case "switch":
			return p.switchStatement()
		case "break", "continue":
			p.i++
			s := &jump{row: line, word: t.text}
			if p.peek().kind == tokName {
				s.label = p.name()
			}
			p.semicolon("BlockStatements")
			return s
		case "return":
			p.i++
			s := &returnStatement{row: line}
			if !p.is(";") {
				s.x = p.expression()
			}
			p.semicolon("BlockStatements")
			return s
		case "throw":
			p.i++
			s := &throwStatement{row: line, x: p.expression()}
			p.semicolon("BlockStatements")
			return s
		case "try":
			return p.tryStatement()
		case "synchronized":
			panic(&Refused{"Java UDF validation failed: [use of synchronized]"})
		case "class", "interface", "enum", "abstract", "static":
			panic(&Limit{"declaring a class"})
		case "assert":
			panic(&Limit{"assert"})
		case "final":
			if n := p.ahead(1); n.is("class") {
				panic(&Limit{"declaring a class"})
			}
			return p.declaration(true)
		case "else", "case", "default", "catch", "finally":
			p.unexpected()
		}
	}
	if t.is("@") {
		panic(&Limit{"annotations"})
	}
	if p.declares() {
		return p.declaration(true)
	}
	s := &exprStatement{line, p.expression()}
	switch s.x.(type) {
	case *call, *assign, *step, *creation:
	default:
		p.fail(t.line, "Syntax error on token "+quote(p.toks[p.i-1].text)+", invalid ExpressionStatement")
	}
	p.semicolon("BlockStatements")
	return s
}

func (p *parser) condition() node {
	p.expect("(")
	x := p.expression()
	p.expect(")")
	return x
}

// declares says whether a declaration of local variables stands here.
func (p *parser) declares() bool {
	from, depth := p.i, p.depth
	defer func() { p.i, p.depth = from, depth }()
	return p.tryType() != nil && p.peek().kind == tokName && slices.Contains([]string{"=", ";", ",", ":", "["}, p.ahead(1).text) ||
		p.i > from+1 && p.peek().kind == tokName && p.ahead(-1).kind == tokName && p.ahead(1).kind != tokOperator
}

// declaration is T a = 1, b[], …; with its semicolon if that is asked for.
func (p *parser) declaration(ends bool) statement {
	s := &declaration{row: row(p.peek().line), final: p.accept("final")}
	if t := p.peek(); t.kind == tokName && t.text == "var" && p.ahead(1).kind == tokName {
		p.i++
	} else {
		s.typ = p.typeName()
	}
	for {
		v := variable{line: p.peek().line, name: p.name(), dims: p.dims()}
		if p.accept("=") {
			v.init = p.initializer()
		}
		s.vars = append(s.vars, v)
		if !p.accept(",") {
			break
		}
	}
	if ends {
		p.semicolon("BlockStatements")
	}
	return s
}

func (p *parser) initializer() node {
	if p.is("{") {
		n := &newArray{row: row(p.peek().line), given: true}
		n.init = p.elements()
		return n
	}
	return p.expression()
}

func (p *parser) elements() []node {
	p.enter(0)
	defer func() { p.depth-- }()
	p.expect("{")
	var out []node
	for !p.accept("}") {
		out = append(out, p.initializer())
		if !p.accept(",") {
			p.expect("}")
			break
		}
	}
	return out
}

func (p *parser) forStatement() statement {
	line := row(p.next().line)
	p.expect("(")
	if p.is("final") || p.declares() {
		d := p.declaration(false).(*declaration)
		if p.accept(":") {
			s := &forEach{row: line, typ: d.typ, name: d.vars[0].name, of: p.expression()}
			p.expect(")")
			s.body = p.statement()
			return s
		}
		return p.restOfFor(&loop{row: line, init: []statement{d}})
	}
	s := &loop{row: line}
	if !p.is(";") {
		for _, x := range p.list() {
			s.init = append(s.init, &exprStatement{row(x.at()), x})
		}
	}
	return p.restOfFor(s)
}

func (p *parser) restOfFor(s *loop) statement {
	p.expect(";")
	if !p.is(";") {
		s.cond = p.expression()
	}
	p.expect(";")
	if !p.is(")") {
		s.update = p.list()
	}
	p.expect(")")
	s.body = p.statement()
	return s
}

func (p *parser) list() []node {
	out := []node{p.expression()}
	for p.accept(",") {
		out = append(out, p.expression())
	}
	return out
}

func (p *parser) switchStatement() statement {
	s := &switchStatement{row: row(p.next().line), on: p.condition()}
	p.expect("{")
	for !p.accept("}") {
		c := switchCase{line: p.peek().line}
		for p.is("case") || p.is("default") {
			if p.next().text == "default" {
				c.labels = append(c.labels, nil)
			} else {
				c.labels = append(c.labels, p.conditional())
			}
			if p.is("->") {
				p.fail(p.peek().line, "Arrow in case statement supported from Java 14 onwards only")
			}
			if p.is(",") {
				p.fail(p.peek().line, "Multi-constant case labels supported from Java 14 onwards only")
			}
			p.expect(":")
		}
		if len(c.labels) == 0 {
			p.unexpected()
		}
		for !p.is("case") && !p.is("default") && !p.is("}") {
			if p.peek().kind == tokEnd {
				p.unexpected()
			}
			c.list = append(c.list, p.statement())
		}
		s.cases = append(s.cases, c)
	}
	return s
}

func (p *parser) tryStatement() statement {
	s := &tryStatement{row: row(p.next().line)}
	if p.is("(") {
		panic(&Limit{"try with resources"})
	}
	s.body = p.block()
	for p.is("catch") {
		c := catchClause{line: p.next().line}
		p.expect("(")
		p.accept("final")
		c.types = []*typeName{p.typeName()}
		for p.accept("|") {
			c.types = append(c.types, p.typeName())
		}
		c.name = p.name()
		p.expect(")")
		c.body = p.block()
		s.catches = append(s.catches, c)
	}
	if p.accept("finally") {
		s.finally = p.block()
	}
	if s.catches == nil && s.finally == nil {
		p.fail(p.last(), `Syntax error, insert "Finally" to complete BlockStatements`)
	}
	return s
}
