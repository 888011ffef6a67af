// Package event holds what happens in a lab, as small records in the past
// tense, each with one stable line of text. Records are built only while
// somebody listens.
package event

import (
	"fmt"
	"strconv"

	"ringlab/engine/sim"
)

// Kind is the kind of an event. Its name is what `--events` takes.
type Kind uint8

// The kinds of events.
const (
	Statement   Kind = iota // a client's statement began at its coordinator
	Answer                  // the client got its answer
	Send                    // a message left a node
	Receive                 // a message arrived
	Drop                    // a message was lost or came too late
	Write                   // a replica applied a mutation
	Read                    // a replica read a partition or a range
	Ack                     // the coordinator counted a response
	Mismatch                // digests differ
	Repair                  // a difference is written back
	Speculate               // another replica is asked as well
	HintStored              // a coordinator keeps a write for a replica
	HintSent                // a stored hint was delivered
	HintDropped             // a hint expired or was not kept
	Timeout                 // a request waited in vain
	Unavailable             // a request was refused before anything was sent
	Flush                   // a memtable became an SSTable
	CompactBegin
	CompactEnd
	NodeDown // a node stopped
	NodeUp
	Pause
	SeenDown // a node believes another one down
	SeenUp
	Link // a link was cut, healed, delayed or made lossy
	Schema
	Truncate
	CompactReduce // a compaction leaves its largest file out, for want of space
	CompactAbort  // a compaction is not begun, for want of space
	Log           // a node wrote to its log
	StreamBegin   // a node sends a part of its files to another one
	StreamEnd
	RepairBegin // an anti-entropy repair of ranges of a keyspace
	Validate    // a replica made its Merkle trees
	Differ      // a range of two replicas differs
	Anticompact // a file was cut at the ends of the ranges that a repair is about
	RepairEnd
	Cleanup // a file was rewritten without what is not the node's
	Ring    // a node joins, leaves, moves or has done so
	Disk    // a disk is full, has failed or is right again
	Corrupt // a node met a chunk of a file that does not fit its checksum
	Scrub   // a file was written anew without what cannot be read
	kinds
)

var names = [kinds]string{"statement", "answer", "send", "receive", "drop", "write", "read", "ack", "mismatch", "repair", "speculate",
	"hint-stored", "hint-sent", "hint-dropped", "timeout", "unavailable", "flush", "compact-begin", "compact-end", "node-down", "node-up",
	"pause", "seen-down", "seen-up", "link", "schema", "truncate", "compact-reduce", "compact-abort", "log",
	"stream-begin", "stream-end", "repair-begin", "validate", "differ", "anticompact", "repair-end", "cleanup", "ring",
	"disk", "corrupt", "scrub"}

// String is the kind's name.
func (k Kind) String() string { return names[k] }

// Kinds are the names of all kinds.
func Kinds() []string { return append([]string(nil), names[:]...) }

// ParseKind finds a kind by name.
func ParseKind(name string) (Kind, bool) {
	for i, n := range names {
		if n == name {
			return Kind(i), true
		}
	}
	return 0, false
}

// Record is one event.
type Record struct {
	Seq   uint64
	At    sim.Time
	Node  int    // where it happened, -1 for the lab itself
	Op    uint64 // the operation it belongs to, 0 for none
	Cause uint64 // Seq of the record that led to it, 0 for none
	Kind  Kind
	Peer  int    // the other node, -1 for none
	What  string // verb, table, level or reason
	N, M  int64  // numbers of the kind: bytes, rows, counts
	Text  string // free text where numbers do not say it
}

// Line is the record's one line of text; name gives a node's name.
func (r *Record) Line(name func(int) string) string {
	switch r.Kind {
	case Statement:
		return "statement #" + strconv.FormatUint(r.Op, 10) + " " + r.What + " " + r.Text
	case Answer:
		return "answer #" + strconv.FormatUint(r.Op, 10) + " " + r.Text
	case Send:
		return "send " + r.What + " to " + name(r.Peer) + sized(r.N)
	case Receive:
		return "receive " + r.What + " from " + name(r.Peer) + sized(r.N)
	case Drop:
		return "drop " + r.What + " to " + name(r.Peer) + ": " + r.Text
	case Write:
		return fmt.Sprintf("write %s (%d B)", r.What, r.N)
	case Read:
		return fmt.Sprintf("read %s -> %d rows, %d tombstones", r.What, r.N, r.M)
	case Ack:
		return fmt.Sprintf("ack %s from %s, %d of %d", r.What, name(r.Peer), r.N, r.M)
	case Mismatch:
		return "mismatch " + r.What + " key " + r.Text
	case Repair:
		return "repair " + r.What + " on " + name(r.Peer)
	case Speculate:
		return "speculate " + r.What + " on " + name(r.Peer)
	case HintStored:
		return "hint-stored " + r.What + " for " + name(r.Peer)
	case HintSent:
		return "hint-sent " + r.What + " to " + name(r.Peer)
	case HintDropped:
		return "hint-dropped " + r.What + " for " + name(r.Peer) + ": " + r.Text
	case Timeout:
		return fmt.Sprintf("timeout %s, %d of %d", r.What, r.N, r.M)
	case Unavailable:
		return fmt.Sprintf("unavailable %s required %d alive %d", r.What, r.N, r.M)
	case Flush:
		return fmt.Sprintf("flush %s -> sstable %d (%d B)", r.What, r.N, r.M)
	case CompactBegin:
		return "compact-begin " + r.What + " sstables " + r.Text
	case CompactEnd:
		return fmt.Sprintf("compact-end %s sstables %s (%d B)", r.What, r.Text, r.M)
	case StreamBegin:
		return fmt.Sprintf("stream-begin %s to %s: %s (%d rows, %d B)", r.What, name(r.Peer), r.Text, r.M, r.N)
	case StreamEnd:
		return fmt.Sprintf("stream-end %s from %s: %s (%d rows, %d B)", r.What, name(r.Peer), r.Text, r.M, r.N)
	case Validate:
		return fmt.Sprintf("validate %s: %d partitions (%d B)", r.What, r.N, r.M)
	case Differ:
		return "differ " + r.What + " " + r.Text + " on " + name(r.Peer)
	case Corrupt:
		return fmt.Sprintf("corrupt %s sstable %d %s", r.What, r.N, r.Text)
	case SeenDown, SeenUp:
		return r.Kind.String() + " " + name(r.Peer)
	}
	line := r.Kind.String()
	if r.What != "" {
		line += " " + r.What
	}
	if r.Text != "" {
		line += " " + r.Text
	}
	return line
}

func sized(n int64) string {
	if n == 0 {
		return ""
	}
	return " (" + strconv.FormatInt(n, 10) + " B)"
}
