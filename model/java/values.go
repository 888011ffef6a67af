package java

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"ringlab/model/types"
)

// doubleBits is Double.doubleToLongBits: one NaN only.
func doubleBits(f float64) int64 {
	if f != f {
		return 0x7ff8000000000000
	}
	return int64(math.Float64bits(f))
}

func floatBits(f float32) int32 {
	if f != f {
		return 0x7fc00000
	}
	return int32(math.Float32bits(f))
}

// array is a Java array; its values have the form of elem.
type array struct {
	elem *Type
	v    []any
}

// zero is what the elements of a new array are.
func zero(t *Type) any {
	switch t.kind {
	case kBoolean:
		return false
	case kByte:
		return int8(0)
	case kShort:
		return int16(0)
	case kChar:
		return uint16(0)
	case kInt:
		return int32(0)
	case kLong:
		return int64(0)
	case kFloat:
		return float32(0)
	case kDouble:
		return float64(0)
	}
	return nil
}

// builder is a StringBuilder or StringBuffer, in UTF-16 units.
type builder struct {
	class string
	u     []uint16
}

func (b *builder) String() string { return fromUnits(b.u) }

// uuidValue is a java.util.UUID.
type uuidValue [16]byte

func (u uuidValue) String() string { return types.UUID.Raw(u[:]) }

func (u uuidValue) halves() (high, low int64) {
	return types.DecodeInt64(u[:8]), types.DecodeInt64(u[8:])
}

func (u uuidValue) hash(*machine) int32 {
	high, low := u.halves()
	h := high ^ low
	return int32(h>>32) ^ int32(h)
}

// order compares both halves as signed numbers, as Java does.
func (u uuidValue) order(v any) int32 {
	a, b := u.halves()
	c, d := v.(uuidValue).halves()
	if a != c {
		return order(a, c)
	}
	return order(b, d)
}

// date is a java.util.Date.
type date struct{ ms int64 }

func (d *date) same(_ *machine, v any) bool {
	o, ok := v.(*date)
	return ok && d.ms == o.ms
}
func (d *date) hash(*machine) int32 { return int32(d.ms) ^ int32(d.ms>>32) }
func (d *date) order(v any) int32   { return order(d.ms, v.(*date).ms) }

var weekdays = []string{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"}
var months = strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

// parts are the fields of a date in UTC, the zone of the simulated nodes.
func (d *date) parts() (year int64, month, day int, seconds int64, weekday int) {
	days := floorDiv(d.ms, 86400000)
	year, month, day = types.Civil(days)
	return year, month, day, (d.ms - days*86400000) / 1000, int(((days % 7) + 7) % 7)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// show is Date.toString, for the years of the Gregorian calendar.
func (d *date) show(m *machine) string {
	if d.ms < -12219292800000 {
		m.limit("the text of a date before 1582-10-15")
	}
	year, month, day, s, weekday := d.parts()
	two := func(n int) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }
	return weekdays[weekday] + " " + months[month-1] + " " + two(day) + " " + two(int(s/3600)) + ":" + two(int(s/60%60)) + ":" + two(int(s%60)) + " UTC " + pad(year, 4)
}

func pad(n int64, width int) string {
	s := decimalText(n)
	for len(s) < width {
		s = "0" + s
	}
	return s
}

// localDate is a date of Cassandra's driver: days since 1970-01-01.
type localDate int32

func (d localDate) String() string { return types.Date.Raw(types.EncodeDate(int64(d))) }

func (d localDate) hash(m *machine) int32 {
	m.limit("hashCode of a LocalDate")
	return 0
}

// address is a java.net.InetAddress, 4 or 16 bytes as a string.
type address string

func (a address) String() string {
	if len(a) == 4 {
		return "/" + types.Inet.Raw([]byte(a))
	}
	groups := make([]string, 8) // Java leaves no zeros out
	for i := range groups {
		groups[i] = strconv.FormatUint(uint64(a[2*i])<<8|uint64(a[2*i+1]), 16)
	}
	return "/" + strings.Join(groups, ":")
}

func (a address) hash(m *machine) int32 {
	if len(a) != 4 {
		m.limit("hashCode of an IPv6 address")
	}
	return types.DecodeInt32([]byte(a))
}

// span is a duration.
type span struct{ types.DurationValue }

func (s span) String() string { return s.DurationValue.String() }

func (s span) hash(m *machine) int32 {
	m.limit("hashCode of a duration")
	return 0
}

// classObject is what getClass gives.
type classObject struct{ c *class }

func (c classObject) String() string {
	if c.c.kind == "interface" {
		return "interface " + c.c.binary()
	}
	return "class " + c.c.binary()
}

// plain is a new Object().
type plain struct{ _ byte }

// classOf is the class of a value.
func classOf(v any) *class {
	name := "Object"
	switch x := v.(type) {
	case bool:
		name = "Boolean"
	case int8:
		name = "Byte"
	case int16:
		name = "Short"
	case uint16:
		name = "Character"
	case int32:
		name = "Integer"
	case int64:
		name = "Long"
	case float32:
		name = "Float"
	case float64:
		name = "Double"
	case string:
		name = "String"
	case *big.Int:
		name = "BigInteger"
	case *bigDecimal:
		name = "BigDecimal"
	case *builder:
		name = x.class
	case uuidValue:
		name = "UUID"
	case *date:
		name = "Date"
	case localDate:
		name = "LocalDate"
	case address:
		name = "Inet6Address"
		if len(x) == 4 {
			name = "Inet4Address"
		}
	case span:
		name = "Duration"
	case *throwable:
		return x.class
	case *buffer:
		name = "HeapByteBuffer"
	case *record:
		name = "TupleValue"
		if x.typ.Kind == types.KindUDT {
			name = "UDTValue"
		}
	case *Context:
		name = "UDFContext"
	case classObject:
		name = "Class"
	case interface{ class() string }:
		name = x.class()
	}
	return classNamed(name)
}

// isA says whether a value that is not null is of a type.
func isA(v any, t *Type) bool {
	if t.kind == kArray {
		a, ok := v.(*array)
		return ok && (a.elem.equal(t.elem) || !a.elem.primitive() && a.elem.fits(t.elem))
	}
	if _, ok := v.(*array); ok {
		return t.is("Object")
	}
	return t.kind == kAny || t.kind == kVar || classOf(v).under(t.class)
}

// copyOf are the values of a collection or array.
func (m *machine) copyOf(v any) []any {
	m.object(v)
	if a, ok := v.(*array); ok {
		return slices.Clone(a.v)
	}
	out := v.(collection).all(m)
	m.alloc(len(out))
	return slices.Clone(out)
}
