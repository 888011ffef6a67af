package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// needsFiltering is the refusal of queries that would read more than they
// answer. Source: Cassandra 5.0 StatementRestrictions.REQUIRES_ALLOW_FILTERING_MESSAGE.
const needsFiltering = "Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. " +
	"If you want to execute this query despite the performance unpredictability, use ALLOW FILTERING"

// verb is a statement as refusals name it.
type verb string

const (
	selecting verb = "SELECT"
	inserting verb = "INSERT"
	updating  verb = "UPDATE"
	deleting  verb = "DELETE"
)

// where is a checked WHERE clause.
// Source: Cassandra 5.0 StatementRestrictions.
type where struct {
	table      *schema.Table
	key        restrictions // = and IN and so on of partition key columns
	token      *restriction
	clustering restrictions
	other      restrictions
	keyRange   bool // partitions are found by scanning
	indexed    bool // an index finds the rows
	filterKey  bool // what becomes row filters
	filterRows bool
	regular    bool // a regular column is restricted
	custom     bool
	trial      bool // asks what another index would do
	short      bool // the last components of a composite name may be left out
	compact    bool // the table is WITH COMPACT STORAGE, of 5.0: as short, and for every write
}

// onToken says whether the token range decides which partitions are read.
// Source: Cassandra 5.0 TokenRestriction, TokenFilter.isOnToken.
func (w *where) onToken() bool {
	return w.token != nil && (w.key.empty() || w.keyNeedsFilter() || w.key.size() < len(w.table.Key))
}

func (w *where) keyIncomplete() bool {
	if w.token != nil && w.key.empty() {
		return false
	}
	return w.key.size() < len(w.table.Key)
}

func (w *where) keyNeedsFilter() bool {
	return !w.key.empty() && (w.keyIncomplete() || w.key.slice || w.key.contain)
}

// keyIn says whether several partitions are asked for by IN.
func (w *where) keyIn() bool { return !w.onToken() && w.key.hasIN }

// fullPartitions says whether rows are not selected within partitions, so that
// a partition with only static cells gives a row.
// Source: Cassandra 5.0 StatementRestrictions.returnStaticContentOnPartitionWithNoRows.
func (w *where) fullPartitions() bool { return w.clustering.empty() && !w.regular }

// columnRange says whether rows are found by slices instead of by name.
// Source: Cassandra 5.0 StatementRestrictions.isColumnRange.
func (w *where) columnRange() bool {
	return w.clustering.size() < len(w.table.Clustering) || w.clustering.notOnly
}

// byEquality says whether a column is restricted by =.
// Source: Cassandra 5.0 StatementRestrictions.isColumnRestrictedByEq.
func (w *where) byEquality(c *schema.Column) bool {
	set := &w.other
	switch c.Kind {
	case schema.PartitionKey:
		set = &w.key
	case schema.Clustering:
		set = &w.clustering
	}
	r := set.find(c)
	return r != nil && r.kind == equality
}

// where checks the WHERE clause of a statement; onlyStatic says that it reads or
// writes static columns alone.
// Source: Cassandra 5.0 StatementRestrictions constructor.
func (p *preparation) where(v verb, relations []cql.Relation, order []ordering, onlyStatic, filtering bool) (*where, error) {
	w := &where{table: p.table, compact: p.table.Compact && !p.env.Classic}
	for i := range relations {
		if err := p.addRelation(w, v, &relations[i], filtering); err != nil {
			return nil, err
		}
	}
	if err := w.addNearest(order); err != nil {
		return nil, err
	}
	if w.custom && v == selecting {
		return nil, p.customExpression(relations)
	}
	return w, w.finish(v, onlyStatic, filtering)
}

// finish checks the restrictions together.
func (w *where) finish(v verb, onlyStatic, filtering bool) error {
	for _, c := range w.other.columns {
		w.regular = w.regular || c.Kind == schema.Regular
	}
	queriable := v == selecting && w.queriable()
	if err := w.processKey(v, filtering, queriable); err != nil {
		return err
	}
	w.filterKey = w.indexed || w.keyNeedsFilter()
	if onlyStatic && !w.clustering.empty() {
		switch v {
		case deleting, updating:
			return invalid("Invalid restrictions on clustering columns since the %s statement modifies only static columns", v)
		case selecting:
			return invalid("Cannot restrict clustering columns when selecting only static columns")
		}
	}
	if err := w.processClustering(v, onlyStatic, filtering, queriable); err != nil {
		return err
	}
	if queriable && w.keyRange && w.clustering.findable(w.table) {
		w.indexed = true
	}
	w.filterRows = w.indexed || w.clustering.clusteringNeedsFilter()
	if !w.other.empty() {
		if err := w.processOther(v, filtering, queriable); err != nil {
			return err
		}
	}
	if w.indexed && w.keyIn() {
		return invalid("Select on indexed columns and with IN clause for the PRIMARY KEY are not supported")
	}
	return nil
}

// processOther checks the restrictions of static and regular columns.
func (w *where) processOther(v verb, filtering, queriable bool) error {
	if v != selecting {
		return invalid("Non PRIMARY KEY columns found in where clause: %s ", names(w.other.columns))
	}
	if err := w.checkVectors(); err != nil {
		return err
	}
	switch {
	case queriable:
		w.indexed = true
	case !filtering:
		return w.refuseScan()
	}
	return nil
}

func (p *preparation) addRelation(w *where, v verb, r *cql.Relation, filtering bool) error {
	switch {
	case r.Kind == cql.CustomRelation:
		w.custom = true
		return nil
	case (r.Op == cql.CONTAINS || r.Op == cql.CONTAINS_KEY) && (v == updating || v == deleting):
		return invalid("Cannot use %s with %s", v, r.Op)
	case r.Op == cql.IS_NOT:
		return invalid("Unsupported restriction: %s", relationText(r))
	}
	x, err := p.relation(r)
	if err != nil {
		return err
	}
	findable := v == selecting && r.Kind != cql.TokenRelation && x.findable(w.table)
	if r.Op == cql.LIKE && !findable {
		return invalid("LIKE restriction is only supported on properly indexed columns. %s is not valid.", relationText(r))
	}
	return w.add(x, r.Kind == cql.TokenRelation, filtering || findable)
}

func (w *where) add(x *restriction, token, filtering bool) error {
	switch {
	case token:
		if w.token == nil {
			w.token = x
			return nil
		}
		merged, err := mergeTokens(w.token, x)
		w.token = merged
		return err
	case x.first().Kind == schema.PartitionKey:
		return w.key.add(x)
	case x.first().Kind == schema.Clustering:
		return w.clustering.addClustering(x, filtering)
	}
	return w.other.add(x)
}

// trailing says whether the columns are the last ones of the clustering.
func trailing(t *schema.Table, missing []*schema.Column) bool {
	for i, c := range missing {
		if t.Clustering[len(t.Clustering)-len(missing)+i] != c {
			return false
		}
	}
	return true
}

// processClustering checks which rows the statement is about.
// Source: Cassandra 5.0 StatementRestrictions.processClusteringColumnsRestrictions.
func (w *where) processClustering(v verb, onlyStatic, filtering, queriable bool) error {
	if v == updating || v == inserting {
		if w.clustering.slice {
			return invalid("Slice restrictions are not supported on the clustering columns in %s statements", v)
		}
		if w.compact && !w.clustering.empty() {
			if err := w.checkGaps(); err != nil || !w.table.Counter || w.clustering.size() == len(w.table.Clustering) {
				return err
			}
			return plan.Unsupported("counters in rows without all clustering columns", "give a value to each; Cassandra 5.0 times out otherwise")
		}
		if !onlyStatic && w.clustering.size() != len(w.table.Clustering) {
			var missing []*schema.Column
			for _, c := range w.table.Clustering {
				if w.clustering.find(c) == nil {
					missing = append(missing, c)
				}
			}
			if f := w.table.Family; w.short && f != nil && f.Comparator.Composite() && w.clustering.find(w.table.Clustering[0]) != nil && trailing(w.table, missing) {
				return nil // a name of fewer components
			}
			return invalid("Some clustering keys are missing: %s", names(missing))
		}
		return nil
	}
	if w.clustering.contain && !filtering && !queriable {
		return invalid("Clustering columns can only be restricted with CONTAINS with a secondary index or filtering")
	}
	switch {
	case w.clustering.empty() || !w.clustering.clusteringNeedsFilter():
		return nil
	case queriable:
		w.indexed = true
		return nil
	case filtering:
		return nil
	}
	return w.checkGaps()
}

// checkGaps refuses a clustering column that is restricted where one before it is not.
func (w *where) checkGaps() error {
	for i, c := range w.clustering.columns {
		if d := w.table.Clustering[i]; c != d {
			return invalid("PRIMARY KEY column \"%s\" cannot be restricted as preceding column \"%s\" is not restricted", c.Name, d.Name)
		}
	}
	return nil
}

// customExpression refuses expr(index, value): no index here takes it.
// Source: Cassandra 5.0 StatementRestrictions.processCustomIndexExpressions.
func (p *preparation) customExpression(relations []cql.Relation) error {
	var first *cql.Relation
	for i := range relations {
		if relations[i].Kind == cql.CustomRelation {
			if first != nil {
				return invalid("Multiple custom index expressions in a single query are not supported")
			}
			first = &relations[i]
		}
	}
	i := p.table.Index(first.Index.Name.Text)
	switch {
	case i == nil:
		return invalid("Invalid index expression, index %s not found for %s", first.Index.Name.Text, p.table)
	case i.Class == "":
		return invalid("Only CUSTOM indexes may be used in custom index expressions, %s is not valid", i.Name)
	}
	return invalid("Index %s does not support custom expressions", i.Name)
}
