package types

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// jsonReader reads a JSON value as Jackson does, whose errors Cassandra hands on:
// they name a place in UTF-16 units, mostly the one behind the character that they
// are about. Source: Jackson 2.15 ReaderBasedJsonParser, ParserBase.
type jsonReader struct {
	src   []uint16
	at    int
	row   int // lines that ended
	begin int // of the line
	open  []jsonScope
	asMap bool // the whole is read as a map, not as whatever it is
}

// jsonScope is an object or a list that has begun, and where.
type jsonScope struct {
	list     bool
	row, col int
}

// JSONError says why a text is no JSON, in the words of Jackson.
type JSONError struct{ Class, Msg string }

func (e *JSONError) Error() string { return e.Class + ": " + e.Msg }

const (
	parseFault    = "com.fasterxml.jackson.core.JsonParseException"
	endFault      = "com.fasterxml.jackson.core.io.JsonEOFException"
	mismatchFault = "com.fasterxml.jackson.databind.exc.MismatchedInputException"

	aValue = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
)

// ReadJSON reads the first JSON value of a text and ignores what follows. Of equal
// keys the last value wins. The error is a *JSONError.
func ReadJSON(text string) (any, error) { return readJSON(text, false) }

func readJSON(text string, asMap bool) (v any, err error) {
	r := &jsonReader{src: utf16.Encode([]rune(text)), asMap: asMap}
	defer func() {
		if fault := recover(); fault != nil {
			e, ok := fault.(*JSONError)
			if !ok {
				panic(fault)
			}
			v, err = nil, e
		}
	}()
	if !r.space() {
		return nil, &JSONError{mismatchFault, "No content to map due to end-of-input\n at " + r.source(1, 0)}
	}
	return r.value(0), nil
}

// ReadJSONObject is ReadJSON of a text that should hold an object; of null it is nil.
// Source: Jackson 2.15 MapDeserializer.deserialize, DeserializationContext.handleUnexpectedToken.
func ReadJSONObject(text string) (*JSONObject, error) {
	r := &jsonReader{src: utf16.Encode([]rune(text))}
	place := func() (at string) {
		defer func() { recover() }() // what is wrong before it is told by ReadJSON
		r.space()
		return r.source(r.row+1, r.at-r.begin+1)
	}()
	other := func(what string) error {
		return &JSONError{mismatchFault, "Cannot deserialize value of type `java.util.LinkedHashMap<java.lang.Object,java.lang.Object>` from " + what + "\n at " + place}
	}
	if r.at < len(r.src) && r.src[r.at] == '[' {
		return nil, other("Array value (token `JsonToken.START_ARRAY`)")
	}
	v, err := readJSON(text, true)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *JSONObject:
		return v, nil
	case float64:
		return nil, other("Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)")
	case bool:
		return nil, other("Boolean value (token `JsonToken.VALUE_" + strings.ToUpper(fmt.Sprint(v)) + "`)")
	case string:
		if v == "" {
			return nil, &JSONError{"com.fasterxml.jackson.databind.exc.InvalidFormatException", "Cannot coerce empty String (\"\") to element of " +
				"`java.util.LinkedHashMap<java.lang.Object,java.lang.Object>` (but could if coercion was enabled using `CoercionConfig`)\n at " + place}
		}
		return nil, &JSONError{mismatchFault, "Cannot construct instance of `java.util.LinkedHashMap` (although at least one Creator exists): " +
			"no String-argument constructor/factory method to deserialize from String value ('" + v + "')\n at " + place}
	}
	return nil, other("Integer value (token `JsonToken.VALUE_NUMBER_INT`)")
}

// fail ends the reading; ahead is how far beyond the place the reader already was.
func (r *jsonReader) fail(class string, ahead int, format string, args ...any) {
	panic(&JSONError{class, fmt.Sprintf(format, args...) + "\n at " + r.source(r.row+1, r.at-r.begin+1+ahead)})
}

// source is a place and, cut at 500 characters, the text.
// Source: Jackson 2.15 ContentReference.buildSourceDescription.
func (r *jsonReader) source(row, col int) string {
	const most = 500
	shown, more := r.src[:min(len(r.src), most)], ""
	if len(r.src) > most {
		more = fmt.Sprintf("[truncated %d chars]", len(r.src)-most)
	}
	var b strings.Builder
	for _, c := range javaText(shown) {
		if unicode.IsControl(c) && c != '\n' && c != '\r' {
			fmt.Fprintf(&b, `\u%04X`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return fmt.Sprintf(`[Source: (String)"%s"%s; line: %d, column: %d]`, b.String(), more, row, col)
}

// unexpected refuses the character at the place.
func (r *jsonReader) unexpected(what string) {
	c := r.src[r.at]
	r.fail(parseFault, 1, "Unexpected character (%s)%s", characterName(c), what)
}

// characterName is Jackson's ParserMinimalBase._getCharDesc.
func characterName(c uint16) string {
	switch {
	case unicode.IsControl(rune(c)):
		return fmt.Sprintf("(CTRL-CHAR, code %d)", c)
	case c > 255:
		return fmt.Sprintf("'%s' (code %d / 0x%x)", javaText([]uint16{c}), c, c)
	}
	return fmt.Sprintf("'%c' (code %d)", c, c)
}

func (r *jsonReader) runeAt(i int) rune { return utf16.Decode(r.src[i : i+1])[0] }

// javaText is a Java string as it leaves a node: half a surrogate pair becomes a
// question mark.
func javaText(s []uint16) string {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := rune(s[i])
		if utf16.IsSurrogate(c) {
			pair := unicode.ReplacementChar
			if i+1 < len(s) {
				pair = utf16.DecodeRune(c, rune(s[i+1]))
			}
			if c = '?'; pair != unicode.ReplacementChar {
				c = pair
				i++
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// space goes to the next character that is none; false at the end.
func (r *jsonReader) space() bool {
	for ; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\n' || c == '\r':
			if c == '\r' && r.at+1 < len(r.src) && r.src[r.at+1] == '\n' {
				r.at++
			}
			r.row, r.begin = r.row+1, r.at+1
		case c == ' ' || c == '\t':
		case c < ' ':
			r.fail(parseFault, 1, "Illegal character ((CTRL-CHAR, code %d)): only regular white space (\\r, \\n, \\t) is allowed between tokens", c)
		case c == '/':
			r.unexpected(": maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)")
		default:
			return true
		}
	}
	return false
}

func (r *jsonReader) begins(list bool) {
	r.open = append(r.open, jsonScope{list, r.row + 1, r.at - r.begin + 1})
	r.at++
}

// ends closes an object or a list.
func (r *jsonReader) ends() { r.open, r.at = r.open[:len(r.open)-1], r.at+1 }

func (r *jsonReader) scope() (s jsonScope, name string) {
	if len(r.open) == 0 {
		return jsonScope{row: 1}, "root"
	}
	if s = r.open[len(r.open)-1]; s.list {
		return s, "Array"
	}
	return s, "Object"
}

// unclosed refuses a text that ends inside of an object or a list.
func (r *jsonReader) unclosed() {
	s, name := r.scope()
	r.fail(endFault, 0, "Unexpected end-of-input: expected close marker for %s (start marker at %s)", name, r.source(s.row, s.col))
}

// wrongEnd refuses a bracket that closes something else.
func (r *jsonReader) wrongEnd() {
	c := r.src[r.at]
	s, name := r.scope()
	want := map[uint16]rune{']': '}', '}': ']'}[c]
	r.fail(parseFault, 1, "Unexpected close marker '%c': expected '%c' (for %s starting at %s)", c, want, name, r.source(s.row, s.col))
}

// value reads a value; the place is at its first character.
func (r *jsonReader) value(depth int) any {
	if depth > maxJSONDepth {
		panic(&JSONError{parseFault, fmt.Sprintf("nested more than %d deep", maxJSONDepth)})
	}
	switch c := r.src[r.at]; {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.list(depth)
	case c == '"':
		return r.quoted("Unexpected end-of-input: was expecting closing quote for a string value", "string value")
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	case c == '+': // one is read further, then refused
		r.at++
		if r.at == len(r.src) {
			r.fail(endFault, 0, "Unexpected end-of-input in a Number value")
		}
		r.unexpected(" in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value")
	case c == ']' && (len(r.open) == 0), c == '}' && len(r.open) == 0:
		r.wrongEnd()
	}
	return r.word()
}

func (r *jsonReader) object(depth int) any {
	r.begins(false)
	o := &JSONObject{Values: map[string]any{}}
	for first := true; ; first = false {
		if !r.space() {
			r.unclosed()
		}
		if c := r.src[r.at]; c == '}' {
			r.ends()
			return o
		} else if c == ']' {
			r.wrongEnd()
		}
		if !first {
			if r.src[r.at] != ',' {
				r.unexpected(": was expecting comma to separate Object entries")
			}
			r.at++
			if !r.space() {
				r.fail(parseFault, 0, "Unexpected end-of-input within/between Object entries")
			}
		}
		if r.src[r.at] != '"' {
			r.unexpected(": was expecting double-quote to start field name")
		}
		key := r.quoted("Unexpected end-of-input in field name", "name")
		r.inside()
		if r.src[r.at] != ':' {
			r.unexpected(": was expecting a colon to separate field name and value")
		}
		r.at++
		r.inside()
		if first && !(r.asMap && depth == 0) { // other entries are read by another way
			r.noValue()
		}
		o.set(key, r.value(depth+1))
	}
}

// noValue refuses the end of an object in the place of a value.
func (r *jsonReader) noValue() {
	if r.src[r.at] == '}' {
		r.unexpected(": expected a value")
	}
}

// inside goes to the next character, which must be there, after the name of an entry.
func (r *jsonReader) inside() {
	if !r.space() {
		r.fail(endFault, 0, "Unexpected end-of-input within/between Object entries")
	}
}

func (r *jsonReader) list(depth int) any {
	r.begins(true)
	out := []any{}
	for first := true; ; first = false {
		if !r.space() {
			r.unclosed()
		}
		if c := r.src[r.at]; c == ']' {
			r.ends()
			return out
		} else if c == '}' {
			r.wrongEnd()
		}
		if !first {
			if r.src[r.at] != ',' {
				r.unexpected(": was expecting comma to separate Array entries")
			}
			r.at++
			if !r.space() {
				r.fail(parseFault, 0, "Unexpected end-of-input within/between Array entries")
			}
		}
		r.noValue()
		out = append(out, r.value(depth+1))
	}
}

// word reads null, true or false.
func (r *jsonReader) word() any {
	begin := r.at
	for r.at < len(r.src) && identifierPart(r.runeAt(r.at)) {
		r.at++
	}
	switch text := javaText(r.src[begin:r.at]); {
	case text == "null":
		return nil
	case text == "true" || text == "false":
		return text == "true"
	case text == "NaN" || text == "Infinity":
		r.nonStandard(text)
	case r.at > begin && unicode.In(r.runeAt(begin), unicode.L, unicode.Nl, unicode.Sc, unicode.Pc):
		r.unrecognized(begin)
	}
	r.at = begin
	r.unexpected(": expected a valid value " + aValue)
	return nil
}

func (r *jsonReader) nonStandard(text string) {
	r.fail(parseFault, 0, "Non-standard token '%s': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow", text)
}

// unrecognized refuses a word.
func (r *jsonReader) unrecognized(begin int) {
	const most = 256
	text := javaText(r.src[begin:min(r.at, begin+most)])
	if r.at-begin >= most {
		text, r.at = text+"...", begin+most
	}
	r.fail(parseFault, 0, "Unrecognized token '%s': was expecting %s", text, aValue)
}

// identifierPart is Java's Character.isJavaIdentifierPart.
func identifierPart(c rune) bool {
	return unicode.In(c, unicode.L, unicode.Nd, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Sc, unicode.Pc, unicode.Cf) ||
		c <= 8 || c >= 0xe && c <= 0x1b || c >= 0x7f && c <= 0x9f
}
