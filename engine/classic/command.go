package classic

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// Arguments are those of an operation as text: names of columns are read by the
// comparator, keys and values by their classes, all with functions like
// long(5) if that is meant. Words are what has no name.
type Arguments struct {
	Named map[string]string
	Words []string
}

// names are the arguments that operations know, for refusals.
var argumentNames = map[string][]string{
	"get":                {"cf", "key", "super", "name"},
	"get_slice":          {"cf", "key", "super", "start", "finish", "count", "names"},
	"multiget_slice":     {"cf", "keys", "super", "start", "finish", "count", "names"},
	"get_count":          {"cf", "key", "super", "start", "finish", "count", "names"},
	"multiget_count":     {"cf", "keys", "super", "start", "finish", "count", "names"},
	"get_range_slices":   {"cf", "super", "start", "finish", "count", "names", "start_key", "end_key", "start_token", "end_token", "rows"},
	"get_indexed_slices": {"cf", "start", "finish", "count", "names", "start_key", "rows"},
	"insert":             {"cf", "key", "super", "name", "value", "timestamp", "ttl"},
	"add":                {"cf", "key", "super", "name", "value"},
	"remove":             {"cf", "key", "super", "name", "timestamp"},
	"remove_counter":     {"cf", "key", "super", "name"},
}

// arguments reads text by the classes of a column family.
type arguments struct {
	*run
	Arguments
	family *known
	used   map[string]bool
}

// Command runs one operation given by names, and gives its answer as a table.
func (c *Client) Command(name string, a Arguments) (*answer.Answer, error) {
	r := &run{Client: c, text: name, ans: &answer.Answer{}}
	g := &arguments{run: r, Arguments: a, used: map[string]bool{}}
	for k := range a.Named {
		if !contains(argumentNames[name], k) && !(name == "get_indexed_slices") {
			return nil, fmt.Errorf(":%s has no argument %s; it takes %s", name, k, strings.Join(argumentNames[name], ", "))
		}
	}
	if a.Named["cf"] == "" {
		return nil, fmt.Errorf(":%s needs cf=, the name of a column family of the keyspace in use", name)
	}
	var err error
	if g.family, err = r.family(thrift.Name{Text: a.Named["cf"]}); err != nil {
		return nil, err
	}
	o, err := g.operation(name)
	if err != nil {
		return nil, err
	}
	res, ans, err := c.Operate(o)
	if ans == nil {
		ans = &answer.Answer{}
	}
	ans.Statement = ""
	switch {
	case err == ErrNotFound:
		ans.Message = "Not found."
		return ans, nil
	case err != nil && ans.Error == nil:
		ans.Error = refusal(err)
	}
	if ans.Error != nil {
		return ans, nil
	}
	g.table(ans, name, res)
	return ans, nil
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// text is an argument, and whether it was given.
func (g *arguments) text(name string) (string, bool) {
	g.used[name] = true
	t, ok := g.Named[name]
	return t, ok
}

// bytes reads an argument by a class; nil if it was not given.
func (g *arguments) bytes(name string, class *types.Comparator) (bind.Bytes, error) {
	t, ok := g.text(name)
	if !ok {
		return nil, nil
	}
	return g.value(t, class)
}

// repeated is a text so many times, for names and keys too long to be typed.
var repeated = regexp.MustCompile(`^repeat\((.),(\d{1,6})\)$`)

// value reads a text by a class, or a function like long(5) by its own.
func (g *arguments) value(text string, class *types.Comparator) (bind.Bytes, error) {
	if of, inner, ok := Function(text); ok {
		class, text = of, inner
	}
	if m := repeated.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[2]) // few digits
		text = strings.Repeat(m[1], n)
	}
	if class == nil {
		class = types.ClassOf(types.Blob)
	}
	b, err := g.parse(class, text)
	if err != nil {
		return nil, plan.Invalid("%s", err)
	}
	return filled(b), nil
}

func (g *arguments) number(name string, usual int) (int, error) {
	t, ok := g.text(name)
	if !ok {
		return usual, nil
	}
	n, err := strconv.ParseInt(t, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s takes a whole number, not %q", name, t)
	}
	return int(n), nil
}

// operation reads the arguments of one operation.
func (g *arguments) operation(name string) (*Operation, error) {
	o := &Operation{Name: name}
	f := g.family
	super, err := g.bytes("super", f.comparator)
	if err != nil {
		return nil, err
	}
	inner := f.comparator
	if super != nil {
		inner = f.sub
	}
	if o.Key, err = g.bytes("key", g.keyClass(f)); err != nil {
		return nil, err
	}
	o.Parent = bind.ColumnParent{Family: f.name, Super: super}
	switch name {
	case "get", "remove", "remove_counter":
		column, err := g.bytes("name", inner)
		if err != nil {
			return nil, err
		}
		o.Path = bind.ColumnPath{Family: f.name, Super: super, Column: column}
		o.CounterPath = o.Path
		o.Timestamp, err = g.timestamp()
		return o, err
	case "insert", "add":
		return o, g.column(o, inner)
	}
	if text, ok := g.text("keys"); ok {
		for _, t := range strings.Split(text, ",") {
			k, err := g.value(t, g.keyClass(f))
			if err != nil {
				return nil, err
			}
			o.Keys = append(o.Keys, k)
		}
	}
	if o.Predicate, err = g.predicate(inner); err != nil {
		return nil, err
	}
	switch name {
	case "get_range_slices":
		return o, g.keyRange(o)
	case "get_indexed_slices":
		o.Selected = o.Predicate
		return o, g.clause(o)
	}
	return o, nil
}

// timestamp is that of the argument, else of the coordinator's clock.
func (g *arguments) timestamp() (*int64, error) {
	t, ok := g.text("timestamp")
	if !ok {
		now := g.core.ClassicNow()
		return &now, nil
	}
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("timestamp takes a whole number of µs, not %q", t)
	}
	return &n, nil
}

// column reads the column of insert and add.
func (g *arguments) column(o *Operation, names *types.Comparator) error {
	name, err := g.bytes("name", names)
	if err != nil {
		return err
	}
	if o.Name == "add" {
		n, err := strconv.ParseInt(g.Named["value"], 10, 64)
		if err != nil {
			return fmt.Errorf("value takes a whole number, not %q", g.Named["value"])
		}
		o.AddColumn = &bind.CounterColumn{Name: name, Value: n}
		return nil
	}
	c := &bind.Column{Name: name}
	if c.Value, err = g.bytes("value", g.family.valueClass(name)); err != nil {
		return err
	}
	if c.Timestamp, err = g.timestamp(); err != nil {
		return err
	}
	if _, ok := g.text("ttl"); ok {
		n, err := g.number("ttl", 0)
		if err != nil {
			return err
		}
		ttl := int32(n)
		c.TTL = &ttl
	}
	o.InsertColumn = c
	return nil
}

// predicate reads names, or a range of names.
func (g *arguments) predicate(class *types.Comparator) (p bind.SlicePredicate, err error) {
	if text, ok := g.text("names"); ok {
		p.Names = []bind.Bytes{}
		for _, t := range strings.Split(text, ",") {
			n, err := g.value(t, class)
			if err != nil {
				return p, err
			}
			p.Names = append(p.Names, n)
		}
		return p, nil
	}
	r := &bind.SliceRange{Reversed: contains(g.Words, "reversed")}
	if r.Start, err = g.bytes("start", class); err != nil {
		return p, err
	}
	if r.Finish, err = g.bytes("finish", class); err != nil {
		return p, err
	}
	n, err := g.number("count", defaultLimit)
	r.Count = int32(n)
	p.Range = r
	return p, err
}

// keyRange reads the bounds of get_range_slices.
func (g *arguments) keyRange(o *Operation) error {
	n, err := g.number("rows", defaultLimit)
	if err != nil {
		return err
	}
	o.Range.Count = int32(n)
	if t, ok := g.text("start_token"); ok {
		o.Range.StartToken = &t
	} else if o.Range.StartKey, err = g.bytes("start_key", g.keyClass(g.family)); err != nil {
		return err
	}
	if t, ok := g.text("end_token"); ok {
		o.Range.EndToken = &t
	} else if o.Range.EndKey, err = g.bytes("end_key", g.keyClass(g.family)); err != nil {
		return err
	}
	if o.Range.StartToken == nil {
		o.Range.StartKey = filled(o.Range.StartKey)
	}
	if o.Range.EndToken == nil {
		o.Range.EndKey = filled(o.Range.EndKey)
	}
	return nil
}

// clause reads the tests of get_indexed_slices: column=value, and words like
// 'born>=1970'.
func (g *arguments) clause(o *Operation) error {
	n, err := g.number("rows", defaultLimit)
	if err != nil {
		return err
	}
	o.Clause.Count = int32(n)
	if o.Clause.StartKey, err = g.bytes("start_key", g.keyClass(g.family)); err != nil {
		return err
	}
	var tests []string
	for k, v := range g.Named {
		if !contains(argumentNames["get_indexed_slices"], k) {
			tests = append(tests, k+"="+v)
		}
	}
	sort.Strings(tests)
	for _, w := range g.Words {
		if w != "reversed" && w != "where" && w != "and" {
			tests = append(tests, w)
		}
	}
	for _, t := range tests {
		x, err := g.test(t)
		if err != nil {
			return err
		}
		o.Clause.Expressions = append(o.Clause.Expressions, x)
	}
	return nil
}

func (g *arguments) test(text string) (x bind.IndexExpression, err error) {
	for _, op := range []string{">=", "<=", "=", ">", "<"} {
		name, value, ok := strings.Cut(text, op)
		if !ok || name == "" {
			continue
		}
		x.Op = operators[op]
		if x.Column, err = g.value(strings.TrimSpace(name), g.family.comparator); err != nil {
			return x, err
		}
		x.Value, err = g.value(strings.TrimSpace(value), g.family.valueClass(x.Column))
		return x, err
	}
	return x, fmt.Errorf("%q is no test of a column; write column=value or 'column>=value'", text)
}

// table makes the answer's rows.
func (g *arguments) table(a *answer.Answer, name string, res *Result) {
	switch {
	case strings.HasSuffix(name, "_count"):
		a.Columns = []answer.Column{{Name: "key", Type: "text"}, {Name: "count", Type: "int"}}
		a.Rows = [][]answer.Cell{}
		for i, row := range res.Rows {
			a.Rows = append(a.Rows, []answer.Cell{{Text: g.shown(g.keyClass(g.family), row.Key)}, {Text: strconv.Itoa(res.Counts[i])}})
		}
		return
	case res.View == nil:
		a.Message = ""
		return
	}
	super := res.View.Super && res.Outer
	a.Columns = []answer.Column{{Name: "key", Type: "text", Kind: "partition_key"}}
	for _, c := range []string{"super_column", "name", "value", "timestamp", "ttl"} {
		if c != "super_column" || super {
			a.Columns = append(a.Columns, answer.Column{Name: c, Type: "text"})
		}
	}
	a.Rows = [][]answer.Cell{}
	for _, row := range res.Rows {
		key := answer.Cell{Text: g.shown(g.keyClass(g.family), row.Key)}
		null := answer.Cell{Text: "null", Null: true}
		if row.Empty() && !strings.HasPrefix(name, "get_slice") {
			line := []answer.Cell{key}
			for len(line) < len(a.Columns) {
				line = append(line, null)
			}
			a.Rows = append(a.Rows, line)
		}
		for c := range row.Each() {
			a.Rows = append(a.Rows, g.line(key, null, c, super))
		}
	}
}

// line is one column of a row.
func (g *arguments) line(key, null answer.Cell, c *session.Cell, super bool) []answer.Cell {
	f := g.family
	line := append(make([]answer.Cell, 0, 6), key)
	class := f.comparator
	if c.Super != nil {
		class = f.sub
		if super {
			line = append(line, answer.Cell{Text: g.shown(f.comparator, c.Super)})
		}
	}
	line = append(line, answer.Cell{Text: g.shown(class, c.Name)})
	stamp, ttl := null, null
	if c.Counter {
		return append(line, answer.Cell{Text: strconv.FormatInt(types.DecodeInt64(c.Value), 10)}, stamp, ttl)
	}
	stamp = answer.Cell{Text: strconv.FormatInt(c.Timestamp, 10)}
	if c.TTL > 0 {
		ttl = answer.Cell{Text: strconv.Itoa(int(c.TTL))}
	}
	return append(line, answer.Cell{Text: g.shown(f.valueClass(c.Name), c.Value)}, stamp, ttl)
}

// shown is a value as its class shows it, in hex where it is none of the class.
func (g *arguments) shown(class *types.Comparator, b []byte) string {
	text, err := class.ClassicText(b)
	if err != nil {
		text, _ = types.ClassOf(types.Blob).ClassicText(b)
		return "0x" + text
	}
	return text
}
