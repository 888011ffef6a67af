package admin

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/engine/staleness"
)

func init() {
	register(&Command{Name: "staleness", Group: "consistency", Usage: "[model=lab|LNKD-SSD|LNKD-DISK|YMMR] [n=3] [r=1] [w=1] [t=0ms,5ms…] [asked=all|r] [trials=100000]",
		Help: "how likely a read misses the newest write, by Monte Carlo over the lab's delays or published ones", Run: askStaleness})
}

// askStaleness answers with probabilities; nothing in the lab changes.
func askStaleness(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 0 {
		return nil, usageError(byName["staleness"])
	}
	q := staleness.Question{R: 1, W: 1, All: true, Trials: 100_000, Seed: 1} // the same draws for every lab: nothing but the question decides
	n, model, times := 3, "lab", []string{"0ms", "1ms", "5ms", "10ms", "100ms"}
	for _, name := range slices.Sorted(maps.Keys(a.Named)) {
		var err error
		value := a.Named[name]
		switch name {
		case "model":
			model = value
		case "n":
			n, err = small(name, value, 100)
		case "r":
			q.R, err = small(name, value, 100)
		case "w":
			q.W, err = small(name, value, 100)
		case "trials":
			q.Trials, err = small(name, value, 5_000_000)
		case "t":
			times = strings.Split(value, ",")
		case "asked":
			if q.All = value == "all"; !q.All && value != "r" {
				err = fmt.Errorf("asked=%s: all (the paper: every replica, the fastest count) or r (Cassandra: only as many as are waited for)", value)
			}
		default:
			err = fmt.Errorf("%s= is not known; %s", name, byName["staleness"].Usage)
		}
		if err != nil {
			return nil, err
		}
	}
	if q.R > n || q.W > n {
		return nil, fmt.Errorf("r=%d and w=%d cannot be more than n=%d replicas", q.R, q.W, n)
	}
	what, err := staleReplicas(ctx, &q, model, n)
	if err != nil {
		return nil, err
	}
	at := make([]float64, len(times))
	for i, text := range times {
		t, err := parseTime(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		at[i] = float64(t) / float64(sim.Millisecond)
	}
	found := staleness.Ask(q)
	ms := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + " ms" }
	share := func(v float64) string { return strconv.FormatFloat(math.Floor(v*1e6+.5)/1e4, 'f', -1, 64) + " %" }
	rows := [][]string{{"delays", what}, {"replicas, reads, writes", fmt.Sprintf("N=%d R=%d W=%d", n, q.R, q.W)},
		{"R + W > N", fmt.Sprintf("%d + %d > %d is %v", q.R, q.W, n, q.R+q.W > n)}}
	for i, t := range at {
		rows = append(rows, []string{"fresh after " + strings.TrimSpace(times[i]), share(found.Consistent(t))})
	}
	rows = append(rows, []string{"99.9 % fresh after", ms(found.After(.999))}, []string{"99.9 % of reads within", ms(found.Reads(.999))}, []string{"99.9 % of writes within", ms(found.Writes(.999))},
		[]string{"no replica in common", share(staleness.Disjoint(n, q.R, q.W)) + ", if nothing else ever arrived"}, []string{"trials", strconv.Itoa(q.Trials)})
	return table("question answer", rows), nil
}

func small(name, value string, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%s=%s: a number from 1 to %s", name, value, strconv.Itoa(most))
	}
	return n, nil
}

// staleReplicas gives each replica its delays: those of the lab's links between
// a coordinator that is no replica and the n nodes nearest to it, or published
// ones.
func staleReplicas(ctx *Context, q *staleness.Question, model string, n int) (what string, err error) {
	if model != "lab" {
		var names []string
		for _, m := range staleness.Models {
			if strings.EqualFold(m.Name, model) {
				for range n {
					q.Replicas = append(q.Replicas, m)
				}
				return m.Name + ", as fitted by Bailis et al. 2012", nil
			}
			names = append(names, m.Name)
		}
		return "", fmt.Errorf("model=%s is not known: lab, %s", model, strings.Join(names, ", "))
	}
	c := ctx.Cluster
	if n >= len(c.Nodes) {
		return "", fmt.Errorf("n=%d: the ring has %d nodes, and one of them coordinates", n, len(c.Nodes))
	}
	coordinator, err := ctx.Coordinator(ctx.Current)
	if err != nil {
		return "", err
	}
	near := make([]*cluster.Node, 0, len(c.Nodes))
	for _, same := range []bool{true, false} {
		for _, node := range c.Nodes {
			if node.Index != coordinator && (node.DC == c.Nodes[coordinator].DC) == same {
				near = append(near, node)
			}
		}
	}
	delay := func(from, to int) staleness.Delay {
		l := c.Net.Link(from, to)
		return staleness.Between(float64(max(l.Delay-l.Jitter, 0))/float64(sim.Millisecond), float64(l.Delay+l.Jitter)/float64(sim.Millisecond))
	}
	var names []string
	for _, node := range near[:n] {
		there, back := delay(coordinator, node.Index), delay(node.Index, coordinator)
		q.Replicas = append(q.Replicas, staleness.Model{Name: node.Name, Write: there, Ack: back, Read: there, Response: back})
		names = append(names, node.Name)
	}
	return fmt.Sprintf("of this lab's links, from %s to %s", c.Nodes[coordinator].Name, strings.Join(names, ", ")), nil
}
