package ring

// Normalize gives the same part of the ring as ranges that do not wrap, do not
// overlap or touch, and stand in token order; a range that ends at the minimum is
// everything above its start.
// Source: Cassandra 5.0 Range.normalize.
func Normalize(ranges []Range, minimum Token) []Range {
	var flat []Range
	for _, r := range ranges {
		if r.Left == r.Right {
			return []Range{{minimum, minimum}}
		}
		flat = append(flat, r.Unwrap(minimum)...)
	}
	sortRanges(flat)
	var out []Range
	for _, r := range flat {
		n := len(out)
		switch {
		case n == 0:
			out = append(out, r)
		case out[n-1].Right == minimum: // it reaches the end of the ring
			return out
		case out[n-1].Right.Less(r.Left):
			out = append(out, r)
		case r.Right == minimum || out[n-1].Right.Less(r.Right):
			out[n-1].Right = r.Right
		}
	}
	return out
}
