package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/event"
)

func init() {
	register(
		&Command{Name: "events", Group: "edges", Usage: "on | off | [node=n4] [kind=hint] [op=12] [!kind=send] [WORD…] [last=50]", Run: events,
			Words: append([]string{"on", "off", "node=", "peer=", "kind=", "op=", "last="}, event.Kinds()...),
			Help:  "what happened, event by event: on begins to keep them, a filter shows those of a node, kind or operation; the workbench keeps them anyway"},
		&Command{Name: "messages", Group: "edges", Usage: "[N]", Run: messages, Help: "what was said and refused since the lab began, the last 50 or N"},
		&Command{Name: "home", Group: "edges", Run: onlyWorkbench("home", "`ringlab scenario list` lists the lessons"), Help: "recent workspaces, lessons, a new workspace, an import"},
	)
}

// events shows what happened since `:events on`.
func events(ctx *Context, a Args) ([]*answer.Answer, error) {
	if word := strings.TrimSpace(a.Raw); word == "on" || word == "off" {
		ctx.KeepEvents(word == "on")
		if word == "on" {
			return message("Events are kept from here on, the last %s; `:events` shows them.", num(event.Kept)), nil
		}
		return message("Events are not kept any more."), nil
	}
	kept := ctx.Kept()
	if kept == nil {
		return nil, fmt.Errorf("no events are kept: `:events on` begins to; `ringlab run --events all` prints all of them")
	}
	most, filter := 50, []string{}
	for _, w := range strings.Fields(a.Raw) {
		if n, ok := strings.CutPrefix(w, "last="); ok {
			v, err := strconv.Atoi(n)
			if err != nil || v < 1 {
				return nil, fmt.Errorf("last= takes a number of events, not %q", n)
			}
			most = v
			continue
		}
		filter = append(filter, w)
	}
	f, err := event.ParseFilter(strings.Join(filter, " "), ctx.NodeNamed)
	if err != nil {
		return nil, err
	}
	name := ctx.Cluster.Name
	var rows [][]string
	for _, r := range kept.Last(most, f, name) {
		op := ""
		if r.Op > 0 {
			op = strconv.FormatUint(r.Op, 10)
		}
		rows = append(rows, []string{answer.Clock(int64(r.At)), name(r.Node), r.Kind.String(), op, strings.TrimSpace(strings.TrimPrefix(r.Line(name), r.Kind.String()))})
	}
	return table("time node kind op detail", rows), nil
}

// Said is something that the lab has said.
type Said struct {
	At   int64 // virtual µs
	Text string
	Bad  bool // a refusal or another error
}

// mostSaid is how much of what was said is kept.
const mostSaid = 2000

// Hear keeps what an answer says, for :messages.
func (ctx *Context) Hear(a *answer.Answer) {
	s := Said{At: a.AtMicros, Text: a.Message}
	switch {
	case a.Error != nil:
		s.Text, s.Bad = a.Error.Message, true
	case a.Message == "" || strings.HasPrefix(a.Statement, ":messages") || strings.HasPrefix(a.Statement, ":expect"):
		return
	}
	s.Text, _, _ = strings.Cut(s.Text, "\n")
	if ctx.said = append(ctx.said, s); len(ctx.said) > mostSaid {
		ctx.said = append([]Said(nil), ctx.said[mostSaid/2:]...)
	}
}

// messages shows what was said.
func messages(ctx *Context, a Args) ([]*answer.Answer, error) {
	most := 50
	if a.Raw != "" {
		n, err := strconv.Atoi(a.Raw)
		if err != nil || n < 1 {
			return nil, usageError(byName["messages"])
		}
		most = n
	}
	var rows [][]string
	for _, s := range ctx.said[max(len(ctx.said)-most, 0):] {
		mark := ""
		if s.Bad {
			mark = "error"
		}
		rows = append(rows, []string{answer.Clock(s.At), mark, s.Text})
	}
	out := table("time what text", rows)
	out[0].Prose = true
	return out, nil
}
