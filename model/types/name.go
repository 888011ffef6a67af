package types

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// marshalPackage prefixes every class name.
const marshalPackage = "org.apache.cassandra.db.marshal."

var marshalNames = [...]string{"AsciiType", "LongType", "BytesType", "BooleanType", "CounterColumnType", "SimpleDateType", "DecimalType",
	"DoubleType", "DurationType", "FloatType", "InetAddressType", "Int32Type", "ShortType", "UTF8Type", "TimeType", "TimestampType",
	"TimeUUIDType", "ByteType", "UUIDType", "IntegerType", "ListType", "SetType", "MapType", "TupleType", "UserType", "VectorType"}

// String is the CQL text of the type as in the schema tables and in errors:
// "int", "map<text, frozen<list<int>>>", "vector<float, 3>". A tuple reads
// frozen<tuple<…>>, as Cassandra writes it. UDT names are quoted where needed.
// Source: Cassandra 5.0 CQL3Type.toString.
func (t *Type) String() string {
	var b strings.Builder
	t.appendName(&b, true)
	return b.String()
}

// WireName is the CQL text without any frozen, as clients see it in metadata.
func (t *Type) WireName() string {
	var b strings.Builder
	t.appendName(&b, false)
	return b.String()
}

func (t *Type) appendName(b *strings.Builder, frozen bool) {
	switch {
	case t.Kind < KindList:
		b.WriteString(nativeNames[t.Kind])
		return
	case t.Kind == KindCustom:
		if t.Class.Class == "EmptyType" {
			b.WriteString("empty")
			return
		}
		b.WriteString("'" + t.Class.name() + "'")
		return
	case t.Kind == KindVector:
		b.WriteString("vector<")
		t.Elems[0].appendName(b, frozen)
		b.WriteString(", ")
		b.WriteString(strconv.Itoa(t.Dim))
		b.WriteByte('>')
		return
	}
	wrap := frozen && t.Frozen
	if wrap {
		b.WriteString("frozen<")
	}
	if t.Kind == KindUDT {
		b.WriteString(QuoteName(t.Name))
	} else {
		b.WriteString([...]string{"list<", "set<", "map<", "tuple<"}[t.Kind-KindList])
		for i, e := range t.Elems {
			if i > 0 {
				b.WriteString(", ")
			}
			e.appendName(b, frozen)
		}
		b.WriteByte('>')
	}
	if wrap {
		b.WriteByte('>')
	}
}

// MarshalName is the class name of the type with its parameters, as sstables and
// the serialization header hold it.
// Source: Cassandra 5.0 AbstractType.toString, TypeParser.stringify….
func (t *Type) MarshalName() string {
	var b strings.Builder
	t.appendMarshal(&b, false)
	return b.String()
}

func (t *Type) appendMarshal(b *strings.Builder, ignoreFreezing bool) {
	if t.Class != nil {
		b.WriteString(t.Class.name())
		return
	}
	wrap := !ignoreFreezing && t.Frozen && t.Kind != KindTuple && t.Kind != KindVector
	if wrap {
		b.WriteString(marshalPackage + "FrozenType(")
	}
	b.WriteString(marshalPackage)
	b.WriteString(marshalNames[t.Kind])
	switch t.Kind {
	case KindVector:
		b.WriteByte('(')
		t.Elems[0].appendMarshal(b, ignoreFreezing)
		b.WriteString(" , ")
		b.WriteString(strconv.Itoa(t.Dim))
		b.WriteByte(')')
	case KindList, KindSet, KindMap, KindTuple, KindUDT:
		b.WriteByte('(')
		if t.Kind == KindUDT {
			b.WriteString(t.Keyspace)
			b.WriteByte(',')
			b.WriteString(hex.EncodeToString([]byte(t.Name)))
		}
		for i, e := range t.Elems {
			if i > 0 || t.Kind == KindUDT {
				b.WriteByte(',')
			}
			if t.Kind == KindUDT {
				b.WriteString(hex.EncodeToString([]byte(t.Names[i])))
				b.WriteByte(':')
			}
			e.appendMarshal(b, ignoreFreezing || t.Frozen)
		}
		b.WriteByte(')')
	}
	if wrap {
		b.WriteByte(')')
	}
}

const reserved = " add allow alter and apply asc authorize batch begin by columnfamily create delete desc describe drop entries execute" +
	" from full grant if in index infinity insert into is keyspace limit materialized modify nan norecursive not null of on or order" +
	" primary rename revoke schema select set table to token truncate unlogged update use using view where with "

// QuoteName writes an identifier as CQL reads it back: bare when it is lower
// case and not reserved, else in double quotes.
// Source: Cassandra 5.0 ColumnIdentifier.maybeQuote.
func QuoteName(name string) string {
	plain := name != "" && name[0] >= 'a' && name[0] <= 'z'
	for i := 0; plain && i < len(name); i++ {
		c := name[i]
		plain = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
	}
	if plain && !strings.Contains(reserved, " "+name+" ") {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
