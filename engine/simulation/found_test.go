package simulation

import (
	"testing"

	"ringlab/engine"
)

// play runs lines on a ring and gives the latencies of the answers to the last line.
func play(t *testing.T, ring string, lines ...string) (out []int64) {
	t.Helper()
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		out = nil
		for _, a := range lab.Do(l) {
			out = append(out, a.Latency)
		}
	}
	return out
}

// TestScanTimeout: the rounds of a scan share its timeout of ten seconds. The first
// one takes long enough for that to show.
func TestScanTimeout(t *testing.T) {
	took := play(t, "dc1=2 dc2=2 racks=3 vnodes=4 seed=126",
		"CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}",
		"CREATE TABLE ks.data (k int, c int, v bigint, PRIMARY KEY (k, c))",
		":down n3 undetected",
		":client c dc=dc1 cl=QUORUM",
		":as c",
		"SELECT k, c, v FROM ks.data")
	if want := int64(10e6); took[0] < want || took[0] > want+5000 {
		t.Errorf("it took %d µs, not about %d", took[0], want)
	}
}

// TestRoundsOfTwo: two SERIAL reads at one coordinator that find a proposal to finish
// could finish each other's for ever; the contention timeout ends that.
func TestRoundsOfTwo(t *testing.T) {
	s := New(0)
	s.Ring = "dc1=3 dc2=3 racks=1 vnodes=4 seed=397"
	took := play(t, s.Ring,
		"CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 3}",
		"CREATE TABLE ks.lwt (k int PRIMARY KEY, v bigint)",
		":together",
		":client a node=n5 cl=QUORUM", ":as a", ":at +0ms DELETE FROM ks.lwt WHERE k = 0 IF v = 2",
		":client b node=n1 cl=SERIAL", ":as b", ":at +26ms SELECT v FROM ks.lwt WHERE k = 0",
		":client c node=n6 cl=QUORUM", ":as c", ":at +12ms INSERT INTO ks.lwt (k, v) VALUES (0, 1) IF NOT EXISTS",
		":client d node=n1 cl=SERIAL", ":as d", "SELECT v FROM ks.lwt WHERE k = 0",
		":end")
	for i, n := range took[:4] {
		if n > 3e6 {
			t.Errorf("statement %d took %d µs", i+1, n)
		}
	}
}
