package serve

import (
	"ringlab/engine/host"
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

	skip     bool   // SKIP_METADATA
	resultID []byte // that the client knows, from version 5 on

	reply *native.Frame
	then  func(error) // instead of a reply
}

// run runs the request; the reply goes out once the journal has it.
func (j *job) run(store *host.Store) {
	core := store.Lab.Core()
	node, open := j.door.coordinator(core)
	if !open && j.then == nil {
		j.conn.close()
		return
	}
	j.request.Node = node
	if j.request.Verb == session.Leave {
		if core.Clients[j.request.Client] == nil {
			return
		}
		j.then = func(error) {}
	}
	if j.then == nil {
		j.request.Clock = j.door.server.owner.clocks()
	}
	reply, receipt := store.Request(&j.request)
	if j.then == nil {
		j.reply = j.frame(core, reply)
		if e := reply.Event; e != nil && reply.Error == nil {
			j.door.server.changed(core, e)
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
		j.conn.reply(j.reply, nil)
	}
}
