package serve

import (
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/view"
)

// ParseListen reads where to listen: an address with or without a port.
func ParseListen(text string) (netip.AddrPort, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return netip.AddrPortFrom(a, DefaultListen.Port()), nil
	}
	at, err := netip.ParseAddrPort(strings.Replace(text, "localhost:", "127.0.0.1:", 1))
	if err != nil || at.Port() == 0 {
		return at, fmt.Errorf("drivers are listened for at an address and a port, such as 127.0.0.1:9042, not at %q", text)
	}
	return at, nil
}

// ParsePace reads how simulated delays are made real: 1x, 0.1x for ten times as
// long, or virtual, which is 0.
func ParsePace(text string) (float64, error) {
	if text == "virtual" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !strings.HasSuffix(text, "x") || !(f >= 0.001 && f <= 1000) {
		return 0, fmt.Errorf("the pace is `virtual`, `1x` for delays as long as they are, or from 0.001x to 1000x; not %q", text)
	}
	return f, nil
}

// ReadUsers reads a file of lines name:password.
func ReadUsers(name string) (Users, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	u, err := ParseUsers(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return u, nil
}

// Workbench lets drivers connect to the lab of a workbench when :serve asks for
// it. It belongs to the goroutine that owns the lab.
type Workbench struct {
	host   *host.Host
	server *Server
}

// NewWorkbench has :serve and :clients of a workbench do their work.
func NewWorkbench(h *host.Host) *Workbench {
	w := &Workbench{host: h}
	h.Store().Reach(w.Do)
	return w
}

// Close ends what is served, once the host is closed.
func (w *Workbench) Close() {
	if w.server != nil {
		w.server.Close()
	}
}

// Do runs :serve and :clients.
func (w *Workbench) Do(name string, a admin.Args) ([]*answer.Answer, error) {
	switch {
	case name == "clients" && w.server == nil:
		return nil, fmt.Errorf("drivers cannot connect: `:serve` lets them")
	case name == "serve" && a.Has("stop"):
		if w.server == nil {
			return nil, fmt.Errorf("nothing is served")
		}
		w.host.Serve(nil)
		w.server.Close()
		w.server = nil
		return say("Drivers are connected no more."), nil
	case name == "serve" && w.server == nil:
		return w.begin(a)
	case w.server != nil:
		return w.server.do(name, a)
	}
	return host.Files{}.Edge(name, a)
}

// begin serves the lab.
func (w *Workbench) begin(a admin.Args) ([]*answer.Answer, error) {
	o, err := options(a)
	if err != nil {
		return nil, err
	}
	store := w.host.Store()
	if store.Past() {
		return nil, fmt.Errorf("the lab stands before commands that were undone, which requests of drivers would drop: `:redo` them first, or run another command")
	}
	s, err := Beside(w.host, o)
	if err != nil {
		return nil, err
	}
	w.server = s
	text := s.told
	if behind := s.clock.unix - store.Lab.Core().Cluster.Unix(); behind > 1000000 {
		out, receipt := store.Run(fmt.Sprintf(":advance %dus", behind))
		store.Commit(receipt, func(error) {})
		if out[0].Error != nil {
			w.server = nil
			s.Close()
			return out, nil
		}
		s.clock = startClock(store.Lab.Core())
		text += "\nThe lab's clock went on to that of this machine, which drivers' timestamps are of (:undo takes that back)."
	} else if ahead := -behind; ahead > 1000000 || s.clock.ahead() > 1000000 {
		text += "\nThe lab's clock is ahead of this machine's: what is written with timestamps of drivers is older than what is here."
	}
	if store.Lab.Speed() == "pause" {
		store.Run(":speed 1x")
		text += "\nTime flows from now on; space stops it, and requests still move it."
	}
	w.host.Serve(s)
	return say(text), nil
}

// options reads the words of :serve.
func options(a admin.Args) (o Options, err error) {
	for _, word := range a.Words {
		switch word {
		case "ports":
			o.Ports = true
		case "insecure":
			o.Insecure = true
		case "auth":
			o.Auth = true
		default:
			if o.Listen, err = ParseListen(word); err != nil {
				return o, err
			}
		}
	}
	for name, value := range a.Named {
		switch name {
		case "pace":
			o.Pace, err = ParsePace(value)
		case "payload":
			o.Echo, err = ParsePayload(value)
		case "users":
			o.Users, err = ReadUsers(value)
		default:
			err = fmt.Errorf(":serve knows no %s=", name)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// do runs :serve and :clients while the lab is served.
func (s *Server) do(name string, a admin.Args) ([]*answer.Answer, error) {
	core := s.keeper.Store().Lab.Core()
	switch {
	case name == "clients" && a.Has("forget"):
		s.guests.forget()
		return say("What the clients asked so far is forgotten."), nil
	case name == "clients":
		return []*answer.Answer{s.guests.table(core, a.Has("all"))}, nil
	case name == "serve" && a.Has("stop"):
		return nil, fmt.Errorf("this lab is there for drivers alone: ctrl+c ends it")
	case name == "serve" && len(a.Words) > 0:
		return nil, fmt.Errorf("the lab is served already; `:serve stop` ends that. %s", s.told)
	case name == "serve":
		o, err := options(a)
		if err != nil {
			return nil, err
		}
		if o.Users != nil || o.Auth {
			return nil, fmt.Errorf("the lab is served already; `:serve stop` ends that")
		}
		if _, set := a.Named["pace"]; set {
			s.pace = o.Pace
		}
		return say(s.told + "\n" + s.paced()), nil
	}
	return host.Files{}.Edge(name, a)
}

// paced says how long drivers wait for answers.
func (s *Server) paced() string {
	if s.pace == 0 {
		return "Delays are virtual: answers come as fast as they are worked out; pace=1x makes them real."
	}
	return fmt.Sprintf("Answers take as long as in virtual time, at %gx.", s.pace)
}

func say(text string) []*answer.Answer { return []*answer.Answer{{Message: text}} }

// Look is what people see of the clients.
func (s *Server) Look() *view.Served {
	return &view.Served{Where: s.native.Listen.String(), Connections: len(s.guests.conns), Waits: s.waits, Total: s.recent.total, PerSecond: s.recent.perSecond(), Recent: s.recent.list()}
}
