package render

import (
	"bytes"
	"encoding/json"
	"sort"

	"ringlab/engine/answer"
	"ringlab/model/types"
)

// object is one answer in JSON; the order of the fields is that of the output.
type object struct {
	N           int                  `json:"n"`
	File        *string              `json:"file"`
	Line        int                  `json:"line"`
	Statement   string               `json:"statement"`
	Columns     []answer.Column      `json:"columns"`
	Rows        [][]*string          `json:"rows"`
	Message     *string              `json:"message"`
	Warnings    []string             `json:"warnings"`
	Error       map[string]any       `json:"error"`
	Fix         []answer.Fix         `json:"fix"`
	Event       *answer.SchemaChange `json:"event"`
	At          int64                `json:"at_us"`
	Latency     int64                `json:"latency_us"`
	Coordinator *string              `json:"coordinator"`
	Trace       *[][4]any            `json:"trace,omitempty"`
	Events      *[]string            `json:"events,omitempty"`
}

// JSON writes an answer as one object on one line. traces and events say which
// of the optional fields are wanted.
func JSON(a *answer.Answer, traces, events bool) []byte {
	o := object{N: a.N, Line: a.Line, Statement: a.Statement, Columns: a.Columns, Warnings: a.Warnings, Fix: a.Fix, Event: a.Event,
		At: a.AtMicros, Latency: a.Latency}
	if a.File != "" {
		o.File = &a.File
	}
	if a.Message != "" {
		o.Message = &a.Message
	}
	if a.Coordinator != "" {
		o.Coordinator = &a.Coordinator
	}
	if o.Warnings == nil {
		o.Warnings = []string{}
	}
	if a.Columns != nil {
		o.Rows = make([][]*string, len(a.Rows))
		for i, row := range a.Rows {
			o.Rows[i] = make([]*string, len(row))
			for j := range row {
				switch {
				case row[j].Null:
				case a.Describe: // the table shows its line breaks as such
					text := types.Text.Text([]byte(row[j].Text))
					o.Rows[i][j] = &text
				default:
					o.Rows[i][j] = &row[j].Text
				}
			}
		}
	}
	if a.Error != nil {
		o.Error = errorObject(a.Error)
		o.Columns, o.Rows = nil, nil
	}
	if traces {
		list := make([][4]any, len(a.Trace))
		for i, t := range a.Trace {
			list[i] = [4]any{t.Source, t.Activity, t.Thread, t.Elapsed}
		}
		o.Trace = &list
	}
	if events {
		list := a.Events
		if list == nil {
			list = []string{}
		}
		o.Events = &list
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		return []byte("{}\n")
	}
	return b.Bytes()
}

// errorObject has the fields that apply, and no others.
func errorObject(e *answer.Error) map[string]any {
	m := map[string]any{"code": nil, "name": e.Name, "message": e.Message}
	if e.Code != "" {
		m["code"] = e.Code
	}
	if e.Consistency != "" {
		m["consistency"] = e.Consistency
	}
	for key, n := range map[string]*int{"required": e.Required, "alive": e.Alive, "received": e.Received, "blockfor": e.BlockFor,
		"failures": e.Failures, "contentions": e.Contentions} {
		if n != nil {
			m[key] = *n
		}
	}
	if e.WriteType != "" {
		m["write_type"] = e.WriteType
	}
	if e.DataPresent != nil {
		m["data_present"] = *e.DataPresent
	}
	if len(e.ErrorCodeMap) > 0 {
		list := make([][2]string, 0, len(e.ErrorCodeMap))
		for k, v := range e.ErrorCodeMap {
			list = append(list, [2]string{k, v})
		}
		sort.Slice(list, func(i, j int) bool { return list[i][0] < list[j][0] })
		codes := map[string]string{}
		for _, p := range list {
			codes[p[0]] = p[1]
		}
		m["error_code_map"] = codes
	}
	if e.Definite != nil {
		m["definite"] = *e.Definite
	}
	return m
}
