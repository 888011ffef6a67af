package draw

// Style is a token in the low byte, looked up in a Palette, and attributes
// above it. The zero Style is plain text.
type Style uint16

// The attributes a Style may carry beside its token.
const (
	Bold Style = 1 << (8 + iota)
	Reverse
	Underline
	Italic
	Faint
)

// Cell is one terminal cell. Width 0 marks the second half of a wide one.
type Cell struct {
	Text  string
	Style Style
	Width uint8
}

// Canvas is a rectangle of cells. Everything put on it is cleaned and clipped,
// so a canvas always holds exactly its own cells and nothing a terminal obeys.
type Canvas struct {
	W, H   int
	ASCII  bool // replace everything outside ASCII
	cells  []Cell
	off    int
	stride int
}

// NewCanvas returns a blank canvas.
func NewCanvas(w, h int) *Canvas {
	c := &Canvas{}
	c.Reset(w, h)
	return c
}

// Reset blanks the canvas and gives it a size, keeping its memory if it can.
func (c *Canvas) Reset(w, h int) {
	w, h = max(w, 0), max(h, 0)
	c.W, c.H, c.off, c.stride = w, h, 0, w
	if cap(c.cells) < w*h {
		c.cells = make([]Cell, w*h)
	}
	c.cells = c.cells[:w*h]
	for i := range c.cells {
		c.cells[i] = Cell{Text: " ", Width: 1}
	}
}

// Sub returns the part of c that begins at x, y, clipped to c; it shares cells.
func (c *Canvas) Sub(x, y, w, h int) *Canvas {
	x, y = min(max(x, 0), c.W), min(max(y, 0), c.H)
	return &Canvas{
		W: max(0, min(w, c.W-x)), H: max(0, min(h, c.H-y)), ASCII: c.ASCII,
		cells: c.cells, off: c.off + y*c.stride + x, stride: c.stride,
	}
}

// At returns the cell at x, y, which must be inside.
func (c *Canvas) At(x, y int) *Cell { return &c.cells[c.off+y*c.stride+x] }

// Blit copies src onto c at x, y.
func (c *Canvas) Blit(src *Canvas, x, y int) {
	from, to := max(-x, 0), min(src.W, c.W-x)
	for j := max(-y, 0); j < min(src.H, c.H-y) && from < to; j++ {
		copy(c.cells[c.off+(y+j)*c.stride+x+from:][:to-from], src.cells[src.off+j*src.stride+from:])
	}
}

// Put writes s at x, y and returns the column behind it, clipped cells counted.
func (c *Canvas) Put(x, y int, style Style, s string) int {
	if c.ASCII {
		s = ToASCII(s)
	}
	inside := y >= 0 && y < c.H
	for i := 0; i < len(s); {
		if b := s[i]; b >= 0x20 && b < 0x7f && (i+1 == len(s) || s[i+1] < 0x80) {
			if inside && x >= 0 && x < c.W {
				c.set(x, y, s[i:i+1], 1, style)
			}
			x++
			i++
			continue
		}
		cluster, width, n := next(s[i:])
		i += n
		if width == 0 {
			for _, b := range []byte(escape(cluster)) {
				if inside && x >= 0 && x < c.W {
					c.set(x, y, string(rune(b)), 1, style)
				}
				x++
			}
			continue
		}
		if inside && x >= 0 && x+width <= c.W {
			c.set(x, y, cluster, width, style)
		}
		x += width
	}
	return x
}

// PutIn writes s into w cells at x, y, cut with an ellipsis where it is longer,
// and returns the column behind what was written.
func (c *Canvas) PutIn(x, y, w int, style Style, s string) int {
	return c.Put(x, y, style, c.Fit(s, w))
}

// Fit cuts s to w cells of this canvas, with an ellipsis where it cuts.
func (c *Canvas) Fit(s string, w int) string {
	if c.ASCII {
		s = ToASCII(s)
	}
	return Truncate(s, w)
}

// Right writes s so that it ends before column end and returns where it begins.
func (c *Canvas) Right(end, y int, style Style, s string) int {
	x := end - c.Width(s)
	c.Put(x, y, style, s)
	return x
}

// Width returns how many cells s takes on this canvas.
func (c *Canvas) Width(s string) int {
	if c.ASCII {
		s = ToASCII(s)
	}
	return Width(s)
}

// Fill writes the one-cell text over w cells.
func (c *Canvas) Fill(x, y, w int, style Style, text string) {
	if c.ASCII {
		text = ToASCII(text)[:1]
	}
	from, to := max(x, 0), min(x+w, c.W)
	if y < 0 || y >= c.H || from >= to {
		return
	}
	at := c.off + y*c.stride
	c.unwide(at + from) // halves of wide cells can be left over at the ends alone
	c.unwide(at + to - 1)
	row := c.cells[at+from : at+to]
	for i := range row {
		row[i] = Cell{Text: text, Style: style, Width: 1}
	}
}

// Restyle changes the style of w cells and leaves their text.
func (c *Canvas) Restyle(x, y, w int, style Style) {
	if y < 0 || y >= c.H {
		return
	}
	for i := max(x, 0); i < min(x+w, c.W); i++ {
		c.At(i, y).Style = style
	}
}

// Clear blanks the whole canvas without changing its size.
func (c *Canvas) Clear() {
	for y := range c.H {
		c.Fill(0, y, c.W, 0, " ")
	}
}

func (c *Canvas) set(x, y int, text string, width int, style Style) {
	at := c.off + y*c.stride + x
	c.unwide(at)
	c.cells[at] = Cell{Text: text, Style: style, Width: uint8(width)}
	if width == 2 {
		c.unwide(at + 1)
		c.cells[at+1] = Cell{Style: style}
	}
}

// unwide blanks the other half of a wide cell that is about to be overwritten.
func (c *Canvas) unwide(at int) {
	switch cell := c.cells[at]; {
	case cell.Width == 2:
		c.cells[at+1] = Cell{Text: " ", Style: cell.Style, Width: 1}
	case cell.Width == 0 && at > 0 && c.cells[at-1].Width == 2:
		c.cells[at-1] = Cell{Text: " ", Style: cell.Style, Width: 1}
	}
}
