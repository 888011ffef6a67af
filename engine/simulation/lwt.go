package simulation

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
)

// registers are the histories of the conditional writes, one a key.
type registers [keys][]porcupine.Operation

// outcome is what a client was told of a conditional write or a SERIAL read.
type outcome struct {
	known   bool
	applied bool
	value   int64 // that the row has if the condition did not hold, or that was read
}

// add notes an operation. One whose outcome is not known stays open for ever: it may
// happen later, or never.
func (r *registers) add(p *player, a asked) {
	if a.Error != nil && a.Kind == ReadSerial || p.broken.registers {
		return
	}
	// Steps follow each other; what is in flight in one step is concurrent.
	step := int64(p.step) * 4
	op := porcupine.Operation{ClientId: len(r[a.Key]), Input: a.Op, Call: 2*a.start + step, Return: 2*a.end + 1 + step}
	o := outcome{known: a.Error == nil, value: absent}
	switch {
	case !o.known:
		op.Return = math.MaxInt64
	default:
		for i, c := range a.Columns {
			if len(a.Rows) == 0 {
				break
			}
			switch cell := a.Rows[0][i]; {
			case c.Name == "[applied]":
				o.applied = cell.Text == "True"
			case c.Name == "v" && !cell.Null:
				o.value, _ = strconv.ParseInt(cell.Text, 10, 64)
			}
		}
	}
	op.Output = o
	r[a.Key] = append(r[a.Key], op)
}

// register is a row with one value, absent for no row.
var register = porcupine.Model{
	Init: func() any { return int64(absent) },
	Step: func(state, input, output any) (bool, any) {
		now, in, out := state.(int64), input.(Op), output.(outcome)
		if in.Kind == ReadSerial {
			return out.value == now, now
		}
		if in.Kind == Insert { // what was found, whatever had been
			return true, in.Value
		}
		next, holds := now, now == in.If || in.If == present && now != absent
		if holds {
			next = in.Value
		}
		if out.known && (out.applied != holds || !out.applied && out.value != now) {
			return false, now
		}
		return true, next
	},
	DescribeOperation: func(input, output any) string {
		in, out := input.(Op), output.(outcome)
		what := fmt.Sprintf("%d -> %d", in.If, in.Value)
		switch in.Kind {
		case ReadSerial:
			return fmt.Sprintf("read %d", out.value)
		case Insert:
			return fmt.Sprintf("begins with %d", in.Value)
		}
		switch {
		case !out.known:
			return what + " ?"
		case out.applied:
			return what + " applied"
		}
		return fmt.Sprintf("%s found %d", what, out.value)
	},
}

// check: there is an order of the operations, each between its call and its answer,
// that explains every outcome.
func (r *registers) check(p *player) {
	for key, history := range r {
		if porcupine.CheckOperationsTimeout(register, history, time.Minute) != porcupine.Illegal {
			continue
		}
		text := ""
		for _, o := range history {
			end := "…"
			if o.Return != math.MaxInt64 {
				end = strconv.FormatInt(o.Return, 10)
			}
			text += fmt.Sprintf("\n  %d to %s: %s", o.Call, end, register.DescribeOperation(o.Input, o.Output))
		}
		p.fail("linearizable", "no order explains what clients saw of register %d (-1: no row):%s", key, text)
	}
}

// settle begins anew where a part of the registers was lost: with what all replicas
// have now, as if one had written it.
func (r *registers) settle(p *player) {
	if !p.broken.registers || p.script.Rough {
		return
	}
	p.broken.registers = false
	for key := range r {
		a := p.understand(Op{Kind: Insert, Key: key, Value: absent}, p.own(p.endpoints("lwt", key)[0], fmt.Sprintf("SELECT v FROM ks.lwt WHERE k = %d", key)))
		if len(a.Rows) > 0 {
			a.Value, _ = strconv.ParseInt(a.Rows[0][0].Text, 10, 64)
		}
		r.add(p, a)
	}
}
