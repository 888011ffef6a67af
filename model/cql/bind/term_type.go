package bind

import (
	"strconv"
	"strings"

	"ringlab/model/cql"
)

// typeText is a type as it was written, in the server's spelling.
// Source: Cassandra 5.0 CQL3Type.Raw.toString.
func typeText(t cql.TypeExpr) string {
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		a.Frozen = a.Frozen || t.Kind == cql.TupleType || t.Frozen && t.Kind != cql.VectorType
		args[i] = typeText(a)
	}
	text := t.Name.Text
	switch t.Kind {
	case cql.ListType:
		text = "list<" + args[0] + ">"
	case cql.SetType:
		text = "set<" + args[0] + ">"
	case cql.MapType:
		text = "map<" + args[0] + ", " + args[1] + ">"
	case cql.TupleType:
		return "tuple<" + strings.Join(args, ", ") + ">"
	case cql.VectorType:
		return "vector<" + args[0] + ", " + strconv.Itoa(t.Dim) + ">"
	case cql.UserType:
		if t.Keyspace.Text != "" {
			text = t.Keyspace.Text + "." + text
		}
	}
	if t.Frozen && t.Kind != cql.NativeType {
		return "frozen<" + text + ">"
	}
	return text
}
