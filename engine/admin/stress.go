package admin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/engine/stress"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "stress", Group: "load, review", Usage: stressUsage, Class: Input, Text: true, Words: stressWords, Run: runStress,
		Help: "run a user profile of cassandra-stress: n partitions written and queries run, in the ratios of ops(…), with its values; " +
			"rate and latencies are of virtual time; export writes the profile of a table"})
}

// runStress runs :stress.
func runStress(ctx *Context, args Args) ([]*answer.Answer, error) {
	if word, rest, _ := strings.Cut(args.Raw, " "); word == "export" {
		words, err := stressSplit(rest)
		if err != nil {
			return nil, err
		}
		return exportStress(ctx, words)
	}
	a, err := parseStress(args.Raw)
	if err != nil {
		return nil, err
	}
	text, err := stressProfile(ctx, a)
	if err != nil {
		return nil, err
	}
	name := stressName(a)
	p, err := stress.ParseProfile(text)
	if err != nil {
		return nil, named(name, err)
	}
	k := ctx.Current
	cl, keyspace, tracing := k.CL, k.Keyspace, k.Tracing
	defer func() { k.CL, k.Keyspace, k.Tracing = cl, keyspace, tracing }()
	k.Keyspace, k.Tracing = "", false
	if err := makeSchema(ctx, p); err != nil {
		return nil, named(name, err)
	}
	k.Keyspace = p.Keyspace
	if a.cl != nil {
		k.CL = *a.cl
	}
	r, err := prepareStress(ctx, p, a)
	if err != nil {
		return nil, named(name, err)
	}
	return r.run()
}

// stressProfile is the text of a load's profile.
func stressProfile(ctx *Context, a *stressArgs) (string, error) {
	switch {
	case a.inline:
		return a.profile, nil
	case a.table != "":
		t, err := ctx.Table(a.table)
		if err != nil {
			return "", err
		}
		text, _, err := tableProfile(ctx, t)
		return text, err
	case ctx.Outside == nil:
		return "", fmt.Errorf("this lab reaches no files; a profile in one line, {\"keyspace\": …}, can stand in the place of its name")
	}
	files, err := ctx.Outside.Read(a.profile)
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", fmt.Errorf("%s is more than one file; a load has one profile", a.profile)
	}
	return files[0].Text, nil
}

// named puts the profile's name in front of a complaint about it.
func named(name string, err error) error {
	var p *stress.ProfileError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("%s, %w", name, err)
}

// badProfile is a complaint about a place of a profile.
func badProfile(at stress.Position, format string, args ...any) error {
	return &stress.ProfileError{At: at, Msg: fmt.Sprintf(format, args...)}
}

// makeSchema runs the definitions of a profile; what exists stays as it is.
// Source: Cassandra 5.0 StressProfile.init, maybeCreateSchema.
func makeSchema(ctx *Context, p *stress.Profile) error {
	run := func(at stress.Position, what, text string) error {
		a := ctx.Statement(cql.TrimStatement(text))
		if a.Error != nil && a.Error.Code != plan.AlreadyExists.String() {
			return badProfile(at, "%s is refused: %s", what, a.Error.Message)
		}
		return nil
	}
	if p.KeyspaceDefinition != "" {
		at := p.Where("keyspace_definition")
		st, err := cql.Parse(cql.TrimStatement(p.KeyspaceDefinition))
		create, ok := st.(*cql.CreateKeyspace)
		switch {
		case err != nil:
			return badProfile(at, "keyspace_definition is refused: %v", err)
		case !ok:
			return badProfile(at, "keyspace_definition is to be a CREATE KEYSPACE")
		case !strings.EqualFold(create.Keyspace.Text, p.Keyspace):
			return badProfile(at, "keyspace_definition makes %s, but keyspace is %s; give both the same name", create.Keyspace.Text, p.Keyspace)
		}
		if err := run(at, "keyspace_definition", p.KeyspaceDefinition); err != nil {
			return err
		}
	}
	if ctx.Cluster.Schema.Keyspace(p.Keyspace) == nil {
		return badProfile(p.Where("keyspace"), "the keyspace %s does not exist, and the profile has no keyspace_definition for it", p.Keyspace)
	}
	ctx.Current.Keyspace = p.Keyspace
	if p.TableDefinition != "" {
		at := p.Where("table_definition")
		st, err := cql.Parse(cql.TrimStatement(p.TableDefinition))
		create, ok := st.(*cql.CreateTable)
		switch {
		case err != nil:
			return badProfile(at, "table_definition is refused: %v", err)
		case !ok:
			return badProfile(at, "table_definition is to be a CREATE TABLE")
		case !strings.EqualFold(create.Table.Name.Text, p.Table):
			return badProfile(at, "table_definition makes %s, but table is %s; give both the same name", create.Table.Name.Text, p.Table)
		}
		if err := run(at, "table_definition", p.TableDefinition); err != nil {
			return err
		}
	}
	for _, text := range p.Extra {
		if err := run(p.Where("extra_definitions"), "a statement of extra_definitions", text); err != nil {
			return err
		}
	}
	return nil
}

// prepareStress checks a profile against its table and its operations.
func prepareStress(ctx *Context, p *stress.Profile, a *stressArgs) (*stressRun, error) {
	t := ctx.Cluster.Schema.Table(p.Keyspace, p.Table)
	if t == nil {
		return nil, badProfile(p.Where("table"), "the table %s.%s does not exist%s", p.Keyspace, p.Table, definitionMissing(p))
	}
	if t.View != nil {
		return nil, badProfile(p.Where("table"), "%s is a materialized view, which follows its table; load the table", t)
	}
	ops, err := stressOps(p, a.ops)
	if err != nil {
		return nil, err
	}
	l, err := stress.NewLoad(p, t, stress.Options{N: a.n, Ops: ops, Sequence: a.seq, Seeds: a.dist, Seed: ctx.Spec.Seed, Readable: a.readable})
	if err != nil {
		return nil, err
	}
	r := &stressRun{ctx: ctx, args: a, load: l, table: t, queries: make([]*session.Prepared, len(p.Queries)), results: make([]stressResult, len(ops))}
	for _, o := range ops {
		if o.Name == "insert" {
			if r.loader, err = stressLoader(ctx, l); err != nil {
				return nil, err
			}
			continue
		}
		for i := range p.Queries {
			if q := &p.Queries[i]; q.Name == o.Name {
				if r.queries[i], err = prepareQuery(ctx, l, i, q); err != nil {
					return nil, err
				}
			}
		}
	}
	return r, nil
}

func definitionMissing(p *stress.Profile) string {
	if p.TableDefinition == "" {
		return ", and the profile has no table_definition for it"
	}
	return "" // it was made under a name in other case
}

// stressOps checks the names of operations. One of several profiles is written
// specname.insert; there is only one here, so that its name may stand in front.
func stressOps(p *stress.Profile, list []stress.OpRatio) ([]stress.OpRatio, error) {
	names := []string{"insert"}
	for _, q := range p.Queries {
		names = append(names, q.Name)
	}
	out := slices.Clone(list)
	for i := range out {
		for _, prefix := range []string{p.Spec + ".", p.Keyspace + "." + p.Table + "."} {
			if rest, ok := strings.CutPrefix(out[i].Name, strings.ToLower(prefix)); ok && prefix != "." {
				out[i].Name = rest
			}
		}
		name := out[i].Name
		switch {
		case slices.Contains(p.TokenRangeQueries, name):
			return nil, badProfile(p.Where("token_range_queries"), "token_range_queries are not supported, so that ops cannot name %s; a query with "+
				"`WHERE token(…) > …` reads ranges", name)
		case name == "validate":
			return nil, fmt.Errorf("ops: validate is not supported; `:expect` and SELECT check what a table holds")
		case !slices.Contains(names, name):
			near := ""
			if n, ok := session.Nearest(name, names); ok {
				near = "did you mean " + n + "? "
			}
			return nil, fmt.Errorf("ops: the profile has no operation %s; %sit has %s", name, near, strings.Join(names, ", "))
		}
	}
	return out, nil
}

// stressLoader makes what writes the rows of a load.
func stressLoader(ctx *Context, l *stress.Load) (*session.Loader, error) {
	in := l.Profile.Insert
	kind := map[string]plan.BatchKind{"LOGGED": plan.LoggedBatch, "UNLOGGED": plan.UnloggedBatch, "COUNTER": plan.CounterBatch}[in.Batch]
	at := in.At
	if at.Line == 0 {
		at = l.Profile.Where("table")
	}
	most := l.MostRows() * float64(in.Partitions.Max)
	if kind == plan.LoggedBatch && most*min(1, float64(in.Select.Spec.Max)/in.Select.Divisor) > session.MostInBatch {
		return nil, badProfile(at, "logged batches of up to %.0f rows: %d are the most in one batch; batchtype: UNLOGGED cuts them into several, and select writes fewer",
			most, session.MostInBatch)
	}
	loader, refused := ctx.NewLoader(l.Table, l.Columns, kind, most > 1)
	if refused != nil {
		return nil, badProfile(at, "insert is refused: %s", refused.Message)
	}
	return loader, nil
}

func prepareQuery(ctx *Context, l *stress.Load, i int, q *stress.Query) (*session.Prepared, error) {
	prepared, refused := ctx.Prepare(cql.TrimStatement(q.CQL))
	if prepared == nil {
		return nil, badProfile(q.At, "the query %s is refused: %s", q.Name, refused.Error.Message)
	}
	var markers []string
	for _, v := range prepared.Meta.Variables {
		markers = append(markers, v.Name)
	}
	return prepared, l.Bind(i, markers)
}

// profileColumns are the columns of a table in the order of a profile.
func profileColumns(t *schema.Table) []*schema.Column {
	return slices.Concat(t.Key, t.Clustering, t.Static, t.Regular)
}
