package cql

import (
	"strconv"
	"strings"
)

// typeKinds are the types with arguments.
var typeKinds = map[kind]TypeKind{
	kList: ListType, kSet: SetType, kMap: MapType, kTuple: TupleType, kVector: VectorType,
}

// afterType are the tokens that may follow a type.
var afterType = set(tEOF, tSemi, tComma, tRParen, tGT, kStatic, kMasked, kPrimary, kFinalfunc, kInitcond, kLanguage)

// typeExpr reads a type.
// Source: Cassandra 5.0 Parser.g rule comparatorType.
func (p *parser) typeExpr() TypeExpr {
	pos := p.here()
	switch k := p.kind(); {
	case k == tString:
		return TypeExpr{Kind: CustomType, Name: Name{Text: p.toks[p.pos].text(p.src), Quoted: true, Pos: p.next().pos()}, Pos: pos}
	case k == kSet, k == kMap || k == kList || k == kTuple || k == kVector || k == kFrozen:
		if p.kindAt(1) == tLT || k == kSet {
			p.enter()
			t := p.parametric(k)
			p.depth--
			return t
		}
		if n := p.kindAt(1); n != tDot && !afterType.has(n) {
			p.noViable(1)
		}
	case k.isNative():
		if n := p.kindAt(1); n == tDot {
			break
		} else if !afterType.has(n) {
			p.noViable(1)
		}
		p.fetched(2)
		return p.nativeType()
	case !k.isName():
		p.noViable(0)
	}
	q := p.typeName()
	return TypeExpr{Kind: UserType, Keyspace: q.Keyspace, Name: q.Name, Pos: pos}
}

// nativeType reads a type's keyword. Source: Cassandra 5.0 Parser.g rule native_type.
func (p *parser) nativeType() TypeExpr {
	if !p.kind().isNative() {
		p.noViable(0)
	}
	n := p.nameOf(p.next())
	return TypeExpr{Kind: NativeType, Name: n, Pos: n.Pos}
}

// parametric reads a type with arguments in angle brackets.
// Source: Cassandra 5.0 Parser.g rules collection_type, tuple_type, vector_type.
func (p *parser) parametric(k kind) TypeExpr {
	t := TypeExpr{Kind: typeKinds[k], Name: p.nameOf(p.next())}
	t.Pos = t.Name.Pos
	p.expect(tLT)
	switch k {
	case kFrozen:
		inner := p.typeExpr()
		p.expect(tGT)
		inner.Pos = t.Pos
		return p.freeze(inner)
	case kMap:
		t.Args = append(t.Args, p.typeExpr())
		p.expect(tComma)
		t.Args = append(t.Args, p.typeExpr())
	case kTuple:
		if c := p.kind(); c != tString && c != kSet && !c.isName() {
			p.failed(p.toks[p.pos], "NullPointerException",
				`Cannot invoke "org.apache.cassandra.cql3.CQL3Type$Raw.supportsFreezing()" because "t" is null`)
		}
		t.Args = append(t.Args, p.typeExpr())
		for p.accept(tComma) {
			t.Args = append(t.Args, p.typeExpr())
		}
	case kVector:
		t.Args = append(t.Args, p.typeExpr())
		p.expect(tComma)
		n := p.expect(tInteger)
		dim, err := strconv.ParseInt(n.text(p.src), 10, 32)
		if err != nil {
			p.failed(n, "NumberFormatException", `For input string: "`+n.text(p.src)+`"`)
		}
		t.Dim = int(dim)
	default:
		t.Args = append(t.Args, p.typeExpr())
	}
	p.expect(tGT)
	return t
}

// freeze marks a type, and what can be frozen inside it.
// Source: Cassandra 5.0 CQL3Type.Raw.freeze.
func (p *parser) freeze(t TypeExpr) TypeExpr {
	if t.Kind == CustomType && !strings.Contains(t.Name.Text, ".") {
		t.Name.Text = "org.apache.cassandra.db.marshal." + t.Name.Text
	}
	if t.Kind == NativeType || t.Kind == CustomType {
		p.invalid(p.toks[p.pos-1], "frozen<> is only allowed on collections, tuples, and user-defined types (got "+t.String()+")")
	}
	t.Frozen = true
	return t
}

// reservedTypeNames cannot name a user type.
// Source: Cassandra 5.0 Parser.g reservedTypeNames.
var reservedTypeNames = map[string]bool{
	"byte": true, "complex": true, "enum": true, "date": true, "interval": true, "macaddr": true, "bitstring": true,
}

// typeName reads [keyspace.]name of a user type, which no native type can be.
// Source: Cassandra 5.0 Parser.g rules userTypeName, non_type_ident.
func (p *parser) typeName() (q QualifiedName) {
	k := p.kind()
	if !k.isName() {
		p.noViable(0)
	}
	if p.kindAt(1) == tDot {
		q.Keyspace = p.name()
		p.next()
		k = p.kind()
	} else if !namesType(k) {
		p.next()
		p.mismatch(tDot.String())
	}
	if !namesType(k) {
		p.noViable(0)
	}
	t := p.toks[p.pos]
	if k == tIdent && reservedTypeNames[t.text(p.src)] {
		p.invalid(t, "Invalid (reserved) user type name "+t.text(p.src))
	}
	q.Name = p.nameOf(p.next())
	return q
}

func namesType(k kind) bool {
	return k == tIdent || k == tQuoted || k.isBasic() || k == kKey
}

// kindFrom is the type of the token at index i; the end behind the end.
func (p *parser) kindFrom(i int) kind { return p.kindAt(i - p.pos) }

// scanType finds the end of a type that begins at token i, without reading it.
func (p *parser) scanType(i int) (end int, ok bool) {
	switch k := p.kindFrom(i); {
	case k == tString:
		return i + 1, true
	case k == kFrozen || typeKinds[k] != NativeType:
		if p.kindFrom(i+1) == tLT {
			return p.scanBrackets(i + 1)
		}
		if k == kSet {
			return i, false
		}
	case !k.isName():
		return i, false
	}
	if p.kindFrom(i+1) == tDot {
		return i + 3, namesType(p.kindFrom(i + 2))
	}
	k := p.kindFrom(i)
	return i + 1, k.isNative() || namesType(k)
}

// scanBrackets finds the end of <…> that begins at token i and holds only what
// types are made of.
func (p *parser) scanBrackets(i int) (end int, ok bool) {
	for depth := 0; ; i++ {
		switch k := p.kindFrom(i); {
		case k == tLT:
			depth++
		case k == tGT:
			if depth--; depth == 0 {
				return i + 1, true
			}
		case k != tComma && k != tDot && k != tInteger && k != tString && k != kSet && !k.isName():
			return i, false
		}
	}
}
