package serve

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/metrics"
	"ringlab/engine/session"
)

// client is one program that is or was connected, with all of its connections: a
// driver opens several, to every node. It belongs to the goroutine that owns the
// lab.
type client struct {
	from, driver, version string // address; what the driver says it is
	app, user             string
	conns                 int
	use
	prepared map[session.StatementID]string
	findings
}

// use is what was asked for over one connection, or over all of a client.
type use struct {
	requests  uint64 // all but PREPARE
	executes  uint64 // of a prepared statement
	plain     uint64 // statements as text
	batches   uint64
	prepares  uint64
	failed    uint64
	by        []uint64 // requests that each node coordinated
	placed    uint64   // executions for one partition that not every node holds
	local     uint64   // of those, sent to a replica
	chance    float64  // of those, how many would be by chance
	latency   metrics.Latency
	latest    int64 // virtual µs of the last request
	perSecond rate
}

// rate counts what happens a second, by the machine's clock, over the last ten.
type rate struct {
	counts [rateSeconds]uint32
	second int64 // the last one that is counted in
}

const rateSeconds = 10

func (r *rate) mark(now int64) {
	r.pass(now)
	r.counts[now%rateSeconds]++
}

func (r *rate) pass(now int64) {
	for s := max(r.second+1, now-rateSeconds+1); s <= now; s++ {
		r.counts[s%rateSeconds] = 0
	}
	r.second = max(r.second, now)
}

// each is how many a second there were, the running second left out.
func (r *rate) each(now int64) float64 {
	r.pass(now)
	n := uint32(0)
	for s := range r.counts {
		if int64(s) != now%rateSeconds {
			n += r.counts[s]
		}
	}
	return float64(n) / (rateSeconds - 1)
}

// add counts one request.
func (u *use) add(r *session.Request, out *session.Reply, a aim, now int64) {
	if r.Verb == session.Prepare {
		u.prepares++
		return
	}
	u.requests++
	switch r.Verb {
	case session.Execute:
		u.executes++
		if a.placed {
			u.placed++
			u.chance += a.share
			if a.local {
				u.local++
			}
		}
	case session.Batch:
		u.batches++
	default:
		u.plain++
	}
	if out.Error != nil {
		u.failed++
	}
	for len(u.by) <= r.Node {
		u.by = append(u.by, 0)
	}
	u.by[r.Node]++
	u.latest = out.AtMicros + out.Latency
	u.latency.Add(out.Latency, u.latest)
	u.perSecond.mark(now)
}

// guests are the clients of a server and their connections.
type guests struct {
	list  []*client
	conns []*conn // connected now, in the order of their coming
	log   func(string)
}

// mostGuests is how many clients are remembered; those that left first go first.
const mostGuests = 256

// join takes a connection that has been set up.
func (g *guests) join(c *conn) {
	say := func(key string) string { v, _ := c.options.Get(key); return v }
	at, _ := netip.ParseAddrPort(c.name)
	want := client{from: at.Addr().String(), driver: say("DRIVER_NAME"), version: say("DRIVER_VERSION"), app: say("APPLICATION_NAME"), user: c.user}
	id := say("CLIENT_ID")
	if want.app == "" && id != "" {
		want.app = id[:min(len(id), 8)]
	}
	g.conns = append(g.conns, c)
	for _, k := range g.list {
		if k.from == want.from && k.driver == want.driver && k.version == want.version && k.app == want.app && k.user == want.user {
			k.conns++
			c.client = k
			return
		}
	}
	for i := 0; len(g.list) >= mostGuests && i < len(g.list); i++ {
		if g.list[i].conns == 0 {
			g.list = slices.Delete(g.list, i, i+1)
			i--
		}
	}
	k := &want
	k.conns, k.prepared = 1, map[session.StatementID]string{}
	g.list = append(g.list, k)
	c.client = k
	g.tell("%s connects", k)
}

// leave takes one that has ended.
func (g *guests) leave(c *conn) {
	if i := slices.Index(g.conns, c); i >= 0 {
		g.conns = slices.Delete(g.conns, i, i+1)
		c.client.conns--
	}
}

// forget drops what was counted.
func (g *guests) forget() {
	g.list = slices.DeleteFunc(g.list, func(k *client) bool { return k.conns == 0 })
	for _, k := range g.list {
		k.use, k.prepared, k.findings = use{}, map[session.StatementID]string{}, findings{}
	}
	for _, c := range g.conns {
		c.use = use{}
	}
}

func (g *guests) tell(format string, args ...any) {
	if g.log != nil {
		g.log(fmt.Sprintf(format, args...))
	}
}

// String names a client for people.
func (k *client) String() string {
	name := k.program()
	if k.app != "" {
		name += " (" + k.app + ")"
	}
	if k.user != "" {
		name = k.user + ", " + name
	}
	return name + " at " + k.from
}

// program is the driver with its version, without the words that all of them
// have in their names.
func (k *client) program() string {
	name := k.driver
	for _, word := range []string{"Apache ", "DataStax ", "Cassandra ", " Driver", " for", "github.com/", "apache/"} {
		name = strings.Replace(name, word, "", 1)
	}
	if name = strings.TrimSpace(name); name == "" {
		name = "unknown"
	}
	return strings.TrimSpace(name + " " + strings.TrimPrefix(k.version, "v"))
}

// mostPrepared bounds how many statements of a client are told apart.
const mostPrepared = 65536

// count takes note of a request and its answer.
func (g *guests) count(c *conn, core *session.Core, r *session.Request, out *session.Reply) {
	k := c.client
	if k == nil {
		return
	}
	a := aimOf(core, out.Plan, r.Node)
	now := time.Now().Unix()
	if a.own { // what drivers ask for themselves
		k.perSecond.mark(now)
		c.perSecond.mark(now)
		return
	}
	k.add(r, out, a, now)
	c.add(r, out, a, now)
	for _, f := range k.look(k, r, out, a) {
		g.tell("%s: %s", k, f)
	}
	if r.Verb == session.Prepare && out.Prepared != nil && len(k.prepared) < mostPrepared {
		k.prepared[out.ID] = r.Text
	}
}

// table lists the clients, or every connection.
func (g *guests) table(core *session.Core, each bool) *answer.Answer {
	columns := []string{"driver", "conns", "req/s", "requests", "token-aware", "unprepared", "p99 ms", "failed", "prepared", "coordinators", "from"}
	now := time.Now().Unix()
	row := func(name, driver, conns string, u *use, prepared string) []string {
		return []string{driver, conns, fmt.Sprintf("%.0f", u.perSecond.each(now)), fmt.Sprint(u.requests), u.aware(), percent(u.plain, u.requests), u.slow(),
			fmt.Sprint(u.failed), prepared, shares(core, u.by), name}
	}
	var rows [][]string
	if each {
		for _, c := range g.conns {
			rows = append(rows, row(c.name, c.client.program(), c.version.String(), &c.use, fmt.Sprint(c.prepares)))
		}
		columns[1], columns[8] = "protocol", "prepares"
	} else {
		for _, k := range g.list {
			name := k.from
			for _, more := range []string{k.app, k.user} {
				if more != "" {
					name += " " + more
				}
			}
			rows = append(rows, row(name, k.program(), fmt.Sprint(k.conns), &k.use, fmt.Sprint(len(k.prepared))))
		}
	}
	if len(rows) == 0 {
		return &answer.Answer{Message: "No client is connected."}
	}
	out := answer.Table(columns, rows)
	for _, k := range g.list {
		for _, f := range k.found() {
			out.Warnings = append(out.Warnings, k.program()+" at "+k.from+": "+f)
		}
	}
	return out
}

// shares says which part of the requests each node coordinated.
func shares(core *session.Core, by []uint64) string {
	all := uint64(0)
	for _, n := range by {
		all += n
	}
	var parts []string
	for i, n := range by {
		if n > 0 && i < len(core.Cluster.Nodes) {
			parts = append(parts, core.Cluster.Name(i)+" "+percent(n, all))
		}
	}
	if len(parts) > 8 {
		parts = append(parts[:7], fmt.Sprintf("%d more", len(parts)-7))
	}
	return strings.Join(parts, " ")
}

func percent(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d%%", (n*100+of/2)/of)
}

// slow is the 99th percentile of what requests took, in virtual time.
func (u *use) slow() string {
	if u.requests == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(u.latency.Recent(u.latest).Percentile(0.99))/1000)
}

// fewPlaced is how many executions it takes to say whether they are sent to replicas.
const fewPlaced = 50

// isAware says whether requests are sent to replicas more often than by chance.
func (u *use) isAware() bool {
	return float64(u.local) >= (u.chance+float64(u.placed))/2
}

func (u *use) aware() string {
	switch share := percent(u.local, u.placed); {
	case u.placed == 0 && u.executes >= fewPlaced:
		return "any node will do"
	case u.placed < fewPlaced:
		return "-"
	case u.isAware():
		return "yes " + share
	default:
		return "no " + share
	}
}
