package draw

// Spans is one line made of styled texts.
type Spans []Line

// Paint writes the spans one after the other into w cells at x, y.
func (l Spans) Paint(c *Canvas, x, y, w int) {
	end := x + w
	for _, s := range l {
		if s.Right {
			text := c.Fit(s.Text, end-x)
			c.Right(end, y, s.Style, text)
			end -= c.Width(text) + 1
			continue
		}
		if x >= end {
			return
		}
		x = c.PutIn(x, y, end-x, s.Style, s.Text)
	}
}

// Width is the number of cells the spans take.
func (l Spans) Width() int {
	w := 0
	for _, s := range l {
		w += Width(s.Text)
	}
	return w
}
