package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"ringlab/engine/verify"
)

func verifyCommand(in io.Reader, out io.Writer) *cobra.Command {
	var o verify.Options
	var user string
	c := &cobra.Command{
		Use:   "verify --against HOST[:PORT] [flags] FILE… | -",
		Short: "Run scripts on ringlab and on a real cluster, and show what differs",
		Long: "Runs the same statements on a new lab and on a real cluster, and compares what both answer. On the cluster only\n" +
			"keyspaces that the scripts themselves create are touched; their names get a prefix there, and they are dropped at\n" +
			"the end. What else a script asks for is not sent.",
		Args: minimum(1, "name a script, or - for standard input"),
		RunE: func(_ *cobra.Command, files []string) error {
			if o.Target.Address == "" {
				return usage{fmt.Errorf("--against names the real cluster: HOST or HOST:PORT")}
			}
			o.Target.User, o.Target.Password, _ = strings.Cut(user, ":")
			var list []verify.Script
			for _, name := range files {
				text, err := readScript(name, in)
				if err != nil {
					return err
				}
				list = append(list, verify.Script{Name: name, Text: text})
			}
			var stopped atomic.Bool
			signals := make(chan os.Signal, 1)
			signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
			defer signal.Stop(signals)
			go func() { <-signals; stopped.Store(true) }() // what was made is dropped first
			o.Out = out
			o.Went = func(int) bool { return !stopped.Load() }
			outcome, err := verify.Scripts(o, list)
			if err != nil {
				return err
			}
			fmt.Fprintln(out, outcome)
			if outcome.Different > 0 {
				return status(1)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Target.Address, "against", "", "the real cluster: HOST or HOST:PORT")
	f.StringVar(&user, "user", "", "NAME:PASSWORD, where the cluster asks for it")
	f.BoolVar(&o.Keep, "keep", false, "leave the keyspaces on the cluster")
	f.StringVar(&o.Ring, "ring", "", "the lab's ring; without it, one with the cluster's data centers and nodes")
	return c
}

// readScript reads a script that verify takes.
func readScript(name string, in io.Reader) (string, error) {
	if name == "-" {
		text, err := io.ReadAll(in)
		return string(text), err
	}
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".cql", ".lab", "":
	default:
		return "", usage{fmt.Errorf("%s: scripts that can be compared are .cql and .lab", name)}
	}
	text, err := os.ReadFile(name)
	return string(text), err
}
