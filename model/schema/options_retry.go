package schema

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	percentilePolicy = regexp.MustCompile(`(?i)^([0-9.]+)p(?:ercentile)?$`)
	fixedPolicy      = regexp.MustCompile(`(?i)^([0-9.]+)ms$`)
	hybridPolicy     = regexp.MustCompile(`(?i)^(MIN|MAX)\(([0-9.]+[a-z]+)\s*,\s*([0-9.]+[a-z]+)\)$`)
)

// parseRetryPolicy reads speculative_retry and additional_write_policy and
// gives the text that the schema keeps. Messages name speculative_retry for both.
// Source: Cassandra 5.0 SpeculativeRetryPolicy.fromString.
func parseRetryPolicy(s string) (string, error) {
	switch strings.ToUpper(s) {
	case "ALWAYS":
		return "ALWAYS", nil
	case "NEVER", "NONE":
		return "NEVER", nil
	}
	if m := percentilePolicy.FindStringSubmatch(s); m != nil {
		return percentile(s, m[1])
	}
	if m := fixedPolicy.FindStringSubmatch(s); m != nil {
		f, ok := parseDouble(m[1])
		if !ok {
			return "", badPolicy(s)
		}
		return strconv.Itoa(int(min(f, math.MaxInt32))) + "ms", nil
	}
	if m := hybridPolicy.FindStringSubmatch(s); m != nil {
		return hybrid(s, strings.ToUpper(m[1]), m[2], m[3])
	}
	return "", badPolicy(s)
}

func percentile(s, number string) (string, error) {
	f, ok := parseDouble(number)
	switch {
	case !ok:
		return "", badPolicy(s)
	case f <= 0 || f >= 100:
		return "", configf("Invalid value %s for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)", s)
	}
	text := strconv.FormatFloat(f, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "p", nil
}

// hybrid puts the percentile first, whatever the order written.
// Source: Cassandra 5.0 HybridSpeculativeRetryPolicy.
func hybrid(s, function, a, b string) (string, error) {
	x, errX := parseRetryPolicy(a)
	y, errY := parseRetryPolicy(b)
	if errX != nil || errY != nil {
		return "", badPolicy(s)
	}
	px, py := strings.HasSuffix(x, "p"), strings.HasSuffix(y, "p")
	switch {
	case px == py:
		kind := "FIXED"
		if px {
			kind = "PERCENTILE"
		}
		return "", configf("Invalid value %s for option 'speculative_retry': MIN()/MAX() arguments should be of different types, "+
			"but both are of type %s", s, kind)
	case py:
		x, y = y, x
	}
	return function + "(" + x + "," + y + ")", nil
}

func badPolicy(s string) error {
	return configf("Invalid value %s for option 'speculative_retry'", s)
}
