package review

import (
	"fmt"
	"math"

	"ringlab/model/figure"
	"ringlab/model/schema"
)

// Limits of reads and batches, and what is uneven.
const (
	warnTombstones = 1_000   // Cassandra 5.0 tombstone_warn_threshold
	failTombstones = 100_000 // tombstone_failure_threshold

	warnBatch     = 5 << 10  // bytes, Cassandra 5.0 batch_size_warn_threshold
	failBatch     = 50 << 10 // batch_size_fail_threshold
	manyUnlogged  = 10       // unlogged_batch_across_partitions_warn_threshold
	busyPartition = 0.5      // share of all rows from which on one partition is most of a table
	fewRows       = 1_000    // rows below which a spread says little
)

// size looks at partitions that are there, or that a profile will make.
func (r *reviewer) size(t *schema.Table) {
	if m := r.subject.Measures[t]; m != nil {
		for _, p := range m.Largest {
			r.partition(t, p)
		}
		if len(m.Largest) > 0 && m.Partitions > 1 && m.Rows >= fewRows {
			most := m.Largest[0]
			for _, p := range m.Largest {
				if p.Rows > most.Rows {
					most = p
				}
			}
			if share := float64(most.Rows) / float64(m.Rows); share > busyPartition {
				r.add(Finding{Warn, "uneven-spread", t.String(), most.Key, "one partition holds most of the table", fmt.Sprintf("%s of %s rows, %.0f %%", figure.Whole(float64(most.Rows)), figure.Whole(float64(m.Rows)), 100*share),
					"a partition key that splits it", "even spread (Principles of Cassandra data modeling)"})
			}
		}
	}
	e := r.subject.Expected[t]
	if e == nil {
		return
	}
	cells := float64(e.MostRows*float64(len(t.Regular))) + float64(len(t.Static))
	r.limits(t, "", "expected by the profile", e.MostRows, float64(e.MostRows*e.RowBytes), cells)
	r.batch(t, e)
}

func (r *reviewer) partition(t *schema.Table, p Partition) {
	r.limits(t, p.Key, "measured", float64(p.Rows), float64(p.Bytes), float64(p.Rows)*float64(len(t.Regular))+float64(len(t.Static)))
	if p.Tombstones > warnTombstones {
		f := Finding{Warn, "tombstones", t.String(), p.Key, "reads of the whole partition pass tombstones beyond the warning threshold", figure.Whole(float64(p.Tombstones)) + " tombstones",
			"slices that begin behind what was deleted, deletion of whole partitions, buckets that expire together", "tombstone_warn_threshold 1,000"}
		if p.Tombstones > failTombstones {
			f.Severity, f.Found, f.Source = Fail, "reads of the whole partition fail", "tombstone_failure_threshold 100,000"
		}
		r.add(f)
	}
}

// limits compares a partition with the limits that the articles name; each that
// is passed is a finding, the larger of two only.
func (r *reviewer) limits(t *schema.Table, key, how string, rows, bytes, cells float64) {
	const remedy = "a bucket in the partition key: `:calc buckets` has the arithmetic"
	add := func(s Severity, rule, found, evidence, source string) {
		r.add(Finding{s, rule, t.String(), key, found, evidence + " " + how, remedy, source})
	}
	switch {
	case bytes > schema.GuideBytesMost:
		add(Fail, "partition-bytes", "a partition above 200 MB", figure.Whole(bytes)+" bytes", "200 MB (the e-library)")
	case bytes > schema.GuideBytes:
		add(Warn, "partition-bytes", "a partition above 100 MB", figure.Whole(bytes)+" bytes", "100 MB (Skinny on wide rows)")
	}
	switch {
	case cells > schema.GuideCells:
		add(Fail, "partition-cells", "a partition above 1,000,000 cells", figure.Whole(cells)+" cells in "+figure.Whole(rows)+" rows", "F1: 1,000,000 cells (the e-library)")
	case rows > schema.GuideRows:
		add(Warn, "partition-rows", "a partition above 100,000 rows", figure.Whole(rows)+" rows", "100,000 elements (Skinny on wide rows)")
	}
}

// batch looks at the inserts of a profile.
func (r *reviewer) batch(t *schema.Table, e *Expectation) {
	bytes := float64(e.BatchRows * e.RowBytes)
	evidence := fmt.Sprintf("up to %s rows in %s partitions, about %s bytes", figure.Whole(e.BatchRows), figure.Whole(e.BatchPartitions), figure.Whole(bytes))
	switch {
	case e.BatchRows > 1 && bytes > failBatch:
		r.add(Finding{Fail, "batch-size", t.String(), "", "the inserts of the profile are batches that are refused", evidence, "fewer rows in a batch; batches are for atomicity, not for speed", "batch_size_fail_threshold 50 KiB"})
	case e.BatchRows > 1 && bytes > warnBatch:
		r.add(Finding{Warn, "batch-size", t.String(), "", "the inserts of the profile are batches that are warned of", evidence, "fewer rows in a batch; batches are for atomicity, not for speed", "batch_size_warn_threshold 5 KiB"})
	}
	if e.BatchPartitions <= 1 {
		return
	}
	if e.Batch == "LOGGED" {
		r.add(Finding{Warn, "batch-across-partitions", t.String(), "", "a logged batch over several partitions is written to the batchlog of two nodes first, and its coordinator waits for all of them",
			evidence, "one statement a partition, all in flight at once", "Cassandra 5.0 BatchStatement, BatchlogManager"})
	} else if e.BatchPartitions > manyUnlogged {
		r.add(Finding{Warn, "batch-across-partitions", t.String(), "", "an unlogged batch over that many partitions only makes one coordinator do the work of many", evidence,
			"one statement a partition, all in flight at once", "unlogged_batch_across_partitions_warn_threshold 10"})
	}
}

// gauge is the line of a table.
func (r *reviewer) gauge(k *schema.Keyspace, t *schema.Table) Gauge {
	g := Gauge{Table: t.String(), Key: keyText(t), Rows: -1, Published: -1, Cells: -1, Estimate: -1, Bytes: -1, Spread: -1, Copies: copies(k, t)}
	if m := r.subject.Measures[t]; m != nil && m.Rows > 0 {
		g.Spread, g.Node = float64(m.BusiestOf)/float64(m.Rows), m.Busiest
		g.Rows, g.Bytes = float64(m.Largest[0].Rows), float64(m.Largest[0].Bytes)
	}
	if e := r.subject.Expected[t]; e != nil && e.MostRows > g.Rows {
		g.Rows, g.Bytes, g.Expected = e.MostRows, float64(e.MostRows*e.RowBytes), true
	}
	if g.Rows < 0 {
		return g
	}
	statics := float64(len(t.Static))
	values := len(t.Regular) + len(t.Clustering)
	g.Published = float64(g.Rows*float64(values)) + statics
	g.Cells = float64(g.Rows*float64(len(t.Regular))) + statics
	g.Estimate = estimate(t, g.Rows, g.Published)
	return g
}

// estimate is F2 as published, on types of fixed size; negative where a column's
// size depends on its values.
func estimate(t *schema.Table, rows, values float64) float64 {
	sum := func(cs []*schema.Column) float64 {
		n := 0.0
		for _, c := range cs {
			size := c.Type.FixedLen()
			if size < 0 {
				return math.NaN()
			}
			n += float64(size)
		}
		return n
	}
	clustering := sum(t.Clustering)
	row := 0.0
	for _, c := range t.Regular {
		row += sum([]*schema.Column{c}) + clustering
	}
	bytes := sum(t.Key) + sum(t.Static) + float64(rows*row) + float64(8*values)
	if math.IsNaN(bytes) {
		return -1
	}
	return bytes
}

// copies counts the tables of a keyspace that hold the values of a table: those
// that have all of its columns.
func copies(k *schema.Keyspace, t *schema.Table) int {
	n := 0
	for _, o := range k.Tables {
		has := true
		for _, c := range t.Columns() {
			if d := o.Column(c.Name); d == nil || d.Type.String() != c.Type.String() {
				has = false
			}
		}
		if has {
			n++
		}
	}
	return n
}
