package cluster

import (
	"strconv"
	"strings"
)

// speculation reads a speculative_retry option: never, always, fixed with
// milliseconds, or percentile. MIN and MAX of two are taken as their percentile.
// Source: Cassandra 5.0 SpeculativeRetryPolicy.fromString.
func speculation(text string) (kind string, value float64) {
	t := strings.ToUpper(strings.TrimSpace(text))
	switch {
	case t == "NONE" || t == "NEVER":
		return "never", 0
	case t == "ALWAYS":
		return "always", 0
	case strings.HasPrefix(t, "MIN(") || strings.HasPrefix(t, "MAX("):
		for _, part := range strings.Split(strings.TrimSuffix(t[4:], ")"), ",") {
			if k, v := speculation(part); k == "percentile" {
				return k, v
			}
		}
		return "never", 0
	case strings.HasSuffix(t, "MS"):
		v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(t, "MS")), 64)
		if err != nil {
			return "never", 0
		}
		return "fixed", v
	}
	number := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(t, "PERCENTILE"), "P"))
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return "percentile", 99
	}
	return "percentile", v
}
