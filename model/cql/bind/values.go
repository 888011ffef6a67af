package bind

import (
	"strings"

	"ringlab/model/cql"
)

// Values are the bytes to bind to the markers of a prepared statement, given as
// a list of CQL terms in parentheses. A ? leaves its marker unset.
func Values(text string, variables []Variable, env *Env) (args [][]byte, unset []bool, err error) {
	terms, err := cql.ParseValues(text)
	if err != nil {
		return nil, nil, err
	}
	for i, t := range terms {
		if t == nil {
			args, unset = append(args, nil), append(unset, true)
			continue
		}
		if i >= len(variables) {
			return nil, nil, invalid("Invalid amount of bind variables: the statement has %d markers (%s)", len(variables), variableNames(variables))
		}
		p := &preparation{env: env}
		v, err := p.prepare(t, spec{name: variables[i].Name, typ: variables[i].Type})
		if err != nil {
			return nil, nil, err
		}
		value, _, err := v.bind(env)
		if err != nil {
			return nil, nil, err
		}
		args, unset = append(args, value), append(unset, false)
	}
	for len(args) < len(variables) {
		args, unset = append(args, nil), append(unset, true)
	}
	return args, unset, nil
}

func variableNames(variables []Variable) string {
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}
