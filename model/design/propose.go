package design

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/model/types"
)

// propose answers a question with a table: of one that is there, else of a new
// one. Equalities make the partition key; those that may be left away, the
// range, the order and what tells rows apart follow as clustering columns.
func (d *Design) propose(q *Query) {
	t := &Table{Name: q.name, Queries: []*Query{q}, bucket: q.Bucket}
	for _, term := range q.Terms {
		if term.Op != Range && !term.Optional {
			why := "equality"
			if term.Op == In {
				why = "one of several values: a partition each"
			}
			t.add(q, term.Attribute, Key, why)
		}
	}
	if len(t.Columns) == 0 {
		d.Problems = append(d.Problems, Problem{q.Line, 1, fmt.Sprintf("%q fixes no value, so that every node would have to be asked: say by what, as in `%ss by %s`",
			q.Text, q.Entity.Name, q.Entity.identity()[0].Name)})
		return
	}
	if q.Bucket != "" {
		name := q.Bucket
		if q.Entity.attribute(name) != nil {
			name += "_bucket"
		}
		t.Columns = append(t.Columns, Column{Name: name, Type: types.Int, Bytes: 4, Mark: Key, Why: "bucket: a partition for each " + q.Bucket})
	}
	for _, term := range q.Terms {
		if term.Optional && term.Op != Range {
			t.add(q, term.Attribute, Up, "equality that may be left away")
		}
	}
	for _, term := range q.Terms {
		if term.Op == Range {
			t.add(q, term.Attribute, d.direction(q, term.Attribute), "range")
		}
	}
	for _, o := range q.Order {
		t.add(q, o.Attribute, d.direction(q, o.Attribute), "order")
	}
	t.identify(q)
	t.rest(q)
	for _, other := range d.Tables {
		if other.serves(t, q) {
			other.take(t, q)
			return
		}
		if other.Name == t.Name {
			t.Name = d.unused(t.Name)
		}
	}
	q.Table = t
	d.Tables = append(d.Tables, t)
}

func (d *Design) unused(name string) string {
	for i := 2; ; i++ {
		next := fmt.Sprintf("%s_%d", name, i)
		if !slices.ContainsFunc(d.Tables, func(t *Table) bool { return t.Name == next }) {
			return next
		}
	}
}

// direction is the order in which a question wants a column.
func (d *Design) direction(q *Query, a *Attribute) Mark {
	for _, o := range q.Order {
		if o.Attribute == a && o.Desc {
			return Down
		}
	}
	return Up
}

// add appends a column unless it is there.
func (t *Table) add(q *Query, a *Attribute, m Mark, why string) {
	for i := range t.Columns {
		if c := &t.Columns[i]; c.from == a {
			if why != "" && (c.Mark == Up || c.Mark == Down) {
				c.Why += ", " + why
			}
			return
		}
	}
	name := columnName(q.Entity, a)
	if t.column(name) != nil {
		name = a.Entity.Name + "_" + a.Name
	}
	t.Columns = append(t.Columns, Column{Name: name, Type: a.Type, Bytes: a.Bytes, Mark: m, Why: why, from: a})
}

// has says whether all of these attributes are in the table's key.
func (t *Table) has(marks []Mark, names []string, of *Entity) bool {
	for _, n := range names {
		if !slices.ContainsFunc(t.marked(marks...), func(c Column) bool { return c.from != nil && c.from.Entity == of && c.from.Name == n }) {
			return false
		}
	}
	return true
}

// identify adds what tells two entities apart, if the key does not.
func (t *Table) identify(q *Query) {
	e := q.Entity
	for _, k := range e.Keys {
		if t.has([]Mark{Key, Up, Down}, k, e) {
			return
		}
	}
	if len(e.Keys) > 0 {
		for _, n := range e.Keys[0] {
			before := len(t.Columns)
			t.add(q, e.attribute(n), Up, "uniqueness: else two of the same key are one row")
			for i := before; i < len(t.Columns); i++ {
				t.Columns[i].tells = true
			}
		}
		return
	}
	if slices.ContainsFunc(e.Attributes, func(a *Attribute) bool { return a.Type.IsCounter() }) {
		return // what is counted together is meant to be
	}
	names := make([]string, 0, len(t.Columns))
	for _, c := range t.marked(Key, Up, Down) {
		names = append(names, c.Name)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("two rows with the same %s become one, the later one; mark what identifies one (`%s: %s … key`) to keep both",
		strings.Join(names, ", "), e.Name, e.Attributes[0].Name))
}

// rest adds the columns that are shown: those that depend on the partition key
// alone once a partition.
func (t *Table) rest(q *Query) {
	show := q.Show
	if show == nil {
		show = q.Entity.Attributes
	}
	several := len(t.clustering()) > 0
	var plain []*Attribute
	for _, a := range show {
		inKey := a.Entity != q.Entity && len(a.Entity.Keys) == 0 && t.has([]Mark{Key}, []string{a.Entity.Attributes[0].Name}, a.Entity)
		for _, k := range a.Entity.Keys {
			inKey = inKey || t.has([]Mark{Key}, k, a.Entity)
		}
		if several && inKey && t.bucket == "" && !a.Type.IsCounter() {
			t.add(q, a, Static, "of the "+a.Entity.Name+": once a partition")
		} else {
			plain = append(plain, a)
		}
	}
	for _, a := range plain {
		why := ""
		if a.Entity != q.Entity {
			why = "of the " + a.Entity.Name + ", in every row"
		}
		t.add(q, a, Plain, why)
	}
}

// serves says whether a table can answer what another one was made for: the
// same entity and partition key, and clustering columns that begin alike.
func (t *Table) serves(want *Table, q *Query) bool {
	if t.Queries[0].Entity != q.Entity || t.bucket != want.bucket || q.written && q.name != t.Name {
		return false
	}
	mine, theirs := t.keys(), want.keys()
	if len(mine) != len(theirs) {
		return false
	}
	for i := range mine {
		if !slices.ContainsFunc(theirs, func(c Column) bool { return c.from == mine[i].from }) {
			return false
		}
	}
	a, b := t.clustering(), slices.DeleteFunc(want.clustering(), func(c Column) bool { return c.tells })
	if len(b) > len(a) {
		return false
	}
	for i := range b {
		if a[i].from != b[i].from || a[i].Mark != b[i].Mark {
			return false
		}
	}
	return true
}

// take has the table answer one more question, with the columns that it lacks.
func (t *Table) take(want *Table, q *Query) {
	for _, c := range want.Columns {
		if !slices.ContainsFunc(t.Columns, func(o Column) bool { return o.from == c.from }) {
			t.Columns = append(t.Columns, c)
		}
	}
	slices.SortStableFunc(t.Columns, func(a, b Column) int { return rank(a.Mark) - rank(b.Mark) })
	t.Queries = append(t.Queries, q)
	q.Table = t
}

func rank(m Mark) int {
	switch m {
	case Key:
		return 0
	case Up, Down:
		return 1
	case Static:
		return 2
	}
	return 3
}

// copies notes which columns stand in an earlier table as well: a change of one
// has to change all.
func (d *Design) copies() {
	seen := map[*Attribute]bool{}
	for _, t := range d.Tables {
		for _, c := range t.marked(Static, Plain) {
			if seen[c.from] {
				t.Copies = append(t.Copies, c.Name)
			}
		}
		for _, c := range t.marked(Static, Plain) {
			seen[c.from] = true
		}
	}
}
