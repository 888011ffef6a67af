package serve_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine/serve"
)

// session2 connects with version 2 of the driver.
func session2(t testing.TB, s *serve.Server, keyspace string, change func(*gocql.ClusterConfig)) *gocql.Session {
	t.Helper()
	at := s.Address(0)
	c := gocql.NewCluster(at.Addr().String())
	c.Port = int(at.Port())
	c.Timeout, c.ConnectTimeout = 20*time.Second, 20*time.Second
	c.Keyspace, c.Consistency = keyspace, gocql.Quorum
	c.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.RoundRobinHostPolicy())
	if change != nil {
		change(c)
	}
	session, err := c.CreateSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return session
}

// TestGocqlV2 is what an application does: connect, prepare, page, batches,
// conditions, and the right node for each key.
func TestGocqlV2(t *testing.T) {
	s := serving(t, "dc1=3 racks=3", "127.0.2.1")
	do(t, s, setUp)
	do(t, s, smoke...)
	for _, version := range []int{3, 4, 5} {
		session := session2(t, s, "shop", func(c *gocql.ClusterConfig) { c.ProtoVersion = version })
		for i := range 50 {
			if err := session.Query("INSERT INTO items (id, n, title) VALUES (?, ?, ?)", version, i, key(i)).Exec(); err != nil {
				t.Fatal(err)
			}
		}
		iter := session.Query("SELECT n, title FROM items WHERE id = ?", version).PageSize(7).Iter()
		n, title, rows := 0, "", 0
		for iter.Scan(&n, &title) {
			if n != rows || title != key(n) {
				t.Fatalf("row %d is %d %q", rows, n, title)
			}
			rows++
		}
		if err := iter.Close(); err != nil || rows != 50 {
			t.Fatalf("%d rows, %v", rows, err)
		}
		for _, kind := range []gocql.BatchType{gocql.LoggedBatch, gocql.UnloggedBatch} {
			b := session.Batch(kind)
			b.Query("INSERT INTO items (id, n, title) VALUES (?, ?, ?)", version, 1000+int(kind), "a")
			b.Query("INSERT INTO shop.stock (id, left) VALUES (1, 1)")
			if err := b.Exec(); err != nil {
				t.Fatal(err)
			}
		}
		there := map[string]any{}
		id := 100 + version
		if applied, err := session.Query("INSERT INTO stock (id, left) VALUES (?, ?) IF NOT EXISTS", id, 5).MapScanCAS(there); err != nil || !applied {
			t.Fatalf("%v %v", applied, err)
		}
		if applied, err := session.Query("INSERT INTO stock (id, left) VALUES (?, ?) IF NOT EXISTS", id, 6).MapScanCAS(there); err != nil || applied || there["left"] != 5 {
			t.Fatalf("%v %v %v", applied, there, err)
		}
		var unknown gocql.RequestError
		if err := session.Query("SELECT * FROM shop.nothing").Exec(); !errors.As(err, &unknown) || unknown.Code() != gocql.ErrCodeInvalid || unknown.Message() != "table nothing does not exist" {
			t.Fatalf("%v", err)
		}
	}
}

// TestGocqlV2TokenAware sends each key to a replica of it.
func TestGocqlV2TokenAware(t *testing.T) {
	s := serving(t, "dc1=3 racks=3", "127.0.3.1")
	do(t, s, setUp)
	do(t, s, smoke...)
	hosts := &observed2{}
	session := session2(t, s, "shop", func(c *gocql.ClusterConfig) { c.QueryObserver = hosts })
	for i := range 60 {
		if err := session.Query("INSERT INTO stock (id, left) VALUES (?, 1)", i).Exec(); err != nil {
			t.Fatal(err)
		}
	}
	right := 0
	if len(hosts.list) != 60 {
		t.Fatalf("%d inserts were observed", len(hosts.list))
	}
	for i, host := range hosts.list {
		out, _ := s.Command(":getendpoints shop stock " + key(i)[5:])
		for _, row := range out[0].Rows {
			if "127.0.3."+row[0].Text[1:] == host {
				right++
			}
		}
	}
	if right != 60 {
		t.Errorf("%d of 60 keys went to a replica", right)
	}
}

type observed2 struct{ list []string }

func (o *observed2) ObserveQuery(_ context.Context, q gocql.ObservedQuery) {
	if len(q.Statement) > 6 && q.Statement[:6] == "INSERT" {
		o.list = append(o.list, q.Host.ConnectAddress().String())
	}
}

// TestGocqlV2Events sees a change of the schema that another client makes, and a
// node that goes down and comes back.
func TestGocqlV2Events(t *testing.T) {
	s := serving(t, "dc1=3 racks=3", "127.0.4.1")
	do(t, s, setUp)
	do(t, s, smoke...)
	session := session2(t, s, "shop", nil)
	if _, err := session.KeyspaceMetadata("shop"); err != nil {
		t.Fatal(err)
	}
	do(t, s, "CREATE TABLE shop.later (k int PRIMARY KEY)")
	eventually(t, "the new table", func() bool {
		m, err := session.KeyspaceMetadata("shop")
		return err == nil && m.Tables["later"] != nil
	})
	write := func() error {
		return session.Query("INSERT INTO shop.stock (id, left) VALUES (7, 7)").Consistency(gocql.One).Exec()
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	do(t, s, ":down n3")
	eventually(t, "the node that is down", func() bool {
		for range 10 {
			if write() != nil {
				return false
			}
		}
		return true
	})
	do(t, s, ":up n3")
	eventually(t, "the node that is back", func() bool { return write() == nil })
}

// TestSystemClients has the server say who is connected, and keeps that in the
// journal: who reads it again gets the same answer.
func TestSystemClients(t *testing.T) {
	s := serving(t, "dc1=1", "127.0.20.1")
	session := session2(t, s, "", func(c *gocql.ClusterConfig) { c.ProtoVersion = 5 })
	iter := session.Query("SELECT driver_name, driver_version, connection_stage, username, client_options, protocol_version, request_count FROM system_views.clients").Iter()
	var name, version, stage, user string
	var options map[string]string
	var protocol, requests, found int
	for iter.Scan(&name, &version, &stage, &user, &options, &protocol, &requests) {
		if name == "ringlab" { // whoever types in the lab
			continue
		}
		found++
		if stage != "ready" || user != "anonymous" || protocol != 5 || requests == 0 || options["CQL_VERSION"] != "3.0.0" || options["DRIVER_NAME"] != name || options["DRIVER_VERSION"] != version {
			t.Errorf("%q %q %q %q %v %d %d", name, version, stage, user, options, protocol, requests)
		}
	}
	if err := iter.Close(); err != nil || found == 0 {
		t.Errorf("%d connections, %v", found, err)
	}
}

// TestTypesWithoutName uses a type that CQL has no name for and counters as the
// elements of vectors.
func TestTypesWithoutName(t *testing.T) {
	s := serving(t, "dc1=3", "127.0.20.1")
	do(t, s, setUp, "CREATE TABLE shop.odd (k int PRIMARY KEY, u 'org.apache.cassandra.db.marshal.LexicalUUIDType', c vector<counter, 2>)")
	session := session2(t, s, "shop", nil)
	id, counts := gocql.TimeUUID(), []int64{7, -1}
	if err := session.Query("INSERT INTO odd (k, u, c) VALUES (1, ?, ?)", id, counts).Exec(); err != nil {
		t.Fatal(err)
	}
	var gotID gocql.UUID
	var got []int64
	if err := session.Query("SELECT u, c FROM odd").Scan(&gotID, &got); err != nil || gotID != id || !slices.Equal(got, counts) {
		t.Errorf("%s, %v: %v", gotID, got, err)
	}
}
