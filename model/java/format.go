package java

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var specifier = regexp.MustCompile(`^%([-#+ 0,(]*)(\d+)?(\.\d+)?([a-zA-Z%])`)

// format is String.format for %s %d %x %f %c %b %n and %% with width, precision
// and the flags - 0 + and , in the root locale.
func (m *machine) format(f string, args []any) string {
	var b strings.Builder
	next := 0
	for f != "" {
		i := strings.IndexByte(f, '%')
		if i < 0 {
			b.WriteString(f)
			break
		}
		b.WriteString(f[:i])
		f = f[i:]
		p := specifier.FindStringSubmatch(f)
		if p == nil {
			m.limit("such a format as " + f)
		}
		f = f[len(p[0]):]
		width, _ := strconv.Atoi(p[2])
		m.alloc(width / 8)
		if width > maxText {
			panic(stopped{memory: true})
		}
		if strings.ContainsAny(p[1], "#( ") || p[4] == "%" && p[0] != "%%" {
			m.limit("such a format as " + p[0])
		}
		switch p[4] {
		case "n":
			b.WriteByte('\n')
			continue
		case "%":
			b.WriteByte('%')
			continue
		}
		if !strings.Contains("sSdxXfcbB", p[4]) {
			if !strings.Contains("eEgGaAohHtT", p[4]) {
				m.throw("UnknownFormatConversionException", "Conversion = '"+p[4]+"'")
			}
			m.limit("such a format as " + p[0])
		}
		if next >= len(args) {
			m.throw("MissingFormatArgumentException", "Format specifier '"+p[0]+"'")
		}
		v := args[next]
		next++
		s := m.formatted(p, v)
		if n := width - length(s); n > 0 {
			switch {
			case strings.Contains(p[1], "-"):
				s += strings.Repeat(" ", n)
			case strings.Contains(p[1], "0") && !strings.Contains("sScbB", p[4]):
				sign := ""
				if s != "" && (s[0] == '-' || s[0] == '+') {
					sign, s = s[:1], s[1:]
				}
				s = sign + strings.Repeat("0", n) + s
			default:
				s = strings.Repeat(" ", n) + s
			}
		}
		b.WriteString(s)
		m.step(1)
	}
	return m.text(b.String())
}

func (m *machine) formatted(p []string, v any) string {
	wrong := func() {
		m.throw("IllegalFormatConversionException", p[4]+" != "+classOf(v).binary())
	}
	precision := -1
	if p[3] != "" {
		precision, _ = strconv.Atoi(p[3][1:])
	}
	if precision > 1000 {
		m.limit("such a format as " + p[0])
	}
	cut := func(s string) string {
		if precision >= 0 && precision < length(s) {
			s = part(s, 0, precision)
		}
		return s
	}
	switch p[4] {
	case "s":
		return cut(m.toText(v))
	case "S":
		return folded(m, cut(m.toText(v)), strings.ToUpper)
	case "b", "B":
		s := "true"
		if x, ok := v.(bool); v == nil || ok && !x {
			s = "false"
		}
		if p[4] == "B" {
			s = strings.ToUpper(s)
		}
		return cut(s)
	}
	if v == nil {
		return cut("null")
	}
	if _, ok := v.(*array); ok {
		m.limit("formatting an array")
	}
	switch p[4] {
	case "c":
		switch x := v.(type) {
		case uint16:
			return numberText(x)
		case int32:
			return codePoint(x)
		}
		wrong()
	case "d", "x", "X":
		n, ok := v.(*big.Int)
		switch v.(type) {
		case int8, int16, int32, int64:
			n, ok = big.NewInt(toLong(v)), true
		}
		if !ok {
			wrong()
		}
		if precision >= 0 {
			m.throw("IllegalFormatPrecisionException", decimalText(int64(precision)))
		}
		if p[4] == "d" {
			return signed(p[1], n.Sign() < 0, grouped(p[1], new(big.Int).Abs(n).String()))
		}
		if _, unbounded := v.(*big.Int); n.Sign() < 0 && !unbounded {
			width := map[string]uint{"Byte": 8, "Short": 16, "Integer": 32, "Long": 64}[classOf(v).name]
			n = new(big.Int).Add(n, new(big.Int).Lsh(big1, width))
		}
		if p[4] == "X" {
			return strings.ToUpper(n.Text(16))
		}
		return n.Text(16)
	case "f":
		if precision < 0 {
			precision = 6
		}
		return m.fixed(p[1], v, precision, wrong)
	}
	return ""
}

var big1 = big.NewInt(1)

// fixed is %f: the digits of the shortest decimal form, rounded half up.
func (m *machine) fixed(flags string, v any, precision int, wrong func()) string {
	d, ok := v.(*bigDecimal)
	switch x := v.(type) {
	case float32, float64:
		f := toDouble(x)
		if f-f != 0 {
			if strings.Contains(flags, "0") {
				m.limit("filling NaN or Infinity with zeros")
			}
			s := numberText(math.Abs(f))
			if f != f {
				return s
			}
			return signed(flags, f < 0, s)
		}
		d, ok = parseDecimal(numberText(x)), true
		if math.Signbit(f) && d.u.Sign() == 0 {
			return signed(flags, true, (&bigDecimal{new(big.Int), int32(precision)}).plain())
		}
	}
	if !ok {
		wrong()
	}
	r := d.scaled(int32(precision), "HALF_UP")
	text := (&bigDecimal{new(big.Int).Abs(r.u), r.scale}).plain()
	whole, rest, has := strings.Cut(text, ".")
	text = grouped(flags, whole)
	if has {
		text += "." + rest
	}
	return signed(flags, d.u.Sign() < 0, text)
}

func signed(flags string, negative bool, s string) string {
	switch {
	case negative:
		return "-" + s
	case strings.Contains(flags, "+"):
		return "+" + s
	}
	return s
}

func grouped(flags, digits string) string {
	if !strings.Contains(flags, ",") {
		return digits
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
