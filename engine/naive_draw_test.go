package engine_test

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// draw makes random schemas, values and restrictions.
type draw struct{ *rapid.T }

func (d draw) n(low, high int) int { return rapid.IntRange(low, high).Draw(d.T, "n") }

// one says whether something happens that has one chance in n.
func (d draw) one(n int) bool { return d.n(1, n) == n }

func oneOf[T any](d draw, list []T) T { return list[d.n(0, len(list)-1)] }

// some are some of a list, in its order; at least one unless it is empty.
func some[T any](d draw, list []T) []T {
	var out []T
	for _, x := range list {
		if d.n(0, 2) > 0 {
			out = append(out, x)
		}
	}
	if len(out) == 0 && len(list) > 0 {
		out = append(out, oneOf(d, list))
	}
	return out
}

// table draws a table of that name.
func (d draw) table(name string, counter bool) *naiveTable {
	t := &naiveTable{name: name, counter: counter, dropped: map[string]int64{}}
	simple := func(name string) naiveColumn { return naiveColumn{name: name, kind: kind(d.n(0, 1))} }
	for i := range d.n(1, 2) {
		t.key = append(t.key, simple("k"+strconv.Itoa(i+1)))
	}
	for i := range d.n(0, 3) {
		c := simple("c" + strconv.Itoa(i+1))
		c.desc = d.n(0, 1) == 1
		t.ck = append(t.ck, c)
	}
	column := func(name string, static bool) {
		c := naiveColumn{name: name, kind: oneOf(d, []kind{intKind, textKind, intKind, setKind, mapKind, listKind, frozenKind}), static: static}
		if counter {
			c.kind = counterKind
		}
		t.columns = append(t.columns, c)
	}
	for i := range d.n(1, 4) {
		column("v"+strconv.Itoa(i+1), false)
	}
	if len(t.ck) > 0 {
		for i := range d.n(0, 2) {
			column("s"+strconv.Itoa(i+1), true)
		}
	}
	if !counter && d.one(6) {
		t.ttl = int64(d.n(5, 50))
	}
	return t
}

// create is the statement that makes a table.
func (t *naiveTable) create() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (", t.name)
	for _, list := range [][]naiveColumn{t.key, t.ck, t.columns} {
		for _, c := range list {
			b.WriteString(c.declaration() + ", ")
		}
	}
	fmt.Fprintf(&b, "PRIMARY KEY ((%s)", strings.Join(names(t.key), ", "))
	for _, c := range t.ck {
		b.WriteString(", " + c.name)
	}
	b.WriteString("))")
	with := " WITH "
	for i, c := range t.ck {
		order := map[bool]string{false: " ASC", true: " DESC"}[c.desc]
		if i == 0 {
			b.WriteString(with + "CLUSTERING ORDER BY (" + c.name + order)
			with = " AND "
		} else {
			b.WriteString(", " + c.name + order)
		}
	}
	if len(t.ck) > 0 {
		b.WriteString(")")
	}
	if t.ttl > 0 {
		fmt.Fprintf(&b, "%sdefault_time_to_live = %d", with, t.ttl)
	}
	return b.String()
}

func (c *naiveColumn) declaration() string {
	if c.static {
		return c.name + " " + c.kind.String() + " static"
	}
	return c.name + " " + c.kind.String()
}

func names(list []naiveColumn) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.name)
	}
	return out
}

// of are the columns that are static, or those that are not.
func (t *naiveTable) of(static bool) []naiveColumn {
	var out []naiveColumn
	for _, c := range t.columns {
		if c.static == static {
			out = append(out, c)
		}
	}
	return out
}

// simple draws a value of an int or text column. Few values make many meetings.
func (d draw) simple(k kind) any {
	if k == textKind {
		return oneOf(d, []string{"a", "b", "ab", "c"})
	}
	return d.n(-1, 3)
}

// values draws one value a column.
func (d draw) values(list []naiveColumn) []any {
	out := make([]any, len(list))
	for i, c := range list {
		out[i] = d.simple(c.kind)
	}
	return out
}

// literal is a value in CQL.
func literal(v any) string {
	if v == nil {
		return "null"
	}
	return shown(v, true)
}

func literals(list []any) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = literal(v)
	}
	return strings.Join(out, ", ")
}

// ints draws a few numbers.
func (d draw) ints(low int) []int {
	out := []int{}
	for range d.n(low, 3) {
		out = append(out, d.n(-1, 3))
	}
	return out
}

// restriction is a part of a WHERE clause: its relations and what they mean.
type restriction struct {
	texts []string
	tests []func(r *naiveRow) bool
}

func (w *restriction) add(text string, test func(r *naiveRow) bool) {
	w.texts, w.tests = append(w.texts, text), append(w.tests, test)
}

func (w *restriction) holds(r *naiveRow) bool {
	for _, test := range w.tests {
		if !test(r) {
			return false
		}
	}
	return true
}

// where is the clause, or nothing.
func (w *restriction) where() string {
	if len(w.texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.texts, " AND ")
}

// holdsComparison says whether that comparison gives the operator.
func holdsComparison(op string, n int) bool {
	switch op {
	case "=":
		return n == 0
	case "<":
		return n < 0
	case "<=":
		return n <= 0
	case ">":
		return n > 0
	}
	return n >= 0
}

// partition restricts the whole partition key, by = or, with in, by IN too.
func (d draw) partition(t *naiveTable, w *restriction, in bool) (isIn bool) {
	for i, c := range t.key {
		if in && d.n(0, 1) == 1 {
			isIn = true
			d.in(w, c.name, c.kind, func(r *naiveRow) any { return r.key[i] })
			continue
		}
		v := d.simple(c.kind)
		w.add(c.name+" = "+literal(v), func(r *naiveRow) bool { return compare(r.key[i], v) == 0 })
	}
	return isIn
}

// in adds column IN (…).
func (d draw) in(w *restriction, name string, k kind, value func(r *naiveRow) any) {
	var list []any
	for range d.n(0, 3) {
		list = append(list, d.simple(k))
	}
	w.add(name+" IN ("+literals(list)+")", func(r *naiveRow) bool {
		for _, v := range list {
			if compare(value(r), v) == 0 {
				return true
			}
		}
		return false
	})
}

// clustering restricts a prefix of the clustering columns: = or IN, and last
// perhaps a slice or a relation of several columns.
func (d draw) clustering(t *naiveTable, w *restriction, slice bool) {
	for i := 0; i < len(t.ck); i++ {
		c := t.ck[i]
		value := func(r *naiveRow) any { return r.ck[i] }
		switch form := d.n(0, 7); {
		case form < 4:
			v := d.simple(c.kind)
			w.add(c.name+" = "+literal(v), rowTest(func(r *naiveRow) bool { return compare(value(r), v) == 0 }))
		case form == 4:
			d.in(w, c.name, c.kind, value)
			w.tests[len(w.tests)-1] = rowTest(w.tests[len(w.tests)-1])
		case form == 5 && slice:
			d.slice(w, i, t.ck[i:i+1], false)
			return
		case form == 6 && slice:
			d.slice(w, i, t.ck[i:d.n(i+1, len(t.ck))], true)
			return
		default:
			return
		}
	}
}

// rowTest is a test that rows alone pass.
func rowTest(test func(r *naiveRow) bool) func(r *naiveRow) bool {
	return func(r *naiveRow) bool { return r.ck != nil && test(r) }
}

// slice restricts clustering columns from the i-th on by one or two bounds.
func (d draw) slice(w *restriction, i int, columns []naiveColumn, tuple bool) {
	bound := func(op string) {
		v := d.values(columns)
		text := columns[0].name + " " + op + " " + literal(v[0])
		if tuple {
			text = "(" + strings.Join(names(columns), ", ") + ") " + op + " (" + literals(v) + ")"
		}
		w.add(text, rowTest(func(r *naiveRow) bool {
			n := 0
			for j := range v {
				if n = compare(r.ck[i+j], v[j]); n != 0 {
					break
				}
			}
			return holdsComparison(op, n)
		}))
	}
	which := d.n(0, 2)
	if which != 1 {
		bound(oneOf(d, []string{">", ">="}))
	}
	if which != 0 {
		bound(oneOf(d, []string{"<", "<="}))
	}
}
