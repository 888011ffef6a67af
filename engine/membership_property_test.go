package engine_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/answer"
)

// changing drives a lab whose ring changes, with a list of what was acknowledged.
type changing struct {
	t      *rapid.T
	lab    *engine.Lab
	log    []string
	hashes []uint64 // of the answers to the log's lines
	rows   map[string]string
	keys   int
	down   string // the node that is down, "" for none
}

func (r *changing) do(format string, args ...any) *answer.Answer {
	text := fmt.Sprintf(format, args...)
	r.log = append(r.log, text)
	out := r.lab.Do(text)
	r.hashes = append(r.hashes, engine.Hash(out))
	return out[len(out)-1]
}

func (r *changing) fail(format string, args ...any) {
	r.t.Fatalf("%s\nring %s\n%s", fmt.Sprintf(format, args...), r.lab.Ring(), strings.Join(r.log, "\n"))
}

// names of the nodes that own tokens and are up.
func (r *changing) names() []string {
	var out []string
	for _, n := range r.lab.Core().Cluster.Members() {
		if !n.Down && n.State.Letter() == "N" {
			out = append(out, n.Name)
		}
	}
	return out
}

func (r *changing) pick(what string) string { return rapid.SampledFrom(r.names()).Draw(r.t, what) }

// write writes a key at QUORUM; what was not acknowledged is written again.
func (r *changing) write() {
	key := fmt.Sprintf("k%d", rapid.IntRange(0, 40).Draw(r.t, "key"))
	r.keys++
	value := fmt.Sprintf("v%d", r.keys)
	a := r.do("INSERT INTO s.t (k, v) VALUES ('%s', '%s') USING TIMESTAMP %d", key, value, r.keys)
	if rapid.IntRange(0, 5).Draw(r.t, "delete") == 0 {
		r.keys++
		value = ""
		a = r.do("DELETE FROM s.t USING TIMESTAMP %d WHERE k = '%s'", r.keys, key)
	}
	if a.Error != nil {
		r.fail("%s", a.Error.Message)
	}
	r.rows[key] = value
}

// check reads everything at QUORUM: it is what was acknowledged.
func (r *changing) check() {
	var got, want []string
	a := r.do("SELECT k, v FROM s.t")
	if a.Error != nil {
		r.fail("%s", a.Error.Message)
	}
	for _, row := range a.Rows {
		got = append(got, row[0].Text+"="+row[1].Text)
	}
	for k, v := range r.rows {
		if v != "" {
			want = append(want, k+"="+v)
		}
	}
	sort.Strings(got)
	sort.Strings(want)
	if !slices.Equal(got, want) {
		r.fail("the ring has %q, acknowledged was %q", got, want)
	}
}

// equal looks at what every replica of every key holds when nothing is down and
// everything was sent: what is there.
func (r *changing) equal() {
	r.do(":advance 1s")
	c := r.lab.Core().Cluster
	have := map[string][]string{}
	for _, n := range r.names() {
		r.do(":client local node=%s cl=NODE_LOCAL", n)
		r.do(":as local")
		for _, row := range r.do("SELECT k, v FROM s.t").Rows {
			key := row[0].Text + "=" + row[1].Text
			have[key] = append(have[key], n)
		}
		r.do(":as")
	}
	for k, v := range r.rows {
		if v == "" {
			continue
		}
		for _, n := range c.Placement("s").Replicas(c.Partitioner().Token([]byte(k))) {
			if !slices.Contains(have[k+"="+v], c.Nodes[n].Name) {
				r.fail("%s is a replica of %s and does not hold %s", c.Nodes[n].Name, k, v)
			}
		}
	}
}

// TestChangingRings: whatever nodes join, leave, die, are replaced and move, what
// was acknowledged at QUORUM is read at QUORUM, and every replica that is up holds it,
// new ones too.
func TestChangingRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vnodes := rapid.SampledFrom([]int{1, 1, 4}).Draw(t, "vnodes")
		racks := rapid.IntRange(1, 3).Draw(t, "racks")
		rf := rapid.IntRange(1, 3).Draw(t, "rf")
		nodes := rapid.IntRange(max(rf, racks), 6).Draw(t, "nodes")
		lab, err := engine.New(engine.Options{Ring: fmt.Sprintf("dc1=%d racks=%d vnodes=%d", nodes, racks, vnodes)})
		if err != nil {
			t.Fatal(err)
		}
		r := &changing{t: t, lab: lab, rows: map[string]string{}}
		class := rapid.SampledFrom([]string{"'SimpleStrategy', 'replication_factor'", "'NetworkTopologyStrategy', 'dc1'"}).Draw(t, "class")
		r.do("CREATE KEYSPACE s WITH replication = {'class': %s: %d}", class, rf)
		r.do("CREATE TABLE s.t (k text PRIMARY KEY, v text) WITH compaction = {'class': '%s'}",
			rapid.SampledFrom([]string{"SizeTieredCompactionStrategy", "LeveledCompactionStrategy", "UnifiedCompactionStrategy"}).Draw(t, "compaction"))
		r.do("CONSISTENCY QUORUM")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			r.write()
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1:
				if a := r.do(":bootstrap background"); a.Error != nil && r.down == "" {
					r.fail("%s", a.Error.Message)
				}
				r.write()
				r.check()
				r.do(":advance 31s")
				r.write()
				r.do(":advance 60s")
			case 2:
				if r.down == "" && len(r.names()) > rf {
					if a := r.do(":decommission %s force", r.pick("leaves")); a.Error != nil {
						r.fail("%s", a.Error.Message)
					}
				}
			case 3:
				if r.down == "" && rf > 2 && len(r.names()) > rf {
					r.down = r.pick("dies")
					r.do(":down %s", r.down)
				}
			case 4:
				if r.down != "" {
					verb := rapid.SampledFrom([]string{":up %s", ":removenode %s", ":replace %s fresh" + fmt.Sprint(r.keys)}).Draw(t, "then")
					if a := r.do(verb, r.down); a.Error != nil {
						r.fail("%s", a.Error.Message)
					}
					r.down = ""
					r.do(":advance 60s")
				}
			case 5:
				if r.down == "" && vnodes == 1 {
					if a := r.do(":move %s %d", r.pick("moves"), rapid.Int64().Draw(t, "token")); a.Error != nil && !strings.Contains(a.Error.Message, "already") {
						r.fail("%s", a.Error.Message)
					}
				}
			case 6:
				if r.down == "" {
					if a := r.do(":repair s %s", rapid.SampledFrom([]string{"", "full"}).Draw(t, "repair")); a.Error != nil {
						r.fail("%s", a.Error.Message)
					}
				}
			case 7:
				r.do(":flush %s", r.pick("flushes"))
				r.do(":cleanup %s", r.pick("cleans"))
			case 8:
				r.do(":compact %s", r.pick("compacts"))
			case 9:
				if r.down == "" && rf > 2 {
					r.do(":reboot %s", r.pick("reboots"))
					r.do(":advance 60s")
				}
			}
			r.check()
			if r.down == "" {
				r.equal()
			}
		}
		if r.down != "" {
			r.do(":up %s", r.down)
		}
		r.do(":advance 60s")
		r.do(":repair s")
		r.do(":cleanup")
		r.check()
		r.equal()
		r.again()
	})
}

// again runs the same commands on a new lab: every answer is the same, though
// somebody listens to the events now.
func (r *changing) again() {
	lab, err := engine.New(engine.Options{Ring: r.lab.Ring()})
	if err != nil {
		r.t.Fatal(err)
	}
	lab.Events()
	for i, text := range r.log {
		if engine.Hash(lab.Do(text)) != r.hashes[i] {
			r.fail("the answer to line %d, %s, is another one the second time", i+1, text)
		}
	}
}
