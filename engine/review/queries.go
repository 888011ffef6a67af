package review

import (
	"fmt"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/schema"
)

// query looks at a query of a load.
func (r *reviewer) query(q *Query) {
	if q.Refused != "" {
		r.add(Finding{Fail, "query-refused", q.Name, "", "Cassandra refuses it: " + q.Refused, q.Text, "a table whose key answers it: `:explain` shows the rule, F4 in the workbench the ways out", "Cassandra 5.0"})
		return
	}
	s, ok := q.Statement.(*cql.Select)
	if !ok {
		if b, is := q.Statement.(*cql.Batch); is && b.Kind == cql.LoggedBatch && len(b.Statements) > 1 {
			r.add(Finding{Note, "batch", q.Name, "", "a logged batch: the batchlog is written to two nodes before its statements are", q.Text, "only where tables must agree", "Cassandra 5.0 BatchlogManager"})
		}
		return
	}
	t := r.find(q.Keyspace, s.Table)
	if t == nil {
		return
	}
	fixed, many := restricted(t, s)
	switch {
	case fixed && many:
		r.add(Finding{Warn, "in-on-partition-key", q.Name, "", "IN on the partition key: one coordinator reads all of the partitions, and waits for the slowest", q.Text,
			"one query for each key, all in flight at once", "few partitions a read (Principles of Cassandra data modeling)"})
	case !fixed && len(s.Where) == 0:
		r.add(Finding{Warn, "full-scan", q.Name, "", "no partition key: the whole ring is read, page by page", q.Text, "fine for exports by token range, not for a page that a user waits for", "few partitions a read (Principles of Cassandra data modeling)"})
	case !fixed && !s.AllowFiltering:
		r.add(Finding{Warn, "read-by-index", q.Name, "", "an index without the partition key: replicas of the whole ring are asked", q.Text, "a table whose partition key is what the query knows", "Cassandra modeling best practices: indexes"})
	}
	if s.AllowFiltering {
		f := Finding{Warn, "allow-filtering", q.Name, "", "ALLOW FILTERING reads rows that it does not return", q.Text, "a table whose key answers it", "Cassandra 5.0 StatementRestrictions"}
		if !fixed {
			f.Severity, f.Found = Fail, "ALLOW FILTERING without the partition key reads the whole table for each answer"
		}
		r.add(f)
	}
}

// find is the table of a statement.
func (r *reviewer) find(keyspace string, name cql.QualifiedName) *schema.Table {
	if name.Keyspace.Text != "" {
		keyspace = name.Keyspace.Text
	}
	for _, k := range r.subject.Keyspaces {
		if k.Name == keyspace {
			return k.Tables[name.Name.Text]
		}
	}
	return nil
}

// restricted says whether the whole partition key is given, and whether one of
// its columns by IN.
func restricted(t *schema.Table, s *cql.Select) (fixed, many bool) {
	given := map[string]bool{}
	for _, rel := range s.Where {
		if rel.Kind != cql.ColumnRelation || rel.Op != cql.EQ && rel.Op != cql.IN {
			continue
		}
		for _, c := range rel.Columns {
			given[c.Text] = true
			if col := t.Column(c.Text); col != nil && col.Kind == schema.PartitionKey && rel.Op == cql.IN {
				many = true
			}
		}
	}
	fixed = true
	for _, c := range t.Key {
		fixed = fixed && given[c.Name]
	}
	return fixed, many
}

// Counted says how many findings there are of each severity, in a sentence.
func (r *Report) Counted() string {
	var n [3]int
	for i := range r.Findings {
		n[r.Findings[i].Severity]++
	}
	tables := fmt.Sprintf("%d tables", len(r.Tables))
	if len(r.Tables) == 1 {
		tables = "1 table"
	}
	counted := fmt.Sprintf("%s: %d fail, %d warn, %d note", tables, n[Fail], n[Warn], n[Note])
	return strings.Join(append([]string{counted}, r.Partial...), "; ")
}
