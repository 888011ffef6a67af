package types

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Comparator is a marshal class: a CQL type, or one of the classes that only
// tables of the classic data model and descending order use.
type Comparator struct {
	Class   string               // simple name, such as CompositeType
	Type    *Type                // the CQL type, nil for the classic classes
	Parts   []*Comparator        // ReversedType: the base; CompositeType: the components
	Aliases map[byte]*Comparator // DynamicCompositeType
	order   []byte               // of Aliases, as they were written
}

// ParseMarshal reads a class name with its parameters, as MarshalName writes it;
// the package may be left out. DateType is timestamp with the order of unsigned
// bytes, EmptyType holds nothing.
// Source: Cassandra 5.0 TypeParser.parse.
func ParseMarshal(text string) (*Comparator, error) {
	p := &marshalParser{rest: text}
	c, err := p.parse(0)
	if err == nil && p.rest != "" {
		err = p.fail()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

type marshalParser struct{ rest string }

func (p *marshalParser) fail() error { return fmt.Errorf("type: cannot parse class at %q", p.rest) }

func (p *marshalParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *marshalParser) take(text string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *marshalParser) word() string {
	p.skip()
	n := strings.IndexAny(p.rest, "(), :=\t\n")
	if n < 0 {
		n = len(p.rest)
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return w
}

func (p *marshalParser) parse(depth int) (*Comparator, error) {
	if depth > maxTypeDepth {
		return nil, p.fail()
	}
	c := &Comparator{Class: strings.TrimPrefix(p.word(), marshalPackage)}
	var names []string // of user type and fields, or aliases
	dim := ""
	if p.take("(") {
		if c.Class == "UserType" {
			keyspace := p.word()
			p.take(",")
			names = append(names, keyspace, p.word())
			p.take(",")
		}
		for !p.take(")") {
			if c.Class == "UserType" || c.Class == "DynamicCompositeType" {
				names = append(names, p.word())
				if !p.take(":") && !p.take("=>") {
					return nil, p.fail()
				}
			}
			if c.Class == "VectorType" && len(c.Parts) == 1 {
				dim = p.word()
			} else {
				part, err := p.parse(depth + 1)
				if err != nil {
					return nil, err
				}
				c.Parts = append(c.Parts, part)
			}
			if p.skip(); p.rest == "" {
				return nil, p.fail()
			}
			p.take(",")
		}
	}
	return c.resolve(names, dim)
}

// resolve turns the class into a CQL type where it is one.
func (c *Comparator) resolve(names []string, dim string) (*Comparator, error) {
	elems := make([]*Type, len(c.Parts))
	for i, part := range c.Parts {
		elems[i] = part.Type
	}
	switch c.Class {
	case "LexicalUUIDType", "LegacyTimeUUIDType", "DateType", "EmptyType", "CompositeType":
		return c, nil
	case "ReversedType":
		if len(c.Parts) == 1 {
			return c, nil
		}
	case "DynamicCompositeType":
		c.Aliases = map[byte]*Comparator{}
		for i, n := range names {
			if len(n) == 1 && i < len(c.Parts) {
				c.Aliases[n[0]] = c.Parts[i]
				c.order = append(c.order, n[0])
			}
		}
		return c, nil
	}
	for _, e := range elems {
		if e == nil {
			return nil, fmt.Errorf("type: class %s takes no such parameter", c.Class)
		}
	}
	for k, n := range marshalNames {
		if n == c.Class && Kind(k) < KindList && len(elems) == 0 {
			c.Type = natives[k]
			return c, nil
		}
	}
	switch {
	case c.Class == "FrozenType" && len(elems) == 1:
		c.Type = elems[0].Freeze()
	case c.Class == "ListType" && len(elems) == 1:
		c.Type = ListOf(elems[0])
	case c.Class == "SetType" && len(elems) == 1:
		c.Type = SetOf(elems[0])
	case c.Class == "MapType" && len(elems) == 2:
		c.Type = MapOf(elems[0], elems[1])
	case c.Class == "TupleType":
		c.Type = TupleOf(elems...)
	case c.Class == "VectorType" && len(elems) == 1:
		n, err := strconv.ParseInt(dim, 10, 32)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("type: bad vector dimension %q", dim)
		}
		c.Type = VectorOf(elems[0], int(n))
	case c.Class == "UserType" && len(names) >= 2:
		texts := make([]string, len(names)-1)
		for i, n := range names[1:] {
			b, err := hex.DecodeString(n)
			if err != nil {
				return nil, fmt.Errorf("type: bad name %q in %s", n, c.Class)
			}
			texts[i] = string(b)
		}
		c.Type = UDTOf(names[0], texts[0], texts[1:], elems)
	default:
		return nil, marshalError("Unable to find abstract-type class '%s%s'", marshalPackage, c.Class)
	}
	return c, nil
}

// MarshalName is the full class name with parameters; aliases are sorted.
func (c *Comparator) MarshalName() string {
	if c.Type != nil {
		return c.Type.MarshalName()
	}
	var parts []string
	for _, p := range c.Parts {
		parts = append(parts, p.MarshalName())
	}
	if c.Aliases != nil {
		parts = nil
		for a, p := range c.Aliases {
			parts = append(parts, string(a)+"=>"+p.MarshalName())
		}
		sort.Strings(parts)
	}
	if parts == nil {
		return marshalPackage + c.Class
	}
	return marshalPackage + c.Class + "(" + strings.Join(parts, ",") + ")"
}

// Compare orders two values of the class.
func (c *Comparator) Compare(a, b []byte) int {
	switch {
	case c.Type != nil:
		return c.Type.Compare(a, b)
	case c.Class == "ReversedType":
		return c.Parts[0].Compare(b, a)
	case c.Class == "LexicalUUIDType":
		return compareLexicalUUID(a, b)
	case c.Class == "LegacyTimeUUIDType":
		return compareTimeUUID(a, b)
	case c.Class == "CompositeType" || c.Class == "DynamicCompositeType":
		return c.compareComposite(a, b)
	}
	return bytes.Compare(a, b) // DateType and EmptyType
}

// compareLexicalUUID orders as java.util.UUID: two signed longs.
func compareLexicalUUID(a, b []byte) int {
	if len(a) != 16 || len(b) != 16 {
		return cmp.Compare(len(a), len(b))
	}
	if c := compareSigned(a[:8], b[:8]); c != 0 {
		return c
	}
	return compareSigned(a[8:], b[8:])
}

// Raw is the plain text of a value, as Type.Raw.
func (c *Comparator) Raw(b []byte) string {
	switch {
	case c.Type != nil:
		return c.Type.Raw(b)
	case c.Class == "ReversedType":
		return c.Parts[0].Raw(b)
	case c.Class == "LexicalUUIDType" || c.Class == "LegacyTimeUUIDType":
		return UUID.Raw(b)
	case c.Class == "DateType":
		return Timestamp.Raw(b)
	case c.Class == "EmptyType":
		return ""
	}
	return c.rawComposite(b)
}

// Literal is the CQL text of a value, as Type.Literal; classes that CQL does not
// know appear as hex constants.
func (c *Comparator) Literal(b []byte) string {
	switch {
	case c.Type != nil:
		return c.Type.Literal(b)
	case c.Class == "ReversedType":
		return c.Parts[0].Literal(b)
	case c.Class == "DateType":
		return Timestamp.Literal(b)
	}
	return Blob.Literal(b)
}
