package java

import (
	"regexp"
	"slices"
	"strings"
)

// plainPattern are the regular expressions that mean the same in Java and here:
// letters and digits, some punctuation, classes, groups, alternatives and
// quantifiers; \d \w \s and escaped punctuation.
var plainPattern = regexp.MustCompile(`^(?:[a-zA-Z0-9 ,;:@#%&=/<>!"'~_\-]|\\[dDwWsS.|\\\-+*?()\[\]{}^$/,:;]|\[\^?(?:[a-zA-Z0-9 .,;:@#%=/_+*?|()$]|-[a-zA-Z0-9]?|\\[dws.\-\]\[\\])+\]|\((?:\?:)?|\)|\||[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}|\.)*$`)

// pattern is a regular expression of Java; others than the plain ones end the call.
func (m *machine) pattern(p string, whole bool) *regexp.Regexp {
	if !isASCII(p) || !plainPattern.MatchString(p) || strings.Contains(p, "++") || strings.Contains(p, "*+") || strings.Contains(p, "?+") || strings.Contains(p, "}+") {
		m.limit("the regular expression " + p)
	}
	var b strings.Builder
	class := false
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\':
			i++
			switch {
			case p[i] == 's' && class:
				b.WriteString(`\t\n\x0B\f\r `)
			case p[i] == 's':
				b.WriteString(`[\t\n\x0B\f\r ]`)
			case p[i] == 'S':
				b.WriteString(`[^\t\n\x0B\f\r ]`)
			default:
				b.WriteString(p[i-1 : i+1])
			}
			continue
		case p[i] == '[':
			class = true
		case p[i] == ']':
			class = false
		case p[i] == '.' && !class:
			b.WriteString(`[^\n\r\x{85}\x{2028}\x{2029}]`)
			continue
		}
		b.WriteByte(p[i])
	}
	text := b.String()
	if whole {
		text = `\A(?:` + text + `)\z`
	}
	r, err := regexp.Compile(text)
	if err != nil {
		m.limit("the regular expression " + p)
	}
	m.step(1000)
	if !whole && r.MatchString("") {
		m.limit("the regular expression " + p + ", which fits between any two characters,")
	}
	return r
}

// split is String.split.
func split(m *machine, s, p string, limit int) *array {
	m.step(len(s))
	var out []any
	if p == "" && s != "" && limit == 0 {
		for _, r := range s {
			out = append(out, string(r))
		}
		m.alloc(len(out))
		return &array{elem: classType("String"), v: out}
	}
	r := m.pattern(p, false)
	from := 0
	for _, at := range r.FindAllStringIndex(s, -1) {
		if limit > 0 && len(out) == limit-1 {
			break
		}
		if at[1] == 0 || at[0] == at[1] && at[0] >= len(s) { // nothing at the beginning or end
			continue
		}
		out = append(out, s[from:at[0]])
		from = at[1]
	}
	if from == 0 && len(out) == 0 {
		return &array{elem: classType("String"), v: []any{s}}
	}
	out = append(out, s[from:])
	if limit == 0 {
		for len(out) > 0 && out[len(out)-1] == "" {
			out = out[:len(out)-1]
		}
	}
	m.alloc(len(out) + len(s)/8)
	return &array{elem: classType("String"), v: slices.Clip(out)}
}

// replaceAll is replaceAll, or replaceFirst for n = 1; $1 stands for a group.
func replaceAll(m *machine, s, p, to string, n int) string {
	r := m.pattern(p, false)
	m.step(len(s))
	if strings.ContainsAny(to, `\{`) {
		m.limit("the replacement " + to)
	}
	var b strings.Builder
	from := 0
	for _, at := range r.FindAllStringSubmatchIndex(s, n) {
		b.WriteString(s[from:at[0]])
		for i := 0; i < len(to); i++ {
			if to[i] != '$' {
				b.WriteByte(to[i])
				continue
			}
			i++
			g := 0
			if i >= len(to) || to[i] < '0' || to[i] > '9' {
				m.throw("IllegalArgumentException", "Illegal group reference")
			}
			g = int(to[i] - '0')
			if 2*g+1 >= len(at) {
				m.throw("IndexOutOfBoundsException", "No group "+decimalText(int64(g)))
			}
			if i+1 < len(to) && to[i+1] >= '0' && to[i+1] <= '9' {
				m.limit("the replacement " + to)
			}
			if at[2*g] >= 0 {
				b.WriteString(s[at[2*g]:at[2*g+1]])
			}
		}
		from = at[1]
		m.alloc(1)
		if b.Len() > maxText {
			panic(stopped{memory: true})
		}
	}
	return m.text(b.String() + s[from:])
}
