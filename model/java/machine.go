package java

import (
	"math/big"
	"strconv"
	"strings"
)

// What one call may use up. Cassandra gives it 1500 ms and the heap; neither can
// be repeated, so steps and units of memory (a value of a collection or eight
// characters) are counted.
const (
	maxSteps  = 5_000_000
	maxMemory = 2_000_000
	maxText   = 1 << 24 // characters of a string
)

// machine is one call: what it used up so far.
type machine struct {
	steps  int
	memory int
	depth  int // of values in values, while they are shown or compared
	on     *Context
}

// thrown is an exception on its way.
type thrown struct{ x *throwable }

// stopped ends a call from outside; no catch sees it.
type stopped struct{ memory bool }

// throwable is an object of an exception class. A nil msg is null.
type throwable struct {
	class *class
	msg   any
	cause *throwable
}

// String is Throwable.toString.
func (t *throwable) String() string {
	if t.msg == nil {
		return t.class.binary()
	}
	return t.class.binary() + ": " + t.msg.(string)
}

// step uses up steps.
func (m *machine) step(n int) {
	if m.steps += n; m.steps > maxSteps {
		panic(stopped{})
	}
}

// alloc uses up memory.
func (m *machine) alloc(n int) {
	if m.memory += n; n < 0 || m.memory > maxMemory {
		panic(stopped{memory: true})
	}
	m.step(1 + n/16)
}

// text accounts for a new string.
func (m *machine) text(s string) string {
	if len(s) > maxText {
		panic(stopped{memory: true})
	}
	m.alloc(1 + len(s)/8)
	return s
}

// throw throws a new exception.
func (m *machine) throw(class, msg string) {
	panic(thrown{&throwable{class: classNamed(class), msg: msg}})
}

// bare throws a new exception without message.
func (m *machine) bare(class string) { panic(thrown{&throwable{class: classNamed(class)}}) }

// limit ends the call, since what it does is not known here.
func (m *machine) limit(what string) { panic(&Limit{what}) }

// object is an argument that the library needs; null throws. What Java says then
// names variables of its own library, so nothing is said.
func (m *machine) object(v any) any {
	if v == nil {
		m.bare("NullPointerException")
	}
	return v
}

func (m *machine) str(v any) string { return m.object(v).(string) }

// index checks an index as java.util.Objects.checkIndex does.
func (m *machine) index(i int32, n int, class string) int {
	if i < 0 || int(i) >= n {
		m.throw(class, "Index "+decimalText(int64(i))+" out of bounds for length "+decimalText(int64(n)))
	}
	return int(i)
}

func decimalText(n int64) string { return strconv.FormatInt(n, 10) }

// deeper guards walks through values that hold themselves.
func (m *machine) deeper(walk func()) {
	m.step(1)
	if m.depth++; m.depth > 1000 {
		m.limit("values nested deeper than 1000 levels")
	}
	walk()
	m.depth--
}

// toText is String.valueOf.
func (m *machine) toText(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return x
	case bool, int8, int16, uint16, int32, int64, float32, float64:
		return numberText(v)
	case *big.Int:
		m.step(len(x.Bits()) * len(x.Bits()))
		return x.String()
	case *builder:
		return x.String()
	case interface{ show(m *machine) string }:
		var s string
		m.deeper(func() { s = x.show(m) })
		return s
	case interface{ String() string }:
		return x.String()
	}
	m.limit("the text of an object without toString")
	return ""
}

// sequence shows values as collections do.
func (m *machine) sequence(all []any, self any) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		if self != nil && v == self {
			b.WriteString("(this Collection)")
		} else {
			b.WriteString(m.toText(v))
		}
		m.step(1)
		if b.Len() > maxText {
			panic(stopped{memory: true})
		}
	}
	b.WriteByte(']')
	return m.text(b.String())
}

// equals is a.equals(b) for a that is not null.
func (m *machine) equals(a, b any) bool {
	m.step(1)
	if b == nil || a == nil {
		return a == nil && b == nil
	}
	switch x := a.(type) {
	case float32:
		y, ok := b.(float32)
		return ok && hashOf(m, x) == hashOf(m, y)
	case float64:
		y, ok := b.(float64)
		return ok && doubleBits(x) == doubleBits(y)
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case interface{ same(m *machine, v any) bool }:
		var same bool
		m.deeper(func() { same = x.same(m, b) })
		return same
	}
	return a == b
}

// hashOf is v.hashCode(), and 0 of null.
func hashOf(m *machine, v any) int32 {
	m.step(1)
	switch x := v.(type) {
	case nil:
		return 0
	case bool:
		if x {
			return 1231
		}
		return 1237
	case int8, int16, uint16, int32:
		return int32(toLong(v))
	case int64:
		return int32(x ^ int64(uint64(x)>>32))
	case float32:
		return floatBits(x)
	case float64:
		b := doubleBits(x)
		return int32(b ^ int64(uint64(b)>>32))
	case string:
		m.step(len(x) / 16)
		return hashText(x)
	case *big.Int:
		return hashBig(x)
	case interface{ hash(m *machine) int32 }:
		var h int32
		m.deeper(func() { h = x.hash(m) })
		return h
	}
	m.limit("hashCode of an object that has only its identity")
	return 0
}

// hashBig is BigInteger.hashCode.
func hashBig(x *big.Int) int32 {
	var h int32
	b := new(big.Int).Abs(x).Bytes()
	for len(b)%4 != 0 {
		b = append([]byte{0}, b...)
	}
	for i := 0; i < len(b); i += 4 {
		h = 31*h + int32(uint32(b[i])<<24|uint32(b[i+1])<<16|uint32(b[i+2])<<8|uint32(b[i+3]))
	}
	return h * int32(x.Sign())
}

// compareTo is a.compareTo(b).
func (m *machine) compareTo(a, b any) int32 {
	m.step(1)
	m.object(a)
	m.object(b)
	switch x := a.(type) {
	case bool:
		y := m.sameClass(a, b).(bool)
		switch {
		case x == y:
			return 0
		case x:
			return 1
		}
		return -1
	case int8:
		return int32(x) - int32(m.sameClass(a, b).(int8))
	case int16:
		return int32(x) - int32(m.sameClass(a, b).(int16))
	case uint16:
		return int32(x) - int32(m.sameClass(a, b).(uint16))
	case int32:
		return order(x, m.sameClass(a, b).(int32))
	case int64:
		return order(x, m.sameClass(a, b).(int64))
	case float32:
		return compareDoubles(float64(x), float64(m.sameClass(a, b).(float32)))
	case float64:
		return compareDoubles(x, m.sameClass(a, b).(float64))
	case string:
		return compareText(x, m.sameClass(a, b).(string))
	case *big.Int:
		return int32(x.Cmp(m.sameClass(a, b).(*big.Int)))
	case interface{ order(v any) int32 }:
		return x.order(m.sameClass(a, b))
	}
	m.cannotCast(a, classNamed("Comparable"))
	return 0
}

// sameClass is b, which must have the class of a.
func (m *machine) sameClass(a, b any) any {
	if c := classOf(a); classOf(b) != c {
		m.cannotCast(b, c)
	}
	return b
}

func order[T int32 | int64](x, y T) int32 {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// compareDoubles is Double.compare: -0.0 before 0.0, NaN last.
func compareDoubles(x, y float64) int32 {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return order(doubleBits(x), doubleBits(y))
}

// compareText is String.compareTo: the difference of the first units that differ,
// or of the lengths.
func compareText(x, y string) int32 {
	a, b := toUnits(x), toUnits(y)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return int32(a[i]) - int32(b[i])
		}
	}
	return int32(len(a) - len(b))
}

// cannotCast throws what a cast of the wrong class throws.
func (m *machine) cannotCast(v any, to *class) {
	from := classOf(v)
	f, t := moduleOf(from), moduleOf(to)
	where := from.binary() + " and " + to.binary() + " are in " + f
	if f != t {
		where = from.binary() + " is in " + f + "; " + to.binary() + " is in " + t
	}
	m.throw("ClassCastException", "class "+from.binary()+" cannot be cast to class "+to.binary()+" ("+where+")")
}

func moduleOf(c *class) string {
	if strings.HasPrefix(c.full, "java.") {
		return "module java.base of loader 'bootstrap'"
	}
	return "unnamed module of loader 'app'"
}
