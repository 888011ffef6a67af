package tui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// paintTable writes the nodes with what they own, and below them balance,
// levels and legend as far as there is room. x and y say where c lies.
func (p *ringPane) paintTable(sc *Scene, c *draw.Canvas, x, y int) {
	v := sc.V
	order := map[int]view.Replica{}
	if v.Selection != nil {
		for _, r := range v.Selection.Replicas {
			order[r.Node] = r
		}
	}
	name := 5
	for i := range min(len(v.Nodes), 64) {
		name = max(name, draw.Width(v.Nodes[i].Name)+3)
	}
	name = min(name, max(c.W/3, 5))
	cols := []int{name + 6, name + 12, name + 18}
	detail := name + 20
	c.Put(0, 0, Dim, "node")
	for i, h := range []string{"own", "load", "rows"} {
		c.Right(cols[i], 0, Dim, h)
	}
	c.PutIn(detail, 0, c.W-detail, Dim, pick(c.W-detail > 6, "state", "st"))
	below := p.below(sc, c.W)
	rows := min(len(v.Nodes), c.H-1)
	if len(below) > 0 && c.H-1-rows < len(below) {
		rows = max(min(rows, c.H-1-len(below)), min(rows, max((c.H-1)/2, 6), c.H-1))
	}
	p.rows, p.tableX, p.tableY = rows, x, y+1
	p.list.clamp(len(v.Nodes), rows)
	for i := range rows {
		n := p.list.top + i
		node := &v.Nodes[n]
		row := 1 + i
		c.PutIn(0, row, name-2, nodeStyle(n)|draw.Bold, node.Name)
		if r, ok := order[n]; ok {
			_, style := replicaMark(v, r)
			c.Put(name-2, row, style|draw.Bold, strconv.Itoa(r.Order))
		}
		c.Right(cols[0], row, Text, strconv.FormatFloat(node.Owns*100, 'f', 1, 64)+"%")
		c.Right(cols[1], row, Text, draw.Bytes(node.LoadBytes))
		c.Right(cols[2], row, Text, draw.Count(node.Rows))
		p.state(c, sc, n, order, detail, row)
		if sc.Focused && n == p.list.cur {
			c.Restyle(0, row, c.W, Select)
		}
	}
	if len(v.Nodes) > rows {
		c.Right(c.W, 0, Dim, fmt.Sprintf(" %d/%d", p.list.cur+1, len(v.Nodes)))
	}
	for i, l := range below {
		if 1+rows+i >= c.H {
			break
		}
		if l == nil {
			rule(c, 1+rows+i)
			continue
		}
		l.Paint(c, 0, 1+rows+i, c.W)
	}
}

func (p *ringPane) state(c *draw.Canvas, sc *Scene, n int, order map[int]view.Replica, x, y int) {
	node := &sc.V.Nodes[n]
	word, style := stateWord(node)
	room := c.W - x
	if r, ok := order[n]; ok && node.Up && (r.State == "stale" || r.State == "missing") {
		word, style = pick(room > 6, "≈ "+r.State, "≈"), Stale
	}
	if c.ASCII && word == "≈" {
		word = "s"
	}
	if room < 4 {
		mark, _ := stateMark(node)
		word = pick(word == "≈" || word == "s" || word == "up", word, mark)
	}
	detail := node.Detail
	if since, ok := strings.CutPrefix(detail, "down for "); ok && room > 6 { // DOWN for 19s
		word, detail = word+" for "+since, ""
	}
	at := c.PutIn(x, y, room, style, word)
	if detail != "" && c.W-at > 8 {
		c.PutIn(at+2, y, c.W-at-2, Dim, detail)
	}
}

// below is what stands under the node table, most useful first; nil is a rule.
func (p *ringPane) below(sc *Scene, w int) []draw.Spans {
	v := sc.V
	lines := []draw.Spans{nil}
	add := func(style draw.Style, text string) { lines = append(lines, draw.Spans{{Text: text, Style: style}}) }
	if s := v.Selection; s != nil && s.Err != "" {
		add(Error, s.Err)
	} else if s != nil && s.Token != "" {
		add(Text, pick(w >= 44, "key token "+s.Token+" in "+s.RangeText, "key "+s.Token))
		lines = append(lines, levelLines(s, w)...)
		lines = append(lines, nil)
	}
	lines = append(lines, draw.Spans{balanceLine(v)})
	var waiting int64
	for i := range v.Nodes {
		waiting += v.Nodes[i].Hints
	}
	add(pick(waiting > 0, Warn, Text), "hints     "+draw.Thousands(waiting)+pick(waiting > 0, " waiting", ""))
	shown := 0
	for i := range v.Nodes {
		if n := &v.Nodes[i]; n.Detail != "" && w < 36 && shown < 2 {
			shown++
			add(Warn, fmt.Sprintf("%-9s %s", n.Name, n.Detail))
		}
	}
	lines = append(lines, nil)
	for _, l := range []string{"◆ key    thick arc: range", "◉ replica, 1 2 3 = order", "≈ replica with old data", "● up     ✕ down", "",
		"enter node  x kill/revive", "t strip  p placement  e why", "+ add node  - remove node"} {
		if l == "" {
			lines = append(lines, nil)
		} else {
			lines = append(lines, ringHints(l))
		}
	}
	return lines
}

// ringHints are hints beside each other; what explains a sign is none.
func ringHints(line string) draw.Spans {
	var out draw.Spans
	for i, h := range strings.Split(line, "  ") {
		if i > 0 {
			out = append(out, draw.Line{Text: "  ", Style: Dim})
		}
		if first, _ := utf8.DecodeRuneInString(h); first > 0x7f {
			out = append(out, draw.Line{Text: h, Style: Dim})
		} else {
			out = append(out, hintSpans(h)...)
		}
	}
	return out
}

// levelLines say what each consistency level could do now, as many a line as fit.
func levelLines(s *view.Selection, w int) []draw.Spans {
	var out []draw.Spans
	room := 0
	for _, l := range s.Levels {
		word := draw.Line{Text: l.CL + " ok", Style: OK}
		if !l.OK {
			word = draw.Line{Text: fmt.Sprintf("%s ⊘ %d/%d", l.CL, l.Alive, l.Required), Style: Warn}
		}
		if need := draw.Width(word.Text); len(out) == 0 || need+2 > room {
			out = append(out, draw.Spans{word})
			room = w - need
		} else {
			out[len(out)-1] = append(out[len(out)-1], draw.Line{Text: "  "}, word)
			room -= need + 2
		}
	}
	return out
}

func balanceLine(v *view.View) draw.Line {
	var sum, most int64
	for i := range v.Nodes {
		sum += v.Nodes[i].LoadBytes
		most = max(most, v.Nodes[i].LoadBytes)
	}
	if sum == 0 {
		for i := range v.Nodes {
			if v.Nodes[i].Rows > 0 {
				return draw.Line{Text: "balance   nothing flushed", Style: Text}
			}
		}
		return draw.Line{Text: "balance   no data yet", Style: Text}
	}
	ratio := float64(most) * float64(len(v.Nodes)) / float64(sum)
	return draw.Line{Text: fmt.Sprintf("balance   max/avg  %.2f", ratio), Style: pick(ratio > 1.5, Warn, Text)}
}
