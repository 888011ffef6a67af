package query

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestIntervalsAgainstScan compares intervals of several clustering columns with
// a scan, for every mix of ascending and descending columns.
func TestIntervalsAgainstScan(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for mix := range 8 {
		s := newSession()
		run := func(format string, args ...any) [][][]byte {
			t.Helper()
			rows, err := s.run(fmt.Sprintf(format, args...))
			if err != nil {
				t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
			}
			return rows
		}
		order := make([]string, 3)
		for i, c := range []string{"a", "b", "c"} {
			order[i] = c + []string{" ASC", " DESC"}[mix>>i&1]
		}
		run("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
		run("USE k")
		run("CREATE TABLE t (p int, a int, b int, c int, PRIMARY KEY (p, a, b, c)) WITH CLUSTERING ORDER BY (%s)", strings.Join(order, ", "))
		for i := range 64 {
			run("INSERT INTO t (p, a, b, c) VALUES (1, %d, %d, %d)", i>>4, i>>2&3, i&3)
		}
		for range 300 {
			checkInterval(t, rnd, mix, run)
		}
	}
}

func checkInterval(t *testing.T, rnd *rand.Rand, mix int, run func(string, ...any) [][][]byte) {
	t.Helper()
	columns := []string{"a", "b", "c"}
	from := rnd.IntN(2) // columns before it are fixed by = or IN
	var where []string
	var tests []func(row []int) bool
	if from == 1 {
		x := rnd.IntN(4)
		y := (x + 1 + rnd.IntN(3)) % 4
		where = append(where, fmt.Sprintf("a IN (%d, %d)", x, y))
		tests = append(tests, func(r []int) bool { return r[0] == x || r[0] == y })
	}
	for _, ops := range [][]string{{">", ">="}, {"<", "<="}} {
		n := rnd.IntN(len(columns) - from + 1)
		if n == 0 {
			continue
		}
		op := ops[rnd.IntN(2)]
		bound := make([]int, n)
		texts := make([]string, n)
		for i := range bound {
			bound[i] = rnd.IntN(5) - 1
			texts[i] = fmt.Sprint(bound[i])
		}
		where = append(where, fmt.Sprintf("(%s) %s (%s)", strings.Join(columns[from:from+n], ", "), op, strings.Join(texts, ", ")))
		tests = append(tests, func(r []int) bool {
			c := slices.Compare(r[from:from+n], bound)
			return map[string]bool{">": c > 0, ">=": c >= 0, "<": c < 0, "<=": c <= 0}[op]
		})
	}
	var want []string
	for i := range 64 {
		v := make([]int, 3)
		for k, shift := range []int{4, 2, 0} {
			if v[k] = i >> shift & 3; mix>>k&1 == 1 {
				v[k] = 3 - v[k]
			}
		}
		if !slices.ContainsFunc(tests, func(test func([]int) bool) bool { return !test(v) }) {
			want = append(want, fmt.Sprint(v))
		}
	}
	text := strings.Join(append([]string{"p = 1"}, where...), " AND ")
	var got []string
	for _, r := range run("SELECT a, b, c FROM t WHERE %s", text) {
		v := make([]int, 3)
		for k := range v {
			v[k] = int(r[k][3])
		}
		got = append(got, fmt.Sprint(v))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("mix %03b WHERE %s\ngot  %v\nwant %v", mix, text, got, want)
	}
}
