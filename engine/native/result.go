package native

import (
	"crypto/md5"

	"ringlab/model/types"
)

// Void is the result of what has none.
type Void struct{}

// SetKeyspace is the result of USE.
type SetKeyspace struct{ Keyspace string }

// Rows is the result of SELECT and of conditional writes. Values are bytes by
// row and column; nil is null.
type Rows struct {
	Metadata Metadata
	Values   [][][]byte
}

// Prepared is the result of Prepare. Result has no columns for what gives no
// rows.
type Prepared struct {
	ID       []byte
	ResultID []byte // from version 5 on
	Bind     Metadata
	Key      []int // from version 4 on: the variables that make the partition key
	Result   Metadata
}

// Metadata describes columns.
type Metadata struct {
	Flags       MetadataFlags
	Count       int // of columns
	PagingState []byte
	NewID       []byte // where MetadataChanged is set
	Keyspace    string // with GlobalTable
	Table       string
	Columns     []Column // none with NoMetadata
}

// MetadataFlags say what metadata has.
type MetadataFlags uint32

// The flags of metadata. Source: Cassandra 5.0 ResultSet.Flag.
const (
	GlobalTable MetadataFlags = 1 << iota
	HasMorePages
	NoMetadata
	MetadataChanged
)

// Column is the name and the type of a column, and its table where each has its
// own.
type Column struct {
	Keyspace, Table string
	Name            string
	Type            Type
}

const (
	kindVoid         = 1
	kindRows         = 2
	kindSetKeyspace  = 3
	kindPrepared     = 4
	kindSchemaChange = 5
)

// The opcodes of the messages.
func (*Void) Opcode() Opcode        { return OpResult }
func (*SetKeyspace) Opcode() Opcode { return OpResult }
func (*Rows) Opcode() Opcode        { return OpResult }
func (*Prepared) Opcode() Opcode    { return OpResult }

func readResult(r *reader, v Version) Message {
	switch kind := r.int(); kind {
	case kindVoid:
		return &Void{}
	case kindRows:
		return readRows(r)
	case kindSetKeyspace:
		return &SetKeyspace{Keyspace: r.string()}
	case kindPrepared:
		return readPrepared(r, v)
	case kindSchemaChange:
		return &SchemaChanged{readSchemaChange(r, v)}
	default:
		r.fail("Unknown result kind %d", kind)
	}
	return nil
}

func (*Void) appendBody(b []byte, _ Version) []byte { return appendInt(b, kindVoid) }

func (m *SetKeyspace) appendBody(b []byte, _ Version) []byte {
	return appendString(appendInt(b, kindSetKeyspace), m.Keyspace)
}

func (m *Rows) appendBody(b []byte, _ Version) []byte {
	b = m.Metadata.append(appendInt(b, kindRows), nil, false)
	b = appendInt(b, len(m.Values))
	for _, row := range m.Values {
		for _, v := range row {
			b = appendBytes(b, v)
		}
	}
	return b
}

func readRows(r *reader) Message {
	m := &Rows{}
	m.Metadata.read(r, nil, false)
	n := r.int()
	if n < 0 || m.Metadata.Count == 0 && n > 0 || n > 0 && n > len(r.b)/4/m.Metadata.Count {
		r.fail("%d rows of %d columns do not fit into the message", n, m.Metadata.Count)
	}
	for i := 0; i < n && r.err == nil; i++ {
		row := make([][]byte, m.Metadata.Count)
		for k := range row {
			row[k] = r.bytes()
		}
		m.Values = append(m.Values, row)
	}
	return m
}

func (m *Prepared) appendBody(b []byte, v Version) []byte {
	b = appendShortBytes(appendInt(b, kindPrepared), m.ID)
	if v >= V5 {
		b = appendShortBytes(b, m.ResultID)
	}
	b = m.Bind.append(b, m.Key, v >= V4)
	return m.Result.append(b, nil, false)
}

func readPrepared(r *reader, v Version) Message {
	m := &Prepared{ID: r.shortBytes()}
	if v >= V5 {
		m.ResultID = r.shortBytes()
	}
	m.Bind.read(r, &m.Key, v >= V4)
	m.Result.read(r, nil, false)
	return m
}

// append writes metadata; withKey puts the indexes of the partition key behind
// the number of columns.
func (m *Metadata) append(b []byte, key []int, withKey bool) []byte {
	b = appendInt(appendInt(b, int(m.Flags)), m.Count)
	if withKey {
		b = appendInt(b, len(key))
		for _, k := range key {
			b = appendShort(b, k)
		}
	}
	if m.Flags&HasMorePages != 0 {
		b = appendBytes(b, m.PagingState)
	}
	if m.Flags&MetadataChanged != 0 {
		b = appendShortBytes(b, m.NewID)
	}
	if m.Flags&NoMetadata != 0 {
		return b
	}
	if m.Flags&GlobalTable != 0 && m.Count > 0 {
		b = appendString(appendString(b, m.Keyspace), m.Table)
	}
	for i := range m.Columns {
		c := &m.Columns[i]
		if m.Flags&GlobalTable == 0 {
			b = appendString(appendString(b, c.Keyspace), c.Table)
		}
		b = c.Type.append(appendString(b, c.Name))
	}
	return b
}

func (m *Metadata) read(r *reader, key *[]int, withKey bool) {
	m.Flags, m.Count = MetadataFlags(r.int()), r.int()
	if m.Count < 0 {
		r.fail("%d columns", m.Count)
	}
	if withKey {
		for i, n := 0, r.int(); i < n && r.err == nil; i++ {
			*key = append(*key, r.short())
		}
	}
	if m.Flags&HasMorePages != 0 {
		m.PagingState = r.bytes()
	}
	if m.Flags&MetadataChanged != 0 {
		m.NewID = r.shortBytes()
	}
	if m.Flags&NoMetadata != 0 {
		if m.Count > 1<<16 {
			r.fail("%d columns", m.Count)
		}
		return
	}
	if m.Flags&GlobalTable != 0 && m.Count > 0 {
		m.Keyspace, m.Table = r.string(), r.string()
	}
	for i := 0; i < m.Count && r.err == nil; i++ {
		var c Column
		if m.Flags&GlobalTable == 0 {
			c.Keyspace, c.Table = r.string(), r.string()
		}
		c.Name, c.Type = r.string(), r.dataType(0)
		m.Columns = append(m.Columns, c)
	}
}

// ResultID names the columns of a result: a client that knows it needs no
// metadata. Source: Cassandra 5.0 ResultSet.ResultMetadata.computeResultMetadataId.
func ResultID(names []string, list []*types.Type) []byte {
	h := md5.New()
	for i, n := range names {
		h.Write(append([]byte(n), 0))
		h.Write(append([]byte(list[i].MarshalName()), 0, 0))
	}
	return h.Sum(nil)
}

// StatementID names a prepared statement, on every node alike; keyspace is that
// in which its names are looked up, "" where they need none.
// Source: Cassandra 5.0 QueryProcessor.computeId.
func StatementID(keyspace, text string) []byte {
	id := md5.Sum([]byte(keyspace + text))
	return id[:]
}
