package tui

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// ringPane shows the token ring and its nodes.
type ringPane struct {
	list   list
	rows   int        // node rows painted
	tableX int        // where the node table begins
	tableY int        // first node row
	hits   []draw.Hit // node names around the ring
	cache  ringCache

	mode      string // "" the ring, "strip" or "placement"
	strip     stripPicture
	placement placementPicture
}

// Place is what the pane's own keys belong to.
func (p *ringPane) Place() string { return pick(p.mode == "", "Ring", p.mode) }

// ringCache keeps the painted circle until the picture it shows changes.
type ringCache struct {
	key    string
	canvas draw.Canvas
	hits   []draw.Hit
}

func (p *ringPane) Title(sc *Scene) (string, string) {
	right := fmt.Sprintf("%d nodes  %d tokens", len(sc.V.Nodes), sc.V.Entries)
	if s := sc.V.Selection; s != nil && s.Key != "" {
		right = showKey(s.Key) + " →"
		for _, r := range s.Replicas {
			right += " " + nodeName(sc.V, r.Node)
		}
		if len(right) > 48 {
			right = showKey(s.Key) + fmt.Sprintf(" → %d replicas", len(s.Replicas))
		}
	}
	switch p.mode {
	case "strip":
		return "2 Ring: strip", fmt.Sprintf("%d nodes  %d tokens", len(sc.V.Nodes), sc.V.Entries)
	case "placement":
		return "2 Ring: placement", right
	}
	return "2 Ring", right
}

func (p *ringPane) Keys(*Scene) []string {
	switch p.mode {
	case "strip":
		return []string{"strip.in", "strip.close", "strip.out", "strip.compare", "explain"}
	case "placement":
		return []string{"placement.lose", "placement.close", "explain", "placement.simple", "placement.key"}
	}
	return []string{"ring.kill", "ring.placement", "ring.strip", "explain", "open", "ring.add", "ring.remove"}
}

func (p *ringPane) Paint(sc *Scene, c *draw.Canvas) {
	p.hits = nil
	if len(sc.V.Nodes) == 0 {
		c.PutIn(2, 1, c.W-3, Dim, "No ring yet. Console: :ring new dc1=3")
		return
	}
	p.list.cur = min(p.list.cur, len(sc.V.Nodes)-1)
	switch {
	case p.mode == "strip":
		p.strip.paint(sc, c)
	case p.mode == "placement":
		p.placement.paint(sc, c)
	case c.W >= 58:
		right := max(28, min(c.W*2/5, 46))
		if c.H < 16 {
			right = max(28, c.W-c.H*5/2-8)
		}
		left := c.W - right
		p.paintRing(sc, c.Sub(0, 0, left-1, c.H), 0, 0)
		p.paintTable(sc, c.Sub(left, 0, right-1, c.H), left, 0)
	case c.H >= 20:
		top := min(c.H*11/20, c.W/2)
		p.paintRing(sc, c.Sub(0, 0, c.W, top), 0, 0)
		p.paintTable(sc, c.Sub(1, top, c.W-2, c.H-top), 1, top)
	default:
		p.paintTable(sc, c.Sub(1, 0, c.W-2, c.H), 1, 0)
	}
}

// replicaMark is the numbered mark of a replica: ◉1, ≈2, ✕3.
func replicaMark(v *view.View, r view.Replica) (string, draw.Style) {
	switch {
	case r.Node < 0 || r.Node >= len(v.Nodes) || !v.Nodes[r.Node].Up:
		return "✕" + strconv.Itoa(r.Order), Error
	case r.State == "stale" || r.State == "missing":
		return "≈" + strconv.Itoa(r.Order), Stale
	}
	return "◉" + strconv.Itoa(r.Order), Replica
}

func stateMark(n *view.Node) (string, draw.Style) {
	switch {
	case n.Paused:
		return "◌", Warn
	case !n.Up:
		return "✕", Error
	case strings.HasSuffix(n.State, "J"):
		return "◌", Warn
	case strings.HasSuffix(n.State, "L") || strings.HasSuffix(n.State, "M"):
		return "◍", Warn
	}
	return "●", OK
}

func stateWord(n *view.Node) (string, draw.Style) {
	switch {
	case n.Paused:
		return "paused", Warn
	case !n.Up:
		return "DOWN", Error
	case strings.HasSuffix(n.State, "J"):
		return "joining", Warn
	case strings.HasSuffix(n.State, "L"):
		return "leaving", Warn
	case strings.HasSuffix(n.State, "M"):
		return "moving", Warn
	}
	return "up", OK
}

func (p *ringPane) paintRing(sc *Scene, c *draw.Canvas, x, y int) {
	key := p.ringKey(sc, c)
	if key != p.cache.key {
		p.cache.key = key
		p.cache.canvas.ASCII = c.ASCII
		p.cache.canvas.Reset(c.W, c.H)
		r := p.picture(sc)
		p.cache.hits = r.Paint(&p.cache.canvas)
	}
	c.Blit(&p.cache.canvas, 0, 0)
	p.hits = p.hits[:0]
	for _, h := range p.cache.hits {
		p.hits = append(p.hits, draw.Hit{X: h.X + x, Y: h.Y + y, W: h.W, ID: h.ID})
	}
}

// ringKey spells everything the circle depends on.
func (p *ringPane) ringKey(sc *Scene, c *draw.Canvas) string {
	v := sc.V
	var b strings.Builder
	fmt.Fprint(&b, c.W, c.H, c.ASCII, p.list.cur, sc.Focused, len(v.Ring), v.Entries, len(v.Nodes), " ")
	if len(v.Ring) > 0 {
		fmt.Fprintf(&b, "%p", &v.Ring[0])
	}
	for i := range v.Nodes {
		mark, _ := stateMark(&v.Nodes[i])
		b.WriteString(mark)
	}
	if s := v.Selection; s != nil {
		fmt.Fprint(&b, s.Key, s.Token, s.Pos, s.RangeFrom, s.RangeTo, s.Err)
		for _, r := range s.Replicas {
			fmt.Fprint(&b, r.Node, r.Order, r.State, r.Detail)
		}
	}
	return b.String()
}

// picture turns the view into a ring of arcs and labels.
func (p *ringPane) picture(sc *Scene) *draw.Ring {
	v := sc.V
	r := &draw.Ring{KeyAs: Accent | draw.Bold}
	marks := map[int]view.Replica{}
	if s := v.Selection; s != nil && s.Err == "" && s.Token != "" {
		r.HasKey, r.Key = true, s.Pos
		r.Thick = []draw.Segment{{From: s.RangeFrom, To: s.RangeTo, Style: Accent}}
		for _, rep := range s.Replicas {
			marks[rep.Node] = rep
		}
		r.Center = centerLines(v, s)
	}
	labelled := map[int]bool{}
	few := len(v.Ring) <= 16
	for i, e := range v.Ring {
		arc := draw.Arc{Pos: e.Pos, Style: nodeStyle(e.Node), Weight: 1}
		if few {
			arc.Style = Dim
		} else if v.Entries <= 256 && e.Node%2 == 1 {
			arc.Weight = 2
		}
		if len(v.Ring) > 256 {
			arc.Weight, arc.Style = density(v.Ring, i), nodeStyle(e.Node)
		}
		r.Arcs = append(r.Arcs, arc)
		if l, ok := p.label(sc, e, marks, labelled, len(v.Ring)); ok {
			labelled[e.Node] = true
			r.Labels = append(r.Labels, l)
		}
	}
	return r
}

// label says how the owner of an entry is written beside the ring: by name and
// state where there is room, by replica number or as the chosen node elsewhere.
func (p *ringPane) label(sc *Scene, e view.Entry, marks map[int]view.Replica, done map[int]bool, entries int) (draw.Label, bool) {
	if e.Node < 0 || e.Node >= len(sc.V.Nodes) || done[e.Node] {
		return draw.Label{}, false
	}
	node := &sc.V.Nodes[e.Node]
	rep, isReplica := marks[e.Node]
	chosen := sc.Focused && p.list.cur == e.Node
	if entries > 16 && !isReplica && !chosen && (len(sc.V.Nodes) > 24 || entries > 64) {
		return draw.Label{}, false
	}
	mark, style := stateMark(node)
	rank := 2
	if isReplica {
		mark, style = replicaMark(sc.V, rep)
		rank = 0
	}
	if style == OK {
		style = nodeStyle(e.Node)
	}
	if chosen {
		style, rank = style|draw.Underline|draw.Bold, 1
	}
	text := node.Name + " " + mark
	return draw.Label{Pos: e.Pos, Text: text, Style: style, Rank: rank, ID: e.Node}, true
}

// density is how crowded the ring is around entry i, as a line width.
func density(ring []view.Entry, i int) int {
	j := min(i+8, len(ring)-1)
	k := max(i-8, 0)
	span := ring[j].Pos - ring[k].Pos
	even := float64(j-k) / float64(len(ring))
	switch {
	case span < even*0.8:
		return 3
	case span < even*1.2:
		return 2
	}
	return 1
}

func centerLines(v *view.View, s *view.Selection) []draw.Line {
	up, behind := 0, ""
	for _, r := range s.Replicas {
		if r.Node >= 0 && r.Node < len(v.Nodes) && v.Nodes[r.Node].Up {
			up++
		}
		if behind == "" && (r.State == "stale" || r.State == "missing") {
			behind = nodeName(v, r.Node) + " " + pick(r.Detail != "", r.Detail, r.State)
		}
	}
	lines := []draw.Line{
		{Text: "token " + shortToken(s.Token), Style: Text},
		{Text: "range " + s.RangeText, Style: Text},
		{Text: fmt.Sprintf("replicas %d of %d up", up, len(s.Replicas)), Style: pick(up < len(s.Replicas), Error, OK)},
	}
	if behind != "" {
		lines = append(lines, draw.Line{Text: behind, Style: Stale})
	}
	return lines
}

// shortToken writes a long decimal token as −5.629e18.
func shortToken(t string) string {
	digits := strings.TrimPrefix(t, "-")
	if len(digits) < 9 || strings.Trim(digits, "0123456789") != "" {
		return draw.Truncate(t, 14)
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil {
		return draw.Truncate(t, 14)
	}
	s := strings.Replace(strconv.FormatFloat(f, 'e', 3, 64), "e+", "e", 1)
	return strings.Replace(s, "-", "−", 1)
}

func (p *ringPane) Do(id string, sc *Scene) (Action, bool) {
	v := sc.V
	switch id {
	case "ring.strip", "placement.strip":
		p.mode = "strip"
		return Action{}, true
	case "ring.placement", "strip.placement":
		p.mode = "placement"
		if t := v.Trace; sc.Need.Key == "" && t != nil && t.Key != "" && t.Table != "" { // of the last statement, until another one is chosen
			return Action{Need: func(n *view.Need) { n.Keyspace, n.Table, n.Key = t.Keyspace, t.Table, t.Key },
				Status: "◆ " + showKey(t.Key) + ", the key of the last statement, is selected everywhere"}, true
		}
		return Action{}, true
	case "strip.close", "placement.close":
		p.mode = ""
		return Action{}, true
	case "back":
		if p.mode != "" {
			p.mode = ""
			return Action{}, true
		}
	}
	switch p.mode {
	case "strip":
		return p.strip.do(id, sc)
	case "placement":
		return p.placement.do(id, sc)
	}
	if p.list.move(id, len(v.Nodes), max(p.rows, 1)) {
		return Action{}, true
	}
	if len(v.Nodes) == 0 {
		return Action{}, false
	}
	p.list.cur = min(p.list.cur, len(v.Nodes)-1)
	at := p.list.cur
	node := &v.Nodes[at]
	switch id {
	case "left", "right":
		p.list.move(pick(id == "left", "up", "down"), len(v.Nodes), max(p.rows, 1))
		return Action{}, true
	case "open":
		return Action{Need: func(n *view.Need) { n.Node = at }, Status: node.Name + " is shown in Storage (5)"}, true
	case "ring.kill":
		return Action{Run: pick(node.Up, ":down ", ":up ") + node.Name}, true
	case "ring.add":
		return Action{Run: ":bootstrap " + freeName(v)}, true
	case "ring.remove":
		return Action{Ask: "Decommission " + node.Name + "? It streams its ranges to the others.", Run: ":decommission " + node.Name}, true
	}
	return Action{}, false
}

// freeName is the next node name not taken.
func freeName(v *view.View) string {
	most := len(v.Nodes)
	for i := range v.Nodes {
		if n, err := strconv.Atoi(strings.TrimPrefix(v.Nodes[i].Name, "n")); err == nil {
			most = max(most, n)
		}
	}
	return "n" + strconv.Itoa(most+1)
}

func (p *ringPane) Click(x, y int, sc *Scene) Action {
	switch p.mode {
	case "strip":
		p.strip.click(x)
		return Action{}
	case "placement":
		p.placement.click(x, y)
		return Action{}
	}
	for _, h := range p.hits {
		if y == h.Y && x >= h.X && x < h.X+h.W {
			p.list.cur = h.ID
			return Action{}
		}
	}
	if n := p.list.top + y - p.tableY; x >= p.tableX && y >= p.tableY && n < len(sc.V.Nodes) && y < p.tableY+p.rows {
		p.list.cur = n
	}
	return Action{}
}

func (p *ringPane) Wheel(delta int) {
	switch p.mode {
	case "strip":
		p.strip.magnify(pick(delta > 0, -1, 1))
	case "placement":
		p.placement.cur = max(p.placement.cur+pick(delta > 0, 1, -1), 0)
	default:
		p.list.cur = max(p.list.cur+delta, 0)
	}
}
