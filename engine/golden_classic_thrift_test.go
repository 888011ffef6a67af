package engine_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"ringlab/engine/classic"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// thriftFile is one recording of Thrift operations.
type thriftFile struct {
	Keyspace   string
	Schema     []json.RawMessage
	Operations []struct {
		N         int
		Op        string
		Readable  string
		Args      json.RawMessage
		Result    any
		Exception string
		Why       string
	}
}

// thrift checks a file of operations.
func (c *classicTally) thrift(path string) {
	var file thriftFile
	readJSON(c.t, path, &file)
	base := strings.TrimSuffix(filepath.Base(path), ".json")
	lab := classicLab(c.t)
	lab.Do("CREATE KEYSPACE " + file.Keyspace + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	lab.Do("USE " + file.Keyspace)
	client := classic.New(lab.Core())
	for _, s := range file.Schema {
		var table struct{ CQL string }
		if err := json.Unmarshal(s, &table); err != nil {
			c.t.Fatal(path, err)
		}
		if table.CQL != "" {
			if a := lab.Do(table.CQL)[0]; a.Error != nil {
				c.t.Errorf("%s: %s: %s", path, table.CQL, a.Error.Message)
			}
			continue
		}
		o := &classic.Operation{}
		if err := json.Unmarshal([]byte(`{"cf_def":`+string(s)+`}`), o); err != nil {
			c.t.Fatal(path, err)
		}
		o.Name = "system_add_column_family"
		if _, _, err := client.Operate(o); err != nil {
			c.t.Errorf("%s: %s: %v", path, s, err)
		}
	}
	after := false // there was a cas
	for _, s := range file.Operations {
		name := fmt.Sprintf("thrift/%s %d", base, s.N)
		switch s.Op {
		case "_sleep":
			lab.Do(":advance 2100ms")
			continue
		case "execute_cql3_query":
			var q struct{ Query string }
			if err := json.Unmarshal(s.Args, &q); err != nil {
				c.t.Fatal(path, err)
			}
			text, _ := hex.DecodeString(q.Query)
			a := lab.Do(string(text))[0]
			c.check(name, (a.Error == nil) == (s.Exception == ""), func() string { return fmt.Sprintf("%s: %v", text, a.Error) })
			continue
		}
		o := &classic.Operation{}
		if err := json.Unmarshal(s.Args, o); err != nil {
			c.t.Fatal(path, s.N, err)
		}
		if o.Name = s.Op; o.Request != nil {
			o.Level = o.Request.Level
		}
		res, a, err := client.Operate(o)
		exception, why := "", ""
		switch refused, is := err.(*plan.Error); {
		case err == classic.ErrNotFound:
			exception = "NotFoundException"
		case is:
			exception, why = "InvalidRequestException", refused.Message
		case err != nil && a != nil && a.Error != nil:
			exception = map[string]string{"Unavailable": "UnavailableException"}[a.Error.Name]
			if why = a.Error.Message; exception == "" {
				exception = "InvalidRequestException"
			} else {
				why = ""
			}
		case err != nil:
			exception, why = "error", err.Error()
		}
		var got any
		ok := exception == s.Exception && why == s.Why
		switch {
		case s.Exception == "TTransportException", s.Exception == "TimedOutException": // the node failed
			ok = err != nil
		case s.Exception == "" && strings.HasPrefix(s.Op, "system_"), s.Op == "describe_keyspace" && s.Exception == "":
			ok = err == nil
		case s.Exception == "" && err == nil:
			if got = shapeOf(s.Op, res); s.Op == "cas" { // the ballot's timestamps are those of the recording's clock
				for _, v := range currentValues(s.Result) {
					delete(v.(map[string]any), "timestamp")
				}
			}
			if name, is := s.Result.(string); is {
				s.Result = here(name)
			}
			if s.Op == "describe_ring" {
				s.Result = here(text(s.Result))
				got = text(got)
			}
			if after { // which gave columns the timestamps of its ballot
				got, s.Result = ballotless(got), ballotless(s.Result)
			}
			after = after || s.Op == "cas"
			ok = reflect.DeepEqual(got, s.Result)
		}
		c.check(name, ok, func() string {
			return fmt.Sprintf("%s %s\n got  %v %s %s\n!     \n want %v %s %s\n!     ", s.Readable, s.Op, text(got), exception, why, text(s.Result), s.Exception, s.Why)
		})
	}
}

// currentValues are those of the result of cas that was not applied.
func currentValues(result any) []any {
	list, _ := result.(map[string]any)["current_values"].([]any)
	return list
}

// ballotless is a result without timestamps that no client of the recordings gave.
func ballotless(v any) any {
	var plain any
	if json.Unmarshal([]byte(text(v)), &plain) != nil {
		return v
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if t, is := v["timestamp"].(float64); is && t > 1e15 {
				v["timestamp"] = "ballot"
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(plain)
	return plain
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// shapeOf is a result as the recordings write it.
func shapeOf(op string, r *classic.Result) any {
	if r.CAS {
		out := map[string]any{"success": r.Applied}
		if !r.Applied {
			list := []any{}
			for _, c := range r.Rows[0].Cells() {
				m := columnOf(c)
				delete(m, "timestamp")
				list = append(list, m)
			}
			out["current_values"] = list
		}
		return out
	}
	if r.Ring != nil {
		var ring []any
		if err := json.Unmarshal([]byte(text(r.Ring)), &ring); err != nil {
			return err
		}
		return ring
	}
	if r.Text != "" {
		return r.Text
	}
	lists := map[string]any{}
	var slices []any
	for i, row := range r.Rows {
		key := hex.EncodeToString(row.Key)
		list := columnsOfCells(row.Cells(), r.Outer)
		switch op {
		case "get_count":
			return float64(r.Counts[i])
		case "multiget_count":
			lists[key] = float64(r.Counts[i])
		case "get":
			return list[0]
		case "get_slice", "get_multi_slice":
			return list
		case "multiget_slice":
			lists[key] = list
		default:
			slices = append(slices, map[string]any{"key": key, "columns": list})
		}
	}
	switch op {
	case "multiget_slice", "multiget_count":
		return lists
	case "set_keyspace", "insert", "add", "remove", "remove_counter", "batch_mutate", "atomic_batch_mutate", "truncate":
		return nil
	}
	if slices == nil {
		slices = []any{}
	}
	return slices
}

func columnsOfCells(cells []session.Cell, outer bool) []any {
	out := []any{}
	for i := 0; i < len(cells); i++ {
		c := cells[i]
		if c.Super == nil || !outer {
			kind := "column"
			if c.Counter {
				kind = "counter_column"
			}
			out = append(out, map[string]any{kind: columnOf(c)})
			continue
		}
		list := []any{}
		j := i
		for ; j < len(cells) && string(cells[j].Super) == string(c.Super); j++ {
			list = append(list, columnOf(cells[j]))
		}
		kind := "super_column"
		if c.Counter {
			kind = "counter_super_column"
		}
		out = append(out, map[string]any{kind: map[string]any{"name": hex.EncodeToString(c.Super), "columns": list}})
		i = j - 1
	}
	return out
}

func columnOf(c session.Cell) map[string]any {
	m := map[string]any{"name": hex.EncodeToString(c.Name)}
	if c.Counter {
		m["value"] = float64(types.DecodeInt64(c.Value))
		return m
	}
	m["value"], m["timestamp"] = hex.EncodeToString(c.Value), float64(c.Timestamp)
	if c.TTL > 0 {
		m["ttl"] = float64(c.TTL)
	}
	return m
}
