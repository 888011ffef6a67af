package schema

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"
)

var scalingParameter = regexp.MustCompile(`^(?:N|L([0-9]+)|T([0-9]+)|[+-]?[0-9]+)$`)

// checkUnified checks the options of unified compaction.
// Source: Cassandra 5.0 unified.Controller.validateOptions.
func checkUnified(m []Option) ([]Option, error) {
	checks := []struct {
		key   string
		check func(value string) error
	}{
		{"scaling_parameters", checkScaling},
		{"base_shard_count", func(v string) error { return positive("base_shard_count", v, 32, "int") }},
		{"target_sstable_size", checkTarget},
		{"flush_size_override", checkFlushSize},
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
		if v == "N" {
			continue
		}
		factor := match[1] + match[2]
		n, ok := parseInt(cmp.Or(factor, v), 32)
		switch {
		case !ok:
			return configf("%s%s.validateOptions() threw an error: java.lang.NumberFormatException For input string: \"%s\"", compactionPackage, Unified, cmp.Or(factor, v))
		case factor != "" && n < 2:
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

func checkTarget(v string) error {
	n, problem := humanBytes(v)
	switch {
	case problem != "":
		return configf("target_sstable_size %s is not a valid size in bytes: %s", v, problem)
	case n >= 1<<63:
		return configf("target_sstable_size %s is out of range of Long.", v)
	case n < 1<<20:
		return tooSmall("target_sstable_size", v)
	}
	return nil
}

func checkFlushSize(v string) error {
	n, problem := humanBytes(v)
	switch {
	case problem != "":
		return configf("flush_size_override %s is not a valid size in bytes: %s", v, problem)
	case javaLong(n) < 1<<20:
		return tooSmall("flush_size_override", v)
	}
	return nil
}

func tooSmall(key, v string) error {
	return configf("%s %s is not acceptable, size must be at least %s", key, v, memoryText(1<<20))
}

func checkMinSize(v, target string) error {
	size, problem := humanBytes(v)
	goal := float64(1 << 30)
	if target != "" {
		goal, _ = humanBytes(target)
	}
	goal = float64(javaLong(math.Ceil(goal)))
	limit := math.Ceil(goal * math.Sqrt(0.5))
	bytes := javaLong(size)
	switch {
	case problem != "":
		return configf("%s is not a valid size in bytes for min_sstable_size", v)
	case bytes < 0:
		return configf("Invalid configuration, min_sstable_size should be greater than or equal to 0 (zero)")
	case bytes >= javaLong(limit):
		return configf("Invalid configuration, min_sstable_size (%s) should be less than 70%% of the targetSSTableSize (%s)",
			memoryText(float64(bytes)), memoryText(goal))
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
