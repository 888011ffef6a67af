package nodetool_test

import (
	"strings"
	"testing"

	"ringlab/engine"
)

// FuzzCommand: whatever is written behind nodetool ends in a text or in an error
// that says something.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"status", "-h n2 tablestats s", "getendpoints s t a:1", `getsstables -hf s t 6x`, "getsstables s t 'a\\:b'", "-pw x -p 7199 info -T",
		"compact --user-defined nb-1-big-Data.db", "settimeout read 5", "tablehistograms s.t", "setcompactionthroughput -- -1", "help compact", "-h", "ring 'ü'",
		"compact -st 1 --user-defined x", "tablestats -t 99999999999999999999", "compact --user-defined /var/lib/cassandra/data/s/t-/nb-99999999999999999999-big-Data.db"} {
		f.Add(s)
	}
	lab, err := engine.New(engine.Options{Ring: "dc1=2 racks=1"})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"CREATE KEYSPACE s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
		"CREATE TABLE s.t (a text, b int, c int, PRIMARY KEY ((a, b), c))", "INSERT INTO s.t (a, b, c) VALUES ('a', 1, 2)", ":flush"} {
		lab.Do(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") {
			return
		}
		for _, a := range lab.Do("nodetool " + line) {
			if a.Error != nil && strings.TrimSpace(a.Error.Message) == "" {
				t.Errorf("%q: an error without words", line)
			}
		}
	})
}
