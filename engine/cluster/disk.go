package cluster

import (
	"fmt"

	"github.com/google/uuid"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Disk is the state of a node's disk.
type Disk uint8

// The states of a disk.
const (
	DiskOK     Disk = iota
	DiskFull        // nothing can be written
	DiskFailed      // nothing can be read or written
)

func (d Disk) String() string { return [...]string{"ok", "full", "failed"}[d] }

// cause is the exception of what the disk refuses.
func (d Disk) cause() string {
	if d == DiskFull {
		return "No space left on device"
	}
	return "Input/output error"
}

// The policies of what a node does when a disk fails; the default of both is stop.
// Source: Cassandra 5.0 Config.DiskFailurePolicy, Config.CommitFailurePolicy.
const (
	PolicyStop         = "stop"
	PolicyStopParanoid = "stop_paranoid"
	PolicyStopCommit   = "stop_commit"
	PolicyBestEffort   = "best_effort"
	PolicyIgnore       = "ignore"
	PolicyDie          = "die"
)

// disks are the state of what a node stores on: its data directory, of which it
// has one, and its commit log on a disk of its own.
type disks struct {
	Data, CommitLog Disk
	Quiet           bool // it has stopped gossip and its client transport; nodetool and other nodes' messages are answered still
	logStuck        bool // nothing goes into its commit log any more
	hidden          map[uuid.UUID][]*storage.SSTable
}

// SetDisk makes a node's data disk, or the one of its commit log, full, failed or
// right again. The node finds out when it next needs it.
func (c *Cluster) SetDisk(node int, log bool, d Disk) {
	n := c.Nodes[node]
	which := "data"
	if log {
		n.CommitLog, which = d, "commitlog"
	} else {
		n.Data = d
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Disk, Node: node, Peer: -1, What: which, Text: d.String()})
	}
}

// quiet stops a node's gossip and client transport. It announces that, and is taken
// for down; but it goes on with its rounds of gossip for two seconds more, and the
// first of them makes everybody take it for up again, until phi convicts it: on a
// real ring 20 s after the stop. Here only that is shown. Messages are answered
// until then, and later too.
// Source: Cassandra 5.0 StorageService.stopTransports, Gossiper.stop; measured.
func (c *Cluster) quiet(node int) {
	n := c.Nodes[node]
	if n.Quiet || n.Down {
		return
	}
	n.Quiet, n.DownAt = true, c.now
	c.log(node, "ERROR", "Stopping native transport")
	c.log(node, "ERROR", "Stopping gossiper")
	c.log(node, "WARN", "Stopping gossip by operator request")
	c.log(node, "INFO", "Announcing shutdown")
	if c.Listening() {
		c.emit(event.Record{Kind: event.NodeDown, Node: node, Peer: -1, Text: "gossip and client transport stopped"})
	}
	for a := range c.Nodes {
		if a != node && c.speaks(a) && c.Alive.Alive(a, node) {
			c.queue.Push(c.now+announcing+c.Alive.Conviction(a, node), task{kind: taskDetect, from: int32(a), to: int32(node)})
		}
	}
}

// announcing is how long a node waits after it has announced its shutdown.
// Source: Cassandra 5.0 CassandraRelevantProperties.SHUTDOWN_ANNOUNCE_DELAY_IN_MS.
const announcing = 2 * sim.Second

// speaks says whether a node takes part in gossip.
func (c *Cluster) speaks(node int) bool { return !c.Nodes[node].Down && !c.Nodes[node].Quiet }

// Speak starts gossip and the client transport of a quiet node again, as nodetool
// enablegossip and enablebinary do.
func (c *Cluster) Speak(node int) {
	n := c.Nodes[node]
	n.Quiet = false
	c.log(node, "WARN", "Starting gossip by operator request")
	if c.Listening() {
		c.emit(event.Record{Kind: event.NodeUp, Node: node, Peer: -1, Text: "gossip and client transport started"})
	}
	c.noticeAll(Gossip)
	c.pullSchemas()
	for target := range c.Nodes {
		if c.Alive.Alive(node, target) {
			c.scheduleHints(node, target)
		}
	}
}

// CannotStart says why a node that is down could not start, "" if it could.
// Source: Cassandra 5.0 DefaultFSErrorHandler.handleStartupFSError, StartupChecks.
func (c *Cluster) CannotStart(node int) string {
	switch n := c.Nodes[node]; {
	case n.Data == DiskFailed:
		return fmt.Sprintf("%s cannot start: its data disk has failed; `:disk %s ok` mends it", n.Name, n.Name)
	case n.CommitLog != DiskOK:
		return fmt.Sprintf("%s cannot start: the disk of its commit log is %s; `:disk %s ok commitlog` mends it", n.Name, n.CommitLog, n.Name)
	case n.Data == DiskFull:
		return fmt.Sprintf("%s cannot start: its data disk is full; `:disk %s ok` gives it room", n.Name, n.Name)
	}
	return ""
}

// freshDisks is what a node knows of its disks after its start: nothing.
func (n *Node) freshDisks(now sim.Time) {
	n.Quiet, n.logStuck = false, false
	for id, files := range n.hidden {
		if s := n.Stores[id]; s != nil {
			s.SSTables = append(s.SSTables, files...)
		}
	}
	n.hidden = nil
	for _, s := range n.Stores {
		for _, t := range s.SSTables {
			t.Restarted(int64(now))
		}
	}
}

// diskError is what becomes of a node whose data disk refuses a read or a write of a
// table's files, by disk_failure_policy. What a full disk does under each of them was
// measured on a node, as was what a corrupt file does. Source: Cassandra 5.0 DefaultFSErrorHandler.handleFSError.
func (c *Cluster) diskError(node int, t *schema.Table, thread string, write bool) {
	n := c.Nodes[node]
	kind := "FSReadError"
	if write {
		kind = "FSWriteError"
	}
	c.log(node, "ERROR", fmt.Sprintf("Exception in thread Thread[%s] org.apache.cassandra.io.%s: java.io.IOException: %s", thread, kind, n.Data.cause()))
	switch c.Set.DiskFailurePolicy {
	case PolicyDie:
		c.die(node)
	case PolicyStop, PolicyStopParanoid:
		c.log(node, "ERROR", "Stopping transports as disk_failure_policy is "+c.Set.DiskFailurePolicy)
		c.quiet(node)
	case PolicyBestEffort:
		if write { // of the table's directory only; the next flush tries again
			c.log(node, "WARN", "Disallowing "+storage.Directory(t)+" for writes")
		} else {
			c.hide(node)
		}
	}
}

// hide takes the files of a disk that cannot be read out of the tables: what is
// left are the memtables. Source: Cassandra 5.0 Keyspace.removeUnreadableSSTables.
func (c *Cluster) hide(node int) {
	n := c.Nodes[node]
	for _, s := range n.stores() {
		if len(s.SSTables) == 0 {
			continue
		}
		c.interrupt(node, s.Table)
		if n.hidden == nil {
			n.hidden = map[uuid.UUID][]*storage.SSTable{}
		}
		n.hidden[s.Table.ID] = append(s.SSTables, n.hidden[s.Table.ID]...)
		s.SSTables = nil
	}
}

// die ends a node's process at once: nobody is told.
// Source: Cassandra 5.0 JVMStabilityInspector.Killer.
func (c *Cluster) die(node int) {
	c.log(node, "ERROR", "JVM state determined to be unstable.  Exiting forcefully due to:")
	c.Stop(node, Gossip)
}

// corrupted is what becomes of a node that has met a corrupt file, which it does
// not compact any more. Source: Cassandra 5.0 SSTableReader.markSuspect,
// DefaultFSErrorHandler.handleCorruptSSTable.
func (c *Cluster) corrupted(node int, t *schema.Table, bad *storage.Corruption, thread string) {
	bad.File.Suspect = true
	c.log(node, "ERROR", "Exception in thread Thread["+thread+"] "+bad.Text(t))
	if c.Listening() {
		c.emit(event.Record{Kind: event.Corrupt, Node: node, Peer: -1, What: t.Keyspace + "." + t.Name, N: int64(bad.File.Gen), Text: fmt.Sprintf("chunk %d", bad.Number)})
	}
	switch c.Set.DiskFailurePolicy {
	case PolicyDie:
		c.die(node)
	case PolicyStopParanoid:
		c.log(node, "ERROR", "Stopping transports as disk_failure_policy is "+PolicyStopParanoid)
		c.quiet(node)
	}
}

// Threads as logs name them.
const (
	logRead       = "ReadStage-1,5,SharedPool"
	logFlush      = "MemtablePostFlush:1,5,MemtablePostFlush"
	logCompaction = "CompactionExecutor:1,5,CompactionExecutor"
	logValidation = "ValidationExecutor:1,5,ValidationExecutor"
)

// readFails says whether a read of files failed, as its replica answers then.
// files is how many it opened, bad what it met in them.
func (c *Cluster) readFails(node int, t *schema.Table, files int, bad *storage.Corruption) bool {
	switch {
	case files > 0 && c.Nodes[node].Data == DiskFailed:
		c.diskError(node, t, logRead, false)
		return true
	case bad != nil:
		c.corrupted(node, t, bad, logRead)
		return true
	}
	return false
}

// unwritable says whether a flush or a stream can write no file, and what the node
// does about it.
func (c *Cluster) unwritable(node int, t *schema.Table) bool {
	n := c.Nodes[node]
	if n.Data == DiskOK {
		return false
	}
	c.diskError(node, t, logFlush, true)
	return true
}

// CannotFlush says why what a table's memtable holds was not written, "" if it was.
func (c *Cluster) CannotFlush(node int, t *schema.Table) string {
	if c.Store(node, t).Mem.Partitions() == 0 {
		return ""
	}
	return c.Nodes[node].Data.cause()
}

// logWrite says whether a write goes into a node's commit log. Where its disk
// refuses, commit_failure_policy says what becomes of the node: but for ignore,
// no write is answered any more. A full disk refuses the next segment, a failed one
// the next write; a real node would notice the latter when it syncs, within 10 s.
// Source: Cassandra 5.0 CommitLog.handleCommitError, AbstractCommitLogService, AbstractCommitLogSegmentManager.
func (c *Cluster) logWrite(node int, size int64) bool {
	n := c.Nodes[node]
	switch {
	case n.logStuck:
		return false
	case n.CommitLog == DiskOK || n.CommitLog == DiskFull && n.Log.Fits(size, c.Set.CommitLogSegment):
		return true
	}
	text, policy := "Failed to persist commits to disk", c.Set.CommitFailurePolicy
	if n.CommitLog == DiskFull {
		text = "Failed managing commit log segments"
	}
	if policy == PolicyIgnore {
		c.log(node, "ERROR", text+" org.apache.cassandra.io.FSWriteError: java.io.IOException: "+n.CommitLog.cause())
		return n.CommitLog != DiskFull // without a segment writers wait
	}
	c.log(node, "ERROR", fmt.Sprintf("%s. Commit disk failure policy is %s; terminating thread. org.apache.cassandra.io.FSWriteError: java.io.IOException: %s", text, policy, n.CommitLog.cause()))
	n.logStuck = true
	switch policy {
	case PolicyDie:
		c.die(node)
	case PolicyStop:
		c.quiet(node)
	}
	return false
}

// spoiled ends a compaction without a result if one of its inputs cannot be read
// or nothing can be written. A corrupt input is not taken again.
func (c *Cluster) spoiled(node int, k *Compaction) bool {
	n := c.Nodes[node]
	var bad *storage.Corruption
	for i := len(k.Inputs) - 1; i >= 0 && bad == nil; i-- {
		if !k.expired[k.Inputs[i]] {
			bad = k.Inputs[i].CorruptScan()
		}
	}
	if n.Data == DiskOK && bad == nil {
		return false
	}
	for _, t := range k.Inputs {
		t.Busy = false
	}
	k.Failed = unserializable
	c.Store(node, k.Table).NextFile() // the number of what was being written is gone
	if n.Data != DiskOK {
		k.Failed = n.Data.cause()
		c.diskError(node, k.Table, logCompaction, n.Data == DiskFull)
	} else {
		c.corrupted(node, k.Table, bad, logCompaction)
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.CompactAbort, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name, Text: "sstables " + gensText(k.gens) + " could not be compacted"})
	}
	return true
}

// fileFails says whether partitions of a file cannot be read, and tells it.
func (c *Cluster) fileFails(node int, t *schema.Table, parts []*storage.Partition, file *storage.SSTable) bool {
	bad := file.CorruptIn(parts)
	switch {
	case len(parts) == 0:
		return false
	case c.Nodes[node].Data == DiskFailed:
		c.diskError(node, t, logValidation, false)
	case bad != nil:
		c.corrupted(node, t, bad, logValidation)
	default:
		return false
	}
	return true
}

// unsendable makes a stream fail that a file's partitions cannot be read for. The
// receiver checks what it decompresses; a file that is streamed whole would be
// taken as it is, which is not modelled.
// Source: Cassandra 5.0 CassandraCompressedStreamReader, CompressedInputStream.
func (c *Cluster) unsendable(s *Stream, file *storage.SSTable, parts []*storage.Partition) {
	if bad := file.CorruptIn(parts); bad != nil {
		bad.File.Suspect = true
		s.Failed = bad.Cause(s.Table)
	} else if c.Nodes[s.From].Data == DiskFailed {
		s.Failed = c.Nodes[s.From].Data.cause()
	}
}

// unserializable is all that nodetool hears of a corrupt file: the exception holds
// its path, and cannot be sent. Measured with 5.0.5.
const unserializable = "org.apache.cassandra.io.util.File"

// Bring starts a node that is down, or gossip and the client transport of a quiet
// one. Where nothing goes into the commit log any more only a start helps.
func (c *Cluster) Bring(node int, how Detection) {
	n := c.Nodes[node]
	switch {
	case n.Down:
		c.Start(node, how)
	case n.logStuck:
		c.Stop(node, how)
		c.Start(node, how)
	default:
		c.Speak(node)
	}
}
