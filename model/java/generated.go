package java

import (
	"strconv"
	"strings"
)

func (c *compiler) className() string { return "C" }

func (c *compiler) diamond(t *Type, line int) {
	panic(&Limit{"new " + t.class.name + "<>() (Cassandra's compiler does not take it either: write the type arguments)"})
}

func generatedError(keyspace, name, src string, on *Context, called bool, ret *Type) string {
	_ = strings.Count
	_ = strconv.Itoa
	return "GENERATED SOURCE ERROR: line 55 (in generated source): This method must return a result of type " + ret.String() + "\n"
}
