package engine_test

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/host"
	"ringlab/engine/serve"
)

// freeBlock finds a port that is free on a whole block of loopback addresses,
// so that every node of a small ring can be listened for.
func freeBlock(t *testing.T, first string) netip.AddrPort {
	l, err := net.Listen("tcp", first+":0")
	if err != nil {
		t.Skipf("%s is no address here: %v", first, err)
	}
	defer l.Close()
	return netip.MustParseAddrPort(l.Addr().String())
}

// serveRing serves a new lab on a ring.
func serveRing(t *testing.T, ring string, o serve.Options) *serve.Server {
	lab, err := engine.New(engine.Options{Ring: ring, Epoch: time.Now().Unix()})
	if err != nil {
		t.Fatal(err)
	}
	return serveStore(t, host.Memory(lab), o)
}

func serveStore(t *testing.T, store *host.Store, o serve.Options) *serve.Server {
	if !o.Listen.IsValid() {
		o.Listen = freeBlock(t, "127.0.0.1")
	}
	s, err := serve.Start(store, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// protocolSetup makes what the recordings ask about; see their README.
func protocolSetup(t *testing.T, s *serve.Server, base string, files map[string]*protocolFile) {
	do := func(list ...string) {
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
	switch base {
	case "13-auth":
		do("CREATE ROLE bob WITH PASSWORD = 'bob' AND LOGIN = true", "CREATE KEYSPACE npauth WITH replication = {'class':'SimpleStrategy','replication_factor':1}", "CREATE TABLE npauth.t (k int PRIMARY KEY)")
	case "15-custom-payload":
		do("CREATE KEYSPACE npauth WITH replication = {'class':'SimpleStrategy','replication_factor':1}", "CREATE TABLE npauth.t (k int PRIMARY KEY)")
	case "14-failures":
		do("CREATE KEYSPACE npauth WITH replication = {'class':'SimpleStrategy','replication_factor':1}",
			"CREATE TABLE npauth.tomb (p int, c int, v int, PRIMARY KEY (p, c))", ":set tombstone_failure_threshold 10", ":set tombstone_warn_threshold 5",
			"CREATE TABLE npauth.slow (p int PRIMARY KEY)", "CREATE KEYSPACE npfail WITH replication = {'class':'SimpleStrategy','replication_factor':1}", "CREATE TABLE npfail.t (k int PRIMARY KEY, v text)",
			":set test.fail_writes_ks npfail")
		for c := range 20 {
			do(fmt.Sprintf("DELETE FROM npauth.tomb WHERE p=1 AND c=%d", c))
		}
	case "16-topology-status-events":
	case "17-timeouts":
		do("CREATE KEYSPACE np2 WITH replication = {'class':'SimpleStrategy','replication_factor':2}", "CREATE TABLE np2.t (k int PRIMARY KEY, v text)",
			"CREATE TABLE np2.cnt (k int PRIMARY KEY, c counter)", "INSERT INTO np2.t (k, v) VALUES (1, 'x')")
	default:
		do("CREATE KEYSPACE nproto WITH replication = {'class':'SimpleStrategy','replication_factor':1}", "CREATE KEYSPACE nproto3 WITH replication = {'class':'SimpleStrategy','replication_factor':3}",
			"CREATE TYPE nproto.gaddr (street text, zip int)", "CREATE TABLE nproto.gold_simple (k int PRIMARY KEY, v text)",
			"INSERT INTO nproto.gold_simple (k,v) VALUES (1,'one') USING TIMESTAMP 1000", "INSERT INTO nproto.gold_simple (k,v) VALUES (2,'two') USING TIMESTAMP 1000", "INSERT INTO nproto.gold_simple (k,v) VALUES (3,null) USING TIMESTAMP 1000",
			"CREATE TABLE nproto.gold_wide (p int, c int, s text static, v text, PRIMARY KEY (p,c))", "CREATE TABLE nproto.gold_cnt (k int PRIMARY KEY, c counter)", "UPDATE nproto.gold_cnt SET c = c + 42 WHERE k = 1",
			"CREATE TABLE nproto.gold_lwt (k int PRIMARY KEY, v int)", "CREATE TABLE nproto.gold_big (k int PRIMARY KEY, v blob)", "CREATE TABLE nproto3.t (k int PRIMARY KEY, v text)",
			"CREATE TABLE nproto3.cnt (k int PRIMARY KEY, c counter)", `CREATE FUNCTION nproto.boom (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'throw new RuntimeException("boom");'`)
		for c := range 5 {
			do(fmt.Sprintf("INSERT INTO nproto.gold_wide (p, c, s, v) VALUES (1, %d, 'st', 'v%d')", c, c))
		}
		typesSetup(do, files)
		switch base {
		case "06-batch", "05-prepare-execute": // what earlier exchanges of the recorder left
			do("INSERT INTO nproto.gold_lwt (k,v) VALUES (3,1)")
		}
	}
}

// typesSetup makes the table of all types: its columns and values stand in the
// recording.
func typesSetup(do func(...string), files map[string]*protocolFile) {
	type column struct{ name, typ, literal string }
	var columns []column
	for name, f := range files {
		if filepath.Base(name) != "07-types.json" || !strings.HasPrefix(name, "testdata") {
			continue
		}
		for _, e := range f.Exchanges {
			id := strings.TrimPrefix(e.ID[:len(e.ID)-len("-v4")], "type-")
			c := column{"c_" + id, e.Type, e.Literal}
			if e.Type != "counter" && !slices.ContainsFunc(columns, func(x column) bool { return x.name == c.name }) {
				columns = append(columns, c)
			}
		}
	}
	create := "CREATE TABLE nproto.gold_types (k int PRIMARY KEY"
	for _, c := range columns {
		create += ", " + c.name + " " + strings.ReplaceAll(c.typ, "gaddr", "nproto.gaddr")
	}
	do(create + ")")
	for _, c := range columns {
		do("INSERT INTO nproto.gold_types (k, " + c.name + ") VALUES (1, " + c.literal + ")")
	}
}
