package bind

import (
	"strings"

	"ringlab/model/plan"
	"ringlab/model/types"
)

const marshal = "org.apache.cassandra.db.marshal."

// ParseClass reads a marshal class as attributes name it: a short or a full name,
// with parameters. Source: Cassandra 2.1 TypeParser.parse.
func ParseClass(text string) (*types.Comparator, error) {
	c, err := types.ParseMarshal(text)
	if err == nil {
		if name := newer(c); name != "" {
			return nil, plan.Invalid("Unable to find abstract-type class '%s'", marshal+name)
		}
	}
	name, parameters, given := strings.Cut(text, "(")
	if !strings.Contains(name, ".") {
		name = marshal + name
	}
	switch short := strings.TrimPrefix(name, marshal); {
	case short == "CompositeType" || short == "DynamicCompositeType" || short == "ReversedType":
		if err != nil || short == "ReversedType" && len(c.Parts) != 1 || short == "DynamicCompositeType" && badAlias(parameters) {
			return nil, plan.Invalid("Invalid definition for comparator %s.", name)
		}
	case err != nil && given && !strings.Contains(parameters, ")") && known(name):
		return nil, plan.Invalid("Syntax error parsing '%s' at char %d: unexpected end of string", text, len(text))
	case err != nil:
		return nil, plan.Invalid("Unable to find abstract-type class '%s'", name)
	}
	return c, nil
}

// newer is a class inside of the class that 2.1 does not have yet, "" if it has all.
func newer(c *types.Comparator) string {
	name := strings.TrimPrefix(c.ClassicName(), marshal)
	switch name {
	case "SimpleDateType", "TimeType", "ShortType", "ByteType", "DurationType", "LegacyTimeUUIDType", "VectorType":
		return name
	}
	for _, part := range c.Parts {
		if name := newer(part); name != "" {
			return name
		}
	}
	return ""
}

// badAlias says whether an alias of a dynamic composite is longer than one
// character.
func badAlias(parameters string) bool {
	depth := 0
	start := 0
	for i := 0; i < len(parameters); i++ {
		switch parameters[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				start = i + 1
			}
		case '=':
			if depth == 0 && len(strings.TrimSpace(parameters[start:i])) != 1 {
				return true
			}
		}
	}
	return false
}

// counterInside says whether CounterColumnType is the class or a part of it: no
// comparator can be made of it.
func counterInside(c *types.Comparator) bool {
	if c == nil {
		return false
	}
	if c.Counter() {
		return true
	}
	for _, p := range c.Parts {
		if counterInside(p) {
			return true
		}
	}
	return false
}

// known says whether there is a class of that full name.
func known(name string) bool {
	c, err := types.ParseMarshal(name)
	return err == nil && newer(c) == ""
}
