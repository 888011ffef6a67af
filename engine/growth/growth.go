// Package growth goes on with how a partition has grown: when it passes the
// limits that the literature names, and what another bucket would make of it.
// `:project` prints what the growth picture draws.
package growth

import (
	"fmt"
	"math"

	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// Partition is a partition that grows, as the replica holds it that has most of
// its rows.
type Partition struct {
	storage.Lifetime
	Key  string // as text
	Node string
	key  []byte
}

// Find looks at a partition on all nodes; without a key at the one with most
// rows. Above most rows its size is estimated; 0 reads all.
func Find(c *cluster.Cluster, t *schema.Table, key []byte, most int) (Partition, error) {
	if key == nil {
		if key = widest(c, t); key == nil {
			return Partition{}, fmt.Errorf("%s is empty: there is nothing that grows", t)
		}
	}
	token := c.Partitioner().Token(key)
	p := Partition{Key: t.KeyText(key), key: key}
	for _, n := range c.Nodes {
		if s := n.Stores[t.ID]; s != nil {
			if l := s.Lifetime(string(key), token, most); l.Rows > p.Rows {
				p.Lifetime, p.Node = l, n.Name
			}
		}
	}
	if p.Rows == 0 {
		return p, fmt.Errorf("%s has no rows in partition %s", t, p.Key)
	}
	return p, nil
}

// widest is the key of the partition with most rows, nil in an empty table.
func widest(c *cluster.Cluster, t *schema.Table) []byte {
	key, most := "", -1
	for _, n := range c.Nodes {
		c.Store(n.Index, t).EachKey(func(k string, _ ring.Token, rows int) bool {
			if rows > most || rows == most && k < key {
				key, most = k, rows
			}
			return true
		})
	}
	if most < 0 {
		return nil
	}
	return []byte(key)
}

// PerDay is the number of rows that a day added, by the write times of the first
// and the last; ok is false where they show no rate.
func (p *Partition) PerDay() (rows float64, ok bool) {
	seconds := (float64(p.Newest) - float64(p.Oldest)) / 1e6
	if p.Rows < 2 || seconds < shortest || seconds > longest {
		return 0, false
	}
	return float64(p.Rows-1) * 86400 / seconds, true
}

// Spans of write times, in seconds: rows that were typed or loaded one after the
// other say nothing of a day, and beyond the longest they are no times.
const (
	shortest = 1
	longest  = 10000 * 365 * 86400
)

// Span is the time between the first and the last write.
func (p *Partition) Span() sim.Time { return sim.Time(p.Newest - p.Oldest) }

// Unit is what a partition is measured in.
type Unit uint8

// The units of size.
const (
	Rows Unit = iota
	Cells
	Bytes
	Tombstones
)

func (u Unit) String() string { return [...]string{"rows", "cells", "bytes", "tombstones"}[u] }

// Of is the size of a partition in a unit.
func (u Unit) Of(l *storage.Lifetime) int64 {
	return [...]int64{l.Rows, l.Cells, l.Bytes, l.Tombstones}[u]
}

// Limit is a size that a partition should not pass.
type Limit struct {
	Name  string
	Unit  Unit
	Value float64
	From  string // who says so
}

// Limits are those that the articles name; a megabyte is 10^6 bytes. Those of
// tombstones are what a read of the whole partition passes.
// Source: Skinny on Wide Rows; Scalable data modelling by example; Cassandra 5.0
// cassandra.yaml, tombstone_warn_threshold and tombstone_failure_threshold.
var Limits = []Limit{
	{"100,000 rows", Rows, schema.GuideRows, "Signal"},
	{"100 MB", Bytes, schema.GuideBytes, "Signal"},
	{"1,000,000 cells", Cells, schema.GuideCells, "e-library"},
	{"200 MB", Bytes, schema.GuideBytesMost, "e-library"},
	{"1,000 tombstones", Tombstones, 1e3, "a read warns"},
	{"100,000 tombstones", Tombstones, 1e5, "a read fails"},
}

// Forecast is a partition that goes on growing at a rate.
type Forecast struct {
	Have   storage.Lifetime
	PerDay float64 // rows
	Most   float64 // rows that live at a time; +Inf without a time to live
	End    float64 // days until its bucket is over and it stops; +Inf without one
	Bucket string  // the column of its key that is a stretch of time, with its value; "" without one
}

// Project is the forecast of a partition of a table: rows with a default time to
// live go after it, and a partition whose key is a stretch of time stops with it. now is in µs
// since 1970.
func Project(p *Partition, t *schema.Table, perDay float64, now int64) Forecast {
	f := Forecast{Have: p.Lifetime, PerDay: perDay, Most: math.Inf(1), End: math.Inf(1)}
	if ttl := t.Options.DefaultTTL; ttl > 0 {
		f.Most = float64(perDay * float64(ttl) / 86400)
	}
	if b, ok := bucketOf(t, p); ok {
		f.End, f.Bucket = max(float64(b.until-now)/86400e6, 0), b.column+" "+b.text
	}
	return f
}

// RowsAt is the number of rows after so many days.
func (f *Forecast) RowsAt(days float64) float64 {
	have := float64(f.Have.Rows)
	return min(have+float64(f.PerDay*min(days, f.End)), max(f.Most, have))
}

// At is the size in a unit after so many days: rows go on to be as they are now.
func (f *Forecast) At(u Unit, days float64) float64 {
	return f.RowsAt(days) * f.Each(u)
}

// Each is what a row is in a unit, on average.
func (f *Forecast) Each(u Unit) float64 {
	if u == Rows || f.Have.Rows == 0 {
		return 1
	}
	return float64(u.Of(&f.Have)) / float64(f.Have.Rows)
}

// When says in how many days a limit is reached: 0 where it is passed already,
// +Inf for never.
func (f *Forecast) When(l Limit) float64 {
	each, have := f.Each(l.Unit), float64(f.Have.Rows)
	rows := math.Inf(1)
	if each > 0 {
		rows = l.Value / each
	}
	days := (rows - have) / f.PerDay
	switch {
	case have >= rows:
		return 0
	case rows > max(f.Most, have), days > f.End, math.IsNaN(days):
		return math.Inf(1)
	}
	return days
}

// Date is the day that lies so many days after a second since 1970, in UTC.
func Date(now int64, days float64) string {
	return types.Date.Text(types.EncodeDate((now + int64(days*86400)) / 86400))
}
