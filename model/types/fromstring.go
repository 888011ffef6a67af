package types

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FromString reads a value from its raw text, the inverse of Raw: string
// constants, partition keys on the command line and JSON strings take this way.
// The empty text gives the empty value for most types. Errors are *MarshalError,
// or ErrNow for a timestamp.
// Source: Cassandra 5.0 AbstractType.fromString.
func (t *Type) FromString(s string) ([]byte, error) {
	if s == "" {
		switch t.Kind {
		case KindBoolean:
			return EncodeBool(false), nil
		case KindDate:
			return parseDate(s)
		case KindTime:
			return parseTime(s)
		}
		return []byte{}, nil
	}
	switch t.Kind {
	case KindAscii:
		return parseAscii(s)
	case KindText:
		return []byte(strings.ToValidUTF8(s, "?")), nil
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt:
		return t.parseInteger(s)
	case KindVarint:
		v, ok := parseBigInt(s)
		if !ok {
			return nil, marshalError("unable to make int from '%s'", s)
		}
		return EncodeVarint(v), nil
	case KindFloat:
		v, ok := parseJavaFloat(s, 32)
		if !ok {
			return nil, marshalError("Unable to make float from '%s'", s)
		}
		return encodeJavaFloat(v), nil
	case KindDouble:
		v, ok := parseJavaFloat(s, 64)
		if !ok {
			return nil, marshalError("Unable to make double from '%s'", s)
		}
		return encodeJavaDouble(v), nil
	case KindDecimal:
		unscaled, scale, ok := ParseDecimal(s)
		if !ok {
			return nil, marshalError("unable to make BigDecimal from '%s'", s)
		}
		return EncodeDecimal(unscaled, scale), nil
	case KindBoolean:
		if strings.EqualFold(s, "true") || strings.EqualFold(s, "false") {
			return EncodeBool(len(s) == 4), nil
		}
		return nil, marshalError("Unable to make boolean from '%s'", s)
	case KindUUID, KindTimeUUID:
		return t.parseUUID(s)
	case KindTimestamp:
		return parseTimestamp(s)
	case KindDate:
		return parseDate(s)
	case KindTime:
		return parseTime(s)
	case KindDuration:
		d, err := ParseDuration(s)
		if m, ok := err.(*MarshalError); ok {
			m.Request = true
		}
		if err != nil {
			return nil, err
		}
		return EncodeDuration(d), nil
	case KindInet:
		b, ok := parseInet(s)
		if !ok {
			return nil, marshalError("Unable to make inet address from '%s'", s)
		}
		return b, nil
	case KindTuple, KindUDT:
		return t.parseTuple(s)
	case KindCustom:
		return t.Class.parse(s)
	}
	return parseHex(s) // blob, counter, collections and vectors
}

func parseAscii(s string) ([]byte, error) {
	for i, r := range s {
		if r < 0x80 {
			continue
		}
		length := 1
		if r > 0xffff {
			length = 2
		}
		if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
			length = 1
		}
		return nil, marshalError("Invalid ASCII character in string literal: java.nio.charset.UnmappableCharacterException: Input length = %d", length)
	}
	return []byte(s), nil
}

func (t *Type) parseInteger(s string) ([]byte, error) {
	size, name := 64, "long"
	switch t.Kind {
	case KindTinyInt:
		size, name = 8, "byte"
	case KindSmallInt:
		size, name = 16, "short"
	case KindInt:
		size, name = 32, "int"
	}
	v, err := strconv.ParseInt(asciiDigits(s), 10, size)
	if err != nil {
		return nil, marshalError("Unable to make %s from '%s'", name, s)
	}
	return EncodeInt64(v)[8-size/8:], nil
}

func (t *Type) parseUUID(s string) ([]byte, error) {
	b, ok := parseUUID(s)
	switch {
	case t.Kind == KindUUID && !ok:
		return nil, marshalError("Unable to make UUID from '%s'", s)
	case t.Kind == KindTimeUUID && !ok:
		return nil, marshalError("Unknown timeuuid representation: %s", s)
	case t.Kind == KindTimeUUID && b[6]>>4 != 1:
		return nil, marshalError("TimeUUID supports only version 1 UUIDs")
	}
	return b, nil
}

// encodeJavaFloat writes every NaN as the one that Java's parser returns.
func encodeJavaFloat(v float64) []byte {
	if v != v {
		return []byte{0x7f, 0xc0, 0, 0}
	}
	return EncodeFloat(float32(v))
}

func encodeJavaDouble(v float64) []byte {
	if v != v {
		return []byte{0x7f, 0xf8, 0, 0, 0, 0, 0, 0}
	}
	return EncodeDouble(v)
}

var (
	escapedColon = regexp.MustCompile(`\\:`)
	escapedAt    = regexp.MustCompile(`\\@`)
)

// parseTuple reads field:field with @ for null and \: \@ for the characters.
// Source: Cassandra 5.0 TupleType.fromString.
func (t *Type) parseTuple(s string) ([]byte, error) {
	texts := splitColons(s)
	if len(texts) > len(t.Elems) {
		return nil, marshalError("Invalid tuple literal: too many elements. Type %s expects %d but got %d", t, len(t.Elems), len(texts))
	}
	fields := make([][]byte, len(texts))
	for i, text := range texts {
		if text == "@" {
			continue
		}
		text = escapedAt.ReplaceAllLiteralString(escapedColon.ReplaceAllLiteralString(text, ":"), "@")
		f, err := t.Elems[i].FromString(text)
		if err != nil {
			return nil, err
		}
		fields[i] = f
	}
	return EncodeTuple(fields), nil
}

// splitColons cuts at every colon that no backslash precedes.
func splitColons(s string) []string {
	if s == "" {
		return nil
	}
	var parts []string
	prev := 0
	for i := 0; i < len(s); i++ {
		if s[i] != ':' || i > 0 && s[i-1] == '\\' {
			continue
		}
		parts = append(parts, s[prev:i])
		prev = i + 1
	}
	return append(parts, s[prev:])
}
