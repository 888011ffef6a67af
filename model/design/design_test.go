package design

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestDesigns reads designs and prints what follows from them:
//
//	chart       tables with the marks of their columns
//	gauges      the three goals, cells and sizes
//	growth      when a growing partition passes each limit
//	refused     what the tables do not answer, in Cassandra's words
//	cql         the statements that make them
//	cli         the same for the classic model
func TestDesigns(t *testing.T) {
	datadriven.Walk(t, "testdata/designs", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			d := Read(c.Input, "")
			var b strings.Builder
			for _, p := range d.Problems {
				fmt.Fprintln(&b, p.Error())
			}
			for _, table := range d.Tables {
				show(&b, c.Cmd, table)
			}
			return b.String()
		})
	})
}

func show(b *strings.Builder, what string, t *Table) {
	if what != "cql" && what != "cli" {
		fmt.Fprintln(b, t.Name)
	}
	switch what {
	case "chart":
		for _, c := range t.Columns {
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-12s %-10s %-2s  %s", c.Name, c.Type, c.Mark, c.Why), " ") + "\n")
		}
		for _, q := range t.Queries {
			fmt.Fprintf(b, "  Q line %d: %s\n", q.Line, q.Select())
		}
		for _, n := range t.Notes {
			fmt.Fprintf(b, "  ! %s\n", n)
		}
		if t.Refused != "" {
			fmt.Fprintf(b, "  refused: %s\n", t.Refused)
		}
	case "gauges":
		for _, g := range t.Gauges {
			fmt.Fprintf(b, "  %-22s %-4s %s\n", g.Goal, g.Level, g.Text)
		}
		deck, stored := t.Cells()
		most, mostStored := t.MostRows()
		partition, row := t.Bytes()
		fmt.Fprintf(b, "  cells %s (talk: %s)  most rows %d (talk: %d)  bytes %d + %d n  copies %s\n", stored, deck, mostStored, most, partition, row, strings.Join(t.Copies, " "))
	case "growth":
		for _, l := range t.Growth() {
			fmt.Fprintf(b, "  %-16s %8.0f rows  day %.1f\n", l.What, l.Rows, l.Days)
		}
	case "refused":
		for _, r := range t.Refuses {
			fmt.Fprintf(b, "  %s\n    %s\n", r.Statement, r.Says)
		}
	case "cql":
		fmt.Fprintln(b, t.CQL)
	case "cli":
		fmt.Fprintln(b, t.Cli())
	}
}

// FuzzRead: no text panics, and what is proposed is proposed again.
func FuzzRead(f *testing.F) {
	f.Add("book: isbn text key, title\nbooks by isbn as books")
	f.Add("user: id; action: time timestamp\nactions by user, time range newest first, bucketed by month, 50 a day kept 30 days")
	f.Add("a:b;a by(b in(")
	f.Add("x: y set<text>(3), unique (y)\nx's y by x.y sorted by y desc showing x's y")
	f.Fuzz(func(t *testing.T, text string) {
		a, b := Read(text, "ks"), Read(text, "ks")
		if fmt.Sprint(a.Problems) != fmt.Sprint(b.Problems) || len(a.Tables) != len(b.Tables) {
			t.Fatal("another proposal for the same text")
		}
		for i, table := range a.Tables {
			if table.CQL != b.Tables[i].CQL || table.Cli() != b.Tables[i].Cli() {
				t.Fatal("another text for the same table")
			}
			if table.Refused != "" && !strings.Contains(text, "counter") && !strings.Contains(text, "duration") && !strings.ContainsAny(text, "<(") {
				t.Fatalf("%s: %s", table.CQL, table.Refused)
			}
		}
	})
}

// BenchmarkRead is what a key costs while a design is typed.
func BenchmarkRead(b *testing.B) {
	text := "book: isbn text key, title text, author text\nuser: id uuid key, full_name text\naction: time timestamp, what text\n" +
		"books by isbn\nbooks read by user, sorted by title, showing full_name\nactions by user, time range, newest first, 200 a day\n"
	for b.Loop() {
		Read(text, "app")
	}
}

// A reader that saw a text grow letter by letter, and shrink, says what a fresh one
// says of it.
func TestReaderRemembersNothingWrong(t *testing.T) {
	text := "book: isbn text key, title text, author text\nuser: id uuid key, full_name text\naction: time timestamp, what text\n" +
		"books by isbn\nbooks read by user, sorted by title, showing full_name\nbooks by author as books_by_isbn\nactions by user, time range, newest first, 200 a day\n"
	var r Reader
	check := func(text string) {
		t.Helper()
		got, want := r.Read(text, "ks"), Read(text, "ks")
		for i, table := range want.Tables {
			mine := got.Tables[i]
			if mine.Refused != table.Refused || fmt.Sprint(mine.Refuses) != fmt.Sprint(table.Refuses) || fmt.Sprint(mine.Notes) != fmt.Sprint(table.Notes) {
				t.Fatalf("%q: %s\nis refused %q %v %v\nexpected %q %v %v", text, table.CQL, mine.Refused, mine.Refuses, mine.Notes, table.Refused, table.Refuses, table.Notes)
			}
		}
	}
	for i := range text {
		check(text[:i])
	}
	for i := len(text); i > 0; i -= 3 {
		check(text[i:])
		check(text[:i] + "x" + text[i:])
	}
}
