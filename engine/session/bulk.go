package session

import (
	"ringlab/engine/answer"
	"ringlab/model/cql/bind"
	"ringlab/model/schema"
)

// Apply runs a prepared statement with each list of values, all in flight at
// once, and gives what went wrong with each: nil for those that succeeded.
func (c *Core) Apply(p *Prepared, rows [][][]byte) []*answer.Error {
	c.Cluster.Advance(c.Cluster.Now() + clientDelay)
	flights := make([]*flight, len(rows))
	for i, args := range rows {
		flights[i] = c.startPrepared(c.Current, p, &Values{Args: args})
	}
	out := make([]*answer.Error, len(rows))
	for i, f := range flights {
		if f.op != nil {
			c.Cluster.Run(f.op)
		}
		out[i] = f.end().Error
	}
	c.Cluster.Advance(c.Cluster.Now() + clientDelay)
	return out
}

// Each runs a SELECT of the current client page by page and hands on the bytes
// of each row; nil is null. The answer is the first refusal or failure, nil if
// there is none.
func (c *Core) Each(text string, page int, row func(values [][]byte)) *answer.Error {
	p, a := c.Prepare(text)
	if p == nil {
		return a.Error
	}
	raw := c.Raw
	c.Raw = true
	defer func() { c.Raw = raw }()
	next := Page{Size: page}
	for {
		a := c.Execute(p, Values{Page: next})
		if a.Error != nil {
			return a.Error
		}
		for _, values := range a.Values {
			row(values)
		}
		if !a.More {
			return nil
		}
		next.State = a.State
	}
}

// AnyTable finds a table, Cassandra's own among them; nil if there is none.
func (c *Core) AnyTable(keyspace, name string) *schema.Table {
	if schema.System(keyspace) {
		return bind.SystemSchema().Table(keyspace, name)
	}
	return c.Cluster.Schema.Table(keyspace, name)
}
