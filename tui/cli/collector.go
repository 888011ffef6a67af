package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Garbage beside the live heap: at least headroom, so that a small lab is not
// collected hundreds of times a second, and no more than an eighth of a large
// one, so that ten million rows need little more than their own memory.
const (
	headroom  = 24 << 20
	mostExtra = 256 << 20
)

// marker has a pointer, so that it is not packed beside others that live longer.
type marker struct{ _ *byte }

// tuneCollector sets the garbage collector's pace by the size of the live heap,
// again after each collection. A GOGC in the environment is left alone.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	now := 0
	var tune func()
	// A cleanup of an unreachable object runs once after the next collection.
	again := func() { runtime.AddCleanup(new(marker), func(f func()) { f() }, tune) }
	tune = func() {
		metrics.Read(live)
		if p := collectorPercent(live[0].Value.Uint64()); p != now {
			now = p
			debug.SetGCPercent(p)
		}
		again()
	}
	tune()
}

// collectorPercent is GOGC for so many live bytes, in steps of a quarter of
// itself, since each change stops the world for a moment.
func collectorPercent(live uint64) int {
	live = max(live, 1<<20)
	extra := max(headroom, min(live, mostExtra), live/8)
	percent := int(min(extra*100/live, 800))
	step := max(percent/4, 1)
	return percent / step * step
}
