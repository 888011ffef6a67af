package simulation

import (
	"os"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
)

// do runs lines on a ring and gives the answers to the last one.
func do(t *testing.T, ring string, lines ...string) (out []*answer.Answer) {
	t.Helper()
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		out = lab.Do(l)
	}
	return out
}

// doFile runs a script that begins with a comment and a ring.
func doFile(t *testing.T, name string) []*answer.Answer {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return do(t, strings.TrimPrefix(lines[1], ":ring new "), lines[2:]...)
}

// TestForgottenProposal: a proposal that nobody decided is not finished after gc_grace,
// when a new replica meets one that has been away with it.
func TestForgottenProposal(t *testing.T) {
	out := doFile(t, "testdata/forgotten-proposal.lab")
	if a := out[1]; a.Error != nil || len(a.Rows) != 1 || a.Rows[0][0].Text != "False" {
		t.Errorf("%s gives %v %v, but there is no row", a.Statement, a.Rows, a.Error)
	}
}

// TestScanTimeout: the rounds of a scan share its timeout of ten seconds. The first
// one takes long enough for that to show.
func TestScanTimeout(t *testing.T) {
	a := do(t, "dc1=2 dc2=2 racks=3 vnodes=4 seed=126",
		"CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}",
		"CREATE TABLE ks.data (k int, c int, v bigint, PRIMARY KEY (k, c))",
		":down n3 undetected",
		":client c dc=dc1 cl=QUORUM",
		":as c",
		"SELECT k, c, v FROM ks.data")[0]
	if want := int64(10e6); a.Error == nil || a.Latency < want || a.Latency > want+5000 {
		t.Errorf("it ended after %d µs with %v, not after about %d with a timeout", a.Latency, a.Error, want)
	}
}

// TestRoundsOfTwo: statements that finish each other's rounds of Paxos could go on for
// ever; the contention timeout ends that.
func TestRoundsOfTwo(t *testing.T) {
	out := doFile(t, "testdata/rounds-of-two.lab")
	for _, a := range out[:len(out)-1] {
		if a.Latency > 4e6 {
			t.Errorf("%s took %d µs", a.Statement, a.Latency)
		}
	}
}

// TestHintsOfTheGone: who has been replaced takes what it kept for others along.
func TestHintsOfTheGone(t *testing.T) {
	a := do(t, "dc1=5 racks=3 vnodes=4 seed=18",
		"CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}",
		"CREATE TABLE ks.data (k int, c int, v bigint, PRIMARY KEY (k, c))",
		":down n1 undetected",
		":client c0 node=n4 cl=QUORUM",
		":as c0",
		"DELETE FROM ks.data USING TIMESTAMP 3 WHERE k = 1",
		":advance 10s",
		":down n4",
		":replace n4 y5",
		":hints")[0]
	if a.Error != nil || len(a.Rows) > 0 {
		t.Errorf("there are hints of a node that has left: %v %v", a.Rows, a.Error)
	}
}
