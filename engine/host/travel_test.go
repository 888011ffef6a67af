package host

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// lines are the statements and commands of a text.
func lines(text string) (out []string) {
	for _, it := range script.Cut(text) {
		out = append(out, it.Text)
	}
	return out
}

// keeper opens stores for a test.
func keeper(t *testing.T, path, ring string) *Store {
	t.Helper()
	if path == "" {
		lab, err := engine.New(engine.Options{Ring: ring})
		if err != nil {
			t.Fatal(err)
		}
		return Memory(lab)
	}
	s, err := Open(path, OpenOptions{Ring: ring, Epoch: engine.DefaultEpoch})
	if err != nil {
		t.Fatal(err)
	}
	if s.Differs != "" {
		t.Errorf("the replay differs at %s", s.Differs)
	}
	return s
}

// give runs a command and waits until it is stored.
func give(t *testing.T, s *Store, text string) string {
	t.Helper()
	expand := s.Lab.Expand()
	answers, receipt := s.Run(text)
	stored := make(chan error, 1)
	s.Commit(receipt, func(err error) { stored <- err })
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, a := range answers {
		if out := strings.Trim(render.Text(a, expand), "\n"); out != "" {
			b.WriteString(out + "\n")
		}
	}
	return b.String()
}

// TestTravel runs testdata/travel/*.txt: `lab RING` starts a lab, `run` gives it
// the lines below. A journal in memory, a workspace, and a workspace that is
// closed and opened before each block answer the same.
func TestTravel(t *testing.T) {
	datadriven.Walk(t, "testdata/travel", func(t *testing.T, path string) {
		folder, ring, n := t.TempDir(), "", 0
		var stores [3]*Store
		closeAll := func() {
			for _, s := range stores {
				if s != nil && s.Close() != nil {
					t.Error("a workspace could not be closed")
				}
			}
			stores = [3]*Store{}
		}
		defer func() { closeAll() }()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			file := func(i int) string {
				return map[bool]string{true: "", false: filepath.Join(folder, fmt.Sprintf("%d-%d.ringlab", n, i))}[i == 0]
			}
			if d.Cmd == "lab" {
				closeAll()
				n++
				var words []string
				for _, a := range d.CmdArgs {
					words = append(words, a.String())
				}
				ring = strings.Join(words, " ")
				for i := range stores {
					stores[i] = keeper(t, file(i), ring)
				}
				return ""
			}
			if err := stores[2].Close(); err != nil {
				t.Fatal(err)
			}
			stores[2] = keeper(t, file(2), ring)
			var said [3]string
			for i, s := range stores {
				for _, text := range lines(d.Input) {
					said[i] += "> " + text + "\n" + give(t, s, text)
				}
			}
			if said[1] != said[0] || said[2] != said[0] {
				t.Errorf("%s: in memory\n%s\nin a workspace\n%s\nreopened\n%s", d.Pos, said[0], said[1], said[2])
			}
			for i, s := range stores[1:] {
				same(t, fmt.Sprintf("%s, store %d", d.Pos, i+1), s.Lab, stores[0].Lab)
			}
			return said[0]
		})
	})
}

// commandsOfAll draws commands that touch everything a lab holds.
func commandsOfAll(r *rand.Rand, n int) []string {
	out := lines(tables + "CREATE TABLE ks.count (k int PRIMARY KEY, n counter);\nCREATE INDEX ON ks.t (v);\n")
	node := func() string { return fmt.Sprintf("n%d", 1+r.IntN(6)) }
	level := func() string { return []string{"ONE", "QUORUM", "ALL", "ANY"}[r.IntN(4)] }
	for range n {
		k, c := r.IntN(4), r.IntN(4)
		out = append(out, []string{
			fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'v%d')", k, c, r.IntN(100)),
			fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'v%d') USING TTL %d", k, c, r.IntN(100), 1+r.IntN(60)),
			fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'x') IF NOT EXISTS", k, c),
			fmt.Sprintf("DELETE FROM ks.t WHERE k = %d AND c = %d", k, c),
			fmt.Sprintf("DELETE FROM ks.t WHERE k = %d", k),
			fmt.Sprintf("UPDATE ks.note SET l = l + ['%d'] WHERE id = 'n%d'", c, k),
			fmt.Sprintf("UPDATE ks.count SET n = n + 1 WHERE k = %d", k),
			fmt.Sprintf("SELECT * FROM ks.t WHERE k = %d", k),
			fmt.Sprintf("SELECT * FROM ks.t WHERE v = 'v%d'", r.IntN(100)),
			"SELECT * FROM ks.count",
			":down " + node(), ":down " + node() + " undetected", ":up " + node(),
			":cut " + node() + " > " + node(), ":heal", ":skew " + node() + " +2s", ":pause " + node() + " 200ms",
			":flush", ":compact", ":flush " + node(), ":advance 1s", ":advance 1h", ":step",
			"CONSISTENCY " + level(), ":client a cl=" + level(), ":as a", ":as", "TRACING ON", "TRACING OFF",
			":together", ":end", ":reset", "TRUNCATE ks.t", ":hints", "SELECT nothing", ":expect rows 1",
			"CONSISTENCY ONE", "CONSISTENCY QUORUM",
			":bootstrap n7 dc=dc1 rack=rack1", ":decommission " + node(), ":removenode " + node(), ":repair", ":cleanup", ":reboot " + node(), "nodetool -h n2 tablestats ks",
		}[r.IntN(45)])
	}
	return out
}

// TestBackIsWhereItWas goes to every point of a random lab, in a random order,
// and compares all that the lab holds with one that went straight there: answers,
// memtables, SSTables, hints, messages under way, clocks.
func TestBackIsWhereItWas(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			commands := commandsOfAll(r, 40)
			path := ""
			if seed%2 == 1 {
				path = filepath.Join(t.TempDir(), "lab.ringlab")
			}
			s := keeper(t, path, "dc1=6 racks=3 vnodes=1 seed=1")
			defer func() { s.Close() }()
			points := []string{allOf(s.Lab)} // of the lab behind so many commands
			for _, text := range commands {
				give(t, s, text)
				if isCheck(text) {
					continue
				}
				points = append(points, allOf(s.Lab))
				if r.IntN(4) == 0 { // time flows by itself before the next one
					s.Lab.Advance(s.Lab.Now() + r.Int64N(3_000_000))
				}
			}
			for range 60 {
				n := r.IntN(len(points))
				switch r.IntN(6) {
				case 0:
					give(t, s, ":undo")
				case 1:
					give(t, s, ":redo")
				case 2:
					if path != "" {
						if err := s.Close(); err != nil {
							t.Fatal(err)
						}
						s = keeper(t, path, "")
					}
				default:
					give(t, s, fmt.Sprintf(":rewind %d", n))
				}
				n = s.tree.Current().DoneCommands()
				if got := withoutLast(s); got != points[n] {
					t.Fatalf("behind command %d, %s, the lab is not what it was then", n, s.last)
				}
			}
		})
	}
}

// withoutLast is all that a lab holds, but for the answer of the move to it,
// which takes the place of the last command's.
func withoutLast(s *Store) string {
	if s.moved == nil {
		return allOf(s.Lab)
	}
	core := s.Lab.Core()
	answer := core.Last
	core.Last = s.moved.before
	defer func() { core.Last = answer }()
	return allOf(s.Lab)
}

// TestBranchesProperty: whatever is done on branches, each lab is the one that
// its commands give straight, and a workspace that is opened again is where it was.
func TestBranchesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "ringlab")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		path := filepath.Join(folder, "lab.ringlab")
		open := func() *Store {
			s, err := Open(path, OpenOptions{Epoch: engine.DefaultEpoch, Ring: "dc1=3"})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := open()
		defer func() { s.Close() }()
		run := func(text string) bool {
			answers, receipt := s.Run(text)
			s.Commit(receipt, func(error) {})
			if err := s.Flush(); err != nil {
				t.Fatal(err)
			}
			return len(answers) == 0 || answers[0].Error == nil
		}
		model := map[string]*twin{"main": {}}
		at := "main"
		for _, text := range lines(strings.Replace(tables, "'dc1': 3", "'dc1': 2", 1)) {
			run(text)
			model[at].give(text)
		}
		for range rapid.IntRange(1, 25).Draw(t, "moves") {
			m := model[at]
			name := rapid.SampledFrom([]string{"main", "b", "c"}).Draw(t, "branch")
			switch rapid.IntRange(0, 8).Draw(t, "move") {
			case 0:
				if run(":undo") {
					m.at--
				}
			case 1:
				if run(":redo") {
					m.at++
				}
			case 2:
				if n := rapid.IntRange(0, 9).Draw(t, "n"); run(fmt.Sprintf(":rewind %d", n)) {
					m.at = n
				}
			case 3:
				if run(":fork " + name) {
					at, model[name] = name, &twin{append([]string{}, m.commands[:m.at]...), m.at}
				}
			case 4:
				if run(":branch " + name) {
					at = name
				}
			case 5:
				if s.Close() != nil {
					t.Fatal("cannot close")
				}
				s = open()
			default:
				text := fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, 1, 'x')", rapid.IntRange(0, 3).Draw(t, "k"))
				run(text)
				m.give(text)
			}
			straight, err := engine.New(engine.Options{Ring: "dc1=3", Epoch: engine.DefaultEpoch})
			if err != nil {
				t.Fatal(err)
			}
			m = model[at]
			for _, text := range m.commands[:m.at] {
				straight.Do(text)
			}
			if s.tree.Current().Name != at || withoutLast(s) != allOf(straight) {
				t.Fatalf("on %s, expected on %s behind %q, the lab is another one", s.tree.Current().Name, at, m.commands[:m.at])
			}
		}
	})
}

// twin is a branch as a list of commands, of which the first at are done.
type twin struct {
	commands []string
	at       int
}

func (m *twin) give(text string) {
	m.commands = append(m.commands[:m.at:m.at], text)
	m.at++
}

// TestCancelledTravelStays: whoever cancels on the way is where they were, also
// in the middle of one long command.
func TestCancelledTravelStays(t *testing.T) {
	inFolder(t)
	for name, script := range map[string]string{
		"many commands": strings.Repeat("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');\n", 3000),
		"one long load": ":stress table=ks.t n=3000 ops(insert=1)\n:advance 1s\n",
	} {
		s := keeper(t, name+".ringlab", "dc1=3")
		for _, text := range lines(tables + script) {
			_, receipt := s.Run(text)
			s.Commit(receipt, func(error) {})
		}
		before := allOf(s.Lab)
		s.every = 0
		s.Watch(func(p admin.Progress) bool { return false })
		for _, text := range []string{":undo", ":rewind 3", ":replay with cl=ALL"} {
			got := give(t, s, text)
			if !strings.Contains(got, "cancelled; the lab is where it was") {
				t.Errorf("%s: %s was not cancelled: %s", name, text, got)
			}
			if withoutLast(s) != before {
				t.Errorf("%s: %s was cancelled, but the lab is another one", name, text)
			}
		}
		s.Watch(nil)
		if got := give(t, s, ":undo"); !strings.HasPrefix(got, "Undone: ") {
			t.Errorf("%s: undo says %q", name, got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMemoryIsBounded: a script that runs for ever does not fill the memory with
// its journal; the lab goes on, and says that it cannot go back.
func TestMemoryIsBounded(t *testing.T) {
	s := keeper(t, "", "dc1=3")
	give(t, s, ":advance 1s")
	m := s.journal.(*memory)
	m.bytes = mostMemory
	give(t, s, ":advance 1s")
	if m.entries != nil {
		t.Errorf("%d entries are remembered", len(m.entries))
	}
	for _, text := range []string{":undo", ":rewind 1", ":replay with cl=ALL", ":save x.lab"} {
		if got := give(t, s, text); !strings.Contains(got, "with -w WORKSPACE it does") {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := give(t, s, ":advance 1s"); !strings.Contains(got, "+00:00:03.000") {
		t.Error(got)
	}
	if got := give(t, s, ":rewind 0"); !strings.Contains(got, "At the beginning") {
		t.Error(got)
	}
}
