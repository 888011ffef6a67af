package session

import (
	"container/list"
	"crypto/md5"
	"fmt"
	"slices"

	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// StatementID is the name of a prepared statement, the same on every node.
type StatementID [md5.Size]byte

// MostPrepared is how many statements a node keeps; beyond them those go that
// were not run for the longest time. A real node bounds their memory instead.
const MostPrepared = 65535

// statements are those that are prepared on one node.
type statements struct {
	byID  map[StatementID]*list.Element
	order list.List // of *keptStatement, the one used last first
}

type keptStatement struct {
	id        StatementID
	keyspace  string // that the name was made with, "" for none
	statement *Prepared
}

// find is a statement by its name, nil if the node does not have it.
func (s *statements) find(id StatementID) *Prepared {
	if s == nil || s.byID[id] == nil {
		return nil
	}
	e := s.byID[id]
	s.order.MoveToFront(e)
	return e.Value.(*keptStatement).statement
}

// add keeps a statement under the name that it has with a keyspace, "" for none.
func (s *statements) add(keyspace string, p *Prepared) StatementID {
	id := nameOf(keyspace, p.Text)
	if e := s.byID[id]; e != nil {
		*e.Value.(*keptStatement) = keptStatement{id, keyspace, p}
		s.order.MoveToFront(e)
		return id
	}
	s.byID[id] = s.order.PushFront(&keptStatement{id, keyspace, p})
	for s.order.Len() > MostPrepared {
		s.remove(s.order.Back().Value.(*keptStatement).id)
	}
	return id
}

func (s *statements) remove(id StatementID) {
	if e := s.byID[id]; e != nil {
		s.order.Remove(e)
		delete(s.byID, id)
	}
}

// statementsOf are the statements that are prepared on a node.
func (c *Core) statementsOf(node int) *statements {
	s := c.prepared[node]
	if s == nil {
		s = &statements{byID: map[StatementID]*list.Element{}}
		if c.prepared == nil {
			c.prepared = map[int]*statements{}
		}
		c.prepared[node] = s
	}
	return s
}

// keep keeps a statement by both of its names, with the keyspace in use and
// without, and gives the one that the client is told: with the keyspace where the
// statement means another thing in another one.
// Source: Cassandra 5.0 QueryProcessor.prepare.
func (c *Core) keep(node int, p *Prepared) StatementID {
	s := c.statementsOf(node)
	bare := s.add("", p)
	if p.Keyspace == "" {
		return bare
	}
	if own := s.add(p.Keyspace, p); !bind.Qualified(p.tree) {
		return own
	}
	return bare
}

// nameOf names a statement.
// Source: Cassandra 5.0 QueryProcessor.computeId.
func nameOf(keyspace, text string) StatementID { return md5.Sum([]byte(keyspace + text)) }

// changed says whether a table of a statement has changed since it was prepared.
func (c *Core) changed(node int, p *Prepared) bool {
	is := func(t *schema.Table) bool {
		return t != nil && !schema.System(t.Keyspace) && c.Cluster.SchemaOf(node).Table(t.Keyspace, t.Name) != t
	}
	return is(p.Meta.Table) || slices.ContainsFunc(p.Meta.Others, is)
}

// addPrepared are the statements that are prepared on a node, by each of their names.
// Source: Cassandra 5.0 SystemKeyspace.writePreparedStatement.
func (c *Core) addPrepared(t *systemTable, node int) {
	s := c.statementsOf(node)
	for e := s.order.Front(); e != nil; e = e.Next() {
		k := e.Value.(*keptStatement)
		if c.changed(node, k.statement) {
			continue
		}
		row := []any{"prepared_id", k.id[:], "query_string", []byte(k.statement.Text)}
		if k.keyspace != "" {
			row = append(row, "logged_keyspace", []byte(k.keyspace))
		}
		t.add(row...)
	}
}

// known is a prepared statement of a node, or why there is none. One whose table
// has changed since is forgotten.
// Source: Cassandra 5.0 QueryProcessor.StatementInvalidatingListener.
func (c *Core) known(node int, id []byte) (*Prepared, *plan.Error) {
	var name StatementID
	copy(name[:], id)
	s := c.statementsOf(node)
	p := s.find(name)
	if p == nil || len(id) != len(name) {
		return nil, unprepared(id)
	}
	if c.changed(node, p) {
		s.remove(name)
		return nil, unprepared(id)
	}
	return p, nil
}

func unprepared(id []byte) *plan.Error {
	return &plan.Error{Code: plan.Unprepared, Message: fmt.Sprintf("Prepared query with ID %x not found (either the query was not prepared on this host "+
		"(maybe the host has been restarted?) or you have prepared too many queries and it has been evicted from the internal cache)", id)}
}

// ambiguous is the warning about a statement that means another thing in another
// keyspace.
// Source: Cassandra 5.0 ClientState.warnAboutUseWithPreparedStatements.
func ambiguous(keyspace string, p *Prepared, id StatementID) string {
	null := func(s string) string {
		if s == "" {
			return "null"
		}
		return s
	}
	own := ""
	if p.Meta.Table != nil {
		own = p.Meta.Table.Keyspace
	}
	return fmt.Sprintf("`USE <keyspace>` with prepared statements is considered to be an anti-pattern due to ambiguity in non-qualified table names. "+
		"Please consider removing instances of `Session#setKeyspace(<keyspace>)`, `Session#execute(\"USE <keyspace>\")` and `cluster.newSession(<keyspace>)` "+
		"from your code, and always use fully qualified table names (e.g. <keyspace>.<table>). Keyspace used: %s, statement keyspace: %s, statement id: %x",
		null(keyspace), null(own), id[:])
}
