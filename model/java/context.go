package java

import (
	"strings"

	"ringlab/model/types"
)

// Context is what a body sees of its function: udfContext.
// Source: Cassandra 5.0 UDFContextImpl.
type Context struct {
	Keyspace string
	Names    []string
	Args     []*types.Type
	Returns  *types.Type
	Type     func(text string) (*types.Type, error) // a type of the function's keyspace by its CQL name; nil where there is none
}

// record is a TupleValue or UDTValue: its type with the bytes of its fields.
type record struct {
	typ    *types.Type
	fields [][]byte
}

func newRecord(m *machine, t *types.Type) *record {
	m.alloc(len(t.Elems))
	return &record{t, make([][]byte, len(t.Elems))}
}

func (r *record) same(_ *machine, v any) bool {
	o, ok := v.(*record)
	if !ok || !r.typ.Equal(o.typ) {
		return false
	}
	for i := range r.fields {
		if (r.fields[i] == nil) != (o.fields[i] == nil) || string(r.fields[i]) != string(o.fields[i]) {
			return false
		}
	}
	return true
}

func (r *record) show(m *machine) string {
	udt := r.typ.Kind == types.KindUDT
	parts := make([]string, len(r.fields))
	for i, f := range r.fields {
		parts[i] = driverText(r.typ.Elems[i], f)
		if udt {
			parts[i] = r.typ.Names[i] + ":" + parts[i]
		}
	}
	if udt {
		return m.text("{" + strings.Join(parts, ",") + "}")
	}
	return m.text("(" + strings.Join(parts, ",") + ")")
}

// driverText is a value as the codecs of Cassandra's driver write it.
// Source: Cassandra 5.0 functions/types/TypeCodec.format.
func driverText(t *types.Type, b []byte) string {
	if b == nil {
		switch t.Kind { // null collections are read as empty ones
		case types.KindList:
			return "[]"
		case types.KindSet, types.KindMap:
			return "{}"
		}
		return "NULL"
	}
	list := func(open string, elems [][]byte, shut string, of func(i int) *types.Type) string {
		parts := make([]string, len(elems))
		for i, e := range elems {
			parts[i] = driverText(of(i), e)
		}
		return open + strings.Join(parts, ",") + shut
	}
	switch t.Kind {
	case types.KindText, types.KindAscii:
		return types.Quote(string(b))
	case types.KindDate, types.KindInet, types.KindTime:
		return types.Quote(t.Raw(b))
	case types.KindTimestamp:
		return types.Quote(decimalText(types.DecodeInt64(b)))
	case types.KindList, types.KindSet:
		elems, _ := types.DecodeCollection(b)
		if t.Kind == types.KindSet {
			return list("{", elems, "}", func(int) *types.Type { return t.Elems[0] })
		}
		return list("[", elems, "]", func(int) *types.Type { return t.Elems[0] })
	case types.KindVector:
		elems, _ := t.DecodeVector(b)
		return list("[", elems, "]", func(int) *types.Type { return t.Elems[0] })
	case types.KindMap:
		kv, _ := types.DecodeMap(b)
		parts := make([]string, len(kv)/2)
		for i := range parts {
			parts[i] = driverText(t.Elems[0], kv[2*i]) + ":" + driverText(t.Elems[1], kv[2*i+1])
		}
		return "{" + strings.Join(parts, ",") + "}"
	case types.KindTuple, types.KindUDT:
		fields, _ := t.DecodeTuple(b)
		return (&record{t, padded(fields, len(t.Elems))}).show(&machine{})
	case types.KindFloat:
		return numberText(types.DecodeFloat(b))
	case types.KindDouble:
		return numberText(types.DecodeDouble(b))
	}
	return t.Literal(b)
}

func padded(fields [][]byte, n int) [][]byte {
	for len(fields) < n {
		fields = append(fields, nil)
	}
	return fields
}

// at is the field that an index or a name means.
func (r *record) at(m *machine, v any) int {
	if name, ok := m.object(v).(string); ok {
		i := r.typ.Field(strings.Trim(strings.ToLower(name), `"`))
		if strings.HasPrefix(name, `"`) {
			i = r.typ.Field(strings.Trim(name, `"`))
		}
		if i < 0 {
			m.throw("IllegalArgumentException", name+" is not a field defined in this UDT")
		}
		return i
	}
	return m.index(v.(int32), len(r.fields), "ArrayIndexOutOfBoundsException")
}

// noCodec throws what the driver's classes throw where a type does not fit.
func noCodec(m *machine, t *types.Type, class string) {
	m.throw("CodecNotFoundException", "Codec not found for requested operation: ["+t.Freeze().Unfreeze().String()+" <-> "+class+"]")
}

// access is a pair of methods getX and setX for fields of some types.
type access struct {
	name, java string // getInt, int
	class      string // for refusals
	kinds      []types.Kind
}

var accesses = []access{
	{"Bool", "boolean", "java.lang.Boolean", []types.Kind{types.KindBoolean}},
	{"Byte", "byte", "java.lang.Byte", []types.Kind{types.KindTinyInt}},
	{"Short", "short", "java.lang.Short", []types.Kind{types.KindSmallInt}},
	{"Int", "int", "java.lang.Integer", []types.Kind{types.KindInt}},
	{"Long", "long", "java.lang.Long", []types.Kind{types.KindBigInt, types.KindCounter, types.KindTime}},
	{"Time", "long", "java.lang.Long", []types.Kind{types.KindTime, types.KindBigInt, types.KindCounter}},
	{"Float", "float", "java.lang.Float", []types.Kind{types.KindFloat}},
	{"Double", "double", "java.lang.Double", []types.Kind{types.KindDouble}},
	{"String", "String", "java.lang.String", []types.Kind{types.KindText, types.KindAscii}},
	{"Timestamp", "Date", "java.util.Date", []types.Kind{types.KindTimestamp}},
	{"Date", "LocalDate", "org.apache.cassandra.cql3.functions.types.LocalDate", []types.Kind{types.KindDate}},
	{"Varint", "BigInteger", "java.math.BigInteger", []types.Kind{types.KindVarint}},
	{"Decimal", "BigDecimal", "java.math.BigDecimal", []types.Kind{types.KindDecimal}},
	{"UUID", "UUID", "java.util.UUID", []types.Kind{types.KindUUID}},
	{"Inet", "InetAddress", "java.net.InetAddress", []types.Kind{types.KindInet}},
	{"Bytes", "ByteBuffer", "java.nio.ByteBuffer", []types.Kind{types.KindBlob}},
	{"UDTValue", "UDTValue", "org.apache.cassandra.cql3.functions.types.UDTValue", []types.Kind{types.KindUDT}},
	{"TupleValue", "TupleValue", "org.apache.cassandra.cql3.functions.types.TupleValue", []types.Kind{types.KindTuple}},
}

// recordMembers are the getters and setters of TupleValue or UDTValue; a field is
// meant by its index, and by its name in UDTValue.
func recordMembers(class string) members {
	out := members{}
	keys := []string{"int"}
	if class == "UDTValue" {
		keys = append(keys, "String")
	}
	field := func(m *machine, a []any) (*record, int, *types.Type) {
		r := a[0].(*record)
		i := r.at(m, a[1])
		return r, i, r.typ.Elems[i]
	}
	for _, key := range keys {
		out["boolean isNull("+key+")"] = func(m *machine, a []any) any { r, i, _ := field(m, a); return r.fields[i] == nil }
		out[class+" setToNull("+key+")"] = func(m *machine, a []any) any { r, i, _ := field(m, a); r.fields[i] = nil; return r }
		out["Object getObject("+key+")"] = func(m *machine, a []any) any { r, i, t := field(m, a); return m.fromCQL(t, r.fields[i]) }
		for _, x := range accesses {
			fits := func(m *machine, t *types.Type) {
				for _, k := range x.kinds {
					if t.Kind == k {
						return
					}
				}
				if t.Kind == types.KindTimeUUID {
					m.limit("a timeuuid inside of a tuple or user type")
				}
				noCodec(m, t, x.class)
			}
			out[x.java+" get"+x.name+"("+key+")"] = func(m *machine, a []any) any {
				r, i, t := field(m, a)
				fits(m, t)
				v := m.fromCQL(t, r.fields[i])
				if p := primitives[x.java]; v == nil && p != nil {
					return zero(p)
				}
				return v
			}
			out[class+" set"+x.name+"("+key+", "+x.java+")"] = func(m *machine, a []any) any {
				r, i, t := field(m, a)
				fits(m, t)
				r.fields[i] = m.toCQL(t, a[2])
				return r
			}
		}
		collected := func(kind types.Kind, class string) body {
			return func(m *machine, a []any) any {
				r, i, t := field(m, a)
				if t.Kind != kind {
					noCodec(m, t, class)
				}
				for n, c := range a[2:] {
					if have, want := boxedClass(t.Elems[n]), m.object(c).(classObject).c; have != want {
						m.limit("a class that differs from that of the elements")
					}
				}
				if r.fields[i] == nil { // an empty one stands for null
					b := types.EncodeCollection(nil)
					return m.fromCQL(t, b)
				}
				return m.fromCQL(t, r.fields[i])
			}
		}
		out["<T> List<T> getList("+key+", Class<T>)"] = collected(types.KindList, "java.util.List")
		out["<T> Set<T> getSet("+key+", Class<T>)"] = collected(types.KindSet, "java.util.Set")
		out["<K, V> Map<K, V> getMap("+key+", Class<K>, Class<V>)"] = collected(types.KindMap, "java.util.Map")
		store := func(kind types.Kind) body {
			return func(m *machine, a []any) any {
				r, i, t := field(m, a)
				if t.Kind != kind {
					m.limit("setting a field that is no such collection")
				}
				r.fields[i] = m.toCQL(t, a[2])
				return r
			}
		}
		out["<E> "+class+" setList("+key+", List<E>)"] = store(types.KindList)
		out["<E> "+class+" setSet("+key+", Set<E>)"] = store(types.KindSet)
		out["<K, V> "+class+" setMap("+key+", Map<K, V>)"] = store(types.KindMap)
	}
	return out
}

func boxedClass(t *types.Type) *class {
	j := typeOf(t, false)
	if j.kind != kClass {
		return nil
	}
	return j.class
}

func cassandraClasses() []declared {
	const pkg = "org.apache.cassandra.cql3.functions."
	made := func(pick func(c *Context, v any, m *machine) *types.Type, kind types.Kind) body {
		return func(m *machine, a []any) any {
			var v any
			if len(a) > 1 {
				v = a[1]
			}
			t := pick(m.on, v, m)
			if t == nil || t.Kind != kind {
				m.limit("asking udfContext for a value of a type that is none of that kind")
			}
			return newRecord(m, t)
		}
	}
	argument := func(c *Context, v any, m *machine) *types.Type {
		if i, ok := v.(int32); ok {
			return c.Args[m.index(i, len(c.Args), "ArrayIndexOutOfBoundsException")]
		}
		for i, n := range c.Names {
			if n == v {
				return c.Args[i]
			}
		}
		m.limit("asking udfContext for an argument that there is not")
		return nil
	}
	returned := func(c *Context, _ any, _ *machine) *types.Type { return c.Returns }
	written := func(c *Context, v any, m *machine) *types.Type {
		t, err := c.Type(m.str(v))
		if err != nil && plainName(v.(string)) {
			m.throw("IllegalArgumentException", "No UDT named "+v.(string)+" in keyspace "+c.Keyspace)
		}
		if err != nil {
			return nil
		}
		return t
	}
	dateParts := func(f func(y int64, mo, d int) int32) body {
		return func(_ *machine, a []any) any { return f(types.Civil(int64(a[0].(localDate)))) }
	}
	return []declared{
		{head: "class " + pkg + "UDFContext", methods: members{
			"UDTValue newArgUDTValue(String)":     made(argument, types.KindUDT),
			"UDTValue newArgUDTValue(int)":        made(argument, types.KindUDT),
			"UDTValue newReturnUDTValue()":        made(returned, types.KindUDT),
			"UDTValue newUDTValue(String)":        made(written, types.KindUDT),
			"TupleValue newArgTupleValue(String)": made(argument, types.KindTuple),
			"TupleValue newArgTupleValue(int)":    made(argument, types.KindTuple),
			"TupleValue newReturnTupleValue()":    made(returned, types.KindTuple),
			"TupleValue newTupleValue(String)":    made(written, types.KindTuple),
		}},
		{head: "class " + pkg + "types.TupleValue", methods: recordMembers("TupleValue")},
		{head: "class " + pkg + "types.UDTValue", methods: recordMembers("UDTValue")},
		{head: "class " + pkg + "types.LocalDate", methods: members{
			"static LocalDate fromDaysSinceEpoch(int)":    func(_ *machine, a []any) any { return localDate(a[0].(int32)) },
			"static LocalDate fromMillisSinceEpoch(long)": func(_ *machine, a []any) any { return localDate(floorDiv(a[0].(int64), 86400000)) },
			"int getDaysSinceEpoch()":                     func(_ *machine, a []any) any { return int32(a[0].(localDate)) },
			"long getMillisSinceEpoch()":                  func(_ *machine, a []any) any { return int64(a[0].(localDate)) * 86400000 },
			"int getYear()":                               dateParts(func(y int64, _, _ int) int32 { return int32(y) }),
			"int getMonth()":                              dateParts(func(_ int64, m, _ int) int32 { return int32(m) }),
			"int getDay()":                                dateParts(func(_ int64, _, d int) int32 { return int32(d) }),
		}},
		{head: "class " + pkg + "types.Duration", methods: members{
			"int getMonths()":       func(_ *machine, a []any) any { return a[0].(span).Months },
			"int getDays()":         func(_ *machine, a []any) any { return a[0].(span).Days },
			"long getNanoseconds()": func(_ *machine, a []any) any { return a[0].(span).Nanos },
		}},
		{head: "class java.net.InetAddress", methods: members{
			"String getHostAddress()": func(_ *machine, a []any) any { return a[0].(address).String()[1:] },
			"byte[] getAddress()":     func(m *machine, a []any) any { return byteArray(m, []byte(a[0].(address))) },
		}},
		{head: "class java.net.Inet4Address : InetAddress"},
		{head: "class java.net.Inet6Address : InetAddress"},
		{head: "class java.nio.ByteBuffer", methods: bufferMembers()},
		{head: "hidden java.nio.HeapByteBuffer : ByteBuffer"},
	}
}

func plainName(s string) bool { return s != "" && !strings.ContainsAny(s, "<>(),\" ") }
