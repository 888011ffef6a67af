// Package classic is cassandra-cli as a client of a lab: it runs statements of
// the classic language as the operations of Thrift and prints what they gave, in
// the words of 2.1.
package classic

import (
	"errors"
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// Client is what one client of the language remembers between its statements.
type Client struct {
	core   *session.Core
	alone  bool              // a connection was refused, and none made since
	spaces map[string]*space // what it knows of keyspaces, by name
	keys   map[string]*types.Comparator
	// assumed are the classes that assume gave, by element.
	assumed map[assumption]map[string]*types.Comparator
}

// space is a keyspace as the client has seen it last, with what it has learned
// of its column families since.
type space struct {
	keyspace *schema.Keyspace
	families map[string]*known
	assumed  bool // assumptions hold
}

// known is what a client believes of a column family: its definition, changed by
// assume and by functions on values.
type known struct {
	name       string
	view       *bind.View
	comparator *types.Comparator
	sub        *types.Comparator
	value      *types.Comparator
	learned    map[string]*types.Comparator // by name of the column
}

// New makes a client of the lab that has no keyspace yet.
func New(core *session.Core) *Client {
	return &Client{core: core, spaces: map[string]*space{}, keys: map[string]*types.Comparator{},
		assumed: map[assumption]map[string]*types.Comparator{}}
}

// run is one statement on its way.
type run struct {
	*Client
	text    string
	out     strings.Builder
	ans     *answer.Answer
	latency int64
	columns []answer.Column
	rows    [][]answer.Cell
}

// complaint is an error of the client itself: nothing was sent.
type complaint string

func (c complaint) Error() string { return string(c) }

func complain(format string, args ...any) error { return complaint(fmt.Sprintf(format, args...)) }

// said is a refusal that the client prints where it prints results.
type said string

func (s said) Error() string { return string(s) }

// Do runs one statement and gives its answer.
func (c *Client) Do(text string) *answer.Answer {
	r := &run{Client: c, text: text, ans: &answer.Answer{AtMicros: int64(c.core.Cluster.Now())}}
	st, err := thrift.Parse(Joined(text))
	if err == nil {
		err = r.statement(st)
	}
	return r.finish(err)
}

// Joined is a statement as the client sends it: its lines trimmed, one after the
// other, without lines that are comments.
func Joined(text string) string {
	lines := strings.Split(text, "\n")
	out := lines[:0]
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "--") {
			out = append(out, l)
		}
	}
	return strings.Join(out, " ")
}

// finish makes the answer.
func (r *run) finish(err error) *answer.Answer {
	a := r.ans
	a.Statement = r.text
	if words, is := err.(said); is {
		r.line("%s", string(words))
		err = nil
	}
	if a.Cli == nil {
		a.Cli = &answer.Transcript{}
	}
	a.Cli.Out = r.out.String()
	switch {
	case a.Error != nil:
	case err == nil:
		a.Columns, a.Rows = r.columns, r.rows
		if a.Columns == nil {
			a.Message = strings.TrimSuffix(a.Cli.Out, "\n")
		}
	default:
		a.Error = refusal(err)
	}
	if a.Error != nil {
		a.Columns, a.Rows, a.Message = nil, nil, ""
	}
	return a
}

// refusal is an error of the client as an answer carries it.
func refusal(err error) *answer.Error {
	var syntax *thrift.SyntaxError
	var refused *plan.Error
	switch {
	case errors.As(err, &syntax):
		return &answer.Error{Code: plan.SyntaxErr.String(), Name: plan.SyntaxErr.Name(), Message: err.Error(), Bare: true}
	case errors.As(err, &refused):
		return &answer.Error{Code: refused.Code.String(), Name: refused.Code.Name(), Message: refused.Message, Bare: true}
	}
	return &answer.Error{Name: "CliError", Message: err.Error(), Bare: true}
}

func (r *run) line(format string, args ...any) {
	fmt.Fprintf(&r.out, format, args...)
	r.out.WriteByte('\n')
}

// warn prints a line where errors go, although the statement goes on.
func (r *run) warn(lines ...string) {
	if r.ans.Cli == nil {
		r.ans.Cli = &answer.Transcript{}
	}
	r.ans.Cli.Err += strings.Join(lines, "\n") + "\n"
}

// elapsed prints how long the statement took on the virtual clock.
// Source: Cassandra 2.1 CliClient.elapsedTime.
func (r *run) elapsed() {
	ms := float64(r.latency) / 1000
	if ms < 10 {
		r.line("Elapsed time: %.2f msec(s).", ms)
		return
	}
	r.line("Elapsed time: %.0f msec(s).", ms)
}

// sent takes over what an operation gave; the error is why it failed.
func (r *run) sent(a *answer.Answer) error {
	cli, at := r.ans.Cli, r.ans.AtMicros
	r.latency += a.Latency
	r.ans = a
	a.Cli, a.AtMicros, a.Latency = cli, at, r.latency
	if a.Error != nil {
		e := *a.Error
		e.Bare = true
		switch e.Name {
		case "Unavailable", "WriteTimeout", "ReadTimeout": // their classes have no message
			e.Client = "null"
		}
		a.Error = &e
		return complaint(e.Message)
	}
	return nil
}

// env is what operations are checked against.
func (r *run) env() *bind.Env { return r.core.ClassicEnv() }

// write runs a plan that writes.
func (r *run) write(p plan.Plan, err error) error {
	if err != nil {
		return err
	}
	return r.sent(r.core.RunPlan(r.text, p))
}

// read runs a plan that reads.
func (r *run) read(p *plan.CellRead, err error) ([]session.CellRow, error) {
	if err != nil {
		return nil, err
	}
	a, rows := r.core.ReadCells(r.text, p)
	if err := r.sent(a); err != nil || p.Scan == nil {
		return rows, err
	}
	return rows, p.Scan.Fails
}

// needsServer says whether a statement is of use only with a connection.
func needsServer(st thrift.Statement) bool {
	switch s := st.(type) {
	case *thrift.Connect, *thrift.Help, *thrift.Unknown:
		return false
	case thrift.Simple:
		return s != thrift.Nothing && s != thrift.Exit
	}
	return true
}

// statement runs one statement.
func (r *run) statement(st thrift.Statement) error {
	if r.alone && needsServer(st) {
		return complaint("Not connected to a cassandra instance.")
	}
	switch s := st.(type) {
	case thrift.Simple:
		return r.simple(s)
	case *thrift.Get:
		return r.get(s)
	case *thrift.GetWhere:
		return r.getWhere(s)
	case *thrift.Set:
		return r.set(s)
	case *thrift.Count:
		return r.count(s)
	case *thrift.Del:
		return r.del(s)
	case *thrift.Incr:
		return r.incr(s)
	case *thrift.List:
		return r.list(s)
	case *thrift.Truncate:
		return r.truncate(s)
	case *thrift.Assume:
		return r.assume(s)
	case *thrift.ConsistencyLevel:
		return r.level(s)
	case *thrift.Use:
		return r.use(s)
	case *thrift.Connect:
		return r.connect(s)
	case *thrift.Describe:
		return r.describe(s)
	case *thrift.ShowSchema:
		return r.showSchema(s)
	case *thrift.Help:
		return r.help(s)
	case *thrift.CreateKeyspace:
		return r.createKeyspace(s)
	case *thrift.CreateFamily:
		return r.createFamily(s)
	case *thrift.DropKeyspace:
		return r.dropKeyspace(s)
	case *thrift.DropFamily:
		return r.dropFamily(s)
	case *thrift.DropIndex:
		return r.dropIndex(s)
	case *thrift.Unknown:
		return complain("Invalid Statement (Type: %d)", s.Type)
	}
	return complain("ringlab does not support %T", st)
}
