package access

import (
	"crypto/subtle"
	"encoding/base64"
	"strconv"

	//lint:ignore SA1019 Cassandra keeps passwords as bcrypt makes them, and that is made of this cipher.
	"golang.org/x/crypto/blowfish"
)

// rounds is the binary logarithm of how often bcrypt turns.
// Source: Cassandra 5.0 CassandraRoleManager.GENSALT_LOG2_ROUNDS.
const rounds = 10

// SaltSize is the length of a salt in bytes.
const SaltSize = 16

// hashSize is how many of the 24 bytes of a hash are written.
const hashSize = 23

// alphabet is bcrypt's own order of the digits of base 64.
var alphabet = base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding)

// HashPassword is a password as system_auth.roles keeps it. Whoever calls it
// draws the salt, so that the same lab has the same hashes.
// Source: jBCrypt 0.4 BCrypt.hashpw, with gensalt's form of the salt.
func HashPassword(password string, salt [SaltSize]byte) string {
	text, _ := hash(password, "$2a$"+strconv.Itoa(rounds)+"$"+alphabet.EncodeToString(salt[:]))
	return text
}

// ValidHash says whether jBCrypt takes a text for a hash: its salt counts, and
// whatever follows that.
func ValidHash(text string) bool {
	_, _, _, ok := parseHash(text)
	return ok
}

// CheckPassword says whether a hash was made of a password.
// Source: jBCrypt 0.4 BCrypt.checkpw.
func CheckPassword(password, text string) bool {
	again, ok := hash(password, text)
	return ok && subtle.ConstantTimeCompare([]byte(again), []byte(text)) == 1
}

// saltText is the length of a salt in base 64.
const saltText = 22

// parseHash reads $2$ or $2a$, two digits, $ and the salt.
func parseHash(text string) (minor bool, cost int, salt []byte, ok bool) {
	if len(text) < 3 || text[:2] != "$2" {
		return
	}
	at := 3
	if text[2] != '$' {
		if text[2] != 'a' || len(text) < 4 || text[3] != '$' {
			return
		}
		minor, at = true, 4
	}
	if len(text) < at+3+saltText || text[at+2] != '$' {
		return
	}
	cost, err := strconv.Atoi(text[at : at+2])
	if err != nil || cost < 4 || cost > 30 {
		return
	}
	salt, err = alphabet.DecodeString(text[at+3 : at+3+saltText])
	return minor, cost, salt, err == nil && len(salt) == SaltSize
}

// hash makes the hash of a password with the salt and the cost of a text.
func hash(password, text string) (string, bool) {
	minor, cost, salt, ok := parseHash(text)
	if !ok {
		return "", false
	}
	key := []byte(password)
	if minor {
		key = append(key, 0)
	}
	if len(key) == 0 { // only the oldest form has a key without bytes, which is no key
		return "", false
	}
	if len(key) > 72 {
		key = key[:72]
	}
	c, err := blowfish.NewSaltedCipher(key, salt)
	if err != nil {
		return "", false
	}
	for range 1 << cost {
		blowfish.ExpandKey(key, c)
		blowfish.ExpandKey(salt, c)
	}
	out := []byte("OrpheanBeholderScryDoubt")
	for i := 0; i < len(out); i += blowfish.BlockSize {
		for range 64 {
			c.Encrypt(out[i:], out[i:])
		}
	}
	head := "$2$"
	if minor {
		head = "$2a$"
	}
	if cost < 10 {
		head += "0"
	}
	return head + strconv.Itoa(cost) + "$" + alphabet.EncodeToString(salt) + alphabet.EncodeToString(out[:hashSize]), true
}
