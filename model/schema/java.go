package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// javaDouble is Double.toString: 1.0, 0.01, 6.71E-5, 1.0E7.
func javaDouble(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case f > 1.7976931348623157e308:
		return "Infinity"
	case f < -1.7976931348623157e308:
		return "-Infinity"
	}
	abs := max(f, -f)
	if abs == 0 || abs >= 1e-3 && abs < 1e7 {
		s := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', -1, 64), "E")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}

// parseInt reads what Integer.parseInt and Long.parseLong accept.
func parseInt(s string, bits int) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil
}

// parseDouble reads what Double.parseDouble accepts, hexadecimal forms apart.
func parseDouble(s string) (float64, bool) {
	s = strings.Trim(s, " \t\r\n")
	if s != "" && strings.IndexByte("dDfF", s[len(s)-1]) >= 0 {
		s = s[:len(s)-1]
	}
	digits := strings.TrimLeft(s, "+-")
	if digits != "NaN" && digits != "Infinity" && strings.Trim(digits, "0123456789.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if n, ok := err.(*strconv.NumError); ok && n.Err == strconv.ErrRange {
		return f, true
	}
	return f, err == nil
}

// isTrue is Boolean.parseBoolean.
func isTrue(s string) bool { return strings.EqualFold(s, "true") }

// isNumeric is StringUtils.isNumeric for ASCII.
func isNumeric(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// keyList is how sets of keys appear in messages: [a, b].
func keyList(options []Option) string {
	keys := make([]string, len(options))
	for i, o := range options {
		keys[i] = o.Key
	}
	return "[" + strings.Join(keys, ", ") + "]"
}

// HashOrder puts a few different texts into the order in which a Java HashSet
// shows them, where messages do. Source: java.util.HashMap.hash, resize.
func HashOrder(texts []string) []string {
	buckets := 16
	for len(texts)*4 > buckets*3 {
		buckets *= 2
	}
	return HashOrderIn(texts, buckets)
}

// HashOrderIn is HashOrder in that many buckets, a power of two; texts of one
// bucket keep their order.
func HashOrderIn(texts []string, buckets int) []string {
	bucket := func(s string) uint32 {
		var h uint32
		for _, c := range utf16.Encode([]rune(s)) {
			h = 31*h + uint32(c)
		}
		return (h ^ h>>16) & uint32(buckets-1)
	}
	out := slices.Clone(texts)
	slices.SortStableFunc(out, func(a, b string) int { return int(bucket(a)) - int(bucket(b)) })
	return out
}

// Buckets is how many buckets a HashMap with room for n entries has.
// Source: java.util.HashMap.tableSizeFor.
func Buckets(n int) int {
	buckets := 1
	for buckets < n {
		buckets *= 2
	}
	return buckets
}

// HashOrderCopied is HashOrder of what is left of a HashMap that was copied when it
// had n keys. Source: java.util.HashMap.putMapEntries.
func HashOrderCopied(texts []string, n int) []string {
	return HashOrderIn(texts, Buckets((n*4+5)/3))
}

// bufferBucket is the bucket of a ByteBuffer.
// Source: java.nio.ByteBuffer.hashCode, java.util.HashMap.hash.
func bufferBucket(b []byte, buckets int) uint32 {
	h := uint32(1)
	for i := len(b) - 1; i >= 0; i-- {
		h = 31*h + uint32(int32(int8(b[i])))
	}
	return (h ^ h>>16) & uint32(buckets-1)
}

// HashOrderBytes puts keys into the order of a HashMap of ByteBuffers with that room.
func HashOrderBytes(keys []string, room int) []string {
	buckets := Buckets(room)
	out := slices.Clone(keys)
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Compare(bufferBucket([]byte(a), buckets), bufferBucket([]byte(b), buckets))
	})
	return out
}

// MetadataOrder is column_metadata as a node lists it: in the order of a Java
// HashMap of the names as ByteBuffers, beside the key's name.
// Source: Cassandra 2.1 CFMetaData.allColumns.
func (f *Family) MetadataOrder() []FamilyColumn {
	size := 16
	for len(f.Columns)+1 > size*3/4 {
		size *= 2
	}
	out := slices.Clone(f.Columns)
	shown := f.MetadataClass().ClassicShown
	slices.SortFunc(out, func(a, b FamilyColumn) int { return cmp.Compare(shown(a.Name), shown(b.Name)) }) // as they stand in the table of columns
	slices.SortStableFunc(out, func(a, b FamilyColumn) int {
		return cmp.Compare(bufferBucket(a.Name, size), bufferBucket(b.Name, size))
	})
	return out
}
