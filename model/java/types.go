package java

import (
	"slices"
	"strings"
)

type kind uint8

const (
	kVoid kind = iota
	kBoolean
	kByte
	kShort
	kChar
	kInt
	kLong
	kFloat
	kDouble
	kNull
	kClass
	kArray
	kVar  // a type variable
	kWild // ? extends elem; of nil elem, ?
	kAny  // a type argument that nothing settles: fits everywhere
)

// Type is a static type.
type Type struct {
	kind  kind
	class *class
	args  []*Type // of a class; none is the raw type
	elem  *Type   // of an array or wildcard
	name  string  // of a primitive type or variable
}

var primitives = map[string]*Type{}

func primitive(k kind, name string) *Type {
	t := &Type{kind: k, name: name}
	primitives[name] = t
	return t
}

var (
	tVoid    = primitive(kVoid, "void")
	tBoolean = primitive(kBoolean, "boolean")
	tByte    = primitive(kByte, "byte")
	tShort   = primitive(kShort, "short")
	tChar    = primitive(kChar, "char")
	tInt     = primitive(kInt, "int")
	tLong    = primitive(kLong, "long")
	tFloat   = primitive(kFloat, "float")
	tDouble  = primitive(kDouble, "double")
	tNull    = &Type{kind: kNull, name: "null"}
	tAny     = &Type{kind: kAny, name: "Object"}
)

// boxes are the names of the classes around primitive types.
var boxes = map[kind]string{kBoolean: "Boolean", kByte: "Byte", kShort: "Short", kChar: "Character", kInt: "Integer", kLong: "Long", kFloat: "Float", kDouble: "Double"}

func (t *Type) primitive() bool { return t.kind <= kDouble }
func (t *Type) numeric() bool   { return t.kind >= kByte && t.kind <= kDouble }
func (t *Type) integral() bool  { return t.kind >= kByte && t.kind <= kLong }

func (t *Type) is(name string) bool { return t.kind == kClass && t.class.name == name }

// String is the type as the compiler's complaints name it.
func (t *Type) String() string {
	switch t.kind {
	case kArray:
		return t.elem.String() + "[]"
	case kWild:
		if t.elem == nil {
			return "?"
		}
		return "? extends " + t.elem.String()
	case kClass:
		if len(t.args) == 0 {
			return t.class.name
		}
		names := make([]string, len(t.args))
		for i, a := range t.args {
			names[i] = a.String()
		}
		return t.class.name + "<" + strings.Join(names, ",") + ">"
	}
	return t.name
}

// erased is the type as the virtual machine's messages name it: full names, but
// for Object and String.
func (t *Type) erased() string {
	switch t.kind {
	case kArray:
		return t.elem.erased() + "[]"
	case kClass:
		if t.class.name == "Object" || t.class.name == "String" {
			return t.class.name
		}
		return t.class.binary()
	case kVar, kAny, kNull, kWild:
		return "Object"
	}
	return t.name
}

func arrayOf(t *Type, dims int) *Type {
	for range dims {
		t = &Type{kind: kArray, elem: t}
	}
	return t
}

// classType is a class with type arguments.
func classType(name string, args ...*Type) *Type {
	return &Type{kind: kClass, class: classNamed(name), args: args}
}

// boxed is the class around a primitive type; other types stay.
func (t *Type) boxed() *Type {
	if name := boxes[t.kind]; name != "" {
		return classType(name)
	}
	return t
}

// unboxed is the primitive type inside of a class, nil if there is none.
func (t *Type) unboxed() *Type {
	if t.primitive() && t.kind != kVoid {
		return t
	}
	if t.kind == kClass {
		for k, name := range boxes {
			if t.class.name == name {
				return primitives[kindNames[k]]
			}
		}
	}
	return nil
}

var kindNames = map[kind]string{kBoolean: "boolean", kByte: "byte", kShort: "short", kChar: "char", kInt: "int", kLong: "long", kFloat: "float", kDouble: "double"}

func (t *Type) equal(u *Type) bool {
	if t.kind == kAny || u.kind == kAny {
		return !t.primitive() && !u.primitive()
	}
	if t.kind != u.kind || t.class != u.class || t.primitive() && t.name != u.name || len(t.args) != len(u.args) || t.kind == kVar && t.name != u.name {
		return false
	}
	if (t.elem == nil) != (u.elem == nil) || t.elem != nil && !t.elem.equal(u.elem) {
		return false
	}
	return slices.EqualFunc(t.args, u.args, (*Type).equal)
}

// substitute puts types in the place of variables.
func (t *Type) substitute(vars map[string]*Type) *Type {
	switch t.kind {
	case kVar:
		if s := vars[t.name]; s != nil {
			return s
		}
	case kArray:
		return &Type{kind: kArray, elem: t.elem.substitute(vars)}
	case kWild:
		if t.elem != nil {
			return &Type{kind: kWild, elem: t.elem.substitute(vars)}
		}
	case kClass:
		if len(t.args) > 0 {
			args := make([]*Type, len(t.args))
			for i, a := range t.args {
				args[i] = a.substitute(vars)
			}
			return &Type{kind: kClass, class: t.class, args: args}
		}
	}
	return t
}

// upper is what a value of a type can be used as: wildcards and open variables
// give their bound.
func (t *Type) upper() *Type {
	switch {
	case t.kind == kWild && t.elem != nil:
		return t.elem
	case t.kind == kWild, t.kind == kVar:
		return classType("Object")
	}
	return t
}

// bindings are the type arguments of a class by the names of its parameters; of a
// raw type, Object.
func (t *Type) bindings() map[string]*Type {
	vars := map[string]*Type{}
	for i, p := range t.class.params {
		if i < len(t.args) {
			vars[p] = t.args[i]
		} else {
			vars[p] = tAny
		}
	}
	return vars
}

// as is the type seen as one of its superclasses, nil if it is none.
func (t *Type) as(c *class) *Type {
	if t.kind == kArray && c.name == "Object" {
		return classType("Object")
	}
	if t.kind != kClass {
		return nil
	}
	if t.class == c {
		return t
	}
	vars := t.bindings()
	for _, s := range t.class.supers {
		up := s.substitute(vars)
		if len(t.args) == 0 && len(t.class.params) > 0 {
			up = &Type{kind: kClass, class: s.class}
		}
		if found := up.as(c); found != nil {
			return found
		}
	}
	if c.name == "Object" {
		return classType("Object")
	}
	return nil
}

// fits says whether a reference of type t is one of type u.
func (t *Type) fits(u *Type) bool {
	switch {
	case u.kind == kAny || t.kind == kAny || u.kind == kVar:
		return !t.primitive()
	case u.kind == kWild:
		return u.elem == nil || t.fits(u.elem)
	case t.primitive() || u.primitive():
		return false
	case t.kind == kNull:
		return true
	case t.kind == kWild || t.kind == kVar:
		return t.upper().fits(u)
	case t.kind == kArray && u.kind == kArray:
		return t.elem.equal(u.elem) || !t.elem.primitive() && t.elem.fits(u.elem)
	case u.kind != kClass:
		return false
	}
	up := t.as(u.class)
	if up == nil {
		return false
	}
	for i := range min(len(up.args), len(u.args)) {
		if !contains(u.args[i], up.args[i]) {
			return false
		}
	}
	return true
}

// contains says whether a type argument allows another one.
func contains(want, have *Type) bool {
	if want.kind == kVar || want.kind == kAny || have.kind == kAny {
		return true
	}
	if want.kind == kWild {
		return want.elem == nil || have.upper().fits(want.elem)
	}
	return want.equal(have)
}

// widens says whether a primitive type becomes another one without a cast.
func (t *Type) widens(u *Type) bool {
	switch {
	case t.kind == u.kind:
		return true
	case !t.numeric() || !u.numeric():
		return false
	case t.kind == kChar:
		return u.kind >= kInt
	case u.kind == kChar:
		return false
	}
	return t.kind < u.kind
}

// converts says whether a value of type t may be assigned to type u, constants
// apart. loose allows boxing.
func (t *Type) converts(u *Type, loose bool) bool {
	switch {
	case t.kind == kVoid || u.kind == kVoid:
		return false
	case t.primitive() && u.primitive():
		return t.widens(u)
	case !t.primitive() && !u.primitive():
		return t.fits(u)
	case !loose:
		return false
	case t.primitive():
		return t.boxed().fits(u)
	}
	in := t.unboxed()
	return in != nil && in.widens(u)
}
