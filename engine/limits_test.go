package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/session"
)

// list is n times what item gives, between commas.
func list(n int, item func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = item(i)
	}
	return strings.Join(parts, ", ")
}

func number(i int) string { return fmt.Sprint(i) }

// TestLimits asks for more than anybody should. The answers are a real node's,
// or a clear limit, and none takes long.
func TestLimits(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}", "USE ks",
		"CREATE TABLE t (k text, c text, c2 text, v text, l list<int>, s set<text>, m map<text, int>, PRIMARY KEY (k, c, c2))",
		"CREATE TABLE k2 (a text, b text, v int, PRIMARY KEY ((a, b)))",
		"CREATE TABLE n (k int, c int, v int, PRIMARY KEY (k, c))",
		"CREATE TABLE vectors (k int PRIMARY KEY, v vector<float, 8193>)",
		"CREATE TYPE u0 (a int)",
	} {
		if a := lab.Do(s)[0]; a.Error != nil {
			t.Fatal(s, a.Error)
		}
	}
	for i := range 40 {
		if a := lab.Do(fmt.Sprintf("CREATE TYPE u%d (a frozen<u%d>)", i+1, i))[0]; a.Error != nil {
			t.Fatal(i, a.Error)
		}
	}
	const (
		fine    = ""
		tooLong = "Key length of 65536 is longer than maximum of 65535"
		long1   = "Key length of 65537 is longer than maximum of 65535"
		long2   = "Key length of 80000 is longer than maximum of 65535"
		deep    = "Statement is nested too deeply"
	)
	x := strings.Repeat("a", 65536)
	half := x[:40000]
	insert := func(n int) string {
		return "INSERT INTO n (k, c, v) VALUES (" + list(n, func(int) string { return "1" }) + ")"
	}
	insertInto := func(n int) string {
		return "INSERT INTO n (" + list(n, func(i int) string { return fmt.Sprintf("c%d", i) }) + ") VALUES (" + list(n, func(int) string { return "1" }) + ")"
	}
	nested := func(open, in, closing string, n int) string {
		return strings.Repeat(open, n) + in + strings.Repeat(closing, n)
	}
	batch := func(kind, row string) string {
		var b strings.Builder
		b.WriteString("BEGIN " + kind + "BATCH ")
		for i := range 10_000 {
			fmt.Fprintf(&b, row, i)
		}
		return b.String() + "APPLY BATCH"
	}
	for _, c := range []struct{ name, text, want string }{
		{"column of 64 KB", "SELECT " + x + " FROM t", "Undefined column name " + x + " in table ks.t"},
		{"new column of 64 KB", "CREATE TABLE wide1 (k int PRIMARY KEY, " + x + " int)", fine},
		{"new table of 222", "CREATE TABLE " + x[:222] + " (k int PRIMARY KEY)", fine},
		{"new table of 64 KB", "CREATE TABLE " + x + " (k int PRIMARY KEY)", "ringlab does not support table names of more than 222 characters; Cassandra 5.0 fails to make directories for them, so choose a shorter one"},
		{"key of 65535 bytes", "INSERT INTO t (k, c, c2) VALUES ('" + x[1:] + "', '', '')", fine},
		{"key of 65536 bytes", "INSERT INTO t (k, c, c2) VALUES ('" + x + "', '', '')", tooLong},
		{"read of such a key", "SELECT * FROM t WHERE k = '" + x + "'", tooLong},
		{"read of such keys", "SELECT * FROM t WHERE k IN ('a', '" + x + "')", tooLong},
		{"deletion of such a key", "DELETE FROM t WHERE k = '" + x + "'", tooLong},
		{"token of such a key", "SELECT k FROM t WHERE token(k) > token('" + x + "')", fine},
		{"key component of 64 KB", "INSERT INTO k2 (a, b) VALUES ('" + x + "', 'b')", long1},
		{"key of two halves", "INSERT INTO k2 (a, b) VALUES ('" + half + "', '" + half + "')", long2},
		{"read of two halves", "SELECT * FROM k2 WHERE a = '" + half + "' AND b = '" + half + "'", long2},
		{"clustering of 65535 bytes", "INSERT INTO t (k, c, c2) VALUES ('a', '" + x[1:] + "', '')", fine},
		{"clustering of 65536 bytes", "INSERT INTO t (k, c, c2) VALUES ('a', '" + x + "', '')", tooLong},
		{"clustering of two halves", "INSERT INTO t (k, c, c2) VALUES ('a', '" + half + "', '" + half + "')", long2},
		{"update of such a row", "UPDATE t SET v = '1' WHERE k = 'a' AND c = '" + x + "' AND c2 = 'b'", long1},
		{"read by such a prefix", "SELECT v FROM t WHERE k = 'a' AND c = '" + x + "'", fine},
		{"read of two halves in a row", "SELECT v FROM t WHERE k = 'a' AND c = '" + half + "' AND c2 = '" + half + "'", fine},
		{"slice from there", "SELECT v FROM t WHERE k = 'a' AND c > '" + x + "'", fine},
		{"deletion by such a prefix", "DELETE FROM t WHERE k = 'a' AND c = '" + x + "'", fine},
		{"set element of 64 KB", "UPDATE t SET s = {'" + x + "'} WHERE k = 'a' AND c = 'b' AND c2 = 'c'", fine},
		{"map key of 64 KB", "UPDATE t SET m['" + x + "'] = 1 WHERE k = 'a' AND c = 'b' AND c2 = 'c'", fine},
		{"list of 70,000", "UPDATE t SET l = [" + list(70_000, number) + "] WHERE k = 'a' AND c = 'b' AND c2 = 'c'", fine},
		{"its removal", "UPDATE t SET l = l - [" + list(70_000, number) + "] WHERE k = 'a' AND c = 'b' AND c2 = 'c'", fine},
		{"set of 70,000", "UPDATE t SET s = {" + list(70_000, func(i int) string { return fmt.Sprintf("'%d'", i) }) + "} WHERE k = 'a' AND c = 'b' AND c2 = 'c'", fine},
		{"IN of 1 MB", "SELECT v FROM n WHERE k = 1 AND c IN (" + list(150_000, number) + ")", fine},
		{"partitions in IN", "SELECT v FROM n WHERE k IN (" + list(20_000, number) + ")", fine},
		{"batch of 10,000 on a partition", batch("", "INSERT INTO n (k, c, v) VALUES (1, %d, 1); "), fine},
		{"batch of 10,000 partitions", batch("", "INSERT INTO n (k, c, v) VALUES (%d, 1, 1); "), "Batch too large"},
		{"unlogged batch of 10,000 partitions", batch("UNLOGGED ", "INSERT INTO n (k, c, v) VALUES (%d, 1, 1); "), "Batch too large"},
		{"statement of 4 MB", "INSERT INTO t (k, c, c2, v) VALUES ('5', '', '', '" + strings.Repeat("x", 4_000_000) + "')", fine},
		{"statement of 5 MB", "INSERT INTO t (k, c, c2, v) VALUES ('5','','','" + strings.Repeat("x", 5_000_000) + "')",
			"CQL Message of size 5000067 bytes exceeds allowed maximum of 4194304 bytes"},
		{"markers without values", "SELECT v FROM n WHERE k = 1 AND c IN (" + strings.Repeat("?, ", 65535) + "?)", "Invalid amount of bind variables"},
		{"more values than columns", insert(100_000), "Unmatched column names/values"},
		{"vector of 8,193", "INSERT INTO vectors (k, v) VALUES (1, [" + list(8193, func(int) string { return "1" }) + "])", fine},
		{"its read", "SELECT * FROM vectors", fine},
		{"one too few", "INSERT INTO vectors (k, v) VALUES (1, [" + list(8192, func(int) string { return "1" }) + "])",
			"Invalid vector literal for v of type vector<float, 8193>; expected 8193 elements, but given 8192"},
		{"vector of a billion", "CREATE TABLE billion (k int PRIMARY KEY, v vector<int, 1000000000>)", fine},
		{"its value", "INSERT INTO billion (k, v) VALUES (1, [1, 2])", "Invalid vector literal for v of type vector<int, 1000000000>; expected 1000000000 elements, but given 2"},
		{"frozen 200 deep", "CREATE TABLE nested (k int PRIMARY KEY, v " + nested("frozen<list<", "int", ">>", 200) + ")", fine},
		{"its value", "INSERT INTO nested (k, v) VALUES (1, " + nested("[", "1", "]", 200) + ")", fine},
		{"its read", "SELECT JSON * FROM nested", fine},
		{"frozen 300 deep", "CREATE TABLE deeper (k int PRIMARY KEY, v " + nested("frozen<list<", "int", ">>", 300) + ")", deep},
		{"types in types", "CREATE TABLE types (k int PRIMARY KEY, v frozen<u40>)", fine},
		{"its value", "INSERT INTO types (k, v) VALUES (1, " + nested("{a: ", "1", "}", 41) + ")", fine},
		{"its description", "DESCRIBE KEYSPACE ks", fine},
		{"parentheses 400 deep", "INSERT INTO n (k, c, v) VALUES (1, 1, " + nested("(", "1", ")", 400) + ")", fine},
		{"parentheses 600 deep", "INSERT INTO n (k, c, v) VALUES (1, 1, " + nested("(", "1", ")", 600) + ")", deep},
		{"sum of 400", "SELECT v" + strings.Repeat(" + 1", 400) + " FROM n WHERE k = 1 AND c = 1", fine},
		{"sum of 600", "SELECT v" + strings.Repeat(" + 1", 600) + " FROM n WHERE k = 1", deep},
		{"10,000 columns", "CREATE TABLE wide (k int PRIMARY KEY, " + list(10_000, func(i int) string { return fmt.Sprintf("c%d int", i) }) + ")", fine},
		{"a row of them", "INSERT INTO wide (k, " + list(10_000, func(i int) string { return fmt.Sprintf("c%d", i) }) + ") VALUES (1, " + list(10_000, number) + ")", fine},
		{"its read", "SELECT * FROM wide", fine},
		{"its update", "UPDATE wide SET " + list(10_000, func(i int) string { return fmt.Sprintf("c%d = 1", i) }) + " WHERE k = 1 IF c1 = 1", fine},
		{"all of them tested", "UPDATE wide SET c1 = 2 WHERE k = 1 IF " + strings.ReplaceAll(list(10_000, func(i int) string { return fmt.Sprintf("c%d > 0", i) }), ",", " AND"), fine},
		{"all of them filtered", "SELECT k FROM wide WHERE " + strings.ReplaceAll(list(10_000, func(i int) string { return fmt.Sprintf("c%d > 0", i) }), ",", " AND") + " ALLOW FILTERING", fine},
		{"all of them added up", "SELECT " + list(10_000, func(i int) string { return fmt.Sprintf("sum(c%d)", i) }) + " FROM wide", fine},
		{"all of them deleted", "DELETE " + list(10_000, func(i int) string { return fmt.Sprintf("c%d", i) }) + " FROM wide WHERE k = 1", fine},
		{"all but one dropped", "ALTER TABLE wide DROP (" + list(9_999, func(i int) string { return fmt.Sprintf("c%d", i) }) + ")", fine},
		{"a row of the last", "INSERT INTO wide (k, c9999) VALUES (1, 1)", fine},
		{"its read", "SELECT * FROM wide", fine},
		{"300,000 columns", insertInto(300_000), "Undefined column name c0 in table ks.n"},
		{"a type of 300,000 fields", "CREATE TYPE more (" + list(300_000, func(i int) string { return fmt.Sprintf("f%d int", i) }) + ")", fine},
		{"a value of 300,000 fields", "INSERT INTO types (k, v) VALUES (1, {" + list(300_000, func(i int) string { return fmt.Sprintf("f%d: 1", i) }) + "})",
			"Unknown field 'f50970' in value of user defined type u40"},
		{"a column 500,000 times", "SELECT " + list(500_000, func(int) string { return "v" }) + " FROM n WHERE k = 1 AND c = 1", fine},
		{"a condition 100,000 times", "UPDATE n SET v = 1 WHERE k = 1 AND c = 1 IF " + strings.Repeat("v = 1 AND ", 100_000) + "v = 1", fine},
		{"a relation 100,000 times", "SELECT v FROM n WHERE " + strings.Repeat("v > 1 AND ", 100_000) + "v > 1 ALLOW FILTERING",
			"More than one restriction was found for the start bound on v"},
		{"a map of 200,000", "UPDATE t SET m = {" + list(200_000, func(i int) string { return fmt.Sprintf("'%d': 1", i) }) + "} WHERE k = 'a' AND c = 'b' AND c2 = 'c'", fine},
		{"JSON of 1 MB", "INSERT INTO t JSON '{\"k\": \"a\", \"c\": \"b\", \"c2\": \"c\", \"l\": [" + list(150_000, number) + "]}'", fine},
		{"JSON 100,000 deep", "INSERT INTO t JSON '{\"k\": " + nested("[", "1", "]", 100_000) + "}'", "Could not decode JSON string as a map: com.fasterxml.jackson.core.JsonParseException: nested more than 500 deep"},
		{"a type of 10,000 fields", "CREATE TYPE fields (" + list(10_000, func(i int) string { return fmt.Sprintf("f%d int", i) }) + ")", fine},
	} {
		before := allocated()
		a := lab.Do(c.text)[0]
		bytes := allocated() - before
		got := ""
		if a.Error != nil {
			got = a.Error.Message
		}
		if got != c.want && (c.want == "" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %.200q, want %.200q", c.name, got, c.want)
		}
		if most := 64<<20 + 1000*len(c.text); bytes > uint64(most) {
			t.Errorf("%s: %d MB", c.name, bytes>>20)
		}
		t.Logf("%-34s %6d KB of text %5d MB", c.name, len(c.text)>>10, bytes>>20)
	}
}

// allocated is what was ever allocated, in bytes.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestMarkerLimit prepares as many markers as there can be, and one more.
func TestMarkerLimit(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Do("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	lab.Do("CREATE TABLE ks.n (k int, c int, PRIMARY KEY (k, c))")
	in := func(n int) string {
		return "SELECT c FROM ks.n WHERE k = 1 AND c IN (" + strings.Repeat("?, ", n-1) + "?)"
	}
	p, a := lab.Prepare(in(65535))
	if p == nil || len(p.Meta.Variables) != 65535 {
		t.Fatal("65,535 markers:", a.Error)
	}
	values := make([][]byte, 65535)
	for i := range values {
		values[i] = []byte{0, 0, byte(i >> 8), byte(i)}
	}
	if a := lab.Execute(p, session.Values{Args: values, Unset: make([]bool, len(values))}); a.Error != nil {
		t.Error(a.Error)
	}
	want := "Too many markers(?). 65536 markers exceed the allowed maximum of 65535"
	if p, a := lab.Prepare(in(65536)); p != nil || a.Error.Message != want {
		t.Errorf("65,536 markers: %v, want %s", a.Error, want)
	}
}
