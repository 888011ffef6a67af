package java

import "slices"

// precedence of binary operators, the loosest first.
var precedence = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">=", "instanceof"},
	{"<<", ">>", ">>>"}, {"+", "-"}, {"*", "/", "%"}}

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="}

func (p *parser) expression() node {
	line := p.peek().line
	p.enter(line)
	defer func() { p.depth-- }()
	if t := p.peek(); t.kind == tokName && p.ahead(1).is("->") {
		panic(&Limit{"a lambda expression"})
	}
	x := p.conditional()
	op, n := p.operator()
	if slices.Contains(assignments, op) {
		p.i += n
		return &assign{row(line), op, x, p.initializer()}
	}
	if op == "->" {
		panic(&Limit{"a lambda expression"})
	}
	return x
}

// operator is the next operator and how many tokens it has: > > = is >>=.
func (p *parser) operator() (string, int) {
	t := p.peek()
	if t.is("instanceof") {
		return t.text, 1
	}
	if t.kind != tokOperator {
		return "", 0
	}
	text, n := t.text, 1
	for text != "" && text[0] == '>' && text[len(text)-1] == '>' && len(text) < 4 {
		next := p.ahead(n)
		if next.kind != tokOperator || next.text != ">" && next.text != ">=" || next.off != t.off+len(text) {
			break
		}
		text += next.text
		n++
	}
	return text, n
}

func (p *parser) conditional() node {
	x := p.binary(0)
	if !p.is("?") {
		return x
	}
	p.i++
	t := &ternary{row: row(x.at()), cond: x}
	t.x = p.expression()
	p.expect(":")
	p.enter(x.at())
	defer func() { p.depth-- }()
	if n := p.peek(); n.kind == tokName && p.ahead(1).is("->") {
		panic(&Limit{"a lambda expression"})
	}
	t.y = p.conditional()
	return t
}

func (p *parser) binary(level int) node {
	if level == len(precedence) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		op, n := p.operator()
		if !slices.Contains(precedence[level], op) {
			return x
		}
		line := p.peek().line
		p.i += n
		if op == "instanceof" {
			t := p.typeName()
			if p.peek().kind == tokName {
				p.fail(line, "The Java feature 'Pattern Matching in instanceof Expressions' is only available with source level 16 and above")
			}
			x = &instanceOf{row(line), x, t}
			continue
		}
		x = &infix{row(x.at()), op, x, p.binary(level + 1)}
		if p.chained++; p.chained > 20*maxDepth { // a long chain is a deep tree
			panic(&Limit{"an expression with that many operators"})
		}
	}
}

func (p *parser) unary() node {
	t := p.peek()
	line := row(t.line)
	p.enter(t.line)
	defer func() { p.depth-- }()
	if t.kind == tokOperator {
		switch t.text {
		case "+", "-", "~", "!":
			p.i++
			if n := p.peek(); t.text == "-" && (n.kind == tokInt || n.kind == tokLong) { // -2147483648
				n.text = "-" + n.text
				p.i++
				return p.postfix(&literal{line, n})
			}
			return &unary{line, t.text, p.unary()}
		case "++", "--":
			p.i++
			return &step{line, t.text, p.unary(), true}
		case "(":
			if x := p.castHere(); x != nil {
				return x
			}
		}
	}
	return p.postfix(p.primary())
}

// castHere is a cast, nil if the parenthesis opens something else.
func (p *parser) castHere() node {
	from, depth := p.i, p.depth
	line := row(p.next().line)
	primitive := p.peek().kind == tokKeyword
	if t := p.tryType(); t != nil && p.is(")") {
		n := p.ahead(1)
		starts := n.kind == tokName || n.kind >= tokInt && n.kind <= tokString || n.is("(") || n.is("!") || n.is("~") ||
			n.is("new") || n.is("this") || n.is("true") || n.is("false") || n.is("null") || n.is("super") || n.is("switch")
		if primitive && t.dims == 0 || starts {
			p.i++
			return &cast{line, t, p.unary()}
		}
	}
	p.i, p.depth = from, depth
	return nil
}

func (p *parser) primary() node {
	t := p.peek()
	line := row(t.line)
	switch {
	case t.kind >= tokInt && t.kind <= tokString, t.is("true"), t.is("false"), t.is("null"):
		p.i++
		return &literal{line, t}
	case t.is("("):
		p.i++
		if p.is(")") && p.ahead(1).is("->") {
			panic(&Limit{"a lambda expression"})
		}
		x := p.expression()
		if p.is(",") {
			for i := p.i; i < len(p.toks); i++ {
				if p.toks[i].is(")") {
					if i+1 < len(p.toks) && p.toks[i+1].is("->") {
						panic(&Limit{"a lambda expression"})
					}
					break
				}
			}
		}
		p.expect(")")
		if p.is("->") {
			panic(&Limit{"a lambda expression"})
		}
		return x
	case t.is("new"):
		return p.creation()
	case t.is("switch"):
		p.fail(t.line, "Switch Expressions are supported from Java 14 onwards only")
	case t.is("this"), t.is("super"):
		panic(&Limit{"the word " + t.text})
	case t.kind == tokName:
		p.i++
		if p.is("(") {
			return &call{line, nil, t.text, p.arguments()}
		}
		if p.classHere() {
			return p.classLiteral()
		}
		return &nameRef{line, t.text}
	case t.kind == tokKeyword && primitives[t.text] != nil:
		return p.classLiteral()
	}
	p.unexpected()
	return nil
}

// classHere says whether the name just read is an array type before .class.
func (p *parser) classHere() bool {
	if !p.is("[") || !p.ahead(1).is("]") {
		return false
	}
	p.i--
	return true
}

func (p *parser) classLiteral() node {
	line := row(p.peek().line)
	t := p.typeName()
	p.expect(".")
	p.expect("class")
	return &classRef{line, t}
}

func (p *parser) arguments() []node {
	p.expect("(")
	var out []node
	if !p.is(")") {
		out = p.list()
	}
	p.expect(")")
	return out
}

func (p *parser) postfix(x node) node {
	for n := 0; ; n++ {
		if n > maxDepth {
			panic(&Limit{"a chain of that many calls"})
		}
		t := p.peek()
		line := row(t.line)
		switch {
		case t.is("."):
			p.i++
			if p.accept("class") {
				text, ok := dotted(x)
				if !ok {
					p.unexpected()
				}
				return &classRef{line, &typeName{name: text, line: t.line}}
			}
			if p.is("<") {
				panic(&Limit{"type arguments of a call"})
			}
			if p.is("new") || p.is("this") || p.is("super") {
				panic(&Limit{"the word " + p.peek().text + " behind a dot"})
			}
			line = row(p.peek().line)
			name := p.name()
			if p.is("(") {
				x = &call{line, x, name, p.arguments()}
			} else {
				x = &member{line, x, name}
			}
		case t.is("["):
			p.i++
			i := p.expression()
			p.expect("]")
			x = &index{line, x, i}
		case t.is("++"), t.is("--"):
			p.i++
			x = &step{line, t.text, x, false}
		case t.is("::"):
			panic(&Limit{"a method reference"})
		default:
			return x
		}
	}
}

// dotted is the text of a.b.c.
func dotted(x node) (string, bool) {
	switch x := x.(type) {
	case *nameRef:
		return x.name, true
	case *member:
		of, ok := dotted(x.of)
		return of + "." + x.name, ok
	}
	return "", false
}

func (p *parser) creation() node {
	line := row(p.next().line)
	t := p.elementType()
	if p.is("(") {
		n := &creation{line, t, p.arguments()}
		if p.is("{") {
			panic(&Limit{"an anonymous class"})
		}
		return n
	}
	a := &newArray{row: line, typ: t}
	for p.is("[") {
		p.i++
		if p.accept("]") {
			t.dims++
			continue
		}
		if t.dims > len(a.sizes) {
			p.unexpected()
		}
		a.sizes = append(a.sizes, p.expression())
		t.dims++
		p.expect("]")
	}
	if p.is("{") && len(a.sizes) == 0 && t.dims > 0 {
		a.given, a.init = true, p.elements()
	} else if len(a.sizes) == 0 {
		p.unexpected()
	}
	return a
}

// typeName reads a type.
func (p *parser) typeName() *typeName {
	t := p.tryType()
	if t == nil {
		p.unexpected()
	}
	return t
}

// tryType reads a type; nil if there is none, and then the place is anywhere.
func (p *parser) tryType() *typeName {
	t := p.tryElement()
	if t != nil {
		t.dims = p.dims()
	}
	return t
}

func (p *parser) dims() int {
	n := 0
	for p.is("[") && p.ahead(1).is("]") {
		p.i += 2
		n++
	}
	return n
}

// elementType is a type without brackets.
func (p *parser) elementType() *typeName {
	t := p.tryElement()
	if t == nil {
		p.unexpected()
	}
	return t
}

func (p *parser) tryElement() *typeName {
	t := p.peek()
	if t.kind == tokKeyword && primitives[t.text] != nil {
		p.i++
		return &typeName{name: t.text, line: t.line}
	}
	if t.kind != tokName {
		return nil
	}
	out := &typeName{name: t.text, line: t.line}
	p.i++
	for {
		if p.is("<") {
			if !p.typeArguments(out) {
				return nil
			}
		}
		if !p.is(".") || p.ahead(1).kind != tokName {
			return out
		}
		out.name += "." + p.ahead(1).text
		p.i += 2
	}
}

func (p *parser) typeArguments(t *typeName) bool {
	p.enter(t.line)
	defer func() { p.depth-- }()
	p.i++
	if p.accept(">") {
		t.diamond = true
		return true
	}
	for {
		var a *typeName
		if p.accept("?") {
			a = &typeName{name: "?", line: p.last()}
			if p.accept("extends") {
				a.bound = p.tryType()
			} else if p.accept("super") {
				if p.tryType() == nil {
					return false
				}
			}
		} else if a = p.tryType(); a == nil {
			return false
		}
		t.args = append(t.args, a)
		if p.accept(">") {
			return true
		}
		if !p.accept(",") {
			return false
		}
	}
}
