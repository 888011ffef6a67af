package nodetool

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/session"
	"ringlab/model/schema"
	"ringlab/ring"
)

// ofSystem is how a real node replicates its own keyspaces; 0 stands for
// LocalStrategy. Source: Cassandra 5.0 SystemDistributedKeyspace, TraceKeyspace,
// AuthKeyspace.
var ofSystem = []struct {
	keyspace string
	factor   int
}{{"system_traces", 2}, {"system_distributed", 3}, {"system_auth", 1}, {"system_schema", 0}, {"system", 0}}

// factorOfSystem is the factor of a keyspace of the system's.
func factorOfSystem(keyspace string) (factor int, ok bool) {
	for _, s := range ofSystem {
		if s.keyspace == keyspace {
			return s.factor, true
		}
	}
	return 0, false
}

// Ownership is what each node of a ring owns, in 0..1.
type Ownership struct {
	Shares []float32
	Note   string // why they are not those of replicas, "" if they are
}

// ownership is what each node holds replicas of in a keyspace; without one, in all
// keyspaces of users if they agree.
// Source: Cassandra 5.0 StorageService.getEffectiveOwnership.
func (k *call) ownership(keyspace string) (Ownership, error) {
	const meaningless = "Ownership values for keyspaces with LocalStrategy are meaningless"
	names := k.Schema.Names()
	switch {
	case keyspace == "" && len(names) == 0:
		keyspace = "system_traces"
	case keyspace == "":
		keyspace = names[0]
		for _, n := range names {
			if !slices.Equal(k.Schema.Keyspace(n).Replication, k.Schema.Keyspace(keyspace).Replication) {
				return Ownership{k.owned(nil), "Non-system keyspaces don't have the same replication settings, effective ownership information is meaningless"}, nil
			}
		}
	}
	if factor, ok := factorOfSystem(keyspace); ok {
		if factor == 0 {
			return Ownership{k.owned(nil), meaningless}, nil
		}
		return Ownership{k.owned(ring.NewPlacement(k.Ring, ring.SimpleStrategy(factor))), ""}, nil
	}
	if k.Schema.Keyspace(keyspace) == nil {
		return Ownership{}, &Error{Text: "Error: The keyspace " + keyspace + ", does not exist"}
	}
	return Ownership{k.owned(k.Placement(keyspace)), ""}, nil
}

// owned adds up what nodes hold; without a placement, what they own themselves.
func (k *call) owned(p *ring.Placement) []float32 {
	out := make([]float32, len(k.Nodes))
	shares := k.Shares(k.node.Index)
	for e := range k.Ring.Len() {
		share := float32(shares[e])
		holders := []int{k.Ring.Node(e)}
		if p != nil {
			holders = p.ReplicasOf(e)
		}
		for _, n := range holders {
			out[n] += share
		}
	}
	return out
}

// place is one token of a data center.
type place struct {
	token string
	node  int
}

// centers lists the data centers by name, each with its tokens in their order, those
// of a node that is joining too.
func (k *call) centers() (names []string, in map[string][]place) {
	in = map[string][]place{}
	type entry struct {
		token ring.Token
		node  int
	}
	var all []entry
	for e := range k.Ring.Len() {
		all = append(all, entry{k.Ring.Token(e), k.Ring.Node(e)})
	}
	for _, n := range k.Members() {
		for _, t := range n.Tokens {
			if n.State == cluster.Joining {
				all = append(all, entry{t, n.Index})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return a.token.Compare(b.token) })
	for _, e := range all {
		dc := k.Nodes[e.node].DC
		if in[dc] == nil {
			names = append(names, dc)
		}
		in[dc] = append(in[dc], place{k.Partitioner().Format(e.token), e.node})
	}
	slices.Sort(names)
	return names, in
}

// alive says whether the asked node believes a node alive.
func (k *call) alive(node int) bool { return k.Alive.Alive(k.node.Index, node) }

// share of the ring in percent. Source: java.text.DecimalFormat "##0.0%".
func percent(share float32, decimals int) string { return fixed(float64(share)*100, decimals) + "%" }

// status. Rows of a data center stand in the order of the nodes; those of a real
// node in that of a hash table. Source: Cassandra 5.0 Status.
func status(k *call) error {
	if k.has("-r") {
		return beyond("names of hosts", "the nodes have none; leave -r out")
	}
	owns, err := k.ownership(k.arg(0))
	if err != nil {
		return err
	}
	dcs, in := k.centers()
	byToken := len(dcs) >= k.Ring.Len()
	label := "Owns"
	if owns.Note == "" {
		label = "Owns (effective)"
	}
	var grids []*grid
	for _, dc := range dcs {
		g := &grid{between: "  "}
		if byToken {
			g.add("--", "Address", "Load", label, "Host ID", "Token", "Rack")
		} else {
			g.add("--", "Address", "Load", "Tokens", label, "Host ID", "Rack")
		}
		tokens := map[int][]string{}
		var nodes []int
		for _, p := range in[dc] {
			if tokens[p.node] == nil {
				nodes = append(nodes, p.node)
			}
			tokens[p.node] = append(tokens[p.node], p.token)
		}
		slices.Sort(nodes)
		for _, i := range nodes {
			n := k.Nodes[i]
			state := "D"
			if k.alive(i) {
				state = "U"
			}
			state += n.State.Letter()
			share := "?"
			if owns.Note == "" && n.State != cluster.Joining {
				share = percent(owns.Shares[i], 1)
			}
			if byToken {
				g.add(state, k.address(i), fileSize(n.DiskBytes()), share, n.Host.String(), tokens[i][0], n.Rack)
			} else {
				g.add(state, k.address(i), fileSize(n.DiskBytes()), fmt.Sprint(len(tokens[i])), share, n.Host.String(), n.Rack)
			}
		}
		grids = append(grids, g)
	}
	share(grids)
	for i, dc := range dcs {
		if i > 0 {
			k.line("")
		}
		title := "Datacenter: " + dc
		k.line(title)
		k.line(strings.Repeat("=", len([]rune(title))))
		k.line("Status=Up/Down")
		k.line("|/ State=Normal/Leaving/Joining/Moving")
		grids[i].print(k)
	}
	k.line("")
	if owns.Note != "" {
		k.line("Note: " + owns.Note)
	}
	return nil
}

// ringTokens is nodetool ring. Source: Cassandra 5.0 Ring.
func ringTokens(k *call) error {
	if k.has("-r") {
		return beyond("names of hosts", "the nodes have none; leave -r out")
	}
	owns, err := k.ownership(k.arg(0))
	if err != nil {
		return err
	}
	width := 0
	for _, n := range k.Members() {
		width = max(width, len(n.Address+":7000"))
	}
	row := func(address, rack, status, state, load, owns, token string) {
		k.printf("%-*s  %-12s%-7s%-8s%-16s%-20s%-44s\n", width, address, rack, status, state, load, owns, token)
	}
	k.line("")
	dcs, in := k.centers()
	vnodes := false
	for _, dc := range dcs {
		k.line("Datacenter: " + dc)
		k.line("==========")
		row("Address", "Rack", "Status", "State", "Load", "Owns", "Token")
		list := in[dc]
		if len(list) > 1 {
			row("", "", "", "", "", "", list[len(list)-1].token)
		} else {
			k.line("")
		}
		for _, p := range list {
			n := k.Nodes[p.node]
			vnodes = vnodes || len(n.Tokens) > 1
			status, share := "Down", "?"
			if k.alive(p.node) {
				status = "Up"
			}
			if owns.Note == "" && n.State != cluster.Joining {
				share = percent(owns.Shares[p.node], 2)
			}
			row(k.address(p.node), n.Rack, status, stateWord(n), fileSize(n.DiskBytes()), share, p.token)
		}
		k.line("")
	}
	if vnodes {
		k.line("  Warning: \"nodetool ring\" is used to output all the tokens of a node.")
		k.line("  To view status related info of a node use \"nodetool status\" instead.\n")
	}
	k.print("\n  ")
	if owns.Note != "" {
		k.line("Note: " + owns.Note)
	}
	return nil
}

// stateWord is a node's state as nodetool ring has it.
func stateWord(n *cluster.Node) string {
	word := n.State.String()
	return word[:1] + strings.ToLower(word[1:])
}

// arg is an argument, "" if it was not given.
func (k *call) arg(i int) string {
	if i < len(k.args) {
		return k.args[i]
	}
	return ""
}

// placement is that of a keyspace that has a ring.
func (k *call) placement(keyspace string) (*ring.Placement, error) {
	if factor, ok := factorOfSystem(keyspace); ok {
		if factor == 0 {
			return nil, failed("There is no ring for the keyspace: %s", keyspace)
		}
		return ring.NewPlacement(k.Ring, ring.SimpleStrategy(factor)), nil
	}
	if k.Schema.Keyspace(keyspace) == nil {
		return nil, failed("No such keyspace: %s", keyspace)
	}
	return k.Placement(keyspace), nil
}

// describeRing lists the ranges by their start; a real node in the order of a hash
// table. Source: Cassandra 5.0 DescribeRing, TokenRange.toString.
func describeRing(k *call) error {
	p, err := k.placement(k.arg(0))
	if err != nil {
		return err
	}
	k.line("Schema Version:" + k.core.SchemaVersion(k.node.Index).String())
	k.line("TokenRange: ")
	for i := range k.Ring.Len() {
		e := (i + 1) % k.Ring.Len()
		r := k.Ring.Range(e)
		var addresses, details []string
		for _, n := range p.ReplicasOf(e) {
			addresses = append(addresses, k.address(n))
			details = append(details, fmt.Sprintf("EndpointDetails(host:%s, datacenter:%s, rack:%s)", k.address(n), k.Nodes[n].DC, k.Nodes[n].Rack))
		}
		list := strings.Join(addresses, ", ")
		k.printf("\tTokenRange(start_token:%s, end_token:%s, endpoints:[%s], rpc_endpoints:[%s], endpoint_details:[%s])\n",
			k.Partitioner().Format(r.Left), k.Partitioner().Format(r.Right), list, strings.ReplaceAll(list, ":7000", ":9042"), strings.Join(details, ", "))
	}
	return nil
}

// getEndpoints. Source: Cassandra 5.0 GetEndpoints, StorageService.partitionKeyToBytes.
func getEndpoints(k *call) error {
	if len(k.args) != 3 {
		return misused("getendpoints requires keyspace, table and partition key arguments")
	}
	if _, ok := factorOfSystem(k.args[0]); ok || schema.System(k.args[0]) {
		return beyond("getendpoints of "+k.args[0], "take a table of your own: `DESCRIBE TABLES` lists them")
	}
	if k.Schema.Keyspace(k.args[0]) == nil {
		return misused("Unknown keyspace '%s'", k.args[0])
	}
	t := k.Schema.Table(k.args[0], k.args[1])
	if t == nil {
		return misused("Unknown table '%s' in keyspace '%s'", k.args[1], k.args[0])
	}
	key, err := partitionKey(t, k.args[2])
	if err != nil {
		return err
	}
	for _, n := range k.Placement(t.Keyspace).Replicas(k.Partitioner().Token(key)) {
		k.line(k.address(n))
	}
	return nil
}

// describeCluster. Source: Cassandra 5.0 DescribeCluster.
func describeCluster(k *call) error {
	k.line("Cluster Information:")
	k.line("\tName: " + session.ClusterName)
	k.line("\tSnitch: org.apache.cassandra.locator." + Snitch)
	k.line("\tDynamicEndPointSnitch: disabled")
	k.line("\tPartitioner: org.apache.cassandra.dht." + k.Partitioner().Name())
	k.line("\tSchema versions:")
	for _, v := range k.schemaVersions() {
		k.printf("\t\t%s: [%s]\n\n", v.version, strings.Join(v.nodes, ", "))
	}
	live := 0
	states := map[cluster.State]int{}
	var addresses []string
	for _, n := range k.Members() {
		if k.alive(n.Index) {
			live++
		}
		states[n.State]++
		addresses = append(addresses, n.Address+":7000")
	}
	k.line("Stats for all nodes:")
	k.printf("\tLive: %d\n\tJoining: %d\n\tMoving: %d\n\tLeaving: %d\n\tUnreachable: %d\n", live, states[cluster.Joining], states[cluster.Moving], states[cluster.Leaving],
		len(addresses)-live)
	k.line("\nData Centers: ")
	dcs, in := k.centers()
	for _, dc := range dcs {
		nodes, down := map[int]bool{}, 0
		for _, p := range in[dc] {
			if !nodes[p.node] && !k.alive(p.node) {
				down++
			}
			nodes[p.node] = true
		}
		k.printf("\t%s #Nodes: %d #Down: %d\n", dc, len(nodes), down)
	}
	k.line("\nDatabase versions:")
	k.printf("\t%s: [%s]\n\n", session.ReleaseVersion, strings.Join(addresses, ", "))
	k.line("Keyspaces:")
	for _, s := range ofSystem {
		if s.factor > 0 {
			k.printf("\t%s -> Replication class: SimpleStrategy {replication_factor=%d}\n", s.keyspace, s.factor)
		}
	}
	for _, name := range k.Schema.Names() {
		ks := k.Schema.Keyspace(name)
		var options []string
		for _, o := range ks.Replication {
			if o.Key != "class" {
				options = append(options, o.Key+"="+o.Value)
			}
		}
		class := ks.Class()
		k.printf("\t%s -> Replication class: %s {%s}\n", name, class[strings.LastIndexByte(class, '.')+1:], strings.Join(options, ", "))
	}
	for _, s := range ofSystem {
		if s.factor == 0 {
			k.printf("\t%s -> Replication class: LocalStrategy {}\n", s.keyspace)
		}
	}
	if owns, err := k.ownership(""); err == nil && owns.Note != "" {
		k.line("\nNote: " + owns.Note)
	}
	return nil
}

// Snitch is what places the nodes of a lab in their data centers and racks: they
// say it themselves, and latencies change nothing.
const Snitch = "GossipingPropertyFileSnitch"

type schemaVersion struct {
	version string
	nodes   []string
}

// schemaVersions are the versions that the nodes have, as far as the asked one
// reaches them. Source: Cassandra 5.0 StorageProxy.describeSchemaVersions.
func (k *call) schemaVersions() []schemaVersion {
	var out []schemaVersion
	for _, n := range k.Members() {
		i := n.Index
		version := "UNREACHABLE"
		if k.alive(i) {
			version = k.core.SchemaVersion(i).String()
		}
		at := slices.IndexFunc(out, func(v schemaVersion) bool { return v.version == version })
		if at < 0 {
			at = len(out)
			out = append(out, schemaVersion{version: version})
		}
		out[at].nodes = append(out[at].nodes, k.address(i))
	}
	return out
}
