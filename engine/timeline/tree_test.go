package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/answer"
)

// naive is a branch as the numbers of its entries, one by one.
type naive struct {
	path []uint64
	at   int
}

// TestTreeIsListsOfNumbers: paths as spans are what plain lists are, whatever is
// appended, undone, begun and left.
func TestTreeIsListsOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, model, kinds := New(), map[string]*naive{Main: {}}, []Kind{}
		current := Main
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{Main, "b", "c", "d"}).Draw(t, "branch")
			m := model[name]
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0: // a move, legal or not
				at := rapid.Uint64Range(0, 12).Draw(t, "at")
				err := tree.Step(Step{To: name, At: at, Clock: 7})
				if legal := m != nil && at <= uint64(len(m.path)); legal != (err == nil) {
					t.Fatalf("a move to %d of %s: %v", at, name, err)
				}
				if err == nil {
					current, m.at, kinds = name, int(at), append(kinds, Move)
				}
			case 1: // a branch, in a legal way or not
				from := rapid.SampledFrom([]string{Main, "b", ""}).Draw(t, "from")
				at := rapid.Uint64Range(0, 12).Draw(t, "at")
				stay := rapid.Bool().Draw(t, "stay")
				parent := model[from]
				legal := m == nil && (from == "" && at == 0 || parent != nil && at <= uint64(len(parent.path)))
				if err := tree.Step(Step{To: name, At: at, Begin: true, From: from, Stay: stay}); legal != (err == nil) {
					t.Fatalf("branch %s of %s at %d: %v", name, from, at, err)
				}
				if legal {
					n := &naive{at: int(at)}
					if parent != nil {
						n.path = slices.Clone(parent.path[:at])
					}
					model[name], kinds = n, append(kinds, Move)
					if !stay {
						current = name
					}
				}
			default:
				k := rapid.SampledFrom([]Kind{Command, Idle, Check, Command}).Draw(t, "kind")
				if err := tree.Append(name, k); (m != nil) != (err == nil) {
					t.Fatal(err)
				}
				if m != nil {
					kinds = append(kinds, k)
					m.path = append(m.path[:m.at:m.at], uint64(len(kinds)))
					m.at++
				}
			}
			if tree.Current().Name != current || tree.Len() != uint64(len(kinds)) {
				t.Fatalf("on %s with %d entries, not on %s with %d", tree.Current().Name, tree.Len(), current, len(kinds))
			}
			for name, m := range model {
				compare(t, tree, tree.Find(name), m, kinds)
			}
		}
	})
}

func compare(t *rapid.T, tree *Tree, b *Branch, m *naive, kinds []Kind) {
	var path []uint64
	commands, points := 0, []int{0} // places behind so many commands
	for i := range m.path {
		path = append(path, b.Number(uint64(i+1)))
		switch k := kinds[m.path[i]-1]; {
		case k == Command:
			points = append(points, i+1)
		case k == Check && len(points) > 1 && points[len(points)-1] == i:
			points[len(points)-1] = i + 1
		}
		if i < m.at && kinds[m.path[i]-1] == Command {
			commands++
		}
	}
	if !slices.Equal(path, m.path) || b.At != uint64(m.at) || b.DoneCommands() != commands || Count(b.Done()) != uint64(m.at) {
		t.Fatalf("%s is %v at %d with %d commands, not %v at %d with %d", b.Name, path, b.At, b.DoneCommands(), m.path, m.at, commands)
	}
	for n, want := range points[1:] {
		if at, ok := tree.Point(b, n+1); !ok || at != uint64(want) {
			t.Fatalf("%s: behind %d commands is %d, not %d", b.Name, n+1, at, want)
		}
	}
	if _, ok := tree.Point(b, len(points)); ok {
		t.Fatalf("%s has a point behind %d commands", b.Name, len(points))
	}
	if at, last, ok := tree.Back(b); ok != (commands > 0) || ok && (kinds[b.Number(last)-1] != Command || at >= last || last > b.At) {
		t.Fatalf("%s: back from %d is %d, %d, %t", b.Name, b.At, at, last, ok)
	}
	if at, next, ok := tree.Forth(b); ok != (commands < len(points)-1) || ok && (kinds[b.Number(next)-1] != Command || next <= b.At || at < next || at > b.Len()) {
		t.Fatalf("%s: forth from %d is %d, %d, %t", b.Name, b.At, at, next, ok)
	}
}

func TestCommonIsThePrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := func(name string) (out []Span, numbers []uint64) {
			next := uint64(1)
			for range rapid.IntRange(0, 4).Draw(t, name) {
				from := next + rapid.Uint64Range(0, 1).Draw(t, "gap")
				to := from + rapid.Uint64Range(0, 3).Draw(t, "length")
				if last := len(out) - 1; last >= 0 && out[last].To+1 == from {
					out[last].To = to // as a tree joins them
				} else {
					out = append(out, Span{from, to})
				}
				for n := from; n <= to; n++ {
					numbers = append(numbers, n)
				}
				next = to + 1
			}
			return out, numbers
		}
		a, x := spans("a")
		b, y := spans("b")
		n := 0
		for n < len(x) && n < len(y) && x[n] == y[n] {
			n++
		}
		if got := Common(a, b); got != uint64(n) {
			t.Fatalf("%v and %v share %d, not %d", a, b, got, n)
		}
	})
}

// TestAlign: each command stands in one pair, in order, with itself where both
// have it; what is common is found.
func TestAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := func(name string) (out []Outcome) {
			for _, text := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 9).Draw(t, name) {
				out = append(out, Outcome{Text: text})
			}
			return out
		}
		a, b := list("a"), list("b")
		i, j, same := 0, 0, 0
		for _, p := range Align(a, b) {
			if p.A >= 0 {
				if p.A != i {
					t.Fatalf("%v: command %d of a comes as %d", p, i, p.A)
				}
				i++
			}
			if p.B >= 0 {
				if p.B != j {
					t.Fatalf("%v: command %d of b comes as %d", p, j, p.B)
				}
				j++
			}
			if p.A >= 0 && p.B >= 0 {
				if same++; a[p.A].Text != b[p.B].Text {
					t.Fatalf("%q is paired with %q", a[p.A].Text, b[p.B].Text)
				}
			}
		}
		if i != len(a) || j != len(b) || same != longest(a, b) {
			t.Fatalf("%d of %d, %d of %d, %d of %d pairs", i, len(a), j, len(b), same, longest(a, b))
		}
	})
}

// longest is the length of the longest common subsequence, tried out.
func longest(a, b []Outcome) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0].Text == b[0].Text {
		return 1 + longest(a[1:], b[1:])
	}
	return max(longest(a[1:], b), longest(a, b[1:]))
}

// TestAlignLong: where the table would be too large, the pairs are still pairs.
func TestAlignLong(t *testing.T) {
	list := func(n, from int) (out []Outcome) {
		for i := range n {
			out = append(out, Outcome{Text: fmt.Sprint((i*7 + from) % 5000)})
		}
		return out
	}
	a, b := list(4000, 0), list(4000, 3)
	i, j, same := 0, 0, 0
	for _, p := range Align(a, b) {
		if p.A >= 0 && p.B >= 0 {
			if same++; a[p.A].Text != b[p.B].Text {
				t.Fatal("a command is paired with another one")
			}
		}
		if p.A >= 0 && p.A != i || p.B >= 0 && p.B != j {
			t.Fatal("commands come out of order")
		}
		i, j = i+min(p.A+1, 1), j+min(p.B+1, 1)
	}
	if i != len(a) || j != len(b) || same == 0 {
		t.Errorf("%d, %d, %d pairs", i, j, same)
	}
}

func TestContrast(t *testing.T) {
	rows := func(values ...string) []*answer.Answer {
		a := &answer.Answer{Columns: []answer.Column{{Name: "v"}}, Rows: [][]answer.Cell{}}
		for _, v := range values {
			a.Rows = append(a.Rows, []answer.Cell{{Text: v, Null: v == ""}})
		}
		return []*answer.Answer{a}
	}
	failed := []*answer.Answer{{Error: &answer.Error{Name: "Unavailable", Message: "Cannot achieve"}}}
	for _, c := range []struct {
		text        string
		a, b        []*answer.Answer
		left, right string
	}{
		{"SELECT", rows("x"), rows("x"), "", ""},
		{"SELECT", rows("old"), rows("new"), "old", "new"},
		{"SELECT", rows("1", "2"), rows("1"), "2 rows: 2", "1 row"},
		{"SELECT", rows("1"), rows(), "1 row: 1", "0 rows"},
		{"SELECT", rows(""), rows("1"), "null", "1"},
		{"SELECT", rows("1"), failed, "1 row: 1", "Unavailable: Cannot achieve"},
		{"INSERT", []*answer.Answer{{}}, failed, "ok", "Unavailable: Cannot achieve"},
		{":hints", []*answer.Answer{{Message: "a\nb"}}, []*answer.Answer{{Message: "a"}}, "b", "nothing more"},
		{"INSERT", []*answer.Answer{{Warnings: []string{"w"}}}, []*answer.Answer{{}}, "warning: w", "nothing more"},
		{":cli get", []*answer.Answer{{Message: "x\nElapsed time: 1 msec(s)."}}, []*answer.Answer{{Message: "x\nElapsed time: 2 msec(s)."}}, "", ""},
		{":advance 1s", []*answer.Answer{{Message: "1"}}, []*answer.Answer{{Message: "2"}}, "", ""},
		{":end", nil, rows("1"), "nothing", "1 row: 1"},
	} {
		left, right, differ := Contrast(NewOutcome(1, c.text, c.a), NewOutcome(1, c.text, c.b))
		if left != c.left || right != c.right || differ != (c.left != "") {
			t.Errorf("%s: %q and %q, %t; expected %q and %q", c.text, left, right, differ, c.left, c.right)
		}
	}
}

// FuzzStep: whatever a journal says of moves, the tree refuses it or keeps
// places that there are.
func FuzzStep(f *testing.F) {
	f.Add("main 0;b 2 begin main;c 0 begin;main 3;b 9", uint8(4))
	f.Fuzz(func(t *testing.T, moves string, entries uint8) {
		tree := New()
		for i, move := range strings.Split(moves, ";") {
			var s Step
			words := strings.Fields(move)
			for j, w := range words {
				switch {
				case j == 0:
					s.To = w
				case j == 1:
					fmt.Sscan(w, &s.At)
				case w == "begin":
					s.Begin = true
				case w == "stay":
					s.Stay = true
				default:
					s.From = w
				}
			}
			_ = tree.Step(s)
			for range entries % 7 {
				_ = tree.Append(s.To, Kind(i%3))
			}
			for _, b := range tree.Branches() {
				if b.At > b.Len() || Count(b.Done()) != b.At {
					t.Fatalf("%s is at %d of %d", b.Name, b.At, b.Len())
				}
				for p := uint64(1); p <= min(b.Len(), 100); p++ {
					if n := b.Number(p); n == 0 || n > tree.Len() {
						t.Fatalf("%s has entry %d of %d", b.Name, n, tree.Len())
					}
				}
			}
		}
	})
}
