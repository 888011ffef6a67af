package java

import (
	"math/big"

	"ringlab/model/types"
)

// typeOf is the Java type of a CQL type; bare asks for primitive types where there
// are some, as functions have that are not called on null.
// Source: Cassandra 5.0 UDFDataType.toJavaClass.
func typeOf(t *types.Type, bare bool) *Type {
	p := func(t *Type) *Type {
		if bare {
			return t
		}
		return t.boxed()
	}
	switch t.Kind {
	case types.KindBoolean:
		return p(tBoolean)
	case types.KindTinyInt:
		return p(tByte)
	case types.KindSmallInt:
		return p(tShort)
	case types.KindInt:
		return p(tInt)
	case types.KindBigInt, types.KindCounter, types.KindTime:
		return p(tLong)
	case types.KindFloat:
		return p(tFloat)
	case types.KindDouble:
		return p(tDouble)
	case types.KindText, types.KindAscii:
		return classType("String")
	case types.KindTimestamp:
		return classType("Date")
	case types.KindDate:
		return classType("LocalDate")
	case types.KindVarint:
		return classType("BigInteger")
	case types.KindDecimal:
		return classType("BigDecimal")
	case types.KindUUID:
		return classType("UUID")
	case types.KindInet:
		return classType("InetAddress")
	case types.KindDuration:
		return classType("Duration")
	case types.KindList, types.KindVector:
		return classType("List", typeOf(t.Elems[0], false))
	case types.KindSet:
		return classType("Set", typeOf(t.Elems[0], false))
	case types.KindMap:
		return classType("Map", typeOf(t.Elems[0], false), typeOf(t.Elems[1], false))
	case types.KindTuple:
		return classType("TupleValue")
	case types.KindUDT:
		return classType("UDTValue")
	}
	return classType("ByteBuffer") // a timeuuid too
}

// fromCQL is the Java value of bytes; null and, but for texts and bytes, nothing
// are null. Source: Cassandra 5.0 functions/types/TypeCodec.deserialize.
func (m *machine) fromCQL(t *types.Type, b []byte) any {
	if b == nil {
		return nil
	}
	switch t.Kind {
	case types.KindText, types.KindAscii:
		return m.text(string(b))
	}
	if len(b) == 0 && t.Kind != types.KindBlob && t.Kind != types.KindTuple && t.Kind != types.KindUDT {
		return nil
	}
	m.step(1)
	switch t.Kind {
	case types.KindBoolean:
		return types.DecodeBool(b)
	case types.KindTinyInt:
		return types.DecodeInt8(b)
	case types.KindSmallInt:
		return types.DecodeInt16(b)
	case types.KindInt:
		return types.DecodeInt32(b)
	case types.KindBigInt, types.KindCounter, types.KindTime:
		return types.DecodeInt64(b)
	case types.KindFloat:
		return types.DecodeFloat(b)
	case types.KindDouble:
		return types.DecodeDouble(b)
	case types.KindTimestamp:
		return &date{types.DecodeInt64(b)}
	case types.KindDate:
		return localDate(types.DecodeDate(b))
	case types.KindVarint:
		return types.DecodeVarint(b)
	case types.KindDecimal:
		u, scale := types.DecodeDecimal(b)
		return &bigDecimal{u, m.scale(int64(scale))}
	case types.KindUUID:
		return uuidValue(b)
	case types.KindInet:
		return address(b)
	case types.KindDuration:
		d, _ := types.DecodeDuration(b)
		return span{d}
	case types.KindTuple, types.KindUDT:
		fields, _ := t.DecodeTuple(b)
		m.alloc(len(fields))
		return &record{t, padded(append([][]byte(nil), fields...), len(t.Elems))}
	case types.KindList, types.KindVector:
		elems, _ := types.DecodeCollection(b)
		if t.Kind == types.KindVector {
			elems, _ = t.DecodeVector(b)
		}
		m.alloc(len(elems))
		l := &list{kind: "ArrayList"}
		for _, e := range elems {
			l.v = append(l.v, m.fromCQL(t.Elems[0], e))
		}
		return l
	case types.KindSet:
		elems, _ := types.DecodeCollection(b)
		s := newSet(m, "LinkedHashSet", len(elems))
		for _, e := range elems {
			s.add(m, m.fromCQL(t.Elems[0], e))
		}
		return s
	case types.KindMap:
		kv, _ := types.DecodeMap(b)
		p := newMapping(m, "LinkedHashMap", len(kv)/2)
		for i := 0; i+1 < len(kv); i += 2 {
			p.put(m, m.fromCQL(t.Elems[0], kv[i]), m.fromCQL(t.Elems[1], kv[i+1]))
		}
		return p
	}
	m.alloc(len(b) / 8)
	return &buffer{b: append([]byte{}, b...), limit: len(b)}
}

// toCQL is a Java value as bytes; null is nil.
// Source: Cassandra 5.0 functions/types/TypeCodec.serialize.
func (m *machine) toCQL(t *types.Type, v any) []byte {
	m.step(1)
	element := func(what string, t *types.Type, v any) []byte {
		if v == nil {
			m.throw("NullPointerException", what+" cannot be null")
		}
		return m.toCQL(t, v)
	}
	if v != nil {
		if want := typeOf(t, false); !isA(v, want) {
			m.cannotCast(v, want.class)
		}
	}
	switch x := v.(type) {
	case nil:
		return nil
	case bool:
		return types.EncodeBool(x)
	case int8:
		return types.EncodeInt8(x)
	case int16:
		return types.EncodeInt16(x)
	case int32:
		return types.EncodeInt32(x)
	case int64:
		return types.EncodeInt64(x)
	case float32:
		return types.EncodeFloat(x)
	case float64:
		return types.EncodeDouble(x)
	case string:
		if t.Kind == types.KindAscii && !isASCII(x) {
			m.throw("InvalidTypeException", x+" is not a valid ASCII String")
		}
		return bytesOf(x)
	case *date:
		return types.EncodeInt64(x.ms)
	case localDate:
		return types.EncodeDate(int64(x))
	case *big.Int:
		return types.EncodeVarint(x)
	case *bigDecimal:
		return types.EncodeDecimal(x.u, x.scale)
	case uuidValue:
		return append([]byte(nil), x[:]...)
	case address:
		return []byte(x)
	case span:
		return types.EncodeDuration(x.DurationValue)
	case *buffer:
		return append([]byte{}, x.rest()...)
	case *record:
		if !x.typ.Freeze().Equal(t.Freeze()) {
			m.limit("giving a tuple or user type of another type")
		}
		return types.EncodeTuple(x.fields)
	case *mapping:
		var kv [][]byte
		for _, e := range x.entries(m) {
			kv = append(kv, element("Map keys", t.Elems[0], e.key), element("Map values", t.Elems[1], e.val))
		}
		return types.EncodeMap(kv)
	case collection:
		var elems [][]byte
		what := "Collection elements"
		if t.Kind == types.KindVector {
			what = "Vector elements"
		}
		for _, e := range x.all(m) {
			elems = append(elems, element(what, t.Elems[0], e))
		}
		if t.Kind == types.KindVector {
			if len(elems) != t.Dim {
				m.limit("giving a vector of another dimension")
			}
			return t.EncodeVector(elems)
		}
		return types.EncodeCollection(elems)
	}
	m.limit("giving such a value")
	return nil
}
