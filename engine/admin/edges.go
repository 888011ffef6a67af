package admin

import (
	"fmt"

	"ringlab/engine/answer"
)

func init() {
	edge := func(name, usage, help string, words ...string) {
		register(&Command{Name: name, Usage: usage, Group: "edges", Class: Edge, Words: words, Help: help,
			Run: func(ctx *Context, a Args) ([]*answer.Answer, error) {
				if ctx.Outside == nil {
					return nil, fmt.Errorf(":%s reaches out of the lab, and nothing is there", name)
				}
				return ctx.Outside.Edge(name, a)
			}})
	}
	edge("serve", "[127.0.0.1:9042] [pace=1x|virtual] [ports] [insecure] [auth] [payload=echo] [users=FILE] | stop", "lets drivers and cqlsh connect to the nodes: their requests are commands of the journal; "+
		"pace=1x has answers wait as long as they take in virtual time", "stop", "ports", "insecure", "pace=1x", "pace=virtual", "payload=echo")
	edge("clients", "[all|forget]", "the drivers that are connected, how they use the ring, and what a reviewer would say of that; all: each connection", "all", "forget")
	edge("verify", "HOST[:PORT] [user=NAME:PASSWORD] [keep]", "runs the statements of this branch on a real cluster, in keyspaces of their own, and shows what it answers otherwise", "keep")
}
