package cluster

import (
	"ringlab/engine/metrics"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
)

// Counts are what a node has counted since it was made, as its metrics and its
// messaging service do. They change nothing.
type Counts struct {
	Coordinated Coordinated

	Compactions metrics.Meter // finished
	Mismatches  int64         // reads whose digests differed and that were repaired

	SentSmall, SentLarge       int64            // messages to others
	Mutations, Reads, Answered int64            // writes and reads done, and responses taken
	Statements                 int64            // that the node coordinated
	DroppedMessages            map[string]int64 // by verb: messages that came after their timeout
}

// Coordinated are the latencies of requests at their coordinator.
// Source: Cassandra 5.0 ClientRequestsMetricsHolder.
type Coordinated struct {
	Read, Write, Range, CASRead, CASWrite, ViewWrite metrics.Latency
}

// largeMessage is the size in bytes above which a message goes by a connection of
// its own. Source: Cassandra 5.0 OutboundConnections.LARGE_MESSAGE_THRESHOLD.
const largeMessage = 64 << 10

func (n *Node) countSent(size int) {
	if size > largeMessage {
		n.SentLarge++
	} else {
		n.SentSmall++
	}
}

func (n *Node) countDropped(verb string) {
	if n.DroppedMessages == nil {
		n.DroppedMessages = map[string]int64{}
	}
	n.DroppedMessages[verb]++
}

// countOp counts an operation that is over, whatever came of it.
func (c *Cluster) countOp(op *Op) {
	n := c.Nodes[op.Coord]
	took, now := int64(op.End-op.Start), int64(c.now)
	k := &n.Coordinated
	switch op.Kind {
	case "read":
		k.Read.Add(took, now)
		if op.serial {
			k.CASRead.Add(took, now)
		}
	case "range":
		k.Range.Add(took, now)
	case "write", "counter", "batch":
		k.Write.Add(took, now)
	case "cas":
		k.CASWrite.Add(took, now)
	case "view":
		return // it was counted when it was sent
	}
	n.Statements++
}

// countRead counts a local read of one partition.
func (c *Cluster) countRead(node int, store *metrics.Table, took sim.Time, q *storage.Query, f *storage.Found) {
	live := f.Live
	if q.CountsStatic(f) {
		live++
	}
	store.ReadOne(int64(c.Nodes[node].service(took)), f.SSTables, live, f.Tombstones, int64(c.now))
	c.Nodes[node].Reads++
}

// countScan counts a local read of a range.
func (c *Cluster) countScan(node int, store *metrics.Table, q *storage.Query, found []*storage.Found) {
	live, dead := q.Passed(found)
	store.Scanned(live, dead, int64(c.now))
	c.Nodes[node].Reads++
}
