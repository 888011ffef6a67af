package serve

import (
	"time"

	"ringlab/engine/native"
	"ringlab/engine/session"
)

// job is one request on its way through the lab and back.
type job struct {
	conn    *conn
	door    *door
	stream  int16
	version native.Version
	size    int // of the request on the wire, bytes
	request session.Request
	came    time.Time

	skip     bool          // SKIP_METADATA
	payload  []native.Pair // of the request, if it comes back
	resultID []byte        // that the client knows, from version 5 on

	reply *native.Frame
	held  int64         // bytes of it
	wait  time.Duration // how long after it came the reply is due
}

// run runs the request, or puts it aside for a client that does not read.
func (j *job) run() {
	if !j.conn.park(j) {
		j.work()
	}
}

// work runs the request; the reply goes out once the journal has it.
func (j *job) work() {
	server := j.door.server
	store := server.keeper.Store()
	core := store.Lab.Core()
	node, open := j.door.coordinator(core)
	if !open {
		j.conn.close()
		return
	}
	j.request.Node = node
	server.announce() // the lab may be at another point of the journal
	j.request.Clock = server.clock.nodes(core)
	reply, receipt := store.Request(&j.request)
	j.reply = j.frame(core, reply)
	j.held = weight(j.reply)
	j.conn.hold(j.held)
	if e := reply.Event; e != nil && reply.Error == nil {
		server.changed(core, e)
	}
	server.guests.count(j.conn, core, &j.request, reply)
	if server.owner == nil {
		server.recent.add(core, j.conn, &j.request, reply)
	}
	if server.pace > 0 {
		j.wait = time.Duration(float64(reply.Latency)/server.pace) * time.Microsecond
	}
	store.Commit(receipt, j.done)
}

// done sends the reply, or says that there will be none: what is not in the
// journal is not acknowledged.
func (j *job) done(err error) {
	if err != nil {
		j.reply = &native.Frame{Version: j.version, Stream: j.stream, Body: &native.Error{Message: "the workspace is not written any more: " + err.Error()}}
	}
	answer := func() {
		j.conn.put(outgoing{frame: response(j.reply), answers: true, asked: j.size, weight: j.held})
	}
	if left := j.wait - time.Since(j.came); err == nil && left > 0 {
		time.AfterFunc(left, answer)
		return
	}
	answer()
}

// leave has the lab forget the client of a connection that has ended.
func (s *Server) leave(c *conn) {
	store := s.keeper.Store()
	core := store.Lab.Core()
	if core.Clients[c.name] == nil {
		return
	}
	node, _ := c.door.coordinator(core)
	s.announce()
	_, receipt := store.Request(&session.Request{Client: c.name, Verb: session.Leave, Node: node})
	store.Commit(receipt, func(error) {})
}
