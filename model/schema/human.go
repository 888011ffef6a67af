package schema

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	humanNumber    = regexp.MustCompile(`^(?:NaN|[+-]?Infinity|[+-]?[0-9]+(?:\.[0-9]+)?([eE][+-]?[0-9]+)?)`)
	binaryExponent = regexp.MustCompile(`^\*2\^([+-]?[0-9]+)`)
)

// unitPrefixes stand from 1000^-10 to 1000^10; the blank in the middle is none.
const unitPrefixes = "qryzafpnum KMGTPEZYRQ"

// thousands are powers of 1000 from the tenth below one on, as Java's exp(n * log(1000))
// gives them: 1KB is less than a thousand bytes.
var thousands = [...]float64{1.0000000000000024e-30, 1.0000000000000022e-27, 1.000000000000002e-24, 1.0000000000000016e-21, 1.0000000000000014e-18,
	1.0000000000000013e-15, 1.000000000000001e-12, 1.0000000000000007e-9, 1.0000000000000004e-6, 0.0010000000000000002, 1,
	999.9999999999998, 999999.9999999995, 9.999999999999993e8, 9.99999999999999e11, 9.999999999999989e14,
	9.9999999999999859e17, 9.999999999999983e20, 9.999999999999981e23, 9.999999999999978e26, 9.999999999999976e29}

// humanBytes reads 100MiB, 1.5 GiB or 4096B; problem is what Cassandra says of
// something else.
// Source: Cassandra 5.0 FBUtilities.parseHumanReadable.
func humanBytes(text string) (bytes float64, problem string) {
	rest, ends := strings.CutSuffix(text, "B")
	if !ends {
		return 0, text + " does not end in unit B"
	}
	m := humanNumber.FindStringSubmatch(rest)
	if m == nil {
		return 0, "null"
	}
	v, _ := strconv.ParseFloat(m[0], 64)
	at := len(m[0])
	if m[1] == "" {
		if b := binaryExponent.FindStringSubmatch(rest[at:]); b != nil {
			n, ok := parseInt(b[1], 32)
			if !ok {
				return 0, `For input string: "` + b[1] + `"`
			}
			v, at = math.Ldexp(v, int(n)), at+len(b[0])
		}
	}
	for at < len(rest) && strings.IndexByte(" \t\n\v\f\r\x1c\x1d\x1e\x1f", rest[at]) >= 0 {
		at++
	}
	if at < len(rest) {
		if i := strings.IndexByte(unitPrefixes, rest[at]); i >= 0 {
			if at++; at < len(rest) && rest[at] == 'i' {
				at++
				v = math.Ldexp(v, (i-10)*10)
			} else {
				v *= thousands[i]
			}
		}
	}
	if at != len(rest) {
		return 0, fmt.Sprintf("Unexpected characters between pos %d and %d in %s", at, len(rest), text)
	}
	return v, ""
}

// javaLong is Java's cast of a double to long.
func javaLong(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= 1<<63:
		return math.MaxInt64
	case f <= -(1 << 63):
		return math.MinInt64
	}
	return int64(f)
}

// javaInt is Java's cast of a double to int.
func javaInt(f float64) int64 { return min(max(javaLong(f), math.MinInt32), math.MaxInt32) }
