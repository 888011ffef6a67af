package schema

import (
	"strings"

	"ringlab/model/types"
)

// CreateFunctionText is the function as DESCRIBE shows it.
// Source: Cassandra 5.0 UDFunction.toCqlString.
func CreateFunctionText(f *Function) string {
	args := make([]string, len(f.Args))
	for i, t := range f.Args {
		args[i] = Quote(f.ArgNames[i]) + " " + BareType(t)
	}
	on := "RETURNS NULL"
	if f.CalledOnNull {
		on = "CALLED"
	}
	return "CREATE FUNCTION " + Quote(f.Keyspace) + "." + Quote(f.Name) + "(" + strings.Join(args, ", ") + ")\n    " +
		on + " ON NULL INPUT\n    RETURNS " + BareType(f.Returns) + "\n    LANGUAGE " + f.Language + "\n    AS $$" + f.Body + "$$;"
}

// CreateAggregateText is the aggregate as DESCRIBE shows it.
// Source: Cassandra 5.0 UDAggregate.toCqlString.
func CreateAggregateText(a *Aggregate) string {
	text := "CREATE AGGREGATE " + Quote(a.Keyspace) + "." + QuotedSignature(a.Name, a.Args) +
		"\n    SFUNC " + Quote(a.StateFunc) + "\n    STYPE " + BareType(a.StateType)
	if a.FinalFunc != "" {
		text += "\n    FINALFUNC " + Quote(a.FinalFunc)
	}
	if a.InitCond != nil {
		text += "\n    INITCOND " + a.StateType.Literal(a.InitCond)
	}
	return text + ";"
}

// QuotedSignature is Signature with quotes around the name where CQL needs them.
// Source: Cassandra 5.0 UserFunction.elementName.
func QuotedSignature(name string, args []*types.Type) string {
	return Quote(name) + "(" + argumentTypes(args) + ")"
}
