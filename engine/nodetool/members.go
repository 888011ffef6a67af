package nodetool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/cluster"
	"ringlab/ring"
)

// memberVerbs change the ring, or follow its changes.
func memberVerbs() []*Verb {
	return []*Verb{
		{Name: "assassinate", Usage: "<ip_address>", Help: "Forcefully remove a dead node without re-replicating any data. Use as a last resort if you cannot removenode",
			most: 1, required: "ip address", run: assassinate},
		{Name: "cleanup", Usage: "[<keyspace> <tables>...]", Help: "Triggers the immediate cleanup of keys no longer belonging to a node. By default, clean all keyspaces",
			most: list, run: cleanup, options: []option{jobs}},
		{Name: "decommission", Help: "Decommission the *node I am connecting to*", run: decommission, options: []option{{names: "-f --force"}}},
		{Name: "join", Help: "Join the ring", run: join},
		{Name: "move", Usage: "<new token>", Help: "Move node on the token ring to a new token", most: 1, required: "newToken", run: moveNode},
		{Name: "rebuild", Usage: "<src-dc-name>", Help: "Rebuild data by streaming from other nodes (similarly to bootstrap)", most: 1, run: rebuild,
			options: []option{{names: "-ks --keyspace", title: "specific_keyspace"}, {names: "-ts --tokens", title: "specific_tokens"},
				{names: "-s --sources", title: "specific_sources"}, {names: "--exclude-local-dc"}}},
		{Name: "removenode", Usage: "<status>|<force>|<ID>", Help: "Show status of current node removal, force completion of pending removal or remove provided ID",
			most: 1, required: "remove_operation", run: removeNode},
	}
}

// wait lets time pass until a movement is over, as nodetool does.
func (k *call) wait(m *cluster.Movement) error {
	for !m.Finished() {
		next, ok := k.NextAt()
		if !ok {
			break
		}
		k.Advance(next)
	}
	return m.Err
}

// cleanup does one table after the other. Source: Cassandra 5.0 Cleanup.
func cleanup(k *call) error {
	tables, err := k.tables()
	if err != nil {
		return err
	}
	k.checkJobs(2)
	for _, t := range tables {
		done, err := k.Cleanup(k.node.Index, t)
		if err != nil {
			return failed("%s", err)
		}
		k.Advance(k.Now() + done.Took)
	}
	return nil
}

// decommission. Source: Cassandra 5.0 Decommission.
func decommission(k *call) error {
	m, err := k.Decommission(k.node.Index, k.has("-f"))
	if err != nil {
		return misused("Unsupported operation: %s", err)
	}
	if err := k.wait(m); err != nil {
		return failed("%s", err)
	}
	return nil
}

// moveNode. What the node itself finds wrong before it begins is an error of its
// own; missing sources are nodetool's. Source: Cassandra 5.0 Move.
func moveNode(k *call) error {
	token, err := k.Partitioner().Parse(k.args[0])
	if err != nil {
		return failed("%s", err)
	}
	m, err := k.Move(k.node.Index, token)
	if err != nil {
		return failed("%s", err)
	}
	if err := k.wait(m); err != nil {
		return misused("%s", err)
	}
	return nil
}

// rebuild. Source: Cassandra 5.0 Rebuild.
func rebuild(k *call) error {
	for _, o := range []string{"-ts", "-s", "--exclude-local-dc"} {
		if k.has(o) {
			return beyond("rebuild with "+o, "name the data center to rebuild from, or none for any")
		}
	}
	dc := k.arg(0)
	if known, _ := k.centers(); dc != "" && !slices.Contains(known, dc) {
		return misused("Provided datacenter '%s' is not a valid datacenter, available datacenters are: %s", dc, strings.Join(known, ","))
	}
	keyspaces := k.Schema.Names()
	if ks := k.options["-ks"]; ks != "" {
		if k.Schema.Keyspace(ks) == nil {
			return misused("Unknown keyspace '%s'", ks)
		}
		keyspaces = []string{ks}
	}
	m, err := k.Rebuild(k.node.Index, dc, keyspaces)
	if err == nil {
		err = k.wait(m)
	}
	if err != nil {
		return misused("%s", err)
	}
	return nil
}

// removeNode. Source: Cassandra 5.0 RemoveNode.
func removeNode(k *call) error {
	switch k.args[0] {
	case "status":
		k.line("RemovalStatus: " + k.removal())
		return nil
	case "force":
		k.line("RemovalStatus: " + k.removal())
		k.ForceRemoval()
		return nil
	}
	id, err := uuid.Parse(k.args[0])
	if err != nil {
		return misused("Invalid UUID string: %s", k.args[0])
	}
	for _, n := range k.Members() {
		if n.Host != id {
			continue
		}
		m, err := k.RemoveNode(k.node.Index, n.Index)
		if err == nil {
			err = k.wait(m)
		}
		if err != nil {
			return failed("%s", err)
		}
		return nil
	}
	return failed("Host ID not found.")
}

// assassinate takes the address of a node, or its name, as a machine's. Source:
// Cassandra 5.0 Assassinate.
func assassinate(k *call) error {
	at := slices.IndexFunc(k.Nodes, func(n *cluster.Node) bool { return n.Address == k.args[0] || n.Name == k.args[0] })
	if at < 0 && strings.Trim(k.args[0], "0123456789.") != "" {
		return failed("%s: Name or service not known", k.args[0])
	}
	if at >= 0 && at != k.node.Index && !k.Nodes[at].Down {
		return beyond("assassinate of a node that runs", "`:down "+k.Nodes[at].Name+"` stops it; `nodetool decommission` lets it leave")
	}
	if err := k.Assassinate(k.node.Index, at); err != nil {
		return failed("%s", err)
	}
	return nil
}

// removal says how far a removal is. Source: Cassandra 5.0 StorageService.getRemovalStatus.
func (k *call) removal() string {
	m, waiting := k.Removal()
	if m == nil {
		return "No token removals in process."
	}
	var list []string
	for _, n := range waiting {
		list = append(list, "/"+k.address(n))
	}
	token := slices.MinFunc(k.Nodes[m.Node].Tokens, func(a, b ring.Token) int { return a.Compare(b) })
	return fmt.Sprintf("Removing token (%s). Waiting for replication confirmation from [%s].", k.Partitioner().Format(token), strings.Join(list, ","))
}

// join is for nodes that were started without: those of a lab have joined, or are about
// to. Source: Cassandra 5.0 Join.
func join(k *call) error {
	if k.node.State == cluster.Joining {
		return beyond("join by a node that is joining", "`:advance 60s` lets it go on")
	}
	return misused("This node has already joined the ring.")
}
