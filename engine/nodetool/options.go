package nodetool

import (
	"slices"
	"strconv"
	"strings"
)

// option is one option of a verb.
type option struct {
	names  string // separated by blanks, the first is how the verb asks for it
	title  string // of its value; "" for a switch
	number bool   // its value is a whole number
	many   bool   // it may be given more than once; its values are separated by line ends
}

// option says which of a verb's options a word is; value is what stands in the same
// word. Source: io.airlift.airline StandardOptionParser, LongGetOptParser,
// ClassicGetOptParser.
func (v *Verb) option(word string) (o *option, value string, inside bool) {
	for i := range v.options {
		if slices.Contains(strings.Fields(v.options[i].names), word) {
			return &v.options[i], "", false
		}
	}
	for i := range v.options {
		for _, name := range strings.Fields(v.options[i].names) {
			o := &v.options[i]
			if o.title == "" {
				continue
			}
			if rest, ok := strings.CutPrefix(word, name+"="); ok {
				return o, rest, true
			}
			if len(name) == 2 && strings.HasPrefix(word, name) && !strings.HasPrefix(word, "--") {
				return o, word[2:], true
			}
		}
	}
	return nil, "", false
}

// take reads the options at the beginning of words.
func (k *call) take(v *Verb, words []string) (rest []string, err error) {
	for len(words) > 0 {
		o, value, inside := v.option(words[0])
		if o == nil {
			return words, nil
		}
		words = words[1:]
		if o.title != "" && !inside {
			if len(words) == 0 {
				return nil, misused("Required values for option '%s' not provided", o.title)
			}
			value, words = words[0], words[1:]
		}
		if o.number {
			if _, err := strconv.ParseInt(value, 10, 32); err != nil {
				return nil, misused("%s: can not convert \"%s\" to a int", o.title, value)
			}
		}
		name, _, _ := strings.Cut(o.names, " ")
		if o.many && k.has(name) {
			value = k.options[name] + "\n" + value
		}
		k.options[name] = value
	}
	return nil, nil
}

// global is what stands before the verb.
var global = &Verb{options: []option{
	{names: "-h --host", title: "host"}, {names: "-p --port", title: "port"}, {names: "-u --username", title: "username"},
	{names: "-pw --password", title: "password"}, {names: "-pwf --password-file", title: "passwordFilePath"}, {names: "-pp --print-port"},
}}

// globals reads the options before the verb. Users and passwords are taken and
// not looked at: every node lets everybody in.
func (k *call) globals(words []string) (host, port string, rest []string, err error) {
	rest, err = k.take(global, words)
	host, port = "127.0.0.1", "7199"
	if h, ok := k.options["-h"]; ok {
		host = h
	} else if len(k.Nodes) > 0 {
		host = k.Nodes[0].Address
	}
	if p, ok := k.options["-p"]; ok {
		port = p
	}
	k.ports = k.has("-pp")
	k.options = map[string]string{}
	return host, port, rest, err
}

// parse reads a verb's options and arguments. Unknown options are arguments.
// Source: io.airlift.airline Parser.parse, ParseState.
func (k *call) parse(v *Verb, words []string) error {
	for len(words) > 0 {
		var err error
		if words, err = k.take(v, words); err != nil {
			return err
		}
		if len(words) == 0 {
			break
		}
		if words[0] == "--" {
			k.args = append(k.args, words[1:]...)
			break
		}
		k.args = append(k.args, words[0])
		words = words[1:]
	}
	switch {
	case v.most == 0 && len(k.args) > 0:
		return misused("Found unexpected parameters: [%s]", strings.Join(k.args, ", "))
	case v.required != "" && len(k.args) == 0:
		return misused("Required parameters are missing: %s", v.required)
	case v.most == 1 && len(k.args) > 1:
		k.args = k.args[len(k.args)-1:] // each takes the place of the one before
	}
	return nil
}
