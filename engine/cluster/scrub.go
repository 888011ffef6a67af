package cluster

import (
	"fmt"
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// ScrubOptions are nodetool scrub's.
type ScrubOptions struct {
	NoSnapshot  bool
	SkipCorrupt bool // leave out what cannot be read of counters, too
	Reinsert    bool // keep rows with a TTL, which a file of format nb loses otherwise
}

// Scrubbed is what a scrub did to one file.
type Scrubbed struct {
	Table      *schema.Table
	Gen, NewAt int // NewAt is 0 if nothing was left
	Good, Bad  int // partitions
	Torn       int // of Bad: given up on, though they can be read
}

// Scrubbing is what a scrub did to a table on a node.
type Scrubbing struct {
	Files    []Scrubbed
	Left     []string // files left out because a read failed on them since the node's start
	Snapshot string   // "" for none
	Took     sim.Time // at the pace of compactions
}

// Scrub writes a node's files of a table anew, without the partitions that cannot
// be read; before it links them as a snapshot. Memtables stay as they are.
// Source: Cassandra 5.0 ColumnFamilyStore.scrub, CompactionManager.performScrub, BigTableScrubber.
func (c *Cluster) Scrub(node int, t *schema.Table, o ScrubOptions) (out Scrubbing, err error) {
	s, n := c.Store(node, t), c.Nodes[node]
	c.log(node, "INFO", fmt.Sprintf("Starting Scrub on %s.[%s]", t.Keyspace, t.Name))
	if !o.NoSnapshot && len(s.SSTables) > 0 {
		out.Snapshot = fmt.Sprintf("pre-scrub-%d", c.Clock(node)/1000)
		n.Snapshots = append(n.Snapshots, &Snapshot{Name: out.Snapshot, At: c.now, Table: t, Files: slices.Clone(s.SSTables)})
	}
	c.interrupt(node, t)
	c.log(node, "INFO", fmt.Sprintf("Starting Scrub for %s.%s", t.Keyspace, t.Name))
	files := c.trusted(s)
	for _, f := range s.SSTables {
		if f.Suspect {
			out.Left = append(out.Left, f.FileName("Data.db"))
		}
	}
	if len(files) == 0 {
		c.log(node, "INFO", fmt.Sprintf("No sstables to SCRUB for %s.%s", t.Keyspace, t.Name))
	}
	read := int64(0)
	for _, f := range files {
		if c.unwritable(node, t) {
			return out, refusal("%s", n.Data.cause())
		}
		read += f.DataBytes
		done, err := c.scrubFile(node, s, f, o)
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, done)
	}
	if len(files) > 0 {
		c.log(node, "INFO", fmt.Sprintf("Finished Scrub for %s.%s successfully", t.Keyspace, t.Name))
	}
	c.log(node, "INFO", "Completed Scrub with status SUCCESSFUL")
	rate := c.Set.CompactionThroughput
	if rate <= 0 {
		rate = diskRate
	}
	out.Took = n.service(sim.Time(read * int64(sim.Second) / rate))
	c.background(node, s)
	return out, nil
}

// trusted are a store's files that no read has failed on, the oldest first.
// Source: Cassandra 5.0 AbstractCompactionStrategy.filterSuspectSSTables.
func (c *Cluster) trusted(s *storage.TableStore) []*storage.SSTable {
	var out []*storage.SSTable
	for _, f := range s.SSTables {
		if !f.Suspect {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *storage.SSTable) int { return a.Gen - b.Gen })
	return out
}

// reader names a file as its reader's toString does.
func reader(t *schema.Table, f *storage.SSTable) string {
	return fmt.Sprintf("BigTableReader:%s(path='%s')", f.Format.Family(), f.Path(t))
}

// scrubFile scrubs one file.
func (c *Cluster) scrubFile(node int, s *storage.TableStore, f *storage.SSTable, o ScrubOptions) (Scrubbed, error) {
	t := s.Table
	out := Scrubbed{Table: t, Gen: f.Gen}
	c.log(node, "INFO", fmt.Sprintf("Scrubbing %s (%s)", reader(t, f), storage.MemoryText(f.DataBytes)))
	m := c.making(s, "scrub", f)
	s.NextGen++ // the writer's, even if nothing comes of it
	var kept []*storage.Partition
	starts := f.PartitionStarts(t)
	seeking := false
	for i, p := range f.Parts {
		bad := f.CorruptIn(f.Parts[i : i+1])
		torn := f.TornBy(t, p, o.Reinsert)
		// Two keys before its end the index is read to its end, and its positions are lost.
		data := starts[i] + 2 + int64(len(p.Key))
		lost := i >= len(f.Parts)-2
		begins := bad != nil && f.CorruptAt(starts[i])
		if lost && !begins {
			c.log(node, "WARN", fmt.Sprintf("Data file partition position %d differs from index file row position -1", data))
		}
		if bad == nil && torn == nil {
			kept, seeking = append(kept, p), false
			out.Good++
			continue
		}
		out.Bad++
		if t.Counter && !o.SkipCorrupt {
			c.log(node, "WARN", "An error occurred while scrubbing the partition with key '"+t.KeyText([]byte(p.Key))+"'.  Skipping corrupt "+
				"data in counter tables will result in undercounts for the affected counters (see CASSANDRA-2759 for more details), so by default the scrub will "+
				"stop at this point.  If you would like to skip the row anyway and continue scrubbing, re-run the scrub with the --skip-corrupted option.")
			if bad == nil {
				return out, refusal("%s", torn.Cause)
			}
			c.corrupted(node, t, bad, logCompaction)
			return out, refusal("%s", unserializable)
		}
		why := ""
		if bad != nil {
			why = bad.Text(t)
		} else {
			why = torn.Cause
			out.Torn++
			m.Begun = append(m.Begun, storage.Begun{Before: len(kept), Partition: torn.Begun})
		}
		size, from := starts[i+1]-data, data
		if lost {
			size, from = -1, -1
		}
		switch {
		case seeking && begins:
			c.log(node, "WARN", fmt.Sprintf("Failed to seek to next partition position %d", starts[i]))
			continue
		case begins:
			c.log(node, "WARN", "Error reading partition (unreadable key) (stacktrace follows): "+why)
			c.log(node, "INFO", fmt.Sprintf("Retrying from partition index; data is %d bytes starting at %d", size, from))
			c.log(node, "WARN", "Retry failed too. Skipping to next partition (retry's stacktrace follows)")
		case lost:
			c.log(node, "WARN", "Error reading partition "+t.KeyText([]byte(p.Key))+" (stacktrace follows): "+why)
			c.log(node, "INFO", fmt.Sprintf("Retrying from partition index; data is %d bytes starting at %d", size, from))
			c.log(node, "WARN", "Retry failed too. Skipping to next partition (retry's stacktrace follows)")
		default:
			c.log(node, "WARN", "Error reading partition "+t.KeyText([]byte(p.Key))+" (stacktrace follows): "+why)
			c.log(node, "WARN", fmt.Sprintf("Partition starting at position %d is unreadable; skipping to next", data))
		}
		seeking = true
	}
	var by []*storage.SSTable
	if len(kept) > 0 {
		whole := f.Part(t, m, kept)
		if out.Bad > 0 {
			whole.RepairedAt = 0
		}
		out.NewAt, by = whole.Gen, append(by, whole)
	}
	s.Exchange(f, by...)
	c.scrubbed(node, f, out)
	return out, nil
}

// scrubbed tells what became of a file.
func (c *Cluster) scrubbed(node int, f *storage.SSTable, done Scrubbed) {
	t := done.Table
	switch {
	case done.NewAt == 0:
		c.log(node, "WARN", fmt.Sprintf("No valid partitions found while scrubbing %s; it is marked for deletion now. If you want to attempt manual recovery, you can find a copy in the pre-scrub snapshot", reader(t, f)))
	default:
		c.log(node, "INFO", fmt.Sprintf("Scrub of %s complete: %d partitions in new sstable and 0 empty (tombstoned) partitions dropped", reader(t, f), done.Good))
		if done.Bad > 0 {
			c.log(node, "WARN", fmt.Sprintf("Unable to recover %d partitions that were skipped.  You can attempt manual recovery from the pre-scrub snapshot.  You can also run nodetool repair to transfer the data from a healthy replica, if any", done.Bad))
		}
	}
	if c.Listening() {
		to := "nothing"
		if done.NewAt > 0 {
			to = itoa(done.NewAt)
		}
		c.emit(event.Record{Kind: event.Scrub, Node: node, Peer: -1, What: t.Keyspace + "." + t.Name, Text: fmt.Sprintf("%d -> %s, %d partitions lost", f.Gen, to, done.Bad)})
	}
}

// VerifyOptions are nodetool verify's.
type VerifyOptions struct {
	Extended bool // look at every partition too
	Quick    bool // do not read the data
	Policy   bool // let disk_failure_policy act on a corrupt file
	Unrepair bool // a corrupt file does not count as repaired any more
}

// Verify holds a node's files of a table against their checksums. The error is the
// innermost exception, as nodetool prints it.
// Source: Cassandra 5.0 StorageService.verify, SortedTableVerifier.
func (c *Cluster) Verify(node int, t *schema.Table, o VerifyOptions) error {
	s := c.Store(node, t)
	c.log(node, "INFO", fmt.Sprintf("Staring Verify on %s.[%s] with options = Options{invokeDiskFailurePolicy=%t, extendedVerification=%t, checkVersion=false, mutateRepairStatus=%t, checkOwnsTokens=false, quick=%t}",
		t.Keyspace, t.Name, o.Policy, o.Extended, o.Unrepair, o.Quick))
	c.log(node, "INFO", fmt.Sprintf("Starting Verify for %s.%s", t.Keyspace, t.Name))
	files := c.trusted(s)
	if len(files) == 0 {
		c.log(node, "INFO", fmt.Sprintf("No sstables to VERIFY for %s.%s", t.Keyspace, t.Name))
	}
	for _, f := range files {
		name := reader(t, f)
		c.log(node, "INFO", fmt.Sprintf("Verifying %s (%s)", name, storage.MemoryText(f.DataBytes)))
		c.log(node, "INFO", fmt.Sprintf("Deserializing sstable metadata for %s ", name))
		if o.Quick {
			continue
		}
		if c.Nodes[node].Data == DiskFailed {
			c.diskError(node, t, logCompaction, false)
			return refusal("%s", DiskFailed.cause())
		}
		c.log(node, "INFO", fmt.Sprintf("Checking computed hash of %s ", name))
		if bad := f.CorruptScan(); bad != nil {
			return c.unsound(node, t, f, bad, o)
		}
		if o.Extended {
			c.log(node, "INFO", "Extended Verify requested, proceeding to inspect values")
			c.log(node, "INFO", fmt.Sprintf("Verify of %s succeeded. All %d rows read successfully", name, len(f.Parts)))
		}
	}
	if len(files) > 0 {
		c.log(node, "INFO", fmt.Sprintf("Finished Verify for %s.%s successfully", t.Keyspace, t.Name))
	}
	c.log(node, "INFO", "Completed Verify with status SUCCESSFUL")
	return nil
}

// unsound is what a verification says of a corrupt file. It does not take it for
// suspect. Source: Cassandra 5.0 SortedTableVerifier.markAndThrow.
func (c *Cluster) unsound(node int, t *schema.Table, f *storage.SSTable, bad *storage.Corruption, o VerifyOptions) error {
	now, written := f.Digests(t)
	text := fmt.Sprintf("Corrupted file: integrity check (digest) failed for %s: %d != %d", f.Path(t), written, now)
	c.log(node, "WARN", text)
	repair := "a full repair"
	if o.Unrepair {
		f.RepairedAt, repair = 0, "repair"
	}
	c.log(node, "ERROR", fmt.Sprintf("Exception in thread Thread[%s] java.lang.RuntimeException: java.lang.Exception: Invalid SSTable %s, please force %s", logCompaction, f.Path(t), repair))
	if o.Policy {
		suspect := f.Suspect
		c.corrupted(node, t, bad, logCompaction)
		f.Suspect = suspect
		return refusal("%s", unserializable)
	}
	return refusal("%s", text)
}
