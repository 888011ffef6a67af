package simulation

import (
	"slices"

	"ringlab/engine"
)

// Catch plays seed after seed on labs with a fault in the program, each twice, until
// enough of them have found something. It says how many have, which was the first and
// what that found.
func Catch(most, enough int, plant func(*engine.Lab)) (caught int, first uint64, by string) {
	for seed := uint64(1); seed <= uint64(most) && caught < enough; seed++ {
		sums, f := Play(New(seed), Options{Prepare: plant})
		found := ""
		if f != nil {
			found = f.String()
		} else if again, _ := Play(New(seed), Options{Prepare: plant}); !slices.Equal(sums, again) {
			found = "determinism: the second time the records differ"
		}
		if found == "" {
			continue
		}
		if caught++; caught == 1 {
			first, by = seed, found
		}
	}
	return caught, first, by
}
