package session

import (
	"slices"
	"strconv"
	"unsafe"

	"ringlab/engine/answer"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// printer writes the rows of an answer as text.
type printer struct {
	columns  []plan.Selector
	expected int // rows to come, about
	rows     [][]answer.Cell
	slab     []answer.Cell
	raw      bool // keep the bytes too
	bare     bool // keep nothing but the bytes
	values   [][][]byte
	pieces   [][]byte // slab of values
	last     [][]byte // row, whose texts are those of values that come again
	texts    texts
}

// give puts what was printed into an answer.
func (p *printer) give(a *answer.Answer, t *schema.Table) {
	if a.Values = p.values; p.bare {
		a.Spec = &answer.Spec{Keyspace: t.Keyspace, Table: t.Name, Columns: p.columns}
		return
	}
	if a.Rows = p.rows; a.Rows == nil {
		a.Rows = [][]answer.Cell{}
	}
	a.Columns = make([]answer.Column, len(p.columns))
	for i, s := range p.columns {
		a.Columns[i] = answer.Column{Name: s.Name, Type: s.Type.WireName()}
		if !a.LWT {
			a.Columns[i].Kind = columnKind(s.Expr)
		}
	}
}

// row adds one row.
func (p *printer) row(values [][]byte) {
	n := len(p.columns)
	if p.raw || p.bare {
		if len(p.pieces) < n {
			more := min(max(p.expected-len(p.values), 1), 1024)
			p.pieces = make([][]byte, n*more)
			p.values = slices.Grow(p.values, more)
		}
		piece := p.pieces[:n:n]
		p.pieces = p.pieces[n:]
		copy(piece, values)
		if p.values = append(p.values, piece); p.bare {
			return
		}
	}
	if len(p.slab) < n {
		more := min(max(p.expected-len(p.rows), 1), 1024)
		p.slab = make([]answer.Cell, n*more)
		p.rows = slices.Grow(p.rows, more)
	}
	cells := p.slab[:n:n]
	p.slab = p.slab[n:]
	if p.last == nil {
		p.last = make([][]byte, n)
	}
	for i, v := range values {
		if was := p.last[i]; len(v) > 0 && len(v) == len(was) && &v[0] == &was[0] { // of the key
			cells[i] = p.rows[len(p.rows)-1][i]
			continue
		}
		p.last[i] = v
		cells[i] = p.texts.cell(p.columns[i].Type, v)
	}
	p.rows = append(p.rows, cells)
}

// texts are the texts of an answer's cells: the short ones lie one behind the other
// in pieces of memory that they share.
type texts struct {
	piece []byte // what is left of the last piece lies between length and capacity
}

// pieceBytes is the size of the pieces, but for the first ones, which are smaller.
const pieceBytes = 4096

// cell is a value as cqlsh prints it.
func (x *texts) cell(t *types.Type, v []byte) answer.Cell {
	switch {
	case v == nil:
		return answer.Cell{Text: "null", Null: true}
	case t.Kind == types.KindText && printable(v):
		return answer.Cell{Text: x.keep(v)}
	case t.Kind == types.KindInt && len(v) == 4:
		return answer.Cell{Text: x.number(int64(types.DecodeInt32(v)))}
	case t.Kind == types.KindBigInt && len(v) == 8:
		return answer.Cell{Text: x.number(types.DecodeInt64(v))}
	}
	return answer.Cell{Text: t.Text(v)}
}

func (x *texts) number(n int64) string {
	if n >= 0 && n < 100 {
		return strconv.Itoa(int(n)) // which has them
	}
	var digits [20]byte
	return x.keep(strconv.AppendInt(digits[:0], n, 10))
}

// keep copies a text behind the others.
func (x *texts) keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if cap(x.piece)-len(x.piece) < len(b) {
		if len(b) > pieceBytes/8 {
			return string(b)
		}
		x.piece = make([]byte, 0, min(max(4*cap(x.piece), len(b)), pieceBytes))
	}
	at := len(x.piece)
	x.piece = append(x.piece, b...)
	return unsafe.String(&x.piece[at], len(b))
}

// printable says whether text is printed as it is: most is.
func printable(v []byte) bool {
	for _, b := range v {
		if b < ' ' || b > '~' || b == '\\' {
			return false
		}
	}
	return true
}
