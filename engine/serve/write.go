package serve

import (
	"ringlab/engine/native"
)

// outgoing is one piece for the writer of a connection.
type outgoing struct {
	frame   *native.Frame
	raw     []byte // instead of a frame
	framing *framing
	answers bool // a request, which is no longer under way then
	asked   int  // the bytes of that request
	weight  int64
}

// framing is how envelopes travel from some reply on.
type framing struct {
	segments   *native.Segmenter
	compressor native.Compressor
}

// hold counts the bytes of a reply that will wait for the client, from when they
// are there.
func (c *conn) hold(weight int64) {
	c.mu.Lock()
	c.pending += weight
	c.mu.Unlock()
}

// put queues a piece, whose bytes are held. What waits is bounded by the requests
// under way and the events that wait.
func (c *conn) put(o outgoing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.queue = append(c.queue, o)
	c.moved.Broadcast()
}

// reply answers a request of so many bytes.
func (c *conn) reply(f *native.Frame, then *framing, asked int) {
	o := outgoing{frame: response(f), framing: then, answers: true, asked: asked, weight: weight(f)}
	c.hold(o.weight)
	c.put(o)
}

// tell sends what answers no request.
func (c *conn) tell(f *native.Frame) {
	o := outgoing{frame: response(f), weight: weight(f)}
	c.hold(o.weight)
	c.put(o)
}

func response(f *native.Frame) *native.Frame {
	f.Response = true
	if f.Version == native.V6 {
		f.Flags |= native.UseBeta
	}
	return f
}

// push sends an event, or drops a client that does not read them.
func (c *conn) push(e *native.Event) {
	c.mu.Lock()
	c.events++
	full := c.events > maxEvents
	c.mu.Unlock()
	if full {
		c.close()
		return
	}
	c.tell(&native.Frame{Version: c.version, Stream: native.EventStream, Body: e})
}

// weight is about how much memory a reply holds.
func weight(f *native.Frame) int64 {
	n := int64(128)
	if rows, ok := f.Body.(*native.Rows); ok {
		for _, row := range rows.Values {
			for _, v := range row {
				n += int64(len(v)) + 24
			}
		}
	}
	return n
}

// room waits until another request of so many bytes may be under way; false when
// the connection ends.
func (c *conn) room(size int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed && (c.underWay >= inFlight || c.pending >= mostPending || c.asking > 0 && c.asking+size > mostAsked) {
		c.moved.Wait()
	}
	c.underWay++
	c.asking += size
	return !c.closed
}

// park puts a request aside while too many bytes of replies wait for the client,
// and behind those that were put aside; false if it is to run.
func (c *conn) park(j *job) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending < mostPending && len(c.parked) == 0 {
		return false
	}
	c.parked = append(c.parked, j)
	return true
}

// resume runs what was put aside, as far as replies have been read. The
// goroutine that owns the lab calls it.
func (c *conn) resume() {
	for {
		c.mu.Lock()
		if c.closed || len(c.parked) == 0 || c.pending >= mostPending {
			c.mu.Unlock()
			return
		}
		j := c.parked[0]
		c.parked = c.parked[1:]
		c.mu.Unlock()
		j.work()
	}
}

// take waits for pieces and gives all that there are; nil at the end.
func (c *conn) take(spare []outgoing) []outgoing {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) == 0 && !c.closed && !c.last {
		c.moved.Wait()
	}
	if c.closed || len(c.queue) == 0 {
		return nil
	}
	out := c.queue
	c.queue = spare[:0]
	return out
}

// mostTogether is how many bytes of replies are written at once.
const mostTogether = 64 << 10

// write writes replies in the order in which they come, several at once where
// several wait.
func (c *conn) write() {
	w := writer{conn: c}
	var spare []outgoing
	for {
		pieces := c.take(spare)
		if pieces == nil {
			return
		}
		for i, o := range pieces {
			w.add(o)
			if len(w.buf)+len(w.wire) > mostTogether || i == len(pieces)-1 {
				if !w.flush() {
					c.close()
					return
				}
			}
		}
		clear(pieces)
		if spare = pieces; cap(spare) > 64 {
			spare = nil
		}
	}
}

// writer turns replies into what goes over the wire.
type writer struct {
	conn *conn
	framing
	buf, wire []byte // envelopes that share a segment; what is ready
	answers   int
	asked     int
	events    int
	weight    int64
}

func (w *writer) add(o outgoing) {
	w.weight += o.weight
	switch {
	case o.answers:
		w.answers++
		w.asked += o.asked
	case o.frame != nil && o.frame.Stream == native.EventStream:
		w.events++
	}
	at := len(w.buf)
	if o.raw != nil {
		w.buf = append(w.buf, o.raw...)
	} else {
		w.buf = o.frame.Append(w.buf)
		if w.compressor != nil {
			w.buf = native.Compress(w.compressor, w.buf[:at], append([]byte{}, w.buf[at:]...))
		}
	}
	switch {
	case w.segments == nil:
	case len(w.buf)-at > native.MaxSegment: // in segments of its own
		large := w.buf[at:]
		w.buf = w.buf[:at]
		w.segment()
		w.wire = w.segments.Append(w.wire, large)
	case len(w.buf) > native.MaxSegment: // the last one begins another segment
		next := append([]byte{}, w.buf[at:]...)
		w.buf = w.buf[:at]
		w.segment()
		w.buf = append(w.buf, next...)
	}
	if o.framing != nil {
		w.segment()
		w.framing = *o.framing
	}
}

// segment ends the segment that is being filled.
func (w *writer) segment() {
	switch {
	case len(w.buf) == 0:
		return
	case w.segments != nil:
		w.wire = w.segments.Append(w.wire, w.buf)
	default:
		w.wire = append(w.wire, w.buf...)
	}
	w.buf = w.buf[:0]
}

// flush writes what is ready.
func (w *writer) flush() bool {
	w.segment()
	if _, err := w.conn.net.Write(w.wire); err != nil {
		return false
	}
	if w.wire = w.wire[:0]; cap(w.wire) > 1<<20 || cap(w.buf) > 1<<20 {
		w.wire, w.buf = nil, nil
	}
	c := w.conn
	c.mu.Lock()
	c.underWay -= w.answers
	c.asking -= w.asked
	c.events -= w.events
	c.pending -= w.weight
	again := len(c.parked) > 0 && c.pending < mostPending
	c.moved.Broadcast()
	c.mu.Unlock()
	w.answers, w.asked, w.events, w.weight = 0, 0, 0, 0
	if again {
		c.door.server.keeper.Post(c.resume)
	}
	return true
}
