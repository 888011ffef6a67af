package host

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/view"
)

const loadProfile = `keyspace: load
keyspace_definition: |
  CREATE KEYSPACE load WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3};
table: rows
table_definition: |
  CREATE TABLE rows (id bigint, at int, v text, PRIMARY KEY (id, at));
columnspec:
  - name: at
    cluster: UNIFORM(1..4)   # two on average
insert:
  batchtype: UNLOGGED
queries:
  one: {cql: 'SELECT * FROM rows WHERE id = ?', fields: samerow}
`

// everything is all that a load has written, and when.
const everything = "SELECT id, at, v, writetime(v) FROM load.rows;"

// What a load wrote comes back when the workspace is opened again, and from the
// saved script, without the profile's file.
func TestLoadReplaysWithoutItsProfile(t *testing.T) {
	inFolder(t)
	write(t, "p.yaml", loadProfile)
	h := open(t, "lab.ringlab")
	out := well(t, h, ":stress p.yaml n=300 ops(insert=3,one=1) cl=QUORUM\n")
	if !strings.Contains(out, "Total errors |") {
		t.Errorf("the load answers %q", out)
	}
	before := well(t, h, everything)
	if strings.Count(before, "\n") < 200 {
		t.Fatalf("the load wrote %s", before)
	}
	h.Close()
	if err := os.Remove("p.yaml"); err != nil {
		t.Fatal(err)
	}
	s, err := Open("lab.ringlab", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Differs != "" {
		t.Errorf("the replay differs at %s", s.Differs)
	}
	if _, err := s.Save("lab.lab"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if got := well(t, open(t, "lab.ringlab"), everything); got != before {
		t.Errorf("the replay has\n%s\nnot\n%s", got, before)
	}
	again := open(t, "again.ringlab")
	well(t, again, contents(t, "lab.lab"))
	if got := well(t, again, everything); got != before {
		t.Errorf("the saved script\n%s\nmakes\n%s\nnot\n%s", contents(t, "lab.lab"), got, before)
	}
}

// A load that is cancelled keeps what it wrote, and its replay writes the same.
func TestLoadCanBeCancelled(t *testing.T) {
	inFolder(t)
	write(t, "p.yaml", loadProfile)
	s, err := Open("lab.ringlab", OpenOptions{Epoch: engine.DefaultEpoch})
	if err != nil {
		t.Fatal(err)
	}
	s.Watch(func(p admin.Progress) bool { return p.Rows < 1000 })
	run := func(text string) []*answer.Answer {
		answers, receipt := s.Run(text)
		s.Commit(receipt, func(err error) {
			if err != nil {
				t.Error(err)
			}
		})
		return answers
	}
	answers := run(":stress p.yaml n=100000 ops(insert=1)")
	last := answers[len(answers)-1]
	var statements, operations, all int
	if len(answers) != 2 || last.Error == nil {
		t.Fatalf("%+v", last)
	}
	if _, err := fmt.Sscanf(last.Error.Message, "Cancelled after %d statements and batches, %d of %d operations", &statements, &operations, &all); err != nil || operations < 300 || operations > 2000 {
		t.Fatalf("%q: %v", last.Error.Message, err)
	}
	text := strings.TrimSuffix(everything, ";")
	before, now := rowsOf(t, run(text)), s.Lab.Now()
	s.Close()
	again, err := Open("lab.ringlab", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Differs != "" {
		t.Errorf("the replay differs at %s", again.Differs)
	}
	if got := again.Lab.Now(); got != now {
		t.Errorf("the replay ends at %d, the load did at %d", got, now)
	}
	if got := rowsOf(t, again.Lab.Do(text)); got != before || strings.Count(got, "\n") < 1000 {
		t.Errorf("the replay has %d rows, the load wrote %d", strings.Count(got, "\n"), strings.Count(before, "\n"))
	}
}

// rowsOf are the rows of an answer, a line each.
func rowsOf(t *testing.T, answers []*answer.Answer) string {
	var b strings.Builder
	for _, a := range answers {
		if a.Error != nil {
			t.Fatal(a.Error)
		}
		for _, r := range a.Rows {
			fmt.Fprintln(&b, r)
		}
	}
	return b.String()
}

// The screen stays alive while a load runs, shows how far it is, and cancels it.
func TestLoadIsWatched(t *testing.T) {
	inFolder(t)
	write(t, "p.yaml", loadProfile)
	h := open(t, "lab.ringlab")
	answers := h.Do(":stress p.yaml n=5M ops(insert=1)\n")
	for range h.Wake() {
		if n := h.View().Notice; strings.HasPrefix(n, "stress ") && strings.Contains(n, " of 5,000,000") && strings.Contains(n, "left") {
			break
		}
	}
	h.Cancel()
	var last answer.Answer
	for a := range answers {
		last = a
	}
	if last.Error == nil || !strings.HasPrefix(last.Error.Message, "Cancelled after ") {
		t.Errorf("a cancelled load ends with %+v", last)
	}
}

// What is chosen on the screen while a load runs is shown while it runs.
func TestChoicesAreShownDuringALoad(t *testing.T) {
	inFolder(t)
	write(t, "p.yaml", loadProfile)
	h := open(t, "lab.ringlab")
	answers := h.Do(":stress p.yaml n=5M ops(insert=1)\n")
	chosen := false
	for range h.Wake() {
		v := h.View()
		if !chosen && strings.Contains(v.Notice, " of ") {
			h.Show(view.Need{Node: 3})
			h.Hurry() // as a key does
			chosen = true
		}
		if v.Storage != nil && v.Storage.Node == 3 {
			break
		}
	}
	if !strings.HasPrefix(h.View().Notice, "stress ") {
		t.Errorf("shown only when the load was over: %q", h.View().Notice)
	}
	h.Cancel()
	for range answers {
	}
}

func TestProgressTellsRatesAndWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		p       admin.Progress
		elapsed time.Duration
		want    string
	}{
		{admin.Progress{Done: 640, Rows: 640}, time.Second, "processed 640 rows"},
		{admin.Progress{What: "stress", Of: 1000}, 0, "stress 0 of 1,000"},
		{admin.Progress{What: "stress", Done: 250_000, Of: 1_000_000, Rows: 2_500_000, Virtual: 10_000_000}, 20 * time.Second,
			"stress 250,000 of 1,000,000  2,500,000 rows  125,000/s (virtual 250,000/s)  1m0s left"},
	} {
		if got := progress(c.p, c.elapsed); got != c.want {
			t.Errorf("%+v after %v: %q, want %q", c.p, c.elapsed, got, c.want)
		}
	}
}
