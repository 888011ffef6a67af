package cql

import (
	"maps"
	"slices"
	"strings"
)

// keywordAliases are second spellings of a token type, and the words that are
// reserved without being keyword tokens of their own.
// Source: Cassandra 5.0 Lexer.g K_COLUMNFAMILY, K_TABLES, K_POSITIVE_NAN, K_POSITIVE_INFINITY, BOOLEAN.
var keywordAliases = map[string]kind{
	"TABLE":          kColumnfamily,
	"COLUMNFAMILIES": kTables,
	"NAN":            tNaN,
	"INFINITY":       tInfinity,
	"TRUE":           tBoolean,
	"FALSE":          tBoolean,
}

// keywordSlot is an entry of the open-addressed table of words in capitals.
type keywordSlot struct {
	word string
	kind kind
}

const keywordSlots = 1024 // a power of two, about five times the words

var keywordHash = func() (table [keywordSlots]keywordSlot) {
	put := func(word string, k kind) {
		h := uint32(0)
		for i := range len(word) {
			h = hashStep(h, word[i]|0x20)
		}
		for table[h%keywordSlots].word != "" {
			h++
		}
		table[h%keywordSlots] = keywordSlot{word, k}
	}
	for i, w := range keywordNames {
		put(w, firstKeyword+kind(i))
	}
	for _, w := range slices.Sorted(maps.Keys(keywordAliases)) {
		put(w, keywordAliases[w])
	}
	return table
}()

// hashStep adds one letter, with bit 0x20 set, to a word's hash.
func hashStep(h uint32, c byte) uint32 { return h*31 + uint32(c) + h>>13 }

// keywordKind is the token type of a word whose hash is h: a keyword, a boolean,
// NaN, Infinity or a plain identifier.
func keywordKind(word string, h uint32) kind {
	for ; ; h++ {
		s := &keywordHash[h%keywordSlots]
		if s.word == "" {
			return tIdent
		}
		if len(s.word) == len(word) && equalUpper(s.word, word) {
			return s.kind
		}
	}
}

// equalUpper compares a word in capitals with one in any case.
func equalUpper(upper, word string) bool {
	for i := range len(upper) {
		c := word[i]
		if 'a' <= c && c <= 'z' {
			c -= 0x20
		}
		if c != upper[i] {
			return false
		}
	}
	return true
}

func wordKind(word string) kind {
	h := uint32(0)
	for i := range len(word) {
		h = hashStep(h, word[i]|0x20)
	}
	return keywordKind(word, h)
}

func (k kind) isNative() bool { return k >= firstKeyword && k <= lastNative }

// isBasic is true for the keywords that also name functions and types.
func (k kind) isBasic() bool { return k > lastNative && k <= lastBasic }

// isUnreserved is true for the keywords that are identifiers elsewhere.
func (k kind) isUnreserved() bool { return k >= firstKeyword && k <= lastUnreserved }

// isName is Parser.g's rule ident by its first token.
func (k kind) isName() bool { return k == tIdent || k == tQuoted || k.isUnreserved() }

// IsReserved tells whether a word, in any case, needs quotes to be a name.
// Source: Cassandra 5.0 ReservedKeywords, reserved_keywords.txt.
func IsReserved(word string) bool {
	k := wordKind(word)
	return k > lastUnreserved || k == tNaN || k == tInfinity
}

// Keywords lists all keywords in capitals, sorted.
func Keywords() []string {
	out := slices.Clone(keywordNames[:])
	for w := range keywordAliases {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

// QuoteName gives a name as CQL must write it: in double quotes unless it is
// lower case, digits and _, starts with a letter and is not reserved.
// Source: Cassandra 5.0 ColumnIdentifier.maybeQuote.
func QuoteName(name string) string {
	if isPlainName(name) && !IsReserved(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func isPlainName(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}
