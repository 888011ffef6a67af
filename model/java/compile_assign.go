package java

// place is what can be assigned to: how it is found once, read and written.
type place struct {
	typ   *Type
	find  func(f *frame) any
	read  func(f *frame, at any) any
	write func(f *frame, at, v any)
	local *local
}

// spot is an array and an index that were computed and not checked yet.
type spot struct{ a, i any }

// assignable is what can stand left of an assignment; reads says that the old value is read too.
func (c *compiler) assignable(n node, reads bool) *place {
	switch n := n.(type) {
	case *nameRef:
		v := c.lookup(n.name)
		if v == nil {
			c.fail(n.at(), n.name+" cannot be resolved to a variable")
			return nil
		}
		if reads {
			if !c.now.has(v.slot) {
				c.flaw(n.at(), "The local variable "+n.name+" may not have been initialized")
			}
			v.used = true
		}
		if v.final {
			if v.konst != nil || c.now.has(v.slot) {
				c.fail(n.at(), "The final local variable "+n.name+" cannot be assigned. It must be blank and not using a compound assignment")
				return nil
			}
		}
		if v.catch {
			v.thrown = []*Type{v.typ}
		}
		if v.typ == nil {
			return nil
		}
		slot := v.slot
		return &place{typ: v.typ, local: v, find: func(*frame) any { return nil }, read: func(f *frame, _ any) any { return f.vars[slot] },
			write: func(f *frame, _, x any) { f.vars[slot] = x }}
	case *index:
		a, i, elem := c.indexed(n)
		if elem == nil {
			return nil
		}
		return &place{typ: elem, find: func(f *frame) any {
			of := a.run(f)
			return spot{of, i.run(f)}
		}, read: func(f *frame, at any) any {
			s := at.(spot)
			arr, n := f.m.element(s.a, s.i, a, "load from")
			return arr.v[n]
		}, write: func(f *frame, at, v any) {
			s := at.(spot)
			arr, n := f.m.element(s.a, s.i, a, "store to")
			if v != nil && !arr.elem.primitive() && !isA(v, arr.elem) {
				f.m.throw("ArrayStoreException", classOf(v).binary())
			}
			arr.v[n] = v
		}}
	}
	x := c.expr(n)
	if x.typ != nil {
		if m, ok := n.(*member); ok && m.name == "length" {
			c.fail(n.at(), "The final field array.length cannot be assigned")
		} else {
			c.fail(n.at(), "The left-hand side of an assignment must be a variable")
		}
	}
	return nil
}

func (c *compiler) assign(n *assign) *expr {
	line := n.at()
	if n.op == "=" {
		if ref, ok := n.x.(*nameRef); ok { // the value comes first, so that it may not read the variable
			v := c.lookup(ref.name)
			if v != nil {
				x := c.initialOf(n.y, v.typ)
				p := c.assignable(n.x, false)
				c.now.set(v.slot)
				if p == nil || x.typ == nil {
					return bad(line)
				}
				return &expr{typ: p.typ, line: line, run: func(f *frame) any {
					val := x.run(f)
					p.write(f, nil, val)
					return val
				}}
			}
		}
		p := c.assignable(n.x, false)
		if p == nil {
			c.expr(n.y)
			return bad(line)
		}
		x := c.initialOf(n.y, p.typ)
		if x.typ == nil {
			return bad(line)
		}
		return &expr{typ: p.typ, line: line, run: func(f *frame) any {
			at := p.find(f)
			val := x.run(f)
			p.write(f, at, val)
			return val
		}}
	}
	p := c.assignable(n.x, true)
	y := c.expr(n.y)
	if p == nil || y.typ == nil {
		return bad(line)
	}
	return c.compound(p, n.op[:len(n.op)-1], y, line, false)
}

func (c *compiler) initialOf(n node, t *Type) *expr {
	if a, ok := n.(*newArray); ok && a.typ == nil {
		c.fail(a.at(), "Array constants can only be used in initializers")
		return bad(a.at())
	}
	return c.assigned(c.expr(n), t)
}

// compound is x op= y, and for ++ and -- with the old value as the result.
func (c *compiler) compound(p *place, op string, y *expr, line int, old bool) *expr {
	left := &expr{typ: p.typ, line: line}
	if p.local != nil {
		left.why = p.local.text
	}
	type held struct{ v any }
	slot := c.slots // the old value, while the new one is computed
	c.slots++
	left.run = func(f *frame) any { return f.vars[slot].(*held).v }
	r := c.binary(op, left, y, line)
	if r.typ == nil {
		return bad(line)
	}
	t := p.typ
	var back *expr
	switch in := t.unboxed(); {
	case t.is("String") && r.typ.is("String"), r.typ.fits(t):
		back = r
	case in != nil && r.typ.primitive() && (in.kind == kBoolean) == (r.typ.kind == kBoolean):
		if !t.primitive() && !r.typ.widens(in) && in.kind >= kInt {
			c.fail(line, "Type mismatch: cannot convert from "+r.typ.String()+" to "+t.String())
			return bad(line)
		}
		k := in.kind
		back = &expr{typ: t, run: func(f *frame) any { return convert(r.run(f), k) }}
	default:
		c.fail(line, "Type mismatch: cannot convert from "+r.typ.String()+" to "+t.String())
		return bad(line)
	}
	return &expr{typ: t, line: line, run: func(f *frame) any {
		at := p.find(f)
		saved := f.vars[slot]
		v := p.read(f, at)
		f.vars[slot] = &held{v}
		n := back.run(f)
		f.vars[slot] = saved
		p.write(f, at, n)
		if old {
			return v
		}
		return n
	}}
}

func (c *compiler) step(n *step) *expr {
	line := n.at()
	p := c.assignable(n.x, true)
	if p == nil {
		return bad(line)
	}
	in := p.typ.unboxed()
	if in == nil || !in.numeric() {
		c.fail(line, "Type mismatch: cannot convert from "+p.typ.String()+" to int")
		return bad(line)
	}
	return c.compound(p, n.op[:1], constant(tInt, int32(1), line), line, !n.before)
}
