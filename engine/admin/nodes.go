package admin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
)

func init() {
	register(
		&Command{Name: "down", Group: "nodes", Usage: "NODE[,NODE] [undetected|undetectable]",
			Help: "stop nodes; waits until every reachable node knows, unless told otherwise", Run: down},
		&Command{Name: "up", Group: "nodes", Usage: "NODE[,NODE] [undetected]", Help: "bring nodes back; hints follow 10 s later", Run: up},
		&Command{Name: "pause", Group: "nodes", Usage: "NODE 200ms", Help: "stop a node for a while, as a garbage collection does", Run: pause},
		&Command{Name: "slow", Group: "nodes", Usage: "NODE 10x", Help: "make a node's own work take longer; 1x is normal", Run: slow},
		&Command{Name: "skew", Group: "nodes", Usage: "NODE +3s", Help: "set a node's clock ahead or back; 0s sets it right", Run: skew},
	)
}

// detection takes the last word that says how soon a change is noticed.
func detection(a Args) (words []string, how cluster.Detection, wait bool) {
	how, wait = cluster.Gossip, true
	if a.Has("undetected") {
		wait = false
	}
	if a.Has("undetectable") {
		how, wait = cluster.Undetectable, false
	}
	return a.Without("undetected", "undetectable"), how, wait
}

// longestPause bounds what a garbage collection may take.
const longestPause = sim.Hour

// longest is how long a command waits for beliefs to settle.
const longest = sim.Minute

// settle waits until everybody knows, and says so.
func settle(ctx *Context, wait bool, what string) []*answer.Answer {
	if !wait {
		return message("%s; nobody has noticed yet.", what)
	}
	took := ctx.Cluster.Settled(longest)
	if took == 0 {
		return message("%s.", what)
	}
	return message("%s; %s later every node in reach knows it.", what, about(took))
}

// about is a time as people say it: "19.3 s", "120 ms".
func about(t sim.Time) string {
	if t < sim.Second {
		return strconv.FormatInt(max(int64(t/sim.Millisecond), 1), 10) + " ms"
	}
	return strconv.FormatFloat(float64(t/(sim.Second/10))/10, 'f', 1, 64) + " s"
}

func down(ctx *Context, a Args) ([]*answer.Answer, error) {
	words, how, wait := detection(a)
	if len(words) == 0 {
		return nil, usageError(byName["down"])
	}
	nodes, err := ctx.Where(strings.Join(words, ","))
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		if ctx.Cluster.Nodes[n].Down {
			return nil, fmt.Errorf("%s is down already; `:up %s` brings it back", ctx.Cluster.Nodes[n].Name, ctx.Cluster.Nodes[n].Name)
		}
	}
	for _, n := range nodes {
		ctx.Cluster.Stop(n, how)
	}
	out := settle(ctx, wait, names2(ctx, nodes)+verb(nodes, " is down", " are down"))
	if how == cluster.Undetectable {
		out[0].Message = names2(ctx, nodes) + verb(nodes, " is down", " are down") + "; nobody will ever notice."
	}
	return out, nil
}

func up(ctx *Context, a Args) ([]*answer.Answer, error) {
	words, how, wait := detection(a)
	if len(words) == 0 {
		return nil, usageError(byName["up"])
	}
	nodes, err := ctx.Where(strings.Join(words, ","))
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		if !ctx.Cluster.Nodes[n].Down && !ctx.Cluster.Nodes[n].Quiet {
			return nil, fmt.Errorf("%s is up already", ctx.Cluster.Nodes[n].Name)
		}
		if why := ctx.Cluster.CannotStart(n); why != "" {
			return nil, errors.New(why)
		}
	}
	for _, n := range nodes {
		ctx.Cluster.Bring(n, how)
	}
	return settle(ctx, wait, names2(ctx, nodes)+verb(nodes, " is up", " are up")), nil
}

func names2(ctx *Context, nodes []int) string {
	var out []string
	for _, n := range nodes {
		out = append(out, ctx.Cluster.Nodes[n].Name)
	}
	return strings.Join(out, ", ")
}

func verb(nodes []int, one, many string) string {
	if len(nodes) == 1 {
		return one
	}
	return many
}

// oneNode is the node that the first word names.
func oneNode(ctx *Context, a Args, c *Command) (*cluster.Node, error) {
	if len(a.Words) != 2 {
		return nil, usageError(c)
	}
	return ctx.Node(a.Words[0])
}

func pause(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, err := oneNode(ctx, a, byName["pause"])
	if err != nil {
		return nil, err
	}
	d, err := parseTime(a.Words[1])
	if err != nil {
		return nil, err
	}
	if d > longestPause {
		return nil, fmt.Errorf("a pause is at most %s; `:down %s` stops a node for longer", longestPause, n.Name)
	}
	ctx.Cluster.PauseNode(n.Index, d)
	return message("%s is paused for %s; messages wait for it.", n.Name, d), nil
}

func slow(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, err := oneNode(ctx, a, byName["slow"])
	if err != nil {
		return nil, err
	}
	factor, err := parseCount(strings.TrimSuffix(a.Words[1], "x"), "slow")
	if err != nil || factor < 1 || factor > 1000000 {
		return nil, fmt.Errorf("slow takes a factor from 1x to 1000000x, not %q", a.Words[1])
	}
	n.Slow = int64(factor)
	ctx.Cluster.Slowed(n)
	if factor == 1 {
		return message("%s works at its usual speed.", n.Name), nil
	}
	return message("%s takes %d times as long for its own work.", n.Name, factor), nil
}

func skew(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, err := oneNode(ctx, a, byName["skew"])
	if err != nil {
		return nil, err
	}
	d, err := parseSigned(a.Words[1])
	if err != nil {
		return nil, err
	}
	n.Skew = int64(d)
	switch {
	case d > 0:
		return message("The clock of %s is %s ahead.", n.Name, d), nil
	case d < 0:
		return message("The clock of %s is %s behind.", n.Name, -d), nil
	}
	return message("The clock of %s is right.", n.Name), nil
}
