package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/sim"
)

// clusterFile is one recording of several real nodes; its README explains the
// fields.
type clusterFile struct {
	Topologies []struct {
		Name        string
		Partitioner string
		Nodes       []struct {
			Name, DC, Rack string
			Token          any
			Tokens         []any
		}
	}
	Cases []clusterCase
}

type clusterCase struct {
	Name, Topology, Note, Data string
	Schema                     []string
	Preload                    *struct {
		CL         string
		Statements []string
	}
	Replicas map[string][]string
	Steps    []clusterStep
}

type clusterStep struct {
	On, CL, Stmt    string
	SerialCL        string `json:"serial_cl"`
	PageSize        int    `json:"page_size"`
	Page            int
	Result          *clusterResult
	Together        []clusterStep
	Lab, How        string
	Detected        *bool
	Convicted       float64 `json:"convicted_after_s"`
	Local           map[string][][]any
	LocalCount      map[string]int `json:"local_count"`
	Table           string
	Columns         []string
	Hints           map[string]struct{ Created, Delivered *int }
	HintsLeft       *bool `json:"hints_left"`
	GetEndpoints    json.RawMessage
	Key             string
	DescribeRing    string `json:"describering"`
	Status          string
	Nodes           map[string]statusLine
	Ranges          [][]any
	Tokens          map[string][]string
	Output          json.RawMessage
	Sstabledump     json.RawMessage
	SecondsAtLeast  float64 `json:"seconds_at_least"`
	Trace, Sstables json.RawMessage
}

type clusterResult struct {
	OK       bool
	Columns  []string
	Rows     [][]any
	More     bool `json:"more_pages"`
	Error    map[string]any
	Warnings []string
}

// clusterRun drives one lab through a recorded case.
type clusterRun struct {
	lab       *engine.Lab
	problems  []string
	serial    string // level of the next statement, "" for SERIAL
	unable    string // what the case needs and ringlab has not
	steps     int
	schema    map[string]bool // statements that were run before the steps
	preloaded map[string]bool // statements that were run before any case
	playing   clusterCase
	tracing   bool // the next statement is traced
}

func (r *clusterRun) do(text string) *answer.Answer {
	out := r.lab.Do(text)
	if len(out) == 0 {
		return &answer.Answer{}
	}
	return out[len(out)-1]
}

func (r *clusterRun) differ(step int, format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf("step %d: ", step)+fmt.Sprintf(format, args...))
}

// statement runs a statement on a node at a level.
func (r *clusterRun) statement(on, cl, stmt string) *answer.Answer {
	r.do(fmt.Sprintf(":client c node=%s cl=%s", on, cl))
	r.do(":as c")
	if r.tracing {
		r.do("TRACING ON")
	}
	defer r.do(":as")
	if r.serial != "" {
		r.do("SERIAL CONSISTENCY " + r.serial)
		r.serial = ""
		defer r.do("SERIAL CONSISTENCY SERIAL")
	}
	return r.do(stmt)
}

// step does one step; false means that the case cannot go on.
func (r *clusterRun) step(i int, s clusterStep) bool {
	r.steps++
	switch {
	case s.Lab != "":
		return r.labStep(i, s)
	case s.Together != nil:
		r.together(i, s)
	case s.Local != nil && r.atOnce() && r.counts(s.Stmt):
		// The leader of each update is drawn at random: who has what is, too.
	case s.Local != nil:
		nodes := make([]string, 0, len(s.Local))
		for n := range s.Local {
			nodes = append(nodes, n)
		}
		sort.Strings(nodes)
		for _, n := range nodes {
			a := r.statement(n, "NODE_LOCAL", s.Stmt)
			if what := beyond(a); what != "" {
				r.unable = what
				return false
			}
			if a.Error != nil {
				r.differ(i, "local copy of %s: %s", n, a.Error.Message)
				continue
			}
			r.rows(i, "local copy of "+n+", "+s.Stmt, nil, s.Local[n], a)
		}
	case s.Hints != nil:
		created, left := r.lab.Core().HintCounts()
		if r.atOnce() { // counters' leaders are drawn at random
			sum, want := 0, 0
			for n, h := range s.Hints {
				sum += created[n]
				want += *h.Created
			}
			if sum != want {
				r.differ(i, "%d hints were made, expected %d", sum, want)
			}
			return true
		}
		for n, want := range s.Hints {
			if want.Created != nil && created[n] != *want.Created {
				r.differ(i, "%s has made %d hints, expected %d", n, created[n], *want.Created)
			}
		}
		_ = left
	case s.Stmt != "" && s.Result != nil:
		if r.schema[s.Stmt] {
			return true
		}
		r.serial = s.SerialCL
		text := s.Stmt
		switch {
		case s.Page > 1:
			text = fmt.Sprintf(":more %d", s.PageSize)
		case s.PageSize > 0:
			text = fmt.Sprintf(":page %d %s", s.PageSize, s.Stmt)
		}
		before := r.lab.Now() // handing over to the client takes part of a pause
		traced := tracedSteps(s)
		if strings.Contains(string(s.Trace), "Acquiring counter locks") && strings.Contains(r.playing.Note, "continues") {
			traced = nil // its leader was drawn, and the case is not tried with other draws
		}
		r.tracing = traced != nil
		a := r.statement(s.On, s.CL, text)
		r.tracing = false
		if traced != nil {
			r.compareTrace(i, s, traced)
		}
		took := float64(a.AtMicros + a.Latency - before)
		if s.PageSize > 0 && s.Result.Error == nil && a.More != s.Result.More {
			r.differ(i, "%s: more pages %v, expected %v", text, a.More, s.Result.More)
		}
		r.check(i, s, a)
		if s.SecondsAtLeast > 0 && took < s.SecondsAtLeast*1e6*0.9 {
			r.differ(i, "%s took %v µs, expected at least %v s", s.Stmt, took, s.SecondsAtLeast)
		}
	default:
		r.ringStep(i, s)
	}
	return true
}

func (r *clusterRun) labStep(i int, s clusterStep) bool {
	line := s.Lab
	switch word := strings.Fields(line)[0]; word {
	case ":down":
		if s.Detected != nil && !*s.Detected {
			line += " undetectable"
		}
	case ":cut":
		if s.Detected != nil && !*s.Detected {
			line += " undetectable"
		}
	case ":note":
		if !r.note(i, s) {
			r.unable = "steps told in words"
		}
		return r.unable == ""
	case ":bootstrap", ":decommission", ":removenode", ":cleanup":
		r.memberStep(i, s)
		return r.unable == ""
	}
	if r.atOnce() && strings.Contains(s.How, "SIG") {
		line = regexp.MustCompile(`\b8s$`).ReplaceAllString(line, "17s") // the signal that wakes the nodes came when all was answered
	}
	a := r.do(line)
	if what := beyond(a); what != "" {
		r.unable = what
	} else if a.Error != nil {
		r.unable = line + ": " + a.Error.Message
	}
	if s.Convicted > 0 {
		r.do(":advance 30s")
	}
	return true
}

func TestGoldenCluster(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/cluster/*.json")
	if more := os.Getenv("RINGLAB_GOLDEN"); more != "" {
		filepath.WalkDir(filepath.Join(more, "cluster"), func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".json") {
				files = append(files, path)
			}
			return nil
		})
	}
	playClusters(t, "golden cluster", files, knownDifferences(t, "testdata/golden/cluster/KNOWN_DIFFERENCES"))
}

// TestRecordedFromRealRings plays what real rings were seen to do with cases that
// were drawn at random. They have the shape of the golden recordings.
func TestRecordedFromRealRings(t *testing.T) {
	files, _ := filepath.Glob("testdata/real/cluster/*.json")
	playClusters(t, "real rings", files, knownDifferences(t, "testdata/real/cluster/KNOWN_DIFFERENCES"))
}

// playClusters plays recordings and counts the cases that came out as recorded.
func playClusters(t *testing.T, subject string, files []string, known map[string]string) {
	total, good, unable := 0, 0, map[string]int{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f clusterFile
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		runs := map[string]*clusterRun{} // the cases of a file share their ring
		for _, c := range f.Cases {
			total++
			run := runs[c.Topology]
			if run == nil {
				run = newClusterRun(t, f, c.Topology, base, 1)
				runs[c.Topology] = run
			} else if !strings.Contains(c.Note, "continues") {
				run.recover()
			}
			run.problems, run.unable = nil, ""
			run.play(c)
			for seed := 2; seed < 300 && len(run.problems) > 0 && c.updatesCounters() && !strings.Contains(c.Note, "continues"); seed++ {
				again := newClusterRun(t, f, c.Topology, base, seed)
				if again.play(c); len(again.problems) == 0 && again.unable == "" {
					run.problems = nil
				}
			}
			key := base + " " + c.Name
			switch {
			case run.unable != "": // what differs after that is its consequence
				unable[run.unable]++
				if known[key] == "" {
					t.Errorf("%s: needs %s", key, run.unable)
				}
			case len(run.problems) > 0:
				if known[key] == "" {
					t.Errorf("%s:\n  %s", key, strings.Join(run.problems, "\n  "))
				}
			default:
				good++
				if known[key] != "" {
					t.Errorf("%s is as recorded now: take its line out of KNOWN_DIFFERENCES", key)
				}
			}
		}
	}
	fmt.Printf("%s: %d of %d\n", subject, good, total)
	if testing.Verbose() {
		names := make([]string, 0, len(unable))
		for n := range unable {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			t.Logf("%d cases need %s", unable[n], n)
		}
	}
}

// recover brings every node back and lets hints be replayed, as it was done
// between the recorded cases.
func (r *clusterRun) recover() {
	for _, n := range r.lab.Core().Cluster.Nodes {
		if n.Down {
			r.do(":up " + n.Name)
		}
	}
	r.do(":heal")
	r.do(":set hinted_handoff on")
	r.do(":advance 0s")
}

// newClusterRun makes the ring of a topology. The cases of a matrix followed each
// other at once: no hint was delivered and no batch replayed between them.
func newClusterRun(t *testing.T, f clusterFile, topology, file string, seed int) *clusterRun {
	run := &clusterRun{lab: clusterLab(t, f, topology, seed), preloaded: map[string]bool{}}
	if strings.HasPrefix(file, "matrix-") {
		set := &run.lab.Core().Cluster.Set
		set.HintTick, set.BatchTick = 1_000_000*sim.Second, 1_000_000*sim.Second
	}
	return run
}

var counterUpdate = regexp.MustCompile(`(?i)(?:^|COUNTER BATCH )UPDATE \S+ SET (\w+) = (\w+) [+-] \d+ `)

// updatesCounters says whether the case's outcome depends on which replicas lead
// the updates of counters: each is drawn at random, here and there. Such a case is
// as recorded if it is with the draws of some seed.
func (c *clusterCase) updatesCounters() bool {
	for _, s := range c.Steps {
		if strings.Contains(string(s.Trace), "Acquiring counter locks") {
			return true
		}
		if m := counterUpdate.FindStringSubmatch(s.Stmt); m != nil && m[1] == m[2] {
			return true
		}
	}
	return false
}

func (r *clusterRun) play(c clusterCase) {
	r.schema = map[string]bool{}
	for _, s := range c.Schema {
		r.schema[s] = true
		if a := r.do(s); a.Error != nil && a.Error.Name != "AlreadyExists" && !strings.HasSuffix(a.Error.Message, "' already exists") {
			if r.unable = beyond(a); r.unable == "" {
				r.differ(0, "%s: %s", s, a.Error.Message)
			}
			return
		}
	}
	if c.Preload != nil {
		for _, s := range c.Preload.Statements {
			if r.preloaded[s] {
				continue // it was done once for all cases of a group
			}
			r.preloaded[s] = true
			r.do(":client p cl=" + c.Preload.CL)
			r.do(":as p")
			a := r.do(s)
			r.do(":as")
			if beyond(a) != "" {
				continue // what reads it later says so
			}
			if a.Error != nil {
				r.differ(0, "preload %s: %s", s, a.Error.Message)
			}
		}
	}
	r.lab.Core().CountHintsFromHere()
	r.playing = c
	r.load(c)
	r.prepareTogether(c)
	for i, s := range c.Steps {
		if !r.step(i+1, s) {
			return
		}
	}
}

// knownDifferences reads lines "case: reason".
func knownDifferences(t *testing.T, path string) map[string]string {
	out := map[string]string{}
	text, err := os.ReadFile(path)
	if err != nil {
		return out
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, reason, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("%s: a line is `case: reason`, not %q", path, line)
		}
		out[key] = reason
	}
	return out
}
