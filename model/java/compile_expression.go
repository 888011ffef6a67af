package java

import (
	"strconv"
	"strings"
)

func (c *compiler) expr(n node) *expr {
	switch n := n.(type) {
	case *literal:
		return c.literal(n)
	case *nameRef:
		return c.name(n)
	case *member:
		return c.member(n)
	case *call:
		return c.call(n)
	case *index:
		return c.index(n)
	case *creation:
		return c.creation(n)
	case *newArray:
		return c.newArray(n)
	case *unary:
		if n.op == "!" {
			return c.logical(n)
		}
		return c.unary(n)
	case *step:
		return c.step(n)
	case *infix:
		if n.op == "&&" || n.op == "||" {
			return c.logical(n)
		}
		return c.binary(n.op, c.expr(n.x), c.expr(n.y), n.at())
	case *ternary:
		return c.ternary(n)
	case *assign:
		return c.assign(n)
	case *cast:
		return c.cast(n)
	case *instanceOf:
		return c.instanceOf(n)
	case *classRef:
		t := c.resolve(n.typ)
		if t == nil {
			return bad(n.at())
		}
		if t.kind != kClass {
			panic(&Limit{"the class of a primitive type or array"})
		}
		return &expr{typ: classType("Class", t), line: n.at(), run: func(*frame) any { return classObject{t.class} }}
	}
	panic("java: unknown expression")
}

func constant(t *Type, v any, line int) *expr {
	return &expr{typ: t, konst: v, line: line, run: func(*frame) any { return v }}
}

func (c *compiler) literal(n *literal) *expr {
	line := n.at()
	switch n.kind {
	case tokString:
		return constant(classType("String"), n.value, line)
	case tokChar:
		return constant(tChar, toUnits(n.value)[0], line)
	case tokInt, tokLong:
		return c.integer(n.text, n.kind == tokLong, line)
	case tokFloat:
		f, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(n.text, "_", ""), "fF"), 32)
		if err != nil {
			c.fail(line, "The literal "+n.text+" of type float is out of range ")
			return bad(line)
		}
		return constant(tFloat, float32(f), line)
	case tokDouble:
		f, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(n.text, "_", ""), "dD"), 64)
		if err != nil {
			c.fail(line, "The literal "+n.text+" of type double is out of range ")
			return bad(line)
		}
		return constant(tDouble, f, line)
	}
	switch n.text {
	case "true", "false":
		return constant(tBoolean, n.text == "true", line)
	}
	return &expr{typ: tNull, line: line, run: func(*frame) any { return nil }, why: func() string { return `"null"` }}
}

func (c *compiler) integer(text string, long bool, line int) *expr {
	s := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	t, width := tInt, 32
	if long {
		t, width, s = tLong, 64, strings.TrimSuffix(s, "l")
	}
	digits, negative := strings.CutPrefix(s, "-")
	base := 10
	switch {
	case strings.HasPrefix(digits, "0x"):
		base, digits = 16, digits[2:]
	case strings.HasPrefix(digits, "0b"):
		base, digits = 2, digits[2:]
	case len(digits) > 1 && digits[0] == '0':
		base, digits = 8, digits[1:]
	}
	u, err := strconv.ParseUint(digits, base, 64)
	limit := uint64(1) << (width - 1)
	if base == 10 && !negative {
		limit--
	} else if base != 10 {
		limit = 1<<(width-1) - 1 + 1<<(width-1)
	}
	if err != nil || u > limit {
		c.fail(line, "The literal "+strings.TrimPrefix(text, "-")+" of type "+t.name+" is out of range ")
		return bad(line)
	}
	v := int64(u)
	if width == 32 {
		v = int64(int32(u))
	}
	if negative {
		v = -v
	}
	return constant(t, convert(v, t.kind), line)
}

// isValue says whether a dotted name begins with a variable.
func (c *compiler) isValue(text string) bool {
	first, _, _ := strings.Cut(text, ".")
	return c.lookup(first) != nil || first == "udfContext"
}

func (c *compiler) isClass(text string, line int) bool { return c.classOf(text, line) != nil }

func (c *compiler) name(n *nameRef) *expr {
	line := n.at()
	v := c.lookup(n.name)
	if v == nil {
		if n.name == "udfContext" {
			return &expr{typ: classType("UDFContext"), line: line, run: func(f *frame) any { return f.m.on }}
		}
		c.fail(line, n.name+" cannot be resolved to a variable")
		return bad(line)
	}
	if !c.now.has(v.slot) {
		c.flaw(line, "The local variable "+n.name+" may not have been initialized")
		c.now.set(v.slot)
	}
	if v.typ == nil {
		return bad(line)
	}
	if v.konst != nil {
		return constant(v.typ, v.konst, line)
	}
	v.used = true
	slot := v.slot
	return &expr{typ: v.typ, line: line, run: func(f *frame) any { return f.vars[slot] }, why: v.text}
}

func (c *compiler) member(n *member) *expr {
	line := n.at()
	text, ok := dotted(n)
	if ok && !c.isValue(text) {
		owner := text[:strings.LastIndexByte(text, '.')]
		k := c.classOf(owner, line)
		if i := strings.LastIndexByte(owner, '.'); k == nil && i > 0 && c.isClass(owner[:i], line) {
			x := c.expr(n.of)
			if x.typ != nil && x.typ.primitive() {
				c.fail(line, "The primitive type "+x.typ.String()+" of "+owner+" does not have a field "+n.name)
			} else if x.typ != nil {
				c.fail(line, n.name+" cannot be resolved or is not a field")
			}
			return bad(line)
		}
		if k == nil {
			c.fail(line, text+" cannot be resolved to a type")
			return bad(line)
		}
		f, ok := k.fields[n.name]
		if !ok {
			if known().members[k.full]["."+n.name] > 0 {
				panic(&Limit{"the field " + k.name + "." + n.name})
			}
			c.fail(line, n.name+" cannot be resolved or is not a field")
			return bad(line)
		}
		if f.typ.primitive() {
			return constant(f.typ, f.value, line)
		}
		return &expr{typ: f.typ, line: line, run: func(*frame) any { return f.value }}
	}
	x := c.expr(n.of)
	if x.typ == nil {
		return bad(line)
	}
	if x.typ.kind == kArray && n.name == "length" {
		return &expr{typ: tInt, line: line, run: func(f *frame) any {
			a, ok := x.run(f).(*array)
			if !ok {
				f.m.null("Cannot read the array length", x)
			}
			return int32(len(a.v))
		}}
	}
	if x.typ.primitive() {
		c.fail(line, "The primitive type "+x.typ.String()+" of "+n.name+" does not have a field "+n.name)
		return bad(line)
	}
	if x.typ.kind == kClass && known().members[x.typ.class.full]["."+n.name] > 0 {
		panic(&Limit{"the field " + x.typ.class.name + "." + n.name + " of an object"})
	}
	c.fail(line, n.name+" cannot be resolved or is not a field")
	return bad(line)
}

// convert changes a value into another type: boxes are opened, numbers widened.
// The types allow it.
func (c *compiler) convert(x *expr, t *Type) *expr {
	if x.typ == nil || t == nil {
		return bad(x.line)
	}
	from := x.typ
	if t.primitive() && !from.primitive() {
		in := from.unboxed()
		action := `Cannot invoke "` + from.class.full + "." + in.name + `Value()"`
		y := x
		x = &expr{typ: in, line: y.line, run: func(f *frame) any {
			v := y.run(f)
			if v == nil {
				f.m.null(action, y)
			}
			return v
		}, why: func() string { return "the return value of " + strings.TrimPrefix(action, "Cannot invoke ") }}
		from = in
	}
	if t.primitive() && from.kind != t.kind {
		y, k := x, t.kind
		x = &expr{typ: t, line: y.line, run: func(f *frame) any { return convert(y.run(f), k) }}
		if y.konst != nil {
			x.konst = convert(y.konst, k)
		}
	}
	if x.typ == t {
		return x
	}
	z := *x
	z.typ = t
	return &z
}

// assigned is a value in an assignment to a type.
func (c *compiler) assigned(x *expr, t *Type) *expr {
	if x.typ == nil || t == nil {
		return bad(x.line)
	}
	if x.typ.converts(t, true) {
		if !x.typ.primitive() && !t.primitive() {
			z := *x
			z.typ = t
			return &z
		}
		return c.convert(x, t)
	}
	// A constant that fits may be narrowed, also on its way into a box.
	if in := t.unboxed(); in != nil && x.konst != nil && x.typ.kind >= kByte && x.typ.kind <= kInt && (in.kind == kByte || in.kind == kShort || in.kind == kChar) {
		n := toLong(x.konst)
		if toLong(convert(n, in.kind)) == n {
			return constant(t, convert(n, in.kind), x.line)
		}
	}
	if x.inferred && !x.typ.primitive() && !t.primitive() {
		panic(&Limit{"a generic method whose type arguments follow from where its result goes"})
	}
	c.fail(x.line, "Type mismatch: cannot convert from "+x.typ.String()+" to "+t.String())
	return bad(x.line)
}

func (c *compiler) undefined(op string, line int, xs ...*expr) *expr {
	c.fail(line, "The operator "+op+" is undefined for the argument type(s) "+typesOf(xs))
	return bad(line)
}

func (c *compiler) unary(n *unary) *expr {
	x := c.expr(n.x)
	if x.typ == nil {
		return bad(n.at())
	}
	in := x.typ.unboxed()
	if in == nil || !in.numeric() || n.op == "~" && !in.integral() {
		return c.undefined(n.op, n.at(), x)
	}
	t := in
	if t.kind < kInt {
		t = tInt
	}
	y := c.convert(x, t)
	out := &expr{typ: t, line: n.at()}
	switch n.op {
	case "+":
		out.run = y.run
	case "-":
		out.run = func(f *frame) any { return negate(y.run(f)) }
	default:
		if t.kind == kLong {
			out.run = func(f *frame) any { return ^y.run(f).(int64) }
		} else {
			out.run = func(f *frame) any { return ^y.run(f).(int32) }
		}
	}
	return c.folded(out, y.konst != nil)
}

// folded computes an expression of constants.
func (c *compiler) folded(x *expr, constants bool) *expr {
	if !constants {
		return x
	}
	func() {
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(thrown); !ok {
					panic(r)
				}
			}
		}()
		x.konst = x.run(&frame{m: &machine{}})
	}()
	if s, ok := x.konst.(string); ok && len(s) > 1<<16 {
		panic(&Limit{"a constant text that long"})
	}
	if x.konst != nil {
		return constant(x.typ, x.konst, x.line)
	}
	return x
}

func (c *compiler) binary(op string, x, y *expr, line int) *expr {
	if x.typ == nil || y.typ == nil {
		return bad(line)
	}
	if x.typ == tVoid || y.typ == tVoid {
		return c.undefined(op, line, x, y)
	}
	constants := x.konst != nil && y.konst != nil
	if op == "+" && (x.typ.is("String") || y.typ.is("String")) {
		return c.folded(&expr{typ: classType("String"), line: line, why: func() string { return "" }, run: func(f *frame) any {
			a := x.run(f)
			return f.m.concat(a, y.run(f))
		}}, constants)
	}
	if op == "==" || op == "!=" {
		if !x.typ.primitive() && !y.typ.primitive() {
			return c.identical(op, x, y, line)
		}
	}
	a, b := x.typ.unboxed(), y.typ.unboxed()
	if a == nil || b == nil {
		return c.undefined(op, line, x, y)
	}
	out := &expr{line: line}
	switch op {
	case "<<", ">>", ">>>":
		if !a.integral() || !b.integral() {
			return c.undefined(op, line, x, y)
		}
		out.typ = primitives[kindNames[max(a.kind, kInt)]]
		p, q := c.convert(x, out.typ), c.convert(y, b)
		out.run = func(f *frame) any {
			v := p.run(f)
			f.m.step(1)
			return shift(op, v, toLong(q.run(f)))
		}
		return c.folded(out, constants)
	}
	if a.kind == kBoolean && b.kind == kBoolean {
		p, q := c.convert(x, tBoolean), c.convert(y, tBoolean)
		out.typ = tBoolean
		var of func(u, v bool) bool
		switch op {
		case "==":
			of = func(u, v bool) bool { return u == v }
		case "!=", "^":
			of = func(u, v bool) bool { return u != v }
		case "&":
			of = func(u, v bool) bool { return u && v }
		case "|":
			of = func(u, v bool) bool { return u || v }
		default:
			return c.undefined(op, line, x, y)
		}
		out.run = func(f *frame) any {
			u := p.run(f).(bool)
			return of(u, q.run(f).(bool))
		}
		return c.folded(out, constants)
	}
	if !a.numeric() || !b.numeric() || strings.Contains("&|^", op) && (!a.integral() || !b.integral()) {
		return c.undefined(op, line, x, y)
	}
	t := primitives[kindNames[promoted(a.kind, b.kind)]]
	out.typ = t
	if strings.Contains("== != <= >=", op) {
		out.typ = tBoolean
	}
	p, q, run := c.convert(x, t), c.convert(y, t), operation(op, t.kind)
	out.run = func(f *frame) any {
		u := p.run(f)
		f.m.step(1)
		return run(f.m, u, q.run(f))
	}
	return c.folded(out, constants)
}

// concat is + of texts.
func (m *machine) concat(a, b any) string {
	s, t := m.toText(a), m.toText(b)
	m.alloc(1 + (len(s)+len(t))/8)
	return m.text(join(s, t))
}

// identical compares references; where Java would compare the identity of objects
// that are only values here, the body is refused.
func (c *compiler) identical(op string, x, y *expr, line int) *expr {
	equal := op == "=="
	if x.typ != tNull && y.typ != tNull {
		if !castable(x.typ, y.typ) {
			c.fail(line, "Incompatible operand types "+x.typ.String()+" and "+y.typ.String())
			return bad(line)
		}
		for _, t := range []*Type{x.typ, y.typ} {
			if !identifiable(t) {
				panic(&Limit{"comparing two objects with " + op + ", which asks for their identity (equals compares their values),"})
			}
		}
	}
	return &expr{typ: tBoolean, line: line, run: func(f *frame) any {
		a := x.run(f)
		return (a == y.run(f)) == equal
	}}
}

// identifiable are the types whose values have the identity here that they have
// in Java.
func identifiable(t *Type) bool {
	if t.kind == kArray {
		return true
	}
	if t.kind != kClass {
		return false
	}
	switch t.class.name {
	case "Boolean", "Byte", "RoundingMode", "Date", "StringBuilder", "StringBuffer", "ByteBuffer", "TupleValue", "UDTValue",
		"List", "ArrayList", "LinkedList", "HashMap", "LinkedHashMap", "TreeMap", "Map", "HashSet", "LinkedHashSet", "TreeSet":
		return true
	}
	return t.class.under(classNamed("Throwable"))
}
