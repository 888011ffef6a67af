package cql

import (
	"cmp"
	"slices"
)

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
		p.fields(t)
	case *FunctionCall:
		p.function(t.Func)
		p.terms("(", t.Args, ")")
	case *TypeHint:
		p.s("(")
		p.typeExpr(t.Type)
		p.s(")")
		p.when(!p.message, " ")
		p.term(t.Term)
	case *Cast:
		if p.message {
			p.called("cast_as_"+t.Type.String(), t.Term)
			return
		}
		p.s("CAST(")
		p.term(t.Term)
		p.s(" AS ")
		p.typeExpr(t.Type)
		p.s(")")
	case *BinaryOp:
		if p.message {
			p.called(`"`+operations[t.Op]+`"`, t.Left, t.Right)
			return
		}
		p.term(t.Left)
		p.s(" ", string(t.Op), " ")
		p.term(t.Right)
	case *UnaryMinus:
		if p.message {
			p.called(`"_negate"`, t.Term)
			return
		}
		p.s("- ")
		p.term(t.Term)
	}
}

// operations are the functions behind operators.
// Source: Cassandra 5.0 OperationFcts.OPERATION.
var operations = map[byte]string{'+': "_add", '-': "_substract", '*': "_multiply", '/': "_divide", '%': "_modulo"}

// called writes an operation as messages show it: the call of a function.
// Source: Cassandra 5.0 FunctionCall.Raw.getText.
func (p *printer) called(name string, args ...Term) {
	p.s("system.", name)
	p.terms("(", args, ")")
}

// fields writes the literal of a user type. Messages show its fields in the
// order of a Java HashMap, each once.
// Source: Cassandra 5.0 UserTypes.Literal.getText.
func (p *printer) fields(t *UDTLit) {
	list := t.Fields
	if p.message {
		names, last := make([]string, 0, len(list)), map[string]FieldValue{}
		for _, f := range list {
			if _, twice := last[f.Field.Text]; !twice {
				names = append(names, f.Field.Text)
			}
			last[f.Field.Text] = f
		}
		SortByHash(names)
		list = make([]FieldValue, len(names))
		for i, n := range names {
			list[i] = last[n]
		}
	}
	p.s("{")
	p.list(len(list), func(i int) {
		if p.message {
			p.s(list[i].Field.Text)
		} else {
			p.name(list[i].Field)
		}
		p.s(": ")
		p.term(list[i].Value)
	})
	p.s("}")
}

// SortByHash puts names into the order in which a Java HashMap that was filled
// with their bytes in this order gives them back.
// Source: java.util.HashMap, java.nio.ByteBuffer.hashCode.
func SortByHash(names []string) {
	size := uint32(16)
	for 4*len(names) > 3*int(size) {
		size *= 2
	}
	place := func(name string) uint32 {
		h := int32(1)
		for i := len(name) - 1; i >= 0; i-- {
			h = 31*h + int32(int8(name[i]))
		}
		u := uint32(h)
		return (u ^ u>>16) & (size - 1)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
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
		switch s.Of.(type) {
		case *SelTerm, *SelTypeHint:
			p.s(" ") // 1. would be a number
		}
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
