package engine_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine"
	"ringlab/engine/lz4"
	"ringlab/engine/session"
	"ringlab/engine/storage"
	"ringlab/engine/stress"
	"ringlab/model/types"
)

// realStress is a load of about 100,000 rows in partitions of many sizes.
const realStress = `{"keyspace": "ringlab_stress", "table": "readings",
	"table_definition": "CREATE TABLE readings (sensor text, day int, at timestamp, kind int, value double, note text, payload blob, PRIMARY KEY ((sensor, day), at))",
	"columnspec": [{"name": "sensor", "size": "GAUSSIAN(6..20)"}, {"name": "at", "cluster": "GAUSSIAN(1..199)"}, {"name": "kind", "population": "UNIFORM(1..9)"},
		{"name": "note", "size": "EXP(0..200)"}, {"name": "payload", "size": "UNIFORM(0..60)"}],
	"insert": {"batchtype": "UNLOGGED"}}`

// Partitions that each flush holds: seeds from so many on, so that files overlap.
const (
	realFlushes    = 6
	realPartitions = 170
	realStep       = 100
)

// TestStressAsOnARealNode runs a load on a lab, and its statements with their write
// times on the node that $RINGLAB_REAL names, with the same flushes, and holds the
// files' bytes and tablestats of both together. Compaction is on: the fourth
// flush makes one file of four. $RINGLAB_NODETOOL is how nodetool is called for that
// node; its files must be on this machine.
func TestStressAsOnARealNode(t *testing.T) {
	at := os.Getenv("RINGLAB_REAL")
	if at == "" {
		t.Skip("RINGLAB_REAL names no node")
	}
	r := newRealNode(t, at, "readings")

	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	profile, err := stress.ParseProfile(realStress)
	if err != nil {
		t.Fatal(err)
	}
	const ks = "CREATE KEYSPACE ringlab_stress WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
	r.do("DROP KEYSPACE IF EXISTS ringlab_stress")
	r.do(ks)
	r.do(strings.Replace(profile.TableDefinition, " readings ", " ringlab_stress.readings ", 1))
	defer r.do("DROP KEYSPACE ringlab_stress")
	well(t, lab, ks)
	data := r.dataPath("ringlab_stress.readings")
	rows := 0
	for flush := range realFlushes {
		from := flush*realStep + 1
		seq := [2]int64{int64(from), int64(from + realPartitions - 1)}
		well(t, lab, fmt.Sprintf(":stress %s n=%d seq=%d..%d ops(insert=1) cl=ONE", strings.ReplaceAll(realStress, "\n", " "), realPartitions, seq[0], seq[1]))
		n := r.load(lab, profile, seq)
		rows += n
		r.run("flush", "ringlab_stress", "readings")
		well(t, lab, "nodetool flush ringlab_stress readings")
		well(t, lab, ":advance 20s")
		r.compare(lab, data, fmt.Sprintf("flush %d, %d rows: ", flush+1, n))
	}
	if rows < 100_000 {
		t.Errorf("the load has %d rows only", rows)
	}
}

// realNode is a node of Cassandra on this machine.
type realNode struct {
	t        *testing.T
	table    string // of the keyspace ringlab_stress
	nodetool []string
	session  *gocql.Session
}

// newRealNode connects to a node and finds how its nodetool is called.
func newRealNode(t *testing.T, at, table string) *realNode {
	r := &realNode{t: t, table: table, nodetool: strings.Fields(os.Getenv("RINGLAB_NODETOOL"))}
	if r.nodetool == nil {
		r.nodetool = []string{"nodetool"}
	}
	if _, err := exec.LookPath(r.nodetool[0]); err != nil {
		t.Skip("no nodetool for it; RINGLAB_NODETOOL says how it is called: ", err)
	}
	r.connect(at)
	return r
}

func (r *realNode) connect(at string) {
	host, port, _ := strings.Cut(at, ":")
	c := gocql.NewCluster(host)
	if n, err := strconv.Atoi(port); err == nil {
		c.Port = n
	}
	c.Timeout, c.ConnectTimeout, c.Consistency, c.Logger = 2*time.Minute, time.Minute, gocql.One, gocql.NewLogger(gocql.LogLevelNone)
	var err error
	if r.session, err = c.CreateSession(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(r.session.Close)
}

func (r *realNode) do(text string) {
	r.t.Helper()
	if err := r.session.Query(text).Exec(); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
}

// run is what a command of nodetool prints.
func (r *realNode) run(words ...string) string {
	r.t.Helper()
	out, err := exec.Command(r.nodetool[0], slices.Concat(r.nodetool[1:], words)...).Output()
	if err != nil {
		r.t.Fatalf("nodetool %s: %v\n%s", strings.Join(words, " "), err, out)
	}
	return string(out)
}

// dataPath is the directory that holds a table's files.
func (r *realNode) dataPath(table string) string {
	for _, line := range strings.Split(r.run("datapaths", table), "\n") {
		if line = strings.TrimSpace(line); filepath.IsAbs(line) {
			return line
		}
	}
	r.t.Fatal("nodetool datapaths names none")
	return ""
}

// onTheWire is a value as it stands in a frame.
type onTheWire []byte

// MarshalCQL is the value itself.
func (b onTheWire) MarshalCQL(gocql.TypeInfo) ([]byte, error) { return b, nil }

// load sends every row of a load with the write time that it has in the lab, and
// says how many there were.
func (r *realNode) load(lab *engine.Lab, profile *stress.Profile, seq [2]int64) (rows int) {
	table := lab.Core().Cluster.Schema.Table("ringlab_stress", "readings")
	l, err := stress.NewLoad(profile, table, stress.Options{N: realPartitions, Ops: []stress.OpRatio{{Name: "insert", Ratio: 1}}, Sequence: &seq, Seed: 1})
	if err != nil {
		r.t.Fatal(err)
	}
	names, marks := []string{}, []string{}
	for _, c := range slices.Concat(table.Key, table.Clustering) {
		marks = append(marks, c.Name+" = ?")
	}
	for _, c := range l.Columns {
		names = append(names, c.Name+" = ?")
	}
	where := " WHERE " + strings.Join(marks, " AND ")
	stamp, refused := lab.Prepare("SELECT writetime(kind) FROM ringlab_stress.readings" + where)
	if stamp == nil {
		r.t.Fatal(refused.Error)
	}
	text := "UPDATE ringlab_stress.readings USING TIMESTAMP ? SET " + strings.Join(names, ", ") + where
	work := make(chan []any)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for args := range work {
				err := errors.New("not sent")
				for range 3 {
					if err = r.session.Query(text, args...).Exec(); err == nil {
						break
					}
				}
				if err != nil {
					r.t.Error(err)
				}
			}
		})
	}
	var op stress.Operation
	for l.Next(&op) {
		for _, row := range op.Rows {
			key := slices.Concat(row.Key, row.Clustering)
			a := lab.Execute(stamp, session.Values{Args: key})
			if a.Error != nil || len(a.Rows) != 1 {
				r.t.Fatal("the lab lacks a row of its load", a.Error)
			}
			micros, err := strconv.ParseInt(a.Rows[0][0].Text, 10, 64)
			if err != nil {
				r.t.Fatal(err)
			}
			args := []any{onTheWire(types.EncodeInt64(micros))}
			for _, v := range slices.Concat(row.Values, key) {
				args = append(args, onTheWire(bytes.Clone(v)))
			}
			work <- args
			rows++
		}
	}
	close(work)
	wait.Wait()
	return rows
}

// realStats are the lines of tablestats that data alone determines. What the files
// take after compression is of a file above 2 MiB estimated from a sample.
var realStats = []string{"SSTable count", "Space used (live)", "SSTable Compression Ratio", "Number of partitions (estimate)", "Memtable cell count", "Bloom filter space used",
	"Compacted partition minimum bytes", "Compacted partition maximum bytes", "Compacted partition mean bytes"}

// idle is what compactionstats says when nothing is to be done.
var idle = regexp.MustCompile(`(?m)^pending tasks:? +0\b`)

// compare waits until the node's compactions have left as many files as the lab has
// and compares them.
func (r *realNode) compare(lab *engine.Lab, data, at string) {
	table := lab.Core().Cluster.Schema.Table("ringlab_stress", r.table)
	got := slices.Clone(lab.Core().Cluster.Store(0, table).SSTables)
	slices.SortFunc(got, func(a, b *storage.SSTable) int { return a.Gen - b.Gen })
	var want []string
	for range 20 { // each try takes about as long as nodetool starts
		stats := r.run("compactionstats")
		want, _ = filepath.Glob(filepath.Join(data, "nb-*-big-Data.db"))
		if len(want) == len(got) && idle.MatchString(stats) {
			break
		}
	}
	slices.SortFunc(want, func(a, b string) int { return realGeneration(a) - realGeneration(b) })
	if len(got) != len(want) {
		r.t.Fatalf("%s%d SSTables, the real node has %d", at, len(got), len(want))
	}
	for i, f := range got {
		is, there := f.Data(table), realData(r.t, want[i])
		r.t.Logf("%s%-20s %9d bytes before compression on the real node, %9d here", at, filepath.Base(want[i]), len(there), f.DataBytes)
		if f.DataBytes != int64(len(there)) || !bytes.Equal(is, there) {
			r.t.Errorf("%sSSTable %d has %d bytes, on the real node %d, and the first other one at %d", at, f.Gen, f.DataBytes, len(there), firstOther(is, there))
		}
	}
	for i, f := range got {
		info, err := os.Stat(strings.Replace(want[i], "-Data.db", "-Index.db", 1))
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Logf("%s%-20s %9d bytes of Index.db on the real node, %9d here", at, filepath.Base(want[i]), info.Size(), f.IndexBytes)
		if info.Size() != f.IndexBytes {
			r.t.Errorf("%sIndex.db of SSTable %d has %d bytes, on the real node %d", at, f.Gen, f.IndexBytes, info.Size())
		}
	}
	there, here := r.run("tablestats", "ringlab_stress."+r.table), well(r.t, lab, "nodetool tablestats ringlab_stress."+r.table)
	for _, label := range realStats {
		want, got := statOf(there, label), statOf(here, label)
		r.t.Logf("%s%-34s %12s on the real node, %12s here", at, label, want, got)
		a, _ := strconv.ParseFloat(want, 64)
		b, _ := strconv.ParseFloat(got, 64)
		estimated := (strings.HasPrefix(label, "Space used") || label == "SSTable Compression Ratio") && math.Abs(a-b) < a/200
		if want == "" || want != got && !estimated {
			r.t.Errorf("%s%s: %s, on the real node %s", at, label, got, want)
		}
	}
}

// statOf is the value behind a label; "" where there is none.
func statOf(text, label string) string {
	for _, line := range strings.Split(text, "\n") {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), label+": "); ok {
			return v
		}
	}
	return ""
}

// firstOther is where two files begin to differ.
func firstOther(a, b []byte) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}

// realGeneration is the number in the name of a file.
func realGeneration(path string) int {
	n, _ := strconv.Atoi(strings.Split(filepath.Base(path), "-")[1])
	return n
}

// realData is a Data.db before its compression with LZ4: chunks that begin with
// their length and end with a checksum.
// Source: Cassandra 5.0 CompressionMetadata, LZ4Compressor.
func realData(t *testing.T, path string) (out []byte) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.ReadFile(strings.Replace(path, "-Data.db", "-CompressionInfo.db", 1))
	if err != nil {
		t.Fatal(err)
	}
	short := func() { // a name or value
		info = info[2+binary.BigEndian.Uint16(info):]
	}
	word := func() int {
		n := binary.BigEndian.Uint32(info)
		info = info[4:]
		return int(n)
	}
	short()
	for range word() {
		short()
		short()
	}
	chunk, most := word(), word()
	size := int(binary.BigEndian.Uint64(info))
	info = info[8:]
	var offsets []int
	for range word() {
		offsets = append(offsets, int(binary.BigEndian.Uint64(info)))
		info = info[8:]
	}
	for i, from := range append(offsets, len(file)) {
		if i == 0 {
			continue
		}
		block, left := file[offsets[i-1]:from-4], min(chunk, size-len(out))
		if len(block) >= most { // kept as it was
			out = append(out, block[:left]...)
			continue
		}
		plain, err := lz4.Decode(block[4:], left)
		if err != nil {
			t.Fatalf("%s: chunk %d: %v", path, i, err)
		}
		out = append(out, plain...)
	}
	return out
}
