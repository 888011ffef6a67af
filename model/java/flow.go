package java

// ctl is how a statement ended.
type ctl uint8

const (
	ctlNext ctl = iota
	ctlBreak
	ctlContinue
	ctlReturn
)

// exec is a compiled statement.
type exec func(f *frame) ctl

// target is a loop, switch or labelled statement that jumps can leave.
type target struct {
	label  string
	loop   bool
	plain  bool // a break without a label leaves it
	breaks *state
}

// state is what is known at a point of the body: which variables are assigned for
// sure, and whether it is reached at all. all stands for every variable, where
// something is never so.
type state struct {
	vars []uint64
	all  bool
	dead bool
}

func (s *state) set(slot int) {
	vars := append([]uint64(nil), s.vars...)
	for len(vars) <= slot/64 {
		vars = append(vars, 0)
	}
	vars[slot/64] |= 1 << (slot % 64)
	s.vars = vars
}

func (s state) has(slot int) bool {
	return s.all || slot/64 < len(s.vars) && s.vars[slot/64]>>(slot%64)&1 == 1
}

// meet is what holds after either of two ways.
func meet(a, b state) state {
	out := state{all: a.all && b.all, dead: a.dead && b.dead}
	switch {
	case a.all:
		out.vars = b.vars
	case b.all:
		out.vars = a.vars
	default:
		n := min(len(a.vars), len(b.vars))
		out.vars = make([]uint64, n)
		for i := range n {
			out.vars[i] = a.vars[i] & b.vars[i]
		}
	}
	return out
}

// never is the state behind a jump.
func never() state { return state{all: true, dead: true} }

// join adds a way to a point.
func (t *target) join(s state) {
	if t.breaks == nil {
		t.breaks = &s
		return
	}
	m := meet(*t.breaks, s)
	t.breaks = &m
}

// after is the state behind a statement that could be left by breaks.
func (t *target) after(s state) state {
	if t.breaks == nil {
		return s
	}
	return meet(s, *t.breaks)
}
