package engine_test

import (
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/session"
	"ringlab/model/plan"
)

// TestPrepareRefuses prepares statements that a node of 5.0.5 without logins
// refuses before they run, and those that it takes although they could not run.
func TestPrepareRefuses(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Do("CREATE KEYSPACE jp WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	const (
		fine       = ""
		anonymous  = "You have to be logged in and not anonymous to perform this request"
		noKeyspace = "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename"
	)
	for statement, want := range map[string]string{
		"LIST ROLES":                              anonymous,
		"CREATE ROLE x":                           anonymous,
		"DROP ROLE x":                             anonymous,
		"GRANT a TO b":                            anonymous,
		"GRANT SELECT ON z TO x":                  anonymous,
		"ADD IDENTITY 'a' TO ROLE 'b'":            anonymous,
		"DROP TABLE z":                            noKeyspace,
		"CREATE TYPE z (a int)":                   noKeyspace,
		"DROP FUNCTION z":                         noKeyspace,
		"CREATE INDEX ON z (a)":                   noKeyspace,
		"DROP INDEX z":                            noKeyspace,
		"DROP MATERIALIZED VIEW z":                noKeyspace,
		"DROP TRIGGER a ON z":                     noKeyspace,
		"TRUNCATE z":                              noKeyspace,
		"CREATE TABLE z (k int PRIMARY KEY)":      noKeyspace,
		"TRUNCATE jp.nope":                        "table nope does not exist",
		"CREATE TABLE jp.z (k int)":               "No PRIMARY KEY specifed for table 'jp.z' (exactly one required)",
		"CREATE TABLE jp.z (k int, k int)":        "Duplicate column 'k' declaration for table 'jp.z'",
		"CREATE TABLE nope.z (k int PRIMARY KEY)": fine,
		"DROP TABLE jp.nope":                      fine,
		"USE nope":                                fine,
		"TRUNCATE system.local":                   fine,
	} {
		_, a := lab.Prepare(statement)
		got := fine
		if a.Error != nil {
			got = a.Error.Message
		}
		if got != want {
			t.Errorf("%s: %q, not %q", statement, got, want)
		}
	}
}

// TestCompactColumns reads the columns that system_schema has of tables WITH
// COMPACT STORAGE, as a node of 5.0.5 lists them.
func TestCompactColumns(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Do("CREATE KEYSPACE jd WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	for table, want := range map[string]string{
		"k int PRIMARY KEY, column1 text, value int": "column1 static text, column2 clustering text, k partition_key int, value static int, value1 regular blob",
		"k int PRIMARY KEY, c counter":               "c static counter, column1 clustering text, k partition_key int, value regular counter",
		"k int, d int, PRIMARY KEY (k, d)":           "d clustering int, k partition_key int, value regular empty",
		"k int, d int, e int, PRIMARY KEY (k, d, e)": "d clustering int, e clustering int, k partition_key int, value regular empty",
		"k int, d int, e int, PRIMARY KEY (k, d)":    "d clustering int, e regular int, k partition_key int",
	} {
		lab.Do("CREATE TABLE jd.c (" + table + ") WITH COMPACT STORAGE")
		out := lab.Do("SELECT column_name, kind, type FROM system_schema.columns WHERE keyspace_name = 'jd' AND table_name = 'c'")
		var got []string
		for _, row := range out[0].Rows {
			got = append(got, row[0].Text+" "+row[1].Text+" "+row[2].Text)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, not %s", table, s, want)
		}
		lab.Do("DROP TABLE jd.c")
	}
}

// TestValuesWithoutMarkers sends a value with statements that have no marker, which
// a node of 5.0.5 refuses whatever they do.
func TestValuesWithoutMarkers(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Do("CREATE KEYSPACE vm WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	for _, text := range []string{"CREATE TABLE vm.t (k int PRIMARY KEY)", "SELECT key FROM system.local", "DROP KEYSPACE vm"} {
		r := session.Request{Verb: session.Query, Text: text, CL: plan.One, Values: []session.BoundValue{{Bytes: []byte{0, 0, 0, 1}}}}
		a := lab.Request(&r).Answer
		if a.Error == nil || a.Error.Message != "Invalid amount of bind variables" {
			t.Errorf("%s: %v", text, a.Error)
		}
	}
}
