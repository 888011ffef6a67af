package java

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// class is a class or interface of the library.
type class struct {
	name    string // simple: List, Map.Entry
	full    string // java.util.List, java.util.Map.Entry
	params  []string
	supers  []*Type
	methods map[string][]*method
	makers  []*method
	fields  map[string]field
	plain   bool // in scope without its package
	kind    string
}

type field struct {
	typ   *Type
	value any
}

// binary is the name that the virtual machine has: java.util.Map$Entry.
func (c *class) binary() string {
	return strings.TrimSuffix(c.full, c.name) + strings.ReplaceAll(c.name, ".", "$")
}

// body computes a method; a[0] is the receiver unless the method is static.
type body func(m *machine, a []any) any

// method is a method or constructor of the library.
type method struct {
	owner    *class
	name     string
	vars     []string
	params   []*Type
	ret      *Type
	static   bool
	variadic bool
	run      body
}

// descriptor is how the virtual machine's messages name a call on a type.
func (m *method) descriptor(on *Type) string {
	names := make([]string, len(m.params))
	for i, p := range m.params {
		names[i] = p.erased()
	}
	return on.erased() + "." + m.name + "(" + strings.Join(names, ", ") + ")"
}

// declaration is a class as the library's files write it: "java.util.List<E> :
// Collection<E>", its methods by their signature, its constants by type and name.
type declared struct {
	head    string
	methods map[string]body
	fields  map[string]any
}

// members are methods by signature; constants stand beside them.
type members = map[string]body

// classes is the library by simple and by full name.
var classes func() map[string]*class

func init() { classes = sync.OnceValue(library) }

func library() map[string]*class {
	lib := map[string]*class{}
	var list []*class
	all := slices.Concat(langClasses(), textClasses(), numberClasses(), bigClasses(), collectionClasses(), mapClasses(), utilClasses(), cassandraClasses(), exceptionClasses())
	for _, d := range all {
		head, _, _ := strings.Cut(d.head, " : ")
		kind, full, _ := strings.Cut(head, " ")
		full, params, _ := strings.Cut(full, "<")
		c := &class{full: full, methods: map[string][]*method{}, fields: map[string]field{}, kind: kind}
		if params != "" {
			c.params = strings.Split(strings.TrimSuffix(params, ">"), ", ")
		}
		i := strings.LastIndexByte(full, '.')
		if j := strings.LastIndexByte(full[:i], '.'); full[j+1] >= 'A' && full[j+1] <= 'Z' {
			i = j // Map.Entry
		}
		c.name = full[i+1:]
		pkg := full[:i]
		c.plain = pkg == "java.lang" || pkg == "java.util" || c.name == "ByteBuffer" || c.name == "TupleValue" || c.name == "UDTValue" || c.name == "UDFContext"
		lib[full], lib[c.name] = c, c
		list = append(list, c)
	}
	for i, d := range all {
		list[i].fill(d, lib)
	}
	return lib
}

// classNamed is a class of the library by its simple or full name.
func classNamed(name string) *class {
	c := classes()[name]
	if c == nil {
		panic("java: the library has no class " + name)
	}
	return c
}

func (c *class) fill(d declared, lib map[string]*class) {
	if _, supers, ok := strings.Cut(d.head, " : "); ok {
		for _, s := range strings.Split(supers, " & ") {
			c.supers = append(c.supers, (&signature{rest: s, lib: lib, vars: c.params}).typ())
		}
	}
	for _, sig := range slices.Sorted(maps.Keys(d.methods)) {
		m := parseSignature(sig, c, lib)
		m.run = d.methods[sig]
		if m.ret == nil {
			c.makers = append(c.makers, m)
		} else {
			c.methods[m.name] = append(c.methods[m.name], m)
		}
	}
	for _, sig := range slices.Sorted(maps.Keys(d.fields)) {
		s := &signature{rest: sig, lib: lib}
		t := s.typ()
		c.fields[strings.TrimSpace(s.rest)] = field{t, d.fields[sig]}
	}
}

// named are the methods of that name, those of superclasses that are not
// overridden included.
func (c *class) named(name string) []*method {
	out := slices.Clone(c.methods[name])
	add := func(list []*method) {
		for _, m := range list {
			if !slices.ContainsFunc(out, func(o *method) bool {
				return o == m || len(o.params) == len(m.params) && slices.EqualFunc(o.params, m.params, func(a, b *Type) bool { return a.erased() == b.erased() })
			}) {
				out = append(out, m)
			}
		}
	}
	for _, s := range c.supers {
		add(s.class.named(name))
	}
	if c.name != "Object" {
		add(classNamed("Object").methods[name])
	}
	return out
}

// under says whether a class is c or a subclass of it.
func (c *class) under(of *class) bool {
	if c == of || of.name == "Object" {
		return true
	}
	return slices.ContainsFunc(c.supers, func(s *Type) bool { return s.class.under(of) })
}

// signature reads the small language of the library's declarations:
// "static <T> List<T> asList(T...)".
type signature struct {
	rest string
	lib  map[string]*class
	vars []string
}

func parseSignature(text string, c *class, lib map[string]*class) *method {
	m := &method{owner: c}
	s := &signature{rest: text, lib: lib, vars: slices.Clone(c.params)}
	if rest, ok := strings.CutPrefix(s.rest, "static "); ok {
		m.static, s.rest = true, rest
	}
	if s.rest[0] == '<' {
		vars, rest, _ := strings.Cut(s.rest[1:], "> ")
		m.vars = strings.Split(vars, ", ")
		s.vars, s.rest = append(s.vars, m.vars...), rest
	}
	if simple := c.name[strings.LastIndexByte(c.name, '.')+1:]; !strings.HasPrefix(s.rest, simple+"(") {
		m.ret = s.typ()
	} else {
		m.static = true // no receiver
	}
	s.rest = strings.TrimSpace(s.rest)
	m.name, s.rest, _ = strings.Cut(s.rest, "(")
	for s.rest != ")" {
		t := s.typ()
		if rest, ok := strings.CutPrefix(s.rest, "..."); ok {
			t, m.variadic, s.rest = arrayOf(t, 1), true, rest
		}
		m.params = append(m.params, t)
		s.rest = strings.TrimPrefix(s.rest, ", ")
	}
	return m
}

func (s *signature) typ() *Type {
	i := strings.IndexAny(s.rest, "<>[,) ")
	if j := strings.Index(s.rest, "..."); j >= 0 && (i < 0 || j < i) {
		i = j
	}
	if i < 0 {
		i = len(s.rest)
	}
	name := s.rest[:i]
	s.rest = s.rest[i:]
	var t *Type
	switch {
	case name == "?":
		t = &Type{kind: kWild}
		if rest, ok := strings.CutPrefix(s.rest, " extends "); ok {
			s.rest = rest
			t.elem = s.typ()
		} else if rest, ok := strings.CutPrefix(s.rest, " super "); ok {
			s.rest = rest
			s.typ()
		}
		return t
	case primitives[name] != nil:
		t = primitives[name]
	case slices.Contains(s.vars, name):
		t = &Type{kind: kVar, name: name}
	case s.lib[name] != nil:
		t = &Type{kind: kClass, class: s.lib[name]}
	default:
		panic("java: unknown type " + name + " in the library")
	}
	if rest, ok := strings.CutPrefix(s.rest, "<"); ok {
		s.rest = rest
		for !strings.HasPrefix(s.rest, ">") {
			t.args = append(t.args, s.typ())
			s.rest = strings.TrimPrefix(s.rest, ", ")
		}
		s.rest = s.rest[1:]
	}
	for strings.HasPrefix(s.rest, "[]") {
		t, s.rest = arrayOf(t, 1), s.rest[2:]
	}
	return t
}
