package engine_test

import (
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// labSays runs statements on a lab and compares what each printed, without
// colour, with what is wanted.
func labSays(t *testing.T, lab *engine.Lab, statement, want string) {
	t.Helper()
	out := lab.Do(statement)
	got := strings.TrimSpace(render.Text(out[len(out)-1], false))
	if got != strings.TrimSpace(want) {
		t.Errorf("%s\n%s\nexpected\n%s", statement, got, want)
	}
}

// The tables that drivers read show the ring as the coordinator knows it.
func TestSystemTablesOfARing(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=2 dc2=2 racks=2"})
	if err != nil {
		t.Fatal(err)
	}
	labSays(t, lab, "SELECT key, data_center, rack, rpc_address, tokens FROM system.local", `
key   | data_center | rack  | rpc_address | tokens
-------+-------------+-------+-------------+--------------------------
 local |         dc1 | rack1 |   127.0.0.1 | {'-9223372036854775808'}

(1 rows)`)
	labSays(t, lab, "SELECT peer, data_center, rack, native_port, tokens FROM system.peers_v2", `
peer      | data_center | rack  | native_port | tokens
-----------+-------------+-------+-------------+--------------------------
 127.0.0.3 |         dc2 | rack1 |        9042 | {'-9223372036854775708'}
 127.0.0.2 |         dc1 | rack2 |        9042 |                    {'0'}
 127.0.0.4 |         dc2 | rack2 |        9042 |                  {'100'}

(3 rows)`)
	lab.Do(":client far node=n3")
	lab.Do(":as far")
	labSays(t, lab, "SELECT data_center FROM system.local", `
data_center
-------------
         dc2

(1 rows)`)
	labSays(t, lab, "SELECT count(*) FROM system.peers WHERE peer = '127.0.0.3'", `
count
-------
     0

(1 rows)`)
	labSays(t, lab, "SELECT address, keyspace_name, driver_name FROM system_views.clients", `
address   | keyspace_name | driver_name
-----------+---------------+-------------
 127.0.0.1 |          null |     ringlab

(1 rows)`)
	labSays(t, lab, "SELECT * FROM system_views.thread_pools",
		"InvalidRequest: Error from server: code=2200 [Invalid query] message=\"ringlab does not support the table system_views.thread_pools; its numbers are those of a running server\"")
	lab.Do(":set write_request_timeout 3s")
	labSays(t, lab, "SELECT value FROM system_views.settings WHERE name = 'write_request_timeout'", `
value
--------
 3000ms

(1 rows)`)
}

// Nodes name the same schema version where they have the same schema, so that
// drivers wait while they disagree.
func TestSystemTablesShowDisagreement(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	versions := func() map[string]bool {
		out := map[string]bool{}
		for _, q := range []string{"SELECT schema_version FROM system.local", "SELECT schema_version FROM system.peers"} {
			for _, r := range lab.Do(q)[0].Rows {
				out[r[0].Text] = true
			}
		}
		return out
	}
	if n := len(versions()); n != 1 {
		t.Errorf("%d versions in an undisturbed ring", n)
	}
	lab.Do(":down n3")
	lab.Do("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	if n := len(versions()); n != 2 {
		t.Errorf("%d versions while n3 misses a change", n)
	}
	lab.Do(":up n3")
	lab.Do(":advance 2s")
	if n := len(versions()); n != 1 {
		t.Errorf("%d versions after n3 is back", n)
	}
}

// A traced statement can be read back from system_traces.
func TestSystemTraces(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	var a *answer.Answer
	for _, text := range []string{
		"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}",
		"CREATE TABLE k.t (a int PRIMARY KEY, b int)",
		"CONSISTENCY QUORUM", "TRACING ON", "INSERT INTO k.t (a, b) VALUES (1, 2)", "TRACING OFF",
	} {
		out := lab.Do(text)
		if e := out[0].Error; e != nil {
			t.Fatalf("%s: %s", text, e.Message)
		}
		if strings.HasPrefix(text, "INSERT") {
			a = out[0]
		}
	}
	labSays(t, lab, "SELECT client, command, coordinator, duration, parameters, request, started_at FROM system_traces.sessions", `
client    | command | coordinator | duration | parameters                                                                                                                                 | request            | started_at
-----------+---------+-------------+----------+--------------------------------------------------------------------------------------------------------------------------------------------+--------------------+---------------------------------
 127.0.0.1 |   QUERY |   127.0.0.1 |     1040 | {'consistency_level': 'QUORUM', 'page_size': '100', 'query': 'INSERT INTO k.t (a, b) VALUES (1, 2)', 'serial_consistency_level': 'SERIAL'} | Execute CQL3 query | 2026-01-01 00:00:00.006000+0000

(1 rows)`)
	session := lab.Do("SELECT session_id FROM system_traces.sessions")[0].Rows[0][0].Text
	events := lab.Do("SELECT activity, source, source_elapsed, thread FROM system_traces.events WHERE session_id = " + session)[0]
	if len(events.Rows) != len(a.Trace) {
		t.Fatalf("%d events, the answer carries %d", len(events.Rows), len(a.Trace))
	}
	want := map[string]int{}
	for _, e := range a.Trace {
		want[e.Activity]++
	}
	for _, r := range events.Rows {
		want[r[0].Text]--
	}
	for activity, n := range want {
		if n != 0 {
			t.Errorf("%q stands %d times too seldom among the events", activity, n)
		}
	}
}

// Every system table answers or is refused by name, on every partitioner.
func TestEverySystemTableAnswers(t *testing.T) {
	for _, p := range []string{"Murmur3Partitioner", "RandomPartitioner", "ByteOrderedPartitioner", "OrderPreservingPartitioner"} {
		lab, err := engine.New(engine.Options{Ring: "dc1=3 partitioner=" + p})
		if err != nil {
			t.Fatal(err)
		}
		lab.Do("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
		lab.Do("CREATE TABLE k.t (a int PRIMARY KEY, b int)")
		answered := 0
		for _, keyspace := range lab.Do("DESCRIBE KEYSPACES")[0].Rows {
			lab.Do("USE " + keyspace[0].Text)
			for _, table := range lab.Do("DESCRIBE TABLES")[0].Rows {
				a := lab.Do("SELECT * FROM " + table[2].Text)[0]
				switch {
				case a.Error == nil:
					answered++
				case !strings.HasPrefix(a.Error.Message, "ringlab does not support the table "+table[0].Text+"."):
					t.Errorf("%s: %s.%s: %s", p, table[0].Text, table[2].Text, a.Error.Message)
				}
			}
		}
		if answered < 50 {
			t.Errorf("%s: only %d tables answer", p, answered)
		}
	}
}
