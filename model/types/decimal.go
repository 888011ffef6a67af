package types

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// EncodeDecimal is a decimal: the scale as int32, then the unscaled value as a
// varint. The value is unscaled × 10^-scale; 1.0 and 1.00 have different bytes.
func EncodeDecimal(unscaled *big.Int, scale int32) []byte {
	return append(EncodeInt32(scale), EncodeVarint(unscaled)...)
}

// DecodeDecimal reads a decimal; a value that is too short is 0.
func DecodeDecimal(b []byte) (unscaled *big.Int, scale int32) {
	if len(b) < 4 {
		return new(big.Int), 0
	}
	return DecodeVarint(b[4:]), DecodeInt32(b)
}

// compareDecimal orders decimals by value. Numbers of very different size are
// told apart by their digits, so that 1E+2147483647 costs nothing.
func compareDecimal(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	if len(a) >= 4 && len(b) >= 4 && binary.BigEndian.Uint32(a) == binary.BigEndian.Uint32(b) {
		return compareVarint(a[4:], b[4:])
	}
	ua, sa := DecodeDecimal(a)
	ub, sb := DecodeDecimal(b)
	if c := cmp.Compare(ua.Sign(), ub.Sign()); c != 0 || ua.Sign() == 0 {
		return c
	}
	da := int64(decimalDigits(ua)) - int64(sa)
	db := int64(decimalDigits(ub)) - int64(sb)
	if da != db {
		if (da < db) == (ua.Sign() > 0) {
			return -1
		}
		return 1
	}
	diff := int64(sa) - int64(sb) // bounded by the number of digits, since both have the same size
	if diff < 0 {
		return new(big.Int).Mul(ua, pow10(-diff)).Cmp(ub)
	}
	return ua.Cmp(new(big.Int).Mul(ub, pow10(diff)))
}

func pow10(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

// decimalDigits counts the decimal digits of |v|, 1 for 0.
func decimalDigits(v *big.Int) int {
	s := v.String()
	if s[0] == '-' {
		return len(s) - 1
	}
	return len(s)
}

// FormatDecimal writes plain digits, or scientific form when the scale is
// negative or the number is below 1E-6: "12.3400", "1E+1", "0E+5", "1E-10".
// Source: java.math.BigDecimal.toString.
func FormatDecimal(unscaled *big.Int, scale int32) string {
	digits := unscaled.String()
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if scale == 0 {
		return sign + digits
	}
	adjusted := int64(len(digits)) - 1 - int64(scale)
	if scale > 0 && adjusted >= -6 {
		if pad := int(scale) - len(digits); pad >= 0 {
			return sign + "0." + strings.Repeat("0", pad) + digits
		}
		dot := len(digits) - int(scale)
		return sign + digits[:dot] + "." + digits[dot:]
	}
	s := sign + digits[:1]
	if len(digits) > 1 {
		s += "." + digits[1:]
	}
	if adjusted != 0 {
		s += "E"
		if adjusted > 0 {
			s += "+"
		}
		s += strconv.FormatInt(adjusted, 10)
	}
	return s
}

// ParseDecimal reads [sign] digits [. digits] [e [sign] digits] as BigDecimal
// does; ok is false for anything else and when the scale leaves 32 bits.
// Source: java.math.BigDecimal(String).
func ParseDecimal(s string) (unscaled *big.Int, scale int32, ok bool) {
	s = asciiDigits(s)
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
		if exponent == "" {
			return nil, 0, false
		}
	}
	digits := mantissa
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	frac := 0
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		frac = len(digits) - i - 1
		digits = digits[:i] + digits[i+1:]
	}
	if !allDigits(digits) {
		return nil, 0, false
	}
	var exp int64
	if exponent != "" {
		e := exponent
		if e[0] == '+' || e[0] == '-' {
			e = e[1:]
		}
		if !allDigits(e) {
			return nil, 0, false
		}
		v, err := strconv.ParseInt(exponent, 10, 32)
		if err != nil {
			return nil, 0, false
		}
		exp = v
	}
	sc := int64(frac) - exp
	if sc > math.MaxInt32 || sc < math.MinInt32 {
		return nil, 0, false
	}
	unscaled, _ = new(big.Int).SetString(digits, 10)
	if mantissa[0] == '-' {
		unscaled.Neg(unscaled)
	}
	return unscaled, int32(sc), true
}

// allDigits reports one or more ASCII digits and nothing else.
func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
