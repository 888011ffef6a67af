package nodetool

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"ringlab/engine/sim"
	"ringlab/model/types"
)

// netStats. Source: Cassandra 5.0 NetStats. Gossip is counted as a quiet ring has
// it: a round a second, of three messages each.
func netStats(k *call) error {
	n := k.node
	k.line("Mode: " + n.State.String())
	if !k.plans() {
		k.line("Not sending any streams.")
	}
	k.printf("Read Repair Statistics:\nAttempted: %d\nMismatch (Blocking): %d\nMismatch (Background): %d\n", 0, n.Mismatches, 0)
	row := func(name, active, pending, completed, dropped string) {
		k.printf("%-25s%10s%10s%15s%10s\n", name, active, pending, completed, dropped)
	}
	row("Pool Name", "Active", "Pending", "Completed", "Dropped")
	row("Large messages", "n/a", "0", fmt.Sprint(n.SentLarge), "0")
	row("Small messages", "n/a", "0", fmt.Sprint(n.SentSmall), "0")
	gossip := int64(0)
	if len(k.Members()) > 1 {
		gossip = 3 * int64((k.Now()-n.UpAt)/sim.Second)
	}
	row("Gossip messages", "n/a", "0", fmt.Sprint(gossip), "0")
	return nil
}

// operations are the purposes of streams, as nodetool names them.
// Source: Cassandra 5.0 StreamOperation.
var operations = map[string]string{"Removenode": "Restore replica count", "Replace": "Bootstrap"}

// plans prints what the node sends and receives, and says whether there is anything. The
// names of the files are left out: a lab's file has none until it has arrived.
// Source: Cassandra 5.0 NetStats.execute.
func (k *call) plans() bool {
	some := false
	for i, p := range k.Plans() {
		type way struct{ sizes, arrived, bytes, come int64 }
		type peer struct{ in, out way }
		peers := map[int]*peer{}
		var order []int
		for _, s := range p.Streams {
			other, in := s.To, false
			if s.To == k.node.Index {
				other, in = s.From, true
			} else if s.From != k.node.Index {
				continue
			}
			if peers[other] == nil {
				peers[other] = &peer{}
				order = append(order, other)
			}
			w := &peers[other].out
			if in {
				w = &peers[other].in
			}
			come := k.Sent(s)
			w.sizes += int64(len(s.Sizes))
			w.bytes += s.Bytes
			w.come += come
			w.arrived += filesWithin(s.Sizes, come)
		}
		if len(order) == 0 {
			continue
		}
		some = true
		operation := operations[p.Why]
		if operation == "" {
			operation = p.Why
		}
		id := types.NewTimeUUID(types.TicksOfMillis(0)+uint64(k.Unix()-int64(k.Now()-p.Start))*10, uint64(i))
		k.printf("%s %s\n", operation, uuid.UUID(id))
		slices.Sort(order)
		for _, n := range order {
			k.line("    /" + k.address(n))
			for _, d := range []struct {
				doing, done string
				way
			}{{"Receiving", "received", peers[n].in}, {"Sending", "sent", peers[n].out}} {
				if d.sizes == 0 {
					continue
				}
				total, come := fmt.Sprintf("%d bytes", d.bytes), fmt.Sprintf("%d bytes", d.come)
				if k.has("-H") {
					total, come = fileSize(d.bytes), fileSize(d.come)
				}
				k.printf("        %s %d files, %s total. Already %s %d files (%.2f%%), %s total (%.2f%%)\n", d.doing, d.sizes, total, d.done,
					d.arrived, percentOf(d.arrived, d.sizes), come, percentOf(d.come, d.bytes))
			}
		}
	}
	return some
}

func percentOf(part, all int64) float64 { return float64(part) / float64(all) * 100 }

// filesWithin is how many of files of these sizes, sent one after the other, so many
// bytes are.
func filesWithin(sizes []int64, bytes int64) (n int64) {
	for _, size := range sizes {
		if bytes -= size; bytes < 0 {
			break
		}
		n++
	}
	return n
}
