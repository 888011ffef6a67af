package bind

import (
	"os"
	"strings"
	"testing"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// run binds statements one after the other and gives the last refusal.
func run(t *testing.T, env *Env, statements ...string) error {
	t.Helper()
	var last error
	for _, s := range statements {
		st, err := cql.Parse(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		p, err := Bind(st, env)
		last = err
		switch p := p.(type) {
		case *plan.Use:
			env.Keyspace = p.Keyspace
		case *plan.SchemaChange:
			env.Schema = p.After
		}
	}
	return last
}

func inKeyspace(t *testing.T, statements ...string) *Env {
	t.Helper()
	env := newEnv()
	all := append([]string{"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", "USE ks"}, statements...)
	for _, s := range all {
		if err := run(t, env, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return env
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		setup, statement, code, message string
	}{
		{"", "CREATE TABLE system.x (k int PRIMARY KEY)", "0x2100", "system keyspace is not user-modifiable."},
		{"", "CREATE TABLE system_auth.x (k int PRIMARY KEY)", "0x2100", "Cannot CREATE <all tables in system_auth>"},
		{"", "TRUNCATE system.local", "0x2200", "ringlab does not support writes to the tables of system; their rows are made up when they are read; change what they tell of"},
		{"", "CREATE TABLE t (k int, a int, PRIMARY KEY (k, a)) WITH CLUSTERING ORDER BY (a ASC, a DESC)", "0x2200",
			"Duplicate column 'a' in CLUSTERING ORDER BY clause for table 't'"},
		{"", "CREATE TABLE t (k int PRIMARY KEY, v set<other.u>)", "0x2200", "Non-frozen UDTs are not allowed inside collections: set<other.u>"},
		{"", "CREATE TABLE t (k int PRIMARY KEY, v frozen<other.u>)", "0x2200",
			"Statement on keyspace ks cannot refer to a user type in keyspace other; user types can only be used in the keyspace they are defined in"},
		{"", "CREATE TABLE t (k int PRIMARY KEY) WITH id = 'x'", "0x2300", "Invalid table id"},
		{"", "CREATE TABLE t (k int PRIMARY KEY, a int, b int) WITH COMPACT STORAGE AND gc_grace_seconds = -1", "0x2300",
			"gc_grace_seconds must be greater than or equal to 0 (got -1)"},
		{"CREATE TYPE u (l list<int>)", "CREATE TABLE t (k int PRIMARY KEY, v u)", "0x2200",
			"Non-frozen UDTs with nested non-frozen collections are not supported"},
		{"CREATE TYPE u (a int)", "ALTER TYPE u ADD b frozen<u>", "0x2200",
			"Cannot add new field b of type frozen<ks.u> to user type ks.u as it would create a circular reference"},
		{"CREATE TYPE u (a int); CREATE TYPE w (b frozen<u>)", "DROP TYPE u", "0x2200",
			"Cannot drop user type 'ks.u' as it is still used by user types w"},
		{"CREATE TYPE u (a int); CREATE TABLE t (k frozen<u> PRIMARY KEY)", "ALTER TYPE u ADD b int", "0x2200",
			"Cannot add new field b of type int to user type ks.u as the type is being used in partition key by the following tables: ks.t"},
		{"CREATE TYPE u (a int); CREATE TABLE t (k int PRIMARY KEY, v u)", "ALTER TABLE t DROP v", "0x2200",
			"Cannot drop non-frozen column v of user type u"},
		{"CREATE TABLE t (k int, c int, s int static, v int, PRIMARY KEY (k, c)); ALTER TABLE t DROP s", "ALTER TABLE t ADD s int", "0x2200",
			"Cannot re-add previously dropped column 's' of kind REGULAR, incompatible with previous kind STATIC"},
		{"CREATE TABLE t (k int PRIMARY KEY, n counter)", "ALTER TABLE t WITH default_time_to_live = 5", "0x2200",
			"Cannot set default_time_to_live on a table with counters"},
		{"", "CREATE KEYSPACE k2 WITH replication = {'class': 'LocalStrategy'}", "0x2200",
			"Unable to use given strategy class: LocalStrategy is reserved for internal use."},
		{"", "CREATE INDEX ON t (v)", "0x2200", "Table 't' doesn't exist"},
		{"", "DESCRIBE TABLE nope.t", "0x2200", "'nope' not found in keyspaces"},
	} {
		env := inKeyspace(t)
		if c.setup != "" {
			env = inKeyspace(t, strings.Split(c.setup, "; ")...)
		}
		err := run(t, env, c.statement)
		e, ok := err.(*plan.Error)
		if !ok || e.Code.String() != c.code || e.Message != c.message {
			t.Errorf("%s\n want %s %s\n  got %v", c.statement, c.code, c.message, err)
		}
	}
}

func TestColumnIDsSurviveChanges(t *testing.T) {
	env := inKeyspace(t, "CREATE TABLE t (k int PRIMARY KEY, a int, b text)")
	id := func(name string) uint16 { return env.Schema.Table("ks", "t").Column(name).ID }
	a, k := id("a"), id("k")
	if err := run(t, env, "ALTER TABLE t DROP a USING TIMESTAMP 77", "ALTER TABLE t ADD c int", "ALTER TABLE t ADD a int",
		"ALTER TABLE t RENAME k TO kk"); err != nil {
		t.Fatal(err)
	}
	table := env.Schema.Table("ks", "t")
	if id("a") != a || id("kk") != k || id("c") == a || id("c") == id("b") {
		t.Errorf("IDs changed: a %d -> %d, k %d -> %d, c %d", a, id("a"), k, id("kk"), id("c"))
	}
	if at, hidden := table.HiddenBefore(table.Column("a")); !hidden || at != 77 {
		t.Errorf("a is hidden before %d (%v), want 77", at, hidden)
	}
	if c := table.ColumnByID(a); c == nil || c.Name != "a" {
		t.Errorf("column %d is %v", a, c)
	}
}

func TestTypeChangesReachTables(t *testing.T) {
	env := inKeyspace(t, "CREATE TYPE u (a int)", "CREATE TYPE w (f frozen<u>)",
		"CREATE TABLE t (k int PRIMARY KEY, v list<frozen<w>>, x u)", "ALTER TYPE u ADD b text", "ALTER TYPE u RENAME a TO aa")
	table := env.Schema.Table("ks", "t")
	inner := table.Column("v").Type.Elems[0].Elems[0]
	if inner.Field("b") != 1 || inner.Field("aa") != 0 || !inner.Frozen || table.Column("x").Type.Field("b") != 1 || table.Column("x").Type.Frozen {
		t.Errorf("v %v, x %v", table.Column("v").Type.MarshalName(), table.Column("x").Type.MarshalName())
	}
}

// TestDescribeAsCqlshShows runs a script of cqlsh and looks for each text in what
// cqlsh printed.
func TestDescribeAsCqlshShows(t *testing.T) {
	script, err := os.ReadFile("testdata/ddl/cqlsh-describe.cql")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile("testdata/ddl/cqlsh-describe.out")
	if err != nil {
		t.Fatal(err)
	}
	env := newEnv()
	for _, line := range strings.Split(strings.TrimSpace(string(script)), "\n") {
		if strings.HasPrefix(line, "CREATE INDEX") || strings.HasPrefix(line, "CREATE MATERIALIZED") || strings.HasPrefix(line, "DROP") {
			continue
		}
		_ = run(t, env, line) // one of them is refused
	}
	for _, statement := range []string{"DESCRIBE KEYSPACE c_desc", "DESCRIBE TABLE events", "DESCRIBE TYPE point"} {
		for _, text := range strings.SplitAfter(describeText(t, env, statement), ";\n") {
			if !strings.Contains(string(printed), text) {
				t.Errorf("cqlsh does not show\n%s", text)
			}
		}
	}
}

// TestDescribeReadsBack parses what DESCRIBE shows and expects the same again.
func TestDescribeReadsBack(t *testing.T) {
	first := inKeyspace(t,
		`CREATE TYPE z (a int, "B c" text)`,
		`CREATE TYPE a (f frozen<z>, s set<text>)`,
		`CREATE TABLE "T" (p int, q text, c timeuuid, d date, s int static, sl list<int> static, v vector<float, 3>, m map<text, frozen<a>>,
			t tuple<int, text>, u z, "select" text, PRIMARY KEY ((p, q), c, d))
			WITH CLUSTERING ORDER BY (c DESC, d ASC) AND comment = 'it''s' AND bloom_filter_fp_chance = 0.0001
			AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS'} AND compression = {'enabled': false}
			AND speculative_retry = 'MAX(50ms, 99.5percentile)' AND caching = {'keys': 'none'} AND cdc = true`,
		`CREATE TABLE n (k int PRIMARY KEY, c counter)`,
		`CREATE TABLE l (k int PRIMARY KEY) WITH compaction = {'class': 'LeveledCompactionStrategy'}`,
		`CREATE TABLE d (k int PRIMARY KEY, a int, b text, c int)`,
		`ALTER TABLE d DROP (a, b) USING TIMESTAMP 5`, `ALTER TABLE d ADD a int`,
		`CREATE MATERIALIZED VIEW dc AS SELECT c, k FROM d WHERE c IS NOT NULL AND k > 0 PRIMARY KEY (c, k) WITH CLUSTERING ORDER BY (k DESC)`)
	for _, statement := range []string{"DESCRIBE SCHEMA", "DESCRIBE SCHEMA WITH INTERNALS"} {
		text := describeText(t, first, statement)
		second := newEnv()
		for _, create := range strings.Split(text, ";") {
			if strings.TrimSpace(create) == "" {
				continue
			}
			if err := run(t, second, create); err != nil {
				t.Fatalf("%s\n%v", create, err)
			}
		}
		if again := describeText(t, second, statement); again != text {
			t.Errorf("%s changed:\n%s\nto\n%s", statement, text, again)
		}
		if strings.Contains(statement, "INTERNALS") {
			sameTables(t, first.Schema.Keyspace("ks"), second.Schema.Keyspace("ks"))
		}
	}
}

func sameTables(t *testing.T, a, b *schema.Keyspace) {
	t.Helper()
	for _, name := range a.TableNames() {
		x, y := a.Tables[name], b.Tables[name]
		if y == nil || x.ID != y.ID || !x.Options.Equal(y.Options) || len(x.Columns()) != len(y.Columns()) || len(x.Dropped) != len(y.Dropped) {
			t.Errorf("table %s became another", name)
			continue
		}
		for i, c := range x.Columns() {
			if d := y.Columns()[i]; c.Name != d.Name || !c.Type.Equal(d.Type) || c.Kind != d.Kind || c.Desc != d.Desc {
				t.Errorf("%s.%s became %v", name, c.Name, d)
			}
		}
	}
}

func describeText(t *testing.T, env *Env, statement string) string {
	t.Helper()
	st, err := cql.Parse(statement)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Bind(st, env)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range p.(*plan.Describe).Rows {
		b.WriteString(row[3] + "\n")
	}
	return b.String()
}
