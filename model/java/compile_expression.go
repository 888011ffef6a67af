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

// kindText is how messages about arrays name their elements.
func kindText(t *Type) string {
	switch {
	case t.kind == kByte || t.kind == kBoolean:
		return "byte/boolean"
	case t.primitive():
		return t.name
	}
	return "object"
}

// indexed compiles array and index, and what messages call the element.
func (c *compiler) indexed(n *index) (a, i *expr, elem *Type) {
	a, i = c.expr(n.of), c.expr(n.i)
	if i.typ != nil {
		in := i.typ.unboxed()
		if in == nil || !in.widens(tInt) {
			c.fail(n.at(), "Type mismatch: cannot convert from "+i.typ.String()+" to int")
			i = bad(i.line)
		} else {
			i = c.convert(i, tInt)
		}
	}
	if a.typ == nil || i.typ == nil {
		return a, i, nil
	}
	if a.typ.kind != kArray {
		c.fail(n.at(), "The type of the expression must be an array type but it resolved to "+a.typ.String())
		return a, i, nil
	}
	return a, i, a.typ.elem
}

// element checks an array and an index.
func (m *machine) element(of, i any, x *expr, action string) (*array, int) {
	a, ok := of.(*array)
	if !ok {
		m.null("Cannot "+action+" "+kindText(x.typ.elem)+" array", x)
	}
	return a, m.index(i.(int32), len(a.v), "ArrayIndexOutOfBoundsException")
}

func (c *compiler) index(n *index) *expr {
	a, i, elem := c.indexed(n)
	if elem == nil {
		return bad(n.at())
	}
	why := func() string {
		if a.why == nil || a.why() == "" || !strings.HasPrefix(a.why(), `"<`) {
			return ""
		}
		at := "..."
		if i.konst != nil {
			at = decimalText(toLong(i.konst))
		} else if i.why != nil && i.why() != "" {
			at = strings.Trim(strings.TrimPrefix(i.why(), "the return value of "), `"`)
		}
		return strings.TrimSuffix(a.why(), `"`) + "[" + at + `]"`
	}
	return &expr{typ: elem, line: n.at(), why: why, run: func(f *frame) any {
		of := a.run(f)
		arr, at := f.m.element(of, i.run(f), a, "load from")
		return arr.v[at]
	}}
}

func (c *compiler) newArray(n *newArray) *expr {
	line := n.at()
	if n.typ == nil {
		c.fail(line, "Array constants can only be used in initializers")
		return bad(line)
	}
	t := c.resolve(n.typ)
	if t == nil {
		return bad(line)
	}
	if n.given {
		return c.arrayOf(n.init, t, line)
	}
	var sizes []*expr
	for _, s := range n.sizes {
		x := c.expr(s)
		if x.typ == nil {
			return bad(line)
		}
		if in := x.typ.unboxed(); in == nil || !in.widens(tInt) {
			c.fail(line, "Type mismatch: cannot convert from "+x.typ.String()+" to int")
			return bad(line)
		}
		sizes = append(sizes, c.convert(x, tInt))
	}
	return &expr{typ: t, line: line, run: func(f *frame) any {
		n := make([]int32, len(sizes))
		for i, s := range sizes {
			n[i] = s.run(f).(int32)
		}
		for _, k := range n {
			if k < 0 {
				f.m.throw("NegativeArraySizeException", decimalText(int64(k)))
			}
		}
		return f.m.makeArray(t, n)
	}}
}

func (m *machine) makeArray(t *Type, sizes []int32) any {
	m.alloc(1 + int(sizes[0]))
	a := &array{elem: t.elem, v: make([]any, sizes[0])}
	for i := range a.v {
		if len(sizes) > 1 {
			a.v[i] = m.makeArray(t.elem, sizes[1:])
		} else {
			a.v[i] = zero(t.elem)
		}
	}
	return a
}

// arrayOf is an array of given elements.
func (c *compiler) arrayOf(init []node, t *Type, line int) *expr {
	var values []*expr
	for _, n := range init {
		values = append(values, c.initial(n, t.elem))
	}
	return &expr{typ: t, line: line, run: func(f *frame) any {
		f.m.alloc(1 + len(values))
		a := &array{elem: t.elem, v: make([]any, len(values))}
		for i, v := range values {
			a.v[i] = v.run(f)
		}
		return a
	}}
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
