package classic

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
)

// Batch runs set, del, incr and decr statements as one batch_mutate.
func (c *Client) Batch(text string) (*answer.Answer, error) {
	r := &run{Client: c, text: "batch_mutate", ans: &answer.Answer{}}
	m := map[string]map[string][]bind.Mutation{}
	for _, part := range split(text) {
		st, err := thrift.Parse(part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
		if err := r.mutation(m, st); err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf(":batch_mutate takes statements set, del, incr and decr, with a semicolon between two")
	}
	plain, counters, err := r.env().Batch(m, r.core.Current.CL, true)
	if err == nil {
		for _, w := range plain {
			w.Timestamp = nil
		}
		err = r.writes(plain, counters, false)
	}
	if err != nil && r.ans.Error == nil {
		r.ans.Error = refusal(err)
	}
	r.ans.Statement = ""
	return r.ans, nil
}

// split cuts statements at the semicolons outside of quotes.
func split(text string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '\'':
			quoted = !quoted
		case text[i] == ';' && !quoted:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	out = append(out, text[start:])
	kept := out[:0]
	for _, s := range out {
		if s = strings.TrimSpace(s); s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// mutation adds what a statement writes.
func (r *run) mutation(m map[string]map[string][]bind.Mutation, st thrift.Statement) error {
	add := func(p *path, one bind.Mutation) {
		if m[string(p.key)] == nil {
			m[string(p.key)] = map[string][]bind.Mutation{}
		}
		m[string(p.key)][p.family.name] = append(m[string(p.key)][p.family.name], one)
	}
	now := r.core.ClassicNow()
	switch s := st.(type) {
	case *thrift.Set:
		p, err := r.path(s.Access)
		if err != nil {
			return err
		}
		if p.column == nil {
			return complaint("a column is needed")
		}
		c := bind.Column{Name: p.column, Timestamp: &now}
		if c.Value, err = r.value(s.Value, p.family, p.column); err != nil {
			return err
		}
		if c.TTL, err = ttlOf(s); err != nil {
			return err
		}
		one := &bind.ColumnOrSuperColumn{Column: &c}
		if p.super != nil {
			one = &bind.ColumnOrSuperColumn{Super: &bind.SuperColumn{Name: p.super, Columns: []bind.Column{c}}}
		}
		add(p, bind.Mutation{Column: one})
	case *thrift.Incr:
		p, err := r.path(s.Access)
		if err != nil {
			return err
		}
		n := int64(1)
		if s.By != "" {
			if n, err = strconv.ParseInt(s.By, 10, 64); err != nil {
				return complain("'%s' is an invalid value, should be an integer.", s.By)
			}
		}
		if s.Down {
			n = -n
		}
		c := bind.CounterColumn{Name: p.column, Value: n}
		one := &bind.ColumnOrSuperColumn{Counter: &c}
		if p.super != nil {
			one = &bind.ColumnOrSuperColumn{CounterSuper: &bind.CounterSuperColumn{Name: p.super, Columns: []bind.CounterColumn{c}}}
		}
		add(p, bind.Mutation{Column: one})
	case *thrift.Del:
		p, err := r.path(s.Access)
		if err != nil {
			return err
		}
		d := &bind.Deletion{Timestamp: &now, Super: p.super}
		if p.column != nil {
			d.Predicate = &bind.SlicePredicate{Names: []bind.Bytes{p.column}}
		}
		add(p, bind.Mutation{Deletion: d})
	default:
		return fmt.Errorf("a batch takes set, del, incr and decr alone")
	}
	return nil
}
