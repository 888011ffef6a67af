package cluster

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/event"
	"ringlab/engine/repair"
	"ringlab/engine/sim"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Repair is an anti-entropy repair of ranges of a keyspace by one coordinator:
// every replica of a range makes Merkle trees of it, and where two differ they send
// each other what they hold. Source: Cassandra 5.0 RepairCoordinator, RepairSession,
// RepairJob.
type Repair struct {
	Coord    int
	Number   int // of the coordinator's repairs, from 1
	Keyspace string
	Tables   []*schema.Table
	RepairOptions
	Ranges     int
	Partitions int64 // validated, on all replicas
	Validated  int64 // bytes read for that
	Found      []Differing
	Foreseen   []Foreseen // of a preview
	Start, End sim.Time
	Err        error

	id           uint64
	sessions     []repairSession
	at, table    int // what is repaired now
	participants []int
	answered     []bool // by participant, or by replica of the session
	waiting      int
	trees        [][]*repair.Tree // by replica of the session and range, nil without partitions
	depths       [][]int          // of all trees, those that were not made too
	round        uint8
	repairedAt   int64
	finishing    bool
	done         bool
}

// RepairOptions say what a repair compares and what it does then. The zero value is
// an incremental repair.
type RepairOptions struct {
	Full    bool    // all files are compared, else those that no repair has seen
	Preview Preview // what is only compared
	Pull    bool    // the coordinator is sent what differs, and sends nothing
	Force   bool    // without the replicas that are believed down
}

// incremental says whether what is repaired counts as repaired afterwards.
func (r *Repair) incremental() bool { return !r.Full && r.Preview == NoPreview }

// Preview is what files a repair compares that changes nothing.
// Source: Cassandra 5.0 PreviewKind.
type Preview uint8

// The kinds of previews.
const (
	NoPreview Preview = iota
	PreviewAll
	PreviewUnrepaired
	PreviewRepaired
)

func (p Preview) String() string { return [...]string{"NONE", "ALL", "UNREPAIRED", "REPAIRED"}[p] }

// Foreseen is where two replicas differ that a preview compared.
type Foreseen struct {
	Table    *schema.Table
	Replicas [2]int
	Ranges   []ring.Range
}

// repairSession is a part of a repair whose ranges have the same replicas.
type repairSession struct {
	ranges   []ring.Range
	replicas []int
	end      sim.Time
}

// RepairRange is a range that is to be repaired, and the replicas that take part.
type RepairRange struct {
	Range    ring.Range
	Replicas []int
}

// RepairError is what nodetool says of a repair that failed.
// Source: Cassandra 5.0 RepairRunner.
type RepairError struct {
	Number int
	Why    string
}

func (e *RepairError) Error() string {
	return fmt.Sprintf("Repair job has failed with the error message: Repair command #%d failed with error %s. Check the logs on the repair participants for further details", e.Number, e.Why)
}

// Session is a part of a repair that is over.
type Session struct {
	Ranges []ring.Range
	End    sim.Time
}

// Sessions are the parts of a repair that are over, in their order.
func (r *Repair) Sessions() (out []Session) {
	for i, s := range r.sessions {
		if i < r.at {
			out = append(out, Session{s.ranges, s.end})
		}
	}
	return out
}

// Differing is what one replica sent to another since they differed in some ranges.
type Differing struct {
	Table  *schema.Table
	Ranges []ring.Range
	*Stream
}

// Finished says whether the repair is over.
func (r *Repair) Finished() bool { return r.done }

// Covers are the ranges that a repair by a node is about, those that it holds
// replicas of, as entries of the ring. Source: Cassandra 5.0 StorageService.getReplicas.
func (c *Cluster) Covers(node int, keyspace string) []int {
	p := c.Placement(keyspace)
	var out []int
	for e := 0; e < c.Ring.Len(); e++ {
		if slices.Contains(p.ReplicasOf(e), node) {
			out = append(out, e)
		}
	}
	return out
}

// Primaries gives each node, by index, the ranges that it is the first replica of:
// what repairs with -pr on all nodes are about, every range once.
// Source: Cassandra 5.0 StorageService.getPrimaryRangesForEndpoint.
func (c *Cluster) Primaries(keyspace string) [][]int {
	p := c.Placement(keyspace)
	out := make([][]int, len(c.Nodes))
	for e := 0; e < c.Ring.Len(); e++ {
		if replicas := p.ReplicasOf(e); len(replicas) > 0 {
			out[replicas[0]] = append(out[replicas[0]], e)
		}
	}
	return out
}

// RepairRanges are the ranges that end at some entries of the ring, with all their replicas.
func (c *Cluster) RepairRanges(keyspace string, entries []int) []RepairRange {
	p := c.Placement(keyspace)
	out := make([]RepairRange, len(entries))
	for i, e := range entries {
		out[i] = RepairRange{c.Ring.Range(e), p.ReplicasOf(e)}
	}
	return out
}

// NextRepair counts a repair that a node is asked for; RepairOf does so itself.
// Source: Cassandra 5.0 StorageService.nextRepairCommand.
func (c *Cluster) NextRepair(coord int) int {
	c.Nodes[coord].repairs++
	return c.Nodes[coord].repairs
}

// Repairs is how many repairs a node was asked for.
func (n *Node) Repairs() int { return n.repairs }

// Repair begins a repair of the ranges that end at some entries of the ring.
func (c *Cluster) Repair(coord int, keyspace string, tables []*schema.Table, entries []int, o RepairOptions) (*Repair, error) {
	return c.RepairOf(coord, keyspace, tables, c.RepairRanges(keyspace, entries), o)
}

// RepairOf begins a repair of some ranges by some replicas. It is an error of type
// *RepairError if one is believed down. By force those are left out, and nothing counts
// as repaired that they have missed.
// Source: Cassandra 5.0 ActiveRepairService.prepareForRepair, getRepairedAt, NeighborsAndRanges.filterCommonRanges.
func (c *Cluster) RepairOf(coord int, keyspace string, tables []*schema.Table, shares []RepairRange, o RepairOptions) (*Repair, error) {
	c.repaired++
	r := &Repair{Coord: coord, Keyspace: keyspace, Tables: tables, RepairOptions: o, Ranges: len(shares), Start: c.now, id: c.repaired, repairedAt: c.Clock(coord) / 1000}
	r.Number = c.NextRepair(coord)
	r.participants = append(r.participants, coord)
	index := map[string]int{}
	for _, share := range shares {
		replicas := share.Replicas
		if o.Force {
			replicas = slices.DeleteFunc(slices.Clone(replicas), func(n int) bool { return !c.Alive.Alive(coord, n) })
			if len(replicas) < len(share.Replicas) {
				r.repairedAt = 0
			}
			if len(replicas) < 2 {
				continue
			}
		}
		for _, n := range replicas {
			if !c.Alive.Alive(coord, n) {
				return nil, r.failure("Endpoint not alive: /" + c.Nodes[n].Address + ":7000")
			}
			if !slices.Contains(r.participants, n) {
				r.participants = append(r.participants, n)
			}
		}
		sorted := slices.Sorted(slices.Values(replicas))
		key := fmt.Sprint(sorted)
		at, ok := index[key]
		if !ok {
			at = len(r.sessions)
			index[key] = at
			r.sessions = append(r.sessions, repairSession{replicas: sorted})
		}
		r.sessions[at].ranges = append(r.sessions[at].ranges, share.Range)
	}
	if c.repairs == nil {
		c.repairs = map[uint64]*Repair{}
	}
	c.repairs[r.id] = r
	if c.Listening() {
		kind := "incremental"
		switch {
		case o.Preview != NoPreview:
			kind = "preview of " + strings.ToLower(o.Preview.String())
		case o.Full:
			kind = "full"
		}
		c.emit(event.Record{Kind: event.RepairBegin, Node: coord, Peer: -1, What: keyspace, Text: fmt.Sprintf("#%d %s: %d ranges, %d tables", r.id, kind, len(shares), len(tables))})
	}
	c.askAll(r, taskRepairPrepare, r.participants, c.Set.RepairTimeout)
	if o.Force && len(r.sessions) == 0 {
		// 5.0.5 asks nobody then, and waits for the answers of nobody. Measured.
		r.waiting++
		c.queue.Push(c.now+forcedWait, task{kind: taskRepairDue, from: int32(coord), to: int32(coord), gen: r.id, index: r.round})
	}
	return r, nil
}

// forcedWait is how long a repair by force that nobody can take part in takes to fail.
const forcedWait = 10 * sim.Second

func (r *Repair) failure(why string) error { return &RepairError{r.Number, why} }

// askAll sends a step to nodes and waits for their answers, at most so long.
func (c *Cluster) askAll(r *Repair, kind taskKind, nodes []int, wait sim.Time) {
	r.round++
	r.answered, r.waiting = make([]bool, len(nodes)), len(nodes)
	for _, n := range nodes {
		c.tell(task{kind: kind, from: int32(r.Coord), to: int32(n), gen: r.id, index: r.round}, 0, 100)
	}
	c.queue.Push(c.now+wait, task{kind: taskRepairDue, from: int32(r.Coord), to: int32(r.Coord), gen: r.id, index: r.round})
}

// tell sends a step's message, which may be one to the node itself.
func (c *Cluster) tell(t task, after sim.Time, size int) {
	if t.from == t.to {
		c.queue.Push(c.now+after, t)
		return
	}
	c.send(nil, t, after, size)
}

// onRepairStep does a step of a repair at a replica, or takes its answer.
func (c *Cluster) onRepairStep(t *task) {
	r := c.repairs[t.gen]
	if r == nil || r.round != t.index {
		return
	}
	node := int(t.to)
	if t.kind == taskRepairDue {
		if r.waiting > 0 {
			c.endRepair(r, r.failure("Did not get replies from all endpoints."))
		}
		return
	}
	if !c.arrive(nil, t, 0) {
		return
	}
	answer := task{kind: taskRepairPrepared, from: t.to, to: t.from, gen: t.gen, index: t.index}
	switch t.kind {
	case taskRepairPrepare:
		took := sim.Millisecond
		if r.incremental() {
			spent, ok := c.anticompact(r, node)
			took += spent
			answer.flag = !ok
		}
		c.tell(answer, c.Nodes[node].service(took), 40)
	case taskValidate:
		took, leaves := c.validate(r, node)
		if leaves < 0 {
			answer.flag, leaves = true, 0
		}
		answer.kind = taskValidated
		c.tell(answer, took, 40+33*leaves)
	case taskFinalize:
		c.promote(r, node)
		c.tell(answer, c.Nodes[node].service(sim.Millisecond), 40)
	default:
		if t.flag {
			c.endRepair(r, r.failure(c.validationFailed(r, int(t.from))))
			return
		}
		c.repairAnswered(r, int(t.from))
	}
}

// validationFailed is what a repair says of a replica that could not make its trees.
// Source: Cassandra 5.0 RepairException.
func (c *Cluster) validationFailed(r *Repair, node int) string {
	if r.trees == nil {
		return "Got negative replies from endpoints [" + c.Nodes[node].Address + ":7000]"
	}
	return "Validation failed in /" + c.Nodes[node].Address + ":7000"
}

// repairAnswered counts an answer; with the last one the repair goes on.
func (c *Cluster) repairAnswered(r *Repair, from int) {
	nodes := r.participants
	if r.trees != nil {
		nodes = r.sessions[r.at].replicas
	}
	i := slices.Index(nodes, from)
	if i < 0 || r.answered[i] {
		return
	}
	r.answered[i] = true
	if r.waiting--; r.waiting > 0 {
		return
	}
	switch {
	case r.finishing:
		c.endRepair(r, nil)
	case r.trees == nil:
		r.at, r.table = 0, 0
		c.validateNext(r)
	default:
		c.synchronize(r)
	}
}

// validateNext asks the replicas of a session for the trees of its next table.
func (c *Cluster) validateNext(r *Repair) {
	if r.table == len(r.Tables) && r.at < len(r.sessions) {
		r.sessions[r.at].end = c.now
		r.at, r.table = r.at+1, 0
	}
	if r.at >= len(r.sessions) || len(r.Tables) == 0 {
		r.trees = nil
		if !r.incremental() {
			c.endRepair(r, nil)
			return
		}
		r.finishing = true
		c.askAll(r, taskFinalize, r.participants, c.Set.RepairTimeout)
		return
	}
	replicas := r.sessions[r.at].replicas
	r.trees, r.depths = make([][]*repair.Tree, len(replicas)), make([][]int, len(replicas))
	c.askAll(r, taskValidate, replicas, sim.Hour)
}

// synchronize lets every two replicas whose trees differ send each other what they
// hold where they do. Source: Cassandra 5.0 RepairJob.createStandardSyncTasks.
func (c *Cluster) synchronize(r *Repair) {
	session, t := &r.sessions[r.at], r.Tables[r.table]
	r.table++
	which := c.compared(r)
	for i, a := range session.replicas {
		for j := i + 1; j < len(session.replicas); j++ {
			b := session.replicas[j]
			var differ []ring.Range
			for k := range session.ranges {
				if r.trees[i][k] != nil || r.trees[j][k] != nil {
					differ = append(differ, repair.Difference(r.treeOf(c, i, k), r.treeOf(c, j, k))...)
				}
			}
			if len(differ) == 0 {
				continue
			}
			if c.Listening() {
				for _, d := range differ {
					c.emit(event.Record{Kind: event.Differ, Node: a, Peer: b, What: t.Keyspace + "." + t.Name, Text: c.RangeText(d)})
				}
			}
			if r.Preview != NoPreview {
				r.Foreseen = append(r.Foreseen, Foreseen{t, [2]int{a, b}, differ})
				continue
			}
			flat := ring.Normalize(differ, c.Partitioner().Minimum())
			for _, way := range [][2]int{{a, b}, {b, a}} {
				if r.Pull && way[1] != r.Coord {
					continue
				}
				if s := c.stream(way[0], way[1], t, flat, "Repair", which, r); s != nil {
					r.Found = append(r.Found, Differing{t, differ, s})
					r.waiting++
				}
			}
		}
	}
	if r.waiting == 0 {
		c.validateNext(r)
	}
}

// treeOf is the tree that a replica made of a range; of one without partitions it
// made none.
func (r *Repair) treeOf(c *Cluster, replica, k int) *repair.Tree {
	if t := r.trees[replica][k]; t != nil {
		return t
	}
	return repair.NewTree(c.Partitioner(), r.sessions[r.at].ranges[k], r.depths[replica][k])
}

// streamed goes on when the last stream of a table has ended.
func (r *Repair) streamed(c *Cluster, s *Stream) {
	if r.done {
		return
	}
	if s.Failed != "" {
		c.endRepair(r, r.failure(fmt.Sprintf("Sync failed between /%s:7000 and /%s:7000: %s", c.Nodes[s.From].Address, c.Nodes[s.To].Address, s.Failed)))
		return
	}
	if r.waiting--; r.waiting == 0 {
		c.validateNext(r)
	}
}

// endRepair ends a repair, well or with an error.
func (c *Cluster) endRepair(r *Repair, err error) {
	r.done, r.End, r.Err = true, c.now, err
	r.trees = nil
	delete(c.repairs, r.id)
	if err != nil && r.incremental() {
		for _, n := range r.participants {
			c.release(r, n)
		}
	}
	if c.Listening() {
		text := "done"
		if err != nil {
			text = err.Error()
		}
		c.emit(event.Record{Kind: event.RepairEnd, Node: r.Coord, Peer: -1, What: r.Keyspace, Text: fmt.Sprintf("#%d %s", r.id, text)})
	}
}

// doubtRepairs fails the repairs of a coordinator that has found a participant down.
// Source: Cassandra 5.0 RepairSession.convict.
func (c *Cluster) doubtRepairs(coord, died int) {
	var hit []*Repair
	for _, r := range c.repairs {
		if r.Coord == coord && slices.Contains(r.participants, died) {
			hit = append(hit, r)
		}
	}
	slices.SortFunc(hit, func(a, b *Repair) int { return int(a.id) - int(b.id) })
	for _, r := range hit {
		c.endRepair(r, r.failure("Endpoint /"+c.Nodes[died].Address+":7000 died"))
	}
}

// RangeText writes a range of the ring as Cassandra does: (l,r].
func (c *Cluster) RangeText(r ring.Range) string {
	p := c.Partitioner()
	return "(" + p.Format(r.Left) + "," + p.Format(r.Right) + "]"
}

// RangesText writes the first of some ranges and says how many more there are.
func (c *Cluster) RangesText(ranges []ring.Range, most int) string {
	var out []string
	for i, r := range ranges {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(ranges)-i))
			break
		}
		out = append(out, c.RangeText(r))
	}
	return strings.Join(out, " ")
}
