package admin

import (
	"fmt"
	"strconv"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
)

func init() {
	register(
		&Command{Name: "snapshot", Group: "storage", Usage: "[NAME] [NODE] [ks[.table]]", Help: "flush, and keep the files under a name; alone: named by the time", Run: snapshot},
		&Command{Name: "listsnapshots", Group: "storage", Usage: "", Help: "the snapshots on every node and what they hold alone", Run: listSnapshots},
		&Command{Name: "clearsnapshot", Group: "storage", Usage: "NAME|--all", Help: "give the files of a snapshot free", Run: clearSnapshot},
		&Command{Name: "restore", Group: "storage", Usage: "[NAME] [NODE] [ks[.table]]", Help: "load the files of a snapshot (alone: of the newest) beside what tables hold; TRUNCATE before to go back", Run: restore},
	)
}

func snapshot(ctx *Context, a Args) ([]*answer.Answer, error) {
	name := strconv.FormatInt(ctx.Cluster.Clock(0)/1000, 10) // Source: Cassandra 5.0 tools.nodetool.Snapshot
	if len(a.Words) > 0 {
		name, a.Words = a.Words[0], a.Words[1:]
	}
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	if len(tables) == 0 {
		return nil, fmt.Errorf("there is no table to take a snapshot of")
	}
	took := 0
	for _, n := range nodes {
		if n.Down {
			continue
		}
		if err := ctx.Cluster.TakeSnapshot(n.Index, name, tables); err != nil {
			return nil, err
		}
		took++
	}
	if took == 0 {
		return nil, fmt.Errorf("no node is up to take a snapshot")
	}
	return message("Snapshot directory: %s, with %s on %s.", name, plural(len(tables), "table"), plural(took, "node")), nil
}

func listSnapshots(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 0 {
		return nil, usageError(byName["listsnapshots"])
	}
	rows := [][]string{}
	for _, n := range ctx.Cluster.Nodes {
		for _, s := range n.Snapshots {
			all, alone := s.Bytes(ctx.Cluster.Store(n.Index, s.Table))
			rows = append(rows, []string{n.Name, s.Name, s.Table.Keyspace, s.Table.Name, strconv.FormatInt(alone, 10), strconv.FormatInt(all, 10), answer.Clock(int64(s.At))})
		}
	}
	return table("node snapshot_name keyspace_name column_family_name true_size size_on_disk created", rows), nil
}

func clearSnapshot(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		return nil, usageError(byName["clearsnapshot"])
	}
	name := a.Words[0]
	if name == "--all" {
		name = ""
	}
	cleared := 0
	for _, n := range ctx.Cluster.Nodes {
		cleared += ctx.Cluster.ClearSnapshots(n.Index, name)
	}
	if cleared == 0 {
		return nil, fmt.Errorf("there is no snapshot %s; `:listsnapshots` lists them", a.Words[0])
	}
	return message("Cleared %s.", plural(cleared, "table")), nil
}

// newestSnapshot is the name of the last one that was taken, "" without any.
func newestSnapshot(c *cluster.Cluster) (name string) {
	at := sim.Time(-1)
	for _, n := range c.Nodes {
		for _, s := range n.Snapshots {
			if s.At > at {
				name, at = s.Name, s.At
			}
		}
	}
	return name
}

func restore(ctx *Context, a Args) ([]*answer.Answer, error) {
	name := newestSnapshot(ctx.Cluster)
	switch {
	case len(a.Words) > 0:
		name, a.Words = a.Words[0], a.Words[1:]
	case name == "":
		return nil, fmt.Errorf("there is no snapshot; `:snapshot` takes one")
	}
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	restored, on := 0, []*cluster.Node{}
	for _, n := range nodes {
		if n.Down {
			continue
		}
		if r := ctx.Cluster.RestoreSnapshot(n.Index, name, tables); r > 0 {
			restored += r
			on = append(on, n)
		}
	}
	if restored == 0 {
		return nil, fmt.Errorf("no node that is up has a snapshot %s of that; `:listsnapshots` lists them", name)
	}
	return message("Loaded %s on %s. What was written since is newer and wins; TRUNCATE before loading goes back.", plural(restored/len(on), "table"), plural(len(on), "node")), nil
}
