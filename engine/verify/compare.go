package verify

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/engine/script"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// compare prints where two answers differ.
func (r *run) compare(it script.Item, mine, theirs *answer.Answer) error {
	calm(mine, theirs)
	left, right := lines(mine), lines(theirs)
	if equal(left, right) {
		r.outcome.Same++
		return nil
	}
	r.outcome.Different++
	_, err := fmt.Fprintf(r.Out, "%s:%d: %s\n--- ringlab\n+++ %s\n%s", r.file, it.Line, oneLine(it.Text), r.Target.Address, diff(left, right))
	return err
}

// lines are an answer as text: kinds of columns and order of rows count.
func lines(a *answer.Answer) []string {
	var out []string
	for _, w := range a.Warnings {
		out = append(out, "warning: "+w)
	}
	switch {
	case a.Error != nil && a.Error.Code == "0x2000": // the wording of syntax errors is not compared
		return append(out, "error 0x2000 "+place.FindString(a.Error.Message))
	case a.Error != nil:
		return append(out, "error "+a.Error.Code+" "+a.Error.Message)
	case a.Columns == nil:
		return append(out, "done")
	}
	var types []string
	for i, c := range a.Columns {
		types = append(types, c.Name+" "+unfrozen(c.Type))
		a.Columns[i].Kind = ""
	}
	out = append(out, strings.Join(types, ", "))
	if last := len(a.Columns) - 1; a.Columns[last].Name == "create_statement" {
		for _, row := range a.Rows {
			out = append(append(out, ""), strings.Split(row[last].Text, "\\n")...)
		}
		return out
	}
	plain := answer.Answer{Columns: a.Columns, Rows: a.Rows}
	return append(out, strings.Split(strings.TrimRight(render.Table(&plain, false), "\n"), "\n")...)
}

// place is where a syntax error is.
var place = regexp.MustCompile(`^line \d+:\d+`)

// unfrozen is a type without what the protocol does not tell.
func unfrozen(t string) string {
	for {
		i := strings.Index(t, "frozen<")
		if i < 0 {
			return t
		}
		depth, j := 1, i+len("frozen<")
		for ; j < len(t) && depth > 0; j++ {
			switch t[j] {
			case '<':
				depth++
			case '>':
				depth--
			}
		}
		t = t[:i] + t[i+len("frozen<"):j-1] + t[j:]
	}
}

// near is how far two clocks may be apart.
const near = time.Minute

// calm makes equal what cannot be: random identifiers, and times that were taken
// from both clocks at nearly the same moment.
func calm(mine, theirs *answer.Answer) {
	if mine.Error != nil || theirs.Error != nil || len(mine.Rows) != len(theirs.Rows) || len(mine.Columns) != len(theirs.Columns) || mine.Spec == nil || theirs.Spec == nil {
		return
	}
	for i := range mine.Rows {
		for j, c := range mine.Spec.Columns {
			if theirs.Spec.Columns[j].Type.Kind == c.Type.Kind && taken(c, mine.Values[i][j], theirs.Values[i][j]) {
				theirs.Rows[i][j] = mine.Rows[i][j]
			}
		}
	}
}

// taken says whether both values were made when they were asked for.
func taken(c plan.Selector, a, b []byte) bool {
	t := c.Type
	switch time, ok := c.Expr.(*plan.TimeExpr); {
	case ok && time.TTL && t.Kind == types.KindInt && len(a) == 4 && len(b) == 4:
		passed := int32(binary.BigEndian.Uint32(a)) - int32(binary.BigEndian.Uint32(b))
		return -2 <= passed && passed <= 2
	case a == nil || b == nil || len(a) != len(b):
		return false
	case (t.Kind == types.KindUUID || t.Kind == types.KindTimeUUID) && len(a) == 16:
		return a[6]>>4 == 4 && b[6]>>4 == 4 || a[6]>>4 == 1 && b[6]>>4 == 1 && isNear(uuidMicros(a), uuidMicros(b))
	case t.Kind == types.KindTimestamp && len(a) == 8:
		return isNear(int64(binary.BigEndian.Uint64(a))*1000, int64(binary.BigEndian.Uint64(b))*1000)
	}
	return false
}

// isNear says whether two times, µs, are both about now.
func isNear(a, b int64) bool {
	now := time.Now().UnixMicro()
	return max(a, b)-min(a, b) <= near.Microseconds() && max(now, a)-min(now, a) <= 10*near.Microseconds()
}

// uuidMicros is the time of a version 1 UUID, µs since 1970.
func uuidMicros(b []byte) int64 {
	return (int64(types.TimeUUIDTicks(b)) - int64(types.TicksOfMillis(0))) / 10
}

func equal(a, b []string) bool {
	return strings.Join(a, "\n") == strings.Join(b, "\n")
}

// around is how many equal lines are shown beside a difference.
const around = 2

// diff shows two texts as a unified diff of one hunk: what is equal at both ends
// is left out.
func diff(a, b []string) string {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	put := func(mark string, list []string) {
		for _, l := range list {
			out.WriteString(mark + l + "\n")
		}
	}
	first := max(head-around, 0)
	fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", first+1, len(a)-first-max(tail-around, 0), first+1, len(b)-first-max(tail-around, 0))
	put(" ", a[first:head])
	put("-", a[head:len(a)-tail])
	put("+", b[head:len(b)-tail])
	put(" ", a[len(a)-tail:len(a)-max(tail-around, 0)])
	return out.String()
}
