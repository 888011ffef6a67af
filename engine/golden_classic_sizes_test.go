package engine_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ringlab/engine"
	"ringlab/engine/classic"
	"ringlab/engine/session"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// sizeCase is one row or table of the era with its bytes.
type sizeCase struct {
	Case       string
	Schema     json.RawMessage
	Steps      []any
	Create     string
	Statements []string
	DataBytes  int `json:"data_bytes"`
	Rows       []struct {
		Key       string
		Bytes     int
		DeletedAt *int64 `json:"deleted_at"`
		Atoms     []atomRow
		Cells     []atomRow
	}
}

type atomRow struct {
	Name, Kind, Value, To string
	Bytes                 int
	Timestamp             int64
	TTL                   int32
}

// sizes checks what rows of the era take in a data file, and the cells of tables
// of CQL.
func (c *classicTally) sizes(path, base string) {
	var file struct{ Cases []sizeCase }
	readJSON(c.t, path, &file)
	for _, s := range file.Cases {
		name := base + " " + s.Case
		if strings.Contains(fmt.Sprint(s.Steps, s.Statements), "in all, same form") && !repeats(&s) {
			c.check(name, false, func() string { return "steps of an unknown form" })
			continue
		}
		lab, table := c.era(&s)
		if table == nil {
			c.check(name, false, func() string { return "the steps cannot be run" })
			continue
		}
		total, ok, got := 0, true, ""
		for _, r := range s.Rows {
			key, _ := hex.DecodeString(r.Key)
			row, _ := lab.Core().Atoms(0, table, key)
			total += row.Bytes
			ok = ok && (r.Bytes == 0 || row.Bytes == r.Bytes)
			if deleted := row.DeletedAt != storage.NoTimestamp; r.Cells != nil {
				ok = ok && deleted == (r.DeletedAt != nil) && (!deleted || row.DeletedAt == *r.DeletedAt)
			}
			for _, want := range [][]atomRow{r.Atoms, r.Cells} {
				if len(want) > 0 {
					same, text := sameAtoms(row.Atoms, want, base == "cql-cells")
					ok = ok && same
					got += text
				}
			}
		}
		if s.DataBytes > 0 {
			ok = ok && total == s.DataBytes
		}
		c.check(name, ok, func() string { return fmt.Sprintf("%d bytes, want %d\n%s", total, s.DataBytes, got) })
	}
}

// sameAtoms compares atoms up to those that are recorded.
func sameAtoms(have []session.Atom, want []atomRow, values bool) (bool, string) {
	ok, text := len(have) >= len(want), ""
	for i, w := range want {
		if i >= len(have) {
			break
		}
		h := have[i]
		name := hex.EncodeToString(h.Name)
		same := h.Kind == w.Kind && h.Bytes == w.Bytes && (name == w.Name || len(name) == len(w.Name) && len(name) > 40)
		if values {
			same = same && hex.EncodeToString(h.End) == w.To && h.TTL == w.TTL
			if h.Kind == "column" || h.Kind == "expiring" {
				same = same && hex.EncodeToString(h.Value) == w.Value && h.Timestamp == w.Timestamp
			}
		}
		if !same {
			text += fmt.Sprintf(" got  %s %s %s %d @%d\n want %+v\n", h.Kind, name, hex.EncodeToString(h.End), h.Bytes, h.Timestamp, w)
		}
		ok = ok && same
	}
	return ok, text
}

// repeats writes out steps that a recording shortens: the same with another
// number. It says whether it knows their form.
func repeats(s *sizeCase) bool {
	steps, _ := any(s.Steps).([]any)
	if len(s.Statements) > 0 {
		steps = nil
		for _, text := range s.Statements {
			steps = append(steps, text)
		}
	}
	n := len(steps) - 1
	var total int
	if n < 2 {
		return false
	}
	if _, err := fmt.Sscanf(fmt.Sprint(steps[n]), "... %d", &total); err != nil {
		return false
	}
	a, b := text(steps[n-2]), text(steps[n-1])
	out := steps[:n:n]
	first := 2
	if a[:5] != b[:5] { // there is one step of that form alone: its names count up
		a, b, first = b, nameEnd.ReplaceAllString(b, `"name":"00000001"`), 1
	}
	for i := first; len(out) < total; i++ {
		next, ok := extrapolate(a, b, i)
		var step any
		if !ok || json.Unmarshal([]byte(next), &step) != nil {
			return false
		}
		out = append(out, step)
	}
	s.Steps = out
	if len(s.Statements) > 0 {
		s.Statements = nil
		for _, text := range out {
			s.Statements = append(s.Statements, text.(string))
		}
	}
	return true
}

var figures = regexp.MustCompile(`"name":"[0-9a-f]+"|button\d|\d+`)

var nameEnd = regexp.MustCompile(`"name":"00000000"`)

// extrapolate goes on from two texts: each number grows as it did between them,
// names as numbers of the same width in hex.
func extrapolate(a, b string, n int) (string, bool) {
	x, y := figures.FindAllString(a, -1), figures.FindAllString(b, -1)
	if len(x) != len(y) {
		return "", false
	}
	i := -1
	return figures.ReplaceAllStringFunc(a, func(was string) string {
		i++
		if hexName, is := strings.CutPrefix(was, `"name":"`); is {
			hexName = strings.TrimSuffix(hexName, `"`)
			from, _ := strconv.ParseInt(hexName, 16, 64)
			to, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(y[i], `"name":"`), `"`), 16, 64)
			return fmt.Sprintf(`"name":"%0*x"`, len(hexName), from+int64(n)*(to-from))
		}
		if was == y[i] {
			return was
		}
		if rest, is := strings.CutPrefix(was, "button"); is { // the recorder has three of them
			return fmt.Sprint("button", n%3, rest[1:])
		}
		from, _ := strconv.ParseInt(was, 10, 64)
		to, _ := strconv.ParseInt(y[i], 10, 64)
		return strconv.FormatInt(from+int64(n)*(to-from), 10)
	}), true
}

// era runs the steps of a case on a lab of one node.
func (c *classicTally) era(s *sizeCase) (*engine.Lab, *schema.Table) {
	lab := classicLab(c.t)
	lab.Do("CREATE KEYSPACE thr_sizes WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	lab.Do("USE thr_sizes")
	lab.Do("CREATE TYPE u (a int, b text)")
	create, statements := s.Create, s.Statements
	if create == "" && json.Unmarshal(s.Schema, &create) == nil {
		for _, step := range s.Steps {
			statements = append(statements, fmt.Sprint(step))
		}
	}
	if create != "" {
		for _, text := range append([]string{create}, statements...) {
			if a := lab.Do(text)[0]; a.Error != nil {
				c.t.Logf("%s: %s: %s", s.Case, text, a.Error.Message)
				return lab, nil
			}
		}
		return lab, lab.Core().Cluster.Schema.Table("thr_sizes", s.Case)
	}
	client := classic.New(lab.Core())
	o := &classic.Operation{Name: "system_add_column_family"}
	if err := json.Unmarshal([]byte(`{"cf_def":`+string(s.Schema)+`}`), o); err != nil {
		return lab, nil
	}
	if _, _, err := client.Operate(o); err != nil {
		c.t.Logf("%s: %v", s.Case, err)
		return lab, nil
	}
	for _, step := range s.Steps {
		if err := c.step(client, s.Case, step); err != nil {
			c.t.Logf("%s: %v: %v", s.Case, step, err)
			return lab, nil
		}
	}
	return lab, lab.Core().Cluster.Schema.Table("thr_sizes", s.Case)
}

// step is one write: insert, add, remove or delete_slice with its fields.
func (c *classicTally) step(client *classic.Client, family string, step any) error {
	m, is := step.(map[string]any)
	if !is {
		return fmt.Errorf("an unknown step")
	}
	for verb, f := range m {
		x := f.(map[string]any)
		pick := func(keys ...string) map[string]any {
			out := map[string]any{}
			for _, k := range keys {
				if x[k] != nil {
					out[k] = x[k]
				}
			}
			return out
		}
		parent := pick("super_column")
		parent["column_family"] = family
		args := map[string]any{"key": x["key"], "column_parent": parent}
		o := &classic.Operation{}
		switch verb {
		case "insert", "add":
			args["column"] = pick("name", "value", "timestamp", "ttl")
		case "remove":
			if x["name"] != nil {
				parent["column"] = x["name"]
			}
			args["column_path"], args["timestamp"] = parent, x["timestamp"]
		case "delete_slice":
			verb = "batch_mutate"
			r := pick("start", "finish")
			r["count"] = 100
			d := pick("timestamp")
			d["predicate"] = map[string]any{"slice_range": r}
			args = map[string]any{"mutation_map": map[string]any{x["key"].(string): map[string]any{family: []any{map[string]any{"deletion": d}}}}}
		default:
			return fmt.Errorf("an unknown step %s", verb)
		}
		data, _ := json.Marshal(args)
		if err := json.Unmarshal(data, o); err != nil {
			return err
		}
		o.Name = verb
		if _, a, err := client.Operate(o); err != nil {
			return fmt.Errorf("%w %v", err, a)
		}
	}
	return nil
}
