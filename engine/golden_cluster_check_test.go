package engine_test

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
)

// beyond names what a statement needs that is not there yet, "" if nothing.
func beyond(a *answer.Answer) string {
	if a.Error == nil {
		return ""
	}
	if rest, ok := strings.CutPrefix(a.Error.Message, "ringlab does not support "); ok {
		thing, _, _ := strings.Cut(rest, ";")
		return thing
	}
	if strings.Contains(a.Error.Message, "is not there yet") {
		thing, _, _ := strings.Cut(a.Error.Message, " is not there yet")
		return thing
	}
	return ""
}

func (r *clusterRun) check(i int, s clusterStep, a *answer.Answer) {
	if what := beyond(a); what != "" {
		r.unable = what
		return
	}
	want := s.Result
	if want.Error != nil {
		if a.Error == nil {
			r.differ(i, "%s at %s on %s gave no error, expected %v", s.Stmt, s.CL, s.On, want.Error["message"])
			return
		}
		got := map[string]any{"code": a.Error.Code, "message": a.Error.Message}
		put := func(k string, n *int) {
			if n != nil {
				got[k] = *n
			}
		}
		put("required", a.Error.Required)
		put("alive", a.Error.Alive)
		put("received", a.Error.Received)
		put("blockfor", a.Error.BlockFor)
		put("failures", a.Error.Failures)
		put("contentions", a.Error.Contentions)
		if a.Error.Consistency != "" {
			got["consistency"] = a.Error.Consistency
		}
		if a.Error.WriteType != "" {
			got["write_type"] = a.Error.WriteType
		}
		if a.Error.DataPresent != nil {
			got["data_present"] = *a.Error.DataPresent
		}
		for k, v := range want.Error {
			if k == "name" || k == "error_code_map" {
				continue
			}
			if k == "required" && strings.Contains(fmt.Sprint(want.Error["message"]), "in DC ") {
				continue // so does what that data center requires
			}
			if k == "message" && (strings.Contains(fmt.Sprint(v), "in DC ") || strings.Contains(fmt.Sprint(v), "/127.")) {
				continue // either failing data center may be named; addresses differ
			}
			if k == "code" && strings.EqualFold(fmt.Sprint(v), fmt.Sprint(got[k])) {
				continue
			}
			if fmt.Sprint(got[k]) != fmt.Sprint(v) {
				r.differ(i, "%s at %s on %s: error has %s=%v, expected %v", s.Stmt, s.CL, s.On, k, got[k], v)
			}
		}
		return
	}
	if a.Error != nil {
		r.differ(i, "%s at %s on %s failed: %s", s.Stmt, s.CL, s.On, a.Error.Message)
		return
	}
	if want.Rows != nil || want.Columns != nil {
		r.rows(i, s.Stmt+" at "+s.CL+" on "+s.On, want.Columns, want.Rows, a)
	}
	if len(want.Warnings) > 0 && strings.Join(want.Warnings, "\n") != strings.Join(a.Warnings, "\n") {
		r.differ(i, "%s: warnings %q, expected %q", s.Stmt, a.Warnings, want.Warnings)
	}
}

func (r *clusterRun) rows(i int, what string, columns []string, rows [][]any, a *answer.Answer) {
	var names []string
	for _, c := range a.Columns {
		names = append(names, c.Name)
	}
	if columns != nil && strings.Join(names, ",") != strings.Join(columns, ",") {
		r.differ(i, "%s: columns %v, expected %v", what, names, columns)
		return
	}
	if got, want := cellsText(a.Rows), anyText(rows); got != want {
		r.differ(i, "%s: rows %s, expected %s", what, got, want)
	}
}

func cellsText(rows [][]answer.Cell) string {
	var out []string
	for _, r := range rows {
		var cells []string
		for _, c := range r {
			if c.Null {
				cells = append(cells, "<nil>")
			} else {
				cells = append(cells, c.Text)
			}
		}
		out = append(out, strings.Join(cells, "|"))
	}
	return strings.Join(out, " / ")
}

func anyText(rows [][]any) string {
	var out []string
	for _, r := range rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, fmt.Sprint(c))
		}
		out = append(out, strings.Join(cells, "|"))
	}
	return strings.Join(out, " / ")
}
