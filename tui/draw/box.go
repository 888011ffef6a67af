package draw

// Box draws a border around c with a title at the left and one at the right,
// and returns the canvas inside. A focused box is thick and its title reversed.
func Box(c *Canvas, border, title Style, focused bool, left, right string) *Canvas {
	if c.W < 2 || c.H < 2 {
		c.Fill(0, 0, c.W, border, "─")
		return c.Sub(0, 0, 0, 0)
	}
	h, v, tl, tr, bl, br := "─", "│", "╭", "╮", "╰", "╯"
	if focused {
		h, v, tl, tr, bl, br = "━", "┃", "┏", "┓", "┗", "┛"
	}
	if c.ASCII && focused {
		h, v = "=", "#"
	}
	c.Fill(0, 0, c.W, border, h)
	c.Fill(0, c.H-1, c.W, border, h)
	for y := 1; y < c.H-1; y++ {
		c.Put(0, y, border, v)
		c.Put(c.W-1, y, border, v)
	}
	c.Put(0, 0, border, tl)
	c.Put(c.W-1, 0, border, tr)
	c.Put(0, c.H-1, border, bl)
	c.Put(c.W-1, c.H-1, border, br)
	x := 2
	if left != "" && c.W > 6 {
		if focused {
			title |= Reverse
		}
		x = c.PutIn(2, 0, c.W-4, title, " "+left+" ")
	}
	if room := c.W - 3 - x; right != "" && room > 6 {
		text := c.Fit(" "+right+" ", room-1)
		c.Right(c.W-2, 0, border&^0xff|title&0xff, text)
	}
	return c.Sub(1, 1, c.W-2, c.H-2)
}
