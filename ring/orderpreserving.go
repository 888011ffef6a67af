package ring

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// orderPreservingPartitioner keeps rows in the order of their keys as strings: the
// token is the key decoded as UTF-8, or its hexadecimal digits if it is not valid
// UTF-8. Strings compare by UTF-16 code units, as Java's do, so that characters
// beyond U+FFFF stand before U+E000.
// Source: Cassandra 5.0 OrderPreservingPartitioner.
type orderPreservingPartitioner struct{}

// tokenAlphabet is what generated tokens are made of, in the order of the ring.
const tokenAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func (orderPreservingPartitioner) Name() string { return "OrderPreservingPartitioner" }

func (orderPreservingPartitioner) Token(key []byte) Token {
	if !utf8.Valid(key) {
		return stringToken(hex.EncodeToString(key))
	}
	return stringToken(string(key))
}

func stringToken(text string) Token {
	b := make([]byte, 0, 2*len(text))
	for _, r := range text {
		if r <= 0xffff {
			b = binary.BigEndian.AppendUint16(b, uint16(r))
			continue
		}
		high, low := utf16.EncodeRune(r)
		b = binary.BigEndian.AppendUint16(b, uint16(high))
		b = binary.BigEndian.AppendUint16(b, uint16(low))
	}
	return Token{s: string(b)}
}

func (orderPreservingPartitioner) Minimum() Token { return Token{} }

// Parse takes any text without a comma, which separates tokens in gossip.
// Source: Cassandra 5.0 OrderPreservingPartitioner.tokenFactory.validate.
func (orderPreservingPartitioner) Parse(text string) (Token, error) {
	if strings.Contains(text, ",") {
		return Token{}, configErrorf("Tokens may not contain the character ,")
	}
	return stringToken(text), nil
}

// Format decodes the code units; half a surrogate pair, which only a midpoint can
// make, becomes U+FFFD.
func (orderPreservingPartitioner) Format(t Token) string {
	units := make([]uint16, len(t.s)/2)
	for i := range units {
		units[i] = uint16(t.s[2*i])<<8 | uint16(t.s[2*i+1])
	}
	return string(utf16.Decode(units))
}

func (orderPreservingPartitioner) Midpoint(l, r Token) Token {
	return Token{s: midString(l.s, r.s, 2)}
}

func (orderPreservingPartitioner) Split(Token, Token, float64) (Token, error) {
	return Token{}, noAllocation("StringToken")
}

func (orderPreservingPartitioner) Size(Token, Token) (float64, error) {
	return 0, noAllocation("StringToken")
}

// Even spreads tokens over the strings of two letters and digits, or more where n
// exceeds their number of 3844: floor(62^w*i/n) in base 62, digits before capitals
// before small letters. Keys of ordinary text lie between them, though unevenly.
func (orderPreservingPartitioner) Even(n int) []Token {
	width, count := 2, 62*62
	for count < n {
		width, count = width+1, count*62
	}
	tokens := make([]Token, n)
	for i := range tokens {
		tokens[i] = stringToken(base62(i*count/n, width))
	}
	return tokens
}

func base62(v, width int) string {
	var b []byte
	for ; v > 0 || len(b) < width; v /= 62 {
		b = append([]byte{tokenAlphabet[v%62]}, b...)
	}
	return string(b)
}

func (orderPreservingPartitioner) Ownership([]Token) ([]float64, error) { return nil, ErrNoOwnership }

// Offset appends k in base 62, since a string has no next one: the result stands
// right after t. A k of 0 or less gives t.
func (orderPreservingPartitioner) Offset(t Token, k int) Token {
	if k <= 0 {
		return t
	}
	return Token{s: t.s + stringToken(base62(k, 1)).s}
}

// Random gives 16 letters and digits.
// Source: Cassandra 5.0 OrderPreservingPartitioner.getRandomToken.
func (orderPreservingPartitioner) Random(src Source) Token {
	b := make([]byte, 16)
	for i := range b {
		b[i] = tokenAlphabet[src.Uint64()%uint64(len(tokenAlphabet))]
	}
	return stringToken(string(b))
}
