package serve_test

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/host"
	"ringlab/engine/serve"
)

// serving serves a new lab on a ring from a loopback address on; every test has
// addresses of its own.
func serving(t testing.TB, ring, first string) *serve.Server {
	lab, err := engine.New(engine.Options{Ring: ring, Epoch: time.Now().Unix()})
	if err != nil {
		t.Fatal(err)
	}
	return start(t, host.Memory(lab), first)
}

func start(t testing.TB, store *host.Store, first string) *serve.Server {
	l, err := net.Listen("tcp", first+":0")
	if err != nil {
		t.Skipf("%s is no address here: %v", first, err)
	}
	at := netip.MustParseAddrPort(l.Addr().String())
	l.Close()
	s, err := serve.Start(store, serve.Options{Listen: at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// do runs commands that must succeed.
func do(t testing.TB, s *serve.Server, list ...string) {
	t.Helper()
	for _, text := range list {
		out, err := s.Command(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, a := range out {
			if a.Error != nil {
				t.Fatalf("%s: %s", text, a.Error.Message)
			}
		}
	}
}

// eventually waits until a driver has noticed something.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		if done() {
			return
		}
		<-time.After(50 * time.Millisecond)
	}
	t.Errorf("%s: not within 20 seconds", what)
}

const setUp = "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}"

var smoke = []string{
	"CREATE TABLE shop.items (id int, n int, title text, PRIMARY KEY (id, n))",
	"CREATE TABLE shop.stock (id int PRIMARY KEY, left int)",
}

func mustParse(text string) netip.AddrPort { return netip.MustParseAddrPort(text) }

func key(i int) string { return fmt.Sprintf("item %d", i) }
