package stress

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of what is read as a profile: the reader of YAML calls itself for what
// lies in something else.
const (
	maxProfile = 1 << 20 // bytes
	maxDepth   = 64
)

// ParseProfile reads a profile. Every error is a *ProfileError.
// Source: Cassandra 5.0 StressProfile.load, StressProfile.init.
func ParseProfile(text string) (p *Profile, err error) {
	root, err := readYAML(text)
	if err != nil {
		return nil, err
	}
	p = &Profile{Insert: defaultInsert(), at: map[string]Position{}}
	for _, e := range root {
		p.at[e.key] = e.at
		if err := p.set(e); err != nil {
			return nil, err
		}
	}
	start := Position{1, 1}
	switch {
	case p.Keyspace == "":
		return nil, start.complain("the profile names no keyspace: add a line `keyspace: NAME`")
	case p.Table == "":
		return nil, start.complain("the profile names no table: add a line `table: NAME`")
	}
	for _, name := range p.TokenRangeQueries {
		if i := p.query(name); i >= 0 {
			return nil, p.Queries[i].At.complain("%s is both a query and a token range query; give one another name", name)
		}
	}
	return p, nil
}

// sections are the keys of a profile.
var sections = []string{"specname", "keyspace", "keyspace_definition", "table", "table_definition", "extra_definitions", "columnspec", "insert", "queries",
	"token_range_queries"}

func (p *Profile) set(e entry) (err error) {
	switch e.key {
	case "specname":
		p.Spec, err = e.text()
	case "keyspace":
		p.Keyspace, err = e.text()
	case "keyspace_definition":
		p.KeyspaceDefinition, err = e.text()
	case "table":
		p.Table, err = e.text()
	case "table_definition":
		p.TableDefinition, err = e.text()
	case "extra_definitions":
		var items []entry
		if items, err = e.items(); err == nil {
			for _, i := range items {
				s, err := i.text()
				if err != nil {
					return err
				}
				p.Extra = append(p.Extra, s)
			}
		}
	case "columnspec":
		var items []entry
		if items, err = e.items(); err == nil {
			for _, i := range items {
				if err := p.column(i); err != nil {
					return err
				}
			}
		}
	case "insert":
		p.Insert.At = e.at
		err = p.insert(e)
	case "queries":
		var list []entry
		if list, err = e.mapping(); err == nil {
			for _, q := range list {
				if err := p.addQuery(q); err != nil {
					return err
				}
			}
		}
	case "token_range_queries":
		var list []entry
		if list, err = e.mapping(); err == nil {
			for _, q := range list {
				p.TokenRangeQueries = append(p.TokenRangeQueries, strings.ToLower(q.key))
			}
		}
	default:
		err = e.at.complain("a profile has no section %q; it has %s", cut(e.key), strings.Join(sections, ", "))
	}
	return err
}

func (p *Profile) column(e entry) error {
	fields, err := e.mapping()
	if err != nil {
		return err
	}
	c := ColumnSpec{At: e.at}
	for _, f := range fields {
		var to **Spec
		switch strings.ToLower(f.key) {
		case "name":
			c.At = f.at
			if c.Name, err = f.text(); err != nil {
				return err
			}
			continue
		case "size":
			to = &c.Size
		case "population":
			to = &c.Population
		case "cluster":
			to, c.clusterAt = &c.Cluster, f.value.at
		default:
			return f.at.complain("a column has no option %q; it has name, size, population and cluster", cut(f.key))
		}
		s, err := f.spec()
		if err != nil {
			return err
		}
		*to = &s
	}
	if c.Name == "" {
		return e.at.complain("this columnspec names no column: add `name: COLUMN`")
	}
	for _, have := range p.Columns {
		if have.Name == c.Name {
			return c.At.complain("the column %s has a columnspec already, in line %d", c.Name, have.At.Line)
		}
	}
	if c.Size != nil && (c.Size.Min < 0 || c.Size.Max > mostBytes) {
		return c.At.complain("the sizes of %s go from %d to %d: what fits into a mutation has between 0 and %d bytes", c.Name, c.Size.Min, c.Size.Max, mostBytes)
	}
	if c.Cluster != nil {
		if err := c.checkCluster(); err != nil {
			return err
		}
	}
	p.Columns = append(p.Columns, c)
	return nil
}

// Bounds of what one operation may make.
const (
	mostBytes = 16 << 20 // of a value: max_mutation_size
	mostRows  = 1_000_000

	mostOperation = 64 << 20 // bytes of values
)

func (c *ColumnSpec) checkCluster() error {
	switch s := c.Cluster; {
	case s.Kind == Sequence:
		return c.clusterAt.complain("SEQ cannot count the rows of %s: cassandra-stress makes negative counts of it; UNIFORM or FIXED can", c.Name)
	case s.Min < 1:
		return c.clusterAt.complain("cluster of %s begins at %d; there is at least 1 value under each one before it", c.Name, s.Min)
	case s.Max > mostRows:
		return c.clusterAt.complain("cluster of %s goes to %d; %d are the most, since a partition's values are made at once", c.Name, s.Max, mostRows)
	}
	return nil
}

func (p *Profile) insert(e entry) error {
	fields, err := e.mapping()
	if err != nil {
		return err
	}
	in := &p.Insert
	for _, f := range fields {
		switch strings.ToLower(f.key) {
		case "partitions":
			if in.Partitions, err = f.spec(); err == nil && (in.Partitions.Min < 1 || in.Partitions.Max > 65535) {
				err = f.value.at.complain("a batch has between 1 and 65535 partitions, not %d to %d", in.Partitions.Min, in.Partitions.Max)
			}
		case "select":
			in.Select, err = f.ratio()
		case "row-population":
			in.RowPopulation, err = f.ratio()
		case "batchtype":
			var s string
			s, err = f.text()
			if in.Batch = strings.ToUpper(s); err == nil && in.Batch != "LOGGED" && in.Batch != "UNLOGGED" && in.Batch != "COUNTER" {
				err = f.value.at.complain("there is no batchtype %s; it is LOGGED, UNLOGGED or COUNTER", cut(s))
			}
		default:
			err = f.at.complain("insert has no option %q; it has partitions, batchtype, select and row-population", cut(f.key))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Profile) addQuery(e entry) error {
	fields, err := mapping(e.value.node, e.value.at, "the query "+e.name())
	if err != nil {
		return err
	}
	q := Query{Name: strings.ToLower(e.key), At: e.at}
	for _, f := range fields {
		switch f.key {
		case "cql":
			q.CQL, err = f.text()
		case "fields":
			var s string
			if s, err = f.text(); err == nil {
				if q.SameRow = strings.EqualFold(s, "samerow"); !q.SameRow && !strings.EqualFold(s, "multirow") {
					err = f.value.at.complain("fields of %s is samerow or multirow, not %s", q.Name, cut(s))
				}
			}
		default:
			err = f.at.complain("a query has no option %q; it has cql and fields", cut(f.key))
		}
		if err != nil {
			return err
		}
	}
	switch {
	case strings.TrimSpace(q.CQL) == "":
		return e.at.complain("the query %s has no statement: add `cql: SELECT …`", q.Name)
	case q.Name == "insert":
		return e.at.complain("insert is what writes rows; give the query another name")
	case p.query(q.Name) >= 0:
		return e.at.complain("there are two queries with the name %s", q.Name)
	}
	p.Queries = append(p.Queries, q)
	return nil
}

// entry is a key and its value, or with an empty key an item of a list.
type entry struct {
	key   string
	at    Position
	value content
}

type content struct {
	node ast.Node
	at   Position
}

func (e entry) text() (string, error) {
	s, ok := scalar(e.value.node)
	if !ok {
		return "", e.value.at.complain("%s is a text", e.name())
	}
	return s, nil
}

func (e entry) spec() (Spec, error) {
	text, err := e.text()
	if err != nil {
		return Spec{}, err
	}
	s, err := ParseSpec(text)
	return s, e.value.within(err)
}

func (e entry) ratio() (Ratio, error) {
	text, err := e.text()
	if err != nil {
		return Ratio{}, err
	}
	r, err := ParseRatio(text)
	return r, e.value.within(err)
}

// within says where in the profile the error of a distribution is.
func (v content) within(err error) error {
	var s *SpecError
	if !errors.As(err, &s) {
		return err
	}
	at := v.at
	if n, plain := v.node.(*ast.StringNode); plain {
		if t := n.Token.Type; t == token.SingleQuoteType || t == token.DoubleQuoteType {
			at.Column++
		}
		at.Column += s.Offset
	}
	return &ProfileError{at, s.Msg}
}

func (e entry) name() string {
	if e.key == "" {
		return "an item of the list"
	}
	return cut(e.key)
}

func (e entry) mapping() ([]entry, error) {
	return mapping(e.value.node, e.value.at, e.name())
}

func (e entry) items() ([]entry, error) {
	if isNull(e.value.node) {
		return nil, nil
	}
	list, ok := bare(e.value.node).(*ast.SequenceNode)
	if !ok {
		return nil, e.value.at.complain("%s is a list: each item begins with `- `", e.name())
	}
	var out []entry
	for _, n := range list.Values {
		at := place(n, e.value.at)
		out = append(out, entry{at: at, value: content{n, at}})
	}
	return out, nil
}

func mapping(n ast.Node, at Position, what string) ([]entry, error) {
	if isNull(n) {
		return nil, nil
	}
	var pairs []*ast.MappingValueNode
	switch m := bare(n).(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		return nil, at.complain("%s consists of lines `name: value`", what)
	}
	var out []entry
	for _, p := range pairs {
		here := place(p.Key, at)
		key, ok := scalar(p.Key)
		if !ok {
			return nil, here.complain("%s consists of lines `name: value`, and this is no name", what)
		}
		for _, have := range out {
			if have.key == key {
				return nil, here.complain("%s stands here twice, first in line %d", cut(key), have.at.Line)
			}
		}
		out = append(out, entry{key, here, content{p.Value, place(p.Value, here)}})
	}
	return out, nil
}

// bare is a node without an anchor or a tag around it.
func bare(n ast.Node) ast.Node {
	for range maxDepth {
		switch w := n.(type) {
		case *ast.AnchorNode:
			n = w.Value
		case *ast.TagNode:
			n = w.Value
		case *ast.MappingKeyNode:
			n = w.Value
		default:
			return n
		}
	}
	return n
}

func isNull(n ast.Node) bool {
	if n == nil {
		return true
	}
	_, null := bare(n).(*ast.NullNode)
	return null
}

// scalar is a text, a number or the like as it is written.
func scalar(n ast.Node) (string, bool) {
	switch s := bare(n).(type) {
	case *ast.StringNode:
		return s.Value, true
	case *ast.LiteralNode:
		return s.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return s.GetToken().Value, true
	}
	return "", false
}

// place is where a node begins, or where it was expected.
func place(n ast.Node, or Position) Position {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return or
	}
	p := n.GetToken().Position
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return place(m.Values[0].Key, or)
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return place(m.Key, or)
	}
	return Position{max(p.Line, 1), max(p.Column, 1)}
}

// readYAML reads the first document of a text as a mapping.
func readYAML(text string) (root []entry, err error) {
	start := Position{1, 1}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case strings.TrimSpace(text) == "":
		return nil, start.complain("the profile is empty: it begins with `keyspace: NAME`")
	case len(text) > maxProfile:
		return nil, start.complain("the profile has %d bytes; %d are the most", len(text), maxProfile)
	case !utf8.ValidString(text):
		return nil, start.complain("the profile is not UTF-8 text")
	}
	if at, deep := tooDeep(text); deep {
		return nil, at.complain("lists and mappings lie in each other more than %d deep", maxDepth)
	}
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, start.complain("this is no YAML: %v", cut(fmt.Sprint(r)))
		}
	}()
	file, err := parser.ParseBytes([]byte(text), 0)
	var syntax *yaml.SyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.GetToken() != nil && syntax.GetToken().Position != nil:
		p := syntax.GetToken().Position
		return nil, Position{max(p.Line, 1), max(p.Column, 1)}.complain("this is no YAML: %s", firstLine(syntax.GetMessage()))
	case err != nil:
		return nil, start.complain("this is no YAML: %s", firstLine(err.Error()))
	}
	for _, d := range file.Docs {
		if d != nil && d.Body != nil {
			return mapping(d.Body, place(d.Body, start), "a profile")
		}
	}
	return nil, start.complain("the profile is empty: it begins with `keyspace: NAME`")
}

// tooDeep finds where brackets or the marks that open a list or a key within a
// line become too many.
func tooDeep(text string) (Position, bool) {
	line, depth, marks, from := 1, 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			line, marks, from = line+1, 0, i+1
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		case '-', '?', ':', '!', '&':
			if i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') || text[i] == '!' || text[i] == '&' {
				marks++
			}
		}
		if depth > maxDepth || marks > 8*maxDepth {
			return Position{line, i - from + 1}, true
		}
	}
	return Position{}, false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
