package java

// body compiles statements one after the other.
func (c *compiler) body(list []statement) exec {
	runs := make([]exec, 0, len(list))
	told := false
	for _, s := range list {
		if c.now.dead {
			if _, nothing := s.(*empty); !told && !nothing {
				c.flaw(s.at(), "Unreachable code")
				told = true
			}
			c.now.dead = false
		}
		runs = append(runs, c.statement(s))
	}
	if told {
		c.now.dead = true // one complaint is enough
	}
	if len(runs) == 1 {
		return runs[0]
	}
	return func(f *frame) ctl {
		for _, run := range runs {
			if k := run(f); k != ctlNext {
				return k
			}
		}
		return ctlNext
	}
}

func (c *compiler) statement(s statement) exec {
	run := c.bare(s)
	return func(f *frame) ctl {
		f.m.step(1)
		return run(f)
	}
}

func (c *compiler) bare(s statement) exec {
	switch s := s.(type) {
	case *block:
		defer c.open()()
		return c.body(s.list)
	case *empty:
		return func(*frame) ctl { return ctlNext }
	case *declaration:
		return c.declaration(s)
	case *exprStatement:
		x := c.expr(s.x)
		return func(f *frame) ctl { x.run(f); return ctlNext }
	case *ifStatement:
		return c.ifStatement(s)
	case *loop:
		return c.loop(s, "")
	case *doLoop:
		return c.doLoop(s, "")
	case *forEach:
		return c.forEach(s, "")
	case *switchStatement:
		return c.switchStatement(s, "")
	case *labeled:
		return c.labeled(s)
	case *jump:
		return c.jump(s)
	case *returnStatement:
		return c.returnStatement(s)
	case *throwStatement:
		return c.throwStatement(s)
	case *tryStatement:
		return c.tryStatement(s)
	}
	panic("java: unknown statement")
}

// inner compiles a statement in a scope of its own.
func (c *compiler) inner(s statement) exec {
	defer c.open()()
	if d, ok := s.(*declaration); ok {
		c.fail(d.at(), "Syntax error, a declaration cannot stand here")
	}
	return c.statement(s)
}

func (c *compiler) declaration(s *declaration) exec {
	var runs []func(f *frame)
	for _, d := range s.vars {
		var t *Type
		if s.typ != nil {
			if t = c.resolve(s.typ); t != nil {
				t = arrayOf(t, d.dims)
			}
			if t == tVoid {
				c.fail(d.line, "void is an invalid type for the variable "+d.name)
				t = nil
			}
		}
		if s.typ == nil { // var
			if d.init == nil {
				c.fail(d.line, "Cannot use 'var' on variable without initializer")
				c.declare(d.line, d.name, nil)
				continue
			}
			x := c.expr(d.init)
			t = x.typ
			if t == tNull {
				c.fail(d.line, "Cannot infer type for local variable initialized to 'null'")
				t = nil
			}
			v := c.declare(d.line, d.name, t)
			v.final = s.final
			c.now.set(v.slot)
			runs = append(runs, func(f *frame) { f.vars[v.slot] = x.run(f) })
			continue
		}
		v := c.declare(d.line, d.name, t)
		v.final = s.final
		if d.init == nil {
			continue
		}
		x := c.initial(d.init, t)
		if v.final && x.typ != nil && (t.primitive() || t.is("String")) {
			v.konst = x.konst
		}
		c.now.set(v.slot)
		runs = append(runs, func(f *frame) { f.vars[v.slot] = x.run(f) })
	}
	return func(f *frame) ctl {
		for _, run := range runs {
			run(f)
		}
		return ctlNext
	}
}

// initial is the value of a variable or element of a type; {…} is an array.
func (c *compiler) initial(n node, t *Type) *expr {
	if a, ok := n.(*newArray); ok && a.typ == nil {
		if t == nil {
			return bad(a.at())
		}
		if t.kind != kArray {
			c.fail(a.at(), "Type mismatch: cannot convert from Object[] to "+t.String())
			return bad(a.at())
		}
		return c.arrayOf(a.init, t, a.at())
	}
	return c.assigned(c.expr(n), t)
}

// fork compiles something behind a condition that holds, or does not.
func (c *compiler) fork(s state, run func()) state {
	c.now = s
	run()
	return c.now
}

func (c *compiler) ifStatement(s *ifStatement) exec {
	cond, yes, no := c.condition(s.cond)
	var then, other exec
	end := c.fork(yes, func() { then = c.inner(s.then) })
	if s.other != nil {
		no = c.fork(no, func() { other = c.inner(s.other) })
	}
	c.now = meet(end, no)
	return func(f *frame) ctl {
		if cond.run(f).(bool) {
			return then(f)
		}
		if other != nil {
			return other(f)
		}
		return ctlNext
	}
}

func (c *compiler) push(t *target) func() {
	c.jumps = append(c.jumps, t)
	return func() { c.jumps = c.jumps[:len(c.jumps)-1] }
}

// around is what a loop does with the end of its body: whether it goes on, and
// how it ends if not.
func (t *target) around(f *frame, k ctl) (on bool, end ctl) {
	switch k {
	case ctlBreak:
		if f.target == t {
			return false, ctlNext
		}
		return false, k
	case ctlContinue:
		if f.target == t {
			return true, ctlNext
		}
		return false, k
	case ctlReturn:
		return false, k
	}
	return true, ctlNext
}

func (c *compiler) loop(s *loop, label string) exec {
	defer c.open()()
	var init, updates []exec
	for _, i := range s.init {
		init = append(init, c.statement(i))
	}
	t := &target{label: label, loop: true, plain: true}
	var cond *expr
	yes, no := c.now, never()
	if s.cond != nil {
		cond, yes, no = c.condition(s.cond)
		switch cond.konst {
		case true:
			no.dead = true
		case false:
			c.flaw(s.body.at(), "Unreachable code")
		}
	}
	var body exec
	pop := c.push(t)
	c.fork(yes, func() { body = c.inner(s.body) })
	pop()
	c.now.dead = false
	for _, u := range s.update {
		x := c.expr(u)
		updates = append(updates, func(f *frame) ctl { x.run(f); return ctlNext })
	}
	c.now = t.after(no)
	return func(f *frame) ctl {
		for _, i := range init {
			i(f)
		}
		for cond == nil || cond.run(f).(bool) {
			f.m.step(1)
			if on, end := t.around(f, body(f)); !on {
				return end
			}
			for _, u := range updates {
				u(f)
			}
		}
		return ctlNext
	}
}

func (c *compiler) doLoop(s *doLoop, label string) exec {
	t := &target{label: label, loop: true, plain: true}
	pop := c.push(t)
	body := c.inner(s.body)
	pop()
	c.now.dead = false
	cond, _, no := c.condition(s.cond)
	if cond.konst == true {
		no = never()
	}
	c.now = t.after(no)
	return func(f *frame) ctl {
		for {
			f.m.step(1)
			if on, end := t.around(f, body(f)); !on {
				return end
			}
			if !cond.run(f).(bool) {
				return ctlNext
			}
		}
	}
}

func (c *compiler) forEach(s *forEach, label string) exec {
	of := c.expr(s.of)
	defer c.open()()
	var elem *Type
	if of.typ != nil {
		switch up := of.typ.upper(); {
		case up.kind == kArray:
			elem = up.elem
		case up.as(classNamed("Iterable")) != nil:
			elem = classType("Object")
			if it := up.as(classNamed("Iterable")); len(it.args) > 0 {
				elem = object(it.args[0])
			}
		default:
			c.fail(s.at(), "Can only iterate over an array or an instance of java.lang.Iterable")
		}
	}
	t := elem
	if s.typ != nil {
		t = c.resolve(s.typ)
	}
	v := c.declare(s.at(), s.name, t)
	next := c.slots // where the value of a round stands
	c.slots++
	value := &expr{typ: elem, line: s.at(), run: func(f *frame) any { return f.vars[next] }}
	x := c.assigned(value, t)
	overArray := of.typ != nil && of.typ.kind == kArray
	var temp *local
	if overArray {
		temp = c.hidden(of.typ)
		c.hidden(tInt)
		c.hidden(tInt)
	} else {
		c.hidden(classType("Object"))
	}
	before := c.now
	c.now.set(v.slot)
	j := &target{label: label, loop: true, plain: true}
	pop := c.push(j)
	body := c.inner(s.body)
	pop()
	c.now = j.after(before)
	check := elem != nil && elem.kind == kClass
	return func(f *frame) ctl {
		m := f.m
		over := of.run(f)
		each := func(val any) (bool, ctl) {
			m.step(1)
			if check && val != nil && !isA(val, elem) {
				m.cannotCast(val, elem.class)
			}
			f.vars[next] = val
			f.vars[v.slot] = x.run(f)
			return j.around(f, body(f))
		}
		if overArray {
			a, ok := over.(*array)
			if !ok {
				m.null("Cannot read the array length", &expr{why: temp.text})
			}
			for _, val := range a.v[:len(a.v):len(a.v)] {
				if on, end := each(val); !on {
					return end
				}
			}
			return ctlNext
		}
		if over == nil {
			m.null("Cannot invoke \""+of.typ.erased()+".iterator()\"", of)
		}
		for it := iterate(m, over.(collection)); it.hasNext(); {
			if on, end := each(it.next(m)); !on {
				return end
			}
		}
		return ctlNext
	}
}

func (c *compiler) switchStatement(s *switchStatement, label string) exec {
	on := c.expr(s.on)
	if on.typ != nil {
		in := on.typ.unboxed()
		switch {
		case on.typ.kind == kClass && on.typ.class.name == "RoundingMode":
			panic(&Limit{"switch over an enumeration"})
		case in == nil || in.kind > kInt || in.kind == kBoolean:
			c.fail(s.on.at(), "Cannot switch on a value of type "+on.typ.String()+". Only convertible int values, strings or enum variables are permitted")
			on = bad(s.at())
		default:
			on = c.convert(on, in)
		}
	}
	defer c.open()()
	t := &target{label: label, plain: true}
	pop := c.push(t)
	before := c.now
	starts := map[int32]int{}
	byDefault := -1
	c.now = never()
	var runs []exec
	for i, k := range s.cases {
		for _, l := range k.labels {
			if l == nil {
				if byDefault >= 0 {
					c.fail(k.line, "The default case is already defined")
				}
				byDefault = i
				continue
			}
			after := c.now
			c.now = before
			x := c.expr(l)
			c.now = after
			if x.typ == nil || on.typ == nil {
				continue
			}
			if x.konst == nil {
				c.fail(k.line, "case expressions must be constant expressions")
				continue
			}
			if x = c.assigned(x, on.typ); x.typ == nil {
				continue
			}
			n := toInt(x.run(nil))
			if _, twice := starts[n]; twice {
				c.fail(k.line, "Duplicate case")
				c.fail(k.line, "Duplicate case")
			}
			starts[n] = i
		}
		entry := before
		c.now = meet(c.now, entry)
		runs = append(runs, c.body(k.list))
	}
	pop()
	if byDefault < 0 {
		c.now = meet(c.now, before)
	}
	c.now = t.after(c.now)
	return func(f *frame) ctl {
		i, ok := starts[toInt(on.run(f))]
		if !ok {
			if i = byDefault; i < 0 {
				return ctlNext
			}
		}
		for ; i < len(runs); i++ {
			if k := runs[i](f); k == ctlBreak && f.target == t {
				return ctlNext
			} else if k != ctlNext {
				return k
			}
		}
		return ctlNext
	}
}

func (c *compiler) labeled(s *labeled) exec {
	switch b := s.body.(type) {
	case *loop:
		return c.loop(b, s.label)
	case *doLoop:
		return c.doLoop(b, s.label)
	case *forEach:
		return c.forEach(b, s.label)
	case *switchStatement:
		return c.switchStatement(b, s.label)
	}
	t := &target{label: s.label}
	pop := c.push(t)
	body := c.inner(s.body)
	pop()
	c.now = t.after(c.now)
	return func(f *frame) ctl {
		k := body(f)
		if k == ctlBreak && f.target == t {
			return ctlNext
		}
		return k
	}
}

func (c *compiler) jump(s *jump) exec {
	var to *target
	for i := len(c.jumps) - 1; i >= 0 && to == nil; i-- {
		t := c.jumps[i]
		if s.label != "" && t.label == s.label || s.label == "" && (s.word == "break" && t.plain || s.word == "continue" && t.loop) {
			to = t
		}
	}
	switch {
	case to == nil && s.label != "":
		c.flaw(s.at(), "The label "+s.label+" is missing")
		return func(*frame) ctl { return ctlNext }
	case to == nil && s.word == "break":
		c.fail(s.at(), "break cannot be used outside of a loop or a switch")
	case to == nil:
		c.fail(s.at(), "continue cannot be used outside of a loop")
	case s.word == "continue" && !to.loop:
		c.fail(s.at(), "continue cannot be used outside of a loop")
	}
	k := ctlContinue
	if s.word == "break" {
		k = ctlBreak
		if to != nil {
			to.join(c.now)
		}
	}
	c.now = never()
	return func(f *frame) ctl {
		f.target = to
		return k
	}
}

func (c *compiler) returnStatement(s *returnStatement) exec {
	if s.x == nil {
		c.fail(s.at(), "This method must return a result of type "+c.ret.String())
		c.now = never()
		return func(*frame) ctl { return ctlReturn }
	}
	x := c.assigned(c.expr(s.x), c.ret)
	c.now = never()
	return func(f *frame) ctl {
		f.result = x.run(f)
		return ctlReturn
	}
}
