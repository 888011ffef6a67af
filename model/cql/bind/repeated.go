package bind

import (
	"reflect"
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Repeated is an INSERT of plain literals that was parsed and bound once. Another
// one with the same text before its values means the same with other values, and
// needs neither.
type Repeated struct {
	head     string // up to the parenthesis before the values
	schema   *schema.Schema
	keyspace string
	classic  bool
	columns  []*schema.Column // of the values
	write    plan.Write       // the first of them
}

// NewRepeated is what can be repeated of a statement that was bound in that
// environment; nil for most.
func NewRepeated(text string, st cql.Statement, p plan.Plan, env *Env) *Repeated {
	s, ok := st.(*cql.Insert)
	w, written := p.(*plan.Write)
	if !ok || !written || len(s.Values) != len(s.Columns) || s.IfNotExists || len(s.Markers) > 0 || env.Guard != nil ||
		len(w.Table.Indexes) > 0 || w.Table.Family != nil || w.If != nil || w.Refused != nil || len(w.Keys) != 1 || len(w.Rows) != 1 {
		return nil
	}
	r := &Repeated{schema: env.Schema, keyspace: env.Keyspace, classic: env.Classic, write: *w}
	for i, n := range s.Columns {
		c := w.Table.Column(n.Text)
		if _, literal := s.Values[i].(*cql.Constant); !literal || c == nil || c.Kind == schema.Static || c.Type.Kind >= types.KindList || c.Type.IsCounter() {
			return nil
		}
		r.columns = append(r.columns, c)
	}
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '(')
		if next < 0 {
			return nil
		}
		at += next
		if r.head = text[:at+1]; strings.ContainsAny(r.head, "'\"$-/") { // whatever may hide a parenthesis
			return nil
		}
		if again := r.Write(text, env); again != nil && reflect.DeepEqual(again, w) {
			return r
		}
	}
}

// Begins says whether a text begins as the INSERT does.
func (r *Repeated) Begins(text string) bool { return strings.HasPrefix(text, r.head) }

// Write is what a text means in that environment if it repeats the INSERT, and
// if its values are such as need no second look; else nil.
func (r *Repeated) Write(text string, env *Env) *plan.Write {
	if !r.Begins(text) || env.Schema != r.schema || env.Keyspace != r.keyspace || env.Classic != r.classic || env.Guard != nil {
		return nil
	}
	t := r.write.Table
	out := &struct {
		plan.Write
		keys, rows [1][]byte
	}{Write: r.write}
	out.Keys, out.Rows = out.keys[:], out.rows[:]
	out.Cells = slices.Clone(r.write.Cells)
	var few [8][]byte
	primary := append(few[:0], make([][]byte, len(t.Key)+len(t.Clustering))...)
	cell, rest := 0, text[len(r.head):]
	for i, c := range r.columns {
		kind, word, after, ok := literal(rest)
		if !ok || !c.Type.Accepts(kind) || (i == len(r.columns)-1) != (after[0] == ')') {
			return nil
		}
		v, err := c.Type.FromConstant(kind, word)
		if err != nil {
			return nil
		}
		if v == nil {
			v = []byte{}
		}
		switch c.Kind {
		case schema.PartitionKey:
			primary[c.Position] = v
		case schema.Clustering:
			primary[len(t.Key)+c.Position] = v
		default:
			if cell == len(out.Cells) {
				return nil
			}
			out.Cells[cell].Value = v
			cell++
		}
		rest = after[1:]
	}
	if strings.TrimLeft(rest, " ") != "" || cell != len(out.Cells) {
		return nil
	}
	sum := 0
	for _, v := range primary {
		if sum += len(v); len(v) == 0 {
			return nil // allowed in some places and refused in others
		}
	}
	if sum > 0xffff-3*len(primary) { // refused, or not far from it
		return nil
	}
	out.keys[0] = schema.PartitionKeyBytes(primary[:len(t.Key)])
	out.rows[0] = schema.PackClustering(primary[len(t.Key):])
	return &out.Write
}

// literal reads a string or a whole number, and what follows it from the next
// comma or closing parenthesis on. It knows no text that the lexer reads in
// another way, and few of those that it reads in this.
func literal(s string) (kind types.ConstKind, text, after string, ok bool) {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) {
		return 0, "", "", false
	}
	start, end := i, 0
	if s[i] == '\'' {
		kind, start = types.ConstString, i+1
		for i++; i < len(s) && s[i] >= ' ' && s[i] <= '~' && s[i] != '\''; i++ {
		}
		if end = i; i == len(s) || s[i] != '\'' {
			return 0, "", "", false
		}
		i++
	} else {
		kind = types.ConstInteger
		if s[i] == '-' {
			i++
		}
		digits := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if end = i; end == digits {
			return 0, "", "", false
		}
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) || s[i] != ',' && s[i] != ')' {
		return 0, "", "", false
	}
	return kind, s[start:end], s[i:], true
}
