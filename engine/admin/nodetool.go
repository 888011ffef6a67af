package admin

import (
	"errors"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/nodetool"
)

// runNodetool runs a line that begins with nodetool and answers with its text.
func runNodetool(ctx *Context, line string) ([]*answer.Answer, error) {
	_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	words, err := splitWords(strings.TrimRight(rest, "; \t"))
	if err != nil {
		return nil, err
	}
	plain := make([]string, len(words))
	for i, w := range words {
		plain[i] = w.text
	}
	out, err := nodetool.Run(ctx.Core, plain)
	var own *nodetool.Error
	var beyond *nodetool.Unsupported
	switch {
	case errors.As(err, &own):
		return []*answer.Answer{{Error: &answer.Error{Name: "NodetoolError", Message: own.Text}, Fix: own.Fix}}, nil
	case errors.As(err, &beyond) && beyond.Instead == "":
		instead := "`:help` lists what a lab can do"
		if c := byName[beyond.Verb]; c != nil {
			instead = "the lab's own command is `:" + strings.TrimSpace(c.Name+" "+c.Usage) + "`"
		}
		return nil, &nodetool.Unsupported{What: beyond.What, Instead: instead}
	case err != nil:
		return nil, err
	}
	return []*answer.Answer{{Message: strings.TrimSuffix(out.Text, "\n"), Tool: true, Warnings: out.Warnings}}, nil
}
