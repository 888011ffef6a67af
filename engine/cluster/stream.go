package cluster

import (
	"ringlab/engine/compaction"
	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Stream is what a node's files hold of some ranges, on its way to another node.
type Stream struct {
	From, To   int
	Table      *schema.Table
	Ranges     []ring.Range // normalized
	Why        string       // as nodetool netstats names it: Repair, Bootstrap …
	Partitions int
	Rows       int64
	Bytes      int64
	Start, End sim.Time
	Sizes      []int64 // of its files, bytes
	Failed     string  // why it did not arrive, "" if it did or is on its way

	files []*storage.SSTable // as the receiver will have them
	begin sim.Time           // of its first byte
	owner streaming
}

// streaming is what waits for streams.
type streaming interface {
	streamed(c *Cluster, s *Stream)
}

// stream sends a table's part in ranges from one node to another: a section of
// every file that which says, all of them if it is nil. A node sends its streams
// one after the other, as fast as its throughput allows, and the other node has
// them as files of its own when they have arrived. Sizes are those that the
// sections have as files. Where there is nothing to send it is nil and nothing
// happens.
// Source: Cassandra 5.0 StreamSession, CassandraStreamWriter, StreamManager.StreamRateLimiter.
func (c *Cluster) stream(from, to int, t *schema.Table, ranges []ring.Range, why string, which func(*storage.SSTable) bool, owner streaming) *Stream {
	s := &Stream{From: from, To: to, Table: t, Ranges: ranges, Why: why, Start: c.now, owner: owner}
	store := c.Store(from, t)
	for i := len(store.SSTables) - 1; i >= 0; i-- {
		file := store.SSTables[i]
		if which != nil && !which(file) {
			continue
		}
		if inside, _ := file.Section(ranges, c.Partitioner().Minimum()); len(inside) > 0 {
			c.unsendable(s, file, inside)
			part := file.Part(t, storage.Making{Format: c.Set.Format, Origin: "stream", Created: int64(c.now)}, inside)
			s.files = append(s.files, part)
			s.Partitions += len(part.Parts)
			s.Rows += part.Rows
			s.Bytes += part.OnDisk
			s.Sizes = append(s.Sizes, part.OnDisk)
		}
	}
	if len(s.files) == 0 {
		return nil
	}
	rate := c.Set.StreamThroughput
	if c.Nodes[from].DC != c.Nodes[to].DC && c.Set.InterDCStreamThroughput > 0 {
		rate = min(max(rate, 1), c.Set.InterDCStreamThroughput)
	}
	if rate <= 0 {
		rate = diskRate
	}
	n := c.Nodes[from]
	s.begin = max(n.sending, c.now)
	n.sending = s.begin + n.service(sim.Time(s.Bytes*int64(sim.Second)/rate))
	s.End = n.sending + c.Net.Link(from, to).Delay
	if c.Listening() {
		c.emit(event.Record{Kind: event.StreamBegin, Node: from, Peer: to, What: t.Keyspace + "." + t.Name, N: s.Bytes, M: s.Rows, Text: why})
	}
	c.streams++
	if c.streaming == nil {
		c.streaming = map[uint64]*Stream{}
	}
	c.streaming[c.streams] = s
	c.queue.Push(s.End, task{kind: taskStreamed, from: int32(from), to: int32(to), gen: c.streams})
	return s
}

// onStreamed writes what has arrived beside the files of the node, unless one of
// the two went down or the link between them broke meanwhile.
func (c *Cluster) onStreamed(t *task) {
	s := c.streaming[t.gen]
	if s == nil {
		return
	}
	delete(c.streaming, t.gen)
	switch {
	case s.Failed != "":
	case c.unwritable(s.To, s.Table):
		s.Failed = c.Nodes[s.To].Data.cause()
	case c.Nodes[s.From].Down:
		s.Failed = c.Nodes[s.From].Name + " is down"
	case c.Nodes[s.To].Down:
		s.Failed = c.Nodes[s.To].Name + " is down"
	case !c.Net.Reachable(s.From, s.To):
		s.Failed = "the link between " + c.Nodes[s.From].Name + " and " + c.Nodes[s.To].Name + " is cut"
	default:
		c.receive(s)
	}
	if c.Listening() {
		text := s.Why
		if s.Failed != "" {
			text = "failed: " + s.Failed
		}
		c.emit(event.Record{Kind: event.StreamEnd, Node: s.To, Peer: s.From, What: s.Table.Keyspace + "." + s.Table.Name, N: s.Bytes, M: s.Rows, Text: text})
	}
	if s.owner != nil {
		s.owner.streamed(c, s)
	}
	s.files = nil
}

// receive adds a stream's files to the table. A table with views takes them as
// writes, so that its views follow.
// Source: Cassandra 5.0 CassandraStreamReceiver.finished, requiresWritePath.
func (c *Cluster) receive(s *Stream) {
	current := c.Schema.Table(s.Table.Keyspace, s.Table.Name)
	if current == nil || current.ID != s.Table.ID || len(s.files) == 0 {
		return
	}
	if c.views[current.ID] != nil {
		for _, file := range s.files {
			for _, p := range file.Parts {
				c.apply(nil, s.To, current, p, messageSize(current, p))
			}
		}
		return
	}
	store := c.Store(s.To, current)
	for _, file := range s.files {
		file.Gen = store.NextFile()
		file.Created = int64(c.now)
		if file.Level > 0 && !compaction.Fits(file.File(), c.filesOf(s.To, store, sideOf(file))) {
			file.Level = 0
		}
		store.Add(file)
		c.Nodes[s.To].forgetStreamed(current, file.Parts)
	}
	c.indexFiles(s.To, current, s.files)
	n := c.Nodes[s.To]
	n.PeakDisk = max(n.PeakDisk, n.DiskBytes())
	c.background(s.To, store)
}

// Streams are those on their way, in the order in which they began.
func (c *Cluster) Streams() []*Stream {
	var out []*Stream
	for id := uint64(1); id <= c.streams && len(out) < len(c.streaming); id++ {
		if s := c.streaming[id]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// Sent is how many of a stream's bytes have arrived.
func (c *Cluster) Sent(s *Stream) int64 {
	switch {
	case c.now <= s.begin:
		return 0
	case c.now >= s.End:
		return s.Bytes
	}
	return s.Bytes * int64(c.now-s.begin) / int64(s.End-s.begin)
}

// Plan is all streams for one purpose, some of which have arrived.
// Source: Cassandra 5.0 StreamResultFuture.
type Plan struct {
	Why     string
	Start   sim.Time
	Streams []*Stream
}

// Plans are those of which something is on its way, in the order in which they began.
func (c *Cluster) Plans() (out []*Plan) {
	seen := map[streaming]*Plan{}
	for _, s := range c.Streams() {
		p := seen[s.owner]
		if p == nil {
			p = &Plan{Why: s.Why, Start: s.Start}
			seen[s.owner] = p
			out = append(out, p)
			switch o := s.owner.(type) {
			case *Movement:
				p.Streams = o.Streams
			case *Repair:
				for _, d := range o.Found {
					p.Streams = append(p.Streams, d.Stream)
				}
			}
		}
	}
	return out
}
