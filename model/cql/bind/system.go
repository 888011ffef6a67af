package bind

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/schema"
	"ringlab/model/types"
)

//go:embed system.cql
var systemTables string

// SystemSchema holds Cassandra's own keyspaces with their tables, as 5.0 defines
// them. Their rows are no part of any schema: whoever runs a SELECT on them makes
// these up from what it knows.
var SystemSchema = sync.OnceValue(func() *schema.Schema {
	out := schema.Empty()
	for _, k := range systemKeyspaces() {
		out = out.With(k)
	}
	return out
})

// systemKeyspaces reads the definitions.
// Source: Cassandra 5.0 SystemKeyspace, SchemaKeyspace, AuthKeyspace,
// SystemDistributedKeyspace, TraceKeyspace, SystemViewsKeyspace, VirtualSchemaKeyspace.
func systemKeyspaces() []*schema.Keyspace {
	const week, hour = 7 * 24 * 3600, 3600 * 1000
	var all []*schema.Keyspace
	for _, k := range []struct {
		name, class, rf     string
		gcGrace, flushAfter int // seconds, ms; -1 is the default
	}{
		{"system", "LocalStrategy", "", 0, hour},
		{"system_auth", "SimpleStrategy", "1", 7776000, 0},
		{"system_distributed", "SimpleStrategy", "3", -1, 0},
		{"system_schema", "LocalStrategy", "", week, hour},
		{"system_traces", "SimpleStrategy", "2", 0, 0},
		{"system_views", "LocalStrategy", "", -1, 0},
		{"system_virtual_schema", "LocalStrategy", "", -1, 0},
	} {
		out := &schema.Keyspace{Name: k.name, DurableWrites: true, Tables: map[string]*schema.Table{}, Types: map[string]*types.Type{},
			Replication: []schema.Option{{Key: "class", Value: "org.apache.cassandra.locator." + k.class}}}
		if k.rf != "" {
			out.Replication = append(out.Replication, schema.Option{Key: "replication_factor", Value: k.rf})
		}
		for _, text := range strings.Split(systemTables, ";\n") {
			if !strings.Contains(text, "CREATE TABLE "+k.name+".") {
				continue
			}
			t := systemTable(out, text)
			if k.gcGrace >= 0 {
				t.Options.GCGrace = k.gcGrace
			}
			t.Options.MemtableFlushPeriod = k.flushAfter
			out.Tables[t.Name] = t
		}
		all = append(all, out)
	}
	paxos := all[0].Tables["paxos"]
	paxos.Indexes = []*schema.Index{{Name: "PaxosUncommittedIndex", Class: "org.apache.cassandra.service.paxos.uncommitted.PaxosUncommittedIndex"}}
	return all
}

// systemTable makes a table of its CREATE TABLE, which is known to be right. Its
// ID comes from its name. Source: Cassandra 5.0 TableId.forSystemTable.
func systemTable(k *schema.Keyspace, text string) *schema.Table {
	st, err := cql.Parse(text)
	if err != nil {
		panic("bind: " + err.Error() + " in " + text)
	}
	s := st.(*cql.CreateTable)
	attrs, err := checkDeclarations(s)
	if err != nil {
		panic("bind: " + err.Error() + " in " + text)
	}
	options, err := newTableOptions(s, attrs)
	if err != nil {
		panic("bind: " + err.Error() + " in " + text)
	}
	id := types.NameUUID(k.Name + s.Table.Name.Text)
	b := tableBuilder{stmt: s, options: options, keyspace: k, types: map[string]*types.Type{}, static: map[string]bool{}, reversed: map[string]bool{}, counters: map[string]bool{}}
	t, err := b.build(&Env{NewID: func() uuid.UUID { return id }}, attrs)
	if err != nil {
		panic("bind: " + err.Error() + " in " + text)
	}
	return t
}

// keyspace finds a keyspace, Cassandra's own among them; nil if there is none.
func (e *Env) keyspace(name string) *schema.Keyspace {
	if schema.System(name) {
		return SystemSchema().Keyspace(name)
	}
	return e.Schema.Keyspace(name)
}

// keyspaceNames are all keyspaces in order of name, Cassandra's own among them.
func (e *Env) keyspaceNames() []string {
	names := slices.Concat(SystemSchema().Names(), e.Schema.Names())
	slices.Sort(names)
	return slices.Compact(names)
}
