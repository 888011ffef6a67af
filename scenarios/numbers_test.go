package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/headless"
	"ringlab/ring"
)

// The tests of this file hold what lessons tell in small against numbers that
// no lesson can type in: a hundred thousand ids, keys of 64 KB.

// TestSeed_W2_W4_buckets: the ids of one client over Signal's 256 buckets, and
// how many change their bucket when the index is rebuilt.
func TestSeed_W2_W4_buckets(t *testing.T) {
	const ids = 100_000
	var perBucket [256]int
	moved := map[int64]int{512: 0, 1024: 0, 300: 0}
	mod := func(hash, n int64) int64 { return (hash%n + n) % n }
	for i := range ids {
		hash, _ := ring.Murmur3Hash([]byte(fmt.Sprintf("emailu%06d@example.com", i)))
		was := mod(hash, 256)
		perBucket[was]++
		for n := range moved {
			if mod(hash, n) != was {
				moved[n]++
			}
		}
	}
	least, most := ids, 0
	for _, n := range perBucket {
		least, most = min(least, n), max(most, n)
	}
	if least != 338 || most != 452 {
		t.Errorf("buckets hold %d to %d ids, want 338 to 452", least, most)
	}
	for n, want := range map[int64]string{512: "49.74", 1024: "75.09", 300: "98.71"} {
		if got := fmt.Sprintf("%.2f", float64(moved[n])*100/ids); got != want {
			t.Errorf("from 256 to %d buckets %s %% of the ids move, want %s %%", n, got, want)
		}
	}
}

// lab is three nodes with a keyspace ks at RF 3.
func lab(t *testing.T) *engine.Lab {
	t.Helper()
	l, err := headless.NewLab(headless.LabOptions{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, "CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}")
	return l
}

// run does one statement that must succeed.
func run(t *testing.T, l *engine.Lab, text string) *answer.Answer {
	t.Helper()
	var last *answer.Answer
	for _, a := range l.Do(text) {
		if a.Error != nil {
			t.Fatalf("%.80s: %s", text, a.Error.Message)
		}
		last = a
	}
	return last
}

// TestSeed_M7_keyLimits: a partition key and a clustering have at most 65,535
// bytes.
func TestSeed_M7_keyLimits(t *testing.T) {
	l := lab(t)
	run(t, l, "CREATE TABLE ks.t (k text, c text, PRIMARY KEY (k, c))")
	for _, c := range []struct {
		key, clustering int
		want            string
	}{
		{65535, 1, ""},
		{1, 65535, ""},
		{65536, 1, "Key length of 65536 is longer than maximum of 65535"},
		{1, 65536, "Key length of 65536 is longer than maximum of 65535"},
		{0, 1, "Key may not be empty"},
		{1, 0, ""},
	} {
		answers := l.Do(fmt.Sprintf("INSERT INTO ks.t (k, c) VALUES ('%s', '%s')", strings.Repeat("k", c.key), strings.Repeat("c", c.clustering)))
		got := ""
		if e := answers[len(answers)-1].Error; e != nil {
			got = e.Message
		}
		if !strings.Contains(got, c.want) || got != "" && c.want == "" {
			t.Errorf("a key of %d bytes and a clustering of %d: %q, want %q", c.key, c.clustering, got, c.want)
		}
	}
}

// TestSeed_Q6_timeuuids: two clients make a thousand ids each, all different.
func TestSeed_Q6_timeuuids(t *testing.T) {
	l := lab(t)
	run(t, l, "CREATE TABLE ks.ids (id timeuuid PRIMARY KEY)")
	run(t, l, ":client a node=n1")
	run(t, l, ":client b node=n2")
	for range 10 {
		for _, client := range []string{"a", "b"} {
			run(t, l, ":as "+client)
			for range 100 {
				run(t, l, "INSERT INTO ks.ids (id) VALUES (now())")
			}
		}
	}
	run(t, l, ":as")
	a := run(t, l, "SELECT count(*) FROM ks.ids")
	if got := a.Rows[0][0].Text; got != "2000" {
		t.Errorf("2 x 1,000 ids are %s different ones", got)
	}
}

// TestSeed_B12_bytes: ten thousand actions and ten thousand books in a
// partition. A real node has 329,944 and 639,821 bytes; a few of them depend on
// the moments of the writes, so bytes a row are compared.
func TestSeed_B12_bytes(t *testing.T) {
	const user = "50554d6e-29bb-11e5-b345-feff819cdc9f"
	l := lab(t)
	run(t, l, "CREATE TABLE ks.actions (user_id timeuuid, month int, time timestamp, element text, type text, PRIMARY KEY ((user_id, month), time))")
	run(t, l, "CREATE TABLE ks.books (user_id timeuuid, title text, author text, full_name text static, isbn text, genre text, publisher text, PRIMARY KEY (user_id, title, author))")
	for i := range 10_000 {
		at := 1_700_000_000_000_000 + 150*i
		run(t, l, fmt.Sprintf("INSERT INTO ks.actions (user_id, month, time, element, type) VALUES (%s, 6, %d, 'btn%06d', 'click') USING TIMESTAMP %d", user, 1_433_116_800_000+1000*i, i, at))
		run(t, l, fmt.Sprintf("INSERT INTO ks.books (user_id, title, author, full_name, isbn, genre, publisher) VALUES (%s, 'title%06d', 'author%05d', 'Jane Doe', '97800000%05d', 'fiction', 'penguin') USING TIMESTAMP %d", user, i, i, i, at))
	}
	for _, c := range []struct{ partition, cells, perRow, published, printed string }{
		{"ks.actions " + user + ":6", "20000", "33.0", "380,020", "540,020"},
		{"ks.books " + user, "30001", "64.0", "730,032", "1,330,032"},
	} {
		for _, row := range run(t, l, ":xray "+c.partition).Rows {
			if name, got := row[0].Text, row[2].Text; name == "F2 published" && got != c.published || name == "F2 as printed" && got != c.printed {
				t.Errorf("%s: %s is %s, want %s and %s", c.partition, name, got, c.published, c.printed)
			}
		}
		a := run(t, l, ":partition "+c.partition)
		var bytes float64
		fmt.Sscan(a.Rows[0][5].Text, &bytes)
		if got := fmt.Sprintf("%.1f", bytes/10_000); got != c.perRow {
			t.Errorf("%s has %s bytes a row, want %s", c.partition, got, c.perRow)
		}
		if got := a.Rows[0][3].Text; got != c.cells {
			t.Errorf("%s has %s cells, want %s", c.partition, got, c.cells)
		}
	}
}
