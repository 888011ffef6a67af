package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/engine/script"
)

// TestScript cuts texts into items. In testdata/*.txt the input of `cut` stands
// as it is, but a line of ==== is one of ----, which the format needs itself;
// `crlf` ends every line of the input with CR LF, `open` leaves the last line
// without an end, `plain` is for text without expected output. `line` feeds line by line and shows what each completes.
func TestScript(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := strings.ReplaceAll(d.Input, "====", "----")
			if !d.HasArg("open") {
				text += "\n"
			}
			if d.HasArg("crlf") {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			var b strings.Builder
			switch d.Cmd {
			case "cut":
				r := script.Reader{Plain: d.HasArg("plain"), Classic: d.HasArg("cli")}
				show(&b, r.Cut(text))
			case "line":
				var r script.Reader
				for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
					items := r.Line(line)
					fmt.Fprintf(&b, "%d pending %v\n", i+1, r.Pending())
					show(&b, items)
				}
				b.WriteString("end\n")
				show(&b, r.Close())
			default:
				d.Fatalf(t, "no such command: %s", d.Cmd)
			}
			return b.String()
		})
	})
}

func show(b *strings.Builder, items []script.Item) {
	for _, it := range items {
		lines := fmt.Sprint(it.Line)
		if it.End != it.Line {
			lines = fmt.Sprintf("%d-%d", it.Line, it.End)
		}
		kind := [...]string{"statement", "shell", "lab", "expect"}[it.Kind]
		fmt.Fprintf(b, "%-9s %-4s %q\n", kind, lines, it.Text)
	}
}

// FuzzCut: whatever the text, items come in order, lie inside of it, are never
// empty statements, and cutting line by line is what Cut does.
func FuzzCut(f *testing.F) {
	for _, s := range []string{"", ";", "SELECT 1;\nSELECT 2", ":down n3\nCONSISTENCY ALL\nSELECT 'a;b';\n----\n x\n\n", "BEGIN BATCH a; b; APPLY BATCH;",
		"CREATE FUNCTION f() AS $$ ; $$;", "/* ; */ SELECT 1 -- ;\n;", "----\n----\n\n\n----\n----\n", "'", "\"", "$$", "/*", "a\r\n;\r\n", "\xff;\x00", "--\n:x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		items := script.Cut(text)
		last, lines := 0, strings.Count(text, "\n")+1
		for _, it := range items {
			if it.Line < last || it.Line < 1 || it.End < it.Line || it.End > lines {
				t.Fatalf("item %+v of %d lines comes after line %d", it, lines, last)
			}
			last = it.Line
			if it.Kind != script.Expect && strings.Trim(it.Text, "; \t\r\n") == "" {
				t.Fatalf("empty item %+v", it)
			}
			if it.Kind == script.Lab && !strings.HasPrefix(it.Text, ":") {
				t.Fatalf("%+v is no lab command", it)
			}
		}
		var r script.Reader
		var again []script.Item
		for rest := text; rest != ""; {
			var line string
			line, rest, _ = strings.Cut(rest, "\n")
			again = append(again, r.Line(line)...)
		}
		again = append(again, r.Close()...)
		if fmt.Sprint(again) != fmt.Sprint(items) {
			t.Fatalf("line by line gives\n%+v\nat once\n%+v", again, items)
		}
		if r.Pending() {
			t.Fatalf("something is pending behind the end")
		}
	})
}
