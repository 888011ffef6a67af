package admin

import (
	"fmt"
	"strconv"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/model/schema"
)

func init() {
	register(
		&Command{Name: "repair", Group: "consistency", Usage: "[NODE] [ks[.table]] [full] [preview|validate] [force]", Run: repairCommand,
			Help: "compare replicas by Merkle trees and stream what differs: every range once, or those of a node; incremental unless full. preview only names what differs, validate of what counts as repaired; force leaves out who is down"},
	)
}

// repairCommand repairs one keyspace after the other. With a node it is nodetool
// repair on that node; without, every node repairs the ranges that it is the first
// replica of, as nodetool repair -pr on each.
func repairCommand(ctx *Context, a Args) ([]*answer.Answer, error) {
	o := cluster.RepairOptions{Full: given(&a, "full", "--full", "-full"), Force: given(&a, "force", "--force", "-force")}
	preview, validate := given(&a, "preview", "--preview", "-prv"), given(&a, "validate", "--validate", "-vd")
	switch {
	case validate:
		o.Preview = cluster.PreviewRepaired
	case preview && o.Full:
		o.Preview = cluster.PreviewAll
	case preview:
		o.Preview = cluster.PreviewUnrepaired
	}
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	alone := len(a.Words) > 0 && nodes[0].Name == a.Words[0]
	if alone && nodes[0].Down {
		return nil, fmt.Errorf("%s is down; `:up %s` brings it back", nodes[0].Name, nodes[0].Name)
	}
	var keyspaces []string
	byKeyspace := map[string][]*schema.Table{}
	for _, t := range tables {
		if byKeyspace[t.Keyspace] == nil {
			keyspaces = append(keyspaces, t.Keyspace)
		}
		byKeyspace[t.Keyspace] = append(byKeyspace[t.Keyspace], t)
	}
	var done []*cluster.Repair
	for _, ks := range keyspaces {
		if ctx.Cluster.Strategy(ks).RF() < 2 {
			if len(keyspaces) == 1 {
				return message("Replication factor is 1. No repair is needed for keyspace '%s'", ks), nil
			}
			continue
		}
		primaries := ctx.Cluster.Primaries(ks)
		for _, n := range nodes {
			entries := primaries[n.Index]
			if alone {
				entries = ctx.Cluster.Covers(n.Index, ks)
			}
			if len(entries) == 0 {
				continue
			}
			coord := n.Index
			if n.Down { // its neighbour tells so
				if coord, err = ctx.Coordinator(ctx.Current); err != nil {
					return nil, err
				}
			}
			r, err := ctx.Cluster.Repair(coord, ks, byKeyspace[ks], entries, o)
			if err != nil {
				return nil, err
			}
			finish(ctx, r)
			if r.Err != nil {
				return nil, r.Err
			}
			done = append(done, r)
		}
	}
	if o.Preview != cluster.NoPreview {
		return previewTable(ctx, done), nil
	}
	return repairTable(ctx, done), nil
}

// given takes an option out of the words of a command.
func given(a *Args, names ...string) (is bool) {
	for _, n := range names {
		is = is || a.Has(n)
	}
	a.Words = a.Without(names...)
	return is
}

// previewTable has a line for every two replicas that differ; without differences it
// is a sentence.
func previewTable(ctx *Context, done []*cluster.Repair) []*answer.Answer {
	var rows [][]string
	ranges := 0
	for _, r := range done {
		ranges += r.Ranges
		for _, f := range r.Foreseen {
			rows = append(rows, []string{ctx.Cluster.Nodes[r.Coord].Name, f.Table.Keyspace, f.Table.Name, ctx.Cluster.Nodes[f.Replicas[0]].Name, ctx.Cluster.Nodes[f.Replicas[1]].Name,
				ctx.Cluster.RangesText(f.Ranges, 2)})
		}
	}
	if len(rows) == 0 {
		return message("Compared %s; nothing differs.", plural(ranges, "range"))
	}
	out := table("coordinator keyspace table replica other differing", rows)
	out[0].Message = fmt.Sprintf("Compared %s; nothing was sent.", plural(ranges, "range"))
	return out
}

// finished is something that takes virtual time.
type finished interface{ Finished() bool }

// finish lets time pass until something is over.
func finish(ctx *Context, what finished) {
	for !what.Finished() {
		next, ok := ctx.Cluster.NextAt()
		if !ok {
			return
		}
		ctx.Cluster.Advance(next)
	}
}

// repairTable has a line for each stream; without differences it is a sentence.
func repairTable(ctx *Context, done []*cluster.Repair) []*answer.Answer {
	var rows [][]string
	ranges, partitions, bytes := 0, int64(0), int64(0)
	for _, r := range done {
		ranges += r.Ranges
		partitions += r.Partitions
		bytes += r.Validated
		for _, d := range r.Found {
			rows = append(rows, []string{ctx.Cluster.Nodes[r.Coord].Name, d.Table.Keyspace, d.Table.Name, ctx.Cluster.Nodes[d.From].Name, ctx.Cluster.Nodes[d.To].Name,
				ctx.Cluster.RangesText(d.Ranges, 2), strconv.Itoa(d.Partitions), strconv.FormatInt(d.Rows, 10), strconv.FormatInt(d.Bytes, 10)})
		}
	}
	summary := fmt.Sprintf("Repaired %s: %s compared, %s read", plural(ranges, "range"), plural(int(partitions), "partition"), bytesText(bytes))
	if len(rows) == 0 {
		return message("%s; nothing differed.", summary)
	}
	out := table("coordinator keyspace table from to differing partitions rows bytes", rows)
	out[0].Message = summary + "."
	return out
}
