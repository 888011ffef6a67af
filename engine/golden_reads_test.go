package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"ringlab/engine"
)

// readsFile is the recording of what reads look into.
type readsFile struct {
	Tables map[string]struct {
		Create   string
		Flushes  [][]string
		Memtable []string
	}
	Reads []struct {
		Table        string
		Query        string
		RowsReturned int   `json:"rows_returned"`
		SSTablesRead []int `json:"sstables_read"`
		Trace        []string
	}
}

var fileOfTrace = regexp.MustCompile(`^(?:Key cache hit|Partition index found) for sstable (\d+), `)

// warm is an event as if the key cache held nothing: that of the recorded node
// held what reads before the recorded ones had left there.
func warm(activity string) string {
	return strings.Replace(activity, "Key cache hit for", "Partition index found for", 1)
}

// checkReads plays the tables of a recording, file by file, and then its reads;
// each is compared by the files that it opened and by what its trace says.
func checkReads(t *testing.T, text []byte, result func(which string, diff []string)) {
	var f readsFile
	decode(t, "reads", text, &f)
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	do := func(text string) {
		if a := lab.Do(text)[0]; a.Error != nil {
			t.Fatalf("%s: %s", text, a.Error.Message)
		}
	}
	do("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	do("USE ks")
	do(":set autocompaction off")
	names := make([]string, 0, len(f.Tables))
	for n := range f.Tables {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		do(f.Tables[n].Create)
		for _, statements := range f.Tables[n].Flushes {
			for _, s := range statements {
				do(s)
			}
			do(":flush")
		}
	}
	for _, n := range names {
		for _, s := range f.Tables[n].Memtable {
			do(s)
		}
	}
	lab.Trace(true)
	for i, r := range f.Reads {
		a := lab.Do(r.Query)[0]
		if a.Error != nil {
			t.Fatalf("%s: %s", r.Query, a.Error.Message)
		}
		var trace []string
		read := []int{}
		for _, e := range a.Trace {
			if m := fileOfTrace.FindStringSubmatch(e.Activity); m != nil {
				n := 0
				fmt.Sscan(m[1], &n)
				read = append(read, n)
			}
			if e.Thread == "ReadStage" && !strings.HasPrefix(e.Activity, "Executing ") {
				trace = append(trace, warm(e.Activity))
			}
		}
		for i, e := range r.Trace {
			r.Trace[i] = warm(e)
		}
		var diff []string
		if len(a.Rows) != r.RowsReturned {
			diff = append(diff, fmt.Sprintf("%s: %d rows, expected %d", r.Query, len(a.Rows), r.RowsReturned))
		}
		// The order of a merge has no meaning; that of a read by names has.
		want := slices.Clone(r.SSTablesRead)
		if slices.ContainsFunc(r.Trace, func(s string) bool { return strings.HasPrefix(s, "Skipped") }) {
			sort.Ints(want)
			sort.Ints(read)
			sort.Strings(trace)
			sort.Strings(r.Trace)
		}
		if !slices.Equal(read, want) {
			diff = append(diff, fmt.Sprintf("%s: files %v, expected %v", r.Query, read, want))
		}
		if !slices.Equal(trace, r.Trace) {
			x, _ := json.MarshalIndent(trace, "    ", " ")
			y, _ := json.MarshalIndent(r.Trace, "    ", " ")
			diff = append(diff, fmt.Sprintf("%s: trace %s\n  expected %s", r.Query, x, y))
		}
		result(fmt.Sprint(i+1), diff)
	}
}

// TestReadsAsOnARealNode holds what reads look into, and what their traces say, against
// what a real node said of the same tables.
func TestReadsAsOnARealNode(t *testing.T) {
	recordings, err := filepath.Glob("testdata/real/reads/*.json")
	if err != nil || len(recordings) == 0 {
		t.Fatal("there are no recordings", err)
	}
	for _, path := range recordings {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		good, all := 0, 0
		checkReads(t, text, func(which string, diff []string) {
			all++
			if len(diff) == 0 {
				good++
				return
			}
			t.Errorf("%s, read %s: %s", filepath.Base(path), which, strings.Join(diff, "\n  "))
		})
		t.Logf("%s: %d of %d", filepath.Base(path), good, all)
	}
}
