package java

// condition is a boolean expression with what holds where it is true and where not.
func (c *compiler) condition(n node) (x *expr, yes, no state) {
	switch n := n.(type) {
	case *unary:
		if n.op == "!" {
			y, yes, no := c.loose(n.x)
			if y.typ == nil {
				return bad(n.at()), yes, no
			}
			if u := y.typ.unboxed(); u == nil || u.kind != kBoolean {
				return c.undefined("!", n.at(), y), yes, no
			}
			y = c.convert(y, tBoolean)
			return c.folded(&expr{typ: tBoolean, line: n.at(), run: func(f *frame) any { return !y.run(f).(bool) }}, y.konst != nil), no, yes
		}
	case *infix:
		if n.op == "&&" || n.op == "||" {
			return c.shortcut(n)
		}
	}
	x, yes, no = c.loose(n)
	if x.typ != nil {
		if u := x.typ.unboxed(); u == nil || u.kind != kBoolean {
			c.fail(x.line, "Type mismatch: cannot convert from "+x.typ.String()+" to boolean")
			return bad(x.line), yes, no
		}
		x = c.convert(x, tBoolean)
	}
	return x, yes, no
}

// loose is condition for an expression of any type.
func (c *compiler) loose(n node) (x *expr, yes, no state) {
	switch n := n.(type) {
	case *unary:
		if n.op == "!" {
			return c.condition(n)
		}
	case *infix:
		if n.op == "&&" || n.op == "||" {
			return c.shortcut(n)
		}
	}
	x = c.expr(n)
	yes, no = c.now, c.now
	switch x.konst {
	case true:
		no.all = true
	case false:
		yes.all = true
	}
	return x, yes, no
}

// shortcut is && or ||.
func (c *compiler) shortcut(n *infix) (*expr, state, state) {
	and := n.op == "&&"
	x, yes, no := c.loose(n.x)
	first := yes
	if !and {
		first = no
	}
	c.now = first
	y, yes2, no2 := c.loose(n.y)
	if and {
		yes, no = yes2, meet(no, no2)
	} else {
		yes, no = meet(yes, yes2), no2
	}
	if x.typ == nil || y.typ == nil {
		return bad(n.at()), yes, no
	}
	a, b := x.typ.unboxed(), y.typ.unboxed()
	if a == nil || b == nil || a.kind != kBoolean || b.kind != kBoolean {
		return c.undefined(n.op, n.at(), x, y), yes, no
	}
	x, y = c.convert(x, tBoolean), c.convert(y, tBoolean)
	return c.folded(&expr{typ: tBoolean, line: n.at(), run: func(f *frame) any {
		if x.run(f).(bool) != and {
			return !and
		}
		return y.run(f)
	}}, x.konst != nil && y.konst != nil), yes, no
}

// logical is a condition as a value.
func (c *compiler) logical(n node) *expr {
	x, yes, no := c.condition(n)
	c.now = meet(yes, no)
	return x
}

func (c *compiler) ternary(n *ternary) *expr {
	line := n.at()
	cond, yes, no := c.condition(n.cond)
	var x, y *expr
	end := c.fork(yes, func() { x = c.expr(n.x) })
	c.now = meet(end, c.fork(no, func() { y = c.expr(n.y) }))
	if cond.typ == nil || x.typ == nil || y.typ == nil {
		return bad(line)
	}
	t := c.common(x, y)
	if t == nil {
		c.fail(line, "Incompatible conditional operand types "+x.typ.String()+" and "+y.typ.String())
		return bad(line)
	}
	if t.primitive() {
		x, y = c.assigned(x, t), c.assigned(y, t)
	}
	out := &expr{typ: t, line: line, why: func() string { return "" }, run: func(f *frame) any {
		if cond.run(f).(bool) {
			return x.run(f)
		}
		return y.run(f)
	}}
	return c.folded(out, cond.konst != nil && x.konst != nil && y.konst != nil)
}

// common is the type of cond ? x : y. Source: Java Language Specification 15.25.
func (c *compiler) common(x, y *expr) *Type {
	a, b := x.typ.unboxed(), y.typ.unboxed()
	if x.typ == tVoid || y.typ == tVoid {
		return nil
	}
	switch {
	case a != nil && b != nil && a.kind == b.kind:
		if !x.typ.primitive() && !y.typ.primitive() {
			return x.typ
		}
		return a
	case a != nil && b != nil && a.numeric() && b.numeric():
		for _, p := range [][2]*expr{{x, y}, {y, x}} { // a constant that fits takes the smaller type
			small, k := p[0].typ.unboxed(), p[1]
			if k.konst != nil && k.typ.kind == kInt && (small.kind == kByte || small.kind == kShort || small.kind == kChar) {
				if n := toLong(k.konst); toLong(convert(n, small.kind)) == n {
					return small
				}
			}
		}
		if a.kind == kByte && b.kind == kShort || a.kind == kShort && b.kind == kByte {
			return tShort
		}
		return primitives[kindNames[promoted(a.kind, b.kind)]]
	}
	p, q := x.typ.boxed(), y.typ.boxed()
	switch {
	case p.fits(q):
		return q
	case q.fits(p):
		return p
	}
	return shared(p, q)
}

// shared stands for what two classes have in common.
func shared(p, q *Type) *Type {
	if number := classType("Number"); p.fits(number) && q.fits(number) {
		return number
	}
	return classType("Object")
}
