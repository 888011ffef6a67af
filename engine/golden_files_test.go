package engine_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// filesCase is a table that a node of 5.0.5 wrote, with the sizes of all files of
// its SSTables and nodetool's words behind each flush and compaction.
type filesCase struct {
	Table  string
	Create []string
	Steps  []struct {
		Rows      []int // from, and up to without it: do is done for each
		Do        []string
		Nodetool  string
		Files     []recordedFile
		Stats     []string `json:"tablestats"`
		Histogram []string `json:"tablehistograms"`
	}
}

type recordedFile struct {
	Gen          int
	Components   map[string]int64
	Uncompressed int64 // bytes of Data.db before compression; 0 where that is not recorded
}

var numbered = regexp.MustCompile(`\{([imdxst])(\d*)\}`)

// deletes finds what leaves the second of its deletion in a file.
var deletes = regexp.MustCompile(`^DELETE|TTL|\bw = \{\}|null`)

// numberedRow writes a row's number into a statement: {i} itself, {m7} modulo 7, {d3}
// divided by 3, {x} scattered over four bytes, {s9} nine letters, {t5} a timestamp
// 5 µs behind that of the row before.
func numberedRow(statement string, i int) string {
	return numbered.ReplaceAllStringFunc(statement, func(s string) string {
		m := numbered.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		switch m[1] {
		case "m":
			return strconv.Itoa(i % n)
		case "d":
			return strconv.Itoa(i / n)
		case "x":
			return fmt.Sprintf("%08x", uint32(i*2654435761))
		case "s":
			text, h := make([]byte, n), i
			for j := range text {
				h = (h*1103515245 + 12345) % (1 << 31)
				text[j] = byte('a' + h/65536%26)
			}
			return string(text)
		case "t":
			return strconv.Itoa(1600000000000000 + i*n)
		}
		return strconv.Itoa(i)
	})
}

// TestFilesAsOnARealNode plays what a real node was given and holds every file
// that came of it against the real one's.
func TestFilesAsOnARealNode(t *testing.T) {
	recordings, err := filepath.Glob("testdata/real/storage/*.json")
	if err != nil || len(recordings) == 0 {
		t.Fatal("there are no recordings", err)
	}
	for _, path := range recordings {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		format, _, _ := strings.Cut(filepath.Base(path), ".")
		var cases []filesCase
		decode(t, path, text, &cases)
		for _, c := range cases {
			t.Run(format+"/"+c.Table, func(t *testing.T) { c.check(t, format) })
		}
	}
}

func (c *filesCase) check(t *testing.T, format string) {
	setup := []string{"CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", "USE g"}
	if format != "nb" {
		setup = append(setup, ":set storage_compatibility_mode NONE")
	}
	if format == "da" {
		setup = append(setup, ":set sstable.selected_format bti")
	}
	r, what := newStorageRun(t, append(setup, c.Create[:len(c.Create)-1]...), c.Create[len(c.Create)-1], c.Table)
	if what != "" {
		t.Fatal(what)
	}
	r.table = r.lab.Core().Cluster.Schema.Table("g", c.Table)
	timed := r.table.Counter || r.table.Options.DefaultTTL > 0 || slices.ContainsFunc(r.table.Regular, func(c *schema.Column) bool { return c.Type.IsMultiCell() })
	switch r.table.Options.Compressor() {
	case "ZstdCompressor", "DeflateCompressor", "SnappyCompressor": // other libraries than Cassandra's
		timed = true
	}
	for i, step := range c.Steps {
		timed = timed || slices.ContainsFunc(step.Do, deletes.MatchString)
		rows := step.Rows
		if rows == nil {
			rows = []int{0, 1}
		}
		for j := rows[0]; j < rows[1] && step.Nodetool == ""; j++ {
			for _, s := range step.Do {
				if what := r.do([]string{numberedRow(s, j)}); what != "" {
					t.Fatal(what)
				}
			}
		}
		if step.Nodetool == "" {
			continue
		}
		if what := r.do([]string{"nodetool " + step.Nodetool + " g " + c.Table, ":advance 1s"}); what != "" {
			t.Fatal(what)
		}
		at := fmt.Sprintf("step %d, %s: ", i, step.Nodetool)
		compareFiles(t, at, r, step.Files, timed)
		compareWords(t, at+"tablestats: ", step.Stats, r.words(t, "nodetool tablestats g."+c.Table), len(step.Files), timed)
	}
}

// words are the lines that nodetool prints, without spaces around them.
func (r *storageRun) words(t *testing.T, command string) (out []string) {
	for _, a := range r.lab.Do(command) {
		if a.Error != nil {
			t.Fatal(a.Error.Message)
		}
		for _, line := range strings.Split(a.Message, "\n") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// compareFiles: sizes of components, to the byte where they are said to be exact,
// but for the digits of a checksum.
// timed says that the second of the recording is in the bytes, which others
// compress otherwise, and which may be one of two minutes of a histogram.
func compareFiles(t *testing.T, at string, r *storageRun, want []recordedFile, timed bool) {
	var got []*storage.SSTable
	got = append(got, r.store().SSTables...)
	slices.SortFunc(got, func(a, b *storage.SSTable) int { return a.Gen - b.Gen })
	if len(got) != len(want) {
		t.Errorf("%s%d SSTables, expected %d", at, len(got), len(want))
		return
	}
	for i, f := range got {
		if f.Gen != want[i].Gen {
			t.Errorf("%sSSTable %d, expected %d", at, f.Gen, want[i].Gen)
		}
		if n := want[i].Uncompressed; n != 0 && n != f.DataBytes {
			t.Errorf("%sSSTable %d: %d bytes before compression, expected %d", at, f.Gen, f.DataBytes, n)
		}
		for _, k := range f.Components(r.table) {
			is := want[i].Components[k.Name]
			if off := k.Bytes - is; off != 0 && !(timed && k.Name == "Statistics.db" && off*off == 16*16) && (k.Name != "Digest.crc32" || off*off > 4) && (k.Exact && !timed || off*10 > is || off*10 < -is) {
				t.Errorf("%sSSTable %d: %s has %d bytes, expected %d (%d in Data.db before compression)", at, f.Gen, k.Name, k.Bytes, is, f.DataBytes)
			}
		}
	}
}

// compareWords: what nodetool says, where the space of all components may be off
// by the digits of checksums.
func compareWords(t *testing.T, at string, want, got []string, files int, timed bool) {
	for _, line := range want {
		label, value, _ := strings.Cut(line, ": ")
		i := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, label+": ") })
		if i < 0 {
			t.Errorf("%s%s is missing", at, label)
			continue
		}
		if got[i] == line {
			continue
		}
		a, _ := strconv.ParseFloat(value, 64)
		b, _ := strconv.ParseFloat(strings.TrimPrefix(got[i], label+": "), 64)
		if off := math.Abs(a - b); strings.HasPrefix(label, "Space used") && off <= 2*float64(files) || timed && off < a/10 {
			continue
		}
		t.Errorf("%s%s, expected %s", at, got[i], line)
	}
}
