package draw

import (
	"math"
	"sort"
)

// Ring is a circle of arcs with labels around it, clockwise from the top.
// Positions are fractions of the circle.
type Ring struct {
	Arcs   []Arc     // in order; each ends at its Pos and begins where the one before ends
	Thick  []Segment // drawn over the arcs, wider
	Labels []Label
	Key    float64 // a diamond inside the circle
	HasKey bool
	KeyAs  Style
	Center []Line // text in the middle, where there is room
}

// Arc is a piece of the circle. Weight is its width in dots, from 1 to 3.
type Arc struct {
	Pos    float64
	Style  Style
	Weight int
}

// Segment is the piece from From to To, which may pass the top.
type Segment struct {
	From, To float64
	Style    Style
}

// Label is a text beside the circle. Smaller Rank goes first where room is short.
type Label struct {
	Pos   float64
	Text  string
	Style Style
	Rank  int
	ID    int
}

// Line is a styled text. Right moves it to the right edge where spans are
// painted.
type Line struct {
	Text  string
	Style Style
	Right bool
}

// Hit is where a label was put.
type Hit struct{ X, Y, W, ID int }

// Paint draws the ring as large as c allows and says where its labels are.
func (r *Ring) Paint(c *Canvas) []Hit {
	rows := c.H
	if len(r.Labels) > 0 {
		rows -= 2
	}
	radius := min(float64(rows)*2-2, float64(c.W)-4)
	for _, l := range r.Labels {
		if sin := math.Abs(math.Sin(2 * math.Pi * l.Pos)); sin > 0.3 {
			side := min(c.Width(l.Text), c.W/4)
			radius = min(radius, float64(c.W-2*side-4)/sin)
		}
	}
	if radius < 3 {
		return nil
	}
	d := NewDots(c.W, c.H)
	cx, cy := float64(c.W)-0.5, float64(c.H)*2-0.5
	r.circle(d, cx, cy, radius)
	d.Paint(c, 0, 0)
	r.center(c, radius)
	r.diamond(c, cx, cy, radius)
	return r.labels(c, d, cx, cy, radius)
}

func (r *Ring) circle(d *Dots, cx, cy, radius float64) {
	steps := int(radius * 8)
	at := 0
	for i := range steps {
		pos := float64(i) / float64(steps)
		arc := Arc{Weight: 1}
		if len(r.Arcs) > 0 {
			for at < len(r.Arcs) && r.Arcs[at].Pos < pos {
				at++
			}
			arc = r.Arcs[at%len(r.Arcs)]
		}
		for k := range max(arc.Weight, 1) {
			plot(d, cx, cy, radius-float64(k), pos, arc.Style)
		}
	}
	for _, s := range r.Thick {
		span := s.To - s.From
		if span <= 0 {
			span++
		}
		n := int(math.Ceil(span * float64(steps)))
		for i := 0; i <= n; i++ {
			pos := s.From + span*float64(i)/float64(max(n, 1))
			for k := -1; k <= 2; k++ {
				plot(d, cx, cy, radius-float64(k), pos, s.Style)
			}
		}
	}
}

func plot(d *Dots, cx, cy, radius, pos float64, style Style) {
	sin, cos := math.Sincos(2 * math.Pi * pos)
	d.Set(int(math.Round(cx+radius*sin)), int(math.Round(cy-radius*cos)), style)
}

func (r *Ring) diamond(c *Canvas, cx, cy, radius float64) {
	if !r.HasKey {
		return
	}
	sin, cos := math.Sincos(2 * math.Pi * r.Key)
	x, y := (cx+(radius-7)*sin)/2, (cy-(radius-7)*cos)/4
	c.Put(int(math.Round(x-0.25)), int(math.Round(y-0.4)), r.KeyAs, "◆")
}

// center writes the middle lines as a block, as many as fit inside.
func (r *Ring) center(c *Canvas, radius float64) {
	inner := radius - 5
	n := min(len(r.Center), int(inner/2)-2)
	if n <= 0 {
		return
	}
	w := 0
	for _, l := range r.Center[:n] {
		w = max(w, c.Width(l.Text))
	}
	half := float64(n) / 2 * 4
	room := int(math.Sqrt(max(inner*inner-half*half, 0)))
	if w > room {
		return
	}
	for i, l := range r.Center[:n] {
		c.PutIn((c.W-w)/2, (c.H-n)/2+i, w, l.Style, l.Text)
	}
}

// labels puts each label outside the circle beside its position, or leaves it
// out where nothing is free.
func (r *Ring) labels(c *Canvas, d *Dots, cx, cy, radius float64) []Hit {
	order := make([]int, len(r.Labels))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return r.Labels[order[a]].Rank < r.Labels[order[b]].Rank })
	var hits []Hit
	free := func(x, y, w int) bool {
		if x < 0 || y < 0 || y >= c.H || x+w > c.W {
			return false
		}
		for _, h := range hits {
			if h.Y == y && x <= h.X+h.W && h.X <= x+w {
				return false
			}
		}
		for i := x; i < x+w; i++ {
			if !d.Empty(i, y) {
				return false
			}
		}
		return true
	}
	for _, i := range order {
		l := r.Labels[i]
		w := c.Width(l.Text)
		sin, cos := math.Sincos(2 * math.Pi * l.Pos)
		y := int(math.Round((cy-(radius+3)*cos)/4 - 0.4))
		out := 1
		if cos > 0 {
			out = -1
		}
		upright := math.Abs(sin) < 0.3
		for _, dy := range []int{0, out, 2 * out, -out, -2 * out} {
			if upright && dy*out < 0 {
				break
			}
			row := y + dy
			var at int
			first, last := d.Edges(min(max(row, 0), c.H-1))
			switch {
			case upright || row < 0 || first < 0:
				at = int(math.Round(cx/2+(radius+3)*sin/2)) - (w-1)/2
			case sin > 0:
				at = last + 2
			default:
				at = first - 1 - w
			}
			if free(at, row, w) {
				c.Put(at, row, l.Style, l.Text)
				hits = append(hits, Hit{X: at, Y: row, W: w, ID: l.ID})
				break
			}
		}
	}
	return hits
}
