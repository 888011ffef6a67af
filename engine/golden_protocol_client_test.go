package engine_test

import (
	"bufio"
	"encoding/hex"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"ringlab/engine/native"
)

// protocolClient is one connection of a client that sends recorded bytes.
type protocolClient struct {
	conn       net.Conn
	r          *bufio.Reader
	segments   *native.Segmenter
	compressor native.Compressor
	rest       []byte // envelopes of the last segment that were not asked for yet
	headers    []string
}

// lease is how long a client waits for an answer.
const lease = 20 * time.Second

func dial(t *testing.T, at netip.AddrPort) *protocolClient {
	conn, err := net.Dial("tcp", at.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &protocolClient{conn: conn, r: bufio.NewReader(conn)}
}

// open makes a connection that is set up.
func open(t *testing.T, at netip.AddrPort, v native.Version, compression string, events ...string) *protocolClient {
	c := dial(t, at)
	startup := &native.Startup{Options: []native.Option{{Name: "CQL_VERSION", Value: "3.0.0"}}}
	if compression != "" {
		startup.Options = append(startup.Options, native.Option{Name: "COMPRESSION", Value: compression})
	}
	c.ask(t, &native.Frame{Version: v, Body: startup})
	c.ready(v, compression)
	if len(events) > 0 {
		c.ask(t, &native.Frame{Version: v, Body: &native.Register{Events: events}})
	}
	return c
}

// ready makes the connection talk as it does after STARTUP.
func (c *protocolClient) ready(v native.Version, compression string) {
	if v.Segmented() {
		c.segments = &native.Segmenter{LZ4: compression != ""}
	} else if compression != "" {
		c.compressor, _ = native.FindCompressor(compression, v)
	}
}

func (c *protocolClient) send(envelope []byte) error {
	if c.segments != nil {
		envelope = c.segments.Append(nil, envelope)
	}
	_, err := c.conn.Write(envelope)
	return err
}

// envelope reads one envelope.
func (c *protocolClient) envelope() ([]byte, error) {
	c.conn.SetReadDeadline(time.Now().Add(lease))
	if c.segments == nil {
		head, err := c.r.Peek(native.HeaderSize - 1)
		if err != nil {
			return nil, err
		}
		if v := head[0] & 0x7f; v < 3 { // a shorter header
			b := make([]byte, 8+int(head[7])+int(head[6])<<8)
			_, err := io.ReadFull(c.r, b)
			return b, err
		}
		b := make([]byte, native.HeaderSize)
		if _, err := io.ReadFull(c.r, b); err != nil {
			return nil, err
		}
		b = append(b, make([]byte, native.ParseHeader(b).Length)...)
		_, err = io.ReadFull(c.r, b[native.HeaderSize:])
		return b, err
	}
	for {
		if len(c.rest) >= native.HeaderSize {
			if n := native.HeaderSize + native.ParseHeader(c.rest).Length; len(c.rest) >= n {
				b := c.rest[:n]
				c.rest = c.rest[n:]
				return b, nil
			}
		}
		head := make([]byte, c.segments.HeaderSize())
		if _, err := io.ReadFull(c.r, head); err != nil {
			return nil, err
		}
		c.headers = append(c.headers, hex.EncodeToString(head))
		g, bad := c.segments.ParseHeader(head, "")
		if bad != nil {
			return nil, bad
		}
		b := make([]byte, g.Size+c.segments.Trailer())
		if _, err := io.ReadFull(c.r, b); err != nil {
			return nil, err
		}
		payload, bad := c.segments.Payload(g, b, "")
		if bad != nil {
			return nil, bad
		}
		c.rest = append(c.rest, payload...)
	}
}

// frame reads one envelope and decodes it.
func (c *protocolClient) frame() (*native.Frame, error) {
	b, err := c.envelope()
	if err != nil {
		return nil, err
	}
	return decodeFrame(b, c.compressor)
}

func decodeFrame(b []byte, compressor native.Compressor) (*native.Frame, error) {
	h := native.ParseHeader(b)
	body := b[native.HeaderSize:]
	if h.Flags&native.Compressed != 0 {
		plain, bad := compressor.Decode(body, 1<<24)
		if bad != nil {
			return nil, bad
		}
		body = plain
	}
	f, bad := native.Decode(h, body)
	if bad != nil {
		return nil, bad
	}
	return f, nil
}

// ask sends a request and gives its answer.
func (c *protocolClient) ask(t *testing.T, f *native.Frame) *native.Frame {
	t.Helper()
	if err := c.send(f.Append(nil)); err != nil {
		t.Fatal(err)
	}
	answer, err := c.frame()
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
