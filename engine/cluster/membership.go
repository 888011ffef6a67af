package cluster

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// State is where a node stands in the ring.
type State uint8

// The states of nodes. Source: Cassandra 5.0 VersionedValue, nodetool status.
const (
	Normal State = iota
	Joining
	Leaving
	Moving
	Left // it was a member once
)

// Letter is the second letter that nodetool status shows.
func (s State) Letter() string { return [...]string{"N", "J", "L", "M", "-"}[s] }

// String is the state as nodetool netstats and messages name it.
func (s State) String() string {
	return [...]string{"NORMAL", "JOINING", "LEAVING", "MOVING", "DECOMMISSIONED"}[s]
}

// owns says whether a node owns its tokens: it is a member and not just joining.
func (n *Node) owns() bool { return n.State != Joining && n.State != Left }

// IsMember says whether a node belongs to the ring or is joining it.
func (n *Node) IsMember() bool { return n.State != Left }

// Members are the nodes that belong to the ring or are joining it.
func (c *Cluster) Members() []*Node {
	if c.members == len(c.Nodes) {
		return c.Nodes
	}
	out := make([]*Node, 0, len(c.Nodes))
	for _, n := range c.Nodes {
		if n.IsMember() {
			out = append(out, n)
		}
	}
	return out
}

// owners are the indexes of the nodes that own tokens.
func (c *Cluster) owners() []int {
	out := make([]int, 0, len(c.Nodes))
	for i, n := range c.Nodes {
		if n.owns() {
			out = append(out, i)
		}
	}
	return out
}

// ringDelay is how long a change is announced before anything is streamed, so that
// every node knows. That gossip needs less, and how much, is not modelled: a change
// of the ring is known everywhere at once.
// Source: Cassandra 5.0 StorageService.RING_DELAY_MILLIS.
const ringDelay = 30 * sim.Second

// Movement is a change of the ring under way: a node joins, leaves, moves or takes
// another one's place, or fetches what it should hold. There is at most one that
// moves tokens.
type Movement struct {
	Kind       string // Bootstrap, Unbootstrap, Removenode, Replace, Relocation, Rebuild
	Node       int
	Replaces   int // the node whose tokens it takes, -1 for none
	Streams    []*Stream
	Start, End sim.Time
	Err        error
	Before     *ring.TokenMap // the ring as it was
	Lost       int            // ranges that nobody has any more

	coord   int
	tokens  []ring.Token // after it
	future  *ring.TokenMap
	futures map[string]*ring.Placement
	pulls   func(c *Cluster, m *Movement) error // asks for the streams
	id      uint64
	waiting int
	unsent  string // why a node could not write what it was to send, "" if all could
	done    bool
}

// Finished says whether the movement is over, with or without success.
func (m *Movement) Finished() bool { return m.done }

// placement is where a keyspace's replicas will be.
func (m *Movement) placement(c *Cluster, keyspace string) *ring.Placement {
	p := m.futures[keyspace]
	if p == nil {
		if m.futures == nil {
			m.futures = map[string]*ring.Placement{}
		}
		p = ring.NewPlacement(m.future, c.Strategy(keyspace))
		m.futures[keyspace] = p
	}
	return p
}

// Movement is the change of the ring that is under way, or that failed and left its
// node where it was; nil if there is none.
func (c *Cluster) Movement() *Movement { return c.movement }

// tokenMap is the ring of the nodes that own tokens, with some nodes' tokens as
// given.
func (c *Cluster) tokenMap(with map[int][]ring.Token) (*ring.TokenMap, error) {
	nodes := make([]ring.Node, len(c.Nodes))
	for i, n := range c.Nodes {
		nodes[i] = n.Node
		if tokens, ok := with[i]; ok {
			nodes[i].Tokens = tokens
		} else if !n.owns() {
			nodes[i].Tokens = nil
		}
		if !n.IsMember() {
			nodes[i].Name, nodes[i].Address = "", ""
		}
	}
	return ring.NewTokenMap(c.Partitioner(), nodes)
}

// setRing makes a ring current.
func (c *Cluster) setRing(tm *ring.TokenMap) {
	c.Ring = tm
	c.placements, c.spaces = map[string]*ring.Placement{}, map[string][]*tokenSpace{}
	c.members = 0
	for _, n := range c.Nodes {
		if n.IsMember() {
			c.members++
		}
	}
}

// addNode makes a node that is joining with these tokens.
func (c *Cluster) addNode(n ring.Node) (*Node, error) {
	node := newNode(len(c.Nodes), n, c.NewID())
	node.State, node.UpAt = Joining, c.now
	node.RowCache.Capacity = c.Set.RowCacheSize
	c.Nodes = append(c.Nodes, node)
	tm, err := c.tokenMap(nil)
	if err != nil {
		c.Nodes = c.Nodes[:len(c.Nodes)-1]
		return nil, err
	}
	c.Net.Add(n.DC)
	c.setRing(tm)
	return node, nil
}

func newNode(index int, n ring.Node, host uuid.UUID) *Node {
	return &Node{Index: index, Node: n, Host: host, Stores: map[uuid.UUID]*storage.TableStore{}, tables: map[uuid.UUID]*compacting{},
		compactions: map[uint64]*Compaction{}, Hints: map[int]*HintQueue{}, Created: map[int]int64{}, Sent: map[int]int64{},
		latency: map[uuid.UUID]*latencies{}, paxos: map[paxosKey]*paxosState{}}
}

// foresee works out the ring as it will be after a movement.
func (c *Cluster) foresee(m *Movement) error {
	m.Start, m.Before = c.now, c.Ring
	with := map[int][]ring.Token{m.Node: m.tokens}
	if m.Replaces >= 0 {
		with[m.Replaces] = nil
	}
	var err error
	m.future, err = c.tokenMap(with)
	return err
}

// announce begins a movement that was foreseen: from now on there are pending
// replicas. Its streams begin when everybody has had time to learn of it.
func (c *Cluster) announce(m *Movement, state State) {
	c.Nodes[m.Node].State = state
	c.movement = m
	c.tellRing(m.Node, map[State]string{Joining: "joining", Leaving: "leaving", Moving: "moving"}[state], "")
	c.moves++
	m.id = c.moves
	c.queue.Push(c.now+ringDelay, task{kind: taskMovement, from: int32(m.Node), to: int32(m.Node), gen: m.id})
}

// move foresees and announces a movement.
func (c *Cluster) move(m *Movement, state State) (*Movement, error) {
	if err := c.foresee(m); err != nil {
		return nil, err
	}
	c.announce(m, state)
	return m, nil
}

// tellRing tells of a change of a node's state.
func (c *Cluster) tellRing(node int, what, text string) {
	if c.Listening() {
		c.emit(event.Record{Kind: event.Ring, Node: node, Peer: -1, What: what, Text: text})
	}
}

// onMovement begins the streams of a movement.
func (c *Cluster) onMovement(t *task) {
	m := c.movement
	if m == nil || m.id != t.gen || m.done {
		return
	}
	if m.Kind != "Removenode" && c.Nodes[m.Node].Down {
		c.fail(m, errors.New(c.Nodes[m.Node].Name+" is down"))
		return
	}
	err := m.pulls(c, m)
	if err == nil && m.unsent != "" {
		err = errors.New("Stream failed: " + m.unsent)
	}
	if err != nil {
		c.fail(m, err)
		return
	}
	if m.waiting == 0 {
		c.finishMovement(m)
	}
}

// pull begins the streams of a table's ranges from one node to another, if there is
// anything to send. Source: Cassandra 5.0 StreamSession.prepareAsync, flushSSTables.
func (c *Cluster) pull(m *Movement, from, to int, t *schema.Table, ranges []ring.Range) {
	if s := c.Nodes[from].Stores[t.ID]; s == nil || s.Mem.Partitions() == 0 && len(s.SSTables) == 0 {
		return
	}
	c.Flush(from, t)
	if c.Store(from, t).Mem.Partitions() > 0 { // it could not be flushed, and the other node would miss it
		m.unsent = c.Nodes[from].Data.cause()
		return
	}
	if s := c.stream(from, to, t, ring.Normalize(ranges, c.Partitioner().Minimum()), m.Kind, nil, m); s != nil {
		m.Streams = append(m.Streams, s)
		m.waiting++
	}
}

// streamed takes a stream's end; with the last one the movement is done.
func (m *Movement) streamed(c *Cluster, s *Stream) {
	m.waiting--
	switch {
	case m.done:
	case s.Failed != "":
		c.fail(m, fmt.Errorf("Stream failed: %s", s.Failed))
	case m.waiting == 0:
		c.finishMovement(m)
	}
}

// fail ends a movement without success. A node that was joining gives up; one that
// was leaving or moving stays in that state, its pending replicas too, until it is
// tried again or restarted.
func (c *Cluster) fail(m *Movement, err error) {
	m.done, m.End, m.Err = true, c.now, err
	n := c.Nodes[m.Node]
	c.tellRing(m.Node, "failed", m.Kind+": "+err.Error())
	switch {
	case m.future == nil:
		return
	case n.State == Joining:
		c.expel(n)
	case m.Kind == "Removenode":
		n.State = Normal
	default:
		return
	}
	c.movement = nil
}

// restarted ends what a node had begun before it stopped: it comes back as the
// member that it was. Source: Cassandra 5.0 StorageService.joinTokenRing.
func (c *Cluster) restarted(n *Node) {
	if m := c.movement; m != nil && m.Node == n.Index && m.done {
		n.State, c.movement = Normal, nil
		c.tellRing(n.Index, "normal", "")
	}
}

// expel takes a node out of the ring for good; its index and its files stay.
func (c *Cluster) expel(n *Node) {
	n.State = Left
	if !n.Down {
		n.Down, n.DownAt = true, c.now
	}
	for _, other := range c.Nodes {
		delete(other.Hints, n.Index)
	}
	c.Alive.Forget(n.Index, len(c.Nodes))
	tm, err := c.tokenMap(nil)
	if err != nil {
		panic("cluster: a ring with a node less is wrong: " + err.Error())
	}
	c.setRing(tm)
}

// finishMovement makes the new ring current.
func (c *Cluster) finishMovement(m *Movement) {
	m.done, m.End = true, c.now
	if m.future == nil { // a rebuild moves no tokens
		c.tellRing(m.Node, "rebuilt", "")
		return
	}
	n := c.Nodes[m.Node]
	c.movement = nil
	switch n.State {
	case Leaving:
		if m.Kind == "Unbootstrap" {
			c.transferHints(n)
			c.replayBatches(n)
		}
		c.expel(n)
		c.tellRing(m.Node, "left", "")
		return
	case Joining, Moving:
		n.State, n.Tokens = Normal, m.tokens
	}
	if m.Replaces >= 0 {
		c.expel(c.Nodes[m.Replaces])
	}
	tm, err := c.tokenMap(nil)
	if err != nil {
		panic("cluster: the ring that was to come is wrong: " + err.Error())
	}
	c.setRing(tm)
	c.tellRing(m.Node, "normal", "")
}

// transferHints gives the hints of a node that leaves to the nearest live one.
// Source: Cassandra 5.0 StorageService.streamHints.
func (c *Cluster) transferHints(n *Node) {
	var live []int
	for _, i := range c.owners() {
		if i != n.Index && c.Alive.Alive(n.Index, i) {
			live = append(live, i)
		}
	}
	near := c.Ring.SortByProximity(nil, n.Index, live)
	if len(near) == 0 {
		return
	}
	to := c.Nodes[near[0]]
	for target := range c.Nodes {
		q := n.Hints[target]
		if q == nil || len(q.Hints) == 0 || target == n.Index {
			continue
		}
		if target == to.Index { // what it had missed itself; Source: HintVerbHandler
			for _, h := range q.Hints {
				if t := c.Schema.Table(h.Table.Keyspace, h.Table.Name); t != nil && t.ID == h.Table.ID && c.hintDead(h) == "" {
					c.apply(nil, to.Index, t, h.Part, messageSize(t, h.Part))
				}
			}
			continue
		}
		mine := to.Hints[target]
		if mine == nil {
			mine = &HintQueue{}
			to.Hints[target] = mine
		}
		mine.Hints = append(mine.Hints, q.Hints...)
		slices.SortStableFunc(mine.Hints, func(a, b Hint) int { return int(a.Created - b.Created) })
		if target != to.Index && c.Alive.Alive(to.Index, target) {
			c.scheduleHints(to.Index, target)
		}
	}
	n.Hints = map[int]*HintQueue{}
}

// replayBatches writes the batches again that a node keeps for others, before it
// leaves. Source: Cassandra 5.0 BatchlogManager.startBatchlogReplay.
func (c *Cluster) replayBatches(n *Node) {
	for _, b := range n.batchlog {
		if b.done {
			continue
		}
		op := c.Begin("batch", n.Index, 0, false)
		op.waiting = len(b.muts)
		for i := range b.muts {
			c.replayMutation(op, i, b.muts[i])
		}
	}
	n.batchlog = nil
}
