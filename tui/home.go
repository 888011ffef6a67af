package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ringlab/scenarios"
	"ringlab/tui/draw"
)

// Recent is a workspace that can be opened.
type Recent struct {
	Path  string
	Name  string
	When  string // of the last change
	Bytes int64
	Last  string // what was done last, or where in which lesson
}

// openHome shows recent workspaces and the lessons by level.
func (a *App) openHome() tea.Cmd {
	p := &picker{title: "ringlab"}
	add := func(name, place, key, help string, act Action) {
		p.items = append(p.items, pickItem{name: name, place: place, key: key, help: help, act: act})
	}
	add("new tables", "start", "", "from what you ask to tables", Action{Perform: "schema.new"})
	add("import a CQL file", "start", "", "run a schema, or any statements", Action{Perform: "schema.import"})
	add("tour of 90 seconds", "start", "", "what is where, and the first keys", Action{Call: func() { a.over = newReader("tour of 90 seconds", tourText) }})
	if a.opts.Recent != nil {
		add("new workspace", "start", "", "an empty ring in a file of its own", Action{Call: a.newWorkspace})
		for _, r := range a.opts.Recent() {
			here := r.Name == a.v.Workspace
			help := r.When + "  " + draw.Bytes(r.Bytes) + pick(r.Last != "", "  "+r.Last, "")
			act := Action{Call: func() { a.opts.Open(r.Path) }, Perform: "quit"}
			if here {
				help, act = "this one  "+help, Action{Status: r.Name + " is open"}
			}
			add(r.Name, "workspace", "", help, act)
		}
	}
	lessons := &guidePane{all: a.guide.all}
	lessons.order("path")
	for _, level := range []string{"path", "basic", "intermediate", "advanced"} {
		for _, s := range lessons.lessons {
			at := scenarios.OnPath(s.Name)
			if (level == "path") != (at > 0) || at == 0 && s.Level != level {
				continue
			}
			place := s.Level
			if at > 0 {
				place = fmt.Sprintf("★%d", at)
			}
			help := fmt.Sprintf("%2d min  %s", s.Minutes, s.Summary)
			if done := a.guide.best[s.Name]; done != "" {
				help = done + "  " + help
			}
			add(s.Title, place, "", help, Action{Call: func() {
				a.guide.load(s, 0)
				a.setFocus(6)
			}})
		}
	}
	a.over = p
	return nil
}

// newWorkspace asks for the name of a file and opens it.
func (a *App) newWorkspace() {
	f := &form{a: a, title: "new workspace", verb: "opens it", fields: []formField{newField("name", "my-lab; it gets the ending .ringlab", "")}}
	f.build = func(f *form) (string, string) {
		name := f.value("name")
		if name == "" {
			return "", "name it"
		}
		if err := a.opts.New(name); err != nil {
			return "", err.Error()
		}
		f.leave = true
		return "", ""
	}
	a.over = f
}

const tourText = `1 Schema    tables, and the partitions of the one that is chosen. enter on a partition shows it everywhere. n makes tables from questions.
2 Ring      who owns which tokens. x takes the node down, or brings it up; + adds one.
3 Console   CQL, and commands of the lab that begin with a colon. F2 changes to cassandra-cli.
4 Trace     the messages of the last statement: who was asked, who answered, why. [ and ] go to the one before and after.
5 Storage   memtable, SSTables and compaction of one node. f flushes, c compacts.
6 Guide     lessons. enter runs the next block, p predicts what it shows.

Time stands still until space lets it flow; . goes one event on; :advance 10d jumps.
u takes anything back, U does it again, R shows the timeline.
? has the keys of where you are, ctrl+p every command, q leaves: the workspace keeps everything.

Try it, in the console (3):

  CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
  CREATE TABLE shop.likes (user text, ts int, item text, PRIMARY KEY (user, ts));
  INSERT INTO shop.likes (user, ts, item) VALUES ('ann', 1, 'iphone');
  :down n3
  CONSISTENCY QUORUM
  SELECT * FROM shop.likes WHERE user = 'ann';

Then 4, and see who was asked.`
