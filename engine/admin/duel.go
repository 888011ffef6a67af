package admin

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/model/schema"
)

// duelists are the strategies by their short names.
var duelists = []struct{ short, class string }{
	{"STCS", schema.SizeTiered}, {"LCS", schema.Leveled}, {"TWCS", schema.TimeWindow}, {"UCS", schema.Unified},
}

// compactionDuel replays a table's flushes on one node, the one that flushed most
// unless it is named, under each strategy. The table's own strategy has the
// table's options, the others their defaults; options given by name go to those
// that know them. The first line is what the node itself counted.
func compactionDuel(ctx *Context, a Args) ([]*answer.Answer, error) {
	words, node := a.Words, (*cluster.Node)(nil)
	if len(words) > 0 {
		if n, ok := ctx.Cluster.Find(words[0]); ok {
			node, words = n, words[1:]
		}
	}
	if len(words) == 0 {
		return nil, usageError(byName["compaction-duel"])
	}
	t, err := ctx.Table(words[0])
	if err != nil {
		return nil, err
	}
	var classes []string
	for _, w := range words[1:] {
		i := slices.IndexFunc(duelists, func(d struct{ short, class string }) bool { return strings.EqualFold(d.short, w) || d.class == w })
		if i < 0 {
			return nil, fmt.Errorf("%q is no compaction strategy; there are STCS, LCS, TWCS and UCS", w)
		}
		classes = append(classes, duelists[i].class)
	}
	if classes == nil {
		for _, d := range duelists {
			classes = append(classes, d.class)
		}
	}
	if node == nil {
		node = flushedMost(ctx.Cluster, t)
	}
	all, err := duelOptions(t, classes, a.Named)
	if err != nil {
		return nil, err
	}
	rows := [][]string{duelNow(ctx.Cluster, node, t)}
	for _, o := range all {
		r, err := ctx.Cluster.Replay(node.Index, t, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{r.Strategy, strconv.Itoa(r.Files), ratio(r.FilesPerRead, 1), strconv.FormatInt(r.BytesWritten, 10), ratio(float64(r.BytesWritten), float64(r.BytesFlushed)),
			strconv.FormatInt(r.Bytes, 10), ratio(float64(r.Bytes), float64(r.Least)), strconv.FormatInt(r.PeakDisk, 10), strconv.Itoa(r.Compactions)})
	}
	return table("strategy sstables sstables_per_read bytes_written write_amplification bytes space_amplification peak_bytes compactions", rows), nil
}

// flushedMost is the node with the longest history of a table.
func flushedMost(c *cluster.Cluster, t *schema.Table) *cluster.Node {
	best := c.Members()[0]
	for _, n := range c.Members() {
		if c.Store(n.Index, t).BytesFlushed > c.Store(best.Index, t).BytesFlushed {
			best = n
		}
	}
	return best
}

// duelNow is the line of what a node really did.
func duelNow(c *cluster.Cluster, n *cluster.Node, t *schema.Table) []string {
	s := c.Store(n.Index, t)
	bytes := int64(0)
	for _, f := range s.SSTables {
		bytes += f.DataBytes
	}
	return []string{n.Name + " itself", strconv.Itoa(len(s.SSTables)), ratio(float64(s.FilesRead), float64(s.Reads)), strconv.FormatInt(s.BytesWritten, 10),
		ratio(float64(s.BytesWritten), float64(s.BytesFlushed)), strconv.FormatInt(bytes, 10), "", strconv.FormatInt(s.PeakData, 10), strconv.Itoa(s.Compactions)}
}

// ratio is a quotient with two decimals, empty where there is nothing to divide by.
func ratio(a, b float64) string {
	if b == 0 {
		return ""
	}
	return strconv.FormatFloat(a/b, 'f', 2, 64)
}

// duelOptions are the table's options with each of the strategies.
func duelOptions(t *schema.Table, classes []string, named map[string]string) ([]schema.Options, error) {
	const unknown = "are not understood by"
	keys := make([]string, 0, len(named))
	for k := range named {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	known := map[string]bool{}
	var refusal error
	var out []schema.Options
	for _, class := range classes {
		o := t.Options
		if o.CompactionClass() != class {
			o.Compaction = []schema.Option{{Key: "class", Value: "org.apache.cassandra.db.compaction." + class}}
		}
		for _, k := range keys {
			with := o
			with.Compaction = append(slices.DeleteFunc(slices.Clone(o.Compaction), func(p schema.Option) bool { return p.Key == k }), schema.Option{Key: k, Value: named[k]})
			switch err := with.Check(); {
			case err == nil:
				known[k], o = true, with
			case strings.Contains(err.Error(), unknown):
				refusal = err
			default:
				return nil, err
			}
		}
		out = append(out, o)
	}
	for _, k := range keys {
		if !known[k] {
			return nil, refusal
		}
	}
	return out, nil
}
