package types

import "strings"

// SchemaName is name.
func (c *Comparator) SchemaName() string { return c.name() }

// name is the class as schema tables and clients are told it: a composite has its
// parentheses also around nothing.
// Source: Cassandra 5.0 TypeParser.stringifyTypeParameters.
func (c *Comparator) name() string {
	if c.composed() && len(c.Parts)+len(c.Aliases) == 0 {
		return c.ClassicName() + "()"
	}
	return c.ClassicName()
}

// parse reads a value of a class from the text of a constant in CQL.
// Source: Cassandra 5.0 AbstractType.fromString of each class.
func (c *Comparator) parse(s string) ([]byte, error) {
	if c.Type == nil && c.Class == "EmptyType" {
		if s != "" {
			return nil, marshalError("'%s' is not empty", s)
		}
		return []byte{}, nil
	}
	if c.dynamic() {
		if err := c.checkParts(s); err != nil {
			return nil, err
		}
	}
	return c.ClassicParse(s)
}

// checkParts fails at the first component of a dynamic composite's text whose
// class does not exist.
// Source: Cassandra 5.0 DynamicCompositeType.DynamicParsedComparator.
func (c *Comparator) checkParts(s string) error {
	for _, part := range splitColons(s) {
		if part == "!" || part == "_" {
			return nil
		}
		class, _, _ := strings.Cut(part, "@")
		if len(class) == 1 && c.Aliases[class[0]] != nil && strings.Contains(part, "@") {
			continue
		}
		if _, err := ParseMarshal(class); err != nil {
			if !strings.Contains(class, ".") {
				class = marshalPackage + class
			}
			return &Fault{Msg: "java.lang.IllegalArgumentException: org.apache.cassandra.exceptions.ConfigurationException: Unable to find abstract-type class '" + class + "'"}
		}
	}
	return nil
}
