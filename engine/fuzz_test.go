package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"ringlab/engine"
	"ringlab/engine/render"
	"ringlab/engine/session"
)

// fuzzScript makes the tables that FuzzStatement is about, with rows.
var fuzzScript = []string{
	"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}", "USE ks",
	"CREATE TYPE addr (street text, zip int)",
	"CREATE TABLE t (p int, c1 int, c2 text, s text static, v int, w text, l list<int>, st set<text>, m map<text, int>, u addr, tu tuple<int, text>, PRIMARY KEY (p, c1, c2)) " +
		"WITH CLUSTERING ORDER BY (c1 DESC, c2 ASC)",
	"CREATE TABLE n (p int, c int, s counter static, hits counter, PRIMARY KEY (p, c))",
	"CREATE TABLE k (k blob PRIMARY KEY, ts timestamp, tu timeuuid, d duration, de decimal, f double, i inet, ve vector<float, 2>)",
	"INSERT INTO t (p, c1, c2, s, v, l, st, m, u, tu) VALUES (1, 1, 'a', 's', 5, [1, 2], {'a', 'b'}, {'a': 1}, {street: 'x'}, (1, null))",
	"INSERT INTO t (p, c1, c2, w) VALUES (1, 2, '', 'w') USING TTL 100", "UPDATE t SET s = 'only' WHERE p = 2", "INSERT INTO t (p, c1, c2) VALUES (3, 1, 'b')",
	":flush", "DELETE FROM t WHERE p = 1 AND c1 > 4", "UPDATE n SET hits = hits + 3, s = s + 1 WHERE p = 1 AND c = 1",
	"INSERT INTO k (k, ts, tu, d, de, f, i, ve) VALUES (0x00, 0, 13814000-1dd2-11b2-8080-808080808080, 1mo, 1.50, NaN, '::1', [1, 2])",
}

// FuzzStatement: no statement, no bytes that a client binds to it and no paging
// state make a lab panic; refusals have Cassandra's names and answers can be
// written down.
func FuzzStatement(f *testing.F) {
	for _, s := range []string{
		"SELECT * FROM t", "SELECT * FROM t WHERE p = ? AND c1 <= ? ORDER BY c1 ASC LIMIT ?", "SELECT DISTINCT p, s FROM t", "SELECT p, count(*) FROM t GROUP BY p, c1",
		"SELECT JSON * FROM k WHERE k = ?", "SELECT m['a'], st['a'..], u.zip, writetime(l), ttl(w), cast(v AS text), v / 0 FROM t PER PARTITION LIMIT 1", "SELECT * FROM n",
		"INSERT INTO t (p, c1, c2, s, v, w, l, st, m, u, tu) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?", "INSERT INTO t JSON ? DEFAULT UNSET",
		"INSERT INTO k (k, ts, tu, d, de, f, i, ve) VALUES (?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS", "UPDATE t SET l[?] = ?, m = m + ?, st = st - ?, u.zip = ? WHERE p = ? AND c1 = ? AND c2 = ?",
		"DELETE l[0], m['a'] FROM t WHERE p = 1 AND c1 = 1 AND c2 = 'a' IF v > ?", "DELETE FROM t WHERE p IN ? AND (c1, c2) >= (?, ?)", "UPDATE n SET hits += ? WHERE p = ? AND c = 1",
		"BEGIN BATCH UPDATE t SET s = ? WHERE p = 1 IF s = ?; DELETE FROM t WHERE p = 1 AND c1 = 2; APPLY BATCH", "TRUNCATE t", "ALTER TABLE t DROP s",
		"SELECT to_date(tu), floor(ts, 1h), d, abs(f), ve, similarity_cosine(ve, ?), mask_hash(k), blob_as_int(k) FROM k", "DESCRIBE ks",
	} {
		f.Add(s, []byte{4, 0, 0, 0, 1, 1, 'x', 254, 255}, []byte(nil), uint8(2))
		f.Add(s, []byte{0}, []byte{1, 1, 4, 0, 0, 0, 1, 8, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0}, uint8(1))
	}
	files, _ := filepath.Glob("testdata/golden/cql/*.json")
	for _, name := range files {
		data, err := os.ReadFile(name)
		var file struct{ Statements []struct{ CQL string } }
		if err == nil {
			err = json.Unmarshal(data, &file)
		}
		if err != nil {
			f.Fatal(name, err)
		}
		for _, s := range file.Statements {
			f.Add(s.CQL, []byte{0}, []byte(nil), uint8(0))
		}
	}
	named := regexp.MustCompile(`^(0x[0-9a-f]{4})?$`)
	f.Fuzz(func(t *testing.T, text string, values, state []byte, size uint8) {
		if len(text) > 2000 {
			return
		}
		lab, err := engine.New(engine.Options{Ring: "dc1=2"})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range fuzzScript {
			for _, a := range lab.Do(s) {
				if a.Error != nil {
					t.Fatal(s, a.Error)
				}
			}
		}
		p, a := lab.Prepare(text)
		if p != nil {
			v := session.Values{Page: session.Page{Size: int(size), State: state}}
			v.Args, v.Unset = cutValues(values, len(p.Meta.Variables))
			for range 3 {
				if a = lab.Execute(p, v); a.State == nil {
					break
				}
				v.Page.State = a.State
			}
		}
		if a.Error != nil && (!named.MatchString(a.Error.Code) || a.Error.Name == "" || a.Error.Message == "") {
			t.Fatalf("%q: %+v", text, a.Error)
		}
		if len(render.Text(a, false)) == 0 && a.Error != nil || len(render.JSON(a, true, false)) < 3 {
			t.Fatalf("%q answers what cannot be written down", text)
		}
	})
}

// cutValues cuts bytes into values: a length up to 253 and that many bytes, 254
// for unset and 255 for null.
func cutValues(b []byte, n int) (args [][]byte, unset []bool) {
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
