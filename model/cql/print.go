package cql

import (
	"strconv"
	"strings"
)

// Print gives a statement's canonical text, which parses to the same tree but
// for positions. A tree that no text has, such as a SELECT without a table,
// gives text that does not parse.
func Print(s Statement) string {
	var p printer
	p.statement(s)
	return p.String()
}

// printer writes CQL. With message it writes the texts of Cassandra's messages.
type printer struct {
	strings.Builder
	message bool
}

func (p *printer) s(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

// when writes text where a condition holds.
func (p *printer) when(ok bool, text string) {
	if ok {
		p.WriteString(text)
	}
}

// list writes n items between commas.
func (p *printer) list(n int, item func(i int)) {
	for i := range n {
		p.when(i > 0, ", ")
		item(i)
	}
}

func (p *printer) name(n Name) {
	switch {
	case p.message && n.Text == "":
	case n.Quoted && !p.message || n.Text == "true" || n.Text == "false":
		p.s(`"`, strings.ReplaceAll(n.Text, `"`, `""`), `"`)
	default:
		p.s(n.CQL())
	}
}

func (p *printer) names(list []Name) {
	p.list(len(list), func(i int) { p.name(list[i]) })
}

func (p *printer) qualified(q QualifiedName) {
	if q.Keyspace.Text != "" {
		p.name(q.Keyspace)
		p.s(".")
	}
	p.name(q.Name)
}

// function writes a function's name, which may be the words token and count.
func (p *printer) function(q QualifiedName) {
	if q.Keyspace.Text != "" {
		p.name(q.Keyspace)
		p.s(".")
	}
	switch n := q.Name; {
	case n.Text == "token" && !n.Quoted:
		p.s("token")
	case n.Text == "expr" && !n.Quoted && !p.message:
		p.s("expr ") // expr( would be one word
	default:
		p.name(n)
	}
}

func (p *printer) constant(c *Constant) {
	if c.Kind == StringConstant && !p.message {
		p.s("'", strings.ReplaceAll(c.Text, "'", "''"), "'")
		return
	}
	p.s(c.String())
}

func (p *printer) typeExpr(t TypeExpr) {
	p.when(t.Frozen, "frozen<")
	switch t.Kind {
	case NativeType:
		p.s(t.Name.Text)
	case UserType:
		p.qualified(QualifiedName{Keyspace: t.Keyspace, Name: t.Name})
	case CustomType:
		p.constant(&Constant{Text: t.Name.Text})
	default:
		p.s(t.Name.Text, "<")
		p.types(t.Args)
		if t.Kind == VectorType {
			p.s(", ", strconv.Itoa(t.Dim))
		}
		p.s(">")
	}
	p.when(t.Frozen, ">")
}

func (p *printer) types(list []TypeExpr) {
	p.list(len(list), func(i int) { p.typeExpr(list[i]) })
}

func (p *printer) properties(list []Property) {
	for i := range list {
		p.when(i > 0, " AND ")
		p.property(&list[i])
	}
}

func (p *printer) property(x *Property) {
	p.name(x.Name)
	p.s(" = ")
	switch v := x.Value; v.Kind {
	case ConstantProperty:
		p.constant(v.Constant)
	case KeywordProperty:
		p.s(v.Text)
	case MapProperty:
		p.entries(v.Map)
	}
}

func (p *printer) entries(list []PropertyEntry) {
	p.s("{")
	p.list(len(list), func(i int) {
		p.constant(list[i].Key)
		p.s(": ")
		p.constant(list[i].Value)
	})
	p.s("}")
}

func (p *printer) statement(s Statement) {
	switch s := s.(type) {
	case *Select:
		p.selectStatement(s)
	case *Insert, *InsertJSON, *Update, *Delete, *Batch:
		p.write(s)
	case *Truncate:
		p.s("TRUNCATE TABLE ")
		p.qualified(s.Table)
	case *Use:
		p.s("USE ")
		p.name(s.Keyspace)
	case *CreateTable:
		p.createTable(s)
	case *AlterTable:
		p.alterTable(s)
	case *CreateFunction, *DropFunction, *CreateAggregate, *DropAggregate, *CreateTrigger, *DropTrigger:
		p.functionStatement(s)
	case *Describe:
		p.describe(s)
	case *CreateRole, *AlterRole, *DropRole, *AddIdentity, *DropIdentity:
		p.roleStatement(s)
	case *GrantRole, *GrantPermissions, *ListPermissions, *ListRoles:
		p.grantStatement(s)
	default:
		p.schemaStatement(s)
	}
}
