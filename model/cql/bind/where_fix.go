package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/index"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// refuseScan is the refusal of a query that would scan, with the ways out: to
// scan nevertheless, to have an index that finds the rows, or a table whose key
// answers the query.
func (w *where) refuseScan() error {
	err := plan.Invalid(needsFiltering)
	if w.trial {
		return err
	}
	err.Fix = []plan.Fix{{Part: "$", Text: " ALLOW FILTERING",
		Why: "reads every partition of " + w.table.Name + " that the key does not exclude, on every node, and drops what does not match"}}
	if text := w.answeringIndex(); text != "" {
		err.Fix = append(err.Fix, plan.Fix{Text: text,
			Why: "each node then finds its own rows; a read without the partition key still asks node after node, and every write keeps the index up to date"})
	}
	if text := w.answeringTable(); text != "" {
		err.Fix = append(err.Fix, plan.Fix{Text: text,
			Why: "a table whose key answers the query from one partition; every write has to go to both tables"})
	}
	return err
}

// answeringIndex is a CREATE INDEX that makes the query legal, "" if no single
// one does.
func (w *where) answeringIndex() string {
	for _, set := range []*restrictions{&w.other, &w.clustering, &w.key} {
		for n, c := range set.columns {
			for _, class := range []string{"sai", ""} {
				i := &schema.Index{Name: "trial", Column: c.Name, Class: class, Target: set.at[n].target()}
				if w.answeredWith(i) {
					text := "CREATE INDEX ON " + w.table.String() + " (" + i.TargetText() + ")"
					if class != "" {
						text += " USING '" + class + "'"
					}
					return text
				}
			}
		}
	}
	return ""
}

// target is what of its column an index has to hold to find what a restriction
// asks for.
func (r *restriction) target() schema.Target {
	t := r.first().Type
	switch {
	case !t.IsCollection():
		return schema.TargetSimple
	case !t.IsMultiCell():
		return schema.TargetFull
	case len(r.tests) == 0 || r.tests[0].op == plan.Contains:
		return schema.TargetValues
	case r.tests[0].op == plan.ContainsKey:
		return schema.TargetKeys
	}
	return schema.TargetEntries
}

// answeredWith says whether the query is legal once the table has another index.
func (w *where) answeredWith(i *schema.Index) bool {
	custom := i.Class != ""
	if checkIndexTarget(w.table, i, custom, w.compact) != nil || custom && index.Check(w.table, &index.Request{Index: i, Custom: true,
		Targets: []string{i.TargetText()}, Murmur3: true}) != nil {
		return false
	}
	trial := where{table: w.table.WithIndex(i), key: w.key, token: w.token, clustering: w.clustering, other: w.other, trial: true}
	return trial.finish(selecting, false, false) == nil && !trial.needsFiltering()
}

// answeringTable is a CREATE TABLE whose partition key are the columns that the
// query fixes, followed by those that it bounds and by the old primary key.
func (w *where) answeringTable() string {
	var key, rest []*schema.Column
	for _, set := range []*restrictions{&w.key, &w.clustering, &w.other} {
		set.each(func(r *restriction) bool {
			for _, c := range r.columns {
				switch {
				case c.Type.IsMultiCell() || c.Type.IsCounter() || containsColumn(key, c) || containsColumn(rest, c):
				case r.kind == equality || r.kind == membership:
					key = append(key, c)
				case r.kind == interval:
					rest = append(rest, c)
				}
			}
			return true
		})
	}
	if len(key) == 0 {
		return ""
	}
	for _, c := range append(append([]*schema.Column(nil), w.table.Key...), w.table.Clustering...) {
		if !containsColumn(key, c) && !containsColumn(rest, c) {
			rest = append(rest, c)
		}
	}
	var b strings.Builder
	b.WriteString("CREATE TABLE " + schema.Quote(w.table.Keyspace) + "." + schema.Quote(w.table.Name+"_by_"+key[0].Name) + " (")
	for _, c := range w.table.Columns() {
		b.WriteString(schema.Quote(c.Name) + " " + c.Type.String() + ", ")
	}
	b.WriteString("PRIMARY KEY ((" + quoted(key) + ")")
	if len(rest) > 0 {
		b.WriteString(", " + quoted(rest))
	}
	b.WriteString("))")
	return b.String()
}

func quoted(cs []*schema.Column) string {
	texts := make([]string, len(cs))
	for i, c := range cs {
		texts[i] = schema.Quote(c.Name)
	}
	return strings.Join(texts, ", ")
}

// undefinedColumn refuses a column that the table does not have.
// Source: Cassandra 5.0 TableMetadata.getExistingColumn.
func undefinedColumn(t *schema.Table, n cql.Name) error {
	err := plan.Invalid("Undefined column name %s in table %s", n.CQL(), t)
	var known []string
	for _, c := range t.Columns() {
		known = append(known, c.Name)
	}
	if near := nearestName(n.Text, known); near != "" {
		err.Fix = []plan.Fix{{Part: n.CQL(), Text: schema.Quote(near), Why: "the column of " + t.Name + " with the most similar name"}}
	}
	return err
}

// unknownTable refuses a table that the keyspace does not have.
func unknownTable(k *schema.Keyspace, name string) error {
	err := plan.Invalid("table %s does not exist", name)
	if near := nearestName(name, k.TableNames()); near != "" {
		err.Fix = []plan.Fix{{Part: schema.Quote(name), Text: schema.Quote(near), Why: "the table of " + k.Name + " with the most similar name"}}
	}
	return err
}

// nearestName is the known name that the fewest edits away, at most a third of
// its length; "" if there is none. Of equally near names the first wins.
func nearestName(name string, known []string) string {
	best, at := "", len(name)/3+2
	for _, k := range known {
		if d := edits(strings.ToLower(name), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
