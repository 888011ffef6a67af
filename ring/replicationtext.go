package ring

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseFactor reads a replication factor as Java reads an int. Transient replicas
// (3/1) are refused, since they are off unless a node's settings enable them.
// Source: Cassandra 5.0 ReplicationFactor.fromString.
func parseFactor(text string) (int, error) {
	full, transient, slash := strings.Cut(text, "/")
	if slash && (transient == "" || strings.Contains(transient, "/")) {
		return 0, configErrorf("Replication factor format is <replicas> or <replicas>/<transient>")
	}
	rf, err := parseInt(full)
	if err != nil {
		return 0, err
	}
	if slash {
		n, err := parseInt(transient)
		if err != nil {
			return 0, err
		}
		if n != 0 {
			return 0, configErrorf("Transient replication is not enabled on this node")
		}
	}
	if rf < 0 {
		return 0, configErrorf("Replication factor must be non-negative, found %d", rf)
	}
	return rf, nil
}

func parseInt(text string) (int, error) {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, configErrorf("For input string: \"%s\"", text)
	}
	return int(v), nil
}

func (in ReplicationContext) unrecognized(key, class string) error {
	return configErrorf("Unrecognized strategy option {%s} passed to %s for keyspace %s", key, class, in.Keyspace)
}

// warning appends the warning of a factor above the number of nodes, if it is one.
// Source: Cassandra 5.0 SimpleStrategy.maybeWarnOnOptions, NetworkTopologyStrategy.maybeWarnOnOptions.
func (in ReplicationContext) warning(to []string, rf, nodes int, where string) []string {
	if rf <= nodes || nodes == 0 || isSystem(in.Keyspace) {
		return to
	}
	return append(to, fmt.Sprintf("Your replication factor %d for keyspace %s is higher than the number of nodes %d%s", rf, in.Keyspace, nodes, where))
}

// Source: Cassandra 5.0 SchemaConstants.isSystemKeyspace.
func isSystem(keyspace string) bool {
	switch strings.ToLower(keyspace) {
	case "system", "system_schema", "system_auth", "system_distributed", "system_traces",
		"system_views", "system_virtual_schema":
		return true
	}
	return false
}

func (in ReplicationContext) nodesIn(dc string) int {
	for _, d := range in.Datacenters {
		if d.Name == dc {
			return d.Nodes
		}
	}
	return 0
}

// optionMap is a replication map under construction; sorted makes its order fixed.
type optionMap map[string]string

func (o optionMap) put(key, value string) { o[key] = value }

func (o optionMap) putIfAbsent(key, value string) {
	if _, ok := o[key]; !ok {
		o[key] = value
	}
}

func (o optionMap) sorted() []Option {
	list := make([]Option, 0, len(o))
	for k, v := range o {
		list = append(list, Option{k, v})
	}
	slices.SortFunc(list, func(a, b Option) int { return cmp.Compare(a.Key, b.Key) })
	return list
}
