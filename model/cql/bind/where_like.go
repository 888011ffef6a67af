package bind

import (
	"bytes"

	"ringlab/model/index"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// like appends the test of LIKE. Where a % stands says what is asked for: a
// beginning, an end, a part or the whole.
// Source: Cassandra 5.0 SingleColumnRestriction.LikeRestriction.
func (r *restriction) like(out []plan.Filter, t *schema.Table, env *Env) ([]plan.Filter, error) {
	values, _, err := r.value.bind(env)
	if err != nil {
		return nil, err
	}
	c, v := r.first(), values[0]
	if v == nil {
		return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.NullPointerException"}
	}
	before, after := bytes.HasPrefix(v, []byte("%")), bytes.HasSuffix(v, []byte("%"))
	f := plan.Filter{Column: c, Op: plan.LikeMatches, Value: v}
	shown := "LIKE '<term>'"
	switch {
	case before && after:
		f.Op, shown = plan.LikeContains, "LIKE '%<term>%'"
		f.Value = v[1:max(1, len(v)-1)]
	case after:
		f.Op, shown = plan.LikePrefix, "LIKE '<term>%'"
		f.Value = v[:len(v)-1]
	case before:
		f.Op, shown = plan.LikeSuffix, "LIKE '%<term>'"
		f.Value = v[1:]
	}
	if len(f.Value) == 0 {
		return nil, invalid("LIKE value can't be empty.")
	}
	if len(index.Of(t, c, f.Op)) == 0 {
		return nil, invalid("%s %s %s is only supported on properly indexed columns", c.Name, shown, c.Type.Raw(f.Value))
	}
	return append(out, f), nil
}
