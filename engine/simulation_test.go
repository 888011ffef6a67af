package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// seeds are the seeds to run: RINGLAB_SEED=N runs that one, RINGLAB_SEEDS=N the
// first N, else a few.
func seeds(t *testing.T, few int) []uint64 {
	number := func(name string) (uint64, bool) {
		text := os.Getenv(name)
		n, err := strconv.ParseUint(text, 10, 63)
		if text != "" && err != nil {
			t.Fatalf("%s=%s is no number", name, text)
		}
		return n, text != ""
	}
	if n, ok := number("RINGLAB_SEED"); ok {
		return []uint64{n}
	}
	n, ok := number("RINGLAB_SEEDS")
	if !ok {
		n = uint64(few)
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i + 1)
	}
	return out
}

// line is one command of a random script, with what the checkers want to know.
type line struct {
	text string
	kind string // "write", "delete" or "read" of the register table, else ""
	key  int
	at   int64 // timestamp and value of a write
	cl   string
}

// chaos makes a random script: a ring, tables, and clients that write and read
// while nodes stop, links break, clocks go wrong and messages are lost. It
// depends on the seed alone.
type chaos struct {
	*rand.Rand
	ring    string
	nodes   int
	dcs     int
	lines   []line
	at      int64 // last timestamp of a register's write
	down    map[int]bool
	joined  int  // nodes that were told to join
	repairs bool // in the end, before everything is read at ALL
}

func newChaos(seed uint64) *chaos {
	c := &chaos{Rand: rand.New(rand.NewPCG(seed, 0)), down: map[int]bool{}}
	c.dcs = 1 + c.IntN(2)
	c.nodes = max(3+c.IntN(4), 2*c.dcs)
	var replication string
	if c.dcs == 2 {
		first := c.nodes - c.nodes/2
		replication = fmt.Sprintf("'class': 'NetworkTopologyStrategy', 'dc1': %d, 'dc2': %d", 1+c.IntN(min(3, first)), 1+c.IntN(c.nodes/2))
		c.ring = fmt.Sprintf("dc1=%d dc2=%d ", first, c.nodes/2)
	} else {
		replication = fmt.Sprintf("'class': 'SimpleStrategy', 'replication_factor': %d", 1+c.IntN(3))
		c.ring = fmt.Sprintf("dc1=%d ", c.nodes)
	}
	c.ring += fmt.Sprintf("racks=%d vnodes=%d seed=%d", 1+c.IntN(3), []int{1, 1, 4}[c.IntN(3)], seed)
	c.add("CREATE KEYSPACE ks WITH replication = {%s}", replication)
	c.add("CREATE TABLE ks.register (k int PRIMARY KEY, v bigint)")
	c.add("CREATE TABLE ks.wide (k int, c int, s text static, v int, w text, m map<int, text>, PRIMARY KEY (k, c))")
	for range 60 + c.IntN(60) {
		c.step()
	}
	c.repairs = c.IntN(2) == 0
	return c
}

func (c *chaos) add(format string, args ...any) {
	c.lines = append(c.lines, line{text: fmt.Sprintf(format, args...)})
}

func (c *chaos) node() string  { return "n" + strconv.Itoa(1+c.IntN(c.nodes)) }
func (c *chaos) level() string { return pick(c.Rand, readLevels) }

var (
	readLevels   = []string{"ONE", "TWO", "THREE", "QUORUM", "QUORUM", "QUORUM", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "EACH_QUORUM"}
	quorumLevels = []string{"QUORUM", "ALL", "EACH_QUORUM"}
)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// speak makes a client at a random node or data center speak at a level.
func (c *chaos) speak(cl string) {
	name := "c" + strconv.Itoa(c.IntN(4))
	place := ""
	switch c.IntN(4) {
	case 0:
		place = fmt.Sprintf("dc=dc%d ", 1+c.IntN(c.dcs))
	case 1, 2:
		place = "node=" + c.node() + " "
	}
	c.add(":client %s %scl=%s", name, place, cl)
	c.add(":as %s", name)
}

func (c *chaos) step() {
	switch n := c.IntN(100); {
	case n < 45:
		c.register()
	case n < 65:
		cl := c.level()
		c.speak(cl)
		c.add("%s", c.wide(cl))
	case n < 69:
		c.together()
	case n < 90:
		c.fault()
	case n < 93:
		c.change()
	default:
		c.add("%s", pick(c.Rand, []string{":flush", ":flush " + c.node(), ":compact", ":compact ks.register", ":hints", ":tablestats ks.wide", ":sstables ks.wide",
			":status", ":step", ":compactionhistory", "TRACING ON", "TRACING OFF", ":trace", ":partition ks.register 1", ":set hinted_handoff " + pick(c.Rand, []string{"on", "on", "off"})}))
	}
}

// register writes or reads one of a few registers with a timestamp of its own,
// which is its value too.
func (c *chaos) register() {
	cl := c.level()
	l := line{key: c.IntN(3), cl: cl}
	switch n := c.IntN(10); {
	case n < 4:
		l.kind = "write"
	case n < 5:
		l.kind = "delete"
	default:
		l.kind = "read"
	}
	if l.kind != "read" {
		if c.at++; c.IntN(15) == 0 {
			l.cl = "ANY"
		}
		l.at = c.at
	}
	c.speak(l.cl)
	switch l.kind {
	case "write":
		l.text = fmt.Sprintf("INSERT INTO ks.register (k, v) VALUES (%d, %d) USING TIMESTAMP %d", l.key, l.at, l.at)
	case "delete":
		l.text = fmt.Sprintf("DELETE FROM ks.register USING TIMESTAMP %d WHERE k = %d", l.at, l.key)
	default:
		l.text = fmt.Sprintf("SELECT v FROM ks.register WHERE k = %d", l.key)
	}
	c.lines = append(c.lines, l)
}

// wide is a statement on the other table, whose timestamps are the servers'.
func (c *chaos) wide(cl string) string {
	k, row := c.IntN(2), c.IntN(5)
	switch c.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("INSERT INTO ks.wide (k, c, v, w) VALUES (%d, %d, %d, 'x')", k, row, c.IntN(9))
	case 3:
		return fmt.Sprintf("INSERT INTO ks.wide (k, c, m) VALUES (%d, %d, {1: 'a', 2: 'b'}) USING TTL %d", k, row, 1+c.IntN(100))
	case 4:
		return fmt.Sprintf("UPDATE ks.wide SET v = %d, m[%d] = 'z' WHERE k = %d AND c = %d", c.IntN(9), c.IntN(3), k, row)
	case 5:
		return fmt.Sprintf("UPDATE ks.wide SET s = 's%d' WHERE k = %d", c.IntN(9), k)
	case 6:
		return fmt.Sprintf("DELETE FROM ks.wide WHERE k = %d AND c >= %d AND c < %d", k, row, row+c.IntN(3))
	case 7:
		return fmt.Sprintf("DELETE v, m[1] FROM ks.wide WHERE k = %d AND c = %d", k, row)
	case 8:
		return fmt.Sprintf("DELETE FROM ks.wide WHERE k = %d AND c = %d", k, row)
	case 9:
		if c.IntN(3) == 0 {
			return fmt.Sprintf("DELETE FROM ks.wide WHERE k = %d", k)
		}
		return "SELECT count(*) FROM ks.wide"
	case 10:
		return fmt.Sprintf("SELECT * FROM ks.wide WHERE k = %d ORDER BY c DESC LIMIT %d", k, 1+c.IntN(3))
	case 11:
		return fmt.Sprintf("SELECT * FROM ks.wide LIMIT %d", 1+c.IntN(6))
	case 12:
		return "SELECT k, c, v FROM ks.wide WHERE k IN (0, 1)"
	}
	return fmt.Sprintf("SELECT * FROM ks.wide WHERE k = %d AND c > %d", k, row)
}

func (c *chaos) together() {
	c.add(":together")
	for range 1 + c.IntN(4) {
		cl := c.level()
		c.speak(cl)
		s := c.wide(cl)
		if c.IntN(3) == 0 {
			s = fmt.Sprintf(":at +%dms %s", c.IntN(30), s)
		}
		c.add("%s", s)
	}
	c.add(":end")
}

func (c *chaos) fault() {
	n := 1 + c.IntN(c.nodes)
	how := pick(c.Rand, []string{"", "", " undetected", " undetectable"})
	switch c.IntN(12) {
	case 0, 1:
		if c.down[n] {
			c.add(":up n%d%s", n, strings.Replace(how, "undetectable", "", 1))
			c.down[n] = false
		} else if len(c.downs()) < c.nodes-1 {
			c.add(":down n%d%s", n, how)
			c.down[n] = true
		}
	case 2:
		for _, d := range c.downs() {
			c.add(":up n%d", d)
			c.down[d] = false
		}
	case 3:
		c.add(":cut %s %s %s%s", c.node(), pick(c.Rand, []string{"|", "|", ">"}), c.node(), how)
	case 4, 5:
		c.add(":heal%s", pick(c.Rand, []string{"", " undetected"}))
	case 6:
		c.add(":pause n%d %s", n, pick(c.Rand, []string{"200ms", "3s", "30s"}))
	case 7:
		c.add(":skew n%d %s", n, pick(c.Rand, []string{"+3s", "-2s", "0s", "+1h"}))
	case 8:
		c.add(":loss %s %s %s", c.node(), c.node(), pick(c.Rand, []string{"1/5", "1/2", "0", "1"}))
	case 9:
		c.add(":latency %s %s %s", c.node(), c.node(), pick(c.Rand, []string{"5ms±5ms", "1ms", "700ms±100ms"}))
	case 10:
		c.add(":slow n%d %s", n, pick(c.Rand, []string{"1x", "10x", "1000x"}))
	default:
		c.add(":advance %s", pick(c.Rand, []string{"10ms", "3s", "15s", "1m", "20m"}))
	}
}

// change changes the ring, or repairs it. Only nodes that have joined leave again: the
// script's faults are about those that it began with.
func (c *chaos) change() {
	how := pick(c.Rand, []string{"", " background"})
	switch n := c.IntN(6); {
	case n < 2:
		c.joined++
		c.add(":bootstrap x%d dc=dc%d%s", c.joined, 1+c.IntN(c.dcs), how)
	case n == 2 && c.joined > 0:
		c.add(":decommission x%d force%s", 1+c.IntN(c.joined), how)
	case n == 3:
		c.add(":cleanup %s", c.node())
	default:
		c.add(":repair %s", pick(c.Rand, []string{"ks", "ks full", "ks.register", c.node() + " ks.wide full"}))
	}
}

func (c *chaos) downs() []int {
	var out []int
	for n := range c.nodes {
		if c.down[n+1] {
			out = append(out, n+1)
		}
	}
	return out
}

// calm ends every fault and lets the hints arrive.
func (c *chaos) calm() []string {
	out := []string{":as", ":heal", ":set hinted_handoff on"}
	for _, d := range c.downs() {
		out = append(out, fmt.Sprintf(":up n%d", d))
	}
	for n := range c.nodes {
		out = append(out, fmt.Sprintf(":skew n%d 0s", n+1), fmt.Sprintf(":slow n%d 1x", n+1))
		for m := range n {
			out = append(out, fmt.Sprintf(":loss n%d n%d 0", n+1, m+1), fmt.Sprintf(":latency n%d n%d 1ms", n+1, m+1))
		}
	}
	return append(out, ":advance 3h") // a clock may have been an hour ahead when it wrote a TTL
}

// trial is one lab that plays a script, watched by the checkers.
type trial struct {
	t      *testing.T
	seed   uint64
	lab    *engine.Lab
	now    int64
	json   bytes.Buffer // everything that was answered
	events []string
	block  []string // statements of the open :together
	past   []string
	state  [3]register
}

// register is what is known of one register's fate.
type register struct {
	quorum  int64 // newest write that a quorum has acknowledged, or that a read at a quorum has shown
	acked   int64 // newest write that any replica has acknowledged
	maybe   map[int64]bool
	deletes map[int64]bool
	never   map[int64]bool // refused before anything was sent
}

func newTrial(t *testing.T, seed uint64, ring string) *trial {
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		t.Fatalf("seed %d: %s: %v", seed, ring, err)
	}
	r := &trial{t: t, seed: seed, lab: lab}
	for i := range r.state {
		r.state[i] = register{maybe: map[int64]bool{}, deletes: map[int64]bool{}, never: map[int64]bool{}}
	}
	return r
}

func (r *trial) fail(format string, args ...any) {
	r.t.Helper()
	r.t.Fatalf("seed %d (RINGLAB_SEED=%d runs it alone): %s\nring %s\n%s", r.seed, r.seed, fmt.Sprintf(format, args...), r.lab.Ring(), strings.Join(r.past, "\n"))
}

// do runs a command and checks what holds for every answer.
func (r *trial) do(l line) []*answer.Answer {
	r.past = append(r.past, l.text)
	before := r.lab.Now()
	out := r.lab.Do(l.text)
	if r.lab.Now() < before || before < r.now {
		r.fail("time went back from %d to %d", before, r.lab.Now())
	}
	r.now = r.lab.Now()
	for i, a := range out {
		r.json.Write(render.JSON(a, true, false))
		r.events = append(r.events, a.Events...)
		if a.AtMicros+a.Latency > r.now || a.AtMicros < 0 || a.Latency < 0 {
			r.fail("answer %d from %d took %d and ended after now, %d", i+1, a.AtMicros, a.Latency, r.now)
		}
		if a.Error != nil {
			r.sound(a)
		}
	}
	r.order(l.text, out)
	if len(out) > 0 {
		r.judge(l, out[len(out)-1])
	}
	return out
}

// order checks that a block's answers come in the order of the script.
func (r *trial) order(text string, out []*answer.Answer) {
	switch {
	case text == ":together":
		r.block = []string{}
	case text == ":end":
		var got []string
		for _, a := range out[:len(out)-1] {
			got = append(got, a.Statement)
		}
		if !slices.Equal(got, r.block) {
			r.fail("the block answers %q, its statements are %q", got, r.block)
		}
		r.block = nil
	case r.block != nil && !strings.HasPrefix(text, ":client") && !strings.HasPrefix(text, ":as"):
		if rest, ok := strings.CutPrefix(text, ":at "); ok {
			_, text, _ = strings.Cut(rest, " ")
		}
		if r.block = append(r.block, text); len(out) > 0 {
			r.fail("a statement of a block was answered before its end")
		}
	}
}

// sound checks that an error's fields fit together.
func (r *trial) sound(a *answer.Answer) {
	e := a.Error
	bad := func(why string) { r.fail("%s: %s; %s", a.Statement, render.Error(e), why) }
	if e.Definite == nil && strings.HasPrefix(e.Code, "0x") {
		bad("it does not say whether the work may have happened")
	}
	switch e.Name {
	case "Unavailable":
		pending := e.Consistency == "LOCAL_ONE" // it leaves out the replicas to come that it waits for too, as a real node does
		if e.Required == nil || e.Alive == nil || *e.Required < 1 || *e.Alive < 0 || *e.Alive >= *e.Required && !pending || !*e.Definite {
			bad("alive is less than required, and nothing was sent")
		}
	case "WriteTimeout":
		if e.Received == nil || e.BlockFor == nil || *e.Received < 0 || *e.Received >= *e.BlockFor || *e.Definite || e.WriteType == "" {
			bad("fewer came than were waited for, and the write may have happened")
		}
	case "ReadTimeout":
		if e.Received == nil || e.BlockFor == nil || e.DataPresent == nil || *e.Received < 0 || *e.DataPresent && *e.Received >= *e.BlockFor {
			bad("with data, fewer came than were waited for")
		}
	case "NoHostAvailable", "CommandError", "InvalidRequest":
	default:
		bad("nothing in these scripts should fail like that")
	}
}

func atQuorum(cl string) bool { return slices.Contains(quorumLevels, cl) }

// judge follows the registers: what must, may and must not be seen.
func (r *trial) judge(l line, a *answer.Answer) {
	if l.kind == "" || r.block != nil {
		return
	}
	s := &r.state[l.key]
	if l.kind != "read" {
		switch {
		case a.Error != nil && (a.Error.Name == "Unavailable" || a.Error.Name == "NoHostAvailable"):
			s.never[l.at] = true
			return
		case a.Error == nil && l.cl != "ANY":
			s.acked = max(s.acked, l.at)
			if atQuorum(l.cl) {
				s.quorum = max(s.quorum, l.at)
			}
		}
		if l.kind == "delete" {
			s.deletes[l.at] = true
		} else {
			s.maybe[l.at] = true
		}
		return
	}
	if a.Error != nil {
		return
	}
	floor := int64(0)
	if atQuorum(l.cl) {
		floor = s.quorum
	}
	seen := r.value(l.key, a, floor)
	if atQuorum(l.cl) {
		s.quorum = max(s.quorum, seen)
	}
}

// value checks one read of a register, which may not be older than floor, and
// gives the timestamp of what it saw: 0 for nothing that is known exactly.
func (r *trial) value(key int, a *answer.Answer, floor int64) int64 {
	s := &r.state[key]
	if len(a.Rows) == 0 {
		for d := range s.deletes {
			if d >= floor {
				return 0
			}
		}
		if floor > 0 {
			r.fail("register %d is empty, but write %d was acknowledged and nothing newer deleted it", key, floor)
		}
		return 0
	}
	at, err := strconv.ParseInt(a.Rows[0][0].Text, 10, 64)
	switch {
	case err != nil || !s.maybe[at]:
		r.fail("register %d is %s, which nobody wrote (refused before anything was sent: %v)", key, a.Rows[0][0].Text, s.never[at])
	case at < floor:
		r.fail("register %d is %d, but %d was acknowledged before", key, at, floor)
	}
	return at
}

// converge checks, once all faults are over, that reads at ALL make the replicas
// equal and that nothing acknowledged is missing and nothing deleted is back.
func (r *trial) converge(c *chaos) {
	for _, text := range c.calm() {
		for _, a := range r.do(line{text: text}) {
			if a.Error != nil {
				r.fail("%s: %s", text, a.Error.Message)
			}
		}
	}
	read := func(text string) *answer.Answer {
		out := r.do(line{text: text})
		if a := out[len(out)-1]; a.Error == nil {
			return a
		}
		r.fail("%s: %s", text, out[len(out)-1].Error.Message)
		return nil
	}
	own := func(stage, table, query string, key int, want string) {
		for _, row := range read(fmt.Sprintf(":getendpoints ks %s %d", table, key)).Rows {
			read(fmt.Sprintf(":client own node=%s cl=NODE_LOCAL", row[0].Text))
			read(":as own")
			if got := render.Table(read(query), false); got != want {
				r.fail("%s, %s has\n%sof what a read at ALL gave:\n%s", stage, row[0].Text, got, want)
			}
		}
	}
	if c.repairs { // a repair does what reads at ALL do
		read(":repair ks full")
		c.eachKey(func(table, query string, key int) {
			want := ""
			for i, row := range read(fmt.Sprintf(":getendpoints ks %s %d", table, key)).Rows {
				read(fmt.Sprintf(":client own node=%s cl=NODE_LOCAL", row[0].Text))
				read(":as own")
				got := render.Table(read(query), false)
				if i == 0 {
					want = got
				} else if got != want {
					r.fail("after a repair %s has\n%sof what the first replica has:\n%s", row[0].Text, got, want)
				}
			}
		})
	}
	wants := map[string]string{}
	c.eachKey(func(table, query string, key int) {
		read(":client calm cl=ALL")
		read(":as calm")
		first := read(query)
		if table == "register" {
			values := *first
			values.Rows = nil
			for _, row := range first.Rows {
				values.Rows = append(values.Rows, row[1:])
			}
			r.value(key, &values, r.state[key].acked)
		}
		wants[query] = render.Table(read(query), false)
		own("after reads at ALL", table, query, key, wants[query])
	})
	// Behind gc_grace the tombstones go; what they deleted stays gone.
	for _, text := range []string{":flush", ":advance 11d", ":compact"} {
		read(text)
	}
	c.eachKey(func(table, query string, key int) { own("after gc_grace", table, query, key, wants[query]) })
}

// eachKey visits every key of both tables with the query that reads it.
func (c *chaos) eachKey(visit func(table, query string, key int)) {
	for _, table := range []string{"register", "wide"} {
		for key := range len(trial{}.state) {
			visit(table, fmt.Sprintf("SELECT * FROM ks.%s WHERE k = %d", table, key), key)
		}
	}
}

// play runs a whole script.
func (c *chaos) play(t *testing.T, seed uint64, watch func(*engine.Lab)) *trial {
	r := newTrial(t, seed, c.ring)
	if watch != nil {
		watch(r.lab)
	}
	for _, l := range c.lines {
		r.do(l)
	}
	r.converge(c)
	return r
}

// TestSimulation plays random scripts. Every answer is checked while they run;
// then each is played again, watched in every way there is, which must not
// change a byte of the answers, and gives the same events each time.
func TestSimulation(t *testing.T) {
	list := seeds(t, 25)
	for _, seed := range list {
		c := newChaos(seed)
		plain := c.play(t, seed, nil)
		heard := c.play(t, seed, func(l *engine.Lab) { l.Events() })
		watched := c.play(t, seed, func(l *engine.Lab) { l.Record(); l.Events() })
		for what, other := range map[string]*trial{"listening": heard, "recording": watched} {
			if d := firstDifference(plain.json.String(), other.json.String()); d != "" {
				plain.fail("%s changes an answer: %s", what, d)
			}
		}
		if d := firstDifference(strings.Join(heard.events, "\n"), strings.Join(watched.events, "\n")); d != "" {
			plain.fail("the events of two runs differ: %s", d)
		}
		if len(heard.events) == 0 {
			plain.fail("nothing was heard")
		}
	}
	t.Logf("simulation: %d seeds", len(list))
}

// firstDifference names the first line in which two texts differ.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return "only the second has " + y[i]
		case i >= len(y):
			return "only the first has " + x[i]
		case x[i] != y[i]:
			return x[i] + "\n  and " + y[i]
		}
	}
	return ""
}
