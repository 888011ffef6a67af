package nodetool

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// tables are the tables that [<keyspace> <tables>...] names.
// Source: Cassandra 5.0 NodeToolCmd.parseOptionalKeyspace, StorageService.getValidColumnFamilies.
func (k *call) tables() ([]*schema.Table, error) { return k.tablesOr(failed) }

// tablesOr is tables where a command has other words for a table that is not there;
// nil for none: nothing is done then.
func (k *call) tablesOr(unknown func(format string, args ...any) error) ([]*schema.Table, error) {
	var out []*schema.Table
	all := func(ks string) {
		for _, name := range k.Schema.Keyspace(ks).TableNames() {
			out = append(out, k.Schema.Table(ks, name))
		}
	}
	if len(k.args) == 0 {
		for _, ks := range k.Schema.Names() {
			all(ks)
		}
		return out, nil
	}
	ks := k.args[0]
	if schema.System(ks) && !schema.Virtual(ks) {
		return nil, beyond("files of "+ks, "nodes of a lab keep none of it; take a keyspace of your own")
	}
	if k.Schema.Keyspace(ks) == nil {
		return nil, misused("Keyspace [%s] does not exist.", ks)
	}
	if len(k.args) == 1 {
		all(ks)
	}
	for _, name := range k.args[1:] {
		t := k.TableOrIndex(ks, name)
		if t == nil && unknown == nil {
			return nil, nil
		}
		if t == nil {
			return nil, unknown("Unknown keyspace/cf pair (%s.%s)", ks, name)
		}
		out = append(out, t)
	}
	return out, nil
}

func flush(k *call) error {
	tables, err := k.tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		k.Flush(k.node.Index, t)
		if cause := k.CannotFlush(k.node.Index, t); cause != "" {
			return failed("%s", cause)
		}
	}
	return nil
}

// compact waits until the compactions are over, as nodetool does.
// Source: Cassandra 5.0 Compact.
func compact(k *call) error {
	ranged := k.has("-st") || k.has("-et") || k.has("--partition")
	switch {
	case k.has("-s") && (k.has("--user-defined") || ranged):
		return failed("Invalid option combination: Can not use split-output here")
	case k.has("--user-defined") && ranged:
		return failed("Invalid option combination: Can not provide tokens when using user-defined")
	case ranged:
		return beyond("compact of a range of tokens or of one partition", "leave the option out to compact all of the table, or choose files with --user-defined")
	case k.has("--user-defined"):
		return k.compactFiles()
	}
	tables, err := k.tables()
	if err != nil {
		return err
	}
	aborted := k.node.Aborted
	for _, t := range tables {
		started := k.Compact(k.node.Index, t, k.has("-s"))
		k.Finish(started)
		if k.node.Aborted > aborted {
			return failed("%s", k.node.NoSpace)
		}
		if slices.ContainsFunc(started, func(c *cluster.Compaction) bool { return c.Failed != "" }) {
			return failed("%s", started[0].Failed)
		}
	}
	return nil
}

// compactFiles compacts files that are given by path or name. Files that are not
// there are left out, as a real node only logs them.
// Source: Cassandra 5.0 CompactionManager.forceUserDefinedCompaction.
func (k *call) compactFiles() error {
	gens := map[*schema.Table][]int{}
	var order []*schema.Table
	for _, a := range k.args {
		dir, name := "", a
		if i := strings.LastIndexByte(a, '/'); i >= 0 {
			dir, name = a[:i], a[i+1:]
		}
		parts := strings.Split(name, "-")
		gen := 0
		if len(parts) == 4 && len(parts[0]) == 2 && (parts[2] == "big" || parts[2] == "bti") && strings.HasSuffix(parts[3], ".db") {
			gen, _ = strconv.Atoi(parts[1])
		}
		if gen < 1 {
			return failed("Invalid sstable file %s: the name doesn't look like a supported sstable file name", a)
		}
		for _, s := range k.node.SortedStores() {
			if dir != storage.Directory(s.Table) || !slices.ContainsFunc(s.SSTables, func(t *storage.SSTable) bool { return t.Gen == gen }) {
				continue
			}
			if gens[s.Table] == nil {
				order = append(order, s.Table)
			}
			gens[s.Table] = append(gens[s.Table], gen)
		}
	}
	var started []*cluster.Compaction
	for _, t := range order {
		c, err := k.CompactFiles(k.node.Index, t, gens[t])
		if err != nil {
			return failed("%s", err)
		}
		started = append(started, c)
	}
	k.Finish(started)
	return nil
}

// FilesOf are the files of a node that hold a partition, the newest first.
// Source: Cassandra 5.0 ColumnFamilyStore.getSSTablesForKey.
func FilesOf(c *cluster.Cluster, s *storage.TableStore, key []byte) []*storage.SSTable {
	var out []*storage.SSTable
	token := c.Partitioner().Token(key)
	for _, f := range s.SSTables {
		if p, _ := f.Lookup(token, string(key)); p != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *storage.SSTable) int { return cmp.Compare(b.Gen, a.Gen) })
	return out
}

func getSSTables(k *call) error {
	if len(k.args) != 3 {
		return misused("getsstables requires ks, cf and key args")
	}
	if schema.System(k.args[0]) && !schema.Virtual(k.args[0]) {
		return beyond("files of "+k.args[0], "nodes of a lab keep none of it; take a table of your own")
	}
	var t *schema.Table
	if k.Schema.Keyspace(k.args[0]) != nil {
		t = k.Schema.Table(k.args[0], k.args[1])
	}
	if t == nil {
		return &Error{Text: fmt.Sprintf("ColumnFamilyStore for %s/%s not found.", k.args[0], k.args[1])}
	}
	var key []byte
	var err error
	if k.has("-hf") {
		if key, err = hex.DecodeString(k.args[2]); err != nil {
			return misused("%s", notHex(k.args[2]))
		}
	} else if key, err = partitionKey(t, k.args[2]); err != nil {
		return err
	}
	files := FilesOf(k.Cluster, k.Store(k.node.Index, t), key)
	if k.has("-l") && t.Options.CompactionClass() == schema.Leveled {
		slices.SortStableFunc(files, func(a, b *storage.SSTable) int { return cmp.Compare(a.Level, b.Level) })
		for _, f := range files {
			k.printf("%d: %s\n", f.Level, f.Path(t))
		}
		return nil
	}
	for _, f := range files {
		k.line(f.Path(t))
	}
	return nil
}

// rebuildIndex writes the entries of a table's indexes anew. Names may stand as
// table.index. Indexes that are no tables have nothing to rebuild.
// Source: Cassandra 5.0 RebuildIndex, StorageService.rebuildSecondaryIndex.
func rebuildIndex(k *call) error {
	if len(k.args) < 3 {
		return misused("rebuild_index requires ks, cf and idx args")
	}
	t := k.Schema.Table(k.args[0], k.args[1])
	if t == nil {
		return failed("Unknown keyspace/cf pair (%s.%s)", k.args[0], k.args[1])
	}
	names := k.args[2:]
	for i, name := range names {
		if _, index, ok := strings.Cut(name, "."); ok {
			name = index
		}
		if names[i] = name; t.Index(name) == nil {
			return failed("The index %s does not exist", name)
		}
	}
	for _, name := range names {
		k.RebuildIndex(k.node.Index, t, name)
	}
	return nil
}
