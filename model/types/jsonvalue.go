package types

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A decoded JSON value is nil, bool, int32, int64, *big.Int, float64, string,
// []any or *JSONObject: an integer takes the smallest type that holds it.

// JSONObject is a JSON object with its keys in order of their first occurrence.
type JSONObject struct {
	Keys   []string
	Values map[string]any
}

// DecodeJSON is ReadJSON of a text inside of another value. The error is a
// *MarshalError. Source: Cassandra 5.0 JsonUtils.decodeJson.
func DecodeJSON(text string) (any, error) {
	v, err := ReadJSON(text)
	if err != nil {
		return nil, marshalError("Error decoding JSON string: %s", err.(*JSONError).Msg)
	}
	return v, nil
}

// maxJSONDepth bounds the nesting of JSON values; about there a node's stack
// overflows.
const maxJSONDepth = 500

func (o *JSONObject) set(key string, v any) {
	if _, ok := o.Values[key]; !ok {
		o.Keys = append(o.Keys, key)
	}
	o.Values[key] = v
}

// FoldCase returns the object with every key as a CQL name: in lower case, or
// exactly as written when it stands in double quotes inside the string. Keys
// that change do so in turn, move to the end and take the place of equal ones: of
// "\"A\"" and "A" in this order only a is left.
// Source: Cassandra 5.0 JsonUtils.handleCaseSensitivity.
func (o *JSONObject) FoldCase() *JSONObject {
	f := &JSONObject{Values: map[string]any{}}
	for _, key := range o.Keys {
		f.set(key, o.Values[key])
	}
	for _, key := range o.Keys {
		to := strings.ToLower(key)
		if isQuoted(key) {
			to = key[1 : len(key)-1]
		}
		if to == key {
			continue
		}
		v := f.Values[key]
		delete(f.Values, key)
		f.Keys = slices.DeleteFunc(f.Keys, func(k string) bool { return k == key })
		f.set(to, v)
	}
	return f
}

func isQuoted(key string) bool {
	return len(key) >= 2 && strings.HasPrefix(key, `"`) && strings.HasSuffix(key, `"`)
}

func decodeNumber(s string) any {
	if strings.ContainsAny(s, ".eE") {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil && !math.IsInf(v, 0) {
			return math.NaN()
		}
		return v
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		b, _ := new(big.Int).SetString(s, 10)
		return b
	}
	if int64(int32(v)) == v {
		return int32(v)
	}
	return v
}

// javaClass is the simple class name of a decoded JSON value in Java.
func javaClass(v any) string {
	switch v.(type) {
	case bool:
		return "Boolean"
	case int32:
		return "Integer"
	case int64:
		return "Long"
	case *big.Int:
		return "BigInteger"
	case float64:
		return "Double"
	case string:
		return "String"
	case []any:
		return "ArrayList"
	}
	return "LinkedHashMap"
}

// javaString is the toString of a decoded JSON value in Java.
func javaString(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	var b strings.Builder
	writeJava(&b, v)
	return b.String()
}

func writeJava(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int32:
		b.WriteString(strconv.Itoa(int(v)))
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case *big.Int:
		b.WriteString(v.String())
	case float64:
		b.WriteString(javaDouble(v))
	case string:
		b.WriteString(v)
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeJava(b, e)
		}
		b.WriteByte(']')
	case *JSONObject:
		b.WriteByte('{')
		for i, k := range v.Keys {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(k + "=")
			writeJava(b, v.Values[k])
		}
		b.WriteByte('}')
	}
}
