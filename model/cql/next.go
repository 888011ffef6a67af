package cql

import (
	"slices"
	"strings"
)

// Followers is what may stand next in a statement.
type Followers struct {
	Keywords []string // in capitals, in order; words that only serve as names are left out
	Name     bool     // an identifier
	Type     bool     // a type
	Value    bool     // a literal
	End      bool     // the statement may end
	Symbols  []string // ( ) , = and the like
}

var (
	punctuation = []string{"(", ")", "[", "]", "{", "}", ",", ".", "=", "!=", "<", "<=", ">", ">=", "+", "-", "+=", "-=", "*", "/", "%", "?"}
	// probes tell whether a keyword leads somewhere else than a name would.
	probes = []string{"(", ")", "=", ",", ".", "*", "[", "<", "zz", "'s'", "1", "FROM", "IN", "EXISTS", "NOT", "KEY", "LIMIT", "FILTERING", "STORAGE",
		"BY", "BATCH", "TABLE", "KEYSPACE", "VIEW", "KEYSPACES", "TABLES", "SCHEMA", "PARTITION", "ORDER", "TYPE", "INDEX", "AS", "OF", "NULL", "WITH",
		"UNSET", "INTERNALS", "ROLE", "USER", "FUNCTION", "AGGREGATE", "BEGIN", "TIMESTAMP", "TTL", "DEFAULT"}
)

// Next says what may follow the beginning of a statement, which ends behind a
// whole word: whatever the parser accepts there. A keyword that could as well be
// a name is only told of if it leads somewhere else than a name.
func Next(prefix string) Followers {
	var f Followers
	_, err := Parse(prefix)
	f.End = err == nil && strings.TrimSpace(prefix) != ""
	if err != nil && !open(prefix) {
		return f // what is there is wrong already
	}
	f.Name, f.Type, f.Value = accepts(prefix, "zz"), accepts(prefix, "list<"), accepts(prefix, "'s'") || accepts(prefix, "0x00")
	for _, s := range punctuation {
		if accepts(prefix, s) {
			f.Symbols = append(f.Symbols, s)
		}
	}
	var as []bool
	for _, k := range Keywords() {
		word := strings.ToUpper(k)
		if !accepts(prefix, word) {
			continue
		}
		if f.Name && accepts(prefix, word+" zz") == accepts(prefix, "zz zz") {
			if as == nil {
				as = leads(prefix, "zz")
			}
			if slices.Equal(leads(prefix, word), as) {
				continue
			}
		}
		f.Keywords = append(f.Keywords, word)
	}
	return f
}

// accepts says whether a word may follow: the parser then misses something
// behind it, or nothing at all.
func accepts(prefix, word string) bool { return open(prefix + " " + word) }

// open says whether a text is the beginning of a statement.
func open(text string) bool {
	_, err := Parse(text)
	if err == nil {
		return true
	}
	refused, ok := err.(*SyntaxError)
	return ok && refused.Near == "<EOF>"
}

// leads says which probes may follow a word.
func leads(prefix, word string) []bool {
	out := make([]bool, len(probes))
	for i, p := range probes {
		out[i] = accepts(prefix+" "+word, p)
	}
	return out
}
