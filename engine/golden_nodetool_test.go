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

	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// mayDiffer are the rules by which recorded and own text are made comparable:
// what depends on the machine, the hour or the load of the real nodes. Each is
// applied to both texts, and only to the verbs that it names ("" for all).
var mayDiffer = []struct {
	name, verbs string
	find        *regexp.Regexp
	put         string
}{
	{"addresses: recorded nodes are 127.0.1.N", "", regexp.MustCompile(`127\.0\.1\.`), "127.0.0."},
	{"racks: recorded as r1, in a lab rack1", "status ring info gossipinfo", regexp.MustCompile(`(Rack +: |RACK:\d+:|\s)(?:rack|r)([1-9])\b *`), "${1}rack$2 "},
	{"racks: recorded as r1, in a lab rack1", "describering", regexp.MustCompile(`rack:r([1-9])`), "rack:rack$1"},
	{"racks: the width of their column", "status", regexp.MustCompile(`Rack +\n`), "Rack\n"},
	{"host ids and schema versions", "", regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "<uuid>"},
	{"loads", "status ring", regexp.MustCompile(`\b\d[\d.]* (KiB|MiB|bytes) +`), "<load>  "},
	{"loads: the width of their column", "status ring", regexp.MustCompile(`Load +`), "Load  "},
	{"loads", "info", regexp.MustCompile(`(oad +: ).*`), "${1}<load>"},
	{"loads", "gossipinfo", regexp.MustCompile(`LOAD:.*`), "LOAD:<load>"},
	{"hours: when the nodes were started and how long ago", "info", regexp.MustCompile(`((?:Generation No|Uptime \(seconds\)) +: ).*`), "${1}<n>"},
	{"the heap's size, and the caches' by it", "info", regexp.MustCompile(`(Heap Memory \(MB\) +: ).*`), "${1}<n>"},
	{"the heap's size, and the caches' by it", "info", regexp.MustCompile(`capacity [\d.]+ MiB|size [\d.]+ (MiB|KiB|bytes), overflow`), "<size>"},
	{"the key cache's use", "info", regexp.MustCompile(`(Key Cache +: ).*, (\d+ save)`), "${1}<use>, $2"},
	{"gossip's numbers", "gossipinfo", regexp.MustCompile(`(generation|heartbeat):\d+`), "$1:<n>"},
	{"gossip's numbers", "gossipinfo", regexp.MustCompile(`(?m)^(  [A-Z_]+):\d+:`), "$1:<n>:"},
	{"the cluster's name", "describecluster", regexp.MustCompile(`Name: .*`), "Name: <name>"},
	{"what the node had done before", "compactionstats", regexp.MustCompile(`(?m)^((?:compactions completed|data compacted|15 minute rate|mean rate) +)[\d.]+(/minute|/hour)? *`), "$1<n>$2"},
	{"the width of what the node had done before", "compactionstats", regexp.MustCompile(` +\n`), "\n"},
	{"what the node had done before", "netstats", regexp.MustCompile(`(messages +n/a +0) +\d+`), "$1 <n>"},
	{"what the node had done before", "tpstats", regexp.MustCompile(` +\d+(\.0)?\b`), " <n>"},
	{"the width of what the node had done before", "tpstats", regexp.MustCompile(` +`), " "},
	{"the width of what the node had done before", "tpstats", regexp.MustCompile(`(?m) $`), ""},
	{"latencies", "proxyhistograms", regexp.MustCompile(` +\d+\.00`), " <n>"},
	{"latencies", "tablehistograms", regexp.MustCompile(`(?m)^(\S+ +)\d+\.00 +\d+\.00`), "$1<n> <n>"},
	{"latencies", "tablestats", regexp.MustCompile(`((?:L|l)atency: )(NaN|[\d.]+) ms`), "$1<n> ms"},
	{"latencies", "failuredetector", regexp.MustCompile(`, +\d\.\d{8}`), ", <phi>"},
	{"writes to the hidden tables of indexes, which a lab does not have", "tablestats", regexp.MustCompile(`(?m)^(\tWrite Count): .*`), "$1: <n>"},
	{"the statistics file's size, which is estimated", "tablestats", regexp.MustCompile(`(Max SSTable size|Space used \((?:live|total)\)): .*`), "$1: <n>"},
	{"reads of the last minutes", "tablestats", regexp.MustCompile(`(per slice \(last five minutes\)): .*`), "$1: <n>"},
}

// anyOrder are the verbs that print some lines in the order of a hash table, and
// what those lines look like.
var anyOrder = map[string]*regexp.Regexp{
	"status":          regexp.MustCompile(`^[UD?][NLJM] `),
	"describering":    regexp.MustCompile(`^\tTokenRange`),
	"describecluster": regexp.MustCompile(`-> Replication class`),
	"failuredetector": regexp.MustCompile(`^/`),
}

var replicationMap = regexp.MustCompile(`\{[^}]*\}`)

// comparable is a text of that verb with all that may differ replaced.
func comparableText(verb, text string) string {
	for _, r := range mayDiffer {
		if r.verbs == "" || strings.Contains(" "+r.verbs+" ", " "+verb+" ") {
			text = r.find.ReplaceAllString(text, r.put)
		}
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if like := anyOrder[verb]; like != nil {
		for from := 0; from < len(lines); from++ {
			to := from
			for to < len(lines) && like.MatchString(lines[to]) {
				lines[to] = replicationMap.ReplaceAllStringFunc(lines[to], func(m string) string {
					options := strings.Split(strings.Trim(m, "{}"), ", ")
					sort.Strings(options)
					return "{" + strings.Join(options, ", ") + "}"
				})
				to++
			}
			sort.Strings(lines[from:to])
			from = max(from, to)
		}
	}
	return strings.Join(lines, "\n")
}

// clusterFiles reads the recordings of a folder, by path.
func clusterFiles(t *testing.T, folder string) (names []string, files map[string]clusterFile) {
	names, _ = filepath.Glob(filepath.Join(folder, "*.json"))
	files = map[string]clusterFile{}
	for _, name := range names {
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
		files[name] = f
	}
	return names, files
}

// topologyOf is the ring that a text was recorded on: its name begins with that of
// the ring, before which one letter may stand.
func topologyOf(files map[string]clusterFile, name string) string {
	found := ""
	for _, f := range files {
		for _, top := range f.Topologies {
			if (strings.HasPrefix(name, top.Name+"-") || strings.HasPrefix(name[1:], top.Name+"-")) && len(top.Name) > len(found) {
				found = top.Name
			}
		}
	}
	return found
}

// nodetoolLab is a ring with everything that was on the recorded one when
// nodetool was run: all keyspaces and tables, and the rows where the command is
// about files. path is that of the text.
func nodetoolLab(t *testing.T, names []string, files map[string]clusterFile, path, topology, stage string) *clusterRun {
	tokens := map[string][]any{}
	run := &clusterRun{preloaded: map[string]bool{}}
	for _, name := range names {
		f := files[name]
		if strings.HasPrefix(filepath.Base(name), "membership") && stage != "members" && topology != "vnodes16" {
			continue
		}
		for _, top := range f.Topologies {
			if top.Name == topology && len(top.Nodes) > 0 && fmt.Sprint(top.Nodes[0].Token) == "" {
				tokens = recordedTokens(t, path, topology)
			}
		}
		for _, c := range f.Cases {
			if c.Topology != topology {
				continue
			}
			if run.lab == nil {
				for i := range f.Topologies {
					top := &f.Topologies[i]
					for j := range top.Nodes {
						if list := tokens[top.Nodes[j].Name]; list != nil {
							top.Nodes[j].Tokens, top.Nodes[j].Token = list, nil
						}
					}
				}
				run.lab = clusterLab(t, f, topology, 1)
			}
			if keyspace, is := strings.CutPrefix(stage, "rows of "); is && strings.Contains(strings.Join(c.Schema, " "), "TABLE "+keyspace+".") {
				run.play(c)
				run.recover()
				continue
			}
			for _, s := range c.Schema {
				run.do(s)
			}
		}
	}
	if run.lab == nil {
		t.Fatalf("no recording has a ring %s", topology)
	}
	if stage == "one-down" {
		run.do(":down n3")
	}
	return run
}

// TestGoldenNodetool runs the commands of testdata/golden/nodetool and compares
// what they print with what real nodes of Cassandra 5.0.5 printed.
func TestGoldenNodetool(t *testing.T) {
	known := knownDifferences(t, "testdata/golden/nodetool/KNOWN_DIFFERENCES")
	good, total := goldenNodetool(t, "testdata/golden/nodetool", "testdata/golden/cluster", known)
	if more := os.Getenv("RINGLAB_GOLDEN"); more != "" {
		g, n := goldenNodetool(t, filepath.Join(more, "cluster", "nodetool"), filepath.Join(more, "cluster"), known)
		good, total = good+g, total+n
	}
	fmt.Printf("golden nodetool: %d of %d\n", good, total)
}

// goldenNodetool compares the texts of a folder, whose rings stand in another.
func goldenNodetool(t *testing.T, folder, clusters string, known map[string]string) (good, total int) {
	texts, _ := filepath.Glob(filepath.Join(folder, "*.txt"))
	names, files := clusterFiles(t, clusters)
	labs := map[string]*clusterRun{}
	for _, path := range texts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		command, want, _ := strings.Cut(string(text), "\n")
		command = strings.TrimPrefix(command, "$ ")
		topology, stage := topologyOf(files, name), ""
		words := strings.Fields(command)
		if len(words) < 4 || topology == "" {
			t.Fatalf("%s: the first line is not `$ nodetool -h NODE VERB …`, or its ring is not known", path)
		}
		verb := words[3]
		switch {
		case strings.Contains(name, "one-down"):
			stage = "one-down"
		case (verb == "tablestats" || verb == "tablehistograms") && len(words) > 4:
			keyspace, _, _ := strings.Cut(words[4], ".")
			stage = "rows of " + keyspace
		case verb == "info":
			stage = "rows of range3" // any files will do
		case strings.Contains(command, "mem1"):
			stage = "members"
		}
		change := ""
		switch {
		case strings.HasSuffix(name, "-joining"):
			change = "joining " + words[4]
		case strings.HasSuffix(name, "-after"):
			change = "joined " + words[4]
		}
		lab := labs[topology+stage+change]
		if lab == nil {
			lab = nodetoolLab(t, names, files, path, topology, stage)
			labs[topology+stage+change] = lab
			if change != "" {
				joinFifth(t, lab, files, change)
			}
		}
		for _, m := range recordedKeyspace.FindAllStringSubmatch(want, -1) {
			lab.do(fmt.Sprintf("CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': '%s', %s}", m[1], m[2],
				replicationOption.ReplaceAllString(m[3], "'$1': '$2'")))
		}
		got := render.Text(withoutWarnings(lab.do(command)), false)
		a, b := comparableText(verb, got), comparableText(verb, want)
		switch {
		case a == b && known[name] != "":
			t.Errorf("%s is as recorded now: take its line out of KNOWN_DIFFERENCES", name)
		case a == b:
			good++
		case known[name] == "":
			t.Errorf("%s, %s:\n%s", name, command, linesThatDiffer(a, b))
		}
	}
	return good, len(texts)
}

// joinFifth lets a node join as it did in the case that made a keyspace; `joining
// KEYSPACE` leaves it at that.
func joinFifth(t *testing.T, lab *clusterRun, files map[string]clusterFile, change string) {
	how, keyspace, _ := strings.Cut(change, " ")
	for _, f := range files {
		for _, c := range f.Cases {
			if !strings.Contains(strings.Join(c.Schema, " "), "KEYSPACE "+keyspace+" ") {
				continue
			}
			for _, s := range c.Steps {
				if !strings.HasPrefix(s.Lab, ":bootstrap ") {
					continue
				}
				if a := lab.do(s.Lab + " background"); a.Error != nil {
					t.Fatalf("%s: %s", s.Lab, a.Error.Message)
				}
				if how == "joined" {
					lab.do(":advance 60s")
				}
				return
			}
		}
	}
	t.Fatalf("no case with %s has a node that joins", keyspace)
}

func linesThatDiffer(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var out []string
	for i := 0; i < len(g) || i < len(w); i++ {
		a, b := "", ""
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			out = append(out, fmt.Sprintf("  line %d: %q\n  expected %q", i+1, a, b))
		}
		if len(out) == 4 {
			break
		}
	}
	return strings.Join(out, "\n")
}

// withoutWarnings leaves out what ringlab says beside nodetool's text.
func withoutWarnings(a *answer.Answer) *answer.Answer {
	b := *a
	b.Warnings = nil
	return &b
}

// recordedTokens are the tokens that the nodes of the recorded ring of 16 tokens
// a node have: which they choose is another recording's matter.
func recordedTokens(t *testing.T, path, topology string) map[string][]any {
	beside, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"+topology+"-ring-before.txt"))
	if len(beside) == 0 {
		t.Fatalf("%s: no text of `nodetool ring` says which tokens the nodes had", path)
	}
	text, err := os.ReadFile(beside[0])
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]any{}
	for _, m := range regexp.MustCompile(`(?m)^127\.0\.1\.(\d) .* (-?\d+) *$`).FindAllStringSubmatch(string(text), -1) {
		out["n"+m[1]] = append(out["n"+m[1]], m[2])
	}
	return out
}

// What describecluster says of keyspaces is what they were made with.
var (
	recordedKeyspace  = regexp.MustCompile(`(?m)^\t(\w+) -> Replication class: (SimpleStrategy|NetworkTopologyStrategy) \{(.*)\}`)
	replicationOption = regexp.MustCompile(`(\w+)=(\d+)`)
)
