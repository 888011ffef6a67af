package admin

import (
	_ "embed"
	"slices"
	"sort"
	"strings"

	"ringlab/engine/answer"
)

//go:embed topics.txt
var topicsText string

// topic is what HELP says about a statement, a type or a command of cqlsh.
type topic struct {
	names   []string
	text    string
	example string // a statement, "" for commands of cqlsh
}

// topics reads the embedded texts: a line = NAME … opens one, a line > STATEMENT
// is its example.
var topics = func() []*topic {
	var out []*topic
	for line := range strings.SplitSeq(strings.TrimSuffix(topicsText, "\n"), "\n") {
		if names, ok := strings.CutPrefix(line, "= "); ok {
			out = append(out, &topic{names: strings.Fields(names)})
			continue
		}
		t := out[len(out)-1]
		if example, ok := strings.CutPrefix(line, "> "); ok {
			t.example = strings.TrimSuffix(example, ";")
		}
		t.text += line + "\n"
	}
	return out
}()

// findTopic finds the topic of some words: CREATE TABLE is CREATE_TABLE.
func findTopic(words []string) *topic {
	name := strings.ToUpper(strings.Join(words, "_"))
	for _, t := range topics {
		if slices.Contains(t.names, name) {
			return t
		}
	}
	return nil
}

// shellHelp answers HELP: the topics of cqlsh, or one of them, or one of the lab.
// Source: cqlsh 6.2 Shell.do_help.
func shellHelp(ctx *Context, words []string) ([]*answer.Answer, error) {
	if len(words) == 0 {
		var commands, cql []string
		for _, t := range topics {
			if t.example == "" || t.names[0] == "DESCRIBE" {
				commands = append(commands, t.names...)
			} else {
				cql = append(cql, t.names...)
			}
		}
		sort.Strings(commands)
		sort.Strings(cql)
		return message("\nDocumented shell commands:\n===========================\n%s\nCQL help topics:\n================\n%s\n"+
			"HELP with a topic tells more; `:help` lists the commands of the lab.", columnize(commands), columnize(cql)), nil
	}
	if t := findTopic(words); t != nil {
		return message("%s", strings.TrimSuffix(t.text, "\n")), nil
	}
	var text string
	for _, w := range words {
		t := findTopic([]string{w})
		if t == nil {
			if _, known := byName[strings.TrimPrefix(w, ":")]; known || slices.Contains(Groups, w) {
				return help(ctx, Args{Words: words})
			}
			return shellError("*** No help on %s", w)
		}
		text += t.text
	}
	return message("%s", strings.TrimSuffix(text, "\n")), nil
}

// columnize lays words out in lines of 80 cells.
func columnize(words []string) string {
	width := 0
	for _, w := range words {
		width = max(width, len(w)+2)
	}
	perLine := max(80/width, 1)
	lines := (len(words) + perLine - 1) / perLine
	var b strings.Builder
	for r := range lines {
		line := ""
		for i := r; i < len(words); i += lines {
			line += words[i] + strings.Repeat(" ", width-len(words[i]))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
