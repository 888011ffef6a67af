package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "xray", Group: "storage", Usage: "ks.table KEY", Help: "the bytes of a partition in the layouts of three eras, beside the formulas F1 and F2", Run: xray})
}

// xrayHeads are the columns of an x-ray.
const xrayHeads = "layout cells bytes a_row names how"

func xray(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 2 {
		return nil, usageError(byName["xray"])
	}
	t, key, err := tableAndKey(ctx, a.Words)
	if err != nil {
		return nil, err
	}
	_, rows, err := XRay(ctx.Core, t, key)
	if err != nil {
		return nil, err
	}
	return table(xrayHeads, rows), nil
}

// XRay is a partition's size in the layouts of 1.0, of 2.1 and since 3.0, and what
// the published formulas make of it: cells, bytes before compression, bytes a row,
// and the bytes of column names among them. It looks at the first replica that
// holds the partition.
func XRay(core *session.Core, t *schema.Table, key []byte) (heads []string, rows [][]string, err error) {
	c := core.Cluster
	token := c.Partitioner().Token(key)
	for _, node := range holders(core, t, key) {
		h := c.Store(node, t).Holding(string(key), token)
		row, ok := core.Atoms(node, t, key)
		if h.Part == nil || !ok {
			continue
		}
		values := 0
		for _, v := range t.SplitPartitionKey(key) {
			values += len(v)
		}
		lengths, err := applyFormulas(t, h.Part, values)
		if err != nil {
			return nil, nil, err
		}
		return strings.Fields(xrayHeads), append(eras(&h, row), lengths...), nil
	}
	return nil, nil, fmt.Errorf("no node holds partition %s of %s", t.KeyText(key), t)
}

// eras are the real sizes, layout by layout.
func eras(h *storage.Holding, row session.AtomRow) [][]string {
	names, columns := 0, 0
	for i := range row.Atoms {
		names += len(row.Atoms[i].Name) + len(row.Atoms[i].End)
		columns += row.Atoms[i].Bytes
	}
	each := func(bytes int64) string { return num(float64(bytes) / float64(max(h.Rows, 1))) }
	line := func(layout string, cells int, bytes int64, names, how string) []string {
		return []string{layout, num(float64(cells)), num(float64(bytes)), each(bytes), names, how}
	}
	k := len(row.Key)
	classic := int64(2 + k + 8 + 16 + columns)
	return [][]string{
		line("1.0, 1.2", len(row.Atoms), classic, num(float64(names)), fmt.Sprintf("2 + %d key + 8 size + 12 deletion + 4 number + %s columns of 15 + name + value (1.0: filter and index not counted)", k, num(float64(columns)))),
		line("2.1 (ka)", len(row.Atoms), int64(row.Bytes), num(float64(names)), fmt.Sprintf("2 + %d key + 12 deletion + %s columns + 2 end", k, num(float64(row.Bytes-16-k)))),
		line("3.0 to 5.0 (nb)", h.Cells, h.Bytes, "0", plural(h.Rows, "row")+"; the names of columns stand once a file"),
		line("5.0 (oa, da)", h.Cells, storage.FormatBytes(h.Part, storage.OA, h.Bytes), "0", "as nb; a partition that is not deleted says so in 1 byte, not 12"),
	}
}

// applyFormulas applies F1 and F2 to a partition whose key has that many bytes: values
// are averages over its rows.
func applyFormulas(t *schema.Table, p *storage.Partition, key int) ([][]string, error) {
	m := storage.Measure(t, p)
	rows := max(len(p.Rows), 1)
	text := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	count := func(n int) string { return strconv.Itoa(n) }
	var missing []string
	cells, err := cellsFormula(numbers{map[string]string{"rows": count(rows), "columns": count(len(t.Columns())), "key": count(len(t.Key)), "clustering": count(len(t.Clustering)), "static": count(len(t.Static))}, &missing})
	if err != nil {
		return nil, err
	}
	per := float64(len(t.Regular))
	printed := float64(rows)*(per+float64(len(t.Clustering))) + float64(len(t.Static)) // the deck's count of values
	sizes := func(values float64) ([][]string, error) {
		return bytesFormula(numbers{map[string]string{"rows": count(rows), "key": count(key), "regular": text(float64(m.Regular) / float64(rows)), "clustering": text(float64(m.Clustering) / float64(rows)),
			"static": text(float64(m.Static)), "values": text(values), "columns": text(per)}, &missing})
	}
	published, err := sizes(float64(rows)*per + float64(len(t.Static)))
	if err != nil {
		return nil, err
	}
	deck, err := sizes(printed)
	if err != nil {
		return nil, err
	}
	out := [][]string{
		{"F1 deck", cells[0][2], "", "", "", cells[0][1]},
		{"F1 full key", cells[1][2], "", "", "", cells[1][1]},
	}
	for i, line := range [][]string{published[0], deck[1]} {
		out = append(out, []string{[]string{"F2 published", "F2 as printed"}[i], "", line[2], perRow(line[2], rows), "", line[1]})
	}
	return out, nil
}

// perRow divides a number that num printed.
func perRow(text string, rows int) string {
	var digits []byte
	for i := range len(text) {
		if text[i] != ',' {
			digits = append(digits, text[i])
		}
	}
	v, err := strconv.ParseFloat(string(digits), 64)
	if err != nil {
		return ""
	}
	return num(v / float64(rows))
}
