package draw

// Dots is a picture of 2 by 4 square dots a cell.
type Dots struct {
	W, H  int // in cells
	bits  []uint8
	style []Style
}

var brailleText = func() (t [256]string) {
	for i := range t {
		t[i] = string(rune(0x2800 + i))
	}
	return t
}()

var dotBit = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// NewDots returns an empty picture of w by h cells.
func NewDots(w, h int) *Dots {
	w, h = max(w, 0), max(h, 0)
	return &Dots{W: w, H: h, bits: make([]uint8, w*h), style: make([]Style, w*h)}
}

// Set lights the dot at x, y; the cell takes the style of the last dot set.
func (d *Dots) Set(x, y int, style Style) {
	if x < 0 || y < 0 || x >= d.W*2 || y >= d.H*4 {
		return
	}
	at := y/4*d.W + x/2
	d.bits[at] |= dotBit[y%4][x%2]
	d.style[at] = style
}

// Empty says whether no dot of the cell is lit; cells outside are empty.
func (d *Dots) Empty(x, y int) bool {
	return x < 0 || y < 0 || x >= d.W || y >= d.H || d.bits[y*d.W+x] == 0
}

// Edges returns the first and last lit cell of a row, or -1, -1.
func (d *Dots) Edges(y int) (first, last int) {
	first, last = -1, -1
	for x := range d.W {
		if !d.Empty(x, y) {
			if first < 0 {
				first = x
			}
			last = x
		}
	}
	return first, last
}

// Paint puts every cell that has a dot on c at x, y.
func (d *Dots) Paint(c *Canvas, x, y int) {
	for j := range d.H {
		for i := range d.W {
			if b := d.bits[j*d.W+i]; b != 0 {
				c.Put(x+i, y+j, d.style[j*d.W+i], brailleText[b])
			}
		}
	}
}
