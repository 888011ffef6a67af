package classic

import (
	"slices"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// refresh makes the client ask anew what a keyspace has: what it has learned of
// columns is forgotten, what it assumes holds again only if it is replayed.
// Source: Cassandra 2.1 CliClient.getKSMetaData, CfAssumptions.replayAssumptions.
func (c *Client) refresh(keyspace string, replay bool) {
	delete(c.spaces, keyspace)
	if s := c.space(keyspace); s != nil {
		s.assumed = replay
	}
}

// space is what the client knows of a keyspace; nil if there is none.
func (c *Client) space(keyspace string) *space {
	if s := c.spaces[keyspace]; s != nil {
		return s
	}
	k := c.core.Cluster.Schema.Keyspace(keyspace)
	if k == nil {
		return nil
	}
	s := &space{keyspace: k, families: map[string]*known{}, assumed: true}
	c.spaces[keyspace] = s
	return s
}

// working is the keyspace in use.
func (r *run) working() (*space, error) {
	if name := r.core.Current.Keyspace; name != "" {
		if s := r.space(name); s != nil {
			return s, nil
		}
	}
	return nil, complaint("Not authorized to a working keyspace.")
}

// family finds a column family by its name, else the only one whose name differs
// in case. One that was made since the client looked last is found too.
// Source: Cassandra 2.1 CliCompiler.getColumnFamily.
func (r *run) family(name thrift.Name) (*known, error) {
	s, err := r.working()
	if err != nil {
		return nil, err
	}
	t := findTable(s.keyspace, name.Text)
	if t == nil {
		if now := r.core.Cluster.Schema.Keyspace(s.keyspace.Name); now != nil {
			t = findTable(now, name.Text)
		}
	}
	if t == nil {
		return nil, complain("%s not found in current keyspace.", name.Text)
	}
	if f := s.families[t.Name]; f != nil {
		return f, nil
	}
	v := bind.ViewOf(t)
	f := &known{name: t.Name, view: v, comparator: v.Comparator, sub: v.Subcomparator, value: v.ValueClass, learned: map[string]*types.Comparator{}}
	if v.Family != nil {
		for _, c := range v.Family.Columns {
			f.learned[string(c.Name)] = c.Class
		}
	}
	s.families[t.Name] = f
	if s.assumed {
		for element, class := range r.assumed[assumption{s.keyspace.Name, t.Name}] {
			f.assume(element, class)
		}
	}
	return f, nil
}

// assumption names the column family of which something is assumed.
type assumption struct{ keyspace, family string }

// assume changes what is believed of the column family; of its keys the client
// keeps note itself. Source: CliClient.applyAssumption.
func (f *known) assume(element string, class *types.Comparator) {
	switch element {
	case "VALIDATOR":
		f.value = class
	case "COMPARATOR":
		f.comparator = class
	case "SUB_COMPARATOR":
		f.sub = class
	}
}

// definition is the column family as the client believes it to be, nil of a table
// of CQL3.
func (f *known) definition() *schema.Family {
	if f.view.Family == nil {
		return nil
	}
	d := *f.view.Family
	d.Comparator, d.Subcomparator, d.ValueClass = f.comparator, f.sub, f.value
	d.Columns = slices.Clone(d.Columns)
	for i, c := range d.Columns {
		d.Columns[i].Class = f.learned[string(c.Name)]
	}
	var more []string
	for name := range f.learned {
		if f.view.Family.Column([]byte(name)) == nil {
			more = append(more, name)
		}
	}
	slices.Sort(more)
	for _, name := range more {
		d.Columns = append(d.Columns, schema.FamilyColumn{Name: []byte(name), Class: f.learned[name]})
	}
	return &d
}

func findTable(k *schema.Keyspace, name string) *schema.Table {
	if t := k.Tables[name]; t != nil {
		return t
	}
	var found *schema.Table
	for _, n := range k.TableNames() {
		if !strings.EqualFold(n, name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = k.Tables[n]
	}
	return found
}

// keyClass is how row keys of a column family are read and shown.
func (r *run) keyClass(f *known) *types.Comparator {
	if c := r.keys[f.name]; c != nil {
		return c
	}
	return f.view.KeyClass
}

// valueClass is how values under a name are read and shown: what was learned of
// the column, else what holds for all.
func (f *known) valueClass(name []byte) *types.Comparator {
	if c := f.learned[string(name)]; c != nil {
		return c
	}
	return f.value
}
