package draw

import (
	"math"
	"strconv"
	"strings"
)

var eighths = []rune(" ▏▎▍▌▋▊▉█")
var sparks = []rune("▁▂▃▄▅▆▇█")

// Bar returns a bar of frac of w cells in steps of an eighth. Anything above
// zero shows.
func Bar(frac float64, w int) string {
	frac = clamp(frac)
	n := int(math.Round(frac * float64(w) * 8))
	if frac > 0 {
		n = max(n, 1)
	}
	s := strings.Repeat("█", n/8)
	if n%8 > 0 {
		s += string(eighths[n%8])
	}
	return s
}

// Meter returns a bar of exactly w cells whose empty part shows.
func Meter(frac float64, w int) string {
	full := int(math.Round(clamp(frac) * float64(w)))
	return strings.Repeat("█", full) + strings.Repeat("░", max(0, w-full))
}

// Spark returns the newest w values as eighths of the largest.
func Spark(values []float64, w int) string {
	if len(values) > w {
		values = values[len(values)-w:]
	}
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		i := 0
		if top > 0 {
			i = int(math.Round(v / top * 7))
		}
		b.WriteRune(sparks[min(max(i, 0), 7)])
	}
	return b.String()
}

func clamp(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return min(max(f, 0), 1)
}

// Bytes returns a byte count in at most four characters and a unit: 54K, 1.7M.
func Bytes(n int64) string { return short(n, 1024, []string{"B", "K", "M", "G", "T", "P", "E"}) }

// Count returns a count in at most five characters: 168, 41.2k, 3.1M.
func Count(n int64) string {
	if n > -1000 && n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return short(n, 1000, []string{"", "k", "M", "G", "T", "P", "E"})
}

func short(n, base int64, units []string) string {
	f, i := float64(n), 0
	for (f >= float64(base)-0.5 || f <= -float64(base)+0.5) && i < len(units)-1 {
		f /= float64(base)
		i++
	}
	if i == 0 || base == 1024 && math.Abs(f) >= 10 || math.Abs(f) >= 99.95 {
		return strconv.FormatFloat(math.Round(f), 'f', 0, 64) + units[i]
	}
	s := strconv.FormatFloat(f, 'f', 1, 64)
	if base == 1024 {
		s = strings.TrimSuffix(s, ".0")
	}
	return s + units[i]
}

// Thousands returns n with a comma between groups of three digits.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
