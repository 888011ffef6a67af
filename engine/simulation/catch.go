package simulation

import (
	"os"
	"strconv"
	"strings"

	"ringlab/engine"
)

// Tester is the part of testing.T that Planted needs.
type Tester interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Planted plays scripts on labs with a fault in the program until one finds it, each
// twice if the fault is one of determinism. It begins with a seed that is known to;
// where that does not any more, a thousand are tried, and that none finds it is an
// error. With RINGLAB_SEEDS=N it plays the first N and says how many of them find it; of
// 500 or more at least every fiftieth has to.
func Planted(t Tester, name string, twice bool, known uint64, plant func(*engine.Lab)) {
	t.Helper()
	all, _ := strconv.ParseUint(os.Getenv("RINGLAB_SEEDS"), 10, 32)
	if all == 0 {
		if found := finds(known, twice, plant); found != "" {
			t.Logf("%s: seed %d finds it, %s", name, known, firstLine(found))
			return
		}
	}
	caught, first, by := uint64(0), uint64(0), ""
	for seed := uint64(1); seed <= max(all, 1000) && (caught == 0 || seed <= all); seed++ {
		found := finds(seed, twice, plant)
		if found == "" {
			continue
		}
		if caught++; caught == 1 {
			first, by = seed, firstLine(found)
		}
	}
	switch {
	case caught == 0:
		t.Errorf("%s: %d seeds did not find it", name, max(all, 1000))
	case all >= 500 && caught < all/50:
		t.Errorf("%s: only %d of %d seeds find it, first %d, %s", name, caught, all, first, by)
	case all > 0:
		t.Logf("%s: %d of %d seeds find it, first %d, %s", name, caught, all, first, by)
	default:
		t.Logf("%s: seed %d finds it, no longer %d, %s", name, first, known, by)
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// finds says what the script of a seed finds, "" for nothing.
func finds(seed uint64, twice bool, plant func(*engine.Lab)) string {
	s := New(seed)
	sums, f := Play(s, Options{Prepare: plant})
	if f != nil {
		return f.String()
	}
	if !twice {
		return ""
	}
	if again, _ := Play(s, Options{Prepare: plant}); sums.Differ(again) >= 0 {
		return "determinism: the records of two plays differ"
	}
	return ""
}
