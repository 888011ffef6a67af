package cql

import "strings"

// Source: Cassandra 5.0 Lexer.g rules INTEGER, FLOAT, DURATION, HEXNUMBER, UUID.

// number reads what begins with a digit at i; l.off may be a minus sign before.
// It goes from character to character as ANTLR's prediction does: a rule with an
// explicit next character wins over a rule that could end here.
func (l *lexer) number(t *token, i int) {
	signed := i > l.off
	if !signed {
		if l.src[i] == '0' && l.at(i+1)|0x20 == 'x' {
			for i += 2; i < len(l.src) && isHex(l.src[i]); i++ {
			}
			l.off, t.kind = i, tHex
			return
		}
		if l.mayBeUUID(i) {
			l.uuid(t)
			return
		}
	}
	for ; charClass[l.at(i)] == cDigit; i++ {
	}
	switch c := l.at(i); c {
	case '.':
		l.fraction(t, i)
	case 'e', 'E':
		l.exponent(t, i)
	case 'y', 'Y', 'm', 'M', 'w', 'W', 'd', 'D', 'h', 'H', 's', 'S', 'u', 'U', 'n', 'N', 0xC2:
		if c == 0xC2 && l.at(i+1) != 0xB5 {
			l.off, t.kind = i, tInteger
			return
		}
		l.duration(t, i)
	default:
		l.off, t.kind = i, tInteger
	}
}

// mayBeUUID tells whether the characters from i lead ANTLR to the rule UUID: a
// hexadecimal letter that no number can have at its place, or eight hexadecimal
// digits and a minus sign.
func (l *lexer) mayBeUUID(i int) bool {
	const (
		digits   = iota // INTEGER, FLOAT and DURATION are possible
		mantissa        // behind e
		exponent        // behind e and digits
		unit            // behind d
		count           // behind d and digits
	)
	state := digits
	for n := range 8 {
		c := l.at(i + n)
		if charClass[c] == cDigit {
			switch state {
			case mantissa:
				state = exponent
			case unit:
				state = count
			}
			continue
		}
		switch c | 0x20 {
		case 'e':
			if state != digits {
				return true
			}
			state = mantissa
		case 'd':
			if state != digits && state != count {
				return true
			}
			state = unit
		case 'a', 'b', 'c', 'f':
			return true
		default:
			return false
		}
	}
	return l.at(i+8) == '-' && (state != mantissa || l.at(i+13) == '-')
}

// fraction reads a float whose point stands at i, or leaves the range ".." be.
func (l *lexer) fraction(t *token, i int) {
	if l.at(i+1) == '.' {
		if t.kind = tInteger; l.at(i+2) == '.' {
			i, t.kind = i+1, tFloat // 1... is the float 1. and a range
		}
		l.off = i
		return
	}
	for i++; charClass[l.at(i)] == cDigit; i++ {
	}
	if c := l.at(i); c == 'e' || c == 'E' {
		l.exponent(t, i)
		return
	}
	l.off, t.kind = i, tFloat
}

// exponent reads the exponent whose letter stands at i.
func (l *lexer) exponent(t *token, i int) {
	if i++; l.at(i) == '+' || l.at(i) == '-' {
		i++
	}
	if charClass[l.at(i)] != cDigit {
		l.fail(t, i, "no viable alternative at character ", "")
		return
	}
	for ; charClass[l.at(i)] == cDigit; i++ {
	}
	l.off, t.kind = i, tFloat
}

// duration reads a duration whose first unit stands at i.
func (l *lexer) duration(t *token, i int) {
	for {
		switch c := l.at(i) | 0x20; {
		case c == 'm':
			if i++; l.at(i)|0x20 == 'o' || l.at(i)|0x20 == 's' {
				i++
			}
		case c == 'y' || c == 'w' || c == 'd' || c == 'h' || c == 's':
			i++
		case c == 'u' || c == 'n' || l.at(i) == 0xC2 && l.at(i+1) == 0xB5:
			if i++; l.at(i-1) == 0xC2 {
				i++
				l.base++
			}
			if l.at(i)|0x20 != 's' {
				l.fail(t, i, "mismatched character ", "set null")
				return
			}
			i++
		default:
			l.fail(t, i, "no viable alternative at character ", "")
			return
		}
		if charClass[l.at(i)] != cDigit {
			l.off, t.kind = i, tDuration
			return
		}
		for ; charClass[l.at(i)] == cDigit; i++ {
		}
	}
}

// uuid reads a UUID: the text before has committed to it.
func (l *lexer) uuid(t *token) {
	for n := range 36 {
		i := l.off + n
		c := l.at(i)
		if n == 8 || n == 13 || n == 18 || n == 23 {
			if c != '-' {
				l.fail(t, i, "mismatched character ", "'-'")
				return
			}
		} else if !isHex(c) {
			l.fail(t, i, "mismatched character ", "set null")
			return
		}
	}
	l.off, t.kind = l.off+36, tUUID
}

// period tries to read an ISO 8601 duration that begins with P at l.off, where
// the identifier would end at end. An identifier that is longer wins.
func (l *lexer) period(t *token, end int) bool {
	i := l.off + 1
	if charClass[l.at(i)] == cDigit && l.at(end) == '-' && end == l.off+5 && allDigits(l.src[i:end]) {
		l.isoDuration(t, l.off)
		return true
	}
	if stop, ok := isoEnd(l.src, l.off); ok && stop == end {
		l.off, t.kind = end, tDuration
		return true
	}
	return false
}

// isoDuration reads an ISO 8601 duration whose P at i is already certain.
func (l *lexer) isoDuration(t *token, i int) {
	if stop, ok := isoAlternative(l.src, i); ok {
		l.off, t.kind = stop, tDuration
		return
	}
	stop, ok := isoEnd(l.src, i)
	if !ok {
		if alt, _ := isoAlternative(l.src, i); alt > stop {
			stop = alt
		}
		l.fail(t, stop, "no viable alternative at character ", "")
		return
	}
	l.off, t.kind = stop, tDuration
}

// isoEnd matches P…W or P[…Y][…M][…D][T[…H][…M][…S]] at i and gives the end, or
// the place where it breaks.
func isoEnd(s string, i int) (end int, ok bool) {
	i++
	if end, ok = isoUnits(s, i, "W"); ok {
		return end, true
	}
	end, ok = isoUnits(s, i, "YMD")
	if (ok || end == i) && end < len(s) && s[end] == 'T' {
		return isoUnits(s, end+1, "HMS")
	}
	return end, ok
}

// isoUnits matches numbers, each with one of units, in their order. Without any
// match it gives the place where the first breaks.
func isoUnits(s string, i int, units string) (end int, ok bool) {
	for {
		j := i
		for j < len(s) && charClass[s[j]] == cDigit {
			j++
		}
		k := -1
		if j > i && j < len(s) {
			k = strings.IndexByte(units, s[j])
		}
		if k < 0 {
			if ok {
				return i, true
			}
			return j, false
		}
		i, units, ok = j+1, units[k+1:], true
	}
}

// isoAlternative matches PYYYY-MM-DDThh:mm:ss at i and gives the end, or the
// place where it breaks.
func isoAlternative(s string, i int) (end int, ok bool) {
	const form = "P0000-00-00T00:00:00"
	for n := range len(form) {
		if i+n >= len(s) {
			return i + n, false
		}
		c := s[i+n]
		if form[n] == '0' && charClass[c] != cDigit || form[n] != '0' && c != form[n] {
			return i + n, false
		}
	}
	return i + len(form), true
}

func isHex(c byte) bool {
	return charClass[c] == cDigit || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func allHex(s string) bool {
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if charClass[s[i]] != cDigit {
			return false
		}
	}
	return true
}
