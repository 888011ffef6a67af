package simulation

import "strconv"

// tally is what clients know of a counter.
type tally struct{ acked, sent int64 }

func (t *tally) add(a asked) {
	if a.Error == nil {
		t.acked += a.Value
	}
	t.sent += a.Value
}

func count(a asked) int64 {
	if len(a.Rows) == 0 || a.Rows[0][0].Null {
		return 0
	}
	n, _ := strconv.ParseInt(a.Rows[0][0].Text, 10, 64)
	return n
}

// judge: a counter never shows more than was sent.
func (t *tally) judge(p *player, a asked) {
	if n := count(a); n < 0 || n > t.sent {
		p.fail("counter", "%s at %s gives %d, but only %d was ever added", a.Statement, a.CL, n, t.sent)
	}
}

// settled: when all replicas are equal, nothing that was acknowledged is missing.
func (t *tally) settled(p *player, a asked) {
	t.judge(p, a)
	if p.broken.counters { // an update may have begun at 0 where the node's own part was lost
		t.acked = min(t.acked, count(a))
	}
	if n := count(a); n < t.acked {
		p.fail("counter", "%s gives %d after a repair, but %d was acknowledged", a.Statement, n, t.acked)
	}
}
