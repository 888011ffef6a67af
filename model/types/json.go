package types

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
)

// JSON is the value as SELECT JSON and to_json print it: numbers bare, NaN and
// infinite as null, everything else as strings, lists, and maps whose keys are
// strings. A nil slice is null, the empty value of most types the empty string.
// Absent fields of tuples and UDTs are null. Bytes that are no value of the type
// give a blob's string.
// Source: Cassandra 5.0 AbstractType.toJSONString.
func (t *Type) JSON(b []byte) string {
	if b == nil {
		return "null"
	}
	if len(b) == 0 && t.Kind == KindTime {
		return `"null"`
	}
	if len(b) == 0 && t.Kind < KindList && t.Kind != KindBlob {
		return `""`
	}
	if t.Kind < KindList && t.Validate(b) != nil {
		return `"0x` + hex.EncodeToString(b) + `"`
	}
	switch t.Kind {
	case KindAscii, KindText:
		return QuoteJSON(string(b))
	case KindBoolean, KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindCounter, KindVarint, KindDecimal:
		return t.scalar(b)
	case KindFloat:
		if v := float64(DecodeFloat(b)); math.IsNaN(v) || math.IsInf(v, 0) {
			return "null"
		}
		return t.scalar(b)
	case KindDouble:
		if v := DecodeDouble(b); math.IsNaN(v) || math.IsInf(v, 0) {
			return "null"
		}
		return t.scalar(b)
	case KindTimestamp:
		return `"` + formatTimestamp(DecodeInt64(b), ' ') + `"`
	case KindList, KindSet, KindVector:
		return t.jsonList(b)
	case KindMap:
		return t.jsonMap(b)
	case KindTuple:
		return t.jsonTuple(b)
	case KindUDT:
		return t.jsonUDT(b)
	case KindCustom:
		switch t.Class.Class {
		case "LexicalUUIDType":
			return UUID.JSON(b)
		case "EmptyType":
			return `""`
		}
	}
	return `"` + t.scalar(b) + `"`
}

// QuoteJSON writes a JSON string; control characters are escaped as Jackson does.
func QuoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 0x20:
			b.WriteByte(c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("btn.fr"[c-8])
		default:
			fmt.Fprintf(&b, `\u%04X`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// JSONName writes a column or field name as a JSON key: names with upper case
// letters keep double quotes inside.
func JSONName(name string) string {
	if name != strings.ToLower(name) {
		name = `"` + name + `"`
	}
	return QuoteJSON(name)
}

func (t *Type) jsonList(b []byte) string {
	var elems [][]byte
	if t.Kind == KindVector {
		elems, _ = t.DecodeVector(b)
	} else {
		elems, _ = DecodeCollection(b)
	}
	texts := make([]string, len(elems))
	for i, e := range elems {
		texts[i] = t.Elems[0].JSON(e)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (t *Type) jsonMap(b []byte) string {
	pairs, _ := DecodeMap(b)
	var texts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		key := t.Elems[0].JSON(pairs[i])
		if !strings.HasPrefix(key, `"`) {
			key = QuoteJSON(key)
		}
		texts = append(texts, key+": "+t.Elems[1].JSON(pairs[i+1]))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func (t *Type) jsonTuple(b []byte) string {
	fields, _ := t.DecodeTuple(b)
	texts := make([]string, len(t.Elems))
	for i, e := range t.Elems {
		texts[i] = "null"
		if i < len(fields) {
			texts[i] = e.JSON(fields[i])
		}
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// JSONFault names the Java exception that Cassandra fails with instead of giving
// JSON of the value, "" for none: of a tuple with fewer components than its type,
// of a composite, and of anything around them.
// Source: Cassandra 5.0 TupleType.toJSONString, AbstractCompositeType.toJSONString.
func (t *Type) JSONFault(b []byte) string {
	if t.Kind < KindList || b == nil {
		return ""
	}
	var parts [][]byte
	of := func(i int) *Type { return t.Elems[i%len(t.Elems)] }
	switch t.Kind {
	case KindList, KindSet:
		parts, _ = DecodeCollection(b)
	case KindMap:
		parts, _ = DecodeMap(b)
	case KindVector:
		parts, _ = t.DecodeVector(b)
	case KindTuple, KindUDT:
		parts, _ = t.DecodeTuple(b)
		if t.Kind == KindTuple && len(parts) < len(t.Elems) {
			return "java.lang.IndexOutOfBoundsException"
		}
	case KindCustom:
		if t.Class.composed() {
			return unsupportedOperation
		}
	}
	for i, p := range parts {
		if fault := of(i).JSONFault(p); fault != "" {
			return fault
		}
	}
	return ""
}

func (t *Type) jsonUDT(b []byte) string {
	fields, _ := t.DecodeTuple(b)
	texts := make([]string, len(t.Elems))
	for i, e := range t.Elems {
		texts[i] = JSONName(t.Names[i]) + ": null"
		if i < len(fields) {
			texts[i] = JSONName(t.Names[i]) + ": " + e.JSON(fields[i])
		}
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
