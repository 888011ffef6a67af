package host

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/engine/workspace"
)

const patience = 30 * time.Second

// open starts a host on a workspace, which is closed at the end of the test.
func open(t *testing.T, path string) *Host {
	t.Helper()
	s, err := Open(path, OpenOptions{Record: true, Epoch: engine.DefaultEpoch})
	if err != nil {
		t.Fatal(err)
	}
	if s.Differs != "" {
		t.Errorf("the replay differs at %s", s.Differs)
	}
	h := New(s)
	t.Cleanup(func() { h.Close() })
	return h
}

func fresh(t *testing.T) *Host {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "lab.ringlab"))
}

// take waits for all answers of an input.
func take(t *testing.T, answers <-chan answer.Answer) []answer.Answer {
	t.Helper()
	deadline := time.After(patience)
	var out []answer.Answer
	for {
		select {
		case a, ok := <-answers:
			if !ok {
				return out
			}
			out = append(out, a)
		case <-deadline:
			t.Fatalf("no end after %d answers", len(out))
		}
	}
}

func do(t *testing.T, h *Host, text string) []answer.Answer {
	t.Helper()
	return take(t, h.Do(text))
}

// said is what answers print.
func said(list []answer.Answer) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(render.Text(&list[i], false))
	}
	return b.String()
}

// well runs an input that must go without an error.
func well(t *testing.T, h *Host, text string) string {
	t.Helper()
	list := do(t, h, text)
	for _, a := range list {
		if a.Error != nil {
			t.Fatalf("%s: %s", a.Statement, a.Error.Message)
		}
	}
	return said(list)
}

const tables = `CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c));
CREATE TABLE ks.note (id text PRIMARY KEY, l list<text>);
`

const look = `SELECT * FROM ks.t;
SELECT k, c, v, writetime(v) FROM ks.t WHERE k = 1;
SELECT * FROM ks.note;
:status
:ring
:hints
:partition ks.t 1
:tablestats ks.t
CONSISTENCY
TRACING
EXPAND
`

// until polls a condition that another goroutine brings about.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for !holds() {
		select {
		case <-poll.C:
		case <-deadline:
			t.Fatalf("never came: %s", what)
		}
	}
}

// entries are the commands of a journal.
func entries(t *testing.T, h *Host) []string {
	t.Helper()
	var out []string
	if err := h.store.file.Each(1, func(e workspace.Entry) error { out = append(out, e.Text); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}
