// Package nodetool answers nodetool's commands about a lab's nodes with
// nodetool's own text: its labels, their order and its columns, and its words
// where a command is wrong. The numbers are the lab's.
package nodetool

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/session"
)

// Result is what one command prints.
type Result struct {
	Text     string   // with its line ends
	Warnings []string // what differs from a real node where nodetool has no words for it
}

// Error is a command that failed, in nodetool's words.
type Error struct {
	Text string
	Fix  []answer.Fix
}

func (e *Error) Error() string { return e.Text }

// misused is a command that is written wrong.
// Source: Cassandra 5.0 NodeTool.badUse.
func misused(format string, args ...any) error {
	return &Error{Text: "nodetool: " + fmt.Sprintf(format, args...) + "\nSee 'nodetool help' or 'nodetool help <command>'."}
}

// failed is a command that the node refused. Source: Cassandra 5.0 NodeTool.err,
// which prints the stack of the exception after it.
func failed(format string, args ...any) error {
	return &Error{Text: "error: " + fmt.Sprintf(format, args...)}
}

// Unsupported is what ringlab cannot do, and what else can be done.
type Unsupported struct {
	Verb    string // of nodetool, "" where only an option or a keyspace is the matter
	What    string
	Instead string // "" where the lab's own command of that name says it
}

func (u *Unsupported) Error() string { return "ringlab does not support " + u.What + "; " + u.Instead }

func beyond(what, instead string) error { return &Unsupported{What: what, Instead: instead} }

func refused(verb string) error {
	return &Unsupported{Verb: verb, What: "nodetool " + verb, Instead: others[verb]}
}

// call is one command at work.
type call struct {
	*cluster.Cluster
	out      strings.Builder // what it prints
	core     *session.Core
	node     *cluster.Node // that is asked
	ports    bool          // -pp
	args     []string
	options  map[string]string
	warnings []string
}

func (k *call) printf(format string, args ...any) { fmt.Fprintf(&k.out, format, args...) }

func (k *call) print(text string) { k.out.WriteString(text) }

func (k *call) line(text string) { k.print(text + "\n") }

// has says whether an option was given.
func (k *call) has(option string) bool {
	_, ok := k.options[option]
	return ok
}

// everywhere warns that a setting holds on all nodes.
func (k *call) everywhere() {
	if len(k.Nodes) > 1 {
		k.warnings = append(k.warnings, "In ringlab this setting holds on all nodes.")
	}
}

// address is how nodetool names a node.
func (k *call) address(node int) string {
	if k.ports {
		return k.Nodes[node].Address + ":7000"
	}
	return k.Nodes[node].Address
}

// now is the virtual time in µs.
func (k *call) now() int64 { return int64(k.Now()) }

// Run runs nodetool with these words, the name itself left out. Errors are of type
// *Error in nodetool's words, or a plain sentence where ringlab cannot do what
// is asked.
func Run(core *session.Core, words []string) (Result, error) {
	k := &call{core: core, Cluster: core.Cluster, options: map[string]string{}}
	host, port, rest, err := k.globals(words)
	if err != nil {
		return Result{}, err
	}
	if len(rest) == 0 {
		return Result{Text: helpText()}, nil
	}
	v := find(rest[0])
	switch {
	case rest[0] == "help":
		return help(rest[1:])
	case v == nil:
		if _, ok := others[rest[0]]; ok {
			return Result{}, refused(rest[0])
		}
		return Result{}, misused("Found unexpected parameters: [%s]", strings.Join(rest, ", "))
	}
	if err := k.parse(v, rest[1:]); err != nil {
		return Result{}, err
	}
	if k.node, err = k.connect(host, port); err != nil {
		return Result{}, err
	}
	if err := v.run(k); err != nil {
		return Result{}, err
	}
	return Result{Text: k.out.String(), Warnings: k.warnings}, nil
}

// connect finds the node that -h and -p name: by name, address, or localhost for
// the first.
// Source: Cassandra 5.0 NodeTool.NodeToolCmd.connect.
func (k *call) connect(host, port string) (*cluster.Node, error) {
	refused := func(why string, fix ...answer.Fix) error {
		return &Error{Text: fmt.Sprintf("nodetool: Failed to connect to '%s:%s' - %s.", host, port, why), Fix: fix}
	}
	var live []answer.Fix
	members := k.Members()
	for _, n := range members {
		if !n.Down && len(live) < 3 {
			live = append(live, answer.Fix{Text: "nodetool -h " + n.Name + " …", Why: "this node is up"})
		}
	}
	for i, n := range members {
		if n.Name != host && n.Address != host && (host != "localhost" || i > 0) {
			continue
		}
		if n.Down {
			return nil, refused("ConnectException: 'Connection refused'", live...)
		}
		if port != "7199" {
			return nil, refused("ConnectException: 'Connection refused'", answer.Fix{Text: "nodetool -h " + n.Name + " …", Why: "every node answers on port 7199"})
		}
		return n, nil
	}
	if !slices.ContainsFunc([]rune(host), func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		return nil, refused("ConnectException: 'Connection refused'", live...)
	}
	return nil, refused("UnknownHostException: '"+host+"'", live...)
}
