package engine_test

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine/storage"
)

// formatCase is one file of format_oa_da.json, made by a bulk writer, whose
// headers count from the base values.
type formatCase struct {
	Version, Content string
	DataBytes        int64            `json:"data_bytes"`
	Hex              *string          `json:"data_hex"`
	Same             bool             `json:"hex_deterministic"`
	Components       map[string]int64 `json:"components"`
}

var (
	columnsOf  = regexp.MustCompile(`^\(((?:[^()]|\([^()]*\))*)\): (.*)$`)
	rowsOf     = regexp.MustCompile(`^(\d+) rows c=0\.\.\d+, v=(\d+) x '(.)', timestamp (\d+)\+c$`)
	columnName = regexp.MustCompile(`(\w+) \w+`)
)

// statements are what a recording tells in words.
func (c *formatCase) statements() (create string, out []string) {
	m := columnsOf.FindStringSubmatch(c.Content)
	if m == nil {
		return "", nil
	}
	create = "CREATE TABLE ks.t (" + m[1] + ") WITH compression = {'enabled': 'false'}"
	var names []string
	for _, n := range columnName.FindAllStringSubmatch(strings.Split(m[1], ", PRIMARY KEY")[0], -1) {
		if n[1] != "PRIMARY" {
			names = append(names, n[1])
		}
	}
	switch what := m[2]; {
	case strings.HasPrefix(what, "INSERT "):
		values, using, _ := strings.Cut(strings.TrimPrefix(what, "INSERT "), " USING")
		return create, []string{fmt.Sprintf("INSERT INTO ks.t (%s) VALUES %s USING%s", strings.Join(names, ", "), values, using)}
	case strings.HasPrefix(what, "DELETE "):
		return create, []string{"DELETE FROM ks.t " + strings.TrimPrefix(what, "DELETE ")}
	case rowsOf.MatchString(what):
		r := rowsOf.FindStringSubmatch(what)
		n, _ := strconv.Atoi(r[1])
		width, _ := strconv.Atoi(r[2])
		from, _ := strconv.Atoi(r[4])
		for i := range n {
			out = append(out, fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (1, %d, '%s') USING TIMESTAMP %d", i, strings.Repeat(r[3], width), from+i))
		}
		return create, out
	}
	return create, nil
}

func (c *formatCase) check(t *testing.T) (diff []string) {
	differ := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			diff = append(diff, fmt.Sprintf("%s is %v, expected %v", what, got, want))
		}
	}
	create, statements := c.statements()
	if statements == nil {
		return []string{"the content is told in other words"}
	}
	r, what := newStorageRun(t, nil, create, "t")
	if what == "" {
		what = r.do([]string{":set storage_compatibility_mode NONE"})
	}
	if c.Version == "da" && what == "" {
		what = r.do([]string{":set sstable.selected_format bti"})
	}
	if what == "" {
		what = r.do(statements)
	}
	if what != "" {
		return []string{what}
	}
	flushed := r.flush(t)
	differ("version", flushed.Format, c.Version)
	stats := storage.NewStats() // whose minima are the base values
	stats.Columns, stats.Statics = flushed.Stats.Columns, flushed.Stats.Statics
	f := storage.NewSSTable(r.table, storage.Making{Format: flushed.Format, Gen: 1, Origin: "flush", Partitioner: "Murmur3Partitioner"}, flushed.Parts, stats)
	data := f.Data(r.table)
	differ("data bytes", f.DataBytes, c.DataBytes)
	differ("encoded bytes", len(data), c.DataBytes)
	if c.Hex != nil && c.Same {
		differ("content", hex.EncodeToString(data), *c.Hex)
	}
	for _, k := range f.Components(r.table) {
		if want, is := c.Components[k.Name]; is && k.Exact {
			if k.Name == "Statistics.db" {
				want += 16 // a bulk writer belongs to no host
			}
			differ(k.Name, k.Bytes, want)
		}
	}
	return diff
}

// indexViewFile is index_view.json: a few tables with an index and a view, after
// one flush of all of them.
type indexViewFile struct {
	Statements []string
	Files      []struct {
		Table, Kind string
		DataBytes   int64  `json:"data_bytes"`
		Hex         string `json:"data_hex"`
	}
}

func checkIndexView(t *testing.T, text []byte, result func(string, []string)) {
	var f indexViewFile
	decode(t, "index_view", text, &f)
	r, what := newStorageRun(t, nil, f.Statements[0], "t")
	if what == "" {
		what = r.do(append(f.Statements[1:], ":flush"))
	}
	c := r.lab.Core().Cluster
	for _, want := range f.Files {
		var diff []string
		table := c.Schema.Table("ks", want.Table)
		if base, _, hidden := strings.Cut(want.Table, "."); hidden {
			for _, t := range c.IndexTables(c.Schema.Table("ks", base)) {
				if t.Name == want.Table {
					table = t
				}
			}
		}
		switch {
		case what != "":
			diff = []string{what}
		case table == nil:
			diff = []string{"there is no file of it"}
		default:
			for _, s := range c.Store(0, table).SSTables {
				if got := hex.EncodeToString(s.Data(table)); got != want.Hex || s.DataBytes != want.DataBytes {
					diff = append(diff, fmt.Sprintf("%d bytes, %s, expected %d, %s", s.DataBytes, got, want.DataBytes, want.Hex))
				}
			}
			if n := len(c.Store(0, table).SSTables); n != 1 {
				diff = append(diff, fmt.Sprintf("%d files, expected one", n))
			}
		}
		result(want.Kind+" "+want.Table, diff)
	}
}
