package admin

import (
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/cql"
)

func init() {
	register(&Command{Name: "explain", Group: "load, review", Usage: "STATEMENT", Text: true, Run: explain,
		Help: "what a statement would do, and which rule makes it so: partitions, replicas, messages, bytes, rows read; nothing is run"})
}

// explain tells what a statement would do.
func explain(ctx *Context, a Args) ([]*answer.Answer, error) {
	statement := cql.TrimStatement(a.Raw)
	if strings.TrimSpace(statement) == "" {
		return nil, usageError(byName["explain"])
	}
	lines, refused := ctx.Explain(statement)
	if refused.Error != nil {
		refused.Statement = "" // the command was run, not the statement
		return []*answer.Answer{refused}, nil
	}
	rows := make([][]string, len(lines))
	for i, l := range lines {
		rows[i] = []string{l.What, l.Value, l.Rule}
	}
	out := table("what value rule", rows)
	out[0].Prose = true
	return out, nil
}
