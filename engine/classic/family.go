package classic

import (
	"strings"

	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// refresh forgets what the client has learned of a keyspace.
func (c *Client) refresh(keyspace string) { delete(c.spaces, keyspace) }

// space is what the client knows of a keyspace; nil if there is none.
func (c *Client) space(keyspace string) *space {
	if s := c.spaces[keyspace]; s != nil {
		return s
	}
	k := c.core.Cluster.Schema.Keyspace(keyspace)
	if k == nil {
		return nil
	}
	s := &space{keyspace: k, families: map[string]*known{}}
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
	return f, nil
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
