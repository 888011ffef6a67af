package serve

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringlab/engine/native"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// cqlVersion is the version of CQL that is served.
const cqlVersion = "3.4.7"

// handle answers one envelope or hands it to the lab.
func (c *conn) handle(h native.Header, body []byte) error {
	if !c.room(len(body)) {
		return errDropped
	}
	answer := func(m native.Message, then *framing) {
		v := c.version
		if v == 0 {
			v = h.Version
		}
		c.reply(&native.Frame{Version: v, Stream: h.Stream, Body: m}, then, len(body))
	}
	if c.version != 0 && native.Refusal(byte(h.Version), h.Flags|native.UseBeta) != nil {
		c.reply(&native.Frame{Version: c.version, Body: native.Unsupported(h.Version)}, nil, len(body))
		return nil
	}
	if c.version != 0 && h.Version != c.version {
		missing := " "
		if c.version.Segmented() { // as 5.0 writes it
			missing = ""
		}
		answer(problem("Invalid message version. Got %s but previous%smessages on this connection had version %s", h.Version, missing, c.version), nil)
		return nil
	}
	if c.version == 0 {
		if refused := native.Refusal(byte(h.Version), h.Flags); refused != nil {
			c.put(outgoing{raw: refused, answers: true, asked: len(body)})
			return nil
		}
	}
	if c.version.Segmented() && h.Length > maxMessage {
		answer(tooLong(h.Length), nil)
		return nil
	}
	plain := body
	if h.Flags&native.Compressed != 0 && c.compressor != nil {
		var err *native.Error
		if plain, err = c.compressor.Decode(body, maxEnvelope); err != nil {
			answer(err, nil)
			return nil
		}
	}
	f, bad := native.Decode(h, plain)
	if bad != nil {
		answer(bad.For(h.Version), nil)
		return nil
	}
	switch c.state {
	case established:
		return c.opening(f, len(body), answer)
	case authenticating:
		c.authenticate(f, answer)
		return nil
	}
	c.request(f, len(body), answer)
	return nil
}

func problem(format string, args ...any) *native.Error {
	return &native.Error{Code: plan.ProtocolError, Message: fmt.Sprintf(format, args...)}
}

// opening handles the requests that a connection begins with.
// Source: Cassandra 5.0 InitialConnectionHandler, StartupMessage.
func (c *conn) opening(f *native.Frame, size int, answer func(native.Message, *framing)) error {
	switch m := f.Body.(type) {
	case *native.Options:
		answer(supported(), nil)
	case *native.Startup:
		version, ok := m.Get("CQL_VERSION")
		if !ok {
			answer(problem("Missing value CQL_VERSION in STARTUP message"), nil)
			return nil
		}
		if major, _ := strconv.Atoi(strings.SplitN(version, ".", 2)[0]); major < 3 {
			answer(problem("CQL version %s is not supported by the binary protocol (supported version are >= 3.0.0)", version), nil)
			return nil
		}
		name, _ := m.Get("COMPRESSION")
		compressor, bad := native.FindCompressor(name, f.Version)
		if bad != nil {
			answer(bad, nil)
			return nil
		}
		c.version, c.options = f.Version, m
		then := &framing{}
		if f.Version.Segmented() {
			c.segments = &native.Segmenter{LZ4: compressor != nil}
			then.segments = &native.Segmenter{LZ4: compressor != nil}
		} else {
			c.compressor, then.compressor = compressor, compressorFor(name, f.Version)
		}
		if c.door.server.asks() {
			c.state = authenticating
			answer(&native.Authenticate{Class: "org.apache.cassandra.auth.PasswordAuthenticator"}, then)
			return nil
		}
		c.ready()
		answer(&native.Ready{}, then)
	default:
		c.reply(&native.Frame{Version: f.Version, Body: problem("Unexpected message %s, expecting STARTUP or OPTIONS", f.Body.Opcode())}, nil, size)
	}
	return nil
}

// ready has a connection take requests.
func (c *conn) ready() {
	c.state = ready
	g := &c.door.server.guests
	c.door.server.keeper.Post(func() { g.join(c) })
}

// compressorFor is a compressor for the other direction: it keeps a table.
func compressorFor(name string, v native.Version) native.Compressor {
	c, _ := native.FindCompressor(name, v)
	return c
}

func supported() *native.Supported {
	return &native.Supported{Options: []native.Choice{{Name: "PROTOCOL_VERSIONS", Values: native.Versions},
		{Name: "COMPRESSION", Values: native.CompressionNames}, {Name: "CQL_VERSION", Values: []string{cqlVersion}}}}
}

// request handles what comes once a connection is set up: size bytes on the wire.
func (c *conn) request(f *native.Frame, size int, answer func(native.Message, *framing)) {
	j := &job{conn: c, door: c.door, stream: f.Stream, version: f.Version, size: size, came: time.Now()}
	r := &j.request
	r.Client, r.Tracing = c.name, f.Flags&native.Tracing != 0
	if c.door.server.echo {
		j.payload = mirrored(f.Payload)
	}
	switch m := f.Body.(type) {
	case *native.Options:
		answer(supported(), nil)
		return
	case *native.Startup:
		answer(problem("Unexpected message STARTUP, the connection is already initialized"), nil)
		return
	case *native.AuthResponse:
		answer(problem("Unexpected message AUTH_RESPONSE, the connection is already initialized"), nil)
		return
	case *native.Register:
		if bad := c.door.server.register(c, m.Events); bad != nil {
			answer(bad, nil)
			return
		}
		answer(&native.Ready{}, nil)
		return
	case *native.Prepare:
		r.Verb, r.Text, r.Keyspace = session.Prepare, m.Text, m.Keyspace
	case *native.Query:
		r.Verb, r.Text = session.Query, m.Text
		j.parameters(&m.Parameters)
	case *native.Execute:
		r.Verb, r.ID = session.Execute, bytes.Clone(m.ID)
		j.resultID = m.ResultID
		j.parameters(&m.Parameters)
	case *native.Batch:
		r.Verb, r.Kind = session.Batch, plan.BatchKind(m.Kind)
		for _, s := range m.Statements {
			r.Batch = append(r.Batch, session.BatchRequest{Text: s.Text, ID: s.ID, Values: values(s.Values)})
		}
		j.parameters(&m.Parameters)
	}
	if !c.asked.Swap(true) {
		r.Link = c.link()
	}
	if !c.door.server.keeper.Post(j.run) {
		c.close()
	}
}

// link is what the connection said at its start.
// Source: Cassandra 5.0 StartupMessage.Codec, which has the names in upper case.
func (c *conn) link() *session.Link {
	l := &session.Link{Protocol: int(c.version), User: c.user}
	for _, o := range c.options.Options {
		l.Options = append(l.Options, schema.Option{Key: strings.ToUpper(o.Name), Value: o.Value})
	}
	slices.SortStableFunc(l.Options, func(a, b schema.Option) int { return strings.Compare(a.Key, b.Key) })
	return l
}

// parameters are what QUERY, EXECUTE and BATCH have in common.
func (j *job) parameters(p *native.Parameters) {
	r := &j.request
	j.skip = p.Flags&native.SkipMetadata != 0
	r.CL, r.Serial, r.Named = p.Consistency, p.Serial, p.Flags&native.WithNames != 0
	r.Values = values(p.Values)
	if p.PageSize > 0 {
		r.Page = session.Page{Size: p.PageSize, State: p.PagingState}
	}
	if p.Flags&native.WithTimestamp != 0 {
		r.Time = &p.Timestamp
	}
	if p.Flags&native.WithKeyspace != 0 {
		r.Keyspace = p.Keyspace
	}
	if p.Flags&native.WithNow != 0 {
		now := int64(p.NowInSeconds)
		r.Second = &now
	}
}

func values(in []native.Value) []session.BoundValue {
	if len(in) == 0 {
		return nil
	}
	out := make([]session.BoundValue, len(in))
	for i, v := range in {
		out[i] = session.BoundValue{Name: v.Name, Bytes: v.Bytes, Unset: v.Unset}
	}
	return out
}
