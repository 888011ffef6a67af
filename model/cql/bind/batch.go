package bind

import (
	"slices"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// batchStatement is a checked BATCH.
// Source: Cassandra 5.0 BatchStatement.
type batchStatement struct {
	kind       plan.BatchKind
	statements []*writeStatement
	timestamp  *term
	ttl        bool
	variables  []spec
	tables     []*schema.Table // of each variable

	preparations []*preparation // of each statement
}

// mayWrite asks for what the statements need, one after the other.
// Source: Cassandra 5.0 BatchStatement.authorize.
func (st *batchStatement) mayWrite() error {
	for i, p := range st.preparations {
		if err := p.mayWrite(st.statements[i].conditions.any()); err != nil {
			return err
		}
	}
	return nil
}

// prepareBatch checks a BATCH: its statements, then all of them together.
// Source: Cassandra 5.0 BatchStatement.Raw.prepare.
func prepareBatch(s *cql.Batch, env *Env) (*batchStatement, error) {
	st := &batchStatement{kind: plan.BatchKind(s.Kind)}
	for _, inner := range s.Statements {
		p, out, err := prepareWrite(inner, env)
		if err != nil {
			return nil, err
		}
		st.statements, st.preparations = append(st.statements, out), append(st.preparations, p)
		st.collect(p.markers, p.table)
	}
	p := &preparation{env: env}
	attributes, err := p.attributes(s.Using)
	if err != nil {
		return nil, err
	}
	st.timestamp, st.ttl = attributes.timestamp, attributes.ttl != nil
	st.collect(p.markers, nil)
	return st, st.validate()
}

// collect adds the markers that one of the statements has; those of the batch
// itself are of no table.
func (st *batchStatement) collect(markers []spec, of *schema.Table) {
	for i, m := range markers {
		if m.typ == nil {
			continue
		}
		for len(st.variables) <= i {
			st.variables = append(st.variables, spec{})
			st.tables = append(st.tables, nil)
		}
		st.variables[i], st.tables[i] = m, of
	}
}

// validate checks what the statements may be together.
// Source: Cassandra 5.0 BatchStatement.validate.
func (st *batchStatement) validate() error {
	conditional, counters, others := false, false, false
	for _, s := range st.statements {
		conditional = conditional || s.conditions.any()
		counters = counters || s.table.Counter
		others = others || !s.table.Counter
	}
	switch {
	case st.ttl:
		return invalid("Global TTL on the BATCH statement is not supported.")
	case st.timestamp != nil && conditional:
		return invalid("Cannot provide custom timestamp for conditional BATCH")
	case st.timestamp != nil && st.kind == plan.CounterBatch:
		return invalid("Cannot provide custom timestamp for counter BATCH")
	}
	for _, s := range st.statements {
		if st.timestamp != nil && s.attributes.timestamp != nil {
			return invalid("Timestamp must be set either on BATCH or individual statements")
		}
	}
	switch {
	case st.timestamp != nil && counters:
		return invalid("Cannot provide custom timestamp for a BATCH containing counters")
	case st.kind == plan.CounterBatch && others:
		return invalid("Cannot include non-counter statement in a counter batch")
	case counters && others:
		return invalid("Counter and non-counter mutations cannot exist in the same batch")
	case st.kind == plan.LoggedBatch && counters:
		return invalid("Cannot include a counter statement in a logged batch")
	}
	for _, s := range st.statements {
		if st.kind == plan.LoggedBatch && schema.Virtual(s.table.Keyspace) {
			return invalid("Cannot include a virtual table statement in a logged batch")
		}
	}
	if conditional {
		for _, s := range st.statements[1:] {
			if s.table != st.statements[0].table {
				return invalid("Batch with conditions cannot span multiple tables")
			}
		}
	}
	return nil
}

func bindBatch(s *cql.Batch, env *Env) (*plan.Batch, error) {
	st, err := prepareBatch(s, env)
	if err != nil {
		return nil, err
	}
	if err := checkMarkers(s.Markers, env); err != nil {
		return nil, err
	}
	if err := st.mayWrite(); err != nil {
		return nil, err
	}
	return st.bind(func(int) *Env { return env }, env)
}

// bind gives the meaning of all statements, each with the values that it is bound
// to.
func (st *batchStatement) bind(of func(i int) *Env, env *Env) (*plan.Batch, error) {
	out := &plan.Batch{Kind: st.kind}
	for _, w := range st.statements {
		out.Conditional = out.Conditional || w.conditions.any()
	}
	var timestamp *int64
	if st.timestamp != nil {
		var err error
		if timestamp, err = bindTimestamp(st.timestamp, env); err != nil {
			return nil, err
		}
	}
	for i, w := range st.statements {
		if out.Conditional {
			if err := w.inConditionalBatch(); err != nil {
				return nil, err
			}
		}
		p, err := w.bind(of(i), out.Conditional)
		if err != nil {
			return nil, err
		}
		if p.Timestamp == nil {
			p.Timestamp = timestamp
		}
		out.Writes = append(out.Writes, p)
	}
	if out.Conditional {
		return out, onePartition(out.Writes)
	}
	return out, nil
}

// inConditionalBatch refuses IN in any statement of a batch with conditions.
// Source: Cassandra 5.0 BatchStatement.makeCasRequest.
func (st *writeStatement) inConditionalBatch() error {
	if st.where.keyIn() {
		return &plan.Error{Code: plan.ServerError, Message: "java.lang.IllegalArgumentException: Batch with conditions cannot span multiple partitions " +
			"(you cannot use IN on the partition key)"}
	}
	return st.oneRow()
}

// onePartition wants all writes of a batch with conditions in one partition, and
// conditions on a row that go together.
// Source: Cassandra 5.0 BatchStatement.makeCasRequest, CQL3CasRequest.
func onePartition(writes []*plan.Write) error {
	kinds := map[string]*plan.Conditions{}
	for _, w := range writes {
		if len(w.Keys) > 0 && len(writes[0].Keys) > 0 && string(w.Keys[0]) != string(writes[0].Keys[0]) {
			return invalid("Batch with conditions cannot span multiple partitions")
		}
		if w.If == nil {
			continue
		}
		row := "r" + string(w.If.Row)
		if w.If.Static {
			row = "s"
		}
		have := kinds[row]
		if have == nil {
			kinds[row] = w.If
			continue
		}
		switch tests := len(have.Tests) > 0; {
		case len(w.If.Tests) > 0 && !tests:
			return invalid("Cannot mix IF conditions and IF NOT EXISTS for the same row")
		case len(w.If.Tests) > 0 || w.If.Exists && have.Exists || w.If.NotExists && have.NotExists:
		case !tests:
			return invalid("Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row")
		case w.If.NotExists:
			return invalid("Cannot mix IF conditions and IF NOT EXISTS for the same row")
		default:
			return invalid("Cannot mix IF conditions and IF EXISTS for the same row")
		}
	}
	return nil
}

// prepared is what a client learns of a prepared batch: the partition key's
// variables only where all statements, and all variables, are about one table.
// Source: Cassandra 5.0 BatchStatement.getPartitionKeyBindVariableIndexes,
// ResultSet.PreparedMetadata.Codec.encode.
func (st *batchStatement) prepared() *Prepared {
	out := &Prepared{}
	for i, v := range st.variables {
		out.Variables = append(out.Variables, Variable{v.name, v.typ, st.tables[i]})
	}
	if len(st.statements) == 0 {
		return out
	}
	out.Table = st.statements[0].table
	for _, s := range st.statements {
		if s.table != out.Table && !slices.Contains(out.Others, s.table) {
			out.Others = append(out.Others, s.table)
		}
	}
	if out.Others != nil {
		return out
	}
	if st.timestamp != nil && st.timestamp.hasMarker() {
		return out // a variable of the batch is of no table
	}
	out.Key = keyVariables(out.Table, st.variables)
	return out
}
