package admin_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"ringlab/engine"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// FuzzLab: no text that is typed or pasted makes a lab panic, lets time go back,
// or gives answers that cannot be written down.
func FuzzLab(f *testing.F) {
	for _, s := range []string{
		":down n2 undetectable\nCONSISTENCY ALL\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');\n:advance 9y",
		":together\n:as\nSELECT * FROM ks.t;\n:at +5ms SELECT v FROM ks.t WHERE k = 1;\n:end\n:expect rows 1",
		":cut n1,n2 > dc1:rack1 undetected\n:heal\n:latency n1 n2 1ms±1ms\n:loss n1 n2 1/2\n:pause n1 1h\n:slow n2 1000000x\n:skew n3 -9y\n:step",
		":client a node=n2 cl=EACH_QUORUM skew=+9y\n:as a\nINSERT INTO ks.t (k, c) VALUES (1, 1) USING TTL 5;\nDELETE FROM ks.t WHERE k = 1 AND c > 0;\n:flush\n:compact\n:sstables ks.t",
		":ring new dc1=2 names=A,B tokens=A:0,B:1 partitioner=ByteOrderedPartitioner\n:ring\n:status\n:token a \"b c\" ''\n:compare-hashers a",
		":set read_request_timeout 0\nSELECT * FROM ks.t;\n:set tombstone_failure_threshold 1\n:hints\n:trace\nTRACING ON\nPAGING 1\nEXPAND ON\n? set",
		":partition ks.t 1\n:tablestats ks.t\n:getendpoints ks t 1\n:describering ks\n:calc quorum rf=dc1:3,dc2:2\n:calc cells rows=1k columns=4 key=1",
		":reset\n:note x\n:save x\n:language cql\n:help\n:speed 0.1x\n:expect between v 1 2\n:expect cell 1 v = x\n:compactionhistory\n:compactionstats",
		":bootstrap n4 dc=dc9 rack=x tokens=5 background\n:down n4\n:advance 9y\n:decommission n1 force\n:move n2 7 background\n:reboot all\n:repair ks full\n:cleanup ks",
		"INSERT INTO ks.t (k, c) VALUES (1, 1);\n:down n3\n:replace n3 n9\n:removenode n3\n:rebuild n2 dc1\n:bootstrap auto_bootstrap=false\n:drop\n:repair n1 ks.t\n:status ks\n:hints",
		"DROP TABLE ks.t; SELECT 1; USE ks; TRUNCATE t; ALTER TABLE ks.t ADD x int; DESCRIBE ks; SHOW REPLICAS 5 ks", ":\n:\t\n:=\n:ring new =\n:a=b 'c", "\x00", ":down \xff",
	} {
		f.Add(s)
	}
	big := regexp.MustCompile(`[0-9]{3,}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		lab, err := engine.New(engine.Options{Ring: "dc1=3"})
		if err != nil {
			t.Fatal(err)
		}
		lab.Do("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}")
		lab.Do("CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c))")
		for _, it := range script.Cut(text) {
			if it.Kind == script.Expect || strings.Contains(it.Text, "ring") && big.MatchString(it.Text) {
				continue // a ring of thousands of nodes is allowed, and takes its time
			}
			before := lab.Now()
			for _, a := range lab.Do(it.Text) {
				if out := render.Text(a, lab.Expand()); utf8.ValidString(text) && !utf8.ValidString(out) {
					t.Fatalf("%q answers %q, which is no text", it.Text, out)
				}
				if len(render.JSON(a, true, true)) <= len("{}\n") {
					t.Fatalf("%q answers what JSON cannot say", it.Text)
				}
			}
			if fresh := strings.Contains(it.Text, "ring") || strings.Contains(it.Text, "reset"); lab.Now() < before && !fresh {
				t.Fatalf("%q takes time back from %d to %d", it.Text, before, lab.Now())
			}
		}
		again, err := engine.New(engine.Options{Ring: lab.Ring()})
		if err != nil {
			t.Fatalf("the ring %q does not come back: %v", lab.Ring(), err)
		}
		if again.Ring() != lab.Ring() {
			t.Fatalf("the ring %q comes back as %q", lab.Ring(), again.Ring())
		}
	})
}
