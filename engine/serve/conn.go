package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"

	"ringlab/engine/native"
)

// inFlight is how many requests of one connection may be under way: further
// ones wait in the socket.
const inFlight = 256

// mostAsked is how many bytes of requests of one connection may be under way; a
// longer one comes alone.
const mostAsked = 32 << 20

// mostPending is how many bytes of replies may wait for a client to read them
// before no more of its requests are read, and none that were read are run.
const mostPending = 8 << 20

// maxEvents is how many events may wait for a client; one that does not read
// them is dropped.
const maxEvents = 1024

// conn is one connection of a client: a goroutine reads its requests, another
// one writes the replies.
type conn struct {
	door    *door
	net     net.Conn
	name    string
	number  uint64 // as error texts name the connection
	version native.Version
	state   state
	user    string
	options *native.Startup

	client *client // owned by the lab's goroutine, as is use
	use

	segments   *native.Segmenter // of what is read; nil before version 5 is set up
	skip       int               // bytes of an envelope that is too long, still to come
	skipped    *native.Frame     // what is answered to it
	compressor native.Compressor // versions 3 and 4

	mu       sync.Mutex // guards what follows
	moved    sync.Cond  // one of it has changed
	queue    []outgoing
	underWay int    // requests without a reply on the wire
	asking   int    // their bytes
	parked   []*job // those of them that run when replies have been read
	pending  int64  // bytes of replies that wait
	events   int    // that wait
	last     bool   // nothing more is queued
	closed   bool

	asked atomic.Bool // a request has reached the lab
}

// state is how far a connection is.
type state uint8

const (
	established state = iota
	authenticating
	ready
)

func newConn(d *door, c net.Conn) *conn {
	name := strings.NewReplacer("[", "", "]", "", " ", "").Replace(c.RemoteAddr().String())
	k := &conn{door: d, net: c, name: name}
	k.moved.L = &k.mu
	return k
}

// close ends the connection.
func (c *conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		c.net.Close()
		c.moved.Broadcast()
	}
}

// errDropped ends a connection after the error that it was told.
var errDropped = errors.New("dropped")

// serve reads requests until the connection ends.
func (c *conn) serve() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write()
	}()
	err := c.read()
	if errors.Is(err, errDropped) { // what it was told goes out first
		c.mu.Lock()
		c.last = true
		c.moved.Broadcast()
		c.mu.Unlock()
		<-written
	}
	c.close()
	<-written
	c.door.server.forget(c)
	server := c.door.server
	if c.state == ready {
		server.keeper.Post(func() { server.guests.leave(c) })
	}
	if c.asked.Load() {
		server.keeper.Post(func() { server.leave(c) })
	}
}

// read reads envelopes and hands them on.
func (c *conn) read() error {
	r := bufio.NewReader(c.net)
	first, err := r.Peek(2)
	if err != nil {
		return err
	}
	for native.Refusal(first[0], native.Flags(first[1])) != nil {
		if err := c.refuse(r, first); err != nil {
			return err
		}
		if first, err = r.Peek(2); err != nil {
			return err
		}
	}
	for c.segments == nil {
		if err := c.envelope(r); err != nil {
			return err
		}
	}
	return c.readSegments(r)
}

// refuse answers a version that is not served and skips the request.
func (c *conn) refuse(r *bufio.Reader, first []byte) error {
	answer := native.Refusal(first[0], native.Flags(first[1]))
	size := native.HeaderSize
	if v := first[0] & 0x7f; v == 1 || v == 2 {
		size--
	}
	header := make([]byte, size)
	if _, err := io.ReadFull(r, header); err != nil {
		return err
	}
	c.put(outgoing{raw: answer})
	length := int(int32(uint32(header[size-4])<<24 | uint32(header[size-3])<<16 | uint32(header[size-2])<<8 | uint32(header[size-1])))
	if length < 0 || length > maxEnvelope {
		return errDropped
	}
	_, err := r.Discard(length)
	return err
}

// maxEnvelope is how long the body of a request may be.
// Source: Cassandra 5.0 Config.native_transport_max_frame_size.
const maxEnvelope = 16 << 20

// maxMessage is how long a request of version 5 may be.
// Source: Cassandra 5.0 Config.native_transport_max_message_size, CQLMessageHandler.
const maxMessage = 4 << 20

// envelope reads one envelope that stands alone.
func (c *conn) envelope(r *bufio.Reader) error {
	header := make([]byte, native.HeaderSize)
	if _, err := io.ReadFull(r, header); err != nil {
		return err
	}
	h := native.ParseHeader(header)
	if h.Length < 0 {
		c.tell(c.complaint(h, badLength(h.Length), h.Stream))
		return errDropped
	}
	if native.HeaderSize+h.Length > maxEnvelope {
		if _, err := io.CopyN(io.Discard, r, int64(h.Length)); err != nil {
			return err
		}
		c.tell(c.complaint(h, &native.Error{Code: 0x2200, Message: fmt.Sprintf("Request is too big: length %d exceeds maximum allowed length %d.", native.HeaderSize+h.Length, maxEnvelope)}, h.Stream))
		return nil
	}
	body, err := readBody(r, h.Length)
	if err != nil {
		return err
	}
	return c.handle(h, body)
}

// readBody reads a body; its memory grows with what really comes.
func readBody(r io.Reader, n int) ([]byte, error) {
	const piece = 64 << 10
	if n <= piece {
		b := make([]byte, n)
		_, err := io.ReadFull(r, b)
		return b, err
	}
	b := make([]byte, 0, piece)
	for len(b) < n {
		k := min(n-len(b), max(len(b), piece))
		at := len(b)
		b = append(b, make([]byte, k)...)
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// readSegments reads the segments of version 5.
func (c *conn) readSegments(r *bufio.Reader) error {
	var large []byte // an envelope that is not whole yet
	channel := fmt.Sprintf("%08x", c.number)
	head := make([]byte, c.segments.HeaderSize())
	for {
		if _, err := io.ReadFull(r, head); err != nil {
			return err
		}
		g, bad := c.segments.ParseHeader(head, channel)
		if bad == nil {
			wire, err := readBody(r, g.Size+c.segments.Trailer())
			if err != nil {
				return err
			}
			var payload []byte
			if payload, bad = c.segments.Payload(g, wire, channel); bad == nil {
				if large, err = c.payload(g, payload, large); err != nil {
					return err
				}
				continue
			}
		}
		c.tell(&native.Frame{Version: c.version, Body: bad})
		return errDropped
	}
}

// payload takes the envelopes out of a segment; large is the beginning of one
// that needs further segments.
func (c *conn) payload(g native.Segment, payload, large []byte) ([]byte, error) {
	if !g.SelfContained {
		if c.skip > 0 {
			if c.skip -= len(payload); c.skip <= 0 {
				c.tell(c.skipped)
				c.skip = 0
			}
			return nil, nil
		}
		large = append(large, payload...)
		if len(large) < native.HeaderSize {
			return large, nil
		}
		h := native.ParseHeader(large)
		switch want := native.HeaderSize + h.Length; {
		case h.Length < 0:
			c.tell(&native.Frame{Version: c.version, Stream: h.Stream, Body: badLength(h.Length)})
			return nil, errDropped
		case h.Length > maxMessage && len(large) < want: // the rest of it is not even kept
			c.skip, c.skipped = want-len(large), &native.Frame{Version: c.version, Stream: h.Stream, Body: tooLong(h.Length)}
			return nil, nil
		case len(large) < want:
			return large, nil
		case len(large) > want:
			c.tell(&native.Frame{Version: c.version, Body: &native.Error{Code: 0x000A, Message: "a segment holds more than the end of the envelope before it"}})
			return nil, errDropped
		}
		return nil, c.handle(h, large[native.HeaderSize:])
	}
	if large != nil {
		c.tell(&native.Frame{Version: c.version, Body: &native.Error{Code: 0x000A, Message: "a segment stands between the parts of an envelope"}})
		return nil, errDropped
	}
	for len(payload) > 0 {
		if len(payload) < native.HeaderSize {
			c.tell(&native.Frame{Version: c.version, Body: &native.Error{Code: 0x000A, Message: "a segment ends inside of a header"}})
			return nil, errDropped
		}
		h := native.ParseHeader(payload)
		if h.Length < 0 {
			c.tell(&native.Frame{Version: c.version, Stream: h.Stream, Body: badLength(h.Length)})
			return nil, errDropped
		}
		if h.Length > len(payload)-native.HeaderSize {
			c.tell(&native.Frame{Version: c.version, Stream: h.Stream, Body: &native.Error{Code: 0x000A, Message: "a segment ends inside of an envelope"}})
			return nil, errDropped
		}
		body := payload[native.HeaderSize : native.HeaderSize+h.Length]
		payload = payload[native.HeaderSize+h.Length:]
		if err := c.handle(h, body); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// badLength is the complaint about a length that cannot be.
// Source: Cassandra 5.0 Envelope.Decoder.extractHeader.
func badLength(n int) *native.Error {
	return problem("Invalid value for envelope header body length field: %d", n)
}

func tooLong(n int) *native.Error {
	return &native.Error{Code: 0x2200, Message: fmt.Sprintf("CQL Message of size %d bytes exceeds allowed maximum of %d bytes", n, maxMessage)}
}

// complaint is an error as an answer, in the version of the request where the
// connection has none yet.
func (c *conn) complaint(h native.Header, e *native.Error, stream int16) *native.Frame {
	v := c.version
	if v == 0 {
		v = h.Version
	}
	return &native.Frame{Version: v, Stream: stream, Body: e.For(v)}
}
