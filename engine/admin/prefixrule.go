package admin

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/cql"
	"ringlab/model/schema"
	"ringlab/model/thrift/bind"
)

func init() {
	register(&Command{Name: "slices", Group: "classic", Usage: "ks.t", Run: prefixRule,
		Help: "what may be asked of a row: for each way to give its clustering columns the bounds of a slice, and what CQL says"})
}

// way is how a question gives one clustering column.
type way byte

const (
	unasked  way = iota // not at all
	oneValue            // one value
	ranged              // a range
)

// mostParts is how many clustering columns are combined: each has three ways.
const mostParts = 4

func prefixRule(ctx *Context, a Args) ([]*answer.Answer, error) {
	t, err := oneTable(ctx, a, byName["slices"])
	if err != nil {
		return nil, err
	}
	n := len(t.Clustering)
	if n == 0 {
		return message("%s has no clustering columns: a row of it is read whole, or by the names of its columns.", t), nil
	}
	if n > mostParts {
		return nil, fmt.Errorf("%s has %d clustering columns; :slices combines at most %d", t, n, mostParts)
	}
	var rows [][]string
	ways := make([]way, n)
	for {
		said := "allowed"
		if _, refused := ctx.Prepare(selectAsking(t, ways)); refused.Error != nil {
			said = refused.Error.Message
		}
		start, finish := bounds(t, ways)
		rows = append(rows, []string{question(t, ways), start, finish, stretch(t, ways), said})
		i := n - 1
		for i >= 0 && ways[i] == ranged {
			ways[i] = unasked
			i--
		}
		if i < 0 {
			return table("question start finish columns cql", rows), nil
		}
		ways[i]++
	}
}

// question is a way of asking in words.
func question(t *schema.Table, ways []way) string {
	var out []string
	for i, w := range ways {
		switch name := t.Clustering[i].Name; w {
		case oneValue:
			out = append(out, name)
		case ranged:
			out = append(out, name+".."+name)
		}
	}
	if len(out) == 0 {
		return "all"
	}
	return strings.Join(out, ", ")
}

// selectAsking is the SELECT of a way of asking.
func selectAsking(t *schema.Table, ways []way) string {
	var where []string
	for _, c := range t.Key {
		where = append(where, cql.QuoteName(c.Name)+" = ?")
	}
	for i, w := range ways {
		name := cql.QuoteName(t.Clustering[i].Name)
		switch w {
		case oneValue:
			where = append(where, name+" = ?")
		case ranged:
			where = append(where, name+" >= ?", name+" <= ?")
		}
	}
	return "SELECT * FROM " + cql.QuoteName(t.Keyspace) + "." + cql.QuoteName(t.Name) + " WHERE " + strings.Join(where, " AND ")
}

// single is how many components in front are given by one value.
func single(ways []way) int {
	n := 0
	for n < len(ways) && ways[n] == oneValue {
		n++
	}
	return n
}

// bounds are those of the narrowest slice that holds what is asked for: the
// components in front that have one value, and the range behind them. Of a
// range what follows stands in the bounds, too, and is no filter.
func bounds(t *schema.Table, ways []way) (start, finish string) {
	n := single(ways)
	var from, to []string
	for i := range n {
		from, to = append(from, t.Clustering[i].Name), append(to, t.Clustering[i].Name)
	}
	full := n
	for i := n; i < len(ways) && ways[i] != unasked; i++ {
		name := t.Clustering[i].Name
		low, high := name, name
		if ways[i] == ranged {
			low, high = name+"1", name+"2"
		}
		from, to, full = append(from, low), append(to, high), i+1
	}
	if full == 0 {
		return "", ""
	}
	finish = strings.Join(to, ":")
	if full < len(ways) || bind.ViewOf(t).CQL3 {
		finish += ":!"
	}
	return strings.Join(from, ":"), finish
}

// stretch says what such a slice gives.
func stretch(t *schema.Table, ways []way) string {
	n := single(ways)
	rest := ways[n:]
	if len(rest) > 0 && rest[0] == ranged {
		rest = rest[1:]
	}
	for _, w := range rest {
		if w != unasked {
			return "these and others between them"
		}
	}
	if n == len(ways) {
		return "one"
	}
	return "these alone"
}
