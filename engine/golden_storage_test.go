package engine_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/render"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// sizesCase is one table of partition_sizes.json, flushed once.
type sizesCase struct {
	Name              string
	Types, Statements []string
	Create            string
	DataBytes         int64 `json:"data_bytes"`
	Partitions        []struct {
		Key      string `json:"key_hex"`
		Bytes    int64
		RowIndex int64 `json:"row_index_entry_payload_bytes"`
	}
	Header struct {
		MinTimestamp *int64   `json:"min_timestamp"`
		MinTTL       int32    `json:"min_ttl"`
		Static       []string `json:"static_columns"`
		Regular      []string `json:"regular_columns"`
	}
	Hex          *string `json:"data_hex"`
	Same         bool    `json:"hex_deterministic"`
	FilterBytes  int64   `json:"filter_db_bytes"`
	IndexBytes   int64   `json:"index_db_bytes"`
	MemtableData *int64  `json:"memtable_data_size"`
	MemtableOps  *int64  `json:"memtable_operations"`
}

// mergeCase is one table of merge.json: a few flushes, then a major compaction.
type mergeCase struct {
	Name, Create string
	GCGrace      int `json:"gc_grace_seconds"`
	Flushes      [][]string
	Before       []int64          `json:"data_bytes_per_flush"`
	After        []int64          `json:"data_bytes_after_compaction"`
	Hex          []string         `json:"hex_after_compaction"`
	Rows         []map[string]any `json:"rows_after"`
}

// bloomCase is one filter of bloom.json.
type bloomCase struct {
	Chance  float64 `json:"fp_chance"`
	Keys    int
	Hashes  int   `json:"hash_count"`
	Buckets int   `json:"buckets_per_element"`
	Bytes   int64 `json:"serialized_bytes"`
}

// storageRun is one table on a ring of one node.
type storageRun struct {
	lab   *engine.Lab
	table *schema.Table
}

// newStorageRun makes the table of a case; what says which statement failed.
func newStorageRun(t *testing.T, types []string, create, name string) (r *storageRun, what string) {
	return newStorageRunAt(t, engine.DefaultEpoch, types, create, name)
}

// newStorageRunAt is newStorageRun at a second of Unix time.
func newStorageRunAt(t *testing.T, epoch int64, types []string, create, name string) (r *storageRun, what string) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1", Epoch: epoch})
	if err != nil {
		t.Fatal(err)
	}
	r = &storageRun{lab: lab}
	setup := append([]string{":set autocompaction off",
		"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"}, types...)
	if what = r.do(append(setup, create)); what == "" {
		r.table = lab.Core().Cluster.Schema.Table("ks", name)
	}
	return r, what
}

// do runs statements in order and stops at the first that fails.
func (r *storageRun) do(statements []string) (what string) {
	for _, s := range statements {
		for _, a := range r.lab.Do(s) {
			if a.Error != nil {
				return fmt.Sprintf("%s: %s", s, a.Error.Message)
			}
		}
	}
	return ""
}

func (r *storageRun) store() *storage.TableStore { return r.lab.Core().Cluster.Store(0, r.table) }

// flush writes the memtable to a file.
func (r *storageRun) flush(t *testing.T) *storage.SSTable {
	store := r.store()
	if what := r.do([]string{":flush"}); what != "" {
		t.Fatal(what)
	}
	if len(store.SSTables) == 0 {
		return nil
	}
	return store.SSTables[0]
}

// expand writes out what a recording abbreviates: `(1,$i,…) … -- for i = 0..1999`,
// and a batch as its statements, which a memtable cannot tell from it.
func expand(s string) []string {
	if inner, ok := strings.CutPrefix(s, "BEGIN BATCH "); ok {
		return strings.Split(strings.TrimSuffix(inner, "; APPLY BATCH"), "; ")
	}
	one, ok := strings.CutSuffix(s, "   -- for i = 0..1999")
	if !ok {
		return []string{s}
	}
	one = strings.Replace(one, "xxxxxxxxxx...(100 times x)", strings.Repeat("x", 100), 1)
	out := make([]string, 2000)
	for i := range out {
		out[i] = strings.NewReplacer("$i", strconv.Itoa(i), "$(1600000000000000+i)", strconv.Itoa(1600000000000000+i)).Replace(one)
	}
	return out
}

// check compares everything but the row index of wide partitions, which stands in
// index apart, nil where there is none.
func (c *sizesCase) check(t *testing.T) (diff, index []string) {
	differ := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			diff = append(diff, fmt.Sprintf("%s is %v, expected %v", what, got, want))
		}
	}
	r, what := newStorageRun(t, c.Types, c.Create, c.Name)
	if what != "" {
		return []string{what}, nil
	}
	batch := false
	for _, s := range c.Statements {
		batch = batch || strings.HasPrefix(s, "BEGIN BATCH")
		if what := r.do(expand(s)); what != "" {
			return []string{what}, nil
		}
	}
	if mem := r.store().Mem; c.MemtableData != nil {
		differ("memtable data size", mem.Data, *c.MemtableData)
		if !batch { // one operation for each piece of what it deletes together
			differ("memtable operations", mem.Ops, *c.MemtableOps)
		}
	}
	f := r.flush(t)
	if f == nil {
		return append(diff, "there is no file"), nil
	}
	differ("data bytes", f.DataBytes, c.DataBytes)
	data := f.Data(r.table)
	differ("encoded bytes", len(data), f.DataBytes)
	if c.Hex != nil && c.Same {
		differ("content", hex.EncodeToString(data), *c.Hex)
	}
	differ("filter bytes", f.Filter.Bytes(), c.FilterBytes)
	var got, want []string
	wide := false
	for _, p := range f.Parts {
		got = append(got, fmt.Sprintf("%s:%d", hex.EncodeToString([]byte(p.Key)), f.Size(r.table, p.Token, p.Key)))
	}
	for _, p := range c.Partitions {
		want = append(want, fmt.Sprintf("%s:%d", p.Key, p.Bytes))
		wide = wide || p.RowIndex > 0
	}
	if wide {
		if index = []string{}; f.IndexBytes != c.IndexBytes {
			index = append(index, fmt.Sprintf("index bytes is %d, expected %d", f.IndexBytes, c.IndexBytes))
		}
	} else {
		differ("index bytes", f.IndexBytes, c.IndexBytes)
	}
	differ("partitions", got, want)
	if c.Header.MinTimestamp != nil {
		differ("header's minimum timestamp", f.Stats.MinTimestamp, *c.Header.MinTimestamp)
	}
	differ("header's minimum ttl", f.Stats.MinTTL, c.Header.MinTTL)
	differ("header's static columns", headerNames(r.table.Static, f.Stats.Statics), fmt.Sprint(c.Header.Static))
	differ("header's regular columns", headerNames(r.table.Regular, f.Stats.Columns), fmt.Sprint(c.Header.Regular))
	return diff, index
}

func headerNames(columns []*schema.Column, occur storage.ColumnSet) []string {
	names := []string{}
	for _, multi := range []bool{false, true} {
		for _, c := range columns {
			if occur.Has(c.ID) && c.Type.IsMultiCell() == multi {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

func (c *mergeCase) check(t *testing.T) (diff []string) {
	differ := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			diff = append(diff, fmt.Sprintf("%s is %v, expected %v", what, got, want))
		}
	}
	create := fmt.Sprintf("%s WITH gc_grace_seconds = %d", c.Create, c.GCGrace)
	r, what := newStorageRun(t, nil, create, c.Name)
	if what != "" {
		return []string{what}
	}
	before := []int64{}
	for _, flush := range c.Flushes {
		if what := r.do(flush); what != "" {
			return []string{what}
		}
		before = append(before, r.flush(t).DataBytes)
		r.do([]string{":advance 3s"}) // about what passed between the recorded flushes
	}
	differ("data bytes before", before, c.Before)
	r.do([]string{":advance 5s", ":compact"})
	after, content := []int64{}, []string{}
	for _, f := range r.store().SSTables {
		after = append(after, f.DataBytes)
		content = append(content, hex.EncodeToString(f.Data(r.table)))
	}
	differ("data bytes after", after, c.After)
	if !r.table.Counter { // a shard has its node's id and clock
		differ("content after", content, c.Hex)
	}
	rows := []string{}
	want := []string{}
	a := r.lab.Do("SELECT JSON * FROM ks." + c.Name)[0]
	if a.Error != nil {
		return append(diff, render.Error(a.Error))
	}
	for _, row := range a.Rows {
		var v map[string]any
		if err := json.Unmarshal([]byte(row[0].Text), &v); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(v)
		rows = append(rows, string(text))
	}
	for _, row := range c.Rows {
		text, _ := json.Marshal(row)
		want = append(want, string(text))
	}
	differ("rows", rows, want)
	return diff
}

func (c *bloomCase) check() (diff []string) {
	f := storage.NewBloom(int64(c.Keys), c.Chance)
	if got := f.Bytes(); got != c.Bytes {
		diff = append(diff, fmt.Sprintf("filter has %d bytes, expected %d", got, c.Bytes))
	}
	for i := range min(c.Keys, 1000) {
		key := []byte(strconv.Itoa(i))
		if f.Add(key); !f.May(key) {
			diff = append(diff, fmt.Sprintf("key %d was added and is not there", i))
		}
	}
	return diff
}

// storageFile is any recording of golden/storage.
type storageFile struct {
	Cases   []json.RawMessage
	Filters []bloomCase
	Windows []windowCase
	Levels  []levelCase `json:"lcs_level_max_bytes"`
	// What the files that are not run have instead of cases.
	Reads, Files []json.RawMessage
	Tables       json.RawMessage
}

func storageFiles(t *testing.T) []string {
	files, _ := filepath.Glob("testdata/golden/storage/*.json")
	if more := os.Getenv("RINGLAB_GOLDEN"); more != "" {
		filepath.WalkDir(filepath.Join(more, "storage"), func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".json") {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

// decode reads a recording; an unreadable or empty one fails the test.
func decode(t *testing.T, name string, text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestGoldenStorage(t *testing.T) {
	known := knownDifferences(t, "testdata/golden/storage/KNOWN_DIFFERENCES")
	total, good, seen := 0, 0, map[string]bool{}
	for _, name := range storageFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f storageFile
		decode(t, name, text, &f)
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		result := func(which string, diff []string) {
			key := base + " " + which
			total++
			reason := known[key]
			if seen[key] = true; reason == "" {
				reason = known[base+" *"]
			}
			switch {
			case len(diff) == 0:
				if good++; known[key] != "" {
					t.Errorf("%s is as recorded; KNOWN_DIFFERENCES says otherwise: %s", key, reason)
				}
			case reason == "":
				t.Errorf("%s:\n  %s", key, strings.Join(diff, "\n  "))
			}
		}
		for _, raw := range f.Cases {
			switch base {
			case "format_oa_da":
				var c formatCase
				decode(t, name, raw, &c)
				result(c.Version+" "+c.Content, c.check(t))
			case "partition_sizes":
				var c sizesCase
				decode(t, name, raw, &c)
				diff, index := c.check(t)
				if result(c.Name, diff); index != nil {
					result(c.Name+" row index", index)
				}
			case "merge":
				var c mergeCase
				decode(t, name, raw, &c)
				result(c.Name, c.check(t))
			case "compaction":
				var c pickCase
				decode(t, name, raw, &c)
				result(c.Name, c.check())
			default:
				result("case", []string{"not run"})
			}
		}
		for _, c := range f.Filters {
			result(fmt.Sprintf("%v_%d", c.Chance, c.Keys), c.check())
		}
		if len(f.Reads) > 0 {
			checkReads(t, text, result)
		}
		for _, c := range f.Windows {
			result(fmt.Sprintf("window %s %d %d", c.Unit, c.Size, c.At), c.check())
		}
		for _, c := range f.Levels {
			result(fmt.Sprintf("level %d", c.Level), c.check())
		}
		run := len(f.Cases) + len(f.Filters) + len(f.Reads) + len(f.Windows) + len(f.Levels)
		others := len(f.Files)
		if base == "index_view" {
			checkIndexView(t, text, result)
			run, others = run+others, 0
		}
		if base == "ucs_shards" {
			var tables []shardCase
			decode(t, name, f.Tables, &tables)
			for i, c := range tables {
				result(strconv.Itoa(i+1), c.check())
			}
			run += len(tables)
		} else if f.Tables != nil && len(f.Reads) == 0 {
			var tables []json.RawMessage
			json.Unmarshal(f.Tables, &tables) // an object elsewhere
			others += len(tables)
		}
		for i := range others {
			result(strconv.Itoa(i+1), []string{"not run"})
		}
		if others+run == 0 {
			t.Errorf("%s holds no case", name)
		}
	}
	fmt.Printf("golden storage: %d of %d\n", good, total)
}

// TestLiveCellsCountAsTTLZero: in a compaction's header a single cell or row
// without TTL in any input makes the minimum TTL 0, whatever a flush's header
// said. Measured: a TTL of 100000 then costs three bytes.
func TestLiveCellsCountAsTTLZero(t *testing.T) {
	r, what := newStorageRun(t, nil, "CREATE TABLE ks.t (k int PRIMARY KEY, v int)", "t")
	if what != "" {
		t.Fatal(what)
	}
	r.do([]string{
		"INSERT INTO ks.t (k, v) VALUES (1, 1) USING TIMESTAMP 1600000000000000 AND TTL 100000",
		"INSERT INTO ks.t (k, v) VALUES (2, 2) USING TIMESTAMP 1600000000000000",
	})
	flushed := r.flush(t).DataBytes
	r.do([]string{":compact"})
	token := ring.Murmur3.Token([]byte{0, 0, 0, 1})
	if f := r.store().SSTables[0]; f.Stats.MinTTL != 0 || f.DataBytes != flushed+2 {
		t.Errorf("minimum ttl is %d and the file has %d bytes (%d of them the partition with the TTL), expected 0 and %d", f.Stats.MinTTL,
			f.DataBytes, f.Size(r.table, token, "\x00\x00\x00\x01"), flushed+2)
	}
}
