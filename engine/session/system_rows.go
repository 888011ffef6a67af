package session

import (
	"cmp"
	_ "embed"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Versions that clients ask for.
const (
	ReleaseVersion  = "5.0.5"
	CQLVersion      = "3.4.7"
	nativeProtocol  = "5"
	storagePort     = 7000
	partitionerPath = "org.apache.cassandra.dht."
)

// ClusterName is the name of every lab's cluster.
const ClusterName = "ringlab"

// systemRows are the rows of one of Cassandra's own tables as a coordinator has
// them, in no order; known is false for tables that a lab knows nothing of.
func (c *Core) systemRows(table *schema.Table, coord int) (rows []systemRow, known bool) {
	t := &systemTable{table: table, place: c.Cluster.Partitioner(), at: c.Cluster.Clock(coord) / 1000} // virtual tables have milliseconds there
	switch table.Keyspace {
	case "system_schema":
		schemaRows(t, c.Cluster.SchemaOf(coord))
		return t.rows, true
	case "system_virtual_schema":
		virtualSchemaRows(t)
		return t.rows, true
	}
	add := map[string]func(*Core, *systemTable, int){
		"system.local":                               (*Core).addLocal,
		"system.peers":                               (*Core).addPeers,
		"system.peers_v2":                            (*Core).addPeers,
		"system.prepared_statements":                 (*Core).addPrepared,
		"system.IndexInfo":                           (*Core).addBuiltIndexes,
		"system.built_views":                         (*Core).addBuiltViews,
		"system_distributed.view_build_status":       (*Core).addViewStatus,
		"system_auth.roles":                          (*Core).addRoles,
		"system_auth.role_permissions":               (*Core).addRolePermissions,
		"system_auth.role_members":                   (*Core).addRoleMembers,
		"system_auth.network_permissions":            (*Core).addNetworks,
		"system_auth.cidr_permissions":               (*Core).addCIDRs,
		"system_auth.identity_to_role":               (*Core).addIdentities,
		"system_auth.resource_role_permissons_index": (*Core).addRoleIndex,
		"system_traces.sessions":                     (*Core).addSessions,
		"system_traces.events":                       (*Core).addEvents,
		"system_views.settings":                      (*Core).addSettings,
		"system_views.clients":                       (*Core).addClients,
	}[table.Keyspace+"."+table.Name]
	if add == nil {
		return nil, slices.Contains(strings.Fields(emptyTables), table.Keyspace+"."+table.Name)
	}
	add(c, t, coord)
	return t.rows, true
}

// emptyTables are those that have no rows while nothing of what they list
// exists: ranges in motion, events kept for peers, caches of permissions, logs, snapshots.
const emptyTables = `
	system.available_ranges system.available_ranges_v2 system.batches system.peer_events system.peer_events_v2
	system.repairs system.top_partitions system.transferred_ranges
	system.transferred_ranges_v2 system.view_builds_in_progress
	system_auth.cidr_groups system_distributed.partition_denylist
	system_views.credentials_cache_keys system_views.jmx_permissions_cache_keys system_views.network_permissions_cache_keys
	system_views.permissions_cache_keys system_views.roles_cache_keys system_views.snapshots system_views.system_logs`

// systemInstead is the way around a table that a lab knows nothing of.
func systemInstead(t *schema.Table) string {
	switch t.Keyspace + "." + t.Name {
	case "system.compaction_history":
		return "`:compactionhistory` shows the compactions of each node"
	case "system_views.sstable_tasks":
		return "`:compactionstats` shows the compactions that run"
	case "system_views.pending_hints":
		return "`:hints` shows the hints that are stored"
	case "system_views.gossip_info":
		return "`:status` shows what a node believes of the others"
	case "system_views.disk_usage", "system_views.max_partition_size", "system_views.max_sstable_size", "system.size_estimates", "system.table_estimates":
		return "`:tablestats` shows sizes"
	}
	return "its numbers are those of a running server"
}

// addLocal is the coordinator itself.
// Source: Cassandra 5.0 SystemKeyspace.persistLocalMetadata.
func (c *Core) addLocal(t *systemTable, coord int) {
	n := c.Cluster.Nodes[coord]
	t.add("key", "local", "bootstrapped", "COMPLETED", "broadcast_address", n.Address, "broadcast_port", storagePort,
		"cluster_name", ClusterName, "cql_version", CQLVersion, "data_center", n.DC, "gossip_generation", int(c.Epoch), "host_id", n.Host,
		"listen_address", n.Address, "listen_port", storagePort, "native_protocol_version", nativeProtocol,
		"partitioner", partitionerPath+c.Cluster.Partitioner().Name(), "rack", n.Rack, "release_version", ReleaseVersion,
		"rpc_address", c.Native.Address(c, coord).String(), "rpc_port", c.Native.Port(coord), "schema_version", c.SchemaVersion(coord), "tokens", c.tokenTexts(n))
}

// addPeers are the other nodes, those that are down among them.
func (c *Core) addPeers(t *systemTable, coord int) {
	if c.Native.Mode == OneDoor && c.Native.Listen.IsValid() {
		return
	}
	for i, n := range c.Cluster.Nodes {
		if i == coord || !n.IsMember() || n.State == cluster.Joining {
			continue
		}
		row := []any{"peer", n.Address, "data_center", n.DC, "host_id", n.Host, "rack", n.Rack, "release_version", ReleaseVersion,
			"schema_version", c.SchemaVersion(i), "tokens", c.tokenTexts(n)}
		if t.table.Name == "peers" {
			row = append(row, "rpc_address", c.Native.Address(c, i).String())
		} else {
			row = append(row, "peer_port", storagePort, "native_address", c.Native.Address(c, i).String(), "native_port", c.Native.Port(i))
		}
		t.add(row...)
	}
}

func (c *Core) tokenTexts(n *cluster.Node) []string {
	out := make([]string, len(n.Tokens))
	for i, t := range n.Tokens {
		out[i] = c.Cluster.Partitioner().Format(t)
	}
	return out
}

// SchemaVersion names the schema that a node has: nodes agree where it is equal.
func (c *Core) SchemaVersion(node int) uuid.UUID {
	return types.NameUUID("schema " + strconv.FormatUint(c.Cluster.SchemaOf(node).Version, 10))
}

// addBuiltIndexes are the indexes of the tables of users: the column that is
// called table_name holds the keyspace.
// Source: Cassandra 5.0 SystemKeyspace.setIndexBuilt.
func (c *Core) addBuiltIndexes(t *systemTable, coord int) {
	c.eachTable(coord, func(table *schema.Table) {
		for _, i := range table.Indexes {
			t.add("table_name", table.Keyspace, "index_name", i.Name)
		}
	})
}

func (c *Core) addBuiltViews(t *systemTable, coord int) {
	c.eachTable(coord, func(table *schema.Table) {
		if table.IsView() {
			t.add("keyspace_name", table.Keyspace, "view_name", table.Name, "status_replicated", true)
		}
	})
}

// addViewStatus says which nodes have a view: a node fills it as soon as it
// learns of it.
func (c *Core) addViewStatus(t *systemTable, coord int) {
	c.eachTable(coord, func(table *schema.Table) {
		if table.IsView() {
			for i, n := range c.Cluster.Nodes {
				if n.IsMember() && c.Cluster.SchemaOf(i).Table(table.Keyspace, table.Name) != nil {
					t.add("keyspace_name", table.Keyspace, "view_name", table.Name, "host_id", n.Host, "status", "SUCCESS")
				}
			}
		}
	})
}

func (c *Core) eachTable(coord int, each func(*schema.Table)) {
	s := c.Cluster.SchemaOf(coord)
	for _, k := range s.Names() {
		for _, name := range s.Keyspace(k).TableNames() {
			each(s.Table(k, name))
		}
	}
}

//go:embed settings.txt
var settingsText string

// addSettings are the settings of a node as Cassandra 5.0.5 has them by
// default, with what is the lab's own and what :set has changed.
// Source: Cassandra 5.0 SettingsTable.
func (c *Core) addSettings(t *systemTable, coord int) {
	own := c.ownSettings(coord)
	for _, line := range strings.Split(strings.TrimSuffix(settingsText, "\n"), "\n") {
		name, text, set := strings.Cut(line, "\t")
		if v, changed := own[name]; changed {
			text, set = v, true
		}
		if set {
			t.add("name", name, "value", text)
		} else {
			t.add("name", name)
		}
	}
}

// ownSettings are those in which a lab differs from a default installation, under
// their names of today and of before 4.1.
func (c *Core) ownSettings(coord int) map[string]string {
	n, set := c.Cluster.Nodes[coord], c.Cluster.Set
	number := func(v int64) string { return strconv.FormatInt(v, 10) }
	own := map[string]string{
		"cluster_name": ClusterName, "listen_address": n.Address, "rpc_address": n.Address, "num_tokens": strconv.Itoa(len(n.Tokens)),
		"partitioner":              partitionerPath + c.Cluster.Partitioner().Name(),
		"seed_provider.parameters": "{seeds=" + c.Cluster.Nodes[0].Address + "}",
		"hinted_handoff_enabled":   strconv.FormatBool(set.HintsEnabled),
		"tombstone_warn_threshold": strconv.Itoa(set.TombstoneWarn), "tombstone_failure_threshold": strconv.Itoa(set.TombstoneFail),
		"concurrent_compactors":   strconv.Itoa(set.ConcurrentCompactors),
		"hinted_handoff_throttle": number(set.HintThrottle>>10) + "KiB", "hinted_handoff_throttle_in_kb": number(set.HintThrottle >> 10),
		"memtable_heap_space": number(set.MemtableSpace>>20) + "MiB", "memtable_heap_space_in_mb": number(set.MemtableSpace >> 20),
		"compaction_throughput":            number(set.CompactionThroughput>>20) + "MiB/s",
		"compaction_throughput_mb_per_sec": number(set.CompactionThroughput >> 20),
	}
	set.Auth.Name(own)
	times := map[string]sim.Time{"write_request_timeout": set.WriteTimeout, "read_request_timeout": set.ReadTimeout,
		"range_request_timeout": set.RangeTimeout, "truncate_request_timeout": set.TruncateTimeout}
	if set.HintWindow != cluster.DefaultSettings().HintWindow { // which is written 3h
		times["max_hint_window"] = set.HintWindow
	}
	for name, t := range times {
		ms := number(int64(t / sim.Millisecond))
		own[name], own[name+"_in_ms"] = ms+"ms", ms
	}
	return own
}

// addClients are the lab's clients that talk to the coordinator.
// Source: Cassandra 5.0 ClientsTable.
func (c *Core) addClients(t *systemTable, coord int) {
	port := 50000
	for _, name := range c.clientNames() {
		k := c.Clients[name]
		port++
		if at, err := c.Coordinator(k); err != nil || at != coord {
			continue
		}
		var keyspace any
		if k.Keyspace != "" {
			keyspace = k.Keyspace
		}
		if at, err := netip.ParseAddrPort(name); err == nil { // a connection of a driver
			c.addLink(t, at, k, keyspace)
			continue
		}
		t.add("address", clientAddress, "port", port, "client_options", []schema.Option{{Key: "CQL_VERSION", Value: CQLVersion}, {Key: "DRIVER_NAME", Value: "ringlab"}},
			"connection_stage", "ready", "driver_name", "ringlab", "hostname", "localhost", "keyspace_name", keyspace, "protocol_version", 5,
			"ssl_enabled", false, "username", c.User(k))
	}
}

// addLink is a connection of a driver.
func (c *Core) addLink(t *systemTable, at netip.AddrPort, k *Client, keyspace any) {
	l := k.link
	if l == nil {
		l = &Link{}
	}
	option := func(name string) any {
		for _, o := range l.Options {
			if o.Key == name {
				return o.Value
			}
		}
		return nil
	}
	var protocol any
	if l.Protocol != 0 {
		protocol = l.Protocol
	}
	t.add("address", at.Addr().String(), "port", int(at.Port()), "client_options", l.Options, "connection_stage", "ready", "driver_name", option("DRIVER_NAME"),
		"driver_version", option("DRIVER_VERSION"), "hostname", "localhost", "keyspace_name", keyspace, "protocol_version", protocol, "request_count", k.requests,
		"ssl_enabled", false, "username", cmp.Or(l.User, "anonymous"))
}

// clientAddress is where the lab's clients are.
const clientAddress = "127.0.0.1"

func (c *Core) clientNames() []string {
	names := make([]string, 0, len(c.Clients))
	for n := range c.Clients {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
