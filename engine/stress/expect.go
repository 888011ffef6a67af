package stress

import (
	"slices"

	"ringlab/model/schema"
)

// Expectation is what a profile makes certain of the partitions it writes.
type Expectation struct {
	MostRows        float64 // in a partition
	RowBytes        float64 // of the values of a row but the partition key's, about
	BatchPartitions float64 // at most in one insert
	BatchRows       float64
}

// Expect says what a profile leads to, also where that is too much to be
// loaded. Complaints about the profile are *ProfileError.
func Expect(p *Profile, t *schema.Table) (*Expectation, error) {
	l := &Load{Profile: p, Table: t}
	if err := l.generators(); err != nil {
		return nil, err
	}
	e := &Expectation{MostRows: l.MostRows(), BatchPartitions: float64(p.Insert.Partitions.Max)}
	for _, g := range slices.Concat(l.clustering, l.values) {
		if n := g.column.Type.FixedLen(); n >= 0 {
			e.RowBytes += float64(n)
		} else {
			e.RowBytes += g.bytes()
		}
	}
	share := min(1, float64(p.Insert.Select.Spec.Max)/p.Insert.Select.Divisor)
	e.BatchRows = max(1, float64(e.MostRows*e.BatchPartitions)*share)
	return e, nil
}
