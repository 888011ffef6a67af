// Package figure writes numbers as people read them.
package figure

import "strconv"

// Grouped puts commas between the thousands of a whole number's digits, which a
// minus may stand in front of.
func Grouped(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Whole is a number rounded to a whole one, with commas.
func Whole(v float64) string { return Grouped(strconv.FormatFloat(v, 'f', 0, 64)) }
