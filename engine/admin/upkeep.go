package admin

import (
	"errors"
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
)

func init() {
	register(
		&Command{Name: "cleanup", Group: "nodes", Usage: "[NODE] [ks[.table]]", Help: "rewrite files without what their node is no replica of any more", Run: cleanup},
		&Command{Name: "reboot", Group: "nodes", Usage: "NODE[,NODE]|all", Help: "stop nodes and start them again: they replay their commit logs", Run: reboot},
	)
}

// cleanup cleans the tables of a node one after the other, as nodetool does with
// one job; several nodes at once.
func cleanup(ctx *Context, a Args) ([]*answer.Answer, error) {
	if err := only(a, byName["cleanup"]); err != nil {
		return nil, err
	}
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 1 && nodes[0].Down {
		return nil, fmt.Errorf("%s is down; `:up %s` brings it back", nodes[0].Name, nodes[0].Name)
	}
	files, rows, bytes := 0, int64(0), int64(0)
	end := ctx.Cluster.Now()
	for _, n := range nodes {
		if n.Down {
			continue
		}
		at := ctx.Cluster.Now()
		for _, t := range tables {
			done, err := ctx.Cluster.Cleanup(n.Index, t)
			if err != nil {
				return nil, err
			}
			files += done.Files
			rows += done.Rows
			bytes += done.Bytes
			at += done.Took
		}
		end = max(end, at)
	}
	ctx.Cluster.Advance(end)
	if files == 0 {
		return message("Nothing to clean up: every file holds only what its node is a replica of."), nil
	}
	return message("Cleaned %s: %s and %s of other nodes are gone.", plural(files, "sstable"), plural(int(rows), "row"), bytesText(bytes)), nil
}

// reboot stops nodes and starts each again as soon as it can.
func reboot(ctx *Context, a Args) ([]*answer.Answer, error) {
	if err := only(a, byName["reboot"]); err != nil {
		return nil, err
	}
	if len(a.Words) == 0 {
		return nil, usageError(byName["reboot"])
	}
	var nodes []int
	if len(a.Words) == 1 && a.Words[0] == "all" {
		for _, n := range ctx.Cluster.Members() {
			nodes = append(nodes, n.Index)
		}
	} else {
		var err error
		if nodes, err = ctx.Where(strings.Join(a.Words, ",")); err != nil {
			return nil, err
		}
	}
	for _, n := range nodes {
		if why := ctx.Cluster.CannotStart(n); why != "" {
			return nil, errors.New(why)
		}
	}
	took := ctx.Cluster.Now()
	for _, n := range nodes {
		took = max(took, ctx.Cluster.Now()+ctx.Cluster.BootTime(n))
		ctx.Cluster.Stop(n, cluster.Gossip)
	}
	took -= ctx.Cluster.Now()
	ctx.Cluster.Advance(ctx.Cluster.Now() + took)
	bytes, files := int64(0), 0
	for _, n := range nodes {
		if !ctx.Cluster.Nodes[n].IsMember() { // it was joining, and has given up
			continue
		}
		r := ctx.Cluster.Reboot(n, cluster.Gossip)
		bytes += r.Log
		files += r.Flushed
	}
	ctx.Cluster.Settled(longest)
	return message("%s back after %s: %s of commit logs replayed into %s.", names2(ctx, nodes)+verb(nodes, " is", " are"), took, bytesText(bytes), plural(files, "sstable")), nil
}
