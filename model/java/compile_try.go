package java

func (c *compiler) throwStatement(s *throwStatement) exec {
	x := c.expr(s.x)
	if x.typ != nil && x.typ != tNull {
		if !x.typ.fits(classType("Throwable")) {
			c.fail(s.at(), "No exception of type "+x.typ.String()+" can be thrown; an exception type must be a subclass of Throwable")
		} else {
			thrown := []*Type{x.typ}
			if n, ok := s.x.(*nameRef); ok {
				if v := c.lookup(n.name); v != nil && v.catch { // what the try could throw
					thrown = v.thrown
				}
			}
			for _, t := range thrown {
				c.throws(t, s.at())
			}
		}
	}
	c.now = never()
	return func(f *frame) ctl {
		v := x.run(f)
		if v == nil {
			f.m.null("Cannot throw exception", x)
		}
		panic(thrown{v.(*throwable)})
	}
}

// checked says whether an exception has to be caught.
func checked(t *Type) bool {
	return t.kind == kClass && !t.class.under(classNamed("RuntimeException")) && !t.class.under(classNamed("Error"))
}

// throws checks that a checked exception is caught.
func (c *compiler) throws(t *Type, line int) {
	if !checked(t) {
		return
	}
	for i := len(c.tries) - 1; i >= 0; i-- {
		g := c.tries[i]
		g.thrown = append(g.thrown, t)
		for _, k := range g.catches {
			if t.class.under(k.class) {
				return
			}
		}
	}
	c.flaw(line, "Unhandled exception type "+t.String())
}

func (c *compiler) tryStatement(s *tryStatement) exec {
	type clause struct {
		types []*Type
		slot  int
		run   exec
	}
	g := &guard{}
	clauses := make([]clause, len(s.catches))
	for i, k := range s.catches {
		for _, name := range k.types {
			t := c.resolve(name)
			if t == nil {
				continue
			}
			if !t.fits(classType("Throwable")) {
				c.fail(k.line, "No exception of type "+t.String()+" can be thrown; an exception type must be a subclass of Throwable")
				continue
			}
			for _, e := range g.catches {
				if t.class.under(e.class) {
					c.fail(k.line, "Unreachable catch block for "+t.String()+". It is already handled by the catch block for "+e.String())
					break
				}
			}
			clauses[i].types = append(clauses[i].types, t)
		}
		g.catches = append(g.catches, clauses[i].types...)
	}
	before := c.now
	c.tries = append(c.tries, g)
	end := func() exec { defer c.open()(); return c.body(s.body.list) }
	body := end()
	c.tries = c.tries[:len(c.tries)-1]
	after := c.now
	for i, k := range s.catches {
		c.now = before
		c.now.dead = false
		leave := c.open()
		t := classType("Throwable")
		if n := len(clauses[i].types); n == 1 {
			t = clauses[i].types[0]
		} else if n > 1 {
			t = classType("RuntimeException")
			for _, x := range clauses[i].types {
				if !x.fits(t) {
					t = classType("Throwable")
				}
			}
		}
		for _, x := range clauses[i].types {
			if checked(x) && !x.is("Exception") && !x.is("Throwable") {
				found := false
				for _, y := range g.thrown {
					found = found || y.class.under(x.class) || x.class.under(y.class)
				}
				if !found {
					c.flaw(k.line, "Unreachable catch block for "+x.String()+". This exception is never thrown from the try statement body")
				}
			}
		}
		v := c.declare(k.line, k.name, t)
		v.used, v.catch, v.thrown = true, true, g.thrown
		clauses[i].slot = v.slot
		c.now.set(v.slot)
		clauses[i].run = func() exec { defer c.open()(); return c.body(k.body.list) }()
		leave()
		after = meet(after, c.now)
	}
	c.now = after
	var finally exec
	if s.finally != nil {
		c.now = before
		c.now.dead = false
		finally = func() exec { defer c.open()(); return c.body(s.finally.list) }()
		fin := c.now
		c.now = after
		if fin.dead {
			c.now = never()
		} else if !after.all {
			for slot := range c.slots {
				if fin.has(slot) {
					c.now.set(slot)
				}
			}
		}
	}
	catching := func(f *frame) (k ctl) {
		k, x := attempt(f, body)
		if x == nil {
			return k
		}
		for _, cl := range clauses {
			for _, t := range cl.types {
				if x.class.under(t.class) {
					f.vars[cl.slot] = x
					return cl.run(f)
				}
			}
		}
		panic(thrown{x})
	}
	if finally == nil {
		return catching
	}
	return func(f *frame) ctl {
		k, x := attempt(f, catching)
		result, to := f.result, f.target
		if end := finally(f); end != ctlNext {
			return end
		}
		f.result, f.target = result, to
		if x != nil {
			panic(thrown{x})
		}
		return k
	}
}

// attempt runs a statement and catches what it throws.
func attempt(f *frame, run exec) (k ctl, x *throwable) {
	depth := f.m.depth
	defer func() {
		switch r := recover().(type) {
		case nil:
		case thrown:
			f.m.depth = depth
			f.m.step(10)
			k, x = ctlNext, r.x
		default:
			panic(r)
		}
	}()
	return run(f), nil
}
