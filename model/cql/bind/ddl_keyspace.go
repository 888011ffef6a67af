package bind

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// createKeyspace is CREATE KEYSPACE.
// Source: Cassandra 5.0 CreateKeyspaceStatement.
func createKeyspace(s *cql.CreateKeyspace, env *Env) (*plan.SchemaChange, error) {
	name := s.Keyspace.Text
	attrs, err := keyspaceAttributes(s.Properties)
	if err != nil {
		return nil, err
	}
	if err := env.authorize(access.Create, access.Resource{Kind: access.AllKeyspaces}); err != nil {
		return nil, err
	}
	if schema.LocalSystem(name) {
		return nil, plan.Invalid("System keyspace '%s' is not user-modifiable", name)
	}
	if err := checkKeyspaceName(name); err != nil {
		return nil, err
	}
	if err := attrs.check(); err != nil {
		return nil, err
	}
	exists := env.Schema.Keyspace(name) != nil || schema.System(name)
	switch {
	case attrs.replication == nil:
		return nil, plan.Invalid("Missing mandatory option 'replication'")
	case exists && s.IfNotExists:
		return unchanged(env), nil
	case exists:
		return nil, plan.Exists(name, "", "Cannot add existing keyspace \"%s\"", name)
	}
	k := &schema.Keyspace{Name: name, DurableWrites: true, Tables: map[string]*schema.Table{}, Types: map[string]*types.Type{}}
	warnings, err := attrs.apply(k, env)
	if err != nil {
		return nil, err
	}
	change := changed(env.Schema.With(k), "CREATED", "KEYSPACE", name, "")
	change.Warnings = warnings
	return change, nil
}

// alterKeyspace is ALTER KEYSPACE.
// Source: Cassandra 5.0 AlterKeyspaceStatement.
func alterKeyspace(s *cql.AlterKeyspace, env *Env) (*plan.SchemaChange, error) {
	name := s.Keyspace.Text
	attrs, err := keyspaceAttributes(s.Properties)
	if err != nil {
		return nil, err
	}
	if err := env.authorize(access.Alter, access.KeyspaceOf(name)); err != nil {
		return nil, err
	}
	if err := checkKeyspaceName(name); err != nil {
		return nil, err
	}
	if err := attrs.check(); err != nil {
		return nil, err
	}
	before := env.Schema.Keyspace(name)
	switch {
	case before == nil && s.IfExists:
		return unchanged(env), nil
	case before == nil:
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", name)
	}
	k := before.Clone()
	warnings, err := attrs.apply(k, env)
	if err != nil {
		return nil, err
	}
	change := unchanged(env)
	if k.DurableWrites != before.DurableWrites || !slices.Equal(k.Replication, before.Replication) {
		change = changed(env.Schema.With(k), "UPDATED", "KEYSPACE", name, "")
		if replicationFactor(before, env) < replicationFactor(k, env) {
			warnings = append(warnings, "When increasing replication factor you need to run a full (-full) repair to distribute the data.")
		}
	}
	change.Warnings = warnings
	return change, nil
}

// dropKeyspace is DROP KEYSPACE.
// Source: Cassandra 5.0 DropKeyspaceStatement.
func dropKeyspace(s *cql.DropKeyspace, env *Env) (*plan.SchemaChange, error) {
	name := s.Keyspace.Text
	if err := env.authorize(access.Drop, access.KeyspaceOf(name)); err != nil {
		return nil, err
	}
	if err := checkKeyspaceName(name); err != nil {
		return nil, err
	}
	switch {
	case env.Schema.Keyspace(name) != nil:
		return changed(env.Schema.Without(name), "DROPPED", "KEYSPACE", name, ""), nil
	case s.IfExists:
		return unchanged(env), nil
	}
	return nil, plan.Invalid("Keyspace '%s' doesn't exist", name)
}

// attributes are the properties of a keyspace.
type attributes struct {
	all         []schema.Setting
	replication *schema.Setting
}

func keyspaceAttributes(properties []cql.Property) (*attributes, error) {
	all, err := settings(properties)
	return &attributes{all, findSetting(all, "replication")}, err
}

// check refuses unknown properties and a replication map without a class.
// Source: Cassandra 5.0 KeyspaceAttributes.validate.
func (a *attributes) check() error {
	for _, s := range a.all {
		if s.Name != "replication" && s.Name != "durable_writes" {
			return plan.Syntax("Unknown property '%s'", s.Name)
		}
	}
	switch r := a.replication; {
	case r == nil:
	case !r.IsMap:
		return plan.Syntax("Invalid value for property 'replication'. It should be a map.")
	case len(r.Map) > 0 && !slices.ContainsFunc(r.Map, isClass):
		return plan.Config("Missing replication strategy class")
	}
	return nil
}

func isClass(o schema.Option) bool { return o.Key == "class" }

// apply sets the properties on a keyspace that nobody else has seen yet.
// Source: Cassandra 5.0 KeyspaceAttributes.asNewKeyspaceParams, asAlteredKeyspaceParams.
func (a *attributes) apply(k *schema.Keyspace, env *Env) (warnings []string, err error) {
	if d := findSetting(a.all, "durable_writes"); d != nil {
		if d.IsMap {
			return nil, plan.Syntax("Invalid value for property 'durable_writes'. It should be a string")
		}
		if k.DurableWrites, err = schema.ParseBoolean("durable_writes", d.Text); err != nil {
			return nil, err
		}
	}
	if a.replication == nil || len(a.replication.Map) == 0 && k.Replication != nil {
		return nil, nil
	}
	class, options := splitClass(a.replication.Map)
	_, previous := splitClass(k.Replication)
	strategy, stored, warnings, err := ring.NewStrategy(class, options, replicationContext(k.Name, previous, env))
	if err != nil {
		return nil, offerRing(err, class, options, env)
	}
	k.Replication = []schema.Option{{Key: "class", Value: "org.apache.cassandra.locator." + strategy.Class()}}
	for _, o := range stored {
		k.Replication = append(k.Replication, schema.Option(o))
	}
	return warnings, nil
}

// offerRing adds to the refusal of data centers that the ring lacks a ring that
// has them.
func offerRing(err error, class string, options []ring.Option, env *Env) error {
	var refused *plan.Error
	if env.Topology == nil || !strings.HasSuffix(class, ring.ClassNetworkTopology) || !errors.As(refusal(err), &refused) {
		return err
	}
	text, missing := ":ring new", false
	for _, o := range options {
		n, bad := strconv.Atoi(o.Value)
		if o.Key == "replication_factor" || bad != nil {
			continue
		}
		missing = missing || !slices.Contains(env.Topology.DataCenters(), o.Key)
		text += " " + o.Key + "=" + strconv.Itoa(max(n, 3))
	}
	if !missing {
		return err
	}
	with := *refused
	with.Fix = append(slices.Clone(refused.Fix), plan.Fix{Text: text,
		Why: "starts an empty lab on a ring with those data centers; then run the schema again (undo brings this lab back)"})
	return &with
}

func splitClass(replication []schema.Option) (class string, options []ring.Option) {
	for _, o := range replication {
		if isClass(o) {
			class = o.Value
		} else {
			options = append(options, ring.Option(o))
		}
	}
	return class, options
}

func replicationContext(keyspace string, previous []ring.Option, env *Env) ring.ReplicationContext {
	in := ring.ReplicationContext{Keyspace: keyspace, Previous: previous}
	if env.Topology != nil {
		for _, dc := range env.Topology.DataCenters() {
			in.Datacenters = append(in.Datacenters, ring.Datacenter{Name: dc, Nodes: env.Topology.Nodes(dc)})
		}
	}
	return in
}

// replicationFactor is the number of replicas over all data centers.
func replicationFactor(k *schema.Keyspace, env *Env) int {
	class, options := splitClass(k.Replication)
	if s, _, _, err := ring.NewStrategy(class, options, replicationContext(k.Name, nil, env)); err == nil {
		return s.RF()
	}
	return 0
}
