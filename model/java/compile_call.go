package java

import (
	"slices"
	"strings"
)

// object is a type as one that values have: what nothing settled is Object.
func object(t *Type) *Type {
	if t.kind == kAny {
		return classType("Object")
	}
	return t.upper()
}

func (c *compiler) arguments(list []node) ([]*expr, bool) {
	out, ok := make([]*expr, len(list)), true
	for i, n := range list {
		out[i] = c.expr(n)
		if out[i].typ == tVoid {
			c.fail(out[i].line, "void cannot be an argument")
			out[i] = bad(out[i].line)
		}
		ok = ok && out[i].typ != nil
	}
	return out, ok
}

func typesOf(list []*expr) string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = x.typ.String()
	}
	return strings.Join(names, ", ")
}

// call is a method call.
func (c *compiler) call(n *call) *expr {
	line := n.at()
	if n.of == nil {
		args, ok := c.arguments(n.args)
		switch n.name {
		case "hashCode", "toString", "getClass", "equals", "executeImpl", "executeAggregateImpl", "compose", "decompose", "notify", "notifyAll", "wait", "clone", "finalize":
			panic(&Limit{"calling " + n.name + " of the function itself"})
		}
		if ok {
			c.fail(line, "The method "+n.name+"("+typesOf(args)+") is undefined for the type "+c.className())
		}
		return bad(line)
	}
	var receiver *expr
	var on *Type
	if text, ok := dotted(n.of); ok && !c.isValue(text) {
		k := c.classOf(text, line)
		if k == nil {
			first, _, dots := strings.Cut(text, ".")
			if dots && c.isValue(first) {
				receiver = c.expr(n.of)
			} else {
				c.arguments(n.args)
				if dots && !c.isClass(text[:strings.LastIndexByte(text, '.')], line) {
					c.fail(line, text+" cannot be resolved to a type")
					return bad(line)
				}
				if !dots {
					c.fail(line, text+" cannot be resolved")
					return bad(line)
				}
				receiver = c.expr(n.of)
			}
		} else {
			on = &Type{kind: kClass, class: k}
		}
	} else {
		receiver = c.expr(n.of)
	}
	args, ok := c.arguments(n.args)
	if receiver != nil {
		if receiver.typ == nil {
			return bad(line)
		}
		if on = receiver.typ.upper(); on.kind == kAny {
			on = classType("Object")
		}
	}
	if !ok {
		return bad(line)
	}
	switch {
	case on.primitive():
		c.fail(line, "Cannot invoke "+n.name+"("+typesOf(args)+") on the primitive type "+on.String())
		return bad(line)
	case on.kind == kNull:
		c.fail(line, "Cannot invoke "+n.name+"("+typesOf(args)+") on the null type")
		return bad(line)
	case on.kind == kArray && n.name == "clone" && len(args) == 0:
		return c.cloned(receiver, on)
	case on.kind == kArray:
		if classNamed("Object").overloads(n.name) == 0 {
			c.fail(line, "Cannot invoke "+n.name+"("+typesOf(args)+") on the array type "+on.String())
			return bad(line)
		}
		on = classType("Object")
	}
	candidates := on.class.named(n.name)
	if len(candidates) == 0 {
		if on.class.overloads(n.name) != 0 {
			panic(&Limit{"the method " + on.class.name + "." + n.name})
		}
		c.fail(line, "The method "+n.name+"("+typesOf(args)+") is undefined for the type "+on.String())
		return bad(line)
	}
	m, vars, spread := c.choose(candidates, on, args)
	if m == nil {
		if spread {
			c.fail(line, "The method "+candidates[0].written(on)+" is ambiguous for the type "+on.String())
			return bad(line)
		}
		if k := on.class.overloads(n.name); k < 0 || k > len(candidates) {
			panic(&Limit{"the method " + on.class.name + "." + n.name + "(" + typesOf(args) + ")"})
		}
		near := nearest(candidates, on, args)
		c.fail(line, "The method "+near.written(on)+" in the type "+near.shownOwner(on)+" is not applicable for the arguments ("+typesOf(args)+")")
		return bad(line)
	}
	if receiver == nil && !m.static {
		c.fail(line, "Cannot make a static reference to the non-static method "+m.written(on)+" from the type "+on.class.name)
		return bad(line)
	}
	return c.invoke(m, on, receiver, args, vars, spread, line)
}

// written is a method as complaints name it: get(Object).
func (m *method) written(on *Type) string {
	names := make([]string, len(m.params))
	vars := m.varsOn(on)
	for i, p := range m.params {
		names[i] = p.substitute(vars).String()
	}
	return m.name + "(" + strings.Join(names, ", ") + ")"
}

func (m *method) varsOn(on *Type) map[string]*Type {
	if m.static {
		return map[string]*Type{}
	}
	if up := on.as(m.owner); up != nil {
		return up.bindings()
	}
	return map[string]*Type{}
}

func (m *method) shownOwner(on *Type) string {
	if up := on.as(m.owner); up != nil && !m.static {
		return up.String()
	}
	return m.owner.name
}

// nearest is the overload that complaints name: the one that most arguments fit,
// the first one among equals, where those of smaller types come first.
func nearest(list []*method, on *Type, args []*expr) *method {
	best, score := list[0], -1
	for _, m := range list {
		n, vars := 0, m.varsOn(on)
		if len(m.params) == len(args) {
			n = 100
			for i, p := range m.params {
				if args[i].typ.converts(p.substitute(vars), true) {
					n += 100
				}
				n -= int(p.kind)
			}
		}
		if n > score {
			best, score = m, n
		}
	}
	return best
}

// invoke compiles the call of a method that was chosen.
func (c *compiler) invoke(m *method, on *Type, receiver *expr, args []*expr, vars map[string]*Type, spread bool, line int) *expr {
	values := make([]*expr, len(m.params))
	for i, p := range m.params {
		t := p.substitute(vars)
		if spread && i == len(m.params)-1 {
			values[i] = c.packed(args[i:], t, line)
			continue
		}
		values[i] = c.passed(args[i], t)
	}
	ret := m.ret.substitute(vars)
	open := m.ret.kind == kVar
	if ret.kind == kVar || ret.kind == kAny || ret.kind == kWild {
		ret = object(ret)
	}
	if m.name == "getClass" && len(args) == 0 {
		ret = classType("Class", &Type{kind: kWild})
	}
	check := open && ret.kind == kClass && ret.class.name != "Object" || open && ret.kind == kArray
	text := ""
	if receiver != nil || m.static {
		owner := on
		if m.static || m.owner.name == "Object" && on.class.kind == "interface" {
			owner = classType(m.owner.name)
		}
		text = m.descriptor(owner)
	}
	static := m.static
	out := &expr{typ: ret, line: line, inferred: len(m.vars) > 0 || static && len(m.owner.params) > 0}
	out.why = func() string { return `the return value of "` + text + `"` }
	out.run = func(f *frame) any {
		mach := f.m
		mach.step(1)
		buf := make([]any, 0, 4)
		if receiver != nil {
			r := receiver.run(f)
			if !static {
				buf = append(buf, r)
			}
		}
		for _, v := range values {
			buf = append(buf, v.run(f))
		}
		if !static && buf[0] == nil {
			mach.null(`Cannot invoke "`+text+`"`, receiver)
		}
		v := m.run(mach, buf)
		if check && v != nil && !isA(v, ret) {
			if ret.kind == kArray {
				mach.limit("an array of another kind than its type says")
			}
			mach.cannotCast(v, ret.class)
		}
		return v
	}
	return out
}

// packed makes an array of arguments.
func (c *compiler) packed(args []*expr, t *Type, line int) *expr {
	elem := t.elem
	if elem.kind == kVar || elem.kind == kAny {
		elem = classType("Object")
	}
	values := make([]*expr, len(args))
	for i, a := range args {
		values[i] = c.passed(a, elem)
	}
	return &expr{typ: t, line: line, run: func(f *frame) any {
		f.m.alloc(len(values))
		out := &array{elem: elem, v: make([]any, len(values))}
		for i, v := range values {
			out.v[i] = v.run(f)
		}
		return out
	}}
}

// passed is an argument as a parameter takes it.
func (c *compiler) passed(x *expr, t *Type) *expr {
	if t.kind == kVar || t.kind == kAny || t.kind == kWild {
		return x
	}
	return c.convert(x, t)
}

// choose picks among overloads as Java does: without boxing, with it, and with
// arguments packed into an array. A nil method and true means that none is best.
// Source: Java Language Specification 15.12.2.
func (c *compiler) choose(list []*method, on *Type, args []*expr) (*method, map[string]*Type, bool) {
	for phase := range 3 {
		type fit struct {
			m    *method
			vars map[string]*Type
		}
		var fits []fit
		for _, m := range list {
			if vars, ok := m.takes(on, args, phase); ok {
				fits = append(fits, fit{m, vars})
			}
		}
		for _, a := range fits {
			best := true
			for _, b := range fits {
				best = best && (a.m == b.m || a.m.narrower(b.m, len(args), phase == 2))
			}
			if best {
				return a.m, a.vars, phase == 2
			}
		}
		if len(fits) > 0 {
			return nil, nil, true
		}
	}
	return nil, nil, false
}

// takes says whether a method takes arguments, and what its type variables are then.
func (m *method) takes(on *Type, args []*expr, phase int) (map[string]*Type, bool) {
	params := m.params
	if phase == 2 {
		if !m.variadic || len(args) < len(params)-1 {
			return nil, false
		}
		last := params[len(params)-1]
		params = append([]*Type(nil), params[:len(params)-1]...)
		for len(params) < len(args) {
			params = append(params, last.elem)
		}
	}
	if len(params) != len(args) {
		return nil, false
	}
	vars := m.varsOn(on)
	if len(m.vars) > 0 {
		vars = cloned(vars)
		for i, p := range params {
			infer(p, args[i].typ, m.vars, vars)
		}
		for _, v := range m.vars {
			if vars[v] == nil {
				vars[v] = tAny
			}
		}
	}
	for i, p := range params {
		t := p.substitute(vars)
		if t.kind == kVar || t.kind == kAny || t.kind == kWild {
			if args[i].typ.primitive() && phase == 0 || args[i].typ == tVoid {
				return nil, false
			}
			if t.kind == kWild && t.elem != nil && !args[i].typ.converts(t.elem, true) {
				return nil, false
			}
			continue
		}
		if !args[i].typ.converts(t, phase > 0) {
			return nil, false
		}
	}
	return vars, true
}

func cloned(m map[string]*Type) map[string]*Type {
	out := make(map[string]*Type, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// infer learns the type variables of a method from one argument.
func infer(p, arg *Type, open []string, vars map[string]*Type) {
	switch {
	case p.kind == kVar && slices.Contains(open, p.name):
		if arg.kind == kNull {
			return
		}
		arg = arg.boxed().upper()
		switch have := vars[p.name]; {
		case have == nil || have.fits(arg):
			vars[p.name] = arg
		case !arg.fits(have):
			vars[p.name] = tAny
		}
	case p.kind == kArray && arg.kind == kArray:
		if !(p.elem.kind == kVar && arg.elem.primitive()) {
			infer(p.elem, arg.elem, open, vars)
		}
	case p.kind == kWild && p.elem != nil:
		infer(p.elem, arg.upper(), open, vars)
	case p.kind == kClass && len(p.args) > 0:
		if up := arg.upper().as(p.class); up != nil {
			for i := range min(len(up.args), len(p.args)) {
				infer(p.args[i], up.args[i], open, vars)
			}
		}
	}
}

// narrower says whether every call of m could be one of o.
func (m *method) narrower(o *method, n int, spread bool) bool {
	param := func(x *method, i int) *Type {
		if spread && i >= len(x.params)-1 {
			return x.params[len(x.params)-1].elem
		}
		return x.params[i]
	}
	for i := range n {
		a, b := param(m, i), param(o, i)
		if !a.primitive() && b.kind == kVar || b.kind == kClass && b.class.name == "Object" && !a.primitive() {
			continue
		}
		if !a.converts(b, false) {
			return false
		}
	}
	return true
}

// creation is new T(…).
func (c *compiler) creation(n *creation) *expr {
	line := n.at()
	t := c.resolve(n.typ)
	args, ok := c.arguments(n.args)
	if t == nil || !ok {
		return bad(line)
	}
	if t.kind != kClass {
		c.fail(line, "Syntax error")
		return bad(line)
	}
	if t.class.kind == "interface" || t.is("Number") {
		c.fail(line, "Cannot instantiate the type "+t.String())
		return bad(line)
	}
	if n.typ.diamond {
		c.diamond(t)
		return bad(line)
	}
	m, vars, spread := c.choose(t.class.makers, t, args)
	if m == nil {
		if k := known().members[t.class.full]; k == nil || k["<init>"] > len(t.class.makers) && !spread {
			panic(&Limit{"the constructor " + t.class.name + "(" + typesOf(args) + ")"})
		}
		c.fail(line, "The constructor "+t.class.name+"("+typesOf(args)+") is undefined")
		return bad(line)
	}
	values := make([]*expr, len(args))
	for i, a := range args {
		p := m.params[i].substitute(t.bindings()).substitute(vars)
		if !a.typ.primitive() && p.kind == kClass && !a.typ.fits(p) {
			c.fail(line, "The constructor "+t.String()+"("+typesOf(args)+") is undefined")
			return bad(line)
		}
		values[i] = c.passed(a, p)
	}
	return &expr{typ: t, line: line, why: func() string { return "" }, run: func(f *frame) any {
		f.m.step(1)
		buf := make([]any, len(values))
		for i, v := range values {
			buf[i] = v.run(f)
		}
		return m.run(f.m, buf)
	}}
}

func (c *compiler) cloned(x *expr, t *Type) *expr {
	return &expr{typ: t, line: x.line, run: func(f *frame) any {
		a, ok := x.run(f).(*array)
		if !ok {
			f.m.null(`Cannot invoke "`+t.erased()+`.clone()"`, x)
		}
		f.m.alloc(len(a.v))
		return &array{elem: a.elem, v: slices.Clone(a.v)}
	}}
}
