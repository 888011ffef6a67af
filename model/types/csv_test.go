package types

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// What COPY TO writes of a value, COPY FROM reads as the same value, as far as
// digits and escapes allow.
func TestCSVRoundTrip(t *testing.T) {
	o := DefaultCSV()
	o.Null = "null" // so that empty text is not null
	udt := &Type{Kind: KindUDT, Frozen: true, Keyspace: "k", Name: "u", Names: []string{"a", "b"}, Elems: []*Type{Int, Text}}
	for _, typ := range []*Type{Int, BigInt, TinyInt, SmallInt, Varint, Boolean, Blob, UUID, TimeUUID, Date, Time, Inet, Timestamp, Text, Decimal,
		ListOf(Int).Freeze(), SetOf(Int).Freeze(), MapOf(Int, Boolean).Freeze(), ListOf(Text).Freeze(), TupleOf(Int, Boolean), udt, VectorOf(Int, 3)} {
		t.Run(typ.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := drawCSV(t, typ)
				text := o.Text(typ, v)
				back, err := o.Parse(typ, text)
				if err != nil || !bytes.Equal(back, v) {
					t.Fatalf("%x is written %q and read %x, %v", v, text, back, err)
				}
			})
		})
	}
}

// drawCSV draws a value without what COPY loses: backslashes, control
// characters, times beyond milliseconds or far away.
func drawCSV(t *rapid.T, typ *Type) []byte {
	draw := func(e *Type) []byte { return drawCSV(t, e) }
	switch typ.Kind {
	case KindText:
		return []byte(rapid.StringOf(rapid.RuneFrom([]rune("ab 'ü,:{}[]\""))).Filter(func(s string) bool { return s != "null" }).Draw(t, "text"))
	case KindTimestamp:
		return EncodeInt64(rapid.Int64Range(-30e12, 200e12).Draw(t, "ms"))
	case KindDate:
		return EncodeDate(rapid.Int64Range(-365000, 1000000).Draw(t, "days"))
	case KindTime:
		return EncodeInt64(rapid.Int64Range(0, 86400e9-1).Draw(t, "ns"))
	case KindBlob:
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	case KindInet:
		return rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "address")
	case KindUUID, KindTimeUUID:
		b := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid")
		b[6], b[8] = b[6]&0x0f|0x10, b[8]&0x3f|0x80
		return b
	case KindBoolean:
		return EncodeBool(rapid.Bool().Draw(t, "bool"))
	case KindVarint, KindDecimal:
		b, _ := Varint.FromString(rapid.StringMatching(`-?[1-9][0-9]{0,30}`).Draw(t, "digits"))
		if typ.Kind == KindDecimal {
			b = append(EncodeInt32(rapid.Int32Range(0, 6).Draw(t, "scale")), b...)
		}
		return b
	case KindTinyInt:
		return EncodeInt8(rapid.Int8().Draw(t, "n"))
	case KindSmallInt:
		return EncodeInt16(rapid.Int16().Draw(t, "n"))
	case KindInt:
		return EncodeInt32(rapid.Int32().Draw(t, "n"))
	case KindBigInt:
		return EncodeInt64(rapid.Int64().Draw(t, "n"))
	case KindList:
		return EncodeCollection(rapid.SliceOfN(rapid.Custom(func(r *rapid.T) []byte { return drawCSV(r, typ.Elems[0]) }), 0, 4).Draw(t, "list"))
	case KindSet, KindMap:
		n := rapid.Int32Range(0, 4).Draw(t, "n")
		var elems [][]byte
		for i := range n {
			if elems = append(elems, EncodeInt32(i*7-9)); typ.Kind == KindMap {
				elems = append(elems, draw(typ.Elems[1]))
			}
		}
		if typ.Kind == KindMap {
			return EncodeMap(elems)
		}
		return EncodeCollection(elems)
	case KindVector:
		return typ.EncodeVector([][]byte{draw(Int), draw(Int), draw(Int)})
	}
	fields := make([][]byte, len(typ.Elems))
	for i, e := range typ.Elems {
		fields[i] = draw(e)
	}
	return EncodeTuple(fields)
}

// FuzzCSVParse: no field makes a panic or a value that the type refuses.
func FuzzCSVParse(f *testing.F) {
	for _, s := range []string{"", "{", "[1, 2]", "{'a': 1}", "(1, 'x')", "'", "2020-01-02 03:04:05+0100", "1e5", "0x", "0x0", "{a: 1, b: 'x'}", "1,000", "-", "\xff"} {
		f.Add(s)
	}
	udt := &Type{Kind: KindUDT, Frozen: true, Keyspace: "k", Name: "u", Names: []string{"a", "b"}, Elems: []*Type{Int, Text}}
	all := []*Type{Ascii, BigInt, Blob, Boolean, Date, Decimal, Double, Duration, Float, Inet, Int, SmallInt, Text, Time, Timestamp, TimeUUID, TinyInt, UUID, Varint,
		ListOf(Double), SetOf(Text), MapOf(Text, Int), TupleOf(Int, Text), VectorOf(Float, 2), udt, ListOf(MapOf(Int, udt).Freeze())}
	f.Fuzz(func(t *testing.T, s string) {
		o := DefaultCSV()
		for _, typ := range all {
			b, err := o.Parse(typ, s)
			if err != nil || b == nil {
				continue
			}
			if err := typ.Validate(b); err != nil {
				t.Fatalf("%s %q gives %x: %v", typ, s, b, err)
			}
			o.Text(typ, b)
		}
	})
}
