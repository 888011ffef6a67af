package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
)

// stressProfile is a profile of rows of about 100 bytes, so many in a partition.
func stressProfile(width int) string {
	return fmt.Sprintf(`{"keyspace": "k", "table": "loaded", "table_definition": "CREATE TABLE loaded (id bigint, at int, name text, price bigint, kind int, PRIMARY KEY (id, at))",
		"columnspec": [{"name": "at", "cluster": "FIXED(%d)"}, {"name": "name", "size": "FIXED(76)"}], "insert": {"batchtype": "UNLOGGED"}}`, width)
}

// BenchmarkStress is a load of a million rows at QUORUM on the default ring, one
// or a hundred in a partition; watched, as in the workbench.
func BenchmarkStress(b *testing.B) {
	const rows = 1_000_000
	for _, width := range []int{1, 10, 100} {
		for _, watched := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d to a partition, watched %v", width, watched), func(b *testing.B) {
				loaded := 0
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					lab := newLab(b, "")
					if watched {
						lab.Record()
					}
					b.StartTimer()
					out := lab.Do(":stress " + strings.ReplaceAll(stressProfile(width), "\n", " ") + fmt.Sprintf(" n=%d ops(insert=1) cl=QUORUM", rows/width))
					loaded += stressRows(b, lab, out)
				}
				perSecond(b, loaded, "rows")
			})
		}
	}
}

// stressRows is how many rows a load has written.
func stressRows(b *testing.B, lab *engine.Lab, out []*answer.Answer) int {
	for _, a := range out {
		if a.Error != nil {
			b.Fatal(a.Error)
		}
		for _, r := range a.Rows {
			if r[0].Text == "Total rows" {
				n, err := strconv.Atoi(strings.ReplaceAll(r[1].Text, ",", ""))
				if err != nil {
					b.Fatal(err)
				}
				return n
			}
		}
	}
	b.Fatal("the load says nothing of its rows")
	return 0
}
