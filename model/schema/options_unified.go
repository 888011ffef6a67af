package schema

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

var (
	scalingParameter = regexp.MustCompile(`^(?:N|L([0-9]+)|T([0-9]+)|[+-]?[0-9]+)$`)
	byteSize         = regexp.MustCompile(`^\s*([-+]?[0-9]+(?:\.[0-9]+)?)\s*(?:([KMGTPE])i)?B?\s*$`)
)

// checkUnified checks the options of unified compaction.
// Source: Cassandra 5.0 unified.Controller.validateOptions.
func checkUnified(m []Option) ([]Option, error) {
	checks := []struct {
		key   string
		check func(value string) error
	}{
		{"scaling_parameters", checkScaling},
		{"base_shard_count", func(v string) error { return positive("base_shard_count", v, 32, "int") }},
		{"target_sstable_size", func(v string) error { return sizeAtLeast("target_sstable_size", v) }},
		{"flush_size_override", func(v string) error { return sizeAtLeast("flush_size_override", v) }},
		{"max_sstables_to_compact", func(v string) error {
			if _, ok := parseInt(v, 32); !ok {
				return notInt(v, "max_sstables_to_compact")
			}
			return nil
		}},
		{"expired_sstable_check_frequency_seconds", func(v string) error {
			return positive("expired_sstable_check_frequency_seconds", v, 64, "long")
		}},
		{"unsafe_aggressive_sstable_expiration", func(v string) error {
			if !strings.EqualFold(v, "true") && !strings.EqualFold(v, "false") {
				return configf("unsafe_aggressive_sstable_expiration should either be 'true' or 'false', not %s", v)
			}
			return nil
		}},
		{"overlap_inclusion_method", func(v string) error {
			switch strings.ToUpper(v) {
			case "NONE", "SINGLE", "TRANSITIVE":
				return nil
			}
			return configf("Invalid overlap inclusion method %s. The valid options are [NONE, SINGLE, TRANSITIVE].", v)
		}},
		{"min_sstable_size", func(v string) error { return checkMinSize(v, find(m, "target_sstable_size")) }},
		{"sstable_growth", checkGrowth},
	}
	rest := m
	for _, c := range checks {
		if has(m, c.key) {
			if err := c.check(find(m, c.key)); err != nil {
				return nil, err
			}
		}
		rest = without(rest, c.key)
	}
	return rest, nil
}

// checkScaling checks a list such as T4, L8, N, -3.
// Source: Cassandra 5.0 UnifiedCompactionStrategy.parseScalingParameter.
func checkScaling(list string) error {
	for _, v := range strings.Split(list, ",") {
		v = strings.TrimSpace(v)
		match := scalingParameter.FindStringSubmatch(v)
		if match == nil {
			return configf("Scaling parameter %s must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+", v)
		}
		if n, ok := parseInt(match[1]+match[2], 32); ok && n < 2 {
			return configf("Fan factor cannot be lower than 2 in %s", v)
		}
	}
	return nil
}

func positive(key, v string, bits int, kind string) error {
	n, ok := parseInt(v, bits)
	switch {
	case !ok:
		return configf("%s is not a parsable %s (base10) for %s", v, kind, key)
	case n <= 0:
		return configf("Invalid configuration, %s should be positive: %d", key, n)
	}
	return nil
}

// parseBytes reads 100MiB, 1.5 GiB or 4096B.
// Source: Cassandra 5.0 FBUtilities.parseHumanReadableBytes.
func parseBytes(v string) (float64, bool) {
	match := byteSize.FindStringSubmatch(v)
	if match == nil {
		return 0, false
	}
	f, ok := parseDouble(match[1])
	if match[2] != "" {
		f *= math.Pow(1024, float64(strings.Index("KMGTPE", match[2])+1))
	}
	return f, ok
}

func sizeAtLeast(key, v string) error {
	n, ok := parseBytes(v)
	switch {
	case !ok:
		return configf("%s %s is not a valid size in bytes: Invalid binary human readable value %s", key, v, v)
	case n < 1<<20:
		return configf("%s %s is not acceptable, size must be at least %s", key, v, memoryText(1<<20))
	}
	return nil
}

func checkMinSize(v, target string) error {
	size, ok := parseBytes(v)
	goal, given := parseBytes(target)
	if !given {
		goal = 1 << 30
	}
	limit := math.Ceil(goal * math.Sqrt(0.5))
	switch {
	case !ok:
		return configf("%s is not a valid size in bytes for min_sstable_size", v)
	case size < 0:
		return configf("Invalid configuration, min_sstable_size should be greater than or equal to 0 (zero)")
	case size >= limit:
		return configf("Invalid configuration, min_sstable_size (%s) should be less than 70%% of the targetSSTableSize (%s)",
			memoryText(size), memoryText(goal))
	}
	return nil
}

func checkGrowth(v string) error {
	text, percent := strings.CutSuffix(strings.TrimSpace(v), "%")
	f, ok := parseDouble(text)
	if percent {
		f /= 100
	}
	switch {
	case !ok:
		return configf(`sstable_growth is not a valid number between 0 and 1: For input string: "%s"`, v)
	case f < 0 || f > 1:
		return configf("sstable_growth %s must be between 0 and 1", v)
	}
	return nil
}

// memoryText is a size for people: 1.000MiB.
// Source: Cassandra 5.0 FBUtilities.prettyPrintMemory.
func memoryText(n float64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if scale := float64(int64(1) << (30 - 10*i)); n >= scale {
			return fmt.Sprintf("%.3f%s", n/scale, unit)
		}
	}
	return fmt.Sprintf("%.0fB", n)
}
