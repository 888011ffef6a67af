package bind

import (
	"bytes"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

// prefixes grows clusterings, or partition keys, component by component: every
// IN multiplies them. Source: Cassandra 5.0 MultiCBuilder.
type prefixes struct {
	lists   [][][]byte
	missing bool // an empty IN: nothing can match
}

func newPrefixes() *prefixes { return &prefixes{lists: [][][]byte{nil}} }

// each appends every tuple of values to every prefix.
func (p *prefixes) each(values [][][]byte) {
	if len(values) == 0 {
		p.missing = true
		return
	}
	if len(values) == 1 {
		for i := range p.lists {
			p.lists[i] = append(p.lists[i], values[0]...)
		}
		return
	}
	grown := make([][][]byte, 0, len(p.lists)*len(values))
	for _, l := range p.lists {
		for _, v := range values {
			grown = append(grown, append(slices.Clip(l), v...))
		}
	}
	p.lists = grown
}

func hasNull(values [][][]byte) bool {
	for _, v := range values {
		for _, b := range v {
			if b == nil {
				return true
			}
		}
	}
	return false
}

// appendTo adds the values of an equality or membership.
// Source: Cassandra 5.0 Restriction.appendTo.
func (r *restriction) appendTo(p *prefixes, env *Env) error {
	if r.kind == equality {
		v, unset, err := r.value.bind(env)
		if err != nil {
			return err
		}
		for i, b := range v {
			if b == nil && !unset {
				if r.multi {
					return invalid("Invalid null value for column %s", r.columns[min(i, len(r.columns)-1)].Name)
				}
				return invalid("Invalid null value in condition for column %s", r.first().Name)
			}
		}
		if unset {
			return invalid("Invalid unset value for column %s", r.first().Name)
		}
		p.each([][][]byte{v})
		return nil
	}
	values, err := r.members(env)
	if err != nil {
		return err
	}
	if hasNull(values) {
		if r.multi {
			return invalid("Invalid null value in condition for columns: [%s]", names(r.columns))
		}
		return invalid("Invalid null value in condition for column %s", r.first().Name)
	}
	p.each(values)
	return nil
}

// only is the restriction of a single column by = where there is no other, which
// is the usual one.
func (s *restrictions) only() *restriction {
	if len(s.at) != 1 || s.at[0].kind != equality || s.at[0].multi || s.at[0].value.marker != nil || s.at[0].value.terms != nil {
		return nil
	}
	return s.at[0]
}

// equal is the value of such a restriction.
func (r *restriction) equal(env *Env) ([]byte, error) {
	v, unset, err := r.value.one[0].bind(env)
	switch {
	case err != nil:
		return nil, err
	case unset:
		return nil, invalid("Invalid unset value for column %s", r.first().Name)
	case v == nil:
		return nil, invalid("Invalid null value in condition for column %s", r.first().Name)
	}
	return v, nil
}

// boundMembers are the members of IN ?.
// Source: Cassandra 5.0 InRestrictionWithMarker of single and multiple columns.
func (r *restriction) boundMembers(env *Env) ([][][]byte, error) {
	elems, unset, ok, err := r.list.members(env)
	if err != nil {
		return nil, err
	}
	switch {
	case unset && r.multi:
		return nil, invalid("Invalid unset value for %s", r.list.spec.name)
	case unset:
		return nil, invalid("Invalid unset value for column %s", r.first().Name)
	case !ok && r.multi:
		return nil, invalid("Invalid null value for IN restriction")
	case !ok:
		return nil, invalid("Invalid null value for column %s", r.first().Name)
	}
	out := make([][][]byte, len(elems))
	for i, e := range elems {
		out[i] = [][]byte{e}
		if r.multi {
			if e == nil {
				return nil, &plan.Error{Code: plan.ServerError, Message: `java.lang.NullPointerException: Cannot invoke "java.nio.ByteBuffer.duplicate()" because "bytes" is null`}
			}
			out[i], _ = r.list.spec.typ.Elems[0].DecodeTuple(e)
		}
	}
	return out, nil
}

func names(cs []*schema.Column) string {
	var b bytes.Buffer
	for i, c := range cs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.Name)
	}
	return b.String()
}

// sliceCuts turns the prefixes into cuts where the last restriction is an
// interval. Source: Cassandra 5.0 MultiCBuilder.buildBoundForSlice.
func (p *prefixes) sliceCuts(r *restriction, b int) []schema.Cut {
	inclusive, other := r.isInclusive(b), r.isInclusive(end-b)
	offset := r.first().Position
	cuts := make([]schema.Cut, 0, len(p.lists))
	for i := 0; i < len(p.lists); i++ {
		l := p.lists[i]
		if len(l) == offset {
			cuts = append(cuts, cutAt(l, b, true))
			continue
		}
		if r.multi && len(l) <= r.last().Position && i+1 < len(p.lists) && slices.EqualFunc(l, p.lists[i+1], bytes.Equal) {
			cuts = append(cuts, cutAt(l, b, false), cutAt(l, b, true))
			i++
			continue
		}
		in := inclusive
		if r.columns[min(len(l)-1-offset, len(r.columns)-1)].Desc {
			in = other
		}
		cuts = append(cuts, cutAt(l, b, in))
	}
	return cuts
}
