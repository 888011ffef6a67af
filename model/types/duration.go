package types

import (
	"math"
	"strconv"
	"strings"
)

// DurationValue is a duration: months, days and nanoseconds are kept apart,
// since months and days have no fixed length. All have the same sign.
type DurationValue struct {
	Months, Days int32
	Nanos        int64
}

// EncodeDuration is three signed vints.
func EncodeDuration(d DurationValue) []byte {
	return AppendVInt(AppendVInt(AppendVInt(nil, int64(d.Months)), int64(d.Days)), d.Nanos)
}

// DecodeDuration reads three signed vints; ok is false for other bytes. Bytes
// after the third are ignored.
func DecodeDuration(b []byte) (d DurationValue, ok bool) {
	var v [3]int64
	for i := range v {
		n := 0
		if v[i], n = ReadVInt(b); n == 0 {
			return d, false
		}
		b = b[n:]
	}
	if int64(int32(v[0])) != v[0] || int64(int32(v[1])) != v[1] {
		return d, false
	}
	return DurationValue{int32(v[0]), int32(v[1]), v[2]}, true
}

// durationUnits in falling order; the first two count months, the next two days.
var durationUnits = [...]struct {
	symbol, name string
	size         int64
}{
	{"y", "years", 12}, {"mo", "months", 1}, {"w", "weeks", 7}, {"d", "days", 1}, {"h", "hours", 3600e9}, {"m", "minutes", 60e9},
	{"s", "seconds", 1e9}, {"ms", "milliseconds", 1e6}, {"us", "microseconds", 1e3}, {"ns", "nanoseconds", 1},
}

// String is the standard form, 1y2mo3d4h5m6s7ms8us9ns; zero is the empty text.
// Source: Cassandra 5.0 Duration.toString.
func (d DurationValue) String() string {
	var b strings.Builder
	if d.Months < 0 || d.Days < 0 || d.Nanos < 0 {
		b.WriteByte('-')
	}
	part := func(v, size int64, unit string) int64 {
		if v <= 0 || v < size {
			return v
		}
		b.WriteString(strconv.FormatInt(v/size, 10) + unit)
		return v % size
	}
	// The smallest ints have no positive counterpart: Java's abs leaves them negative, and nothing is printed.
	months := int64(d.Months)
	if d.Months < 0 && d.Months != math.MinInt32 {
		months = -months
	}
	days := int64(d.Days)
	if d.Days < 0 && d.Days != math.MinInt32 {
		days = -days
	}
	nanos := max(d.Nanos, -d.Nanos)
	part(part(months, 12, "y"), 1, "mo")
	part(days, 1, "d")
	for _, u := range durationUnits[4:] {
		nanos = part(nanos, u.size, u.symbol)
	}
	return b.String()
}

// ParseDuration reads the standard form and the ISO 8601 forms P1Y2M3DT4H5M6S,
// P2W and P0001-02-03T04:05:06, each with an optional minus in front.
// Source: Cassandra 5.0 Duration.from.
func ParseDuration(s string) (DurationValue, error) {
	source, negative := strings.CutPrefix(s, "-")
	p := durationParser{last: -1}
	ok := false
	switch {
	case !strings.HasPrefix(source, "P"):
		ok = p.standard(source)
	case strings.HasSuffix(source, "W"):
		ok = allDigits(source[1:len(source)-1]) && p.add(source[1:len(source)-1], 2)
	case strings.Contains(source, "-"):
		ok = p.alternative(source)
	default:
		ok = p.iso(source)
	}
	if p.err != nil {
		return DurationValue{}, p.err
	}
	if !ok {
		return DurationValue{}, marshalError("Unable to convert '%s' to a duration", source)
	}
	if negative {
		p.d = DurationValue{-p.d.Months, -p.d.Days, -p.d.Nanos}
	}
	return p.d, nil
}

type durationParser struct {
	d    DurationValue
	last int // unit added last
	err  error
}

func (p *durationParser) standard(s string) bool {
	for {
		n := leadingDigits(s)
		unit, length := durationUnit(s[n:])
		if n == 0 || unit < 0 {
			return false
		}
		if !p.add(s[:n], unit) {
			return false
		}
		if s = s[n+length:]; s == "" {
			return true
		}
	}
}

// durationUnit finds the unit at the front of s and the length of its symbol.
func durationUnit(s string) (unit, length int) {
	if strings.HasPrefix(s, "µs") || strings.HasPrefix(s, "µS") {
		return 8, 3
	}
	for _, n := range [...]int{2, 1} {
		for i, u := range durationUnits {
			if len(u.symbol) == n && len(s) >= n && strings.EqualFold(s[:n], u.symbol) && s[n-1] < 0x80 {
				return i, n
			}
		}
	}
	return -1, 0
}

// iso reads P[nY][nM][nD][T[nH][nM][nS]]. The whole text is checked before
// anything is added, so that its error comes first.
func (p *durationParser) iso(source string) bool {
	var numbers []string
	var units []int
	date, clock, _ := strings.Cut(source[1:], "T")
	for i, section := range [...]string{date, clock} {
		letters, unit := "YMD", [...]int{0, 1, 3}
		if i == 1 {
			letters, unit = "HMS", [...]int{4, 5, 6}
		}
		next := 0
		for section != "" {
			n := leadingDigits(section)
			if n == 0 || n == len(section) {
				return false
			}
			k := strings.IndexByte(letters, section[n])
			if k < next {
				return false
			}
			numbers, units = append(numbers, section[:n]), append(units, unit[k])
			next, section = k+1, section[n+1:]
		}
	}
	for i, n := range numbers {
		if !p.add(n, units[i]) {
			return false
		}
	}
	return true
}

// alternative reads P0001-02-03T04:05:06.
func (p *durationParser) alternative(s string) bool {
	const form = "Pdddd-dd-ddTdd:dd:dd"
	if len(s) != len(form) {
		return false
	}
	for i := range form {
		if digit := s[i] >= '0' && s[i] <= '9'; digit != (form[i] == 'd') || !digit && s[i] != form[i] {
			return false
		}
	}
	for i, n := range [...]string{s[1:5], s[6:8], s[9:11], s[12:14], s[15:17], s[18:20]} {
		if !p.add(n, [...]int{0, 1, 3, 4, 5, 6}[i]) {
			return false
		}
	}
	return true
}

// add puts number × unit to the sum. Units must fall, and the sum must fit.
func (p *durationParser) add(number string, unit int) bool {
	v, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		p.err = marshalError(`For input string: "%s"`, number)
		return false
	}
	name, size := durationUnits[unit].name, durationUnits[unit].size
	if unit == p.last {
		p.err = marshalError("Invalid duration. The %s are specified multiple times", name)
		return false
	}
	if unit < p.last {
		p.err = marshalError("Invalid duration. The %s should be after %s", durationUnits[p.last].name, name)
		return false
	}
	p.last = unit
	total, limit, sum := "nanoseconds", int64(math.MaxInt64), p.d.Nanos
	if unit < 2 {
		total, limit, sum = "months", math.MaxInt32, int64(p.d.Months)
	} else if unit < 4 {
		total, limit, sum = "days", math.MaxInt32, int64(p.d.Days)
	}
	if v > (limit-sum)/size {
		p.err = marshalError("Invalid duration. The total number of %s must be less or equal to 2147483647", total)
		return false
	}
	sum += v * size
	switch {
	case unit < 2:
		p.d.Months = int32(sum)
	case unit < 4:
		p.d.Days = int32(sum)
	default:
		p.d.Nanos = sum
	}
	return true
}
