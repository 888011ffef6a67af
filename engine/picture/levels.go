package picture

import (
	"fmt"
	"sort"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/session"
	"ringlab/engine/view"
	"ringlab/model/plan"
)

// levelsPart sets the levels of writes against those of reads: the word is the rule
// from RF and the levels, the shares are the reads really made.
func (p *Painter) levelsPart(v *view.View, keyspace string) *view.Levels {
	c := p.core.Cluster
	if keyspace == "" || c.Schema.Keyspace(keyspace) == nil {
		return nil
	}
	s := c.Strategy(keyspace)
	coord, err := p.core.Coordinator(p.core.Current)
	if err != nil {
		coord = 0
	}
	levels := []plan.Consistency{plan.One, plan.Quorum, plan.All}
	if len(p.core.DataCenters()) > 1 {
		levels = []plan.Consistency{plan.One, plan.LocalQuorum, plan.Quorum, plan.All}
	}
	replicas := p.replicasFor(v, keyspace)
	out := &view.Levels{Keyspace: keyspace, RF: s.RF()}
	counts := p.pairs(keyspace, out)
	for _, w := range levels {
		out.Names = append(out.Names, w.String())
		var row []view.LevelCell
		writes, _, canWrite := c.Preview(w, keyspace, coord, replicas)
		for _, r := range levels {
			reads, _, canRead := c.Preview(r, keyspace, coord, replicas)
			cell := view.LevelCell{Sum: writes + reads, State: "stale"}
			switch {
			case !canWrite:
				cell.State = "refused"
			case !canRead:
				cell.State = "unavailable"
			case cell.Sum > s.RF():
				cell.State = "newest"
			}
			if n := counts[[2]plan.Consistency{w, r}]; n != nil {
				cell.Fresh, cell.Reads, cell.Newest = n.fresh, n.reads, n.newest
			}
			row = append(row, cell)
		}
		out.Cells = append(out.Cells, row)
	}
	if sel := v.Selection; sel != nil && sel.Err == "" && sel.Keyspace == keyspace {
		out.Answers = p.wouldAnswer(sel, levels, coord, replicas)
	}
	out.Newest = p.newestStale()
	out.Marks = p.marks()
	out.Why = p.whyLevels(out, levels, coord)
	return out
}

// replicasFor are those of the selected key, else of the first range.
func (p *Painter) replicasFor(v *view.View, keyspace string) []int {
	if s := v.Selection; s != nil && s.Err == "" && s.Keyspace == keyspace {
		out := make([]int, len(s.Replicas))
		for i, r := range s.Replicas {
			out[i] = r.Node
		}
		return out
	}
	if p.core.Cluster.Ring.Len() == 0 {
		return nil
	}
	return p.core.Cluster.Placement(keyspace).ReplicasOf(0)
}

type pairCount struct{ fresh, reads, newest int }

// pairs counts the reads that the recorder still has by their level and that of the
// newest write before them, of the same key where both have one.
func (p *Painter) pairs(keyspace string, out *view.Levels) map[[2]plan.Consistency]*pairCount {
	counts := map[[2]plan.Consistency]*pairCount{}
	byKey := map[string]*session.Recorded{}
	for _, op := range p.core.Recorder.Ops {
		if op.Keyspace != keyspace || !succeeded(op) {
			continue
		}
		place := op.Table + "\x00" + op.Key
		if cluster.Writes(op.Kind) {
			byKey[place], byKey[""] = op, op
			continue
		}
		w := byKey[place]
		if w == nil && op.Key == "" {
			w = byKey[""]
		}
		if w == nil {
			continue
		}
		k := [2]plan.Consistency{w.CL, op.CL}
		if counts[k] == nil {
			counts[k] = &pairCount{}
		}
		counts[k].reads++
		counts[k].newest = int(op.ID)
		out.Counted++
		if op.Outcome == "fresh" {
			counts[k].fresh++
		}
	}
	return counts
}

// wouldAnswer says who would answer a read of the selected key now, and with what.
func (p *Painter) wouldAnswer(sel *view.Selection, levels []plan.Consistency, coord int, replicas []int) []view.WouldAnswer {
	c := p.core.Cluster
	state := map[int]string{}
	anything := false
	for _, r := range sel.Replicas {
		state[r.Node] = r.State
		anything = anything || r.State != "empty"
	}
	var out []view.WouldAnswer
	for _, cl := range levels {
		a := view.WouldAnswer{CL: cl.String(), State: "unavailable"}
		contacts := c.Contacts(cl, sel.Keyspace, coord, replicas)
		newest := 0
		for _, n := range contacts {
			a.Nodes = append(a.Nodes, n)
			if state[n] == "newest" {
				newest++
			}
		}
		need, alive, _ := c.Preview(cl, sel.Keyspace, coord, replicas)
		switch {
		case len(contacts) == 0:
			a.Text = fmt.Sprintf("%s needs %d, %d alive", a.CL, need, alive)
		case !anything:
			a.State, a.Text = "empty", names(c, contacts)+" hold nothing of this key"
		case newest == len(contacts):
			a.State, a.Text = "newest", names(c, contacts)+pluralVerb(len(contacts), " holds", " hold")+" the newest value"
		case newest > 0:
			a.State, a.Text = "newest", names(c, contacts)+" differ: the newest value wins, read repair writes it to the others"
		default:
			a.State, a.Text = "stale", names(c, contacts)+pluralVerb(len(contacts), " has", " have")+" missed the newest write"
		}
		out = append(out, a)
	}
	return out
}

func pluralVerb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// newestStale tells about the newest stale read that is remembered, and what
// repaired it.
func (p *Painter) newestStale() string {
	ops := p.core.Recorder.Ops
	for i := len(ops) - 1; i >= 0; i-- {
		op := ops[i]
		if op.Outcome != "stale" {
			continue
		}
		text := fmt.Sprintf("newest stale read #%d %s: %s answered", op.ID, op.CL, names(p.core.Cluster, op.Answered))
		if w := p.missed(op); w != nil {
			text += fmt.Sprintf(" without #%d, written %s before", w.ID, roundTime(op.Start-w.Start))
		}
		for _, later := range ops[i+1:] {
			if later.Key == op.Key && later.Table == op.Table && !cluster.Writes(later.Kind) && later.Repaired() {
				return text + fmt.Sprintf("; repaired by #%d (read repair at %s)", later.ID, later.CL)
			}
		}
		return text
	}
	return ""
}

// marks are the outages and the operations that were not fresh, in order.
func (p *Painter) marks() []view.TimeMark {
	c := p.core.Cluster
	var out []view.TimeMark
	for _, d := range p.core.Recorder.Downs {
		out = append(out, view.TimeMark{At: int64(d.From), Text: c.Nodes[d.Node].Name + " down", Mark: '!'})
		if d.To > 0 {
			out = append(out, view.TimeMark{At: int64(d.To), Text: c.Nodes[d.Node].Name + " up", Mark: '+'})
		}
	}
	letters := map[string]byte{"stale": 's', "unavailable": 'u', "timeout": 't', "error": 'x'}
	for _, op := range p.core.Recorder.Ops {
		if m := letters[op.Outcome]; m != 0 {
			out = append(out, view.TimeMark{At: int64(op.Start), Op: int(op.ID), Text: fmt.Sprintf("#%d", op.ID), Mark: m})
		} else if op.Repaired() {
			out = append(out, view.TimeMark{At: int64(op.Start), Op: int(op.ID), Text: fmt.Sprintf("#%d repairs", op.ID), Mark: '+'})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].At < out[j].At })
	if len(out) > 64 {
		out = out[len(out)-64:]
	}
	return out
}

// whyLevels tells the rule of overlap with the numbers at hand.
func (p *Painter) whyLevels(v *view.Levels, levels []plan.Consistency, coord int) []string {
	c := p.core.Cluster
	out := []string{fmt.Sprintf("A read surely meets a write when both together ask more replicas than there are: W + R > RF. Here RF is %d.", v.RF)}
	for i, w := range levels {
		for j, r := range levels {
			cell := v.Cells[i][j]
			writes, _, _ := c.Preview(w, v.Keyspace, coord, nil)
			out = append(out, overlap(w.String(), writes, r.String(), cell.Sum-writes, v.RF))
		}
	}
	return append(out, "Source: ConsistencyLevel.blockFor, ReplicaPlans.assureSufficientLiveReplicas.",
		fmt.Sprintf("The shares count %d reads that are still remembered, each against the newest write of its key before it. Stale is what no client can see: the lab knows what all replicas hold.", v.Counted))
}

// overlap is the sentence about two levels.
func overlap(write string, w int, read string, r, rf int) string {
	if w+r > rf {
		return fmt.Sprintf("W %s %d + R %s %d = %d > RF %d: every read meets the newest write.", write, w, read, r, w+r, rf)
	}
	return fmt.Sprintf("W %s %d + R %s %d = %d, which is not > RF %d: a read may miss the write.", write, w, read, r, w+r, rf)
}

// missed is the newest successful write of a read's key before it that the replicas
// that answered had not taken.
func (p *Painter) missed(read *session.Recorded) *session.Recorded {
	if read.Key == "" {
		return nil
	}
	ops := p.core.Recorder.Ops
	for i := len(ops) - 1; i >= 0; i-- {
		w := ops[i]
		if w.ID >= read.ID || !cluster.Writes(w.Kind) || w.Keyspace != read.Keyspace || w.Table != read.Table || w.Key != read.Key {
			continue
		}
		for _, n := range read.Answered {
			if !w.AppliedOn(n) {
				return w
			}
		}
	}
	return nil
}

// chain follows a stale answer to its cause.
func (p *Painter) chain(op *session.Recorded) *view.Chain {
	if op == nil || op.Outcome != "stale" || len(op.Answered) == 0 {
		return nil
	}
	c := p.core.Cluster
	out := &view.Chain{Op: int(op.ID), Node: op.Answered[0], From: -1}
	w := p.missed(op)
	if w == nil {
		out.Text = []string{
			fmt.Sprintf("#%d was answered by %s, which lacks newer data.", op.ID, names(c, op.Answered)),
			"The write that it missed is not remembered any more: only the last 256 operations are.",
		}
		return out
	}
	out.Missed = int(w.ID)
	for _, n := range op.Answered {
		if !w.AppliedOn(n) {
			out.Node = n
			break
		}
	}
	name := c.Nodes[out.Node].Name
	out.Text = []string{
		fmt.Sprintf("#%d at %s was answered by %s, which lacks newer data.", op.ID, op.CL, name),
		fmt.Sprintf("%s missed #%d, %s before: %s", name, w.ID, roundTime(op.Start-w.Start), w.Statement),
	}
	for _, d := range p.core.Recorder.Downs {
		if d.Node == out.Node && d.From <= w.End && (d.To == 0 || d.To >= w.Start) {
			out.From, out.To = int64(d.From), int64(d.To)
			until := "and still is"
			if d.To > 0 {
				until = "until " + answer.Clock(int64(d.To))
			}
			out.Text = append(out.Text, fmt.Sprintf("%s was down from %s %s, when #%d was written at %s.", name, answer.Clock(int64(d.From)), until, w.ID, answer.Clock(int64(w.Start))))
			return out
		}
	}
	out.Text = append(out.Text, fmt.Sprintf("%s was up when #%d was written: its message was lost, late, or cut off.", name, w.ID))
	return out
}
