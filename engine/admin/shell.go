package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/plan"
)

// complaint is an error in cqlsh's own words, which begin and end as they like.
type complaint string

func (c complaint) Error() string { return string(c) }

// Complain is an error in cqlsh's own words.
func Complain(format string, args ...any) error { return complaint(fmt.Sprintf(format, args...)) }

func shellError(format string, args ...any) ([]*answer.Answer, error) {
	return nil, Complain(format, args...)
}

// Shell runs a command of cqlsh; handled is false for lines that are CQL after
// all. SOURCE, COPY and CAPTURE are the front end's.
func Shell(ctx *Context, line string) (out []*answer.Answer, handled bool, err error) {
	words := strings.Fields(strings.TrimSuffix(line, ";"))
	if len(words) == 0 {
		return nil, false, nil
	}
	k := ctx.Current
	arg := ""
	if len(words) > 1 {
		arg = strings.ToUpper(words[1])
	}
	switch strings.ToUpper(words[0]) {
	case "CONSISTENCY":
		out, err = consistency(ctx, words)
	case "SERIAL":
		out, err = serial(ctx, words)
	case "TRACING":
		out, err = toggle(arg, "TRACING", &k.Tracing)
	case "EXPAND":
		out, err = toggle(arg, "EXPAND", &k.Expand)
	case "PAGING":
		out, err = paging(ctx, arg)
	case "SHOW":
		out, err = show(ctx, words)
	case "HELP", "?":
		out, err = shellHelp(ctx, words[1:])
	case "CLEAR", "CLS":
		out = message("")
	case "EXIT", "QUIT":
		out = []*answer.Answer{{Exit: true}}
	case "COPY":
		out, err = copyTable(ctx, line)
	case "LOGIN":
		out, err = login(ctx, line)
	case "UNICODE":
		out = message("Text is UTF-8. Control characters in it are shown as escapes like \\n and \\x00, and a backslash is doubled.")
	case "CAPTURE", "HISTORY":
		err = fmt.Errorf("%s is a command of the front end; here there is none", strings.ToUpper(words[0]))
	case "NODETOOL":
		out, err = runNodetool(ctx, line)
	default:
		return nil, false, nil
	}
	return out, true, err
}

func consistency(ctx *Context, words []string) ([]*answer.Answer, error) {
	if len(words) == 1 {
		return message("Current consistency level is %s.", ctx.Current.CL), nil
	}
	cl, ok := plan.ParseConsistency(words[1])
	if !ok || len(words) > 2 {
		return shellError("Improper CONSISTENCY command.")
	}
	ctx.Current.CL = cl
	return message("Consistency level set to %s.", cl), nil
}

func serial(ctx *Context, words []string) ([]*answer.Answer, error) {
	if len(words) < 2 || !strings.EqualFold(words[1], "CONSISTENCY") || len(words) > 3 {
		return shellError("Improper SERIAL command.")
	}
	if len(words) == 2 {
		return message("Current serial consistency level is %s.", ctx.Current.Serial), nil
	}
	cl, ok := plan.ParseConsistency(words[2])
	if !ok || !cl.IsSerial() {
		return shellError("Improper SERIAL CONSISTENCY command.")
	}
	ctx.Current.Serial = cl
	return message("Serial consistency level set to %s.", cl), nil
}

// toggle shows or sets a switch in cqlsh's words.
func toggle(arg, command string, flag *bool) ([]*answer.Answer, error) {
	word := map[bool]string{true: "ON", false: "OFF"}
	switch arg {
	case "":
		return message("%s is %s", command, word[*flag]), nil
	case "ON", "OFF":
		*flag = arg == "ON"
		return message("%s set to %s", command, arg), nil
	}
	return shellError("Improper %s command.", command)
}

func paging(ctx *Context, arg string) ([]*answer.Answer, error) {
	k := ctx.Current
	switch arg {
	case "":
		if k.Paging {
			return message("PAGING is ON\nPage size: %d", k.PageSize), nil
		}
		return message("PAGING is OFF"), nil
	case "OFF":
		k.Paging = false
		return message("PAGING set to OFF"), nil
	case "ON":
		k.Paging, k.PageSize = true, 100
		return message("PAGING set to ON\nPage size: 100"), nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return shellError("Improper PAGING command.")
	}
	k.Paging, k.PageSize = true, n
	return message("Page size: %d", n), nil
}

// Version is shown by SHOW VERSION; the front end sets it.
var Version = "dev"

func show(ctx *Context, words []string) ([]*answer.Answer, error) {
	if len(words) < 2 {
		return shellError("Improper SHOW command.")
	}
	switch strings.ToUpper(words[1]) {
	case "VERSION":
		return message("[ringlab %s | simulates Cassandra 5.0.5 | CQL spec 3.4.7]", Version), nil
	case "HOST":
		n := ctx.Cluster.Members()[0]
		if i, err := ctx.Coordinator(ctx.Current); err == nil {
			n = ctx.Cluster.Nodes[i]
		}
		return message("Connected to ringlab at %s:9042", n.Address), nil
	case "REPLICAS":
		return showReplicas(ctx, words[2:])
	case "SESSION":
		if len(words) != 3 {
			return shellError("Improper SHOW command.")
		}
		s := ctx.TraceSession(words[2])
		if s == nil {
			return shellError("Session %s wasn't found.", words[2])
		}
		out := table("activity timestamp source source_elapsed client", ctx.Rows(s))
		return append(message("Tracing session: %s", s.ID), out...), nil
	}
	return shellError("Improper SHOW command.")
}

// showReplicas answers SHOW REPLICAS token [keyspace].
func showReplicas(ctx *Context, words []string) ([]*answer.Answer, error) {
	if len(words) == 0 {
		return shellError("Improper SHOW command.")
	}
	keyspace := ctx.Current.Keyspace
	if len(words) > 1 {
		keyspace = words[1]
	}
	if ctx.Cluster.Schema.Keyspace(keyspace) == nil {
		return nil, fmt.Errorf("keyspace %q does not exist", keyspace)
	}
	t, err := ctx.Cluster.Partitioner().Parse(words[0])
	if err != nil {
		return nil, err
	}
	var list []string
	for _, n := range ctx.Cluster.Placement(keyspace).Replicas(t) {
		list = append(list, "'"+ctx.Cluster.Nodes[n].Address+"'")
	}
	return message("[%s]", strings.Join(list, ", ")), nil
}
