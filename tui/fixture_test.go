package tui

import (
	"fmt"
	"math"
	"slices"

	"ringlab/engine/view"
)

// moment is the picture of tui.md 3.1: six nodes, n4 came back without hints,
// the selected partition is a-17/2026-11-21.
func moment() *view.View {
	v := &view.View{
		Rev: 1, Workspace: "sensors.ringlab", Now: 134_380_000, Seed: 42, Speed: "4x", Running: false,
		EventSeq: 41208, Commands: 17, Undo: "INSERT #412", Keyspace: "sensor", CL: "ONE", SerialCL: "SERIAL", Language: "cql",
		Partitioner: "Murmur3Partitioner", DCs: []string{"dc1"}, Entries: 6,
		Keyspaces: []view.Keyspace{{Name: "sensor", Replication: "NTS dc1:3", Tables: []view.Table{
			{Name: "readings", Language: "CQL", Compaction: "STCS", Key: "PK ((sensor_id, day), ts ↓)",
				Columns:    []view.Column{{Name: "sensor_id", Type: "text", Kind: "partition"}, {Name: "day", Type: "text", Kind: "partition"}, {Name: "ts", Type: "timestamp", Kind: "clustering"}, {Name: "v", Type: "double", Kind: "regular"}},
				Partitions: 168, Rows: 41213, Bytes: 4_200_000},
			{Name: "latest_by_sensor", Language: "CQL", Compaction: "LCS", Key: "PK (sensor_id)"},
			{Name: "Readings_CF", Language: "thrift", Compaction: "STCS", Key: "wide rows"},
		}}},
	}
	loads := []int64{712, 688, 732, 731, 716, 630}
	rows := []int64{20900, 20200, 21500, 21500, 21000, 18500}
	for i := range 6 {
		v.Nodes = append(v.Nodes, view.Node{Name: fmt.Sprintf("n%d", i+1), Address: fmt.Sprintf("127.0.0.%d", i+1), DC: "dc1", Rack: fmt.Sprintf("rack%d", i%3+1),
			Up: true, State: "UN", Tokens: 1, Owns: 1.0 / 6, LoadBytes: loads[i] << 10, Rows: rows[i]})
		v.Ring = append(v.Ring, view.Entry{Token: fmt.Sprint(i), Pos: float64(i) / 6, Node: i})
	}
	v.Nodes[3].Detail = "212 cells stale"
	keys := []string{"a-07:2026-11-21", "a-07:2026-11-20", "a-17:2026-11-20", "a-17:2026-11-21", "a-03:2026-11-20", "a-11:2026-11-19", "a-02:2026-11-19", "a-21:2026-11-18"}
	sizes := []int64{306, 296, 287, 54, 51, 44, 40, 38}
	counts := []int64{9214, 8912, 8640, 1622, 1602, 1420, 1312, 1250}
	for i, k := range keys {
		v.Partitions = append(v.Partitions, view.Partition{Key: k, Rows: counts[i], Bytes: sizes[i] << 10, Tombstones: int64(i * 3), Growth: float64(i%4) * 0.005, Token: "-5628869329145707428", Replicas: []int{2, 3, 4}})
	}
	v.Histogram = []view.Bucket{{UpTo: 4 << 10, Count: 122}, {UpTo: 16 << 10, Count: 31}, {UpTo: 64 << 10, Count: 12}, {UpTo: 512 << 10, Count: 3}}
	v.Selection = &view.Selection{Keyspace: "sensor", Table: "readings", Key: "a-17:2026-11-21", Token: "-5628869329145707428",
		Pos: 0.1949, RangeFrom: 1.0 / 6, RangeTo: 2.0 / 6, RangeText: "(n2, n3]",
		Replicas: []view.Replica{{Node: 2, Order: 1, State: "newest"}, {Node: 3, Order: 2, State: "stale", Detail: "1 write behind"}, {Node: 4, Order: 3, State: "newest"}},
		Levels:   []view.Level{{CL: "ONE", Required: 1, Alive: 3, OK: true}, {CL: "QUORUM", Required: 2, Alive: 3, OK: true}, {CL: "ALL", Required: 3, Alive: 3, OK: true}}}
	v.Trace = momentTrace()
	for i := 380; i <= 431; i++ {
		v.Ops = append(v.Ops, view.Op{N: i, Kind: "read", CL: "ONE", Outcome: "fresh"})
	}
	v.Outcomes = []view.Outcome{
		{Kind: "write", CL: "QUORUM", Fresh: 300, Recent: "ffffffffffffffffffffffffffffff"},
		{Kind: "read", CL: "ONE", Fresh: 240, Stale: 60, Recent: "fffffffffffffffffffsfssfsffsfs"},
		{Kind: "read", CL: "QUORUM", Fresh: 300, Recent: "ffffffffffffffffffffffffffffff"},
		{Kind: "read", CL: "ALL", Fresh: 200, Unavailable: 100, Recent: "ffffffffuuuuuuuuuuffffffffffff"},
	}
	v.Storage = momentStorage()
	momentPictures(v)
	return v
}

func momentTrace() *view.Trace {
	return &view.Trace{Op: 412, Statement: "INSERT INTO readings …", Kind: "write", CL: "QUORUM", OK: true, Verdict: "✓ 2 of 2 acks (n3 1.21 ms, n5 1.94 ms)",
		Start: 1000, End: 2940, Last: 2940, Lanes: []view.Lane{
			{Node: 0, Role: "C", Marks: []view.Mark{{At: 0, To: 0, Kind: "send", Peer: 2}, {At: 0, To: 0, Kind: "send", Peer: 4}, {At: 1940, To: 1940, Kind: "reply", Peer: -1}}},
			{Node: 2, Role: "R", Marks: []view.Mark{{At: 500, To: 500, Kind: "arrive", Peer: 0}, {At: 500, To: 700, Kind: "work", Peer: -1}, {At: 1210, To: 1210, Kind: "ack", Peer: 0}}},
			{Node: 3, Role: "R", Note: "known down: no message, hint on n1"},
			{Node: 4, Role: "R", Marks: []view.Mark{{At: 800, To: 800, Kind: "arrive", Peer: 0}, {At: 800, To: 1000, Kind: "work", Peer: -1}, {At: 1940, To: 1940, Kind: "ack", Peer: 0}}},
		},
		Why: []string{"n4 was known to be down: the coordinator sent it nothing and kept a hint.", "W QUORUM 2 + R ONE 1 = 3, which is not > RF 3: a read may miss the write."}}
}

func momentStorage() *view.Storage {
	s := &view.Storage{Node: 2, Keyspace: "sensor", Table: "readings", Strategy: "STCS", MemtableBytes: 18 << 10, MemtableLimit: 32 << 10, CommitLogSegments: 3,
		Tiers: []view.Tier{{Name: "~16K", Gens: []int{21, 22, 23}, Bytes: 48 << 10, Have: 3, Need: 4}, {Name: "~64K", Gens: []int{17, 18}, Bytes: 128 << 10, Have: 2, Need: 4},
			{Name: "~256K", Gens: []int{9, 10}, Bytes: 512 << 10, Have: 2, Need: 4}},
		Compactions:     []view.Compaction{{Inputs: []int{11, 12, 14, 16}, Level: 0, BytesIn: 66 << 10, BytesOut: 41 << 10, Progress: 0.62, Detail: "1,204 cells merged; 310 tombstones kept, gc_grace 10 d"}},
		ReadPath:        []view.ReadStep{{Unit: "memtable", Result: "hit"}, {Unit: "23", Result: "hit"}, {Unit: "22", Result: "bloom no"}, {Unit: "21", Result: "bloom no"}, {Unit: "18", Result: "hit"}, {Unit: "17", Result: "bloom no"}, {Unit: "10", Result: "bloom no"}, {Unit: "9", Result: "bloom no"}},
		SSTablesPerRead: [3]int{2, 4, 6}, BytesWritten: 240 << 10, BytesFlushed: 100 << 10, Flushes: 12, Compacted: 3, Why: "next flush starts compaction"}
	for _, b := range s.Tiers {
		for _, g := range b.Gens {
			s.SSTables = append(s.SSTables, view.SSTable{Gen: g, Bytes: b.Bytes / int64(len(b.Gens)), Partitions: 98, Rows: 1200, Origin: "flush", AgeMicros: int64(g) * 4_000_000, HasKey: "bloom no"})
		}
	}
	return s
}

// otherStrategies are tables of strategies other than size tiers.
func otherStrategies() map[string]*view.Storage {
	make := func(strategy, why string, tiers []view.Tier) *view.Storage {
		s := momentStorage()
		s.Strategy, s.Why, s.Tiers, s.SSTables, s.Compactions, s.Pending = strategy, why, tiers, nil, nil, 2
		s.PeakDisk, s.FilesPerRead, s.Done = 9<<20, [2]int64{130, 100}, []view.Compaction{{Inputs: []int{11, 12}, Outputs: []int{13, 14}, BytesIn: 66 << 10, BytesOut: 41 << 10, Progress: 1, Level: 1}}
		for _, t := range tiers {
			for _, g := range t.Gens {
				s.SSTables = append(s.SSTables, view.SSTable{Gen: g, Bytes: t.Bytes / int64(len(t.Gens)), Busy: g == 13})
			}
		}
		return s
	}
	days := []view.Tier{}
	for i := range 12 {
		days = append(days, view.Tier{Name: fmt.Sprintf("2026-11-%02d", 21-i), Gens: []int{40 - i}, Bytes: 2 << 20, Have: 1, Need: 2})
	}
	days[0].Gens, days[0].Have, days[0].Need, days[0].Bytes = []int{41, 42, 43}, 3, 4, 90<<10
	return map[string]*view.Storage{
		"LCS": make("LCS", "L1 holds 1.7 GiB, 1.06 times its 1.6 GiB: sstable 13 goes to L2 with 2 that overlap it there", []view.Tier{
			{Name: "L0", Gens: []int{21, 22}, Bytes: 12 << 20, Have: 2, Limit: 640 << 20},
			{Name: "L1", Gens: []int{13, 14, 15, 16, 17, 18, 19, 20, 9, 10, 11}, Bytes: 1740 << 20, Have: 11, Limit: 1600 << 20},
			{Name: "L2", Gens: []int{3, 4, 5}, Bytes: 480 << 20, Have: 3, Limit: 16000 << 20}}),
		"TWCS": make("TWCS", "the newest window, from 2026-11-21, has 3 files, min_threshold is 4, each older one has a single file", days),
		"UCS": make("UCS", "on density level 0 (0 B to 310.0 MiB) 3 files overlap, T4 compacts from 4 on", []view.Tier{
			{Name: "D0 T4", Gens: []int{21, 22, 23}, Bytes: 48 << 20, Have: 3, Need: 4},
			{Name: "D1 L10", Gens: []int{13, 14, 15, 16}, Bytes: 900 << 20, Have: 1, Need: 2}}),
	}
}

// crowd is a ring of 1,000 nodes with 256 vnodes, thinned as the lab thins it.
func crowd() *view.View {
	v := moment()
	v.Nodes, v.Ring, v.Entries = nil, nil, 256_000
	for i := range 1000 {
		v.Nodes = append(v.Nodes, view.Node{Name: fmt.Sprintf("n%d", i+1), Up: i%37 != 5, State: "UN", Tokens: 256, Owns: 0.001, LoadBytes: int64(i) << 20, Rows: int64(i * 1000)})
	}
	for i := range 4096 {
		pos := float64(i) / 4096
		v.Ring = append(v.Ring, view.Entry{Pos: math.Mod(pos+0.0001*math.Sin(float64(i)), 1), Node: i * 7919 % 1000})
	}
	slices.SortFunc(v.Ring, func(a, b view.Entry) int { return pick(a.Pos < b.Pos, -1, 1) })
	return v
}

// momentPictures are the large pictures of the moment.
func momentPictures(v *view.View) {
	strip := &view.Strip{To: 1, FromToken: "−2^63", ToToken: "2^63", Partitions: 168, MostKeys: 6, Even: 1.0 / 6,
		At:      &view.RangeAt{Start: "-9223372036854775808", End: "-6148914691236517206", Owner: 1, Share: 1.0 / 6, Replicas: []int{1, 2, 3}, Keys: 12},
		Spreads: []view.Spread{{VNodes: 1, Least: 1, Most: 1, Ranges: 6, Now: true, Owners: []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}}, {VNodes: 16, Least: 0.7, Most: 1.48, Ranges: 96, Owners: []int{5, 5, 2, 1, 4, 0, 4, 1, 2, 5, 2, 2}}, {VNodes: 256, Ranges: 1536, Skipped: true}},
		Moved:   []string{"n6 takes 14.1% from n1 n3; 12 partitions of readings, 104448 bytes, became its copies"},
		Why:     []string{"Each of the 6 tokens ends a range.", "Source: TokenMetadata.firstTokenIndex."}}
	for i := range 64 {
		strip.Columns = append(strip.Columns, view.StripColumn{Owner: i * 6 / 64, Tokens: i % 11 / 10 * 12, Keys: i % 7, Moved: i > 50})
		strip.Before = append(strip.Before, i*5/64)
	}
	for i := range v.Nodes {
		strip.Shares, strip.Keys = append(strip.Shares, float64(i+1)/21), append(strip.Keys, int64(i*7))
	}
	v.Strip = strip
	v.Placement = &view.Placement{Class: "NetworkTopologyStrategy", Order: []string{"n3", "n4", "n5", "n6", "n1", "n2"}, Simple: []int{2, 3, 4},
		Walk: []view.WalkStep{{Node: 2, Place: "dc1 rack3", Order: 1, Why: "new rack"}, {Node: 3, Place: "dc1 rack1", Order: 2, Why: "new rack"}, {Node: 4, Place: "dc1 rack2", Order: 3, Why: "new rack, dc1 has 3 of 3"},
			{Node: 5, Place: "dc1 rack3", Why: "dc1 has its 3"}},
		Losses: []view.Loss{{What: "dc1/rack3", Text: "2 of 3 copies, ONE QUORUM ok, ALL unavailable", OK: true}, {What: "dc1", Text: "no node is left to ask"}},
		Lost:   "dc1/rack1", Now: "2 of 3 copies, ONE QUORUM ok, ALL unavailable", NowOK: true,
		DCs: []view.DCPlan{{Name: "dc1", RF: 3, Racks: []view.RackPlan{{Name: "rack1", Nodes: []view.NodePlan{{Node: 0}, {Node: 3, Order: 2, Lost: true}}},
			{Name: "rack2", Nodes: []view.NodePlan{{Node: 1}, {Node: 4, Order: 3}}}, {Name: "rack3", Nodes: []view.NodePlan{{Node: 2, Order: 1}, {Node: 5}}}}}},
		Why: []string{"The walk begins at the range of the key's token and goes clockwise: n3 n4 n5 n6 n1 n2."}}
	v.Files = &view.FileMap{Node: 2, Key: 20, Ranges: []view.RangePart{{Name: "(n6,n1]", Width: 13}, {Name: "(n1,n2]", Width: 13}, {Name: "(n2,n3]", Width: 14}},
		Last: "11+12+14+16 → 19   67584 → 41984 bytes, 38% less", Why: []string{"Why: next flush starts compaction."}}
	for i, name := range []string{"memtable", "23", "22", "18", "10"} {
		row := view.FileRow{Name: name, Origin: pick(i > 0, "flush", ""), Bytes: int64(16<<10) << i, AgeMicros: int64(i) * 40e6, Keys: 61 + i, HasKey: pick(i%2 == 0, "hit", "bloom no"), Busy: i == 4}
		for x := range 40 {
			row.Heat = append(row.Heat, byte((x+i)%5))
		}
		v.Files.Rows = append(v.Files.Rows, row)
	}
	v.Levels = &view.Levels{Keyspace: "sensor", RF: 3, Names: []string{"ONE", "QUORUM", "ALL"}, Counted: 300,
		Cells: [][]view.LevelCell{
			{{Sum: 2, State: "stale", Fresh: 71, Reads: 100, Newest: 431}, {Sum: 3, State: "stale", Fresh: 93, Reads: 100}, {Sum: 4, State: "unavailable"}},
			{{Sum: 3, State: "stale", Fresh: 80, Reads: 100, Newest: 431}, {Sum: 4, State: "newest", Fresh: 100, Reads: 100}, {Sum: 5, State: "unavailable"}},
			{{Sum: 4, State: "refused"}, {Sum: 5, State: "refused"}, {Sum: 6, State: "refused"}}},
		Answers: []view.WouldAnswer{{CL: "ONE", Nodes: []int{3}, State: "stale", Text: "n4 has missed the newest write"}, {CL: "QUORUM", Nodes: []int{3, 2}, State: "newest", Text: "n4 n3 differ: the newest value wins, read repair writes it to the others"},
			{CL: "ALL", State: "unavailable", Text: "ALL needs 3, 2 alive"}},
		Newest: "newest stale read #431 ONE: n4 answered without #412, written 39.6s before",
		Marks:  []view.TimeMark{{At: 1, Text: "n4 down", Mark: '!'}, {At: 2, Text: "n4 up", Mark: '+'}, {At: 3, Op: 431, Text: "#431", Mark: 's'}},
		Why:    []string{"W QUORUM 2 + R ONE 1 = 3, which is not > RF 3: a read may miss the write."}}
	v.Chain = &view.Chain{Op: 431, Node: 3, Missed: 412, From: 100, To: 200, Text: []string{"#431 at ONE was answered by n4, which lacks newer data.",
		"n4 missed #412, 39.6s before: INSERT INTO readings …", "n4 was down from +00:01:43.900 until +00:02:10.000, when #412 was written at +00:01:44.100."}}
}
