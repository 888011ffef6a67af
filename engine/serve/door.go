package serve

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"ringlab/engine/session"
)

// door is where one node takes connections, or all nodes together. It is open
// while its node is up.
type door struct {
	server  *Server
	node    int // -1: any
	address netip.AddrPort

	mu       sync.Mutex
	listener net.Listener // nil while the node is down
}

// open binds all addresses in the mode that is possible: an address a node, else
// a port a node.
func (s *Server) open(core *session.Core, o Options) error {
	n := len(core.Cluster.Nodes)
	modes := []session.NativeMode{session.AddressPerNode, session.PortPerNode}
	if o.Ports || !o.Listen.Addr().Is4() {
		modes = modes[1:]
	}
	var first error
	for _, mode := range modes {
		at := session.Native{Listen: o.Listen, Mode: mode}
		err := s.bind(core, at, n)
		if err == nil {
			s.native = at
			s.told = told(core, at, n, first)
			return nil
		}
		s.shut()
		s.mu.Lock()
		s.doors = nil
		s.mu.Unlock()
		if first == nil {
			first = err
		}
		var inUse *inUseError
		if errors.As(err, &inUse) && inUse.node == 0 { // the very address that was asked for
			return err
		}
	}
	at := session.Native{Listen: o.Listen, Mode: session.OneDoor}
	if err := s.bind(core, at, 1); err != nil {
		return err
	}
	s.native = at
	s.told = told(core, at, n, first)
	return nil
}

// inUseError says that a node's address cannot be listened at.
type inUseError struct {
	node    int
	address netip.AddrPort
	err     error
}

func (e *inUseError) Error() string {
	return fmt.Sprintf("%s cannot be listened at: %v; --listen takes another address", e.address, e.err)
}

func (e *inUseError) Unwrap() error { return e.err }

func (s *Server) bind(core *session.Core, at session.Native, n int) error {
	for i := range n {
		d := &door{server: s, node: i, address: at.At(core, i)}
		if at.Mode == session.OneDoor {
			d.node = -1
		}
		if at.Mode == session.PortPerNode && (at.Port(i) > 65535 || at.Listen.Port() == 0) {
			return fmt.Errorf("%d nodes need the ports from %d on", n, at.Listen.Port())
		}
		s.mu.Lock()
		s.doors = append(s.doors, d)
		s.mu.Unlock()
		if d.node >= 0 && !serves(core.Cluster.Nodes[i]) {
			continue
		}
		if err := d.listen(); err != nil {
			return &inUseError{i, d.address, err}
		}
	}
	return nil
}

// told says how the nodes are reached.
func told(core *session.Core, at session.Native, n int, why error) string {
	last := at.At(core, n-1)
	if at.Mode == session.OneDoor {
		last = at.Listen
	}
	names := core.Cluster.Nodes
	var text string
	switch at.Mode {
	case session.AddressPerNode:
		text = fmt.Sprintf("%s to %s listen on %s to %s: an address a node, one port.", names[0].Name, names[n-1].Name, at.Listen, last)
	case session.PortPerNode:
		text = fmt.Sprintf("%s to %s listen on %s to %s: one address, a port a node. Drivers that know no ports of peers (Node.js) see one node.",
			names[0].Name, names[n-1].Name, at.Listen, last)
	default:
		text = fmt.Sprintf("All nodes are reached at %s; drivers see a single one, and the first that is up coordinates.", at.Listen)
	}
	if n == 1 && at.Mode != session.OneDoor {
		text = fmt.Sprintf("%s listens on %s.", names[0].Name, at.Listen)
	}
	if why != nil {
		text += "\n(" + why.Error() + ")"
		if runtime.GOOS == "darwin" && at.Mode != session.AddressPerNode {
			text += "\nFor an address a node, run once after each start of the machine:"
			for i := 1; i < n; i++ {
				text += fmt.Sprintf("\n  sudo ifconfig lo0 alias %s up", session.Native{Listen: at.Listen}.Address(core, i))
			}
		}
	}
	return text
}

func (d *door) listen() error {
	l, err := net.Listen("tcp", d.address.String())
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.listener = l
	d.mu.Unlock()
	return nil
}

func (d *door) isOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.listener != nil
}

// begin accepts connections until the door is shut.
func (d *door) begin() {
	d.mu.Lock()
	l := d.listener
	d.mu.Unlock()
	if l == nil {
		return
	}
	go func() {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // no file descriptor is left, for instance
				time.Sleep(10 * time.Millisecond)
				continue
			}
			k := newConn(d, c)
			if !d.server.add(d, k) {
				c.Close()
				continue
			}
			go k.serve()
		}
	}()
}

// shut closes the listener.
func (d *door) shut() {
	d.mu.Lock()
	l := d.listener
	d.listener = nil
	d.mu.Unlock()
	if l != nil {
		l.Close()
	}
}

// coordinator is the node that requests through the door go to; false if it
// takes none.
func (d *door) coordinator(core *session.Core) (int, bool) {
	if d.node >= 0 {
		return d.node, d.node < len(core.Cluster.Nodes) && serves(core.Cluster.Nodes[d.node])
	}
	for _, n := range core.Cluster.Nodes {
		if serves(n) {
			return n.Index, true
		}
	}
	return 0, false
}
