package engine_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The naive store is a single copy of tables that forgets nothing: a list of
// marks, each a cell, a row marker or a deletion, exactly as they were written.
// Reading looks at all of them each time. It knows nothing of memtables,
// SSTables, replicas or plans.

// kind is the type of a column.
type kind int

const (
	intKind kind = iota
	textKind
	setKind  // set<int>
	mapKind  // map<int, text>
	listKind // list<int>
	frozenKind
	counterKind
)

var kindTexts = [...]string{"int", "text", "set<int>", "map<int, text>", "list<int>", "frozen<list<int>>", "counter"}

func (k kind) String() string { return kindTexts[k] }

// many says whether a column of the kind has a cell for each element.
func (k kind) many() bool { return k == setKind || k == mapKind || k == listKind }

// naiveColumn is a column of a naive table.
type naiveColumn struct {
	name   string
	kind   kind
	static bool
	desc   bool // of a clustering column
}

// naiveTable is a table with all that was ever written to it.
type naiveTable struct {
	name    string
	key, ck []naiveColumn
	columns []naiveColumn // the others that it has now
	dropped map[string]int64
	gone    []naiveColumn // dropped ones, which may come back
	ttl     int64         // default_time_to_live
	counter bool
	marks   []mark
}

// what a mark is.
type what int

const (
	partitionDeletion what = iota
	sliceDeletion
	rowDeletion
	columnDeletion // of all cells of a column of many
	rowMarker
	cellMark
	increment // of a counter
)

// mark is one thing that was written. value is nil for a tombstone, an int, a
// string or, frozen, an []int.
type mark struct {
	what    what
	key, ck []any // ck is nil for static columns
	in      func(ck []any) bool
	column  string
	path    int64 // element, map key or place in a list
	value   any
	at      int64 // µs
	ttl     int64 // s
	expires int64 // Unix seconds, where ttl > 0
	unsure  bool  // at is not known exactly, only its order
}

func same(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool { return compare(x, y) == 0 })
}

// compare orders values of one type.
func compare(a, b any) int {
	switch a := a.(type) {
	case int:
		return cmp.Compare(a, b.(int))
	case string:
		return cmp.Compare(a, b.(string))
	}
	return slices.Compare(a.([]int), b.([]int))
}

// raw is a value as bytes: of two cells of the same time the greater one wins.
func raw(v any) []byte {
	switch v := v.(type) {
	case int:
		return binary.BigEndian.AppendUint32(nil, uint32(v))
	case string:
		return []byte(v)
	case []int:
		b := binary.BigEndian.AppendUint32(nil, uint32(len(v)))
		for _, e := range v {
			b = append(binary.BigEndian.AppendUint32(b, 4), raw(e)...)
		}
		return b
	}
	return nil
}

// beats says which of two cells or markers of one place counts.
func (m *mark) beats(o *mark) bool {
	dead := func(m *mark) bool { return m.what == cellMark && m.value == nil }
	switch {
	case m.at != o.at:
		return m.at > o.at
	case dead(m) != dead(o):
		return dead(m)
	case (m.ttl > 0) != (o.ttl > 0):
		return m.ttl > 0
	case m.expires != o.expires:
		return m.expires > o.expires
	}
	return bytes.Compare(raw(m.value), raw(o.value)) > 0
}

// live says whether the winner of a place is there at that second.
func (t *naiveTable) live(m *mark, now int64) bool {
	if m.what == cellMark && m.value == nil || m.ttl > 0 && m.expires <= now {
		return false
	}
	if at, ok := t.dropped[m.column]; m.column != "" && ok && m.at <= at {
		return false
	}
	for i := range t.marks {
		d := &t.marks[i]
		if d.at < m.at || !same(d.key, m.key) {
			continue
		}
		switch d.what {
		case partitionDeletion:
			return false
		case sliceDeletion:
			if m.ck != nil && d.in(m.ck) {
				return false
			}
		case rowDeletion:
			if m.ck != nil && same(d.ck, m.ck) {
				return false
			}
		case columnDeletion:
			if d.column == m.column && (d.ck == nil) == (m.ck == nil) && same(d.ck, m.ck) {
				return false
			}
		}
	}
	return true
}

// naiveRow is a row as it is read; ck is nil where a partition has only static
// columns. cells has the live cells of each column in order.
type naiveRow struct {
	key, ck []any
	cells   map[string][]*mark
	now     int64
}

// rows are all rows of a table at that second, partitions in no order, rows in
// clustering order.
func (t *naiveTable) rows(now int64) []*naiveRow {
	type place struct{ key, ck, column, path string }
	winners := map[place]*mark{}
	var order []place
	for i := range t.marks {
		m := &t.marks[i]
		if m.what < rowMarker || m.what != rowMarker && !t.has(m.column, m.ck == nil) {
			continue
		}
		p := place{fmt.Sprint(m.key), fmt.Sprint(m.ck, m.ck == nil), m.column, ""}
		if m.path != 0 {
			p.path = strconv.FormatInt(m.path, 10)
		}
		if m.what == increment {
			p.path = strconv.Itoa(i)
		}
		old := winners[p]
		if old == nil {
			order = append(order, p)
		}
		if old == nil || m.beats(old) {
			winners[p] = m
		}
	}
	var parts []*naiveRow // the static row of each partition
	var rows []*naiveRow
	find := func(list *[]*naiveRow, m *mark) *naiveRow {
		for _, r := range *list {
			if same(r.key, m.key) && same(r.ck, m.ck) {
				return r
			}
		}
		r := &naiveRow{key: m.key, ck: m.ck, cells: map[string][]*mark{}, now: now}
		*list = append(*list, r)
		return r
	}
	for _, p := range order {
		m := winners[p]
		if !t.live(m, now) {
			continue
		}
		list := &rows
		if m.ck == nil {
			list = &parts
		}
		if r := find(list, m); m.what != rowMarker {
			r.cells[m.column] = append(r.cells[m.column], m)
		}
	}
	for _, p := range parts {
		any := false
		for _, r := range rows {
			if same(r.key, p.key) {
				any = true
				for name, cells := range p.cells {
					r.cells[name] = cells
				}
			}
		}
		if !any {
			rows = append(rows, p)
		}
	}
	for _, r := range rows {
		for _, cells := range r.cells {
			sort.Slice(cells, func(i, j int) bool { return cells[i].path < cells[j].path })
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return t.compareRows(rows[i].ck, rows[j].ck) < 0 })
	return rows
}

// compareRows is the clustering order.
func (t *naiveTable) compareRows(a, b []any) int {
	if a == nil || b == nil {
		return cmp.Compare(len(a), len(b))
	}
	for i, c := range t.ck {
		if n := compare(a[i], b[i]); n != 0 {
			if c.desc {
				return -n
			}
			return n
		}
	}
	return 0
}

// has says whether the table has the column now.
func (t *naiveTable) has(name string, static bool) bool {
	return slices.ContainsFunc(t.columns, func(c naiveColumn) bool { return c.name == name && c.static == static })
}

// value is what a row has in a column: nil, an int, a string, []int or [][2]any.
func (r *naiveRow) value(t *naiveTable, c *naiveColumn) any {
	if i := slices.IndexFunc(t.key, func(k naiveColumn) bool { return k.name == c.name }); i >= 0 {
		return r.key[i]
	}
	if i := slices.IndexFunc(t.ck, func(k naiveColumn) bool { return k.name == c.name }); i >= 0 {
		if r.ck == nil {
			return nil
		}
		return r.ck[i]
	}
	cells := r.cells[c.name]
	if len(cells) == 0 {
		return nil
	}
	switch c.kind {
	case setKind:
		var out []int
		for _, m := range cells {
			out = append(out, int(m.path))
		}
		return set(out)
	case listKind:
		var out []int
		for _, m := range cells {
			out = append(out, m.value.(int))
		}
		return out
	case mapKind:
		out := pairs{}
		for _, m := range cells {
			out = append(out, pair{int(m.path), m.value.(string)})
		}
		return out
	case counterKind:
		sum := 0
		for _, m := range cells {
			sum += m.value.(int)
		}
		return sum
	}
	return cells[0].value
}

type (
	set   []int // sorted
	pair  struct{ key, value any }
	pairs []pair // sorted by key
)

// shown is a value as cqlsh prints it; inside of collections text has quotes.
func shown(v any, inside bool) string {
	list := func(open string, n int, item func(i int) string, closing string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = item(i)
		}
		return open + strings.Join(parts, ", ") + closing
	}
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if inside {
			return "'" + v + "'"
		}
		return v
	case []int:
		return list("[", len(v), func(i int) string { return strconv.Itoa(v[i]) }, "]")
	case set:
		return list("{", len(v), func(i int) string { return strconv.Itoa(v[i]) }, "}")
	case pairs:
		return list("{", len(v), func(i int) string { return shown(v[i].key, true) + ": " + shown(v[i].value, true) }, "}")
	}
	return fmt.Sprint(v)
}
