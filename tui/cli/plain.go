package cli

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"ringlab/engine/headless"
	"ringlab/engine/host"
)

// wantsPlain says whether lines of text are to take the place of the screen:
// asked for by ACCESSIBLE=1, or all that the terminal can show.
func wantsPlain(out io.Writer) bool {
	accessible, _ := strconv.ParseBool(os.Getenv("ACCESSIBLE"))
	return accessible || os.Getenv("TERM") == "dumb" || !isTerminal(out)
}

// plainSession talks line by line.
func plainSession(h *host.Host, in io.Reader, out io.Writer) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	p := &headless.Plain{Lab: h, In: in, Out: out, Prompt: isTerminal(in) && isTerminal(out), Signals: signals}
	err := p.Run()
	var e *headless.Ended
	if errors.As(err, &e) {
		return ended(e.Signal)
	}
	return err
}
