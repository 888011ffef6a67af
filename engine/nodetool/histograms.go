package nodetool

import (
	"fmt"
	"math"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/metrics"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Percentiles are the rows of nodetool's histograms.
var Percentiles = []string{"50%", "75%", "95%", "98%", "99%", "Min", "Max"}

var shares = []float64{0.5, 0.75, 0.95, 0.98, 0.99}

// Quantiles are the values of Percentiles.
func Quantiles(h *metrics.Histogram) []float64 {
	out := make([]float64, 0, len(Percentiles))
	for _, s := range shares {
		out = append(out, float64(h.Percentile(s)))
	}
	return append(out, float64(h.Min()), float64(h.Max()))
}

// TableHistograms are the histograms of a table on one node: Latencies in µs, and
// what the files hold. Sizes and cells are nil without files.
type TableHistograms struct {
	Read, Write, SSTables []float64
	Size, Cells           []float64
	Remarks               []string // why some are not known
}

// HistogramsOf gathers them. Source: Cassandra 5.0 TableHistograms,
// TableMetrics.combineHistograms.
func HistogramsOf(c *cluster.Cluster, s *storage.TableStore) TableHistograms {
	now := int64(c.Now())
	m := &s.Metrics
	out := TableHistograms{Read: Quantiles(m.Read.Recent(now)), Write: Quantiles(m.Write.Recent(now)), SSTables: Quantiles(m.SSTables(now))}
	if len(s.SSTables) == 0 {
		out.Remarks = []string{"No SSTables exists, unable to calculate 'Partition Size' and 'Cell Count' percentiles"}
		return out
	}
	sizes, cells := &metrics.Histogram{Offsets: metrics.SizeOffsets}, &metrics.Histogram{Offsets: metrics.CellOffsets}
	for _, f := range s.SSTables {
		f.AddHistograms(sizes, cells)
	}
	known := func(h *metrics.Histogram, remark string) []float64 {
		q := Quantiles(h)
		if h.Overflowed() {
			out.Remarks = append(out.Remarks, fmt.Sprintf(remark, h.Offsets[len(h.Offsets)-1]))
			for i := range shares {
				q[i] = math.NaN()
			}
		}
		return q
	}
	out.Size = known(sizes, "Row sizes are larger than %d, unable to calculate percentiles")
	out.Cells = known(cells, "Column counts are larger than %d, unable to calculate percentiles")
	return out
}

func tableHistograms(k *call) error {
	var tables []*schema.Table
	switch {
	case len(k.args) == 2 && !strings.Contains(k.args[0], ".") && !strings.Contains(k.args[1], "."):
		t, err := k.histogramTable(k.args[0], k.args[1])
		if err != nil {
			return err
		}
		tables = append(tables, t)
	case len(k.args) == 1:
		parts := strings.Split(strings.TrimRight(k.args[0], "."), ".")
		if len(parts) != 2 {
			return misused("tablehistograms requires keyspace and table name arguments")
		}
		t, err := k.histogramTable(parts[0], parts[1])
		if err != nil {
			return err
		}
		tables = append(tables, t)
	case len(k.args) == 0:
		for _, ks := range k.Schema.Names() {
			for _, name := range k.Schema.Keyspace(ks).TableNames() {
				tables = append(tables, k.Schema.Table(ks, name))
			}
		}
	default:
		return misused("tablehistograms requires <keyspace> <table> or <keyspace.table> format argument.")
	}
	for _, t := range tables {
		h := HistogramsOf(k.Cluster, k.Store(k.node.Index, t))
		for _, r := range h.Remarks {
			k.line(r)
		}
		k.printf("%s/%s histograms\n", t.Keyspace, t.Name)
		k.printf("%-10s%18s%18s%18s%18s%18s\n", "Percentile", "Read Latency", "Write Latency", "SSTables", "Partition Size", "Cell Count")
		k.printf("%-10s%18s%18s%18s%18s%18s\n", "", "(micros)", "(micros)", "", "(bytes)", "")
		for i, p := range Percentiles {
			size, cells := "NaN", "NaN"
			if h.Size != nil {
				size, cells = fixed(h.Size[i], 0), fixed(h.Cells[i], 0)
			}
			k.printf("%-10s%18.2f%18.2f%18.2f%18s%18s\n", p, h.Read[i], h.Write[i], h.SSTables[i], size, cells)
		}
		k.line("")
	}
	return nil
}

func (k *call) histogramTable(keyspace, table string) (*schema.Table, error) {
	if schema.System(keyspace) {
		return nil, beyond("tablehistograms of "+keyspace, "nodes of a lab keep no files of it; take a table of your own")
	}
	if k.Schema.Keyspace(keyspace) != nil {
		if t := k.TableOrIndex(keyspace, table); t != nil {
			return t, nil
		}
	}
	return nil, misused("Unknown table %s.%s", keyspace, table)
}

// proxyHistograms are those of the requests that the node coordinated.
// Source: Cassandra 5.0 ProxyHistograms.
func proxyHistograms(k *call) error {
	o := &k.node.Coordinated
	var columns [][]float64
	for _, l := range []*metrics.Latency{&o.Read, &o.Write, &o.Range, &o.CASRead, &o.CASWrite, &o.ViewWrite} {
		columns = append(columns, Quantiles(l.Recent(k.now())))
	}
	k.line("proxy histograms")
	k.printf("%-10s%19s%19s%19s%19s%19s%19s\n", "Percentile", "Read Latency", "Write Latency", "Range Latency", "CAS Read Latency", "CAS Write Latency", "View Write Latency")
	k.printf("%-10s%19s%19s%19s%19s%19s%19s\n", "", "(micros)", "(micros)", "(micros)", "(micros)", "(micros)", "(micros)")
	for i, p := range Percentiles {
		k.printf("%-10s", p)
		for _, c := range columns {
			k.printf("%19.2f", c[i])
		}
		k.line("")
	}
	k.line("")
	return nil
}
