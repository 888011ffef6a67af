package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Quote writes a name as CQL needs it, as schema.Quote does: in double quotes when
// it has capitals or is a reserved word.
func Quote(name string) string { return schema.Quote(name) }

// write makes the CREATE TABLE of a table.
func (t *Table) write(keyspace string) {
	var b strings.Builder
	name := schema.Quote(t.Name)
	if keyspace != "" {
		name = schema.Quote(keyspace) + "." + name
	}
	fmt.Fprintf(&b, "CREATE TABLE %s (\n", name)
	for _, c := range t.Columns {
		fmt.Fprintf(&b, "  %s %s", schema.Quote(c.Name), c.Type)
		if c.Mark == Static {
			b.WriteString(" static")
		}
		b.WriteString(",\n")
	}
	key := names(t.keys())
	if len(t.keys()) > 1 {
		key = "(" + key + ")"
	}
	if c := t.clustering(); len(c) > 0 {
		key += ", " + names(c)
	}
	fmt.Fprintf(&b, "  PRIMARY KEY (%s)\n)", key)
	var with []string
	if len(t.marked(Down)) > 0 {
		var order []string
		for _, c := range t.clustering() {
			word := " ASC"
			if c.Mark == Down {
				word = " DESC"
			}
			order = append(order, schema.Quote(c.Name)+word)
		}
		with = append(with, "CLUSTERING ORDER BY ("+strings.Join(order, ", ")+")")
	}
	if keep := t.keep(); keep > 0 {
		with = append(with, fmt.Sprintf("default_time_to_live = %.0f", keep*86400))
	}
	if len(with) > 0 {
		b.WriteString(" WITH " + strings.Join(with, "\n  AND "))
	}
	b.WriteString(";")
	t.CQL = b.String()
}

func names(columns []Column) string {
	var out []string
	for _, c := range columns {
		out = append(out, schema.Quote(c.Name))
	}
	return strings.Join(out, ", ")
}

// keep is for how many days rows are kept, if every question says so.
func (t *Table) keep() float64 {
	most := 0.0
	for _, q := range t.Queries {
		if q.Keep > most {
			most = q.Keep
		}
	}
	return most
}

// Select is the statement that asks a question of its table.
func (q *Query) Select() string {
	t := q.Table
	column := func(a *Attribute) string {
		for _, c := range t.Columns {
			if c.from == a {
				return schema.Quote(c.Name)
			}
		}
		return schema.Quote(a.Name)
	}
	cols := "*"
	if q.Show != nil {
		var out []string
		for _, a := range q.Show {
			out = append(out, column(a))
		}
		cols = strings.Join(out, ", ")
	}
	var where []string
	for _, term := range q.Terms {
		if term.Op == Equal && !term.Optional {
			where = append(where, column(term.Attribute)+" = ?")
		} else if term.Op == In {
			where = append(where, column(term.Attribute)+" IN ?")
		}
	}
	if q.Bucket != "" {
		where = append(where, schema.Quote(t.keys()[len(t.keys())-1].Name)+" = ?")
	}
	for _, term := range q.Terms {
		if term.Op == Equal && term.Optional {
			where = append(where, column(term.Attribute)+" = ?")
		}
	}
	for _, term := range q.Terms {
		if term.Op == Range {
			where = append(where, column(term.Attribute)+" >= ?", column(term.Attribute)+" < ?")
		}
	}
	text := "SELECT " + cols + " FROM " + schema.Quote(t.Name) + " WHERE " + strings.Join(where, " AND ")
	var order []string
	for _, o := range q.Order {
		dir := ""
		if o.Desc {
			dir = " DESC"
		}
		order = append(order, column(o.Attribute)+dir)
	}
	if len(order) > 0 {
		text += " ORDER BY " + strings.Join(order, ", ")
	}
	return text
}

// Refusal is a statement that the proposed tables do not answer, and what
// Cassandra says to it.
type Refusal struct{ Statement, Says string }

// sandbox is a keyspace of its own in which the proposed tables are made, so
// that refusals are those of the binder and not written down here.
type sandbox struct{ env bind.Env }

func newSandbox(keyspace string) *sandbox {
	if keyspace == "" {
		keyspace = "design"
	}
	ks := &schema.Keyspace{Name: keyspace, DurableWrites: true, Tables: map[string]*schema.Table{}, Types: map[string]*types.Type{},
		Replication: []schema.Option{{Key: "class", Value: "org.apache.cassandra.locator.SimpleStrategy"}, {Key: "replication_factor", Value: "3"}}}
	return &sandbox{bind.Env{Schema: schema.Empty().With(ks), Keyspace: keyspace, PageSize: 100,
		Now: func() int64 { return 0 }, NewID: func() uuid.UUID { return uuid.UUID{} }}}
}

// says is Cassandra's refusal of a statement, "" if it is legal.
func (s *sandbox) says(text string) string {
	st, err := cql.Parse(text)
	if err != nil {
		return err.Error()
	}
	if _, ok := st.(*cql.CreateTable); ok {
		p, err := bind.Bind(st, &s.env)
		if err != nil {
			return err.Error()
		}
		if c, ok := p.(*plan.SchemaChange); ok {
			s.env.Schema = c.After
		}
		return ""
	}
	if _, err := bind.Prepare(st, &s.env); err != nil {
		return err.Error()
	}
	return ""
}

// Reader reads texts that differ little from each other, as they do while somebody
// types: what a table refuses is asked of the binder once. The zero Reader is ready.
type Reader struct{ said map[string]string }

// mostSaid bounds what a reader remembers.
const mostSaid = 4096

// refuse makes the tables, asks every question of its own, and then what the
// tables do not answer.
func (d *Design) refuse(keyspace string, r *Reader) {
	if r.said == nil || len(r.said) > mostSaid {
		r.said = map[string]string{}
	}
	var s *sandbox
	made := 0 // tables of the sandbox
	says := func(n int, known, text string) string {
		key := keyspace + "\x00" + known + "\x00" + text
		said, ok := r.said[key]
		if !ok {
			if s == nil {
				s = newSandbox(keyspace)
			}
			for ; made < n; made++ {
				s.says(strings.TrimSuffix(d.Tables[made].CQL, ";"))
			}
			if said = s.says(text); n == made && n < len(d.Tables) && text == strings.TrimSuffix(d.Tables[n].CQL, ";") {
				made++
			}
			r.said[key] = said
		}
		return said
	}
	before := "" // what has been made, for what asks several tables
	for i, t := range d.Tables {
		t.Refused = says(i, before, strings.TrimSuffix(t.CQL, ";"))
		before += t.CQL
		if t.Refused != "" {
			continue
		}
		for _, q := range t.Queries {
			if said := says(i+1, t.CQL, q.Select()); said != "" {
				t.Refuses = append(t.Refuses, Refusal{q.Select(), said})
				t.Notes = append(t.Notes, fmt.Sprintf("line %d is refused as it stands: leave the order to the client, or ask for it in a table of its own", q.Line))
			}
		}
		for _, text := range t.wrong() {
			if said := says(i+1, t.CQL, text); said != "" {
				t.Refuses = append(t.Refuses, Refusal{text, said})
			}
		}
		for _, text := range d.together(t) {
			if said := says(i+1, before, text); said != "" {
				t.Refuses = append(t.Refuses, Refusal{text, said})
			}
		}
	}
}

// wrong are questions that a table does not answer: without the partition key or
// a part of it, past a clustering column, behind a range, in another order.
func (t *Table) wrong() []string {
	k, c, plain := t.keys(), t.clustering(), t.marked(Plain)
	from := "SELECT * FROM " + schema.Quote(t.Name) + " WHERE "
	is := func(list ...Column) string {
		var out []string
		for _, c := range list {
			out = append(out, schema.Quote(c.Name)+" = ?")
		}
		return strings.Join(out, " AND ")
	}
	var out []string
	switch {
	case len(k) > 1:
		out = append(out, from+is(k[:len(k)-1]...))
	case len(c) > 0:
		out = append(out, from+is(c[0]))
	case len(plain) > 0:
		out = append(out, from+is(plain[0]))
	}
	if len(c) > 1 {
		out = append(out, from+is(k...)+" AND "+is(c[1]), from+is(k...)+" AND "+schema.Quote(c[0].Name)+" > ? AND "+is(c[1]),
			from+is(k...)+" ORDER BY "+schema.Quote(c[1].Name))
	} else if len(c) == 1 && len(plain) > 0 {
		out = append(out, from+is(k...)+" ORDER BY "+schema.Quote(plain[0].Name))
	}
	return out
}

// together is a batch that would write a row and its copy on condition, if a
// table has copies of what an earlier one holds.
func (d *Design) together(t *Table) []string {
	insert := func(t *Table) string {
		key := append(t.keys(), t.clustering()...)
		return "INSERT INTO " + schema.Quote(t.Name) + " (" + names(key) + ") VALUES (" + strings.TrimSuffix(strings.Repeat("?, ", len(key)), ", ") + ")"
	}
	for _, other := range d.Tables {
		if other == t {
			break
		}
		for _, c := range other.marked(Static, Plain) {
			if slices.ContainsFunc(t.marked(Static, Plain), func(mine Column) bool { return mine.from == c.from }) {
				return []string{"BEGIN BATCH " + insert(other) + " IF NOT EXISTS; " + insert(t) + "; APPLY BATCH"}
			}
		}
	}
	return nil
}
