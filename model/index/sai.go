package index

import (
	"slices"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// saiOptions are the options of storage-attached indexes.
// Source: Cassandra 5.0 StorageAttachedIndex.VALID_OPTIONS.
var saiOptions = append([]string{"maximum_node_connections", "construction_beam_width", "similarity_function", "optimize_for"}, analyses...)

// VectorWarning is what a client is told whenever a table with an index on a
// vector is checked. Source: Cassandra 5.0 StorageAttachedIndex.VECTOR_USAGE_WARNING.
const VectorWarning = "SAI ANN indexes on vector columns are experimental and are not recommended for production use.\n" +
	"They don't yet support SELECT queries with:\n" +
	" * Consistency level higher than ONE/LOCAL_ONE.\n" +
	" * Paging.\n" +
	" * No LIMIT clauses.\n" +
	" * PER PARTITION LIMIT clauses.\n" +
	" * GROUP BY clauses.\n" +
	" * Aggregation functions.\n" +
	" * Filters on columns without a SAI index."

// Vectors counts the indexes on vectors of a table.
func Vectors(t *schema.Table) int {
	n := 0
	for _, i := range t.Indexes {
		if i.IsSAI() && t.Column(i.Column).Type.Kind == types.KindVector {
			n++
		}
	}
	return n
}

// checkSAI refuses what a storage-attached index cannot be. Source: Cassandra
// 5.0 StorageAttachedIndex.validateOptions.
func checkSAI(t *schema.Table, r *Request) error {
	i, targets := r.Index, r.Targets
	var unknown []string
	for _, o := range r.Written {
		if !slices.Contains(saiOptions, o.Key) {
			unknown = append(unknown, o.Key)
		}
	}
	switch c := t.Column(i.Column); {
	case len(unknown) > 0:
		types.SortAsJava(unknown, 2)
		return plan.Config("Properties specified [%s] are not understood by StorageAttachedIndex", strings.Join(unknown, ", "))
	case !r.Murmur3:
		return plan.Invalid("Storage-attached index does not support the following IPartitioner implementations: " +
			"[class org.apache.cassandra.dht.OrderPreservingPartitioner, class org.apache.cassandra.dht.LocalPartitioner, " +
			"class org.apache.cassandra.dht.ByteOrderedPartitioner, class org.apache.cassandra.dht.RandomPartitioner]")
	case len(targets) > 1:
		return plan.Invalid("A storage-attached index cannot be created over multiple columns: %s", strings.Join(targets, ", "))
	case len(targets) == 0:
		return plan.Invalid("Failed to retrieve target column for: ")
	default:
		for _, other := range t.Indexes {
			if other.IsSAI() && other.Column == i.Column && other.Target == i.Target {
				return plan.Invalid("Cannot create more than one storage-attached index on the same column: %s", i.Column)
			}
		}
		return checkSAIColumn(r, c)
	}
}

func checkSAIColumn(r *Request, c *schema.Column) error {
	var analysis []schema.Option
	for _, o := range r.Written {
		if slices.Contains(analyses, o.Key) {
			analysis = append(analysis, o)
		}
	}
	t := indexed(r.Index, c)
	if len(analysis) > 0 {
		switch {
		case c.Kind == schema.PartitionKey || c.Kind == schema.Clustering:
			sorted := slices.SortedFunc(slices.Values(analysis), func(a, b schema.Option) int { return strings.Compare(a.Key, b.Key) })
			return plan.Invalid("Analysis options are not supported on primary key columns, but found %s", schema.OptionsText(sorted))
		case !t.isString():
			return plan.Invalid("CQL type %s cannot be analyzed.", t.name())
		}
		if err := checkAnalysis(analysis); err != nil {
			return err
		}
	}
	function, err := checkVectorOptions(r.Index, t)
	if err != nil {
		return err
	}
	return checkTerm(t, function)
}

// checkAnalysis wants true or false, looking at the options as a Java map holds
// them. Source: Cassandra 5.0 NonTokenizingOptions.fromMap.
func checkAnalysis(options []schema.Option) error {
	keys := make([]string, len(options))
	for k, o := range options {
		keys[k] = o.Key
	}
	types.SortAsJava(keys, 16)
	for _, k := range keys {
		for _, o := range options {
			switch {
			case o.Key != k:
			case o.Value == "":
				return plan.Invalid("Empty value for boolean option '%s'", k)
			case !strings.EqualFold(o.Value, "true") && !strings.EqualFold(o.Value, "false"):
				return plan.Invalid("Illegal value for boolean option '%s': %s", k, o.Value)
			}
		}
	}
	return nil
}

// checkVectorOptions checks the options of indexes on vectors and gives the
// similarity function. Source: Cassandra 5.0 IndexWriterConfig.fromOptions.
func checkVectorOptions(i *schema.Index, t *term) (function string, err error) {
	written := func(key string) bool {
		_, ok := i.Option(key)
		return ok
	}
	if !slices.ContainsFunc(saiOptions[:4], written) {
		return similarityOf(i), nil
	}
	function = similarityOf(i)
	goal, _ := i.Option("optimize_for")
	goal = strings.ToUpper(goal)
	switch {
	case !t.isVector():
		return "", plan.Invalid("CQL type %s cannot have vector options", t.name())
	case written("maximum_node_connections"):
		return "", plan.Invalid("Maximum node connections cannot be set without enabling SAI_VECTOR_ALLOW_CUSTOM_PARAMETERS")
	case written("construction_beam_width"):
		return "", plan.Invalid("Construction beam width cannot be set without enabling SAI_VECTOR_ALLOW_CUSTOM_PARAMETERS")
	case similarities[function] == "":
		return "", plan.Invalid("Similarity function %s was not recognized for index null. Valid values are: EUCLIDEAN, DOT_PRODUCT, COSINE", function)
	case written("optimize_for") && goal != "LATENCY" && goal != "RECALL":
		return "", plan.Invalid("optimize_for '%s' was not recognized for index null. Valid values are: LATENCY, RECALL", goal)
	}
	return function, nil
}

// similarities are CQL's functions for the similarity functions of indexes.
var similarities = map[string]string{"COSINE": "similarity_cosine", "EUCLIDEAN": "similarity_euclidean", "DOT_PRODUCT": "similarity_dot_product"}

func similarityOf(i *schema.Index) string {
	if name, ok := i.Option("similarity_function"); ok {
		return strings.ToUpper(name)
	}
	return "COSINE"
}

// Similarity is the CQL function that an index on vectors ranks by.
func Similarity(i *schema.Index) string { return similarities[similarityOf(i)] }

// checkTerm refuses types that a storage-attached index does not hold.
func checkTerm(t *term, function string) error {
	of := []*types.Type{t.typ}
	if t.entry {
		of = t.typ.Elems
	}
	for _, typ := range of {
		if typ.Kind == types.KindBlob || typ.Kind == types.KindDuration || typ.Kind == types.KindCounter {
			return plan.Invalid("Unsupported type: %s", typ)
		}
	}
	switch {
	case !t.isVector():
	case t.typ.Elems[0].Kind != types.KindFloat:
		return plan.Invalid("SAI ANN indexes are only allowed on vector columns with float elements")
	case t.typ.Dim == 1 && function == "COSINE":
		return plan.Invalid("Cosine similarity is not supported for single-dimension vectors")
	}
	return nil
}

// Indexable says whether an index can hold a vector or rank by it: its elements
// are finite and not too large, and the cosine wants one that is not 0.
// Source: Cassandra 5.0 OnHeapGraph.validateIndexable.
func Indexable(i *schema.Index, t *types.Type, vector []byte) bool {
	elems, _ := t.DecodeVector(vector)
	zero := true
	for _, e := range elems {
		v := types.DecodeFloat(e)
		if !(v >= -maxElement && v <= maxElement) {
			return false
		}
		zero = zero && v == 0
	}
	return !zero || similarityOf(i) != "COSINE"
}

const maxElement = 1e17
