package types

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Text is the value as cqlsh prints it in a cell, without padding: strings bare
// but with backslash and control characters escaped, floats with five digits,
// timestamps as 2020-01-02 03:04:05.678000+0000. The empty value of a type other
// than text and blob prints nothing. Inside collections strings, timestamps and
// addresses are quoted; a null element reads None, in a UDT null.
// Source: cqlsh 6.2 cqlshlib/formatting.py, with the values of the Python driver.
func (t *Type) Text(b []byte) string { return t.cell(b, false) }

func (t *Type) cell(b []byte, quote bool) string {
	if b == nil && quote {
		return "None"
	}
	if len(b) == 0 && t.Kind != KindBlob && t.Kind != KindText && t.Kind != KindAscii && t.Kind < KindTuple {
		return ""
	}
	if t.Kind < KindList && t.Validate(b) != nil {
		return "0x" + hex.EncodeToString(b)
	}
	switch t.Kind {
	case KindAscii, KindText:
		return cellText(string(b), quote)
	case KindBoolean:
		if DecodeBool(b) {
			return "True"
		}
		return "False"
	case KindFloat:
		return cellFloat(float64(DecodeFloat(b)), cellPrecision)
	case KindDouble:
		return cellFloat(DecodeDouble(b), cellPrecision)
	case KindTimestamp:
		return cellQuote(Instant(DecodeInt64(b)), quote)
	case KindInet:
		return cellQuote(compressInet(b), quote)
	case KindDate:
		return cellDate(DecodeDate(b))
	case KindTime:
		n := DecodeInt64(b)
		return fmt.Sprintf("%02d:%02d:%02d.%09d", n/3600e9, n/60e9%60, n/1e9%60, n%1e9)
	case KindSet:
		return t.cellSet(b)
	case KindMap:
		return t.cellMap(b)
	case KindTuple:
		return t.cellTuple(b)
	case KindUDT:
		return t.cellUDT(b)
	case KindList, KindVector:
		return t.compose(b, quotedCell)
	case KindCustom:
		return "0x" + hex.EncodeToString(b)
	}
	return t.scalar(b)
}

func quotedCell(t *Type, b []byte) string { return t.cell(b, true) }

func cellQuote(s string, quote bool) string {
	if quote {
		return "'" + s + "'"
	}
	return s
}

func cellText(s string, quote bool) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	if quote {
		s = strings.ReplaceAll(s, "'", "''")
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20 || r >= 0x7f && r <= 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return cellQuote(b.String(), quote)
}

// cellPrecision is how many digits of a float cqlsh shows.
const cellPrecision = 5

// cellFloat is %.*g of Python, with more digits while the number has up to that
// many before the point.
func cellFloat(v float64, precision int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	const epsilon = 2.220446049250313e-16
	if math.Abs(v) > epsilon {
		if exp := int(math.Log10(math.Abs(v))); exp >= -4 && exp < precision {
			precision += exp + 1
		}
	}
	return strconv.FormatFloat(v, 'g', precision, 64)
}

// Instant is a moment, in ms since 1970, as cqlsh shows timestamps. It goes
// through a Python datetime: the double of seconds may be off
// by microseconds far from 1970, and out of years 1 to 9999 the number is shown.
func Instant(ms int64) string {
	whole, fraction := math.Modf(float64(ms) / 1000)
	micros := int64(math.RoundToEven(fraction * 1e6))
	seconds := int64(whole) + floorDiv(micros, 1000000)
	micros -= floorDiv(micros, 1000000) * 1000000
	days := floorDiv(seconds, 86400)
	y, m, d := civilFromDays(days)
	if y < 1 || y > 9999 || math.Abs(whole) > 1e12 {
		return strconv.FormatInt(ms, 10)
	}
	s := seconds - days*86400
	return fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d.%06d+0000", y, m, d, s/3600, s/60%60, s%60, micros)
}

// cellDate is the ISO date, or the number of days out of years 1 to 9999.
func cellDate(days int64) string {
	if y, _, _ := civilFromDays(days); y < 1 || y > 9999 {
		return strconv.FormatInt(days, 10)
	}
	return formatDate(days)
}

// cellSet sorts again as the driver's sorted set does: UUIDs by their bytes,
// addresses by their text.
func (t *Type) cellSet(b []byte) string {
	elems, _ := DecodeCollection(b)
	texts := make([]string, len(elems))
	for i, e := range elems {
		texts[i] = t.Elems[0].cell(e, true)
	}
	if t.sortsByText() {
		slices.Sort(texts)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// cellMap is sorted by Python's order of the keys, as a set is.
func (t *Type) cellMap(b []byte) string {
	pairs, _ := DecodeMap(b)
	texts := make([][2]string, len(pairs)/2)
	for i := range texts {
		texts[i] = [2]string{t.Elems[0].cell(pairs[2*i], true), t.Elems[1].cell(pairs[2*i+1], true)}
	}
	if t.sortsByText() {
		slices.SortFunc(texts, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	}
	var s strings.Builder
	for i, kv := range texts {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(kv[0] + ": " + kv[1])
	}
	return "{" + s.String() + "}"
}

// sortsByText says whether Python orders elements or keys as their texts.
func (t *Type) sortsByText() bool {
	switch t.Elems[0].Kind {
	case KindUUID, KindTimeUUID, KindInet:
		return true
	}
	return false
}

// cellTuple shows every field of the type, absent ones as None.
func (t *Type) cellTuple(b []byte) string {
	fields, _ := t.DecodeTuple(b)
	var s strings.Builder
	for i, e := range t.Elems {
		if i > 0 {
			s.WriteString(", ")
		}
		if i < len(fields) {
			s.WriteString(e.cell(fields[i], true))
		} else {
			s.WriteString("None")
		}
	}
	return "(" + s.String() + ")"
}

// cellUDT shows every field of the type, absent ones as null.
func (t *Type) cellUDT(b []byte) string {
	fields, _ := t.DecodeTuple(b)
	var s strings.Builder
	for i, e := range t.Elems {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(cellText(t.Names[i], false) + ": ")
		if i < len(fields) && fields[i] != nil {
			s.WriteString(e.cell(fields[i], true))
		} else {
			s.WriteString("null")
		}
	}
	return "{" + s.String() + "}"
}
