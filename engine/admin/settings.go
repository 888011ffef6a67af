package admin

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
)

func init() {
	register(&Command{Name: "set", Group: "edges", Usage: "[NAME [VALUE]]", Help: "show or change a setting, by Cassandra's name", Run: set})
}

// setting reads and writes one knob.
type setting struct {
	get func(*cluster.Settings) string
	set func(*cluster.Settings, string) error
}

// longestSetting bounds timeouts and windows.
const longestSetting = 10 * 365 * sim.Day

func timeSetting(f func(*cluster.Settings) *sim.Time) setting {
	return setting{
		get: func(s *cluster.Settings) string { return f(s).String() },
		set: func(s *cluster.Settings, v string) error {
			if _, err := strconv.Atoi(v); err == nil {
				v += "ms" // as cassandra.yaml's …_in_ms names had it
			}
			t, err := parseTime(v)
			if err == nil && t > longestSetting {
				err = fmt.Errorf("%s is too long; at most %s", v, longestSetting)
			}
			if err == nil {
				*f(s) = t
			}
			return err
		},
	}
}

func numberSetting(unit int64, f func(*cluster.Settings) *int64) setting {
	return setting{
		get: func(s *cluster.Settings) string { return strconv.FormatInt(*f(s)/unit, 10) },
		set: func(s *cluster.Settings, v string) error {
			n, err := strconv.ParseInt(v, 10, 40)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is not a whole number", v)
			}
			*f(s) = n * unit
			return nil
		},
	}
}

func flagSetting(f func(*cluster.Settings) *bool) setting {
	return setting{
		get: func(s *cluster.Settings) string { return strconv.FormatBool(*f(s)) },
		set: func(s *cluster.Settings, v string) error {
			switch strings.ToLower(v) {
			case "true", "on", "yes", "1":
				*f(s) = true
			case "false", "off", "no", "0":
				*f(s) = false
			default:
				return fmt.Errorf("%q is neither true nor false", v)
			}
			return nil
		},
	}
}

func intSetting(f func(*cluster.Settings) *int) setting {
	return setting{
		get: func(s *cluster.Settings) string { return strconv.Itoa(*f(s)) },
		set: func(s *cluster.Settings, v string) error {
			n, err := parseCount(v, "it")
			if err == nil {
				*f(s) = n
			}
			return err
		},
	}
}

func positiveSetting(f func(*cluster.Settings) *int) setting {
	s := intSetting(f)
	return setting{get: s.get, set: func(to *cluster.Settings, v string) error {
		if n, err := parseCount(v, "it"); err == nil && n == 0 {
			return fmt.Errorf("should be strictly greater than 0, but was 0")
		}
		return s.set(to, v)
	}}
}

var settings = map[string]setting{
	"write_request_timeout":    timeSetting(func(s *cluster.Settings) *sim.Time { return &s.WriteTimeout }),
	"read_request_timeout":     timeSetting(func(s *cluster.Settings) *sim.Time { return &s.ReadTimeout }),
	"range_request_timeout":    timeSetting(func(s *cluster.Settings) *sim.Time { return &s.RangeTimeout }),
	"truncate_request_timeout": timeSetting(func(s *cluster.Settings) *sim.Time { return &s.TruncateTimeout }),
	"hinted_handoff_enabled":   flagSetting(func(s *cluster.Settings) *bool { return &s.HintsEnabled }),
	"hinted_handoff":           flagSetting(func(s *cluster.Settings) *bool { return &s.HintsEnabled }),
	"max_hint_window":          timeSetting(func(s *cluster.Settings) *sim.Time { return &s.HintWindow }),
	"hinted_handoff_throttle":  numberSetting(1<<10, func(s *cluster.Settings) *int64 { return &s.HintThrottle }),
	"memtable_heap_space":      numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.MemtableSpace }),
	"compaction_throughput":    numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.CompactionThroughput }),
	"concurrent_compactors":    positiveSetting(func(s *cluster.Settings) *int { return &s.ConcurrentCompactors }),
	"disk_failure_policy": choice(func(s *cluster.Settings) *string { return &s.DiskFailurePolicy },
		cluster.PolicyDie, cluster.PolicyStopParanoid, cluster.PolicyStop, cluster.PolicyBestEffort, cluster.PolicyIgnore),
	"commit_failure_policy": choice(func(s *cluster.Settings) *string { return &s.CommitFailurePolicy },
		cluster.PolicyDie, cluster.PolicyStop, cluster.PolicyStopCommit, cluster.PolicyIgnore),
	"disk_space":                                      numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.DiskSpace }),
	"tombstone_warn_threshold":                        intSetting(func(s *cluster.Settings) *int { return &s.TombstoneWarn }),
	"tombstone_failure_threshold":                     intSetting(func(s *cluster.Settings) *int { return &s.TombstoneFail }),
	"partition_size_warn_threshold":                   sizeGuard(func(g *cluster.Guardrails) *int64 { return &g.PartitionSize.Warn }),
	"partition_size_fail_threshold":                   sizeGuard(func(g *cluster.Guardrails) *int64 { return &g.PartitionSize.Fail }),
	"partition_tombstones_warn_threshold":             countGuard(func(g *cluster.Guardrails) *int64 { return &g.PartitionTombstones.Warn }),
	"partition_tombstones_fail_threshold":             countGuard(func(g *cluster.Guardrails) *int64 { return &g.PartitionTombstones.Fail }),
	"collection_size_warn_threshold":                  sizeGuard(func(g *cluster.Guardrails) *int64 { return &g.CollectionSize.Warn }),
	"collection_size_fail_threshold":                  sizeGuard(func(g *cluster.Guardrails) *int64 { return &g.CollectionSize.Fail }),
	"items_per_collection_warn_threshold":             countGuard(func(g *cluster.Guardrails) *int64 { return &g.Items.Warn }),
	"items_per_collection_fail_threshold":             countGuard(func(g *cluster.Guardrails) *int64 { return &g.Items.Fail }),
	"test.fail_writes_ks":                             {get: failWrites, set: setFailWrites},
	"row_cache_size":                                  sizeSetting(func(s *cluster.Settings) *int64 { return &s.RowCacheSize }),
	"storage_compatibility_mode":                      {get: compatibility, set: setCompatibility},
	"sstable.selected_format":                         {get: selectedFormat, set: selectFormat},
	"authenticator":                                   authSetting("AllowAllAuthenticator", "PasswordAuthenticator", func(a *cluster.Auth) *bool { return &a.Passwords }),
	"authorizer":                                      authSetting("AllowAllAuthorizer", "CassandraAuthorizer", func(a *cluster.Auth) *bool { return &a.Permissions }),
	"network_authorizer":                              authSetting("AllowAllNetworkAuthorizer", "CassandraNetworkAuthorizer", func(a *cluster.Auth) *bool { return &a.Datacenters }),
	"role_manager":                                    {get: func(*cluster.Settings) string { return "CassandraRoleManager" }, set: setRoleManager},
	"classic":                                         {get: classicSetting, set: setClassic},
	"autocompaction":                                  flagSetting(func(s *cluster.Settings) *bool { return &s.AutoCompaction }),
	"in_memory_compaction_limit_in_mb":                numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.InMemoryCompactionLimit }),
	"compaction_large_partition_warning_threshold_mb": numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.LargePartitionWarning }),
}

// choice is one of some words.
func choice(f func(*cluster.Settings) *string, words ...string) setting {
	return setting{
		get: func(s *cluster.Settings) string { return *f(s) },
		set: func(s *cluster.Settings, v string) error {
			if v = strings.ToLower(v); !slices.Contains(words, v) {
				return fmt.Errorf("%q is none of %s", v, strings.Join(words, ", "))
			}
			*f(s) = v
			return nil
		},
	}
}

// sizeGuard is a threshold in bytes, as cassandra.yaml writes sizes; off is null.
func sizeGuard(f func(*cluster.Guardrails) *int64) setting {
	return sizeSetting(func(s *cluster.Settings) *int64 { return f(&s.Guardrails) })
}

// sizeSetting is a number of bytes, as cassandra.yaml writes sizes.
func sizeSetting(f func(*cluster.Settings) *int64) setting {
	return setting{
		get: func(s *cluster.Settings) string {
			n := *f(s)
			switch {
			case n == 0:
				return "null"
			case n%(1<<20) == 0:
				return strconv.FormatInt(n>>20, 10) + "MiB"
			case n%(1<<10) == 0:
				return strconv.FormatInt(n>>10, 10) + "KiB"
			}
			return strconv.FormatInt(n, 10) + "B"
		},
		set: func(s *cluster.Settings, v string) error {
			if v == "null" || v == "off" || v == "0" {
				*f(s) = 0
				return nil
			}
			for _, u := range []struct {
				suffix string
				bytes  int64
			}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}} {
				if number, is := strings.CutSuffix(v, u.suffix); is {
					n, err := strconv.ParseInt(number, 10, 32)
					if err != nil || n <= 0 {
						break
					}
					*f(s) = n * u.bytes
					return nil
				}
			}
			return fmt.Errorf("%q is not a size: write 100MiB, 512KiB, 200B, or null for none", v)
		},
	}
}

// countGuard is a threshold of a number of things; off is -1.
func countGuard(f func(*cluster.Guardrails) *int64) setting {
	return setting{
		get: func(s *cluster.Settings) string {
			if n := *f(&s.Guardrails); n > 0 {
				return strconv.FormatInt(n, 10)
			}
			return "-1"
		},
		set: func(s *cluster.Settings, v string) error {
			n, err := strconv.ParseInt(v, 10, 40)
			if v == "off" {
				n, err = -1, nil
			}
			if err != nil || n == 0 || n < -1 {
				return fmt.Errorf("%q is neither a number above 0 nor -1, which turns it off", v)
			}
			*f(&s.Guardrails) = max(n, 0)
			return nil
		},
	}
}

// failWrites is the keyspace to which every node fails writes; off is null.
// Source: Cassandra 5.0 CassandraRelevantProperties.TEST_FAIL_WRITES_KS.
func failWrites(s *cluster.Settings) string {
	if s.FailWrites == "" {
		return "null"
	}
	return s.FailWrites
}

func setFailWrites(s *cluster.Settings, v string) error {
	if v == "null" || v == "off" {
		v = ""
	}
	s.FailWrites = v
	return nil
}

// compatibility names the mode that the format of new files follows from.
// Source: Cassandra 5.0 StorageCompatibilityMode.
func compatibility(s *cluster.Settings) string {
	if s.Format == storage.NB {
		return "CASSANDRA_4"
	}
	return "NONE"
}

func setCompatibility(s *cluster.Settings, v string) error {
	switch strings.ToUpper(v) {
	case "CASSANDRA_4":
		if s.Format == storage.DA {
			return fmt.Errorf("the format bti needs NONE; `:set sstable.selected_format big` first")
		}
		s.Format = storage.NB
	case "NONE":
		if s.Format == storage.NB {
			s.Format = storage.OA
		}
	default:
		return fmt.Errorf("%s is neither CASSANDRA_4 nor NONE", v)
	}
	return nil
}

func selectedFormat(s *cluster.Settings) string {
	if s.Format == storage.DA {
		return "bti"
	}
	return "big"
}

func selectFormat(s *cluster.Settings, v string) error {
	switch v {
	case "big":
		if s.Format == storage.DA {
			s.Format = storage.OA
		}
	case "bti":
		if s.Format == storage.NB {
			return fmt.Errorf("bti is of Cassandra 5.0; `:set storage_compatibility_mode NONE` first")
		}
		s.Format = storage.DA
	default:
		return fmt.Errorf("%s is neither big nor bti", v)
	}
	return nil
}

func classicSetting(s *cluster.Settings) string {
	if s.Classic == "" {
		return "off"
	}
	return s.Classic
}

// setClassic chooses the version whose rules hold for what CQL may do with a table
// WITH COMPACT STORAGE, for large rows in compaction and for the words of the classic
// client (those of 1.0, else of 2.1); off are those of 5.0.
func setClassic(s *cluster.Settings, v string) error {
	switch v {
	case "1.0", "1.2", "2.1":
		s.Classic = v
	case "off":
		s.Classic = ""
	default:
		return fmt.Errorf("classic is 1.0, 1.2, 2.1 or off, not %q", v)
	}
	return nil
}

func settingNames() []string {
	out := make([]string, 0, len(settings))
	for n := range settings {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func set(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) == 0 {
		var rows [][]string
		for _, n := range settingNames() {
			rows = append(rows, []string{n, settings[n].get(&ctx.Cluster.Set)})
		}
		return table("name value", rows), nil
	}
	s, ok := settings[a.Words[0]]
	if !ok {
		return nil, fmt.Errorf("there is no setting %s; `:set` lists them", a.Words[0])
	}
	if len(a.Words) == 1 {
		return message("%s is %s.", a.Words[0], s.get(&ctx.Cluster.Set)), nil
	}
	if err := ctx.Cluster.Change(func(to *cluster.Settings) error { return s.set(to, strings.Join(a.Words[1:], " ")) }); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Words[0], err)
	}
	return message("%s is %s.", a.Words[0], s.get(&ctx.Cluster.Set)), nil
}
