package admin

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/session"
)

func init() {
	register(
		&Command{Name: "bootstrap", Group: "nodes", Usage: "[NODE] [dc=dc1] [rack=rack1] [tokens=TOKEN,…] [auto_bootstrap=false] [background]", Run: bootstrap,
			Help: "a new node joins: it is pending while it fetches its data; background returns at once"},
		&Command{Name: "decommission", Group: "nodes", Usage: "NODE [force] [background]", Help: "a node hands its ranges over and leaves the ring", Run: decommission},
		&Command{Name: "removenode", Group: "nodes", Usage: "NODE [background]", Help: "take a dead node out of the ring; other replicas make up for it", Run: removeNode},
		&Command{Name: "replace", Group: "nodes", Usage: "DEAD NEW [background]", Help: "a new node takes the place and the tokens of a dead one", Run: replaceNode},
		&Command{Name: "move", Group: "nodes", Usage: "NODE TOKEN [background]", Help: "give a node of one token another one", Run: moveNode},
		&Command{Name: "rebuild", Group: "nodes", Usage: "NODE [DC] [keyspace=KS]", Help: "fetch all that a node should hold from the replicas of a data center", Run: rebuild},
	)
}

// only refuses named arguments that a command does not know.
func only(a Args, c *Command, known ...string) error {
	var wrong []string
next:
	for k := range a.Named {
		for _, n := range known {
			if k == n {
				continue next
			}
		}
		wrong = append(wrong, k)
	}
	if sort.Strings(wrong); len(wrong) > 0 {
		return fmt.Errorf(":%s knows no %s: %w", c.Name, strings.Join(wrong, ", "), usageError(c))
	}
	return nil
}

// ownership is the share of the ring that each node owns by its cluster index,
// effectively where all keyspaces are replicated alike; nil where no share is known.
func ownership(ctx *Context) []float64 {
	share, err := owns(ctx, "")
	if err != nil {
		share = ctx.Cluster.Owns(asked(ctx), "")
	}
	return share
}

// follow lets a movement finish, or only begin, and shows what it changed.
func follow(ctx *Context, m *cluster.Movement, before []float64, background bool, doing, done string) ([]*answer.Answer, error) {
	if background {
		return message("%s; `:advance 60s` lets it go on.", doing), nil
	}
	finish(ctx, m)
	if m.Err != nil {
		return nil, m.Err
	}
	after := ownership(ctx)
	type flow struct{ rowsIn, bytesIn, rowsOut, bytesOut int64 }
	flows := map[int]*flow{}
	of := func(n int) *flow {
		if flows[n] == nil {
			flows[n] = &flow{}
		}
		return flows[n]
	}
	rows, bytes := int64(0), int64(0)
	for _, s := range m.Streams {
		of(s.To).rowsIn += s.Rows
		of(s.To).bytesIn += s.Bytes
		of(s.From).rowsOut += s.Rows
		of(s.From).bytesOut += s.Bytes
		rows += s.Rows
		bytes += s.Bytes
	}
	share := func(list []float64, n int, member bool) string {
		switch {
		case list == nil:
			return "?"
		case n >= len(list) || !member:
			return ""
		}
		return percent(list[n])
	}
	var lines [][]string
	for i, n := range ctx.Cluster.Nodes {
		was, is := share(before, i, i != m.Node || m.Kind != "Bootstrap" && m.Kind != "Replace"), share(after, i, n.IsMember())
		if !n.IsMember() && i != m.Node && i != m.Replaces || was == is && flows[i] == nil && i != m.Node {
			continue
		}
		f := of(i)
		lines = append(lines, []string{n.Name, was, is, strconv.FormatInt(f.rowsIn, 10), strconv.FormatInt(f.bytesIn, 10), strconv.FormatInt(f.rowsOut, 10), strconv.FormatInt(f.bytesOut, 10)})
	}
	out := table("node owns_before owns_after rows_in bytes_in rows_out bytes_out", lines)
	out[0].Message = fmt.Sprintf("%s, %s later: %s, %s, %s.", done, m.End-m.Start, plural(len(m.Streams), "stream"), plural(int(rows), "row"), bytesText(bytes))
	if m.Lost > 0 {
		out[0].Warnings = append(out[0].Warnings, fmt.Sprintf("%s had no other live replica: what was there is lost.", plural(m.Lost, "range")))
	}
	return out, nil
}

func bootstrap(ctx *Context, a Args) ([]*answer.Answer, error) {
	c := byName["bootstrap"]
	background := a.Has("background")
	a.Words = a.Without("background")
	if len(a.Words) > 1 {
		return nil, usageError(c)
	}
	if err := only(a, c, "dc", "rack", "tokens", "auto_bootstrap"); err != nil {
		return nil, err
	}
	w := session.NewNode{DC: a.Named["dc"], Rack: a.Named["rack"], Tokens: a.Named["tokens"]}
	if len(a.Words) == 1 {
		w.Name = a.Words[0]
	}
	fetch := true
	switch a.Named["auto_bootstrap"] {
	case "", "true":
	case "false":
		fetch = false
	default:
		return nil, fmt.Errorf("auto_bootstrap is true or false, not %q", a.Named["auto_bootstrap"])
	}
	before := ownership(ctx)
	m, err := ctx.Bootstrap(w, fetch)
	if err != nil {
		return nil, err
	}
	n := ctx.Cluster.Nodes[m.Node]
	return follow(ctx, m, before, background && !m.Finished(), n.String()+" is joining with "+plural(len(n.Tokens), "token"), n.String()+" has joined")
}

// member is the node that the first of so many words names.
func member(ctx *Context, a Args, c *Command, least, most int) (n *cluster.Node, words []string, background bool, err error) {
	background = a.Has("background")
	words = a.Without("background")
	if err := only(a, c); err != nil {
		return nil, nil, false, err
	}
	if len(words) < least || len(words) > most {
		return nil, nil, false, usageError(c)
	}
	n, err = ctx.Node(words[0])
	return n, words, background, err
}

func decommission(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, words, background, err := member(ctx, a, byName["decommission"], 1, 2)
	if err != nil {
		return nil, err
	}
	force := len(words) == 2 && (words[1] == "force" || words[1] == "--force" || words[1] == "-f")
	if len(words) == 2 && !force {
		return nil, usageError(byName["decommission"])
	}
	before := ownership(ctx)
	m, err := ctx.Cluster.Decommission(n.Index, force)
	if err != nil {
		return nil, err
	}
	return follow(ctx, m, before, background, n.Name+" is leaving", n.Name+" has left")
}

func removeNode(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, _, background, err := member(ctx, a, byName["removenode"], 1, 1)
	if err != nil {
		return nil, err
	}
	coord, err := ctx.Coordinator(ctx.Current)
	if err != nil {
		return nil, err
	}
	for _, other := range ctx.Cluster.Members() { // a node cannot remove itself: another one is asked
		if coord == n.Index && other != n && !other.Down && other.State == cluster.Normal {
			coord = other.Index
		}
	}
	before := ownership(ctx)
	m, err := ctx.Cluster.RemoveNode(coord, n.Index)
	if err != nil {
		return nil, err
	}
	return follow(ctx, m, before, background, n.Name+" is being removed", n.Name+" is removed")
}

func replaceNode(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, words, background, err := member(ctx, a, byName["replace"], 2, 2)
	if err != nil {
		return nil, err
	}
	before := ownership(ctx)
	m, err := ctx.Replace(n.Index, words[1])
	if err != nil {
		return nil, err
	}
	return follow(ctx, m, before, background, words[1]+" is taking the place of "+n.Name, words[1]+" has taken the place of "+n.Name)
}

func moveNode(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, words, background, err := member(ctx, a, byName["move"], 2, 2)
	if err != nil {
		return nil, err
	}
	token, err := ctx.Cluster.Partitioner().Parse(words[1])
	if err != nil {
		return nil, err
	}
	before := ownership(ctx)
	m, err := ctx.Cluster.Move(n.Index, token)
	if err != nil {
		return nil, err
	}
	return follow(ctx, m, before, background, n.Name+" is moving to "+words[1], n.Name+" has moved to "+words[1])
}

func rebuild(ctx *Context, a Args) ([]*answer.Answer, error) {
	c := byName["rebuild"]
	ks := a.Named["keyspace"]
	delete(a.Named, "keyspace")
	n, words, _, err := member(ctx, a, c, 1, 2)
	if err != nil {
		return nil, err
	}
	dc := ""
	if len(words) == 2 {
		dc = words[1]
		known := ctx.DataCenters()
		sort.Strings(known)
		if i := sort.SearchStrings(known, dc); i == len(known) || known[i] != dc {
			return nil, cluster.Refusal(fmt.Sprintf("Provided datacenter '%s' is not a valid datacenter, available datacenters are: %s", dc, strings.Join(known, ",")))
		}
	}
	keyspaces := ctx.Cluster.Schema.Names()
	if ks != "" {
		if ctx.Cluster.Schema.Keyspace(ks) == nil {
			return nil, cluster.Refusal(fmt.Sprintf("Keyspace [%s] does not exist.", ks))
		}
		keyspaces = []string{ks}
	}
	before := ownership(ctx)
	m, err := ctx.Cluster.Rebuild(n.Index, dc, keyspaces)
	if err != nil {
		return nil, err
	}
	return follow(ctx, m, before, false, "", n.Name+" is rebuilt")
}
