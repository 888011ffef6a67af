package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/engine/view"
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

func TestReopeningGivesTheSameLab(t *testing.T) {
	for name, script := range map[string]string{
		"data":         tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\nUPDATE ks.note SET l = l + ['x', 'y'] WHERE id = 'n';\nDELETE FROM ks.t WHERE k = 1 AND c = 2;\n:flush\n:advance 3d\n",
		"faults":       tables + ":down n2\nCONSISTENCY QUORUM\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n:cut n1 > n3\nINSERT INTO ks.t (k, c, v) VALUES (1, 2, 'b');\n:heal\n:up n2\n:advance 20s\nTRACING ON\n",
		"clients":      tables + ":client alice node=n4 cl=ALL skew=+3s\n:as alice\nUSE ks;\nINSERT INTO t (k, c, v) VALUES (1, 1, 'alice');\nEXPAND ON\n",
		"new ring":     tables + ":ring new dc1=3 dc2=2 vnodes=8 seed=9\n" + strings.Replace(tables, "'dc1': 3", "'dc1': 3, 'dc2': 2", 1) + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n",
		"reset":        tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n:reset\n" + tables,
		"together":     tables + ":client a\n:client b node=n3\n:together\n:as a\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n:as b\n:at +1ms INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'b');\nSELECT * FROM ks.t WHERE k = 1;\n:end\n",
		"open block":   tables + ":together\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n",
		"refusals":     "SELECT * FORM x;\n" + tables + "SELECT * FROM ks.t WHERE v = 'x';\n:down n99\n:nonsense\n",
		"expectations": tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\nSELECT * FROM ks.t;\n:help down\n:expect message stop\nSELECT * FROM ks.t;\n:expect rows 1\n----\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lab.ringlab")
			h := open(t, path)
			do(t, h, script)
			first := said(do(t, h, look))
			client := h.View().Client
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			// What was asked is part of the journal and must be answered alike; asked
			// again it moves time, so the comparison is with a second lab.
			again := open(t, path)
			if got := again.View(); got.Client != client {
				t.Errorf("client %q, expected %q", got.Client, client)
			}
			second := open(t, filepath.Join(t.TempDir(), "other.ringlab"))
			do(t, second, script)
			if other := said(do(t, second, look)); other != first {
				t.Errorf("two labs differ:\n%s\n%s", first, other)
			}
			a, b := said(do(t, again, look)), said(do(t, second, look))
			if a != b {
				t.Errorf("reopened:\n%s\nlived:\n%s", a, b)
			}
		})
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

func TestTimeThatFlowsIsJournaledOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	before := len(entries(t, h))
	for _, speed := range []string{"1x", "0.001x", "max", "100x"} {
		well(t, h, ":speed "+speed)
		well(t, h, ":down n2 undetected\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');")
		rev := h.View().Rev
		for range 40 {
			h.Tick(33 * time.Millisecond)
			h.Show(view.Need{Node: int(h.View().Rev % 3)})
		}
		until(t, "a newer picture", func() bool { return h.View().Rev > rev })
		well(t, h, ":help up\n:up n2 undetected")
	}
	well(t, h, ":speed pause")
	list := entries(t, h)[before:]
	idle := 0
	for i, e := range list {
		if strings.HasPrefix(e, ":speed") || strings.HasPrefix(e, ":help") {
			t.Errorf("%s is journaled", e)
		}
		if strings.HasPrefix(e, ":advance ") {
			if idle++; i > 0 && strings.HasPrefix(list[i-1], ":advance ") {
				t.Error("idle time is journaled in pieces")
			}
		}
	}
	if idle < 3 {
		t.Errorf("%d pieces of idle time in %q", idle, list)
	}
	now := h.View().Now
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if again := open(t, path); again.View().Now != now {
		t.Errorf("the clock is at %d, it was at %d", again.View().Now, now)
	}
}

func TestUndoAndRedo(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	steps := []string{
		"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a')",
		"SELECT * FROM ks.t",
		":client bob node=n5",
		":as bob",
		"INSERT INTO ks.t (k, c, v) VALUES (1, 2, 'b')",
		":down n1",
		":reset",
		strings.Split(tables, "\n")[0],
		":ring new dc1=4",
		"SELECT * FROM system.local",
	}
	state := func() string {
		v := h.View()
		v2 := *v
		v2.Rev, v2.Undo, v2.Redo, v2.Undone = 0, "", "", 0
		text, err := json.Marshal(v2)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	states := []string{state()}
	for _, s := range steps {
		do(t, h, s)
		if got := h.View().Undo; got != strings.TrimSuffix(s, ";") {
			t.Errorf("undo offers %q after %q", got, s)
		}
		states = append(states, state())
	}
	for round := range 2 {
		for i := len(steps) - 1; i >= 0; i-- {
			if got := well(t, h, ":undo"); !strings.Contains(got, "Undone: "+strings.TrimSuffix(steps[i], ";")) {
				t.Errorf("undo %d says %q", i, got)
			}
			if got := state(); got != states[i] {
				t.Errorf("round %d, undo of %s:\n%s\nexpected\n%s", round, steps[i], got, states[i])
			}
		}
		for i, s := range steps {
			if got := well(t, h, ":redo"); !strings.Contains(got, "Done again: "+strings.TrimSuffix(s, ";")) {
				t.Errorf("redo %d says %q", i, got)
			}
			if got := state(); got != states[i+1] {
				t.Errorf("round %d, redo of %s:\n%s\nexpected\n%s", round, s, got, states[i+1])
			}
		}
	}
	if got := said(do(t, h, ":redo")); !strings.Contains(got, "nothing to redo") {
		t.Errorf("redo at the end: %q", got)
	}
	for h.View().Undo != "" {
		well(t, h, ":undo")
	}
	if got := said(do(t, h, ":undo")); !strings.Contains(got, "nothing to undo") {
		t.Errorf("undo at the beginning: %q", got)
	}
	well(t, h, tables)
	if got := said(do(t, h, ":redo")); !strings.Contains(got, "nothing to redo") {
		t.Errorf("redo after a new command: %q", got)
	}
}

// Undo takes what somebody did: idle time and checks go along with it, and the
// speed at which time flows stays.
func TestUndoTakesIdleTimeAndChecksAlong(t *testing.T) {
	h := fresh(t)
	well(t, h, tables+":speed 1x")
	before := h.View().Now
	h.Tick(time.Second)
	until(t, "time to pass", func() bool { return h.View().Now > before })
	well(t, h, "SELECT * FROM ks.t;\n:expect rows 0")
	h.Tick(time.Second)
	until(t, "time to pass", func() bool { return h.View().Now > before+1_500_000 })
	if got := h.View().Undo; got != "SELECT * FROM ks.t" {
		t.Errorf("undo offers %q", got)
	}
	well(t, h, ":undo")
	if v := h.View(); v.Now != before || v.Speed != "1x" {
		t.Errorf("the clock is at %d with speed %s, expected %d and 1x", v.Now, v.Speed, before)
	}
	well(t, h, ":redo")
	if v := h.View(); v.Now < before+1_000_000 || v.Now > before+1_100_000 {
		t.Errorf("the clock is at %d after redo", v.Now)
	}
	revs := map[uint64]bool{}
	for range 3 {
		well(t, h, ":undo")
		well(t, h, ":redo")
		if v := h.View(); revs[v.Rev] {
			t.Errorf("revision %d came twice", v.Rev)
		} else {
			revs[v.Rev] = true
		}
	}
}

func TestCancelKeepsWhatRan(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	var b strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&b, "INSERT INTO ks.t (k, c, v) VALUES (1, %d, 'x');\n", i)
	}
	answers := h.Do(b.String())
	<-answers
	waiting := h.Do("SELECT * FROM ks.t")
	h.Cancel()
	later := h.Do("SELECT count(*) FROM ks.t WHERE k = 1")
	list := take(t, answers)
	last := list[len(list)-1]
	var ran, all int
	if _, err := fmt.Sscanf(last.Message, "Cancelled: %d of %d commands were run", &ran, &all); err != nil || all != 10000 || ran >= all || ran != len(list) {
		t.Errorf("%q after %d answers", last.Message, len(list))
	}
	if got := said(take(t, waiting)); !strings.Contains(got, "Cancelled before it began") {
		t.Errorf("what waited says %q", got)
	}
	if got := take(t, later); got[0].Rows[0][0].Text != fmt.Sprint(ran) {
		t.Errorf("%d commands ran, the table has %s rows", ran, got[0].Rows[0][0].Text)
	}
}

func TestInputsRunInTheOrderGiven(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	var all []<-chan answer.Answer
	for i := range 200 {
		all = append(all, h.Do(fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (1, 1, '%d'); SELECT v FROM ks.t WHERE k = 1;", i)))
	}
	for i, answers := range all {
		if got := take(t, answers)[1].Rows[0][0].Text; got != fmt.Sprint(i) {
			t.Fatalf("input %d reads %s", i, got)
		}
	}
}

// A file that is gone stores nothing, so nothing is acknowledged.
func TestNothingIsAcknowledgedThatIsNotStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	if err := os.Rename(path, path+".elsewhere"); err != nil {
		t.Fatal(err)
	}
	inputs := []string{"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'lost'); SELECT * FROM ks.t; SELECT * FROM ks.t WHERE k = 1;",
		"SELECT * FROM ks.t", ":help", ":undo", ":redo", "----\nx\n", ":status"}
	for i := range 40 {
		inputs = append(inputs, fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, 1, 'lost')", i))
	}
	for _, text := range inputs {
		list := do(t, h, text)
		if len(list) == 0 {
			t.Errorf("%q is not answered", text)
		}
		for _, a := range list {
			if a.Error == nil || a.Error.Name != "WorkspaceError" || !strings.Contains(a.Error.Message, "was moved") {
				t.Errorf("%q is answered with %q", text, said([]answer.Answer{a}))
			}
		}
	}
	if got := h.View().Notice; got == "" {
		t.Error("the picture does not say that nothing is stored")
	}
	var gone *workspace.Gone
	if err := h.Close(); !errors.As(err, &gone) {
		t.Errorf("closing says %v", err)
	}
	if err := os.Rename(path+".elsewhere", path); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if got := well(t, again, "SELECT * FROM ks.t"); !strings.Contains(got, "(0 rows)") {
		t.Errorf("stored all the same: %s", got)
	}
}

func TestSource(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inner := file("sub/inner.cql", "INSERT INTO ks.t (k, c, v) VALUES (1, 2, 'inner');\n")
	outer := file("sub/outer.cql", tables+"SOURCE 'inner.cql'\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'outer')")
	self := file("self.cql", "SOURCE 'self.cql'\nSOURCE '"+filepath.Join(dir, "self.cql")+"'\nSELECT v FROM ks.t;\n")
	ws := filepath.Join(dir, "lab.ringlab")
	h := open(t, ws)
	well(t, h, "SOURCE '"+outer+"'")
	got := do(t, h, "SELECT v FROM ks.t WHERE k = 1;\nSOURCE '"+self+"'\nSOURCE '/nowhere.cql'\nSOURCE '"+dir+"'\nSOURCE\nSOURCE '/dev/zero'")
	if want := []string{"(2 rows)", "would never end", "would never end", "(2 rows)", "Could not open '/nowhere.cql': no such file", "it is not a file", "Improper SOURCE", "it is not a file"}; len(got) != len(want) {
		t.Errorf("%d answers: %s", len(got), said(got))
	} else {
		for i := range want {
			if text := said(got[i : i+1]); !strings.Contains(text, want[i]) {
				t.Errorf("answer %d is %q, expected %q", i, text, want[i])
			}
		}
	}
	if a := got[3]; a.File != self || a.Line != 3 {
		t.Errorf("the answer of line 3 comes from %s:%d", a.File, a.Line)
	}
	before := said(do(t, h, "SELECT * FROM ks.t"))
	h.Close()
	for _, f := range []string{inner, outer, self} {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, ws)
	for _, e := range entries(t, again) {
		if strings.HasPrefix(e, "SOURCE") {
			t.Errorf("the journal needs a file: %s", e)
		}
	}
	if got := said(do(t, again, "SELECT * FROM ks.t")); got != before {
		t.Errorf("without its files the lab is\n%s\nit was\n%s", got, before)
	}
}

func TestExpectationsInAnInput(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	table := "\n v\n---\n %s\n\n(1 rows)\n"
	list := do(t, h, "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\nSELECT v FROM ks.t WHERE k = 1;\n:expect rows 1\n"+
		"----\n----"+fmt.Sprintf(table, "a")+"----\n----\n"+
		"----\n----"+fmt.Sprintf(table, "b")+"----\n----\n"+
		"SELECT * FORM t;\n:expect error SyntaxException\n"+
		"----\nSyntaxException: line 1:9 mismatched input 'FORM' expecting K_FROM (SELECT * [FORM]...)\n\n"+
		":expect rows 3\n")
	var got []string
	for _, a := range list {
		word := "ok"
		if a.Error != nil {
			word = a.Error.Name
		}
		got = append(got, word)
	}
	want := "ok ok ok ok ExpectationFailed SyntaxException ok ok ExpectationFailed"
	if strings.Join(got, " ") != want {
		t.Errorf("%v, expected %s\n%s", got, want, said(list))
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	for _, text := range []string{":status", ":status", "  ", ":speed 1x", ":step", "SELECT 1;", ":status", "-- " + strings.Repeat("x", 3<<20)} {
		do(t, h, text)
	}
	want := ":status|SELECT 1;|:status"
	if got := strings.Join(h.History(), "|"); got != want {
		t.Errorf("history %.200q", got)
	}
	h.SaveUI([]byte("a"))
	h.SaveUI([]byte("layout"))
	h.Close()
	again := open(t, path)
	if got := strings.Join(again.History(), "|"); got != want || string(again.LoadUI()) != "layout" {
		t.Errorf("reopened with history %q and layout %q", got, again.LoadUI())
	}
}

// Whoever gave a long input may be gone when the host is closed.
func TestCloseWaitsForNoReader(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	unread := h.Do(strings.Repeat("SELECT * FROM ks.t;\n", 5000))
	waiting := h.Do("SELECT * FROM ks.t;")
	<-unread
	closed := make(chan error, 2)
	for range 2 {
		go func() { closed <- h.Close() }()
	}
	for range 2 {
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("Close waits for somebody to read")
		}
	}
	take(t, waiting)
	take(t, h.Do("SELECT * FROM ks.t"))
	h.Tick(time.Second)
	h.Show(view.Need{})
	h.Cancel()
	h.SaveUI(nil)
	if h.View() == nil {
		t.Error("no picture after Close")
	}
}

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

func TestOpeningCanBeCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	well(t, h, strings.Repeat("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');\n", 40000))
	h.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var seen []uint64
	_, err = Open(path, OpenOptions{Record: true, Progress: func(done, all uint64) bool {
		if all != 40003 {
			t.Errorf("%d of %d", done, all)
		}
		seen = append(seen, done)
		return false
	}})
	if !errors.Is(err, ErrCancelled) || len(seen) != 1 {
		t.Fatalf("%v after %v", err, seen)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("a cancelled opening changed the file")
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("the lock is still there")
	}
}

func TestReadOnlyStores(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none.ringlab"), OpenOptions{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing workspace: %v", err)
	}
	path := filepath.Join(dir, "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	h.Close()
	s, err := Open(path, OpenOptions{ReadOnly: true, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	read := New(s)
	defer read.Close()
	if got := do(t, read, "SELECT * FROM ks.t"); len(got) != 1 || got[0].Error == nil || got[0].Error.Name != "WorkspaceError" {
		t.Errorf("answered: %s", said(got))
	}
}

// A pasted schema whose data centers the ring lacks stops at its keyspace, with
// the offer of a ring; on that ring it runs.
func TestPastedSchemaStopsAtItsKeyspace(t *testing.T) {
	h := fresh(t)
	schema := `CREATE KEYSPACE far WITH replication = {'class': 'NetworkTopologyStrategy', 'east': 3};
CREATE TABLE far.a (k int PRIMARY KEY);
CREATE TABLE far.b (k int PRIMARY KEY);`
	answers := do(t, h, schema)
	if len(answers) != 2 || len(answers[0].Fix) != 1 || !strings.Contains(answers[1].Message, "The other 2 statements were not run") {
		t.Fatalf("%d answers: %+v", len(answers), answers)
	}
	for _, a := range append(do(t, h, answers[0].Fix[0].Text), do(t, h, schema)...) {
		if a.Error != nil {
			t.Errorf("%s: %s", a.Statement, a.Error.Message)
		}
	}
}
