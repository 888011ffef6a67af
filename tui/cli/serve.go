package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ringlab/engine"
	"ringlab/engine/headless"
	"ringlab/engine/host"
	"ringlab/engine/serve"
	"ringlab/tui/draw"
)

func serveCommand(in io.Reader, out, errs io.Writer) *cobra.Command {
	var o serve.Options
	var ring, file, listen, users, pace, payload string
	c := &cobra.Command{
		Use:   "serve [flags] [FILE… | -]",
		Short: "Let drivers and cqlsh talk to a lab: the CQL native protocol",
		Long: "Serves a lab to drivers and cqlsh. Scripts that are named run first; - takes statements and lab commands\n" +
			"from standard input while drivers are connected, such as `:down n3`.",
		RunE: func(_ *cobra.Command, files []string) error {
			var err error
			if o.Listen, err = serve.ParseListen(listen); err != nil {
				return usage{err}
			}
			if o.Pace, err = serve.ParsePace(pace); err != nil {
				return usage{err}
			}
			if o.Echo, err = serve.ParsePayload(payload); err != nil {
				return usage{err}
			}
			if users != "" {
				if o.Users, err = serve.ReadUsers(users); err != nil {
					return err
				}
			}
			o.Log = func(text string) { fmt.Fprintln(errs, draw.Clean(text)) }
			store, err := serveStore(ring, file, errs)
			if err != nil {
				return err
			}
			if store.Differs != "" {
				fmt.Fprintln(errs, "ringlab: replay gave another answer at "+store.Differs)
			}
			s, err := serve.Start(store, o)
			if err != nil {
				return errors.Join(err, store.Close())
			}
			fmt.Fprintln(out, s.Told())
			err = runServer(s, files, in, out, errs)
			s.Close()
			return errors.Join(err, store.Close())
		},
	}
	f := c.Flags()
	f.StringVar(&listen, "listen", serve.DefaultListen.String(), "address and port of the first node; the others take the next addresses")
	f.BoolVar(&o.Ports, "ports", false, "one address and a port a node, where there are no further addresses")
	f.BoolVar(&o.Insecure, "insecure", false, "listen beyond this machine although everybody may connect")
	f.StringVar(&users, "users", "", "file with lines name:password, who may then do everything; the roles of --auth are the lab's own")
	f.BoolVar(&o.Auth, "auth", false, "the lab's roles log in and need permissions: PasswordAuthenticator and CassandraAuthorizer; the first is cassandra, password cassandra")
	f.StringVar(&pace, "pace", "virtual", "1x has answers wait as long as they take in virtual time, 0.1x ten times as long")
	f.StringVar(&payload, "payload", "ignore", "echo sends custom payloads back with the answers, as Cassandra's CustomPayloadMirroringQueryHandler does")
	f.StringVar(&ring, "ring", "", "the ring, as :ring new takes it: 'dc1=3 dc2=3 vnodes=16'")
	f.StringVarP(&file, "workspace", "w", "", "keep the lab in this workspace")
	return c
}

// serveStore is the lab that is served: of a workspace, or one that nothing is
// stored of. Its clock begins with the machine's, as timestamps of drivers do.
func serveStore(ring, file string, errs io.Writer) (*host.Store, error) {
	epoch := time.Now().Unix()
	if file != "" {
		return openStore(file, host.OpenOptions{Ring: ring, Epoch: epoch}, errs)
	}
	lab, err := engine.New(engine.Options{Ring: ring, Epoch: epoch})
	if err != nil {
		return nil, usage{err}
	}
	return host.Memory(lab), nil
}

// runServer runs scripts beside the drivers and waits for a signal.
func runServer(s *serve.Server, files []string, in io.Reader, out, errs io.Writer) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	done := make(chan error, 1)
	if len(files) > 0 {
		r := &headless.Runner{Out: out, Err: errs, Output: headless.Table, KeepGoing: true, Expand: func() bool { return false }}
		r.Do = s.Script
		go func() { done <- runFiles(r, files, in) }()
	}
	for {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
		case <-signals: // how a server ends
			return nil
		}
	}
}
