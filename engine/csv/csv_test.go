package csv_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"ringlab/engine/csv"
)

// TestAsPython compares with what Python's csv module wrote of random rows and
// read of random texts.
func TestAsPython(t *testing.T) {
	var cases []struct {
		Delimiter, Escape, Text, Input string
		Rows, Records                  [][]string
	}
	data, err := os.ReadFile("testdata/python.json")
	if err == nil {
		err = json.Unmarshal(data, &cases)
	}
	if err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		d := csv.Dialect{Delimiter: rune(c.Delimiter[0]), Quote: '"', Escape: rune(c.Escape[0])}
		var b []byte
		for _, r := range c.Rows {
			b = d.Append(b, r)
		}
		if string(b) != c.Text {
			t.Errorf("%+v %q\nwritten %q\nPython  %q", d, c.Rows, b, c.Text)
		}
		got := d.Records(c.Input)
		same := slices.EqualFunc(got, c.Records, func(a csv.Record, b []string) bool { return slices.Equal(a.Fields, b) })
		if !same {
			t.Errorf("%+v %q\nread   %v\nPython %q", d, c.Input, got, c.Records)
		}
	}
}

// Records say on which line they begin, quoted line ends included.
func TestLines(t *testing.T) {
	d := csv.Dialect{Delimiter: ',', Quote: '"', Escape: '\\'}
	var lines []string
	for _, r := range d.Records("a,b\r\n\n\"x\ny\",2\nlast") {
		lines = append(lines, strings.Join(append([]string{string(rune('0' + r.Line))}, r.Fields...), "|"))
	}
	want := []string{"1|a|b", "2", "3|x\ny|2", "5|last"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, expected %q", lines, want)
	}
}
