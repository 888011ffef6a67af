package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/types"
)

var jsonColumns = []plan.Selector{{Name: "[json]", Type: types.Text}}

// bindArgs turns the values of a @bind directive into those of markers.
func (s *session) bindArgs(env *bind.Env, st cql.Statement, text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var values []any
	if err := d.Decode(&values); err != nil {
		return err
	}
	p, err := bind.Prepare(st, env)
	if err != nil {
		return err
	}
	for i, v := range values {
		unset := false
		var b []byte
		if o, ok := v.(map[string]any); ok && o["unset"] == true {
			unset = true
		} else if p != nil && i < len(p.Variables) {
			b = encode(p.Variables[i].Type, v)
		}
		env.Args, env.Unset = append(env.Args, b), append(env.Unset, unset)
	}
	for p != nil && len(env.Args) < len(p.Variables) { // drivers leave the rest unset
		env.Args, env.Unset = append(env.Args, nil), append(env.Unset, true)
	}
	return nil
}

// encode makes a value of its JSON form in the golden files.
func encode(t *types.Type, v any) []byte {
	switch x := v.(type) {
	case nil:
		return nil
	case json.Number:
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
		return types.EncodeCollection(encodeAll(t.Elems[:1], x))
	case map[string]any:
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

// TestGoldenVariables compares what a client learns of prepared statements.
func TestGoldenVariables(t *testing.T) {
	s := newSession()
	n := 0
	for _, o := range load(t, "testdata/cql/bind-markers.json") {
		st, err := cql.Parse(o.CQL)
		if err == nil && o.Bind != nil && isDML(o.CQL) {
			p, err := bind.Prepare(st, &s.env)
			var refused *plan.Error
			if errors.As(err, &refused) && strings.HasPrefix(refused.Message, "ringlab does not support") {
				continue
			}
			if err != nil {
				t.Errorf("%d %s: %v", o.N, o.CQL, err)
				continue
			}
			var got, want bytes.Buffer
			for _, v := range p.Variables {
				fmt.Fprintln(&got, v.Name, v.Type.WireName())
			}
			for _, v := range o.Bind {
				fmt.Fprintln(&want, v.Name, v.Type)
			}
			if got.String() != want.String() || !slices.Equal(p.Key, o.PKIndexes) {
				t.Errorf("%d %s:\n%s%v\nwant\n%s%v", o.N, o.CQL, &got, p.Key, &want, o.PKIndexes)
			}
			n++
		}
		s.run(&o)
	}
	if n == 0 {
		t.Error("no prepared statement was compared")
	}
}
