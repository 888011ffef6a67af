package types

import (
	"encoding/hex"
	"fmt"
	"unicode/utf8"
)

// Validate checks that b is a value of the type: its length, the characters of
// texts, the version of timeuuids, every element of collections. The error is a
// *MarshalError with Cassandra's text.
// Source: Cassandra 5.0 TypeSerializer.validate of each type.
func (t *Type) Validate(b []byte) error {
	n := len(b)
	switch t.Kind {
	case KindAscii:
		for _, c := range b {
			if c >= 0x80 {
				return marshalError("Invalid byte for ascii: %d", int8(c))
			}
		}
	case KindText:
		if !validText(b) {
			return marshalError("String didn't validate.")
		}
	case KindBoolean:
		if n > 1 {
			return marshalError("Expected 1 or 0 byte value (%d)", n)
		}
	case KindTinyInt:
		if n != 1 {
			return marshalError("Expected 1 byte for a tinyint (%d)", n)
		}
	case KindSmallInt:
		if n != 2 {
			return marshalError("Expected 2 bytes for a smallint (%d)", n)
		}
	case KindInt:
		if n != 4 && n != 0 {
			return marshalError("Expected 4 or 0 byte int (%d)", n)
		}
	case KindBigInt, KindCounter:
		if n != 8 && n != 0 {
			return marshalError("Expected 8 or 0 byte long (%d)", n)
		}
	case KindFloat:
		if n != 4 && n != 0 {
			return marshalError("Expected 4 or 0 byte value for a float (%d)", n)
		}
	case KindDouble:
		if n != 8 && n != 0 {
			return marshalError("Expected 8 or 0 byte value for a double (%d)", n)
		}
	case KindDecimal:
		if n > 0 && n < 4 {
			return marshalError("Expected 0 or at least 4 bytes (%d)", n)
		}
	case KindDate:
		if n != 4 {
			return marshalError("Expected 4 byte long for date (%d)", n)
		}
	case KindTime:
		if n != 8 {
			return marshalError("Expected 8 byte long for time (%d)", n)
		}
	case KindTimestamp:
		if n != 8 && n != 0 {
			return marshalError("Expected 8 or 0 byte long for date (%d)", n)
		}
	case KindUUID, KindTimeUUID:
		if n != 16 && n != 0 {
			return marshalError("UUID should be 16 or 0 bytes (%d)", n)
		}
		if t.Kind == KindTimeUUID && n == 16 && b[6]>>4 != 1 {
			return marshalError("Invalid version for TimeUUID type: 0x%x", b[0]>>4) // byte 0, as Cassandra prints it
		}
	case KindInet:
		if n != 0 && n != 4 && n != 16 {
			return marshalError("Expected 4 or 16 byte inetaddress; got %s", hex.EncodeToString(b))
		}
	case KindDuration:
		return validateDuration(b)
	case KindList, KindSet, KindMap:
		return t.validateCollection(b, false)
	case KindTuple, KindUDT:
		return t.validateTuple(b)
	case KindVector:
		return t.validateVector(b)
	case KindCustom:
		return t.Class.ClassicValidate(b)
	}
	return nil
}

// validText accepts UTF-8 as Cassandra's own validator does: also surrogates,
// code points past U+10FFFF and 0xc080 for zero pass.
// Source: Cassandra 5.0 UTF8Serializer.UTF8Validator.
func validText(b []byte) bool {
	if utf8.Valid(b) {
		return true
	}
	for i := 0; i < len(b); {
		c, n := b[i], 0
		switch {
		case c < 0x80:
		case c>>5 == 6:
			n = 1
			if c == 0xc1 || c == 0xc0 && i+1 < len(b) && b[i+1] != 0x80 {
				return false
			}
		case c>>4 == 14:
			n = 2
			if c == 0xe0 && i+1 < len(b) && b[i+1] < 0xa0 {
				return false
			}
		case c>>3 == 30:
			n = 3
			if c == 0xf0 && i+1 < len(b) && b[i+1] < 0x90 {
				return false
			}
		default:
			return false
		}
		if i+n >= len(b) {
			return false
		}
		for j := 1; j <= n; j++ {
			if b[i+j]>>6 != 2 {
				return false
			}
		}
		i += n + 1
	}
	return true
}

func validateDuration(b []byte) error {
	if len(b) < 3 {
		return marshalError("Expected at least 3 bytes for a duration (%d)", len(b))
	}
	var v [3]int64
	for i := range v {
		n := 0
		if v[i], n = ReadVInt(b); n == 0 {
			return marshalError("Not enough bytes to read a duration")
		}
		b = b[n:]
	}
	for i, name := range [...]string{"months", "days"} {
		if int64(int32(v[i])) != v[i] {
			return marshalError("The duration %s must be a 32 bits integer but was: %d", name, v[i])
		}
	}
	if !(v[0] >= 0 && v[1] >= 0 && v[2] >= 0) && !(v[0] <= 0 && v[1] <= 0 && v[2] <= 0) {
		return marshalError("The duration months, days and nanoseconds must be all of the same sign (%d, %d, %d)", v[0], v[1], v[2])
	}
	return nil
}

// ValidateNullable is Validate but for lists, whose members may be null here: a
// list that a client binds may be the values of an IN.
// Source: Cassandra 5.0 ListSerializer.deserialize.
func (t *Type) ValidateNullable(b []byte) error {
	if t.Kind == KindList {
		return t.validateCollection(b, true)
	}
	return t.Validate(b)
}

func (t *Type) validateCollection(b []byte, nulls bool) error {
	name := [...]string{"list", "set", "map"}[t.Kind-KindList]
	if len(b) < 4 {
		return marshalError("Not enough bytes to read a %s", name)
	}
	n := DecodeInt32(b)
	b = b[4:]
	for i := int32(0); i < n; i++ {
		for _, e := range t.Elems {
			v, rest, ok := nextField(b)
			if !ok {
				return marshalError("Not enough bytes to read a %s", name)
			}
			if v == nil && nulls {
				b = rest
				continue
			}
			if v == nil {
				return marshalError("Null value read when not allowed")
			}
			if err := e.Validate(v); err != nil {
				return err
			}
			b = rest
		}
	}
	if len(b) > 0 {
		return marshalError("Unexpected extraneous bytes after %s value", name)
	}
	return nil
}

func (t *Type) validateTuple(b []byte) error {
	udt := t.Kind == KindUDT
	for i, e := range t.Elems {
		what, of := "component", ""
		if udt {
			what, of = "field", " "+t.Names[i]
		}
		if len(b) == 0 {
			return nil
		}
		if len(b) < 4 {
			return marshalError("Not enough bytes to read size of %dth %s%s", i, what, of)
		}
		f, rest, ok := nextField(b)
		if !ok {
			return marshalError("Not enough bytes to read %dth %s%s", i, what, of)
		}
		if f != nil {
			if err := e.Validate(f); err != nil {
				if udt {
					return marshalError("Failure validating the %dth field %s; %s", i, t.Names[i], err)
				}
				return err
			}
		}
		b = rest
	}
	if len(b) > 0 {
		if udt {
			return marshalError("Invalid remaining data after end of UDT value")
		}
		return marshalError("Invalid remaining data after end of tuple value")
	}
	return nil
}

func (t *Type) validateVector(b []byte) error {
	if len(b) == 0 {
		return marshalError("Invalid empty vector value")
	}
	for i := 0; i < t.Dim; i++ {
		e, rest, ok := t.Elems[0].nextElement(b)
		if size, n := ReadUnsignedVInt(b); !ok && t.Elems[0].FixedLen() < 0 && n > 0 {
			return &Fault{fmt.Sprintf("java.lang.IndexOutOfBoundsException: Attempted to read %d, but the size is %d", size, len(b)-n)}
		}
		if !ok {
			return marshalError("Not enough bytes to read a %s", t)
		}
		if err := t.Elems[0].Validate(e); err != nil {
			return err
		}
		b = rest
	}
	if len(b) > 0 {
		return marshalError("Unexpected %d extraneous bytes after %s value", len(b), t)
	}
	return nil
}
