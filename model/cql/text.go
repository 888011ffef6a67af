package cql

// String forms are Cassandra's texts of terms, relations and operations as its
// messages hold them. They are not always CQL: strings are not escaped, and
// c = t + c is shown with a minus sign as Cassandra 5.0 does.
// Source: Cassandra 5.0 Term.Raw.getText, Relation.toCQLString, Operation.toString.

func text(write func(*printer)) string {
	p := printer{message: true}
	write(&p)
	return p.String()
}

func termText(t Term) string             { return text(func(p *printer) { p.term(t) }) }
func selectableText(s Selectable) string { return text(func(p *printer) { p.selectable(s) }) }

func (t *Constant) String() string {
	if t.Kind == StringConstant {
		return "'" + t.Text + "'"
	}
	return t.Text
}
func (t *Null) String() string         { return "NULL" }
func (t *Marker) String() string       { return "?" }
func (t *ListLit) String() string      { return termText(t) }
func (t *SetLit) String() string       { return termText(t) }
func (t *MapLit) String() string       { return termText(t) }
func (t *UDTLit) String() string       { return termText(t) }
func (t *TupleLit) String() string     { return termText(t) }
func (t *FunctionCall) String() string { return termText(t) }
func (t *TypeHint) String() string     { return termText(t) }
func (t *Cast) String() string         { return termText(t) }
func (t *BinaryOp) String() string     { return termText(t) }
func (t *UnaryMinus) String() string   { return termText(t) }

func (s *SelColumn) String() string    { return selectableText(s) }
func (s *SelTerm) String() string      { return s.Term.String() }
func (s *SelCall) String() string      { return selectableText(s) }
func (s *SelCountRows) String() string { return "count(*)" }
func (s *SelTime) String() string      { return selectableText(s) }
func (s *SelCast) String() string      { return selectableText(s) }
func (s *SelTypeHint) String() string  { return selectableText(s) }
func (s *SelElement) String() string   { return selectableText(s) }
func (s *SelSlice) String() string     { return selectableText(s) }
func (s *SelField) String() string     { return selectableText(s) }
func (s *SelList) String() string      { return selectableText(s) }
func (s *SelSet) String() string       { return selectableText(s) }
func (s *SelMap) String() string       { return selectableText(s) }
func (s *SelTuple) String() string     { return selectableText(s) }
func (s *SelBinary) String() string    { return selectableText(s) }
func (s *SelMinus) String() string     { return selectableText(s) }

// String is the relation as Cassandra's messages show it: (a, b) != (0, 0).
func (r *Relation) String() string { return text(func(p *printer) { p.relation(r) }) }

// String is the condition in CQL.
func (c *Condition) String() string { return text(func(p *printer) { p.condition(c) }) }

// String is the operation as in "Invalid operation (v = v + 'x') …". Prepend is
// shown as v = t - v, which is Cassandra's text too.
func (a *Assignment) String() string {
	if a.Kind == Prepend {
		return a.Column.Text + " = " + a.Value.String() + " - " + a.Column.Text
	}
	return text(func(p *printer) { p.assignment(a) })
}

// String is the type in CQL, with frozen<> where it was written.
// Source: Cassandra 5.0 CQL3Type.Raw.toString.
func (t TypeExpr) String() string { return text(func(p *printer) { p.typeExpr(t) }) }
