package types

import (
	"math/big"
	"strings"
)

// FromJSON turns a decoded JSON value into a value of the type; see DecodeJSON
// for its forms. JSON null gives a nil slice. Strings are read as FromString
// does, and strings for collections as JSON again. Errors are *MarshalError with
// Cassandra's text, or ErrNow.
// Source: Cassandra 5.0 AbstractType.fromJSONObject.
func (t *Type) FromJSON(v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt:
		return t.integerFromJSON(v)
	case KindVarint, KindDecimal:
		b, err := t.FromString(javaString(v))
		if s, ok := v.(string); err != nil || ok && s == "" && t.Kind == KindVarint {
			return nil, marshalError("Value '%s' is not a valid representation of a %s value", javaString(v), t)
		}
		return b, nil
	case KindFloat, KindDouble:
		return t.floatFromJSON(v)
	case KindBoolean:
		if b, ok := v.(bool); ok {
			return EncodeBool(b), nil
		}
	case KindBlob:
		return blobFromJSON(v)
	case KindTimestamp:
		if ms, ok := v.(int64); ok { // a number that fits 32 bits is refused
			return EncodeInt64(ms), nil
		}
	case KindList, KindSet, KindVector, KindMap, KindTuple, KindUDT:
		return t.compositeFromJSON(v)
	case KindCustom:
		if t.Class.composed() {
			return nil, &Fault{Msg: unsupportedOperation}
		}
	}
	if s, ok := v.(string); ok && t.Kind != KindCounter {
		return t.FromString(s)
	}
	expected := map[Kind]string{
		KindBoolean: "a boolean value", KindAscii: "an ascii string", KindText: "a UTF-8 string", KindInet: "a string representation of an inet value",
		KindUUID: "a string representation of a uuid", KindTimeUUID: "a string representation of a timeuuid", KindDate: "a string representation of a date value",
		KindTime: "a string representation of a time value", KindDuration: "a string representation of a duration",
		KindCustom:    "a string representation of a uuid", // LexicalUUIDType
		KindTimestamp: "a long or a datestring representation of a timestamp value", KindCounter: "a counter value",
	}[t.Kind]
	return nil, unexpectedJSON(expected, v)
}

func unexpectedJSON(expected string, v any) error {
	return marshalError("Expected %s, but got a %s: %s", expected, javaClass(v), javaString(v))
}

func (t *Type) integerFromJSON(v any) ([]byte, error) {
	small := t.Kind == KindTinyInt || t.Kind == KindSmallInt
	name := map[Kind]string{KindTinyInt: "a byte", KindSmallInt: "a short", KindInt: "an int", KindBigInt: "a bigint"}[t.Kind]
	switch v := v.(type) {
	case string:
		return t.FromString(v)
	case int32:
		return t.FromString(javaString(v))
	case int64:
		if small || t.Kind == KindBigInt {
			return t.FromString(javaString(v))
		}
	case float64, *big.Int:
		if small {
			return t.FromString(javaString(v))
		}
	}
	return nil, unexpectedJSON(name+" value", v)
}

func (t *Type) floatFromJSON(v any) ([]byte, error) {
	var f float64
	switch v := v.(type) {
	case string:
		return t.FromString(v)
	case int32:
		f = float64(v)
	case int64:
		if t.Kind == KindFloat {
			return EncodeFloat(float32(v)), nil
		}
		f = float64(v)
	case *big.Int:
		r, _ := parseJavaFloat(v.String(), map[Kind]int{KindFloat: 32, KindDouble: 64}[t.Kind])
		f = r
	case float64:
		f = v
	default:
		return nil, unexpectedJSON("a "+t.String()+" value", v)
	}
	if t.Kind == KindFloat {
		return EncodeFloat(float32(f)), nil
	}
	return EncodeDouble(f), nil
}

func blobFromJSON(v any) ([]byte, error) {
	text := javaString(v)
	s, ok := v.(string)
	class := javaPackage(v) + "." + javaClass(v)
	reason := "class " + class + " cannot be cast to class java.lang.String (" + class + " and java.lang.String are in module java.base of loader 'bootstrap')"
	if ok {
		digits, found := strings.CutPrefix(s, "0x")
		b, err := parseHex(digits)
		switch {
		case !found:
			reason = "String representation of blob is missing 0x prefix: " + s
		case err != nil:
			reason = err.Error()
		default:
			return b, nil
		}
	}
	return nil, marshalError("Value '%s' is not a valid blob representation: %s", text, reason)
}

// javaPackage is the package of a decoded JSON value's class.
func javaPackage(v any) string {
	switch v.(type) {
	case []any, *JSONObject:
		return "java.util"
	case *big.Int:
		return "java.math"
	}
	return "java.lang"
}

func (t *Type) compositeFromJSON(v any) ([]byte, error) {
	if s, ok := v.(string); ok {
		decoded, err := DecodeJSON(s)
		if err != nil {
			return nil, err
		}
		if v = decoded; v == nil {
			return nil, nil
		}
	}
	if t.Kind == KindMap || t.Kind == KindUDT {
		o, ok := v.(*JSONObject)
		if !ok {
			return nil, unexpectedJSON("a map", v)
		}
		if t.Kind == KindMap {
			return t.mapFromJSON(o)
		}
		return t.udtFromJSON(o)
	}
	list, ok := v.([]any)
	if !ok {
		expected := map[Kind]string{KindList: "a list", KindVector: "a list", KindSet: "a list (representing a set)",
			KindTuple: "a list representation of a tuple"}[t.Kind]
		return nil, unexpectedJSON(expected, v)
	}
	switch {
	case t.Kind == KindTuple && len(list) > len(t.Elems):
		return nil, marshalError("Tuple contains extra items (expected %d): %s", len(t.Elems), javaString(list))
	case t.Kind == KindTuple && len(list) < len(t.Elems):
		return nil, marshalError("Tuple is missing items (expected %d): %s", len(t.Elems), javaString(list))
	case t.Kind == KindVector && len(list) != t.Dim:
		return nil, marshalError("List had incorrect size: expected %d but given %d; %s", t.Dim, len(list), javaString(list))
	}
	elems := make([][]byte, len(list))
	for i, e := range list {
		elem := t.Elems[0]
		if t.Kind == KindTuple {
			elem = t.Elems[i]
		} else if e == nil {
			return nil, marshalError("Invalid null element in %s", map[bool]string{true: "set", false: "list"}[t.Kind == KindSet])
		}
		b, err := elem.FromJSON(e)
		if err != nil {
			return nil, err
		}
		elems[i] = b
	}
	switch t.Kind {
	case KindSet:
		return EncodeCollection(t.Elems[0].SortUnique(elems)), nil
	case KindTuple:
		return EncodeTuple(elems), nil
	case KindVector:
		for _, e := range elems {
			if k := t.Elems[0].Kind; len(e) == 0 && k != KindText && k != KindAscii && k != KindBlob { // "" as a number is none
				return nil, &MarshalError{Msg: "null is not supported inside vectors", Request: true}
			}
		}
		return t.EncodeVector(elems), nil
	}
	return EncodeCollection(elems), nil
}

func (t *Type) mapFromJSON(o *JSONObject) ([]byte, error) {
	var pairs [][]byte
	for _, name := range o.Keys {
		if o.Values[name] == nil {
			return nil, marshalError("Invalid null value in map")
		}
		k, err := t.Elems[0].FromJSON(name)
		if err != nil {
			return nil, err
		}
		v, err := t.Elems[1].FromJSON(o.Values[name])
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, k, v)
	}
	return EncodeMap(t.Elems[0].SortMap(pairs)), nil
}

func (t *Type) udtFromJSON(o *JSONObject) ([]byte, error) {
	o = o.FoldCase()
	fields := make([][]byte, len(t.Elems))
	for i, name := range t.Names {
		b, err := t.Elems[i].FromJSON(o.Values[name])
		if err != nil {
			return nil, err
		}
		fields[i] = b
	}
	for _, name := range o.Keys {
		if t.Field(name) < 0 {
			return nil, marshalError("Unknown field '%s' in value of user defined type %s", name, t.Name)
		}
	}
	return EncodeTuple(fields), nil
}
