package serve

import (
	"maps"
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
	nodes   []seen
	changes uint64
	doubts  map[[2]int]bool // observer and target: believed to be down
	schema  *schema.Schema
}

// seen is a node as it was.
type seen struct {
	state  cluster.State
	serves bool
}

// serves says whether a node takes clients: one that joins does not yet, one that
// has left does no more.
func serves(n *cluster.Node) bool {
	return !n.Down && !n.Quiet && n.State != cluster.Joining && n.State != cluster.Left
}

func (w *watcher) begin(core *session.Core) {
	w.cluster, w.schema, w.nodes = core.Cluster, core.Cluster.Schema, nil
	for _, n := range core.Cluster.Nodes {
		w.nodes = append(w.nodes, seen{n.State, serves(n)})
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

// Observe opens and shuts doors as their nodes come and go, and pushes what the
// nodes have noticed of each other. It is called by the goroutine that owns the
// lab, after every piece of work.
func (s *Server) Observe() {
	core := s.keeper.Store().Lab.Core()
	s.roles.Store(core.Cluster.Set.Auth.Passwords)
	w := &s.watch
	if w.cluster != core.Cluster || s.waits && !s.keeper.Store().Past() {
		s.rebuilt(core)
		return
	}
	if s.waits {
		return
	}
	for i, n := range core.Cluster.Nodes {
		if i == len(w.nodes) {
			w.nodes = append(w.nodes, seen{state: cluster.Joining})
			s.enlarge(i)
		}
		was, now := w.nodes[i], seen{n.State, serves(n)}
		if was == now {
			continue
		}
		w.nodes[i] = now
		if was.serves != now.serves {
			s.turn(i, now.serves)
		}
		switch {
		case was.state == cluster.Joining && now.serves:
			s.tell(i, native.TopologyChange, "NEW_NODE")
			s.tell(i, native.StatusChange, "UP")
		case was.state != cluster.Left && now.state == cluster.Left:
			s.tell(i, native.TopologyChange, "REMOVED_NODE")
		case was.state == cluster.Moving && now.state == cluster.Normal:
			s.tell(i, native.TopologyChange, "MOVED_NODE")
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

// rebuilt follows a lab that has another ring, or is at another point of its
// journal: whoever was connected has to connect anew. While commands are undone
// the doors stay shut, since the first request would drop those commands.
func (s *Server) rebuilt(core *session.Core) {
	s.shut()
	s.clock = startClock(core)
	s.watch.begin(core)
	if s.waits = s.keeper.Store().Past(); s.waits {
		return
	}
	old := s.native
	s.mu.Lock()
	s.doors = nil
	s.mu.Unlock()
	if err := s.open(core, Options{Listen: old.Listen, Ports: old.Mode == session.PortPerNode, Insecure: true}); err != nil {
		s.told = "Drivers cannot connect any more: " + err.Error()
		return
	}
	for _, d := range s.doors {
		d.begin()
	}
}

// enlarge makes a door for a node that is new in the ring. It is shut until the
// node takes clients.
func (s *Server) enlarge(node int) {
	if s.native.Mode == session.OneDoor {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doors = append(s.doors, &door{server: s, node: node})
}

// tell pushes what happens to a node to the clients of the others.
// Source: Cassandra 5.0 Server.EventNotifier.
func (s *Server) tell(node int, of, change string) {
	core := s.keeper.Store().Lab.Core()
	if s.native.Mode == session.OneDoor {
		return
	}
	at := core.Native.At(core, node)
	for _, c := range s.listeners(of) {
		if c.door.node != node {
			c.push(&native.Event{Type: of, Change: change, Node: at})
		}
	}
}

// turn opens the door of a node that takes clients from now on, or shuts that of
// one that does no more and drops its connections.
func (s *Server) turn(node int, opens bool) {
	if s.native.Mode == session.OneDoor {
		return
	}
	core := s.keeper.Store().Lab.Core()
	s.mu.Lock()
	d := s.doors[node]
	d.address = core.Native.At(core, node)
	s.mu.Unlock()
	if opens {
		if d.listen() == nil {
			d.begin()
		}
		return
	}
	d.shut()
	s.drop(d)
}

// status pushes what one node has noticed of another one to the clients that are
// connected to it.
func (s *Server) status(core *session.Core, pair [2]int, change string) {
	observer, target := pair[0], pair[1]
	if nodes := core.Cluster.Nodes; !serves(nodes[observer]) || nodes[target].State == cluster.Joining || nodes[target].State == cluster.Left || s.native.Mode == session.OneDoor {
		return
	}
	at := core.Native.At(core, target)
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
	if e.ChangeType == "UPDATED" && (e.TargetType == "TABLE" || e.TargetType == "TYPE") {
		list = append(list, followed(s.watch.schema.Keyspace(e.Keyspace), core.Cluster.Schema.Keyspace(e.Keyspace), e.Name)...)
	}
	s.watch.schema = core.Cluster.Schema
	for _, c := range s.listeners(native.SchemaEvent) {
		if n := c.door.node; n >= 0 && !serves(core.Cluster.Nodes[n]) {
			continue
		}
		for i := range list {
			c.push(&native.Event{Type: native.SchemaEvent, Schema: list[i]})
		}
	}
}

// followed are the events about the tables that have changed with a table or a type:
// those that use the type, and views of the table.
// Source: Cassandra 5.0 SchemaChangeNotifier.notifyKeyspaceAltered.
func followed(before, after *schema.Keyspace, changed string) (out []native.SchemaChange) {
	if before == nil || after == nil {
		return nil
	}
	for _, name := range after.TableNames() {
		if was := before.Tables[name]; name != changed && was != nil && was != after.Tables[name] {
			out = append(out, native.SchemaChange{Change: "UPDATED", Target: "TABLE", Keyspace: after.Name, Name: name})
		}
	}
	return out
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
