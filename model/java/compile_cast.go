package java

// castable says whether a reference of one type could be one of another.
func castable(from, to *Type) bool {
	from, to = object(from), object(to)
	if from.kind == kNull || from.fits(to) || to.fits(from) {
		return true
	}
	if from.kind == kArray && to.kind == kArray {
		return !from.elem.primitive() && !to.elem.primitive() && castable(from.elem, to.elem)
	}
	if from.kind != kClass || to.kind != kClass {
		return false
	}
	if from.class.under(to.class) || to.class.under(from.class) {
		return len(from.args) == 0 || len(to.args) == 0 || from.class != to.class
	}
	return openTo(from, to) || openTo(to, from)
}

// openTo says whether a subclass of a could implement the interface b.
func openTo(a, b *Type) bool {
	final := a.unboxed() != nil || a.is("String") || a.is("UUID") || a.is("StringBuilder") || a.is("StringBuffer") || a.is("Boolean") || a.is("Optional")
	return b.class.kind == "interface" && !final
}

func (c *compiler) cast(n *cast) *expr {
	line := n.at()
	t := c.resolve(n.typ)
	x := c.expr(n.x)
	if t == nil || x.typ == nil {
		return bad(line)
	}
	wrong := func() *expr {
		c.fail(line, "Cannot cast from "+x.typ.String()+" to "+t.String())
		return bad(line)
	}
	switch {
	case x.typ == tVoid || t == tVoid:
		return wrong()
	case t.primitive():
		in := x.typ.unboxed()
		if in == nil { // Object to int
			box := t.boxed()
			if x.typ.kind == kNull || !castable(x.typ, box) {
				return wrong()
			}
			return c.convert(c.checkedCast(x, box), t)
		}
		if (in.kind == kBoolean) != (t.kind == kBoolean) || !x.typ.primitive() && !in.widens(t) {
			return wrong()
		}
		y := c.convert(x, in)
		k := t.kind
		return c.folded(&expr{typ: t, line: line, run: func(f *frame) any { return convert(y.run(f), k) }}, y.konst != nil)
	case x.typ.primitive():
		if !x.typ.boxed().fits(t) {
			if y := c.narrowed(x, t); y != nil {
				return y
			}
			return wrong()
		}
		return &expr{typ: t, line: line, run: x.run}
	case !castable(x.typ, t):
		return wrong()
	}
	return c.checkedCast(x, t)
}

// narrowed is a constant on its way into a box of a smaller type.
func (c *compiler) narrowed(x *expr, t *Type) *expr {
	if in := t.unboxed(); in != nil && x.konst != nil && x.typ.kind == kInt && in.kind < kInt && in.kind > kBoolean {
		if n := toLong(x.konst); toLong(convert(n, in.kind)) == n {
			return constant(t, convert(n, in.kind), x.line)
		}
	}
	return nil
}

func (c *compiler) checkedCast(x *expr, t *Type) *expr {
	konst := x.konst
	if !t.is("String") {
		konst = nil
	}
	return &expr{typ: t, line: x.line, why: x.why, konst: konst, run: func(f *frame) any {
		v := x.run(f)
		if v != nil && !isA(v, t) {
			if _, arr := v.(*array); arr || t.kind == kArray {
				f.m.limit("a wrong cast of an array")
			}
			f.m.cannotCast(v, t.class)
		}
		return v
	}}
}

func (c *compiler) instanceOf(n *instanceOf) *expr {
	line := n.at()
	x, t := c.expr(n.x), c.resolve(n.typ)
	if x.typ == nil || t == nil {
		return bad(line)
	}
	if x.typ.primitive() || t.primitive() || !castable(x.typ, t) {
		c.fail(line, "Incompatible conditional operand types "+x.typ.String()+" and "+t.String())
		return bad(line)
	}
	return &expr{typ: tBoolean, line: line, run: func(f *frame) any {
		v := x.run(f)
		return v != nil && isA(v, t)
	}}
}
