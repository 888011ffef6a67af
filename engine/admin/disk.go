package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

func init() {
	register(
		&Command{Name: "disk", Group: "nodes", Usage: "[NODE full|failed|ok [commitlog]]", Help: "fill a node's data disk or let it fail, or the one of its commit log; `:set disk_failure_policy` says what the node does", Run: disk},
		&Command{Name: "corrupt", Group: "storage", Usage: "NODE ks.table [KEY] [sstable=GENERATION]", Help: "flip bytes of one file: of the newest, or the newest that holds the key", Run: corrupt},
		&Command{Name: "scrub", Group: "storage", Usage: "[NODE] [ks[.table]] [--no-snapshot] [--skip-corrupted] [--reinsert-overflowed-ttl]", Help: "write files anew without the partitions that cannot be read, after a snapshot", Run: scrub},
	)
}

var diskStates = map[string]cluster.Disk{"ok": cluster.DiskOK, "full": cluster.DiskFull, "failed": cluster.DiskFailed}

// disk shows the disks of all nodes, or changes the state of one.
func disk(ctx *Context, a Args) ([]*answer.Answer, error) {
	if err := only(a, byName["disk"]); err != nil {
		return nil, err
	}
	if len(a.Words) == 0 {
		rows := [][]string{}
		for _, n := range ctx.Cluster.Members() {
			rows = append(rows, []string{n.Name, n.Data.String(), n.CommitLog.String(), strconv.FormatInt(n.DiskBytes(), 10), gossips(n)})
		}
		return table("node data commitlog used gossip_and_clients", rows), nil
	}
	log := len(a.Words) == 3 && a.Words[2] == "commitlog"
	if len(a.Words) != 2 && !log {
		return nil, usageError(byName["disk"])
	}
	n, err := ctx.Node(a.Words[0])
	if err != nil {
		return nil, err
	}
	state, ok := diskStates[a.Words[1]]
	if !ok {
		return nil, fmt.Errorf("a disk is full, failed or ok, not %q", a.Words[1])
	}
	what, now, policy := "The data disk of "+n.Name, n.Data, "disk_failure_policy is "+ctx.Cluster.Set.DiskFailurePolicy
	if log {
		what, now, policy = "The disk of the commit log of "+n.Name, n.CommitLog, "commit_failure_policy is "+ctx.Cluster.Set.CommitFailurePolicy
	}
	if now == state {
		return nil, fmt.Errorf("%s is %s already", strings.ToLower(what[:1])+what[1:], state)
	}
	ctx.Cluster.SetDisk(n.Index, log, state)
	switch {
	case state == cluster.DiskOK && (n.Quiet || n.Down):
		return message("%s is right again; `:up %s` brings the node back.", what, n.Name), nil
	case state == cluster.DiskOK:
		return message("%s is right again.", what), nil
	case log && state == cluster.DiskFull:
		return message("%s is full; the node finds out when it needs a new segment. %s.", what, policy), nil
	case log:
		return message("%s has failed; the node finds out with its next write. %s.", what, policy), nil
	case state == cluster.DiskFull:
		return message("%s is full: no compaction begins, and the next flush fails; writes go on until then. %s.", what, policy), nil
	}
	return message("%s has failed; the node finds out when it next reads or writes a file. %s.", what, policy), nil
}

func gossips(n *cluster.Node) string {
	switch {
	case n.Down:
		return "down"
	case n.Quiet:
		return "stopped"
	}
	return "running"
}

// corrupt reads NODE ks.table [KEY] [sstable=GENERATION].
func corrupt(ctx *Context, a Args) ([]*answer.Answer, error) {
	if err := only(a, byName["corrupt"], "sstable"); err != nil {
		return nil, err
	}
	if len(a.Words) != 2 && len(a.Words) != 3 {
		return nil, usageError(byName["corrupt"])
	}
	n, err := ctx.Node(a.Words[0])
	if err != nil {
		return nil, err
	}
	t, err := ctx.Table(a.Words[1])
	if err != nil {
		return nil, err
	}
	files := ctx.Cluster.Store(n.Index, t).SSTables
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no SSTables of %s.%s; `:flush %s %s.%s` writes what its memtable holds", n.Name, t.Keyspace, t.Name, n.Name, t.Keyspace, t.Name)
	}
	if len(storage.Compressed(files)) < len(files) {
		return nil, fmt.Errorf("%s.%s is not compressed: a real node reads its files without a look at checksums and answers with whatever stands there, which is not supported; take a table with compression", t.Keyspace, t.Name)
	}
	file, at, err := chosenFile(ctx, n, t, files, a)
	if err != nil {
		return nil, err
	}
	chunk, held := file.Corrupt(t, at)
	size := file.Packing().Chunk
	return message("Flipped bytes of %s of %s: chunk %d of %d, bytes %d to %d before compression, does not fit its checksum any more. It holds %s, all or in part; the node finds out when it reads one.",
		file.FileName("Data.db"), n.Name, chunk.Number+1, file.Chunks(), chunk.Number*size, min((chunk.Number+1)*size, file.DataBytes)-1, plural(held, "partition")), nil
}

// chosenFile is the file that somebody wants to corrupt, and the place of the
// partition in it, -1 where no key is given.
func chosenFile(ctx *Context, n *cluster.Node, t *schema.Table, files []*storage.SSTable, a Args) (*storage.SSTable, int, error) {
	gen := 0
	if text, given := a.Named["sstable"]; given {
		var err error
		if gen, err = strconv.Atoi(text); err != nil || gen < 1 {
			return nil, 0, fmt.Errorf("sstable takes a generation as `:sstables` shows it, not %q", text)
		}
	}
	var key []byte
	if len(a.Words) == 3 {
		var err error
		if key, err = PartitionKey(t, a.Words[2]); err != nil {
			return nil, 0, err
		}
	}
	for _, f := range files {
		if gen > 0 && f.Gen != gen {
			continue
		}
		if key == nil {
			return f, -1, nil
		}
		for i, p := range f.Parts {
			if p.Key == string(key) {
				return f, i, nil
			}
		}
	}
	where := "no SSTable of " + t.Keyspace + "." + t.Name
	if gen > 0 {
		where = fmt.Sprintf("no SSTable %d of %s.%s", gen, t.Keyspace, t.Name)
	}
	if key != nil {
		where += " that holds " + t.KeyText(key)
	}
	return nil, 0, fmt.Errorf("%s has %s; `:sstables %s.%s` lists what there is", n.Name, where, t.Keyspace, t.Name)
}

// scrub scrubs the tables of a node one after the other, several nodes at once.
func scrub(ctx *Context, a Args) ([]*answer.Answer, error) {
	if err := only(a, byName["scrub"]); err != nil {
		return nil, err
	}
	o := cluster.ScrubOptions{NoSnapshot: a.Has("--no-snapshot") || a.Has("-ns"), SkipCorrupt: a.Has("--skip-corrupted") || a.Has("-s"),
		Reinsert: a.Has("--reinsert-overflowed-ttl") || a.Has("-r")}
	a.Words = a.Without("--no-snapshot", "-ns", "--skip-corrupted", "-s", "--reinsert-overflowed-ttl", "-r")
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 1 && nodes[0].Down {
		return nil, fmt.Errorf("%s is down; `:up %s` brings it back", nodes[0].Name, nodes[0].Name)
	}
	rows := [][]string{}
	var left []string
	end := ctx.Cluster.Now()
	for _, n := range nodes {
		at := ctx.Cluster.Now()
		for _, t := range tables {
			if n.Down || len(ctx.Cluster.Store(n.Index, t).SSTables) == 0 {
				continue
			}
			done, err := ctx.Cluster.Scrub(n.Index, t, o)
			if err != nil {
				return nil, fmt.Errorf("the scrub of %s.%s on %s failed: %w; `:log %s` has more", t.Keyspace, t.Name, n.Name, err, n.Name)
			}
			for _, f := range done.Left {
				left = append(left, fmt.Sprintf("%s leaves %s of %s.%s out, as 5.0 does, since a read has failed on it; `:reboot %s` makes it forget that", n.Name, f, t.Keyspace, t.Name, n.Name))
			}
			for _, f := range done.Files {
				to := ""
				if f.NewAt > 0 {
					to = strconv.Itoa(f.NewAt)
				}
				if f.Torn > 0 {
					left = append(left, fmt.Sprintf("%s loses %s of %s.%s that nothing is wrong with, as 5.0.5 does: its scrub gives up on a partition with a range tombstone, and in format nb on one with a TTL, unless --reinsert-overflowed-ttl keeps that",
						n.Name, plural(f.Torn, "partition"), t.Keyspace, t.Name))
				}
				rows = append(rows, []string{n.Name, t.Keyspace + "." + t.Name, strconv.Itoa(f.Gen), to, strconv.Itoa(f.Good), strconv.Itoa(f.Bad), done.Snapshot})
			}
			at += done.Took
		}
		end = max(end, at)
	}
	ctx.Cluster.Advance(end)
	if len(rows) == 0 && len(left) == 0 {
		return message("Nothing to scrub: there are no SSTables; `:flush` writes the memtables to some."), nil
	}
	out := table("node table sstable written kept lost snapshot", rows)
	out[0].Warnings = left
	return out, nil
}
