package engine_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/types"
)

// prepared runs a statement as a client does that prepares it: with the values
// of its @bind directive and page by page, as its @page directive says. It checks
// what the client learns of the statement, and joins the pages.
func (r *cqlRun) prepared(s *cqlStatement, values string, differ func(what string, got, want any)) *answer.Answer {
	p, a := r.lab.Prepare(s.CQL)
	if p == nil {
		return a
	}
	var v session.Values
	if values != "" {
		v = bound(p, values, differ)
	}
	if s.Bind != nil {
		var variables []answer.Column
		for _, x := range p.Meta.Variables {
			variables = append(variables, answer.Column{Name: x.Name, Type: x.Type.WireName()})
		}
		differ("variables", variables, s.Bind)
		differ("partition key variables", p.Meta.Key, s.PKIndexes)
	}
	fmt.Sscan(s.Directives["page"], &v.Page.Size)
	all := r.lab.Execute(p, v)
	pages := []int{len(all.Rows)}
	for last := all; last.More; {
		v.Page.State = last.State
		last = r.lab.Execute(p, v)
		pages = append(pages, len(last.Rows))
		all.Rows, all.Values, all.Warnings = append(all.Rows, last.Rows...), append(all.Values, last.Values...), append(all.Warnings, last.Warnings...)
		if last.Error != nil {
			return last
		}
	}
	if s.Pages != nil {
		differ("pages", pages, s.Pages)
	}
	return all
}

// bound are the values of a @bind directive.
func bound(p *session.Prepared, text string, differ func(what string, got, want any)) session.Values {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var values []any
	if err := d.Decode(&values); err != nil {
		differ("directive", err.Error(), text)
	}
	var v session.Values
	for i, x := range values {
		unset := false
		var b []byte
		if o, ok := x.(map[string]any); ok && o["unset"] == true {
			unset = true
		} else if i < len(p.Meta.Variables) {
			b = encode(p.Meta.Variables[i].Type, x)
		}
		v.Args, v.Unset = append(v.Args, b), append(v.Unset, unset)
	}
	for len(v.Args) < len(p.Meta.Variables) { // drivers leave the rest unset
		v.Args, v.Unset = append(v.Args, nil), append(v.Unset, true)
	}
	return v
}

// encode makes a value of its JSON form in the golden files.
func encode(t *types.Type, v any) []byte {
	switch x := v.(type) {
	case nil:
		return nil
	case json.Number:
		if t.IsCounter() {
			t = types.BigInt
		}
		b, _ := t.FromString(x.String())
		return b
	case bool:
		return types.EncodeBool(x)
	case string:
		if t.Kind == types.KindBlob {
			x = strings.TrimPrefix(x, "0x")
		}
		b, _ := t.FromString(x)
		return b
	case []any:
		elems := encodeAll(t.Elems[:1], x)
		if t.Kind == types.KindVector {
			return t.EncodeVector(elems)
		}
		return types.EncodeCollection(elems)
	case map[string]any:
		if text, ok := x["hex"].(string); ok {
			b, _ := hex.DecodeString(text)
			return append([]byte{}, b...)
		}
		for form, inner := range x {
			list := inner.([]any)
			switch form {
			case "set":
				return types.EncodeCollection(t.Elems[0].SortUnique(encodeAll(t.Elems[:1], list)))
			case "tuple":
				return types.EncodeTuple(encodeAll(t.Elems, list))
			case "map":
				var kv [][]byte
				for _, e := range list {
					kv = append(kv, encodeAll(t.Elems, e.([]any))...)
				}
				return types.EncodeMap(kv)
			}
		}
	}
	return nil
}

func encodeAll(ts []*types.Type, vs []any) [][]byte {
	out := make([][]byte, len(vs))
	for i, v := range vs {
		out[i] = encode(ts[i%len(ts)], v)
	}
	return out
}
