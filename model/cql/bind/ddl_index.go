package bind

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/index"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// tableIndexes names the index that is a hidden table, which CREATE INDEX makes
// where no class is given. Source: Cassandra 5.0 CassandraIndex.NAME.
const tableIndexes = "legacy_local_table"

// createIndex is CREATE INDEX.
// Source: Cassandra 5.0 CreateIndexStatement.
func createIndex(s *cql.CreateIndex, env *Env) (*plan.SchemaChange, error) {
	attrs, err := settings(s.Properties)
	if err != nil {
		return nil, err
	}
	keyspace, err := keyspaceOf(s.Table, env)
	if err != nil {
		return nil, err
	}
	name := s.Table.Name.Text
	if err := env.authorize(access.Alter, access.TableOf(keyspace, name)); err != nil {
		return nil, err
	}
	if err := checkKeyspaceName(keyspace); err != nil {
		return nil, err
	}
	class, custom := indexClass(s)
	options, err := indexOptions(attrs, custom)
	if err != nil {
		return nil, err
	}
	k, t := env.Schema.Keyspace(keyspace), env.Schema.Table(keyspace, name)
	if k == nil {
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	}
	_, existing := k.FindIndex(s.Name.Text)
	switch {
	case t == nil:
		return nil, plan.Invalid("Table '%s' doesn't exist", name)
	case existing != nil && s.IfNotExists:
		return unchanged(env), nil
	case existing != nil:
		return nil, plan.Invalid("Index '%s' already exists", s.Name)
	case t.Counter:
		return nil, plan.Invalid("Secondary indexes on counter tables aren't supported")
	case t.IsView():
		return nil, plan.Invalid("Secondary indexes on materialized views aren't supported")
	}
	targets, err := indexTargets(s, t, custom, env)
	if err != nil {
		return nil, err
	}
	made := &schema.Index{Name: s.Name.Text, Class: class, Options: slices.Clone(options)}
	slices.SortFunc(made.Options, func(a, b schema.Option) int { return strings.Compare(a.Key, b.Key) })
	if len(targets) > 0 {
		made.Column, made.Target = targets[0].Column, targets[0].Target
	}
	if made.Name == "" {
		made.Name = freeIndexName(k, name, targets)
	}
	for _, other := range t.Indexes {
		if len(targets) != 1 || !made.Same(other) {
			continue
		}
		if s.IfNotExists {
			return unchanged(env), nil
		}
		return nil, plan.Invalid("Index %s is a duplicate of existing index %s", made.Name, other.Name)
	}
	request := index.Request{Index: made, Custom: custom, Written: options, Murmur3: env.Partitioner.Name() == "Murmur3Partitioner"}
	for _, target := range targets {
		request.Targets = append(request.Targets, target.TargetText())
	}
	if err := index.Check(t, &request); err != nil {
		return nil, err
	}
	next := k.Clone()
	next.Tables[name] = t.WithIndex(made)
	out := changed(env.Schema.With(next), "UPDATED", "TABLE", keyspace, name)
	out.Warnings = tableWarnings(next.Tables[name])
	if made.IsSASI() {
		out.Warnings = append(out.Warnings, index.SASIWarning)
	}
	return out, nil
}

// tableWarnings are what a client is told when a table is checked.
func tableWarnings(t *schema.Table) []string {
	return slices.Repeat([]string{index.VectorWarning}, index.Vectors(t))
}

// indexClass is the class of an index, "" for a hidden table, and whether it was
// asked for by class. Source: Cassandra 5.0 CreateIndexStatement.Raw.prepare.
func indexClass(s *cql.CreateIndex) (class string, custom bool) {
	class = tableIndexes
	if s.Using != nil {
		class = s.Using.Text
	}
	if !s.Custom && strings.EqualFold(class, tableIndexes) {
		return "", false
	}
	return class, true
}

// indexOptions are the options of WITH as they were written.
// Source: Cassandra 5.0 IndexAttributes.validate.
func indexOptions(attrs []schema.Setting, custom bool) ([]schema.Option, error) {
	for _, a := range attrs {
		if a.Name != "options" {
			return nil, plan.Syntax("Unknown property '%s'", a.Name)
		}
	}
	switch {
	case len(attrs) == 0:
		return nil, nil
	case !custom:
		return nil, plan.Invalid("Cannot specify options for a non-CUSTOM index")
	case !attrs[0].IsMap:
		return nil, plan.Syntax("Invalid value for property 'options'. It should be a map.")
	}
	options := attrs[0].Map
	for _, key := range []string{"class_name", "target"} {
		if slices.ContainsFunc(options, func(o schema.Option) bool { return o.Key == key }) {
			return nil, plan.Invalid("Cannot specify %s as a CUSTOM option", key)
		}
	}
	return options, nil
}

var targetKinds = map[cql.IndexTargetKind]schema.Target{cql.SimpleTarget: schema.TargetSimple, cql.KeysTarget: schema.TargetKeys,
	cql.ValuesTarget: schema.TargetValues, cql.EntriesTarget: schema.TargetEntries, cql.FullTarget: schema.TargetFull}

// indexTargets are the columns of an index, as parts of indexes without a name.
func indexTargets(s *cql.CreateIndex, t *schema.Table, custom bool, env *Env) ([]*schema.Index, error) {
	var out []*schema.Index
	for _, target := range s.Targets {
		c := t.Column(target.Column.Text)
		if c == nil {
			return nil, undefinedColumn(t, target.Column)
		}
		kind := targetKinds[target.Kind]
		if kind == schema.TargetSimple && c.Type.IsCollection() {
			kind = schema.TargetValues
		}
		out = append(out, &schema.Index{Column: c.Name, Target: kind})
	}
	switch {
	case len(out) == 0 && !custom:
		return nil, plan.Invalid("Only CUSTOM indexes can be created without specifying a target column")
	case len(out) > 1 && !custom:
		return nil, plan.Invalid("Only CUSTOM indexes support multiple columns")
	}
	for i, target := range out {
		if slices.ContainsFunc(out[:i], func(o *schema.Index) bool { return o.Column == target.Column }) {
			return nil, plan.Invalid("Duplicate column '%s' in index target list", target.Column)
		}
	}
	for _, target := range out {
		if err := checkIndexTarget(t, target, custom, t.Compact && !env.Classic); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkIndexTarget refuses what of a column no index can hold; compact is a table WITH COMPACT STORAGE of 5.0.
// Source: Cassandra 5.0 CreateIndexStatement.validateIndexTarget.
func checkIndexTarget(t *schema.Table, i *schema.Index, custom, compact bool) error {
	c := t.Column(i.Column)
	collection := c.Type.IsCollection()
	frozen := collection && c.Type.Frozen
	isMap := collection && !frozen && len(c.Type.Elems) == 2
	switch {
	case custom && !schema.ValidName(c.Name):
		return plan.Invalid("Column '%s' is longer than the permissible name length of 48 characters or contains non-alphanumeric-underscore characters", c.Name)
	case c.Type.ContainsDuration():
		return plan.Invalid("Secondary indexes are not supported on %s", durationHolder(c.Type))
	case compact && c.Kind != schema.Regular && c.Kind != schema.Static:
		return plan.Invalid("Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables")
	case compact && len(t.Clustering) > 0:
		return plan.Invalid("Secondary indexes are not supported on compact value column of COMPACT STORAGE tables")
	case c.Kind == schema.PartitionKey && len(t.Key) == 1:
		return plan.Invalid("Cannot create secondary index on the only partition key column %s", c.Name)
	case frozen && i.Target != schema.TargetFull:
		return plan.Invalid("Cannot create %s() index on frozen column %s. Frozen collections are immutable and must be fully indexed "+
			"by using the 'full(%s)' modifier", i.Target, c.Name, schema.Quote(c.Name))
	case !frozen && i.Target == schema.TargetFull:
		return plan.Invalid("full() indexes can only be created on frozen collections")
	case !collection && i.Target != schema.TargetSimple:
		return plan.Invalid("Cannot create %s() index on %s. Non-collection columns only support simple indexes", i.Target, c.Name)
	case !isMap && (i.Target == schema.TargetKeys || i.Target == schema.TargetEntries):
		return plan.Invalid("Cannot create index on %s of column %s with non-map type", i.Target, c.Name)
	case c.Type.IsMultiCell() && !collection:
		return plan.Invalid("Cannot create index on non-frozen UDT column %s", c.Name)
	}
	return nil
}

var noWord = regexp.MustCompile(`\W`)

// freeIndexName is a name that no index of the keyspace has.
// Source: Cassandra 5.0 IndexMetadata.generateDefaultIndexName, KeyspaceMetadata.findAvailableIndexName.
func freeIndexName(k *schema.Keyspace, table string, targets []*schema.Index) string {
	base := table + "_idx"
	if len(targets) == 1 {
		base = table + "_" + targets[0].Column + "_idx"
	}
	base = noWord.ReplaceAllString(base, "")
	name := base
	for n := 1; ; n++ {
		if _, taken := k.FindIndex(name); taken == nil {
			return name
		}
		name = base + "_" + strconv.Itoa(n)
	}
}

// dropIndex is DROP INDEX.
// Source: Cassandra 5.0 DropIndexStatement.
func dropIndex(s *cql.DropIndex, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := keyspaceOf(s.Index, env)
	if err != nil {
		return nil, err
	}
	if schema.LocalSystem(keyspace) {
		return nil, plan.Invalid("System keyspace '%s' is not user-modifiable", keyspace)
	}
	if err := checkKeyspaceName(keyspace); err != nil {
		return nil, err
	}
	k, name := env.Schema.Keyspace(keyspace), s.Index.Name.Text
	var t *schema.Table
	if k != nil {
		t, _ = k.FindIndex(name)
	}
	if t != nil {
		if err := env.authorize(access.Alter, access.TableOf(keyspace, t.Name)); err != nil {
			return nil, err
		}
	}
	switch {
	case t == nil && s.IfExists:
		return unchanged(env), nil
	case t == nil:
		return nil, unknownIndex(k, keyspace, name)
	}
	next := k.Clone()
	next.Tables[t.Name] = t.WithoutIndex(name)
	return changed(env.Schema.With(next), "UPDATED", "TABLE", keyspace, t.Name), nil
}

// unknownIndex refuses an index that the keyspace does not have.
func unknownIndex(k *schema.Keyspace, keyspace, name string) error {
	err := plan.Invalid("Index '%s.%s' doesn't exist'", keyspace, name)
	if k == nil {
		return err
	}
	if near := nearestName(name, k.IndexNames()); near != "" {
		err.Fix = []plan.Fix{{Part: schema.Quote(name), Text: schema.Quote(near), Why: "the index of " + k.Name + " with the most similar name"}}
	}
	return err
}
