package classic

import (
	"strings"
	"unicode/utf8"

	"ringlab/engine/session"
	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/types"
)

// omitted is what stands where errors go, before descriptions.
func (r *run) omitted(of string) {
	if r.early() { // there is no CQL3 yet
		return
	}
	r.warn("", "WARNING: CQL3 tables are intentionally omitted from '"+of+"' output.", "See https://issues.apache.org/jira/browse/CASSANDRA-4377 for details.", "")
}

// Source: Cassandra 2.1 CliClient.executeDescribe.
func (r *run) describe(s *thrift.Describe) error {
	r.omitted("describe")
	using := r.core.Current.Keyspace
	if s.Name == nil {
		k := r.core.Cluster.Schema.Keyspace(using)
		if k == nil {
			r.line("Authenticate to a Keyspace, before using `describe` or `describe <column_family>`")
			return nil
		}
		r.refresh(using, true)
		r.keyspace(k)
		return nil
	}
	if using != "" {
		r.refresh(using, true)
	}
	name := s.Name.Text
	if s.Name.Quoted {
		name = s.Name.String()
	}
	if k := r.find(name); k != nil {
		r.keyspace(k)
		return nil
	}
	if k := r.core.Cluster.Schema.Keyspace(using); k != nil && k.Tables[name] != nil && k.Tables[name].Family != nil {
		f, err := r.family(thrift.Name{Text: name})
		if err == nil {
			r.describeFamily(name, f.definition())
		}
		return err
	}
	if using == "" {
		return complain("Keyspace with name '%s' wasn't found, to lookup ColumnFamily with that name, please, authorize to one of the keyspaces first.", name)
	}
	if r.early() {
		r.line("Sorry, no Keyspace nor ColumnFamily was found with name: %s", name)
		return nil
	}
	r.line("Sorry, no Keyspace nor (non-CQL3) ColumnFamily was found with name: %s (if this is a CQL3 table, you should use cqlsh instead)", name)
	return nil
}

// keyspace prints a keyspace and its column families.
// Source: CliClient.describeKeySpace.
func (r *run) keyspace(k *schema.Keyspace) {
	class, list := replication(k)
	r.line("Keyspace: %s:", k.Name)
	r.line("  Replication Strategy: %s", class)
	r.line("  Durable Writes: %t", k.DurableWrites)
	var texts []string
	for _, o := range list {
		texts = append(texts, o.Key+":"+o.Value)
	}
	r.line("    Options: [%s]", strings.Join(texts, ", "))
	r.line("  Column Families:")
	for _, n := range session.Families(k) {
		r.describeFamily(n, k.Tables[n].Family)
	}
}

// replication is the strategy of a keyspace and its options, in the order of a
// Java HashMap.
func replication(k *schema.Keyspace) (class string, options []schema.Option) {
	for _, o := range k.Replication {
		if o.Key == "class" {
			class = o.Value
		} else {
			options = append(options, o)
		}
	}
	return class, hashed(options)
}

// hashed puts options into the order in which a client has them: that of a Java
// HashMap with room for twice as many, filled in the order of the server's.
// Source: Thrift 0.9, TProtocol maps of generated code.
func hashed(list []schema.Option) []schema.Option {
	var keys []string
	for _, o := range list {
		keys = append(keys, o.Key)
	}
	room := 1
	for room < 2*len(keys) {
		room *= 2
	}
	var out []schema.Option
	for _, k := range schema.HashOrderIn(schema.HashOrder(keys), room) {
		for _, o := range list {
			if o.Key == k {
				out = append(out, o)
			}
		}
	}
	return out
}

// Source: CliClient.describeColumnFamily.
func (r *run) describeFamily(name string, f *schema.Family) {
	super, sorted := "", f.Comparator.ClassicName()
	if f.Super {
		super, sorted = " (Super)", sorted+"/"+f.Subcomparator.ClassicName()
	}
	r.line("    ColumnFamily: %s%s", name, super)
	if f.Comment != "" {
		r.line("    \"%s\"", f.Comment)
	}
	r.line("      Key Validation Class: %s", f.KeyClass.ClassicName())
	r.line("      Default column value validator: %s", f.ValueClass.ClassicName())
	r.line("      %s sorted by: %s", r.either("Columns", "Cells"), sorted)
	r.line("      GC grace seconds: %d", f.GCGrace)
	r.line("      Compaction min/max thresholds: %d/%d", f.MinThreshold, f.MaxThreshold)
	r.line("      Read repair chance: %s", types.JavaDouble(f.ReadRepair))
	if r.early() {
		r.line("      Replicate on write: true")
	} else {
		r.laterAttributes(f)
	}
	var built []string
	for _, c := range f.MetadataOrder() {
		if c.Index != "" {
			built = append(built, name+"."+c.Index)
		}
	}
	r.line("      Built indexes: [%s]", strings.Join(built, ", "))
	if len(f.Columns) > 0 {
		r.line("      Column Metadata:")
		for _, c := range f.MetadataOrder() {
			r.line("        Column Name: %s", columnName(f.MetadataClass(), c.Name))
			r.line("          Validation Class: %s", c.Class.ClassicName())
			if c.Index != "" {
				r.line("          Index Name: %s", c.Index)
				r.line("          Index Type: %s", map[bool]string{false: "KEYS", true: "CUSTOM"}[c.Custom])
			}
			if len(c.Options) > 0 {
				r.line("          Index Options: {%s}", strings.Join(pairs(c.Options, "=", nil), ", "))
			}
		}
	}
	r.line("      Compaction Strategy: %s", f.Strategy)
	r.options("Compaction Strategy Options:", hashed(f.StrategyOptions))
	r.options("Compression Options:", hashed(f.Compression))
}

// laterAttributes prints the attributes that 1.0 does not have.
func (r *run) laterAttributes(f *schema.Family) {
	r.line("      DC Local Read repair chance: %s", types.JavaDouble(f.LocalReadRepair))
	r.line("      Caching: %s", f.Caching)
	r.line("      Default time to live: %d", f.DefaultTTL)
	bloom := "default"
	if f.BloomFPChance > 0 {
		bloom = types.JavaDouble(f.BloomFPChance)
	}
	r.line("      Bloom Filter FP chance: %s", bloom)
	r.line("      Index interval: default")
	r.line("      Speculative Retry: %s", f.SpeculativeRetry)
}

// columnName is a name of column_metadata; one of bytes is shown as the text that
// it may be, too.
func columnName(class *types.Comparator, name []byte) string {
	text := class.ClassicShown(name)
	if class.Type == types.Blob && utf8.Valid(name) {
		return string(name) + " (" + text + ")"
	}
	return text
}

// pairs writes options in the order in which a client has them.
func pairs(list []schema.Option, between string, quote func(string) string) []string {
	var out []string
	for _, o := range hashed(list) {
		if quote != nil {
			o.Key, o.Value = quote(o.Key), quote(o.Value)
		}
		out = append(out, o.Key+between+o.Value)
	}
	return out
}

func (r *run) options(title string, list []schema.Option) {
	if len(list) == 0 {
		return
	}
	r.line("      %s", title)
	for _, o := range list {
		r.line("        %s: %s", o.Key, o.Value)
	}
}

// Source: CliClient.executeDescribeCluster.
func (r *run) describeCluster() error {
	c := r.core.Cluster
	r.line("Cluster Information:")
	if !r.early() {
		r.line("   Name: %s", clusterName)
	}
	r.line("   Snitch: %s", r.core.Snitch())
	r.line("   Partitioner: org.apache.cassandra.dht.%s", c.Partitioner().Name())
	r.line("   Schema versions: ")
	var versions []string
	hosts := map[string][]string{}
	for _, n := range c.Nodes {
		v := "UNREACHABLE"
		if !n.Down {
			v = r.core.SchemaVersion(n.Index).String()
		}
		if hosts[v] == nil {
			versions = append(versions, v)
		}
		hosts[v] = append(hosts[v], n.Address)
	}
	for _, v := range versions {
		r.line("\t%s: [%s]", v, strings.Join(hosts[v], ", "))
	}
	return nil
}
