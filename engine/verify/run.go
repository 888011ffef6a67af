package verify

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/script"
	"ringlab/engine/session"
	"ringlab/model/cql"
)

// Options say what is compared with what.
type Options struct {
	Target Target
	Ring   string // of the lab; "" is one with the cluster's data centers, nodes and partitioner
	Keep   bool   // leave the keyspaces on the cluster
	Out    io.Writer
	Went   func(done int) bool // asked before each statement; false stops. nil: never stops
}

// Script is one text to be run. Several run one after the other on one lab.
type Script struct{ Name, Text string }

// Outcome counts.
type Outcome struct {
	Same, Different, Left int // statements; left are those that were not sent to the cluster
}

func (o Outcome) String() string {
	return fmt.Sprintf("%d statements: %d the same, %d different, %d not compared", o.Same+o.Different+o.Left, o.Same, o.Different, o.Left)
}

// run is a comparison under way.
type run struct {
	Options
	scope
	lab     *engine.Lab
	cluster *cluster
	begun   time.Time
	stamp   int64
	outcome Outcome
	file    string
}

// Scripts compares and prints what differs. What it has made on the cluster is
// dropped at the end, whatever happens, unless it is to be kept.
func Scripts(o Options, list []Script) (out Outcome, err error) {
	c, err := connect(o.Target)
	if err != nil {
		return out, err
	}
	defer c.session.Close()
	if o.Ring == "" {
		o.Ring = c.ring
	}
	r := &run{Options: o, cluster: c, begun: time.Now()}
	random := make([]byte, 3)
	if _, err := rand.Read(random); err != nil {
		return out, err
	}
	r.prefix = "rl" + hex.EncodeToString(random) + "_"
	r.stamp = r.begun.UnixMicro()
	if r.lab, err = engine.New(engine.Options{Ring: o.Ring, Epoch: r.begun.Unix()}); err != nil {
		return out, err
	}
	fmt.Fprintf(o.Out, "ringlab (%s) and %s (Cassandra %s), whose keyspaces begin with %s\n", o.Ring, o.Target.Address, c.version, r.prefix)
	defer func() {
		if e := r.tidy(); err == nil {
			err = e
		}
	}()
	for _, s := range list {
		r.file = s.Name
		for _, it := range script.Cut(s.Text) {
			if o.Went != nil && !o.Went(r.outcome.Same+r.outcome.Different+r.outcome.Left) {
				return r.outcome, fmt.Errorf("stopped before line %d of %s", it.Line, s.Name)
			}
			if err := r.item(it); err != nil {
				return r.outcome, fmt.Errorf("%s:%d: %w", s.Name, it.Line, err)
			}
		}
	}
	return r.outcome, nil
}

// tidy drops what was made.
func (r *run) tidy() error {
	var kept []string
	for _, name := range r.created {
		real := r.prefix + name
		if slices.Contains(r.refused, name) {
			continue
		}
		if r.Keep {
			kept = append(kept, real)
			continue
		}
		if err := r.cluster.session.Query("DROP KEYSPACE IF EXISTS " + cql.QuoteName(real)).Exec(); err != nil {
			return fmt.Errorf("keyspace %s is still there: %w", real, err)
		}
	}
	if len(kept) > 0 {
		fmt.Fprintf(r.Out, "kept: %s\n", strings.Join(kept, ", "))
	}
	return nil
}

// indexTries and indexWait are how often and how long a read is put off that
// fails there alone.
const (
	indexTries = 10
	indexWait  = 300 * time.Millisecond
)

// item runs one thing of a script.
func (r *run) item(it script.Item) error {
	switch it.Kind {
	case script.Expect:
		return nil
	case script.Lab:
		if word, _, _ := strings.Cut(it.Text, " "); word != ":expect" && word != ":note" && word != ":request" && word != ":advance" {
			return r.left(it, "a lab command, which no real cluster knows")
		}
		return nil
	case script.Shell:
		word, _, _ := strings.Cut(strings.ToUpper(strings.TrimRight(it.Text, ";")), " ")
		switch word {
		case "CONSISTENCY", "SERIAL":
			r.lab.Do(it.Text) // read for every statement
			return nil
		case "DESCRIBE", "DESC":
			return r.statement(it)
		case "PAGING", "EXPAND", "TRACING":
			return nil
		}
		return r.left(it, "a command of cqlsh")
	}
	return r.statement(it)
}

// left says that something is not compared, and why.
func (r *run) left(it script.Item, why string) error {
	r.outcome.Left++
	_, err := fmt.Fprintf(r.Out, "%s:%d: not compared: %s: %s\n", r.file, it.Line, why, oneLine(it.Text))
	return err
}

// statement asks both sides.
func (r *run) statement(it script.Item) error {
	text := cql.TrimStatement(it.Text)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	client := r.lab.Core().Current
	r.stamp = max(r.stamp+1, time.Now().UnixMicro())
	s := statement{text: text, cl: client.CL, serial: client.Serial, stamp: r.stamp}
	tree, bad := cql.Parse(text)
	if bad != nil {
		return r.unreadable(it, s)
	}
	real, err := r.translate(text, tree)
	if err != nil {
		r.here(s)
		return r.left(it, err.Error())
	}
	mine := r.here(s)
	if use, ok := tree.(*cql.Use); ok {
		if mine.Error == nil {
			r.use = use.Keyspace.Text
		}
		return nil
	}
	s.text, s.keyspace = real, r.real()
	theirs, err := r.cluster.ask(s, false)
	for tries := 0; err == nil && tries < indexTries && mine.Error == nil && theirs.Error != nil && theirs.Error.Code == "0x1300"; tries++ {
		time.Sleep(indexWait) // an index that has just been made is still being built there
		theirs, err = r.cluster.ask(s, false)
	}
	if err != nil {
		return err
	}
	if made, ok := tree.(*cql.CreateKeyspace); ok {
		r.made(made.Keyspace.Text, theirs.Error)
	}
	return r.compare(it, mine, r.unprefixed(theirs))
}

// made remembers whether the cluster refused a keyspace: then there is nothing to
// be dropped.
func (r *run) made(name string, e *answer.Error) {
	at := slices.Index(r.refused, name)
	switch refused := e != nil && (e.Code == "0x2200" || e.Code == "0x2300"); {
	case refused && at < 0:
		r.refused = append(r.refused, name)
	case !refused && at >= 0:
		r.refused = slices.Delete(r.refused, at, at+1)
	}
}

// unreadable has the cluster check what ringlab takes for a syntax error. What it
// would not only check, but run, it is not sent.
func (r *run) unreadable(it script.Item, s statement) error {
	mine := r.here(s)
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s.text)), " ")
	switch word {
	case "select", "insert", "update", "delete":
	default:
		return r.left(it, "ringlab cannot read it, so nobody knows what it would touch")
	}
	s.keyspace = r.real()
	theirs, err := r.cluster.ask(s, true)
	if err != nil {
		return err
	}
	return r.compare(it, mine, theirs)
}

// here asks ringlab.
func (r *run) here(s statement) *answer.Answer {
	if to := time.Since(r.begun).Microseconds(); to > r.lab.Now() {
		r.lab.Advance(to)
	}
	clock := time.Now().UnixMicro() - r.begun.Unix()*1000000
	out := r.lab.Request(&session.Request{Client: "verify", Verb: session.Query, Text: s.text, CL: s.cl, Serial: s.serial, Time: &s.stamp, Clock: &clock})
	session.Show(out.Answer)
	return out.Answer
}

// unprefixed is what the cluster says, in the words of the script.
func (r *run) unprefixed(a *answer.Answer) *answer.Answer {
	if a.Error != nil {
		a.Error.Message = r.plain(a.Error.Message)
	}
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w string) bool { return strings.HasPrefix(w, "`USE <keyspace>` with prepared statements") }) // it is the driver that prepares
	for i := range a.Warnings {
		a.Warnings[i] = r.plain(a.Warnings[i])
	}
	for _, row := range a.Rows {
		for i := range row {
			row[i].Text = r.plain(row[i].Text)
		}
	}
	return a
}

// oneLine is the beginning of a text on one line.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 100 {
		return string(r[:99]) + "…"
	}
	return text
}
