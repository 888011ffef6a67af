package session

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
)

// verdict writes the one line that people read after a statement.
func (c *Core) verdict(f *flight, a *answer.Answer) {
	op := f.op
	if c.Recorder == nil || a.Error != nil {
		return
	}
	took := strings.Replace(sim.Time(a.Latency).String(), "us", "µs", 1)
	switch op.Kind {
	case "cas":
		a.Verdict = "not applied: the conditions do not hold  " + took
		if op.Applied {
			a.Verdict = fmt.Sprintf("applied  decided by %d of the replicas, then %s  %s", op.Majority, plural(op.Acks, "ack"), took)
		}
	case "write", "counter", "batch":
		v := fmt.Sprintf("applied  %s of %d  %s", plural(op.Acks, "ack"), max(op.Need, 1), took)
		if n := len(op.Hinted); n > 0 {
			v += fmt.Sprintf(", %s for %s", plural(n, "hint"), c.nodeNames(op.Hinted))
		}
		a.Verdict = v
	case "read", "range":
		parts, files := 0, 0
		for _, found := range op.Found {
			if found != nil {
				parts++
				files = max(files, found.SSTables)
			}
		}
		a.Verdict = plural(max(len(a.Rows), len(a.Values)), "row")
		if f.cells {
			a.Verdict = plural(f.columns(), "column")
		}
		if len(op.Found) == 0 && a.Latency == 0 { // of tables that no replica stores
			return
		}
		a.Verdict += fmt.Sprintf("  %s  %s + memtable  %s", plural(parts, "partition"), plural(files, "sstable"), took)
		if len(f.queries) > 0 && c.stale(op, f.queries) {
			a.Stale = true
			a.Verdict += "  stale: " + c.nodeNames(op.Answered) + " answered, another replica holds newer data"
		}
		if op.Repaired > 0 {
			a.Verdict += fmt.Sprintf("  read repair wrote to %s", plural(op.Repaired, "replica"))
		}
	}
}

// columns is how many columns a read of the classic language found.
func (f *flight) columns() int {
	n := 0
	for i := range f.rows {
		for range f.rows[i].Each() {
			n++
		}
	}
	return n
}

func (c *Core) nodeNames(nodes []int) string {
	var out []string
	seen := map[int]bool{}
	for _, n := range nodes {
		if !seen[n] {
			seen[n] = true
			out = append(out, c.Cluster.Nodes[n].Name)
		}
	}
	return strings.Join(out, " ")
}
