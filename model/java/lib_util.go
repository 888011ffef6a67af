package java

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/model/types"
)

func utilClasses() []declared {
	return []declared{
		{head: "class java.util.Collections", methods: members{
			"static <T> void sort(List<T>)": func(m *machine, a []any) any {
				l := m.object(a[0]).(*list)
				l.writes(m)
				m.sort(l.v)
				l.mod++
				return nil
			},
			"static void reverse(List<?>)": func(m *machine, a []any) any {
				l := m.object(a[0]).(*list)
				l.writes(m)
				m.step(len(l.v))
				slices.Reverse(l.v)
				return nil
			},
			"static <T> T max(Collection<? extends T>)": func(m *machine, a []any) any { return extreme(m, m.copyOf(a[0]), 1) },
			"static <T> T min(Collection<? extends T>)": func(m *machine, a []any) any { return extreme(m, m.copyOf(a[0]), -1) },
			"static void swap(List<?>, int, int)": func(m *machine, a []any) any {
				l := m.object(a[0]).(*list)
				l.writes(m)
				i, j := l.at(m, a[1].(int32)), l.at(m, a[2].(int32))
				l.v[i], l.v[j] = l.v[j], l.v[i]
				return nil
			},
			"static int frequency(Collection<?>, Object)": func(m *machine, a []any) any {
				n := int32(0)
				for _, v := range m.copyOf(a[0]) {
					if m.equals(v, a[1]) {
						n++
					}
				}
				return n
			},
			"static <T> List<T> emptyList()":      func(*machine, []any) any { return &list{kind: "Collections.EmptyList"} },
			"static <T> List<T> singletonList(T)": func(_ *machine, a []any) any { return &list{kind: "Collections.SingletonList", v: []any{a[0]}} },
			"static <T> List<T> nCopies(int, T)": func(m *machine, a []any) any {
				n := a[0].(int32)
				if n < 0 {
					m.throw("IllegalArgumentException", "List length = "+decimalText(int64(n)))
				}
				m.alloc(int(n))
				return &list{kind: "Collections.SingletonList", v: slices.Repeat([]any{a[1]}, int(n))}
			},
			"static <T> boolean addAll(Collection<? super T>, T...)": func(m *machine, a []any) any {
				c, changed := m.object(a[0]).(collection), false
				for _, v := range m.object(a[1]).(*array).v {
					changed = c.add(m, v) || changed
				}
				return changed
			},
		}},
		{head: "class java.util.Arrays", methods: arraysMembers()},
		{head: "class java.util.Objects", methods: members{
			"static boolean equals(Object, Object)": func(m *machine, a []any) any { return m.equals(a[0], a[1]) },
			"static int hashCode(Object)":           func(m *machine, a []any) any { return hashOf(m, a[0]) },
			"static int hash(Object...)":            func(m *machine, a []any) any { return (&list{v: m.object(a[0]).(*array).v}).hash(m) },
			"static String toString(Object)":        func(m *machine, a []any) any { return m.toText(a[0]) },
			"static String toString(Object, String)": func(m *machine, a []any) any {
				if a[0] == nil {
					return a[1]
				}
				return m.toText(a[0])
			},
			"static boolean isNull(Object)":  func(_ *machine, a []any) any { return a[0] == nil },
			"static boolean nonNull(Object)": func(_ *machine, a []any) any { return a[0] != nil },
			"static <T> T requireNonNull(T)": func(m *machine, a []any) any { return m.object(a[0]) },
			"static <T> T requireNonNull(T, String)": func(m *machine, a []any) any {
				if a[0] == nil {
					panic(thrown{&throwable{class: classNamed("NullPointerException"), msg: a[1]}})
				}
				return a[0]
			},
			"static <T> T requireNonNullElse(T, T)": func(m *machine, a []any) any {
				if a[0] != nil {
					return a[0]
				}
				return m.object(a[1])
			},
		}},
		{head: "class java.util.UUID : Comparable<UUID>", methods: uuidMembers()},
		{head: "class java.util.Date : Comparable<Date>", methods: members{
			"Date(long)":           func(m *machine, a []any) any { m.alloc(1); return &date{a[0].(int64)} },
			"long getTime()":       func(_ *machine, a []any) any { return a[0].(*date).ms },
			"void setTime(long)":   func(_ *machine, a []any) any { a[0].(*date).ms = a[1].(int64); return nil },
			"boolean before(Date)": func(m *machine, a []any) any { return a[0].(*date).ms < m.object(a[1]).(*date).ms },
			"boolean after(Date)":  func(m *machine, a []any) any { return a[0].(*date).ms > m.object(a[1]).(*date).ms },
			"int getYear()":        dated(func(y int64, _, _ int, _ int64, _ int) int64 { return y - 1900 }),
			"int getMonth()":       dated(func(_ int64, mo, _ int, _ int64, _ int) int64 { return int64(mo - 1) }),
			"int getDate()":        dated(func(_ int64, _, d int, _ int64, _ int) int64 { return int64(d) }),
			"int getDay()":         dated(func(_ int64, _, _ int, _ int64, w int) int64 { return int64(w+4) % 7 }),
			"int getHours()":       dated(func(_ int64, _, _ int, s int64, _ int) int64 { return s / 3600 }),
			"int getMinutes()":     dated(func(_ int64, _, _ int, s int64, _ int) int64 { return s / 60 % 60 }),
			"int getSeconds()":     dated(func(_ int64, _, _ int, s int64, _ int) int64 { return s % 60 }),
		}},
	}
}

func dated(f func(year int64, month, day int, seconds int64, weekday int) int64) body {
	return func(m *machine, a []any) any {
		d := a[0].(*date)
		if d.ms < -12219292800000 {
			m.limit("the fields of a date before 1582-10-15")
		}
		return int32(f(d.parts()))
	}
}

// sort puts values into their natural order; equal ones keep their places.
func (m *machine) sort(v []any) {
	m.step(len(v))
	sort.SliceStable(v, func(i, j int) bool { return m.compareTo(v[i], v[j]) < 0 })
}

func extreme(m *machine, v []any, sign int32) any {
	if len(v) == 0 {
		m.bare("NoSuchElementException")
	}
	best := v[0]
	for _, x := range v[1:] {
		if m.compareTo(x, best)*sign > 0 {
			best = x
		}
	}
	return best
}

func arraysMembers() members {
	out := members{
		"static <T> List<T> asList(T...)": func(m *machine, a []any) any {
			return &list{kind: "Arrays.ArrayList", v: m.object(a[0]).(*array).v}
		},
	}
	arr := func(m *machine, v any) *array { return m.object(v).(*array) }
	for _, t := range []string{"boolean", "byte", "short", "char", "int", "long", "float", "double", "Object"} {
		out["static String toString("+t+"[])"] = func(m *machine, a []any) any {
			if a[0] == nil {
				return "null"
			}
			return m.sequence(a[0].(*array).v, nil)
		}
		out["static int hashCode("+t+"[])"] = func(m *machine, a []any) any {
			if a[0] == nil {
				return int32(0)
			}
			return (&list{v: a[0].(*array).v}).hash(m)
		}
		out["static boolean equals("+t+"[], "+t+"[])"] = func(m *machine, a []any) any {
			if a[0] == nil || a[1] == nil {
				return a[0] == nil && a[1] == nil
			}
			return slices.EqualFunc(a[0].(*array).v, a[1].(*array).v, m.equals)
		}
		out["static void fill("+t+"[], "+t+")"] = func(m *machine, a []any) any {
			v := arr(m, a[0]).v
			m.step(len(v))
			for i := range v {
				v[i] = a[1]
			}
			return nil
		}
		if t != "boolean" {
			out["static void sort("+t+"[])"] = func(m *machine, a []any) any { m.sort(arr(m, a[0]).v); return nil }
		}
		sized := func(m *machine, from *array, i, j int32) any {
			if j < i {
				m.throw("NegativeArraySizeException", decimalText(int64(j-i)))
			}
			m.alloc(int(j - i))
			to := &array{elem: from.elem, v: make([]any, j-i)}
			n := copy(to.v, from.v[i:])
			for ; n < len(to.v); n++ {
				to.v[n] = zero(from.elem)
			}
			return to
		}
		sig := "static " + t + "[] copyOf(" + t + "[], int)"
		ranged := "static " + t + "[] copyOfRange(" + t + "[], int, int)"
		if t == "Object" {
			sig, ranged = "static <T> T[] copyOf(T[], int)", "static <T> T[] copyOfRange(T[], int, int)"
		}
		out[sig] = func(m *machine, a []any) any {
			n := a[1].(int32)
			return sized(m, arr(m, a[0]), 0, n)
		}
		out[ranged] = func(m *machine, a []any) any {
			i, j, from := a[1].(int32), a[2].(int32), arr(m, a[0])
			switch {
			case i > j:
				m.throw("IllegalArgumentException", decimalText(int64(i))+" > "+decimalText(int64(j)))
			case i < 0 || int(i) > len(from.v):
				m.limit("Arrays.copyOfRange beyond the end of an array")
			}
			return sized(m, from, i, j)
		}
	}
	return out
}

func uuidMembers() members {
	half := func(i int) body {
		return func(_ *machine, a []any) any {
			high, low := a[0].(uuidValue).halves()
			return []int64{high, low}[i]
		}
	}
	return members{
		"UUID(long, long)": func(_ *machine, a []any) any {
			return uuidValue(append(types.EncodeInt64(a[0].(int64)), types.EncodeInt64(a[1].(int64))...))
		},
		"static UUID fromString(String)": func(m *machine, a []any) any {
			s := m.str(a[0])
			parts := strings.Split(s, "-")
			if len(parts) != 5 || len(s) > 36 {
				m.throw("IllegalArgumentException", "Invalid UUID string: "+s)
			}
			var n [5]uint64
			for i, p := range parts {
				v, err := strconv.ParseUint(p, 16, 64)
				if err != nil {
					m.throw("NumberFormatException", "For input string: \""+p+"\" under radix 16")
				}
				n[i] = v
			}
			high := n[0]&0xffffffff<<32 | n[1]&0xffff<<16 | n[2]&0xffff
			return uuidValue(append(types.EncodeInt64(int64(high)), types.EncodeInt64(int64(n[3]&0xffff<<48|n[4]&0xffffffffffff))...))
		},
		"static UUID nameUUIDFromBytes(byte[])": func(m *machine, a []any) any {
			arr := m.object(a[0]).(*array)
			b := make([]byte, len(arr.v))
			for i, v := range arr.v {
				b[i] = byte(v.(int8))
			}
			return uuidValue(types.NameUUID(string(b)))
		},
		"long getMostSignificantBits()":  half(0),
		"long getLeastSignificantBits()": half(1),
		"int version()":                  func(_ *machine, a []any) any { return int32(a[0].(uuidValue)[6] >> 4) },
		"long timestamp()": func(m *machine, a []any) any {
			u := a[0].(uuidValue)
			if u[6]>>4 != 1 {
				m.throw("UnsupportedOperationException", "Not a time-based UUID")
			}
			return int64(types.TimeUUIDTicks(u[:]))
		},
	}
}
