package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/event"
)

// TestExplainCountsMessages compares the number of messages that :explain tells
// with those that the statement sends when it runs, on rings of one and two data
// centers, at several levels and with a node down.
func TestExplainCountsMessages(t *testing.T) {
	statements := []string{
		"INSERT INTO k.t (p, c, v) VALUES (%d, 1, 1)",
		"UPDATE k.t SET v = 2 WHERE p = %d AND c = 1",
		"UPDATE k.t SET l = [1, 2] WHERE p = %d AND c = 1",
		"UPDATE k.t SET l[0] = 5 WHERE p = %d AND c = 1",
		"UPDATE k.t SET v = 3 WHERE p = %d AND c = 1 IF v = 2",
		"UPDATE k.t SET v = 3 WHERE p = %d AND c = 1 IF EXISTS",
		"DELETE FROM k.t WHERE p = %d AND c > 7",
		"BEGIN BATCH INSERT INTO k.t (p, c, v) VALUES (%d, 5, 1); INSERT INTO k.t (p, c, v) VALUES (77, 5, 1); APPLY BATCH",
		"BEGIN UNLOGGED BATCH INSERT INTO k.t (p, c, v) VALUES (%d, 6, 1); INSERT INTO k.t (p, c, v) VALUES (78, 5, 1); APPLY BATCH",
		"SELECT * FROM k.t WHERE p = %d",
		"SELECT * FROM k.t WHERE p IN (%d, 78, 79) AND c = 1",
		"DELETE FROM k.t WHERE p = %d",
	}
	for _, ring := range []string{"dc1=1", "dc1=6 racks=3", "dc1=3 dc2=3"} {
		for _, down := range []string{"", "n3"} {
			if down != "" && ring == "dc1=1" {
				continue
			}
			for _, level := range []string{"ONE", "LOCAL_QUORUM", "QUORUM"} {
				lab, err := engine.New(engine.Options{Ring: ring})
				if err != nil {
					t.Fatal(err)
				}
				do := func(text string) string {
					out := lab.Do(text)
					if a := out[len(out)-1]; a.Error != nil {
						t.Fatalf("%s: %s: %s", ring, text, a.Error.Message)
					}
					return ""
				}
				replication := "'dc1': " + strconv.Itoa(min(3, int(ring[4]-'0')))
				if strings.Contains(ring, "dc2") {
					replication += ", 'dc2': 2"
				}
				do("CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', " + replication + "}")
				do("CREATE TABLE k.t (p int, c int, v int, l list<int>, PRIMARY KEY (p, c)) WITH speculative_retry = 'NEVER'")
				if down != "" {
					do(":down " + down)
				}
				lab.Events(event.Send)
				for p := range 5 {
					for _, s := range statements {
						text := fmt.Sprintf(s, p)
						lab.Do("CONSISTENCY " + level)
						told := -1
						for _, row := range lab.Do(":explain " + text)[0].Rows {
							if row[0].Text == "messages" {
								told, _ = strconv.Atoi(row[1].Text)
							}
						}
						a := lab.Do(text)[0]
						if a.Error != nil {
							t.Fatalf("%s at %s: %s: %s", ring, level, text, a.Error.Message)
						}
						after := lab.Do(":advance 5s") // what is on its way still belongs to it
						if sent := len(a.Events) + len(after[0].Events); sent != told {
							t.Errorf("%s, down %q, at %s: %s: :explain says %d messages, %d were sent", ring, down, level, text, told, sent)
						}
					}
				}
			}
		}
	}
}
