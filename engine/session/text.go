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
		return &answer.Error{Code: e.Code.String(), Name: e.Code.Name(), Message: e.Message, Definite: &yes, Keyspace: e.Keyspace, Table: e.Table,
			Function: e.Function, ArgTypes: e.Args}
	}
	return &answer.Error{Code: plan.ServerError.String(), Name: plan.ServerError.Name(), Message: err.Error(), Definite: &yes}
}

// fixes are the legal alternatives that came with a refusal, as whole statements.
func fixes(err error, statement string) []answer.Fix {
	var syntax *cql.SyntaxError
	if errors.As(err, &syntax) {
		return mend(syntax, statement)
	}
	var e *plan.Error
	if !errors.As(err, &e) {
		return nil
	}
	var out []answer.Fix
	for _, f := range e.Fix {
		text := f.Text
		switch {
		case f.Part == "$":
			text = statement + text
		case f.Part != "":
			text = replaceWord(statement, f.Part, text)
		}
		if !strings.HasPrefix(text, ":") { // a lab command ends with its line
			text += ";"
		}
		out = append(out, answer.Fix{Text: text, Why: f.Why})
	}
	return out
}

// replaceWord puts another name in the place of the first one that is the whole
// word, in any case.
func replaceWord(statement, word, by string) string {
	lower, part := strings.ToLower(statement), strings.ToLower(word)
	for from := 0; ; {
		i := strings.Index(lower[from:], part)
		if i < 0 {
			return by
		}
		i += from
		end := i + len(part)
		if (i == 0 || !nameByte(lower[i-1])) && (end == len(lower) || !nameByte(lower[end])) {
			return statement[:i] + by + statement[end:]
		}
		from = end
	}
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '"'
}

// revive offers the ways out of an unavailable level: the nodes that are down,
// and a level that works with those that are up.
func (c *Core) revive(f *flight) []answer.Fix {
	var down []string
	for _, n := range c.Cluster.Nodes {
		if n.Down && n.IsMember() {
			down = append(down, n.Name)
		}
	}
	var out []answer.Fix
	if len(down) > 0 && len(down) <= 8 {
		out = append(out, answer.Fix{Text: ":up " + strings.Join(down, ","), Why: "revives what is down"})
	}
	if c.Cluster.Net.Cuts() > 0 {
		out = append(out, answer.Fix{Text: ":heal", Why: "joins every cut link"})
	}
	if f.op.Err.Alive > 0 && f.op.CL != plan.One {
		out = append(out, answer.Fix{Text: "CONSISTENCY ONE", Why: "one replica is enough then, and reads may be old"})
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
		if f.WriteType == "CAS" {
			e.Contentions = &f.Contentions
		}
	case plan.CASUnknown:
		e.Consistency, e.Received, e.BlockFor = f.CL.String(), &f.Received, &f.BlockFor
	case plan.WriteFailure:
		n := len(f.Failures)
		e.Consistency, e.Received, e.BlockFor, e.WriteType = f.CL.String(), &f.Received, &f.BlockFor, f.WriteType
		e.Failures, e.ErrorCodeMap = &n, f.Failures
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
