package cql

// settings remembers what an UPDATE has set, to refuse incompatible settings in
// linear time.
type settings struct {
	first  string // the only column so far, with kind
	kind   UpdateKind
	n      int
	byName map[string]UpdateKind // from the second column on
	fields map[[2]string]bool    // of user types
}

// add notes a setting; it is false where the column was set before and one of
// the two sets the whole value, or where both set the same field.
// Source: Cassandra 5.0 Parser.g addRawUpdate, Operation.RawUpdate.isCompatibleWith.
func (s *settings) add(column string, kind UpdateKind, field string) bool {
	if kind == SetField {
		if at := [2]string{column, field}; s.fields[at] {
			return false
		} else if s.fields == nil {
			s.fields = map[[2]string]bool{at: true}
		} else {
			s.fields[at] = true
		}
	}
	if s.n++; s.n == 1 {
		s.first, s.kind = column, kind
		return true
	}
	if s.byName == nil {
		s.byName = map[string]UpdateKind{s.first: s.kind}
	}
	before, ok := s.byName[column]
	s.byName[column] = kind
	return !ok || before != SetValue && kind != SetValue
}

// assignment reads one operation of SET.
// Source: Cassandra 5.0 Parser.g rules columnOperation, columnOperationDifferentiator.
func (p *parser) assignment(set *settings) Assignment {
	start := p.toks[p.pos]
	a := Assignment{Column: p.columnName()}
	switch p.kind() {
	case tEq:
		p.next()
		p.normalOperation(&a)
	case tPlusEq:
		p.next()
		a.Kind, a.Value = Addition, p.term()
	case tMinusEq:
		p.next()
		a.Kind, a.Value = Subtract, p.term()
	case tLBracket:
		p.next()
		a.Kind, a.Element = SetElement, p.term()
		p.keywords(tRBracket, tEq)
		a.Value = p.term()
	case tDot:
		p.next()
		a.Kind, a.Field = SetField, p.name()
		p.expect(tEq)
		a.Value = p.term()
	default:
		p.noViable(0)
	}
	if !set.add(a.Column.Text, a.Kind, a.Field.Text) {
		p.invalid(start, "Multiple incompatible setting of column "+a.Column.Text)
	}
	return a
}

// normalOperation reads what follows column =.
// Source: Cassandra 5.0 Parser.g rule normalColumnOperation.
func (p *parser) normalOperation(a *Assignment) {
	if k := p.kind(); k.isName() || k == tEmptyQuoted {
		switch n := p.kindAt(1); {
		case n == tPlus || n == tMinus:
			right := p.rightColumn()
			if a.Kind = Addition; p.next().kind == tMinus {
				a.Kind = Subtract
			}
			a.Value = p.term()
			p.sameColumn(a.Column, right, "X = X "+n.String()[1:2]+"<value>")
			return
		case n == tInteger:
			sign := p.src[p.toks[p.pos+1].start]
			if sign != '-' {
				sign = '+'
			}
			right := p.rightColumn()
			a.Kind, a.Value = Addition, p.constant()
			p.sameColumn(a.Column, right, "X = X "+string(sign)+" <value>")
			return
		case n != tLParen && n != tDot || k == tEmptyQuoted:
			p.noViable(1)
		}
	}
	a.Value = p.term()
	if p.accept(tPlus) {
		p.sameColumn(a.Column, p.rightColumn(), "X = <value> + X")
		a.Kind = Prepend
	}
}

// rightColumn reads the column on the right, and gives its token.
func (p *parser) rightColumn() token {
	t := p.toks[p.pos]
	p.columnName()
	return t
}

// sameColumn refuses a column on the right that is not the one on the left, once
// the whole operation has been read.
func (p *parser) sameColumn(left Name, right token, form string) {
	if p.nameOf(right).Text != left.Text {
		p.invalid(right, "Only expressions of the form "+form+" are supported.")
	}
}
