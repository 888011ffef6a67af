package engine_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/headless"
	"ringlab/engine/host"
	"ringlab/engine/session"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// The benchmarks print what the budgets of the design are about: writes and
// slices a second, bytes a row, and how both grow with the width of a partition.

// newLab is a lab on that ring with a keyspace of three replicas and two
// tables: rows by key, and a series of rows a key.
func newLab(b *testing.B, ring string) *engine.Lab {
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		b.Fatal(err)
	}
	for _, text := range []string{
		"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}", "USE k", "CONSISTENCY QUORUM",
		"CREATE TABLE items (id int PRIMARY KEY, name text, price bigint)",
		"CREATE TABLE series (id int, at int, name text, price bigint, kind int, PRIMARY KEY (id, at))",
	} {
		do(b, lab, text)
	}
	return lab
}

func do(b *testing.B, lab *engine.Lab, text string) *answer.Answer {
	a := lab.Do(text)
	if a[0].Error != nil {
		b.Fatal(text, a[0].Error)
	}
	return a[0]
}

// perSecond reports how often the loop ran in a second.
func perSecond(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit+"/s")
}

// writer runs bound writes without any text, as a prepared statement does.
type writer struct {
	core  *session.Core
	lower session.Lowerer
	write plan.Write
}

func newWriter(lab *engine.Lab, table string, values ...[]byte) *writer {
	t := lab.Core().Cluster.Schema.Table("k", table)
	w := &writer{core: lab.Core(), write: plan.Write{Table: t, Liveness: true, Keys: make([][]byte, 1), Rows: make([][]byte, 1)}}
	for i, v := range values {
		w.write.Cells = append(w.write.Cells, plan.Assign{Column: t.Regular[i], Value: v})
	}
	return w
}

func (w *writer) put(b *testing.B, key, clustering []byte) {
	c := w.core.Cluster
	w.write.Keys[0], w.write.Rows[0] = key, clustering
	op := c.Begin("write", 0, plan.Quorum, false)
	parts, err := w.lower.Lower(&w.write, nil, c.Partitioner(), c.Timestamp(0, 0), c.Seconds(0), nil)
	if err != nil {
		b.Fatal(err)
	}
	c.Write(op, w.write.Table, parts)
	if c.Run(op); op.Err != nil {
		b.Fatal(op.Err)
	}
}

func clustering(n int) []byte { return schema.PackClustering([][]byte{types.EncodeInt32(int32(n))}) }

// BenchmarkWrite is one INSERT after the other at QUORUM on the default ring.
func BenchmarkWrite(b *testing.B) {
	b.Run("prepared", func(b *testing.B) {
		w := newWriter(newLab(b, ""), "items", []byte("some name"), types.EncodeInt64(42))
		n := 0
		b.ReportAllocs()
		for b.Loop() {
			w.put(b, types.EncodeInt32(int32(n)), nil)
			n++
		}
		perSecond(b, n, "writes")
	})
	b.Run("text", func(b *testing.B) {
		lab := newLab(b, "")
		n := 0
		b.ReportAllocs()
		for b.Loop() {
			do(b, lab, "INSERT INTO items (id, name, price) VALUES ("+strconv.Itoa(n)+", 'some name', 42)")
			n++
		}
		perSecond(b, n, "writes")
	})
}

// BenchmarkSlice is one partition of 100 rows after the other, read at QUORUM.
func BenchmarkSlice(b *testing.B) {
	lab := newLab(b, "")
	w := newWriter(lab, "series", types.EncodeInt32(7), []byte("some name"), types.EncodeInt64(42))
	for i := range 6400 {
		w.put(b, types.EncodeInt32(int32(i%64)), clustering(i/64))
	}
	run := func(b *testing.B) {
		b.Run("prepared", func(b *testing.B) {
			c := lab.Core().Cluster
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				key := types.EncodeInt32(int32(n % 64))
				op := c.Begin("read", 0, plan.Quorum, false)
				c.Read(op, []*storage.Query{{Table: w.write.Table, Key: string(key), Token: c.Partitioner().Token(key), Now: c.Seconds(0)}})
				if c.Run(op); op.Err != nil || len(op.Found[0].Rows) != 100 {
					b.Fatal(op.Err)
				}
				n++
			}
			perSecond(b, n, "slices")
		})
		b.Run("text", func(b *testing.B) {
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				if a := do(b, lab, "SELECT * FROM series WHERE id = "+strconv.Itoa(n%64)); len(a.Rows) != 100 {
					b.Fatal(len(a.Rows))
				}
				n++
			}
			perSecond(b, n, "slices")
		})
	}
	b.Run("memtable", run)
	flushAll(lab.Core().Cluster, w.write.Table)
	b.Run("sstable", run)
}

func flushAll(c *cluster.Cluster, t *schema.Table) {
	for i := range c.Nodes {
		c.Flush(i, t)
	}
}

// BenchmarkMemory loads a million rows of 100 bytes of values into the default
// ring, one or a hundred in a partition, and reports what stays on the heap.
func BenchmarkMemory(b *testing.B) {
	const rows = 1_000_000
	for _, width := range []int{1, 100} {
		b.Run(fmt.Sprintf("%d to a partition", width), func(b *testing.B) {
			for b.Loop() {
				before := heap()
				lab := newLab(b, "")
				table, values := "items", [][]byte{[]byte(strings.Repeat("x", 84)), types.EncodeInt64(42)}
				if width > 1 {
					table, values = "series", [][]byte{types.EncodeInt32(7), []byte(strings.Repeat("x", 76)), types.EncodeInt64(42)}
				}
				w := newWriter(lab, table, values...)
				for i := range rows {
					key, at := types.EncodeInt32(int32(i/width)), []byte(nil)
					if width > 1 {
						at = clustering(i % width)
					}
					w.put(b, key, at)
				}
				b.ReportMetric(float64(heap()-before)/rows, "B/row")
				flushAll(lab.Core().Cluster, w.write.Table)
				b.ReportMetric(float64(heap()-before)/rows, "flushed-B/row")
				runtime.KeepAlive(lab)
			}
		})
	}
}

// heap is what the program holds, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkStart is a new lab on rings of several sizes; the heap is that of one
// lab that nothing was done in yet.
func BenchmarkStart(b *testing.B) {
	for _, ring := range []string{"", "dc1=100", "dc1=1000 vnodes=256"} {
		b.Run("ring "+ring, func(b *testing.B) {
			b.ReportAllocs()
			var lab *engine.Lab
			for b.Loop() {
				lab = newLab(b, ring)
			}
			with := heap()
			runtime.KeepAlive(lab)
			lab = nil
			b.ReportMetric(float64(with-heap())/(1<<20), "MiB")
		})
	}
}

// BenchmarkIdle lets three years pass on a ring that nothing happens on.
func BenchmarkIdle(b *testing.B) {
	for b.Loop() {
		do(b, newLab(b, ""), ":advance 3y")
	}
}

// BenchmarkJournal runs a script of INSERTs on a workspace, as `ringlab run -w`
// does, and replays it.
func BenchmarkJournal(b *testing.B) {
	const writes = 200_000
	var script strings.Builder
	script.WriteString("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3};\nUSE k;\n" +
		"CONSISTENCY QUORUM\nCREATE TABLE items (id int PRIMARY KEY, name text, price bigint);\n")
	for i := range writes {
		fmt.Fprintf(&script, "INSERT INTO items (id, name, price) VALUES (%d, 'some name', 42);\n", i)
	}
	path := ""
	open := func() *host.Store {
		s, err := host.Open(path, host.OpenOptions{})
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	b.Run("run", func(b *testing.B) {
		n := 0
		for b.Loop() {
			path = fmt.Sprintf("%s/%d.ringlab", b.TempDir(), n)
			s := open()
			var out, errs strings.Builder
			r := &headless.Runner{}
			headless.Stored(r, s, &out, &errs)
			if err := r.Read("-", strings.NewReader(script.String())); err != nil {
				b.Fatal(err)
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			if errs.Len() > 0 {
				b.Fatal(errs.String())
			}
			n++
		}
		perSecond(b, n*writes, "commands")
	})
	b.Run("replay", func(b *testing.B) {
		path = b.TempDir() + "/replay.ringlab"
		s := open()
		for _, text := range strings.Split(strings.TrimSpace(script.String()), "\n") {
			_, receipt := s.Run(strings.TrimSuffix(text, ";"))
			s.Commit(receipt, func(error) {})
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		n := 0
		for b.Loop() {
			s := open()
			if s.Differs != "" || s.Replayed < writes {
				b.Fatal(s.Replayed, s.Differs)
			}
			n++
			s.Close()
		}
		perSecond(b, n*writes, "commands")
	})
}
