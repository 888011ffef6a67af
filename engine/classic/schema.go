package classic

import (
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// change runs a change of the schema and prints the version of the schema.
func (r *run) change(p *plan.SchemaChange, err error) error {
	if err != nil {
		return err
	}
	if err := r.sent(r.core.RunPlan(r.text, p)); err != nil {
		return err
	}
	coord, err := r.core.Coordinator(r.core.Current)
	if err != nil {
		return err
	}
	r.line("%s", r.core.SchemaVersion(coord))
	return nil
}

// find is a keyspace by its name in any case.
// Source: Cassandra 2.1 CliCompiler.getKeySpace.
func (r *run) find(name string) *schema.Keyspace {
	s := r.core.Cluster.Schema
	if k := s.Keyspace(name); k != nil {
		return k
	}
	for _, n := range s.Names() {
		if strings.EqualFold(n, name) {
			return s.Keyspace(n)
		}
	}
	return nil
}

// Source: CliClient.executeUseKeySpace.
func (r *run) use(s *thrift.Use) error {
	name := s.Keyspace.Text
	if schema.System(name) {
		r.core.Current.Keyspace = name
		r.line("Authenticated to keyspace: %s", name)
		return nil
	}
	k := r.find(name)
	if k == nil {
		return complain("Keyspace '%s' not found.", name)
	}
	r.core.Current.Keyspace = k.Name
	r.refresh(k.Name, true)
	r.line("Authenticated to keyspace: %s", k.Name)
	return nil
}

// connect takes a client to the node of an address.
// Source: CliClient.executeConnect, CliMain.connect.
func (r *run) connect(s *thrift.Connect) error {
	for _, n := range r.core.Cluster.Nodes {
		if s.Host != n.Address && !strings.EqualFold(s.Host, n.Name) && !(s.Host == "localhost" && n.Index == 0) {
			continue
		}
		if s.Port != "9160" || n.Down {
			break
		}
		k := r.core.Current
		k.Node, k.Keyspace = n.Index, ""
		r.alone = false
		r.spaces, r.Client.keys = map[string]*space{}, map[string]*types.Comparator{}
		r.assumed = map[assumption]map[string]*types.Comparator{}
		r.line("Connected to: \"%s\" on %s/%s", clusterName, s.Host, s.Port)
		return nil
	}
	r.alone = true
	r.warn("org.apache.thrift.transport.TTransportException: java.net.ConnectException: Connection refused")
	return complain("Exception connecting to %s/%s. Reason: Connection refused.", s.Host, s.Port)
}

// clusterName is what a lab is called, as in CQL.
const clusterName = "ringlab"

// Source: CliClient.executeAddKeySpace, executeUpdateKeySpace.
func (r *run) createKeyspace(s *thrift.CreateKeyspace) error {
	d := &bind.KeyspaceDef{Name: s.Keyspace.Text, Strategy: "org.apache.cassandra.locator.NetworkTopologyStrategy"}
	var before *schema.Keyspace
	if s.Update {
		if before = r.find(d.Name); before == nil && !schema.System(d.Name) {
			return complain("java.lang.RuntimeException: Keyspace '%s' not found.", d.Name)
		}
		if before != nil {
			d.Name, d.DurableWrites = before.Name, &before.DurableWrites
			for _, o := range before.Replication {
				if o.Key == "class" {
					d.Strategy = o.Value
				} else {
					d.Options = append(d.Options, o)
				}
			}
		}
	}
	given := false
	for _, a := range s.Attributes {
		switch name := strings.ToUpper(a.Name); name {
		case "PLACEMENT_STRATEGY":
			d.Strategy = thrift.Unquote(a.Value.Raw)
			if !strings.Contains(d.Strategy, ".") {
				d.Strategy = "org.apache.cassandra.locator." + d.Strategy
			}
			given = given || !s.Update && !strings.HasSuffix(d.Strategy, ".NetworkTopologyStrategy")
		case "STRATEGY_OPTIONS":
			given = true
			if a.Value.Form == thrift.Maps {
				r.warn("WARNING: [{}] strategy_options syntax is deprecated, please use {}")
				if len(a.Value.List) > 0 {
					a.Value.Map = a.Value.List[0]
				}
			}
			d.Options = options(a.Value.Map)
		case "DURABLE_WRITES":
			durable := strings.EqualFold(thrift.Unquote(a.Value.Raw), "true")
			d.DurableWrites = &durable
		default:
			return complain("java.lang.IllegalArgumentException: No enum constant org.apache.cassandra.cli.CliClient.AddKeyspaceArgument.%s", name)
		}
	}
	if s.Update {
		p, err := r.env().UpdateKeyspace(d)
		defer r.refresh(d.Name, true)
		return r.change(p, err)
	}
	if !given {
		d.Options = bind.Options{{Key: r.dataCenter(), Value: "1"}}
	}
	p, err := r.env().AddKeyspace(d)
	return r.change(p, err)
}

// dataCenter is that of the node that the client talks to.
func (r *run) dataCenter() string {
	coord, err := r.core.Coordinator(r.core.Current)
	if err != nil {
		coord = 0
	}
	return r.core.Cluster.Nodes[coord].DC
}

// options are a map of texts.
func options(pairs []thrift.Pair) bind.Options {
	out := bind.Options{}
	for _, p := range pairs {
		out = append(out, schema.Option{Key: p.Key.Text, Value: p.Value.Text})
	}
	return out
}

// Source: CliClient.executeDelKeySpace.
func (r *run) dropKeyspace(s *thrift.DropKeyspace) error {
	name := s.Keyspace.Text
	if k := r.find(name); k != nil {
		name = k.Name
	} else if !schema.System(name) {
		return complain("Keyspace '%s' not found.", name)
	}
	p, err := r.env().DropKeyspace(name)
	if err := r.change(p, err); err != nil {
		return err
	}
	r.refresh(name, true)
	if r.core.Current.Keyspace == name {
		r.core.Current.Keyspace = ""
	}
	return nil
}

// Source: CliClient.executeAddColumnFamily, executeUpdateColumnFamily.
func (r *run) createFamily(s *thrift.CreateFamily) error {
	if _, err := r.working(); err != nil {
		return err
	}
	d := &bind.FamilyDef{Name: s.Family.Text}
	var names *known
	if s.Update {
		f, err := r.family(s.Family)
		if err != nil {
			return err
		}
		names = f
		t := r.core.Cluster.Schema.Table(r.core.Current.Keyspace, f.name) // which it asks the server for
		if t == nil {
			return complain("java.lang.RuntimeException: Column Family %s was not found in the current keyspace.", f.name)
		}
		if d.Name = f.name; t.Family != nil {
			d = bind.Definition(f.name, t.Family)
		}
	}
	if err := r.attributes(d, s.Attributes, names); err != nil {
		return err
	}
	var p *plan.SchemaChange
	var err error
	if s.Update {
		d.IndexInterval = nil // the definition has a min_index_interval, which counts instead
		p, err = r.env().UpdateFamily(d)
	} else {
		p, err = r.env().AddFamily(d, r.core.Cluster.NewID())
	}
	if err := r.change(p, err); err != nil {
		return err
	}
	r.refresh(r.core.Current.Keyspace, false)
	return nil
}

// dropFamily leaves what the client knows as it is, so that it asks the server a
// second time. Source: CliClient.executeDelColumnFamily.
func (r *run) dropFamily(s *thrift.DropFamily) error {
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	p, err := r.env().DropFamily(f.name)
	return r.change(p, err)
}

// Source: CliClient.executeDropIndex.
func (r *run) dropIndex(s *thrift.DropIndex) error {
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	if f.view.Family == nil {
		return complain("Column '%s' definition was not found in ColumnFamily '%s'.", s.Column.Text, f.name)
	}
	d := bind.Definition(f.name, f.definition()) // with what it assumes and has learned
	name, err := r.parse(f.comparator, s.Column.Text)
	if err != nil {
		return complaint(java(err))
	}
	for i := range d.Columns {
		c := &d.Columns[i]
		if string(c.Name) != string(name) {
			continue
		}
		if c.Type == "" {
			return complain("Column '%s' does not have an index.", s.Column.Text)
		}
		c.Type, c.Index, c.Options = "", "", nil
		p, err := r.env().UpdateFamily(d)
		if err := r.change(p, err); err != nil {
			return err
		}
		r.refresh(r.core.Current.Keyspace, false)
		return nil
	}
	return complain("Column '%s' definition was not found in ColumnFamily '%s'.", s.Column.Text, f.name)
}
