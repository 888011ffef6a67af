package schema

import "strings"

var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`add allow alter and apply asc authorize batch begin by columnfamily create delete
		desc describe drop entries execute from full grant if in index infinity insert into is keyspace limit materialized
		modify nan norecursive not null of on or order primary rename revoke schema select set table to token truncate
		unlogged update use using view where with`) {
		m[w] = true
	}
	return m
}()

// Reserved says whether a lower-case word cannot stand as a bare name.
// Source: Cassandra 5.0 reserved_keywords.txt.
func Reserved(word string) bool { return reserved[word] }
