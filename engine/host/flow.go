package host

import (
	"strconv"
	"strings"
	"time"
)

// flow lets virtual time pass for an elapsed real time, and says whether any
// passed. Whatever happens takes at least a microsecond, so that the journal,
// which keeps the time before the next command, keeps all of it.
func (h *Host) flow(elapsed time.Duration) bool {
	lab := h.store.Lab
	switch speed := lab.Speed(); speed {
	case "pause":
		return false
	case "max":
		moved := false
		for end := time.Now().Add(5 * time.Millisecond); time.Now().Before(end) && lab.Core().Cluster.Step(); {
			moved = true
		}
		if moved { // the rest of what happens at the moment of the last event
			lab.Advance(lab.Now() + 1)
		}
		return moved
	default:
		factor, err := strconv.ParseFloat(strings.TrimSuffix(speed, "x"), 64)
		if err != nil {
			return false
		}
		h.rest += float64(elapsed.Microseconds()) * factor
		whole := int64(h.rest)
		h.rest -= float64(whole)
		if whole > 0 {
			lab.Advance(lab.Now() + whole)
		}
		return whole > 0
	}
}
