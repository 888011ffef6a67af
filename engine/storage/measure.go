package storage

import "ringlab/model/schema"

// Measured are the bytes of a partition's values alone, without what a layout
// needs around them.
type Measured struct{ Clustering, Regular, Static int64 }

// Measure adds up the values of a partition. Of collections, keys and elements.
func Measure(t *schema.Table, p *Partition) (m Measured) {
	var v View
	values := func(r Row) (n int64) {
		r.Unpack(&v)
		for i := range v.Cells {
			n += int64(len(v.Cells[i].Path) + len(v.Cells[i].Value))
		}
		return n
	}
	if !p.Static.IsZero() {
		m.Static = values(p.Static)
	}
	for _, r := range p.Rows {
		m.Regular += values(r)
		for _, c := range schema.Components(r.Clustering()) {
			m.Clustering += int64(len(c))
		}
	}
	return m
}

// FormatBytes is the size of a partition in another format, given that in nb: only
// the partition's deletion differs.
func FormatBytes(p *Partition, f Format, nb int64) int64 {
	return nb - NB.deletionBytes(p.Del) + f.deletionBytes(p.Del)
}
