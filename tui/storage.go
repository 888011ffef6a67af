package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// storagePane shows one table on one node: memtable, files, compaction and the
// path of a read.
type storagePane struct {
	scroll int
	rate   []float64 // bytes written a second, one sample a picture
	seen   rateMark
	mapped bool // the map of files takes the place of the rest
	sheet  fileMap
}

type rateMark struct {
	table       string
	at, written int64
}

// observe takes a sample of the write rate from a newer picture.
func (p *storagePane) observe(v *view.View) {
	s := v.Storage
	if s == nil {
		return
	}
	now := rateMark{fmt.Sprint(s.Node, s.Keyspace, s.Table), v.Now, s.BytesWritten + s.MemtableBytes}
	if now.table != p.seen.table || now.at < p.seen.at {
		p.rate = nil
	} else if dt := now.at - p.seen.at; dt >= 100_000 {
		p.rate = append(p.rate, max(float64(now.written-p.seen.written), 0)/float64(dt)*1e6)
		if len(p.rate) > 128 {
			p.rate = slices.Clone(p.rate[64:])
		}
	} else {
		return
	}
	p.seen = now
}

func (p *storagePane) Title(sc *Scene) (string, string) {
	s := sc.V.Storage
	if s == nil {
		return "5 Storage", nodeName(sc.V, sc.Need.Node)
	}
	return "5 Storage", nodeName(sc.V, s.Node) + " " + s.Table + " " + s.Strategy
}

func (p *storagePane) Keys(*Scene) []string {
	return []string{"storage.flush", "storage.compact", "storage.map", "storage.node", "explain", "storage.duel", "storage.prev"}
}

func (p *storagePane) Paint(sc *Scene, c *draw.Canvas) {
	s := sc.V.Storage
	if s == nil {
		for i, l := range draw.Wrap("No table on this node yet.\n\nCREATE TABLE in the console (3), then INSERT: memtable, SSTables and compaction appear here.", c.W-2) {
			c.Put(1, 1+i, pick(i == 0, Text|draw.Bold, Dim), l)
		}
		return
	}
	if p.mapped {
		p.sheet.paint(sc, c)
		return
	}
	groups := [][]draw.Spans{p.memory(s, c), p.files(s, c), p.compaction(s, c), p.reading(sc, s, c)}
	if sc.Zoomed {
		groups = append(groups, p.tables(s, c))
	}
	var lines []draw.Spans
	for i, g := range groups {
		if i >= 3 && len(g) > 0 {
			lines = append(lines, draw.Spans{{Text: "─"}})
		}
		lines = append(lines, g...)
	}
	foot := 0
	if len(lines) < c.H {
		foot = 1
	}
	p.scroll = max(min(p.scroll, len(lines)-(c.H-foot)), 0)
	for i := 0; i < c.H-foot && p.scroll+i < len(lines); i++ {
		l := lines[p.scroll+i]
		if len(l) == 1 && l[0].Text == "─" {
			rule(c, i)
			continue
		}
		l.Paint(c, 1, i, c.W-2)
	}
	if foot > 0 {
		hints(c, c.H-1, "f flush", "c compact", "m files", "n node", "e why", "w what if")
	}
}

func (p *storagePane) memory(s *view.Storage, c *draw.Canvas) []draw.Spans {
	frac := 0.0
	text := draw.Bytes(s.MemtableBytes)
	if s.MemtableLimit > 0 {
		frac = float64(s.MemtableBytes) / float64(s.MemtableLimit)
		text += " of " + draw.Bytes(s.MemtableLimit)
	}
	w := max(min(c.W-27, 40), 4)
	return []draw.Spans{
		{{Text: "memtable   ", Style: Dim}, {Text: draw.Meter(frac, w), Style: pick(frac > 0.9, Warn, OK)}, {Text: "  " + text}},
		{{Text: "commit log ", Style: Dim}, {Text: draw.Pad(draw.Bar(float64(s.CommitLogSegments)/8, w), w), Style: Node3},
			{Text: "  " + strconv.Itoa(s.CommitLogSegments) + plural(int64(s.CommitLogSegments), " segment", " segments")}},
	}
}

// files shows the tiers that the table's strategy has: buckets, levels, windows
// or density levels, the oldest on top, and why a compaction runs or none does.
func (p *storagePane) files(s *view.Storage, c *draw.Canvas) []draw.Spans {
	if len(s.SSTables) == 0 {
		return []draw.Spans{{{Text: "no SSTables yet: f flushes", Style: Dim}}}
	}
	byGen := map[int]*view.SSTable{}
	for i := range s.SSTables {
		byGen[s.SSTables[i].Gen] = &s.SSTables[i]
	}
	word, ok := tierWords[s.Strategy]
	if !ok {
		word = "tier"
	}
	names := draw.Width(word)
	for _, t := range s.Tiers {
		names = max(names, draw.Width(t.Name))
	}
	names++
	head := draw.Spans{{Text: draw.Pad(word, names) + "sstables", Style: Dim}}
	if s.Pending > 0 {
		head = append(head, draw.Line{Text: fmt.Sprintf("%d pending", s.Pending), Style: Dim, Right: true})
	}
	out := []draw.Spans{head}
	tiers, more := s.Tiers, 0
	if len(tiers) > maxTiers { // the pane shows the youngest
		tiers, more = tiers[:maxTiers], len(tiers)-maxTiers
	}
	if more > 0 {
		out = append(out, draw.Spans{{Text: fmt.Sprintf("… %d older", more), Style: Dim}})
	}
	for i := range tiers {
		t := &tiers[i]
		if s.Strategy != "LCS" { // levels are read from the top
			t = &tiers[len(tiers)-1-i]
		}
		end, full := tierEnd(t)
		row := draw.Spans{{Text: draw.Pad(t.Name, names)}}
		row = append(row, boxes(t.Gens, t.Bytes/int64(max(len(t.Gens), 1)), byGen, c.W-2-names-draw.Width(end)-1)...)
		out = append(out, append(row, draw.Line{Text: end, Style: pick(full, Warn, Text), Right: true}))
	}
	if s.Why != "" {
		for _, l := range draw.Wrap(s.Why, c.W-5) {
			out = append(out, draw.Spans{{Text: "  " + l, Style: Dim}})
		}
	}
	return out
}

// maxTiers is the number of tiers that the pane shows.
const maxTiers = 9

// tierWords are what the strategies call their tiers.
var tierWords = map[string]string{"STCS": "bucket", "LCS": "level", "TWCS": "window", "UCS": "density"}

// tierEnd says how full a tier is.
func tierEnd(t *view.Tier) (text string, full bool) {
	if t.Need > 0 {
		return fmt.Sprintf("%d/%d", t.Have, t.Need), t.Have >= t.Need
	}
	return draw.Bytes(t.Bytes) + "/" + draw.Bytes(t.Limit), t.Bytes > t.Limit
}

// boxes draws one box a file, as wide as the logarithm of its size.
func boxes(gens []int, avg int64, byGen map[int]*view.SSTable, room int) draw.Spans {
	var out draw.Spans
	for i, g := range gens {
		size, fill, style := avg, "▒", Accent
		if t := byGen[g]; t != nil {
			size = t.Bytes
			if t.Busy {
				fill, style = "░", Warn
			}
			if strings.HasPrefix(t.HasKey, "hit") {
				style = Replica
			}
		}
		w := 1
		for b := size; b >= 8<<10 && w < 8; b >>= 1 {
			w++
		}
		text := fmt.Sprintf("[%02d %s]", g, strings.Repeat(fill, w))
		if need := draw.Width(text); need > room || i < len(gens)-1 && need+4 > room {
			text = fmt.Sprintf("[%02d]", g)
		}
		if need := draw.Width(text); need > room || i < len(gens)-1 && need+3 > room {
			return append(out, draw.Line{Text: draw.Truncate("+"+strconv.Itoa(len(gens)-i), room), Style: Dim})
		}
		room -= draw.Width(text)
		out = append(out, draw.Line{Text: text, Style: style})
	}
	return out
}

func (p *storagePane) compaction(s *view.Storage, c *draw.Canvas) []draw.Spans {
	var out []draw.Spans
	for _, k := range s.Compactions {
		head := "▶ " + joinInts(k.Inputs, "+") + arrow(k)
		w := max(c.W-2-draw.Width(head)-5, 4)
		out = append(out, draw.Spans{{Text: head, Style: Warn}, {Text: draw.Meter(k.Progress, w), Style: Warn},
			{Text: fmt.Sprintf("%4.0f%%", k.Progress*100), Style: Warn}})
		out = append(out, detail(k)...)
	}
	if len(s.Compactions) == 0 && len(s.Done) > 0 {
		k := s.Done[0]
		out = append(out, draw.Spans{{Text: "✓ " + joinInts(k.Inputs, "+") + arrow(k), Style: OK}, {Text: "last compaction", Style: Dim}})
		out = append(out, detail(k)...)
	}
	return out
}

// arrow leads from a compaction's inputs to its outputs, or to their level while
// they are not there.
func arrow(k view.Compaction) string {
	switch {
	case len(k.Outputs) > 0:
		return " → " + joinInts(k.Outputs, "+") + "  "
	case k.Progress == 1:
		return " → nothing  "
	}
	return pick(k.Level > 0, fmt.Sprintf(" → L%d  ", k.Level), " → …  ")
}

func detail(k view.Compaction) []draw.Spans {
	out := []draw.Spans{{{Text: "  " + draw.Bytes(k.BytesIn) + " in, " + draw.Bytes(k.BytesOut) + " out", Style: Text}}}
	parts := strings.Split(k.Detail, ";")
	if k.Detail != "" {
		out[0] = append(out[0], draw.Line{Text: ", " + strings.TrimSpace(parts[0]), Style: Dim})
		for _, d := range parts[1:] {
			out = append(out, draw.Spans{{Text: "  " + strings.TrimSpace(d), Style: Dim}})
		}
	}
	return out
}

func (p *storagePane) reading(sc *Scene, s *view.Storage, c *draw.Canvas) []draw.Spans {
	var out []draw.Spans
	if len(s.ReadPath) > 0 {
		var hits []string
		skipped := map[string][]string{}
		var order []string
		for _, r := range s.ReadPath {
			unit := pick(r.Unit == "memtable", "mem", r.Unit)
			if strings.HasPrefix(r.Result, "hit") {
				hits = append(hits, unit)
				continue
			}
			if skipped[r.Result] == nil {
				order = append(order, r.Result)
			}
			skipped[r.Result] = append(skipped[r.Result], unit)
		}
		text := pick(len(hits) > 0, strings.Join(hits, " + "), "nothing here")
		out = append(out, draw.Spans{{Text: "read ", Style: Dim}, {Text: showKey(sc.Need.Key), Style: Accent}, {Text: "   " + text, Style: Replica}})
		for _, why := range order {
			word := map[string]string{"bloom no": "bloom skipped", "range no": "range skipped", "false positive": "bloom lied"}[why]
			out = append(out, draw.Spans{{Text: "  " + pick(word != "", word, why) + " " + strings.Join(skipped[why], " "), Style: Dim}})
		}
	} else if sc.Need.Key == "" {
		out = append(out, draw.Spans{{Text: "read path: choose a partition in 1", Style: Dim}})
	}
	if r := s.SSTablesPerRead; r[2] > 0 {
		out = append(out, draw.Spans{{Text: fmt.Sprintf("  sstables per read p50 %d p95 %d max %d", r[0], r[1], r[2]), Style: Dim}})
	}
	if s.BytesFlushed > 0 {
		amplified := fmt.Sprintf("write %.1fx", float64(s.BytesWritten)/float64(s.BytesFlushed))
		if r := s.FilesPerRead; r[1] > 0 {
			amplified += fmt.Sprintf(" read %.1f", float64(r[0])/float64(r[1]))
		}
		if s.PeakDisk > 0 {
			amplified += " peak " + draw.Bytes(s.PeakDisk)
		}
		out = append(out, draw.Spans{{Text: "amplification ", Style: Dim}, {Text: amplified},
			{Text: fmt.Sprintf("  %d ", s.Flushes) + plural(int64(s.Flushes), "flush", "flushes") + pick(c.W >= 56, fmt.Sprintf(", %d compactions", s.Compacted), ""), Style: Dim}})
	}
	out = append(out, rotten(s)...)
	if s.Tombstones > 0 {
		out = append(out, draw.Spans{{Text: "tombstones ", Style: Dim}, {Text: draw.Thousands(s.Tombstones), Style: Warn}})
	}
	if n := len(p.rate); n > 1 {
		out = append(out, draw.Spans{{Text: "write/s ", Style: Dim}, {Text: draw.Spark(p.rate, max(c.W-20, 4)), Style: Accent}, {Text: "  " + draw.Bytes(int64(p.rate[n-1])) + "/s"}})
	}
	return out
}

// rotten names the files that cannot be read whole, and the node's disk where that
// is not right.
func rotten(s *view.Storage) []draw.Spans {
	var out []draw.Spans
	if s.Trouble != "" {
		out = append(out, draw.Spans{{Text: s.Trouble, Style: Error}})
	}
	for _, t := range s.SSTables {
		if t.Rot != "" {
			out = append(out, draw.Spans{{Text: fmt.Sprintf("sstable %d is %s", t.Gen, t.Rot), Style: Error}})
		}
	}
	return out
}

// tables lists every file, for the zoomed pane.
func (p *storagePane) tables(s *view.Storage, _ *draw.Canvas) []draw.Spans {
	out := []draw.Spans{{{Text: fmt.Sprintf("%5s %7s %6s %8s %6s  %-10s %-8s %s", "gen", "size", "parts", "rows", "tombs", "from", "age", "selected key"), Style: Dim}}}
	for _, t := range s.SSTables {
		style := pick(t.Busy, Warn, pick(strings.HasPrefix(t.HasKey, "hit"), Replica, Text))
		out = append(out, draw.Spans{{Text: fmt.Sprintf("%5d %7s %6d %8d %6d  %-10s %-8s %s", t.Gen, draw.Bytes(t.Bytes), t.Partitions, t.Rows, t.Tombstones, t.Origin, ageText(t.AgeMicros), pick(t.Rot != "", t.Rot+" ", "")+t.HasKey), Style: style}})
	}
	return out
}

func ageText(us int64) string {
	s := us / 1_000_000
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func joinInts(list []int, sep string) string {
	var b strings.Builder
	for i, n := range list {
		if i == 6 {
			fmt.Fprintf(&b, "+%d more", len(list)-i)
			break
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

func (p *storagePane) Do(id string, sc *Scene) (Action, bool) {
	name := nodeName(sc.V, sc.Need.Node)
	where := name
	if sc.Need.Table != "" {
		where += " " + sc.Need.Keyspace + "." + sc.Need.Table
	}
	switch id {
	case "storage.node", "storage.prev", "right", "left":
		n := max(len(sc.V.Nodes), 1)
		by := pick(id == "storage.node" || id == "right", 1, n-1)
		return Action{Need: func(need *view.Need) { need.Node = (need.Node + by) % n }}, true
	case "storage.replicas":
		return openSheet(sc, view.SheetReplicas), true
	case "storage.map":
		p.mapped = !p.mapped
		return Action{}, true
	case "back":
		if p.mapped {
			p.mapped = false
			return Action{}, true
		}
	case "storage.duel":
		if sc.Need.Table == "" {
			return Action{Status: "no table is selected"}, true
		}
		return Action{Run: ":compaction-duel " + where}, true
	case "storage.flush":
		return Action{Run: ":flush " + where}, true
	case "storage.compact":
		return Action{Run: ":compact " + where}, true
	case "up", "down", "pgup", "pgdn", "top", "bottom":
		if p.mapped {
			p.sheet.scroll = max(p.sheet.scroll+map[string]int{"up": -1, "down": 1, "pgup": -8, "pgdn": 8, "top": -1 << 20, "bottom": 1 << 20}[id], 0)
			return Action{}, true
		}
		p.Wheel(map[string]int{"up": -1, "down": 1, "pgup": -8, "pgdn": 8, "top": -1 << 20, "bottom": 1 << 20}[id])
		return Action{}, true
	case "open":
		return Action{Perform: "zoom"}, true
	}
	return Action{}, false
}

func (p *storagePane) Click(int, int, *Scene) Action { return Action{} }

func (p *storagePane) Wheel(delta int) {
	if p.mapped {
		p.sheet.scroll = max(p.sheet.scroll+delta, 0)
		return
	}
	p.scroll = max(p.scroll+delta, 0)
}
