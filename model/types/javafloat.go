package types

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
)

// javaDouble writes a double as Double.toString of Java 11 and 17 does: 1.0,
// 1.0E10, 4.9E-324. These Javas do not always print the shortest digits.
func javaDouble(v float64) string {
	b := math.Float64bits(v)
	exp := int(b >> 52 & 0x7ff)
	fract := int64(b & (1<<52 - 1))
	if s, ok := javaSpecial(v, exp == 0x7ff); ok {
		return s
	}
	significant := 53
	if exp == 0 {
		shift := bits.LeadingZeros64(uint64(fract)) - 11
		significant = 64 - bits.LeadingZeros64(uint64(fract))
		fract <<= shift
		exp = 1 - shift
	} else {
		fract |= 1 << 52
	}
	return javaDigits(v < 0, exp-1023, fract, significant)
}

// javaFloat is Float.toString of Java 11 and 17.
func javaFloat(v float32) string {
	b := math.Float32bits(v)
	exp := int(b >> 23 & 0xff)
	fract := int32(b & (1<<23 - 1))
	if s, ok := javaSpecial(float64(v), exp == 0xff); ok {
		return s
	}
	significant := 24
	if exp == 0 {
		shift := bits.LeadingZeros32(uint32(fract)) - 8
		significant = 32 - bits.LeadingZeros32(uint32(fract))
		fract <<= shift
		exp = 1 - shift
	} else {
		fract |= 1 << 23
	}
	return javaDigits(v < 0, exp-127, int64(fract)<<29, significant)
}

func javaSpecial(v float64, nonFinite bool) (string, bool) {
	switch {
	case nonFinite && math.IsNaN(v):
		return "NaN", true
	case nonFinite && v > 0:
		return "Infinity", true
	case nonFinite:
		return "-Infinity", true
	case v == 0 && math.Signbit(v):
		return "-0.0", true
	case v == 0:
		return "0.0", true
	}
	return "", false
}

// javaDigits develops the digits of fract × 2^(binExp-52), where bit 52 of fract
// is set, and writes them.
// Source: jdk.internal.math.FloatingDecimal.BinaryToASCIIBuffer.dtoa and getChars, Java 17.
func javaDigits(negative bool, binExp int, fract int64, significant int) string {
	tail := bits.TrailingZeros64(uint64(fract))
	nFract := 53 - tail
	nTiny := max(0, nFract-binExp-1)
	if binExp <= 62 && binExp >= -21 && nTiny == 0 && nFract < 64 {
		insignificant := 0
		if p := binExp - significant - 1; binExp > significant && p > 1 && p < 64 {
			insignificant = int(float64(p) * 0.30102999566398119)
		}
		if binExp >= 52 {
			fract <<= binExp - 52
		} else {
			fract >>= 52 - binExp
		}
		exp, digits := javaLongDigits(fract, insignificant)
		return javaChars(negative, exp, digits)
	}

	decExp := estimateDecExp(fract, binExp)
	b5 := max(0, -decExp)
	b2 := b5 + nTiny + binExp
	s5 := max(0, decExp)
	s2 := s5 + nTiny
	m5 := b5
	m2 := b2 - significant
	fract >>= tail
	b2 -= nFract - 1
	common := min(b2, s2)
	b2 -= common
	s2 -= common
	m2 -= common
	if nFract == 1 {
		m2--
	}
	if m2 < 0 {
		b2 -= m2
		s2 -= m2
		m2 = 0
	}
	bBits := nFract + b2 + pow5Bits(b5)
	sBits := s2 + 1 + pow5Bits(s5+1)
	// Java computes in ints, longs or big numbers; the small ones stop on another
	// condition than the big ones, and their m may wrap.
	width := 0
	if bBits < 64 && sBits < 64 {
		width = 64
		if bBits < 32 && sBits < 32 {
			width = 32
		}
	}

	b := mul52(big.NewInt(fract), b5, b2)
	s := mul52(big.NewInt(1), s5, s2)
	m := mul52(big.NewInt(1), m5, m2)
	ten := big.NewInt(10)
	tens := new(big.Int).Mul(s, ten)
	q, sum := new(big.Int), new(big.Int)
	var digits []byte
	var low, high bool
	step := func() byte {
		q.QuoRem(b, s, b)
		b.Mul(b, ten)
		m.Mul(m, ten)
		if width > 0 {
			if m.BitLen() >= width { // the wrapped product, as a machine word
				m = wrapInt(m, width)
			}
			if m.Sign() <= 0 {
				low, high = true, true
				return '0' + byte(q.Int64())
			}
		}
		low = b.Cmp(m) < 0
		c := sum.Add(b, m).Cmp(tens)
		high = c > 0 || c == 0 && width == 0
		return '0' + byte(q.Int64())
	}
	if d := step(); d == '0' && !high {
		decExp--
	} else {
		digits = append(digits, d)
	}
	if decExp < -3 || decExp >= 8 {
		low, high = false, false
	}
	for !low && !high {
		digits = append(digits, step())
	}
	if high {
		up := true
		if low {
			diff := new(big.Int).Lsh(b, 1).Cmp(tens)
			up = diff > 0 || diff == 0 && digits[len(digits)-1]&1 != 0
		}
		if up && roundUp(digits) {
			decExp++
		}
	}
	return javaChars(negative, decExp+1, digits)
}

func wrapInt(m *big.Int, width int) *big.Int {
	low := new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64>>(64-width))).Uint64()
	if width == 32 {
		return big.NewInt(int64(int32(low)))
	}
	return big.NewInt(int64(low))
}

func mul52(v *big.Int, p5, p2 int) *big.Int {
	if p5 > 0 {
		v.Mul(v, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(p5)), nil))
	}
	return v.Lsh(v, uint(p2))
}

var n5Bits = [...]int{0, 3, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28, 31, 33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61}

func pow5Bits(n int) int {
	if n < len(n5Bits) {
		return n5Bits[n]
	}
	return n * 3
}

// estimateDecExp is floor(log10) of the number, sometimes one too high.
func estimateDecExp(fract int64, binExp int) int {
	d2 := math.Float64frombits(0x3ff0000000000000 | uint64(fract)&(1<<52-1))
	d := float64(float64(d2-1.5) * 0.289529654)
	d = float64(d + 0.176091259)
	d = float64(d + float64(float64(binExp)*0.301029995663981))
	return int(math.Floor(d))
}

// javaLongDigits writes a whole number after rounding away digits that the
// float cannot tell apart. exp is the position of the decimal point.
func javaLongDigits(v int64, insignificant int) (exp int, digits []byte) {
	if insignificant != 0 {
		p := pow10(int64(insignificant)).Int64()
		residue := v % p
		v /= p
		exp = insignificant
		if residue >= p>>1 {
			v++
		}
	}
	digits = strconv.AppendInt(nil, v, 10)
	exp += len(digits)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return exp, digits
}

// roundUp adds one to the last digit and reports a carry out of the first.
func roundUp(digits []byte) bool {
	i := len(digits) - 1
	for digits[i] == '9' && i > 0 {
		digits[i] = '0'
		i--
	}
	if digits[i] == '9' {
		digits[0] = '1'
		return true
	}
	digits[i]++
	return false
}

// javaChars places the decimal point: plain from 1.0E-3 up to below 1.0E7.
func javaChars(negative bool, exp int, digits []byte) string {
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	switch {
	case exp > 0 && exp < 8:
		n := min(len(digits), exp)
		b.Write(digits[:n])
		b.WriteString(strings.Repeat("0", exp-n))
		b.WriteByte('.')
		if n < len(digits) {
			b.Write(digits[n:])
		} else {
			b.WriteByte('0')
		}
	case exp <= 0 && exp > -3:
		b.WriteString("0." + strings.Repeat("0", -exp))
		b.Write(digits)
	default:
		b.WriteByte(digits[0])
		b.WriteByte('.')
		if len(digits) > 1 {
			b.Write(digits[1:])
		} else {
			b.WriteByte('0')
		}
		b.WriteString("E" + strconv.Itoa(exp-1))
	}
	return b.String()
}

// parseJavaFloat reads what Double.parseDouble accepts, and nothing more.
// bitSize is 32 or 64; too large numbers become infinite.
func parseJavaFloat(s string, bitSize int) (float64, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	t := s
	if t != "" && (t[0] == '+' || t[0] == '-') {
		t = t[1:]
	}
	switch t {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if t != "" && strings.IndexByte("fFdD", t[len(t)-1]) >= 0 {
		hexadecimal := strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0X")
		if !hexadecimal || strings.ContainsAny(t, "pP") {
			t, s = t[:len(t)-1], s[:len(s)-1]
		}
	}
	if t == "" || !(t[0] >= '0' && t[0] <= '9' || t[0] == '.') || strings.IndexByte(t, '_') >= 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, bitSize)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// asciiDigits replaces every Unicode decimal digit by its ASCII form, since
// Java's number parsers accept them all.
func asciiDigits(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return strings.Map(asciiDigit, s)
		}
	}
	return s
}

func asciiDigit(r rune) rune {
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return r
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}

// JavaFloat is a float as Java's Float.toString writes it.
func JavaFloat(v float32) string { return javaFloat(v) }

// JavaDouble is a double as Java's Double.toString writes it: 0.08361176470588236,
// 4.0, 1.0E-5, NaN.
func JavaDouble(v float64) string { return javaDouble(v) }

// ParseJavaFloat is Double.parseDouble, or Float.parseFloat for 32 bits.
func ParseJavaFloat(s string, bitSize int) (float64, bool) { return parseJavaFloat(s, bitSize) }
