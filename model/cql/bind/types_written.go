package bind

import (
	"errors"
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// checkFrozen refuses what Cassandra's parser refuses in a type: frozen<> around
// something that has no other form, reserved names of user types, and classes
// that are no types.
// Source: Cassandra 5.0 CQL3Type.Raw.freeze, Parser.g rule comparatorType.
func checkFrozen(t cql.TypeExpr) error {
	switch {
	case t.Frozen && t.Kind == cql.NativeType:
		return plan.Syntax("frozen<> is only allowed on collections, tuples, and user-defined types (got %s)", t.Name.Text)
	case t.Kind == cql.UserType:
		return checkTypeName(t.Name)
	case t.Kind == cql.CustomType:
		var refused *plan.Error
		if _, err := customType(t.Name.Text); errors.As(err, &refused) && refused.Code == plan.ConfigError {
			return plan.Syntax("Error setting type %s: %s", t.Name.Text, refused.Message)
		}
	}
	for _, a := range t.Args {
		if err := checkFrozen(a); err != nil {
			return err
		}
	}
	return nil
}

// checkTypeName refuses names kept for types to come, unless they are quoted.
// Source: Cassandra 5.0 Parser.g reservedTypeNames.
func checkTypeName(n cql.Name) error {
	switch n.Text {
	case "byte", "complex", "enum", "date", "interval", "macaddr", "bitstring":
		if !n.Quoted {
			return plan.Syntax("Invalid (reserved) user type name %s", n.Text)
		}
	}
	return nil
}

// classesWithParameters are the classes that read what stands between the
// parentheses behind them; others take no parameters.
var classesWithParameters = []string{"CompositeType", "DynamicCompositeType", "ReversedType", "FrozenType", "ListType", "SetType", "MapType",
	"TupleType", "UserType", "VectorType"}

// customType finds the type of a Java class: a native one, what its parameters
// make, or one of the classic model. Nothing at all is a blob. The order that
// ReversedType stands for belongs to the statement, not to the type.
// Source: Cassandra 5.0 TypeParser.parse.
func customType(class string) (*types.Type, error) {
	const marshal = "org.apache.cassandra.db.marshal."
	name, _, parameters := strings.Cut(strings.TrimSpace(class), "(")
	if name = strings.TrimSpace(name); name == "" {
		return types.Blob, nil
	}
	full := name
	if !strings.Contains(name, ".") {
		full = marshal + name
	}
	c, err := types.ParseMarshal(class)
	if err == nil {
		base, _ := c.Base()
		return types.Of(base), nil
	}
	switch _, err := types.ParseMarshal(name); {
	case slices.Contains(classesWithParameters, strings.TrimPrefix(full, marshal)):
		return nil, plan.Config("Invalid definition for comparator %s.", full)
	case err == nil && parameters:
		return nil, plan.Unsupported("parameters of the class '"+name+"'", "it has none that matter, so leave them out")
	}
	return nil, plan.Config("Unable to find abstract-type class '%s'", full)
}
