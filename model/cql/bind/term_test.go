package bind

import (
	"testing"

	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// testTable is k.t with one key column, one clustering column and a value.
func testTable() *schema.Schema {
	t := &schema.Table{ID: uuid.NameSpaceURL, Keyspace: "k", Name: "t", NextID: 3, Options: schema.DefaultOptions()}
	t.Key = []*schema.Column{{ID: 0, Name: "id", Type: types.Int, Kind: schema.PartitionKey}}
	t.Clustering = []*schema.Column{{ID: 1, Name: "at", Type: types.Int, Kind: schema.Clustering}}
	t.Regular = []*schema.Column{{ID: 2, Name: "name", Type: types.Text, Kind: schema.Regular, Position: -1}}
	return schema.Empty().With(&schema.Keyspace{Name: "k", Tables: map[string]*schema.Table{"t": t.Finish()}})
}

// TestFixes looks at the legal alternatives of refusals.
func TestFixes(t *testing.T) {
	env := &Env{Schema: testTable(), Keyspace: "k", Partitioner: ring.Murmur3, Now: func() int64 { return 0 }}
	for text, want := range map[string]string{
		"SELECT nmae FROM t":                "nmae>name",
		"SELECT * FROM tt":                  "tt>t",
		"SELECT * FROM t WHERE name = 'x'":  "CREATE TABLE k.t_by_name (id int, at int, name text, PRIMARY KEY ((name), id, at))",
		"SELECT completely_other FROM t":    "",
		"SELECT * FROM t WHERE id IN (1,2)": "",
	} {
		st, err := cql.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := Bind(st, env); err != nil {
			if fix := err.(*plan.Error).Fix; len(fix) > 0 {
				got = fix[len(fix)-1].Text
				if part := fix[len(fix)-1].Part; part != "" {
					got = part + ">" + got
				}
			}
		}
		if got != want {
			t.Errorf("%s: fix %q, want %q", text, got, want)
		}
	}
}

// TestKeyLimits looks at keys that cannot be stored.
func TestKeyLimits(t *testing.T) {
	env := &Env{Schema: testTable(), Keyspace: "k", Partitioner: ring.Murmur3, Now: func() int64 { return 0 }}
	env.Args = [][]byte{{}, types.EncodeInt32(1), []byte("x")}
	st, err := cql.Parse("INSERT INTO t (id, at, name) VALUES (?, ?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Bind(st, env); err == nil || err.Error() != "Key may not be empty" {
		t.Errorf("empty key: %v", err)
	}
	if err := checkKey(&schema.Table{}, make([]byte, 65536)); err.Error() != "Key length of 65536 is longer than maximum of 65535" {
		t.Error(err)
	}
}
