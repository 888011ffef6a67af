package cql

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A grammar is read from testdata/grammar.txt and gives random statements.
type grammar map[string]*production

// production is a choice of sequences.
type production struct {
	choices []sequence
	taken   []int // how often each was
	height  int   // of the lowest tree that it has
}

type sequence []part

// part is a word or symbol, a rule or a group, perhaps optional or repeated.
type part struct {
	text   string      // of a word or symbol
	rule   string      // of a rule
	group  *production // of a group
	repeat byte        // '?', '*' or 0
}

var grammarToken = regexp.MustCompile(`'[^']+'|[A-Za-z_0-9]+|[()|?*]`)

func readGrammar(t *testing.T) grammar {
	text, err := os.ReadFile("testdata/grammar.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := grammar{}
	for line := range strings.Lines(string(text)) {
		if name, body, ok := strings.Cut(line, " = "); ok && line[0] != '#' {
			words := grammarToken.FindAllString(body, -1)
			p, rest := readProduction(words)
			if len(rest) > 0 {
				t.Fatalf("%s: %q is left over", name, rest)
			}
			g[strings.TrimSpace(name)] = p
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g {
			changed = g.measure(p) || changed
		}
	}
	return g
}

func readProduction(words []string) (*production, []string) {
	p := &production{choices: []sequence{nil}, height: 1 << 20}
	for len(words) > 0 && words[0] != ")" {
		w := words[0]
		words = words[1:]
		last := len(p.choices) - 1
		switch {
		case w == "|":
			p.choices = append(p.choices, nil)
			continue
		case w == "?" || w == "*":
			p.choices[last][len(p.choices[last])-1].repeat = w[0]
			continue
		case w == "(":
			var group *production
			group, words = readProduction(words)
			words = words[1:]
			p.choices[last] = append(p.choices[last], part{group: group})
		case w[0] == '\'':
			p.choices[last] = append(p.choices[last], part{text: w[1 : len(w)-1]})
		case w == strings.ToUpper(w):
			p.choices[last] = append(p.choices[last], part{text: w})
		default:
			p.choices[last] = append(p.choices[last], part{rule: w})
		}
	}
	p.taken = make([]int, len(p.choices))
	return p, words
}

// measure finds the height of a production from those of its parts.
func (g grammar) measure(p *production) (changed bool) {
	for _, s := range p.choices {
		if h := g.height(s); h < p.height {
			p.height, changed = h, true
		}
	}
	return changed
}

func (g grammar) height(s sequence) int {
	h := 0
	for _, x := range s {
		if x.group != nil {
			g.measure(x.group)
		}
		if x.repeat != 0 {
			continue
		}
		if x.group != nil {
			h = max(h, x.group.height)
		} else if r := g[x.rule]; r != nil {
			h = max(h, r.height)
		}
	}
	return h + 1
}

// sentences draws random sentences of a grammar.
type sentences struct {
	*rapid.T
	grammar
	words   []string
	counter int // for names that must differ
}

func (s *sentences) n(low, high int) int { return rapid.IntRange(low, high).Draw(s.T, "n") }

func (s *sentences) pick(list ...string) string { return rapid.SampledFrom(list).Draw(s.T, "word") }

func (s *sentences) say(words ...string) { s.words = append(s.words, words...) }

// expand says one choice of a production; deep down only the lowest ones.
func (s *sentences) expand(p *production, depth int) {
	var fit []int
	for i, c := range p.choices {
		if depth > 0 || s.height(c) <= p.height {
			fit = append(fit, i)
		}
	}
	i := fit[s.n(0, len(fit)-1)]
	p.taken[i]++
	for _, x := range p.choices[i] {
		times := 1
		switch x.repeat {
		case '?':
			times = s.n(0, 1)
		case '*':
			times = max(0, s.n(-1, 2))
		}
		for range times {
			switch {
			case x.text != "":
				s.say(x.text)
			case x.group != nil:
				s.expand(x.group, depth)
			case s.grammar[x.rule] != nil:
				s.expand(s.grammar[x.rule], depth-1)
			default:
				s.terminal(x.rule)
			}
		}
	}
}

// terminal says a name, a constant or what else the grammar leaves to the test.
func (s *sentences) terminal(rule string) {
	plain := func() string { return s.pick("a", "b_1", "Abc", "user_name", "x") }
	quoted := func() string { return s.pick(`"A b"`, `"q""q"`, `"select"`, `"é;"`, `"true"`, `"token"`, `"int"`) }
	switch rule {
	case "plain":
		s.say(plain())
	case "name":
		if s.n(0, 3) == 0 {
			s.say(s.pick(quoted(), "key", "ttl", "type", "count", "values", "exists", "list", "json", "expr", "text"))
			return
		}
		s.say(plain())
	case "column":
		if s.n(0, 6) == 0 {
			s.say(s.pick(`"A b"`, `"select"`, "key", "type", "expr"))
			return
		}
		s.say(plain())
	case "fresh":
		s.counter++
		s.say("fresh" + strconv.Itoa(s.counter))
	case "uname":
		s.say(s.pick("addr", "Point", `"My type"`, "key", "expr"))
	case "fname":
		s.say(s.pick("f", "Sum", "now", "count", "int", "uuid", "blob", "expr", `"F g"`, "ttl2"))
	case "native":
		s.say(s.pick("int", "text", "VARCHAR", "counter", "duration", "blob"))
	case "keyword":
		s.say(s.pick("json", "Values", "int", "TTL"))
	case "string":
		s.say(s.pick("'it''s'", "$$raw 'text'$$", "''", "'$$;--'"))
	case "integer", "natural":
		s.say(s.pick("0", "7", "007"))
	case "boolean":
		s.say(s.pick("true", "FALSE"))
	case "signed": // c = c -3
		s.say(s.pick("-3", "7"))
	case "sameColumn": // c = c, c += t: what is on both sides
		s.say("c", "=", "c")
	case "prepend":
		s.say("c", "=", s.pick("[1]", "5", "f(x())"), "+", "c")
	case "constant":
		s.say(s.pick("1", "-7", "2.", "1e5", "NaN", "-infinity", "TRUE", "0xCAfe", "0x", "550e8400-e29b-41d4-a716-446655440000", "-1mo2d", "P2W", "'it''s'", "$$x$$"))
	default:
		s.Fatalf("the grammar has no rule %s", rule)
	}
}

// refusable are refusals of statements that the grammar has: what words mean
// together, not which words stand where.
var refusable = []string{"Multiple incompatible setting of column", "Multiple definition for property"}

// TestGrammar draws statements of every production of the grammar. All are read,
// and what is printed of them reads back as the same tree.
func TestGrammar(t *testing.T) {
	g := readGrammar(t)
	read := 0
	flag.Set("rapid.checks", "20000")
	defer flag.Set("rapid.checks", "100")
	rapid.Check(t, func(t *rapid.T) {
		s := &sentences{T: t, grammar: g}
		s.expand(g["statement"], 10)
		text := strings.Join(s.words, " ")
		tree, err := Parse(text)
		if err != nil {
			if !slices.ContainsFunc(refusable, func(m string) bool { return strings.Contains(err.Error(), m) }) {
				t.Fatalf("%s\n\t%v", text, err)
			}
			return
		}
		read++
		checkRoundTrip(t, tree, text)
	})
	t.Logf("statements read and printed: %d", read)
	for name, p := range g {
		p.check(t, name)
	}
}

// check wants every choice to have been taken.
func (p *production) check(t *testing.T, name string) {
	for i, c := range p.choices {
		if p.taken[i] == 0 {
			t.Errorf("choice %d of %s was never taken", i+1, name)
		}
		for j, x := range c {
			if x.group != nil {
				x.group.check(t, fmt.Sprintf("part %d of %s", j+1, name))
			}
		}
	}
}
