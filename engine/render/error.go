package render

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

var summaries = map[string]string{
	"0x0000": "Server error", "0x1000": "Unavailable exception", "0x1001": "Coordinator node overloaded", "0x1003": "Error during truncate",
	"0x1100": "Coordinator node timed out waiting for replica nodes' responses", "0x1200": "Coordinator node timed out waiting for replica nodes' responses",
	"0x1300": "Replica(s) failed to execute read", "0x1400": "User Defined Function failure", "0x1500": "Replica(s) failed to execute write",
	"0x0100": "Bad credentials", "0x2100": "Unauthorized", "0x2200": "Invalid query", "0x2300": "Query invalid because of configuration issue",
}

// Error writes an error as cqlsh prints it, without file and line.
func Error(e *answer.Error) string { return Visible(errorText(e)) }

func errorText(e *answer.Error) string {
	switch {
	case e.Client != "":
		return e.Client
	case e.Code == "" || e.Bare:
		return e.Message
	case e.Code == "0x2000" || e.Code == "0x2300":
		return e.Name + ": " + e.Message
	case e.Code == "0x2400":
		if e.Table != "" {
			return fmt.Sprintf("AlreadyExists: Table '%s.%s' already exists", e.Keyspace, e.Table)
		}
		return fmt.Sprintf("AlreadyExists: Keyspace '%s' already exists", e.Keyspace)
	}
	s := fmt.Sprintf("%s: Error from server: code=%s [%s] message=\"%s\"", e.Name, strings.TrimPrefix(e.Code, "0x"), summaries[e.Code], e.Message)
	if info := info(e); info != "" {
		s += " info={" + info + "}"
	}
	return s
}

// info writes the protocol's fields as the Python driver prints them.
func info(e *answer.Error) string {
	var out []string
	add := func(key, value string) { out = append(out, "'"+key+"': "+value) }
	if e.Consistency != "" {
		add("consistency", "'"+e.Consistency+"'")
	}
	number := func(key string, n *int) {
		if n != nil {
			add(key, itoa(*n))
		}
	}
	number("required_replicas", e.Required)
	number("alive_replicas", e.Alive)
	number("required_responses", e.BlockFor)
	number("received_responses", e.Received)
	number("failures", e.Failures)
	if e.WriteType != "" {
		add("write_type", "'"+e.WriteType+"'")
	}
	if e.DataPresent != nil {
		add("data_retrieved", map[bool]string{true: "True", false: "False"}[*e.DataPresent])
	}
	if len(e.ErrorCodeMap) > 0 {
		keys := make([]string, 0, len(e.ErrorCodeMap))
		for k := range e.ErrorCodeMap {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		var pairs []string
		for _, k := range keys {
			pairs = append(pairs, "'"+k+"': '"+e.ErrorCodeMap[k]+"'")
		}
		add("error_code_map", "{"+strings.Join(pairs, ", ")+"}")
	}
	return strings.Join(out, ", ")
}

// Text is everything an answer prints, an error included: what expected output
// in scripts is compared with.
func Text(a *answer.Answer, expand bool) string {
	s := Table(a, expand)
	if a.Error != nil {
		s += Error(a.Error) + "\n"
	}
	return s
}

// Same compares printed output with expected text: trailing blanks of lines and
// empty lines at both ends do not count.
func Same(got, want string) bool { return normal(got) == normal(want) }

func normal(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// Trace writes a trace as a table, under the number of its operation.
func Trace(a *answer.Answer) string {
	t := &answer.Answer{Rows: [][]answer.Cell{}}
	for _, name := range []string{"activity", "source", "source_elapsed", "thread"} {
		t.Columns = append(t.Columns, answer.Column{Name: name, Type: "text"})
	}
	for _, e := range a.Trace {
		t.Rows = append(t.Rows, []answer.Cell{{Text: types.Text.Text([]byte(e.Activity))}, {Text: e.Source}, {Text: strconv.FormatInt(e.Elapsed, 10)}, {Text: e.Thread}})
	}
	title := "\nTracing operation " + itoa(a.Op)
	if a.Session != "" {
		title += ", session " + a.Session
	}
	return title + "\n" + Table(t, false) + "\n"
}
