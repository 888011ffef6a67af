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
	request session.Request
	came    time.Time

	skip     bool          // SKIP_METADATA
	payload  []native.Pair // of the request, if it comes back
	resultID []byte        // that the client knows, from version 5 on

	reply *native.Frame
	wait  time.Duration // how long after it came the reply is due
	then  func(error)   // instead of a reply
}

// run runs the request; the reply goes out once the journal has it.
func (j *job) run() {
	server := j.door.server
	store := server.keeper.Store()
	core := store.Lab.Core()
	node, open := j.door.coordinator(core)
	if !open && j.then == nil {
		j.conn.close()
		return
	}
	j.request.Node = node
	server.announce() // the lab may be at another point of the journal
	if j.request.Verb == session.Leave {
		if core.Clients[j.request.Client] == nil {
			return
		}
		j.then = func(error) {}
	}
	if j.then == nil {
		j.request.Clock = server.clock.nodes(core)
	}
	reply, receipt := store.Request(&j.request)
	if j.then == nil {
		j.reply = j.frame(core, reply)
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
	}
	store.Commit(receipt, j.done)
}

// done sends the reply, or says that there will be none: what is not in the
// journal is not acknowledged.
func (j *job) done(err error) {
	switch {
	case j.then != nil:
		j.then(err)
	case err != nil:
		j.conn.reply(&native.Frame{Version: j.version, Stream: j.stream, Body: &native.Error{Message: "the workspace is not written any more: " + err.Error()}}, nil)
	default:
		if left := j.wait - time.Since(j.came); j.wait > 0 && left > 0 {
			time.AfterFunc(left, func() { j.conn.reply(j.reply, nil) })
			return
		}
		j.conn.reply(j.reply, nil)
	}
}
