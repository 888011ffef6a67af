package admin

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
)

func init() {
	register(
		&Command{Name: "expect", Group: "teaching", Usage: "rows N | error NAME [field=value…] | cell ROW COLUMN = VALUE | between COLUMN LOW HIGH | message TEXT",
			Help: "check the answer before this line; a script fails if it does not hold", Run: expect},
		&Command{Name: "note", Group: "teaching", Usage: "TEXT", Help: "write a remark into the journal", Run: note},
		&Command{Name: "help", Group: "workspace", Usage: "[TOPIC]", Help: "list the lab commands, or show one", Run: help},
		&Command{Name: "save", Group: "workspace", Usage: "FILE", Help: "write the journal as a .lab script that repeats this lab", Class: Edge, Run: save},
		&Command{Name: "reset", Group: "workspace", Usage: "", Help: "start again on the same ring, empty", Run: reset},
		&Command{Name: "language", Group: "edges", Usage: "cql|cli", Help: "the language of statements from here on", Run: language},
	)
}

// ExpectationFailed is the name of the error of an :expect that does not hold.
const ExpectationFailed = "ExpectationFailed"

func expect(ctx *Context, a Args) ([]*answer.Answer, error) {
	last := ctx.Last
	if last == nil {
		return nil, fmt.Errorf(":expect checks the answer before it, but there is none")
	}
	if len(a.Words) == 0 {
		return nil, usageError(byName["expect"])
	}
	problem := ""
	switch a.Words[0] {
	case "rows":
		problem = expectRows(last, a)
	case "error":
		problem = expectError(last, a)
	case "cell":
		problem = expectCell(last, a)
	case "between":
		problem = expectBetween(last, a)
	case "message":
		want := strings.TrimSpace(strings.TrimPrefix(a.Raw, "message"))
		said := last.Message
		if last.Cli != nil {
			said = last.Cli.Out + last.Cli.Err
		}
		if !strings.Contains(said, want) {
			problem = fmt.Sprintf("expected a message with %q, but it was %q", want, said)
		}
	default:
		return nil, usageError(byName["expect"])
	}
	if problem != "" {
		return []*answer.Answer{{Error: &answer.Error{Name: ExpectationFailed, Message: problem}}}, nil
	}
	return message("as expected"), nil
}

func described(a *answer.Answer) string {
	switch {
	case a.Error != nil:
		return "the error " + a.Error.Name + ": " + a.Error.Message
	case a.Columns != nil:
		return plural(len(a.Rows), "row")
	}
	return "no rows"
}

func expectRows(last *answer.Answer, a Args) string {
	if len(a.Words) != 2 {
		return ":expect rows takes one number"
	}
	if last.Error != nil || last.Columns == nil || strconv.Itoa(len(last.Rows)) != a.Words[1] {
		return fmt.Sprintf("expected %s rows, but there was %s", a.Words[1], described(last))
	}
	return ""
}

func expectError(last *answer.Answer, a Args) string {
	if last.Error == nil {
		return fmt.Sprintf("expected an error, but there was %s", described(last))
	}
	e := last.Error
	if len(a.Words) > 1 && e.Name != a.Words[1] && e.Code != a.Words[1] {
		return fmt.Sprintf("expected the error %s, but it was %s: %s", a.Words[1], e.Name, e.Message)
	}
	have := map[string]string{"consistency": e.Consistency, "write_type": e.WriteType, "code": e.Code}
	number := func(key string, n *int) {
		if n != nil {
			have[key] = strconv.Itoa(*n)
		}
	}
	number("required", e.Required)
	number("alive", e.Alive)
	number("received", e.Received)
	number("blockfor", e.BlockFor)
	number("failures", e.Failures)
	if e.DataPresent != nil {
		have["data_present"] = strconv.FormatBool(*e.DataPresent)
	}
	if e.Definite != nil {
		have["definite"] = strconv.FormatBool(*e.Definite)
	}
	keys := make([]string, 0, len(a.Named))
	for k := range a.Named {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if have[k] != a.Named[k] {
			return fmt.Sprintf("expected %s=%s in the error, but it was %q", k, a.Named[k], have[k])
		}
	}
	return ""
}

func columnIndex(a *answer.Answer, name string) int {
	for i, c := range a.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// rowBeginning is the number, from 1, of the first row whose first cell reads
// so, else of the last row if it is called last, or 0.
func rowBeginning(a *answer.Answer, text string) int {
	for i, row := range a.Rows {
		if len(row) > 0 && row[0].Text == text {
			return i + 1
		}
	}
	if text == "last" {
		return len(a.Rows)
	}
	return 0
}

func expectCell(last *answer.Answer, a Args) string {
	if len(a.Words) < 5 || a.Words[3] != "=" {
		return ":expect cell is written `:expect cell ROW COLUMN = VALUE`; ROW is a number from 1, `last`, or what the row begins with"
	}
	row, err := strconv.Atoi(a.Words[1])
	if at := rowBeginning(last, a.Words[1]); err != nil && at > 0 {
		row, err = at, nil
	}
	want := strings.Join(a.Words[4:], " ")
	col := columnIndex(last, a.Words[2])
	switch {
	case err != nil && last.Error != nil:
		return fmt.Sprintf("expected a row %s, but there was %s", a.Words[1], described(last))
	case err != nil || row < 1:
		return fmt.Sprintf("%q is neither a row number from 1 nor what a row begins with", a.Words[1])
	case last.Error != nil || row > len(last.Rows):
		return fmt.Sprintf("expected a row %d, but there was %s", row, described(last))
	case col < 0:
		return fmt.Sprintf("there is no column %s in the answer", a.Words[2])
	}
	_, written, _ := strings.Cut(a.Raw, " = ") // collections and texts have quotes of their own
	if got := last.Rows[row-1][col].Text; got != want && got != strings.TrimSpace(written) {
		return fmt.Sprintf("expected %s = %s in row %d, but it was %s", a.Words[2], want, row, got)
	}
	return ""
}

func expectBetween(last *answer.Answer, a Args) string {
	if len(a.Words) != 4 {
		return ":expect between is written `:expect between COLUMN LOW HIGH`"
	}
	col := columnIndex(last, a.Words[1])
	low, err1 := strconv.ParseFloat(a.Words[2], 64)
	high, err2 := strconv.ParseFloat(a.Words[3], 64)
	switch {
	case err1 != nil || err2 != nil:
		return "the bounds of :expect between are numbers"
	case last.Error != nil || len(last.Rows) == 0:
		return fmt.Sprintf("expected rows, but there was %s", described(last))
	case col < 0:
		return fmt.Sprintf("there is no column %s in the answer", a.Words[1])
	}
	for i, r := range last.Rows {
		text := strings.TrimSuffix(r[col].Text, "%")
		v, err := strconv.ParseFloat(text, 64)
		if err == nil && strings.HasSuffix(r[col].Text, "%") {
			v /= 100
		}
		if err != nil || v < low || v > high {
			return fmt.Sprintf("expected %s between %s and %s in row %d, but it was %s", a.Words[1], a.Words[2], a.Words[3], i+1, r[col].Text)
		}
	}
	return ""
}

func note(ctx *Context, a Args) ([]*answer.Answer, error) {
	ctx.Notes = append(ctx.Notes, a.Raw)
	return message("Noted."), nil
}

// Groups are the groups of commands in the order in which help shows them.
var Groups = []string{"ring", "nodes", "network", "time", "storage", "consistency", "classic", "load, review", "workspace", "teaching", "edges"}

func help(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 0 {
		name := strings.TrimPrefix(a.Words[0], ":")
		if c := byName[name]; c != nil {
			return message(":%s %s\n  %s", c.Name, c.Usage, c.Help), nil
		}
		var rows [][]string
		for _, c := range registry {
			if c.Group == name {
				rows = append(rows, []string{":" + c.Name, c.Help})
			}
		}
		if t := findTopic(a.Words); rows == nil && t != nil {
			return message("%s", strings.TrimSuffix(t.text, "\n")), nil
		}
		if rows == nil {
			return nil, fmt.Errorf("there is no help on %s; topics are the commands and the groups %s", name, strings.Join(Groups, ", "))
		}
		return table("command what", rows), nil
	}
	var b strings.Builder
	b.WriteString("A line that begins with ':' is a lab command; anything else is CQL or a command of cqlsh.\n")
	for _, g := range Groups {
		var names []string
		for _, c := range registry {
			if c.Group == g {
				names = append(names, ":"+c.Name)
			}
		}
		fmt.Fprintf(&b, "  %-12s %s\n", g, strings.Join(names, " "))
	}
	b.WriteString("`:help down` shows one; `:help nodes` a group.")
	return message("%s", b.String()), nil
}

func save(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		return nil, usageError(byName["save"])
	}
	if ctx.Outside == nil {
		return nil, fmt.Errorf("this lab has no journal to save")
	}
	n, err := ctx.Outside.Save(a.Words[0])
	if err != nil {
		return nil, err
	}
	return message("Saved %s to %s; `ringlab run %s` repeats them.", plural(n, "command"), a.Words[0], a.Words[0]), nil
}

func reset(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 0 {
		return nil, usageError(byName["reset"])
	}
	if err := ctx.Rebuild(ctx.Spec); err != nil {
		return nil, err
	}
	return message("The lab is empty again, on the same ring."), nil
}

func language(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) == 1 {
		switch a.Words[0] {
		case "cql":
			return message("Statements are CQL."), nil
		case "cli":
			return message("Statements are of the classic language, cassandra-cli's; `help;` lists them, `:language cql` goes back."), nil
		}
	}
	return nil, usageError(byName["language"])
}
