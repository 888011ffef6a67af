package bind

import (
	"fmt"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// mergeTokens joins two restrictions of the token.
// Source: Cassandra 5.0 TokenRestriction.doMergeWith.
func mergeTokens(r, o *restriction) (*restriction, error) {
	columns := names(r.columns)
	switch {
	case r.kind == equality:
		return nil, invalid("%s cannot be restricted by more than one relation if it includes an Equal", columns)
	case o.kind == equality:
		return nil, invalid("Columns \"%s\" cannot be restricted by both an equality and an inequality relation", columns)
	}
	return r.mergeBounds(o, columns, "More than one restriction was found for the %s bound on %s")
}

// processKey checks which partitions the statement is about.
// Source: Cassandra 5.0 StatementRestrictions.processPartitionKeyRestrictions.
func (w *where) processKey(v verb, filtering, queriable bool) error {
	if v != selecting {
		switch {
		case w.onToken():
			return invalid("The token function cannot be used in WHERE clauses for %s statements", v)
		case w.keyIncomplete():
			var missing []*schema.Column
			for _, c := range w.table.Key {
				if w.key.find(c) == nil {
					missing = append(missing, c)
				}
			}
			return invalid("Some partition key parts are missing: %s", names(missing))
		case w.key.slice:
			return invalid("Only EQ and IN relation are supported on the partition key (unless you use the token() function) for %s statements", v)
		}
		return nil
	}
	w.keyRange = w.onToken()
	if w.key.empty() && w.keyIncomplete() {
		w.keyRange, w.indexed = true, queriable
	}
	if w.keyNeedsFilter() {
		if !filtering && !queriable {
			return w.refuseScan()
		}
		w.keyRange, w.indexed = true, queriable
	}
	return nil
}

// keys are the partition keys that = and IN name, in order of their values.
// Source: Cassandra 5.0 PartitionKeySingleRestrictionSet.values, TokenFilter.values.
func (w *where) keys(env *Env) ([][]byte, error) {
	if r := w.key.only(); r != nil && w.token == nil && len(w.table.Key) == 1 {
		v, err := r.equal(env)
		if err != nil {
			return nil, err
		}
		keys := [][]byte{v}
		return keys, checkLengths(keys)
	}
	p := newPrefixes()
	var err error
	w.key.each(func(r *restriction) bool {
		err = r.appendTo(p, env)
		return err == nil && !p.missing
	})
	if err != nil || p.missing {
		return nil, err
	}
	if len(p.lists) > 1 {
		order := func(a, b [][]byte) int {
			for i, c := range w.table.Key {
				if o := c.Type.Compare(a[i], b[i]); o != 0 {
					if c.Desc { // in a view, of a column that the base has in descending order
						return -o
					}
					return o
				}
			}
			return 0
		}
		slices.SortStableFunc(p.lists, order)
		p.lists = slices.CompactFunc(p.lists, func(a, b [][]byte) bool { return order(a, b) == 0 })
	}
	keys := make([][]byte, 0, len(p.lists))
	for _, l := range p.lists {
		if err := checkLengths(l); err != nil {
			return nil, err
		}
		keys = append(keys, schema.PartitionKeyBytes(l))
	}
	if w.token != nil {
		return w.filterByToken(keys, env)
	}
	return keys, nil
}

// filterByToken drops the keys whose tokens a token restriction excludes.
// Source: Cassandra 5.0 TokenFilter.filter.
func (w *where) filterByToken(keys [][]byte, env *Env) ([][]byte, error) {
	var bounds [2]ring.Token
	if w.token.kind == equality {
		t, err := filterToken(w.token.value, env)
		if err != nil {
			return nil, err
		}
		bounds[start], bounds[end] = t, t
	}
	for i := range w.token.bounds {
		if !w.token.bounds[i].set {
			continue
		}
		t, err := filterToken(w.token.bounds[i].value, env)
		if err != nil {
			return nil, err
		}
		bounds[i] = t
	}
	single := w.token.kind == equality
	low, high := single || w.token.bounds[start].set, single || w.token.bounds[end].set
	var kept [][]byte
	for _, k := range keys {
		t := env.Partitioner.Token(k)
		above := !low || bounds[start].Less(t) || t == bounds[start] && w.token.isInclusive(start)
		below := !high || t.Less(bounds[end]) || t == bounds[end] && w.token.isInclusive(end)
		wraps := low && high && bounds[end].Less(bounds[start])
		if above && below || wraps && (above || below) {
			kept = append(kept, k)
		}
	}
	return kept, nil
}

// checkKey refuses what cannot be a partition key.
// Source: Cassandra 5.0 QueryProcessor.validateKey.
func checkKey(t *schema.Table, key []byte) error {
	switch {
	case len(key) == 0:
		return invalid("Key may not be empty")
	case len(key) > 0xffff:
		return invalid("Key length of %d is longer than maximum of %d", len(key), 0xffff)
	}
	if len(t.Key) == 1 && t.Key[0].Type.Kind == types.KindCustom { // other types take no constant that is no value
		if err := t.Key[0].Type.Validate(key); err != nil {
			return invalid("%s", err.Error())
		}
	}
	return nil
}

// checkLengths refuses components that are too long to be stored.
// Source: Cassandra 5.0 ClusteringPrefix.validate.
func checkLengths(components [][]byte) error {
	sum, long := 0, false
	for _, c := range components {
		sum += len(c)
		long = long || len(c) > 0xffff
	}
	if long || sum > 0xffff {
		return invalid("Key length of %d is longer than maximum of %d", sum, 0xffff)
	}
	return nil
}

// checkWidths refuses components that cannot be stored, which only a bound tuple has.
// Source: Cassandra 5.0 AbstractType.writeValue.
func checkWidths(t *schema.Table, components [][]byte) error {
	for i, c := range components {
		if n := t.Clustering[i].Type.FixedLen(); n >= 0 && len(c) > 0 && len(c) != n {
			return plan.Fault(fmt.Sprintf("java.lang.RuntimeException: java.io.IOException: Expected exactly %d bytes, but was %d", n, len(c)))
		}
	}
	return nil
}

// filterToken is a bound of the token beside a restricted key, where Cassandra
// does not look out for null. Source: Cassandra 5.0 TokenFilter.
func filterToken(t tupleTerm, env *Env) (ring.Token, error) {
	if v, unset, err := t.one[0].bind(env); v == nil && !unset && err == nil {
		return ring.Token{}, &plan.Error{Code: plan.ServerError, Message: "java.lang.NullPointerException"}
	}
	return tokenValue(t, env)
}

// tokenValue is a bound of the token.
func tokenValue(t tupleTerm, env *Env) (ring.Token, error) {
	v, unset, err := t.one[0].bind(env)
	if err != nil {
		return ring.Token{}, err
	}
	if unset || v != nil && len(v) == 0 {
		return ring.Token{}, &plan.Error{Code: plan.ServerError, Message: "java.lang.IndexOutOfBoundsException"}
	}
	if v == nil {
		return ring.Token{}, invalid("Invalid null token value")
	}
	return env.Partitioner.Parse(tokenType(env.Partitioner).Raw(v))
}

// rangeOf is the token range of a scan; none means that nothing can match.
// Source: Cassandra 5.0 StatementRestrictions.getPartitionKeyBounds.
func (w *where) rangeOf(env *Env) (r plan.TokenRange, none bool, err error) {
	if !w.onToken() {
		return r, false, nil
	}
	var at [2]ring.Token
	open := [2]bool{true, true}
	for b := range at {
		t := w.token.value
		if w.token.kind == interval {
			if !w.token.bounds[b].set {
				continue
			}
			t = w.token.bounds[b].value
		}
		if at[b], err = tokenValue(t, env); err != nil {
			return r, false, err
		}
		if open[b] = at[b] == env.Partitioner.Minimum(); open[b] {
			continue // as an end, too, the minimum closes the ring
		}
		v := tokenBytes(env.Partitioner, at[b])
		if b == start {
			r.Start, r.StartInclusive = v, w.token.isInclusive(start)
		} else {
			r.End, r.EndInclusive = v, w.token.isInclusive(end)
		}
	}
	if !open[start] && !open[end] {
		c := at[start].Compare(at[end])
		none = c > 0 || c == 0 && !(w.token.isInclusive(start) && w.token.isInclusive(end))
	}
	return r, none, nil
}
