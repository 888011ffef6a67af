package design

import (
	"fmt"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// Cli is the table as a column family of the classic language, or a remark on
// why there is none: named columns without a clustering, a wide row with one
// plain column at most, whose value it holds.
func (t *Table) Cli() string {
	no := func(format string, args ...any) string {
		return "-- " + t.Name + ": " + fmt.Sprintf(format, args...)
	}
	for _, c := range t.Columns {
		if c.Type.IsCollection() || c.Type.Kind == types.KindCounter || c.Type.Kind > types.KindVarint || strings.ContainsAny(schema.Quote(c.Name), `"`) {
			return no("the classic model has no column %s %s here", c.Name, c.Type)
		}
	}
	if len(t.marked(Static)) > 0 {
		return no("static columns came with CQL; store %s in a column family of its own", names(t.marked(Static)))
	}
	class := func(list []Column) string {
		var out []string
		for _, c := range list {
			name := marshal(c.Type)
			if c.Mark == Down {
				name = "ReversedType(" + name + ")"
			}
			out = append(out, name)
		}
		switch {
		case len(out) > 1:
		case list[0].Mark == Down:
			return "'" + out[0] + "'"
		default:
			return out[0]
		}
		return "'CompositeType(" + strings.Join(out, ", ") + ")'"
	}
	head := fmt.Sprintf("create column family %s with key_validation_class = %s", t.Name, class(t.keys()))
	c, plain := t.clustering(), t.marked(Plain)
	if len(c) == 0 {
		text := head + " and comparator = UTF8Type"
		if len(plain) == 0 {
			return text + ";"
		}
		var meta []string
		for _, p := range plain {
			meta = append(meta, fmt.Sprintf("{column_name: %s, validation_class: %s}", p.Name, marshal(p.Type)))
		}
		return text + " and column_metadata = [" + strings.Join(meta, ", ") + "];"
	}
	if len(plain) > 1 {
		return no("a column of a wide row has one value, and there are %d: %s; put them into one value, or keep the CQL table", len(plain), names(plain))
	}
	head += " and comparator = " + class(c)
	value := "BytesType"
	if len(plain) == 1 {
		value = marshal(plain[0].Type)
	}
	return head + " and default_validation_class = " + value + ";"
}

// marshal is the classic name of a native type.
func marshal(t *types.Type) string {
	switch t.Kind {
	case types.KindAscii:
		return "AsciiType"
	case types.KindBigInt:
		return "LongType"
	case types.KindBlob:
		return "BytesType"
	case types.KindBoolean:
		return "BooleanType"
	case types.KindDecimal:
		return "DecimalType"
	case types.KindDouble:
		return "DoubleType"
	case types.KindFloat:
		return "FloatType"
	case types.KindInet:
		return "InetAddressType"
	case types.KindInt:
		return "Int32Type"
	case types.KindTimestamp:
		return "DateType"
	case types.KindTimeUUID:
		return "TimeUUIDType"
	case types.KindUUID:
		return "UUIDType"
	case types.KindVarint:
		return "IntegerType"
	}
	return "UTF8Type"
}
