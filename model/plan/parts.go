package plan

import "ringlab/model/schema"

// PartsOf are the elements that selectors ask for; whole are columns that are asked
// for beside them. Source: Cassandra 5.0 ElementsSelector.addFetchedColumns.
func PartsOf(selection []Selector, whole []*schema.Column) schema.Parts {
	var out schema.Parts
	full := map[uint16]bool{}
	for _, c := range whole {
		full[c.ID] = true
	}
	for i := range selection {
		addParts(selection[i].Expr, func(c *schema.Column, part *schema.Part) {
			if part == nil {
				full[c.ID] = true
				return
			}
			if out == nil {
				out = schema.Parts{}
			}
			out[c.ID] = append(out[c.ID], *part)
		})
	}
	for id := range full {
		delete(out, id)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// addParts tells add of each column that an expression reads: part is nil where it reads all of it.
func addParts(e Expr, add func(c *schema.Column, part *schema.Part)) {
	element := func(of Expr, part schema.Part) {
		if c, ok := of.(*ColumnExpr); ok && c.Column.Type.IsMultiCell() {
			add(c.Column, &part)
			return
		}
		addParts(of, add)
	}
	switch e := e.(type) {
	case *ColumnExpr:
		add(e.Column, nil)
	case *TimeExpr:
		if e.Of == nil {
			add(e.Column, nil)
			return
		}
		addParts(e.Of, add)
	case *ElementExpr:
		element(e.Of, schema.Part{From: e.Key, To: e.Key})
	case *SliceExpr:
		element(e.Of, schema.Part{From: e.From, To: e.To})
	case *FieldExpr:
		addParts(e.Of, add)
	case *CallExpr:
		for _, a := range e.Args {
			addParts(a, add)
		}
	case *AggregateExpr:
		if e.Arg != nil {
			addParts(e.Arg, add)
		}
		for _, a := range e.Args {
			addParts(a, add)
		}
	}
}
