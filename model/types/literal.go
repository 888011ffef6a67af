package types

import (
	"encoding/hex"
	"strings"
)

// Literal is the CQL text that reads back to the value: strings in single quotes, 0xcafe,
// [1, 2], {'a': 1}, {street: 's'}, (1, null). The empty value of a type that has
// no empty literal is null, and so is a nil slice. Bytes that are no value of
// the type give a hex constant.
// Source: Cassandra 5.0 AbstractType.toCQLString, CQL3Type.toCQLLiteral.
func (t *Type) Literal(b []byte) string {
	if b == nil {
		return "null"
	}
	if len(b) == 0 {
		switch t.Kind {
		case KindAscii, KindText:
			return "''"
		case KindBlob:
			return "0x"
		case KindTuple:
			return "()"
		case KindUDT:
			return "{}"
		}
		return "null"
	}
	if t.Kind < KindList && t.Validate(b) != nil {
		return "0x" + hex.EncodeToString(b)
	}
	switch t.Kind {
	case KindAscii, KindText:
		return Quote(string(b))
	case KindDate, KindTime, KindTimestamp, KindInet:
		return "'" + t.scalar(b) + "'"
	case KindList, KindSet, KindMap, KindVector, KindTuple, KindUDT:
		return t.compose(b, (*Type).Literal)
	case KindCustom:
		return "0x" + hex.EncodeToString(b)
	}
	return t.scalar(b)
}

// Quote writes a string constant: in single quotes, which are doubled inside.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// compose writes brackets, commas and field names around element texts. A null
// element is handed on as nil; absent fields are left out.
func (t *Type) compose(b []byte, text func(*Type, []byte) string) string {
	var s strings.Builder
	sep := func(i int) {
		if i > 0 {
			s.WriteString(", ")
		}
	}
	switch t.Kind {
	case KindList, KindSet:
		elems, _ := DecodeCollection(b)
		s.WriteByte("[{"[t.Kind-KindList])
		for i, e := range elems {
			sep(i)
			s.WriteString(text(t.Elems[0], e))
		}
		s.WriteByte("]}"[t.Kind-KindList])
	case KindMap:
		pairs, _ := DecodeMap(b)
		s.WriteByte('{')
		for i := 0; i+1 < len(pairs); i += 2 {
			sep(i)
			s.WriteString(text(t.Elems[0], pairs[i]) + ": " + text(t.Elems[1], pairs[i+1]))
		}
		s.WriteByte('}')
	case KindVector:
		elems, _ := t.DecodeVector(b)
		s.WriteByte('[')
		for i, e := range elems {
			sep(i)
			s.WriteString(text(t.Elems[0], e))
		}
		s.WriteByte(']')
	case KindTuple:
		fields, _ := t.DecodeTuple(b)
		s.WriteByte('(')
		for i, f := range fields {
			sep(i)
			s.WriteString(text(t.Elems[i], f))
		}
		s.WriteByte(')')
	case KindUDT:
		fields, _ := t.DecodeTuple(b)
		s.WriteByte('{')
		for i, f := range fields {
			sep(i)
			s.WriteString(QuoteName(t.Names[i]) + ": " + text(t.Elems[i], f))
		}
		s.WriteByte('}')
	}
	return s.String()
}
