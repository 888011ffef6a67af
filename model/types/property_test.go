package types

import (
	"bytes"
	"encoding/hex"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// anyType draws a type of limited depth without counters.
func anyType(depth int) *rapid.Generator[*Type] {
	return rapid.Custom(func(t *rapid.T) *Type {
		k := Kind(rapid.IntRange(0, int(KindVector)).Draw(t, "kind"))
		if k == KindCounter || k >= KindList && depth == 0 {
			k = KindInt
		}
		elem := func(label string) *Type { return anyType(depth-1).Draw(t, label).Freeze() }
		switch k {
		case KindList:
			return ListOf(elem("elem")).Freeze()
		case KindSet:
			return SetOf(elem("elem")).Freeze()
		case KindMap:
			return MapOf(elem("key"), elem("value")).Freeze()
		case KindTuple:
			return TupleOf(elem("0"), elem("1"))
		case KindUDT:
			return UDTOf("ks", "Odd", []string{"a", "B c"}, []*Type{elem("a"), elem("b")}).Freeze()
		case KindVector:
			return VectorOf(elem("elem"), rapid.IntRange(1, 3).Draw(t, "dim"))
		}
		return natives[k]
	})
}

// anyValue draws a valid value of a type. Durations and empty values are left
// to the caller's wishes: empty values only come from texts and blobs.
func anyValue(typ *Type) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		raw := func(n int) []byte { return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "bytes") }
		elems := func(e *Type, lo, hi int) [][]byte {
			return rapid.SliceOfN(anyValue(e), lo, hi).Draw(t, "elems")
		}
		switch typ.Kind {
		case KindAscii:
			return []byte(rapid.StringMatching(`[ -~\t\n]*`).Draw(t, "ascii"))
		case KindText:
			return []byte(rapid.String().Draw(t, "text"))
		case KindBlob:
			return rapid.SliceOf(rapid.Byte()).Draw(t, "blob")
		case KindBoolean:
			return EncodeBool(rapid.Bool().Draw(t, "bool"))
		case KindTinyInt:
			return raw(1)
		case KindSmallInt:
			return raw(2)
		case KindInt, KindDate:
			return raw(4)
		case KindFloat:
			return encodeJavaFloat(float64(rapid.Float32().Draw(t, "float")))
		case KindDouble:
			return encodeJavaDouble(rapid.Float64().Draw(t, "double"))
		case KindBigInt, KindCounter:
			return raw(8)
		case KindTimestamp: // years 1 to 9999, whose text is exact
			return EncodeInt64(rapid.Int64Range(-62135596800000, 253402300799999).Draw(t, "ms"))
		case KindTime:
			return EncodeInt64(rapid.Int64Range(0, nanosPerDay-1).Draw(t, "nanos"))
		case KindUUID:
			return raw(16)
		case KindTimeUUID:
			b := raw(16)
			b[6] = b[6]&0x0f | 0x10
			return b
		case KindInet:
			if rapid.Bool().Draw(t, "v4") {
				return raw(4)
			}
			return append([]byte{0xfe, 0x80}, raw(14)...)
		case KindVarint:
			return EncodeVarint(DecodeVarint(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "varint")))
		case KindDecimal:
			return EncodeDecimal(DecodeVarint(rapid.SliceOfN(rapid.Byte(), 1, 12).Draw(t, "unscaled")), rapid.Int32Range(-40, 40).Draw(t, "scale"))
		case KindDuration:
			return EncodeDuration(DurationValue{rapid.Int32Range(0, 1<<31-1).Draw(t, "mo"), rapid.Int32Range(0, 1<<31-1).Draw(t, "d"),
				rapid.Int64Range(1, 1<<63-1).Draw(t, "ns")})
		case KindList:
			return EncodeCollection(elems(typ.Elems[0], 0, 3))
		case KindSet:
			return EncodeCollection(typ.Elems[0].SortUnique(elems(typ.Elems[0], 0, 3)))
		case KindMap:
			var pairs [][]byte
			for _, k := range elems(typ.Elems[0], 0, 3) {
				pairs = append(pairs, k, anyValue(typ.Elems[1]).Draw(t, "value"))
			}
			return EncodeMap(typ.Elems[0].SortMap(pairs))
		case KindVector:
			return typ.EncodeVector(elems(typ.Elems[0], typ.Dim, typ.Dim))
		}
		fields := make([][]byte, len(typ.Elems))
		for i, e := range typ.Elems {
			if rapid.Bool().Draw(t, "present") {
				fields[i] = anyValue(e).Draw(t, "field")
			}
		}
		return EncodeTuple(fields)
	})
}

// A value's raw text reads back to the same bytes, for native types also through
// the literal, and its JSON reads back to an equal value.
func TestTextsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(2).Draw(t, "type")
		b := anyValue(typ).Draw(t, "value")
		if err := typ.Validate(b); err != nil {
			t.Fatalf("%s %x: %v", typ, b, err)
		}
		if typ.Kind != KindTuple && typ.Kind != KindUDT {
			if r, err := typ.FromString(typ.Raw(b)); err != nil || !bytes.Equal(r, b) && len(b) > 0 {
				t.Fatalf("%s %x: raw %q reads %x %v", typ, b, typ.Raw(b), r, err)
			}
		}
		literal := typ.Literal(b)
		if kind, text, ok := scanConstant(literal); typ.IsNative() && ok {
			if typ.Assign(kind, text) == NotAssignable && kind != ConstDuration {
				t.Fatalf("%s: %s is not assignable", typ, literal)
			}
			if r, err := typ.FromConstant(kind, text); err != nil || !bytes.Equal(r, b) {
				t.Fatalf("%s %x: literal %s reads %x %v", typ, b, literal, r, err)
			}
		}
		v, err := DecodeJSON(typ.JSON(b))
		if err != nil {
			t.Fatalf("%s %x: %s: %v", typ, b, typ.JSON(b), err)
		}
		// Numbers lose scale in JSON, and NaN and infinite are null there.
		if typ.References(KindDecimal) || typ.References(KindFloat) || typ.References(KindDouble) {
			return
		}
		if r, err := typ.FromJSON(v); err != nil || typ.Compare(r, b) != 0 {
			t.Fatalf("%s %x: JSON %s reads %x %v", typ, b, typ.JSON(b), r, err)
		}
		typ.Text(b)
	})
}

// Compare is a total order.
func TestCompareIsTotalOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(2).Draw(t, "type")
		a, b, c := anyValue(typ).Draw(t, "a"), anyValue(typ).Draw(t, "b"), anyValue(typ).Draw(t, "c")
		if typ.Compare(a, a) != 0 || sign(typ.Compare(a, b)) != -sign(typ.Compare(b, a)) {
			t.Fatalf("%s: %x %x: %d %d", typ, a, b, typ.Compare(a, b), typ.Compare(b, a))
		}
		if typ.Compare(a, b) <= 0 && typ.Compare(b, c) <= 0 && typ.Compare(a, c) > 0 {
			t.Fatalf("%s: %x <= %x <= %x", typ, a, b, c)
		}
	})
}

// The ordered bytes of values stand as Compare says, above all those of numbers
// that are close to each other. Fields of tuples that are empty and not null are
// left out: Compare has no one order for them.
func TestOrderedBytesCompareAsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(2).Draw(t, "type")
		a, b := anyValue(typ).Draw(t, "a"), anyValue(typ).Draw(t, "b")
		switch typ.Kind {
		case KindVarint, KindDecimal:
			number := rapid.StringMatching(`-?[0-9]{1,3}0{0,2}`)
			if typ.Kind == KindDecimal {
				number = rapid.StringMatching(`-?[0-9]{1,3}0{0,2}(\.[0-9]{1,3}0{0,2})?(E-?[0-9])?`)
			}
			a, _ = typ.FromString(number.Draw(t, "x"))
			b, _ = typ.FromString(number.Draw(t, "y"))
		}
		if typ.References(KindTuple) || typ.References(KindUDT) {
			t.Skip("fields may be empty")
		}
		if got := bytes.Compare(typ.AppendOrdered(nil, a), typ.AppendOrdered(nil, b)); got != sign(typ.Compare(a, b)) {
			t.Fatalf("%s: %x %x compare as %d, their ordered bytes as %d", typ, a, b, typ.Compare(a, b), got)
		}
	})
}

// Type texts and class names read back to the same type.
func TestNamesReadBack(t *testing.T) {
	odd := func(_, name string) (*Type, error) { return UDTOf("ks", name, nil, nil), nil }
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(3).Draw(t, "type")
		if r, err := Parse(typ.String(), odd); err != nil || r.String() != typ.String() {
			t.Fatalf("%s: %v %v", typ, r, err)
		}
		c, err := ParseMarshal(typ.MarshalName())
		if err != nil || c.Type == nil || c.Type.MarshalName() != typ.MarshalName() {
			t.Fatalf("%s: %v %v", typ.MarshalName(), c, err)
		}
	})
}

// Encodings are inverse to their decoders.
func TestDecodeEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "v")
		for _, n := range []int64{v, v >> 20, v >> 40, v >> 60} {
			if r, l := ReadVInt(AppendVInt(nil, n)); r != n || l != len(AppendVInt(nil, n)) {
				t.Fatalf("vint %d: %d", n, r)
			}
		}
		if DecodeInt64(EncodeInt64(v)) != v || DecodeInt32(EncodeInt32(int32(v))) != int32(v) ||
			DecodeInt16(EncodeInt16(int16(v))) != int16(v) || DecodeInt8(EncodeInt8(int8(v))) != int8(v) {
			t.Fatalf("int %d", v)
		}
		days := int64(int32(v))
		if DecodeDate(EncodeDate(days)) != days {
			t.Fatalf("date %d", days)
		}
		if y, m, d := civilFromDays(days); daysFromCivil(y, m, d) != days {
			t.Fatalf("day %d: %d-%d-%d", days, y, m, d)
		}
		ms := v >> 20
		if UnixMillis(MinTimeUUID(ms)) != ms && ms > uuidEpoch {
			t.Fatalf("timeuuid of %d: %d", ms, UnixMillis(MinTimeUUID(ms)))
		}
		elems := rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(t, "elems")
		r, ok := DecodeCollection(EncodeCollection(elems))
		if !ok || len(r) != len(elems) {
			t.Fatalf("collection %x: %x", elems, r)
		}
	})
}

func TestTimeUUIDBounds(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{hex.EncodeToString(MinTimeUUID(0x171e8d02bb2)), "572c19208f6811ea8080808080808080"},
		{hex.EncodeToString(MaxTimeUUID(0x171e8d02bb2)), "572c402f8f6811ea7f7f7f7f7f7f7f7f"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// Cells of the recorded cqlsh session on collections.
func TestCqlshCollections(t *testing.T) {
	for _, c := range []struct{ typ, json, want string }{
		{"addr", `{"street": "Main", "zip": 12345, "tags": ["b", "a"]}`, "{street: 'Main', zip: 12345, tags: {'a', 'b'}}"},
		{"addr", `{"zip": 7}`, "{street: null, zip: 7, tags: null}"},
		{"map<text, frozen<list<int>>>", `{"q": [1, 2]}`, "{'q': [1, 2]}"},
		{"list<text>", `["a", "b'c"]`, "['a', 'b''c']"},
		{"map<text, int>", `{"x": 1, "a y": 2}`, "{'a y': 2, 'x': 1}"},
		{"map<timestamp, blob>", `{"2012-07-14 00:00:00+0000": "0xff"}`, "{'2012-07-14 00:00:00.000000+0000': 0xff}"},
		{"tuple<int, text, float>", `[1, "two", 3.5]`, "(1, 'two', 3.5)"},
		{"tuple<int, text, float>", `[null, "x", null]`, "(None, 'x', None)"},
		{"vector<float, 3>", `[1.5, 2.25, -3]`, "[1.5, 2.25, -3]"},
	} {
		typ, err := Parse(c.typ, testUDT)
		if err != nil {
			t.Fatal(err)
		}
		v, err := DecodeJSON(c.json)
		if err != nil {
			t.Fatal(err)
		}
		b, err := typ.FromJSON(v)
		if got := typ.Text(b); err != nil || got != c.want {
			t.Errorf("%s: %s %v, want %s", c.typ, got, err, c.want)
		}
	}
}

func TestSortHelpers(t *testing.T) {
	set := Int.SortUnique([][]byte{EncodeInt32(3), EncodeInt32(-1), EncodeInt32(3)})
	if len(set) != 2 || DecodeInt32(set[0]) != -1 {
		t.Errorf("set %x", set)
	}
	m := Text.SortMap([][]byte{[]byte("d"), {4}, []byte("a"), {1}, []byte("d"), {5}})
	if !bytes.Equal(bytes.Join(m, nil), []byte{'a', 1, 'd', 5}) {
		t.Errorf("map %q", m)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"vector<float, 0>": "vectors may only have positive dimensions; given 0",
		"frozen<int>":      "frozen<> is only allowed on collections, tuples, and user-defined types (got int)",
	} {
		if _, err := Parse(text, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"", "list<", "map<int>", "int>", "list<int>>", "vector<int>", `"a`, "<", "nosuch"} {
		if typ, err := Parse(text, nil); err == nil {
			t.Errorf("%s: %s", text, typ)
		}
	}
	if varchar, ok := Native("VarChar"); !ok || varchar != Text {
		t.Error("varchar is text")
	}
}

func FuzzValues(f *testing.F) {
	f.Add("int", "12", []byte{0, 0, 0, 1})
	f.Add("frozen<map<text, frozen<list<decimal>>>>", `{"a": [1.5, "x"]}`, []byte{0, 0, 0, 1, 0, 0, 0, 1, 'a'})
	f.Add("tuple<timestamp, duration>", "2011-02-03 04:05:06.7 UTC:1y2mo", []byte{0, 0, 0, 4})
	f.Add("vector<vector<inet, 2>, 2>", "1.2.3", []byte{4, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, name, text string, b []byte) {
		typ, err := Parse(name, testUDT)
		if err != nil {
			return
		}
		if v, err := typ.FromString(text); err == nil && typ.IsNative() && typ != Counter && typ.Validate(v) != nil {
			t.Errorf("%s from %q: %x is invalid", typ, text, v)
		}
		if v, err := DecodeJSON(text); err == nil {
			_, _ = typ.FromJSON(v)
		}
		if typ.Dim > 1000 || len(b) > 10000 {
			return
		}
		_ = typ.Text(b) + typ.Raw(b) + typ.Literal(b) + typ.JSON(b)
		_ = typ.Validate(b)
		_ = typ.Compare(b, []byte(text))
		if c, err := ParseMarshal(text); err == nil {
			_ = c.Raw(b) + c.Literal(b)
			_ = c.Compare(b, []byte(name))
		}
	})
}

// literalTypes are types that values are read for, native ones and nested ones.
var literalTypes = []string{"ascii", "bigint", "blob", "boolean", "date", "decimal", "double", "duration", "float", "inet", "int", "smallint", "text", "time",
	"timestamp", "timeuuid", "tinyint", "uuid", "varint", "list<int>", "set<text>", "map<text, decimal>", "tuple<int, text>", "vector<float, 2>", "vector<text, 2>",
	"frozen<list<frozen<map<uuid, timestamp>>>>"}

// FuzzLiterals: whatever text a constant, a string, a JSON value or a value in a
// CSV file has, it is refused or gives bytes that are valid, that are equal to
// themselves and that all printers can print.
func FuzzLiterals(f *testing.F) {
	for _, s := range []string{"1", "-1", "2147483648", "1e400", "1.50", "-0.0", "NaN", "true", "0xCAFE", "550e8400-e29b-41d4-a716-446655440000", "13814000-1dd2-11b2-8080-808080808080",
		"2011-02-30 04:05:06.789+01:30", "24:00:00", "1y2mo3w4d5h6m7s8ms9us10ns", "P1Y2M3DT4H5M6S", "-P2W", "::ffff:1.2.3.4", "1.2.3", "[1, 2]", `{"a": 1.5, "b": null}`, `["x", [1], {"a": {}}]`,
		"99999999999999999999999999999999e-99", "5881580-07-11", "-5877641-06-23", "\x00\xff"} {
		f.Add(s)
	}
	var list []*Type
	for _, name := range literalTypes {
		typ, err := Parse(name, testUDT)
		if err != nil {
			f.Fatal(err)
		}
		list = append(list, typ)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		for _, typ := range list {
			check := func(how string, v []byte, err error) {
				if err != nil || len(v) == 0 { // of an empty text nothing is left, also where a type has no empty value
					return
				}
				if e := typ.Validate(v); e != nil {
					t.Errorf("%s as %s of %q: %x is invalid: %v", how, typ, text, v, e)
				}
				if typ.Compare(v, v) != 0 {
					t.Errorf("%s as %s of %q: %x is not equal to itself", how, typ, text, v)
				}
				if out := typ.Text(v) + typ.Raw(v) + typ.Literal(v) + typ.JSON(v); utf8.ValidString(text) && !utf8.ValidString(out) {
					t.Errorf("%s as %s of %q: printed as %q", how, typ, text, out)
				}
			}
			for k := ConstString; k <= ConstDuration; k++ {
				PreferredType(k, text)
				if typ.IsNative() && typ.Accepts(k) {
					v, err := typ.FromConstant(k, text)
					check(k.String()+" constant", v, err)
				}
			}
			if typ.IsNative() { // others are read from hexadecimal digits, and checked later
				v, err := typ.FromString(text)
				check("string", v, err)
			}
			if x, err := DecodeJSON(text); err == nil {
				v, err := typ.FromJSON(x)
				check("JSON", v, err)
			}
		}
	})
}

func BenchmarkCompareInt(b *testing.B) {
	x, y := EncodeInt32(5), EncodeInt32(-7)
	b.ReportAllocs()
	for b.Loop() {
		Int.Compare(x, y)
	}
}

func BenchmarkCompareText(b *testing.B) {
	x, y := []byte("partition-key-000017"), []byte("partition-key-000018")
	b.ReportAllocs()
	for b.Loop() {
		Text.Compare(x, y)
	}
}

func BenchmarkCompareTimeUUID(b *testing.B) {
	x, y := MinTimeUUID(1588741689010), MaxTimeUUID(1588741689010)
	b.ReportAllocs()
	for b.Loop() {
		TimeUUID.Compare(x, y)
	}
}

func BenchmarkTextOfMap(b *testing.B) {
	typ := MapOf(Text, Double)
	v := EncodeMap([][]byte{[]byte("a"), EncodeDouble(1.5), []byte("b"), EncodeDouble(12345.678)})
	b.ReportAllocs()
	for b.Loop() {
		typ.Text(v)
	}
}
