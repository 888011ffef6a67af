package types

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// formatTimestamp writes milliseconds as yyyy-MM-dd, sep, HH:mm:ss.SSSZ in UTC.
// Years before 1 appear as their year of the era before, without a mark.
// Source: Cassandra 5.0 TimestampSerializer.toStringUTC, getJsonDateFormatter.
func formatTimestamp(ms int64, sep byte) string {
	days := floorDiv(ms, 86400000)
	rest := ms - days*86400000
	y, m, d := civilFromDays(days)
	if y < 1 {
		y = 1 - y
	}
	return fmt.Sprintf("%s-%02d-%02d%c%02d:%02d:%02d.%03dZ", formatYear(y), m, d, sep,
		rest/3600000, rest/60000%60, rest/1000%60, rest%1000)
}

// parseTimestamp reads milliseconds, or a date with optional time and zone; a
// text without zone is in UTC. A day past the end of its month becomes the last
// day. Zones are Z, ±hh, ±hhmm, ±hh:mm and, after a space, UTC, GMT, UT or one
// of these with an offset; names of regions are refused here.
// Source: Cassandra 5.0 TimestampSerializer.dateStringToTimestamp.
func parseTimestamp(s string) ([]byte, error) {
	if strings.EqualFold(s, "now") {
		return nil, ErrNow
	}
	if isInteger(s) {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, marshalError("Unable to make long (for date) from: '%s'", s)
		}
		return EncodeInt64(v), nil
	}
	y, m, d, ms, rest, ok := parseDateTime(s)
	if !ok {
		y, m, d, rest, ok = parseISODate(s)
		ms = 0
	}
	offset, zoned := parseZone(rest)
	if !ok || !zoned {
		return nil, marshalError("Unable to parse a date/time from '%s'", s)
	}
	seconds := daysFromCivil(y, m, min(d, daysInMonth(y, m)))*86400 - int64(offset)
	if hi, lo := bits.Mul64(uint64(max(seconds, -seconds)), 1000); hi != 0 || lo > math.MaxInt64 {
		return nil, marshalError("long overflow")
	}
	total := seconds*1000 + ms
	if ms > 0 && total < seconds*1000 {
		return nil, marshalError("long overflow")
	}
	return EncodeInt64(total), nil
}

// parseDateTime reads y-M-d(T| )H:m[:s[.f]] from the front of s; numbers may
// have any length. ms is the time of day in milliseconds.
func parseDateTime(s string) (y int64, m, d int, ms int64, rest string, ok bool) {
	number := func(lo, hi int64) int64 {
		n := leadingDigits(s)
		v, err := strconv.ParseInt(s[:n], 10, 64)
		if n > 19 || err != nil || v < lo || v > hi {
			ok = false
		}
		s = s[n:]
		return v
	}
	skip := func(chars string) {
		if s == "" || strings.IndexByte(chars, s[0]) < 0 {
			ok = false
			return
		}
		s = s[1:]
	}
	ok = true
	y = number(1, 999999999)
	skip("-")
	m = int(number(1, 12))
	skip("-")
	d = int(number(1, 31))
	skip("T ")
	hour := number(0, 24)
	skip(":")
	ms = hour*3600000 + number(0, 59)*60000
	if s != "" && s[0] == ':' {
		s = s[1:]
		ms += number(0, 59) * 1000
		if s != "" && s[0] == '.' {
			n := min(leadingDigits(s[1:]), 9)
			if f, err := strconv.ParseInt((s[1:1+n] + "000")[:3], 10, 64); err == nil {
				ms += f
			}
			s = s[1+n:]
		}
	}
	return y, m, d, ms, s, ok && ms <= 86400000
}

// parseZone reads the zone, which is all of s, as seconds east of UTC.
func parseZone(s string) (seconds int, ok bool) {
	named := strings.HasPrefix(s, " ")
	s = strings.TrimPrefix(s, " ")
	if named {
		for _, name := range [...]string{"UTC", "GMT", "UT"} {
			if rest, found := strings.CutPrefix(s, name); found {
				if rest == "" {
					return 0, true
				}
				return parseOffset(rest, true)
			}
		}
	}
	if s == "" {
		return 0, !named
	}
	if s == "Z" {
		return 0, true
	}
	return parseOffset(s, false)
}

// parseOffset reads ±hh, ±hhmm or ±hh:mm, at most 18 hours; with colon the
// second form is refused.
func parseOffset(s string, colon bool) (seconds int, ok bool) {
	if len(s) < 3 || s[0] != '+' && s[0] != '-' || !allDigits(s[1:3]) {
		return 0, false
	}
	minutes := 0
	switch {
	case len(s) == 3:
	case len(s) == 5 && !colon && allDigits(s[3:]):
		minutes = int(s[3]-'0')*10 + int(s[4]-'0')
	case len(s) == 6 && s[3] == ':' && allDigits(s[4:]):
		minutes = int(s[4]-'0')*10 + int(s[5]-'0')
	default:
		return 0, false
	}
	seconds = (int(s[1]-'0')*10+int(s[2]-'0'))*3600 + minutes*60
	if minutes > 59 || seconds > 18*3600 {
		return 0, false
	}
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}
