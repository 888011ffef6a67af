package storage

import (
	"bytes"
	"slices"

	"ringlab/model/schema"
	"ringlab/ring"
)

// Partition is what somebody holds of one partition: a write, what an SSTable
// has, or what a replica answered. Ranges are disjoint and in table order, rows
// are in table order. It is immutable once it was handed on.
type Partition struct {
	Key    string // partition key bytes
	Token  ring.Token
	Del    Deletion
	Static Row
	Ranges []RangeTombstone
	Rows   []Row
}

// IsEmpty says whether it holds nothing, not even a deletion.
func (p *Partition) IsEmpty() bool {
	return p.Del.IsLive() && p.Static.IsZero() && len(p.Ranges) == 0 && len(p.Rows) == 0
}

// Row is the row with that clustering, zero if there is none; reversed says that
// the rows are in the order opposite to the table's.
func (p *Partition) Row(t *schema.Table, clustering []byte, reversed bool) Row {
	at, ok := slices.BinarySearchFunc(p.Rows, clustering, func(r Row, c []byte) int {
		if reversed {
			return t.CompareClustering(c, r.Clustering())
		}
		return t.CompareClustering(r.Clustering(), c)
	})
	if !ok {
		return Row{}
	}
	return p.Rows[at]
}

// UpdateSize is the data size of a write as batches count it, in bytes.
// Source: Cassandra 5.0 PartitionUpdate.dataSize.
func UpdateSize(p *Partition) int64 {
	n := int64(8 + 21) // deletion info, static row
	if !p.Static.IsZero() {
		data, _ := p.Static.weigh()
		n += data - 21
	}
	for _, r := range p.Ranges {
		n += 16
		for _, cut := range [...]schema.Cut{r.From, r.To} {
			for _, v := range schema.Components(cut.Prefix) {
				n += int64(len(v))
			}
		}
	}
	if len(p.Ranges) > 0 {
		n += 4
	}
	for _, r := range p.Rows {
		data, _ := r.weigh()
		n += data
	}
	return n
}

// DeletionAt is the newest deletion of the partition or of a range of it that
// covers a clustering. The ranges may overlap.
func (p *Partition) DeletionAt(t *schema.Table, clustering []byte) Deletion {
	d := p.Del
	for i := range p.Ranges {
		if p.Ranges[i].Del.Supersedes(d) && t.Contains(p.Ranges[i].Slice, clustering) {
			d = p.Ranges[i].Del
		}
	}
	return d
}

// less orders partitions as files do: by token, then by key bytes.
func less(aToken ring.Token, aKey string, bToken ring.Token, bKey string) bool {
	if c := aToken.Compare(bToken); c != 0 {
		return c < 0
	}
	return aKey < bKey
}

// Before says whether p stands before o in a file or a scan.
func (p *Partition) Before(o *Partition) bool { return less(p.Token, p.Key, o.Token, o.Key) }

// mergeAtOnce is how many copies are merged row by row; more are merged in halves.
const mergeAtOnce = 8

// Merge reconciles several copies of the same partition, newest state first or
// last alike. It does not change them. Rows come in table order, or reversed if
// the copies are reversed.
func Merge(t *schema.Table, copies []*Partition, reversed bool) *Partition {
	return mergeCopies(t, copies, reversed, true)
}

// Join makes one write of several of a partition. What deletions of the partition
// and of ranges shadow in it stays, and counts in the header of the file that it comes
// to. Source: Cassandra 5.0 PartitionUpdate.Builder.
func Join(t *schema.Table, writes []*Partition) *Partition {
	return mergeCopies(t, writes, false, false)
}

// mergeCopies is Merge; without settle deletions of the partition and of ranges are
// not applied.
func mergeCopies(t *schema.Table, copies []*Partition, reversed, settle bool) *Partition {
	if len(copies) == 1 && len(t.Dropped) == 0 {
		return copies[0]
	}
	if n := len(copies); n > mergeAtOnce { // comparing all of them for each row would take the square of the time
		copies = []*Partition{mergeCopies(t, copies[:n/2], reversed, settle), mergeCopies(t, copies[n/2:], reversed, settle)}
	}
	m := merger{table: t}
	out := &Partition{Key: copies[0].Key, Token: copies[0].Token, Del: Live}
	statics := make([]Row, 0, len(copies))
	for _, c := range copies {
		out.Del = maxDeletion(out.Del, c.Del)
		out.Ranges = mergeRanges(t, out.Ranges, c.Ranges)
		if !c.Static.IsZero() {
			statics = append(statics, c.Static)
		}
	}
	whole := Live // what all rows are under
	if settle {
		whole = out.Del
		out.Ranges = dropShadowed(out.Ranges, out.Del)
	}
	if len(statics) > 0 {
		out.Static = m.merge(statics, whole)
	}
	cursors := make([][]Row, len(copies))
	n := 0
	for i, c := range copies {
		cursors[i] = c.Rows
		n = max(n, len(c.Rows))
	}
	out.Rows = make([]Row, 0, n)
	same := make([]Row, 0, len(copies))
	for {
		same = nextRow(t, cursors, reversed, same[:0])
		if len(same) == 0 {
			return out
		}
		around := whole
		if settle && len(out.Ranges) > 0 {
			around = maxDeletion(around, rangeAt(t, out.Ranges, same[0].Clustering()))
		}
		if r := m.merge(same, around); !r.IsZero() {
			out.Rows = append(out.Rows, r)
		}
	}
}

// nextRow takes the versions of the next row off the cursors.
func nextRow(t *schema.Table, cursors [][]Row, reversed bool, same []Row) []Row {
	var least []byte
	for _, c := range cursors {
		if len(c) == 0 {
			continue
		}
		k := c[0].Clustering()
		if least == nil {
			least = k
			continue
		}
		order := t.CompareClustering(k, least)
		if reversed {
			order = -order
		}
		if order < 0 {
			least = k
		}
	}
	for i, c := range cursors {
		if len(c) > 0 && least != nil && t.CompareClustering(c[0].Clustering(), least) == 0 {
			same = append(same, c[0])
			cursors[i] = c[1:]
		}
	}
	return same
}

// dropShadowed leaves out range tombstones that the partition's deletion covers.
func dropShadowed(list []RangeTombstone, del Deletion) []RangeTombstone {
	if del.IsLive() || len(list) == 0 {
		return list
	}
	out := make([]RangeTombstone, 0, len(list))
	for _, r := range list {
		if r.Del.Supersedes(del) {
			out = append(out, r)
		}
	}
	return out
}

// Agrees says whether two copies have the same digest. Rows are shared between
// replicas, so it mostly compares pointers.
func (p *Partition) Agrees(o *Partition) bool {
	if p.Key != o.Key || p.Del.At != o.Del.At || p.Static.s != o.Static.s || len(p.Ranges) != len(o.Ranges) || len(p.Rows) != len(o.Rows) {
		return false
	}
	for i := range p.Ranges {
		a, b := &p.Ranges[i], &o.Ranges[i]
		if a.Del.At != b.Del.At || a.From.After != b.From.After || a.To.After != b.To.After ||
			!bytes.Equal(a.From.Prefix, b.From.Prefix) || !bytes.Equal(a.To.Prefix, b.To.Prefix) {
			return false
		}
	}
	for i := range p.Rows {
		if p.Rows[i].s != o.Rows[i].s {
			return false
		}
	}
	return true
}

// Digest is a hash of the content: equal partitions have equal digests. It
// stands for the MD5 of a digest response.
func (p *Partition) Digest() uint64 {
	h := digester{0x9ae16a3b2f90404f}
	h.str(p.Key)
	h.num(uint64(p.Del.At))
	h.str(p.Static.s)
	for _, r := range p.Ranges {
		h.num(uint64(r.Del.At))
		h.str(string(r.From.Prefix))
		h.str(string(r.To.Prefix))
		if r.From.After {
			h.num(1)
		}
		if r.To.After {
			h.num(2)
		}
	}
	for _, r := range p.Rows {
		h.str(r.s)
	}
	return h.sum
}

type digester struct{ sum uint64 }

func (d *digester) num(x uint64) {
	x = (d.sum ^ x) * 0xff51afd7ed558ccd
	d.sum = x ^ x>>32
}

func (d *digester) str(s string) {
	d.num(uint64(len(s)))
	for len(s) >= 8 {
		d.num(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
		s = s[8:]
	}
	var rest uint64
	for i := 0; i < len(s); i++ {
		rest |= uint64(s[i]) << (8 * i)
	}
	d.num(rest)
}

// Diff is what must be written to a copy so that it holds all of merged; nil if
// nothing is missing. Only cells that are wanted (nil: all) are compared.
// Source: Cassandra 5.0 RowIteratorMergeListener.
func Diff(t *schema.Table, merged, have *Partition, want func(*Cell) bool) *Partition {
	out := &Partition{Key: merged.Key, Token: merged.Token, Del: Live}
	if merged.Del.Supersedes(have.Del) {
		out.Del = merged.Del
	}
	if !merged.Static.IsZero() {
		out.Static = diffRow(t, merged.Static, have.Static, want)
	}
	for _, r := range merged.Ranges {
		if !coveredBy(t, r, have) {
			out.Ranges = append(out.Ranges, r)
		}
	}
	index := make(map[string]Row, len(have.Rows))
	for _, r := range have.Rows {
		index[string(r.Clustering())] = r
	}
	for _, r := range merged.Rows {
		if d := diffRow(t, r, index[string(r.Clustering())], want); !d.IsZero() {
			out.Rows = append(out.Rows, d)
		}
	}
	if out.IsEmpty() {
		return nil
	}
	return out
}

// coveredBy says whether a copy holds the tombstone already.
func coveredBy(t *schema.Table, r RangeTombstone, have *Partition) bool {
	if !r.Del.Supersedes(have.Del) {
		return true
	}
	at := r.From
	for _, h := range have.Ranges {
		if t.CompareCuts(h.From, at) <= 0 && t.CompareCuts(at, h.To) < 0 {
			if r.Del.Supersedes(h.Del) {
				return false
			}
			at = h.To
			if t.CompareCuts(at, r.To) >= 0 {
				return true
			}
		}
	}
	return false
}

// holdsCell says whether a copy's cell needs nothing of the merged one. A
// counter's merged context may be newer in one shard and as old in the others.
func holdsCell(t *schema.Table, have, merged *Cell) bool {
	if t.Counter && !have.IsTombstone() {
		return bytes.Equal(have.Value, merged.Value)
	}
	return beats(t, have, merged)
}

// diffRow is what of the merged row a copy lacks of the cells that
// are wanted.
// Source: Cassandra 5.0 RowIteratorMergeListener.
func diffRow(t *schema.Table, merged, have Row, want func(*Cell) bool) Row {
	if merged.s == have.s {
		return Row{}
	}
	var a, b View
	merged.Unpack(&a)
	b.Liveness, b.Deletion = NoLiveness, Live
	if !have.IsZero() {
		have.Unpack(&b)
	}
	out := View{Clustering: a.Clustering, Static: a.Static, Liveness: NoLiveness, Deletion: Live}
	if a.Liveness != b.Liveness && a.Liveness.supersedes(b.Liveness) {
		out.Liveness = a.Liveness
	}
	if a.Deletion.Supersedes(b.Deletion) {
		out.Deletion = a.Deletion
	}
	i := 0
	for _, c := range a.Cells {
		for i < len(b.Cells) && CompareCells(t, &b.Cells[i], &c) < 0 {
			i++
		}
		if want != nil && !want(&c) {
			continue
		}
		if i < len(b.Cells) && CompareCells(t, &b.Cells[i], &c) == 0 && holdsCell(t, &b.Cells[i], &c) {
			continue
		}
		out.Cells = append(out.Cells, c)
	}
	r, _ := out.Pack(nil)
	return r
}
