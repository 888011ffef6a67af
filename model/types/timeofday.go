package types

import (
	"fmt"
	"strconv"
	"strings"
)

const nanosPerDay = 86400 * 1000000000

// formatTime writes HH:mm:ss.nnnnnnnnn.
// Source: Cassandra 5.0 TimeSerializer.toString.
func formatTime(nanos int64) string {
	second := nanos / 1000000000
	fraction := strconv.FormatInt(nanos%1000000000, 10)
	if n := len(strings.TrimPrefix(fraction, "-")); n < 9 {
		fraction = strings.Repeat("0", 9-n) + fraction
	}
	return fmt.Sprintf("%02d:%02d:%02d.%s", second/3600%24, second/60%60, second%60, fraction)
}

// parseTime reads nanoseconds of the day, or h:m:s with up to nine decimals.
// Hours, minutes and seconds may have any number of digits and a sign.
// Source: Cassandra 5.0 TimeSerializer.timeStringToLong, parseTimeStrictly.
func parseTime(s string) ([]byte, error) {
	if isInteger(s) {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil || v < 0 || v >= nanosPerDay {
			return nil, marshalError("Unable to make long (for time) from: '%s'", s)
		}
		return EncodeInt64(v), nil
	}
	if v, ok := parseClock(trimJava(s)); ok {
		return EncodeInt64(v), nil
	}
	return nil, marshalError("(TimeType) Unable to coerce '%s' to a formatted time (long)", s)
}

func parseClock(s string) (int64, bool) {
	var fraction int64
	parts := strings.SplitN(s, ":", 3)
	if len(parts) != 3 {
		return 0, false
	}
	if i := strings.IndexByte(parts[2], '.'); i >= 0 {
		digits := asciiDigits(parts[2][i+1:])
		if len(digits) > 9 || !allDigits(digits) {
			return 0, false
		}
		parts[2] = parts[2][:i]
		fraction, _ = strconv.ParseInt(digits+strings.Repeat("0", 9-len(digits)), 10, 64)
	}
	var total int64
	for i, p := range parts {
		v, err := strconv.ParseInt(asciiDigits(p), 10, 32)
		if err != nil || v < 0 || v >= [...]int64{24, 60, 60}[i] {
			return 0, false
		}
		total = total*60 + v
	}
	return total*1000000000 + fraction, true
}

// trimJava drops leading and trailing characters up to the space, as String.trim.
func trimJava(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}
