package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/cockroachdb/datadriven"

	"ringlab/engine/view"
)

// TestScripts plays the scripts of testdata; -rewrite fills in the screens.
//
//	start [ascii] [crowd] [empty]    a new workbench
//	start LCS                        with a table of another compaction strategy
//	start growth [days] [none]       with the forecast of a partition
//	start map                        with a table that m shows as a map
//	start options                    with what DESCRIBE says of a table
//	start timeline                   on a branch that can be gone back on
//	size 80x24
//	press tab j enter
//	type SELECT …                    a line, with enter
//	paste …
//	lesson                           opens the lesson at its second step
//	view                             prints the screen
//	crossed …                        a partition passes a limit
//	did                              prints what the lab was told
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		b := newBench(t, scripted(), Options{})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out := ""
			if d.Cmd != "script" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			for line := range strings.SplitSeq(d.Input, "\n") {
				b, out = step(t, b, line, out)
			}
			return out
		})
	})
}

func scripted() *fakeLab {
	lab := newFake(moment())
	lab.ui = []byte(`{"focus":3,"last":2,"keyspace":"sensor","table":"readings","key":"a-17:2026-11-21","node":2}`)
	return lab
}

func step(t *testing.T, b *bench, line, out string) (*bench, string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "start":
		lab := scripted()
		if strings.Contains(rest, "crowd") {
			lab.v = *crowd()
		}
		for strategy, storage := range otherStrategies() {
			if rest == strategy {
				lab.v.Storage = storage
			}
		}
		if strings.Contains(rest, "empty") {
			lab.v = view.View{Nodes: lab.v.Nodes, Ring: lab.v.Ring, CL: "ONE", Entries: 6}
			lab.ui = nil
		}
		if strings.Contains(rest, "growth") {
			lab.v.Growth = momentGrowth(rest)
		}
		if strings.HasSuffix(rest, "map") {
			lab.v.Nested = nestedMoment()
		}
		if rest == "options" {
			lab.v.Keyspaces[0].Tables[0].Create = described
		}
		if strings.Contains(rest, "timeline") {
			lab = withTimeline(lab)
		}
		return newBench(t, lab, Options{ASCII: strings.Contains(rest, "ascii")}), out
	case "size":
		var w, h int
		fmt.Sscanf(rest, "%dx%d", &w, &h)
		b.send(tea.WindowSizeMsg{Width: w, Height: h})
	case "press":
		b.press(strings.Fields(rest)...)
	case "type":
		b.typeText(rest + "\n")
	case "write":
		b.typeText(rest)
	case "paste":
		b.send(tea.PasteMsg{Content: strings.ReplaceAll(rest, `\n`, "\r")})
	case "lesson":
		b.app.guide.load(b.app.opts.Scenarios[0], 1)
		b.app.touchAll()
	case "view":
		out += b.view()
	case "crossed": // a partition passes a limit
		lab := b.lab
		lab.v.Crossed, lab.v.Crossings = append(lab.v.Crossed, rest), lab.v.Crossings+1
		lab.publish()
		b.app.look()
	case "did":
		out += strings.Join(b.lab.did, "\n") + "\n"
	default:
		t.Fatalf("unknown line %q", line)
	}
	return b, out
}

// described is a part of what DESCRIBE TABLE says.
const described = `CREATE TABLE sensor.readings (
    sensor_id text,
    ts timestamp,
    PRIMARY KEY (sensor_id, ts)
) WITH CLUSTERING ORDER BY (ts DESC)
    AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}
    AND compaction = {'class': 'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy', 'max_threshold': '32', 'min_threshold': '4'}
    AND gc_grace_seconds = 864000
    AND speculative_retry = '99p';

CREATE INDEX i ON sensor.readings (v);`
