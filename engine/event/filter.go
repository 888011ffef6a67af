package event

import (
	"fmt"
	"strconv"
	"strings"
)

// Filter takes some records: those that every term holds for. The zero value
// takes all.
type Filter struct{ terms []term }

type term struct {
	not  bool
	key  string // node, peer, kind, op, "" for text
	any  []string
	node []int
	ops  []uint64
}

// ParseFilter reads `node=n4 kind=hint,flush op=12 !kind=send timeout`: node, peer,
// kind and op take one of several values; a kind is meant by its beginning; a
// word alone is looked for in the record's line; ! turns a term around.
func ParseFilter(text string, node func(name string) (int, bool)) (*Filter, error) {
	f := &Filter{}
	for _, word := range strings.Fields(text) {
		t := term{}
		word, t.not = strings.CutPrefix(word, "!")
		key, value, named := strings.Cut(word, "=")
		if !named {
			if t.any = []string{strings.ToLower(word)}; word != "" {
				f.terms = append(f.terms, t)
			}
			continue
		}
		t.key, t.any = strings.ToLower(key), strings.Split(value, ",")
		for _, v := range t.any {
			switch t.key {
			case "node", "peer":
				n, ok := node(v)
				if !ok {
					return nil, fmt.Errorf("there is no node %q", v)
				}
				t.node = append(t.node, n)
			case "kind":
				if !startsKind(v) {
					return nil, fmt.Errorf("no kind of event begins with %q; the kinds are %s", v, strings.Join(Kinds(), ", "))
				}
			case "op":
				n, err := strconv.ParseUint(strings.TrimPrefix(v, "#"), 10, 64)
				if err != nil {
					return nil, fmt.Errorf("op takes the number of an operation, not %q", v)
				}
				t.ops = append(t.ops, n)
			default:
				return nil, fmt.Errorf("there is no %s= here: node=, peer=, kind=, op= and words are", key)
			}
		}
		f.terms = append(f.terms, t)
	}
	return f, nil
}

func startsKind(s string) bool {
	for _, n := range names {
		if s != "" && strings.HasPrefix(n, s) {
			return true
		}
	}
	return false
}

// Match says whether the filter takes a record; a nil one takes all.
func (f *Filter) Match(r *Record, name func(int) string) bool {
	if f == nil {
		return true
	}
	for i := range f.terms {
		if t := &f.terms[i]; t.holds(r, name) == t.not {
			return false
		}
	}
	return true
}

func (t *term) holds(r *Record, name func(int) string) bool {
	switch t.key {
	case "node", "peer":
		at := r.Node
		if t.key == "peer" {
			at = r.Peer
		}
		for _, n := range t.node {
			if n == at {
				return true
			}
		}
		return false
	case "kind":
		for _, k := range t.any {
			if strings.HasPrefix(r.Kind.String(), k) {
				return true
			}
		}
		return false
	case "op":
		for _, n := range t.ops {
			if n == r.Op {
				return true
			}
		}
		return false
	}
	return strings.Contains(strings.ToLower(r.Line(name)), t.any[0])
}
