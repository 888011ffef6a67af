package engine_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ringlab/engine/native"
	"ringlab/engine/serve"
)

// protocolReplay plays one recording against a server of its own.
type protocolReplay struct {
	t      *testing.T
	base   string
	server *serve.Server
	at     netip.AddrPort
	conns  map[native.Version]*protocolClient
	watch  map[native.Version]*protocolClient // who wants events
	states map[string][]byte                  // recorded paging states: ours
	nodes  int                                // of the ring
}

// client is the connection that an exchange takes place on.
func (p *protocolReplay) client(e *protocolExchange) *protocolClient {
	v := native.Version(e.Version)
	fresh := func() *protocolClient { return dial(p.t, p.at) }
	switch p.base {
	case "01-handshake":
		switch {
		case strings.HasPrefix(e.ID, "options-supported"):
			p.conns[v] = fresh()
			return p.conns[v]
		case strings.HasPrefix(e.ID, "register-unknown"), strings.Contains(e.ID, "opcode"), strings.Contains(e.ID, "direction"):
			return open(p.t, p.at, v, "")
		case strings.HasPrefix(e.ID, "register-ready"), strings.HasPrefix(e.ID, "options-after"), strings.HasPrefix(e.ID, "startup-twice"):
			if c := p.conns[v]; v.Segmented() && c.segments == nil {
				c.ready(v, "")
			}
			return p.conns[v]
		case strings.HasPrefix(e.ID, "startup-ready"):
			return p.conns[v]
		}
		return fresh()
	case "02-version-negotiation":
		switch e.ID {
		case "version-change-v4-to-v3":
			return open(p.t, p.at, native.V4, "")
		case "version-change-v5-to-v4":
			return open(p.t, p.at, native.V5, "")
		}
		return fresh()
	case "13-auth":
		if strings.HasPrefix(e.ID, "unauthorized") { // the recorder logged in as another user for these
			c := open(p.t, p.at, v, "")
			c.ask(p.t, &native.Frame{Version: v, Body: &native.AuthResponse{Token: []byte("\x00bob\x00bob")}})
			return c
		}
		if strings.HasPrefix(e.ID, "startup-authenticate") {
			p.conns[v] = fresh()
		} else if c := p.conns[v]; c != nil && v.Segmented() && c.segments == nil {
			c.ready(v, "")
		}
		return p.conns[v]
	case "03-query":
		if strings.HasPrefix(e.ID, "describe-cluster") { // which shows more with a keyspace in use
			return open(p.t, p.at, v, "")
		}
	case "11-v5-segments":
		if strings.HasSuffix(e.ID, "-mismatch") {
			return open(p.t, p.at, v, "")
		}
		if strings.HasPrefix(e.ID, "lz4") {
			return open(p.t, p.at, v, "lz4")
		}
	}
	compression := ""
	if p.base == "12-v4-compression" {
		compression = "lz4"
	}
	if p.conns[v] == nil {
		p.conns[v] = open(p.t, p.at, v, compression)
		if p.base == "06-batch" {
			p.conns[v].ask(p.t, &native.Frame{Version: v, Body: &native.Prepare{Text: "INSERT INTO nproto.gold_simple (k,v) VALUES (?,?)"}})
		}
	}
	return p.conns[v]
}

// play plays one exchange and says how the answers differ.
func (p *protocolReplay) play(e *protocolExchange) string {
	if p.base == "16-topology-status-events" && len(e.Frames) == 1 {
		return p.event(e)
	}
	if p.base == "17-timeouts" {
		for _, text := range []string{":advance 60s", ":pause n2 15s"} {
			if _, err := p.server.Command(text); err != nil {
				return err.Error()
			}
		}
	}
	if p.base == "14-failures" && strings.HasPrefix(e.ID, "read-timeout") {
		if _, err := p.server.Command(":slow n1 1000000x"); err != nil {
			return err.Error()
		}
	}
	c := p.client(e)
	var want [][]byte
	var events []*protocolFrame
	for i := range e.Frames {
		f := &e.Frames[i]
		switch {
		case f.Dir == "request":
			if diff := p.ask(c, e, f); diff != "" {
				return diff
			}
		case f.SHA256 != "":
			return p.large(c, f)
		case f.Connection != "":
			events = append(events, f)
		default:
			want = append(want, f.bytes(p.t))
		}
	}
	var got []*native.Frame
	var raw [][]byte
	for range want {
		b, err := c.envelope()
		if err != nil {
			return "no answer: " + err.Error()
		}
		raw = append(raw, b)
	}
	if len(raw) > 0 && raw[0][0]&0x7f < 3 {
		if !bytes.Equal(raw[0], want[0]) {
			return fmt.Sprintf("got %x\n    expected %x", raw[0], want[0])
		}
		return ""
	}
	compressor := c.compressor
	for _, b := range raw {
		f, err := decodeFrame(b, compressor)
		if err != nil {
			return err.Error()
		}
		got = append(got, f)
	}
	var expected []*native.Frame
	for _, b := range want {
		f, err := decodeFrame(b, compressor)
		if err != nil {
			return err.Error()
		}
		expected = append(expected, f)
	}
	order := func(a, b *native.Frame) int { return int(a.Stream) - int(b.Stream) }
	slices.SortFunc(got, order)
	slices.SortFunc(expected, order)
	for i := range got {
		if diff := p.compare(e, got[i], expected[i]); diff != "" {
			return diff
		}
	}
	for _, f := range events {
		w := p.watch[native.Version(e.Version)]
		if w == nil {
			return "nobody waits for events"
		}
		if b, err := w.envelope(); err != nil || !bytes.Equal(b, f.bytes(p.t)) {
			return fmt.Sprintf("event %x (%v)\n    expected %s", b, err, f.Envelope)
		}
	}
	return ""
}

// ask sends the request of an exchange, as it was on the wire where that is
// recorded.
func (p *protocolReplay) ask(c *protocolClient, e *protocolExchange, f *protocolFrame) string {
	if f.SHA256 != "" {
		text := "INSERT INTO nproto.gold_big (k,v) VALUES (1,?)"
		b := (&native.Frame{Version: native.V5, Stream: 3, Body: &native.Query{Text: text, Parameters: native.Parameters{Consistency: 1, Flags: native.WithValues,
			Values: []native.Value{{Bytes: bytes.Repeat([]byte{0xab}, 200000)}}}}}).Append(nil)
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != f.SHA256 {
			return "the request is another one than the recorded"
		}
		return orNothing(c.send(b))
	}
	b := f.bytes(p.t)
	if strings.Contains(e.ID, "-mismatch") || e.ID == "two-envelopes-one-segment" && f.Wire != "" {
		_, err := c.conn.Write(unhex(p.t, f.Wire))
		return orNothing(err)
	}
	if e.ID == "two-envelopes-one-segment" { // it came with the one before
		return ""
	}
	if len(b) < native.HeaderSize || b[0] < 3 { // a version with a shorter header
		return orNothing(c.send(b))
	}
	if decoded, err := decodeFrame(b, c.compressor); err == nil {
		if q, ok := decoded.Body.(*native.Query); ok && q.PagingState != nil {
			if ours, ok := p.states[string(q.PagingState)]; ok {
				q.PagingState = ours
				b = decoded.Append(nil)
			}
		}
	}
	return orNothing(c.send(b))
}

func orNothing(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// large compares an answer of which the recording has but a hash.
func (p *protocolReplay) large(c *protocolClient, f *protocolFrame) string {
	c.headers = nil
	b, err := c.envelope()
	if err != nil {
		return err.Error()
	}
	var headers []string
	for _, s := range f.Segments {
		headers = append(headers, s.Header)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != f.SHA256 || !slices.Equal(c.headers, headers) {
		return fmt.Sprintf("%d bytes, segments %q\n    expected %q", len(b), c.headers, headers)
	}
	return ""
}

// event makes n2 do what the recorded event tells of, and compares what is
// pushed: all but the address.
func (p *protocolReplay) event(e *protocolExchange) string {
	v := native.Version(e.Version)
	var want *native.Event
	if f, err := decodeFrame(e.Frames[0].bytes(p.t), nil); err != nil {
		return err.Error()
	} else {
		want = f.Body.(*native.Event)
	}
	commands := map[string][]string{"UP": {":down n2", ":up n2"}, "DOWN": {":up n2", ":down n2"},
		"NEW_NODE":     {fmt.Sprintf(":bootstrap n%d dc=datacenter1 rack=rack1", p.nodes+1)},
		"REMOVED_NODE": {fmt.Sprintf(":bootstrap n%d dc=datacenter1 rack=rack1", p.nodes+1), fmt.Sprintf(":decommission n%d", p.nodes+1)}}[want.Change]
	about := 1
	if want.Type == native.TopologyChange {
		about = p.nodes
		p.nodes++
	}
	for i, text := range commands {
		if i == len(commands)-1 {
			p.watch[v] = open(p.t, p.server.Address(0), v, "", want.Type)
		}
		out, err := p.server.Command(text)
		if err != nil {
			return err.Error()
		}
		for _, a := range out {
			if a.Error != nil && !strings.Contains(a.Error.Message, " already") {
				return text + ": " + a.Error.Message
			}
		}
	}
	f, err := p.watch[v].frame()
	if err != nil {
		return err.Error()
	}
	got, ok := f.Body.(*native.Event)
	if !ok || got.Node != p.server.Address(about) {
		return fmt.Sprintf("got %+v", f.Body)
	}
	want.Node = got.Node
	want2 := (&native.Frame{Version: v, Response: true, Stream: native.EventStream, Body: want}).Append(nil)
	if b := f.Append(nil); !bytes.Equal(b, want2) {
		return fmt.Sprintf("got %x\n    expected %x", b, want2)
	}
	return ""
}

var recordedNode = regexp.MustCompile(`/127\.0\.0\.41\b`)

var channelName = regexp.MustCompile(`^[0-9a-f]{8} invalid`)

// compare says how an answer differs from the recorded one, apart from what is
// another in every cluster.
func (p *protocolReplay) compare(e *protocolExchange, got, want *native.Frame) string {
	if slices.Contains(e.Volatile, "tracing_id") && len(got.TraceID) == 16 {
		got.TraceID = want.TraceID
	}
	switch w := want.Body.(type) {
	case *native.Error:
		w.Message = recordedNode.ReplaceAllString(w.Message, "/127.0.0.1")
		for i := range w.Reasons {
			w.Reasons[i].Node = netip.MustParseAddr("127.0.0.1")
		}
		if g, ok := got.Body.(*native.Error); ok && channelName.MatchString(g.Message) {
			w.Message = g.Message[:8] + w.Message[8:]
		}
		for i := range want.Warnings {
			want.Warnings[i] = recordedNode.ReplaceAllString(want.Warnings[i], "/127.0.0.1")
		}
	case *native.Rows:
		g, ok := got.Body.(*native.Rows)
		if !ok {
			break
		}
		if g.Metadata.PagingState != nil && w.Metadata.PagingState != nil { // each server has its own
			p.states[string(w.Metadata.PagingState)] = g.Metadata.PagingState
			g.Metadata.PagingState = w.Metadata.PagingState
		}
		if strings.HasPrefix(e.ID, "describe-cluster") && len(g.Values) == 1 {
			g.Values[0][0] = w.Values[0][0]
		}
		if p.base == "16-topology-status-events" && len(g.Values) == len(w.Values) { // tokens, ids, names and addresses
			g.Values = w.Values
		}
	}
	a, b := got.Append(nil), want.Append(nil)
	if !bytes.Equal(a, b) {
		return fmt.Sprintf("got\n    %x\n    %s\n  expected\n    %x\n    %s", a, printableBytes(a), b, printableBytes(b))
	}
	return ""
}

func printableBytes(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, string(b))
}

// TestGoldenProtocol replays what clients sent to a real node and compares what
// comes back, byte for byte but for ids and clocks.
func TestGoldenProtocol(t *testing.T) {
	known := knownDifferences(t, "testdata/golden/protocol/KNOWN_DIFFERENCES")
	files := protocolFiles(t)
	total, good, seen := 0, 0, map[string]bool{}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		ring, o := "datacenter1=1 racks=1", serve.Options{}
		switch base {
		case "16-topology-status-events", "17-timeouts":
			ring = "datacenter1=2 racks=2"
			o.Listen = freeBlock(t, "127.0.0.81")
		case "15-custom-payload":
			o.Echo = true
		case "13-auth":
			o.Auth = true
		}
		s := serveRing(t, ring, o)
		protocolSetup(t, s, base, files)
		p := &protocolReplay{t: t, base: base, server: s, at: s.Address(0), conns: map[native.Version]*protocolClient{}, watch: map[native.Version]*protocolClient{}, nodes: 2, states: map[string][]byte{}}
		if base == "04-schema-change" {
			for _, v := range []native.Version{native.V3, native.V4} {
				p.watch[v] = nil
			}
		}
		f := files[name]
		for i := range f.Exchanges {
			e := &f.Exchanges[i]
			if base == "04-schema-change" && p.watch[native.Version(e.Version)] == nil {
				clear(p.watch)
				p.watch[native.Version(e.Version)] = open(t, p.at, native.Version(e.Version), "", native.SchemaEvent)
			}
			diff := p.play(e)
			for try := 0; try < 20 && diff != "" && strings.HasPrefix(e.ID, "write-timeout-counter"); try++ {
				diff = p.play(e) // the leader of the update is drawn: the recorded one was not the node that is paused
			}
			key := base + " " + e.ID
			total++
			seen[key] = true
			switch {
			case diff == "":
				if good++; known[key] != "" {
					t.Errorf("%s is as recorded; KNOWN_DIFFERENCES says otherwise: %s", key, known[key])
				}
			case known[key] == "":
				t.Errorf("%s: %s", key, diff)
				fallthrough
			default:
				if base != "13-auth" && base != "01-handshake" {
					delete(p.conns, native.Version(e.Version)) // answers that were not asked for may still come
				}
			}
		}
		s.Close()
	}
	for key := range known {
		if !seen[key] {
			t.Errorf("KNOWN_DIFFERENCES names %s, which is no exchange", key)
		}
	}
	fmt.Printf("golden protocol: %d of %d\n", good, total)
}
