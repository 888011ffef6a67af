package admin

import (
	"fmt"

	"ringlab/engine/answer"
	"ringlab/engine/session"
)

func init() {
	register(
		&Command{Name: "request", Usage: "c=CONNECTION node=NODE cl=LEVEL … query \"STATEMENT\" [VALUES]", Group: "edges", Text: true,
			Help: "what a driver has asked the node that it dialled: query, prepare, execute, batch or leave, as the journal holds it", Run: request},
		&Command{Name: "native", Usage: "ADDRESS:PORT addresses|ports|one", Group: "edges",
			Help: "where drivers reach the nodes, as the system tables say it; `ringlab serve` sets it", Run: native},
	)
}

func request(ctx *Context, a Args) ([]*answer.Answer, error) {
	r, err := session.ParseRequest(a.Raw, func(name string) (int, error) {
		n, err := ctx.Node(name)
		if err != nil {
			return 0, err
		}
		return n.Index, nil
	})
	if err != nil {
		return nil, err
	}
	out := ctx.Request(r)
	session.Show(out.Answer)
	if out.Prepared != nil && r.Verb == session.Prepare {
		out.Message = fmt.Sprintf("Prepared as %x.", out.ID)
	}
	return []*answer.Answer{out.Answer}, nil
}

func native(ctx *Context, a Args) ([]*answer.Answer, error) {
	n, err := session.ParseNative(a.Words)
	if err != nil {
		return nil, err
	}
	ctx.Native = n
	return message("Drivers reach %s at %s:%d.", ctx.Cluster.Nodes[0].Name, n.Address(ctx.Core, 0), n.Port(0)), nil
}
