package session

import (
	"github.com/google/uuid"

	"ringlab/engine/answer"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Request is what a driver asks of the node that it has dialled: one command of
// the journal, whose text is in String.
type Request struct {
	Client string // the connection: where it comes from
	Node   int    // the coordinator
	Verb   Verb

	Text     string // of Query and Prepare
	ID       []byte // of Execute
	Values   []BoundValue
	Named    bool             // Values have names
	Batch    []BatchRequest   // of Batch
	Kind     plan.BatchKind   // of Batch
	CL       plan.Consistency // of all but Prepare
	Serial   plan.Consistency // of conditional writes
	Page     Page             // Size 0: all rows at once
	Time     *int64           // write timestamp, µs; nil for none
	Second   *int64           // what TTLs are counted from, Unix seconds; nil for none
	Clock    *int64           // what the nodes' clocks say when it begins, µs since the epoch: virtual time is ahead of them; nil for none
	Keyspace string           // of this request alone, "" for that of USE
	Tracing  bool
	Link     *Link // with the first request of a connection
}

// Link is what a connection said at its start, as system_views.clients shows it.
// Source: Cassandra 5.0 StartupMessage, ClientsTable.
type Link struct {
	Protocol int             // version
	User     string          // who has logged in, "" for nobody
	Options  []schema.Option // of STARTUP, names in upper case, sorted
}

// Verb is what a request wants.
type Verb uint8

// The verbs.
const (
	Query Verb = iota
	Prepare
	Execute
	Batch
	Leave // the connection is gone
)

// BoundValue is a value that a client binds to a marker; nil bytes are null.
type BoundValue struct {
	Name  string
	Bytes []byte
	Unset bool
}

// BatchRequest is one statement of a batch: its text, or the id of a prepared one.
type BatchRequest struct {
	Text   string
	ID     []byte // nil: Text
	Values []BoundValue
}

// Reply is the answer to a request.
type Reply struct {
	*answer.Answer
	Prepared *Prepared // of Prepare and Execute
	ID       StatementID
	Plan     plan.Plan // what was done; nil for what was refused, and of Prepare
}

// Request runs a request to its end.
func (c *Core) Request(r *Request) *Reply {
	if r.Clock != nil {
		// Their time nearly stands still while the request takes its virtual time.
		c.Cluster.SetUnix(c.Epoch*1000000+*r.Clock, slowClock)
		defer func() { c.Cluster.SetUnix(0, 1) }()
	}
	out := &Reply{}
	client := c.connection(r.Client, r.Node)
	if r.Link != nil {
		client.link = r.Link
	}
	client.requests++
	settings := *client
	switch r.Verb {
	case Leave:
		delete(c.Clients, r.Client)
		out.Answer = &answer.Answer{AtMicros: int64(c.Cluster.Now())}
		return out
	case Prepare:
		c.prepareRequest(out, r, &settings)
		return out
	}
	settings.CL, settings.Serial, settings.Tracing = r.CL, r.Serial, r.Tracing
	settings.Paging, settings.PageSize = r.Page.Size > 0, r.Page.Size
	if r.Keyspace != "" {
		settings.Keyspace = r.Keyspace
	}
	current := c.Current
	c.Current = &settings
	out.Answer, _ = c.finishStatement(func() *flight {
		f := c.startRequest(out, r, &settings)
		f.request, f.bound = r, out.Prepared
		out.Plan = f.plan
		return f
	})
	c.Current = current
	if out.Use != "" {
		client.Keyspace, client.warned = out.Use, false
	}
	if r.Tracing && out.Session == "" {
		out.Session = c.sessionID(r.Node).String()
	}
	return out
}

// slowClock is how many µs a request of a driver takes while the nodes' clocks
// move by one: drivers whose own clock is real ask one after the other.
const slowClock = 1000

// connection is the client of a connection.
func (c *Core) connection(name string, node int) *Client {
	k := c.Clients[name]
	if k == nil {
		k = newClient(name)
		c.Clients[name] = k
	}
	k.Node = node
	return k
}

// sessionID names the trace of a request that never became an operation.
func (c *Core) sessionID(node int) uuid.UUID {
	return uuid.UUID(types.NewTimeUUID(types.TicksOfMillis(0)+uint64(c.Cluster.Clock(node))*10, c.Cluster.Events()^0x8080808080808080))
}

// prepareRequest checks a statement and keeps it on the node.
// Source: Cassandra 5.0 QueryProcessor.prepare.
func (c *Core) prepareRequest(out *Reply, r *Request, k *Client) {
	if r.Keyspace != "" {
		k.Keyspace = r.Keyspace
	}
	current := c.Current
	c.Current = k
	out.Prepared, out.Answer = c.Prepare(r.Text)
	c.Current = current
	out.Bytes = true
	if r.Tracing {
		c.tracePrepared(out.Answer, r.Node, r.Text)
	}
	if out.Prepared == nil {
		return
	}
	out.ID = c.keep(r.Node, out.Prepared)
	if bind.Qualified(out.Prepared.tree) {
		return
	}
	if client := c.connection(r.Client, r.Node); r.Keyspace != "" || !client.warned {
		out.Warnings = append(out.Warnings, ambiguous(k.Keyspace, out.Prepared, out.ID))
		client.warned = client.warned || r.Keyspace == ""
	}
}

// startRequest begins what a request asks for.
func (c *Core) startRequest(out *Reply, r *Request, k *Client) *flight {
	if k.link != nil {
		r.Page.legacy = k.link.Protocol < 4
	}
	v := Values{Page: r.Page, Timestamp: r.Time, Second: r.Second, Bytes: true}
	switch r.Verb {
	case Query:
		if len(r.Values) == 0 {
			return c.startTree(k, r.Text, nil, nil, &v)
		}
		tree, err := parse(r.Text)
		if err != nil {
			return c.refused(k, r.Text, err)
		}
		if err := c.bindValues(&v, tree, nil, r, k); err != nil {
			return c.refused(k, r.Text, err)
		}
		return c.startTree(k, r.Text, tree, nil, &v)
	case Execute:
		p, unknown := c.known(r.Node, r.ID)
		if unknown != nil {
			return c.refused(k, "", unknown)
		}
		out.Prepared = p
		copy(out.ID[:], r.ID)
		if _, use := p.tree.(*cql.Use); !use {
			k.Keyspace = p.Keyspace
		}
		if err := c.bindValues(&v, p.tree, p, r, k); err != nil {
			return c.refused(k, p.Text, err)
		}
		if n := bind.Markers(p.tree); n != len(v.Args) {
			return c.refused(k, p.Text, plan.Invalid("there were %d markers(?) in CQL but %d bound variables", n, len(v.Args)))
		}
		v.Known = true
		return c.startPrepared(k, p, &v)
	}
	return c.startBatch(r, k, v)
}

// refused is a flight that never begins.
func (c *Core) refused(k *Client, text string, err error) *flight {
	f := &flight{core: c, client: k, ans: &answer.Answer{Statement: text, AtMicros: int64(c.Cluster.Now()), Bytes: true}}
	f.ans.Coordinator = c.Cluster.Nodes[k.Node].Name
	f.ans.Error = refusal(err)
	f.ans.Fix = fixes(err, text)
	return f
}

// bindValues puts the values of a request into the order of the statement's
// markers; p is nil for a statement that is not prepared.
// Source: Cassandra 5.0 QueryOptions.OptionsWithNames.prepare.
func (c *Core) bindValues(v *Values, tree cql.Statement, p *Prepared, r *Request, k *Client) error {
	if !r.Named {
		v.Args, v.Unset = split(r.Values)
		if p == nil && len(v.Args) > 0 && bind.Markers(tree) == 0 {
			return plan.Invalid("Invalid amount of bind variables")
		}
		return nil
	}
	var variables []bind.Variable
	if p != nil {
		variables = p.Meta.Variables
	} else {
		meta, err := bind.Prepare(tree, c.env(k, r.Node))
		if err != nil {
			return err
		}
		if meta != nil {
			variables = meta.Variables
		}
	}
	var ordered []BoundValue
	for _, want := range variables {
		for _, have := range r.Values {
			if have.Name == want.Name {
				ordered = append(ordered, have)
				break
			}
		}
	}
	v.Args, v.Unset = split(ordered)
	return nil
}

func split(values []BoundValue) (args [][]byte, unset []bool) {
	args = make([][]byte, len(values))
	for i, v := range values {
		if args[i] = v.Bytes; v.Unset {
			if unset == nil {
				unset = make([]bool, len(values))
			}
			unset[i] = true
		}
	}
	return args, unset
}

// startBatch begins a batch of statements with values of their own.
// Source: Cassandra 5.0 BatchMessage.execute.
func (c *Core) startBatch(r *Request, k *Client, v Values) *flight {
	parts := make([]bind.Part, len(r.Batch))
	for i, s := range r.Batch {
		part := &parts[i]
		part.Keyspace = k.Keyspace
		part.Args, part.Unset = split(s.Values)
		if s.ID != nil {
			p, unknown := c.known(r.Node, s.ID)
			if unknown != nil {
				return c.refused(k, "", unknown)
			}
			part.Statement, part.Keyspace = p.tree, p.Keyspace
		} else {
			tree, err := parse(s.Text)
			if err != nil {
				return c.refused(k, s.Text, err)
			}
			part.Statement = tree
		}
		if n := bind.Markers(part.Statement); n != len(part.Args) {
			return c.refused(k, s.Text, plan.Invalid("There were %d markers(?) in CQL but %d bound variables", n, len(part.Args)))
		}
	}
	coord, err := c.Coordinator(k)
	if err != nil {
		return c.refused(k, "", err)
	}
	f := &flight{core: c, client: k, stamp: v.Timestamp, second: v.Second, known: true, ans: &answer.Answer{Statement: r.batchText(), AtMicros: int64(c.Cluster.Now()), Bytes: true}}
	f.ans.Coordinator = c.Cluster.Nodes[coord].Name
	p, err := bind.BindMessage(r.Kind, parts, c.env(k, coord))
	if err != nil {
		f.ans.Error = refusal(err)
		return f
	}
	if len(p.Writes) == 0 {
		return f
	}
	c.begin(f, p, coord)
	return f
}
