package serve_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/host"
	"ringlab/engine/native"
	"ringlab/engine/serve"
)

// raw is a connection without a driver.
func raw(t *testing.T, s *serve.Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Address(0).String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(30 * time.Second))
	return c
}

func frameOf(v native.Version, m native.Message) []byte {
	return (&native.Frame{Version: v, Body: m}).Append(nil)
}

var startup = &native.Startup{Options: []native.Option{{Name: "CQL_VERSION", Value: "3.0.0"}}}

// answers reads one envelope of version 3 or 4.
func answers(t *testing.T, c net.Conn) *native.Frame {
	t.Helper()
	head := make([]byte, native.HeaderSize)
	if _, err := io.ReadFull(c, head); err != nil {
		t.Fatal(err)
	}
	h := native.ParseHeader(head)
	body := make([]byte, h.Length)
	if _, err := io.ReadFull(c, body); err != nil {
		t.Fatal(err)
	}
	f, bad := native.Decode(h, body)
	if bad != nil {
		t.Fatal(bad)
	}
	return f
}

// closed checks that the server ends the connection, whatever it says before.
func closed(t *testing.T, what string, c net.Conn) {
	t.Helper()
	if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, io.EOF) {
		var reset *net.OpError
		if !errors.As(err, &reset) || reset.Timeout() {
			t.Errorf("%s: the connection stays open: %v", what, err)
		}
	}
}

// TestGarbage sends what no driver sends. Only its own connection ends.
func TestGarbage(t *testing.T) {
	s := serving(t, "dc1=1", "127.0.9.1")
	other := raw(t, s)
	other.Write(frameOf(native.V4, startup))
	answers(t, other)

	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		c := raw(t, s)
		b := make([]byte, 1+rnd.IntN(200))
		for k := range b {
			b[k] = byte(rnd.Uint32())
		}
		if i%2 == 0 {
			c.Write(frameOf(native.V5, startup)) // garbage in place of segments
			answers(t, c)
		}
		c.Write(b)
		c.(*net.TCPConn).CloseWrite()
		closed(t, fmt.Sprintf("garbage %x", b), c)
	}
	negative := raw(t, s)
	b := frameOf(native.V4, startup)
	binary.BigEndian.PutUint32(b[5:], 0xffffffff)
	negative.Write(b)
	closed(t, "a negative length", negative)

	huge := raw(t, s)
	huge.Write(frameOf(native.V4, startup))
	answers(t, huge)
	b = frameOf(native.V4, &native.Query{})
	binary.BigEndian.PutUint32(b[5:], 17<<20)
	huge.Write(b[:native.HeaderSize])
	huge.Write(make([]byte, 17<<20))
	e, ok := answers(t, huge).Body.(*native.Error)
	if !ok || e.Message != fmt.Sprintf("Request is too big: length %d exceeds maximum allowed length %d.", 17<<20+native.HeaderSize, 16<<20) {
		t.Errorf("%+v", e)
	}
	huge.Write(frameOf(native.V4, &native.Options{})) // and it goes on
	if _, ok := answers(t, huge).Body.(*native.Supported); !ok {
		t.Error("the connection does not go on after a request that is too long")
	}

	other.Write(frameOf(native.V4, &native.Query{Text: "SELECT key FROM system.local", Parameters: native.Parameters{Consistency: 1}}))
	if _, ok := answers(t, other).Body.(*native.Rows); !ok {
		t.Error("another connection suffers")
	}
}

// TestSlowReader asks for a lot and reads nothing: the server stops reading, and
// goes on when the answers are taken.
func TestSlowReader(t *testing.T) {
	s := serving(t, "dc1=1", "127.0.10.1")
	do(t, s, "CREATE KEYSPACE k WITH replication = {'class':'SimpleStrategy','replication_factor':1}", "CREATE TABLE k.big (k int PRIMARY KEY, v blob)")
	c := raw(t, s)
	c.Write(frameOf(native.V4, startup))
	answers(t, c)
	c.Write(frameOf(native.V4, &native.Query{Text: "INSERT INTO k.big (k, v) VALUES (1, ?)", Parameters: native.Parameters{Consistency: 1, Flags: native.WithValues,
		Values: []native.Value{{Bytes: bytes.Repeat([]byte{7}, 1<<20)}}}}))
	answers(t, c)
	ask := frameOf(native.V4, &native.Query{Text: "SELECT v FROM k.big WHERE k = 1", Parameters: native.Parameters{Consistency: 1}})
	const n = 300
	sent := make(chan error, 1)
	go func() {
		for range n {
			if _, err := c.Write(ask); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for range n {
		if rows, ok := answers(t, c).Body.(*native.Rows); !ok || len(rows.Values[0][0]) != 1<<20 {
			t.Fatal("an answer is lost")
		}
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
}

// TestUnauthorizedListen refuses to let other machines in without a word about it.
func TestUnauthorizedListen(t *testing.T) {
	for _, c := range []struct {
		listen  string
		auth    bool
		message string
	}{
		{"0.0.0.0:9042", false, "drivers are told where the nodes are, and 0.0.0.0 is nowhere: listen on an address of this machine that they can dial"},
		{"192.0.2.1:9042", false, "192.0.2.1:9042 can be reached from other machines, and everybody there could change the lab: say --insecure if that is meant, or listen on 127.0.0.1"},
		{"192.0.2.1:9042", true, "192.0.2.1:9042 can be reached from other machines, and the superuser cassandra still has its first password, which everybody knows: " +
			"ALTER ROLE cassandra WITH PASSWORD changes it; or say --insecure if that is meant, or listen on 127.0.0.1"},
	} {
		lab, err := engine.New(engine.Options{Ring: "dc1=1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := serve.Start(host.Memory(lab), serve.Options{Listen: mustParse(c.listen), Auth: c.auth}); err == nil || err.Error() != c.message {
			t.Errorf("%s: %v", c.listen, err)
		}
	}
}

// TestUnread asks for far more than a server may hold for one client and reads
// nothing: what has been asked for waits, and all of it is answered in the end.
func TestUnread(t *testing.T) {
	s := serving(t, "dc1=1", "127.0.10.1")
	do(t, s, "CREATE KEYSPACE k WITH replication = {'class':'SimpleStrategy','replication_factor':1}", "CREATE TABLE k.big (k int PRIMARY KEY, v blob)")
	c := raw(t, s)
	c.(*net.TCPConn).SetReadBuffer(1 << 16)
	c.Write(frameOf(native.V4, startup))
	answers(t, c)
	c.Write(frameOf(native.V4, &native.Query{Text: "INSERT INTO k.big (k, v) VALUES (1, ?)", Parameters: native.Parameters{Consistency: 1, Flags: native.WithValues,
		Values: []native.Value{{Bytes: bytes.Repeat([]byte{7}, 2<<20)}}}}))
	answers(t, c)
	const n = 200
	c.Write(bytes.Repeat(frameOf(native.V4, &native.Query{Text: "SELECT v FROM k.big WHERE k = 1", Parameters: native.Parameters{Consistency: 1}}), n))
	most := s.MostHeld(300 * time.Millisecond)
	if most < 2<<20 || most > 16<<20 {
		t.Errorf("%d bytes of answers wait for a client that reads nothing", most)
	}
	for i := range n {
		if rows, ok := answers(t, c).Body.(*native.Rows); !ok || len(rows.Values[0][0]) != 2<<20 {
			t.Fatalf("answer %d is lost", i)
		}
	}
}
