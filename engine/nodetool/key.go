package nodetool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// partitionKey reads a key as nodetool does: components joined by ':', where \:
// stands for the character itself. A key with fewer components than the table has
// is a key of those.
// Source: Cassandra 5.0 CompositeType.fromString, AbstractCompositeType.split, unescape.
func partitionKey(t *schema.Table, text string) ([]byte, error) {
	if len(t.Key) == 1 {
		v, err := t.Key[0].Type.FromString(text)
		if err != nil {
			return nil, keyError(t.Key[0].Type, text, err)
		}
		return v, nil
	}
	var out []byte
	for i, part := range splitKey(text) {
		if i == len(t.Key) {
			return nil, failed("Index %d out of bounds for length %d", i, len(t.Key))
		}
		v, err := t.Key[i].Type.FromString(part)
		if err != nil {
			return nil, keyError(t.Key[i].Type, part, err)
		}
		if len(v) > 0xffff {
			return nil, failed("%d is too long for a component of a key", len(v))
		}
		out = append(out, byte(len(v)>>8), byte(len(v)))
		out = append(append(out, v...), 0)
	}
	return out, nil
}

func splitKey(text string) []string {
	var out []string
	var cur strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ':':
			cur.WriteByte(':')
			i++
		case text[i] == ':':
			out = append(out, cur.String())
			cur.Reset()
		default:
			cur.WriteByte(text[i])
		}
	}
	return append(out, cur.String())
}

// keyError is what a wrong component of a key is answered with: the exception at
// the root, which of numbers is Java's own.
func keyError(t *types.Type, text string, err error) error {
	switch t.Kind {
	case types.KindTinyInt, types.KindSmallInt:
		if _, e := strconv.ParseInt(text, 10, 32); e == nil {
			return failed("Value out of range. Value:\"%s\" Radix:10", text)
		}
		return failed("For input string: \"%s\"", text)
	case types.KindInt, types.KindBigInt, types.KindVarint, types.KindFloat, types.KindDouble:
		return failed("For input string: \"%s\"", text)
	case types.KindBlob:
		return failed("%s", notHex(text))
	case types.KindInet:
		return failed("%s: Name or service not known", text)
	}
	var marshal *types.MarshalError
	if errors.As(err, &marshal) {
		return failed("%s", marshal.Error())
	}
	return fmt.Errorf("%q is no %s: %w", text, t, err)
}

// notHex is what is wrong with a text that is no hex.
// Source: Cassandra 5.0 Hex.hexToBytes.
func notHex(text string) string {
	if len(text)%2 == 1 {
		return "An hex string representing bytes must have an even length"
	}
	return "Non-hex characters in " + text
}
