// Package gossip says who believes whom alive. Quiet gossip is not simulated
// round by round: a node that falls silent is convicted when phi passes the
// threshold, 18.4 mean heartbeat intervals later, and one that comes back is
// seen again after one to three rounds. Source: Cassandra 5.0 FailureDetector,
// Gossiper.
package gossip

import "ringlab/engine/sim"

// Round is the interval of heartbeats.
const Round = sim.Second

// View holds every node's belief about every other one. Only beliefs that
// somebody is down take space: a large healthy ring costs nothing.
type View struct {
	first  int                 // nodes that the ring began with
	down   map[uint64]sim.Time // by pair -> since when
	stream sim.Stream
	draws  uint64
	change uint64
}

// New is the view of a ring in which everybody believes everybody alive.
func New(seed uint64, nodes int) *View {
	return &View{first: nodes, down: map[uint64]sim.Time{}, stream: sim.NewStream(seed, "gossip")}
}

// Forget drops what is believed of a node that is no member any more, and what it
// believes, of as many nodes.
func (v *View) Forget(node, nodes int) {
	if len(v.down) == 0 {
		return
	}
	for other := range nodes {
		delete(v.down, v.pair(node, other))
		delete(v.down, v.pair(other, node))
	}
}

// pair numbers an observer and a target, the same way however many nodes join.
func (v *View) pair(observer, target int) uint64 {
	if observer < v.first && target < v.first {
		return uint64(observer*v.first + target)
	}
	return uint64(observer+1)<<32 | uint64(target)
}

// Alive says whether the observer believes the target alive. A node never
// doubts itself.
func (v *View) Alive(observer, target int) bool {
	if len(v.down) == 0 || observer == target {
		return true
	}
	_, down := v.down[v.pair(observer, target)]
	return !down
}

// Changes counts how often a belief has changed.
func (v *View) Changes() uint64 { return v.change }

// DownSince is when the observer began to believe the target down.
func (v *View) DownSince(observer, target int) sim.Time { return v.down[v.pair(observer, target)] }

// Believe records a belief; changed is false if it was held already.
func (v *View) Believe(observer, target int, alive bool, at sim.Time) (changed bool) {
	if v.Alive(observer, target) == alive {
		return false
	}
	v.change++
	if i := v.pair(observer, target); alive {
		delete(v.down, i)
	} else {
		v.down[i] = at
	}
	return true
}

// Conviction is how long after its last heartbeat a node is taken for down:
// the silence at which phi*0.434 passes 8, up to one round later because phi is
// looked at once a round.
func (v *View) Conviction(observer, target int) sim.Time {
	v.draws++
	return 18421*sim.Millisecond + sim.Time(v.stream.Intn(v.pair(observer, target), v.draws, int(Round)))
}

// Recovery is how long after its return a node is taken for alive again.
func (v *View) Recovery(observer, target int) sim.Time {
	v.draws++
	return Round + sim.Time(v.stream.Intn(v.pair(observer, target), v.draws, int(2*Round)))
}
