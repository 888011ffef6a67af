package engine_test

import (
	"fmt"
	"testing"

	"ringlab/engine"
)

// BenchmarkBootstrap lets a node join 1,000 nodes of 256 tokens in three data
// centers, which hold some data: tokens, pending replicas, streams and ownership.
func BenchmarkBootstrap(b *testing.B) {
	lab, err := engine.New(engine.Options{Ring: "dc1=334 dc2=333 dc3=333 racks=3 vnodes=256"})
	if err != nil {
		b.Fatal(err)
	}
	do := func(text string) {
		for _, a := range lab.Do(text) {
			if a.Error != nil {
				b.Fatalf("%s: %s", text, a.Error.Message)
			}
		}
	}
	do("CREATE KEYSPACE s WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 3, 'dc3': 3}")
	do("CREATE TABLE s.t (k int PRIMARY KEY, v text)")
	for k := range 1000 {
		do(fmt.Sprintf("INSERT INTO s.t (k, v) VALUES (%d, 'v')", k))
	}
	b.ReportAllocs()
	for b.Loop() {
		do(":bootstrap")
	}
}

// BenchmarkRepair compares and repairs 20,000 partitions on three replicas, one of
// which has missed the last thousand.
func BenchmarkRepair(b *testing.B) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3 racks=1"})
	if err != nil {
		b.Fatal(err)
	}
	do := func(text string) {
		for _, a := range lab.Do(text) {
			if a.Error != nil {
				b.Fatalf("%s: %s", text, a.Error.Message)
			}
		}
	}
	do("CREATE KEYSPACE s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}")
	do("CREATE TABLE s.t (k int PRIMARY KEY, v text)")
	do(":set hinted_handoff off")
	do("CONSISTENCY TWO")
	at := 0
	write := func(n int) {
		for range n {
			at++
			do(fmt.Sprintf("INSERT INTO s.t (k, v) VALUES (%d, 'v')", at))
		}
	}
	write(19000)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		do(":down n3")
		write(1000)
		do(":up n3")
		b.StartTimer()
		do(":repair s full")
	}
}
