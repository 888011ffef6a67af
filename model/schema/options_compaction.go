package schema

import (
	"slices"
	"strings"
)

const compactionPackage = "org.apache.cassandra.db.compaction."

// The compaction strategies.
const (
	SizeTiered = "SizeTieredCompactionStrategy"
	Leveled    = "LeveledCompactionStrategy"
	TimeWindow = "TimeWindowCompactionStrategy"
	Unified    = "UnifiedCompactionStrategy"
	DateTiered = "DateTieredCompactionStrategy" // of column families alone: 5.0 has no such class
)

// parseCompaction resolves the class and adds the default thresholds where the
// strategy knows them. Source: Cassandra 5.0 CompactionParams.fromMap, create.
func parseCompaction(m []Option) ([]Option, error) {
	if !has(m, "class") {
		return nil, configf("Missing sub-option 'class' for the 'compaction' option")
	}
	class := find(m, "class")
	if !strings.Contains(class, ".") {
		class = compactionPackage + class
	}
	simple := strings.TrimPrefix(class, compactionPackage)
	strategy := strings.HasPrefix(class, compactionPackage) && strategyChecks[simple] != nil
	switch {
	case !strategy && onClasspath(class):
		return nil, configf("Compaction strategy class %s is not derived from AbstractReplicationStrategy", class)
	case !strategy:
		return nil, configf("Unable to find compaction strategy class '%s'", class)
	case has(m, "provide_overlapping_tombstones"):
		v := strings.ToUpper(find(m, "provide_overlapping_tombstones"))
		if v != "NONE" && v != "ROW" && v != "CELL" {
			return nil, configf("Invalid value %s for 'provide_overlapping_tombstones' compaction sub-option - "+
				"must be one of the following [NONE, ROW, CELL].", v)
		}
	}
	out := append(without(m, "class"), Option{"class", class})
	if simple != Unified {
		for _, o := range []Option{{"max_threshold", "32"}, {"min_threshold", "4"}} {
			if !has(out, o.Key) {
				out = append(out, o)
			}
		}
	}
	return sorted(out), nil
}

// strategyChecks check the options of a strategy and give those that it does
// not know.
var strategyChecks = map[string]func([]Option) ([]Option, error){
	SizeTiered: func(m []Option) ([]Option, error) { return checkBuckets(m) },
	Leveled:    checkLeveled,
	TimeWindow: checkTimeWindow,
	Unified:    checkUnified,
}

// checkCompaction is the second half of the checks, on the completed options, whose
// names were written in that order.
// Source: Cassandra 5.0 CompactionParams.validate.
func checkCompaction(m []Option, written []string) error {
	class := simpleName(find(m, "class"))
	options := without(m, "class")
	if err := checkCommon(options); err != nil {
		return err
	}
	unknown, err := strategyChecks[class](options)
	if err != nil {
		return err
	}
	if unknown = without(unknown, commonOptions...); len(unknown) > 0 {
		return configf("Properties specified %s are not understood by %s", keyList(leftOver(unknown, written, len(options))), class)
	}
	for _, key := range []string{"min_threshold", "max_threshold"} {
		if v := find(m, key); has(m, key) && !isNumeric(v) {
			return configf("Invalid value %s for '%s' compaction sub-option - must be an integer", v, key)
		}
	}
	low, err := threshold(m, "min_threshold", 4)
	if err != nil {
		return err
	}
	high, err := threshold(m, "max_threshold", 32)
	switch {
	case err != nil:
		return err
	case low <= 0 || high <= 0:
		return configf("Disabling compaction by setting compaction thresholds to 0 has been removed, " +
			"set the compaction option 'enabled' to false instead.")
	case low <= 1:
		return configf("Min compaction threshold cannot be less than 2 (got %d)", low)
	case low > high:
		return configf("Min compaction threshold (got %d) cannot be greater than max compaction threshold (got %d)", low, high)
	}
	return nil
}

// StrangeCompactionOptions checks the options of a strategy but for thresholds, and
// gives those that it does not know.
func StrangeCompactionOptions(class string, options []Option) ([]Option, error) {
	if err := checkCommon(options); err != nil {
		return nil, err
	}
	check := strategyChecks[class]
	if class == DateTiered {
		check = checkDateTiered
	}
	unknown, err := check(options)
	return without(unknown, commonOptions...), err
}

// checkDateTiered checks the options of windows that grow with their age.
// Source: Cassandra 2.1 DateTieredCompactionStrategyOptions.validateOptions.
func checkDateTiered(m []Option) ([]Option, error) {
	if v := find(m, "timestamp_resolution"); has(m, "timestamp_resolution") {
		if !strings.Contains(" DAYS HOURS MINUTES SECONDS MILLISECONDS MICROSECONDS NANOSECONDS ", " "+v+" ") {
			return nil, configf("timestamp_resolution %s is not valid", v)
		}
	}
	if v := find(m, "max_sstable_age_days"); has(m, "max_sstable_age_days") {
		switch days, ok := parseDouble(v); {
		case !ok:
			return nil, notInt(v, "max_sstable_age_days")
		case days < 0:
			return nil, configf("max_sstable_age_days must be non-negative: %.2f", days)
		}
	}
	for _, o := range []struct {
		key   string
		least int64
		low   string
	}{
		{"base_time_seconds", 1, "must be greater than 0"},
		{"expired_sstable_check_frequency_seconds", 0, "must not be negative"},
		{"max_window_size_seconds", 0, "must not be negative"},
	} {
		if !has(m, o.key) {
			continue
		}
		switch n, ok := parseInt(find(m, o.key), 64); {
		case !ok:
			return nil, notInt(find(m, o.key), o.key)
		case n < o.least:
			return nil, configf("%s %s, but was %d", o.key, o.low, n)
		}
	}
	return checkBuckets(without(m, "timestamp_resolution", "max_sstable_age_days", "base_time_seconds", "expired_sstable_check_frequency_seconds",
		"max_window_size_seconds"))
}

func threshold(m []Option, key string, def int) (int, error) {
	if !has(m, key) {
		return def, nil
	}
	v := find(m, key)
	n, ok := parseInt(v, 32)
	if !ok {
		return 0, &Problem{Server, `java.lang.NumberFormatException: For input string: "` + v + `"`}
	}
	return int(n), nil
}

var commonOptions = []string{"tombstone_threshold", "tombstone_compaction_interval", "unchecked_tombstone_compaction",
	"log_all", "enabled", "only_purge_repaired_tombstones", "provide_overlapping_tombstones"}

// checkCommon checks what every strategy knows.
// Source: Cassandra 5.0 AbstractCompactionStrategy.validateOptions.
func checkCommon(m []Option) error {
	if v := find(m, "tombstone_threshold"); has(m, "tombstone_threshold") {
		f, ok := parseDouble(v)
		switch {
		case !ok:
			return notInt(v, "tombstone_threshold")
		case f < 0:
			return configf("tombstone_threshold must be greater than 0, but was %f", f)
		}
	}
	if v := find(m, "tombstone_compaction_interval"); has(m, "tombstone_compaction_interval") {
		n, ok := parseInt(v, 64)
		switch {
		case !ok:
			return notInt(v, "tombstone_compaction_interval")
		case n < 0:
			return configf("tombstone_compaction_interval must be greater than 0, but was %d", n)
		}
	}
	for _, key := range []string{"unchecked_tombstone_compaction", "log_all", "enabled"} {
		v := find(m, key)
		if has(m, key) && !strings.EqualFold(v, "true") && !strings.EqualFold(v, "false") {
			switch key {
			case "enabled":
				return configf("enabled should either be 'true' or 'false', not %s", v)
			case "log_all":
				return configf("'log_all' should either be 'true' or 'false', not %s", v)
			}
			return configf("'%s' should be either 'true' or 'false', not '%s'", key, v)
		}
	}
	return nil
}

// checkBuckets checks the options of size-tiered compaction, which leveled and
// time-window compaction share.
// Source: Cassandra 5.0 SizeTieredCompactionStrategyOptions.validateOptions.
func checkBuckets(m []Option) ([]Option, error) {
	if v := find(m, "min_sstable_size"); has(m, "min_sstable_size") {
		n, ok := parseInt(v, 64)
		switch {
		case !ok:
			return nil, notInt(v, "min_sstable_size")
		case n < 0:
			return nil, configf("min_sstable_size must be non negative: %d", n)
		}
	}
	low, high := 0.5, 1.5
	for _, bound := range []struct {
		key string
		to  *float64
	}{{"bucket_low", &low}, {"bucket_high", &high}} {
		if v := find(m, bound.key); has(m, bound.key) {
			f, ok := parseDouble(v)
			if !ok {
				return nil, configf("%s is not a parsable float for %s", v, bound.key)
			}
			*bound.to = f
		}
	}
	if high <= low {
		return nil, configf("bucket_high value (%s) is less than or equal to the bucket_low value (%s)", javaDouble(high), javaDouble(low))
	}
	return without(m, "min_sstable_size", "bucket_low", "bucket_high", "min_threshold", "max_threshold"), nil
}

// checkLeveled checks the options of leveled compaction.
// Source: Cassandra 5.0 LeveledCompactionStrategy.validateOptions.
func checkLeveled(m []Option) ([]Option, error) {
	size := "1"
	if has(m, "sstable_size_in_mb") {
		size = find(m, "sstable_size_in_mb")
	}
	for _, key := range []string{"sstable_size_in_mb", "fanout_size"} {
		if !has(m, key) {
			continue
		}
		n, ok := parseInt(find(m, key), 32)
		switch {
		case !ok:
			return nil, notInt(size, key) // whichever it is
		case n < 1:
			return nil, configf("%s must be larger than 0, but was %d", key, n)
		}
	}
	return checkBuckets(without(m, "sstable_size_in_mb", "fanout_size", "single_sstable_uplevel"))
}

// checkTimeWindow checks the options of time-window compaction.
// Source: Cassandra 5.0 TimeWindowCompactionStrategyOptions.validateOptions.
func checkTimeWindow(m []Option) ([]Option, error) {
	units := map[string]string{
		"timestamp_resolution":   " SECONDS MILLISECONDS MICROSECONDS NANOSECONDS ",
		"compaction_window_unit": " MINUTES HOURS DAYS ",
	}
	for _, key := range []string{"timestamp_resolution", "compaction_window_unit"} {
		if v := find(m, key); has(m, key) && !strings.Contains(units[key], " "+v+" ") {
			return nil, configf("%s is not valid for %s", v, key)
		}
	}
	if v := find(m, "compaction_window_size"); has(m, "compaction_window_size") {
		n, ok := parseInt(v, 32)
		switch {
		case !ok:
			return nil, notInt(v, "compaction_window_size")
		case n < 1:
			return nil, configf("%d must be greater than 1 for compaction_window_size", n)
		}
	}
	if v := find(m, "expired_sstable_check_frequency_seconds"); has(m, "expired_sstable_check_frequency_seconds") {
		n, ok := parseInt(v, 64)
		switch {
		case !ok:
			return nil, notInt(v, "expired_sstable_check_frequency_seconds")
		case n < 0:
			return nil, configf("expired_sstable_check_frequency_seconds must not be negative, but was %d", n)
		}
	}
	const unsafe = "unsafe_aggressive_sstable_expiration"
	if v := find(m, unsafe); has(m, unsafe) {
		switch {
		case !strings.EqualFold(v, "true") && !strings.EqualFold(v, "false"):
			return nil, configf("%s is not 'true' or 'false' (%s)", unsafe, v)
		case isTrue(v):
			return nil, configf("%s is requested but not allowed, restart cassandra with "+
				"-Dcassandra.allow_unsafe_aggressive_sstable_expiration=true to allow it", unsafe)
		}
	}
	return checkBuckets(without(m, "compaction_window_size", "compaction_window_unit", "timestamp_resolution",
		"expired_sstable_check_frequency_seconds", unsafe))
}

func notInt(value, key string) error {
	return configf("%s is not a parsable int (base10) for %s", value, key)
}

// leftOver are options in the order in which messages name those that are left of a
// copied map of n. Source: Cassandra 5.0 CompactionParams.validate, HashMap.
func leftOver(unknown []Option, written []string, n int) []Option {
	names := make([]string, len(unknown))
	for i, o := range unknown {
		names[i] = o.Key
	}
	slices.SortStableFunc(names, func(a, b string) int { return slices.Index(written, a) - slices.Index(written, b) })
	out := make([]Option, len(unknown))
	for i, name := range HashOrderCopied(names, n) {
		out[i] = Option{Key: name}
	}
	return out
}
