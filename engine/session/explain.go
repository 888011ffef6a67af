package session

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/storage"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// Explained is one line of what a statement would do: the number, and the rule
// that makes it so.
type Explained struct{ What, Value, Rule string }

// explainer collects the lines about one statement.
type explainer struct {
	core     *Core
	client   *Client
	table    *schema.Table
	coord    int
	out      []Explained
	messages int
	bytes    int
	down     map[string]bool // replicas that are believed down
}

// Explain says what a statement of the current client would do, without running
// it. The answer holds the refusal if it is not legal.
func (c *Core) Explain(text string) ([]Explained, *answer.Answer) {
	k := c.Current
	a := &answer.Answer{Statement: text}
	coord, err := c.Coordinator(k)
	if err != nil {
		a.Error = &answer.Error{Name: "NoHostAvailable", Message: err.Error()}
		return nil, a
	}
	st, err := cql.Parse(text)
	var p plan.Plan
	if err == nil {
		p, err = bind.Bind(st, c.env(k, coord))
	}
	if err != nil {
		a.Error, a.Fix = refusal(err), fixes(err, text)
		return nil, a
	}
	e := &explainer{core: c, client: k, coord: coord, down: map[string]bool{}}
	switch p := p.(type) {
	case *plan.Select:
		e.read(p)
	case *plan.Write:
		e.write([]*plan.Write{p}, "")
	case *plan.Batch:
		e.write(p.Writes, [...]string{"logged", "unlogged", "counter"}[p.Kind])
	default:
		e.line("effect", "no rows are read or written", "schema changes and commands go to every node")
	}
	return e.out, a
}

func (e *explainer) line(what, value, rule string) {
	e.out = append(e.out, Explained{what, value, rule})
}

// replicas are those of a key, the ones that are believed down marked.
func (e *explainer) replicas(t *schema.Table, key []byte) (nodes []int, text string) {
	c := e.core.Cluster
	nodes = c.Placement(t.Keyspace).Replicas(c.Partitioner().Token(key))
	names := make([]string, len(nodes))
	for i, n := range nodes {
		if names[i] = c.Nodes[n].Name; !c.Alive.Alive(e.coord, n) {
			e.down[names[i]] = true
			names[i] += " (down)"
		}
	}
	return nodes, strings.Join(names, " ")
}

// level says what the consistency level waits for, over some replicas.
func (e *explainer) level(cl plan.Consistency, t *schema.Table, nodes []int) {
	required, alive, ok := e.core.Cluster.Preview(cl, t.Keyspace, e.coord, nodes)
	rule := fmt.Sprintf("%s waits for %d of %d replicas", cl, required, len(nodes))
	value := fmt.Sprintf("%s, %d alive", cl, alive)
	if !ok {
		value += ": unavailable"
		rule += "; fewer are up, so it is refused before anything is sent"
	}
	e.line("level", value, rule)
}

// read explains a SELECT.
func (e *explainer) read(sel *plan.Select) {
	t := sel.Table
	e.line("statement", "SELECT from "+t.String(), "coordinated by "+e.core.Cluster.Nodes[e.coord].Name)
	switch {
	case sel.Empty:
		e.line("partitions", "0", "nothing can match: an empty IN, or bounds that exclude each other")
		return
	case sel.Keys == nil:
		e.scan(sel)
	default:
		e.keys(sel)
	}
	e.filters(sel)
	if sel.Aggregate || sel.GroupBy > 0 {
		e.line("aggregate", "all rows above", "the coordinator reads every row, page by page, and folds them itself")
	}
	e.line("messages", strconv.Itoa(e.messages), "a request and a response for each replica that is asked, none to the coordinator itself")
	if e.bytes > 0 {
		e.line("bytes", "about "+strconv.Itoa(e.bytes), "data from one replica, digests of 16 bytes from the others")
	}
}

// filters explains which rows of those that are read are answered.
func (e *explainer) filters(sel *plan.Select) {
	tests := len(sel.Filters)
	if i := sel.Index; i != nil {
		tests--
		e.line("index", i.Name, "each replica finds the rows in its own index; the answer is an index's, the costs here are those of reading all of them")
	}
	if tests > 0 && sel.AllowFiltering {
		e.line("filters", count(tests, "test"), "ALLOW FILTERING: tested on every row after it was read, so rows are paid for that are not returned")
	}
	if sel.ANN != nil {
		e.line("ranking", "the best "+strconv.Itoa(sel.Limit), "every row with a vector is scored; a real index walks a graph and may miss some")
	}
}

// keys explains a read of partitions by key.
func (e *explainer) keys(sel *plan.Select) {
	c, t := e.core.Cluster, sel.Table
	rule := "the whole partition key is fixed by =: one partition, on the replicas of its token"
	if len(sel.Keys) > 1 {
		rule = "IN on the partition key: one read for each key, all at once, each with its own replicas"
	}
	e.line("partitions", strconv.Itoa(len(sel.Keys)), rule)
	base := e.core.query(sel, c.Seconds(e.coord))
	rows, dead, files := 0, 0, 0
	var nodes []int
	text := ""
	for i, key := range sel.Keys {
		q := *base
		q.Key, q.Token = string(key), c.Partitioner().Token(key)
		n, names := e.replicas(t, key)
		if i == 0 {
			nodes, text = n, names
		}
		required, _, _ := c.Preview(e.client.CL, t.Keyspace, e.coord, n)
		asked := e.asked(n, required, e.client.CL)
		if len(asked) == 0 {
			continue
		}
		f := c.Store(asked[0], t).Peek(&q)
		rows, dead, files = rows+f.Live, dead+f.Tombstones, max(files, f.SSTables)
		for j, node := range asked {
			if node == e.coord {
				continue
			}
			e.messages += 2
			e.bytes += 60 + len(key)
			if j > 0 {
				e.bytes += 49
				continue
			}
			e.bytes += partitionBytes(f)
		}
	}
	if len(sel.Keys) > 1 {
		text += ", …"
	}
	e.line("replicas", text, "the first one after the token on the ring, then on by the keyspace's strategy")
	e.level(e.client.CL, t, nodes)
	e.line("rows", strconv.Itoa(rows)+deadText(dead), rowRule(sel))
	e.line("sstables", strconv.Itoa(files)+" + memtable", "files of one replica that hold the partition; each is looked at and merged")
}

// asked are the live replicas that a read asks, nearest first.
func (e *explainer) asked(nodes []int, required int, cl plan.Consistency) []int {
	c := e.core.Cluster
	var out []int
	for _, n := range c.Ring.SortByProximity(nil, e.coord, nodes) {
		if c.Alive.Alive(e.coord, n) && (!cl.IsLocal() || c.Nodes[n].DC == c.Nodes[e.coord].DC) && len(out) < required {
			out = append(out, n)
		}
	}
	return out
}

// partitionBytes is about what a replica's answer takes on the wire.
func partitionBytes(f *storage.Found) int {
	n := 53 + len(f.Key) + f.Static.Size()
	for _, r := range f.Rows {
		n += r.Size()
	}
	return n
}

// rowRule says which rows of a partition are read, and why.
func rowRule(sel *plan.Select) string {
	order := "in the order of the clustering"
	if sel.Reversed {
		order = "backwards, since ORDER BY is the reverse of the clustering"
	}
	switch {
	case sel.Names != nil:
		return "every clustering column is fixed: " + count(len(sel.Names), "row") + " by name, no neighbours are read"
	case sel.Slices != nil:
		return "clustering columns are restricted from the left: " + count(len(sel.Slices), "stretch") + " of neighbouring rows, " + order
	case len(sel.Table.Clustering) == 0:
		return "a partition of this table is one row"
	case sel.Limit > 0 && len(sel.Filters) == 0 && !sel.Aggregate:
		return "no clustering column is restricted: the partition is read from its beginning until LIMIT " + strconv.Itoa(sel.Limit)
	}
	return "no clustering column is restricted: the whole partition, " + order
}

// scan explains a read of a stretch of the ring.
func (e *explainer) scan(sel *plan.Select) {
	c, t := e.core.Cluster, sel.Table
	rule := "the partition key is not given: every partition of the table, in the order of tokens"
	if sel.Range.Start != nil || sel.Range.End != nil {
		rule = "the token is bounded: the partitions of that part of the ring, in the order of tokens"
	}
	keys, rows := 0, int64(0)
	for _, n := range c.Members() {
		if s := n.Stores[t.ID]; s != nil {
			keys += s.CountKeys()
			rows += s.Mem.Rows
			for _, f := range s.SSTables {
				rows += f.Rows
			}
		}
	}
	strategy := c.Strategy(t.Keyspace)
	copies := max(strategy.RF(), 1)
	share := ""
	if sel.Range.Start != nil || sel.Range.End != nil {
		share = "up to "
	}
	e.line("partitions", fmt.Sprintf("%sabout %d", share, (keys+copies-1)/copies), rule)
	nodes := c.Placement(t.Keyspace).ReplicasOf(0)
	e.level(e.client.CL, t, nodes)
	e.line("ranges", strconv.Itoa(c.Ring.Len()), "one for each token; neighbours that share enough live replicas are asked for together")
	limit := ""
	if sel.Limit > 0 && len(sel.Filters) == 0 && !sel.Aggregate {
		limit = ", but it stops at LIMIT " + strconv.Itoa(sel.Limit)
	}
	e.line("rows", fmt.Sprintf("about %d", rows/int64(copies))+limit, "all rows of those partitions; the cost grows with the table, not with the answer")
	required, _, _ := c.Preview(e.client.CL, t.Keyspace, e.coord, nodes)
	e.messages = 2 * min(c.Ring.Len()*required, len(c.Members())*required)
}

// write explains a write or a batch.
func (e *explainer) write(writes []*plan.Write, batch string) {
	c := e.core.Cluster
	coordinator := "coordinated by " + c.Nodes[e.coord].Name
	if len(writes) == 0 {
		e.line("statement", "a batch of nothing", coordinator)
		return
	}
	t := writes[0].Table
	e.table = t
	what := [...]string{"INSERT", "UPDATE", "DELETE"}[writes[0].Kind] + " of " + t.String()
	if batch != "" {
		what = "a " + batch + " batch of " + count(len(writes), "statement")
	}
	e.line("statement", what, coordinator)
	keys := map[string]*schema.Table{}
	var order []string
	conditional, lists, counter := false, false, false
	rows := 0
	for _, w := range writes {
		conditional = conditional || w.If != nil
		lists = lists || readsBefore(w)
		counter = counter || w.Table.Counter
		rows += len(w.Keys) * max(len(w.Rows), 1)
		for _, k := range w.Keys {
			name := w.Table.Keyspace + "\x00" + string(k)
			if keys[name] == nil {
				order = append(order, name)
			}
			keys[name] = w.Table
			e.bytes += w.Estimate()
		}
	}
	e.line("partitions", strconv.Itoa(len(order)), partitionRule(len(order), batch))
	e.line("rows", strconv.Itoa(rows), writeRule(writes[0], batch))
	var nodes []int
	text := ""
	for i, name := range order {
		_, key, _ := strings.Cut(name, "\x00")
		n, names := e.replicas(keys[name], []byte(key))
		if i == 0 {
			nodes, text = n, names
		}
		e.messages += e.writeMessages(n)
	}
	if len(order) > 1 {
		text += ", …"
	}
	e.line("replicas", text, "every live replica gets the write whatever the level; a dead one gets a hint")
	e.level(e.client.CL, t, nodes)
	e.extra(conditional, lists, counter, batch == "logged" && len(order) > 1, nodes)
	e.line("messages", strconv.Itoa(e.messages), "a request and a response a replica; another data center gets one request, which is forwarded there")
	e.line("bytes", "about "+strconv.Itoa(e.bytes*max(len(nodes), 1)), "the values, once for each replica")
}

// extra explains what a write costs beside the plain one.
func (e *explainer) extra(conditional, lists, counter, logged bool, nodes []int) {
	if conditional {
		// Prepare and propose go to every replica; the read asks a majority.
		e.messages += 2*e.writeMessages(nodes) + e.readMessages(nodes, len(nodes)/2+1, plan.Quorum)
		e.line("conditions", "4 round trips", "IF is decided by Paxos: prepare, read, propose, commit, each with a majority of the replicas at "+e.client.Serial.String())
	}
	if lists {
		required, _, _ := e.core.Cluster.Preview(e.client.CL, e.table.Keyspace, e.coord, nodes)
		e.messages += e.readMessages(nodes, required, e.client.CL)
		e.line("read first", "yes", "an element of a list is addressed by its place or value, so the list is read before it is written")
	}
	if counter {
		e.line("leader", "1 round trip more", "a counter is added to by one replica, the leader, which reads its own count and sends the result to the others")
	}
	if logged {
		places := e.core.Cluster.BatchlogPlaces(e.coord)
		e.messages += 3 * places
		e.line("batchlog", count(places, "node")+" more", "other nodes keep the batch until all of it is written, so that it is completed even if the coordinator dies")
	}
}

// writeMessages counts the messages of one mutation.
func (e *explainer) writeMessages(nodes []int) int {
	c := e.core.Cluster
	n := 0
	for _, r := range nodes {
		if r != e.coord && c.Alive.Alive(e.coord, r) {
			n += 2
		}
	}
	return n
}

// readMessages counts the messages of a read that asks some replicas.
func (e *explainer) readMessages(nodes []int, required int, cl plan.Consistency) int {
	n := 0
	for _, r := range e.asked(nodes, required, cl) {
		if r != e.coord {
			n += 2
		}
	}
	return n
}

func partitionRule(n int, batch string) string {
	switch {
	case n == 0:
		return "nothing can match"
	case n == 1:
		return "one partition: one mutation, which each replica applies as a whole"
	case batch == "logged":
		return "a mutation for each partition: all of them happen in the end, but not at one moment"
	}
	return "a mutation for each partition, sent one by one: when one fails, others may have happened"
}

func writeRule(w *plan.Write, batch string) string {
	switch {
	case batch != "":
		return "statements without a timestamp of their own share one"
	case w.Partition:
		return "a tombstone for the whole partition; what it covers stays on disk until compaction after gc_grace_seconds"
	case len(w.Slices) > 0:
		return "a range tombstone; what it covers stays on disk until compaction after gc_grace_seconds"
	case w.Kind == plan.Delete:
		return "tombstones; what they cover stays on disk until compaction after gc_grace_seconds"
	case w.Kind == plan.Insert:
		return "written without looking whether it is there: INSERT is an upsert, and marks the row as existing"
	}
	return "written without looking whether it is there: UPDATE is an upsert, but the row lives only as long as its values"
}

func deadText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" live, %s passed", count(n, "tombstone"))
}

// count is a number with its noun.
func count(n int, one string) string {
	if one == "stretch" && n != 1 {
		return strconv.Itoa(n) + " stretches"
	}
	return plural(n, one)
}
