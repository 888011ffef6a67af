package native

import (
	"math"

	"ringlab/model/plan"
)

// Parameters are what QUERY, EXECUTE and BATCH have in common. A field that was
// not sent has its zero value, and what distinguishes that from one that was
// sent stands in Flags.
type Parameters struct {
	Consistency  plan.Consistency
	Flags        QueryFlags
	Values       []Value
	PageSize     int
	PagingState  []byte
	Serial       plan.Consistency
	Timestamp    int64  // µs
	Keyspace     string // from version 5 on
	NowInSeconds int    // from version 5 on
}

// Value is one bound value: nil bytes are null.
type Value struct {
	Name  string // where values are named
	Bytes []byte
	Unset bool
}

// QueryFlags say which parameters follow.
type QueryFlags uint32

// The flags of a query. Source: Cassandra 5.0 QueryOptions.Codec.Flag.
const (
	WithValues QueryFlags = 1 << iota
	SkipMetadata
	WithPageSize
	WithPagingState
	WithSerial
	WithTimestamp
	WithNames
	WithKeyspace
	WithNow
)

// allFlags are those that are known; the others mean nothing.
const allFlags = WithNow<<1 - 1

// Query runs a statement.
type Query struct {
	Text string
	Parameters
}

// Prepare checks a statement for Execute.
type Prepare struct {
	Text        string
	HasKeyspace bool // from version 5 on
	Keyspace    string
}

// Execute runs a prepared statement. ResultID is what the client knows of the
// result's columns, from version 5 on.
type Execute struct {
	ID, ResultID []byte
	Parameters
}

// Batch runs several statements; Kind is one of plan's kinds of batches.
type Batch struct {
	Kind       byte
	Statements []BatchStatement
	Parameters
}

// BatchStatement is text, or the id of a prepared statement.
type BatchStatement struct {
	Text   string
	ID     []byte // nil: Text
	Values []Value
}

// The opcodes of the messages.
func (*Query) Opcode() Opcode   { return OpQuery }
func (*Prepare) Opcode() Opcode { return OpPrepare }
func (*Execute) Opcode() Opcode { return OpExecute }
func (*Batch) Opcode() Opcode   { return OpBatch }

func readQuery(r *reader, v Version) Message {
	m := &Query{Text: r.longString()}
	m.read(r, v, false)
	return m
}

func (m *Query) appendBody(b []byte, v Version) []byte {
	return m.append(appendLongString(b, m.Text), v, false)
}

const prepareWithKeyspace = 1

func readPrepare(r *reader, v Version) Message {
	m := &Prepare{Text: r.longString()}
	if v >= V5 && r.int()&prepareWithKeyspace != 0 {
		m.HasKeyspace, m.Keyspace = true, r.string()
	}
	return m
}

func (m *Prepare) appendBody(b []byte, v Version) []byte {
	b = appendLongString(b, m.Text)
	switch {
	case v < V5:
		return b
	case m.HasKeyspace:
		return appendString(appendInt(b, prepareWithKeyspace), m.Keyspace)
	}
	return appendInt(b, 0)
}

func readExecute(r *reader, v Version) Message {
	m := &Execute{ID: r.shortBytes()}
	if v >= V5 {
		m.ResultID = r.shortBytes()
	}
	m.read(r, v, false)
	return m
}

func (m *Execute) appendBody(b []byte, v Version) []byte {
	b = appendShortBytes(b, m.ID)
	if v >= V5 {
		b = appendShortBytes(b, m.ResultID)
	}
	return m.append(b, v, false)
}

func readBatch(r *reader, v Version) Message {
	m := &Batch{Kind: r.byte()}
	if m.Kind > 2 {
		r.fail("Invalid BATCH message type %d", m.Kind)
	}
	for i, n := 0, r.short(); i < n && r.err == nil; i++ {
		var s BatchStatement
		switch kind := r.byte(); kind {
		case 0:
			s.Text = r.longString()
		case 1:
			s.ID = append([]byte{}, r.shortBytes()...)
		default:
			r.fail("Invalid query kind in BATCH messages. Must be 0 or 1 but got %d", kind)
		}
		for k, values := 0, r.short(); k < values && r.err == nil; k++ {
			var x Value
			x.Bytes, x.Unset = r.value(v)
			s.Values = append(s.Values, x)
		}
		m.Statements = append(m.Statements, s)
	}
	m.read(r, v, true)
	return m
}

func (m *Batch) appendBody(b []byte, v Version) []byte {
	b = appendShort(append(b, m.Kind), len(m.Statements))
	for i := range m.Statements {
		s := &m.Statements[i]
		if s.ID != nil {
			b = appendShortBytes(append(b, 1), s.ID)
		} else {
			b = appendLongString(append(b, 0), s.Text)
		}
		b = appendValues(b, s.Values, false)
	}
	return m.append(b, v, true)
}

// read reads the parameters; those of a batch have neither values nor pages.
func (p *Parameters) read(r *reader, v Version, batch bool) {
	p.Consistency = r.consistency()
	if v >= V5 {
		p.Flags = QueryFlags(r.int()) & allFlags
	} else {
		p.Flags = QueryFlags(r.byte())
	}
	if v < V5 {
		p.Flags &^= WithKeyspace | WithNow
	}
	if batch {
		p.Flags &^= WithValues | WithNames | SkipMetadata | WithPageSize | WithPagingState
	}
	if p.Flags&WithValues != 0 {
		n := r.short()
		p.Values = make([]Value, 0, min(n, len(r.b)/4))
		for i := 0; i < n && r.err == nil; i++ {
			var x Value
			if p.Flags&WithNames != 0 {
				x.Name = r.string()
			}
			x.Bytes, x.Unset = r.value(v)
			p.Values = append(p.Values, x)
		}
	}
	if p.Flags&WithPageSize != 0 {
		if p.PageSize = r.int(); p.PageSize == 0 {
			r.fail("The page size cannot be 0")
		}
	}
	if p.Flags&WithPagingState != 0 {
		p.PagingState = r.bytes()
	}
	p.Serial = plan.Serial
	if p.Flags&WithSerial != 0 {
		p.Serial = r.consistency()
	}
	if p.Flags&WithTimestamp != 0 {
		if p.Timestamp = r.long(); p.Timestamp == math.MinInt64 {
			r.fail("Out of bound timestamp, must be in [%d, %d] (got %d)", int64(math.MinInt64+1), int64(math.MaxInt64), p.Timestamp)
		}
	}
	if p.Flags&WithKeyspace != 0 {
		p.Keyspace = r.string()
	}
	if p.Flags&WithNow != 0 {
		p.NowInSeconds = r.int()
	}
}

func (p *Parameters) append(b []byte, v Version, batch bool) []byte {
	b = appendShort(b, int(p.Consistency))
	if v >= V5 {
		b = appendInt(b, int(p.Flags))
	} else {
		b = append(b, byte(p.Flags))
	}
	if p.Flags&WithValues != 0 && !batch {
		b = appendValues(b, p.Values, p.Flags&WithNames != 0)
	}
	if p.Flags&WithPageSize != 0 {
		b = appendInt(b, p.PageSize)
	}
	if p.Flags&WithPagingState != 0 {
		b = appendBytes(b, p.PagingState)
	}
	if p.Flags&WithSerial != 0 {
		b = appendShort(b, int(p.Serial))
	}
	if p.Flags&WithTimestamp != 0 {
		b = appendLong(b, p.Timestamp)
	}
	if p.Flags&WithKeyspace != 0 {
		b = appendString(b, p.Keyspace)
	}
	if p.Flags&WithNow != 0 {
		b = appendInt(b, p.NowInSeconds)
	}
	return b
}

func appendValues(b []byte, values []Value, named bool) []byte {
	b = appendShort(b, len(values))
	for _, x := range values {
		if named {
			b = appendString(b, x.Name)
		}
		if x.Unset {
			b = appendInt(b, -2)
		} else {
			b = appendBytes(b, x.Bytes)
		}
	}
	return b
}

func (r *reader) consistency() plan.Consistency {
	n := r.short()
	if n > int(plan.NodeLocal) {
		r.err = protocolError("Unknown code %d for a consistency level", n)
		return 0
	}
	return plan.Consistency(n)
}
