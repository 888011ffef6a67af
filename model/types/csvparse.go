package types

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse reads a field of a CSV file as COPY FROM does; nil is null. Errors say
// what is wrong in the words of cqlsh.
// Source: cqlsh 6.2 ImportConversion.
func (o *CSV) Parse(t *Type, s string) ([]byte, error) {
	if s == o.Null {
		return nil, nil
	}
	b, err := o.parse(t, s)
	switch {
	case err != nil && s == "": // Null is another text, so that empty strings can be told apart
		return nil, nil
	case err != nil:
		return nil, marshalError("Failed to parse %s : %s", s, err)
	}
	return b, nil
}

func (o *CSV) parse(t *Type, s string) ([]byte, error) {
	switch t.Kind {
	case KindAscii, KindText:
		return t.FromString(s)
	case KindBlob:
		if len(s) < 2 {
			return []byte{}, nil
		}
		b, err := t.FromString(s[2:])
		if err != nil {
			return nil, marshalError("non-hexadecimal number found in fromhex() arg")
		}
		return b, nil
	case KindBoolean:
		return EncodeBool(strings.EqualFold(s, o.True)), nil
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindCounter, KindVarint:
		return o.parseInteger(t, s)
	case KindFloat, KindDouble:
		v, err := strconv.ParseFloat(strings.TrimSpace(o.plainNumber(s)), 64)
		if n, ok := err.(*strconv.NumError); ok && n.Err == strconv.ErrSyntax {
			return nil, marshalError("could not convert string to float: '%s'", s)
		}
		if t.Kind == KindFloat {
			return EncodeFloat(float32(v)), nil
		}
		return EncodeDouble(v), nil
	case KindDecimal:
		b, err := t.FromString(strings.TrimSpace(o.plainNumber(s)))
		if err != nil {
			return nil, marshalError("[<class 'decimal.ConversionSyntax'>]")
		}
		return b, nil
	case KindUUID, KindTimeUUID:
		b, err := t.FromString(s)
		if err != nil {
			return nil, marshalError("badly formed hexadecimal UUID string")
		}
		return b, nil
	case KindDate:
		b, err := t.FromString(s)
		if err != nil {
			return nil, marshalError("time data '%s' does not match format '%%Y-%%m-%%d'", s)
		}
		return b, nil
	case KindTimestamp:
		return o.parseTimestamp(s)
	case KindList, KindSet, KindMap, KindTuple, KindUDT, KindVector:
		return o.parseComposite(t, s)
	}
	return t.FromString(s)
}

// plainNumber is a number without thousands, with a point.
func (o *CSV) plainNumber(s string) string {
	if o.ThousandsSep != "" {
		s = strings.ReplaceAll(s, o.ThousandsSep, "")
	}
	if o.DecimalSep != "" {
		s = strings.ReplaceAll(s, o.DecimalSep, ".")
	}
	return s
}

func (o *CSV) parseInteger(t *Type, s string) ([]byte, error) {
	text := s
	if o.ThousandsSep != "" {
		text = strings.ReplaceAll(s, o.ThousandsSep, "")
	}
	text = strings.TrimPrefix(strings.TrimSpace(text), "+")
	v, ok := parseBigInt(text)
	if !ok {
		return nil, marshalError("invalid literal for int() with base 10: '%s'", s)
	}
	bits := map[Kind]int{KindTinyInt: 7, KindSmallInt: 15, KindInt: 31, KindBigInt: 63, KindCounter: 63}[t.Kind]
	if bits > 0 && v.BitLen() > bits && !(v.Sign() < 0 && v.BitLen() == bits+1 && v.TrailingZeroBits() == uint(bits)) {
		return nil, marshalError("it is out of the range of %s", t)
	}
	if t.Kind == KindVarint {
		return EncodeVarint(v), nil
	}
	n := v.Int64()
	switch t.Kind {
	case KindTinyInt:
		return EncodeInt8(int8(n)), nil
	case KindSmallInt:
		return EncodeInt16(int16(n)), nil
	case KindInt:
		return EncodeInt32(int32(n)), nil
	}
	return EncodeInt64(n), nil
}

// cqlDateTime matches the forms of timestamps in CQL and cqlsh. A time without
// seconds is not among them: only its date is taken, as cqlsh does.
var cqlDateTime = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})[\s\x{a0}]?(?:'T')?(?:(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?))?(?:([+\-])(\d{2}):?(\d{2}))?`)

// parseTimestamp tries the format of DATETIMEFORMAT, then those of CQL, then
// milliseconds. Times without a zone are those of UTC.
func (o *CSV) parseTimestamp(s string) ([]byte, error) {
	if at, ok := strptime(o.DateTimeFormat, s); ok {
		return EncodeInt64(at.UnixMilli()), nil
	}
	m := cqlDateTime.FindStringSubmatch(s)
	if m == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil {
			return EncodeInt64(n), nil
		}
		return nil, marshalError("can't interpret '%s' as a date with format %s or as int", s, o.DateTimeFormat)
	}
	n := make([]int, len(m))
	for i := range m {
		n[i], _ = strconv.Atoi(m[i])
	}
	ms := 0
	if m[7] != "" {
		ms, _ = strconv.Atoi((m[7] + "00")[:3])
	}
	at := time.Date(n[1], time.Month(n[2]), n[3], n[4], n[5], n[6], 0, time.UTC).UnixMilli() + int64(ms)
	offset := int64(n[9]*3600+n[10]*60) * 1000
	if m[8] == "-" {
		offset = -offset
	}
	return EncodeInt64(at - offset), nil
}

// strptime reads a time written by strftime; ok is false where it does not fit.
func strptime(format, s string) (at time.Time, ok bool) {
	layout := ""
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			layout += string(format[i])
			continue
		}
		i++
		switch l, known := strfLayouts[format[i]]; {
		case format[i] == 'Y':
			layout += "2006"
		case format[i] == 'f' && strings.HasSuffix(layout, "."):
			layout += "999999999"
		case format[i] == 'j':
			layout += "002"
		case format[i] == '%':
			layout += "%"
		case known:
			layout += l
		default:
			return at, false
		}
	}
	at, err := time.Parse(layout, s)
	return at, err == nil
}

// parseComposite reads a collection, tuple, user type or vector in brackets.
func (o *CSV) parseComposite(t *Type, s string) ([]byte, error) {
	parts, err := splitComposite(s, ',')
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case KindUDT:
		return o.parseFields(t, parts)
	case KindMap:
		return o.parsePairs(t, parts)
	case KindVector:
		if len(parts) != t.Dim {
			return nil, marshalError("The length of given vector value '%d' is not equal to the vector size from the type definition '%d'", len(parts), t.Dim)
		}
	}
	elems := make([][]byte, 0, len(parts))
	for i, p := range parts {
		of := t.Elems[0]
		if t.Kind == KindTuple {
			if i == len(t.Elems) {
				break
			}
			of = t.Elems[i]
		}
		e, err := o.mandatory(of, p)
		if err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	switch t.Kind {
	case KindTuple:
		return EncodeTuple(elems), nil
	case KindVector:
		return t.EncodeVector(elems), nil
	case KindSet:
		slices.SortFunc(elems, t.Elems[0].Compare)
		elems = slices.CompactFunc(elems, func(a, b []byte) bool { return t.Elems[0].Compare(a, b) == 0 })
	}
	return EncodeCollection(elems), nil
}

func (o *CSV) parsePairs(t *Type, parts []string) ([]byte, error) {
	type pair struct{ key, value []byte }
	var pairs []pair
	for _, p := range parts {
		kv, err := splitComposite("{"+p+"}", ':')
		if err != nil {
			return nil, err
		}
		if len(kv) < 2 {
			return nil, marshalError("list index out of range")
		}
		k, err := o.mandatory(t.Elems[0], kv[0])
		if err != nil {
			return nil, err
		}
		v, err := o.mandatory(t.Elems[1], kv[1])
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{k, v})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return t.Elems[0].Compare(a.key, b.key) })
	var out [][]byte
	for i, p := range pairs {
		if i+1 < len(pairs) && t.Elems[0].Compare(p.key, pairs[i+1].key) == 0 {
			continue // the last of equal keys counts
		}
		out = append(out, p.key, p.value)
	}
	return EncodeMap(out), nil
}

// parseFields reads the fields of a user type, in any order; those left out are null.
func (o *CSV) parseFields(t *Type, parts []string) ([]byte, error) {
	fields := make([][]byte, len(t.Elems))
	for _, p := range parts {
		kv, err := splitComposite("{"+p+"}", ':')
		if err != nil {
			return nil, err
		}
		i := -1
		if len(kv) == 2 {
			i = t.Field(unquoteCSV(kv[0]))
		}
		if i < 0 {
			return nil, marshalError("'%s' is no field of %s", strings.TrimSpace(p), t)
		}
		if v := unquoteCSV(kv[1]); v != o.Null {
			if fields[i], err = o.parse(t.Elems[i], v); err != nil {
				return nil, err
			}
		}
	}
	return EncodeTuple(fields), nil
}

// mandatory reads an element, which may be empty only as text.
func (o *CSV) mandatory(t *Type, s string) ([]byte, error) {
	v := unquoteCSV(s)
	if v == o.Null && t.Kind != KindText {
		return nil, marshalError("Empty values are not allowed")
	}
	return o.parse(t, v)
}

// unquoteCSV takes blanks and the quotes of a CQL string away.
func unquoteCSV(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		s = s[1 : len(s)-1]
	}
	return strings.ReplaceAll(s, "''", "'")
}

// splitComposite cuts what stands between the outermost brackets at separators
// that are neither quoted nor in brackets of their own.
// Source: cqlsh 6.2 ImportConversion._get_converter.split.
func splitComposite(s string, sep byte) ([]string, error) {
	match := map[byte]byte{'{': '}', '[': ']', '(': ')'}
	if len(s) < 2 || match[s[0]] == 0 || match[s[0]] != s[len(s)-1] {
		return nil, marshalError("Invalid composite string, it should start and end with matching parentheses: %s", s)
	}
	var out []string
	last, level, quoted := 1, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[' || c == '(':
			level++
		case c == '}' || c == ']' || c == ')':
			level--
		case c == sep && level == 1:
			out = append(out, s[last:i])
			last = i + 1
		}
	}
	if last < len(s)-1 {
		out = append(out, s[last:len(s)-1])
	}
	return out, nil
}
