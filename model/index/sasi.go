package index

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// SASIWarning is what a client is told that makes such an index.
// Source: Cassandra 5.0 SASIIndex.USAGE_WARNING.
const SASIWarning = "SASI indexes are experimental and are not recommended for production use."

// sasi is an index with LIKE at work.
// Source: Cassandra 5.0 ColumnIndex, IndexMode.
type sasi struct {
	typ      *types.Type
	mode     string // PREFIX, CONTAINS, SPARSE
	literal  bool
	analyzed bool
	analyzer string // class without package, "" for none
	index    *schema.Index
}

const sasiAnalyzers = "org.apache.cassandra.index.sasi.analyzer."

func newSASI(i *schema.Index, c *schema.Column) *sasi {
	s := &sasi{typ: c.Type, mode: "PREFIX", index: i, literal: !c.Desc && (c.Type.Kind == types.KindText || c.Type.Kind == types.KindAscii)}
	if m, ok := i.Option("mode"); ok {
		s.mode = strings.ToUpper(m)
	}
	class, named := i.Option("analyzer_class")
	analyzed, said := i.Option("analyzed")
	switch {
	case said && !strings.EqualFold(analyzed, "true"):
	case named:
		s.analyzed = true
		s.analyzer = strings.TrimPrefix(class, sasiAnalyzers)
	case said:
		s.analyzed = true
		if s.literal {
			s.analyzer = "StandardAnalyzer"
		}
	}
	if l, ok := i.Option("is_literal"); ok {
		s.literal = strings.EqualFold(l, "true")
	}
	return s
}

// tokenizes says whether a value gives several terms.
func (s *sasi) tokenizes() bool {
	return s.analyzer == "StandardAnalyzer" || s.analyzer == "DelimiterAnalyzer"
}

// supports is Supports for such an index.
// Source: Cassandra 5.0 ColumnIndex.supports, OnDiskIndexBuilder.Mode.
func (s *sasi) supports(op plan.Op) bool {
	switch op {
	case plan.Like:
		return s.literal
	case plan.EQ:
		return !s.tokenizes()
	case plan.LT, plan.LTE, plan.GT, plan.GTE:
		return !s.literal && s.mode != "CONTAINS"
	case plan.LikeMatches:
		return s.mode != "SPARSE"
	case plan.LikePrefix:
		return s.mode == "PREFIX" || s.mode == "CONTAINS" && !s.tokenizes()
	case plan.LikeSuffix, plan.LikeContains:
		return s.mode == "CONTAINS"
	}
	return false
}

// terms are those of a value.
// Source: Cassandra 5.0 NonTokenizingAnalyzer, DelimiterAnalyzer, StandardAnalyzer.
func (s *sasi) terms(v []byte) [][]byte {
	yes := func(key string) bool {
		o, _ := s.index.Option(key)
		return strings.EqualFold(o, "true")
	}
	switch s.analyzer {
	case "NonTokenizingAnalyzer":
		text := string(v)
		sensitive, said := s.index.Option("case_sensitive")
		switch {
		case said && !strings.EqualFold(sensitive, "true") || yes("normalize_lowercase"):
			text = lowerCase(text)
		case yes("normalize_uppercase"):
			text = upperCase(text)
		}
		return [][]byte{[]byte(norm.NFC.String(text))}
	case "DelimiterAnalyzer":
		delimiter := ","
		if d, ok := s.index.Option("delimiter"); ok {
			delimiter = d
		}
		return slices.DeleteFunc(bytes.Split(v, []byte(delimiter)), func(t []byte) bool { return len(t) == 0 })
	case "StandardAnalyzer":
		var out [][]byte
		for _, w := range words(string(v)) {
			switch {
			case yes("tokenization_normalize_lowercase"):
				w = lowerCase(w)
			case yes("tokenization_normalize_uppercase"):
				w = upperCase(w)
			}
			out = append(out, []byte(norm.NFC.String(w)))
		}
		return out
	}
	return [][]byte{v}
}

// MatchSASI is the test of a value that a read through an index with LIKE makes;
// i is the index of the column, nil for a column without one. Where no index is
// asked, ranges of text match nothing there, IN matches every value that is not
// null, and so does whatever is asked of the partition key. All words of a LIKE
// have to be in the value; in Cassandra they may be in several rows of a
// partition. Unlike there, rows that were written before the index are found
// before a flush, too.
// Source: Cassandra 5.0 org.apache.cassandra.index.sasi.plan.Operation, Expression.
func MatchSASI(i *schema.Index, c *schema.Column, op plan.Op, value []byte) func([]byte) bool {
	indexed := i != nil
	if !indexed {
		i = &schema.Index{Column: c.Name, Class: schema.SASI}
	}
	s := newSASI(i, c)
	if op == plan.In || c.Kind == schema.PartitionKey {
		return func([]byte) bool { return true }
	}
	if !s.literal {
		return Match(nil, c, op, value)
	}
	test := map[plan.Op]func(term, wanted []byte) bool{
		plan.EQ: bytes.Equal, plan.LikeMatches: bytes.Equal, plan.LikePrefix: bytes.HasPrefix,
		plan.LikeSuffix: bytes.HasSuffix, plan.LikeContains: bytes.Contains,
	}[op]
	wanted := s.terms(value)
	if op == plan.EQ && len(wanted) > 1 {
		wanted = wanted[len(wanted)-1:]
	}
	if test == nil || len(wanted) == 0 || indexed && len(value) == 0 {
		return func([]byte) bool { return false }
	}
	return func(v []byte) bool {
		terms := s.terms(v)
		for _, w := range wanted {
			if !slices.ContainsFunc(terms, func(t []byte) bool { return test(t, w) }) {
				return false
			}
		}
		return true
	}
}

// checkSASI refuses what such an index cannot be.
// Source: Cassandra 5.0 SASIIndex.validateOptions, IndexMode.
func checkSASI(t *schema.Table, r *Request) error {
	i, targets := r.Index, r.Targets
	c := t.Column(i.Column)
	switch {
	case !r.Murmur3:
		return plan.Config("SASI only supports Murmur3Partitioner.")
	case len(targets) != 1:
		return plan.Config("failed to retrieve target column for: %s", strings.Join(targets, ", "))
	case c.Type.IsMultiCell():
		return plan.Config("complex columns are not yet supported by SASI")
	case c.Kind == schema.PartitionKey:
		return plan.Config("partition key columns are not yet supported by SASI")
	}
	if class, _ := i.Option("analyzer_class"); strings.HasPrefix(class, "java.lang.") {
		return plan.Config("Failed to validate custom indexer options: %s", javaMap(i, targets[0]))
	}
	if err := checkSASIAnalyzer(i, c); err != nil {
		return err
	}
	s := newSASI(i, c)
	mode, _ := i.Option("mode")
	switch {
	case s.mode != "PREFIX" && s.mode != "CONTAINS" && s.mode != "SPARSE":
		return plan.Config("Incorrect index mode: %s", mode)
	case s.mode == "SPARSE" && s.literal:
		return plan.Config("SPARSE mode is only supported on non-literal columns.")
	case s.mode == "SPARSE" && s.analyzed:
		return plan.Config("SPARSE mode doesn't support analyzers.")
	}
	if size, ok := i.Option("max_compaction_flush_memory_in_mb"); ok {
		if _, err := strconv.ParseInt(size, 10, 64); err != nil {
			return plan.Config("Failed to validate custom indexer options: %s", javaMap(i, targets[0]))
		}
	}
	return nil
}

func checkSASIAnalyzer(i *schema.Index, c *schema.Column) error {
	class, ok := i.Option("analyzer_class")
	if !ok {
		return nil
	}
	short, known := strings.CutPrefix(class, sasiAnalyzers)
	text := !c.Desc && (c.Type.Kind == types.KindText || c.Type.Kind == types.KindAscii)
	_, sensitive := i.Option("case_sensitive")
	_, lower := i.Option("normalize_lowercase")
	_, upper := i.Option("normalize_uppercase")
	switch {
	case !known || !slices.Contains([]string{"NonTokenizingAnalyzer", "StandardAnalyzer", "DelimiterAnalyzer", "NoOpAnalyzer"}, short):
		return plan.Config("Invalid analyzer class option specified [%s]", class)
	case short != "NoOpAnalyzer" && !text:
		return plan.Config("%s does not support type %s", short, c.Type)
	case short == "NonTokenizingAnalyzer" && sensitive && (lower || upper):
		return plan.Config("case_sensitive option cannot be specified together with either normalize_lowercase or normalize_uppercase")
	}
	for _, key := range []string{"tokenization_enable_stemming", "tokenization_skip_stop_words"} {
		if v, _ := i.Option(key); short == "StandardAnalyzer" && strings.EqualFold(v, "true") {
			return plan.Unsupported("the option "+key+" of SASI indexes", "leave it out: words are then found as they are written")
		}
	}
	return nil
}

// javaMap is the options of an index as Java shows a hash map.
func javaMap(i *schema.Index, target string) string {
	all := map[string]string{"class_name": i.Class, "target": target}
	for _, o := range i.Options {
		all[o.Key] = o.Value
	}
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	types.SortAsJava(keys, 16)
	for n, k := range keys {
		keys[n] = k + "=" + all[k]
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
