package serve_test

import (
	"path/filepath"
	"testing"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine"
	"ringlab/engine/host"
)

// TestJournal has a driver work on a workspace, and opens it again: the replay
// gives every answer that the driver was given.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "served.ringlab")
	store, err := host.Open(path, host.OpenOptions{Ring: "dc1=3 racks=3"})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, store, "127.0.8.1")
	do(t, s, setUp)
	do(t, s, smoke...)
	session := session2(t, s, "shop", nil)
	for i := range 30 {
		if err := session.Query("INSERT INTO items (id, n, title) VALUES (?, ?, ?)", 1, i, key(i)).Exec(); err != nil {
			t.Fatal(err)
		}
	}
	b := session.Batch(gocql.UnloggedBatch)
	b.Query("INSERT INTO items (id, n, title) VALUES (?, ?, ?)", 2, 1, "it's \"quoted\"\nin two lines")
	b.Query("UPDATE shop.stock SET left = 3 WHERE id = 9 IF EXISTS")
	if err := b.Exec(); err == nil {
		t.Fatal("a batch with conditions over two tables was taken")
	}
	rows := 0
	iter := session.Query("SELECT title FROM items WHERE id = 1").PageSize(4).Iter()
	for title := ""; iter.Scan(&title); {
		rows++
	}
	if err := iter.Close(); err != nil || rows != 30 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	session.Close()
	s.Close()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := host.Open(path, host.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Differs != "" || again.Replayed < 40 {
		t.Fatalf("%d commands were replayed, the answer differs at %q", again.Replayed, again.Differs)
	}
	script := filepath.Join(t.TempDir(), "served.lab")
	if n, err := again.Save(script); err != nil || n < 40 {
		t.Fatalf("%d commands saved, %v", n, err)
	}
	lab, err := engine.New(engine.Options{Ring: again.Lab.Ring(), Epoch: engine.DefaultEpoch})
	if err != nil {
		t.Fatal(err)
	}
	text := host.Memory(lab)
	answers, _ := text.Run(":request c=127.0.0.1:9 node=n1 cl=ONE query \"SELECT cql_version FROM system.local WHERE key = ?\" [0x6c6f63616c]")
	if len(answers) != 1 || len(answers[0].Rows) != 1 || answers[0].Rows[0][0].Text != "3.4.7" {
		t.Fatalf("%+v", answers[0])
	}
}
