package classic

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"ringlab/engine/session"
	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/types"
)

// omitted is what stands where errors go, before descriptions.
func (r *run) omitted(of string) {
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
	r.line("      Cells sorted by: %s", sorted)
	r.line("      GC grace seconds: %d", f.GCGrace)
	r.line("      Compaction min/max thresholds: %d/%d", f.MinThreshold, f.MaxThreshold)
	r.line("      Read repair chance: %s", types.JavaDouble(f.ReadRepair))
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
	if len(f.Columns) > 0 {
		r.line("      Column Metadata:")
		for _, c := range metadataOrder(f) {
			r.line("        Column Name: %s", columnName(f.MetadataClass(), c.Name))
			r.line("          Validation Class: %s", c.Class.ClassicName())
			if c.Index != "" {
				r.line("          Index Name: %s", c.Index)
				r.line("          Index Type: %s", map[bool]string{false: "KEYS", true: "CUSTOM"}[c.Custom])
			}
		}
	}
	r.line("      Compaction Strategy: %s", f.Strategy)
	r.options("Compaction Strategy Options:", hashed(strategyOptions(f)))
	r.options("Compression Options:", hashed(f.Compression))
}

// columnName is a name of column_metadata; one of bytes is shown as the text that
// it may be, too.
func columnName(class *types.Comparator, name []byte) string {
	text := class.Raw(name)
	if class.Type == types.Blob && utf8.Valid(name) {
		return string(name) + " (" + text + ")"
	}
	return text
}

// strategyOptions are those of the strategy, and bounds that are not the usual.
func strategyOptions(f *schema.Family) []schema.Option {
	out := append([]schema.Option(nil), f.StrategyOptions...)
	if f.MinThreshold == 4 && f.MaxThreshold == 32 || has(out, "min_threshold") {
		return out
	}
	return append(out, schema.Option{Key: "min_threshold", Value: fmt.Sprint(f.MinThreshold)}, schema.Option{Key: "max_threshold", Value: fmt.Sprint(f.MaxThreshold)})
}

func has(list []schema.Option, key string) bool {
	for _, o := range list {
		if o.Key == key {
			return true
		}
	}
	return false
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

// metadataOrder is column_metadata as a node lists it: in the order of a Java
// HashMap of the names as ByteBuffers, beside the key's name.
func metadataOrder(f *schema.Family) []schema.FamilyColumn {
	size := 16
	for len(f.Columns)+1 > size*3/4 {
		size *= 2
	}
	bucket := func(b []byte) uint32 {
		h := uint32(1)
		for i := len(b) - 1; i >= 0; i-- {
			h = 31*h + uint32(int32(int8(b[i])))
		}
		return (h ^ h>>16) & uint32(size-1)
	}
	out := append([]schema.FamilyColumn(nil), f.Columns...)
	sort.Slice(out, func(i, j int) bool { return bytes.Compare(out[i].Name, out[j].Name) < 0 }) // as they are put in
	sort.SliceStable(out, func(i, j int) bool { return bucket(out[i].Name) < bucket(out[j].Name) })
	return out
}

// Source: CliClient.executeDescribeCluster.
func (r *run) describeCluster() error {
	c := r.core.Cluster
	r.line("Cluster Information:")
	r.line("   Name: %s", clusterName)
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
