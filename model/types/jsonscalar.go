package types

import "strings"

// number reads a number. Where it is wrong in the middle of a text, the place is that
// behind the first character that is no digit of its whole part.
// Source: Jackson 2.15 ReaderBasedJsonParser._parseNumber, _parseFloat, _parseNumber2.
func (r *jsonReader) number() any {
	begin := r.at
	if r.src[r.at] == '-' {
		r.at++
		r.afterSign(begin)
	}
	whole := r.at
	digits := r.digits()
	if digits > 1 && r.src[whole] == '0' {
		r.at = whole + 1
		r.fail(parseFault, 0, "Invalid numeric value: Leading zeroes not allowed")
	}
	behind := r.at + 1
	wrong := func(reason string) {
		c := r.src[r.at]
		r.at = behind
		r.fail(parseFault, 0, "Unexpected character (%s) in numeric value: %s", characterName(c), reason)
	}
	if r.is(".") {
		if r.at++; r.digits() == 0 {
			if r.at == len(r.src) {
				r.at-- // the point is named
			}
			wrong("Decimal point not followed by a digit")
		}
	}
	if r.is("eE") {
		r.at++
		if r.is("+-") {
			r.at++
		}
		if r.digits() == 0 {
			if r.at == len(r.src) {
				r.fail(endFault, 0, "Unexpected end-of-inputexpected a digit for number exponent")
			}
			wrong("Exponent indicator not followed by a digit")
		}
	}
	if len(r.open) == 0 && r.at < len(r.src) && !r.is(" \t\r\n") {
		r.unexpected(": Expected space separating root-level values")
	}
	return decodeNumber(javaText(r.src[begin:r.at]))
}

// afterSign refuses what cannot follow a minus sign.
func (r *jsonReader) afterSign(begin int) {
	switch {
	case r.at == len(r.src):
		r.fail(endFault, 0, "Unexpected end-of-inputNo digit following minus sign")
	case r.src[r.at] >= '0' && r.src[r.at] <= '9':
	case r.src[r.at] == 'I':
		r.infinity(begin)
	default:
		r.unexpected(" in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value")
	}
}

// infinity refuses -INF, -Infinity and what begins like them.
// Source: Jackson 2.15 ReaderBasedJsonParser._handleInvalidNumberStart, _matchToken.
func (r *jsonReader) infinity(begin int) {
	r.at++
	whole := "-Infinity"
	switch {
	case r.at == len(r.src):
		r.fail(endFault, 0, "Unexpected end-of-input in a Number value")
	case r.is("N"):
		whole = "-INF"
	case !r.is("n"):
		r.unexpected(" in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value")
	}
	for r.at < len(r.src) && identifierPart(r.runeAt(r.at)) {
		r.at++
	}
	if javaText(r.src[begin:r.at]) == whole {
		r.nonStandard(whole)
	}
	r.unrecognized(begin)
}

// is tells whether the next character is one of these.
func (r *jsonReader) is(chars string) bool {
	return r.at < len(r.src) && r.src[r.at] < 0x80 && strings.IndexByte(chars, byte(r.src[r.at])) >= 0
}

// digits skips digits and counts them.
func (r *jsonReader) digits() int {
	begin := r.at
	for r.is("0123456789") {
		r.at++
	}
	return r.at - begin
}

// quoted reads a string; unclosed is what is said of one without an end.
// Source: Jackson 2.15 ReaderBasedJsonParser._finishString2, _decodeEscaped.
func (r *jsonReader) quoted(unclosed, what string) string {
	var out []uint16
	for r.at++; ; r.at++ {
		if r.at == len(r.src) {
			r.fail(endFault, 0, "%s", unclosed)
		}
		switch c := r.src[r.at]; {
		case c == '"':
			r.at++
			return javaText(out)
		case c == '\\':
			r.at++
			out = append(out, r.escape())
		case c < ' ':
			r.fail(parseFault, 1, "Illegal unquoted character (%s): has to be escaped using backslash to be included in %s", characterName(c), what)
		default:
			out = append(out, c)
		}
	}
}

// escape reads what follows a backslash, and stays at its last character.
func (r *jsonReader) escape() uint16 {
	need := func() {
		if r.at >= len(r.src) {
			r.fail(endFault, 0, "Unexpected end-of-input in character escape sequence")
		}
	}
	need()
	c := r.src[r.at]
	if c != 'u' {
		if i := strings.IndexRune(`"\/bfnrt`, rune(c)); i >= 0 {
			return uint16("\"\\/\b\f\n\r\t"[i])
		}
		r.fail(parseFault, 1, "Unrecognized character escape %s", characterName(c))
	}
	v := uint16(0)
	for range 4 {
		r.at++
		need()
		digit := strings.IndexRune("0123456789abcdef", rune(r.src[r.at]|0x20))
		if r.src[r.at] < '0' || r.src[r.at] > 'f' || digit < 0 {
			r.unexpected(": expected a hex-digit for character escape sequence")
		}
		v = v<<4 | uint16(digit)
	}
	return v
}
