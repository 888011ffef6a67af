package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ringlab/engine/answer"
	"ringlab/engine/view"
)

// checkFrame says what is wrong with the frame, "" for nothing.
func checkFrame(a *App) string {
	content := a.View().Content
	lines := strings.Split(content, "\n")
	if len(lines) != a.h {
		return fmt.Sprintf("%dx%d: %d lines", a.w, a.h, len(lines))
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w != a.w {
			return fmt.Sprintf("%dx%d: line %d is %d wide: %q", a.w, a.h, i, w, ansi.Strip(l))
		}
	}
	return checkBytes(content)
}

// checkBytes finds anything a terminal would obey that is no SGR sequence.
func checkBytes(s string) string {
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			end := strings.IndexByte(s[i:], 'm')
			if !strings.HasPrefix(s[i:], "\x1b[") || end < 0 || strings.Trim(s[i+2:i+end], "0123456789;") != "" {
				return fmt.Sprintf("escape sequence %q", s[i:min(i+12, len(s))])
			}
			i += end + 1
			continue
		}
		i++
	}
	for _, r := range ansi.Strip(s) {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff || r == 0xfffd {
			return fmt.Sprintf("raw %U in the frame", r)
		}
	}
	return ""
}

// checkPictures says what is wrong with the frame when a picture lies over it.
func checkPictures(a *App) (bad string) {
	under, growth, sheet := a.over, a.v.Growth, a.v.Sheet
	defer func() { a.over, a.v.Growth, a.v.Sheet = under, growth, sheet }()
	for i, kind := range []string{view.SheetReplicas, view.SheetXRay, "none"} {
		a.v.Sheet = momentSheet(kind)
		a.over = &sheetPicture{sc: a.scene(1), kind: kind, left: (a.w + i) % 4, list: list{cur: a.h}}
		if bad = checkFrame(a); bad != "" {
			return kind + ": " + bad
		}
	}
	cols, rows := cellMoment()
	d := newCellDialog(":cell sensor.readings a v 1", &answer.Answer{Columns: cols, Rows: rows}, nil)
	d.list.cur, d.dump, a.over = (a.w+a.h)%5, a.w%3, d
	if bad = checkFrame(a); bad != "" {
		return "cell: " + bad
	}
	for i, how := range []string{"", "days", "none"} {
		a.v.Growth = momentGrowth(how)
		a.over = &growthPicture{sc: a.scene(1), unit: (a.w + i) % 4, bucket: (a.h + i) % 5, explain: (a.w+a.h)%5 == 0, noLimit: a.h%7 == 0}
		if bad = checkFrame(a); bad != "" {
			return "growth: " + bad
		}
	}
	return ""
}

// overlaysOf are none, the one that is open, and those that take text.
func overlaysOf(a *App) []overlay {
	out := []overlay{nil, a.over}
	for _, id := range []string{"schema.new", "schema.insert", "schema.options", "schema.fill", "schema.import", "home", "events"} {
		a.perform(id)
		out = append(out, a.over)
	}
	return out
}

func TestEverySizeIsExact(t *testing.T) {
	for i, lab := range []*fakeLab{scripted(), newFake(crowd()), newFake(&view.View{}), withTimeline(scripted()), scripted(), scripted()} {
		for _, ascii := range []bool{false, true} {
			b := newBench(t, lab, Options{ASCII: ascii})
			b.app.pieces[2].pane.(*ringPane).mode = []string{"", "strip", "strip", "", "strip", "placement"}[i]
			b.app.storage.mapped = i > 3
			b.app.pieces[2].pane.(*ringPane).strip.compare = i > 3
			if i == 5 {
				b.app.presenting.on = true
			}
			b.typeText("SELECT * FROM readings;\n")
			b.app.guide.load(b.app.opts.Scenarios[0], 1)
			if i < 4 {
				b.app.openTimeline()
			}
			opened := overlaysOf(b.app)
			for w := 1; w <= 240; w += 1 + w/9 {
				for h := 1; h <= 70; h += 1 + h/6 {
					b.app.w, b.app.h = w, h
					b.app.focus, b.app.zoom = (w+h)%6+1, (w+h)%3
					b.app.sizes = shares{Top: w * 31 % wholeShare, Schema: h * 97 % wholeShare, Guide: w * 77 % wholeShare, Half: w * 41 % wholeShare, Above: h * 61 % wholeShare, First: w * 13 % wholeShare, Second: h * 89 % wholeShare}
					b.app.over = opened[(w*7+h)%len(opened)]
					b.app.touchAll()
					if (w+h)%4 == 0 {
						if bad := checkPictures(b.app); bad != "" {
							t.Fatalf("ascii %v: %s", ascii, bad)
						}
					}
					if bad := checkFrame(b.app); bad != "" {
						t.Fatalf("focus %d zoom %d ascii %v: %s", b.app.focus, b.app.zoom, ascii, bad)
					}
				}
			}
		}
	}
}

var stormKeys = func() []string {
	keys := []string{"a", "S", "(", ")", "'", ";", "7", "alt+x", "ctrl+x", "backspace", "delete"}
	for _, b := range bindings {
		if b.ID != "quit" && b.ID != "suspend" {
			keys = append(keys, b.Keys...)
		}
	}
	return keys
}()

func TestStorm(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lab := scripted()
		if rapid.Bool().Draw(rt, "empty") {
			lab = newFake(&view.View{})
		}
		if rapid.Bool().Draw(rt, "timeline") {
			lab = withTimeline(lab)
		}
		if rapid.Bool().Draw(rt, "growth") {
			lab.v.Growth = momentGrowth(rapid.SampledFrom([]string{"", "days", "none"}).Draw(rt, "how"))
		}
		b := newBench(t, lab, Options{ASCII: rapid.Bool().Draw(rt, "ascii")})
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.IntRange(0, 10).Draw(rt, "what") {
			case 0:
				b.send(tea.WindowSizeMsg{Width: rapid.IntRange(1, 200).Draw(rt, "w"), Height: rapid.IntRange(1, 60).Draw(rt, "h")})
			case 1:
				m := tea.Mouse{X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: tea.MouseLeft}
				b.send(tea.MouseClickMsg(m))
			case 2:
				m := tea.Mouse{X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")}
				b.send(tea.MouseWheelMsg(m))
			case 3:
				m := tea.Mouse{X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: tea.MouseLeft}
				b.send(tea.MouseMotionMsg(m))
				b.send(tea.MouseReleaseMsg(m))
			case 4:
				b.send(tea.PasteMsg{Content: rapid.SampledFrom([]string{"SELECT 1;", "a;b;c;", "x\r\ny", "\x1b[2J\u202e", strings.Repeat("INSERT;\n", 4000)}).Draw(rt, "paste")})
			default:
				b.press(rapid.SampledFrom(stormKeys).Draw(rt, "key"))
			}
			if bad := checkFrame(b.app); bad != "" {
				rt.Fatal(bad)
			}
		}
	})
}

// nasty is text that must never act on a terminal.
const nasty = "\x1b[2J\x1b]52;c;aGk=\x07\u009b31m\x9b\u202e\u2066\u200bé日\x00\x7f\r\n\tend"

func nastyLab() *fakeLab {
	v := moment()
	v.Workspace, v.Keyspace, v.CL, v.SerialCL, v.Client, v.Notice, v.Undo, v.Speed = nasty, nasty, nasty, nasty, nasty, nasty, nasty, nasty
	for i := range v.Nodes {
		v.Nodes[i].Name, v.Nodes[i].Detail, v.Nodes[i].DC = nasty, nasty, nasty
	}
	ks := &v.Keyspaces[0]
	ks.Name, ks.Replication = nasty, nasty
	for i := range ks.Tables {
		ks.Tables[i].Name, ks.Tables[i].Key, ks.Tables[i].Compaction, ks.Tables[i].Language = nasty, nasty, nasty, nasty
		ks.Tables[i].Columns = []view.Column{{Name: nasty, Type: nasty, Kind: "partition"}}
	}
	for i := range v.Partitions {
		v.Partitions[i].Key, v.Partitions[i].Token = nasty, nasty
	}
	s := v.Selection
	s.Key, s.RangeText, s.Token, s.Levels[0].CL, s.Replicas[1].Detail = nasty, nasty, nasty, nasty, nasty
	t := v.Trace
	t.Statement, t.CL, t.Verdict, t.Why = nasty, nasty, nasty, []string{nasty}
	t.Lanes[2].Note, t.Lanes[0].Role = nasty, nasty
	t.Text = []answer.TraceEvent{{Source: nasty, Activity: nasty}}
	v.Outcomes[0].CL, v.Outcomes[0].Recent = nasty, nasty
	g := momentGrowth("days")
	g.Keyspace, g.Table, g.Key, g.PrimaryKey, g.Bucket, g.Node = nasty, nasty, nasty, nasty, nasty, nasty
	g.Limits[0].Name, g.Limits[1].Date, g.Buckets[1].Key, g.Buckets[1].Over = nasty, nasty, nasty, nasty
	v.Growth, v.Crossed, v.Crossings = g, []string{nasty}, 1
	st := v.Storage
	st.Table, st.Strategy, st.Why = nasty, nasty, nasty
	st.Compactions[0].Detail, st.ReadPath[0].Unit, st.ReadPath[1].Result = nasty, nasty, nasty
	st.SSTables[0].Origin, st.SSTables[0].HasKey = nasty, nasty
	v.Strip.FromToken, v.Strip.At.End, v.Strip.Moved, v.Strip.Why = nasty, nasty, []string{nasty}, []string{nasty}
	v.Placement.Order, v.Placement.Walk[0].Place, v.Placement.Walk[1].Why, v.Placement.Losses[0].Text, v.Placement.Now, v.Placement.Lost = []string{nasty}, nasty, nasty, nasty, nasty, nasty
	v.Placement.DCs[0].Name, v.Placement.DCs[0].Racks[0].Name, v.Placement.Why = nasty, nasty, []string{nasty}
	v.Files.Ranges[0].Name, v.Files.Rows[1].Name, v.Files.Rows[2].Origin, v.Files.Rows[3].HasKey, v.Files.Last, v.Files.Why = nasty, nasty, nasty, nasty, nasty, []string{nasty}
	v.Levels.Names[0], v.Levels.Answers[0].Text, v.Levels.Newest, v.Levels.Marks[0].Text, v.Levels.Why = nasty, nasty, nasty, nasty, []string{nasty}
	v.Chain.Text = []string{nasty, nasty, nasty}
	f := withTimeline(newFake(v))
	f.v.Branch, f.v.Undo, f.v.Redo, f.v.Undone = nasty, nasty, nasty, 1
	for i := range f.v.Timeline.Steps {
		f.v.Timeline.Steps[i].Text = nasty
	}
	return f
}

func TestHostileDataIsShownNotObeyed(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		lab := nastyLab()
		b := newBench(t, lab, Options{ASCII: ascii})
		b.app.setNeed(func(n *view.Need) { n.Key = nasty })
		lab.v.Selection = nastyLab().v.Selection
		b.app.look()
		b.typeText(nasty)
		b.press("enter")
		cell := []answer.Cell{{Text: nasty}, {Null: true}}
		for _, a := range []answer.Answer{
			{Statement: nasty, Columns: []answer.Column{{Name: nasty, Type: nasty}, {Name: "n", Type: "int"}}, Rows: [][]answer.Cell{cell, cell}, Op: 1, Verdict: nasty},
			{Message: nasty}, {Warnings: []string{nasty}, Error: &answer.Error{Message: nasty}, Fix: []answer.Fix{{Text: nasty, Why: nasty}}, Op: 2},
			{Describe: true, Columns: []answer.Column{{Name: "create_statement"}}, Rows: [][]answer.Cell{cell}},
		} {
			b.app.console.add(&entry{answer: &a})
			b.app.fixes = a.Fix
		}
		b.app.say(Text, nasty)
		check := func(where string) {
			t.Helper()
			b.app.touchAll()
			if bad := checkFrame(b.app); bad != "" {
				t.Errorf("%s ascii=%v: %s", where, ascii, bad)
			}
			if title := b.app.View().WindowTitle; strings.ContainsAny(title, "\x1b\x07\u009b") {
				t.Errorf("window title %q", title)
			}
		}
		for focus := 1; focus <= 6; focus++ {
			for zoom := range 3 {
				b.app.focus, b.app.zoom = focus, zoom
				check(paneNames[focus])
			}
		}
		for _, picture := range []string{"strip", "placement"} {
			b.app.pieces[2].pane.(*ringPane).mode, b.app.storage.mapped, b.app.focus = picture, true, 2
			for zoom := range 3 {
				b.app.zoom = zoom
				check(picture)
			}
			b.app.explain()
			check("why " + picture)
			b.app.over = nil
		}
		for _, id := range []string{"follow", "follow", "follow", "export", "present"} {
			b.app.perform(id)
			check(id)
		}
		b.app.over = nil
		b.app.perform("present")
		b.app.status.Text = ""
		check("footer")
		for _, id := range []string{"help", "palette", "messages", "fixes", "timeline", "growth.bucket", "events", "home"} {
			b.app.perform(id)
			check(id)
		}
		for _, kind := range []string{view.SheetReplicas, view.SheetXRay} {
			s := momentSheet(kind)
			s.Key, s.Table, s.Heads[1], s.Rows[0][0], s.Rows[1][1], s.Rows[0][len(s.Heads)-1] = nasty, nasty, nasty, nasty, nasty, nasty
			b.app.v.Sheet, b.app.over = s, &sheetPicture{sc: b.app.scene(1), kind: kind}
			check(kind)
		}
		b.app.over = newGrid(b.app.console.log.entries[len(b.app.console.log.entries)-4].answer)
		if !strings.Contains(b.view(), `\x1b[2J`) {
			t.Error("the escape is not shown")
		}
		check("grid")
		b.press("enter")
		check("cell")
		cols, rows := cellMoment()
		for i := range rows[1] {
			rows[1][i].Text, cols[i].Type = nasty, nasty
		}
		d := newCellDialog(nasty, &answer.Answer{Columns: cols, Rows: rows}, nil)
		for d.list.cur = range rows {
			b.app.over = d
			check("cell dialog")
		}
		b.app.over = nil
		b.send(tea.PasteMsg{Content: nasty + ";" + nasty + ";x;"})
		check("paste")
		b.press("esc", "ctrl+r")
		b.typeText(nasty)
		check("search")
	}
}
