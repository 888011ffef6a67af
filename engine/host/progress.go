package host

import (
	"fmt"
	"strconv"
	"time"

	"ringlab/engine/admin"
	"ringlab/model/figure"
)

// progress is one line on how far a long command is: elapsed is real time.
func progress(p admin.Progress, elapsed time.Duration) string {
	if p.What == "" {
		return fmt.Sprintf("processed %d rows", p.Rows)
	}
	out := fmt.Sprintf("%s %s", p.What, thousands(p.Done))
	if p.Of >= p.Done {
		out += " of " + thousands(p.Of)
	}
	seconds := elapsed.Seconds()
	if seconds < 0.1 || p.Done == 0 {
		return out
	}
	left := time.Duration(float64(elapsed) * float64(p.Of-p.Done) / float64(p.Done)).Round(time.Second)
	if p.Rows == 0 { // of commands that run again
		out += fmt.Sprintf("  %s/s", thousands(int(float64(p.Done)/seconds)))
	} else {
		out += fmt.Sprintf("  %s rows  %s/s", thousands(p.Rows), thousands(int(float64(p.Rows)/seconds)))
	}
	if p.Virtual > 0 {
		out += fmt.Sprintf(" (virtual %s/s)", thousands(int(float64(p.Rows)*1e6/float64(p.Virtual))))
	}
	if p.Of < p.Done { // nobody knows how much there is
		return out
	}
	return out + fmt.Sprintf("  %s left", left)
}

// thousands is a number with commas between its thousands.
func thousands(n int) string { return figure.Grouped(strconv.Itoa(n)) }
