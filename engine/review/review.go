// Package review is the design review of a schema: rules that look at keyspaces,
// tables, measured or expected partitions and the queries of a load, and say what
// will hurt, on what evidence, and what to do instead. Its rules are those of
// practice; the numbers in them are Cassandra's limits and the articles' guidance,
// and each finding names the one it leans on. It knows no cluster: whoever asks
// brings the measures.
package review

import (
	"fmt"
	"sort"

	"ringlab/model/cql"
	"ringlab/model/figure"
	"ringlab/model/schema"
)

// Severity says how bad a finding is.
type Severity uint8

// From worth knowing to: this will fail.
const (
	Note Severity = iota
	Warn
	Fail
)

// String is the severity in a word.
func (s Severity) String() string { return [...]string{"note", "warn", "fail"}[s] }

// Finding is one thing that a review has to say. Its texts may hold names and
// values from data: whoever prints them makes them visible.
type Finding struct {
	Severity  Severity
	Rule      string // its name, which stays: unbounded-partition
	Object    string // keyspace, table, table.column or query
	Partition string // key of the partition it is about, "" for none
	Found     string // what is so
	Evidence  string // the numbers, "" where the schema says it all
	Remedy    string
	Source    string // where the rule or its number comes from
}

// Subject is what is reviewed.
type Subject struct {
	Keyspaces   []*schema.Keyspace
	Datacenters []Datacenter
	Measures    map[*schema.Table]*Measure // of tables that hold data
	Expected    map[*schema.Table]*Expectation
	Queries     []Query
}

// Datacenter is a data center of the ring and its number of nodes.
type Datacenter struct {
	Name  string
	Nodes int
}

// Measure is what was found in a table. Every partition counts once, whatever
// the number of its replicas.
type Measure struct {
	Partitions int  // looked at
	More       bool // there are others
	Rows       int64
	Largest    []Partition // the largest few by bytes, largest first
	Busiest    string      // the node that is the first replica of most rows
	BusiestOf  int64       // rows of it
	NameKinds  []string    // of a DynamicCompositeType: the kinds of names in it
}

// Partition is one measured partition; Bytes are those of a file, uncompressed.
type Partition struct {
	Key                     string
	Rows, Bytes, Tombstones int64
}

// Expectation is what a stress profile says of a table.
type Expectation struct {
	MostRows        float64 // in a partition
	RowBytes        float64 // of the values of a row
	BatchPartitions float64 // at most in one insert
	BatchRows       float64
	Batch           string // LOGGED, UNLOGGED or COUNTER
}

// Query is a query of a load. Refused is Cassandra's text if it is not legal.
type Query struct {
	Name      string
	Text      string
	Keyspace  string // of tables without one
	Statement cql.Statement
	Refused   string
}

// Report is the outcome of a review.
type Report struct {
	Tables   []Gauge
	Findings []Finding // the worst first
	Partial  []string  // tables of which only the first partitions were looked at, with their number
}

// Gauge is a table's line: what the design formulas make of its largest
// partition, beside what was measured. Numbers are negative where nobody knows.
type Gauge struct {
	Table     string
	Key       string  // PRIMARY KEY, as it is written
	Rows      float64 // in the largest partition
	Expected  bool    // rows and bytes are those of a profile
	Published float64 // F1 as published: only partition key columns are taken off
	Cells     float64 // F1 with the whole key taken off
	Estimate  float64 // F2 as published, bytes
	Bytes     float64 // measured, or values alone where a profile says them
	Spread    float64 // share of the rows on the busiest node
	Node      string  // that node
	Copies    int     // tables with the same values, itself included
}

// Do reviews a subject. The order of findings is that of severity, then rule,
// then object: the same subject gives the same report.
func Do(s *Subject) *Report {
	r := &reviewer{subject: s}
	for _, k := range s.Keyspaces {
		r.keyspace(k)
		for _, name := range k.TableNames() {
			t := k.Tables[name]
			r.table(k, t)
			if !t.IsView() {
				r.report.Tables = append(r.report.Tables, r.gauge(k, t))
				if m := s.Measures[t]; m != nil && m.More {
					r.report.Partial = append(r.report.Partial, fmt.Sprintf("of %s only the first %s partitions were looked at", t, figure.Whole(float64(m.Partitions))))
				}
			}
		}
	}
	for i := range s.Queries {
		r.query(&s.Queries[i])
	}
	sort.SliceStable(r.report.Findings, func(i, j int) bool {
		a, b := &r.report.Findings[i], &r.report.Findings[j]
		if a.Severity != b.Severity {
			return a.Severity > b.Severity
		}
		if a.Rule != b.Rule {
			return a.Rule < b.Rule
		}
		return a.Object < b.Object
	})
	return &r.report
}

type reviewer struct {
	subject *Subject
	report  Report
}

func (r *reviewer) add(f Finding) { r.report.Findings = append(r.report.Findings, f) }

// table runs the rules of one table.
func (r *reviewer) table(k *schema.Keyspace, t *schema.Table) {
	if t.IsView() {
		r.add(Finding{Warn, "materialized-view", t.String(), "", "a materialized view: its rows can part from those of its table, and nothing says so",
			"", "write a second table in the same logged batch, or repair the view often", "Cassandra 5.0: materialized views are experimental"})
		return
	}
	r.key(t)
	r.size(t)
	r.columns(t)
	r.indexes(t)
	r.options(k, t)
}
