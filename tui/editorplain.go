package tui

import "ringlab/tui/draw"

// paintPlain draws the editor without colours but for remarks, and returns where
// the cursor is.
func (e *editor) paintPlain(c *draw.Canvas) (cx, cy int) {
	rows, cx, cy := e.layout(c.W)
	top := e.topRow(len(rows), cy, c.H)
	style := Text
	for y, row := range rows {
		if row.from == 0 || e.text[row.from-1] == '\n' {
			style = pick(row.to > row.from && e.text[row.from] == '#', Comment, Text)
		}
		if y >= top && y-top < c.H {
			c.PutIn(0, y-top, c.W, style, e.text[row.from:row.to])
		}
	}
	return cx, cy - top
}

// topRow is the first row shown of n in h, so that the cursor's is.
func (e *editor) topRow(n, cursor, h int) int { return max(min(cursor-h+1, n-h), 0) }

// place puts the cursor where a cell of the painted text is.
func (e *editor) place(w, h, x, y int) {
	rows, _, cy := e.layout(w)
	at := e.topRow(len(rows), cy, h) + y
	if at < 0 || at >= len(rows) {
		e.cur = len(e.text)
		return
	}
	row := rows[at]
	e.cur = row.from + min(fitBytes(e.text[row.from:row.to], max(x, 0)), row.to-row.from)
	if x <= 0 {
		e.cur = row.from
	}
	e.line = false
}
