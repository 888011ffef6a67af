package cli

import "testing"

// The heap at its largest is the live bytes and the garbage that may lie beside
// them: small labs stay under 40 MB, large ones within an eighth above their data.
func TestCollectorPercent(t *testing.T) {
	for _, c := range []struct {
		live, most uint64 // MB
	}{{1, 10}, {5, 30}, {10, 40}, {100, 200}, {256, 512}, {1000, 1260}, {3000, 3380}} {
		p := collectorPercent(c.live << 20)
		if peak := c.live + c.live*uint64(p)/100; peak > c.most {
			t.Errorf("%d MB live: up to %d MB at GOGC %d, want at most %d", c.live, peak, p, c.most)
		}
		if p < 10 {
			t.Errorf("%d MB live: GOGC %d collects without end", c.live, p)
		}
	}
}
