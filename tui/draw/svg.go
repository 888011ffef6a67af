package draw

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// The size of a cell in SVG, px.
const (
	svgWidth  = 8.4
	svgHeight = 18
)

// Ink says how a style looks in SVG: colours as #rrggbb, "" for those of the page.
type Ink func(Style) (fill, ground string, bold bool)

// SVG sets a canvas in a monospace font, a text element for each stretch of one
// style, each exactly as wide as its cells, on a page of that colour.
func SVG(c *Canvas, page string, ink Ink) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1f\" height=\"%d\" viewBox=\"0 0 %.1f %d\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n",
		float64(c.W)*svgWidth, c.H*svgHeight, float64(c.W)*svgWidth, c.H*svgHeight)
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", page)
	for y := range c.H {
		for x := 0; x < c.W; {
			style := c.At(x, y).Style
			from := x
			var text strings.Builder
			for x < c.W && c.At(x, y).Style == style {
				text.WriteString(c.At(x, y).Text)
				x++
			}
			fill, ground, bold := ink(style)
			if style&Reverse != 0 {
				fill, ground = page, fill
			}
			if ground != "" {
				fmt.Fprintf(&b, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", float64(from)*svgWidth, y*svgHeight, float64(x-from)*svgWidth, svgHeight, ground)
			}
			lead := len(text.String()) - len(strings.TrimLeft(text.String(), " "))
			shown := strings.TrimSpace(text.String())
			if shown == "" {
				continue
			}
			fmt.Fprintf(&b, "<text xml:space=\"preserve\" x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" fill=\"%s\"", float64(from+lead)*svgWidth, y*svgHeight+14, float64(Width(shown))*svgWidth, fill)
			if bold {
				b.WriteString(" font-weight=\"bold\"")
			}
			if style&Underline != 0 {
				b.WriteString(" text-decoration=\"underline\"")
			}
			b.WriteString(">")
			_ = xml.EscapeText(&b, []byte(shown)) // a Builder takes everything
			b.WriteString("</text>\n")
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}
