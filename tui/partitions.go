package tui

import (
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// growing is the growth of a minute above which a partition has a mark.
const growing = 0.01

// paintPartitions lists the partitions of the selected table, sorted by the lab.
// first is the item of the first one, offset the row at which c begins.
func (p *schemaPane) paintPartitions(sc *Scene, c *draw.Canvas, first, offset int) {
	v := sc.V
	order := sc.Need.Sort
	if order == "" {
		order = sorts[0]
	}
	rule(c, 0)
	head := "partitions by " + order + pick(sc.Need.Reverse, " reversed", "") + " "
	if sc.Need.Filter != "" {
		head = "/" + sc.Need.Filter + "  by " + order + " "
	}
	x := c.PutIn(1, 0, c.W-10, Title, head)
	if x+8 < c.W {
		c.Right(c.W-1, 0, Dim, pick(sc.Need.Filter != "", " esc all", " o sort"))
	}
	heads := partitionHeads(v, sc.Need)
	joined := c.W < 48 && len(heads) > 1
	if joined {
		heads = []string{strings.Join(heads, "/")}
	}
	widths := make([]int, len(heads))
	for i, h := range heads {
		widths[i] = draw.Width(h)
	}
	for _, part := range v.Partitions {
		for i, s := range keyCells(part.Key, len(heads), joined) {
			widths[i] = min(max(widths[i], draw.Width(s)), max(pick(joined, c.W/2, c.W/3), 8))
		}
	}
	wide := c.W >= 62
	x = 1
	for i, h := range heads {
		c.PutIn(x, 1, widths[i], Dim, h)
		x += widths[i] + 1
	}
	numbers := x
	c.Right(numbers+6, 1, Dim, "rows")
	c.Right(numbers+12, 1, Dim, "size")
	if wide {
		c.Right(numbers+19, 1, Dim, "tombs")
		c.Put(c.W-34, 1, Dim, "token")
		c.Put(c.W-12, 1, Dim, "replicas")
	}
	rows := c.H - 2
	if rows <= 0 {
		return
	}
	at := max(p.list.cur-first, 0)
	p.list.top = max(min(p.list.top, at, len(v.Partitions)-rows), at-rows+1, 0)
	var most int64 = 1
	for _, part := range v.Partitions {
		most = max(most, part.Bytes)
	}
	for i := range min(rows, len(v.Partitions)-p.list.top) {
		n := p.list.top + i
		part, y := v.Partitions[n], 2+i
		p.rowAt[offset+y] = first + n
		chosen := part.Key == sc.Need.Key
		if left := int64(len(v.Partitions)-n) + morePartitions(sc); i == rows-1 && left > 1 && n != at {
			c.PutIn(1, y, c.W-2, Dim, "… "+draw.Thousands(left)+" more")
			continue
		}
		x := 1
		for k, s := range keyCells(part.Key, len(heads), joined) {
			c.PutIn(x, y, widths[k], pick(chosen, Accent|draw.Bold, Text), s)
			x += widths[k] + 1
		}
		if chosen {
			c.Put(0, y, Accent, "◆")
		}
		c.Right(numbers+6, y, Text, draw.Thousands(part.Rows))
		if part.Growth > growing {
			c.Put(numbers+6, y, Warn, pick(c.ASCII, "^", "▲"))
		}
		c.Right(numbers+12, y, Text, draw.Bytes(part.Bytes))
		bar := numbers + 13
		end := c.W - 1
		if wide {
			c.Right(numbers+19, y, pick(part.Tombstones > 0, Warn, Dim), draw.Count(part.Tombstones))
			c.PutIn(c.W-34, y, 21, Dim, part.Token)
			c.PutIn(c.W-12, y, 11, Dim, nodeNames(v, part.Replicas))
			bar, end = numbers+21, c.W-36
		}
		if end > bar {
			c.Put(bar, y, Accent, draw.Bar(float64(part.Bytes)/float64(most), end-bar))
		}
		p.mark(c, y, sc.Focused && p.list.cur == first+n)
	}
}

func paintHistogram(sc *Scene, c *draw.Canvas) {
	h := sc.V.Histogram
	rule(c, 0)
	c.Put(1, 0, Title, "size histogram ")
	c.Right(c.W-1, 0, Dim, " partitions")
	if len(h) > c.H-1 {
		h = h[:c.H-1]
	}
	var most int64 = 1
	for _, b := range h {
		most = max(most, b.Count)
	}
	for i, b := range h {
		c.Right(8, 1+i, Dim, "≤"+draw.Bytes(b.UpTo))
		if w := c.W - 9 - 8; w > 0 {
			c.Put(9, 1+i, Accent, draw.Bar(float64(b.Count)/float64(most), w))
		}
		c.Right(c.W-1, 1+i, Text, draw.Thousands(b.Count))
	}
}

func partitionHeads(v *view.View, n view.Need) []string {
	var heads []string
	if t := selectedTable(v, n); t != nil {
		for _, col := range t.Columns {
			if col.Kind == "partition" {
				heads = append(heads, col.Name)
			}
		}
	}
	if len(heads) == 0 {
		heads = []string{"key"}
	}
	return heads
}

// keyCells splits a key into n components, the last taking what is left.
func keyCells(key string, n int, joined bool) []string {
	if joined {
		return []string{showKey(key)}
	}
	return strings.SplitN(key, ":", max(n, 1))
}

// showKey is a key as the titles write it.
func showKey(key string) string { return strings.ReplaceAll(key, ":", "/") }
