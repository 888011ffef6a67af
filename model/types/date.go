package types

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// EncodeDate is a date: days since 1970-01-01 plus 2^31, unsigned.
func EncodeDate(days int64) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(days+1<<31))
}

// DecodeDate is the days since 1970-01-01; a value that is too short is 0.
func DecodeDate(b []byte) int64 {
	if len(b) < 4 {
		return 0
	}
	return int64(binary.BigEndian.Uint32(b)) - 1<<31
}

// daysFromCivil counts days since 1970-01-01 in the proleptic Gregorian calendar.
func daysFromCivil(y int64, m, d int) int64 {
	if m <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	doy := int64((153*((m+9)%12)+2)/5 + d - 1)
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// Civil is the date of a day, counted from 1970-01-01.
func Civil(day int64) (year int64, month, dayOfMonth int) { return civilFromDays(day) }

// civilFromDays is the inverse of daysFromCivil.
func civilFromDays(days int64) (y int64, m, d int) {
	days += 719468
	era := floorDiv(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	m = int(mp)%12 + 3
	if m > 12 {
		m -= 12
	}
	y = yoe + era*400
	if m <= 2 {
		y++
	}
	return y, m, int(doy-(153*mp+2)/5) + 1
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func daysInMonth(y int64, m int) int {
	if m == 2 && y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		return 29
	}
	return [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1]
}

// formatDate writes yyyy-MM-dd; years past 9999 have a plus sign.
// Source: java.time.LocalDate.toString.
func formatDate(days int64) string {
	y, m, d := civilFromDays(days)
	return fmt.Sprintf("%s-%02d-%02d", formatYear(y), m, d)
}

func formatYear(y int64) string {
	switch {
	case y > 9999:
		return fmt.Sprintf("+%d", y)
	case y < 0:
		return fmt.Sprintf("-%04d", -y)
	}
	return fmt.Sprintf("%04d", y)
}

// isInteger matches -?digits.
func isInteger(s string) bool { return allDigits(strings.TrimPrefix(s, "-")) }

// parseDate reads an unsigned raw value or an ISO date. Days outside the
// calendar are refused, unlike in timestamps.
// Source: Cassandra 5.0 SimpleDateSerializer.dateStringToDays.
func parseDate(s string) ([]byte, error) {
	if isInteger(s) {
		v, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			return nil, marshalError("Unable to make unsigned int (for date) from: '%s'", s)
		}
		return EncodeDate(int64(v) - 1<<31), nil
	}
	y, m, d, rest, ok := parseISODate(s)
	if !ok || rest != "" || d > daysInMonth(y, m) {
		return nil, marshalError("Unable to coerce '%s' to a formatted date (long)", s)
	}
	days := daysFromCivil(y, m, d)
	const limit = math.MaxInt64 / 86400000
	switch {
	case days > limit || days < -limit:
		return nil, marshalError("Unable to coerce '%s' to a formatted date (long)", s)
	case days < math.MinInt32:
		return nil, marshalError("Input date %s is less than min supported date -5877641-06-23T00:00Z", s)
	case days > math.MaxInt32:
		return nil, marshalError("Input date %s is greater than max supported date +5881580-07-11T00:00Z", s)
	}
	return EncodeDate(days), nil
}

// parseISODate reads [sign]yyyy-MM-dd from the front of s: two digits for month
// and day, a plus sign exactly for years of more than four digits. The day may
// still be past the end of its month.
func parseISODate(s string) (y int64, m, d int, rest string, ok bool) {
	sign := byte(0)
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[0], s[1:]
	}
	n := leadingDigits(s)
	if n < 4 || n > 10 || (sign == '+') != (n > 4) && sign != '-' || len(s) < n+6 {
		return 0, 0, 0, "", false
	}
	y, _ = strconv.ParseInt(s[:n], 10, 64)
	if y > 999999999 || sign == '-' && y == 0 {
		return 0, 0, 0, "", false
	}
	if sign == '-' {
		y = -y
	}
	s = s[n:]
	if s[0] != '-' || !allDigits(s[1:3]) || s[3] != '-' || !allDigits(s[4:6]) {
		return 0, 0, 0, "", false
	}
	m, d = int(s[1]-'0')*10+int(s[2]-'0'), int(s[4]-'0')*10+int(s[5]-'0')
	return y, m, d, s[6:], m >= 1 && m <= 12 && d >= 1 && d <= 31
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
