package host

import (
	"slices"
	"sort"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/nodetool"
	"ringlab/engine/view"
	"ringlab/model/cql"
)

// Completion is one way to go on with what was typed.
type Completion struct{ Text, Kind, Detail string }

// Complete says what may stand at the cursor, a byte offset, and where the word
// that it replaces begins.
func (h *Host) Complete(text string, cursor int) (from int, items []Completion) {
	return complete(h.View(), text, cursor)
}

func complete(v *view.View, text string, cursor int) (int, []Completion) {
	cursor = min(max(cursor, 0), len(text))
	from := cursor
	for from > 0 && wordByte(text[from-1]) {
		from--
	}
	if start := strings.LastIndexByte(text[:cursor], '\n') + 1; strings.HasPrefix(strings.TrimLeft(text[start:cursor], " \t"), ":") {
		return completeCommand(v, text, start, from, cursor)
	}
	if start := strings.LastIndexByte(text[:cursor], '\n') + 1; nodetoolLine(text[start:cursor]) {
		return completeNodetool(v, text[start:cursor], from, text[from:cursor])
	}
	if from > 0 && text[from-1] == '"' {
		from--
	}
	word, before := text[from:cursor], text[:from]
	last, creates := "", false
	if f := strings.Fields(before); len(f) > 0 {
		last = strings.ToUpper(f[len(f)-1])
	}
	if f := strings.Fields(unfinished(before)); len(f) > 0 {
		creates = strings.EqualFold(f[0], "CREATE")
	}
	switch {
	case last == "INDEX" && !creates:
		return from, match(word, indexNames(v))
	case last == "ON" && creates:
		return from, match(word, tableNames(v))
	}
	switch last {
	case "FROM", "INTO", "UPDATE", "TABLE", "TRUNCATE":
		return from, match(word, tableNames(v))
	case "USE", "KEYSPACE":
		return from, match(word, keyspaceNames(v))
	case "CONSISTENCY":
		var levels []Completion
		for _, l := range []string{"ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "EACH_QUORUM", "ANY", "NODE_LOCAL"} {
			levels = append(levels, Completion{l, "level", ""})
		}
		return from, match(word, levels)
	}
	return from, match(word, legalNext(v, text, before))
}

// legalNext is what the grammar lets stand behind a text: names where a name may
// stand, types where a type may, and the keywords that lead on.
func legalNext(v *view.View, text, before string) []Completion {
	statement := unfinished(before)
	next := cql.Next(statement)
	var all []Completion
	switch {
	case next.Type:
		for _, t := range nativeTypes {
			all = append(all, Completion{t, "type", ""})
		}
	case next.Name:
		all = append(columnNames(v, text), tableNames(v)...)
	}
	for _, k := range next.Keywords {
		all = append(all, Completion{k, "keyword", ""})
	}
	if strings.TrimSpace(statement) == "" {
		for _, k := range shellWords {
			all = append(all, Completion{k, "command", "of cqlsh"})
		}
	}
	return all
}

// unfinished is the statement that a text ends in the middle of.
func unfinished(text string) string {
	var s cql.Splitter
	s.Feed(text)
	for {
		if _, ok := s.Next(); !ok {
			break
		}
	}
	p, _ := s.Flush()
	return p.Text
}

var nativeTypes = strings.Fields("ascii bigint blob boolean counter date decimal double duration float frozen< inet int list< map< set< smallint " +
	"text time timestamp timeuuid tinyint tuple< uuid varchar varint vector<")

var shellWords = strings.Fields("CAPTURE CLEAR CONSISTENCY COPY EXPAND HELP nodetool PAGING SERIAL SHOW SOURCE TRACING")

// completeCommand completes a line that begins with a colon: the command's name,
// then what commands speak of.
func completeCommand(v *view.View, text string, start, from, cursor int) (int, []Completion) {
	colon := start + strings.IndexByte(text[start:], ':')
	name, _, more := strings.Cut(text[colon:cursor], " ")
	word := text[from:cursor]
	switch {
	case !more:
		return colon, commands(name)
	case name == ":help":
		var topics []Completion
		for _, c := range commands(":") {
			topics = append(topics, Completion{c.Text[1:], c.Kind, c.Detail})
		}
		return from, match(word, topics)
	case name == ":branch" || name == ":diff":
		var names []Completion
		for _, b := range v.Branches {
			if b != v.Branch {
				names = append(names, Completion{b, "branch", ""})
			}
		}
		return from, match(word, names)
	}
	return from, match(word, slices.Concat(commandWords(name), nodeNames(v), tableNames(v), keyspaceNames(v)))
}

// commandWords are the words that a command has of its own.
func commandWords(name string) (out []Completion) {
	for _, c := range admin.Commands() {
		if ":"+c.Name != name {
			continue
		}
		for _, w := range c.Words {
			out = append(out, Completion{w, "word", "of " + name})
		}
	}
	return out
}

// nodetoolLine says whether a line is a command of nodetool's.
func nodetoolLine(line string) bool {
	word, _, more := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	return more && strings.EqualFold(word, "nodetool")
}

// completeNodetool completes nodetool's command, the node behind -h, and what
// commands speak of.
func completeNodetool(v *view.View, line string, from int, word string) (int, []Completion) {
	words := strings.Fields(line)[1:]
	if word != "" {
		words = words[:len(words)-1]
	}
	if n := len(words); n > 0 && (words[n-1] == "-h" || words[n-1] == "--host") {
		return from, match(word, nodeNames(v))
	}
	if n := len(words); n > 1 && (words[0] == "-h" || words[0] == "--host") {
		words = words[2:]
	}
	if len(words) == 0 || words[0] == "help" && len(words) == 1 {
		var all []Completion
		for _, c := range nodetool.Verbs() {
			all = append(all, Completion{c.Name, "command", c.Help})
		}
		return from, match(word, all)
	}
	if words[0] == "tablestats" || words[0] == "tablehistograms" {
		return from, match(word, slices.Concat(tableNames(v), keyspaceNames(v)))
	}
	return from, match(word, slices.Concat(keyspaceNames(v), tableNames(v)))
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c >= 0x80
}

// match keeps what begins with the word, quoted or not, at most 50.
func match(word string, all []Completion) []Completion {
	var out []Completion
	seen := map[string]bool{}
	word = strings.TrimPrefix(word, `"`)
	for _, c := range all {
		text := strings.TrimPrefix(c.Text, `"`)
		if len(text) >= len(word) && strings.EqualFold(text[:len(word)], word) && !seen[c.Text] {
			seen[c.Text] = true
			if out = append(out, c); len(out) == 50 {
				break
			}
		}
	}
	return out
}

func commands(word string) []Completion {
	var out []Completion
	for _, c := range admin.Commands() {
		if strings.HasPrefix(":"+c.Name, word) {
			out = append(out, Completion{":" + c.Name, "command", c.Help})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Text < out[j].Text })
	return out
}

func nodeNames(v *view.View) (out []Completion) {
	for i, n := range v.Nodes {
		if i == 100 {
			break
		}
		out = append(out, Completion{n.Name, "node", n.DC + " " + n.Rack})
	}
	return out
}

func keyspaceNames(v *view.View) (out []Completion) {
	for _, k := range v.Keyspaces {
		out = append(out, Completion{cqlName(k.Name), "keyspace", k.Replication})
	}
	return out
}

// tableNames are the tables of the session's keyspace by name, all others with
// their keyspace.
func tableNames(v *view.View) (out []Completion) {
	for _, k := range v.Keyspaces {
		if k.Name == v.Keyspace {
			for _, t := range k.Tables {
				out = append(out, Completion{cqlName(t.Name), "table", t.Key})
			}
		}
	}
	for _, k := range v.Keyspaces {
		for _, t := range k.Tables {
			out = append(out, Completion{cqlName(k.Name) + "." + cqlName(t.Name), "table", t.Key})
		}
	}
	return out
}

// indexNames are the indexes of the session's keyspace by name, all others with
// their keyspace.
func indexNames(v *view.View) (out []Completion) {
	var others []Completion
	for _, k := range v.Keyspaces {
		for _, t := range k.Tables {
			for _, i := range t.Indexes {
				if k.Name == v.Keyspace {
					out = append(out, Completion{cqlName(i), "index", t.Name})
				}
				others = append(others, Completion{cqlName(k.Name) + "." + cqlName(i), "index", t.Name})
			}
		}
	}
	return append(out, others...)
}

// columnNames are the columns of the tables that the text names, of all tables
// of the keyspace if it names none.
func columnNames(v *view.View, text string) (out []Completion) {
	lower := strings.ToLower(text)
	var named, other []Completion
	for _, k := range v.Keyspaces {
		for _, t := range k.Tables {
			mentioned := hasWord(lower, strings.ToLower(t.Name))
			for _, c := range t.Columns {
				if mentioned {
					named = append(named, Completion{cqlName(c.Name), c.Kind, c.Type})
				} else if k.Name == v.Keyspace {
					other = append(other, Completion{cqlName(c.Name), c.Kind, c.Type})
				}
			}
		}
	}
	if len(named) > 0 {
		return named
	}
	return other
}

// hasWord says whether a name stands in a text as a word of its own.
func hasWord(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || text[i-1] == '.' || !wordByte(text[i-1])) && (end == len(text) || text[end] == '.' || !wordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

// cqlName is a name as CQL wants it: in quotes where it is no plain word.
func cqlName(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '_')) {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}
