package types

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CSV says how COPY writes and reads values. The zero value is not ready: see
// DefaultCSV. Source: cqlsh 6.2 cqlshlib/copyutil.py.
type CSV struct {
	Null            string
	True, False     string
	DecimalSep      string
	ThousandsSep    string
	DateTimeFormat  string // as strftime takes it
	FloatPrecision  int
	DoublePrecision int
}

// DefaultCSV are the options that COPY has without WITH.
func DefaultCSV() CSV {
	return CSV{True: "True", False: "False", DecimalSep: ".", DateTimeFormat: "%Y-%m-%d %H:%M:%S.%f%z", FloatPrecision: 5, DoublePrecision: 12}
}

// Text is a value as COPY TO writes it into a field: as cqlsh prints it, less
// the options, with milliseconds in timestamps. Null and the empty value of a
// type other than text and blob read as Null.
// Source: cqlsh 6.2 ExportProcess.format_value.
func (o *CSV) Text(t *Type, b []byte) string {
	if b == nil || emptyValue(t, b) {
		return cellText(o.Null, false)
	}
	precision := o.FloatPrecision
	if t.Kind == KindDouble {
		precision = o.DoublePrecision
	}
	return o.text(t, b, false, precision)
}

func (o *CSV) text(t *Type, b []byte, quote bool, precision int) string {
	switch {
	case b == nil:
		return "None"
	case emptyValue(t, b):
		return ""
	}
	inner := func(t *Type, b []byte) string { return o.text(t, b, true, precision) }
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindCounter, KindVarint:
		if o.ThousandsSep == "" || len(b) == 0 {
			return t.cell(b, quote)
		}
		return o.thousands(parseFloat(t.cell(b, false)))
	case KindFloat:
		return o.float(float64(DecodeFloat(b)), precision)
	case KindDouble:
		return o.float(DecodeDouble(b), precision)
	case KindDecimal:
		if o.ThousandsSep == "" && (o.DecimalSep == "" || o.DecimalSep == ".") {
			return t.cell(b, quote)
		}
		return o.float(parseFloat(t.cell(b, false)), precision)
	case KindBoolean:
		if DecodeBool(b) {
			return o.True
		}
		return o.False
	case KindTimestamp:
		return cellQuote(o.timestamp(DecodeInt64(b)), quote)
	case KindList, KindVector:
		return t.compose(b, inner)
	case KindSet:
		elems, _ := DecodeCollection(b)
		texts := make([]string, len(elems))
		for i, e := range elems {
			texts[i] = inner(t.Elems[0], e)
		}
		if t.sortsByText() {
			slices.Sort(texts)
		}
		return "{" + strings.Join(texts, ", ") + "}"
	case KindMap:
		pairs, _ := DecodeMap(b)
		texts := make([]string, len(pairs)/2)
		for i := range texts {
			texts[i] = inner(t.Elems[0], pairs[2*i]) + ": " + inner(t.Elems[1], pairs[2*i+1])
		}
		if t.sortsByText() {
			slices.Sort(texts)
		}
		return "{" + strings.Join(texts, ", ") + "}"
	case KindTuple, KindUDT:
		return o.fields(t, b, inner)
	}
	return t.cell(b, quote)
}

// emptyValue says whether a value is the empty one of a type that has others.
func emptyValue(t *Type, b []byte) bool {
	return len(b) == 0 && t.Kind < KindTuple && t.Kind != KindText && t.Kind != KindAscii && t.Kind != KindBlob
}

// fields writes a tuple or a user type; absent fields of the latter read as Null.
func (o *CSV) fields(t *Type, b []byte, inner func(*Type, []byte) string) string {
	fields, _ := t.DecodeTuple(b)
	texts := make([]string, len(t.Elems))
	for i, e := range t.Elems {
		var v []byte
		if i < len(fields) {
			v = fields[i]
		}
		texts[i] = inner(e, v)
		if t.Kind == KindUDT {
			if v == nil {
				texts[i] = o.Null
			}
			texts[i] = cellText(t.Names[i], false) + ": " + texts[i]
		}
	}
	if t.Kind == KindUDT {
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func parseFloat(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

// thousands is {:,.0f} of Python with another separator.
func (o *CSV) thousands(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + o.ThousandsSep + s[i:]
	}
	if math.Signbit(v) {
		return "-" + s
	}
	return s
}

// float writes a number with fractions.
// Source: cqlsh 6.2 format_floating_point_type.
func (o *CSV) float(v float64, precision int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || o.ThousandsSep == "" {
		return strings.Replace(cellFloat(v, precision), ".", o.DecimalSep, 1)
	}
	whole, fraction := math.Modf(v)
	out := o.thousands(whole)
	if digits := strings.TrimRight(strconv.FormatFloat(math.Abs(fraction), 'f', precision, 64)[1:], "0"); len(digits) > 1 {
		out += o.DecimalSep + digits[1:]
	}
	return out
}

// timestamp writes a timestamp with its format and no more than milliseconds; out
// of the years 1 to 9999 it is the number.
func (o *CSV) timestamp(ms int64) string {
	at := time.UnixMilli(ms).UTC()
	if at.Year() < 1 || at.Year() > 9999 {
		return strconv.FormatInt(ms, 10)
	}
	text := strftime(o.DateTimeFormat, at)
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return text
	}
	digits := 0
	for digits < 6 && dot+1+digits < len(text) && text[dot+1+digits] >= '0' && text[dot+1+digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return text
	}
	fraction := (text[dot+1:dot+1+digits] + "00")[:max(3, digits)]
	return text[:dot+1] + fraction[:3] + text[dot+1+digits:]
}

// strftime writes a time of UTC as Python does. A directive that it does not
// know stays as it is.
func strftime(format string, at time.Time) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch format[i] {
		case 'Y':
			fmt.Fprintf(&b, "%d", at.Year())
		case 'j':
			fmt.Fprintf(&b, "%03d", at.YearDay())
		case 'f':
			fmt.Fprintf(&b, "%06d", at.Nanosecond()/1000)
		case 's':
			fmt.Fprintf(&b, "%d", at.Unix())
		case '%':
			b.WriteByte('%')
		default:
			if layout, ok := strfLayouts[format[i]]; ok {
				b.WriteString(at.Format(layout))
			} else {
				b.WriteString(format[i-1 : i+1])
			}
		}
	}
	return b.String()
}

// strfLayouts are directives of strftime as layouts of Go.
var strfLayouts = map[byte]string{'m': "01", 'd': "02", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'y': "06", 'z': "-0700", 'Z': "MST",
	'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'T': "15:04:05", 'F': "2006-01-02", 'D': "01/02/06", 'R': "15:04", 'e': "_2"}
