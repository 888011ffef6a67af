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
		&Command{Name: "flush", Group: "storage", Usage: "[NODE] [ks[.table]]", Help: "write memtables to SSTables", Run: flush},
		&Command{Name: "tablestats", Group: "storage", Usage: "ks.table", Help: "sizes and counts of a table on every node", Run: tableStats},
		&Command{Name: "sstables", Group: "storage", Usage: "ks.table", Help: "the SSTables of a table on every node", Run: sstables},
		&Command{Name: "log", Group: "storage", Usage: "[NODE]", Help: "what nodes wrote to their logs: guardrails, large partitions", Run: systemLog},
		&Command{Name: "components", Group: "storage", Usage: "ks.table", Help: "the files of each SSTable of a table, as ls shows them", Run: components},
		&Command{Name: "partition", Group: "storage", Usage: "ks.table KEY [cells]", Help: "what each replica holds of a partition, and its exact size; cells: name by name, side by side", Run: partition},
	)
}

// targets reads [NODE] [ks[.table]].
func targets(ctx *Context, a Args) (nodes []*cluster.Node, tables []*schema.Table, err error) {
	nodes = ctx.Cluster.Members()
	words := a.Words
	if len(words) > 0 {
		if n, ok := ctx.Cluster.Find(words[0]); ok {
			nodes, words = []*cluster.Node{n}, words[1:]
		}
	}
	if len(words) > 1 {
		return nil, nil, fmt.Errorf("too many words: %s", strings.Join(words, " "))
	}
	s := ctx.Cluster.Schema
	if len(words) == 0 {
		for _, ks := range s.Names() {
			for _, t := range s.Keyspace(ks).TableNames() {
				tables = append(tables, s.Table(ks, t))
			}
		}
		return nodes, tables, nil
	}
	if k := s.Keyspace(words[0]); k != nil {
		for _, t := range k.TableNames() {
			tables = append(tables, k.Tables[t])
		}
		return nodes, tables, nil
	}
	t, err := tableOrIndex(ctx, words[0])
	if err != nil && !strings.Contains(words[0], ".") {
		return nil, nil, fmt.Errorf("%q is neither a node nor a keyspace nor a table; write NODE, keyspace or keyspace.table", words[0])
	}
	if err != nil {
		return nil, nil, err
	}
	return nodes, []*schema.Table{t}, nil
}

func flush(ctx *Context, a Args) ([]*answer.Answer, error) {
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	files, bytes := 0, int64(0)
	failed := ""
	for _, n := range nodes {
		for _, t := range tables {
			if !n.Down {
				for _, f := range ctx.Cluster.Flush(n.Index, t) {
					files++
					bytes += f.DataBytes
				}
				if cause := ctx.Cluster.CannotFlush(n.Index, t); cause != "" {
					failed = fmt.Sprintf("%s could not flush %s.%s: %s", n.Name, t.Keyspace, t.Name, cause)
				}
			}
		}
	}
	if failed != "" {
		return nil, fmt.Errorf("%s; %s flushed, `:log` and `:disk` have more", failed, plural(files, "sstable"))
	}
	if files == 0 {
		return message("Nothing to flush: the memtables are empty."), nil
	}
	return message("Flushed %s, %s.", plural(files, "sstable"), bytesText(bytes)), nil
}

// oneTable reads ks.table or ks.table.index as the first word.
func oneTable(ctx *Context, a Args, c *Command) (*schema.Table, error) {
	if len(a.Words) != 1 {
		return nil, usageError(c)
	}
	return tableOrIndex(ctx, a.Words[0])
}

// tableOrIndex reads ks.table, or ks.table.index for the hidden table of an index.
func tableOrIndex(ctx *Context, name string) (*schema.Table, error) {
	if ks, rest, ok := strings.Cut(name, "."); ok && strings.Contains(rest, ".") {
		if t := ctx.Cluster.TableOrIndex(ks, rest); t != nil {
			return t, nil
		}
	}
	return ctx.Table(name)
}

// tableAndKey reads ks.table KEY as the first words.
func tableAndKey(ctx *Context, words []string) (t *schema.Table, key []byte, err error) {
	if t, err = ctx.Table(words[0]); err == nil {
		key, err = PartitionKey(t, words[1])
	}
	return t, key, err
}

func tableStats(ctx *Context, a Args) ([]*answer.Answer, error) {
	t, err := oneTable(ctx, a, byName["tablestats"])
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, n := range ctx.Cluster.Members() {
		s := ctx.Cluster.Store(n.Index, t)
		rows = append(rows, []string{n.Name, strconv.Itoa(len(s.SSTables)), strconv.FormatInt(s.DiskBytes(), 10), strconv.Itoa(countKeys(s)),
			strconv.FormatInt(s.Mem.Ops, 10), strconv.FormatInt(s.Mem.Data, 10), strconv.Itoa(s.Flushes), strconv.FormatInt(s.Reads, 10), strconv.FormatInt(s.Writes, 10)})
	}
	return table("node sstable_count space_used_live partitions memtable_cell_count memtable_data_size memtable_switch_count local_read_count local_write_count", rows), nil
}

func countKeys(s *storage.TableStore) int { return s.CountKeys() }

func sstables(ctx *Context, a Args) ([]*answer.Answer, error) {
	t, err := oneTable(ctx, a, byName["sstables"])
	if err != nil {
		return nil, err
	}
	rows := [][]string{}
	for _, n := range ctx.Cluster.Members() {
		for _, f := range ctx.Cluster.Store(n.Index, t).SSTables {
			rows = append(rows, []string{n.Name, strconv.Itoa(f.Gen), f.Origin, strconv.Itoa(f.Level), strconv.FormatInt(f.DataBytes, 10), strconv.FormatInt(f.OnDisk, 10),
				strconv.Itoa(len(f.Parts)), strconv.FormatInt(f.Rows, 10), strconv.FormatInt(f.Stats.Tombstones, 10), answer.Clock(f.Created), repairedText(ctx, f)})
		}
	}
	return table("node generation origin level data_bytes on_disk partitions rows tombstones created repaired", rows), nil
}

// repairedText says when a file was repaired, "" if it was not.
func repairedText(ctx *Context, f *storage.SSTable) string {
	switch {
	case f.Pending != 0:
		return "pending"
	case f.RepairedAt != 0:
		return answer.Clock(f.RepairedAt*1000 - ctx.Epoch*1000000)
	}
	return ""
}

func systemLog(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 1 {
		return nil, usageError(byName["log"])
	}
	nodes, err := nodesFrom(ctx, a.Words)
	if err != nil {
		return nil, err
	}
	rows := [][]string{}
	for _, n := range nodes {
		for _, l := range n.SystemLog {
			rows = append(rows, []string{n.Name, l.Level, answer.Clock(int64(l.At)), l.Text})
		}
	}
	return table("node level at line", rows), nil
}

func components(ctx *Context, a Args) ([]*answer.Answer, error) {
	t, err := oneTable(ctx, a, byName["components"])
	if err != nil {
		return nil, err
	}
	rows := [][]string{}
	for _, n := range ctx.Cluster.Members() {
		for _, f := range ctx.Cluster.Store(n.Index, t).SSTables {
			for _, c := range f.Components(t) {
				exact, bytes := "yes", strconv.FormatInt(c.Bytes, 10)
				switch {
				case c.Bytes < 0:
					exact, bytes = storage.Unknown, ""
				case !c.Exact:
					exact = "estimated"
				}
				rows = append(rows, []string{n.Name, f.FileName(c.Name), bytes, exact})
			}
		}
	}
	return table("node file bytes exact", rows), nil
}

func partition(ctx *Context, a Args) ([]*answer.Answer, error) {
	cells := len(a.Words) == 3 && a.Words[2] == "cells"
	if len(a.Words) != 2 && !cells {
		return nil, usageError(byName["partition"])
	}
	t, key, err := tableAndKey(ctx, a.Words)
	if err != nil {
		return nil, err
	}
	if cells {
		heads, rows, _, _ := Physical(ctx.Core, t, key)
		return []*answer.Answer{answer.Table(heads, rows)}, nil
	}
	tok := ctx.Cluster.Partitioner().Token(key)
	replicas := ctx.Cluster.Placement(t.Keyspace).Replicas(tok)
	var rows [][]string
	for _, n := range ctx.Cluster.Members() {
		order := ""
		for i, r := range replicas {
			if r == n.Index {
				order = strconv.Itoa(i + 1)
			}
		}
		h := ctx.Cluster.Store(n.Index, t).Holding(string(key), tok)
		if order == "" && !h.Any {
			continue
		}
		rows = append(rows, []string{n.Name, order, strconv.Itoa(h.Rows), strconv.Itoa(h.Cells), strconv.FormatInt(h.Tombstones, 10),
			strconv.FormatInt(h.Bytes, 10), strconv.FormatBool(h.Memtable), strings.Join(h.Files, ",")})
	}
	return table("node replica rows cells tombstones bytes memtable sstables", rows), nil
}
