package classic

import (
	"strconv"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/types"
)

// cell is one column as the client prints it, behind the arrow or inside of a
// super column. inner is the class of names under outer ones, nil for others.
func (r *run) cell(f *known, row *session.CellRow, c *session.Cell) (string, error) {
	class := f.comparator
	if c.Super != nil {
		class = f.sub
	}
	name, err := class.ClassicText(c.Name)
	if err != nil {
		return "", complaint(err.Error())
	}
	if c.Counter {
		value := strconv.FormatInt(types.DecodeInt64(c.Value), 10)
		r.record(f, row, c, name, value)
		return "(counter=" + name + ", value=" + value + ")", nil
	}
	value, err := f.valueClass(c.Name).ClassicText(c.Value)
	if err != nil {
		return "", complaint(err.Error())
	}
	r.record(f, row, c, name, value)
	text := r.either("(column=", "(name=") + name + ", value=" + value + ", timestamp=" + strconv.FormatInt(c.Timestamp, 10)
	if c.TTL > 0 {
		text += ", ttl=" + strconv.Itoa(int(c.TTL))
	}
	return text + ")", nil
}

// cells prints the columns of a row and says how many there are; outer names
// count once, if they are shown.
// Source: Cassandra 2.1 CliClient.doSlice, printSliceList.
func (r *run) cells(f *known, row session.CellRow, outer bool) (int, error) {
	n := 0
	list := row.Cells()
	for i := range list {
		c := &list[i]
		if c.Super == nil || !outer {
			text, err := r.cell(f, &row, c)
			if err != nil {
				return n, err
			}
			r.line("=> %s", text)
			n++
			continue
		}
		if i == 0 || string(c.Super) != string(list[i-1].Super) {
			name, err := f.comparator.ClassicText(c.Super)
			if err != nil {
				return n, complaint(err.Error())
			}
			r.line("=> (super_column=%s,", name)
			n++
		}
		text, err := r.cell(f, &row, c)
		if err != nil {
			return n, err
		}
		if i+1 == len(list) || string(list[i+1].Super) != string(c.Super) {
			text += ")"
		}
		r.line("     %s", text)
	}
	return n, nil
}

// withKeys makes the answer's rows begin with the row's key.
func (r *run) withKeys() {
	r.columns = append([]answer.Column{{Name: "key", Type: "text"}}, r.header()...)
	r.rows = [][]answer.Cell{}
}

func (r *run) header() []answer.Column {
	var out []answer.Column
	for _, name := range []string{"super_column", "name", "value", "timestamp", "ttl"} {
		out = append(out, answer.Column{Name: name, Type: "text"})
	}
	return out
}

// record keeps a column for who asks for rows instead of text.
func (r *run) record(f *known, row *session.CellRow, c *session.Cell, name, value string) {
	if r.columns == nil {
		r.columns, r.rows = r.header(), [][]answer.Cell{}
	}
	cell := func(set bool, text string) answer.Cell {
		if !set {
			return answer.Cell{Text: "null", Null: true}
		}
		return answer.Cell{Text: text}
	}
	var line []answer.Cell
	if len(r.columns) == 6 {
		key := ""
		if row != nil {
			key, _ = r.keyClass(f).ClassicText(row.Key)
		}
		line = append(line, answer.Cell{Text: key})
	}
	super := ""
	if c.Super != nil {
		super, _ = f.comparator.ClassicText(c.Super)
	}
	line = append(line, cell(c.Super != nil, super), answer.Cell{Text: name}, answer.Cell{Text: value},
		cell(!c.Counter, strconv.FormatInt(c.Timestamp, 10)), cell(c.TTL > 0, strconv.Itoa(int(c.TTL))))
	r.rows = append(r.rows, line)
}
