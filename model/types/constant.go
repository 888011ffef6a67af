package types

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
)

// ConstKind is the kind of a constant in CQL text, as the lexer saw it.
type ConstKind uint8

// The kinds of constants.
const (
	ConstString ConstKind = iota
	ConstInteger
	ConstFloat
	ConstBoolean
	ConstHex
	ConstUUID
	ConstDuration
)

// String is the word in error texts, such as INTEGER.
func (k ConstKind) String() string {
	return [...]string{"STRING", "INTEGER", "FLOAT", "BOOLEAN", "HEX", "UUID", "DURATION"}[k]
}

// Assignability says how well a constant fits a receiver.
type Assignability uint8

// From worst to best. Overloads prefer Exact to Weak.
const (
	NotAssignable Assignability = iota
	WeaklyAssignable
	ExactMatch
)

// PreferredType is the type that a constant has by itself: the smallest of int,
// bigint and varint, double unless only decimal is exact, ascii unless the text
// needs more. A hex constant prefers tinyint, as in Cassandra, where the
// author's ByteType should have been BytesType.
// Source: Cassandra 5.0 Constants.Type.getPreferedTypeFor.
func PreferredType(k ConstKind, text string) *Type {
	switch k {
	case ConstString:
		if isASCII(text) {
			return Ascii
		}
		return Text
	case ConstInteger:
		v, ok := parseBigInt(text)
		switch {
		case ok && v.IsInt64() && v.Int64() == int64(int32(v.Int64())):
			return Int
		case ok && v.IsInt64():
			return BigInt
		}
		return Varint
	case ConstFloat:
		unscaled, scale, ok := ParseDecimal(text)
		if !ok {
			return Double
		}
		f, _ := parseJavaFloat(text, 64)
		u, s, ok := ParseDecimal(javaDouble(f))
		if ok && compareDecimal(EncodeDecimal(unscaled, scale), EncodeDecimal(u, s)) == 0 {
			return Double
		}
		return Decimal
	case ConstBoolean:
		return Boolean
	case ConstHex:
		return TinyInt
	case ConstUUID:
		if b, ok := parseUUID(text); ok && b[6]>>4 == 1 {
			return TimeUUID
		}
		return UUID
	}
	return Duration
}

// Assign tells how a constant fits the type.
// Source: Cassandra 5.0 Constants.Literal.testAssignment.
func (t *Type) Assign(k ConstKind, text string) Assignability {
	switch {
	case t.IsCollection() || t.Kind == KindUDT || t.Kind == KindVector:
		return NotAssignable
	case t.Kind == KindCustom && t.Class.Class == "EmptyType":
		return NotAssignable
	case t.Kind == KindTuple, t.Kind == KindCustom:
		return WeaklyAssignable // then FromConstant reads the text as field:field
	case PreferredType(k, text) == t:
		return ExactMatch
	case t.Accepts(k):
		return WeaklyAssignable
	}
	return NotAssignable
}

// Accepts reports whether constants of kind k fit the type. Cassandra lets hex
// constants into tinyint too, by accident: Assign knows that, Accepts does not.
func (t *Type) Accepts(k ConstKind) bool {
	if t.Kind == KindTuple {
		return true
	}
	switch k {
	case ConstString:
		switch t.Kind {
		case KindAscii, KindText, KindInet, KindDate, KindTime, KindTimestamp:
			return true
		}
	case ConstInteger:
		return t.IsNumeric() || t.Kind == KindDate || t.Kind == KindTime || t.Kind == KindTimestamp || t.Kind == KindDuration
	case ConstFloat:
		return t.Kind == KindDecimal || t.Kind == KindDouble || t.Kind == KindFloat
	case ConstBoolean:
		return t.Kind == KindBoolean
	case ConstHex:
		return t.Kind == KindBlob
	case ConstUUID:
		return t.Kind == KindUUID || t.Kind == KindTimeUUID
	case ConstDuration:
		return t.Kind == KindDuration
	}
	return false
}

// FromConstant turns a constant into a value. It does not ask whether the kind
// fits: see Assign and InvalidConstant. Errors are *MarshalError or ErrNow.
// Source: Cassandra 5.0 Constants.Literal.parsedValue.
func (t *Type) FromConstant(k ConstKind, text string) ([]byte, error) {
	if k == ConstHex {
		return Blob.FromString(text[min(2, len(text)):])
	}
	if t.Kind == KindCounter {
		return BigInt.FromString(text)
	}
	return t.FromString(text)
}

// InvalidConstant is the error text when a constant's kind does not fit.
func InvalidConstant(k ConstKind, text, column string, t *Type) string {
	return fmt.Sprintf("Invalid %s constant (%s) for \"%s\" of type %s", k, text, column, t)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// parseBigInt reads [sign] digits, as java.math.BigInteger.
func parseBigInt(s string) (*big.Int, bool) {
	s = asciiDigits(s)
	if !allDigits(strings.TrimPrefix(strings.TrimPrefix(s, "+"), "-")) || strings.HasPrefix(s, "+-") {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

func parseHex(s string) ([]byte, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, marshalError("cannot parse '%s' as hex bytes", s)
	}
	return b, nil
}
