package native

import "net/netip"

// SchemaChange says what happened to which part of the schema.
type SchemaChange struct {
	Change   string // CREATED, UPDATED, DROPPED
	Target   string // KEYSPACE, TABLE, TYPE, FUNCTION, AGGREGATE
	Keyspace string
	Name     string   // "" for keyspaces
	Args     []string // argument types of functions and aggregates
	Stray    bool     // version 3: an empty string stands behind a change of a function
}

// SchemaChanged is the result of a statement that changed the schema.
type SchemaChanged struct{ SchemaChange }

// Event is what the server tells without being asked: Type is TOPOLOGY_CHANGE,
// STATUS_CHANGE or SCHEMA_CHANGE.
type Event struct {
	Type   string
	Change string         // NEW_NODE, REMOVED_NODE, MOVED_NODE, UP, DOWN
	Node   netip.AddrPort // its native address
	Schema SchemaChange   // of SCHEMA_CHANGE
}

// The types of events.
const (
	TopologyChange = "TOPOLOGY_CHANGE"
	StatusChange   = "STATUS_CHANGE"
	SchemaEvent    = "SCHEMA_CHANGE"
)

// The opcodes of the messages.
func (*SchemaChanged) Opcode() Opcode { return OpResult }
func (*Event) Opcode() Opcode         { return OpEvent }

func (m *SchemaChanged) appendBody(b []byte, v Version) []byte {
	return m.SchemaChange.append(appendInt(b, kindSchemaChange), v)
}

func (m *Event) appendBody(b []byte, v Version) []byte {
	b = appendString(b, m.Type)
	if m.Type == SchemaEvent {
		return m.Schema.append(b, v)
	}
	return appendInet(appendString(b, m.Change), m.Node)
}

func readEvent(r *reader, v Version) Message {
	m := &Event{Type: r.string()}
	switch m.Type {
	case SchemaEvent:
		m.Schema = readSchemaChange(r, v)
	case TopologyChange, StatusChange:
		m.Change, m.Node = r.string(), r.inet()
	default:
		r.fail("Invalid value '%s' for Type", m.Type)
	}
	return m
}

// append writes a change. Version 3 has no functions: their keyspace is updated,
// and an empty string stands behind it.
// Source: Cassandra 5.0 Event.SchemaChange.serializeEvent.
func (c *SchemaChange) append(b []byte, v Version) []byte {
	args := c.Target == "FUNCTION" || c.Target == "AGGREGATE"
	if v < V4 && args || c.Stray {
		b = appendString(appendString(b, "UPDATED"), "KEYSPACE")
		return appendString(appendString(b, c.Keyspace), "")
	}
	b = appendString(appendString(appendString(b, c.Change), c.Target), c.Keyspace)
	if c.Target != "KEYSPACE" {
		b = appendString(b, c.Name)
	}
	if args {
		b = appendStrings(b, c.Args)
	}
	return b
}

func readSchemaChange(r *reader, v Version) SchemaChange {
	c := SchemaChange{Change: r.string(), Target: r.string(), Keyspace: r.string()}
	switch c.Target {
	case "FUNCTION", "AGGREGATE":
		c.Name, c.Args = r.string(), r.strings()
	case "TABLE", "TYPE":
		c.Name = r.string()
	case "KEYSPACE":
		if v < V4 && len(r.b) == 2 {
			c.Stray = true
			r.string()
		}
	default:
		r.fail("Invalid value '%s' for Target", c.Target)
	}
	return c
}
