package cql

import (
	"cmp"
	"math"
	"slices"
)

func (p *printer) selectStatement(s *Select) {
	p.s("SELECT ")
	p.when(s.JSON, "JSON ")
	p.when(s.Distinct, "DISTINCT ")
	p.selectors(s.Selectors)
	p.s(" FROM ")
	p.qualified(s.Table)
	p.where(s.Where)
	if len(s.GroupBy) > 0 {
		p.selectables(" GROUP BY ", s.GroupBy, "")
	}
	for i, o := range s.OrderBy {
		if i == 0 {
			p.s(" ORDER BY ")
		} else {
			p.s(", ")
		}
		p.name(o.Column)
		if o.ANN != nil {
			p.s(" ANN OF ")
			p.term(o.ANN)
		}
		p.when(o.Descending, " DESC")
	}
	p.optionalTerm(" PER PARTITION LIMIT ", s.PerPartitionLimit)
	p.optionalTerm(" LIMIT ", s.Limit)
	p.when(s.AllowFiltering, " ALLOW FILTERING")
}

func (p *printer) optionalTerm(before string, t Term) {
	if t != nil {
		p.s(before)
		p.term(t)
	}
}

func (p *printer) selectors(list []Selector) {
	if list == nil {
		p.s("*")
	}
	p.list(len(list), func(i int) {
		p.selectable(list[i].Expr)
		if list[i].Alias != nil {
			p.s(" AS ")
			p.name(*list[i].Alias)
		}
	})
}

func (p *printer) where(list []Relation) {
	for i := range list {
		if i == 0 {
			p.s(" WHERE ")
		} else {
			p.s(" AND ")
		}
		p.relation(&list[i])
	}
}

func (p *printer) relation(r *Relation) {
	switch r.Kind {
	case CustomRelation:
		p.s("expr(")
		p.qualified(r.Index)
		p.s(", ")
		p.term(r.Value)
		p.s(")")
		return
	case ElementRelation:
		p.name(r.Columns[0])
		p.terms("[", []Term{r.Key}, "]")
	case MultiRelation, TokenRelation:
		p.when(r.Kind == TokenRelation, "token")
		p.s("(")
		p.names(r.Columns)
		p.s(")")
	default:
		p.name(r.Columns[0])
	}
	p.comparison(r.Op, r.Value, r.InValues, r.InMarker)
}

// comparison writes an operator and its right side.
func (p *printer) comparison(op Op, value Term, in []Term, marker *Marker) {
	p.s(" ", op.String(), " ")
	switch {
	case op != IN:
		if op == IS_NOT {
			p.s("NULL")
			return
		}
		p.term(value)
	case marker != nil:
		p.term(marker)
	default:
		p.terms("(", in, ")")
	}
}

func (p *printer) condition(c *Condition) {
	p.name(c.Column)
	switch {
	case c.Element != nil:
		p.terms("[", []Term{c.Element}, "]")
	case c.Field != nil:
		p.s(".")
		p.name(*c.Field)
	}
	p.comparison(c.Op, c.Value, c.InValues, c.InMarker)
}

func (p *printer) assignment(a *Assignment) {
	p.target(a.Column)
	switch a.Kind {
	case SetElement:
		p.terms("[", []Term{a.Element}, "]")
	case SetField:
		p.s(".")
		p.target(a.Field)
	}
	p.s(" = ")
	switch a.Kind {
	case Addition:
		p.target(a.Column)
		p.s(" + ")
	case Subtract:
		p.target(a.Column)
		p.s(" - ")
	}
	p.term(a.Value)
	if a.Kind == Prepend {
		p.s(" + ")
		p.target(a.Column)
	}
}

// target writes a name of an assignment, which messages show without quotes.
func (p *printer) target(n Name) {
	if p.message {
		p.s(n.Text)
		return
	}
	p.name(n)
}

// using writes the markers first, in the order that their numbers depend on.
func (p *printer) using(a Attributes) {
	type attribute struct {
		word  string
		value Term
		place int // index of a marker
	}
	var list []attribute
	add := func(word string, value Term) {
		if value == nil {
			return
		}
		place := math.MaxInt
		if m, ok := value.(*Marker); ok {
			place = m.Index
		}
		list = append(list, attribute{word, value, place})
	}
	for _, r := range a.Replaced {
		if r.TTL {
			add("TTL ", r.Marker)
		} else {
			add("TIMESTAMP ", r.Marker)
		}
	}
	add("TIMESTAMP ", a.Timestamp)
	add("TTL ", a.TTL)
	slices.SortStableFunc(list, func(a, b attribute) int { return cmp.Compare(a.place, b.place) })
	for i, x := range list {
		if i == 0 {
			p.s(" USING ")
		} else {
			p.s(" AND ")
		}
		p.s(x.word)
		p.term(x.value)
	}
}

func (p *printer) ifClause(exists bool, list []Condition) {
	p.when(exists, " IF EXISTS")
	for i := range list {
		if i == 0 {
			p.s(" IF ")
		} else {
			p.s(" AND ")
		}
		p.condition(&list[i])
	}
}

func (p *printer) write(s Statement) {
	switch s := s.(type) {
	case *Insert:
		p.s("INSERT INTO ")
		p.qualified(s.Table)
		p.s(" (")
		p.names(s.Columns)
		p.terms(") VALUES (", s.Values, ")")
		p.when(s.IfNotExists, " IF NOT EXISTS")
		p.using(s.Using)
	case *InsertJSON:
		p.s("INSERT INTO ")
		p.qualified(s.Table)
		p.s(" JSON ")
		p.term(s.Value)
		p.when(s.DefaultNull, " DEFAULT NULL")
		p.when(s.DefaultUnset, " DEFAULT UNSET")
		p.when(s.IfNotExists, " IF NOT EXISTS")
		p.using(s.Using)
	case *Update:
		p.s("UPDATE ")
		p.qualified(s.Table)
		p.using(s.Using)
		p.s(" SET ")
		p.list(len(s.Set), func(i int) { p.assignment(&s.Set[i]) })
		p.where(s.Where)
		p.ifClause(s.IfExists, s.Conditions)
	case *Delete:
		p.s("DELETE ")
		p.list(len(s.Deletions), func(i int) { p.deletion(s.Deletions[i]) })
		p.when(len(s.Deletions) > 0, " ")
		p.s("FROM ")
		p.qualified(s.Table)
		p.using(s.Using)
		p.where(s.Where)
		p.ifClause(s.IfExists, s.Conditions)
	case *Batch:
		p.s("BEGIN ", [...]string{"", "UNLOGGED ", "COUNTER "}[s.Kind], "BATCH")
		p.using(s.Using)
		for _, inner := range s.Statements {
			p.s(" ")
			p.write(inner)
			p.s(";")
		}
		p.s(" APPLY BATCH")
	}
}

func (p *printer) deletion(d Deletion) {
	p.name(d.Column)
	switch {
	case d.Element != nil:
		p.terms("[", []Term{d.Element}, "]")
	case d.Field != nil:
		p.s(".")
		p.name(*d.Field)
	}
}
