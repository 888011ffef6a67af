package session

import (
	"ringlab/model/cql/bind"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// schemaRows adds the rows of a table of system_schema, as a schema and
// Cassandra's own keyspaces have them.
// Source: Cassandra 5.0 SchemaKeyspace.
func schemaRows(t *systemTable, s *schema.Schema) {
	add := map[string]func(*systemTable, *schema.Keyspace){
		"keyspaces":       addKeyspace,
		"tables":          addTables,
		"columns":         addColumns,
		"dropped_columns": addDropped,
		"views":           addViews,
		"indexes":         addIndexes,
		"types":           addTypes,
		"functions":       addFunctions,
		"aggregates":      addAggregates,
	}[t.table.Name]
	if add == nil { // triggers and column_masks: there are none
		return
	}
	for _, of := range []*schema.Schema{bind.SystemSchema(), s} {
		for _, name := range of.Names() {
			if !schema.Virtual(name) {
				add(t, of.Keyspace(name))
			}
		}
	}
}

func addKeyspace(t *systemTable, k *schema.Keyspace) {
	t.add("keyspace_name", k.Name, "durable_writes", k.DurableWrites, "replication", k.Replication)
}

func addTables(t *systemTable, k *schema.Keyspace) {
	for _, name := range k.TableNames() {
		table := k.Tables[name]
		if table.IsView() {
			continue
		}
		flags := []string{"compound"}
		switch {
		case table.Compact && len(table.Clustering) == 0:
			flags = nil
		case table.Family != nil && table.Family.Super:
			flags = []string{"dense", "super"}
		case table.Compact && len(table.Clustering) == 1:
			flags = []string{"dense"}
		case table.Compact:
			flags = []string{"compound", "dense"}
		}
		if table.Counter {
			flags = append(flags, "counter")
		}
		t.add(append(parameters(&table.Options), "keyspace_name", k.Name, "table_name", name, "id", table.ID, "flags", flags)...)
	}
}

func addViews(t *systemTable, k *schema.Keyspace) {
	for _, name := range k.TableNames() {
		if view := k.Tables[name]; view.IsView() {
			t.add(append(parameters(&view.Options), "keyspace_name", k.Name, "view_name", name, "id", view.ID,
				"base_table_id", view.View.BaseID, "base_table_name", view.View.Base, "include_all_columns", view.View.All,
				"where_clause", view.View.Where)...)
		}
	}
}

// parameters are a table's options. Those that came with 4.1 and 5.0 are
// written only where they differ from their default, and cdc only by nodes that
// have it switched on. Source: Cassandra 5.0 SchemaKeyspace.addTableParamsToRowBuilder.
func parameters(o *schema.Options) []any {
	out := []any{
		"additional_write_policy", o.AdditionalWritePolicy,
		"bloom_filter_fp_chance", o.BloomFPChance,
		"caching", o.Caching,
		"comment", o.Comment,
		"compaction", o.Compaction,
		"compression", o.Compression,
		"crc_check_chance", o.CRCCheckChance,
		"dclocal_read_repair_chance", 0.0,
		"default_time_to_live", o.DefaultTTL,
		"extensions", []schema.Option{},
		"gc_grace_seconds", o.GCGrace,
		"max_index_interval", o.MaxIndexInterval,
		"memtable_flush_period_in_ms", o.MemtableFlushPeriod,
		"min_index_interval", o.MinIndexInterval,
		"read_repair", o.ReadRepair,
		"read_repair_chance", 0.0,
		"speculative_retry", o.SpeculativeRetry,
	}
	if !o.AllowAutoSnapshot {
		out = append(out, "allow_auto_snapshot", false)
	}
	if !o.IncrementalBackups {
		out = append(out, "incremental_backups", false)
	}
	if o.Memtable != "default" {
		out = append(out, "memtable", o.Memtable)
	}
	return out
}

func addColumns(t *systemTable, k *schema.Keyspace) {
	for _, name := range k.TableNames() {
		for _, c := range storedColumns(k.Tables[name]) {
			order := "none"
			switch {
			case c.Kind == schema.Clustering && c.Desc:
				order = "desc"
			case c.Kind == schema.Clustering:
				order = "asc"
			}
			t.add("keyspace_name", k.Name, "table_name", name, "column_name", c.Name, "clustering_order", order,
				"column_name_bytes", []byte(c.Name), "kind", c.Kind.String(), "position", c.Position, "type", c.Type.String())
		}
	}
}

func addDropped(t *systemTable, k *schema.Keyspace) {
	for _, name := range k.TableNames() {
		for _, d := range k.Tables[name].DroppedInOrder() {
			t.add("keyspace_name", k.Name, "table_name", name, "column_name", d.Column.Name, "kind", d.Column.Kind.String(),
				"dropped_time", types.EncodeInt64(d.At/1000), "type", d.Column.Type.String())
		}
	}
}

func addIndexes(t *systemTable, k *schema.Keyspace) {
	for _, name := range k.TableNames() {
		for _, i := range k.Tables[name].Indexes {
			kind, options := "COMPOSITES", append([]schema.Option{{Key: "target", Value: i.TargetText()}}, i.Options...)
			if i.Class != "" {
				kind, options = "CUSTOM", append(options, schema.Option{Key: "class_name", Value: i.Class})
			}
			t.add("keyspace_name", k.Name, "table_name", name, "index_name", i.Name, "kind", kind, "options", options)
		}
	}
}

func addTypes(t *systemTable, k *schema.Keyspace) {
	for _, name := range k.TypeNames() {
		udt := k.Types[name]
		t.add("keyspace_name", k.Name, "type_name", name, "field_names", udt.Names, "field_types", typeTexts(udt.Elems))
	}
}

func addFunctions(t *systemTable, k *schema.Keyspace) {
	for _, f := range k.Functions {
		t.add("keyspace_name", k.Name, "function_name", f.Name, "argument_types", typeTexts(f.Args), "argument_names", f.ArgNames,
			"body", f.Body, "called_on_null_input", f.CalledOnNull, "language", f.Language, "return_type", f.Returns.String())
	}
}

func addAggregates(t *systemTable, k *schema.Keyspace) {
	for _, a := range k.Aggregates {
		var final, initial any
		if a.FinalFunc != "" {
			final = a.FinalFunc
		}
		if a.InitCond != nil {
			initial = a.StateType.Literal(a.InitCond)
		}
		t.add("keyspace_name", k.Name, "aggregate_name", a.Name, "argument_types", typeTexts(a.Args), "final_func", final, "initcond", initial,
			"return_type", a.Returns.String(), "state_func", a.StateFunc, "state_type", a.StateType.String())
	}
}

func typeTexts(list []*types.Type) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.String()
	}
	return out
}

// virtualSchemaRows adds the rows of a table of system_virtual_schema.
// Source: Cassandra 5.0 VirtualSchemaKeyspace.
func virtualSchemaRows(t *systemTable) {
	for _, name := range bind.SystemSchema().Names() {
		k := bind.SystemSchema().Keyspace(name)
		if !schema.Virtual(name) {
			continue
		}
		switch t.table.Name {
		case "keyspaces":
			t.add("keyspace_name", name)
		case "columns":
			addColumns(t, k)
		case "tables":
			for _, table := range k.TableNames() {
				t.add("keyspace_name", name, "table_name", table, "comment", k.Tables[table].Options.Comment)
			}
		}
	}
}
