package cql

import "testing"

// Statements that the recordings leave out, or forms of them.
func TestMoreStatementsParse(t *testing.T) {
	for _, src := range []string{
		"CREATE ROLE IF NOT EXISTS 'Bob' WITH PASSWORD = 'x' AND SUPERUSER = true AND LOGIN = false AND OPTIONS = {'a': 'b'} AND ACCESS TO DATACENTERS {'dc1', 'dc2'} AND ACCESS FROM ALL CIDRS",
		"CREATE ROLE bob WITH HASHED PASSWORD = 'x' AND ACCESS TO ALL DATACENTERS AND ACCESS FROM CIDRS {'c'}",
		"ALTER ROLE IF EXISTS bob WITH LOGIN = true", "DROP ROLE IF EXISTS \"Bob\"",
		"CREATE USER bob WITH PASSWORD 'x' NOSUPERUSER", "ALTER USER bob SUPERUSER", "DROP USER IF EXISTS bob", "CREATE USER 'b' WITH HASHED PASSWORD 'h'",
		"GRANT SELECT ON ks.t TO bob", "GRANT ALL PERMISSIONS ON ALL KEYSPACES TO bob", "GRANT ALL ON KEYSPACE ks TO bob",
		"GRANT SELECT PERMISSION, MODIFY ON TABLE t TO 'bob'", "GRANT EXECUTE ON FUNCTION ks.f(int, list<text>) TO bob",
		"GRANT EXECUTE ON ALL FUNCTIONS IN KEYSPACE ks TO bob", "GRANT DESCRIBE ON ALL ROLES TO bob", "GRANT ALTER ON ROLE r TO bob",
		"GRANT SELECT ON ALL TABLES IN KEYSPACE ks TO bob", "GRANT EXECUTE ON MBEAN 'a:b=c' TO bob", "GRANT SELECT_MASKED ON t TO bob",
		"GRANT EXECUTE ON ALL MBEANS TO bob", "REVOKE UNMASK ON t FROM bob", "REVOKE boss FROM bob", "GRANT boss TO bob", "GRANT all TO bob",
		"LIST ROLES", "LIST ROLES OF bob NORECURSIVE", "LIST USERS", "LIST ALL PERMISSIONS", "LIST ALL PERMISSIONS ON ks.t OF bob NORECURSIVE", "LIST SELECT OF bob",
		"ADD IDENTITY IF NOT EXISTS 'id' TO ROLE bob", "DROP IDENTITY IF EXISTS 'id'",
		"CREATE TRIGGER IF NOT EXISTS tr ON ks.t USING 'a.B'", "DROP TRIGGER IF EXISTS tr ON t",
		"DESC cluster", "DESCRIBE FULL SCHEMA WITH INTERNALS", "DESCRIBE ONLY KEYSPACE ks", "DESC KEYSPACE", "DESC tables", "DESC ks.tables", "DESC only", "DESC type",
		"DESCRIBE TYPE ks.t", "DESC FUNCTION ks.f", "DESC AGGREGATE count", "DESC MATERIALIZED VIEW v WITH INTERNALS", "DESC INDEX ks.i", "DESC \"T\"",
		"CREATE TABLE t (a int, b text STATIC MASKED WITH DEFAULT, c 'a.B' MASKED WITH ks.f(1, 'x'), PRIMARY KEY ((a, b), c),) WITH COMPACT STORAGE AND CLUSTERING ORDER BY (c DESC) AND clustering = 'y' AND memtable = key AND id = 550e8400-e29b-41d4-a716-446655440000",
		"ALTER TABLE t ADD IF NOT EXISTS (a int STATIC, b ks.u)", "ALTER TABLE IF EXISTS t DROP IF EXISTS (a, b) USING TIMESTAMP 7", "ALTER TABLE t DROP compact",
		"ALTER TABLE t DROP COMPACT STORAGE", "ALTER TABLE t ALTER a TYPE int", "ALTER TABLE t ALTER IF EXISTS a MASKED WITH mask_null()", "ALTER TABLE t ALTER a DROP MASKED",
		"ALTER TABLE t RENAME IF EXISTS a TO b AND c TO d", "ALTER TYPE u ADD IF NOT EXISTS a frozen<list<ks.v>>", "ALTER TYPE u ALTER a TYPE int",
		"CREATE INDEX ON t (values)", "CREATE CUSTOM INDEX i ON t (keys(a), full(b), entries(c), values(d)) USING 'sai' WITH OPTIONS = {'a': 'b'}", "CREATE INDEX i ON t ()",
		"CREATE OR REPLACE AGGREGATE a(int) SFUNC f STYPE tuple<int, int> FINALFUNC g INITCOND (0, 0)", "DROP AGGREGATE IF EXISTS a(int)", "DROP FUNCTION ks.f()", "DROP FUNCTION f",
		"SELECT json FROM t", "SELECT JSON json FROM t", "SELECT distinct FROM t", "SELECT DISTINCT distinct FROM t", "SELECT json AS x FROM t", "SELECT JSON * FROM t",
		"SELECT count(*), count(1), ks.f(a).b[1..2], ttl(m[1]), writetime(u.f), (int) 1, - a, (a, b), {a: 1}, {1, 2}, [1], a[..1], a[1..], CAST(a + 1 AS text) FROM t GROUP BY a, floor(b, 1h) ORDER BY a DESC, v ANN OF [1, 2] PER PARTITION LIMIT :l LIMIT ?",
		"SELECT * FROM t WHERE expr(i, 'x') AND (a) = (1) AND (a, b) IN (?, :x) AND ((c > 1)) AND m CONTAINS KEY key.f(1) AND m CONTAINS KEY 'k' AND \"\" = 1",
		"UPDATE t SET a = 1 - 2 * 3, b = b -3, c = f(1) + c, d[1] = 2, u.x = 1, e -= 1 WHERE k = (int) 1 IF a[1] IN (1) AND u.x != 2 AND c CONTAINS 1 AND exists = 1",
		"BEGIN COUNTER BATCH USING TIMESTAMP ? UPDATE c SET a += 1 WHERE k = ? DELETE a[1], b.c, d FROM t WHERE k = 1 IF EXISTS; APPLY BATCH;;",
		"INSERT INTO t JSON :j DEFAULT UNSET IF NOT EXISTS USING TTL ? AND TIMESTAMP ?", "TRUNCATE ks.t", "USE \"Ks\"", "SELECT a FROM t -- c\n",
	} {
		tree, err := Parse(src)
		if err != nil {
			t.Errorf("%s\n\t%v", src, err)
			continue
		}
		checkRoundTrip(t, tree, src)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range [][2]string{
		{"", "line 0:-1 no viable alternative at input '<EOF>'"},
		{"SELECT a\nFROM t\nWHERE x y", "line 3:8 no viable alternative at input 'y' (SELECT aFROM tWHERE [x] y)"},
		{"CREATE OR FUNCTION f", "line 1:10 no viable alternative at input 'FUNCTION' ([CREATE] OR...)"},
		{"UPDATE t SET a = b - 1 WHERE k = 1", "Only expressions of the form X = X -<value> are supported."},
		{"UPDATE t SET a = b -1 WHERE k = 1", "Only expressions of the form X = X - <value> are supported."},
		{"UPDATE t SET a = 1 + b WHERE k = 1", "Only expressions of the form X = <value> + X are supported."},
		{"UPDATE t SET a += 1, a = 2 WHERE k = 1", "Multiple incompatible setting of column a"},
		{"USE ?", "Bind variables cannot be used for keyspace names"},
		{"DROP INDEX ?", "Bind variables cannot be used for index names"},
		{"GRANT SELECT ON t TO ?", "Bind variables cannot be used for role names"},
		{"ALTER TABLE t WITH a = {'x': ?}", "Invalid property value: ? for property: 'x' (bind variables are not supported in DDL queries)"},
		{"ALTER TABLE t WITH a = {'x': 1, 'x': 2}", "Multiple definition for property x"},
		{"CREATE TYPE enum (a int)", "Invalid (reserved) user type name enum"},
		{"CREATE TABLE t (a frozen<'x.Y'> PRIMARY KEY)", "frozen<> is only allowed on collections, tuples, and user-defined types (got 'x.Y')"},
		{"SELECT a FROM t -- open", "line 1:23 mismatched character '<EOF>' expecting set null"},
		{"SELECT a FROM t /* open", "line 1:23 mismatched character '<EOF>' expecting '*'"},
		{"SELECT \"a\nb", "line 2:1 mismatched character '<EOF>' expecting '\"'"},
		{"SELECT $$a", "line 1:10 mismatched character '<EOF>' expecting '$'"},
		{"SELECT a ! b", "line 1:10 mismatched character ' ' expecting '='"},
		{"SELECT 1e FROM t", "line 1:9 no viable alternative at character ' '"},
		{"SELECT 12345678-1 FROM t", "line 1:17 mismatched character ' ' expecting set null"},
		{"CREATE USER \"a\"", "Quoted strings are are not supported for user names and USER is deprecated, please use ROLE"},
	} {
		_, err := Parse(c[0])
		if err == nil || err.Error() != c[1] {
			t.Errorf("%s\n\tgot  %v\n\twant %s", c[0], err, c[1])
		}
	}
}

func TestMarkers(t *testing.T) {
	s := mustParse(t, "BEGIN BATCH USING TIMESTAMP ? INSERT INTO t (a, b) VALUES (:X, ?) DELETE FROM t WHERE a IN :\"Y\" APPLY BATCH").(*Batch)
	want := []string{"", "x", "", "Y"}
	if len(s.Markers) != len(want) {
		t.Fatalf("%d markers", len(s.Markers))
	}
	for i, m := range s.Markers {
		if m.Index != i || m.Name.Text != want[i] {
			t.Errorf("marker %d: %+v", i, m)
		}
	}
	if s.Statements[0].(*Insert).Markers != nil {
		t.Error("the markers belong to the batch")
	}
}

func TestPlacesInTheTree(t *testing.T) {
	src := "SELECT a,\n ks.f(b) FROM ks.t WHERE c = 'é' AND (d, e) > (1, ?)"
	s := mustParse(t, src).(*Select)
	for _, c := range []struct {
		got  Pos
		text string
	}{
		{s.Position(), "SELECT"}, {s.Selectors[1].Expr.Position(), "ks.f"}, {s.Table.Pos(), "ks.t"}, {s.Table.Name.Pos, "t WHERE"},
		{s.Where[0].Pos, "c ="}, {s.Where[0].Value.Position(), "'é'"}, {s.Where[1].Pos, "(d"}, {s.Where[1].Columns[1].Pos, "e)"},
		{s.Markers[0].Pos, "?"},
	} {
		if got := src[c.got.Offset:]; len(got) < len(c.text) || got[:len(c.text)] != c.text {
			t.Errorf("%+v is at %q, want %q", c.got, got, c.text)
		}
	}
	if p := s.Markers[0].Pos; p.Line != 2 || p.Col != len(" ks.f(b) FROM ks.t WHERE c = 'e' AND (d, e) > (1, ") {
		t.Errorf("marker at %+v", p)
	}
}
