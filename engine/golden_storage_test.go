package engine_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/cluster"
	"ringlab/engine/compaction"
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

// pickCase is one selection of compaction.json.
type pickCase struct {
	Name, Strategy string
	Options        map[string]any
	Coverage       float64 `json:"local_space_coverage"`
	Highest        int64   `json:"highest_window_seen_ms"`
	SSTables       []struct {
		ID     string
		Size   int64
		Level  int
		First  int64 `json:"first_token"`
		Last   int64 `json:"last_token"`
		Max    int64 `json:"max_timestamp"`
		Micros int64 `json:"max_timestamp_micros"`
	}
	Buckets [][]string
	Windows map[string][]string `json:"windows_ms"`
	Levels  []struct {
		Index             int
		Min               float64 `json:"min_density"`
		Max               float64 `json:"max_density"`
		Threshold, Fanout int
		SSTables, Pick    []string
		Overlap           int `json:"max_overlap"`
	}
	Chosen   []string
	Level    *int  `json:"target_level"`
	MaxBytes int64 `json:"max_sstable_bytes"`
	Pending  *int  `json:"estimated_tasks"`
}

// windowCase is one time of windows_levels.json, levelCase one level.
type windowCase struct {
	Unit  string
	Size  int
	At    int64 `json:"timestamp_ms"`
	Lower int64 `json:"lower_ms"`
	Upper int64 `json:"upper_ms"`
}

type levelCase struct {
	Level int
	Bytes int64 `json:"max_bytes_160mb_fanout10"`
}

// shardCase is one configuration of ucs_shards.json.
type shardCase struct {
	Base   int            `json:"base_shard_count"`
	Target int            `json:"target_sstable_size_mib"`
	Min    int            `json:"min_sstable_size_mib"`
	Growth float64        `json:"sstable_growth"`
	Shards map[string]int `json:"shards_by_density"`
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

// compactionOptions are the options of a table as its compaction map is written.
func compactionOptions(class string, m map[string]any) schema.Options {
	o := schema.DefaultOptions()
	o.Compaction = []schema.Option{{Key: "class", Value: "org.apache.cassandra.db.compaction." + class}}
	for k, v := range m {
		text := fmt.Sprint(v)
		if f, ok := v.(float64); ok {
			text = strconv.FormatFloat(f, 'f', -1, 64)
		}
		o.Compaction = append(o.Compaction, schema.Option{Key: k, Value: text})
	}
	return o
}

func (c *pickCase) table() *compaction.Table {
	t := &compaction.Table{Now: 1, MemTimestamp: math.MaxInt64, Coverage: c.Coverage, FlushBytes: math.NaN(), Draw: func(int) int { return 0 },
		SpanOf: func(first, last ring.Token) float64 { f, _ := ring.Murmur3.Size(first, last); return f }}
	for i, f := range c.SSTables {
		file := compaction.File{Gen: i, Bytes: f.Size, Disk: f.Size, Level: f.Level, MaxTimestamp: max(f.Max, f.Micros), Created: f.Max, MaxLocal: compaction.NoDeletion,
			First: compaction.Position{Token: ring.Murmur3Token(f.First)}, Last: compaction.Position{Token: ring.Murmur3Token(f.Last)}}
		file.Span = t.SpanOf(file.First.Token, file.Last.Token)
		t.Files = append(t.Files, file)
	}
	return t
}

// names are the files by what the recording calls them, sorted where it is a set.
func (c *pickCase) names(list []compaction.File, set bool) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, c.SSTables[f.Gen].ID)
	}
	if set {
		slices.Sort(out)
	}
	return out
}

func (c *pickCase) check() (diff []string) {
	differ := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			diff = append(diff, fmt.Sprintf("%s is %v, expected %v", what, got, want))
		}
	}
	t, strategy := c.table(), cluster.CompactionStrategy(compactionOptions(c.Strategy, c.Options))
	memory := compaction.NewMemory(strategy, t.Files, t.Now)
	m := &memory
	set := c.Strategy != schema.SizeTiered
	switch s := strategy.(type) {
	case compaction.SizeTiered:
		buckets := [][]string{}
		for _, b := range s.Buckets(t.Files) {
			buckets = append(buckets, c.names(b.Files, false))
		}
		differ("buckets", buckets, c.Buckets)
	case compaction.TimeWindow:
		if len(c.SSTables) > 0 && c.Highest > 0 { // seen in a file that is gone
			seen := *t
			seen.Files = []compaction.File{{MaxTimestamp: c.Highest * 1000, MaxLocal: compaction.NoDeletion}}
			s.Next(&seen, m)
		}
		windows := map[string][]string{}
		for _, f := range t.Files {
			lower, _ := s.Bounds(f.MaxTimestamp / 1000)
			at := strconv.FormatInt(lower, 10)
			windows[at] = append(windows[at], c.SSTables[f.Gen].ID)
		}
		for _, list := range c.Windows {
			slices.Sort(list)
		}
		for _, list := range windows {
			slices.Sort(list)
		}
		differ("windows", windows, c.Windows)
	case compaction.Unified:
		levels := s.Look(t, m)
		differ("number of levels", len(levels), len(c.Levels))
		for i := range min(len(levels), len(c.Levels)) {
			l, want := levels[i], c.Levels[i]
			slices.Sort(want.Pick)
			differ(fmt.Sprintf("level %d", i), fmt.Sprint(l.Index, l.Min, l.Max, l.Required, l.Fanout, l.MaxOverlap, c.names(l.Files, false), c.names(l.Pick, true)),
				fmt.Sprint(want.Index, want.Min, want.Max, want.Threshold, want.Fanout, want.Overlap, want.SSTables, want.Pick))
		}
	}
	p := strategy.Next(t, m)
	if set {
		slices.Sort(c.Chosen)
	}
	if differ("chosen", c.names(p.Files, set), fmt.Sprint(c.Chosen)); c.Level != nil {
		differ("target level", p.Level, *c.Level)
	}
	if c.MaxBytes > 0 && c.MaxBytes < math.MaxInt64 {
		differ("size of a file", p.MaxBytes, c.MaxBytes)
	}
	if c.Pending != nil {
		differ("pending tasks", p.Pending, *c.Pending)
	}
	if p.Why == "" {
		diff = append(diff, "the pick says no reason")
	}
	return diff
}

func (c *windowCase) check() []string {
	w := cluster.CompactionStrategy(compactionOptions(schema.TimeWindow, map[string]any{"compaction_window_unit": c.Unit, "compaction_window_size": c.Size})).(compaction.TimeWindow)
	if lower, upper := w.Bounds(c.At); lower != c.Lower || upper != c.Upper {
		return []string{fmt.Sprintf("the window is %d to %d, expected %d to %d", lower, upper, c.Lower, c.Upper)}
	}
	return nil
}

func (c *levelCase) check() []string {
	if got := compaction.DefaultLeveled.MaxBytes(c.Level); got != c.Bytes {
		return []string{fmt.Sprintf("the level holds %d bytes, expected %d", got, c.Bytes)}
	}
	return nil
}

func (c *shardCase) check() (diff []string) {
	u := cluster.CompactionStrategy(compactionOptions(schema.Unified, map[string]any{"base_shard_count": c.Base, "sstable_growth": c.Growth,
		"target_sstable_size": fmt.Sprintf("%dMiB", c.Target), "min_sstable_size": fmt.Sprintf("%dMiB", c.Min)})).(compaction.Unified)
	for density, want := range c.Shards {
		mib, err := strconv.Atoi(strings.TrimSuffix(density, "MiB"))
		if got := u.Shards(float64(mib << 20)); got != want || err != nil {
			diff = append(diff, fmt.Sprintf("%s has %d shards, expected %d", density, got, want))
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
