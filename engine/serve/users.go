package serve

import (
	"crypto/sha256"
	"crypto/subtle"
)

// check says whether a password is right. How long it takes tells nothing of the
// password.
func (u Users) check(user, password string) bool {
	want, known := u[user]
	a, b := sha256.Sum256([]byte(want)), sha256.Sum256([]byte(password))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && known
}
