package session

import "ringlab/engine/answer"

// Show adds the text of an answer that was made for a driver, for people.
func Show(a *answer.Answer) {
	if !a.Bytes || a.Spec == nil || a.Rows != nil {
		return
	}
	a.Rows = [][]answer.Cell{}
	for _, c := range a.Spec.Columns {
		a.Columns = append(a.Columns, answer.Column{Name: c.Name, Type: c.Type.WireName(), Kind: columnKind(c.Expr)})
	}
	var texts texts
	for _, row := range a.Values {
		cells := make([]answer.Cell, len(row))
		for i, v := range row {
			cells[i] = texts.cell(a.Spec.Columns[i].Type, v)
		}
		a.Rows = append(a.Rows, cells)
	}
}
