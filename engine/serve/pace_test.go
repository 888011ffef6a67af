package serve_test

import (
	"net"
	"net/netip"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine"
	"ringlab/engine/host"
	"ringlab/engine/serve"
)

// TestPace makes delays real: a driver gives up on a slow coordinator, and one
// that executes speculatively gets its answer from another node.
func TestPace(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3 racks=3", Epoch: time.Now().Unix()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.22.1:0")
	if err != nil {
		t.Skip(err)
	}
	at := netip.MustParseAddrPort(l.Addr().String())
	l.Close()
	s, err := serve.Start(host.Memory(lab), serve.Options{Listen: at, Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	do(t, s, setUp)
	do(t, s, smoke...)
	session := session2(t, s, "shop", func(c *gocql.ClusterConfig) {
		c.Timeout = 1500 * time.Millisecond
		c.PoolConfig.HostSelectionPolicy = gocql.RoundRobinHostPolicy()
	})
	read := func(p gocql.SpeculativeExecutionPolicy) (failed int) {
		for range 3 { // each node coordinates once
			left := 0
			q := session.Query("SELECT left FROM stock WHERE id = 1").Consistency(gocql.Two).Idempotent(true)
			if err := q.SetSpeculativeExecutionPolicy(p).Scan(&left); err != nil && err != gocql.ErrNotFound {
				failed++
			}
		}
		return failed
	}
	if n := read(&gocql.NonSpeculativeExecution{}); n != 0 {
		t.Fatalf("%d of 3 failed before anything was slow", n)
	}
	do(t, s, ":latency n1 n2 9s", ":latency n1 n3 9s")
	if n := read(&gocql.NonSpeculativeExecution{}); n != 1 {
		t.Errorf("%d of 3 ran into the driver's timeout, not the one that n1 coordinates, far from the others", n)
	}
	if n := read(&gocql.SimpleSpeculativeExecution{NumAttempts: 2, TimeoutDelay: 20 * time.Millisecond}); n != 0 {
		t.Errorf("%d of 3 failed although the driver asks another node after 20 ms", n)
	}
}
