package java

import "strings"

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
