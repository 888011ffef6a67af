package serve_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine/host"
)

// inFlight is how many requests the benchmarks have under way.
const inFlight = 64

// target is a session on a served lab, with its journal on or without one, or on
// a real node where $RINGLAB_REAL names one.
func target(b *testing.B, kind string) *gocql.Session {
	switch kind {
	case "memory":
		return session2(b, serving(b, "dc1=1", "127.0.13.1"), "", nil)
	case "journal":
		store, err := host.Open(filepath.Join(b.TempDir(), "bench.ringlab"), host.OpenOptions{Ring: "dc1=1"})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { store.Close() })
		s := start(b, store, "127.0.11.1")
		return session2(b, s, "", nil)
	}
	where := os.Getenv("RINGLAB_REAL")
	if where == "" {
		b.Skip("RINGLAB_REAL names no node")
	}
	name, port, _ := strings.Cut(where, ":")
	c := gocql.NewCluster(name)
	if c.Port, _ = strconv.Atoi(port); c.Port == 0 {
		c.Port = 9042
	}
	c.Timeout, c.Consistency = 20*time.Second, gocql.One
	session, err := c.CreateSession()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(session.Close)
	return session
}

// parallel runs a piece of work b.N times, many at once, and reports the rate
// and the 99th percentile of how long one takes.
func parallel(b *testing.B, work func(i int) error) {
	b.ReportAllocs()
	b.ResetTimer()
	begun := time.Now()
	var next sync.Mutex
	n := 0
	var wait sync.WaitGroup
	took := make([][]time.Duration, inFlight)
	for w := range inFlight {
		wait.Go(func() {
			for {
				next.Lock()
				i := n
				n++
				next.Unlock()
				if i >= b.N {
					return
				}
				at := time.Now()
				if err := work(i); err != nil {
					b.Error(err)
					return
				}
				took[w] = append(took[w], time.Since(at))
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/time.Since(begun).Seconds(), "req/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}

func both(b *testing.B, run func(b *testing.B, s *gocql.Session)) {
	for _, kind := range []string{"journal", "memory", "real"} {
		b.Run(kind, func(b *testing.B) {
			s := target(b, kind)
			const ks = "ringlab_bench"
			for _, text := range []string{"DROP KEYSPACE IF EXISTS " + ks, "CREATE KEYSPACE " + ks + " WITH replication = {'class':'SimpleStrategy','replication_factor':1}",
				"CREATE TABLE " + ks + ".t (k int, c int, v text, PRIMARY KEY (k, c))"} {
				if err := s.Query(text).Exec(); err != nil {
					b.Fatal(err)
				}
			}
			defer s.Query("DROP KEYSPACE " + ks).Exec()
			run(b, s)
		})
	}
}

func BenchmarkInsert(b *testing.B) {
	both(b, func(b *testing.B, s *gocql.Session) {
		parallel(b, func(i int) error {
			return s.Query("INSERT INTO ringlab_bench.t (k, c, v) VALUES (?, ?, ?)", i%1000, i, "a value of some length").Exec()
		})
	})
}

func BenchmarkSlice(b *testing.B) {
	both(b, func(b *testing.B, s *gocql.Session) {
		for c := range 100 {
			for k := range 10 {
				if err := s.Query("INSERT INTO ringlab_bench.t (k, c, v) VALUES (?, ?, ?)", k, c, fmt.Sprintf("value %d", c)).Exec(); err != nil {
					b.Fatal(err)
				}
			}
		}
		parallel(b, func(i int) error {
			iter := s.Query("SELECT c, v FROM ringlab_bench.t WHERE k = ?", i%10).Iter()
			rows, c, v := 0, 0, ""
			for iter.Scan(&c, &v) {
				rows++
			}
			if err := iter.Close(); err != nil || rows != 100 {
				return fmt.Errorf("%d rows, %v", rows, err)
			}
			return nil
		})
	})
}
