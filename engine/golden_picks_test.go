package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/compaction"
	"ringlab/model/schema"
	"ringlab/ring"
)

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
