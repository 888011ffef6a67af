package nodetool

import (
	"fmt"
	"strings"

	"ringlab/engine/sim"
	"ringlab/model/types"
)

// handoffVerbs are the commands about hints of one node.
func handoffVerbs() []*Verb {
	pause := func(on bool) func(*call) error {
		return func(k *call) error {
			k.PauseHandoff(k.node.Index, on)
			return nil
		}
	}
	keep := func(on bool, verb string) func(*call) error {
		return func(k *call) error {
			if len(k.args) != 1 {
				return misused("%s requires exactly one data center", verb)
			}
			k.HintsFor(k.node.Index, k.args[0], on)
			return nil
		}
	}
	return []*Verb{
		{Name: "disablehintsfordc", Usage: "<datacenter>", Help: "Disable hints for a data center", most: list, run: keep(false, "disablehintsfordc")},
		{Name: "enablehintsfordc", Usage: "<datacenter>", Help: "Enable hints for a data center that was previsouly disabled", most: list, run: keep(true, "enablehintsfordc")},
		{Name: "listpendinghints", Help: "Print all pending hints that this node has", run: listPendingHints},
		{Name: "pausehandoff", Help: "Pause hints delivery process", run: pause(true)},
		{Name: "resumehandoff", Help: "Resume hints delivery process", run: pause(false)},
		{Name: "truncatehints", Usage: "[endpoint ... ]", Help: "Truncate all hints on the local node, or truncate hints for the endpoint(s) specified.", most: 1, run: truncateHints},
	}
}

// truncateHints forgets all hints, or those for one node, which is named by its address.
// Source: Cassandra 5.0 TruncateHints, HintsService.deleteAllHintsForEndpoint.
func truncateHints(k *call) error {
	if len(k.args) == 0 {
		k.TruncateHints(k.node.Index, -1)
		return nil
	}
	host := k.args[0]
	for _, n := range k.Members() {
		if n.Address == host || n.Name == host {
			k.TruncateHints(k.node.Index, n.Index)
			return nil
		}
	}
	if strings.Trim(host, "0123456789.") != "" {
		return misused("java.net.UnknownHostException: %s: Name or service not known", host)
	}
	return misused("Can't delete hints for unknown address /%s:7000", host)
}

// listPendingHints tells for whom a node keeps hints; a lab has one file of them for each.
// Source: Cassandra 5.0 ListPendingHints.
func listPendingHints(k *call) error {
	targets, oldest := k.PendingHints(k.node.Index)
	if len(targets) == 0 {
		k.line("This node does not have any pending hints")
		return nil
	}
	g := grid{between: " "}
	g.add("Host ID", "Address", "Rack", "DC", "Status", "Total files", "Newest", "Oldest")
	for i, to := range targets {
		n := k.Nodes[to]
		state := "UP"
		if !k.Alive.Alive(k.node.Index, to) {
			state = "DOWN"
		}
		at := k.moment(oldest[i])
		g.add(n.Host.String(), n.Address+":7000", n.Rack, n.DC, state, "1", at, at)
	}
	g.print(k)
	return nil
}

// moment is the date and hour of a moment that is not to come, in UTC.
func (k *call) moment(at sim.Time) string {
	ms := (k.Unix() - int64(k.Now()-at)) / 1000
	year, month, day := types.Civil(ms / 86400000)
	rest := ms % 86400000
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d,%03d", year, month, day, rest/3600000, rest/60000%60, rest/1000%60, rest%1000)
}
