// Package cli is ringlab's command line: the workbench, scripts, tokens, lessons
// and screens, with their flags and exit statuses.
package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/headless"
	"ringlab/engine/host"
	"ringlab/engine/serve"
	"ringlab/engine/session"
	"ringlab/engine/workspace"
	"ringlab/scenarios"
	"ringlab/tui"
)

// status is an exit status with nothing more to say.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usage marks errors of the command line, which end with status 2.
type usage struct{ error }

// Run does what the arguments ask for and gives the exit status: 0, 1 for an
// error or a failed expectation, 2 for a command line that makes no sense.
func Run(args []string, in io.Reader, out, errs io.Writer) int {
	tuneCollector()
	root := rootCommand(in, out, errs)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.Execute()
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE): // whoever read the output had enough
		return 128 + int(syscall.SIGPIPE)
	}
	var s status
	if errors.As(err, &s) {
		return int(s)
	}
	fmt.Fprintln(errs, "ringlab: "+err.Error())
	var u usage
	if errors.As(err, &u) {
		return 2
	}
	return 1
}

func rootCommand(in io.Reader, out, errs io.Writer) *cobra.Command {
	var look tui.Options
	var repair, plain bool
	root := &cobra.Command{
		Use:           "ringlab [WORKSPACE]",
		Short:         "A terminal workbench for Cassandra data modeling",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage{fmt.Errorf("ringlab opens one workspace, not %d; `ringlab help` lists the commands", len(args))}
			}
			if len(args) == 1 {
				return misspelt(args[0])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			path := ""
			if len(args) == 1 {
				path = args[0]
			}
			return workbench(path, repair, plain || wantsPlain(out), look, in, out, errs)
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage{err} })
	root.Flags().BoolVar(&repair, "repair", false, "recover what is whole in a damaged workspace; the damaged file is kept beside it")
	root.Flags().StringVar(&look.Theme, "theme", "", "one of the themes that T cycles through")
	f := root.PersistentFlags()
	f.BoolVar(&plain, "plain", false, "no screen: lines of text in and out, as for a screen reader (also ACCESSIBLE=1)")
	f.BoolVar(&look.ASCII, "ascii", false, "draw with ASCII only")
	f.BoolVar(&look.ReducedMotion, "reduced-motion", false, "no animation")
	f.BoolVar(&look.ResetUI, "reset-ui", false, "forget the stored layout")
	root.AddCommand(runCommand(in, out, errs), tokenCommand(out), scenarioCommand(out, errs), screenCommand(&look, out, errs), serveCommand(in, out, errs), reviewCommand(in, out, errs), verifyCommand(in, out))
	return root
}

// misspelt keeps a slip in a command's name from making a workspace of that name.
func misspelt(arg string) error {
	if _, err := os.Stat(arg); err == nil || strings.ContainsAny(arg, "./\\") {
		return nil
	}
	if near, ok := session.Nearest(arg, []string{"run", "token", "scenario", "screen", "help", "completion", "serve", "review", "verify"}); ok {
		return usage{fmt.Errorf("there is no command %s; did you mean %s? (a workspace of that name is `./%s`)", arg, near, arg)}
	}
	return nil
}

func runCommand(in io.Reader, out, errs io.Writer) *cobra.Command {
	var o headless.LabOptions
	var output, file, language string
	var keepGoing bool
	c := &cobra.Command{
		Use:   "run [flags] FILE… | -",
		Short: "Run scripts without a screen",
		Args:  minimum(1, "name a script, or - for standard input"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if language != "cql" && language != "cli" {
				return usage{fmt.Errorf("--language is cql or cli, not %q", language)}
			}
			o.HasSeed = cmd.Flags().Changed("seed")
			r := &headless.Runner{Out: out, Err: errs, Output: headless.Output(output), KeepGoing: keepGoing, Classic: language == "cli", Traces: o.Trace, Events: o.Events != ""}
			switch r.Output {
			case headless.Table, headless.JSON, headless.Lab:
			default:
				return usage{fmt.Errorf("--output is table, json or lab, not %q", output)}
			}
			signal.Ignore(syscall.SIGPIPE) // a closed output is an error of writing to it
			if file == "" {
				lab, err := headless.NewLab(o)
				if err != nil {
					return usage{err}
				}
				r.Do, r.Expand = headless.Direct(lab)
				return runFiles(r, files, in)
			}
			store, err := openStore(file, host.OpenOptions{Ring: o.RingText(), Prepare: func(l *engine.Lab) error { return headless.Watch(l, o) }}, errs)
			if err != nil {
				return err
			}
			headless.Stored(r, store, out, errs)
			if store.Differs != "" {
				fmt.Fprintln(errs, "ringlab: replay gave another answer at "+store.Differs)
			}
			return untilSignal(store, func() error { return runFiles(r, files, in) })
		},
	}
	f := c.Flags()
	f.StringVar(&o.Ring, "ring", "", "the ring, as :ring new takes it: 'dc1=3 dc2=3 vnodes=16'")
	f.StringVar(&output, "output", "table", "table, json or lab")
	f.StringVarP(&file, "workspace", "w", "", "keep the lab in this workspace")
	f.BoolVar(&keepGoing, "keep-going", false, "go on past errors and failed expectations")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of all randomness")
	f.BoolVar(&o.Trace, "trace", false, "trace every statement")
	f.StringVar(&o.Events, "events", "", "print events of these kinds, or all")
	f.StringVar(&language, "language", "cql", "language of statements from - and of files without a telling name: cql or cli")
	return c
}

// runFiles runs scripts in order on one lab. An error or an expectation that
// ended the run was reported already.
func runFiles(r *headless.Runner, files []string, in io.Reader) error {
	for _, f := range files {
		if err := r.File(f, in); headless.Stopped(err) {
			break
		} else if err != nil {
			return err
		}
	}
	if r.Finish != nil {
		if err := r.Finish(); err != nil {
			return err
		}
	}
	if r.Failed() {
		return status(1)
	}
	return nil
}

func minimum(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return usage{errors.New(what)}
		}
		return nil
	}
}

func tokenCommand(out io.Writer) *cobra.Command {
	var o headless.TokenOptions
	var output string
	c := &cobra.Command{
		Use:   "token [flags] KEY…",
		Short: "Show the tokens of partition keys, and their replicas on a ring",
		Args:  minimum(1, "name a key"),
		RunE: func(_ *cobra.Command, keys []string) error {
			o.Output = headless.Output(output)
			if err := headless.Tokens(o, keys, out); err != nil {
				return usage{err}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Partitioner, "partitioner", "", "Murmur3Partitioner, RandomPartitioner, ByteOrderedPartitioner, OrderPreservingPartitioner or SlideMD5")
	f.StringVar(&o.Type, "type", "text", "CQL type of the key; several joined by commas for a composite key written a:b")
	f.BoolVar(&o.Hex, "hex", false, "keys are given in hex")
	f.StringVar(&o.Ring, "ring", "", "show replicas on this ring")
	f.IntVar(&o.RF, "rf", 1, "replication factor with --ring")
	f.StringVar(&output, "output", "table", "table or json")
	return c
}

func scenarioCommand(out, errs io.Writer) *cobra.Command {
	c := &cobra.Command{Use: "scenario", Short: "List, show and run the lessons", Args: func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage{fmt.Errorf("there is no `scenario %s`; there is list, show NAME, run NAME… and new NAME", args[0])}
		}
		return usage{errors.New("say list, show NAME, run NAME… or new NAME")}
	}, RunE: func(*cobra.Command, []string) error { return nil }}
	c.AddCommand(&cobra.Command{Use: "list", Short: "List the lessons", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		return headless.ListScenarios(out)
	}})
	c.AddCommand(&cobra.Command{Use: "show NAME", Short: "Print a lesson", Args: minimum(1, "name a scenario"), RunE: func(_ *cobra.Command, names []string) error {
		return headless.ShowScenario(names[0], out)
	}})
	c.AddCommand(&cobra.Command{Use: "new NAME", Short: "Begin a lesson of your own: writes NAME.md", Args: minimum(1, "name the scenario"), RunE: func(_ *cobra.Command, names []string) error {
		return headless.NewScenario(names[0], out)
	}})
	var all bool
	var o headless.LabOptions
	var output string
	runAll := &cobra.Command{Use: "run NAME… | --all", Short: "Run lessons and check what they expect", RunE: func(_ *cobra.Command, names []string) error {
		if !all && len(names) == 0 {
			return usage{errors.New("name a scenario, or say --all")}
		}
		failed, err := headless.RunScenarios(names, all, o, headless.Output(output), out, errs)
		if err == nil && failed {
			err = status(1)
		}
		return err
	}}
	runAll.Flags().BoolVar(&all, "all", false, "run every lesson that comes with ringlab")
	runAll.Flags().StringVar(&output, "output", "table", "table, json or lab")
	c.AddCommand(runAll)
	return c
}

// workbench opens a workspace, the default one without a path, and shows it, or
// talks about it in plain lines.
func workbench(path string, repair, plain bool, look tui.Options, in io.Reader, out, errs io.Writer) error {
	if path == "" {
		var err error
		if path, err = workspace.DefaultPath(); err != nil {
			return err
		}
	}
	if repair {
		backup, n, err := workspace.Repair(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(errs, "Recovered %d commands; the damaged file is kept as %s.\n", n, backup)
	}
	store, err := openStore(path, host.OpenOptions{Epoch: time.Now().Unix(), Record: true}, errs)
	if err != nil {
		return err
	}
	h := host.New(store)
	next := ""
	drivers := serve.NewWorkbench(h)
	store.Reach(edge(store, drivers.Do))
	if plain {
		err = plainSession(h, in, out)
	} else {
		look.Scenarios, look.Input, look.Output = scenarios.List(), in, out
		if err := rebind(); err != nil {
			look.Notice = err.Error()
		}
		look.Recent = func() []tui.Recent { return recent(path) }
		look.Open = func(p string) { next = p }
		look.New = func(name string) (err error) {
			next, err = newWorkspace(path, name)
			return err
		}
		err = tui.Run(bench{h}, look)
	}
	if e := h.Close(); err == nil {
		err = e
	}
	drivers.Close()
	if err == nil && next != "" {
		return workbench(next, false, false, look, in, out, errs)
	}
	return err
}

// rebind reads keys.toml of the user's configuration, if there is one. A mistake in
// it leaves all keys as they are.
func rebind() error {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil // without a home there is nothing to read
	}
	path := filepath.Join(dir, "ringlab", "keys.toml")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return tui.Rebind(path, data)
}

// bench is the lab as the workbench sees it.
type bench struct{ *host.Host }

func (b bench) Complete(text string, cursor int) (int, []tui.Completion) {
	from, list := b.Host.Complete(text, cursor)
	out := make([]tui.Completion, len(list))
	for i, c := range list {
		out[i] = tui.Completion{Text: c.Text, Kind: c.Kind, Detail: c.Detail}
	}
	return from, out
}

func (b bench) Commands() []tui.CommandInfo {
	var out []tui.CommandInfo
	for _, c := range admin.Commands() {
		out = append(out, tui.CommandInfo{Name: ":" + c.Name, Usage: ":" + c.Name + " " + c.Usage, Help: c.Help, Group: c.Group})
	}
	return out
}
