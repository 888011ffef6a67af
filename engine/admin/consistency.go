package admin

import (
	"fmt"
	"ringlab/model/cql"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
	"ringlab/model/plan"
	"ringlab/model/types"
)

func init() {
	register(
		&Command{Name: "client", Group: "consistency", Usage: "NAME [dc=dc1] [node=n1] [cl=ONE] [skew=+1s] [user=ROLE]", Help: "make or change a client; `:as NAME` speaks for it, as the role `user` where roles matter", Run: client},
		&Command{Name: "as", Group: "consistency", Usage: "[NAME]", Help: "speak for a client from now on; alone: for the default client. Handing over takes 50 ms", Run: as},
		&Command{Name: "hints", Group: "consistency", Usage: "[on|off]", Words: []string{"on", "off"}, Help: "hints stored now, by holder and target; off: none are kept for nodes that are down, as `:set hinted_handoff_enabled false`", Run: hints},
		&Command{Name: "trace", Group: "consistency", Usage: "[OPERATION]", Help: "the trace of the last operation, or of one by number", Run: trace},
		&Command{Name: "bind", Group: "consistency", Usage: "(VALUE, …) STATEMENT", Text: true, Run: bindValues,
			Help: "prepare a statement with ? or :name markers and run it with these values; ? among them leaves a marker unset"},
		&Command{Name: "page", Group: "consistency", Usage: "SIZE STATEMENT", Text: true, Run: page,
			Help: "run a SELECT and give its first page; `:more` gives the next"},
		&Command{Name: "more", Group: "consistency", Usage: "[SIZE]", Run: more, Help: "the next page of `:page`, from the client and the coordinator of now"},
	)
}

// bindValues runs a prepared statement with values.
func bindValues(ctx *Context, a Args) ([]*answer.Answer, error) {
	end := closing(a.Raw)
	statement := cql.TrimStatement(a.Raw[max(end, 0):])
	if end < 0 || statement == "" {
		return nil, usageError(byName["bind"])
	}
	return []*answer.Answer{ctx.Bind(a.Raw[:end], statement)}, nil
}

// page runs a SELECT and gives its first page.
func page(ctx *Context, a Args) ([]*answer.Answer, error) {
	size, statement, _ := strings.Cut(a.Raw, " ")
	n, err := strconv.Atoi(size)
	statement = cql.TrimStatement(statement)
	if err != nil || n < 1 || statement == "" {
		return nil, usageError(byName["page"])
	}
	return []*answer.Answer{ctx.FirstPage(n, statement)}, nil
}

// more gives the next page.
func more(ctx *Context, a Args) ([]*answer.Answer, error) {
	n := 0
	if len(a.Words) > 0 {
		var err error
		if n, err = strconv.Atoi(a.Words[0]); err != nil || n < 1 {
			return nil, usageError(byName["more"])
		}
	}
	out, err := ctx.NextPage(n)
	if err != nil {
		return nil, err
	}
	return []*answer.Answer{out}, nil
}

// closing is the place behind the parenthesis that closes a text's first one, -1
// if there is none. Quoted parentheses do not count.
func closing(text string) int {
	if !strings.HasPrefix(text, "(") {
		return -1
	}
	depth, in := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case in != 0:
			if c == in {
				in = 0
			}
		case c == '\'' || c == '"':
			in = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func client(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		return nil, usageError(byName["client"])
	}
	k := *ctx.Client(a.Words[0])
	k.Node, k.DC = -1, ""
	keys := make([]string, 0, len(a.Named))
	for key := range a.Named {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		v := a.Named[key]
		switch key {
		case "dc":
			if ctx.Nodes(v) == 0 {
				return nil, fmt.Errorf("there is no data center %s in this ring", v)
			}
			k.DC = v
		case "node":
			n, err := ctx.Node(v)
			if err != nil {
				return nil, err
			}
			k.Node = n.Index
		case "cl":
			cl, ok := plan.ParseConsistency(v)
			if !ok {
				return nil, fmt.Errorf("%s is no consistency level", v)
			}
			k.CL = cl
		case "skew":
			d, err := parseSigned(v)
			if err != nil {
				return nil, err
			}
			k.Skew = int64(d)
		case "user":
			if v != "" && ctx.Roles.Role(v) == nil {
				return nil, fmt.Errorf("there is no role %s; `CREATE ROLE %s` makes it", v, v)
			}
			k.User = v
		default:
			return nil, fmt.Errorf("a client has no %s; it has dc, node, cl, skew and user", key)
		}
	}
	if old := ctx.Client(a.Words[0]); old == ctx.Current && (old.Node != k.Node || old.DC != k.DC) {
		handOver(ctx)
	}
	*ctx.Client(a.Words[0]) = k
	place := "any node of its data center"
	if k.Node >= 0 {
		place = ctx.Cluster.Nodes[k.Node].Name
	} else if k.DC != "" {
		place = "the nodes of " + k.DC
	}
	if ctx.Cluster.Set.Auth.Passwords {
		return message("Client %s talks to %s at %s as %s.", k.Name, place, k.CL, ctx.User(&k)), nil
	}
	return message("Client %s talks to %s at %s.", k.Name, place, k.CL), nil
}

// switching is how long it takes until another client speaks, as a person or a
// program elsewhere would need; modelled. What is on its way meanwhile arrives:
// statements that overlap are written between :together and :end.
const switching = 50 * sim.Millisecond

func handOver(ctx *Context) {
	if ctx.Together == nil {
		ctx.Cluster.Advance(ctx.Cluster.Now() + switching)
	}
}

func as(ctx *Context, a Args) ([]*answer.Answer, error) {
	name := ""
	if len(a.Words) > 1 {
		return nil, usageError(byName["as"])
	}
	if len(a.Words) == 1 {
		name = a.Words[0]
	}
	k, ok := ctx.Clients[name]
	if !ok {
		return nil, fmt.Errorf("there is no client %s; `:client %s` makes it", name, name)
	}
	if k != ctx.Current {
		handOver(ctx)
	}
	ctx.Current = k
	who := "the default client"
	if name != "" {
		who = "client " + name
	}
	if ctx.Cluster.Set.Auth.Passwords {
		who += ", acting as " + ctx.User(k)
	}
	return message("You are %s.", who), nil
}

func hints(ctx *Context, a Args) ([]*answer.Answer, error) {
	if a.Raw != "" {
		if a.Raw != "on" && a.Raw != "off" {
			return nil, usageError(byName["hints"])
		}
		return set(ctx, Args{Words: []string{"hinted_handoff_enabled", strconv.FormatBool(a.Raw == "on")}})
	}
	rows := [][]string{}
	for _, n := range ctx.Cluster.Members() {
		for target := range ctx.Cluster.Nodes {
			q := n.Hints[target]
			if q == nil || len(q.Hints) == 0 {
				continue
			}
			rows = append(rows, []string{n.Name, ctx.Cluster.Nodes[target].Name, strconv.Itoa(len(q.Hints)), strconv.FormatInt(q.Bytes(), 10),
				answer.Clock(int64(q.Hints[0].Created))})
		}
	}
	return table("on for count bytes oldest", rows), nil
}

func trace(ctx *Context, a Args) ([]*answer.Answer, error) {
	id := 0
	if len(a.Words) > 0 {
		var err error
		if id, err = parseCount(a.Words[0], "trace"); err != nil {
			return nil, err
		}
	}
	events := ctx.LastTrace(id)
	if events == nil {
		return message("No trace is kept%s. TRACING ON traces the statements that follow.", map[bool]string{true: " of operation " + strconv.Itoa(id)}[id > 0]), nil
	}
	rows := make([][]string, len(events))
	for i, e := range events {
		rows[i] = []string{e.Source, types.Text.Text([]byte(e.Activity)), e.Thread, strconv.FormatInt(e.Elapsed, 10)}
	}
	return table("source activity thread source_elapsed", rows), nil
}
