package cql

func (p *printer) terms(open string, list []Term, closing string) {
	p.s(open)
	p.list(len(list), func(i int) { p.term(list[i]) })
	p.s(closing)
}

func (p *printer) term(t Term) {
	switch t := t.(type) {
	case *Constant:
		p.constant(t)
	case *Null:
		if p.message {
			p.s("NULL")
			return
		}
		p.s("null")
	case *Marker:
		if p.message || t.Name.Text == "" {
			p.s("?")
			return
		}
		p.s(":")
		p.name(t.Name)
	case *ListLit:
		p.terms("[", t.Elems, "]")
	case *SetLit:
		p.terms("{", t.Elems, "}")
	case *TupleLit:
		p.terms("(", t.Elems, ")")
	case *MapLit:
		p.s("{")
		p.list(len(t.Entries), func(i int) {
			p.term(t.Entries[i].Key)
			p.s(": ")
			p.term(t.Entries[i].Value)
		})
		p.s("}")
	case *UDTLit:
		p.s("{")
		p.list(len(t.Fields), func(i int) {
			p.name(t.Fields[i].Field)
			p.s(": ")
			p.term(t.Fields[i].Value)
		})
		p.s("}")
	case *FunctionCall:
		p.function(t.Func)
		p.terms("(", t.Args, ")")
	case *TypeHint:
		p.s("(")
		p.typeExpr(t.Type)
		p.s(") ")
		p.term(t.Term)
	case *Cast:
		p.s("CAST(")
		p.term(t.Term)
		p.s(" AS ")
		p.typeExpr(t.Type)
		p.s(")")
	case *BinaryOp:
		p.term(t.Left)
		p.s(" ", string(t.Op), " ")
		p.term(t.Right)
	case *UnaryMinus:
		p.s("- ")
		p.term(t.Term)
	}
}

func (p *printer) selectables(open string, list []Selectable, closing string) {
	p.s(open)
	p.list(len(list), func(i int) { p.selectable(list[i]) })
	p.s(closing)
}

func (p *printer) selectable(s Selectable) {
	switch s := s.(type) {
	case *SelColumn:
		p.name(s.Name)
	case *SelTerm:
		p.term(s.Term)
	case *SelCall:
		p.function(s.Func)
		p.selectables("(", s.Args, ")")
	case *SelCountRows:
		p.s("count(*)")
	case *SelTime:
		p.s(s.Kind.String(), "(")
		p.selectable(s.Of)
		p.s(")")
	case *SelCast:
		p.s("CAST(")
		p.selectable(s.Expr)
		p.s(" AS ")
		p.typeExpr(s.Type)
		p.s(")")
	case *SelTypeHint:
		p.s("(")
		p.typeExpr(s.Type)
		p.s(") ")
		p.selectable(s.Expr)
	case *SelElement:
		p.selectable(s.Of)
		p.terms("[", []Term{s.Key}, "]")
	case *SelSlice:
		p.slice(s)
	case *SelField:
		p.selectable(s.Of)
		p.s(".")
		p.name(s.Field)
	case *SelList:
		p.selectables("[", s.Elems, "]")
	case *SelSet:
		p.selectables("{", s.Elems, "}")
	case *SelTuple:
		p.selectables("(", s.Elems, ")")
	case *SelMap:
		p.s("{")
		p.list(len(s.Entries), func(i int) {
			p.selectable(s.Entries[i].Key)
			p.s(": ")
			p.selectable(s.Entries[i].Value)
		})
		p.s("}")
	case *SelBinary:
		p.selectable(s.Left)
		p.s(" ", string(s.Op), " ")
		p.selectable(s.Right)
	case *SelMinus:
		p.s("- ")
		p.selectable(s.Expr)
	}
}

func (p *printer) slice(s *SelSlice) {
	p.selectable(s.Of)
	p.s("[")
	if s.From != nil {
		p.term(s.From)
		p.s(" ")
	}
	p.s("..")
	if s.To != nil {
		p.s(" ")
		p.term(s.To)
	}
	p.s("]")
}
