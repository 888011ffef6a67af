package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// bindDML gives the meaning of statements that read and write rows; ok is false
// for all others.
func bindDML(st cql.Statement, env *Env) (plan.Plan, bool, error) {
	switch s := st.(type) {
	case *cql.Select:
		out, err := bindSelect(s, env, nil)
		return planOf(out, err)
	case *cql.Insert:
		return writeOf(s, s.Markers, env, nil)
	case *cql.InsertJSON:
		return writeOf(s, s.Markers, env, nil)
	case *cql.Update:
		return writeOf(s, s.Markers, env, nil)
	case *cql.Delete:
		return writeOf(s, s.Markers, env, nil)
	case *cql.Batch:
		out, err := bindBatch(s, env)
		return planOf(out, err)
	}
	return nil, false, nil
}

// planOf keeps a nil pointer from becoming a plan.
func planOf[P plan.Plan](out P, err error) (plan.Plan, bool, error) {
	if err != nil {
		return nil, true, err
	}
	return out, true, nil
}

func bindSelect(s *cql.Select, env *Env, k *Known) (*plan.Select, error) {
	if st := k.selected(env); st != nil {
		if err := checkMarkers(s.Markers, env); err != nil {
			return nil, err
		}
		return st.bind(env)
	}
	p, err := prepareOn(s.Table, env)
	if err != nil {
		return nil, err
	}
	st, err := p.prepareSelect(s)
	if p.misfit != nil {
		err = p.misfit
	}
	if err != nil {
		return nil, err
	}
	if err := checkMarkers(s.Markers, env); err != nil {
		return nil, err
	}
	if err := p.mayRead(); err != nil {
		return nil, err
	}
	k.keep(p, st, nil)
	return st.bind(env)
}

func writeOf(s cql.Statement, markers []*cql.Marker, env *Env, k *Known) (plan.Plan, bool, error) {
	if st := k.written(env); st != nil {
		if err := checkMarkers(markers, env); err != nil {
			return nil, true, err
		}
		out, err := st.bind(env, false)
		return planOf(out, err)
	}
	p, st, err := prepareWrite(s, env)
	if err != nil {
		return nil, true, err
	}
	if err := checkMarkers(markers, env); err != nil {
		return nil, true, err
	}
	if err := p.mayWrite(st.conditions.any()); err != nil {
		return nil, true, err
	}
	k.keep(p, nil, st)
	out, err := st.bind(env, false)
	return planOf(out, err)
}

// prepareWrite checks one write with a preparation of its own.
func prepareWrite(s cql.Statement, env *Env) (*preparation, *writeStatement, error) {
	var name cql.QualifiedName
	var prepare func(p *preparation) (*writeStatement, error)
	switch s := s.(type) {
	case *cql.Insert:
		name, prepare = s.Table, func(p *preparation) (*writeStatement, error) { return p.prepareInsert(s) }
	case *cql.InsertJSON:
		name, prepare = s.Table, func(p *preparation) (*writeStatement, error) { return p.prepareInsertJSON(s) }
	case *cql.Update:
		name, prepare = s.Table, func(p *preparation) (*writeStatement, error) { return p.prepareUpdate(s) }
	case *cql.Delete:
		name, prepare = s.Table, func(p *preparation) (*writeStatement, error) { return p.prepareDelete(s) }
	}
	p, err := prepareOn(name, env)
	if err != nil {
		return nil, nil, err
	}
	st, err := prepare(p)
	if p.misfit != nil {
		err = p.misfit
	}
	return p, st, err
}

// prepareOn finds the table of a statement.
// Source: Cassandra 5.0 QualifiedStatement.setKeyspace, Schema.validateTable.
func prepareOn(name cql.QualifiedName, env *Env) (*preparation, error) {
	keyspace, err := keyspaceOf(name, env)
	if err != nil {
		return nil, err
	}
	k := env.keyspace(keyspace)
	if k == nil {
		return nil, invalid("keyspace %s does not exist", keyspace)
	}
	t := k.Tables[name.Name.Text]
	if t == nil {
		return nil, unknownTable(k, name.Name.Text)
	}
	return &preparation{env: env, table: t}, nil
}

// checkMarkers wants a value for each marker.
// Source: Cassandra 5.0 QueryProcessor.process.
func checkMarkers(markers []*cql.Marker, env *Env) error {
	if len(markers) != len(env.Args) {
		return invalid("Invalid amount of bind variables")
	}
	return nil
}

// writeStatement is a checked INSERT, UPDATE or DELETE.
// Source: Cassandra 5.0 ModificationStatement.
type writeStatement struct {
	kind       plan.WriteKind
	verb       verb
	table      *schema.Table
	where      *where
	regular    []operation
	static     []operation
	attributes usingClause
	conditions ifClause
}

func (st *writeStatement) add(o operation) {
	if o.column.Kind == schema.Static {
		st.static = append(st.static, o)
	} else {
		st.regular = append(st.regular, o)
	}
}

// onlyStatic says whether only static columns are written and tested; a DELETE
// without columns deletes rows.
// Source: Cassandra 5.0 ModificationStatement.Parsed.appliesOnlyToStaticColumns.
func (st *writeStatement) onlyStatic() bool {
	return len(st.regular) == 0 && len(st.static) > 0 && !st.conditions.onRegular()
}

// finish checks a statement with conditions as a whole.
// Source: Cassandra 5.0 ModificationStatement constructor, DeleteStatement.Parsed.prepareInternal.
func (st *writeStatement) finish() error {
	if !st.conditions.any() {
		return nil
	}
	switch {
	case st.table.Counter:
		return invalid("Conditional updates are not supported on counter tables")
	case st.attributes.timestamp != nil:
		return invalid("Cannot provide custom timestamp for conditional updates")
	}
	if st.kind != plan.Delete || !st.where.columnRange() {
		return nil
	}
	const message = "DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to "
	switch {
	case len(st.regular) > 0 || len(st.static) == 0:
		return invalid(message + "delete non static columns")
	case st.conditions.onRegular():
		return invalid(message + "use IF condition on non static columns")
	}
	return nil
}

// validate checks what does not depend on values.
// Source: Cassandra 5.0 ModificationStatement.validate.
func (st *writeStatement) validate() error {
	switch {
	case st.table.Counter && st.attributes.timestamp != nil:
		return invalid("Cannot provide custom timestamp for counter updates")
	case st.table.Counter && st.attributes.ttl != nil:
		return invalid("Cannot provide custom TTL for counter updates")
	case st.table.IsView():
		return invalid("Cannot directly modify a materialized view")
	case schema.Virtual(st.table.Keyspace) && st.attributes.ttl != nil:
		return invalid("Expiring columns are not supported by virtual tables")
	case schema.Virtual(st.table.Keyspace) && st.conditions.any():
		return invalid("Conditional updates are not supported by virtual tables")
	}
	return nil
}

// bind makes the plan of a checked write. One that waits for conditions, its own
// or those of its batch, takes its values only when they hold.
// Source: Cassandra 5.0 ModificationStatement.getMutations, addUpdates.
func (st *writeStatement) bind(env *Env, waits bool) (*plan.Write, error) {
	if err := st.validate(); err != nil {
		return nil, err
	}
	if schema.System(st.table.Keyspace) {
		return nil, madeUp(st.table.Keyspace, st.table.Name, "Modification")
	}
	out := &plan.Write{Table: st.table, Kind: st.kind}
	keys, err := st.where.keys(env)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if err := checkKey(st.table, k); err != nil {
			return nil, err
		}
	}
	out.Keys = keys
	if st.conditions.any() {
		return st.bindConditional(out, env)
	}
	if st.kind == plan.Delete && !st.where.clustering.empty() && st.where.columnRange() {
		return st.bindSlices(out, env, waits)
	}
	if out, err = st.bindRows(out, env, waits); err != nil {
		return nil, err
	}
	if out.Refused != nil {
		return out, nil
	}
	return valued(out, waits, checkIndexed(out))
}

// valued is the write with its values, or with what is wrong with them.
func valued(out *plan.Write, waits bool, err error) (*plan.Write, error) {
	if waits {
		out.Refused, err = err, nil
	}
	return out, err
}

// bindConditional makes the plan of a write with conditions, which is about one
// row or the static row of one partition.
// Source: Cassandra 5.0 ModificationStatement.makeCasRequest.
func (st *writeStatement) bindConditional(out *plan.Write, env *Env) (*plan.Write, error) {
	if err := st.oneRow(); err != nil {
		return nil, err
	}
	var err error
	if out.If, err = st.conditions.bind(env); err != nil {
		return nil, err
	}
	if out, err = st.bindRows(out, env, true); err != nil {
		return nil, err
	}
	switch {
	case len(st.table.Clustering) == 0:
		out.If.Row = []byte{}
	case st.where.clustering.empty():
		out.If.Static = true
	default:
		rows, err := st.where.clustering.clusterings(st.table, env)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		out.If.Row = rows[0]
	}
	return out, nil
}

// oneRow refuses IN where conditions are about.
func (st *writeStatement) oneRow() error {
	what := "updates"
	if st.kind == plan.Delete {
		what = "deletions"
	}
	switch {
	case st.where.keyIn():
		return invalid("IN on the partition key is not supported with conditional %s", what)
	case st.where.clustering.hasIN:
		return invalid("IN on the clustering key columns is not supported with conditional %s", what)
	}
	return nil
}

// bindSlices deletes ranges of rows.
func (st *writeStatement) bindSlices(out *plan.Write, env *Env, waits bool) (*plan.Write, error) {
	slices, err := st.where.clustering.slices(st.table, env)
	if err != nil {
		return nil, err
	}
	if len(slices) == 0 {
		out.Keys = nil
		return out, nil
	}
	for _, s := range slices {
		for _, c := range []schema.Cut{s.From, s.To} {
			if err := checkWidths(st.table, schema.Components(c.Prefix)); err != nil {
				return nil, err
			}
		}
	}
	out.Slices = slices
	err = st.attributes.bind(out, env)
	if err == nil && len(st.regular)+len(st.static) > 0 && len(out.Keys) > 0 {
		err = invalid("Range deletions are not supported for specific columns")
	}
	return valued(out, waits, err)
}

// bindRows writes or deletes named rows, static cells or whole partitions.
func (st *writeStatement) bindRows(out *plan.Write, env *Env, waits bool) (*plan.Write, error) {
	clustered := !st.where.clustering.empty()
	rows := [][]byte{{}}
	if clustered {
		var err error
		if rows, err = st.where.clustering.clusterings(st.table, env); err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			out.Keys = nil
			return out, nil
		}
	}
	return valued(out, waits, st.bindValues(out, rows, clustered, env))
}

// bindValues fills in what is written.
func (st *writeStatement) bindValues(out *plan.Write, rows [][]byte, clustered bool, env *Env) error {
	wholeRows := len(st.table.Clustering) == 0 || clustered
	deletes := st.kind == plan.Delete && len(st.regular)+len(st.static) == 0
	if (st.kind != plan.Delete || deletes || len(st.regular) > 0) && wholeRows {
		out.Rows, out.Liveness = rows, st.kind == plan.Insert
	}
	if err := st.attributes.bind(out, env); err != nil {
		return err
	}
	if len(out.Keys) == 0 {
		return nil
	}
	if clustered {
		for _, r := range rows {
			components := schema.Components(r)
			if err := checkLengths(components); err != nil {
				return err
			}
			if err := checkWidths(st.table, components); err != nil {
				return err
			}
		}
	}
	switch {
	case deletes:
		out.RowDelete, out.Partition = clustered, !clustered
		if !clustered {
			out.Rows = nil
		}
		return nil
	case st.kind == plan.Delete && len(st.regular) > 0 && !wholeRows:
		return invalid("Range deletions are not supported for specific columns")
	}
	return st.bindOperations(out, env)
}

func (st *writeStatement) bindOperations(out *plan.Write, env *Env) error {
	if out.Rows != nil && len(st.regular) > 0 {
		out.Cells = make([]plan.Assign, 0, len(st.regular))
	}
	for i := range st.regular {
		var err error
		if out.Cells, err = st.regular[i].bind(out.Cells, env); err != nil {
			return err
		}
	}
	for i := range st.static {
		var err error
		if out.Static, err = st.static[i].bind(out.Static, env); err != nil {
			return err
		}
	}
	return nil
}
