package picture

import (
	"slices"
	"sort"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/cluster"
	"ringlab/engine/view"
	"ringlab/model/schema"
	"ringlab/ring"
)

// partitionList is the list of a table's partitions with their sizes. It is
// made anew when the table has changed, but not at every change of a large one.
type partitionList struct {
	table     *schema.Table
	order     string
	reverse   bool
	at        int64 // writes, flushes and compactions when it was made
	list      []view.Partition
	histogram []view.Bucket
	tokens    []ring.Token      // of all listed partitions, in no order that matters
	sizes     []int64           // their bytes
	keys      map[string]string // bytes of each key by its text, which not every key can be read back from
	pace      pace
}

// mostKeys bounds the partitions that are looked at.
const mostKeys = 20000

// changes is a number that differs when a table's data does.
func changes(c *cluster.Cluster, t *schema.Table) (at int64) {
	for _, n := range c.Nodes {
		if s := n.Stores[t.ID]; s != nil {
			at += s.Writes + 1000*int64(s.Flushes) + 1000*int64(len(s.SSTables)) + s.Truncated%1000
		}
	}
	return at
}

// refresh makes the list anew, if it must, and says whether it did.
// With keep a list of the same table in the same order stays as it is.
func (l *partitionList) refresh(c *cluster.Cluster, t *schema.Table, order string, reverse, keep bool) bool {
	at := changes(c, t)
	same := l.table == t && l.order == order && l.reverse == reverse
	if same && keep {
		return false
	}
	if same && !l.pace.due(c.Now()) && (at == l.at || len(l.list) > 200 && at > l.at && at-l.at < int64(len(l.list))) {
		return false
	}
	if l.table != t {
		l.pace = pace{}
	}
	if l.table != t || l.at != at {
		l.collect(c, t)
	}
	l.table, l.order, l.reverse, l.at = t, order, reverse, at
	l.list = slices.Clone(l.list) // views made before keep theirs
	l.pace.look(l.list, c.Now())
	l.sort(order)
	if reverse {
		slices.Reverse(l.list)
	}
	return true
}

// collect looks at each partition once, on the replica that holds the most rows.
func (l *partitionList) collect(c *cluster.Cluster, t *schema.Table) {
	held := c.Census(t, mostKeys)
	l.list, l.keys = make([]view.Partition, 0, len(held)), make(map[string]string, len(held))
	l.tokens, l.sizes = l.tokens[:0], l.sizes[:0]
	placement := c.Placement(t.Keyspace)
	for _, h := range held {
		size := c.Nodes[h.Node].Stores[t.ID].Quick(h.Key, h.Token)
		l.tokens, l.sizes = append(l.tokens, h.Token), append(l.sizes, size.Bytes)
		text := t.KeyText([]byte(h.Key))
		l.keys[text] = h.Key
		l.list = append(l.list, view.Partition{Key: text, Rows: size.Rows, Bytes: size.Bytes, Tombstones: size.Tombstones,
			Token: c.Partitioner().Format(h.Token), Replicas: placement.Replicas(h.Token)})
	}
	l.histogram = buckets(l.list)
}

// sum fills in a table's counts, if all its partitions are in the list as they are
// now.
func (l *partitionList) sum(c *cluster.Cluster, t *schema.Table, w *view.Table) bool {
	if l.table != t || len(l.list) >= mostKeys || l.at != changes(c, t) {
		return false
	}
	w.Partitions = int64(len(l.list))
	for i := range l.list {
		w.Rows += l.list[i].Rows
		w.Bytes += l.list[i].Bytes
	}
	return true
}

// key gives the bytes of a key that the panes name by its text: one of the list,
// or one that was typed.
func (p *Painter) key(t *schema.Table, text string) ([]byte, error) {
	if key, ok := p.parts.keys[text]; ok && p.parts.table == t {
		return []byte(key), nil
	}
	return admin.PartitionKey(t, text)
}

// buckets counts partitions by size, in powers of four from 1 KiB.
func buckets(list []view.Partition) []view.Bucket {
	var out []view.Bucket
	for _, p := range list {
		i := 0
		for up := int64(1 << 10); up < p.Bytes; up *= 4 {
			i++
		}
		for len(out) <= i {
			out = append(out, view.Bucket{UpTo: int64(1<<10) << (2 * len(out))})
		}
		out[i].Count++
	}
	for len(out) > 0 && out[0].Count == 0 {
		out = out[1:]
	}
	return out
}

func (l *partitionList) sort(order string) {
	less := func(a, b *view.Partition) bool { return a.Bytes > b.Bytes }
	switch order {
	case "rows":
		less = func(a, b *view.Partition) bool { return a.Rows > b.Rows }
	case "tombstones":
		less = func(a, b *view.Partition) bool { return a.Tombstones > b.Tombstones }
	case "growth":
		less = func(a, b *view.Partition) bool { return a.Growth > b.Growth }
	case "key":
		less = func(a, b *view.Partition) bool { return a.Key < b.Key }
	}
	sort.SliceStable(l.list, func(i, j int) bool {
		a, b := &l.list[i], &l.list[j]
		if less(a, b) != less(b, a) {
			return less(a, b)
		}
		return a.Key < b.Key
	})
}

// shown are the first partitions whose key has a text, or has it not behind a '!'.
func (l *partitionList) shown(most int, filter string) []view.Partition {
	if most <= 0 {
		most = 64
	}
	if filter == "" || filter == "!" {
		return l.list[:min(most, len(l.list))]
	}
	text, not := strings.CutPrefix(strings.ToLower(filter), "!")
	var out []view.Partition
	for i := range l.list {
		if strings.Contains(strings.ToLower(l.list[i].Key), text) != not {
			if out = append(out, l.list[i]); len(out) == most {
				break
			}
		}
	}
	return out
}
