package bind

import (
	"strconv"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

const locator = "org.apache.cassandra.locator."

// AddKeyspace makes a keyspace. Data centers need not exist.
// Source: Cassandra 2.1 CassandraServer.system_add_keyspace.
func (e *Env) AddKeyspace(d *KeyspaceDef) (*plan.SchemaChange, error) {
	if schema.System(d.Name) {
		return nil, plan.Invalid("%s keyspace is not user-modifiable", d.Name)
	}
	for _, name := range e.Schema.Names() {
		if strings.EqualFold(name, d.Name) {
			return nil, plan.Invalid("Keyspace names must be case-insensitively unique (\"%s\" conflicts with \"%s\")", d.Name, name)
		}
	}
	if _, err := d.class(); err != nil {
		return nil, err
	}
	if !schema.ValidTableName(d.Name) || len(d.Name) > maxName {
		return nil, badName("Keyspace", d.Name)
	}
	k := &schema.Keyspace{Name: d.Name, DurableWrites: true, Tables: map[string]*schema.Table{}, Types: map[string]*types.Type{}}
	if err := d.apply(k); err != nil {
		return nil, err
	}
	return &plan.SchemaChange{After: e.Schema.With(k), Event: &plan.SchemaEvent{Change: "CREATED", Target: "KEYSPACE", Keyspace: d.Name}}, nil
}

// UpdateKeyspace changes a keyspace into what the definition says.
// Source: CassandraServer.system_update_keyspace.
func (e *Env) UpdateKeyspace(d *KeyspaceDef) (*plan.SchemaChange, error) {
	before := e.Schema.Keyspace(d.Name)
	switch {
	case schema.System(d.Name):
		return nil, plan.Invalid("%s keyspace is not user-modifiable", d.Name)
	case before == nil:
		return nil, plan.Invalid("Keyspace %s does not exist", d.Name)
	}
	k := before.Clone()
	if err := d.apply(k); err != nil {
		return nil, err
	}
	return &plan.SchemaChange{After: e.Schema.With(k), Event: &plan.SchemaEvent{Change: "UPDATED", Target: "KEYSPACE", Keyspace: d.Name}}, nil
}

// DropKeyspace drops a keyspace. Source: CassandraServer.system_drop_keyspace.
func (e *Env) DropKeyspace(name string) (*plan.SchemaChange, error) {
	switch {
	case schema.System(name):
		return nil, plan.Invalid("%s keyspace is not user-modifiable", name)
	case e.Schema.Keyspace(name) == nil:
		return nil, plan.Invalid("Cannot drop non existing keyspace '%s'.", name)
	}
	return &plan.SchemaChange{After: e.Schema.Without(name), Event: &plan.SchemaEvent{Change: "DROPPED", Target: "KEYSPACE", Keyspace: name}}, nil
}

// apply sets the definition on a keyspace.
// Source: Cassandra 2.1 KSMetaData.fromThrift, AbstractReplicationStrategy.validateReplicationStrategy.
func (d *KeyspaceDef) apply(k *schema.Keyspace) error {
	class, err := d.class()
	if err != nil {
		return err
	}
	switch strings.TrimPrefix(class, locator) {
	case ring.ClassSimple:
		factor := false
		for _, o := range d.Options {
			if o.Key != "replication_factor" {
				continue
			}
			factor = true
			if err := replicas(o.Value); err != nil {
				return err
			}
		}
		if !factor && len(d.Options) == 0 {
			return plan.Invalid("SimpleStrategy requires a replication_factor strategy option.")
		}
		var keys []string
		for _, o := range d.Options {
			keys = append(keys, o.Key)
		}
		for _, key := range schema.HashOrder(keys) {
			if key != "replication_factor" {
				return plan.Invalid("Unrecognized strategy option {%s} passed to SimpleStrategy for keyspace %s", key, d.Name)
			}
		}
	case ring.ClassNetworkTopology:
		for _, o := range d.Options {
			if o.Key == "replication_factor" {
				return plan.Invalid("replication_factor is an option for SimpleStrategy, not NetworkTopologyStrategy")
			}
			if _, err := strconv.ParseInt(o.Value, 10, 32); err != nil {
				return plan.Invalid("For input string: \"%s\"", o.Value)
			}
			if err := replicas(o.Value); err != nil {
				return err
			}
		}
	}
	k.Replication = []schema.Option{{Key: "class", Value: class}}
	k.Replication = append(k.Replication, d.Options...)
	if d.DurableWrites != nil {
		k.DurableWrites = *d.DurableWrites
	}
	return nil
}

// class is the full name of the strategy.
// Source: Cassandra 2.1 AbstractReplicationStrategy.getClass.
func (d *KeyspaceDef) class() (string, error) {
	class := d.Strategy
	if !strings.Contains(class, ".") {
		class = locator + class
	}
	switch strings.TrimPrefix(class, locator) {
	case ring.ClassSimple, ring.ClassNetworkTopology:
		return class, nil
	case "LocalStrategy":
		return "", plan.Invalid("Unable to use given strategy class: LocalStrategy is reserved for internal use.")
	case "OldNetworkTopologyStrategy":
		return "", plan.Unsupported("OldNetworkTopologyStrategy", "NetworkTopologyStrategy places replicas by data center and rack")
	}
	return "", plan.Invalid("Unable to find replication strategy class '%s'", class)
}

// replicas checks a replication factor.
// Source: AbstractReplicationStrategy.validateReplicationFactor.
func replicas(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	switch {
	case err != nil:
		return plan.Invalid("Replication factor must be numeric; found %s", text)
	case n < 0:
		return plan.Invalid("Replication factor must be non-negative; found %d", n)
	}
	return nil
}
