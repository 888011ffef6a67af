package review

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/model/schema"
)

// keyspace looks at replication.
func (r *reviewer) keyspace(k *schema.Keyspace) {
	name := schema.Quote(k.Name)
	switch k.Class() {
	case "SimpleStrategy":
		f := Finding{Note, "simple-strategy", name, "", "SimpleStrategy places replicas without looking at data centers and racks", "",
			"NetworkTopologyStrategy, also for one data center: a second one can be added later", "Cassandra 5.0 SimpleStrategy"}
		if len(r.subject.Datacenters) > 1 {
			f.Severity = Fail
			f.Evidence = fmt.Sprintf("the ring has %d data centers; LOCAL_QUORUM and EACH_QUORUM promise nothing", len(r.subject.Datacenters))
		}
		r.add(f)
		r.factor(name, "", option(k, "replication_factor"), r.nodes(""))
	case "NetworkTopologyStrategy":
		for _, dc := range r.subject.Datacenters {
			rf := option(k, dc.Name)
			if rf == "" || rf == "0" {
				r.add(Finding{Note, "datacenter-without-replicas", name, "", "no replica in " + dc.Name + ": reads from there cross to another data center", "",
					"give it replicas if it has clients", "Cassandra 5.0 NetworkTopologyStrategy"})
				continue
			}
			r.factor(name, dc.Name, rf, dc.Nodes)
		}
	}
	if !k.DurableWrites {
		r.add(Finding{Warn, "durable-writes", name, "", "durable_writes is false: what a node has not flushed is lost when it stops", "",
			"ALTER KEYSPACE " + name + " WITH durable_writes = true", "Cassandra 5.0 Keyspace.apply skips the commit log"})
	}
}

func option(k *schema.Keyspace, key string) string {
	for _, o := range k.Replication {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

// nodes counts those of a data center, or all.
func (r *reviewer) nodes(dc string) int {
	n := 0
	for _, d := range r.subject.Datacenters {
		if dc == "" || d.Name == dc {
			n += d.Nodes
		}
	}
	return n
}

// factor looks at a replication factor: "3", or "3/1" with transient replicas.
func (r *reviewer) factor(keyspace, dc, text string, nodes int) {
	all, _, _ := strings.Cut(text, "/")
	rf, err := strconv.Atoi(all)
	if err != nil || rf < 1 {
		return
	}
	where := ""
	if dc != "" {
		where = " in " + dc
	}
	quorum := rf/2 + 1
	sum := fmt.Sprintf("QUORUM = floor(%d/2) + 1 = %d", rf, quorum)
	const f5 = "F5"
	switch {
	case rf > nodes && nodes > 0:
		f := Finding{Warn, "replicas-above-nodes", keyspace, "", fmt.Sprintf("RF %d%s on %d nodes: %d replicas are never there", rf, where, nodes, rf-nodes),
			fmt.Sprintf("%s of %d that exist; ALL is always unavailable", sum, nodes), "more nodes, or a smaller RF", "Cassandra 5.0 warns: Your replication factor is higher than the number of nodes"}
		if quorum > nodes {
			f.Severity, f.Evidence = Fail, fmt.Sprintf("%s of %d that exist: no quorum, ever", sum, nodes)
		}
		r.add(f)
	case rf == 1:
		r.add(Finding{Warn, "one-replica", keyspace, "", "RF 1" + where + ": each node that is down takes its rows with it, at every level", sum, "RF 3: one replica may be down at QUORUM", f5})
	case rf == 2:
		r.add(Finding{Warn, "two-replicas", keyspace, "", "RF 2" + where + ": QUORUM needs both replicas, so it survives no loss", sum, "RF 3: one replica may be down at QUORUM", f5})
	case rf%2 == 0:
		r.add(Finding{Note, "even-replicas", keyspace, "", fmt.Sprintf("RF %d%s survives the loss of %d at QUORUM, as RF %d does", rf, where, rf-quorum, rf-1), sum,
			fmt.Sprintf("RF %d costs one copy less, RF %d survives one loss more", rf-1, rf+1), f5})
	}
}
