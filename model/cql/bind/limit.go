package bind

import (
	"ringlab/model/plan"
	"ringlab/model/types"
)

// bindLimit is the value of LIMIT or PER PARTITION LIMIT; 0 is none.
// Source: Cassandra 5.0 SelectStatement.getLimit.
func bindLimit(t *term, env *Env) (int, error) {
	if t == nil {
		return 0, nil
	}
	v, unset, err := t.bind(env)
	switch {
	case err != nil:
		return 0, err
	case unset:
		return 0, nil
	case v == nil:
		return 0, invalid("Invalid null value of limit")
	case len(v) == 0:
		return 0, noNumber("Integer.intValue", "Int32Type")
	}
	n := types.DecodeInt32(v)
	if n <= 0 {
		return 0, invalid("LIMIT must be strictly positive")
	}
	return int(n), nil
}

// noNumber is the internal error of Cassandra for an empty value where it takes a
// number for granted.
func noNumber(method, class string) error {
	return plan.Fault(`java.lang.NullPointerException: Cannot invoke "java.lang.` + method + `()" because the return value of ` +
		`"org.apache.cassandra.db.marshal.` + class + `.compose(java.nio.ByteBuffer)" is null`)
}
