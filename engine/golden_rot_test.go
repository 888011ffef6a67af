package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ringlab/engine"
)

// TestRotAsMeasured holds a corrupt chunk against what a ring of three nodes of
// Cassandra 5.0.5 made of one: 40 partitions of two rows with 1000 random bytes,
// RF 3, four bytes flipped in the second of six chunks of n1's file.
//
//   - reads of these keys failed on n1, those of all others did not:
const rotten = "0 1 2 4 8 11 18 19 30"

// - scrub kept 31 partitions and lost 9: the first one could not be read to its
// end, the others begin in the chunk. Its log, without times, stacks and what sizes
// of timestamps shift:
var scrubLog = []string{
	"INFO Starting Scrub on ks.[t]",
	"INFO Starting Scrub for ks.t",
	"INFO Scrubbing BigTableReader:big(path='/nb-1-big-Data.db')",
	"WARN Error reading partition 30 (stacktrace follows):",
	"WARN Partition starting at position N is unreadable; skipping to next",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Failed to seek to next partition position N",
	"WARN Data file partition position N differs from index file row position -1",
	"WARN Data file partition position N differs from index file row position -1",
	"INFO Scrub of BigTableReader:big(path='/nb-1-big-Data.db') complete: 31 partitions in new sstable and 0 empty (tombstoned) partitions dropped",
	"WARN Unable to recover 9 partitions that were skipped.  You can attempt manual recovery from the pre-scrub snapshot.  You can also run nodetool repair to transfer the data from a healthy replica, if any",
	"INFO Finished Scrub for ks.t successfully",
	"INFO Completed Scrub with status SUCCESSFUL",
}

func TestRotAsMeasured(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	do := func(format string, args ...any) (failed bool, text string) {
		t.Helper()
		for _, a := range lab.Do(fmt.Sprintf(format, args...)) {
			if a.Error != nil {
				failed, text = true, a.Error.Message
			}
		}
		return failed, text
	}
	do("CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}")
	do("CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY (k, c)) WITH speculative_retry = 'NONE'")
	do("CONSISTENCY ALL")
	r := rand.New(rand.NewPCG(1, 1))
	for k := range 40 {
		for c := range 2 {
			v := make([]byte, 1000)
			for i := range v {
				v[i] = byte(r.Uint32())
			}
			do("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 0x%x)", k, c, v)
			do(":advance 80ms") // about the pace of the recording: timestamps take as many bytes
		}
	}
	do(":flush")
	if failed, text := do(":corrupt n1 ks.t 2"); failed {
		t.Fatal(text)
	}
	var bad []string
	do(":client here node=n1 cl=ONE")
	do(":as here")
	for k := range 40 {
		if failed, text := do("SELECT k, c FROM ks.t WHERE k = %d", k); failed {
			if text != "Operation failed - received 0 responses and 1 failures: UNKNOWN from /127.0.0.1:7000" {
				t.Errorf("key %d: %s", k, text)
			}
			bad = append(bad, fmt.Sprint(k))
		}
	}
	if got := strings.Join(bad, " "); got != rotten {
		t.Errorf("reads of %s fail, not of %s", got, rotten)
	}
	if failed, _ := do("SELECT k, c FROM ks.t"); !failed {
		t.Errorf("a scan of all passes the chunk unharmed")
	}
	if failed, text := do("SELECT k, c FROM ks.t LIMIT 2"); failed {
		t.Errorf("a scan that ends before the chunk fails: %s", text)
	}
	do(":reboot n1") // a file on which reads failed is left out before
	n1 := lab.Core().Cluster.Nodes[0]
	before := len(n1.SystemLog)
	do("nodetool -h n1 scrub ks t")
	var log []string
	for _, l := range n1.SystemLog[before:] {
		log = append(log, l.Level+" "+plainLog(l.Text))
	}
	if !slices.Equal(log, scrubLog) {
		t.Errorf("scrub wrote\n%s\nnot\n%s", strings.Join(log, "\n"), strings.Join(scrubLog, "\n"))
	}
}

// plainLog leaves the stack of a log's line out, its directory and its positions.
func plainLog(s string) string {
	s, _, _ = strings.Cut(s, " org.apache")
	if i, j := strings.Index(s, "'/"), strings.Index(s, "/nb-"); i >= 0 && j > i {
		s = s[:i+1] + s[j:]
	}
	if i := strings.LastIndex(s, " ("); i >= 0 && strings.HasSuffix(s, "iB)") {
		s = s[:i]
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if i > 0 && words[i-1] == "position" && w != "-1" {
			words[i] = "N"
		}
	}
	return strings.Join(words, " ")
}
