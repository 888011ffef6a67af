package serve

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/answer"
	"ringlab/engine/native"
	"ringlab/engine/session"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// frame is the reply to a request as its version says it.
func (j *job) frame(core *session.Core, r *session.Reply) *native.Frame {
	f := &native.Frame{Version: j.version, Stream: j.stream, Warnings: r.Warnings}
	if r.Error == nil {
		f.Payload = j.payload
	}
	if j.request.Tracing && r.Session != "" {
		id := uuid.MustParse(r.Session)
		f.TraceID = id[:]
	}
	switch {
	case r.Error != nil:
		e := errorOf(core, r.Error)
		if e.Code == plan.Unprepared {
			e.ID = unpreparedID(e.Message)
		}
		f.Body = e.For(j.version)
	case j.request.Verb == session.Prepare:
		f.Body = j.prepared(r)
	case r.Spec != nil:
		f.Body = &native.Rows{Metadata: j.metadata(r), Values: r.Values}
	case r.Use != "":
		f.Body = &native.SetKeyspace{Keyspace: r.Use}
	case r.Event != nil:
		f.Body = &native.SchemaChanged{SchemaChange: schemaChange(r.Event)}
	default:
		f.Body = &native.Void{}
	}
	return f
}

func schemaChange(e *answer.SchemaChange) native.SchemaChange {
	return native.SchemaChange{Change: e.ChangeType, Target: e.TargetType, Keyspace: e.Keyspace, Name: e.Name, Args: e.Args}
}

// unpreparedID is the id that the complaint about an unknown one names.
func unpreparedID(message string) []byte {
	text, _, _ := strings.Cut(strings.TrimPrefix(message, "Prepared query with ID "), " ")
	id, _ := hex.DecodeString(text)
	return id
}

// described is what drivers are told of a statement's columns; it is made once,
// and kept with the statement.
type described struct {
	resultID []byte
	rows     [native.V6 + 1]*native.Metadata // by version
}

func describedOf(p *session.Prepared) *described {
	if d, ok := p.Edge.(*described); ok {
		return d
	}
	d := &described{resultID: resultID(p.Meta.Columns)}
	p.Edge = d
	return d
}

func resultID(columns []plan.Selector) []byte {
	names, list := make([]string, len(columns)), make([]*types.Type, len(columns))
	for i, c := range columns {
		names[i], list[i] = c.Name, c.Type
	}
	return native.ResultID(names, list)
}

// metadata describes the rows of a reply, as far as the client does not know it.
// Source: Cassandra 5.0 ExecuteMessage.execute, QueryMessage.execute.
func (j *job) metadata(r *session.Reply) native.Metadata {
	var m native.Metadata
	p := r.Prepared
	if p == nil || r.LWT || p.Meta.Columns == nil {
		m = metadataOf(r.Spec, j.version)
		if j.skip && p == nil {
			hide(&m)
		}
	} else {
		d := describedOf(p)
		if d.rows[j.version] == nil {
			whole := metadataOf(r.Spec, j.version)
			d.rows[j.version] = &whole
		}
		m = *d.rows[j.version]
		switch {
		case j.version >= native.V5 && string(j.resultID) != string(d.resultID):
			m.Flags |= native.MetadataChanged
			m.NewID = d.resultID
		case j.skip:
			hide(&m)
		}
	}
	if r.More {
		m.Flags |= native.HasMorePages
		m.PagingState = r.State
	}
	return m
}

// hide leaves the columns out; their number stays.
func hide(m *native.Metadata) {
	m.Flags |= native.NoMetadata
	m.Columns = nil
}

func metadataOf(s *answer.Spec, v native.Version) native.Metadata {
	m := native.Metadata{Flags: native.GlobalTable, Count: len(s.Columns), Keyspace: s.Keyspace, Table: s.Table, Columns: make([]native.Column, len(s.Columns))}
	for i, c := range s.Columns {
		m.Columns[i] = native.Column{Name: c.Name, Type: native.TypeOf(c.Type, v)}
	}
	return m
}

// prepared is the reply to Prepare.
// Source: Cassandra 5.0 ResultMessage.Prepared, ResultSet.PreparedMetadata.
func (j *job) prepared(r *session.Reply) native.Message {
	meta := r.Prepared.Meta
	out := &native.Prepared{ID: r.ID[:], ResultID: describedOf(r.Prepared).resultID, Key: meta.Key}
	out.Bind.Count = len(meta.Variables)
	for _, v := range meta.Variables {
		c := native.Column{Keyspace: "[batch]", Table: "[batch]", Name: v.Name, Type: native.TypeOf(v.Type, j.version)}
		if v.Table != nil {
			c.Keyspace, c.Table = v.Table.Keyspace, v.Table.Name
		}
		out.Bind.Columns = append(out.Bind.Columns, c)
	}
	if vs := meta.Variables; len(vs) > 0 && !slices.ContainsFunc(vs, func(v bind.Variable) bool { return v.Table != vs[0].Table }) {
		out.Bind.Flags, out.Bind.Keyspace, out.Bind.Table = native.GlobalTable, out.Bind.Columns[0].Keyspace, out.Bind.Columns[0].Table
	}
	if meta.Columns == nil {
		out.Result.Flags = native.NoMetadata
		return out
	}
	out.Result = metadataOf(&answer.Spec{Keyspace: meta.Table.Keyspace, Table: meta.Table.Name, Columns: meta.Columns}, j.version)
	return out
}

// reasons are the codes of why a replica failed.
// Source: Cassandra 5.0 RequestFailureReason.
var reasons = map[string]int{"UNKNOWN": 0, "READ_TOO_MANY_TOMBSTONES": 1, "TIMEOUT": 2, "INCOMPATIBLE_SCHEMA": 3, "READ_SIZE": 4, "NODE_DOWN": 5,
	"INDEX_NOT_AVAILABLE": 6, "READ_TOO_MANY_INDEXES": 7}

// errorOf is an error with the fields that its code has.
func errorOf(core *session.Core, e *answer.Error) *native.Error {
	code, _ := strconv.ParseUint(strings.TrimPrefix(e.Code, "0x"), 16, 16)
	out := &native.Error{Code: plan.Code(code), Message: e.Message, WriteType: e.WriteType, Keyspace: e.Keyspace, Table: e.Table,
		Function: e.Function, Args: e.ArgTypes}
	out.Consistency, _ = plan.ParseConsistency(e.Consistency)
	for to, from := range map[*int]*int{&out.Required: e.Required, &out.Alive: e.Alive, &out.Received: e.Received, &out.BlockFor: e.BlockFor,
		&out.Failures: e.Failures, &out.Contentions: e.Contentions} {
		if from != nil {
			*to = *from
		}
	}
	if e.DataPresent != nil {
		out.DataPresent = *e.DataPresent
	}
	for name, reason := range e.ErrorCodeMap {
		if n, ok := core.Cluster.Find(name); ok {
			if a, err := netip.ParseAddr(n.Address); err == nil {
				out.Reasons = append(out.Reasons, native.Reason{Node: a, Code: reasons[reason]})
			}
		}
	}
	slices.SortFunc(out.Reasons, func(a, b native.Reason) int { return a.Node.Compare(b.Node) })
	return out
}
