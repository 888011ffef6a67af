package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"

	"ringlab/engine/host"
	"ringlab/engine/workspace"
	"ringlab/model/figure"
)

// openStore opens a workspace. A replay that takes long is shown on errs and
// given up at a signal; a damaged workspace comes with the way to repair it.
func openStore(path string, o host.OpenOptions, errs io.Writer) (*host.Store, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	shown := progress{out: errs, live: isTerminal(errs) && os.Getenv("TERM") != "dumb", begun: time.Now()}
	var came os.Signal
	o.Progress = func(done, all uint64) bool {
		select {
		case came = <-signals:
			return false
		default:
		}
		shown.replayed(done, all, time.Now())
		return true
	}
	store, err := host.Open(path, o)
	shown.clear()
	var damaged *workspace.Damaged
	switch {
	case errors.Is(err, host.ErrCancelled):
		fmt.Fprintln(errs, "ringlab: "+err.Error())
		return nil, ended(came)
	case errors.As(err, &damaged):
		return nil, fmt.Errorf("%w; `ringlab --repair %s` does that", err, path)
	}
	return store, err
}

// progress tells on standard error how far a replay is.
type progress struct {
	out   io.Writer
	live  bool // one line can be written over and over
	begun time.Time
	next  time.Time
}

// replayed shows a count: never in the first second, then as the line itself on
// a terminal, and as a line every few seconds elsewhere.
func (p *progress) replayed(done, all uint64, now time.Time) {
	if now.Sub(p.begun) < time.Second || now.Before(p.next) {
		return
	}
	text := fmt.Sprintf("replayed %s of %s commands, ctrl+c cancels", thousands(done), thousands(all))
	if p.live {
		fmt.Fprint(p.out, "\r"+text+"\x1b[K")
		return
	}
	p.next = now.Add(5 * time.Second)
	fmt.Fprintln(p.out, text)
}

// clear takes a live line away.
func (p *progress) clear() {
	if p.live && time.Since(p.begun) >= time.Second {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func thousands(n uint64) string { return figure.Grouped(strconv.FormatUint(n, 10)) }

// ended is the exit status after a signal.
func ended(s os.Signal) error {
	if n, ok := s.(syscall.Signal); ok {
		return status(128 + int(n))
	}
	return status(1)
}

// isTerminal says whether a stream is a terminal, whatever kind it is.
func isTerminal(stream any) bool {
	w, ok := stream.(io.Writer)
	return ok && colorprofile.Detect(w, []string{"TERM=vt100"}) != colorprofile.NoTTY
}

// untilSignal works on a workspace and closes it. A signal ends that early: what
// was acknowledged is stored and printed by then, the rest is not.
func untilSignal(store *host.Store, work func() error) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		if e := store.Close(); err == nil {
			err = e
		}
		return err
	case s := <-signals:
		if err := store.Close(); err != nil {
			return err
		}
		return ended(s)
	}
}
