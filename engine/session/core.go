// Package session is a lab between its text and its ring: clients with their
// keyspace, level and coordinator, statements from text to answer, and blocks
// of statements in flight at once.
package session

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
)

// Core is one lab: a ring and the sessions on it.
type Core struct {
	Cluster *cluster.Cluster
	Spec    RingSpec
	Epoch   int64 // Unix seconds at virtual time 0

	Clients  map[string]*Client // by name; "" is the default client
	Current  *Client
	Last     *answer.Answer // of the last statement or command, for :expect
	ForceTrc bool           // trace every statement
	Raw      bool           // answers carry the bytes of their values
	Recorder *Recorder      // nil unless somebody looks at operations
	events   *eventLog      // nil unless events are kept
	Together *Together      // not nil between :together and :end
	steps    *steps         // of a statement of the block that is made of operations one after the other
	Notes    []string
	Native   Native // where drivers reach the nodes
	Roles    *access.Roles

	traced []*Session // the last traced operations, oldest first

	prepared map[int]*statements // by node, of requests

	paged *pagedQuery // what `:more` goes on with

	hand Hand // the last read of single rows

	desks []*desk // by coordinator

	repeated repeated
	lists    uint64
	lower    Lowerer
}

// Client is one client of the ring.
type Client struct {
	Name     string
	DC       string // coordinators are taken from here; "" = the first data center
	Node     int    // pinned coordinator, -1 = none
	CL       plan.Consistency
	Serial   plan.Consistency
	Skew     int64  // µs its clock is ahead
	User     string // the role as which it acts where roles matter, "" for the first superuser
	Keyspace string
	Tracing  bool
	Expand   bool
	Paging   bool
	PageSize int

	link     *Link // of a driver's connection, nil if that has not said
	requests int   // of a driver's connection
	warned   bool  // of prepared statements without a keyspace, since the last USE
}

func newClient(name string) *Client {
	return &Client{Name: name, Node: -1, CL: plan.One, Serial: plan.Serial, Paging: true, PageSize: 100}
}

// New starts a lab on a ring.
func New(spec RingSpec, epoch int64) (*Core, error) {
	c := &Core{Epoch: epoch}
	if err := c.Rebuild(spec); err != nil {
		return nil, err
	}
	return c, nil
}

// Rebuild replaces the ring by a new, empty one.
func (c *Core) Rebuild(spec RingSpec) error {
	p, nodes, err := spec.Build()
	if err != nil {
		return err
	}
	ring, err := cluster.New(cluster.Options{Partitioner: p, Nodes: nodes, Seed: spec.Seed, Epoch: c.Epoch, ClassicSize: classicSize})
	if err != nil {
		return err
	}
	c.Cluster, c.Spec, c.Roles = ring, spec, access.NewRoles()
	c.Clients = map[string]*Client{"": newClient("")}
	c.Current = c.Clients[""]
	c.Together, c.Last, c.prepared, c.hand = nil, nil, nil, Hand{}
	if c.Recorder != nil {
		c.Recorder.reset(ring)
	}
	if c.events != nil {
		c.events.listen(ring)
	}
	return nil
}

// Client makes or finds a client.
func (c *Core) Client(name string) *Client {
	k := c.Clients[name]
	if k == nil {
		k = newClient(name)
		k.Keyspace = c.Clients[""].Keyspace
		c.Clients[name] = k
	}
	return k
}

// DataCenters and Nodes are the topology that replication options are checked
// against.
func (c *Core) DataCenters() []string {
	var out []string
	for _, d := range c.Cluster.Ring.Datacenters() {
		if d.Nodes > 0 { // the last node of one may have left
			out = append(out, d.Name)
		}
	}
	return out
}

// Nodes counts the nodes of a data center, of all with "".
func (c *Core) Nodes(dc string) int {
	n := 0
	for _, node := range c.Cluster.Nodes {
		if (dc == "" || node.DC == dc) && node.IsMember() {
			n++
		}
	}
	return n
}

// Coordinator is the node a client's next statement goes to: its pinned node,
// else the first live one of its data center in node order.
func (c *Core) Coordinator(k *Client) (int, error) {
	if k.Node >= 0 {
		switch n := c.Cluster.Nodes[k.Node]; {
		case k.CL == plan.NodeLocal:
		case !n.IsMember():
			return 0, fmt.Errorf("client %s talks to %s, which has left the ring; `:client %s` without node= takes any", k.Name, n.Name, k.Name)
		case n.State == cluster.Joining:
			return 0, fmt.Errorf("client %s talks to %s, which is joining the ring and serves no clients yet; `:advance 60s` lets it go on", k.Name, n.Name)
		case n.Quiet:
			return 0, fmt.Errorf("client %s talks to %s, which has stopped serving clients; `:log %s` says why, `:up %s` revives it once its disk is right", k.Name, n.Name, n.Name, n.Name)
		case n.Down:
			return 0, fmt.Errorf("client %s talks to %s, which is down; `:up %s` revives it, `:client %s` without node= takes any", k.Name, n.Name, n.Name, k.Name)
		}
		return k.Node, nil
	}
	dc := k.DC
	members := c.Cluster.Members()
	if dc == "" {
		dc = members[0].DC
	}
	for _, n := range members {
		if n.DC == dc && !n.Down && !n.Quiet && n.State != cluster.Joining {
			return n.Index, nil
		}
	}
	return 0, fmt.Errorf("no node of %s is up; `:up %s` revives one", dc, members[0].Name)
}

// Statement runs one CQL statement of the current client to its end.
func (c *Core) Statement(text string) *answer.Answer {
	a, _ := c.finishStatement(func() *flight { return c.start(c.Current, text) })
	return a
}

// finishStatement begins a statement when it has reached its coordinator and
// runs it until its answer is back.
func (c *Core) finishStatement(begin func() *flight) (*answer.Answer, *flight) {
	if c.steps != nil {
		return c.steps.next(begin)
	}
	at := c.Cluster.Now()
	c.Cluster.Advance(at + clientDelay)
	f := begin()
	if f.op != nil {
		c.Cluster.Run(f.op)
	}
	c.Cluster.Advance(c.Cluster.Now() + clientDelay)
	a := f.end()
	a.AtMicros, a.Latency = int64(at), int64(c.Cluster.Now()-at)
	return a, f
}

// ClientDelay is clientDelay for whoever runs statements of their own.
const ClientDelay = clientDelay

// clientDelay is how long a statement and its answer are on their way between a
// client and its coordinator; modelled, like the links of a data center.
const clientDelay = 500 * sim.Microsecond

// start parses, binds and begins a statement. Refusals come back as a flight
// without an operation.
func (c *Core) start(k *Client, text string) *flight { return c.startTree(k, text, nil, nil, nil) }

// startPrepared is start for a prepared statement.
func (c *Core) startPrepared(k *Client, p *Prepared, v *Values) *flight {
	return c.startTree(k, p.Text, p.tree, &p.known, v)
}

// startTree is start for a statement that may be parsed already, tree, and may
// have values. What is checked of it is kept in known, if that is not nil.
func (c *Core) startTree(k *Client, text string, tree cql.Statement, known *bind.Known, v *Values) *flight {
	f := &flight{core: c, client: k, ans: &answer.Answer{Statement: text, AtMicros: int64(c.Cluster.Now())}}
	coord, err := c.Coordinator(k)
	if err != nil {
		f.ans.Error = &answer.Error{Name: "NoHostAvailable", Message: err.Error()}
		return f
	}
	f.ans.Coordinator = c.Cluster.Nodes[coord].Name
	if tree == nil && v == nil {
		if w := c.repeated.write(text, c, k, coord); w != nil {
			c.begin(f, w, coord)
			return f
		}
	}
	st := tree
	if st == nil {
		if st, err = parse(text); err != nil {
			f.ans.Error = refusal(err)
			f.ans.Fix = fixes(err, text)
			return f
		}
	}
	if own := c.Clients[k.Name]; own != nil && own.Keyspace != k.Keyspace {
		// The keyspace of a request alone is nothing to DESCRIBE.
		// Source: Cassandra 5.0 DescribeStatement: it is no QualifiedStatement.
		if _, ok := st.(*cql.Describe); ok {
			k.Keyspace = own.Keyspace
		}
	}
	env := c.env(k, coord)
	env.Text = text
	if v != nil {
		env.Args, env.Unset = v.Args, v.Unset
		f.stamp, f.second, f.known, f.ans.Bytes = v.Timestamp, v.Second, v.Known, v.Bytes
		if f.page = v.Page; f.page.Size > 0 {
			env.PageSize = f.page.Size
		}
	}
	p, err := known.Bind(st, env)
	if err != nil {
		f.ans.Error = refusal(err)
		_, f.ans.Error.Bare = st.(*cql.Describe)
		f.ans.Fix = fixes(err, text)
		return f
	}
	if _, ok := p.(*plan.SchemaChange); ok && c.Cluster.SchemaOf(coord) != c.Cluster.Schema {
		// The coordinator has missed changes: its own is made on top of the newest.
		newest := *env
		newest.Schema = c.Cluster.Schema
		if p, err = bind.Bind(st, &newest); err != nil {
			f.ans.Error = refusal(err)
			return f
		}
	}
	if tree == nil && v == nil {
		c.repeated.learn(text, st, p, env)
	}
	c.begin(f, p, coord)
	return f
}

// maxMessage is how long a message between a client and a node may be.
// Source: Cassandra 5.0 Config.native_transport_max_message_size, CQLMessageHandler.
const maxMessage = 4 << 20

// aroundText is what stands beside the text of a statement in a message of
// protocol 5: its length, the level, the flags and the client's timestamp.
const aroundText = 4 + 2 + 4 + 8

// parse reads a statement that a client has sent.
func parse(text string) (cql.Statement, error) {
	if size := len(text) + aroundText; size > maxMessage {
		return nil, plan.Invalid("CQL Message of size %d bytes exceeds allowed maximum of %d bytes", size, maxMessage)
	}
	return cql.Parse(text)
}

// env is what a client's statement is bound against at a coordinator.
func (c *Core) env(k *Client, coord int) *bind.Env {
	e := &bind.Env{
		Schema: c.Cluster.SchemaOf(coord), Keyspace: k.Keyspace, Topology: c, Partitioner: c.Cluster.Partitioner(),
		Now: c.desk(coord).now, NewID: c.desk(coord).newID, Classic: c.Cluster.Set.Classic != "",
		Guard: c.guardOf(k, coord),
	}
	if k.Paging {
		e.PageSize = k.PageSize
	}
	return e
}

// desk is what statements at a coordinator are given: its clock, new IDs and
// names of new list cells. It is made once.
type desk struct {
	now   func() int64
	newID func() uuid.UUID
	lists func(front bool) []byte
}

func (c *Core) desk(coord int) *desk {
	for i := len(c.desks); i <= coord; i++ {
		c.desks = append(c.desks, &desk{
			now:   func() int64 { return c.Cluster.Clock(i) },
			newID: func() uuid.UUID { return c.Cluster.NewID() },
			lists: func(front bool) []byte { return c.nextList(i, front) },
		})
	}
	return c.desks[coord]
}

// begin starts a bound statement.
func (c *Core) begin(f *flight, p plan.Plan, coord int) {
	a := f.ans
	f.plan = p
	switch p := p.(type) {
	case *plan.Use:
		f.client.Keyspace = p.Keyspace
		a.Use = p.Keyspace
		if c.Recorder != nil {
			a.Verdict = "keyspace " + p.Keyspace
		}
	case *plan.SchemaChange:
		c.changeSchema(a, p, coord, c.User(f.client))
	case *plan.Describe:
		c.describe(a, p)
		if a.Bytes {
			c.pageDescribe(f, coord)
		}
		a.Within = f.client.Keyspace != ""
	case *plan.Access:
		c.access(f, p, coord)
	case *plan.Truncate:
		p.Table = p.Table.Stored()
		f.table = p.Table
		f.op = c.Cluster.Begin("truncate", coord, plan.All, f.client.Tracing || c.ForceTrc)
		c.record(f)
		c.parsed(f)
		c.Cluster.Truncate(f.op, p.Table)
	case *plan.Write:
		if p.If != nil {
			c.conditional(f, []*plan.Write{p}, false, coord)
			return
		}
		c.write(f, p, coord)
	case *plan.Batch:
		if p.Conditional {
			c.conditional(f, p.Writes, true, coord)
			return
		}
		c.batch(f, p, coord)
	case *plan.Select:
		c.read(f, p, coord)
	default:
		a.Error = refusal(plan.Unsupported(fmt.Sprintf("%T", p), "use another statement"))
	}
}

// schemaDelay is how long a schema change takes to reach every node; modelled.
const schemaDelay = 2 * sim.Millisecond

func (c *Core) changeSchema(a *answer.Answer, p *plan.SchemaChange, coord int, user string) {
	a.Warnings = p.Warnings
	if p.Event != nil {
		a.Event = &answer.SchemaChange{ChangeType: p.Event.Change, TargetType: p.Event.Target, Keyspace: p.Event.Keyspace, Name: p.Event.Name, Args: p.Event.Args}
	}
	if p.After == c.Cluster.Schema {
		if c.Recorder != nil {
			a.Verdict = "nothing to change"
		}
		return
	}
	what := ""
	if p.Event != nil {
		what = p.Event.Change + " " + p.Event.Target + " " + p.Event.Keyspace
		if p.Event.Name != "" {
			what += "." + p.Event.Name
		}
	}
	if c.Recorder != nil {
		a.Verdict = strings.ToLower(what)
	}
	if p.Event != nil {
		c.made(user, p.Event.Keyspace, c.Cluster.Schema, p.After)
	}
	c.Cluster.SetSchema(p.After, coord, what)
	c.Cluster.Advance(c.Cluster.Now() + schemaDelay)
	a.Latency = int64(schemaDelay)
}

// parsed adds the first trace events of a statement. One that was prepared by an
// earlier request is not parsed again.
// Source: Cassandra 5.0 QueryProcessor.getStatement, ExecuteMessage.execute.
func (c *Core) parsed(f *flight) {
	if f.op.Traced && !f.known {
		c.Cluster.TraceParsed(f.op, f.ans.Statement)
	}
}

// record tells the recorder that an operation begins.
func (c *Core) record(f *flight) {
	if c.Recorder != nil && !c.Recorder.muted {
		c.Recorder.began(f)
	}
}

// HintCounts says how many hints each node has made, by node name, and how many
// are stored in all.
func (c *Core) HintCounts() (created map[string]int, left int) {
	created = map[string]int{}
	for _, n := range c.Cluster.Nodes {
		for _, k := range n.Created {
			created[n.Name] += int(k)
		}
		for _, q := range n.Hints {
			left += len(q.Hints)
		}
	}
	return created, left
}

// CountHintsFromHere begins to count hints anew.
func (c *Core) CountHintsFromHere() {
	for _, n := range c.Cluster.Nodes {
		n.Created, n.Sent = map[int]int64{}, map[int]int64{}
	}
}
