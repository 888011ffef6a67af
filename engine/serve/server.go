// Package serve lets drivers talk to a lab: the binary protocol's listeners and
// connections, the goroutine that owns the lab meanwhile, and the events that
// are pushed. Every request is a command of the journal.
package serve

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/native"
	"ringlab/engine/session"
)

// Options say how a lab is served.
type Options struct {
	Listen   netip.AddrPort // of the first node; the zero value is 127.0.0.1:9042
	Ports    bool           // one address and a port a node
	Insecure bool           // beyond loopback without passwords
	Users    Users          // who may come in to a lab that asks nobody for a password; nil: everybody
	Auth     bool           // the lab asks for passwords and permissions from now on, if it does not
	Pace     float64        // virtual time that passes while a client waits for a second; 0: no waiting
	Echo     bool           // custom payloads of requests come back with their answers
	Log      func(string)   // is told of clients that come, and of what they had better not do; nil for nobody
}

// DefaultListen is where the first node listens.
var DefaultListen = netip.MustParseAddrPort("127.0.0.1:9042")

// Server serves one lab.
type Server struct {
	keeper Keeper
	owner  *owner // nil: the lab is a workbench's
	clock  clock
	native session.Native
	users  Users
	roles  atomic.Bool   // the lab's authenticator asks for passwords
	gone   chan struct{} // closed by Close
	watch  watcher
	told   string // how the nodes are reached, for people
	pace   float64
	echo   bool
	guests guests
	recent recent
	waits  bool // the lab stands before commands that were undone: the doors are shut

	mu      sync.Mutex
	doors   []*door // of node i; a single one for all in mode OneDoor
	conns   map[*conn]bool
	events  map[string]map[*conn]bool // by type of event: who wants them
	numbers uint64
	closed  bool
}

// Start opens the listeners and serves the lab until Close. From then on the
// store belongs to the server.
func Start(store *host.Store, o Options) (*Server, error) {
	own := newOwner(store)
	s, err := Beside(own, o)
	if err != nil {
		return nil, err
	}
	s.owner, own.after = own, s.Observe
	own.flow = func() {
		if to := s.clock.virtual(); to > store.Lab.Now() {
			store.Lab.Advance(to)
		}
	}
	store.Reach(s.do)
	go own.loop()
	return s, nil
}

// Beside opens the listeners and serves the lab of a keeper, which goes on with
// its own work, until Close. It is called by the goroutine that owns the lab,
// which calls Observe after every piece of work from then on.
func Beside(k Keeper, o Options) (*Server, error) {
	if !o.Listen.IsValid() {
		o.Listen = DefaultListen
	}
	if o.Listen.Addr().IsUnspecified() {
		return nil, fmt.Errorf("drivers are told where the nodes are, and %s is nowhere: listen on an address of this machine that they can dial", o.Listen.Addr())
	}
	store := k.Store()
	if o.Auth {
		if err := switchOn(store); err != nil {
			return nil, err
		}
	}
	if o.Users != nil && store.Lab.Core().Cluster.Set.Auth.Passwords {
		return nil, errors.New("the lab's own roles log in here, since its authenticator is PasswordAuthenticator: leave the list of users away")
	}
	if err := o.guarded(store.Lab.Core()); err != nil {
		return nil, err
	}
	s := &Server{keeper: k, gone: make(chan struct{}), users: o.Users, pace: o.Pace, echo: o.Echo, guests: guests{log: o.Log}, conns: map[*conn]bool{}, events: map[string]map[*conn]bool{}}
	core := store.Lab.Core()
	s.roles.Store(core.Cluster.Set.Auth.Passwords)
	s.clock = startClock(core)
	if err := s.open(core, o); err != nil {
		return nil, err
	}
	s.announce()
	if err := store.Flush(); err != nil {
		s.shut()
		return nil, err
	}
	s.watch.begin(core)
	for _, d := range s.doors {
		d.begin()
	}
	return s, nil
}

// announce has the system tables say where the nodes are reached, if they do not.
func (s *Server) announce() {
	store := s.keeper.Store()
	if store.Lab.Core().Native != s.native {
		_, receipt := store.Run(":native " + s.native.String())
		store.Commit(receipt, func(error) {})
	}
}

// Told says how the nodes are reached, for people.
func (s *Server) Told() string { return s.told }

// Address is where drivers reach a node.
func (s *Server) Address(node int) netip.AddrPort {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.native.Mode == session.OneDoor {
		node = 0
	}
	return s.doors[node].address
}

// Command runs one statement or lab command between the requests, and gives its
// answers once they are stored.
func (s *Server) Command(text string) ([]*answer.Answer, error) { return s.Script(text, "", 0) }

// Script is Command for what stands in a script.
func (s *Server) Script(text, file string, line int) (out []*answer.Answer, err error) {
	if s.owner == nil {
		return nil, errors.New("the commands of a workbench are run by it")
	}
	told := make(chan error, 1)
	store := s.keeper.Store()
	if err := s.owner.do(func() {
		var receipt host.Receipt
		store.Lab.Place(file, line)
		out, receipt = store.Run(text)
		s.clock.resume(store.Lab.Core())
		for _, a := range out {
			if a.Event != nil && a.Error == nil {
				s.changed(store.Lab.Core(), a.Event)
			}
		}
		store.Commit(receipt, func(err error) { told <- err })
	}); err != nil {
		return nil, err
	}
	return out, <-told
}

// Close drops all connections and ends the server. The store stays open.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.gone)
	}
	s.mu.Unlock()
	s.shut()
	if s.owner != nil {
		s.owner.close()
	}
}

func (s *Server) shut() {
	s.mu.Lock()
	doors := slices.Clone(s.doors)
	s.mu.Unlock()
	for _, d := range doors {
		d.shut()
	}
	s.drop(nil)
}

// drop ends the connections of a door, nil for all.
func (s *Server) drop(d *door) {
	s.mu.Lock()
	list := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		if d == nil || c.door == d {
			list = append(list, c)
		}
	}
	s.mu.Unlock()
	for _, c := range list {
		c.close()
	}
}

// add takes a new connection; false after Close.
func (s *Server) add(d *door, c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || !d.isOpen() {
		return false
	}
	s.numbers++
	c.number = s.numbers
	s.conns[c] = true
	return true
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	for _, list := range s.events {
		delete(list, c)
	}
}

// eventTypes are those that can be registered. TRACE_COMPLETE is never sent.
// Source: Cassandra 5.0 Event.Type.
var eventTypes = []string{native.TopologyChange, native.StatusChange, native.SchemaEvent, "TRACE_COMPLETE"}

// register makes a connection receive events.
func (s *Server) register(c *conn, types []string) *native.Error {
	for _, t := range types {
		if !slices.Contains(eventTypes, t) {
			return problem("Invalid value '%s' for Type", t)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range types {
		if s.events[t] == nil {
			s.events[t] = map[*conn]bool{}
		}
		s.events[t][c] = true
	}
	return nil
}

// listeners are the connections that want a type of event.
func (s *Server) listeners(of string) []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*conn, 0, len(s.events[of]))
	for c := range s.events[of] {
		out = append(out, c)
	}
	return out
}

// Users are names with their passwords.
type Users map[string]string

// ParseUsers reads lines of a name, a colon and a password. Empty lines and
// those that begin with # are passed over.
func ParseUsers(text string) (Users, error) {
	u := Users{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		name, password, ok := strings.Cut(line, ":")
		if !ok || name == "" || password == "" {
			return nil, fmt.Errorf("line %d is not of the form name:password", i+1)
		}
		u[name] = password
	}
	if len(u) == 0 {
		return nil, fmt.Errorf("there is no line of the form name:password")
	}
	return u, nil
}
