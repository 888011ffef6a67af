package engine_test

import (
	"encoding/json"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

// allowed says which packages of ringlab each package may import: the picture
// of the code. Nothing imports upward; the languages never import the engine;
// storage knows partitions, not coordinators.
var allowed = map[string][]string{
	"ring":              {},
	"model/access":      {},
	"model/types":       {},
	"model/figure":      {},
	"model/cql":         {},
	"model/thrift":      {},
	"model/thrift/bind": {"model/plan", "model/schema", "model/types", "ring"},
	"model/schema":      {"model/types"},
	"model/plan":        {"model/access", "model/schema", "model/types", "ring"},
	"model/function":    {"model/plan", "model/schema", "model/types", "ring"},
	"model/index":       {"model/plan", "model/schema", "model/types"},
	"model/java":        {"model/function", "model/types"},
	"model/cql/bind":    {"model/access", "model/cql", "model/function", "model/index", "model/java", "model/plan", "model/schema", "model/types", "ring"},
	"model/design":      {"model/cql", "model/cql/bind", "model/figure", "model/plan", "model/schema", "model/types"},
	"engine/sim":        {},
	"engine/answer":     {"model/plan"},
	"engine/event":      {"engine/sim"},
	"engine/network":    {"engine/sim"},
	"engine/gossip":     {"engine/sim"},
	"engine/repair":     {"ring"},
	"engine/compaction": {"ring"},
	"engine/metrics":    {},
	"engine/view":       {"engine/answer"},
	"engine/lz4":        {},
	"engine/native":     {"engine/lz4", "model/plan", "model/types"},
	"engine/sketch":     {},
	"engine/storage":    {"engine/compaction", "engine/lz4", "engine/metrics", "engine/sketch", "model/schema", "model/types", "ring"},
	"engine/query":      {"model/function", "model/plan", "model/schema", "model/types"},
	"engine/cluster":    {"engine/answer", "engine/compaction", "engine/event", "engine/gossip", "engine/materialize", "engine/metrics", "engine/network", "engine/repair", "engine/sim", "engine/storage", "model/plan", "model/schema", "model/types", "ring"},
	"engine/growth":     {"engine/cluster", "engine/sim", "engine/storage", "model/schema", "model/types", "ring"},
	"engine/materialize": {
		"engine/storage", "model/schema", "model/types", "ring"},
	"engine/session": {"engine/answer", "engine/cluster", "engine/event", "engine/query", "engine/sim", "engine/storage", "model/access", "model/cql", "model/cql/bind", "model/function",
		"model/plan", "model/schema", "model/thrift/bind", "model/types", "ring"},
	"engine/classic":   {"engine/answer", "engine/session", "model/plan", "model/schema", "model/thrift", "model/thrift/bind", "model/types"},
	"engine/nodetool":  {"engine/answer", "engine/cluster", "engine/compaction", "engine/metrics", "engine/session", "engine/sim", "engine/storage", "model/schema", "model/types", "ring"},
	"engine/script":    {"model/cql"},
	"engine/render":    {"engine/answer", "model/types"},
	"engine/csv":       {},
	"engine/staleness": {"engine/sim"},
	"engine/review":    {"model/cql", "model/figure", "model/schema", "model/types"},
	"engine/stress":    {"engine/sim", "model/plan", "model/schema", "model/types", "ring"},
	"engine/admin": {"engine/answer", "engine/classic", "engine/cluster", "engine/csv", "engine/event", "engine/growth", "engine/metrics", "engine/nodetool", "engine/review", "engine/session", "engine/sim", "engine/staleness", "engine/storage", "engine/stress", "model/cql", "model/design", "model/figure", "model/plan", "model/schema",
		"model/thrift/bind", "model/types", "ring"},
	"engine/picture": {"engine/admin", "engine/answer", "engine/cluster", "engine/compaction", "engine/event", "engine/growth", "engine/session", "engine/sim", "engine/storage", "engine/view",
		"model/plan", "model/schema", "ring"},
	"engine":           {"engine/admin", "engine/answer", "engine/cluster", "engine/event", "engine/render", "engine/script", "engine/session", "engine/sim", "model/cql"},
	"engine/timeline":  {"engine/answer", "engine/session", "model/plan", "model/schema"},
	"engine/workspace": {},
	"engine/host":      {"engine", "engine/session", "engine/admin", "engine/answer", "engine/nodetool", "engine/picture", "engine/render", "engine/script", "engine/timeline", "engine/view", "engine/workspace", "model/cql", "model/figure"},
	"engine/serve":     {"engine/admin", "engine/answer", "engine/cluster", "engine/host", "engine/metrics", "engine/native", "engine/session", "engine/view", "model/cql", "model/cql/bind", "model/plan", "model/schema", "model/types"},
	"engine/verify":    {"engine", "engine/answer", "engine/render", "engine/script", "engine/session", "model/cql", "model/plan", "model/types"},
	"engine/headless": {"engine", "engine/admin", "engine/answer", "engine/event", "engine/host", "engine/render", "engine/script", "engine/session", "engine/stress", "model/cql", "model/schema", "model/types", "ring",
		"scenarios"},
	"engine/simulation": {"engine", "engine/answer", "engine/cluster", "engine/render", "model/schema"}, // for tests
	"scenarios":         {},
	"tui/draw":          {},
	"tui/cli":           {"engine", "engine/admin", "engine/answer", "engine/headless", "engine/host", "engine/render", "engine/script", "engine/serve", "engine/session", "engine/verify", "engine/view", "engine/workspace", "model/figure", "scenarios", "tui", "tui/draw"},
	"tui":               {"engine/answer", "engine/view", "model/design", "scenarios", "tui/draw"},
}

// pure packages read no clock, start nothing and do no I/O. In model/ a pool or a
// table made once is fine: neither shows in any answer.
var pure = []string{"ring", "model/", "engine/sim", "engine/event", "engine/network", "engine/gossip", "engine/compaction", "engine/metrics", "engine/repair", "engine/storage", "engine/query",
	"engine/cluster", "engine/csv", "engine/growth", "engine/review", "engine/staleness", "engine/stress", "engine/materialize", "engine/nodetool", "engine/session", "engine/classic", "engine/script", "engine/admin", "engine/picture", "engine/render", "engine/timeline"}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "ringlab/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, "ringlab/")
		if p.ImportPath == "ringlab" {
			continue
		}
		may, known := allowed[name]
		if !known {
			t.Errorf("package %s is not in the picture: say in this test what it may import", name)
			continue
		}
		ok := map[string]bool{}
		for _, m := range may {
			ok[m] = true
		}
		sort.Strings(p.Imports)
		for _, i := range p.Imports {
			if ours, is := strings.CutPrefix(i, "ringlab/"); is && !ok[ours] {
				t.Errorf("%s may not import %s", name, ours)
			}
			for _, prefix := range pure {
				if strings.HasPrefix(name+"/", strings.TrimSuffix(prefix, "/")+"/") && (i == "time" || i == "os" || i == "net" || i == "math/rand" || i == "math/rand/v2" || i == "sync") {
					if !((i == "time" || i == "sync") && strings.HasPrefix(name, "model/")) { // calendars of literals, never the clock
						t.Errorf("%s is part of the pure core and may not import %s", name, i)
					}
				}
			}
		}
	}
}
