package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "map", Group: "classic", Usage: "ks.t [KEY [cost]] [columns=10]", Run: showMap, Words: []string{"cost"},
		Help: "a table as Map<RowKey, SortedMap<ColumnName, Value>>: its rows in the order of the ring; one row with the slice in hand; cost counts columns"})
}

func showMap(ctx *Context, a Args) ([]*answer.Answer, error) {
	columns := 10
	if text, ok := a.Named["columns"]; ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("columns takes a whole number from 1, not %q", text)
		}
		columns = n
	}
	for k := range a.Named {
		if k != "columns" {
			return nil, fmt.Errorf(":map has no argument %s; it takes columns", k)
		}
	}
	words := a.Words
	cost := len(words) == 3 && words[2] == "cost"
	switch {
	case len(words) == 1:
		return ctx.mapRows(words[0], columns)
	case len(words) != 2 && !cost:
		return nil, usageError(byName["map"])
	}
	t, key, err := tableAndKey(ctx, words[:2])
	if err != nil {
		return nil, err
	}
	n, ok := ctx.Nested(t, key)
	switch {
	case !ok:
		return message("No node holds that row."), nil
	case cost:
		return ctx.mapCost(t, &n), nil
	}
	return ctx.mapRow(t, &n, columns), nil
}

// mapRow lists the columns of a row with what the slice in hand did with them.
func (ctx *Context) mapRow(t *schema.Table, n *session.Nested, most int) []*answer.Answer {
	show := session.Boxes(t)
	var rows [][]string
	for i := range n.Columns {
		c := &n.Columns[i]
		if len(rows) == most {
			rows = append(rows, []string{"…", fmt.Sprintf("%s more", num(float64(len(n.Columns)-most))), "", "", ""})
			break
		}
		b := show(c)
		line := []string{b.Name, b.Value, strconv.Itoa(c.Bytes), "", c.Kind}
		switch {
		case c.Returned:
			line[3] = "returned"
		case c.Sliced:
			line[3] = "read"
		}
		if b.Super != "" {
			line[0] = b.Super + " › " + b.Name
		}
		rows = append(rows, line)
	}
	out := table("name value bytes slice kind", rows)
	text := fmt.Sprintf("%s of %s, in the order of %s.", plural(len(n.Columns), "column"), ctx.Cluster.Nodes[n.Node].Name, session.OrderOf(t))
	if kinds := session.NameKinds(t, n.Columns); len(kinds) > 1 {
		text += fmt.Sprintf(" Names of %d kinds share the row: %s; a slice mixes them: split the family into one for each.", len(kinds), strings.Join(kinds, ", "))
	}
	return append(out, message("%s", text)...)
}

// mapCost counts the columns that the slice in hand needed.
func (ctx *Context) mapCost(t *schema.Table, n *session.Nested) []*answer.Answer {
	var rows [][]string
	for _, c := range n.Costs() {
		rows = append(rows, []string{c.What, strconv.Itoa(c.Columns), strconv.Itoa(c.Bytes)})
	}
	if kinds := session.NameKinds(t, n.Columns); len(kinds) > 1 {
		rows = append(rows, []string{"kinds of names", strconv.Itoa(len(kinds)), ""})
	}
	out := table("what columns bytes", rows)
	if !n.InHand {
		return append(out, message("The last read was of another row; read this one, and look again.")...)
	}
	return append(out, message("Deserialised: what a file of 1.x gives, blocks of 64 KB read whole, super columns uncut.")...)
}

// mapRows lists rows in the order of the ring.
func (ctx *Context) mapRows(name string, most int) ([]*answer.Answer, error) {
	t, err := ctx.Table(name)
	if err != nil {
		return nil, err
	}
	show := session.Boxes(t)
	var rows [][]string
	for _, r := range ctx.RowsOf(t) {
		n, ok := ctx.Nested(t, []byte(r.Key))
		if !ok {
			continue
		}
		var boxes []string
		last := ""
		for i := range n.Columns {
			if i == most {
				boxes = append(boxes, "…")
				break
			}
			b := show(&n.Columns[i])
			text := b.Name + ": " + b.Value
			if b.Super != "" && b.Super != last {
				text = b.Super + " › " + text
			}
			last = b.Super
			boxes = append(boxes, text)
		}
		rows = append(rows, []string{t.KeyText([]byte(r.Key)), strconv.Itoa(len(n.Columns)), "{" + strings.Join(boxes, ", ") + "}",
			ctx.Cluster.Nodes[n.Node].Name, ctx.Cluster.Partitioner().Format(r.Token)})
	}
	out := table("key columns map node token", rows)
	return append(out, message("Map<RowKey, SortedMap<ColumnName, Value>>: rows in the order of their %s, columns in that of %s.", ctx.RowOrder(), session.OrderOf(t))...), nil
}
