package tui

import (
	"slices"
	"strings"
)

// Binding ties keys to something the workbench can do. Help, footer, palette
// and dispatch all read this one table.
type Binding struct {
	ID    string
	Where string   // "everywhere", "lists", "prompt", vi's "normal" and "insert", "transcript", …, or a pane's name
	Keys  []string // the first is the one shown
	Label string   // for the footer
	Help  string
}

var bindings = []Binding{
	{"help", "everywhere", []string{"?", "f1"}, "help", "all keys, those of this pane first; type to filter"},
	{"palette", "everywhere", []string{"ctrl+p", ":"}, "commands", "find any command, table, node, scenario or key"},
	{"focus.1", "everywhere", []string{"1", "alt+1"}, "Schema", "go to Schema; again zooms it"},
	{"focus.2", "everywhere", []string{"2", "alt+2"}, "Ring", "go to Ring; again zooms it"},
	{"focus.3", "everywhere", []string{"3", "alt+3"}, "Console", "go to Console; again zooms it"},
	{"focus.4", "everywhere", []string{"4", "alt+4"}, "Trace", "go to Trace; again zooms it"},
	{"focus.5", "everywhere", []string{"5", "alt+5"}, "Storage", "go to Storage; again zooms it"},
	{"focus.6", "everywhere", []string{"6", "alt+6"}, "Guide", "go to Guide; again zooms it"},
	{"focus.next", "everywhere", []string{"tab"}, "next", "go to the next pane"},
	{"focus.prev", "everywhere", []string{"shift+tab"}, "previous", "go to the previous pane"},
	{"zoom", "everywhere", []string{"z", "f11"}, "zoom", "normal, half and full size in turn"},
	{"size.wider", "everywhere", []string{"alt+shift+right"}, "wider", "more columns for this pane; the mouse drags borders"},
	{"size.narrower", "everywhere", []string{"alt+shift+left"}, "narrower", "fewer columns for this pane"},
	{"size.higher", "everywhere", []string{"alt+shift+down"}, "higher", "more rows for this pane"},
	{"size.lower", "everywhere", []string{"alt+shift+up"}, "lower", "fewer rows for this pane"},
	{"size.usual", "everywhere", []string{"alt+0"}, "usual sizes", "every pane as large as at first; a double click on a border puts that one back"},
	{"sim.toggle", "everywhere", []string{"space", "ctrl+space", "ctrl+@"}, "run/pause", "let time flow, or stop it"},
	{"sim.step", "everywhere", []string{".", "f8"}, "step", "one event"},
	{"sim.slower", "everywhere", []string{"<"}, "slower", "the next lower speed"},
	{"sim.faster", "everywhere", []string{">"}, "faster", "the next higher speed"},
	{"undo", "everywhere", []string{"u"}, "undo", "take the last change of the lab back"},
	{"redo", "everywhere", []string{"U"}, "redo", "do again what was undone"},
	{"timeline", "everywhere", []string{"R"}, "timeline", "all commands of the branch: go back and forth among them"},
	{"op.prev", "everywhere", []string{"["}, "earlier op", "the operation before, in every pane"},
	{"op.next", "everywhere", []string{"]"}, "later op", "the operation after, in every pane"},
	{"copy", "everywhere", []string{"y"}, "copy", "copy what is selected, else the pane as text"},
	{"copy.pane", "everywhere", []string{"Y"}, "copy all", "copy the pane, or all rows of a result, as text"},
	{"theme", "everywhere", []string{"T"}, "theme", "the next colour theme"},
	{"mouse", "everywhere", []string{"M"}, "mouse", "give the mouse back to the terminal, or take it"},
	{"events", "everywhere", []string{"V"}, "events", "everything that happened, with a filter"},
	{"home", "everywhere", []string{"H"}, "home", "recent workspaces, lessons, a new start"},
	{"messages", "everywhere", []string{"L"}, "log", "every message since the start"},
	{"fixes", "everywhere", []string{"f4"}, "fixes", "the remedies of the last refusal; a digit runs one"},
	{"lang", "everywhere", []string{"f2"}, "cql/cli", "the console's other language"},
	{"explain", "everywhere", []string{"e", "f3"}, "explain", "why: the rule of this picture, its numbers, and Cassandra's source"},
	{"follow", "everywhere", []string{"F", "f6"}, "follow", "from a stale answer to the replica, to the write it missed, to the outage: three times"},
	{"find", "everywhere", []string{"/"}, "find", "filter a list, search a text; ! before the text inverts; esc clears"},
	{"export", "everywhere", []string{"E"}, "export", "rows as CSV, JSON, Markdown or CQL, the screen as text or SVG"},
	{"present", "everywhere", []string{"P"}, "present", "presenter mode: one pane, a large title, the keys that are pressed, a timer"},
	{"vi", "everywhere", []string{"f7"}, "vi keys", "edit the prompt with vi's keys, or as text again; keys.toml: vi = true"},
	{"cancel", "everywhere", []string{"ctrl+c"}, "cancel", "cancel the running work; twice quits"},
	{"suspend", "everywhere", []string{"ctrl+z"}, "suspend", "back to the shell for a while"},
	{"quit", "everywhere", []string{"q"}, "quit", "leave; the workspace keeps itself"},

	{"up", "lists", []string{"k", "up"}, "up", "one up"},
	{"down", "lists", []string{"j", "down"}, "down", "one down"},
	{"left", "lists", []string{"h", "left"}, "left", "close, or the column before"},
	{"right", "lists", []string{"l", "right"}, "right", "open, or the column after"},
	{"top", "lists", []string{"g", "home"}, "top", "the first"},
	{"bottom", "lists", []string{"G", "end"}, "bottom", "the last"},
	{"pgup", "lists", []string{"pgup", "ctrl+u"}, "page up", "a page up"},
	{"pgdn", "lists", []string{"pgdown", "ctrl+d"}, "page down", "a page down"},
	{"open", "lists", []string{"enter"}, "open", "open or select; in Guide, run the next block"},
	{"back", "lists", []string{"esc"}, "back", "one level back"},

	{"found.next", "text", []string{"n"}, "next hit", "to the next place that was searched for"},
	{"found.prev", "text", []string{"N"}, "hit before", "to the place before"},
	{"grid.sort", "grid", []string{"o"}, "sort", "by the cursor's column; again the other way, again as it came"},
	{"grid.reverse", "grid", []string{"O"}, "reverse", "by the cursor's column, descending first"},
	{"grid.versions", "grid", []string{"c"}, "copies", "the row's partition on each replica, side by side"},

	{"timeline.fork", "timeline", []string{"f"}, "fork", "begin a branch at this point"},
	{"timeline.branch", "timeline", []string{"b"}, "branch", "go to another branch"},
	{"timeline.diff", "timeline", []string{"d"}, "diff", "compare with another branch"},

	{"growth.bucket", "growth", []string{"b"}, "bucket", "a stretch of time in the key: hour, day, week, month, none"},
	{"growth.unit", "growth", []string{"r"}, "rows", "bytes, rows and cells in turn"},
	{"growth.tombstones", "growth", []string{"t"}, "tombstones", "tombstones and what reads make of them"},
	{"growth.limits", "growth", []string{"w"}, "limits", "show or hide the limits"},

	{"schema.growth", "Schema", []string{"v"}, "growth", "will the partition ever become too big?"},
	{"schema.replicas", "Schema", []string{"p"}, "replicas", "what each replica has of the partition, name by name"},
	{"schema.xray", "Schema", []string{"X"}, "x-ray", "the partition's bytes in the layouts of three eras"},
	{"wizard.create", "wizard", []string{"f5", "ctrl+j", "alt+enter", "ctrl+enter"}, "create", "make the proposed tables"},
	{"wizard.newline", "wizard", []string{"enter"}, "new line", "begin the next line of the text"},
	{"wizard.page", "wizard", []string{"tab"}, "next page", "tables, what they refuse, CQL, cli"},
	{"wizard.back", "wizard", []string{"shift+tab"}, "page before", "the page before"},
	{"wizard.pgdn", "wizard", []string{"pgdown"}, "scroll", "scroll the proposal down"},
	{"wizard.pgup", "wizard", []string{"pgup"}, "scroll up", "scroll the proposal up"},
	{"wizard.clear", "wizard", []string{"ctrl+l"}, "empty", "begin with an empty text"},
	{"wizard.undo", "wizard", []string{"ctrl+_", "ctrl+/"}, "undo typing", "undo the last edit"},
	{"wizard.close", "wizard", []string{"esc", "ctrl+c"}, "close", "close; the text stays for the next time"},

	{"form.run", "form", []string{"enter", "f5", "ctrl+j"}, "run", "make a command of the fields and run it"},
	{"form.next", "form", []string{"down", "tab"}, "next field", "the next field"},
	{"form.prev", "form", []string{"up", "shift+tab"}, "field before", "the field before"},
	{"form.reset", "form", []string{"ctrl+l", "ctrl+_"}, "as it was", "the field as it was at the beginning"},
	{"form.close", "form", []string{"esc", "ctrl+c"}, "close", "close without doing anything"},

	{"events.op", "events", []string{"enter"}, "operation", "show the event's operation in every pane"},
	{"events.up", "events", []string{"up"}, "up", "one event earlier"},
	{"events.down", "events", []string{"down"}, "down", "one event later"},
	{"events.pgup", "events", []string{"pgup"}, "page up", "a page of events earlier"},
	{"events.pgdn", "events", []string{"pgdown"}, "page down", "a page of events later"},
	{"events.top", "events", []string{"ctrl+home", "alt+up"}, "oldest", "the oldest event"},
	{"events.end", "events", []string{"ctrl+end", "alt+down"}, "newest", "the newest event; they are followed there"},
	{"events.left", "events", []string{"shift+left"}, "back", "the details of long events: back"},
	{"events.right", "events", []string{"shift+right"}, "on", "the rest of the details of long events"},
	{"events.close", "events", []string{"esc", "ctrl+c"}, "close", "close"},

	{"schema.insert", "Schema", []string{"i"}, "insert", "one row, column by column"},
	{"schema.options", "Schema", []string{"c"}, "options", "compaction, gc_grace, caching … of the table: see and alter"},
	{"schema.fill", "Schema", []string{"f"}, "fill", "sample data for the table"},
	{"schema.import", "Schema", []string{"I"}, "import", "run a file of CQL, a schema for example"},
	{"schema.new", "Schema", []string{"n"}, "new tables", "from entities and questions to tables, step by step"},
	{"schema.sort", "Schema", []string{"o"}, "sort", "partitions by size, rows, tombstones, growth, key"},
	{"schema.map", "Schema", []string{"m"}, "map", "the table as a sorted map in a map, and back"},
	{"schema.left", "Schema", []string{"shift+left"}, "columns back", "in the map: a screen of columns back"},
	{"schema.right", "Schema", []string{"shift+right"}, "columns on", "in the map: a screen of columns on"},
	{"schema.reverse", "Schema", []string{"O"}, "reverse", "the same order, the other way round"},
	{"schema.describe", "Schema", []string{"d"}, "describe", "DESCRIBE the table in the console"},
	{"schema.clear", "Schema", []string{"backspace"}, "unselect", "forget the selected partition"},
	{"ring.kill", "Ring", []string{"x"}, "kill/revive", "take the node down, or bring it up"},
	{"ring.add", "Ring", []string{"+"}, "add node", "bootstrap one more node"},
	{"ring.remove", "Ring", []string{"-"}, "remove node", "decommission the node; asks first"},
	{"ring.strip", "Ring", []string{"t"}, "strip", "the ring as a strip: who owns what, and is it even?"},
	{"ring.placement", "Ring", []string{"p"}, "placement", "where the copies of the selected key are, why, and what they survive"},
	{"strip.in", "strip", []string{"+", "="}, "zoom in", "half as much of the ring"},
	{"strip.out", "strip", []string{"-"}, "zoom out", "twice as much of the ring"},
	{"strip.compare", "strip", []string{"c"}, "compare", "1, 4, 16 and 256 vnodes on the same nodes"},
	{"strip.play", "strip", []string{"a"}, "watch", "watch what the last change of the ring moved; with reduced motion a step a press"},
	{"strip.close", "strip", []string{"t"}, "ring", "back to the ring"},
	{"strip.placement", "strip", []string{"p"}, "placement", "to the copies of the selected key"},
	{"placement.lose", "placement", []string{"x"}, "what if", "lose the chosen node, rack or data center in thought, or have it back"},
	{"placement.simple", "placement", []string{"s"}, "simple", "what SimpleStrategy would take"},
	{"placement.key", "placement", []string{"K"}, "other key", "choose another key"},
	{"placement.close", "placement", []string{"p"}, "ring", "back to the ring"},
	{"placement.strip", "placement", []string{"t"}, "strip", "to the ring as a strip"},
	{"storage.map", "Storage", []string{"m"}, "files", "the map of files by key range, and back"},
	{"storage.duel", "Storage", []string{"w"}, "what if", "the other strategies on the same flushes, simulated"},
	{"storage.node", "Storage", []string{"n"}, "node", "the next node"},
	{"storage.prev", "Storage", []string{"N"}, "node before", "the node before"},
	{"storage.flush", "Storage", []string{"f"}, "flush", "write the memtable to a new SSTable"},
	{"storage.compact", "Storage", []string{"c"}, "compact", "major compaction on this node"},
	{"storage.replicas", "Storage", []string{"p"}, "replicas", "what each replica has of the selected partition, name by name"},
	{"trace.play", "Trace", []string{"a"}, "slow motion", "watch the operation's messages travel; again stops"},
	{"trace.step", "Trace", []string{"s"}, "step inside", "the next event of the shown operation; esc shows all of it"},
	{"guide.next", "Guide", []string{"n"}, "next", "the next step"},
	{"guide.back", "Guide", []string{"b"}, "step back", "the step before"},
	{"guide.restart", "Guide", []string{"r"}, "restart", "the lesson from its first step"},
	{"guide.predict", "Guide", []string{"p"}, "predict", "say what will happen, before it is run"},
	{"guide.answer", "Guide", []string{"a"}, "answer", "twice: show the answer; again hides it"},
	{"guide.sort", "Guide", []string{"o"}, "sort", "lessons by path, level, minutes, question"},
	{"guide.clue", "Guide", []string{"c"}, "clue", "show the step's next clue"},

	{"prompt.run", "prompt", []string{"enter"}, "run", "run when the statement is complete, else a new line"},
	{"prompt.force", "prompt", []string{"f5", "ctrl+j", "alt+enter", "ctrl+enter"}, "run now", "run what stands there, semicolon or not"},
	{"prompt.complete", "prompt", []string{"tab"}, "complete", "complete the word; on an empty prompt, the next pane"},
	{"prompt.up", "prompt", []string{"up"}, "earlier", "the line above, or earlier input"},
	{"prompt.down", "prompt", []string{"down"}, "later", "the line below, or later input"},
	{"prompt.editor", "prompt", []string{"ctrl+e"}, "editor", "write the statement in your editor, as VISUAL or EDITOR name it"},
	{"prompt.search", "prompt", []string{"ctrl+r"}, "history", "search earlier input"},
	{"prompt.undo", "prompt", []string{"ctrl+_", "ctrl+/"}, "undo typing", "undo the last edit of the line"},
	{"prompt.leave", "prompt", []string{"esc"}, "results", "walk through the transcript"},
	{"prompt.pgup", "prompt", []string{"pgup"}, "scroll", "scroll the transcript up"},
	{"prompt.pgdn", "prompt", []string{"pgdown"}, "scroll", "scroll the transcript down"},
	{"prompt.browse", "prompt", []string{"ctrl+up"}, "results", "walk through the transcript"},

	{"insert.escape", "insert", []string{"esc"}, "normal mode", "with vi keys: from typing to commands"},
	{"normal.left", "normal", []string{"h"}, "left", "a letter to the left"},
	{"normal.right", "normal", []string{"l", "space"}, "right", "a letter to the right"},
	{"normal.down", "normal", []string{"j"}, "down", "the line below, or later input"},
	{"normal.up", "normal", []string{"k"}, "up", "the line above, or earlier input"},
	{"normal.word", "normal", []string{"w"}, "word", "to the next word"},
	{"normal.back", "normal", []string{"b"}, "word back", "to the beginning of the word"},
	{"normal.end", "normal", []string{"e"}, "word's end", "to the end of the word"},
	{"normal.start", "normal", []string{"0"}, "line's start", "to the start of the line"},
	{"normal.stop", "normal", []string{"$"}, "line's end", "to the end of the line"},
	{"normal.count", "normal", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, "count", "do the next command that often; on an empty prompt, 1-6 go to the panes"},
	{"normal.cut", "normal", []string{"x"}, "cut letter", "cut the letter under the cursor"},
	{"normal.delete", "normal", []string{"d"}, "cut", "cut up to a motion; dd cuts the line"},
	{"normal.change", "normal", []string{"c"}, "change", "write something else up to a motion: cw; cc the line"},
	{"normal.yank", "normal", []string{"y"}, "take", "take up to a motion without cutting; yy the line"},
	{"normal.rest", "normal", []string{"D"}, "cut rest", "cut the rest of the line"},
	{"normal.rewrite", "normal", []string{"C"}, "change rest", "write something else than the rest of the line"},
	{"normal.put", "normal", []string{"p"}, "put", "put what was cut or taken behind the cursor"},
	{"normal.before", "normal", []string{"P"}, "put before", "put it before the cursor"},
	{"normal.undo", "normal", []string{"u"}, "undo typing", "undo the last edit of the prompt"},
	{"normal.insert", "normal", []string{"i"}, "insert", "type before the cursor"},
	{"normal.append", "normal", []string{"a"}, "append", "type behind the cursor"},
	{"normal.first", "normal", []string{"I"}, "insert first", "type at the start of the line"},
	{"normal.last", "normal", []string{"A"}, "append last", "type at the end of the line"},
	{"normal.below", "normal", []string{"o"}, "line below", "type on a new line below"},
	{"normal.above", "normal", []string{"O"}, "line above", "type on a new line above"},
	{"normal.find", "normal", []string{"/"}, "history", "search earlier input"},
	{"normal.command", "normal", []string{":"}, "command", "on an empty prompt: begin a lab command"},

	{"transcript.edit", "transcript", []string{"i"}, "edit", "back to the prompt"},
	{"transcript.again", "transcript", []string{"r"}, "again", "put the statement into the prompt"},
}

// paneNames are the panes by number, from 1.
var paneNames = [...]string{"", "Schema", "Ring", "Console", "Trace", "Storage", "Guide"}

// paneOf is the pane that a place belongs to, 0 for none.
func paneOf(where string) int {
	switch where {
	case "":
		return 0
	case "strip", "placement":
		return 2
	}
	return max(slices.Index(paneNames[:], where), 0)
}

var bindingByID = byID()

func byID() map[string]*Binding {
	m := map[string]*Binding{}
	for i := range bindings {
		m[bindings[i].ID] = &bindings[i]
	}
	return m
}

// lookup finds what a key does in the places given, first place first.
func lookup(key string, places ...string) string {
	for _, where := range places {
		for i := range bindings {
			if bindings[i].Where == where && slices.Contains(bindings[i].Keys, key) {
				return bindings[i].ID
			}
		}
	}
	return ""
}

// keyText is how a key is shown: ^p for ctrl+p.
func keyText(key string) string {
	if arrow := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}[key]; arrow != "" {
		return arrow
	}
	if rest, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return "^" + rest
	}
	if len(key) > 1 && key[0] == 'f' && key[1] <= '9' && key[1] >= '1' {
		return "F" + key[1:]
	}
	return key
}
