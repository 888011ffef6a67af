package serve_test

import (
	"sync"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// TestClocks asks for more virtual time than passes: the clocks of the nodes
// stay with that of the machine, where drivers take their timestamps from, and
// each write wins over those before it, whoever gave its timestamp.
func TestClocks(t *testing.T) {
	s := serving(t, "dc1=3 racks=3", "127.0.12.1")
	do(t, s, setUp)
	do(t, s, smoke...)
	session := session2(t, s, "shop", nil)
	var wait sync.WaitGroup
	for w := range 16 {
		wait.Go(func() {
			for i := range 300 {
				if err := session.Query("INSERT INTO stock (id, left) VALUES (?, 1)", w*1000+i).Exec(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	var now time.Time
	if err := session.Query("SELECT toTimestamp(now()) FROM system.local").Scan(&now); err != nil {
		t.Fatal(err)
	}
	if ahead := time.Until(now); ahead > 2*time.Second || ahead < -2*time.Second {
		t.Errorf("the clocks of the nodes are %s ahead", ahead)
	}
	for i := range 20 {
		if applied, err := session.Query("UPDATE stock SET left = 5 WHERE id = 1 IF left != 5").ScanCAS(nil); err != nil || !applied {
			t.Fatalf("%d: %v %v", i, applied, err)
		}
		q := session.Query("UPDATE stock SET left = 6 WHERE id = 1")
		if i%2 == 0 {
			q = q.DefaultTimestamp(false)
		}
		if err := q.Consistency(gocql.Quorum).Exec(); err != nil {
			t.Fatal(err)
		}
		left := 0
		if err := session.Query("SELECT left FROM stock WHERE id = 1").Scan(&left); err != nil || left != 6 {
			t.Fatalf("%d: left is %d, %v", i, left, err)
		}
	}
}
