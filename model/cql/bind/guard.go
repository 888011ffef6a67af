package bind

import (
	"slices"
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Guard says what the client whose statement is bound may do. Its refusals are
// Cassandra's. A statement asks as soon as it is prepared, before its values are
// looked at and before a change of the schema is.
// Source: Cassandra 5.0 CQLStatement.authorize, ClientState.
type Guard interface {
	Login() error                                    // whether it may be here at all: validateLogin
	Permit(access.Permission, access.Resource) error // ensurePermission
	Superuser(refusal string) error                  // ensureIsSuperuser
}

func unauthorized(message string) error {
	return &plan.Error{Code: plan.Unauthorized, Message: message}
}

// authorize asks for a permission on data and refuses changes of Cassandra's own
// keyspaces whoever asks.
// Source: Cassandra 5.0 ClientState.ensurePermission, preventSystemKSSchemaModification.
func (e *Env) authorize(p access.Permission, on access.Resource) error {
	if e.Guard != nil {
		if err := e.Guard.Login(); err != nil {
			return err
		}
	}
	change := p == access.Create || p == access.Alter || p == access.Drop
	replication := p == access.Alter && on.Kind == access.Keyspace
	switch keyspace := on.Keyspace; {
	case !change || !schema.System(keyspace):
	case schema.LocalSystem(keyspace):
		return unauthorized(keyspace + " keyspace is not user-modifiable.")
	case !replication:
		return unauthorized("Cannot " + p.String() + " " + on.String())
	}
	if e.Guard != nil && !(p == access.Select && readable(on)) {
		if err := e.Guard.Permit(p, on); err != nil {
			return err
		}
	}
	if replication && schema.System(on.Keyspace) {
		return plan.Unsupported("changes of the keyspace "+on.Keyspace, "its tables have no data here, so its replication does not matter")
	}
	return nil
}

// readable says whether every client may read a table, as drivers and tools need
// to. Source: Cassandra 5.0 ClientState.READABLE_SYSTEM_RESOURCES.
func readable(on access.Resource) bool {
	switch on.Keyspace {
	case "system":
		return slices.Contains([]string{"local", "peers", "peers_v2", "size_estimates", "table_estimates"}, on.Object)
	case "system_traces":
		return on.Object == "events" || on.Object == "sessions"
	}
	return on.Keyspace == "system_schema" || on.Keyspace == "system_virtual_schema"
}

// permit asks for a permission on anything, where somebody is to be asked.
func (e *Env) permit(p access.Permission, on access.Resource) error {
	if e.Guard == nil {
		return nil
	}
	return e.Guard.Permit(p, on)
}

// superuser asks for a superuser.
func (e *Env) superuser(refusal string) error {
	if e.Guard == nil {
		return nil
	}
	return e.Guard.Superuser(refusal)
}

// mayRead asks for what a SELECT needs.
// Source: Cassandra 5.0 SelectStatement.authorize.
func (p *preparation) mayRead() error {
	if p.env.Guard == nil {
		return nil
	}
	name := p.table.Name
	if p.table.IsView() {
		name = p.table.View.Base
	}
	if err := p.env.authorize(access.Select, access.TableOf(p.table.Keyspace, name)); err != nil {
		return err
	}
	return p.mayCall()
}

// mayWrite asks for what a write needs: conditions and views read as well.
// Source: Cassandra 5.0 ModificationStatement.authorize.
func (p *preparation) mayWrite(conditional bool) error {
	if p.env.Guard == nil {
		return nil
	}
	table := access.TableOf(p.table.Keyspace, p.table.Name)
	if err := p.env.authorize(access.Modify, table); err != nil {
		return err
	}
	var views []*schema.Table
	if k := p.env.Schema.Keyspace(p.table.Keyspace); k != nil {
		views = k.Views(p.table.Name)
	}
	if conditional || len(views) > 0 {
		if err := p.env.authorize(access.Select, table); err != nil {
			return err
		}
	}
	for _, v := range views {
		if err := p.env.authorize(access.Modify, access.TableOf(v.Keyspace, v.Name)); err != nil {
			return err
		}
	}
	return p.mayCall()
}

// mayCall asks for EXECUTE on the user-defined functions that are called,
// those inside of aggregates among them.
// Source: Cassandra 5.0 UDAggregate.addFunctionsTo, ClientState.ensurePermission.
func (p *preparation) mayCall() error {
	var all []*function.Function
	for _, f := range p.called {
		all = append(append(all, f), f.Of...)
	}
	for _, f := range all {
		if err := p.env.permit(access.Execute, FunctionResource(f.Keyspace, f.Name, f.Args)); err != nil {
			return err
		}
	}
	return nil
}

// calls notes a user-defined function that the statement calls.
func (p *preparation) calls(f *function.Function) {
	if f.Keyspace != "" && p.env.Guard != nil {
		p.called = append(p.called, f)
	}
}

// FunctionResource is a function or an aggregate with its arguments' types.
// Source: Cassandra 5.0 FunctionResource.
func FunctionResource(keyspace, name string, args []*types.Type) access.Resource {
	classes := make([]string, len(args))
	for i, a := range args {
		classes[i] = a.MarshalName()
	}
	return access.Resource{Kind: access.Function, Keyspace: keyspace, Object: name,
		Classes: strings.Join(classes, "^"), Types: texts(args, schema.BareType)}
}

// mayCreateRoutine asks for what CREATE FUNCTION and CREATE AGGREGATE need: to
// alter what is replaced, else to create in the keyspace.
// Source: Cassandra 5.0 CreateFunctionStatement.authorize.
func mayCreateRoutine(env *Env, keyspace, name string, written []cql.TypeExpr, replace bool) error {
	if env.Guard == nil {
		return nil
	}
	if k := env.Schema.Keyspace(keyspace); k != nil {
		args, err := resolveAll(k, written)
		if signature := schema.Signature(name, args); err == nil && replace && (k.Functions[signature] != nil || k.Aggregates[signature] != nil) {
			return env.permit(access.Alter, FunctionResource(keyspace, name, args))
		}
	}
	return env.permit(access.Create, access.FunctionsOf(keyspace))
}

// mayAggregate asks for the functions that a new aggregate calls.
// Source: Cassandra 5.0 CreateAggregateStatement.authorize.
func mayAggregate(env *Env, k *schema.Keyspace, a *schema.Aggregate, final *cql.Name) error {
	if env.Guard == nil {
		return nil
	}
	step := FunctionResource(k.Name, a.StateFunc, append([]*types.Type{a.StateType}, a.Args...))
	if err := env.permit(access.Execute, step); err != nil || final == nil {
		return err
	}
	return env.permit(access.Execute, FunctionResource(k.Name, final.Text, []*types.Type{a.StateType}))
}

// mayDrop asks for each function and aggregate that a name and, if they are
// written, types mean. Which of several comes first is up to Cassandra's hashes.
// Source: Cassandra 5.0 DropFunctionStatement.authorize, DropAggregateStatement.authorize.
func (d *routineDrop) mayDrop(env *Env, keyspace string) error {
	k := env.Schema.Keyspace(keyspace)
	if env.Guard == nil || k == nil {
		return nil
	}
	name := d.name.Name.Text
	var all [][]*types.Type
	for _, f := range k.FunctionsNamed(name) {
		all = append(all, f.Args)
	}
	for _, a := range k.AggregatesNamed(name) {
		all = append(all, a.Args)
	}
	want := ""
	if d.hasTypes {
		args, err := resolveAll(k, d.types)
		if err != nil {
			return err
		}
		want = schema.Signature(name, args)
	}
	for _, args := range all {
		if want != "" && want != schema.Signature(name, args) {
			continue
		}
		if err := env.permit(access.Drop, FunctionResource(keyspace, name, args)); err != nil {
			return err
		}
	}
	return nil
}
