package admin

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
)

func init() {
	register(
		&Command{Name: "cut", Group: "network", Usage: "WHERE | WHERE  (both ways)  or  WHERE > WHERE  (one way) [undetected|undetectable]",
			Help: "cut the links between nodes, data centers or racks (dc1:rack2)", Run: cut},
		&Command{Name: "heal", Group: "network", Usage: "[undetected]", Help: "join every cut link", Run: heal},
		&Command{Name: "latency", Group: "network", Usage: "WHERE WHERE 40ms[±5ms]", Help: "set the one-way delay of links, both ways", Run: latency},
		&Command{Name: "loss", Group: "network", Usage: "WHERE WHERE 1/10", Help: "lose that share of messages, both ways; 0 loses none", Run: loss},
	)
}

func cut(ctx *Context, a Args) ([]*answer.Answer, error) {
	words, how, wait := detection(a)
	text := strings.Join(words, " ")
	both := true
	left, right, ok := strings.Cut(text, "|")
	if !ok {
		if left, right, ok = strings.Cut(text, ">"); !ok {
			return nil, usageError(byName["cut"])
		}
		both = false
	}
	from, err := ctx.Where(strings.ReplaceAll(strings.TrimSpace(left), " ", ","))
	if err != nil {
		return nil, err
	}
	to, err := ctx.Where(strings.ReplaceAll(strings.TrimSpace(right), " ", ","))
	if err != nil {
		return nil, err
	}
	ctx.Cluster.CutLinks(from, to, both, how)
	arrow := " | "
	if !both {
		arrow = " > "
	}
	out := settle(ctx, wait, "Cut "+strings.TrimSpace(left)+arrow+strings.TrimSpace(right))
	if how == cluster.Undetectable {
		out[0].Message = "Cut " + strings.TrimSpace(left) + arrow + strings.TrimSpace(right) + "; nobody will ever notice."
	}
	return out, nil
}

func heal(ctx *Context, a Args) ([]*answer.Answer, error) {
	words, _, wait := detection(a)
	if len(words) > 0 {
		return nil, usageError(byName["heal"])
	}
	n := ctx.Cluster.Net.Cuts()
	ctx.Cluster.HealLinks()
	if n == 0 {
		return message("No link was cut."), nil
	}
	return settle(ctx, wait, "Every link works again"), nil
}

// pairs calls visit for every direction between two places.
func pairs(ctx *Context, a, b string, visit func(from, to int)) error {
	from, err := ctx.Where(a)
	if err != nil {
		return err
	}
	to, err := ctx.Where(b)
	if err != nil {
		return err
	}
	for _, x := range from {
		for _, y := range to {
			if x != y {
				visit(x, y)
				visit(y, x)
			}
		}
	}
	return nil
}

func latency(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 3 {
		return nil, usageError(byName["latency"])
	}
	base, spread, has := strings.Cut(strings.ReplaceAll(a.Words[2], "+-", "±"), "±")
	delay, err := parseTime(base)
	if err != nil {
		return nil, err
	}
	var jitter sim.Time
	if has {
		if jitter, err = parseTime(spread); err != nil {
			return nil, err
		}
	}
	if delay > sim.Hour || jitter > delay {
		return nil, fmt.Errorf("a delay is at most 1h, and what is behind ± not more than the delay itself")
	}
	err = pairs(ctx, a.Words[0], a.Words[1], func(x, y int) {
		l := ctx.Cluster.Net.Link(x, y)
		l.Delay, l.Jitter = delay, jitter
		ctx.Cluster.Net.Set(x, y, l)
	})
	if err != nil {
		return nil, err
	}
	return message("One-way delay between %s and %s is %s.", a.Words[0], a.Words[1], a.Words[2]), nil
}

func loss(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 3 {
		return nil, usageError(byName["loss"])
	}
	num, den, has := strings.Cut(a.Words[2], "/")
	if !has {
		den = "1"
	}
	n, err := parseCount(num, "loss")
	if err != nil {
		return nil, err
	}
	d, err := parseCount(den, "loss")
	if err != nil || d == 0 || n > d {
		return nil, fmt.Errorf("loss takes a share such as 1/10, not %q", a.Words[2])
	}
	err = pairs(ctx, a.Words[0], a.Words[1], func(x, y int) {
		l := ctx.Cluster.Net.Link(x, y)
		l.Loss = sim.Ratio{Num: uint64(n), Den: uint64(d)}
		ctx.Cluster.Net.Set(x, y, l)
	})
	if err != nil {
		return nil, err
	}
	return message("%s of the messages between %s and %s are lost.", a.Words[2], a.Words[0], a.Words[1]), nil
}
