package query

import (
	"bytes"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// eval computes an expression over a row; a nil row has nothing but null.
// Source: Cassandra 5.0 Selector.getOutput of each selector.
func (r *Runner) eval(e plan.Expr, row *Row) ([]byte, error) {
	switch x := e.(type) {
	case *plan.ColumnExpr:
		if row == nil {
			return nil, nil
		}
		return row.value(x.Column), nil
	case *plan.ConstExpr:
		return x.Value, nil
	case *plan.TimeExpr:
		if row == nil {
			return nil, nil
		}
		return r.times(x, row), nil
	case *plan.AggregateExpr:
		if x.New != nil {
			return r.group.folds[x].Result()
		}
		return r.group.aggregates[x].Result(), nil
	case *plan.CallExpr:
		args := make([][]byte, len(x.Args))
		for i, a := range x.Args {
			var err error
			if args[i], err = r.eval(a, row); err != nil {
				return nil, err
			}
		}
		return x.Eval(args)
	case *plan.ElementExpr:
		of, err := r.eval(x.Of, row)
		if err != nil || of == nil {
			return nil, err
		}
		return element(x.In, of, x.Key), nil
	case *plan.SliceExpr:
		of, err := r.eval(x.Of, row)
		if err != nil || of == nil {
			return nil, err
		}
		return slice(x, of), nil
	case *plan.FieldExpr:
		of, err := r.eval(x.Of, row)
		if err != nil || of == nil {
			return nil, err
		}
		if fields, _ := x.In.DecodeTuple(of); x.Index < len(fields) {
			return fields[x.Index], nil
		}
	}
	return nil, nil
}

// element is collection[key] of a set or map.
func element(t *types.Type, v, key []byte) []byte {
	if t.Kind == types.KindMap {
		kv, _ := types.DecodeMap(v)
		for i := 0; i+1 < len(kv); i += 2 {
			if t.Elems[0].Compare(kv[i], key) == 0 {
				return kv[i+1]
			}
		}
		return nil
	}
	elems, _ := types.DecodeCollection(v)
	for _, e := range elems {
		if t.Elems[0].Compare(e, key) == 0 {
			return e
		}
	}
	return nil
}

// within says whether a key lies between two inclusive bounds.
func within(t *types.Type, key, from, to []byte) bool {
	return (from == nil || t.Compare(key, from) >= 0) && (to == nil || t.Compare(key, to) <= 0)
}

// slice is collection[from..to]; an empty part of a non-frozen collection is
// null. Source: Cassandra 5.0 CollectionSerializer.getSliceFromSerialized.
func slice(x *plan.SliceExpr, v []byte) []byte {
	var out [][]byte
	if x.In.Kind == types.KindMap {
		kv, _ := types.DecodeMap(v)
		for i := 0; i+1 < len(kv); i += 2 {
			if within(x.In.Elems[0], kv[i], x.From, x.To) {
				out = append(out, kv[i], kv[i+1])
			}
		}
	} else {
		elems, _ := types.DecodeCollection(v)
		for _, e := range elems {
			if within(x.In.Elems[0], e, x.From, x.To) {
				out = append(out, e)
			}
		}
	}
	if len(out) == 0 && !x.In.Frozen {
		return nil
	}
	if x.In.Kind == types.KindMap {
		return types.EncodeMap(out)
	}
	return types.EncodeCollection(out)
}

// jsonRow is a row as one JSON object.
// Source: Cassandra 5.0 Selection.rowToJson.
func jsonRow(sel *plan.Select, values [][]byte) ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		if fault := sel.Selection[i].Type.JSONFault(v); fault != "" {
			return nil, plan.Fault(fault)
		}
		b.WriteString(types.JSONName(sel.Selection[i].Name))
		b.WriteString(": ")
		b.WriteString(sel.Selection[i].Type.JSON(v))
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// times is writetime, maxwritetime or ttl.
// Source: Cassandra 5.0 WritetimeOrTTLSelector, ColumnTimestamps.
func (r *Runner) times(x *plan.TimeExpr, row *Row) []byte {
	cells, t := row.cells(x.Column), x.Column.Type
	if !t.IsMultiCell() {
		if len(cells) == 0 || (x.Key != nil || x.Sliced) && !r.present(x, row) {
			return nil
		}
		return r.time(x, &cells[0])
	}
	var picked []*Cell
	if t.Kind == types.KindUDT {
		picked = make([]*Cell, len(t.Elems))
		if len(cells) == 0 {
			return nil
		}
		for i := range cells {
			picked[fieldOf(cells[i].Path)] = &cells[i]
		}
		if x.Key != nil {
			picked = picked[fieldOf(x.Key) : fieldOf(x.Key)+1]
		}
	} else {
		for i := range cells {
			p := cells[i].Path
			if x.Key == nil && !x.Sliced || x.Key != nil && bytes.Equal(p, x.Key) || x.Sliced && within(t.Elems[0], p, x.From, x.To) {
				picked = append(picked, &cells[i])
			}
		}
	}
	return r.timesOf(x, picked)
}

// present says whether the asked element, field or part of a frozen column exists.
func (r *Runner) present(x *plan.TimeExpr, row *Row) bool {
	v, _ := r.eval(x.Of, row)
	if x.Sliced {
		elems, _ := types.DecodeCollection(v) // the first elements of a map will do
		return len(elems) > 0
	}
	return v != nil
}

func (r *Runner) timesOf(x *plan.TimeExpr, cells []*Cell) []byte {
	if len(cells) == 0 {
		return nil
	}
	if x.Max {
		var best *Cell
		for _, c := range cells {
			if c != nil && (best == nil || c.Timestamp > best.Timestamp) {
				best = c
			}
		}
		return r.time(x, best)
	}
	if x.Key != nil {
		return r.time(x, cells[0])
	}
	parts := make([][]byte, len(cells))
	for i, c := range cells {
		parts[i] = r.time(x, c)
	}
	return types.EncodeCollection(parts)
}

// time is the timestamp or the remaining TTL of one cell; nil is null.
func (r *Runner) time(x *plan.TimeExpr, c *Cell) []byte {
	switch {
	case c == nil:
		return nil
	case !x.TTL:
		return types.EncodeInt64(c.Timestamp)
	case c.TTL == 0 || c.Expiry < r.now:
		return nil
	}
	return types.EncodeInt32(int32(c.Expiry - r.now))
}
