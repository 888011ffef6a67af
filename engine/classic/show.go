package classic

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"ringlab/engine/session"
	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/types"
)

// Source: Cassandra 2.1 CliClient.executeShowKeySpaces.
func (r *run) showKeyspaces() error {
	r.omitted("show keyspaces")
	for _, name := range r.core.Cluster.Schema.Names() {
		r.keyspace(r.core.Cluster.Schema.Keyspace(name))
	}
	return nil
}

// Source: CliClient.executeShowSchema.
func (r *run) showSchema(s *thrift.ShowSchema) error {
	r.omitted("show schema")
	names := r.core.Cluster.Schema.Names()
	if s.Keyspace == nil && r.core.Current.Keyspace != "" {
		names = []string{r.core.Current.Keyspace}
	}
	if s.Keyspace != nil {
		k := r.find(s.Keyspace.Text)
		if k == nil {
			return complain("Keyspace '%s' not found.", s.Keyspace.Text)
		}
		names = []string{k.Name}
	}
	for _, n := range names {
		if k := r.core.Cluster.Schema.Keyspace(n); k != nil {
			r.schema(k)
		}
	}
	return nil
}

// bare is a name without quotes where the language needs none.
func bare(name string) string {
	if name == "" || thrift.IsKeyword(name) || name[0] >= '0' && name[0] <= '9' {
		return thrift.Quote(name)
	}
	return name
}

// escaped is thrift.Quote in ASCII alone.
// Source: Cassandra 2.1 CliUtils.escapeSQLString, StringEscapeUtils.escapeJava.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(thrift.Quote(s))) {
		switch {
		case c == '"':
			b.WriteString(`\"`)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteByte(byte(c))
		}
	}
	return b.String()
}

// schema prints statements that make a keyspace.
func (r *run) schema(k *schema.Keyspace) {
	class, list := replication(k)
	r.line("create keyspace %s", bare(k.Name))
	r.line("  with placement_strategy = '%s'", class[strings.LastIndexByte(class, '.')+1:])
	if len(list) > 0 {
		var texts []string
		for _, o := range list {
			texts = append(texts, o.Key+" : "+o.Value)
		}
		r.line("  and strategy_options = {%s}", strings.Join(texts, ", "))
	}
	r.line("  and durable_writes = %t;", k.DurableWrites)
	r.line("")
	r.line("use %s;", bare(k.Name))
	r.line("")
	for _, n := range session.Families(k) {
		r.createStatement(n, k.Tables[n].Family)
	}
	r.line("")
	r.line("")
}

// short is a class without the package of all of them, but for its parameters.
func short(c *types.Comparator) string {
	return strings.TrimPrefix(c.ClassicName(), "org.apache.cassandra.db.marshal.")
}

// createStatement prints the statement that makes a column family.
// Source: CliClient.showColumnFamily.
func (r *run) createStatement(name string, f *schema.Family) {
	var lines []string
	add := func(attribute, value string) {
		word := "  and "
		if len(lines) == 0 {
			word = "  with "
		}
		lines = append(lines, word+attribute+" = "+value)
	}
	text := func(attribute, value string) { add(attribute, escaped(value)) }
	kind := "Standard"
	if f.Super {
		kind = "Super"
	}
	text("column_type", kind)
	text("comparator", short(f.Comparator))
	if f.Super {
		text("subcomparator", short(f.Subcomparator))
	}
	text("default_validation_class", short(f.ValueClass))
	text("key_validation_class", short(f.KeyClass))
	add("read_repair_chance", types.JavaDouble(f.ReadRepair))
	add("dclocal_read_repair_chance", types.JavaDouble(f.LocalReadRepair))
	add("gc_grace", strconv.Itoa(f.GCGrace))
	add("min_compaction_threshold", strconv.Itoa(f.MinThreshold))
	add("max_compaction_threshold", strconv.Itoa(f.MaxThreshold))
	text("compaction_strategy", f.Strategy)
	text("caching", f.Caching)
	text("cells_per_row_to_cache", f.CellsPerRow)
	add("default_time_to_live", strconv.Itoa(f.DefaultTTL))
	text("speculative_retry", f.SpeculativeRetry)
	if f.BloomFPChance > 0 {
		add("bloom_filter_fp_chance", types.JavaDouble(f.BloomFPChance))
	}
	texts := func(attribute string, list []schema.Option) {
		if len(list) == 0 {
			return
		}
		add(attribute, "{"+strings.Join(pairs(list, " : ", escaped), ", ")+"}")
	}
	texts("compaction_strategy_options", f.StrategyOptions)
	if f.Comment != "" {
		text("comment", f.Comment)
	}
	if len(f.Columns) > 0 {
		add("column_metadata", "["+metadata(f))
	}
	texts("compression_options", f.Compression)
	r.line("create column family %s", bare(name))
	r.line("%s;", strings.Join(lines, "\n"))
	r.line("")
}

// metadata is the list of column_metadata, one pair a line.
func metadata(f *schema.Family) string {
	var out []string
	for _, c := range f.MetadataOrder() {
		s := "\n    {column_name : " + escaped(f.MetadataClass().ClassicShown(c.Name)) + ",\n    validation_class : " + short(c.Class)
		if c.Index != "" {
			s += ",\n    index_name : " + escaped(c.Index) + ",\n    index_type : " + map[bool]string{false: "0", true: "1"}[c.Custom]
			if len(c.Options) > 0 {
				s += ",\n    index_options : {\n      " + strings.Join(pairs(c.Options, " : ", escaped), ",\n      ") + "}"
			}
		}
		out = append(out, s+"}")
	}
	return strings.Join(out, ",") + "]"
}
