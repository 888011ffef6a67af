// Package design proposes tables for questions: entities with attributes and
// what is asked of them, written in near-plain words, become Chebotko charts
// with K, C and S marks, CREATE TABLE texts, gauges and forecasts. It is pure:
// the same text gives the same proposal.
package design

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/model/types"
)

// Design is what a text says, and what follows from it.
type Design struct {
	Entities []*Entity
	Queries  []*Query
	Tables   []*Table
	Problems []Problem // in the order of their lines
}

// Problem is a line that says nothing, or nothing that a table can answer.
type Problem struct {
	Line, Column int // from 1
	Text         string
}

func (p Problem) Error() string { return fmt.Sprintf("line %d:%d %s", p.Line, p.Column, p.Text) }

// Entity is a thing that there are many of: a book, a user.
type Entity struct {
	Name       string
	Attributes []*Attribute
	Keys       [][]string // sets of attributes, each of which identifies one; nothing is said if there is none
	Line       int
}

// Attribute is a property of an entity.
type Attribute struct {
	Name   string
	Type   *types.Type
	Bytes  int // of an average value
	Entity *Entity
}

// attribute finds an attribute by its name, also in the plural.
func (e *Entity) attribute(word string) *Attribute {
	for _, form := range singulars(word) {
		for _, a := range e.Attributes {
			if a.Name == form {
				return a
			}
		}
	}
	return nil
}

// identity is what one entity is called by: its first key, else its first
// attribute.
func (e *Entity) identity() []*Attribute {
	if len(e.Keys) == 0 {
		return e.Attributes[:1]
	}
	var out []*Attribute
	for _, name := range e.Keys[0] {
		out = append(out, e.attribute(name))
	}
	return out
}

// singulars are a word and what it may be the plural of.
func singulars(word string) []string {
	w := strings.ToLower(word)
	out := []string{w}
	if s, ok := strings.CutSuffix(w, "ies"); ok {
		out = append(out, s+"y")
	}
	if s, ok := strings.CutSuffix(w, "es"); ok {
		out = append(out, s)
	}
	if s, ok := strings.CutSuffix(w, "s"); ok {
		out = append(out, s)
	}
	return out
}

// entity finds an entity by its name, also in the plural.
func (d *Design) entity(word string) *Entity {
	for _, form := range singulars(word) {
		for _, e := range d.Entities {
			if e.Name == form {
				return e
			}
		}
	}
	return nil
}

// Op is how a question restricts a column.
type Op uint8

// The ways to restrict a column.
const (
	Equal Op = iota
	Range    // an inequality
	In       // one of several values
)

// Term is a column that a question gives a value or a range for.
type Term struct {
	*Attribute
	Op       Op
	Optional bool // the question is asked with and without it
}

// Order is a column that answers are sorted by.
type Order struct {
	*Attribute
	Desc bool
}

// Query is one question.
type Query struct {
	Text    string
	Line    int
	Entity  *Entity
	Terms   []Term
	Order   []Order
	Show    []*Attribute // nil: all of the entity
	Bucket  string       // hour, day, week, month, year; "" for none
	Rows    float64      // of one partition in all; 0: nothing is said
	PerDay  float64      // rows that come to one partition a day; 0: nothing is said
	Keep    float64      // days that a row lives; 0: forever
	Table   *Table       // that answers it
	name    string       // of the table
	written bool         // the name was given
}

// Mark is a letter of a Chebotko chart.
type Mark string

// The marks of columns; a plain column has none.
const (
	Key    Mark = "K"
	Up     Mark = "C↑"
	Down   Mark = "C↓"
	Static Mark = "S"
	Plain  Mark = ""
)

// Column is one column of a proposed table.
type Column struct {
	Name  string
	Type  *types.Type
	Bytes int
	Mark  Mark
	Why   string
	from  *Attribute // nil: a bucket
	tells bool       // it is there to tell rows apart
}

// Table is one proposed table.
type Table struct {
	Name    string
	Columns []Column // in the order of the key, then S, then the others
	Queries []*Query // that it answers, the one that it was made for first
	Notes   []string // what to know about it
	Copies  []string // columns that another table holds as well
	CQL     string   // CREATE TABLE
	Refused string   // Cassandra's text, if it refuses the table
	Gauges  []Gauge
	Refuses []Refusal

	bucket string
}

// marked are the columns with a mark.
func (t *Table) marked(marks ...Mark) []Column {
	var out []Column
	for _, c := range t.Columns {
		for _, m := range marks {
			if c.Mark == m {
				out = append(out, c)
			}
		}
	}
	return out
}

func (t *Table) keys() []Column       { return t.marked(Key) }
func (t *Table) clustering() []Column { return t.marked(Up, Down) }

func (t *Table) column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Read takes in a text and proposes tables in a keyspace. What cannot be
// understood is a problem; everything else is proposed all the same.
func Read(text, keyspace string) *Design { return new(Reader).Read(text, keyspace) }

// Read is what Read of the package gives.
func (r *Reader) Read(text, keyspace string) *Design {
	d := &Design{}
	p := parser{d: d}
	p.read(text)
	for _, q := range d.Queries {
		d.propose(q)
	}
	slices.SortStableFunc(d.Problems, func(a, b Problem) int { return a.Line - b.Line })
	d.copies()
	for _, t := range d.Tables {
		t.write(keyspace)
		t.gauge()
	}
	d.refuse(keyspace, r)
	return d
}
