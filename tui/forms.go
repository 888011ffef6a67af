package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/model/design"
)

// chosenTable is the table that Schema shows, or what to say instead.
func (a *App) chosenTable() (ks string, t *view.Table, problem string) {
	n := a.need
	if n.Table == "" && a.v.Storage != nil {
		n.Keyspace, n.Table = a.v.Storage.Keyspace, a.v.Storage.Table
	}
	if t = selectedTable(a.v, n); t == nil {
		return "", nil, "no table is selected: enter on one in Schema does, n makes new ones"
	}
	return n.Keyspace, t, ""
}

// openOptions shows the options of the chosen table; what is changed becomes an
// ALTER TABLE.
func (a *App) openOptions() tea.Cmd {
	ks, t, problem := a.chosenTable()
	if problem != "" {
		return a.say(Dim, problem)
	}
	f := &form{a: a, title: "options of " + ks + "." + t.Name, verb: "alters the table"}
	for _, o := range tableOptions(t.Create) {
		f.fields = append(f.fields, newField(o[0], "", o[1]))
	}
	if len(f.fields) == 0 {
		return a.say(Dim, ks+"."+t.Name+" has no options that can be altered here")
	}
	f.build = func(f *form) (string, string) {
		var set []string
		for i := range f.fields {
			if v := strings.TrimSpace(f.fields[i].edit.text); v != f.fields[i].was {
				set = append(set, f.fields[i].label+" = "+v)
			}
		}
		if len(set) == 0 {
			return "", "nothing has changed"
		}
		return "ALTER TABLE " + design.Quote(ks) + "." + design.Quote(t.Name) + " WITH " + strings.Join(set, " AND ") + ";", ""
	}
	a.over = f
	return nil
}

// tableOptions are the options of a CREATE TABLE as DESCRIBE writes it, in its
// order; the clustering order cannot be altered and is left out.
func tableOptions(create string) [][2]string {
	create, _, _ = strings.Cut(create, "\n\n") // its indexes follow
	_, rest, ok := strings.Cut(create, "\n) WITH ")
	if !ok {
		return nil
	}
	var out [][2]string
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(rest), ";"), "\n    AND ") {
		name, value, ok := strings.Cut(part, " = ")
		if ok && isOption(name) {
			out = append(out, [2]string{name, strings.TrimSpace(value)})
		}
	}
	return out
}

func isOption(name string) bool {
	return name != "" && name != "id" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// openInsert asks for one row of the chosen table.
func (a *App) openInsert() tea.Cmd {
	ks, t, problem := a.chosenTable()
	if problem != "" {
		return a.say(Dim, problem)
	}
	f := &form{a: a, title: "new row of " + ks + "." + t.Name, verb: "inserts the row"}
	types, counter := map[string]string{}, false
	for _, c := range t.Columns {
		kind := map[string]string{"partition": "K", "clustering": "C", "static": "S"}[c.Kind]
		f.fields = append(f.fields, newField(c.Name, strings.TrimSpace(c.Type+" "+kind), ""))
		types[c.Name] = c.Type
		counter = counter || c.Type == "counter"
	}
	if len(f.fields) == 0 {
		return a.say(Dim, ks+"."+t.Name+" has no columns to fill in")
	}
	f.build = func(f *form) (string, string) {
		var names, values []string
		for i := range f.fields {
			if v := strings.TrimSpace(f.fields[i].edit.text); v != "" {
				names, values = append(names, design.Quote(f.fields[i].label)), append(values, typedLiteral(types[f.fields[i].label], v))
			}
		}
		if len(names) == 0 {
			return "", "a row has at least its key: fill in the columns marked K and C"
		}
		if counter {
			return "", "counters are not inserted but added to: UPDATE … SET n = n + 1 in the console"
		}
		return "INSERT INTO " + design.Quote(ks) + "." + design.Quote(t.Name) + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ");", ""
	}
	f.after = func() { // the next row begins with the same key
		f.said, f.fine = "✓ inserted; change it to the next row, or esc", true
		f.at = list{}
	}
	a.over = f
	return nil
}

// typedLiteral writes what was typed as a value of a type: texts and times get their
// quotes, unless they have them.
func typedLiteral(kind, text string) string {
	switch kind {
	case "text", "varchar", "ascii", "timestamp", "date", "time", "inet":
	default:
		return text
	}
	quoted := len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\''
	call := strings.HasSuffix(text, "()") && design.Quote(text[:len(text)-2]) == text[:len(text)-2]
	if quoted || call || strings.EqualFold(text, "null") || kind == "timestamp" && strings.Trim(text, "-0123456789") == "" && strings.Count(text, "-") <= 1 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// openFill asks how much sample data the chosen table gets.
func (a *App) openFill() tea.Cmd {
	ks, t, problem := a.chosenTable()
	if problem != "" {
		return a.say(Dim, problem)
	}
	name := ks + "." + t.Name
	f := &form{a: a, title: "sample data for " + name, verb: "fills the table", fields: []formField{newField("rows", "how many", "1000")}}
	for _, c := range t.Columns {
		if c.Kind == "clustering" && len(f.fields) == 1 { // else a partition is one row
			f.fields = append(f.fields, newField("partitions", "as many as rows", "50"))
		}
	}
	f.build = func(f *form) (string, string) {
		rows, partitions := f.value("rows"), f.value("partitions")
		if rows == "" {
			return "", "say how many rows"
		}
		return strings.TrimSpace(fmt.Sprintf(":fill %s rows=%s %s", name, rows, pick(partitions != "", "partitions="+partitions, ""))), ""
	}
	a.over = f
	return nil
}

// openImport asks for a file of statements.
func (a *App) openImport() tea.Cmd {
	f := &form{a: a, title: "import statements from a file", verb: "runs the file", fields: []formField{newField("file", "schema.cql; .cli is read as the classic language", "")}}
	f.build = func(f *form) (string, string) {
		name := f.value("file")
		if name == "" {
			return "", "name a file"
		}
		return "SOURCE '" + name + "'", ""
	}
	a.over = f
	return nil
}
