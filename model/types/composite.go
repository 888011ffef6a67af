package types

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"strings"
)

// A composite is a run of components: 2-byte length, bytes, end-of-component
// byte (0; -1 and 1 only bound a slice). A dynamic one names the class of each
// component in front: 0x80 and an alias, or a 2-byte length and the class name.
// A leading length 0xffff marks the name of a static column.

// next cuts one component from the front. ok is false at malformed bytes.
func (c *Comparator) next(i int, b []byte) (comp *Comparator, name string, value []byte, end int8, rest []byte, ok bool) {
	if c.Aliases != nil {
		if len(b) < 2 {
			return
		}
		header := int(binary.BigEndian.Uint16(b))
		b = b[2:]
		if header&0x8000 != 0 {
			comp, name = c.Aliases[byte(header)], string(rune(header&0xff))
		} else {
			if header > len(b) {
				return
			}
			name, b = string(b[:header]), b[header:]
			comp, _ = componentClass(name)
		}
	} else if i < len(c.Parts) {
		comp = c.Parts[i]
	}
	if comp == nil || len(b) < 2 {
		return
	}
	n := int(binary.BigEndian.Uint16(b))
	if n+3 > len(b) {
		return
	}
	return comp, name, b[2 : n+2], int8(b[n+2]), b[n+3:], true
}

// componentClass is the class that a component of a dynamic composite names; without
// a name it is BytesType. Source: Cassandra 5.0 TypeParser.parse.
func componentClass(name string) (*Comparator, error) {
	if name == "" {
		return ClassOf(Blob), nil
	}
	return ParseMarshal(name)
}

// compareComposite orders component by component, then by the end byte; a
// prefix comes first. Components of different classes order by class name.
// Source: Cassandra 5.0 AbstractCompositeType.compareCustom, DynamicCompositeType.getComparator.
func (c *Comparator) compareComposite(a, b []byte) int {
	staticA, staticB := trimStatic(&a), trimStatic(&b)
	if staticA != staticB {
		if staticA {
			return -1
		}
		return 1
	}
	for i := 0; len(a) > 0 && len(b) > 0; i++ {
		ca, _, va, endA, restA, okA := c.next(i, a)
		cb, _, vb, endB, restB, okB := c.next(i, b)
		if !okA || !okB {
			return bytes.Compare(a, b)
		}
		if ca != cb {
			if r := strings.Compare(ca.simpleClass(), cb.simpleClass()); r != 0 {
				return r
			}
		}
		if r := ca.Compare(va, vb); r != 0 {
			return r
		}
		if endA != endB {
			return cmp.Compare(int(endA), int(endB))
		}
		a, b = restA, restB
	}
	return cmp.Compare(min(len(a), 1), min(len(b), 1))
}

func (c *Comparator) simpleClass() string {
	if c.Type != nil {
		return marshalNames[c.Type.Kind]
	}
	return c.Class
}

func trimStatic(b *[]byte) bool {
	if len(*b) < 2 || binary.BigEndian.Uint16(*b) != math.MaxUint16 {
		return false
	}
	*b = (*b)[2:]
	return true
}

// writeComponent writes one component's text and its end byte; last says that a
// component with an end is the last to be shown.
func writeComponent(s *strings.Builder, text string, end int8) (last bool) {
	text = strings.ReplaceAll(text, ":", `\:`)
	s.WriteString(text)
	if strings.HasSuffix(text, `\`) || strings.HasSuffix(text, "!") {
		s.WriteByte('!')
	}
	if end != 0 {
		s.WriteString(map[bool]string{true: ":_", false: ":!"}[end < 0])
	}
	return end != 0
}

// rawComposite writes component:component, with :_ or :! for the end bytes -1
// and 1, and class@ in front of dynamic components.
func (c *Comparator) rawComposite(b []byte) string {
	var s strings.Builder
	trimStatic(&b)
	for i := 0; len(b) > 0; i++ {
		comp, name, value, end, rest, ok := c.next(i, b)
		if !ok {
			break
		}
		if i > 0 {
			s.WriteByte(':')
		}
		if c.Aliases != nil {
			s.WriteString(name + "@")
		}
		if b = rest; writeComponent(&s, comp.Raw(value), end) {
			break
		}
	}
	return s.String()
}
