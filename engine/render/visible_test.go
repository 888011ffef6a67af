package render

import (
	"strings"
	"testing"

	"ringlab/engine/answer"
)

func TestNothingFromDataReachesTheTerminalRaw(t *testing.T) {
	nasty := "a\x1b[31m\a\u202e\u200f\u0085\ufeffz"
	a := &answer.Answer{Columns: []answer.Column{{Name: nasty, Type: "text"}}, Rows: [][]answer.Cell{{{Text: nasty}}}, Warnings: []string{nasty}, Message: nasty,
		Error: &answer.Error{Name: "X", Code: "0x2200", Message: nasty}}
	for _, text := range []string{Table(a, false), Table(&answer.Answer{Columns: a.Columns, Rows: a.Rows}, true), Table(&answer.Answer{Message: nasty}, false), Error(a.Error)} {
		if strings.IndexFunc(text, hidden) >= 0 {
			t.Errorf("raw: %q", text)
		}
	}
	tool := &answer.Answer{Message: "a\tb" + nasty, Tool: true}
	if got, want := Table(tool, false), "a\tb"+Visible(nasty)+"\n"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	if got, want := Visible("é日本 \u202e"), `é日本 \u202e`; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}
