package cluster

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Hint is a write that a coordinator keeps for a replica.
type Hint struct {
	Table   *schema.Table
	Part    *storage.Partition
	Created sim.Time
	Size    int
	GCGrace int64 // seconds, when it was made
}

// HintQueue holds one coordinator's hints for one target, oldest first.
type HintQueue struct {
	Hints   []Hint
	ticking bool // the dispatcher will look
}

// Bytes is the size of all hints of the queue.
func (q *HintQueue) Bytes() int64 {
	n := int64(0)
	for _, h := range q.Hints {
		n += int64(h.Size)
	}
	return n
}

// hint keeps a write for a replica that is down or silent, if it may.
// Source: Cassandra 5.0 StorageProxy.shouldHint, HintsService.
func (c *Cluster) hint(op *Op, coord, target int, t *schema.Table, p *storage.Partition) {
	if coord == target || !c.Set.HintsEnabled || c.flaw == flawHints && c.ops%3 == 0 {
		return
	}
	what := t.Keyspace + "." + t.Name
	drop := func(why string) {
		if c.Listening() {
			c.emit(event.Record{Kind: event.HintDropped, Node: coord, Peer: target, Op: opID(op), What: what, Text: why})
		}
	}
	n := c.Nodes[coord]
	if !c.Nodes[target].IsMember() {
		c.tr(op, coord, threadClient, "Discarding hint for endpoint not part of ring: %s", c.Nodes[target].Address)
		drop("it is not part of the ring")
		return
	}
	if dc := c.Nodes[target].DC; slices.Contains(n.Unhinted, dc) {
		c.tr(op, coord, threadClient, "Not hinting /%s:7000 since its data center %s has been disabled [%s]", c.Nodes[target].Address, dc, strings.Join(n.Unhinted, ", "))
		drop("nodetool disablehintsfordc " + dc)
		return
	}
	if !c.Alive.Alive(coord, target) && c.flaw != flawWindow {
		if down := c.now - c.Alive.DownSince(coord, target); down > c.Set.HintWindow {
			c.tr(op, coord, threadClient, "Not hinting %s which has been down %d ms", c.Nodes[target].Address, int64(down/sim.Millisecond))
			drop("it has been down longer than max_hint_window")
			return
		}
	}
	q := n.Hints[target]
	if q == nil {
		q = &HintQueue{}
		n.Hints[target] = q
	}
	if len(q.Hints) > 0 && c.flaw != flawWindow && c.now-q.Hints[0].Created > c.Set.HintWindow {
		drop("the oldest hint is older than max_hint_window")
		return
	}
	q.Hints = append(q.Hints, Hint{Table: t, Part: p, Created: c.now, Size: messageSize(t, p), GCGrace: int64(t.Options.GCGrace)})
	n.Created[target]++
	if op != nil {
		op.Hinted = append(op.Hinted, target)
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.HintStored, Node: coord, Peer: target, Op: opID(op), What: what})
	}
	if c.Alive.Alive(coord, target) {
		c.scheduleHints(coord, target)
	}
}

// scheduleHints makes the dispatcher look at a live target at its next turn.
func (c *Cluster) scheduleHints(holder, target int) {
	q := c.Nodes[holder].Hints[target]
	if q == nil || len(q.Hints) == 0 || q.ticking {
		return
	}
	q.ticking = true
	c.queue.Push(c.now+c.Set.HintTick, task{kind: taskHintTick, from: int32(holder), to: int32(target)})
}

// onHintTick sends what is stored for a target, as fast as the throttle allows.
// Source: Cassandra 5.0 HintsDispatchExecutor, HintsDispatcher.
func (c *Cluster) onHintTick(t *task) {
	holder, target := int(t.from), int(t.to)
	n := c.Nodes[holder]
	q := n.Hints[target]
	if q == nil {
		return // the target has left the ring
	}
	q.ticking = false
	if n.Down || n.HandoffPaused || !c.Alive.Alive(holder, target) {
		return
	}
	if n.Pause > c.now {
		q.ticking = true
		c.queue.Push(n.Pause, *t)
		return
	}
	wait := sim.Time(0)
	kept := q.Hints[:0]
	for _, h := range q.Hints {
		if why := c.hintDead(h); why != "" {
			if c.Listening() {
				c.emit(event.Record{Kind: event.HintDropped, Node: holder, Peer: target, What: h.Table.Keyspace + "." + h.Table.Name, Text: why})
			}
			continue
		}
		kept = append(kept, h)
	}
	q.Hints = kept
	for i := range q.Hints {
		h := &q.Hints[i]
		c.send(nil, task{kind: taskHint, from: t.from, to: t.to, part: h.Part, req: &request{table: h.Table, start: h.Created}}, wait, h.Size)
		if others := int64(c.members - 1); c.Set.HintThrottle > 0 && others > 0 {
			rate := max(c.Set.HintThrottle/others, 1)
			wait += sim.Time(int64(h.Size) * int64(sim.Second) / rate)
		}
	}
	if len(q.Hints) > 0 {
		// What is not acknowledged by then goes again at a later turn.
		q.ticking = true
		c.queue.Push(c.now+wait+c.Set.HintTick, task{kind: taskHintTick, from: t.from, to: t.to})
	}
}

// hintDead says why a hint is not worth sending, "" if it is.
func (c *Cluster) hintDead(h Hint) string {
	grace := h.GCGrace
	current := c.Schema.Table(h.Table.Keyspace, h.Table.Name)
	if current == nil || current.ID != h.Table.ID {
		return "the table is gone"
	}
	grace = min(grace, int64(current.Options.GCGrace))
	if c.now-h.Created >= sim.Time(grace)*sim.Second {
		return fmt.Sprintf("it is older than gc_grace_seconds %d", grace)
	}
	return ""
}

// onHint applies a hint at its target.
func (c *Cluster) onHint(t *task) {
	if !c.arrive(nil, t, 0) {
		return
	}
	table := t.req.table
	if current := c.Schema.Table(table.Keyspace, table.Name); current != nil && current.ID == table.ID {
		if c.failsWrites(table) {
			c.failHere(nil, int(t.to), int(t.from), table)
			return // the hint is kept and sent again
		}
		if store := c.Store(int(t.to), current); store.Truncated <= c.Unix()-int64(c.now-t.req.start) {
			c.apply(nil, int(t.to), current, t.part, messageSize(table, t.part))
		}
	}
	c.send(nil, task{kind: taskHintAck, from: t.to, to: t.from, part: t.part, req: t.req}, c.Nodes[t.to].service(serviceWrite), 33)
}

// onHintAck forgets a delivered hint.
func (c *Cluster) onHintAck(t *task) {
	if !c.arrive(nil, t, 33) {
		return
	}
	n, target := c.Nodes[t.to], int(t.from)
	q := n.Hints[target]
	if q == nil {
		return
	}
	for i := range q.Hints {
		if q.Hints[i].Part == t.part {
			q.Hints = append(q.Hints[:i:i], q.Hints[i+1:]...)
			n.Sent[target]++
			if c.Listening() {
				c.emit(event.Record{Kind: event.HintSent, Node: n.Index, Peer: target, What: t.req.table.Keyspace + "." + t.req.table.Name})
			}
			return
		}
	}
}
