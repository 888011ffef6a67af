package bind

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ringlab/model/cql"
	"ringlab/model/plan"
)

// fuzzSchema has all that a statement can be about.
var fuzzSchema = []string{
	"CREATE TYPE addr (street text, zip int)",
	"CREATE TYPE person (name text, home frozen<addr>, tags set<text>)",
	"CREATE TABLE t (p int, c1 int, c2 text, s text static, sm map<int, text> static, v int, w text, l list<int>, st set<text>, m map<text, int>, fl frozen<list<int>>, " +
		"u addr, fu frozen<person>, tu tuple<int, text>, ve vector<float, 3>, PRIMARY KEY (p, c1, c2)) WITH CLUSTERING ORDER BY (c1 DESC, c2 ASC)",
	"CREATE TABLE n (p int, c int, s counter static, hits counter, PRIMARY KEY (p, c))",
	"CREATE TABLE k (a int, b text, v int, PRIMARY KEY ((a, b)))",
	"CREATE TABLE all_types (k uuid PRIMARY KEY, a ascii, bi bigint, b blob, bo boolean, d date, de decimal, do double, du duration, f float, i inet, si smallint, " +
		"t time, ts timestamp, tu timeuuid, ti tinyint, vi varint)",
}

// fuzzStatements are statements on that schema.
var fuzzStatements = []string{
	"SELECT * FROM t WHERE p = ? AND (c1, c2) > (?, ?) ORDER BY c1 DESC, c2 ASC LIMIT ?",
	"SELECT p, count(*), sum(v), max(w) FROM t WHERE p IN ? GROUP BY p, c1 PER PARTITION LIMIT 2 ALLOW FILTERING",
	"SELECT JSON DISTINCT p, s FROM t WHERE token(p) > token(?) AND token(p) <= 7",
	"SELECT m['a'], st['a'..], u.street, fu.home.zip, writetime(v), ttl(m['a']), cast(v AS text), (double) 1 + v * 2, to_json(fl), - v FROM t WHERE m CONTAINS KEY 'x' ALLOW FILTERING",
	"INSERT INTO t (p, c1, c2, l, st, m, fl, u, fu, tu, ve) VALUES (1, 2, 'x', [1], {'a'}, {'a': 1}, [], {street: 's'}, {name: 'n', home: {zip: 1}}, (1, null), [1, 2, 3]) USING TTL ? AND TIMESTAMP ?",
	`INSERT INTO t JSON '{"p": 1, "c1": 2, "c2": "x", "l": [1], "m": {"a": 1}, "u": {"zip": null}, "tu": [1, "b"]}' DEFAULT UNSET`,
	"INSERT INTO t JSON ? IF NOT EXISTS",
	"UPDATE t USING TTL ? AND TTL ? SET v = ?, l[0] = ?, l = [1] + l, st = st - ?, m['a'] = null, u.zip = 3, s = 'x' WHERE p = ? AND c1 = ? AND c2 IN ('a', ?)",
	"UPDATE t SET v = 1 WHERE p = 1 AND c1 = 2 AND c2 = 'x' IF v > ? AND l[0] IN (1, ?) AND m['a'] != null AND u.zip = 4 AND st CONTAINS 'a' AND s IN ?",
	"DELETE v, l[1], m[?], u.street FROM t USING TIMESTAMP ? WHERE p = 1 AND c1 = 1 AND c2 = 'x' IF EXISTS",
	"DELETE FROM t WHERE p IN (1, 2) AND c1 > ? AND c1 <= 9",
	"UPDATE n SET hits = hits + ?, s -= 3 WHERE p = 1 AND c = 2",
	"BEGIN COUNTER BATCH UPDATE n SET hits += ? WHERE p = 1 AND c = 2; APPLY BATCH",
	"BEGIN BATCH USING TIMESTAMP ? INSERT INTO k (a, b) VALUES (?, :b); DELETE FROM k WHERE a = 1 AND b = :b; UPDATE t SET s = null WHERE p = 1; APPLY BATCH",
	"INSERT INTO all_types (k, a, bi, b, bo, d, de, do, du, f, i, si, t, ts, tu, ti, vi) VALUES (uuid(), 'a', 1, 0x00, true, '2020-01-01', 1.5, 1e5, 1mo, NaN, '::1', 1, '01:02:03', 0, now(), 1, 99999999999999999999)",
	"SELECT k, to_timestamp(tu), d - 1d, ts + 1h, de / vi, abs(f), min_timeuuid(ts), mask_inner(a, 1, 1), floor(ts, 1h) FROM all_types WHERE k = ? AND bi = ? ALLOW FILTERING",
	"ALTER TABLE t ADD (x frozen<map<text, frozen<addr>>>, y duration)", "ALTER TABLE t DROP v USING TIMESTAMP 5", "ALTER TYPE addr ADD x int", "DESCRIBE FULL SCHEMA WITH INTERNALS",
	"CREATE TABLE z (k frozen<set<int>>, c timeuuid, v vector<addr, 2>, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC) AND compaction = {'class': 'LeveledCompactionStrategy'} AND comment = 'x'",
	"TRUNCATE t", "DROP TYPE person", "USE ks",
}

// envWith is an environment with a keyspace ks, which is used, and what statements
// make in it.
func envWith(t testing.TB, statements ...string) *Env {
	t.Helper()
	env := newEnv()
	for _, s := range append([]string{"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", "USE ks"}, statements...) {
		p, err := parsedAndBound(s, env)
		if err != nil {
			t.Fatal(s, err)
		}
		switch p := p.(type) {
		case *plan.Use:
			env.Keyspace = p.Keyspace
		case *plan.SchemaChange:
			env.Schema = p.After
		}
	}
	return env
}

// FuzzBind: no statement, and no bytes that a client binds to one, make the
// binder panic; what it refuses is a typed refusal.
func FuzzBind(f *testing.F) {
	for _, s := range fuzzStatements {
		f.Add(s, []byte{4, 0, 0, 0, 1, 255, 1, 'x', 254})
	}
	files, _ := filepath.Glob("../testdata/cql/*.json")
	for _, name := range files {
		data, err := os.ReadFile(name)
		var file struct{ Statements []recorded }
		if err == nil {
			err = json.Unmarshal(data, &file)
		}
		if err != nil {
			f.Fatal(name, err)
		}
		for _, s := range file.Statements {
			f.Add(s.CQL, []byte{0})
		}
	}
	if len(files) == 0 {
		f.Fatal("no recordings")
	}
	base := envWith(f, fuzzSchema...)
	f.Fuzz(func(t *testing.T, text string, values []byte) {
		if len(text) > 4000 {
			return
		}
		st, err := cql.Parse(text)
		if err != nil {
			return
		}
		env := *base
		typed := func(err error) {
			var refused *plan.Error
			var syntax *cql.SyntaxError
			switch {
			case err == nil || errors.As(err, &syntax) && syntax.Message != "":
			case !errors.As(err, &refused):
				t.Fatalf("%q: %T %v", text, err, err)
			case refused.Message == "":
				t.Fatalf("%q: %s %q", text, refused.Code, refused.Message)
			}
		}
		_, err = Bind(st, &env)
		typed(err)
		meta, err := Prepare(st, &env)
		typed(err)
		if err != nil || meta == nil {
			return
		}
		for i, v := range meta.Variables {
			if v.Type == nil || v.Name == "" {
				t.Fatalf("%q: variable %d is %v", text, i, v)
			}
		}
		env.Args, env.Unset = boundValues(values, len(meta.Variables))
		_, err = Bind(st, &env)
		typed(err)
	})
}

// boundValues cuts bytes into values: a length up to 253 and that many bytes,
// 254 for unset and 255 for null.
func boundValues(b []byte, n int) (args [][]byte, unset []bool) {
	for range n {
		switch {
		case len(b) == 0 || b[0] == 255:
			args, unset = append(args, nil), append(unset, false)
		case b[0] == 254:
			args, unset = append(args, nil), append(unset, true)
		default:
			size := min(int(b[0]), len(b)-1)
			args, unset = append(args, b[1:1+size:1+size]), append(unset, false)
			b = b[size:]
		}
		b = b[min(1, len(b)):]
	}
	return args, unset
}
