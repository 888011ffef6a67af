// Package sim is the ground of every simulation: virtual time, a queue of what
// is due, and seeded streams of randomness. It knows no clock but its own and
// imports nothing.
package sim

import "strconv"

// Time is virtual time in microseconds since a lab's epoch.
type Time int64

// Durations in virtual microseconds.
const (
	Microsecond Time = 1
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
	Day              = 24 * Hour
)

// String prints the time as seconds with as many decimals as needed: "1.5s".
func (t Time) String() string {
	neg := ""
	if t < 0 {
		neg, t = "-", -t
	}
	switch {
	case t < Millisecond:
		return neg + strconv.FormatInt(int64(t), 10) + "us"
	case t < Second:
		return neg + trim(int64(t), 1000) + "ms"
	}
	return neg + trim(int64(t), 1000000) + "s"
}

// trim prints n/unit with the decimals that are not zero.
func trim(n, unit int64) string {
	whole, rest := n/unit, n%unit
	if rest == 0 {
		return strconv.FormatInt(whole, 10)
	}
	frac := strconv.FormatInt(unit+rest, 10)[1:]
	for frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	return strconv.FormatInt(whole, 10) + "." + frac
}
