package ring

import "slices"

// Range is the part (Left, Right] of the ring: without its start, with its end.
// Left at or after Right wraps around; Left equal to Right is the full ring. Methods
// that need it take the minimum of the ring's partitioner.
// Source: Cassandra 5.0 Range.
type Range struct{ Left, Right Token }

// Contains reports whether a token lies in the range.
func (r Range) Contains(t Token) bool {
	if r.IsWrapAround() {
		return r.Left.Less(t) || !r.Right.Less(t)
	}
	return r.Left.Less(t) && !r.Right.Less(t)
}

// IsWrapAround reports whether the range passes the end of the ring or is all of it.
func (r Range) IsWrapAround() bool { return !r.Left.Less(r.Right) }

// IsTrulyWrapAround reports whether the range holds tokens on both sides of the
// ring's end: one that ends at the minimum is just everything after Left.
func (r Range) IsTrulyWrapAround(minimum Token) bool {
	return r.IsWrapAround() && r.Right != minimum
}

// Unwrap cuts a range at the ring's end, into one or two ranges.
func (r Range) Unwrap(minimum Token) []Range {
	if !r.IsTrulyWrapAround(minimum) {
		return []Range{r}
	}
	return []Range{{r.Left, minimum}, {minimum, r.Right}}
}

// ContainsRange reports whether all of o lies in r. It compares ends as Cassandra
// does, so of the two forms of the full ring only (t,t] contains everything.
// Source: Cassandra 5.0 Range.contains(Range).
func (r Range) ContainsRange(o Range) bool {
	if r.Left == r.Right {
		return true
	}
	startsInside, endsInside := !o.Left.Less(r.Left), !r.Right.Less(o.Right)
	switch wraps, otherWraps := r.IsWrapAround(), o.IsWrapAround(); {
	case wraps == otherWraps:
		return startsInside && endsInside
	case wraps:
		return startsInside || endsInside
	}
	return false
}

// Intersection gives the ranges common to both, none to two of them, sorted by
// (Left, Right).
// Source: Cassandra 5.0 Range.intersectionWith.
func (r Range) Intersection(o Range) []Range {
	switch {
	case o.ContainsRange(r):
		return []Range{r}
	case r.ContainsRange(o):
		return []Range{o}
	}
	switch wraps, otherWraps := r.IsWrapAround(), o.IsWrapAround(); {
	case wraps && otherWraps:
		if o.Left.Less(r.Left) {
			r, o = o, r
		}
		return wrappedBoth(r, o)
	case wraps:
		return wrappedOne(r, o)
	case otherWraps:
		return wrappedOne(o, r)
	}
	if !r.Left.Less(o.Right) || !o.Left.Less(r.Right) {
		return nil
	}
	return []Range{{later(r.Left, o.Left), earlier(r.Right, o.Right)}}
}

func wrappedBoth(first, second Range) []Range {
	common := []Range{{second.Left, first.Right}}
	if first.Left.Less(second.Right) {
		common = append(common, Range{first.Left, second.Right})
	}
	return sortRanges(common)
}

func wrappedOne(wrapping, plain Range) []Range {
	var common []Range
	if plain.Contains(wrapping.Right) {
		common = append(common, Range{plain.Left, wrapping.Right})
	}
	if plain.Contains(wrapping.Left) && wrapping.Left.Less(plain.Right) {
		common = append(common, Range{wrapping.Left, plain.Right})
	}
	return sortRanges(common)
}

// Subtract gives what of r does not lie in o, none to two ranges, sorted by
// (Left, Right).
// Source: Cassandra 5.0 Range.subtract, differenceToFetch.
func (r Range) Subtract(o Range) []Range {
	common := o.Intersection(r)
	switch len(common) {
	case 0:
		return []Range{r}
	case 1:
		return r.without(common[0])
	}
	// Each of the two holds one end of r: what is left lies between them.
	return r.without(common[0])[0].without(common[1])
}

// without cuts out a range that lies within r.
// Source: Cassandra 5.0 Range.subtractContained.
func (r Range) without(inner Range) []Range {
	if r.Left == r.Right {
		if inner.Left == inner.Right {
			return nil
		}
		return []Range{{inner.Right, inner.Left}}
	}
	var rest []Range
	if r.Left != inner.Left {
		rest = append(rest, Range{r.Left, inner.Left})
	}
	if r.Right != inner.Right {
		rest = append(rest, Range{inner.Right, r.Right})
	}
	return sortRanges(rest)
}

func sortRanges(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int {
		if c := a.Left.Compare(b.Left); c != 0 {
			return c
		}
		return a.Right.Compare(b.Right)
	})
	return ranges
}

func earlier(a, b Token) Token {
	if b.Less(a) {
		return b
	}
	return a
}

func later(a, b Token) Token {
	if a.Less(b) {
		return b
	}
	return a
}
