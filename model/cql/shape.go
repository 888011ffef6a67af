package cql

import "strings"

// Shape is the text of a statement with a question mark for each constant, and
// how many constants there were: statements of one shape could have been one
// prepared statement. What cannot be read ends the shape.
func Shape(text string) (shape string, constants int) {
	l := lexer{src: text, line: 1}
	var b strings.Builder
	b.Grow(len(text))
	end := int32(0)
	for {
		t := l.next()
		switch t.kind {
		case tEOF, tError:
			return b.String(), constants
		}
		if b.Len() > 0 && t.start > end {
			b.WriteByte(' ')
		}
		end = t.end
		switch t.kind {
		case tString, tInteger, tFloat, tBoolean, tDuration, tHex, tUUID, tNaN, tNegNaN, tInfinity, tNegInfinity:
			constants++
			b.WriteByte('?')
		default:
			b.WriteString(text[t.start:t.end])
		}
	}
}
