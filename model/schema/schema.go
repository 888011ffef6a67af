package schema

import (
	"sort"

	"ringlab/model/types"
)

// Option is one key and value of a map-valued property, in the order shown.
type Option struct{ Key, Value string }

// Keyspace is one keyspace. Replication holds the class, fully qualified, first.
type Keyspace struct {
	Name          string
	Replication   []Option
	DurableWrites bool
	Tables        map[string]*Table // materialized views among them
	Types         map[string]*types.Type
	Functions     map[string]*Function  // by Signature
	Aggregates    map[string]*Aggregate // by Signature
}

// Class is the replication class without its package.
func (k *Keyspace) Class() string {
	for _, o := range k.Replication {
		if o.Key == "class" {
			for i := len(o.Value) - 1; i >= 0; i-- {
				if o.Value[i] == '.' {
					return o.Value[i+1:]
				}
			}
			return o.Value
		}
	}
	return ""
}

// TableNames are the tables in order of name.
func (k *Keyspace) TableNames() []string {
	names := make([]string, 0, len(k.Tables))
	for n := range k.Tables {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Clone is a copy whose maps may be changed.
func (k *Keyspace) Clone() *Keyspace {
	c := *k
	c.Tables = make(map[string]*Table, len(k.Tables)+1)
	for n, t := range k.Tables {
		c.Tables[n] = t
	}
	c.Types = make(map[string]*types.Type, len(k.Types)+1)
	for n, t := range k.Types {
		c.Types[n] = t
	}
	c.Functions = make(map[string]*Function, len(k.Functions)+1)
	for n, f := range k.Functions {
		c.Functions[n] = f
	}
	c.Aggregates = make(map[string]*Aggregate, len(k.Aggregates)+1)
	for n, a := range k.Aggregates {
		c.Aggregates[n] = a
	}
	return &c
}

// Schema is one version of all keyspaces. It is immutable; With and Without
// make the next one.
type Schema struct {
	Version   uint64
	keyspaces map[string]*Keyspace
	names     []string
}

// Empty is the schema of a new lab.
func Empty() *Schema { return &Schema{keyspaces: map[string]*Keyspace{}} }

// Keyspace finds a keyspace by its exact name; nil if there is none.
func (s *Schema) Keyspace(name string) *Keyspace { return s.keyspaces[name] }

// Names are the keyspaces in order of name.
func (s *Schema) Names() []string { return s.names }

// Table finds a table; nil if there is none.
func (s *Schema) Table(keyspace, name string) *Table {
	if k := s.keyspaces[keyspace]; k != nil {
		return k.Tables[name]
	}
	return nil
}

// With is the next schema, with that keyspace added or replaced.
func (s *Schema) With(k *Keyspace) *Schema {
	next := s.copy()
	next.keyspaces[k.Name] = k
	next.list()
	return next
}

// Without is the next schema, without that keyspace.
func (s *Schema) Without(name string) *Schema {
	next := s.copy()
	delete(next.keyspaces, name)
	next.list()
	return next
}

func (s *Schema) copy() *Schema {
	next := &Schema{Version: s.Version + 1, keyspaces: make(map[string]*Keyspace, len(s.keyspaces)+1)}
	for n, k := range s.keyspaces {
		next.keyspaces[n] = k
	}
	return next
}

func (s *Schema) list() {
	s.names = s.names[:0:0]
	for n := range s.keyspaces {
		s.names = append(s.names, n)
	}
	sort.Strings(s.names)
}

// System says whether a name belongs to Cassandra's own keyspaces, which cannot
// be changed. Source: Cassandra 5.0 SchemaConstants.
func System(keyspace string) bool {
	switch keyspace {
	case "system", "system_schema", "system_auth", "system_distributed", "system_traces", "system_views", "system_virtual_schema":
		return true
	}
	return false
}

// LocalSystem says whether a keyspace belongs to each node alone.
// Source: Cassandra 5.0 SchemaConstants.isLocalSystemKeyspace.
func LocalSystem(keyspace string) bool {
	switch keyspace {
	case "system_auth", "system_distributed", "system_traces":
		return false
	}
	return System(keyspace)
}

// Virtual says whether the tables of a keyspace are virtual: made up by each
// node when they are read. Source: Cassandra 5.0 SchemaConstants.isVirtualSystemKeyspace.
func Virtual(keyspace string) bool {
	return keyspace == "system_views" || keyspace == "system_virtual_schema"
}
