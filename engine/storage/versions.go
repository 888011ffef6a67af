package storage

import (
	"bytes"
	"math"
	"strconv"

	"ringlab/model/schema"
	"ringlab/ring"
)

// Version is what a memtable or a file has of a column of a row: a cell, the row's
// marker, or a deletion that lies over it.
type Version struct {
	File     string // generation; "" is the memtable
	What     string // cell, marker, or what is deleted: collection, row, range, partition
	Cell     Cell
	Liveness Liveness // of a marker
	Deletion Deletion
	Bytes    int64 // of a cell in the file's Data.db before compression; of the memtable's, were it flushed now; 0 elsewhere
}

// MarkerColumn asks Versions for what makes a row exist: its marker.
const MarkerColumn = math.MaxUint16

// Versions is what the memtable and each file have of a column in a row, the
// memtable first, then the newest file. It only looks: nothing counts as a read.
func (s *TableStore) Versions(t *schema.Table, key string, token ring.Token, clustering []byte, static bool, column uint16) []Version {
	var out []Version
	if p := s.Mem.find(key); p.Partition != nil {
		row := p.Static
		if !static {
			row = s.Mem.Row(key, pack(AppendHeader(nil, clustering, false, NoLiveness, Live)))
		}
		out = versions(out, newSizer(t, &s.Mem.stats, s.Format), "", p.Partition, row, clustering, static, column)
	}
	for _, f := range s.SSTables {
		p, _ := f.Lookup(token, key)
		if p == nil {
			continue
		}
		row := p.Static
		if !static {
			row = p.Row(t, clustering, false)
		}
		out = versions(out, newSizer(t, &f.Stats, f.Format), strconv.Itoa(f.Gen), p, row, clustering, static, column)
	}
	return out
}

// versions adds what one unit has.
func versions(out []Version, z *sizer, file string, p *Partition, row Row, clustering []byte, static bool, column uint16) []Version {
	deleted := func(what string, d Deletion) {
		if !d.IsLive() {
			out = append(out, Version{File: file, What: what, Deletion: d})
		}
	}
	deleted("partition", p.Del)
	for i := range p.Ranges {
		if !static && z.table.Contains(p.Ranges[i].Slice, clustering) {
			deleted("range", p.Ranges[i].Del)
		}
	}
	if row.IsZero() {
		return out
	}
	var v View
	row.Unpack(&v)
	deleted("row", v.Deletion)
	if column == MarkerColumn {
		if v.Liveness.Timestamp != NoTimestamp {
			out = append(out, Version{File: file, What: "marker", Liveness: v.Liveness})
		}
		return out
	}
	for i := range v.Cells {
		switch c := &v.Cells[i]; {
		case c.Column != column:
		case c.Complex:
			deleted("collection", Deletion{c.Timestamp, c.Local})
		default:
			out = append(out, Version{File: file, What: "cell", Cell: *c, Bytes: z.cell(c, columnOf(z.table, column), v.Liveness)})
		}
	}
	return out
}

// NewestOf says which of the versions, of one node or of several, stand when all of
// them are merged: the winning cell of each path, or the marker, that no deletion
// among them covers. Dead cells win, too. The table is that of the cells.
func NewestOf(t *schema.Table, list []Version) []bool {
	del := Live
	for i := range list {
		if d := list[i].Deletion; list[i].What != "cell" && list[i].What != "marker" {
			del = maxDeletion(del, d)
		}
	}
	out := make([]bool, len(list))
	for i := range list {
		v := &list[i]
		switch v.What {
		case "cell":
			out[i] = !del.Deletes(v.Cell.Timestamp)
			for j := range list {
				o := &list[j]
				if out[i] && o.What == "cell" && bytes.Equal(o.Cell.Path, v.Cell.Path) && !v.Cell.Same(&o.Cell) && beats(t, &o.Cell, &v.Cell) {
					out[i] = false
				}
			}
		case "marker":
			out[i] = !del.Deletes(v.Liveness.Timestamp)
			for j := range list {
				if o := &list[j]; o.What == "marker" && o.Liveness != v.Liveness && o.Liveness.supersedes(v.Liveness) {
					out[i] = false
				}
			}
		default:
			out[i] = v.Deletion == del
		}
	}
	return out
}

// Same says whether two cells of one column and path were written alike.
func (c *Cell) Same(o *Cell) bool {
	return c.Timestamp == o.Timestamp && c.TTL == o.TTL && c.Local == o.Local && bytes.Equal(c.Value, o.Value)
}
