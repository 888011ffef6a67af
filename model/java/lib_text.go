package java

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ringlab/model/types"
)

func textClasses() []declared {
	sequence := members{
		"int length()": func(_ *machine, a []any) any { return int32(len(units(a[0]))) },
		"char charAt(int)": func(m *machine, a []any) any {
			if b, ok := a[0].(*builder); ok {
				return b.u[b.at(m, a[1])]
			}
			s, i := a[0].(string), int(a[1].(int32))
			n := length(s)
			if i < 0 || i >= n {
				m.throw("StringIndexOutOfBoundsException", "String index out of range: "+decimalText(int64(i)))
			}
			if n == len(s) {
				return uint16(s[i])
			}
			m.step(n / 4)
			return toUnits(s)[i]
		},
		"boolean isEmpty()": func(_ *machine, a []any) any { return len(units(a[0])) == 0 },
	}
	return []declared{
		{head: "interface java.lang.CharSequence", methods: sequence},
		{head: "class java.lang.String : Comparable<String> & CharSequence", methods: stringMembers(),
			fields: map[string]any{}},
		{head: "class java.lang.StringBuilder : CharSequence", methods: builderMembers("StringBuilder")},
		{head: "class java.lang.StringBuffer : CharSequence", methods: builderMembers("StringBuffer")},
		{head: "class java.util.StringJoiner", methods: members{
			"StringJoiner(CharSequence)": func(m *machine, a []any) any { return &joiner{sep: m.toText(m.object(a[0]))} },
			"StringJoiner(CharSequence, CharSequence, CharSequence)": func(m *machine, a []any) any {
				return &joiner{sep: m.toText(m.object(a[0])), before: m.toText(m.object(a[1])), after: m.toText(m.object(a[2]))}
			},
			"StringJoiner add(CharSequence)": func(m *machine, a []any) any {
				j := a[0].(*joiner)
				j.parts = append(j.parts, m.text(m.toText(a[1])))
				return j
			},
			"int length()": func(m *machine, a []any) any { return int32(length(a[0].(*joiner).show(m))) },
		}},
	}
}

type joiner struct {
	sep, before, after string
	parts              []string
}

func (*joiner) class() string { return "StringJoiner" }

func (j *joiner) show(m *machine) string {
	return m.text(j.before + strings.Join(j.parts, j.sep) + j.after)
}

// units are those of a string or builder.
func units(v any) []uint16 {
	if b, ok := v.(*builder); ok {
		return b.u
	}
	return toUnits(v.(string))
}

// clip is a substring with Java's complaint about its ends.
func clip(m *machine, s string, from, to int32) string {
	if n := length(s); from < 0 || from > to || int(to) > n {
		m.throw("StringIndexOutOfBoundsException", "begin "+decimalText(int64(from))+", end "+decimalText(int64(to))+", length "+decimalText(int64(n)))
	}
	return m.text(part(s, int(from), int(to)))
}

// find is indexOf in units from a place on, -1 for nothing.
func find(s, t string, from int32, last bool) int32 {
	u, w := toUnits(s), toUnits(t)
	if last {
		for i := min(int(from), len(u)-len(w)); i >= 0; i-- {
			if slices.Equal(u[i:i+len(w)], w) {
				return int32(i)
			}
		}
		return -1
	}
	for i := max(int(from), 0); i+len(w) <= len(u); i++ {
		if slices.Equal(u[i:i+len(w)], w) {
			return int32(i)
		}
	}
	if len(w) == 0 {
		return int32(len(u))
	}
	return -1
}

// codePoint is a character given as int.
func codePoint(v any) string { return fromUnits(toUnits(string(rune(v.(int32))))) }

const maxInt = 1<<31 - 1

// finders declares indexOf and lastIndexOf.
func finders(out members) {
	for _, f := range []struct {
		name string
		last bool
	}{{"indexOf", false}, {"lastIndexOf", true}} {
		from := int32(0)
		if f.last {
			from = maxInt
		}
		look := func(text func(m *machine, v any) string) body {
			return func(m *machine, a []any) any {
				s, at := m.toText(a[0]), from
				m.step(len(s) / 4)
				if len(a) > 2 {
					at = a[2].(int32)
				}
				return find(s, text(m, a[1]), at, f.last)
			}
		}
		out["int "+f.name+"(String)"] = look((*machine).str)
		out["int "+f.name+"(String, int)"] = look((*machine).str)
		out["int "+f.name+"(int)"] = look(func(_ *machine, v any) string { return codePoint(v) })
		out["int "+f.name+"(int, int)"] = look(func(_ *machine, v any) string { return codePoint(v) })
	}
}

// folded changes the case of a text; beyond Latin-1 Java has rules of its own.
func folded(m *machine, s string, f func(string) string) string {
	for _, r := range s {
		if r > 0xFF || r == 'ß' || r == 0xFF || r == 'µ' {
			m.limit("changing the case of letters beyond Latin-1")
		}
	}
	return m.text(f(s))
}

func stringMembers() members {
	text := func(f func(m *machine, s string) any) body {
		return func(m *machine, a []any) any {
			s := a[0].(string)
			m.step(len(s) / 16)
			return f(m, s)
		}
	}
	with := func(f func(m *machine, s, t string) any) body {
		return func(m *machine, a []any) any {
			s, t := a[0].(string), m.toText(m.object(a[1]))
			m.step((len(s) + len(t)) / 16)
			return f(m, s, t)
		}
	}
	blank := func(r rune) bool { return r <= ' ' }
	white := func(r rune) bool {
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f || r > 0x85 && r != 0xA0 && r != 0x2007 && r != 0x202F && unicode.IsSpace(r)
	}
	valueOf := func(m *machine, a []any) any {
		if arr, ok := a[0].(*array); ok {
			return charsText(m, arr)
		}
		return m.text(m.toText(a[0]))
	}
	out := members{
		"String()":                           func(*machine, []any) any { return "" },
		"String(String)":                     func(m *machine, a []any) any { return m.str(a[0]) },
		"String(char[])":                     func(m *machine, a []any) any { return charsText(m, m.object(a[0]).(*array)) },
		"int length()":                       text(func(_ *machine, s string) any { return int32(length(s)) }),
		"boolean isEmpty()":                  text(func(_ *machine, s string) any { return s == "" }),
		"boolean isBlank()":                  text(func(_ *machine, s string) any { return strings.TrimFunc(s, white) == "" }),
		"String trim()":                      text(func(m *machine, s string) any { return m.text(strings.TrimFunc(s, blank)) }),
		"String strip()":                     text(func(m *machine, s string) any { return m.text(strings.TrimFunc(s, white)) }),
		"String stripLeading()":              text(func(m *machine, s string) any { return m.text(strings.TrimLeftFunc(s, white)) }),
		"String stripTrailing()":             text(func(m *machine, s string) any { return m.text(strings.TrimRightFunc(s, white)) }),
		"String intern()":                    same1,
		"String toUpperCase()":               text(func(m *machine, s string) any { return folded(m, s, strings.ToUpper) }),
		"String toLowerCase()":               text(func(m *machine, s string) any { return folded(m, s, strings.ToLower) }),
		"String substring(int)":              func(m *machine, a []any) any { s := a[0].(string); return clip(m, s, a[1].(int32), int32(length(s))) },
		"String substring(int, int)":         func(m *machine, a []any) any { return clip(m, a[0].(string), a[1].(int32), a[2].(int32)) },
		"CharSequence subSequence(int, int)": func(m *machine, a []any) any { return clip(m, a[0].(string), a[1].(int32), a[2].(int32)) },
		"String concat(String)":              with(func(m *machine, s, t string) any { return m.text(join(s, t)) }),
		"boolean contains(CharSequence)":     with(func(_ *machine, s, t string) any { return find(s, t, 0, false) >= 0 }),
		"boolean startsWith(String)":         with(func(_ *machine, s, t string) any { return strings.HasPrefix(s, t) }),
		"boolean startsWith(String, int)": func(m *machine, a []any) any {
			s, i := a[0].(string), int(a[2].(int32))
			return i >= 0 && i <= length(s) && strings.HasPrefix(part(s, i, length(s)), m.str(a[1]))
		},
		"boolean endsWith(String)":            with(func(_ *machine, s, t string) any { return strings.HasSuffix(s, t) }),
		"boolean contentEquals(CharSequence)": with(func(_ *machine, s, t string) any { return s == t }),
		"int compareTo(String)":               func(m *machine, a []any) any { return m.compareTo(a[0], a[1]) },
		"boolean equalsIgnoreCase(String)": func(m *machine, a []any) any {
			return a[1] != nil && folded(m, a[0].(string), strings.ToLower) == folded(m, a[1].(string), strings.ToLower)
		},
		"int compareToIgnoreCase(String)": func(m *machine, a []any) any {
			return compareText(folded(m, a[0].(string), strings.ToLower), folded(m, m.str(a[1]), strings.ToLower))
		},
		"String replace(char, char)": func(m *machine, a []any) any {
			u := toUnits(a[0].(string))
			for i := range u {
				if u[i] == a[1].(uint16) {
					u[i] = a[2].(uint16)
				}
			}
			return m.text(fromUnits(u))
		},
		"String replace(CharSequence, CharSequence)": func(m *machine, a []any) any {
			s, from, to := a[0].(string), m.toText(m.object(a[1])), m.toText(m.object(a[2]))
			m.alloc((strings.Count(s, from) + 1) * len(to) / 8)
			return m.text(strings.ReplaceAll(s, from, to))
		},
		"String repeat(int)": func(m *machine, a []any) any {
			s, n := a[0].(string), int(a[1].(int32))
			if n < 0 {
				m.throw("IllegalArgumentException", "count is negative: "+decimalText(int64(n)))
			}
			m.alloc(len(s) * n / 8)
			return m.text(strings.Repeat(s, n))
		},
		"char[] toCharArray()": func(m *machine, a []any) any {
			u := toUnits(a[0].(string))
			m.alloc(len(u))
			out := &array{elem: tChar, v: make([]any, len(u))}
			for i, c := range u {
				out.v[i] = c
			}
			return out
		},
		"byte[] getBytes()": func(m *machine, a []any) any { return byteArray(m, bytesOf(a[0].(string))) },
		"int codePointAt(int)": func(m *machine, a []any) any {
			u, i := toUnits(a[0].(string)), a[1].(int32)
			if i < 0 || int(i) >= len(u) {
				m.throw("StringIndexOutOfBoundsException", "index "+decimalText(int64(i))+", length "+decimalText(int64(len(u))))
			}
			if r, _ := utf8.DecodeRuneInString(fromUnits(u[i:min(int(i)+2, len(u))])); r != utf8.RuneError {
				return r
			}
			return int32(u[i])
		},
		"static String valueOf(Object)":                     valueOf,
		"static String valueOf(char[])":                     valueOf,
		"static String copyValueOf(char[])":                 valueOf,
		"static String join(CharSequence, CharSequence...)": func(m *machine, a []any) any { return joined(m, a[0], m.object(a[1]).(*array).v) },
		"static String join(CharSequence, Iterable<? extends CharSequence>)": func(m *machine, a []any) any {
			return joined(m, a[0], m.object(a[1]).(collection).all(m))
		},
		"static String format(String, Object...)": func(m *machine, a []any) any { return m.format(m.str(a[0]), m.object(a[1]).(*array).v) },
		"String[] split(String)":                  func(m *machine, a []any) any { return split(m, a[0].(string), m.str(a[1]), 0) },
		"String[] split(String, int)":             func(m *machine, a []any) any { return split(m, a[0].(string), m.str(a[1]), int(a[2].(int32))) },
		"boolean matches(String)":                 func(m *machine, a []any) any { return m.pattern(m.str(a[1]), true).MatchString(a[0].(string)) },
		"String replaceAll(String, String)":       func(m *machine, a []any) any { return replaceAll(m, a[0].(string), m.str(a[1]), m.str(a[2]), -1) },
		"String replaceFirst(String, String)":     func(m *machine, a []any) any { return replaceAll(m, a[0].(string), m.str(a[1]), m.str(a[2]), 1) },
	}
	for _, t := range []string{"boolean", "char", "int", "long", "float", "double"} {
		out["static String valueOf("+t+")"] = valueOf
	}
	finders(out)
	return out
}

func charsText(m *machine, a *array) string {
	u := make([]uint16, len(a.v))
	for i, c := range a.v {
		u[i] = c.(uint16)
	}
	return m.text(fromUnits(u))
}

func byteArray(m *machine, b []byte) *array {
	m.alloc(len(b))
	out := &array{elem: tByte, v: make([]any, len(b))}
	for i, c := range b {
		out.v[i] = int8(c)
	}
	return out
}

func joined(m *machine, sep any, parts []any) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = m.toText(p)
		m.alloc(1 + len(texts[i])/8)
	}
	return m.text(strings.Join(texts, m.toText(m.object(sep))))
}

// at is an index of a character of a builder.
func (b *builder) at(m *machine, v any) int {
	i := v.(int32)
	if i < 0 || int(i) >= len(b.u) {
		m.throw("StringIndexOutOfBoundsException", "index "+decimalText(int64(i))+", length "+decimalText(int64(len(b.u))))
	}
	return int(i)
}

// within checks a range of a builder; ends past the end are cut where Java cuts.
func (b *builder) within(m *machine, from, to any, cut bool) (int, int) {
	i, j, n := from.(int32), to.(int32), int32(len(b.u))
	if cut && j > n {
		j = n
	}
	if i < 0 || i > j || j > n {
		m.throw("StringIndexOutOfBoundsException", "start "+decimalText(int64(i))+", end "+decimalText(int64(j))+", length "+decimalText(int64(n)))
	}
	return int(i), int(j)
}

func (b *builder) insert(m *machine, at any, s string) *builder {
	i := at.(int32)
	if i < 0 || int(i) > len(b.u) {
		m.throw("StringIndexOutOfBoundsException", "offset "+decimalText(int64(i))+", length "+decimalText(int64(len(b.u))))
	}
	m.text(s)
	m.step(len(b.u) / 64)
	b.u = slices.Insert(b.u, int(i), toUnits(s)...)
	return b
}

func builderMembers(class string) members {
	add := func(m *machine, a []any) any {
		b := a[0].(*builder)
		if c, ok := a[1].(uint16); ok {
			m.step(1)
			m.alloc(len(b.u) & 1)
			b.u = append(b.u, c)
			return b
		}
		s := ""
		if arr, ok := a[1].(*array); ok && arr.elem == tChar {
			s = charsText(m, arr)
		} else {
			s = m.toText(a[1])
		}
		b.u = append(b.u, toUnits(m.text(s))...)
		return b
	}
	out := members{
		class + "()": func(m *machine, _ []any) any { m.alloc(1); return &builder{class: class} },
		class + "(int)": func(m *machine, a []any) any {
			if n := a[0].(int32); n < 0 {
				m.throw("NegativeArraySizeException", decimalText(int64(n)))
			}
			return &builder{class: class}
		},
		class + "(String)": func(m *machine, a []any) any { return &builder{class: class, u: toUnits(m.text(m.str(a[0])))} },
		class + " reverse()": func(m *machine, a []any) any {
			b := a[0].(*builder)
			m.step(len(b.u))
			runes := []rune(b.String())
			if len(runes) == len(b.u) || isPaired(b.u) {
				slices.Reverse(runes)
				b.u = toUnits(string(runes))
				return b
			}
			m.limit("reversing lone surrogates")
			return b
		},
		class + " deleteCharAt(int)": func(m *machine, a []any) any {
			b := a[0].(*builder)
			i := a[1].(int32)
			if i < 0 || int(i) >= len(b.u) {
				b.at(m, a[1])
			}
			b.u = slices.Delete(b.u, int(i), int(i)+1)
			return b
		},
		class + " delete(int, int)": func(m *machine, a []any) any {
			b := a[0].(*builder)
			i, j := b.within(m, a[1], a[2], true)
			b.u = slices.Delete(b.u, i, j)
			return b
		},
		class + " replace(int, int, String)": func(m *machine, a []any) any {
			b := a[0].(*builder)
			i, j := b.within(m, a[1], a[2], true)
			b.u = slices.Replace(b.u, i, j, toUnits(m.text(m.str(a[3])))...)
			return b
		},
		"String substring(int)": func(m *machine, a []any) any {
			b := a[0].(*builder)
			i, j := b.within(m, a[1], int32(len(b.u)), false)
			return m.text(fromUnits(b.u[i:j]))
		},
		"String substring(int, int)": func(m *machine, a []any) any {
			b := a[0].(*builder)
			i, j := b.within(m, a[1], a[2], false)
			return m.text(fromUnits(b.u[i:j]))
		},
		"void setCharAt(int, char)": func(m *machine, a []any) any {
			b := a[0].(*builder)
			b.u[b.at(m, a[1])] = a[2].(uint16)
			return nil
		},
		"void setLength(int)": func(m *machine, a []any) any {
			b, n := a[0].(*builder), a[1].(int32)
			if n < 0 {
				m.throw("StringIndexOutOfBoundsException", "String index out of range: "+decimalText(int64(n)))
			}
			m.alloc(int(n) / 4)
			for len(b.u) < int(n) {
				b.u = append(b.u, 0)
			}
			b.u = b.u[:n]
			return nil
		},
		"int compareTo(" + class + ")": func(m *machine, a []any) any {
			return compareText(a[0].(*builder).String(), m.object(a[1]).(*builder).String())
		},
	}
	for _, t := range []string{"Object", "String", "CharSequence", "char[]", "boolean", "char", "int", "long", "float", "double"} {
		out[class+" append("+t+")"] = add
		if t != "char[]" {
			out[class+" insert(int, "+t+")"] = func(m *machine, a []any) any { return a[0].(*builder).insert(m, a[1], m.toText(a[2])) }
		}
	}
	finders(out)
	for sig := range out { // of single characters there is none
		if strings.Contains(sig, "ndexOf(int") {
			delete(out, sig)
		}
	}
	return out
}

func isPaired(u []uint16) bool { return types.Text.Validate([]byte(fromUnits(u))) == nil }
