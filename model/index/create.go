package index

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

var word = regexp.MustCompile(`^\w+$`)

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
	return plan.Config("Unable to find custom indexer class '%s'", i.Class)
}

// sortAsJava puts keys into the order of a Java hash map of strings, made for
// that many entries. Source: Java HashMap, String.hashCode.
func sortAsJava(keys []string, capacity int) {
	for 4*len(keys) > 3*capacity {
		capacity *= 2
	}
	place := func(key string) int {
		h := int32(0)
		for _, c := range utf16.Encode([]rune(key)) {
			h = 31*h + int32(c)
		}
		u := uint32(h)
		return int((u ^ u>>16) & uint32(capacity-1))
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
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
	sortAsJava(names, 16)
	out := make([]*schema.Index, len(names))
	for n, name := range names {
		out[n] = at[name]
	}
	return out
}
