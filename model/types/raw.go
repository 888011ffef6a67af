package types

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// Raw is the plain text of a value without quotes, which FromString reads back:
// bare strings, hex digits for blobs, counters, collections and vectors,
// field:field for tuples. The empty value is the empty text. Bytes that are no value of the type
// give their hex digits. Source: Cassandra 5.0 AbstractType.getString.
func (t *Type) Raw(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	switch t.Kind {
	case KindBlob, KindCounter, KindList, KindSet, KindMap, KindVector:
		return hex.EncodeToString(b)
	case KindTuple, KindUDT:
		return t.rawTuple(b)
	case KindCustom:
		return t.Class.Raw(b)
	}
	if t.Validate(b) != nil {
		return hex.EncodeToString(b)
	}
	return t.scalar(b)
}

// scalar is the plain text of a valid native value that is not empty; blobs have 0x.
func (t *Type) scalar(b []byte) string {
	switch t.Kind {
	case KindAscii, KindText:
		return string(b)
	case KindBlob:
		return "0x" + hex.EncodeToString(b)
	case KindBoolean:
		return strconv.FormatBool(DecodeBool(b))
	case KindTinyInt:
		return strconv.Itoa(int(DecodeInt8(b)))
	case KindSmallInt:
		return strconv.Itoa(int(DecodeInt16(b)))
	case KindInt:
		return strconv.Itoa(int(DecodeInt32(b)))
	case KindBigInt, KindCounter:
		return strconv.FormatInt(DecodeInt64(b), 10)
	case KindVarint:
		return DecodeVarint(b).String()
	case KindDecimal:
		return FormatDecimal(DecodeDecimal(b))
	case KindFloat:
		return javaFloat(DecodeFloat(b))
	case KindDouble:
		return javaDouble(DecodeDouble(b))
	case KindDate:
		return formatDate(DecodeDate(b))
	case KindTime:
		return formatTime(DecodeInt64(b))
	case KindTimestamp:
		return formatTimestamp(DecodeInt64(b), 'T')
	case KindUUID, KindTimeUUID:
		return formatUUID(b)
	case KindInet:
		return formatInet(b)
	case KindDuration:
		d, _ := DecodeDuration(b)
		return d.String()
	}
	return hex.EncodeToString(b)
}

func (t *Type) rawTuple(b []byte) string {
	fields, _ := t.DecodeTuple(b)
	var s strings.Builder
	for i, f := range fields {
		if i > 0 {
			s.WriteByte(':')
		}
		if f == nil {
			s.WriteByte('@')
			continue
		}
		s.WriteString(strings.NewReplacer(":", `\:`, "@", `\@`).Replace(t.Elems[i].Raw(f)))
	}
	return s.String()
}
