package engine_test

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/ring"
)

// query is a random SELECT: its text, and what the naive store answers.
type query struct {
	text    string
	pages   bool // may be asked for in pages
	answers func(now int64) [][]string
}

// item is one item of the SELECT clause, of a row or of the rows of a group.
type item struct {
	text string
	of   func(rows []*naiveRow) string
}

// token is the place of a row's partition on the ring.
func (r *naiveRow) token() int64 {
	part := func(v any) []byte {
		if n, ok := v.(int); ok {
			return raw(n)
		}
		return []byte(v.(string))
	}
	key := part(r.key[0])
	if len(r.key) > 1 {
		key = nil
		for _, v := range r.key {
			b := part(v)
			key = append(append(append(key, byte(len(b)>>8), byte(len(b))), b...), 0)
		}
	}
	n, _ := strconv.ParseInt(ring.Murmur3.Format(ring.Murmur3.Token(key)), 10, 64)
	return n
}

// query draws a SELECT.
func (d *drawer) query(t *naiveTable) query {
	w := restriction{}
	filtering := d.one(3)
	inPartition, byValue := false, false
	switch form := d.n(0, 5); {
	case form < 3:
		inPartition = true
		byValue = d.partition(t, &w, form == 2)
	case form == 3:
		d.tokens(t, &w)
	case form == 4 && filtering && len(t.key) > 1:
		i := d.n(0, len(t.key)-1)
		v := d.simple(t.key[i].kind)
		w.add(t.key[i].name+" = "+literal(v), func(r *naiveRow) bool { return compare(r.key[i], v) == 0 })
	}
	distinct := d.one(8)
	if !distinct && (inPartition || filtering) {
		d.clustering(t, &w, inPartition || filtering)
	}
	if filtering {
		d.filter(t, &w, distinct)
	}
	s := &selection{table: t, where: w, byValue: byValue}
	switch {
	case distinct:
		s.distinct = true
		for i, c := range t.key {
			s.items = append(s.items, item{c.name, func(rows []*naiveRow) string { return shown(rows[0].key[i], false) }})
		}
		for _, c := range t.of(true) {
			s.items = append(s.items, d.column(t, c))
		}
	default:
		d.selected(t, s)
	}
	order := d.order(t, s, inPartition)
	text := s.text() + " FROM " + t.name + w.where() + s.groupText + order
	if d.one(4) && !distinct && (!s.aggregate || s.group > 0) {
		s.perPartition = d.n(1, 3)
		text += fmt.Sprintf(" PER PARTITION LIMIT %d", s.perPartition)
	}
	if d.one(4) {
		s.limit = d.n(1, 6)
		text += fmt.Sprintf(" LIMIT %d", s.limit)
	}
	if filtering {
		text += " ALLOW FILTERING"
	}
	// Pages of groups have odd sizes and may fail, as in Cassandra: see grouppager.go and testdata/real/pages.cql.
	return query{text, !s.aggregate && s.group == 0 && (s.orderBy == 0 || !byValue), s.answers}
}

// tokens restricts the token of the partition key.
func (d draw) tokens(t *naiveTable, w *restriction) {
	name := "token(" + strings.Join(names(t.key), ", ") + ")"
	bound := func(op string) {
		at := (&naiveRow{key: d.values(t.key)})
		text := "token(" + literals(at.key) + ")"
		if d.n(0, 1) == 0 {
			text = strconv.FormatInt(at.token(), 10)
		}
		w.add(name+" "+op+" "+text, func(r *naiveRow) bool { return holdsComparison(op, cmp.Compare(r.token(), at.token())) })
	}
	which := d.n(0, 2)
	if which != 1 {
		bound(oneOf(d, []string{">", ">="}))
	}
	if which != 0 {
		bound(oneOf(d, []string{"<", "<="}))
	}
}

// filter restricts columns that are not part of the key.
func (d draw) filter(t *naiveTable, w *restriction, onlyStatic bool) {
	for _, c := range t.columns {
		if onlyStatic && !c.static || d.n(0, 2) > 0 {
			continue
		}
		value := func(r *naiveRow) any {
			if !c.static && r.ck == nil {
				return nil
			}
			return r.value(t, &c)
		}
		test := func(text string, ok func(v any) bool) {
			w.add(text, func(r *naiveRow) bool { v := value(r); return v != nil && ok(v) && (c.static || r.ck != nil) })
		}
		k := d.n(-1, 3)
		switch c.kind {
		case intKind, textKind, counterKind:
			op := oneOf(d, []string{"=", "<", "<=", ">", ">="})
			var v any = k
			if c.kind == textKind {
				v = d.simple(c.kind)
			}
			test(c.name+" "+op+" "+literal(v), func(x any) bool { return holdsComparison(op, compare(x, v)) })
		case setKind:
			test(fmt.Sprintf("%s CONTAINS %d", c.name, k), func(x any) bool { return slices.Contains(x.(set), k) })
		case listKind:
			test(fmt.Sprintf("%s CONTAINS %d", c.name, k), func(x any) bool { return slices.Contains(x.([]int), k) })
		case frozenKind:
			list := d.ints(0)
			test(c.name+" = "+literal(list), func(x any) bool { return compare(x, list) == 0 })
		case mapKind:
			text := d.simple(textKind)
			find := func(x any, ok func(p pair) bool) bool { return slices.ContainsFunc(x.(pairs), ok) }
			switch d.n(0, 2) {
			case 0:
				test(fmt.Sprintf("%s CONTAINS KEY %d", c.name, k), func(x any) bool { return find(x, func(p pair) bool { return p.key == k }) })
			case 1:
				test(fmt.Sprintf("%s CONTAINS %s", c.name, literal(text)), func(x any) bool { return find(x, func(p pair) bool { return p.value == text }) })
			default:
				test(fmt.Sprintf("%s[%d] = %s", c.name, k, literal(text)), func(x any) bool { return find(x, func(p pair) bool { return p == pair{k, text} }) })
			}
		}
	}
}

// column is a column of the SELECT clause.
func (d draw) column(t *naiveTable, c naiveColumn) item {
	return item{c.name, func(rows []*naiveRow) string {
		if len(rows) == 0 {
			return "null"
		}
		return shown(rows[0].value(t, &c), false)
	}}
}

// special is a column, or a function or an element of one.
func (d draw) special(t *naiveTable, c naiveColumn) item {
	form := d.n(0, 5)
	key := d.n(-1, 3)
	if !t.has(c.name, c.static) {
		return d.column(t, c)
	}
	switch {
	case form == 0 && (c.kind == intKind || c.kind == textKind || c.kind == frozenKind):
		return item{"writetime(" + c.name + ")", func(rows []*naiveRow) string {
			cells := rows[0].cells[c.name]
			switch {
			case len(cells) == 0:
				return "null"
			case cells[0].unsure:
				return "?"
			}
			return strconv.FormatInt(cells[0].at, 10)
		}}
	case form == 1 && (c.kind == intKind || c.kind == textKind || c.kind == frozenKind):
		return item{"ttl(" + c.name + ")", func(rows []*naiveRow) string {
			if cells := rows[0].cells[c.name]; len(cells) > 0 && cells[0].ttl > 0 {
				return strconv.FormatInt(cells[0].expires-rows[0].now, 10)
			}
			return "null"
		}}
	case form < 3 && c.kind == mapKind:
		return item{fmt.Sprintf("%s[%d]", c.name, key), func(rows []*naiveRow) string {
			all, _ := rows[0].value(t, &c).(pairs)
			for _, p := range all {
				if p.key == key {
					return shown(p.value, false)
				}
			}
			return "null"
		}}
	case form < 3 && c.kind == setKind:
		return item{fmt.Sprintf("%s[%d..%d]", c.name, key, key+2), func(rows []*naiveRow) string {
			all, _ := rows[0].value(t, &c).(set)
			var out set
			for _, e := range all {
				if e >= key && e <= key+2 {
					out = append(out, e)
				}
			}
			if out == nil {
				return "null"
			}
			return shown(out, false)
		}}
	}
	return d.column(t, c)
}

// selection is what becomes of the rows of a SELECT.
type selection struct {
	table               *naiveTable
	where               restriction
	byValue             bool // partitions in the order of their keys, not of their tokens
	distinct, aggregate bool
	items               []item
	group               int // columns of GROUP BY
	groupText           string
	orderBy             int // columns of ORDER BY
	reversed            bool
	perPartition, limit int
	all                 bool // SELECT *
}

func (s *selection) text() string {
	var texts []string
	for _, i := range s.items {
		texts = append(texts, i.text)
	}
	switch {
	case s.distinct:
		return "SELECT DISTINCT " + strings.Join(texts, ", ")
	case s.all:
		return "SELECT *"
	}
	return "SELECT " + strings.Join(texts, ", ")
}

// everything are the columns in the order of SELECT *.
func (t *naiveTable) everything() []naiveColumn {
	list := append(slices.Clone(t.key), t.ck...)
	for _, static := range []bool{true, false} {
		more := t.of(static)
		sort.Slice(more, func(i, j int) bool { return more[i].name < more[j].name })
		list = append(list, more...)
	}
	return list
}

// selected draws what is selected.
func (d *drawer) selected(t *naiveTable, s *selection) {
	all := t.everything()
	form := d.n(0, 5)
	if form < 2 {
		s.all = true
		for _, c := range all {
			s.items = append(s.items, d.column(t, c))
		}
		return
	}
	if form < 4 {
		for _, c := range d.mixed(t) {
			s.items = append(s.items, d.special(t, c))
		}
		return
	}
	s.aggregate = true
	if form == 5 {
		keys := append(slices.Clone(t.key), t.ck...)
		s.group = d.n(len(t.key), len(keys))
		s.groupText = " GROUP BY " + strings.Join(names(keys[:s.group]), ", ")
		s.aggregate = d.n(0, 3) > 0
	}
	for _, c := range d.mixed(t) {
		if !s.aggregate || d.one(3) {
			s.items = append(s.items, d.column(t, c))
			continue
		}
		s.items = append(s.items, d.aggregated(t, c))
	}
	if s.aggregate {
		s.items = append(s.items, item{"count(*)", func(rows []*naiveRow) string { return strconv.Itoa(len(rows)) }})
	}
}

// mixed are some columns, with one of the rows where there is one: Cassandra
// allows no restriction of rows where static columns alone are selected.
func (d *drawer) mixed(t *naiveTable) []naiveColumn {
	list := some(d.draw, t.everything())
	if len(t.ck) > 0 && !slices.ContainsFunc(list, func(c naiveColumn) bool { return !c.static && !slices.Contains(t.key, c) }) {
		list = append(list, t.ck[0])
	}
	return list
}

// aggregated is an aggregate of a column.
func (d draw) aggregated(t *naiveTable, c naiveColumn) item {
	values := func(rows []*naiveRow) (out []any) {
		for _, r := range rows {
			if v := r.value(t, &c); v != nil {
				out = append(out, v)
			}
		}
		return out
	}
	name := "count"
	switch c.kind {
	case intKind:
		name = oneOf(d, []string{"count", "min", "max", "sum", "avg"})
	case textKind:
		name = oneOf(d, []string{"count", "min", "max"})
	}
	return item{name + "(" + c.name + ")", func(rows []*naiveRow) string {
		list := values(rows)
		switch name {
		case "count":
			return strconv.Itoa(len(list))
		case "min", "max":
			if len(list) == 0 {
				return "null"
			}
			slices.SortFunc(list, compare)
			if name == "min" {
				return shown(list[0], false)
			}
			return shown(list[len(list)-1], false)
		}
		sum := 0
		for _, v := range list {
			sum += v.(int)
		}
		if name == "avg" && len(list) > 0 {
			sum /= len(list)
		}
		return strconv.Itoa(sum)
	}}
}

// order draws ORDER BY.
func (d *drawer) order(t *naiveTable, s *selection, inPartition bool) string {
	if !inPartition || s.distinct || len(t.ck) == 0 || d.n(0, 2) > 0 || s.byValue && (s.aggregate || s.group > 0) {
		return ""
	}
	s.orderBy, s.reversed = d.n(1, len(t.ck)), d.n(0, 1) == 0
	var texts []string
	for _, c := range t.ck[:s.orderBy] {
		text := c.name + " ASC"
		if c.desc != s.reversed {
			text = c.name + " DESC"
		}
		texts = append(texts, text)
	}
	return " ORDER BY " + strings.Join(texts, ", ")
}

// answers is what the SELECT gives.
func (s *selection) answers(now int64) [][]string {
	t := s.table
	parts := [][]*naiveRow{}
	for _, r := range t.rows(now) {
		i := slices.IndexFunc(parts, func(p []*naiveRow) bool { return same(p[0].key, r.key) })
		if i < 0 {
			i, parts = len(parts), append(parts, nil)
		}
		parts[i] = append(parts[i], r)
	}
	slices.SortFunc(parts, func(a, b []*naiveRow) int {
		if s.byValue {
			return slices.CompareFunc(a[0].key, b[0].key, compare)
		}
		return cmp.Compare(a[0].token(), b[0].token())
	})
	var groups [][]*naiveRow
	for _, p := range parts {
		groups = append(groups, s.partition(p)...)
	}
	if s.byValue && s.orderBy > 0 {
		slices.SortStableFunc(groups, func(a, b []*naiveRow) int { return s.compare(a[0].ck, b[0].ck) })
	}
	if s.aggregate && s.group == 0 {
		groups = [][]*naiveRow{slices.Concat(groups...)}
	}
	if s.limit > 0 && len(groups) > s.limit {
		groups = groups[:s.limit]
	}
	out := [][]string{}
	for _, g := range groups {
		var row []string
		for _, i := range s.items {
			row = append(row, i.of(g))
		}
		out = append(out, row)
	}
	return out
}

// compare is the order of ORDER BY, for rows of several partitions.
func (s *selection) compare(a, b []any) int {
	if a == nil || b == nil {
		return cmp.Compare(len(a), len(b))
	}
	for i, c := range s.table.ck[:s.orderBy] {
		if n := compare(a[i], b[i]); n != 0 {
			if c.desc != s.reversed {
				return -n
			}
			return n
		}
	}
	return 0
}

// partition are the groups of one partition; without GROUP BY each row is one.
func (s *selection) partition(rows []*naiveRow) (groups [][]*naiveRow) {
	if s.reversed {
		slices.Reverse(rows)
	}
	for _, r := range rows {
		if !s.where.holds(r) {
			continue
		}
		n := len(groups)
		if n > 0 && (s.distinct || s.group > 0 && s.grouped(groups[n-1][0], r)) {
			groups[n-1] = append(groups[n-1], r)
			continue
		}
		groups = append(groups, []*naiveRow{r})
	}
	if s.perPartition > 0 && len(groups) > s.perPartition {
		groups = groups[:s.perPartition]
	}
	return groups
}

// grouped says whether two rows of a partition are in one group.
func (s *selection) grouped(a, b *naiveRow) bool {
	n := s.group - len(s.table.key)
	return n == 0 || a.ck != nil && b.ck != nil && same(a.ck[:n], b.ck[:n])
}
