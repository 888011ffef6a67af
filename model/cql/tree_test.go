package cql

import (
	"testing"

	"pgregory.net/rapid"
)

// trees draws random syntax trees that some text has.
type trees struct {
	t       *rapid.T
	markers []*Marker
}

func (g *trees) n(low, high int) int { return rapid.IntRange(low, high).Draw(g.t, "n") }
func (g *trees) maybe() bool         { return rapid.Bool().Draw(g.t, "maybe") }
func (g *trees) op(ops string) byte  { return ops[g.n(0, len(ops)-1)] }

func (g *trees) name() Name {
	if g.n(0, 4) == 0 {
		return Name{Text: rapid.SampledFrom([]string{"A b", `q"q`, "select", "é;", "key", "true", "int", "json"}).Draw(g.t, "quoted"), Quoted: true}
	}
	return Name{Text: rapid.SampledFrom([]string{"a", "b_1", "key", "ttl", "type", "count", "values", "exists", "cast", "map"}).Draw(g.t, "name")}
}

func (g *trees) function() QualifiedName {
	q := QualifiedName{Name: Name{Text: rapid.SampledFrom([]string{"f", "token", "count", "int", "uuid", "list"}).Draw(g.t, "function")}}
	if g.n(0, 3) == 0 && q.Name.Text != "token" {
		q.Keyspace = Name{Text: "ks"}
	}
	return q
}

func (g *trees) table() QualifiedName {
	q := QualifiedName{Name: g.name()}
	if g.maybe() {
		q.Keyspace = g.name()
	}
	return q
}

func many[T any](g *trees, low, high int, one func() T) []T {
	var list []T
	for range g.n(low, high) {
		list = append(list, one())
	}
	return list
}

func (g *trees) constant() *Constant {
	return rapid.SampledFrom([]*Constant{
		{Kind: StringConstant, Text: "it's"}, {Kind: StringConstant, Text: "$$;--"}, {Kind: IntegerConstant, Text: "-7"},
		{Kind: IntegerConstant, Text: "0"}, {Kind: FloatConstant, Text: "2."}, {Kind: FloatConstant, Text: "NaN"},
		{Kind: FloatConstant, Text: "-Infinity"}, {Kind: BooleanConstant, Text: "TRUE"}, {Kind: HexConstant, Text: "0x"},
		{Kind: UUIDConstant, Text: "550e8400-e29b-41d4-a716-446655440000"}, {Kind: DurationConstant, Text: "-1mo2d"},
		{Kind: DurationConstant, Text: "P2W"},
	}).Draw(g.t, "constant")
}

func (g *trees) marker() *Marker {
	m := &Marker{Index: len(g.markers)}
	if g.maybe() {
		m.Name = g.name()
	}
	g.markers = append(g.markers, m)
	return m
}

func (g *trees) native() TypeExpr {
	return TypeExpr{Name: Name{Text: rapid.SampledFrom([]string{"int", "text", "varchar", "counter"}).Draw(g.t, "type")}}
}

func (g *trees) typ(depth int) TypeExpr {
	arg := func() TypeExpr { return g.typ(depth - 1) }
	named := func(k TypeKind, name string, args ...TypeExpr) TypeExpr {
		return TypeExpr{Kind: k, Name: Name{Text: name}, Args: args, Frozen: g.maybe()}
	}
	if depth == 0 {
		return g.native()
	}
	switch g.n(0, 7) {
	case 0:
		return named(ListType, "list", arg())
	case 1:
		return named(SetType, "set", arg())
	case 2:
		return named(MapType, "map", arg(), arg())
	case 3:
		return named(TupleType, "tuple", many(g, 1, 3, arg)...)
	case 4:
		t := named(VectorType, "vector", arg())
		t.Dim = 3
		return t
	case 5:
		return TypeExpr{Kind: UserType, Keyspace: Name{Text: "ks"}, Name: Name{Text: "addr"}, Frozen: g.maybe()}
	case 6:
		return TypeExpr{Kind: CustomType, Name: Name{Text: "a.B'", Quoted: true}}
	}
	return g.native()
}

func (g *trees) term(depth int) Term {
	t := g.product(depth)
	for range g.n(0, 1) {
		t = &BinaryOp{Op: g.op("+-"), Left: t, Right: g.product(depth)}
	}
	return t
}

func (g *trees) product(depth int) Term {
	t := g.operand(depth)
	if g.n(0, 3) == 0 {
		t = &BinaryOp{Op: g.op("*/%"), Left: t, Right: g.operand(depth)}
	}
	return t
}

func (g *trees) operand(depth int) Term {
	if g.n(0, 5) == 0 {
		return &UnaryMinus{Term: g.simple(depth)}
	}
	return g.simple(depth)
}

func (g *trees) simple(depth int) Term {
	inner := func() Term { return g.term(depth - 1) }
	if depth == 0 {
		return g.constant()
	}
	switch g.n(0, 10) {
	case 0:
		return &Null{}
	case 1:
		return g.marker()
	case 2:
		return &ListLit{Elems: many(g, 0, 2, inner)}
	case 3:
		return &SetLit{Elems: many(g, 0, 2, inner)}
	case 4:
		return &MapLit{Entries: many(g, 1, 2, func() MapEntry { k := inner(); return MapEntry{k, inner()} })}
	case 5:
		return &UDTLit{Fields: many(g, 1, 2, func() FieldValue { return FieldValue{g.name(), inner()} })}
	case 6:
		return g.tuple(depth)
	case 7:
		return &FunctionCall{Func: g.function(), Args: many(g, 0, 2, inner)}
	case 8:
		return &TypeHint{Type: g.typ(1), Term: g.simple(depth - 1)}
	case 9:
		return &Cast{Term: g.simple(depth - 1), Type: g.native()}
	}
	return g.constant()
}

func (g *trees) tuple(depth int) *TupleLit {
	return &TupleLit{Elems: many(g, 1, 3, func() Term { return g.term(depth - 1) })}
}

func (g *trees) comparison() Op { return Op(g.n(int(EQ), int(GTE))) }

func (g *trees) relation() Relation {
	switch g.n(0, 9) {
	case 0:
		return Relation{Kind: ElementRelation, Columns: []Name{g.name()}, Key: g.term(1), Op: g.comparison(), Value: g.term(1)}
	case 1:
		return Relation{Kind: TokenRelation, Columns: many(g, 1, 2, g.name), Op: g.comparison(), Value: g.term(1)}
	case 2:
		return Relation{Kind: MultiRelation, Columns: many(g, 1, 3, g.name), Op: g.comparison(), Value: g.tuple(2)}
	case 3:
		return Relation{Kind: MultiRelation, Columns: many(g, 1, 2, g.name), Op: IN, InValues: many(g, 0, 2, func() Term { return g.tuple(1) })}
	case 4:
		return Relation{Columns: []Name{g.name()}, Op: IN, InMarker: g.marker()}
	case 5:
		return Relation{Columns: []Name{g.name()}, Op: IN, InValues: many(g, 0, 3, func() Term { return g.term(1) })}
	case 6:
		return Relation{Columns: []Name{g.name()}, Op: IS_NOT, Value: &Null{}}
	case 7:
		return Relation{Columns: []Name{g.name()}, Op: Op(g.n(int(CONTAINS), int(LIKE))), Value: g.constant()}
	case 8:
		return Relation{Kind: CustomRelation, Index: QualifiedName{Name: g.name()}, Value: g.term(1)}
	}
	return Relation{Columns: []Name{g.name()}, Op: g.comparison(), Value: g.term(2)}
}

func (g *trees) selectable(depth int) Selectable {
	inner := func() Selectable { return g.selectable(depth - 1) }
	column := &SelColumn{Name: Name{Text: "c"}}
	if depth == 0 {
		return column
	}
	switch g.n(0, 13) {
	case 0:
		return &SelTerm{Term: g.constant()}
	case 1:
		return &SelCall{Func: g.function(), Args: many(g, 0, 2, inner)}
	case 2:
		return &SelCountRows{}
	case 3:
		return &SelTime{Kind: TimeKind(g.n(0, 2)), Of: &SelElement{Of: column, Key: g.term(1)}}
	case 4:
		return &SelCast{Expr: inner(), Type: g.native()}
	case 5:
		return &SelTypeHint{Type: g.typ(2), Expr: &SelTuple{Elems: many(g, 2, 3, inner)}}
	case 6:
		return &SelSlice{Of: column, From: g.term(1), To: g.term(1)}
	case 7:
		return &SelField{Of: column, Field: g.name()}
	case 8:
		return &SelList{Elems: many(g, 0, 2, inner)}
	case 9:
		return &SelSet{Elems: many(g, 0, 2, inner)}
	case 10:
		return &SelMap{Entries: many(g, 1, 2, func() SelEntry { k := inner(); return SelEntry{k, inner()} })}
	case 11:
		return &SelBinary{Op: g.op("+-*/%"), Left: column, Right: g.selectable(0)}
	case 12:
		return &SelMinus{Expr: g.selectable(0)}
	}
	return column
}

func (g *trees) assignment() Assignment {
	switch g.n(0, 4) {
	case 0:
		return Assignment{Kind: Addition, Column: g.name(), Value: g.term(2)}
	case 1:
		return Assignment{Kind: Subtract, Column: g.name(), Value: g.term(2)}
	case 2:
		return Assignment{Kind: Prepend, Column: g.name(), Value: g.product(2)}
	case 3:
		return Assignment{Kind: SetElement, Column: g.name(), Element: g.term(1), Value: g.term(1)}
	}
	return Assignment{Kind: SetField, Column: g.name(), Field: g.name(), Value: g.term(1)}
}

func (g *trees) condition() Condition {
	c := Condition{Column: g.name(), Op: g.comparison()}
	if g.maybe() {
		field := g.name()
		c.Field = &field
	}
	c.Value = g.term(1)
	return c
}

func (g *trees) statement() Statement {
	relations := func() []Relation { return many(g, 1, 3, g.relation) }
	switch g.n(0, 4) {
	case 0:
		s := &Select{JSON: g.maybe(), Table: g.table()}
		s.Selectors = many(g, 0, 3, func() Selector { return Selector{Expr: g.selectable(2)} })
		s.Distinct = s.Selectors != nil && g.maybe()
		s.Where = relations()
		s.OrderBy = many(g, 0, 2, func() Ordering { return Ordering{Column: g.name(), Descending: g.maybe()} })
		if g.maybe() {
			s.Limit = g.marker()
		}
		s.AllowFiltering, s.Markers = g.maybe(), g.markers
		return s
	case 1:
		s := &Insert{Table: g.table(), Columns: many(g, 1, 3, g.name), Values: many(g, 1, 3, func() Term { return g.term(3) }), IfNotExists: g.maybe()}
		if g.maybe() {
			s.Using.TTL = g.marker()
		}
		s.Markers = g.markers
		return s
	case 2:
		s := &Update{Table: g.table(), Set: many(g, 1, 3, g.assignment), Where: relations()}
		s.Conditions = many(g, 0, 2, g.condition)
		s.Markers = g.markers
		return s
	case 3:
		s := &Delete{Table: g.table()}
		s.Deletions = many(g, 0, 2, func() Deletion { return Deletion{Column: g.name(), Element: g.term(1)} })
		s.Where, s.IfExists = relations(), g.maybe()
		s.Markers = g.markers
		return s
	}
	s := &CreateTable{Table: g.table(), IfNotExists: g.maybe()}
	s.Columns = many(g, 1, 4, func() ColumnDef {
		return ColumnDef{Name: g.name(), Type: g.typ(2), Static: g.maybe()}
	})
	s.PrimaryKeys = []PrimaryKey{{Partition: []Name{g.name()}, Clustering: many(g, 0, 2, g.name), Grouped: g.maybe()}}
	s.Clustering = many(g, 0, 2, func() ClusteringOrder { return ClusteringOrder{g.name(), g.maybe()} })
	s.Properties = many(g, 0, 2, func() Property {
		c := g.constant()
		return Property{Name: g.name(), Value: PropertyValue{Constant: c, Text: c.Text}}
	})
	return s
}

func TestPrintedTreesParseBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := trees{t: t}
		checkRoundTrip(t, g.statement(), "random tree")
	})
}

// The texts are those of recorded messages.
func TestTextsOfMessages(t *testing.T) {
	update := func(src string) string {
		return mustParse(t, "UPDATE t SET "+src+" WHERE k = 1").(*Update).Set[0].String()
	}
	where := func(src string) string {
		return mustParse(t, "SELECT * FROM t WHERE "+src).(*Select).Where[0].String()
	}
	for _, c := range [][2]string{
		{update("v = v + 'x'"), "v = v + 'x'"},
		{update("hits = 1 + hits"), "hits = 1 - hits"},
		{update("fv = fv + [4]"), "fv = fv + [4]"},
		{update("fv[1] = 'it''s'"), "fv[1] = 'it's'"},
		{update("fa.zip = 5"), "fa.zip = 5"},
		{update("i += -1"), "i = i + -1"},
		{update("v = {5} + v"), "v = {5} - v"},
		{where("v != 10"), "v != 10"},
		{where("(a, b) != (0, 0)"), "(a, b) != (0, 0)"},
		{where("m['a'] = ?"), "m['a'] = ?"},
		{where("v IN (1, null)"), "v IN (1, NULL)"},
		{where("token(\"A\", b) > :x"), `token("A", b) > ?`},
		{where("c = {street: 'S', zip: (int) 1}"), "c = {zip: (int)1, street: 'S'}"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %s, want %s", c[0], c[1])
		}
	}
}

func mustParse(t testing.TB, src string) Statement {
	t.Helper()
	s, err := Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return s
}
