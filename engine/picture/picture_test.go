package picture_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/engine"
	"ringlab/engine/picture"
	"ringlab/engine/render"
	"ringlab/engine/script"
	"ringlab/engine/view"
)

// TestPictures runs labs and writes what the panes are given of them. The
// commands are
//
//	ring dc1=3 …        a new lab on that ring
//	run                 statements and lab commands; errors are shown
//	nodes, tables, partitions, selection, storage, trace, operations
//
// the last with need=(ks,t,key), node=, op=, sort= as the panes would ask.
func TestPictures(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var lab *engine.Lab
		var painter *picture.Painter
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "ring":
				var words []string
				for _, a := range d.CmdArgs {
					words = append(words, a.String())
				}
				var err error
				if lab, err = engine.New(engine.Options{Ring: strings.Join(words, " ")}); err != nil {
					d.Fatalf(t, "%v", err)
				}
				lab.Record()
				painter = picture.New(lab.Core())
				return ""
			case "run":
				return run(lab, d.Input)
			}
			var need view.Need
			d.MaybeScanArgs(t, "node", &need.Node)
			d.MaybeScanArgs(t, "op", &need.Op)
			d.MaybeScanArgs(t, "sort", &need.Sort)
			d.MaybeScanArgs(t, "partitions", &need.Partitions)
			d.MaybeScanArgs(t, "kind", &need.Sheet)
			if d.HasArg("need") {
				d.ScanArgs(t, "need", &need.Keyspace, &need.Table, &need.Key)
			}
			d.MaybeScanArgs(t, "lost", &need.Placement.Lost)
			d.MaybeScanArgs(t, "width", &need.Strip.Width)
			need.Files, need.Placement.On, need.Levels, need.Strip.Compare = need.Strip.Width, d.Cmd == "walk", d.Cmd == "levels", d.Cmd == "strip"
			show, ok := shows[d.Cmd]
			if !ok {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			v := painter.View(need)
			var b strings.Builder
			show(&b, v)
			return b.String()
		})
	})
}

func run(lab *engine.Lab, text string) string {
	var b strings.Builder
	for _, it := range script.Cut(text) {
		for _, a := range lab.Do(it.Text) {
			if a.Error != nil {
				b.WriteString(render.Error(a.Error) + "\n")
			}
		}
	}
	return b.String()
}

var shows = map[string]func(*strings.Builder, *view.View){
	"strip": func(b *strings.Builder, v *view.View) {
		s := v.Strip
		for _, c := range s.Columns {
			fmt.Fprintf(b, "%s:%d:%d", v.Nodes[c.Owner].Name, c.Tokens, c.Keys)
			if c.Moved {
				b.WriteString("*")
			}
			b.WriteString(" ")
		}
		b.WriteString("\n")
		for _, x := range s.Spreads {
			fmt.Fprintf(b, "vnodes %d: %d ranges, %.2f to %.2f, now %v, owners %v\n", x.VNodes, x.Ranges, x.Least, x.Most, x.Now, x.Owners)
		}
		b.WriteString(strings.Join(s.Why, "\n") + "\n")
	},
	"walk": func(b *strings.Builder, v *view.View) {
		q := v.Placement
		for _, l := range q.Losses {
			fmt.Fprintf(b, "without %s (%v): %s\n", l.What, l.OK, l.Text)
		}
		if q.Lost != "" {
			fmt.Fprintf(b, "lost %s (%v): %s\n", q.Lost, q.NowOK, q.Now)
		}
		b.WriteString(strings.Join(q.Why, "\n") + "\n")
	},
	"files": func(b *strings.Builder, v *view.View) {
		f := v.Files
		for _, r := range f.Ranges {
			fmt.Fprintf(b, "%s %d  ", r.Name, r.Width)
		}
		fmt.Fprintf(b, "key at %d\n", f.Key)
		for _, r := range f.Rows {
			fmt.Fprintf(b, "%-8s %-10s %v %d keys %s\n", r.Name, r.Origin, r.Heat, r.Keys, r.HasKey)
		}
		b.WriteString(f.Last + "\n" + strings.Join(f.Why, "\n") + "\n")
	},
	"levels": func(b *strings.Builder, v *view.View) {
		l := v.Levels
		for i, row := range l.Cells {
			for j, c := range row {
				fmt.Fprintf(b, "W %s R %s: %d %s, %d of %d fresh\n", l.Names[i], l.Names[j], c.Sum, c.State, c.Fresh, c.Reads)
			}
		}
		for _, a := range l.Answers {
			fmt.Fprintf(b, "%s now: %s: %s\n", a.CL, a.State, a.Text)
		}
		for _, m := range l.Marks {
			fmt.Fprintf(b, "%c %s\n", m.Mark, m.Text)
		}
		b.WriteString(l.Newest + "\n" + strings.Join(l.Why, "\n") + "\n")
	},
	"chain": func(b *strings.Builder, v *view.View) {
		if v.Chain == nil {
			b.WriteString("none\n")
			return
		}
		fmt.Fprintf(b, "#%d %s #%d\n%s\n", v.Chain.Op, v.Nodes[v.Chain.Node].Name, v.Chain.Missed, strings.Join(v.Chain.Text, "\n"))
	},
	"nodes": func(b *strings.Builder, v *view.View) {
		for _, n := range v.Nodes {
			fmt.Fprintf(b, "%s %s %s %s owns %.1f%% tokens %d rows %d hints %d held %d %s\n", n.Name, n.DC, n.Rack, n.State, n.Owns*100, n.Tokens, n.Rows, n.Hints, n.HintsHeld, n.Detail)
		}
	},
	"tables": func(b *strings.Builder, v *view.View) {
		for _, k := range v.Keyspaces {
			fmt.Fprintf(b, "%s %s\n", k.Name, k.Replication)
			for _, t := range k.Tables {
				fmt.Fprintf(b, "  %s %s %s: %d partitions, %d rows\n", t.Name, t.Compaction, t.Key, t.Partitions, t.Rows)
				for _, c := range t.Columns {
					fmt.Fprintf(b, "    %s %s %s\n", c.Kind, c.Name, c.Type)
				}
			}
		}
	},
	"partitions": func(b *strings.Builder, v *view.View) {
		for _, p := range v.Partitions {
			fmt.Fprintf(b, "%s: %d rows, %d bytes, %d tombstones, replicas %s", p.Key, p.Rows, p.Bytes, p.Tombstones, nodes(v, p.Replicas))
			if p.Growth > 0 {
				fmt.Fprintf(b, ", grows %.2f%% a minute", 100*p.Growth)
			}
			b.WriteString("\n")
		}
		for _, h := range v.Histogram {
			fmt.Fprintf(b, "up to %d bytes: %d\n", h.UpTo, h.Count)
		}
	},
	"counts": func(b *strings.Builder, v *view.View) {
		for _, k := range v.Keyspaces {
			for _, t := range k.Tables {
				fmt.Fprintf(b, "%s.%s: %d partitions, %d rows\n", k.Name, t.Name, t.Partitions, t.Rows)
			}
		}
	},
	"growth": func(b *strings.Builder, v *view.View) {
		g := v.Growth
		if g == nil {
			b.WriteString("none\n")
			return
		}
		fmt.Fprintf(b, "%s.%s %s on %s: %d rows, %d cells, %d bytes, %d tombstones, exact %v\n", g.Keyspace, g.Table, g.Key, g.Node, g.Have[0], g.Have[1], g.Have[2], g.Have[3], g.Exact)
		if g.Err != "" {
			fmt.Fprintf(b, "no forecast: %s\n", g.Err)
			return
		}
		fmt.Fprintf(b, "%s: %.2f rows a day over %dus, bucket %q ends in %.3f days, at most %.1f\n", g.PrimaryKey, g.PerDay, g.Span, g.Bucket, g.End, g.Final)
		for _, l := range g.Limits {
			fmt.Fprintf(b, "%s: %.3f %s\n", l.Name, l.Days, l.Date)
		}
		for _, k := range g.Buckets {
			fmt.Fprintf(b, "%s %s: %.0f bytes each, %.0f a year, %.0f a week, over %q\n", k.Name, k.Key, k.Size[view.GrowthBytes], k.Year, k.Week, k.Over)
		}
		c := g.Curve[view.GrowthBytes]
		fmt.Fprintf(b, "curve over %.3f days: %.0f, %.0f, %.0f of %d\n", g.Days, c[0], c[len(c)/2], c[len(c)-1], len(c))
	},
	"sheet": func(b *strings.Builder, v *view.View) {
		s := v.Sheet
		if s.Err != "" {
			b.WriteString(s.Err + "\n")
			return
		}
		b.WriteString(strings.Join(s.Heads, " | ") + "\n")
		for i, r := range s.Rows {
			b.WriteString(strings.Join(r, " | "))
			if s.Differ != nil && s.Differ[i] {
				b.WriteString(" | differ")
			}
			b.WriteString("\n")
		}
	},
	"crossed": func(b *strings.Builder, v *view.View) {
		fmt.Fprintf(b, "%d\n%s\n", v.Crossings, strings.Join(v.Crossed, "\n"))
	},
	"selection": func(b *strings.Builder, v *view.View) {
		s := v.Selection
		switch {
		case s == nil:
			b.WriteString("none\n")
			return
		case s.Err != "":
			fmt.Fprintf(b, "none: %s\n", s.Err)
			return
		}
		fmt.Fprintf(b, "%s.%s %s = 0x%s token %s in %s\n", s.Keyspace, s.Table, s.Key, s.KeyHex, s.Token, s.RangeText)
		for _, r := range s.Replicas {
			fmt.Fprintf(b, "%d %s %s: %d rows, %d tombstones, %d sstables, memtable %v %s\n", r.Order, v.Nodes[r.Node].Name, r.State, r.Rows, r.Tombstones, r.SSTables, r.Memtable, r.Detail)
		}
		for _, l := range s.Levels {
			fmt.Fprintf(b, "%s needs %d, alive %d: %v\n", l.CL, l.Required, l.Alive, l.OK)
		}
		for _, w := range s.Why {
			fmt.Fprintf(b, "%s\n", w)
		}
	},
	"storage": func(b *strings.Builder, v *view.View) {
		s := v.Storage
		if s == nil {
			b.WriteString("none\n")
			return
		}
		fmt.Fprintf(b, "%s %s.%s %s: memtable %d partitions %d ops, flushes %d, tombstones %d\n", v.Nodes[s.Node].Name, s.Keyspace, s.Table, s.Strategy, s.MemtablePartitions, s.MemtableOps, s.Flushes, s.Tombstones)
		for _, f := range s.SSTables {
			fmt.Fprintf(b, "sstable %d: %d partitions, %d rows, level %d, %s, key %q\n", f.Gen, f.Partitions, f.Rows, f.Level, f.Origin, f.HasKey)
		}
		for _, k := range s.Tiers {
			fmt.Fprintf(b, "tier %s %v: %d of %d, %d bytes of %d\n", k.Name, k.Gens, k.Have, k.Need, k.Bytes, k.Limit)
		}
		for _, c := range s.Compactions {
			fmt.Fprintf(b, "running %v %.0f%%\n", c.Inputs, math.Floor(c.Progress*100))
		}
		for _, c := range s.Done {
			fmt.Fprintf(b, "done %v -> %v\n", c.Inputs, c.Outputs)
		}
		for _, r := range s.ReadPath {
			fmt.Fprintf(b, "read %s: %s\n", r.Unit, r.Result)
		}
		fmt.Fprintf(b, "per read %v; %s\n", s.SSTablesPerRead, s.Why)
	},
	"trace": func(b *strings.Builder, v *view.View) {
		t := v.Trace
		if t == nil {
			b.WriteString("none\n")
			return
		}
		fmt.Fprintf(b, "#%d %s %s ok %v: %s\n", t.Op, t.Kind, t.CL, t.OK, t.Statement)
		for _, l := range t.Lanes {
			fmt.Fprintf(b, "%s %s:", v.Nodes[l.Node].Name, l.Role)
			for _, m := range l.Marks {
				fmt.Fprintf(b, " %s", m.Kind)
				if m.Peer >= 0 {
					fmt.Fprintf(b, "(%s)", v.Nodes[m.Peer].Name)
				}
			}
			fmt.Fprintf(b, " %s\n", l.Note)
		}
		for _, w := range t.Why {
			fmt.Fprintf(b, "%s\n", w)
		}
	},
	"operations": func(b *strings.Builder, v *view.View) {
		for _, o := range v.Ops {
			fmt.Fprintf(b, "#%d %s %s %s\n", o.N, o.Kind, o.CL, o.Outcome)
		}
		for _, o := range v.Outcomes {
			fmt.Fprintf(b, "%s %s: fresh %d stale %d unavailable %d timeout %d error %d %s\n", o.Kind, o.CL, o.Fresh, o.Stale, o.Unavailable, o.Timeout, o.Fail, o.Recent)
		}
	},
}

func nodes(v *view.View, list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, v.Nodes[n].Name)
	}
	return strings.Join(out, " ")
}
