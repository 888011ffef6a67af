package admin

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/review"
	"ringlab/engine/storage"
	"ringlab/engine/stress"
	"ringlab/model/cql"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "review", Group: "load, review", Usage: "[KEYSPACE] [profile=FILE] [gauges] [format=table|md|html|json]", Class: Input, Words: []string{"gauges", "profile=", "format="}, Run: runReview,
		Help: "what a design review says of a schema: findings with their evidence and what to do instead, from the definitions, the data that is there and a stress profile; " +
			"gauges: a line for each table"})
}

// reviewedKeys bounds the partitions of a table that a review looks at, and
// largestKeys those that it names.
const (
	reviewedKeys = 20_000
	largestKeys  = 5
)

// runReview runs :review.
func runReview(ctx *Context, a Args) ([]*answer.Answer, error) {
	for k := range a.Named {
		if k != "profile" && k != "format" {
			return nil, usageError(byName["review"])
		}
	}
	words, format := a.Without("gauges"), a.Named["format"]
	if len(words) > 1 || a.Has("gauges") && format != "" {
		return nil, usageError(byName["review"])
	}
	switch format {
	case "", "table", "md", "html", "json":
	default:
		return nil, fmt.Errorf("format is table, md, html or json, not %q", format)
	}
	s := &review.Subject{Measures: map[*schema.Table]*review.Measure{}, Expected: map[*schema.Table]*review.Expectation{}}
	if name := a.Named["profile"]; name != "" {
		if err := reviewProfile(ctx, s, name); err != nil {
			return nil, err
		}
	}
	title, err := reviewed(ctx, s, words)
	if err != nil {
		return nil, err
	}
	r := review.Do(s)
	switch {
	case a.Has("gauges"):
		rows := make([][]string, len(r.Tables))
		for i := range r.Tables {
			rows[i] = r.Tables[i].Line()
		}
		return table(strings.Join(review.Columns, " "), rows), nil
	case format == "md":
		return message("%s", strings.TrimSuffix(r.Markdown(title), "\n")), nil
	case format == "html":
		return message("%s", strings.TrimSuffix(r.HTML(title), "\n")), nil
	case format == "json":
		return message("%s", strings.TrimSuffix(r.JSON(), "\n")), nil
	}
	rows := make([][]string, len(r.Findings))
	for i := range r.Findings {
		rows[i] = r.Findings[i].Line()
	}
	out := table("severity rule object finding", rows)
	out[0].Prose, out[0].Verdict = true, r.Counted()
	return out, nil
}

// reviewed fills in the keyspaces, all that are not Cassandra's own unless one is
// named, the ring and what tables hold; it gives the review's title.
func reviewed(ctx *Context, s *review.Subject, words []string) (title string, err error) {
	all := ctx.Cluster.Schema
	for _, name := range all.Names() {
		if len(words) == 0 && schema.System(name) || len(words) > 0 && name != words[0] {
			continue
		}
		s.Keyspaces = append(s.Keyspaces, all.Keyspace(name))
		title += ", " + name
	}
	switch {
	case len(s.Keyspaces) == 0 && len(words) > 0:
		return "", fmt.Errorf("keyspace %s does not exist; `DESCRIBE KEYSPACES` lists those that do", words[0])
	case len(s.Keyspaces) == 0:
		return "", fmt.Errorf("there is no keyspace to review yet: CREATE KEYSPACE, or SOURCE a schema")
	}
	for _, dc := range ctx.Cluster.Ring.Datacenters() {
		s.Datacenters = append(s.Datacenters, review.Datacenter{Name: dc.Name, Nodes: dc.Nodes})
	}
	for _, k := range s.Keyspaces {
		for _, name := range k.TableNames() {
			if t := k.Tables[name]; !t.IsView() && !schema.Virtual(k.Name) {
				if m := measure(ctx, t); m.Rows > 0 {
					s.Measures[t] = m
				}
			}
		}
	}
	return strings.TrimPrefix(title, ", "), nil
}

// measure looks at each partition of a table once, on the replica that holds the
// most rows of it.
func measure(ctx *Context, t *schema.Table) *review.Measure {
	c := ctx.Cluster
	list := c.Census(t, reviewedKeys+1)
	m := &review.Measure{More: len(list) > reviewedKeys}
	list = list[:min(len(list), reviewedKeys)]
	m.Partitions = len(list)
	first := make([]int64, len(c.Nodes))
	placement := c.Placement(t.Keyspace)
	kinds := map[string]bool{}
	for _, h := range list {
		store := c.Nodes[h.Node].Stores[t.ID]
		q := store.Quick(h.Key, h.Token)
		m.Rows += q.Rows
		if replicas := placement.Replicas(h.Token); len(replicas) > 0 {
			first[replicas[0]] += q.Rows
		}
		m.Largest = append(m.Largest, review.Partition{Key: t.KeyText([]byte(h.Key)), Rows: q.Rows, Bytes: q.Bytes, Tombstones: q.Tombstones})
		if t.Family != nil && t.Family.Comparator.Aliases != nil {
			nameKinds(t, store.Holding(h.Key, h.Token).Part, kinds)
		}
	}
	sort.SliceStable(m.Largest, func(i, j int) bool {
		a, b := &m.Largest[i], &m.Largest[j]
		return a.Bytes > b.Bytes || a.Bytes == b.Bytes && a.Key < b.Key
	})
	m.Largest = m.Largest[:min(len(m.Largest), largestKeys)]
	for i, n := range c.Nodes {
		if first[i] > m.BusiestOf {
			m.Busiest, m.BusiestOf = n.Name, first[i]
		}
	}
	for k := range kinds {
		m.NameKinds = append(m.NameKinds, k)
	}
	slices.Sort(m.NameKinds)
	return m
}

// reviewProfile makes the schema of a stress profile, where it is not there yet,
// and says what the profile expects.
func reviewProfile(ctx *Context, s *review.Subject, name string) error {
	if ctx.Outside == nil {
		return fmt.Errorf("this lab reaches no files, so that profile=%s cannot be read", name)
	}
	files, err := ctx.Outside.Read(name)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return fmt.Errorf("%s is more than one file; a review takes one profile", name)
	}
	p, err := stress.ParseProfile(files[0].Text)
	if err != nil {
		return named(name, err)
	}
	k := ctx.Current
	keyspace, tracing := k.Keyspace, k.Tracing
	defer func() { k.Keyspace, k.Tracing = keyspace, tracing }()
	k.Keyspace, k.Tracing = "", false
	if err := makeSchema(ctx, p); err != nil {
		return named(name, err)
	}
	k.Keyspace = p.Keyspace
	t := ctx.Cluster.Schema.Table(p.Keyspace, p.Table)
	if t == nil {
		return named(name, badProfile(p.Where("table"), "the table %s.%s does not exist%s", p.Keyspace, p.Table, definitionMissing(p)))
	}
	e, err := stress.Expect(p, t)
	if err != nil {
		return named(name, err)
	}
	s.Expected[t] = &review.Expectation{MostRows: e.MostRows, RowBytes: e.RowBytes, BatchPartitions: e.BatchPartitions, BatchRows: e.BatchRows, Batch: p.Insert.Batch}
	for _, q := range p.Queries {
		text := cql.TrimStatement(q.CQL)
		found := review.Query{Name: q.Name, Text: text, Keyspace: p.Keyspace}
		if _, refused := ctx.Prepare(text); refused != nil && refused.Error != nil {
			found.Refused = refused.Error.Message
		} else if found.Statement, err = cql.Parse(text); err != nil {
			found.Refused = err.Error()
		}
		s.Queries = append(s.Queries, found)
	}
	return nil
}

// nameKinds collects of which types the names of a row with a
// DynamicCompositeType are, as far as its first rows tell.
func nameKinds(t *schema.Table, p *storage.Partition, kinds map[string]bool) {
	const looked = 1000
	for _, row := range p.Rows[:min(len(p.Rows), looked)] {
		name, _, ok := schema.NextComponent(row.Clustering())
		if !ok {
			continue
		}
		classes := t.Family.Comparator.PartClasses(name)
		for i, c := range classes {
			classes[i] = c[strings.LastIndexByte(c, '.')+1:]
		}
		kinds["<"+strings.Join(classes, ", ")+">"] = true
	}
}
