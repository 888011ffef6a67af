package engine_test

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/cluster"
	"ringlab/engine/nodetool"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// filesCase is a table that a node of 5.0.5 wrote, with the sizes of all files of
// its SSTables and nodetool's words behind each flush and compaction.
type filesCase struct {
	Table  string
	Create []string
	Auto   bool `json:"autocompaction"` // files are compared when all compactions are over
	Steps  []struct {
		Rows      []int // from, and up to without it: do is done for each
		Do        []string
		Second    int64 `json:"at"` // of Unix time in which all of the step was done; 0 where that does not matter
		Nodetool  string
		Files     []recordedFile
		Stats     []string `json:"tablestats"`
		Histogram []string `json:"tablehistograms"`
		History   []string `json:"compactionhistory"` // what came to it: type, bytes in and out, rows merged
	}
	Select *struct { // all of the table behind the last step
		Second int64 `json:"at"`
		Rows   []string
	}
}

type recordedFile struct {
	Gen          int
	Components   map[string]int64
	Uncompressed int64    // bytes of Data.db before compression; 0 where that is not recorded
	Checksum     uint32   `json:"crc"` // of those bytes, CRC-32; 0 where that is not recorded
	Metadata     []string // lines of sstablemetadata
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
	epoch := int64(engine.DefaultEpoch)
	if len(c.Steps) > 0 && c.Steps[0].Second > 0 {
		epoch = c.Steps[0].Second - 10
	}
	r, what := newStorageRunAt(t, epoch, append(setup, c.Create[:len(c.Create)-1]...), c.Create[len(c.Create)-1], c.Table)
	if what != "" {
		t.Fatal(what)
	}
	r.table = r.lab.Core().Cluster.Schema.Table("g", c.Table)
	timed := r.table.Counter || r.table.Options.DefaultTTL > 0 || slices.ContainsFunc(r.table.Regular, func(c *schema.Column) bool { return c.Type.IsMultiCell() })
	if epoch != engine.DefaultEpoch {
		timed = r.table.Counter || slices.ContainsFunc(slices.Concat(r.table.Regular, r.table.Static), hasListCells)
	}
	// What stands for another library's compressor comes about as near.
	packing := storage.PackingOf(r.table.Options, false)
	guessed := packing.High || slices.Contains([]string{"ZstdCompressor", "DeflateCompressor", "SnappyCompressor"}, packing.Class)
	if c.Auto {
		r.do([]string{":set autocompaction on"})
	}
	done := 0 // compactions that the history was compared of
	for i, step := range c.Steps {
		r.until(epoch, step.Second)
		timed = timed || step.Second == 0 && slices.ContainsFunc(step.Do, deletes.MatchString)
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
		command := []string{"nodetool " + step.Nodetool + " g " + c.Table}
		if list, is := strings.CutPrefix(step.Nodetool, "files "); is {
			command = []string{"nodetool compact --user-defined" + r.paths(strings.Fields(list))}
		}
		if c.Auto {
			command = append(command, ":advance 10s")
		} else if step.Second == 0 {
			command = append(command, ":advance 1s")
		}
		if what := r.do(command); what != "" {
			t.Fatal(what)
		}
		r.table = r.lab.Core().Cluster.Schema.Table("g", c.Table) // as it was altered
		at := fmt.Sprintf("step %d, %s: ", i, step.Nodetool)
		// A scrub takes the files in the order of their readers' identities.
		chance := r.racing() || strings.HasPrefix(step.Nodetool, "scrub")
		compareFiles(t, at, r, step.Files, timed, guessed, chance)
		digits := 0
		for _, f := range step.Files {
			digits += max(2, int(10-f.Components["Digest.crc32"]))
		}
		compareWords(t, at+"tablestats: ", step.Stats, r.words(t, "nodetool tablestats g."+c.Table), digits, timed || guessed)
		compareHistograms(t, at+"tablehistograms: ", step.Histogram, r.words(t, "nodetool tablehistograms g "+c.Table))
		if step.Second > 0 {
			done += compareHistory(t, at, step.History, r.lab.Core().Cluster.Nodes[0].Done[done:], timed || guessed, chance)
		}
	}
	if c.Select != nil {
		r.until(epoch, c.Select.Second)
		compareRows(t, r, c)
	}
}

// racing says whether the table's strategy has several compactions run at once: which
// ends first, and takes its numbers, is chance.
func (r *storageRun) racing() bool { return r.table.Options.CompactionClass() == schema.Unified }

// paths are the paths of files of the table, each with a blank before it.
func (r *storageRun) paths(gens []string) (out string) {
	for _, f := range r.store().SSTables {
		if slices.Contains(gens, strconv.Itoa(f.Gen)) {
			out += " " + f.Path(r.table)
		}
	}
	return out
}

// hasListCells says whether a column's cells are named by the time of their writing.
func hasListCells(c *schema.Column) bool {
	return c.Type.IsMultiCell() && strings.HasPrefix(c.Type.String(), "list<")
}

// until lets time pass until a second of Unix time has begun; 0 for none.
func (r *storageRun) until(epoch, second int64) {
	c := r.lab.Core().Cluster
	c.Advance(max(c.Now(), sim.Time(second-epoch)*sim.Second+200*sim.Millisecond))
}

// compareRows holds SELECT JSON * against that of the real node.
func compareRows(t *testing.T, r *storageRun, c *filesCase) {
	got := []string{}
	r.lab.Raw(true) // cqlsh writes a backslash twice
	for _, a := range r.lab.Do("SELECT JSON * FROM " + c.Table) {
		if a.Error != nil {
			t.Fatal(a.Error.Message)
		}
		for _, row := range a.Values {
			got = append(got, string(row[0]))
		}
	}
	for i := range max(len(got), len(c.Select.Rows)) {
		if i >= len(got) || i >= len(c.Select.Rows) || got[i] != c.Select.Rows[i] {
			t.Errorf("row %d of %d is\n  %s\nexpected\n  %s", i, len(got), strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""), strings.Join(c.Select.Rows[min(i, len(c.Select.Rows)):min(i+1, len(c.Select.Rows))], ""))
			return
		}
	}
}

// compareHistograms: the partitions' sizes and cells of each percentile. The other
// columns are latencies and the files of reads.
func compareHistograms(t *testing.T, at string, want, got []string) {
	for _, line := range want {
		w := strings.Fields(line)
		i := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, w[0]+" ") })
		if i < 0 {
			t.Errorf("%s%s is missing", at, w[0])
			continue
		}
		f := strings.Fields(got[i])
		if is := strings.Join([]string{f[0], f[4], f[5]}, " "); is != line {
			t.Errorf("%s%s, expected %s", at, is, line)
		}
	}
}

// compareHistory holds the compactions that were done since the step before
// against those of the real node's history, and says how many there were. racing says
// that several ran at once.
func compareHistory(t *testing.T, at string, want []string, done []*cluster.Compaction, timed, racing bool) int {
	got := []string{}
	for _, k := range done {
		got = append(got, fmt.Sprintf("%s: %d %d %s", k.Type, k.DiskIn, k.DiskOut, nodetool.RowsMerged(k.Merged)))
	}
	if racing {
		want = slices.Sorted(slices.Values(want))
		slices.Sort(got)
	}
	if len(got) != len(want) {
		t.Errorf("%s%d compactions, expected %d: %q, expected %q", at, len(got), len(want), got, want)
	} else if !timed && !slices.Equal(got, want) {
		t.Errorf("%scompactions %q, expected %q", at, got, want)
	}
	return len(done)
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
// compress otherwise, and which may be one of two minutes of a histogram; guessed, that
// another library than Cassandra's compresses; chance, that it numbers the files.
func compareFiles(t *testing.T, at string, r *storageRun, want []recordedFile, timed, guessed, chance bool) {
	var got []*storage.SSTable
	got = append(got, r.store().SSTables...)
	slices.SortFunc(got, func(a, b *storage.SSTable) int { return a.Gen - b.Gen })
	if len(got) != len(want) {
		t.Errorf("%s%d SSTables, expected %d", at, len(got), len(want))
		return
	}
	if chance {
		want = slices.Clone(want)
		slices.SortFunc(want, func(a, b recordedFile) int { return cmp.Compare(a.Uncompressed, b.Uncompressed) })
		slices.SortFunc(got, func(a, b *storage.SSTable) int { return cmp.Compare(a.DataBytes, b.DataBytes) })
	}
	for i, f := range got {
		if f.Gen != want[i].Gen && !chance {
			t.Errorf("%sSSTable %d, expected %d", at, f.Gen, want[i].Gen)
		}
		if n := want[i].Uncompressed; n != 0 && n != f.DataBytes {
			t.Errorf("%sSSTable %d: %d bytes before compression, expected %d", at, f.Gen, f.DataBytes, n)
		}
		if data := f.Data(r.table); want[i].Checksum != 0 && !timed && crc32.ChecksumIEEE(data) != want[i].Checksum {
			t.Errorf("%sSSTable %d: other bytes before compression than recorded", at, f.Gen)
		}
		compareMetadata(t, fmt.Sprintf("%sSSTable %d: ", at, f.Gen), r.table, f, want[i].Metadata)
		for _, k := range f.Components(r.table) {
			is := want[i].Components[k.Name]
			if off := k.Bytes - is; off != 0 && !(timed && k.Name == "Statistics.db" && off*off == 16*16) && k.Name != "Digest.crc32" && (k.Exact && !timed || off*10 > is || off*10 < -is) &&
				!(guessed && k.Name == "Data.db" && max(off, -off) <= 32*f.Offsets()) {
				t.Errorf("%sSSTable %d: %s has %d bytes, expected %d (%d in Data.db before compression)", at, f.Gen, k.Name, k.Bytes, is, f.DataBytes)
			}
		}
	}
}

// compareWords: what nodetool says, where the space of all components may be off
// by so many digits of checksums. loose allows an eighth of any number.
func compareWords(t *testing.T, at string, want, got []string, digits int, loose bool) {
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
		if off := math.Abs(a - b); strings.HasPrefix(label, "Space used") && off <= float64(digits) || loose && off < a/8 {
			continue
		}
		t.Errorf("%s%s, expected %s", at, got[i], line)
	}
}
