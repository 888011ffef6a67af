package engine_test

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/engine/simulation"
)

// TestNaive runs random scripts of legal statements on rings of one, three and
// six nodes, with flushes and compactions between them, and wants the rows of the
// naive store from every SELECT. A failure shows the shortest script that was
// found. RINGLAB_SEEDS=N tries N seeds of a hundred scripts a ring.
func TestNaive(t *testing.T) {
	defer flag.Set("rapid.seed", "1")
	seeds, err := simulation.Seeds(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range seeds {
		for _, ring := range []string{"dc1=1", "dc1=3", "dc1=6 vnodes=4"} {
			t.Run(fmt.Sprintf("%s seed %d", ring, seed), func(t *testing.T) {
				flag.Set("rapid.seed", strconv.FormatUint(seed, 10))
				rapid.Check(t, func(rt *rapid.T) { play(rt, ring) })
			})
		}
	}
}

// epoch is the beginning of a lab's time, in µs.
const epoch = engine.DefaultEpoch * 1_000_000

// toCoordinator is how long a statement is on its way to its coordinator, µs.
const toCoordinator = 500

// naiveRun is one lab and the naive tables that it has to agree with.
type naiveRun struct {
	drawer
	lab    *engine.Lab
	tables []*naiveTable
	script []string
	fresh  bool // something was written since the last look at all tables
}

// play runs one random script.
func play(rt *rapid.T, ring string) {
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		rt.Fatal(err)
	}
	r := &naiveRun{drawer: drawer{draw: draw{rt}}, lab: lab}
	r.must("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + strconv.Itoa(min(3, len(lab.Core().Cluster.Nodes))) + "}")
	r.must("USE ks")
	r.must("PAGING OFF")
	r.must("CONSISTENCY " + oneOf(r.draw, []string{"QUORUM", "ALL"}))
	for _, name := range []string{"t", "u"}[:r.n(1, 2)] {
		r.tables = append(r.tables, r.table(name, false))
	}
	if r.one(3) {
		r.tables = append(r.tables, r.table("n", true))
	}
	for _, t := range r.tables {
		r.must(t.create())
	}
	rt.Repeat(map[string]func(*rapid.T){
		"": func(*rapid.T) { r.compareAll() },
		"insert": func(*rapid.T) {
			if t := oneOf(r.draw, r.tables); !t.counter {
				r.change(r.insert(t, true))
			}
		},
		"update": func(*rapid.T) {
			if c, ok := r.update(oneOf(r.draw, r.tables), true); ok {
				r.change(c)
			}
		},
		"delete": func(*rapid.T) {
			if t := oneOf(r.draw, r.tables); !t.counter {
				r.change(r.remove(t, true))
			}
		},
		"batch":       func(*rapid.T) { r.batch() },
		"conditional": func(*rapid.T) { r.conditional(oneOf(r.draw, r.tables)) },
		"alter":       func(*rapid.T) { r.alter(oneOf(r.draw, r.tables)) },
		"select":      func(*rapid.T) { r.compare(r.query(oneOf(r.draw, r.tables))) },
		"select more": func(*rapid.T) { r.compare(r.query(oneOf(r.draw, r.tables))) },
		"pages":       func(*rapid.T) { r.comparePages(r.query(oneOf(r.draw, r.tables))) },
		"maintain": func(*rapid.T) {
			r.must(oneOf(r.draw, []string{":flush", ":flush", ":compact", ":advance 7s", ":advance 41s"}))
			r.fresh = true
		},
	})
}

// fail ends the script, which is shown.
func (r *naiveRun) fail(format string, args ...any) {
	r.Fatalf("%s\nthe script, on %s:\n%s", fmt.Sprintf(format, args...), r.lab.Ring(), strings.Join(r.script, ";\n"))
}

// do runs a statement or command.
func (r *naiveRun) do(text string) *answer.Answer {
	r.script = append(r.script, text)
	out := r.lab.Do(text)
	return out[len(out)-1]
}

func (r *naiveRun) must(text string) *answer.Answer {
	a := r.do(text)
	if a.Error != nil {
		r.fail("%s: %s", text, a.Error.Message)
	}
	return a
}

// moment is when the next statement runs.
func (r *naiveRun) moment() moment {
	at := epoch + r.lab.Now() + toCoordinator
	return moment{at: at, now: at / 1_000_000}
}

// change runs a statement that writes.
func (r *naiveRun) change(c change) {
	marks, complaint := c.apply(r.moment())
	a := r.do(c.text)
	got := ""
	if a.Error != nil {
		got = a.Error.Message
	}
	if got != complaint {
		r.fail("%s: %q, want %q", c.text, got, complaint)
	}
	c.table.marks = append(c.table.marks, marks...)
	r.fresh = true
}

// batch runs several statements as one: all have its timestamp, and what they
// read is from before it.
func (r *naiveRun) batch() {
	counter := slices.ContainsFunc(r.tables, func(t *naiveTable) bool { return t.counter }) && r.n(0, 2) == 0
	u := using{ttl: -1}
	word := oneOf(r.draw, []string{"", "UNLOGGED "})
	if counter {
		word = "COUNTER "
	} else if r.one(5) {
		u = using{text: " USING TIMESTAMP ", at: int64(2 * r.n(1, 8)), ttl: -1}
		u.text += strconv.FormatInt(u.at, 10)
	}
	var list []change
	var texts []string
	for range r.n(1, 10) {
		t := oneOf(r.draw, r.tables)
		if t.counter != counter || u.at != 0 && t.ttl > 0 {
			continue
		}
		var c change
		ok := true
		switch form := r.n(0, 2); {
		case counter || form == 0:
			c, ok = r.update(t, false)
		case form == 1:
			c = r.insert(t, false)
		default:
			c = r.remove(t, false)
		}
		if ok && (u.at == 0 || !strings.Contains(c.text, " USING TTL")) {
			list, texts = append(list, c), append(texts, c.text+"; ")
		}
	}
	at := r.moment()
	if u.at != 0 {
		at.at = u.at
	}
	marks, want := make([][]mark, len(list)), ""
	for i, c := range list {
		if want == "" {
			marks[i], want = c.apply(at)
		}
	}
	a := r.do("BEGIN " + word + "BATCH" + u.text + " " + strings.Join(texts, "") + "APPLY BATCH")
	got := ""
	if a.Error != nil {
		got = a.Error.Message
	}
	if got != want {
		r.fail("the batch says %q, want %q", got, want)
	}
	for i, c := range list {
		if want == "" {
			c.table.marks = append(c.table.marks, marks[i]...)
		}
	}
	r.fresh = true
}

// conditional runs an INSERT, UPDATE or DELETE with conditions on one row.
func (r *naiveRun) conditional(t *naiveTable) {
	if t.counter {
		return
	}
	at := r.moment()
	at.unsure = true
	key := r.values(t.key)
	ck := append([]any{}, r.values(t.ck)...)
	var old *naiveRow
	for _, row := range t.rows(at.now) {
		if same(row.key, key) && row.ck != nil && same(row.ck, ck) {
			old = row
		}
	}
	where := &restriction{}
	for i, c := range append(slices.Clone(t.key), t.ck...) {
		where.add(c.name+" = "+literal(append(slices.Clone(key), ck...)[i]), nil)
	}
	var list []assignment
	var texts []string
	regular := t.of(false)
	if len(regular) == 0 {
		return
	}
	for _, c := range some(r.draw, regular) {
		a := r.assign(t, c)
		list, texts = append(list, a), append(texts, a.text)
	}
	test, holds, column := r.condition(t, regular, old)
	var c change
	switch r.n(0, 2) {
	case 0:
		test, holds, column = " IF NOT EXISTS", old == nil, nil
		c = change{table: t, text: fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.name, strings.Join(names(append(slices.Clone(t.key), t.ck...)), ", "), literals(append(slices.Clone(key), ck...)))}
		c.apply = func(m moment) ([]mark, string) {
			return using{ttl: -1}.stamped(t, m, []mark{{what: rowMarker, key: key, ck: ck}}), ""
		}
	case 1:
		c = change{table: t, text: "UPDATE " + t.name + " SET " + strings.Join(texts, ", ") + where.where()}
		c.apply = applied(t, using{ttl: -1}, list, [][]any{key}, [][]any{ck})
	default:
		c = change{table: t, text: "DELETE FROM " + t.name + where.where()}
		c.apply = func(m moment) ([]mark, string) {
			x := mark{what: rowDeletion, key: key, ck: ck}
			if len(t.ck) == 0 {
				x.what = partitionDeletion
			}
			return using{ttl: -1}.stamped(t, m, []mark{x}), ""
		}
	}
	c.text += test
	r.decide(t, c, at, holds, column, old)
}

// condition draws IF EXISTS or a comparison of a column.
func (r *naiveRun) condition(t *naiveTable, columns []naiveColumn, old *naiveRow) (text string, holds bool, column *naiveColumn) {
	if r.n(0, 2) == 0 {
		return " IF EXISTS", old != nil, nil
	}
	c := oneOf(r.draw, columns)
	var have any
	if old != nil {
		have = old.value(t, &c)
	}
	switch {
	case c.kind == intKind || c.kind == textKind:
		want := r.simple(c.kind)
		if r.one(4) {
			return " IF " + c.name + " = null", have == nil, &c
		}
		op := oneOf(r.draw, []string{"=", "!=", "<", ">="})
		holds = have != nil && (op == "!=" && compare(have, want) != 0 || op != "!=" && holdsComparison(op, compare(have, want))) || have == nil && op == "!="
		return " IF " + c.name + " " + op + " " + literal(want), holds, &c
	case c.kind == setKind:
		k := r.n(-1, 3)
		all, _ := have.(set)
		return fmt.Sprintf(" IF %s CONTAINS %d", c.name, k), slices.Contains(all, k), &c
	case c.kind == listKind:
		k := r.n(-1, 3)
		all, _ := have.([]int)
		return fmt.Sprintf(" IF %s[0] = %d", c.name, k), len(all) > 0 && all[0] == k, &c
	}
	return " IF EXISTS", old != nil, nil
}

// decide runs a conditional statement and checks what it says.
func (r *naiveRun) decide(t *naiveTable, c change, at moment, holds bool, column *naiveColumn, old *naiveRow) {
	complaint := ""
	var marks []mark
	if holds {
		marks, complaint = c.apply(at)
	}
	a := r.do(c.text)
	r.fresh = true
	if complaint != "" {
		if a.Error == nil || a.Error.Message != complaint {
			r.fail("%s: %v, want %s", c.text, a.Error, complaint)
		}
		return
	}
	if a.Error != nil {
		r.fail("%s: %s", c.text, a.Error.Message)
	}
	got := texts(a)
	want := []string{map[bool]string{true: "True", false: "False"}[holds]}
	if !holds && old != nil {
		switch {
		case column != nil:
			want = append(want, shown(old.value(t, column), false))
		case strings.HasSuffix(c.text, "NOT EXISTS"):
			for _, x := range t.everything() {
				if x.static { // not read for an INSERT that writes none
					want = append(want, "null")
					continue
				}
				want = append(want, shown(old.value(t, &x), false))
			}
		}
	} else if !holds {
		got[0] = got[0][:1]
	}
	if !slices.Equal(got[0], want) || len(got) != 1 {
		r.fail("%s: %q, want %q", c.text, got, want)
	}
	t.marks = append(t.marks, marks...)
}

// alter adds or drops a column, or truncates the table.
func (r *naiveRun) alter(t *naiveTable) {
	r.fresh = true
	switch form := r.n(0, 4); {
	case form == 0:
		r.must("TRUNCATE " + t.name)
		t.marks = nil
	case form == 1 && len(t.gone) > 0:
		c := t.gone[0]
		r.must("ALTER TABLE " + t.name + " ADD " + c.declaration())
		t.gone, t.columns = t.gone[1:], append(t.columns, c)
	case form == 2 && !t.counter:
		c := naiveColumn{name: "w" + strconv.Itoa(len(t.columns)+len(t.gone)), kind: kind(r.n(0, int(frozenKind))), static: len(t.ck) > 0 && r.one(3)}
		r.must("ALTER TABLE " + t.name + " ADD " + c.declaration())
		t.columns = append(t.columns, c)
	case form == 3 && !t.counter && len(t.columns) > 0:
		i := r.n(0, len(t.columns)-1)
		c := t.columns[i]
		t.dropped[c.name] = r.moment().at
		r.must("ALTER TABLE " + t.name + " DROP " + c.name)
		t.columns = slices.Delete(slices.Clone(t.columns), i, i+1)
		t.gone = append(t.gone, c)
	}
}

// texts are the rows of an answer.
func texts(a *answer.Answer) [][]string {
	out := [][]string{}
	for _, row := range a.Rows {
		var list []string
		for _, c := range row {
			list = append(list, c.Text)
		}
		out = append(out, list)
	}
	return out
}

// sameRows compares rows; ? stands for anything.
func sameRows(got, want [][]string) bool {
	return slices.EqualFunc(got, want, func(a, b []string) bool {
		return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || y == "?" && x != "null" })
	})
}

func rowText(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("\n  " + strings.Join(r, " | "))
	}
	return b.String()
}

// compare asks a SELECT of both.
func (r *naiveRun) compare(q query) {
	want := q.answers(r.moment().now)
	a := r.must(q.text)
	if got := texts(a); !sameRows(got, want) {
		r.fail("%s gives%s\nthe naive store gives%s", q.text, rowText(got), rowText(want))
	}
}

// compareAll asks for everything, unless nothing was written since.
func (r *naiveRun) compareAll() {
	if !r.fresh {
		return
	}
	r.fresh = false
	for _, t := range r.tables {
		s := &selection{table: t, all: true}
		for _, c := range t.everything() {
			s.items = append(s.items, r.column(t, c))
		}
		r.compare(query{"SELECT * FROM " + t.name, true, s.answers})
		r.script = r.script[:len(r.script)-1]
	}
}

// comparePages asks for a SELECT in pages: each is full, but perhaps the last.
func (r *naiveRun) comparePages(q query) {
	if !q.pages {
		return
	}
	size := r.n(1, 4)
	r.script = append(r.script, fmt.Sprintf(":page %d %s", size, q.text))
	want := q.answers(r.moment().now)
	p, refused := r.lab.Prepare(q.text)
	if p == nil {
		r.fail("%s: %s", q.text, refused.Error.Message)
	}
	page := session.Page{Size: size}
	got := [][]string{}
	for {
		a := r.lab.Execute(p, session.Values{Page: page})
		if a.Error != nil {
			r.fail("%s: %s", q.text, a.Error.Message)
		}
		got = append(got, texts(a)...)
		if len(got) > len(want) || len(a.Rows) > size || a.More != (a.State != nil) || a.More && len(a.Rows) < size {
			r.fail("%s has a page of %d rows, more: %v", q.text, len(a.Rows), a.More)
		}
		if !a.More {
			break
		}
		page.State = a.State
	}
	if !sameRows(got, want) {
		r.fail("%s in pages of %d gives%s\nthe naive store gives%s", q.text, size, rowText(got), rowText(want))
	}
}
