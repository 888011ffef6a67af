// Package csv reads and writes the files of COPY, in the dialect of Python's csv
// module that cqlsh uses. Source: CPython 3.11 Modules/_csv.c, not strict.
package csv

import "strings"

// Dialect says how fields are separated and protected. Quote and Escape may be
// the same: then a quote is doubled.
type Dialect struct {
	Delimiter, Quote, Escape rune
}

// Record is one record of a file.
type Record struct {
	Fields []string
	Line   int // where it begins, from 1
}

// Append writes a record, ended by a carriage return and a line feed.
func (d Dialect) Append(b []byte, fields []string) []byte {
	for i, f := range fields {
		if i > 0 {
			b = append(b, string(d.Delimiter)...)
		}
		b = d.appendField(b, f, len(fields) == 1)
	}
	return append(b, '\r', '\n')
}

func (d Dialect) appendField(b []byte, f string, alone bool) []byte {
	quoted := f == "" && alone
	start := len(b)
	for _, r := range f {
		switch {
		case r == d.Quote || r == d.Escape:
			b = append(b, string(d.Escape)...)
			quoted = quoted || d.Quote == d.Escape
		case r == d.Delimiter || r == '\r' || r == '\n':
			quoted = true
		}
		b = append(b, string(r)...)
	}
	if !quoted {
		return b
	}
	text := string(b[start:])
	return append(b[:start], string(d.Quote)+text+string(d.Quote)...)
}

// Records reads all records of a text; a line without anything is a record
// without fields.
func (d Dialect) Records(text string) []Record {
	r := reader{dialect: d, line: 1}
	r.record.Line = 1
	for _, c := range strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n") {
		r.take(c)
	}
	if len(r.record.Fields) > 0 || r.state != startRecord {
		if r.state == escaped || r.state == escapedQuoted {
			r.field.WriteByte('\n') // an escape at the end of a file stands for its last line's end
		}
		r.closeField()
		r.out = append(r.out, r.record)
	}
	return r.out
}

type state uint8

const (
	startRecord state = iota
	startField
	inField
	escaped
	inQuotes
	escapedQuoted
	quoteInQuotes
)

type reader struct {
	dialect Dialect
	state   state
	line    int
	field   strings.Builder
	record  Record
	out     []Record
}

// take moves on by one character.
func (r *reader) take(c rune) {
	d := r.dialect
	if c == '\n' {
		r.line++
	}
	switch r.state {
	case startRecord, startField:
		switch {
		case c == '\n' && r.state == startRecord:
			r.closeRecord()
		case c == '\n' || c == d.Delimiter:
			r.separate(c)
		case c == d.Quote:
			r.state = inQuotes
		case c == d.Escape:
			r.state = escaped
		default:
			r.field.WriteRune(c)
			r.state = inField
		}
	case escaped:
		r.field.WriteRune(c)
		r.state = inField
	case escapedQuoted:
		r.field.WriteRune(c)
		r.state = inQuotes
	case inField:
		switch {
		case c == '\n' || c == d.Delimiter:
			r.separate(c)
		case c == d.Escape && d.Escape != d.Quote:
			r.state = escaped
		default:
			r.field.WriteRune(c)
		}
	case inQuotes:
		switch {
		case c == d.Quote && d.Escape == d.Quote:
			r.state = quoteInQuotes
		case c == d.Escape:
			r.state = escapedQuoted
		case c == d.Quote:
			r.state = inField
		default:
			r.field.WriteRune(c)
		}
	case quoteInQuotes:
		r.state = inField
		if c == d.Quote {
			r.field.WriteRune(c)
			r.state = inQuotes
			return
		}
		if c == d.Delimiter || c == '\n' {
			r.separate(c)
			return
		}
		r.field.WriteRune(c)
	}
}

// separate ends a field, and at the end of a line its record.
func (r *reader) separate(c rune) {
	r.closeField()
	if c == '\n' {
		r.closeRecord()
		return
	}
	r.state = startField
}

func (r *reader) closeField() {
	r.record.Fields = append(r.record.Fields, r.field.String())
	r.field.Reset()
}

func (r *reader) closeRecord() {
	r.out = append(r.out, r.record)
	r.record = Record{Line: r.line}
	r.state = startRecord
}
