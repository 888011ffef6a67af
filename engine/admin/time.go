package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
)

func init() {
	register(
		&Command{Name: "advance", Group: "time", Usage: "10s", Help: "let virtual time pass; whatever is due happens", Run: advance},
		&Command{Name: "speed", Group: "time", Usage: "1x|0.001x|max|pause", Help: "how fast time flows by itself in the workbench", Run: speed},
		&Command{Name: "step", Group: "time", Usage: "", Help: "let the next pending event happen", Run: step},
		&Command{Name: "at", Group: "time", Usage: "+5ms STATEMENT", Help: "inside of :together, start a statement that much later", Run: at},
		&Command{Name: "together", Group: "time", Usage: "", Help: "begin a block of statements in flight at once; each client's stay in order", Run: together},
		&Command{Name: "end", Group: "time", Usage: "", Help: "run the :together block", Run: end},
	)
}

func advance(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		return nil, usageError(byName["advance"])
	}
	d, err := parseTime(a.Words[0])
	if err != nil {
		return nil, err
	}
	to := ctx.Cluster.Now() + d
	if to > endOfTime {
		return nil, fmt.Errorf("a lab ends after ten thousand years; it is at %s now", ctx.Cluster.Now())
	}
	ctx.Cluster.Advance(to)
	return message("Virtual time is %s.", answer.Clock(int64(to))), nil
}

func speed(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		if len(a.Words) == 0 {
			return message("Speed is %s.", ctx.Speed), nil
		}
		return nil, usageError(byName["speed"])
	}
	w := a.Words[0]
	if w != "max" && w != "pause" {
		f, err := strconv.ParseFloat(strings.TrimSuffix(w, "x"), 64)
		if err != nil || f <= 0 || f > 1000000 {
			return nil, fmt.Errorf("speed takes pause, max or a factor such as 1x or 0.001x, not %q", w)
		}
		w = strconv.FormatFloat(f, 'g', -1, 64) + "x"
	}
	ctx.Speed = w
	if w == "pause" {
		return message("Time stands still."), nil
	}
	return message("Time flows at %s.", w), nil
}

func step(ctx *Context, a Args) ([]*answer.Answer, error) {
	if next, ok := ctx.Cluster.NextAt(); ok && next > endOfTime {
		return nil, fmt.Errorf("a lab ends after ten thousand years; the next event is at %s", next)
	}
	if !ctx.Cluster.Step() {
		return message("Nothing is pending; `:advance 10s` lets time pass."), nil
	}
	return message("One event; virtual time is %s.", answer.Clock(int64(ctx.Cluster.Now()))), nil
}

func at(ctx *Context, a Args) ([]*answer.Answer, error) {
	if ctx.Together == nil {
		return nil, fmt.Errorf(":at stands only between :together and :end")
	}
	when, statement, ok := strings.Cut(a.Raw, " ")
	if !ok || !strings.HasPrefix(when, "+") {
		return nil, usageError(byName["at"])
	}
	d, err := parseTime(when[1:])
	if err != nil {
		return nil, err
	}
	statement = strings.TrimSpace(statement)
	if text, ok := strings.CutPrefix(statement, ":cli "); ok {
		ctx.classicTogether(text, d)
		return nil, nil
	}
	ctx.AddTogether(strings.TrimSuffix(statement, ";"), d, ctx.File, ctx.Line)
	return nil, nil
}

func together(ctx *Context, a Args) ([]*answer.Answer, error) {
	if err := ctx.OpenTogether(); err != nil {
		return nil, err
	}
	return message(""), nil
}

func end(ctx *Context, a Args) ([]*answer.Answer, error) {
	answers, err := ctx.CloseTogether()
	if err != nil {
		return answers, err
	}
	return append(answers, message("")...), nil
}
