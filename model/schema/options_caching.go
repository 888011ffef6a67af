package schema

import (
	"strconv"
	"strings"
)

// parseCaching checks the caching map and fills in what is missing: nothing is cached
// that it does not name.
// Source: Cassandra 5.0 CachingParams.fromMap.
func parseCaching(m []Option) ([]Option, error) {
	if rest := without(m, "keys", "rows_per_partition"); len(rest) > 0 {
		return nil, configf("Invalid caching sub-options %s: only 'keys' and 'rows_per_partition' are allowed", keyList(rest))
	}
	keys, rows := "NONE", "NONE"
	if has(m, "keys") {
		switch v := find(m, "keys"); strings.ToUpper(v) {
		case "ALL", "NONE":
			keys = strings.ToUpper(v)
		default:
			return nil, configf("Invalid value '%s' for caching sub-option 'keys': only 'ALL' and 'NONE' are allowed", v)
		}
	}
	if has(m, "rows_per_partition") {
		v := find(m, "rows_per_partition")
		n, ok := parseInt(v, 32)
		switch {
		case strings.EqualFold(v, "ALL"), strings.EqualFold(v, "NONE"):
			rows = strings.ToUpper(v)
		case isNumeric(v) && !ok:
			return nil, &Problem{Server, `java.lang.NumberFormatException: For input string: "` + v + `"`}
		case !isNumeric(v):
			return nil, configf("Invalid value '%s' for caching sub-option 'rows_per_partition': "+
				"only 'ALL', 'NONE', and integer values are allowed", v)
		case n == 0:
			rows = "NONE"
		case n == 1<<31-1:
			rows = "ALL"
		default:
			rows = strconv.FormatInt(n, 10)
		}
	}
	return []Option{{"keys", keys}, {"rows_per_partition", rows}}, nil
}
