package session

import (
	"errors"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/model/cql"
	"ringlab/model/plan"
)

// refusal turns a refusal of parser or binder into an answer's error.
func refusal(err error) *answer.Error {
	yes := true
	var syntax *cql.SyntaxError
	if errors.As(err, &syntax) {
		return &answer.Error{Code: plan.SyntaxErr.String(), Name: plan.SyntaxErr.Name(), Message: syntax.Error(), Definite: &yes}
	}
	var e *plan.Error
	if errors.As(err, &e) {
		return &answer.Error{Code: e.Code.String(), Name: e.Code.Name(), Message: e.Message, Definite: &yes, Keyspace: e.Keyspace, Table: e.Table}
	}
	return &answer.Error{Code: plan.ServerError.String(), Name: plan.ServerError.Name(), Message: err.Error(), Definite: &yes}
}

// fixes are the legal alternatives that came with a refusal.
func fixes(err error) []answer.Fix {
	var e *plan.Error
	if !errors.As(err, &e) {
		return nil
	}
	var out []answer.Fix
	for _, f := range e.Fix {
		out = append(out, answer.Fix{Text: f.Text, Why: f.Why})
	}
	return out
}

// failure turns a failure of the cluster into an answer's error with the fields
// of the protocol that apply.
func (c *Core) failure(f *cluster.Failure) *answer.Error {
	e := &answer.Error{Code: f.Code.String(), Name: f.Code.Name(), Message: f.Message}
	definite := f.Definite()
	e.Definite = &definite
	switch f.Code {
	case plan.UnavailableErr:
		e.Consistency, e.Required, e.Alive = f.CL.String(), &f.Required, &f.Alive
	case plan.WriteTimeout:
		e.Consistency, e.Received, e.BlockFor, e.WriteType = f.CL.String(), &f.Received, &f.BlockFor, f.WriteType
	case plan.ReadTimeout, plan.ReadFailure:
		e.Consistency, e.Received, e.BlockFor, e.DataPresent = f.CL.String(), &f.Received, &f.BlockFor, &f.DataPresent
		if f.Code == plan.ReadFailure {
			n := len(f.Failures)
			e.Failures, e.ErrorCodeMap = &n, f.Failures
		}
	}
	return e
}

func splitComma(s string) []string {
	var out []string
	for _, p := range strings.Split(s, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// Nearest is the name most similar to what was written, if any is close.
func Nearest(name string, have []string) (string, bool) {
	best, at := 3, ""
	if len(name) < 4 {
		best = 2
	}
	for _, h := range have {
		if d := distance(strings.ToLower(name), strings.ToLower(h)); d < best {
			best, at = d, h
		}
	}
	return at, at != ""
}

// distance counts the edits between two short words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := prev
			if a[i-1] != b[j-1] {
				cost = 1 + min(prev, row[j], row[j-1])
			}
			prev, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
