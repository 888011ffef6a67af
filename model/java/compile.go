package java

import (
	"strconv"
	"strings"
)

// expr is a compiled expression. A nil typ is one whose mistake was told already.
type expr struct {
	typ      *Type
	run      func(f *frame) any
	konst    any           // of a constant expression
	why      func() string // what messages about null call it; nil or "" where they do not
	line     int
	inferred bool // its type arguments were inferred from its arguments alone
}

// frame is one call: the values of its variables.
type frame struct {
	m      *machine
	vars   []any
	result any
	target *target // of a break or continue on its way
}

// local is a variable. pos is its place in the frame of the virtual machine, as
// messages about null name it; -1 for variables that nobody reads.
type local struct {
	name   string
	typ    *Type
	slot   int
	param  int // from 1; 0 for variables
	final  bool
	konst  any
	used   bool
	pos    int
	thrown []*Type // of a catch parameter: checked exceptions that it may hold
	catch  bool
}

type scope struct {
	parent *scope
	names  map[string]*local
	items  []any // *local and *scope in order
}

type compiler struct {
	function string
	fn       *Function
	ret      *Type
	errs     []note // of names and types
	flow     []note // of the order of execution
	ends     bool   // the end is reached without a result
	scope    *scope
	root     *scope
	slots    int
	now      state
	jumps    []*target
	tries    []*guard
}

// guard is an enclosing try: what its catches take, and the checked exceptions
// thrown inside.
type guard struct {
	catches []*Type
	thrown  []*Type
}

// Function is a compiled body.
type Function struct {
	on     *Context
	called bool // on null
	run    func(f *frame) ctl
	slots  int
}

// Compile makes a function of a body. called says that it is called on null input:
// then arguments and result are objects. The error is a *CompileError, a *Refused
// or a *Limit.
func Compile(name, src string, on *Context, called bool) (fn *Function, err error) {
	list, err := parse(src)
	if err != nil {
		return nil, err
	}
	c := &compiler{function: name, fn: &Function{on: on, called: called}, ret: typeOf(on.Returns, !called)}
	c.scope = &scope{names: map[string]*local{}}
	c.root = c.scope
	defer func() {
		if x := recover(); x != nil {
			l, ok := x.(*Limit)
			if !ok {
				panic(x)
			}
			fn, err = nil, l
		}
	}()
	for i, n := range on.Names {
		v := c.declare(0, n, typeOf(on.Args[i], !called))
		v.param, v.used = i+1, true
		c.now.set(v.slot)
	}
	run := c.body(list)
	if !c.now.dead && len(c.errs) == 0 {
		c.ends = true
	}
	if len(c.errs) == 0 && (len(c.flow) > 0 || c.ends) {
		c.errs = c.flow
	}
	if len(c.errs) > 0 || c.ends {
		e := &CompileError{lines: c.errs}
		if c.ends {
			e.problem, e.source = generatedError(name, src, on, called, c.ret)
		}
		return nil, e
	}
	c.place()
	c.fn.run, c.fn.slots = run, c.slots
	return c.fn, nil
}

// Call runs a function on the bytes of its arguments. A failure is a *Failure, or
// a *Limit for what only shows in execution.
func (fn *Function) Call(args [][]byte) (out []byte, err error) {
	err = fn.protect(func(m *machine) {
		out = m.toCQL(fn.on.Returns, fn.execute(m, nil, args))
	})
	return out, err
}

// State is the first state of an aggregate whose state function this is: a value
// for Fold.
func (fn *Function) State(initial []byte) (state any, err error) {
	err = fn.protect(func(m *machine) { state = m.fromCQL(fn.on.Returns, initial) })
	return state, err
}

// Fold runs a state function on a state and the bytes of the other arguments. The
// state before may not be used any more.
func (fn *Function) Fold(state any, args [][]byte) (next any, err error) {
	err = fn.protect(func(m *machine) { next = fn.execute(m, []any{state}, args) })
	return next, err
}

// Finish runs a final function on a state.
func (fn *Function) Finish(state any) (out []byte, err error) {
	err = fn.protect(func(m *machine) {
		out = m.toCQL(fn.on.Returns, fn.execute(m, []any{state}, nil))
	})
	return out, err
}

// Bytes are those of a state.
func (fn *Function) Bytes(state any) (out []byte, err error) {
	err = fn.protect(func(m *machine) { out = m.toCQL(fn.on.Returns, state) })
	return out, err
}

// execute runs the body on values and then on bytes.
func (fn *Function) execute(m *machine, values []any, args [][]byte) any {
	f := &frame{m: m, vars: make([]any, fn.slots)}
	for i, t := range fn.on.Args {
		var v any
		if i < len(values) {
			v = values[i]
		} else {
			v = m.fromCQL(t, args[i-len(values)])
		}
		if j := typeOf(t, !fn.called); v == nil && j.primitive() {
			v = zero(j)
		}
		f.vars[i] = v
	}
	fn.run(f)
	return f.result
}

// protect turns what ends a call from inside into errors.
func (fn *Function) protect(run func(m *machine)) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case thrown:
			err = &Failure{Text: x.x.String()}
		case stopped:
			err = &Failure{Stopped: true}
			if x.memory {
				err = &Failure{Text: "java.lang.OutOfMemoryError: Java heap space"}
			}
		case *Limit:
			err = x
		default:
			panic(x)
		}
	}()
	run(&machine{on: fn.on})
	return nil
}

func (c *compiler) fail(line int, text string) { c.errs = append(c.errs, note{line, text}) }

func (c *compiler) flaw(line int, text string) { c.flow = append(c.flow, note{line, text}) }

// bad is an expression with a mistake that was told.
func bad(line int) *expr { return &expr{line: line} }

func (c *compiler) open() func() {
	s := &scope{parent: c.scope, names: map[string]*local{}}
	c.scope.items = append(c.scope.items, s)
	c.scope = s
	return func() { c.scope = s.parent }
}

func (c *compiler) lookup(name string) *local {
	for s := c.scope; s != nil; s = s.parent {
		if v := s.names[name]; v != nil {
			return v
		}
	}
	return nil
}

func (c *compiler) declare(line int, name string, t *Type) *local {
	if c.lookup(name) != nil {
		c.fail(line, "Duplicate local variable "+name)
	}
	v := &local{name: name, typ: t, slot: c.slots}
	c.slots++
	c.scope.names[name] = v
	c.scope.items = append(c.scope.items, v)
	return v
}

// hidden is a variable that the compiler makes for itself, in the scope at hand.
func (c *compiler) hidden(t *Type) *local {
	v := &local{typ: t, used: true}
	c.scope.items = append(c.scope.items, v)
	return v
}

// place gives variables their places in the virtual machine's frame: this comes
// first, wide types take two, and what is never read takes none.
func (c *compiler) place() { c.root.place(1) }

func (s *scope) place(at int) {
	for _, i := range s.items {
		switch x := i.(type) {
		case *scope:
			x.place(at)
		case *local:
			x.pos = -1
			if x.used {
				x.pos = at
				at++
				if x.typ != nil && (x.typ.kind == kLong || x.typ.kind == kDouble) {
					at++
				}
			}
		}
	}
}

// text is how messages about null name the variable.
func (v *local) text() string {
	if v.param > 0 {
		return `"<parameter` + strconv.Itoa(v.param) + `>"`
	}
	return `"<local` + strconv.Itoa(v.pos) + `>"`
}

// null throws what an action on null throws.
func (m *machine) null(action string, x *expr) {
	if x.why != nil {
		if why := x.why(); why != "" {
			action += " because " + why + " is null"
		}
	}
	m.throw("NullPointerException", action)
}

// resolve makes a type of its name; nil if there is none, which is told.
func (c *compiler) resolve(t *typeName) *Type {
	if t.name == "?" {
		w := &Type{kind: kWild}
		if t.bound != nil {
			w.elem = c.resolve(t.bound)
		}
		return w
	}
	base := primitives[t.name]
	if base == nil {
		k := c.classOf(t.name, t.line)
		if k == nil {
			c.fail(t.line, t.name+" cannot be resolved to a type")
			return nil
		}
		base = &Type{kind: kClass, class: k}
		if t.diamond {
			return base
		}
		for _, a := range t.args {
			r := c.resolve(a)
			if r == nil {
				return nil
			}
			if r.primitive() {
				c.fail(t.line, `Syntax error, insert "Dimensions" to complete ReferenceType`)
				return nil
			}
			base.args = append(base.args, r)
		}
		if n := len(base.args); n > 0 && len(k.params) == 0 {
			c.fail(t.line, "The type "+k.name+" is not generic; it cannot be parameterized with arguments <"+strings.TrimSuffix(strings.TrimPrefix(base.String(), k.name+"<"), ">")+">")
			return nil
		} else if n > 0 && n != len(k.params) {
			c.fail(t.line, "Incorrect number of arguments for type "+k.name+"<"+strings.Join(k.params, ",")+">; it cannot be parameterized with arguments <"+
				strings.TrimSuffix(strings.TrimPrefix(base.String(), k.name+"<"), ">")+">")
			return nil
		}
	}
	return arrayOf(base, t.dims)
}

// classOf is the class that a name means in a body, nil for none. One that Java has
// and this package does not know ends the compilation.
func (c *compiler) classOf(name string, line int) *class {
	k := classes()[name]
	if k != nil && k.kind != "hidden" && (k.plain || k.full == name) {
		return k
	}
	if strings.Contains(name, ".") {
		if usable(name) {
			panic(&Limit{"the class " + name})
		}
		return nil
	}
	for _, pkg := range []string{"java.lang.", "java.util."} {
		if usable(pkg + name) {
			panic(&Limit{"the class " + name})
		}
	}
	return nil
}
