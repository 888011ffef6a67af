package host

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"ringlab/engine/view"
)

// A picture stays as it was when it was published.
func TestPicturesNeverChange(t *testing.T) {
	h := fresh(t)
	well(t, h, tables+":speed 1x")
	type kept struct {
		v    *view.View
		text string
	}
	var mu sync.Mutex
	var all []kept
	stop, done := make(chan struct{}), make(chan struct{})
	keep := func() {
		v := h.View()
		text, _ := json.Marshal(v)
		mu.Lock()
		all = append(all, kept{v, string(text)})
		mu.Unlock()
	}
	go func() {
		defer close(done)
		for {
			select {
			case <-h.Wake():
				keep()
			case <-stop:
				return
			}
		}
	}()
	for i := range 60 {
		h.Show(view.Need{Keyspace: "ks", Table: "t", Key: fmt.Sprint(i % 5), Node: i % 6, Sort: []string{"", "rows", "key"}[i%3], Op: i % 2})
		h.Tick(33 * time.Millisecond)
		do(t, h, fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'x'); SELECT * FROM ks.t WHERE k = %d;", i%5, i, i%7))
		switch i % 20 {
		case 7:
			well(t, h, ":down n3\n:flush")
		case 11:
			well(t, h, ":up n3\n:compact")
		case 13:
			well(t, h, ":undo")
		case 17:
			well(t, h, "ALTER TABLE ks.t ADD x"+fmt.Sprint(i)+" int;")
		}
		keep()
	}
	close(stop)
	<-done
	for _, k := range all {
		if text, _ := json.Marshal(k.v); string(text) != k.text {
			t.Fatalf("picture %d changed from\n%s\nto\n%s", k.v.Rev, k.text, text)
		}
	}
}

func TestWhatThePictureShowsFollowsTheNeed(t *testing.T) {
	h := fresh(t)
	well(t, h, tables+"INSERT INTO ks.t (k, c, v) VALUES (7, 1, 'x');\n:flush")
	h.Show(view.Need{Keyspace: "ks", Table: "t", Key: "7", Node: 2})
	until(t, "the selection", func() bool { s := h.View().Selection; return s != nil && s.Key == "7" && len(s.Replicas) == 3 })
	if s := h.View().Storage; s == nil || s.Node != 2 || s.Table != "t" {
		t.Errorf("storage %+v", s)
	}
	h.Show(view.Need{Keyspace: "ks", Table: "note", Node: 1})
	until(t, "the other table", func() bool {
		v := h.View()
		return v.Selection == nil && v.Storage.Table == "note" && v.Storage.Node == 1
	})
}
