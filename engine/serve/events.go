package serve

import (
	"maps"
	"net/netip"
	"slices"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/native"
	"ringlab/engine/session"
	"ringlab/model/schema"
)

// watcher remembers what the lab looked like, to tell what has changed. It
// belongs to the owner's goroutine.
type watcher struct {
	cluster *cluster.Cluster
	down    []bool
	changes uint64
	doubts  map[[2]int]bool // observer and target: believed to be down
	schema  *schema.Schema
}

func (w *watcher) begin(core *session.Core) {
	w.cluster, w.schema = core.Cluster, core.Cluster.Schema
	w.down = make([]bool, len(core.Cluster.Nodes))
	for i, n := range core.Cluster.Nodes {
		w.down[i] = n.Down
	}
	w.changes, w.doubts = core.Cluster.Alive.Changes(), doubts(core.Cluster)
}

// doubts are all beliefs that a node is down.
func doubts(c *cluster.Cluster) map[[2]int]bool {
	out := map[[2]int]bool{}
	for a := range c.Nodes {
		for b := range c.Nodes {
			if !c.Alive.Alive(a, b) {
				out[[2]int{a, b}] = true
			}
		}
	}
	return out
}

// observe opens and shuts doors as their nodes come and go, and pushes what the
// nodes have noticed of each other.
func (s *Server) observe() {
	core := s.owner.store.Lab.Core()
	w := &s.watch
	if w.cluster != core.Cluster || len(w.down) > len(core.Cluster.Nodes) {
		s.rebuilt(core)
		return
	}
	for i := len(w.down); i < len(core.Cluster.Nodes); i++ {
		w.down = append(w.down, core.Cluster.Nodes[i].Down)
		s.joined(core, i)
	}
	for i, n := range core.Cluster.Nodes {
		if n.Down != w.down[i] {
			w.down[i] = n.Down
			s.turn(i, n.Down)
		}
	}
	if w.schema != core.Cluster.Schema {
		w.schema = core.Cluster.Schema
	}
	if w.changes == core.Cluster.Alive.Changes() {
		return
	}
	w.changes = core.Cluster.Alive.Changes()
	now := doubts(core.Cluster)
	for pair := range now {
		if !w.doubts[pair] {
			s.status(core, pair, "DOWN")
		}
	}
	for pair := range w.doubts {
		if !now[pair] {
			s.status(core, pair, "UP")
		}
	}
	w.doubts = now
}

// rebuilt follows a lab that has another ring: whoever was connected has to
// connect anew.
func (s *Server) rebuilt(core *session.Core) {
	s.shut()
	old := s.native
	s.mu.Lock()
	s.doors = nil
	s.mu.Unlock()
	if err := s.open(core, Options{Listen: old.Listen, Ports: old.Mode == session.PortPerNode, Insecure: true}); err == nil {
		if core.Native != s.native {
			_, receipt := s.owner.store.Run(":native " + s.native.String())
			s.owner.store.Commit(receipt, func(error) {})
		}
	}
	s.watch.begin(core)
	for _, d := range s.doors {
		d.begin()
	}
}

// joined opens a door for a node that is new in the ring and tells of it: first
// that it is there, then that it takes clients.
// Source: Cassandra 5.0 Server.EventNotifier.onJoinCluster, onUp.
func (s *Server) joined(core *session.Core, node int) {
	if s.native.Mode == session.OneDoor {
		return
	}
	d := &door{server: s, node: node, address: netip.AddrPortFrom(s.native.Address(core, node), uint16(s.native.Port(node)))}
	s.mu.Lock()
	s.doors = append(s.doors, d)
	s.mu.Unlock()
	if core.Cluster.Nodes[node].Down || d.listen() != nil {
		return
	}
	d.begin()
	for _, e := range []native.Event{{Type: native.TopologyChange, Change: "NEW_NODE", Node: d.address}, {Type: native.StatusChange, Change: "UP", Node: d.address}} {
		for _, c := range s.listeners(e.Type) {
			if c.door.node != node {
				c.push(&e)
			}
		}
	}
}

// turn shuts the door of a node that went down and drops its connections, or
// opens that of one that is back.
func (s *Server) turn(node int, down bool) {
	if s.native.Mode == session.OneDoor {
		return
	}
	d := s.doors[node]
	if !down {
		if d.listen() == nil {
			d.begin()
		}
		return
	}
	d.shut()
	s.mu.Lock()
	var list []*conn
	for c := range s.conns {
		if c.door == d {
			list = append(list, c)
		}
	}
	s.mu.Unlock()
	for _, c := range list {
		c.close()
	}
}

// status pushes what one node has noticed of another one to the clients that are
// connected to it.
func (s *Server) status(core *session.Core, pair [2]int, change string) {
	observer, target := pair[0], pair[1]
	if core.Cluster.Nodes[observer].Down || s.native.Mode == session.OneDoor {
		return
	}
	at := netip.AddrPortFrom(core.Native.Address(core, target), uint16(core.Native.Port(target)))
	for _, c := range s.listeners(native.StatusChange) {
		if c.door.node == observer {
			c.push(&native.Event{Type: native.StatusChange, Change: change, Node: at})
		}
	}
}

// changed pushes a change of the schema to all who want to know. Those of a
// keyspace that is dropped are told of what it held first.
// Source: Cassandra 5.0 Server.EventNotifier.
func (s *Server) changed(core *session.Core, e *answer.SchemaChange) {
	var list []native.SchemaChange
	if e.ChangeType == "DROPPED" && e.TargetType == "KEYSPACE" {
		list = contents(s.watch.schema.Keyspace(e.Keyspace))
	}
	list = append(list, schemaChange(e))
	s.watch.schema = core.Cluster.Schema
	for _, c := range s.listeners(native.SchemaEvent) {
		if n := c.door.node; n >= 0 && core.Cluster.Nodes[n].Down {
			continue
		}
		for i := range list {
			c.push(&native.Event{Type: native.SchemaEvent, Schema: list[i]})
		}
	}
}

// contents are the events about what a dropped keyspace held.
func contents(k *schema.Keyspace) (out []native.SchemaChange) {
	if k == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(k.Functions)) {
		f := k.Functions[name]
		change := native.SchemaChange{Change: "DROPPED", Target: "FUNCTION", Keyspace: k.Name, Name: f.Name}
		for _, t := range f.Args {
			change.Args = append(change.Args, t.String())
		}
		out = append(out, change)
	}
	for _, name := range k.TableNames() {
		out = append(out, native.SchemaChange{Change: "DROPPED", Target: "TABLE", Keyspace: k.Name, Name: name})
	}
	for _, name := range slices.Sorted(maps.Keys(k.Types)) {
		out = append(out, native.SchemaChange{Change: "DROPPED", Target: "TYPE", Keyspace: k.Name, Name: name})
	}
	return out
}
