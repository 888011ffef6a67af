// Package admin is the command language of a lab: one registry that feeds
// parser, help, completion and palette, one file for each group of commands,
// and the commands of cqlsh.
package admin

import (
	"fmt"
	"sort"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/classic"
	"ringlab/engine/cluster"
	"ringlab/engine/session"
	"ringlab/engine/sim"
)

// Class says what a command may touch, and so how it is journaled.
type Class uint8

// The classes of commands.
const (
	Pure   Class = iota // changes the lab only; a replay runs it again
	Input               // reads a file, whose content is journaled
	Edge                // reaches out of the lab; not replayed
	Travel              // goes to another point of the journal; who keeps the journal runs it
)

// Command is one entry of the registry.
type Command struct {
	Name  string // without the colon
	Usage string
	Help  string
	Group string
	Class Class
	Words []string // what completion offers behind the name, beside nodes and tables
	Text  bool     // the rest of the line is text, not words: Args has Raw alone
	Run   func(*Context, Args) ([]*answer.Answer, error)
}

// Context is what commands work on.
type Context struct {
	*session.Core
	Outside Outside
	Do      func(text string) []*answer.Answer // runs a statement or a command
	Speed   string                             // of a lab whose time flows; headless labs do not flow
	File    string                             // where the command stands
	Line    int

	said    []Said                     // for :messages
	design  string                     // text of the last :design
	clients map[string]*classic.Client // of the classic language, by client
	ring    *cluster.Cluster           // that they know
}

// Outside is what the front end does for commands of class Edge.
type Outside interface {
	// Save writes the journal as a script.
	Save(path string) (commands int, err error)
	// Workspace is the workspace's path, "" if nothing is stored.
	Workspace() string
	// Read gives the files that a comma-separated list of names and patterns
	// stands for. Their content becomes part of the journal.
	Read(names string) ([]File, error)
	// Write makes or replaces a file; with keep, one that exists is renamed before.
	Write(name string, data []byte, keep bool) error
	// Edge runs a command whose work is not the lab's: its name without the
	// colon, and the words behind it.
	Edge(name string, a Args) ([]*answer.Answer, error)
	// Progress tells how far a long command is; false asks it to stop.
	Progress(p Progress) bool
}

// Progress is how far a long command is.
type Progress struct {
	What     string   // stress; "" of COPY
	Done, Of int      // of what the command was asked for; Of is 0 where nobody knows
	Rows     int      // read or written
	Virtual  sim.Time // since it began
	Repeat   int      // what repeats so much of it: rows of a COPY, statements of a load
}

// Args are a command's words: named ones have a key.
type Args struct {
	Words []string // in order, named ones left out
	Named map[string]string
	Raw   string // everything behind the name
}

// Has says whether a bare word was given.
func (a Args) Has(word string) bool {
	for _, w := range a.Words {
		if w == word {
			return true
		}
	}
	return false
}

// Without is the words less some.
func (a Args) Without(words ...string) []string {
	var out []string
next:
	for _, w := range a.Words {
		for _, x := range words {
			if w == x {
				continue next
			}
		}
		out = append(out, w)
	}
	return out
}

// usageError shows how a command is meant to be written.
func usageError(c *Command) error {
	return fmt.Errorf(":%s is written `:%s`", c.Name, strings.TrimSpace(c.Name+" "+c.Usage))
}

var registry []*Command
var byName = map[string]*Command{}

func register(list ...*Command) {
	for _, c := range list {
		registry = append(registry, c)
		byName[c.Name] = c
	}
}

// Commands are all commands, in the order of their groups.
func Commands() []*Command { return registry }

// Run runs one lab command, given with its colon.
func Run(ctx *Context, line string) ([]*answer.Answer, error) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), ":"))
	name, rest, _ := strings.Cut(text, " ")
	if name == "" {
		return nil, fmt.Errorf("a lab command is a colon and a word; `:help` lists them")
	}
	c := byName[name]
	if c == nil {
		if near := Meant(name); near != "" {
			return nil, fmt.Errorf("there is no command :%s; did you mean %s? `:help` lists all", name, near)
		}
		return nil, fmt.Errorf("there is no command :%s; `:help` lists all", name)
	}
	if c.Text {
		return c.Run(ctx, Args{Raw: strings.TrimSpace(rest)})
	}
	args, err := parseArgs(rest)
	if err != nil {
		return nil, err
	}
	if c.Usage == "" && args.Raw != "" {
		return nil, usageError(c)
	}
	return c.Run(ctx, args)
}

// elsewhere are the words for things that have other names here, from shells,
// editors and tools for clusters.
var elsewhere = map[string]string{
	"kill": ":down", "stop": ":down", "crash": ":down", "fail": ":down", "start": ":up", "revive": ":up", "restart": ":up",
	"nodes": ":status", "split": ":cut", "isolate": ":cut", "join": ":bootstrap", "addnode": ":bootstrap", "leave": ":decommission",
	"wait": ":advance", "sleep": ":advance", "clock": ":skew", "drift": ":skew", "back": ":undo", "history": "HISTORY", "load": ":stress",
	"import": "COPY or SOURCE", "source": "SOURCE", "tables": "DESCRIBE TABLES", "desc": "DESCRIBE", "describe": "DESCRIBE", "use": "USE",
	"consistency": "CONSISTENCY", "cl": "CONSISTENCY", "tracing": "TRACING", "owners": ":getendpoints", "replicas": ":getendpoints",
	"lessons": ":scenario", "guide": ":scenario", "hint": ":clue", "q": "EXIT", "q!": "EXIT", "wq": "EXIT", "quit": "EXIT", "exit": "EXIT", "w": ":save",
}

// Meant is what somebody who typed an unknown command, without its colon, was
// probably after, as it is typed; "" if nothing is near.
func Meant(name string) string {
	if m := elsewhere[name]; m != "" {
		return m
	}
	if near, ok := session.Nearest(name, names()); ok {
		return ":" + near
	}
	return ""
}

func names() []string {
	out := make([]string, 0, len(registry))
	for _, c := range registry {
		out = append(out, c.Name)
	}
	sort.Strings(out)
	return out
}

// parseArgs splits words at blanks; quotes keep blanks together; key=value
// becomes a named argument.
func parseArgs(rest string) (Args, error) {
	a := Args{Named: map[string]string{}, Raw: strings.TrimSpace(rest)}
	words, err := splitWords(rest)
	if err != nil {
		return a, err
	}
	for _, w := range words {
		if k, v, ok := strings.Cut(w.text, "="); ok && !w.quoted && isKey(k) {
			a.Named[k] = v
			continue
		}
		a.Words = append(a.Words, w.text)
	}
	return a, nil
}

func isKey(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return s != ""
}

type word struct {
	text   string
	quoted bool // began with a quote
}

func splitWords(s string) ([]word, error) {
	var out []word
	var cur strings.Builder
	in, started, quoted := byte(0), false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case in != 0:
			if c == in {
				in = 0
			} else {
				cur.WriteByte(c)
			}
		case c == '\'' || c == '"':
			if !started {
				quoted = true
			}
			in, started = c, true
		case c == ' ' || c == '\t':
			if started {
				out = append(out, word{cur.String(), quoted})
				cur.Reset()
				started, quoted = false, false
			}
		default:
			cur.WriteByte(c)
			started = true
		}
	}
	if in != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", in)
	}
	if started {
		out = append(out, word{cur.String(), quoted})
	}
	return out, nil
}

// message is an answer that is one sentence.
func message(format string, args ...any) []*answer.Answer {
	return []*answer.Answer{{Message: fmt.Sprintf(format, args...)}}
}

// table is an answer of text columns. An empty cell stays empty.
func table(columns string, rows [][]string) []*answer.Answer {
	return []*answer.Answer{answer.Table(strings.Fields(columns), rows)}
}
