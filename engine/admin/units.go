package admin

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringlab/engine/sim"
)

var timeUnits = []struct {
	name string
	unit sim.Time
}{
	{"us", sim.Microsecond}, {"µs", sim.Microsecond}, {"ms", sim.Millisecond}, {"s", sim.Second}, {"m", sim.Minute}, {"h", sim.Hour},
	{"d", sim.Day}, {"w", 7 * sim.Day}, {"mo", 30 * sim.Day}, {"y", 365 * sim.Day},
}

// parseTime reads 200ms, 3s, 1h30m, 3y. A month is 30 days and a year 365.
func parseTime(text string) (sim.Time, error) {
	total, rest := sim.Time(0), text
	bad := fmt.Errorf("%q is not a length of time; write 500us, 200ms, 3s, 10m, 2h, 5d or 3y", text)
	if rest == "" {
		return 0, bad
	}
	for rest != "" {
		i := 0
		for i < len(rest) && (rest[i] >= '0' && rest[i] <= '9' || rest[i] == '.') {
			i++
		}
		j := i
		for j < len(rest) && !(rest[j] >= '0' && rest[j] <= '9' || rest[j] == '.') {
			j++
		}
		n, err := strconv.ParseFloat(rest[:i], 64)
		if err != nil {
			return 0, bad
		}
		found := false
		for _, u := range timeUnits {
			if u.name == rest[i:j] {
				v := n * float64(u.unit)
				if v > math.MaxInt64/4 {
					return 0, fmt.Errorf("%s is too long; a lab runs for at most some ten thousand years", text)
				}
				total += sim.Time(math.Round(v))
				found = true
			}
		}
		if !found || total < 0 || total > math.MaxInt64/4 {
			return 0, bad
		}
		rest = rest[j:]
	}
	return total, nil
}

// parseSigned reads a length of time with an optional sign.
func parseSigned(text string) (sim.Time, error) {
	rest, negative := strings.CutPrefix(text, "-")
	if !negative {
		rest = strings.TrimPrefix(text, "+")
	}
	t, err := parseTime(rest)
	if negative {
		t = -t
	}
	return t, err
}

// endOfTime is as far as a lab goes, so that sums of times stay far from the
// limits of their type.
const endOfTime = 10000 * 365 * sim.Day

// bytesText is a size as nodetool prints it.
func bytesText(n int64) string {
	switch {
	case n >= 1<<40:
		return fmt.Sprintf("%.2f TiB", float64(n)/(1<<40))
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.2f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.2f KiB", float64(n)/(1<<10))
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

func percent(f float64) string { return fmt.Sprintf("%.1f%%", f*100) }

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// parseCount reads a whole number that is not negative.
func parseCount(text, what string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s takes a whole number, not %q", what, text)
	}
	return n, nil
}
