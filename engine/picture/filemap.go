package picture

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/storage"
	"ringlab/engine/view"
	"ringlab/model/schema"
	"ringlab/ring"
)

// axis lays the ranges that a node holds side by side on columns.
type axis struct {
	tm    *ring.TokenMap
	start []float64 // per entry of the ring: where its range begins, in columns; -1 for one that is not held
	size  []float64 // columns of the range
	width int
	parts []view.RangePart
}

// mostRanges is the number of ranges up to which a map names them; with more, the
// whole ring is the axis.
const mostRanges = 12

func (p *Painter) axisOf(node int, t *schema.Table, width int) *axis {
	p.follow()
	tm, at := p.strip.ring, p.strip.at
	a := &axis{tm: tm, start: make([]float64, tm.Len()), size: make([]float64, tm.Len()), width: width}
	held := 0
	total := 0.0
	placement := p.core.Cluster.Placement(t.Keyspace)
	share := func(e int) float64 {
		before := at[(e+tm.Len()-1)%tm.Len()]
		if d := at[e] - before; d > 0 {
			return d
		}
		return at[e] - before + 1
	}
	for e := range a.start {
		a.start[e] = -1
		for _, n := range placement.ReplicasOf(e) {
			if n == node {
				held++
				a.start[e] = 0
				total += share(e)
			}
		}
	}
	all := held > mostRanges || held == 0
	if all {
		total = 1
	}
	x, done := 0.0, 0
	for e := range a.start {
		if all {
			a.start[e] = 0
		}
		if a.start[e] < 0 {
			continue
		}
		a.start[e], a.size[e] = x, share(e)/total*float64(width)
		x += a.size[e]
		if !all {
			owner := func(e int) string { return p.core.Cluster.Nodes[tm.Node((e+tm.Len())%tm.Len())].Name }
			a.parts = append(a.parts, view.RangePart{Name: "(" + owner(e-1) + "," + owner(e) + "]", Width: int(x+0.5) - done})
			done = int(x + 0.5)
		}
	}
	if all {
		a.parts = []view.RangePart{{Name: fmt.Sprintf("whole ring, %d ranges held", held), Width: width}}
	}
	return a
}

// column is where a token lies, -1 outside of the node's ranges.
func (a *axis) column(t ring.Token, at []float64) int {
	e := a.tm.Primary(t)
	if e < 0 || a.start[e] < 0 {
		return -1
	}
	before := at[(e+len(at)-1)%len(at)]
	size := at[e] - before
	if size <= 0 {
		size++
	}
	in := position(a.tm.Partitioner(), t) - before
	if in < 0 {
		in++
	}
	return min(int(a.start[e]+a.size[e]*min(in/size, 1)), a.width-1)
}

// heatKey names a file's heat on one axis.
type heatKey struct {
	file  *storage.SSTable
	ring  *ring.TokenMap
	place *ring.Placement
	width int
}

// mostHeat is how many keys of a file are looked at, evenly spread.
const mostHeat = 4096

// heat counts keys by column and grades them from 0 to 4.
func (a *axis) heat(n int, token func(i int) ring.Token, at []float64) []byte {
	counts := make([]int, a.width)
	most := 0
	step := max(n/mostHeat, 1)
	for i := 0; i < n; i += step {
		if x := a.column(token(i), at); x >= 0 {
			counts[x]++
			most = max(most, counts[x])
		}
	}
	out := make([]byte, a.width)
	for x, k := range counts {
		if k > 0 {
			out[x] = byte(1 + 3*(k-1)/max(most-1, 1))
		}
	}
	return out
}

// filesPart maps a node's memtable and files of a table.
func (p *Painter) filesPart(v *view.View, t *schema.Table, need view.Need) *view.FileMap {
	w := v.Storage
	if w == nil || need.Files <= 0 || p.core.Cluster.Ring.Len() == 0 {
		return nil
	}
	width := min(need.Files, 400)
	a := p.axisOf(w.Node, t, width)
	at := p.strip.at
	s := p.core.Cluster.Store(w.Node, t)
	out := &view.FileMap{Node: w.Node, Ranges: a.parts, Key: -1}
	if key, err := p.key(t, need.Key); need.Key != "" && err == nil {
		out.Key = a.column(p.core.Cluster.Partitioner().Token(key), at)
	}
	var tokens []ring.Token
	s.MemKeys(func(_ string, token ring.Token) bool {
		tokens = append(tokens, token)
		return len(tokens) < mostHeat
	})
	row := view.FileRow{Name: "memtable", Heat: a.heat(len(tokens), func(i int) ring.Token { return tokens[i] }, at), Bytes: s.Mem.Heap, Keys: s.Mem.Partitions()}
	if len(w.ReadPath) > 0 {
		row.HasKey = w.ReadPath[0].Result
	}
	out.Rows = append(out.Rows, row)
	kept := map[heatKey][]byte{}
	for i, f := range s.SSTables {
		k := heatKey{f, a.tm, p.core.Cluster.Placement(t.Keyspace), width}
		h := p.heats[k]
		if h == nil {
			h = a.heat(len(f.Parts), func(i int) ring.Token { return f.Parts[i].Token }, at)
		}
		kept[k] = h
		row := view.FileRow{Name: strconv.Itoa(f.Gen), Origin: f.Origin, Heat: h, Bytes: f.DataBytes, AgeMicros: w.SSTables[i].AgeMicros, Keys: len(f.Parts),
			HasKey: w.SSTables[i].HasKey, Busy: f.Busy, Level: f.Level}
		out.Rows = append(out.Rows, row)
	}
	p.heats = kept
	if len(w.Done) > 0 {
		out.Last = lastGain(&w.Done[0])
	}
	out.Why = whyFiles(w, need.Key)
	return out
}

// lastGain says what the last compaction bought.
func lastGain(k *view.Compaction) string {
	text := joinGens(k.Inputs) + " → " + joinGens(k.Outputs)
	if len(k.Outputs) == 0 {
		text = joinGens(k.Inputs) + " → nothing"
	}
	text += fmt.Sprintf("   %d → %d bytes", k.BytesIn, k.BytesOut)
	if k.BytesIn > 0 {
		text += fmt.Sprintf(", %.0f%% less", 100-100*float64(k.BytesOut)/float64(k.BytesIn))
	}
	if k.Detail != "" {
		text += "   " + k.Detail
	}
	return text
}

func joinGens(gens []int) string {
	out := make([]string, len(gens))
	for i, g := range gens {
		out[i] = strconv.Itoa(g)
	}
	if len(out) > 8 {
		out = append(out[:8], fmt.Sprintf("%d more", len(gens)-8))
	}
	return strings.Join(out, "+")
}

// strategySources are where Cassandra decides what is compacted.
var strategySources = map[string]string{
	"STCS": "SizeTieredCompactionStrategy.getNextBackgroundSSTables, getBuckets",
	"LCS":  "LeveledManifest.getCompactionCandidates, LeveledGenerations",
	"TWCS": "TimeWindowCompactionStrategy.getNextBackgroundSSTables, newestBucket",
	"UCS":  "UnifiedCompactionStrategy.getNextCompactionPick, Controller.getFanout",
}

// whyFiles tells why something is compacted or nothing is, and what a read costs.
func whyFiles(w *view.Storage, key string) []string {
	out := []string{"Why: " + w.Why + ".", "Source: " + strategySources[w.Strategy] + "."}
	for _, tier := range w.Tiers {
		if tier.Need > 0 {
			out = append(out, fmt.Sprintf("%s: %d of the %d files that start a compaction, %d bytes.", tier.Name, tier.Have, tier.Need, tier.Bytes))
		} else {
			out = append(out, fmt.Sprintf("%s: %d of %d bytes.", tier.Name, tier.Bytes, tier.Limit))
		}
	}
	if len(w.ReadPath) > 0 {
		hits, bloom, outside, lied := 0, 0, 0, 0
		for _, r := range w.ReadPath {
			switch {
			case strings.HasPrefix(r.Result, "hit"):
				hits++
			case r.Result == "bloom no":
				bloom++
			case r.Result == "range no":
				outside++
			case r.Result == "false positive":
				lied++
			}
		}
		out = append(out, fmt.Sprintf("A read of %s: %d of %d places hold it; the Bloom filters spare %d files, the files' first and last keys %d, and %d filters lie. Source: SinglePartitionReadCommand.queryMemtableAndDisk.",
			key, hits, len(w.ReadPath), bloom, outside, lied))
	}
	if w.BytesFlushed > 0 {
		out = append(out, fmt.Sprintf("Write amplification: %d bytes written by flush and compaction for %d flushed, %.2fx.", w.BytesWritten, w.BytesFlushed, float64(w.BytesWritten)/float64(w.BytesFlushed)))
	}
	return out
}
