package nodetool

import (
	"fmt"
	"slices"
	"strconv"

	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/model/types"
)

const timeoutTypes = "read, range, write, counterwrite, cascontention, truncate, internodeconnect, internodeuser, internodestreaminguser, misc (general rpc_timeout_in_ms)"

// timeout is the setting of a type of timeout, nil for those that a lab does not
// have. Source: Cassandra 5.0 NodeProbe.getTimeout.
func timeout(s *cluster.Settings, kind string) *sim.Time {
	switch kind {
	case "read":
		return &s.ReadTimeout
	case "range":
		return &s.RangeTimeout
	case "write":
		return &s.WriteTimeout
	case "counterwrite":
		return &s.CounterTimeout
	case "cascontention":
		return &s.ContentionTimeout
	case "truncate":
		return &s.TruncateTimeout
	}
	return nil
}

// fixedTimeouts are Cassandra's defaults of what a lab's messages never wait for.
var fixedTimeouts = map[string]int{"internodeconnect": 2000, "internodeuser": 30000, "internodestreaminguser": 300000, "misc": 10000}

func getTimeout(k *call) error {
	if len(k.args) != 1 {
		return misused("gettimeout requires a timeout type, one of (%s)", timeoutTypes)
	}
	ms, known := fixedTimeouts[k.args[0]]
	if t := timeout(&k.Set, k.args[0]); t != nil {
		ms, known = int(*t/sim.Millisecond), true
	}
	if !known {
		return misused("Timeout type requires one of (%s)", timeoutTypes)
	}
	k.printf("Current timeout for type %s: %d ms\n", k.args[0], ms)
	return nil
}

// longest is the longest timeout that a lab takes.
const longest = 365 * sim.Day

// setTimeout. Source: Cassandra 5.0 SetTimeout, NodeProbe.setTimeout.
func setTimeout(k *call) error {
	if len(k.args) != 2 {
		return misused("Timeout type followed by value in ms (0 disables socket streaming timeout). Type should be one of (%s)", timeoutTypes)
	}
	ms, err := strconv.ParseInt(k.args[1], 10, 64)
	if err != nil {
		return misused("For input string: \"%s\"", k.args[1])
	}
	if ms < 0 {
		return misused("timeout must be non-negative")
	}
	if timeout(&k.Set, k.args[0]) == nil {
		if _, known := fixedTimeouts[k.args[0]]; known {
			return beyond("settimeout "+k.args[0], "no message of a lab waits for it; read, range, write, counterwrite, cascontention and truncate can be set")
		}
		return misused("Timeout type requires one of (%s)", timeoutTypes)
	}
	if ms > int64(longest/sim.Millisecond) {
		return fmt.Errorf("ringlab takes timeouts up to %d ms, a year", int64(longest/sim.Millisecond))
	}
	k.everywhere()
	return k.Change(func(s *cluster.Settings) error {
		*timeout(s, k.args[0]) = sim.Time(ms) * sim.Millisecond
		return nil
	})
}

func statusHandoff(k *call) error {
	state := "not running"
	if k.Set.HintsEnabled {
		state = "running"
	}
	k.line("Hinted handoff is " + state)
	off := slices.Clone(k.node.Unhinted)
	buckets := 1 // of the map that JMX sends them in
	for buckets < len(off)+len(off)/2+1 {
		buckets *= 2
	}
	types.SortAsJava(off, buckets)
	for _, dc := range off {
		k.line("Data center " + dc + " is disabled")
	}
	return nil
}

// handoff switches the storing of hints.
func handoff(on bool) func(*call) error {
	return func(k *call) error {
		k.everywhere()
		return k.Change(func(s *cluster.Settings) error {
			s.HintsEnabled = on
			return nil
		})
	}
}

func version(k *call) error {
	k.line("ReleaseVersion: " + releaseVersion)
	return nil
}
