package admin

import (
	"fmt"

	"ringlab/engine/answer"
	"ringlab/engine/classic"
)

func init() {
	register(&Command{Name: "cli", Group: "classic", Usage: "STATEMENT", Help: "run one statement of the classic language, as cassandra-cli does", Text: true, Run: runClassic})
}

// classicClient is what the current client of the lab knows as a client of the
// classic language.
func (ctx *Context) classicClient() *classic.Client {
	if ctx.ring != ctx.Cluster {
		ctx.ring, ctx.clients = ctx.Cluster, map[string]*classic.Client{}
	}
	name := ctx.Current.Name
	if ctx.clients[name] == nil {
		ctx.clients[name] = classic.New(ctx.Core)
	}
	return ctx.clients[name]
}

func runClassic(ctx *Context, a Args) ([]*answer.Answer, error) {
	if ctx.Together != nil {
		return nil, fmt.Errorf("inside of :together statements are CQL; ringlab does not support the classic language there")
	}
	return []*answer.Answer{ctx.classicClient().Do(a.Raw)}, nil
}
