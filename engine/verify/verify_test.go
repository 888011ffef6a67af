package verify_test

import (
	"bytes"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/host"
	"ringlab/engine/serve"
	"ringlab/engine/verify"
)

// cluster serves a lab as the real cluster; commands have run on it before.
func cluster(t *testing.T, ring, first string, before ...string) (*serve.Server, string) {
	l, err := net.Listen("tcp", first+":0")
	if err != nil {
		t.Skipf("%s is no address here: %v", first, err)
	}
	at := netip.MustParseAddrPort(l.Addr().String())
	l.Close()
	lab, err := engine.New(engine.Options{Ring: ring, Epoch: time.Now().Unix()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := serve.Start(host.Memory(lab), serve.Options{Listen: at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, text := range before {
		if out, err := s.Command(text); err != nil || out[0].Error != nil {
			t.Fatal(text, err, out[0].Error)
		}
	}
	return s, at.String()
}

// names are what differs from run to run.
var names = regexp.MustCompile(`rl[0-9a-f]{6}_`)

// compare runs a script and gives what was printed.
func compare(t *testing.T, at, text string, keep bool, ring string) (string, verify.Outcome) {
	t.Helper()
	var out bytes.Buffer
	o, err := verify.Scripts(verify.Options{Target: verify.Target{Address: at}, Out: &out, Keep: keep, Ring: ring}, []verify.Script{{Name: "a.cql", Text: text}})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return names.ReplaceAllString(strings.ReplaceAll(out.String(), at, "CLUSTER"), "PREFIX_"), o
}

// keyspaces are those of a served lab beside Cassandra's own.
func keyspaces(t *testing.T, s *serve.Server) string {
	t.Helper()
	out, err := s.Command("SELECT keyspace_name FROM system_schema.keyspaces")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, row := range out[0].Rows {
		if !strings.HasPrefix(row[0].Text, "system") {
			list = append(list, names.ReplaceAllString(row[0].Text, "PREFIX_"))
		}
	}
	return strings.Join(list, " ")
}

// TestTheSame runs a script of all kinds of statements and values: a lab that is
// asked over the wire answers as one that is asked here.
func TestTheSame(t *testing.T) {
	s, at := cluster(t, "dc1=2 dc2=1 vnodes=4", "127.0.21.1")
	script, err := os.ReadFile("testdata/kinds.cql")
	if err != nil {
		t.Fatal(err)
	}
	printed, o := compare(t, at, string(script), false, "")
	if o.Different != 0 || o.Left != 0 || o.Same < 30 {
		t.Errorf("%s\n%s", o, printed)
	}
	if got := keyspaces(t, s); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

// TestNothingElse has a script ask for what it has not made.
func TestNothingElse(t *testing.T) {
	s, at := cluster(t, "dc1=1", "127.0.22.1", "CREATE KEYSPACE theirs WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
		"CREATE TABLE theirs.t (k int PRIMARY KEY)", "INSERT INTO theirs.t (k) VALUES (1)")
	printed, o := compare(t, at, `
CREATE KEYSPACE own WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE own.t (k int PRIMARY KEY);
DROP KEYSPACE theirs;
TRUNCATE theirs.t;
INSERT INTO theirs.t (k) VALUES (2);
BEGIN BATCH INSERT INTO own.t (k) VALUES (1); INSERT INTO theirs.t (k) VALUES (2); APPLY BATCH;
SELECT * FROM theirs.t;
CREATE TYPE own.u (f frozen<theirs.x>);
CREATE ROLE bob WITH SUPERUSER = true;
GRANT ALL ON ALL KEYSPACES TO bob;
DESCRIBE SCHEMA;
DROP KEYSPACE theirs NONSENSE;
USE theirs;
:down n1
SELECT cql_version FROM system.local;
`, true, "")
	want := `ringlab (dc1=1 vnodes=1 partitioner=Murmur3Partitioner) and CLUSTER (Cassandra 5.0.5), whose keyspaces begin with PREFIX_
a.cql:4: not compared: the script has not created keyspace theirs: DROP KEYSPACE theirs
a.cql:5: not compared: the script has not created keyspace theirs: TRUNCATE theirs.t
a.cql:6: not compared: the script has not created keyspace theirs: INSERT INTO theirs.t (k) VALUES (2)
a.cql:7: not compared: the script has not created keyspace theirs: BEGIN BATCH INSERT INTO own.t (k) VALUES (1); INSERT INTO theirs.t (k) VALUES (2); APPLY BATCH
a.cql:8: not compared: the script has not created keyspace theirs: SELECT * FROM theirs.t
a.cql:9: not compared: the script has not created keyspace theirs: CREATE TYPE own.u (f frozen<theirs.x>)
a.cql:10: not compared: it concerns more than keyspaces of the script: CREATE ROLE bob WITH SUPERUSER = true
a.cql:11: not compared: it concerns more than keyspaces of the script: GRANT ALL ON ALL KEYSPACES TO bob
a.cql:12: not compared: it shows all of a cluster: DESCRIBE SCHEMA
a.cql:13: not compared: ringlab cannot read it, so nobody knows what it would touch: DROP KEYSPACE theirs NONSENSE
a.cql:14: not compared: the script has not created keyspace theirs: USE theirs
a.cql:15: not compared: a lab command, which no real cluster knows: :down n1
kept: PREFIX_own
`
	if printed != want || o.Same != 3 {
		t.Errorf("%s\n%s", o, printed)
	}
	if got := keyspaces(t, s); got != "PREFIX_own theirs" && got != "theirs PREFIX_own" {
		t.Errorf("there are %s", got)
	}
}

// TestDifferences compares with a cluster that has another shape than the lab.
func TestDifferences(t *testing.T) {
	s, at := cluster(t, "dc1=3", "127.0.23.1")
	printed, o := compare(t, at, `
CREATE KEYSPACE own WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1};
CREATE KEYSPACE mine WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
`, false, "dc1=1 dc2=1")
	if want := `ringlab (dc1=1 dc2=1) and CLUSTER (Cassandra 5.0.5), whose keyspaces begin with PREFIX_
a.cql:2: CREATE KEYSPACE own WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}
--- ringlab
+++ CLUSTER
@@ -1,1 +1,1 @@
-done
+error 0x2300 Unrecognized strategy option {dc2} passed to NetworkTopologyStrategy for keyspace own
`; printed != want || o.Different != 1 || o.Same != 1 {
		t.Errorf("%s\n%s", o, printed)
	}
	if got := keyspaces(t, s); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

// TestReal compares with the node that $RINGLAB_REAL names.
func TestReal(t *testing.T) {
	at := os.Getenv("RINGLAB_REAL")
	if at == "" {
		t.Skip("RINGLAB_REAL names no node")
	}
	script, err := os.ReadFile("testdata/kinds.cql")
	if err != nil {
		t.Fatal(err)
	}
	if printed, o := compare(t, at, strings.ReplaceAll(string(script), "'dc1'", "'datacenter1'"), false, ""); o.Different != 0 {
		t.Errorf("%s\n%s", o, printed)
	}
}
