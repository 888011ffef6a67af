package bind

import (
	"errors"
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

// customType finds the native type of a Java class.
// Source: Cassandra 5.0 TypeParser.parse.
func customType(class string) (*types.Type, error) {
	const marshal = "org.apache.cassandra.db.marshal."
	full := class
	if !strings.Contains(class, ".") {
		full = marshal + class
	}
	for _, t := range types.Natives() {
		if t.MarshalName() == full {
			return t, nil
		}
	}
	if c, err := types.ParseMarshal(class); err == nil && c.Type == nil && c.Class != "EmptyType" {
		return types.Of(c), nil // of the classic model
	}
	if strings.ContainsAny(class, "()") {
		return nil, plan.Unsupported("types written as Java classes with parameters ('"+class+"')", "write the CQL type, such as frozen<list<int>>")
	}
	return nil, plan.Config("Unable to find abstract-type class '%s'", full)
}
