package stress

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// JSON is the profile on one line. JSON is YAML, so that it reads back.
func (p *Profile) JSON() string {
	type query struct {
		CQL    string `json:"cql"`
		Fields string `json:"fields"`
	}
	type tokenRange struct {
		Columns string `json:"columns"`
	}
	out := struct {
		Spec               string                `json:"specname,omitempty"`
		Keyspace           string                `json:"keyspace"`
		KeyspaceDefinition string                `json:"keyspace_definition,omitempty"`
		Table              string                `json:"table"`
		TableDefinition    string                `json:"table_definition,omitempty"`
		Extra              []string              `json:"extra_definitions,omitempty"`
		Columns            []map[string]string   `json:"columnspec,omitempty"`
		Insert             map[string]string     `json:"insert"`
		Queries            map[string]query      `json:"queries,omitempty"`
		TokenRanges        map[string]tokenRange `json:"token_range_queries,omitempty"`
	}{Spec: p.Spec, Keyspace: p.Keyspace, KeyspaceDefinition: p.KeyspaceDefinition, Table: p.Table, TableDefinition: p.TableDefinition, Extra: p.Extra}
	for _, c := range p.Columns {
		m := map[string]string{"name": c.Name}
		for key, s := range map[string]*Spec{"size": c.Size, "population": c.Population, "cluster": c.Cluster} {
			if s != nil {
				m[key] = s.String()
			}
		}
		out.Columns = append(out.Columns, m)
	}
	out.Insert = map[string]string{"partitions": p.Insert.Partitions.String(), "select": p.Insert.Select.String(),
		"row-population": p.Insert.RowPopulation.String(), "batchtype": p.Insert.Batch}
	out.Queries = map[string]query{}
	for _, q := range p.Queries {
		out.Queries[q.Name] = query{q.CQL, fields(q)}
	}
	out.TokenRanges = map[string]tokenRange{}
	for _, name := range p.TokenRangeQueries {
		out.TokenRanges[name] = tokenRange{"all"}
	}
	b, err := json.Marshal(out) // keys of maps come out in order
	if err != nil {
		panic("stress: " + err.Error())
	}
	return string(b)
}

func fields(q Query) string {
	if q.SameRow {
		return "samerow"
	}
	return "multirow"
}

// String is the distribution as it is written.
func (s Spec) String() string {
	mirror := ""
	if s.Inverted {
		mirror = "~"
	}
	if s.Kind == Fixed {
		return fmt.Sprintf("%sFIXED(%d)", mirror, s.Min)
	}
	out := fmt.Sprintf("%s%s(%d..%d", mirror, kindNames[s.Kind], s.Min, s.Max)
	number := func(v float64) string { return "," + strconv.FormatFloat(v, 'g', -1, 64) }
	switch {
	case s.Kind == Gaussian && s.Min < s.Max:
		out += number(s.A) + number(s.B)
	case s.Kind == Extreme || s.Kind == Quantized:
		out += number(s.A)
	}
	if s.Kind == Quantized {
		out += fmt.Sprintf(",%d", s.Quantas)
	}
	return out + ")"
}

// String is the ratio as it is written.
func (r Ratio) String() string { return fmt.Sprintf("%s/%d", r.Spec, int64(r.Divisor)) }
