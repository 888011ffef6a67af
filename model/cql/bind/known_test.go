package bind

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// boundOften are statements on the schema of the fuzz test that are bound again
// and again.
var boundOften = append([]string{
	"SELECT * FROM t WHERE p = ?", "SELECT v, w FROM t WHERE p = ? AND c1 IN (?, 3, 1) LIMIT ?", "SELECT v FROM t WHERE p IN (3, ?, 1) AND c1 > ? AND c1 <= ?",
	"SELECT c1, l FROM t WHERE p = 1 AND c1 = ? AND c2 IN ('b', 'a') PER PARTITION LIMIT ?", "SELECT DISTINCT p, s FROM t WHERE token(p) > ?", "SELECT * FROM t WHERE v = ? AND w > 'x' ALLOW FILTERING",
	"INSERT INTO t (p, c1, c2, v, w) VALUES (?, ?, 'x', ?, 'w')", "INSERT INTO t (p, c1, c2, l, m) VALUES (1, 2, ?, [1, ?], {?: 2}) USING TTL ? AND TIMESTAMP ?", "INSERT INTO k (a, b, v) VALUES (?, ?, 7) IF NOT EXISTS",
	"UPDATE t SET v = ?, m[?] = 1 WHERE p IN (2, 1, ?) AND c1 = 1 AND c2 = 'x'", "UPDATE n SET hits = hits + ? WHERE p = ? AND c = 3", "UPDATE t SET s = ? WHERE p = ? IF s = ?",
	"DELETE FROM t WHERE p = ? AND c1 > ? AND c1 < 9", "DELETE v, m[?] FROM t WHERE p = 1 AND c1 = ? AND c2 = 'y'", "DELETE FROM t USING TIMESTAMP ? WHERE p = ?",
	"INSERT INTO all_types (k, ts, tu) VALUES (00000000-0000-0000-0000-000000000001, 'now', now())", "INSERT INTO no (a) VALUES (?)",
}, fuzzStatements...)

// TestKnown: a statement that was checked once means what it means when it is
// checked anew, whatever was bound to it before, and what it meant then stays.
func TestKnown(t *testing.T) {
	env := envWith(t, fuzzSchema...)
	changed, err := parsedAndBound("ALTER TABLE t DROP w", env)
	if err != nil {
		t.Fatal(err)
	}
	values := [][]byte{nil, {}, types.EncodeInt32(1), types.EncodeInt32(5), types.EncodeInt32(-1), types.EncodeInt64(7), []byte("x"), []byte("b"), []byte(`{"p": 1, "c1": 2, "c2": "x", "v": 3}`),
		types.EncodeCollection([][]byte{types.EncodeInt32(2), types.EncodeInt32(1)})}
	again := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(boundOften).Draw(t, "statement")
		st, err := cql.Parse(text)
		if err != nil {
			return
		}
		type meaning struct {
			env   Env
			plan  plan.Plan
			wrong error
		}
		var known Known
		var all []meaning
		for range rapid.IntRange(2, 5).Draw(t, "times") {
			own := *env
			switch rapid.IntRange(0, 9).Draw(t, "other") {
			case 0:
				own.Schema = changed.(*plan.SchemaChange).After
			case 1:
				own.Keyspace = "other"
			case 2:
				own.Now = func() int64 { return 1_800_000_000_000_000 }
			}
			for range Markers(st) + rapid.IntRange(-3, 3).Draw(t, "more")/3 {
				own.Args = append(own.Args, rapid.SampledFrom(values).Draw(t, "value"))
				own.Unset = append(own.Unset, rapid.IntRange(0, 9).Draw(t, "unset") == 0)
			}
			if known.fits(&own) {
				again++
			}
			p, err := known.Bind(st, &own)
			all = append(all, meaning{own, p, err})
		}
		for i, m := range all {
			want, err := Bind(st, &m.env)
			twice, _ := Bind(st, &m.env)
			same := reflect.DeepEqual(want, twice) // no function or new id is in it
			if !reflect.DeepEqual(m.wrong, err) || same && !reflect.DeepEqual(m.plan, want) {
				t.Fatalf("%s\nmeans at time %d %+v %v\nand known        %+v %v", text, i+1, want, err, m.plan, m.wrong)
			}
		}
	})
	if again == 0 {
		t.Fatal("nothing was known")
	}
}
