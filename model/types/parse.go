package types

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads the CQL text of a type, as schema files and tests write it: native
// names in any case, list, set, map, tuple, vector, frozen, and names of user
// types, which udt resolves; keyspace is empty when the name has none. Nested
// collections need not be frozen here. Without udt a user type is an error.
func Parse(text string, udt func(keyspace, name string) (*Type, error)) (*Type, error) {
	p := &typeParser{rest: text, udt: udt}
	t, err := p.parse(0)
	if err == nil && p.token() != "" {
		err = p.fail("the end")
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

type typeParser struct {
	rest   string // from the current token on
	quoted bool   // the current token stands in double quotes
	udt    func(keyspace, name string) (*Type, error)
}

// token is the text of the current token without quotes: a name, a number, one
// character, or "" at the end.
func (p *typeParser) token() string {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	text, _ := p.scan()
	return text
}

func (p *typeParser) next() string {
	text := p.token()
	_, n := p.scan()
	p.rest = p.rest[n:]
	return text
}

func (p *typeParser) scan() (text string, length int) {
	s := p.rest
	p.quoted = false
	if s == "" {
		return "", 0
	}
	if s[0] == '"' {
		for i := 1; i < len(s); i++ {
			if s[i] != '"' {
				continue
			}
			if i+1 < len(s) && s[i+1] == '"' {
				i++
				continue
			}
			p.quoted = true
			return strings.ReplaceAll(s[1:i], `""`, `"`), i + 1
		}
	}
	n := 0
	for n < len(s) && (s[n] == '_' || s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	n = max(n, 1)
	return s[:n], n
}

func (p *typeParser) fail(expected string) error {
	return fmt.Errorf("type: expected %s at %q", expected, p.rest)
}

func (p *typeParser) expect(text string) error {
	if p.token() != text || p.quoted {
		return p.fail(text)
	}
	p.next()
	return nil
}

const maxTypeDepth = 100

func (p *typeParser) parse(depth int) (*Type, error) {
	if depth > maxTypeDepth {
		return nil, p.fail("fewer nested types")
	}
	name := p.token()
	quoted := p.quoted
	if name == "" || !quoted && (name[0]|0x20 < 'a' || name[0]|0x20 > 'z') {
		return nil, p.fail("a type")
	}
	p.next()
	if !quoted {
		name = strings.ToLower(name)
		if t, ok := Native(name); ok {
			return t, nil
		}
		if p.token() == "<" {
			p.next()
			return p.parameters(name, depth)
		}
	}
	keyspace := ""
	if p.token() == "." {
		p.next()
		keyspace = name
		name = p.token()
		if !p.quoted {
			name = strings.ToLower(name)
		}
		p.next()
	}
	if p.udt == nil {
		return nil, fmt.Errorf("type: no user type %s", QuoteName(name))
	}
	return p.udt(keyspace, name)
}

// parameters reads the types between < and >, and for a vector its dimension.
func (p *typeParser) parameters(name string, depth int) (*Type, error) {
	var args []*Type
	for {
		t, err := p.parse(depth + 1)
		if err != nil {
			return nil, err
		}
		args = append(args, t)
		if p.token() != "," || name == "vector" {
			break
		}
		p.next()
	}
	dim := 0
	if name == "vector" {
		if err := p.expect(","); err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(p.token(), 10, 32)
		if err != nil {
			return nil, p.fail("a dimension")
		}
		if dim = int(n); dim <= 0 {
			return nil, marshalError("vectors may only have positive dimensions; given %d", n)
		}
		p.next()
	}
	if err := p.expect(">"); err != nil {
		return nil, err
	}
	want := map[string]int{"list": 1, "set": 1, "map": 2, "frozen": 1, "vector": 1, "tuple": len(args)}[name]
	if want != len(args) {
		return nil, fmt.Errorf("type: %s takes %d parameters, not %d", name, want, len(args))
	}
	switch name {
	case "list":
		return ListOf(args[0]), nil
	case "set":
		return SetOf(args[0]), nil
	case "map":
		return MapOf(args[0], args[1]), nil
	case "tuple":
		return TupleOf(args...), nil
	case "vector":
		return VectorOf(args[0], dim), nil
	}
	if args[0].IsNative() {
		return nil, marshalError("frozen<> is only allowed on collections, tuples, and user-defined types (got %s)", args[0])
	}
	return args[0].Freeze(), nil
}
