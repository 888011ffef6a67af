package timeline

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
)

// Outcome is what one command answered, a line for each thing in it, without
// times: the same command gives the same lines where it came to the same.
type Outcome struct {
	N     int // number of the command on its branch
	Text  string
	Lines []string
}

// NewOutcome keeps the answers of a command.
func NewOutcome(n int, text string, answers []*answer.Answer) Outcome {
	o := Outcome{N: n, Text: text}
	for _, a := range answers {
		switch {
		case a.Error != nil:
			o.Lines = append(o.Lines, a.Error.Name+": "+a.Error.Message)
		case a.Columns != nil:
			o.Lines = append(o.Lines, count(len(a.Rows), "row"))
			for _, r := range a.Rows {
				o.Lines = append(o.Lines, rowText(r))
			}
		case a.Message != "":
			for line := range strings.SplitSeq(a.Message, "\n") {
				if !strings.HasPrefix(line, "Elapsed time: ") { // of cassandra-cli
					o.Lines = append(o.Lines, line)
				}
			}
		default:
			o.Lines = append(o.Lines, "ok")
		}
		for _, w := range a.Warnings {
			o.Lines = append(o.Lines, "warning: "+w)
		}
	}
	return o
}

func rowText(r []answer.Cell) string {
	cells := make([]string, len(r))
	for i, c := range r {
		if cells[i] = c.Text; c.Null {
			cells[i] = "null"
		}
	}
	return strings.Join(cells, " | ")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// clockwork are commands whose answers tell the time and nothing else.
var clockwork = map[string]bool{":advance": true, ":step": true, ":speed": true}

// Contrast says in a line each what two outcomes of one command differ in, and
// whether they do.
func Contrast(a, b Outcome) (left, right string, differ bool) {
	if word, _, _ := strings.Cut(a.Text, " "); clockwork[word] {
		return "", "", false
	}
	i := 0
	for i < len(a.Lines) && i < len(b.Lines) && a.Lines[i] == b.Lines[i] {
		i++
	}
	if i == len(a.Lines) && i == len(b.Lines) {
		return "", "", false
	}
	if i == 0 { // the counts of rows, or the answers themselves
		j := 1
		for j < len(a.Lines) && j < len(b.Lines) && a.Lines[j] == b.Lines[j] {
			j++
		}
		return a.first(j), b.first(j), true
	}
	return a.line(i), b.line(i), true
}

// first is the first line, with line i where that is another one.
func (o Outcome) first(i int) string {
	if len(o.Lines) == 0 {
		return "nothing"
	}
	if i < len(o.Lines) {
		return o.Lines[0] + ": " + o.Lines[i]
	}
	return o.Lines[0]
}

// line is line i; a shorter outcome has none.
func (o Outcome) line(i int) string {
	if i < len(o.Lines) {
		return o.Lines[i]
	}
	return "nothing more"
}

// Pair are the places of one command in two lists, -1 where one has none.
type Pair struct{ A, B int }

// Align pairs the same commands of two branches, in order: as many as can be,
// but for very long branches that parted far, where a command is paired with
// the next of its text.
func Align(a, b []Outcome) (out []Pair) {
	lo := 0
	for lo < len(a) && lo < len(b) && a[lo].Text == b[lo].Text {
		out = append(out, Pair{lo, lo})
		lo++
	}
	ha, hb := len(a), len(b)
	for ha > lo && hb > lo && a[ha-1].Text == b[hb-1].Text {
		ha, hb = ha-1, hb-1
	}
	out = append(out, middle(a, b, lo, ha, hb)...)
	for i := range len(a) - ha {
		out = append(out, Pair{ha + i, hb + i})
	}
	return out
}

const mostCells = 4 << 20 // of the table of common subsequences

func middle(a, b []Outcome, lo, ha, hb int) (out []Pair) {
	n, m := ha-lo, hb-lo
	next := map[string][]int{} // where a text stands in b, of those not passed yet
	for j := lo; j < hb; j++ {
		next[b[j].Text] = append(next[b[j].Text], j)
	}
	var common [][]int32 // length of the longest common part behind i, j
	if n*m <= mostCells {
		common = make([][]int32, n+1)
		for i := n; i >= 0; i-- {
			common[i] = make([]int32, m+1)
			for j := m - 1; j >= 0 && i < n; j-- {
				if common[i][j] = max(common[i+1][j], common[i][j+1]); a[lo+i].Text == b[lo+j].Text {
					common[i][j] = common[i+1][j+1] + 1
				}
			}
		}
	}
	j := lo
	for i := lo; i < ha; i++ {
		at := -1
		if common != nil {
			for k := j; k < hb && common[i-lo][k-lo] > common[i-lo+1][k-lo]; k++ {
				if a[i].Text == b[k].Text {
					at = k
					break
				}
			}
		} else {
			where := next[a[i].Text]
			for len(where) > 0 && where[0] < j {
				where = where[1:]
			}
			if next[a[i].Text] = where; len(where) > 0 {
				at = where[0]
			}
		}
		if at < 0 {
			out = append(out, Pair{i, -1})
			continue
		}
		for ; j < at; j++ {
			out = append(out, Pair{-1, j})
		}
		out = append(out, Pair{i, at})
		j = at + 1
	}
	for ; j < hb; j++ {
		out = append(out, Pair{-1, j})
	}
	return out
}

// Short is an outcome in a line.
func (o Outcome) Short() string { return o.first(1) }
