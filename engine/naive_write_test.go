package engine_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// change is a statement that writes: its text, and the marks that it leaves when
// it runs at a time (µs, and what a cell's place in a list is counted from). The
// second result is Cassandra's complaint, if it has one.
type change struct {
	table *naiveTable
	text  string
	apply func(at moment) ([]mark, string)
}

// moment is when a statement runs: the timestamp it is given and the second.
type moment struct {
	at     int64
	now    int64
	unsure bool
}

// drawer draws changes. Timestamps that are written without a TTL meet often;
// with one they never do, since what an expired cell is among cells of the same
// time depends on whether a compaction has seen it.
type drawer struct {
	draw
	stamps int64 // of cells with TTL
	places int64 // of list elements: grows at the end, shrinks in front
}

// using is what a statement says about its times.
type using struct {
	text string // " USING …" or ""
	at   int64  // 0 for none
	ttl  int64  // -1 for none
}

// using draws USING TIMESTAMP and TTL.
func (d *drawer) using(t *naiveTable, stamp, ttl bool) using {
	u := using{ttl: -1}
	var parts []string
	if ttl && d.one(5) {
		u.ttl = int64(d.n(0, 60))
		parts = append(parts, fmt.Sprintf("TTL %d", u.ttl))
	}
	if stamp && d.one(3) {
		u.at = int64(2 * d.n(1, 8))
		if d.one(8) {
			u.at += 1 << 52 // far in the future
		}
		if u.ttl >= 0 || t.ttl > 0 {
			d.stamps += 2
			u.at = 2*d.stamps + 1
		}
		parts = append(parts, fmt.Sprintf("TIMESTAMP %d", u.at))
	}
	if len(parts) > 0 {
		u.text = " USING " + strings.Join(parts, " AND ")
	}
	return u
}

// stamped fills in the times of marks.
func (u using) stamped(t *naiveTable, m moment, list []mark) []mark {
	ttl := u.ttl
	if ttl < 0 {
		ttl = t.ttl
	}
	for i := range list {
		x := &list[i]
		at := m.at
		if u.at != 0 {
			at = u.at
		} else {
			x.unsure = m.unsure
		}
		x.at += at
		if ttl > 0 && (x.what == rowMarker || x.what == cellMark && x.value != nil) {
			x.ttl, x.expires = ttl, m.now+ttl
		}
	}
	return list
}

// whole are the marks of column = value.
func (d *drawer) whole(c *naiveColumn, key, ck []any) (text string, marks func() []mark) {
	cell := func(path int64, value any) mark {
		return mark{what: cellMark, key: key, ck: ck, column: c.name, path: path, value: value}
	}
	if d.one(6) {
		if c.kind.many() { // like every other assignment of the whole, but then nothing is written
			return "null", func() []mark { return []mark{{what: columnDeletion, key: key, ck: ck, column: c.name, at: -1}} }
		}
		return "null", func() []mark { return []mark{cell(0, nil)} }
	}
	switch c.kind {
	case intKind, textKind:
		v := d.simple(c.kind)
		return literal(v), func() []mark { return []mark{cell(0, v)} }
	case frozenKind:
		v := d.ints(0)
		return literal(v), func() []mark { return []mark{cell(0, v)} }
	}
	text, elements := d.elements(c, key, ck, 0, false)
	return text, func() []mark {
		return append([]mark{{what: columnDeletion, key: key, ck: ck, column: c.name, at: -1}}, elements()...)
	}
}

// elements draws a collection literal and the cells of its elements.
func (d *drawer) elements(c *naiveColumn, key, ck []any, low int, front bool) (text string, marks func() []mark) {
	list := d.ints(low)
	values := make([]any, len(list))
	cell := func(path int64, value any) mark {
		return mark{what: cellMark, key: key, ck: ck, column: c.name, path: path, value: value}
	}
	switch c.kind {
	case listKind:
		return literal(list), func() []mark {
			var out []mark
			for i := range list {
				d.places++
				if front {
					out = append(out, cell(-d.places, list[len(list)-1-i]))
				} else {
					out = append(out, cell(d.places, list[i]))
				}
			}
			return out
		}
	case mapKind:
		var texts []string
		slices.Sort(list)
		list = slices.Compact(list)
		for i, k := range list {
			values[i] = d.simple(textKind)
			texts = append(texts, literal(k)+": "+literal(values[i]))
		}
		return "{" + strings.Join(texts, ", ") + "}", func() []mark {
			var out []mark
			for i, k := range list {
				out = append(out, cell(int64(k), values[i]))
			}
			return out
		}
	}
	return "{" + strings.Trim(literal(list), "[]") + "}", func() []mark {
		var out []mark
		for _, k := range list {
			out = append(out, cell(int64(k), ""))
		}
		return out
	}
}

// insert draws INSERT.
func (d *drawer) insert(t *naiveTable, stamp bool) change {
	key := d.values(t.key)
	names, values := names(t.key), literals(key)
	ck := []any{}
	static := t.of(true)
	onlyStatic := len(static) > 0 && d.one(5)
	columns := t.columns
	if onlyStatic {
		columns, ck = static, nil
	} else {
		ck = append(ck, d.values(t.ck)...)
		for i, c := range t.ck {
			names, values = append(names, c.name), values+", "+literal(ck[i])
		}
	}
	var cells []func() []mark
	if len(columns) > 0 && (onlyStatic || !d.one(6)) {
		for _, c := range some(d.draw, columns) {
			at := ck
			if c.static {
				at = nil
			}
			text, marks := d.whole(&c, key, at)
			names, values = append(names, c.name), values+", "+text
			cells = append(cells, marks)
		}
	}
	u := d.using(t, stamp, true)
	text := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)%s", t.name, strings.Join(names, ", "), values, u.text)
	return change{t, text, func(m moment) ([]mark, string) {
		var out []mark
		if !onlyStatic {
			out = append(out, mark{what: rowMarker, key: key, ck: ck})
		}
		for _, f := range cells {
			out = append(out, f()...)
		}
		return u.stamped(t, m, out), ""
	}}
}

// assignment is one operation of SET or one deletion on a column: its text and
// the marks for one row.
type assignment struct {
	column naiveColumn
	text   string
	marks  func(key, ck []any, now int64) ([]mark, string)
}

// assign draws an operation of SET.
func (d *drawer) assign(t *naiveTable, c naiveColumn) assignment {
	a := assignment{column: c}
	name := c.name
	if c.kind == counterKind {
		n := d.n(-3, 3)
		a.text = fmt.Sprintf("%s = %s + %d", name, name, n)
		a.marks = func(key, ck []any, _ int64) ([]mark, string) {
			return []mark{{what: increment, key: key, ck: ck, column: name, value: n}}, ""
		}
		return a
	}
	// The cells are drawn once and then belong to each row.
	each := func(text string, marks func() []mark) {
		a.text = text
		a.marks = func(key, ck []any, _ int64) ([]mark, string) {
			list := marks()
			for i := range list {
				list[i].key, list[i].ck = key, ck
			}
			return list, ""
		}
	}
	if !c.kind.many() || d.n(0, 3) == 0 {
		text, marks := d.whole(&c, nil, nil)
		each(name+" = "+text, marks)
		return a
	}
	switch form := d.n(0, 3); {
	case form == 0 || c.kind != listKind && form == 1:
		text, marks := d.elements(&c, nil, nil, 1, false)
		each(name+" = "+name+" + "+text, marks)
	case form == 1:
		text, marks := d.elements(&c, nil, nil, 1, true)
		each(name+" = "+text+" + "+name, marks)
	case form == 2:
		list := d.ints(1)
		text := "{" + strings.Trim(literal(list), "[]") + "}"
		if c.kind == listKind {
			return d.discard(t, a, list)
		}
		each(name+" = "+name+" - "+text, func() []mark {
			var out []mark
			for _, k := range list {
				out = append(out, mark{what: cellMark, column: name, path: int64(k)})
			}
			return out
		})
	default:
		if c.kind == setKind {
			text, marks := d.whole(&c, nil, nil)
			each(name+" = "+text, marks)
			return a
		}
		var value any
		if !d.one(4) {
			value = d.simple(map[kind]kind{mapKind: textKind, listKind: intKind}[c.kind])
		}
		return d.element(t, a, "%s[%d] = "+literal(value), value, "set an element on")
	}
	return a
}

// list are the cells of a list as they are now.
func (t *naiveTable) list(column string, key, ck []any, now int64) []*mark {
	for _, r := range t.rows(now) {
		if same(r.key, key) && (ck == nil || same(r.ck, ck)) {
			if cells := r.cells[column]; len(cells) > 0 {
				return cells
			}
		}
	}
	return nil
}

// discard is list = list - [values], which looks at the list first.
func (d *drawer) discard(t *naiveTable, a assignment, list []int) assignment {
	name := a.column.name
	a.text = name + " = " + name + " - " + literal(list)
	a.marks = func(key, ck []any, now int64) ([]mark, string) {
		var out []mark
		for _, m := range t.list(name, key, ck, now) {
			if slices.Contains(list, m.value.(int)) {
				out = append(out, mark{what: cellMark, key: key, ck: ck, column: name, path: m.path})
			}
		}
		return out, ""
	}
	return a
}

// element sets or, with nil, deletes an element of a map, a set or a list.
func (d *drawer) element(t *naiveTable, a assignment, form string, value any, word string) assignment {
	name, at := a.column.name, d.n(0, 3)
	a.text = fmt.Sprintf(form, name, at)
	a.marks = func(key, ck []any, now int64) ([]mark, string) {
		path := int64(at)
		if a.column.kind == listKind {
			list := t.list(name, key, ck, now)
			if len(list) == 0 {
				return nil, "Attempted to " + word + " a list which is null"
			}
			if at >= len(list) {
				return nil, fmt.Sprintf("List index %d out of bound, list has size %d", at, len(list))
			}
			path = list[at].path
		}
		return []mark{{what: cellMark, key: key, ck: ck, column: name, path: path, value: value}}, ""
	}
	return a
}

// rowsOf are the keys and clusterings that = and IN name.
func (d *drawer) rowsOf(list []naiveColumn, w *[]string, in bool) [][]any {
	out := [][]any{{}}
	for _, c := range list {
		values := []any{d.simple(c.kind)}
		text := c.name + " = " + literal(values[0])
		if in && d.one(5) {
			for range d.n(0, 2) {
				values = append(values, d.simple(c.kind))
			}
			text = c.name + " IN (" + literals(values) + ")"
			slices.SortFunc(values, compare)
			values = slices.CompactFunc(values, func(a, b any) bool { return compare(a, b) == 0 })
		}
		*w = append(*w, text)
		var next [][]any
		for _, prefix := range out {
			for _, v := range values {
				next = append(next, append(slices.Clone(prefix), v))
			}
		}
		out = next
	}
	return out
}

// rows draws the rows that an UPDATE or a DELETE of columns is about.
func (d *drawer) rows(t *naiveTable, onlyStatic, in bool) (where string, keys, rows [][]any) {
	var w []string
	keys = d.rowsOf(t.key, &w, in)
	if !onlyStatic {
		rows = d.rowsOf(t.ck, &w, in)
	}
	return " WHERE " + strings.Join(w, " AND "), keys, rows
}

// targets draws the columns that an UPDATE or a DELETE is about.
func (d *drawer) targets(t *naiveTable) (list []naiveColumn, onlyStatic bool) {
	static := t.of(true)
	if onlyStatic = len(static) > 0 && d.one(4); onlyStatic {
		return some(d.draw, static), true
	}
	list = some(d.draw, t.columns)
	for _, c := range list {
		if !c.static {
			return list, false
		}
	}
	return list, true
}

// update draws UPDATE; ok is false for a table without columns.
func (d *drawer) update(t *naiveTable, stamp bool) (c change, ok bool) {
	if len(t.columns) == 0 {
		return c, false
	}
	columns, onlyStatic := d.targets(t)
	var list []assignment
	var texts []string
	for _, c := range columns {
		a := d.assign(t, c)
		list, texts = append(list, a), append(texts, a.text)
	}
	u := using{ttl: -1}
	if !t.counter {
		u = d.using(t, stamp, true)
	}
	where, keys, rows := d.rows(t, onlyStatic, !hasList(columns))
	text := fmt.Sprintf("UPDATE %s%s SET %s%s", t.name, u.text, strings.Join(texts, ", "), where)
	return change{t, text, applied(t, u, list, keys, rows)}, true
}

// hasList says whether a list is among columns: with IN, the elements' places
// would depend on the order in which rows are written.
func hasList(columns []naiveColumn) bool {
	return slices.ContainsFunc(columns, func(c naiveColumn) bool { return c.kind == listKind })
}

// applied runs assignments on rows, those of static columns last.
func applied(t *naiveTable, u using, list []assignment, keys, rows [][]any) func(m moment) ([]mark, string) {
	slices.SortStableFunc(list, func(a, b assignment) int {
		return cmp.Compare(strconv.FormatBool(a.column.static), strconv.FormatBool(b.column.static))
	})
	return func(m moment) ([]mark, string) {
		var out []mark
		for _, key := range keys {
			for _, a := range list {
				at := rows
				if a.column.static {
					at = [][]any{nil}
				}
				for _, ck := range at {
					marks, complaint := a.marks(key, ck, m.now)
					if complaint != "" {
						return nil, complaint
					}
					out = append(out, marks...)
				}
			}
		}
		return u.stamped(t, m, out), ""
	}
}

// remove draws DELETE.
func (d *drawer) remove(t *naiveTable, stamp bool) change {
	u := d.using(t, stamp, false)
	if len(t.columns) > 0 && d.n(0, 1) == 0 {
		return d.removeColumns(t, u)
	}
	if len(t.ck) == 0 || d.one(4) {
		var w []string
		keys := d.rowsOf(t.key, &w, true)
		text := fmt.Sprintf("DELETE FROM %s%s WHERE %s", t.name, u.text, strings.Join(w, " AND "))
		return change{t, text, func(m moment) ([]mark, string) {
			var out []mark
			for _, key := range keys {
				out = append(out, mark{what: partitionDeletion, key: key})
			}
			return u.stamped(t, m, out), ""
		}}
	}
	if d.n(0, 1) == 0 {
		where, keys, rows := d.rows(t, false, true)
		return change{t, "DELETE FROM " + t.name + u.text + where, func(m moment) ([]mark, string) {
			var out []mark
			for _, key := range keys {
				for _, ck := range rows {
					out = append(out, mark{what: rowDeletion, key: key, ck: ck})
				}
			}
			return u.stamped(t, m, out), ""
		}}
	}
	var w []string
	keys := d.rowsOf(t.key, &w, true)
	r := restriction{}
	d.clustering(t, &r, true)
	text := fmt.Sprintf("DELETE FROM %s%s WHERE %s", t.name, u.text, strings.Join(append(w, r.texts...), " AND "))
	return change{t, text, func(m moment) ([]mark, string) {
		var out []mark
		for _, key := range keys {
			x := mark{what: sliceDeletion, key: key, in: func(ck []any) bool { return r.holds(&naiveRow{ck: ck}) }}
			if len(r.texts) == 0 {
				x.what = partitionDeletion
			}
			out = append(out, x)
		}
		return u.stamped(t, m, out), ""
	}}
}

// removeColumns draws DELETE column, column[element], ….
func (d *drawer) removeColumns(t *naiveTable, u using) change {
	columns, onlyStatic := d.targets(t)
	var list []assignment
	var texts []string
	for _, c := range columns {
		a := assignment{column: c, text: c.name}
		if c.kind.many() && d.n(0, 1) == 0 {
			a = d.element(t, a, "%s[%d]", nil, "delete an element from")
		} else {
			x := mark{what: cellMark, column: c.name}
			if c.kind.many() {
				x.what = columnDeletion
			}
			a.marks = func(key, ck []any, _ int64) ([]mark, string) {
				x := x
				x.key, x.ck = key, ck
				return []mark{x}, ""
			}
		}
		list, texts = append(list, a), append(texts, a.text)
	}
	where, keys, rows := d.rows(t, onlyStatic, !hasList(columns))
	text := fmt.Sprintf("DELETE %s FROM %s%s%s", strings.Join(texts, ", "), t.name, u.text, where)
	return change{t, text, applied(t, u, list, keys, rows)}
}
