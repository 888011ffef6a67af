package index

import (
	"regexp"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

var word = regexp.MustCompile(`^\w+$`)

// internalIndex is the package of the indexes that are tables of their own.
const internalIndex = "org.apache.cassandra.index.internal."

// Request is an index that somebody wants to have.
type Request struct {
	Index   *schema.Index
	Custom  bool            // with CUSTOM or a class of its own
	Written []schema.Option // the options in the order in which they were written
	Targets []string        // the columns as CQL writes them; known classes want one
	Murmur3 bool            // the ring's partitioner is Murmur3Partitioner
}

// Check refuses an index that a table cannot have beside those that it has.
// Source: Cassandra 5.0 IndexMetadata.validate.
func Check(t *schema.Table, r *Request) error {
	i := r.Index
	switch {
	case !word.MatchString(i.Name):
		return plan.Config("Illegal index name %s", i.Name)
	case !r.Custom:
		return nil
	case i.IsSAI():
		return checkSAI(t, r)
	case i.IsSASI():
		return checkSASI(t, r)
	case strings.HasPrefix(i.Class, "java.lang."):
		return plan.Config("Specified Indexer class (%s) does not implement the Indexer interface", i.Class)
	}
	switch i.Class {
	case internalIndex + "keys.KeysIndex":
		return plan.Unsupported("custom indexes of the class "+i.Class, "leave CUSTOM and the class out")
	case internalIndex + "CassandraIndex":
		return plan.Fault("java.lang.RuntimeException: java.lang.NoSuchMethodException: " + i.Class +
			".<init>(org.apache.cassandra.db.ColumnFamilyStore,org.apache.cassandra.schema.IndexMetadata)")
	}
	return plan.Config("Unable to find custom indexer class '%s'", i.Class)
}

// InHashOrder are indexes in the order in which a node asks them.
// Source: Cassandra 5.0 SecondaryIndexManager.indexes, a Java hash map by name.
func InHashOrder(indexes []*schema.Index) []*schema.Index {
	if len(indexes) < 2 {
		return indexes
	}
	names, at := make([]string, len(indexes)), map[string]*schema.Index{}
	for n, i := range indexes {
		names[n], at[i.Name] = i.Name, i
	}
	types.SortAsJava(names, 16)
	out := make([]*schema.Index, len(names))
	for n, name := range names {
		out[n] = at[name]
	}
	return out
}
