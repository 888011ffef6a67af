package access

import (
	"testing"

	"pgregory.net/rapid"
)

// TestHash checks hashes that jBCrypt made: its own test vectors, and what a
// node keeps for the password cassandra.
func TestHash(t *testing.T) {
	for _, c := range []struct{ password, hash string }{
		{"", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s."},
		{"a", "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe"},
		{"abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"},
		{"abcdefghijklmnopqrstuvwxyz", "$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC"},
		{"~!@#$%^&*()      ~!@#$%^&*()PNBFRD", "$2a$06$fPIsBO8qRqkjj273rfaOI.HtSV9jLDpTbZn782DC6/t7qT67P6FfO"},
		{"cassandra", "$2a$10$hIiy8ouI0tc8nTDPBAg35eTEmNTBjKqGzDkXKkdZdnLnBLhzUPCJa"},
	} {
		if !CheckPassword(c.password, c.hash) {
			again, _ := hash(c.password, c.hash)
			t.Errorf("%q hashes to %s, not to %s", c.password, again, c.hash)
		}
		if CheckPassword(c.password+"x", c.hash) {
			t.Errorf("%q passes for %q", c.password+"x", c.password)
		}
	}
}

// TestHashRoundTrip checks that a password fits its own hash and no other does.
func TestHashRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		salt := alphabet.EncodeToString(rapid.SliceOfN(rapid.Byte(), SaltSize, SaltSize).Draw(t, "salt"))
		password, other := rapid.StringMatching(`[^\x00]{0,15}`).Draw(t, "password"), rapid.StringMatching(`[^\x00]{0,15}`).Draw(t, "other")
		text, ok := hash(password, "$2a$04$"+salt)
		if !ok || !ValidHash(text) || len(text) != 60 || !CheckPassword(password, text) {
			t.Fatalf("%q has the hash %q", password, text)
		}
		if password != other && CheckPassword(other, text) {
			t.Fatalf("%q passes for %q", other, password)
		}
	})
}

// FuzzParseHash wants no panic of anything that a user calls a hash.
func FuzzParseHash(f *testing.F) {
	f.Add("$2a$04$hIiy8ouI0tc8nTDPBAg35e")
	f.Add("$2$04$hIiy8ouI0tc8nTDPBAg35eTEm")
	f.Fuzz(func(t *testing.T, text string) {
		if _, cost, _, ok := parseHash(text); ok && (cost < 4 || cost > 30) {
			t.Errorf("%q has the cost %d", text, cost)
		}
	})
}
