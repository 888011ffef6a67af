package ring

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
)

// byteOrderedPartitioner keeps rows in the order of their key bytes: the token is
// the key, the minimum the empty key. Ranges have no size of their own.
// Source: Cassandra 5.0 ByteOrderedPartitioner.
type byteOrderedPartitioner struct{}

func (byteOrderedPartitioner) Name() string { return "ByteOrderedPartitioner" }

func (byteOrderedPartitioner) Token(key []byte) Token { return Token{s: string(key)} }

func (byteOrderedPartitioner) Minimum() Token { return Token{} }

// Parse reads hexadecimal digits; an odd number of them gets a leading 0.
func (byteOrderedPartitioner) Parse(text string) (Token, error) {
	if len(text)%2 == 1 {
		text = "0" + text
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return Token{}, configErrorf("Token %s contains non-hex digits", text)
	}
	return Token{s: string(b)}, nil
}

func (byteOrderedPartitioner) Format(t Token) string { return hex.EncodeToString([]byte(t.s)) }

func (byteOrderedPartitioner) Midpoint(l, r Token) Token {
	return Token{s: midString(l.s, r.s, 1)}
}

// midString halves the range between two strings of big-endian units of unitBytes
// bytes, padded with zeros to one length; a dropped half becomes one more unit.
// Source: Cassandra 5.0 ByteOrderedPartitioner.midpoint, OrderPreservingPartitioner.midpoint.
func midString(l, r string, unitBytes int) string {
	n := max(len(l), len(r))
	mid, odd := midpoint(padded(l, n), padded(r, n), uint(8*n))
	b := mid.FillBytes(make([]byte, n))
	if odd {
		b = append(b, 0x80)
		b = append(b, make([]byte, unitBytes-1)...)
	}
	return string(b)
}

func padded(s string, n int) *big.Int {
	b := make([]byte, n)
	copy(b, s)
	return new(big.Int).SetBytes(b)
}

func (byteOrderedPartitioner) Split(Token, Token, float64) (Token, error) {
	return Token{}, noAllocation("BytesToken")
}

func (byteOrderedPartitioner) Size(Token, Token) (float64, error) {
	return 0, noAllocation("BytesToken")
}

// Even gives floor(2^16*i/n) as two bytes; above 65536 nodes floor(2^32*i/n) as four.
func (byteOrderedPartitioner) Even(n int) []Token {
	tokens := make([]Token, n)
	for i := range tokens {
		if n > 1<<16 {
			tokens[i].s = string(binary.BigEndian.AppendUint32(nil, uint32(i<<32/n)))
		} else {
			tokens[i].s = string(binary.BigEndian.AppendUint16(nil, uint16(i<<16/n)))
		}
	}
	return tokens
}

func (byteOrderedPartitioner) Ownership([]Token) ([]float64, error) { return nil, ErrNoOwnership }

// Offset takes the next token of the same length k times; all 0xff grow by a zero
// byte. A negative k counts as 0.
// Source: Cassandra 5.0 ByteOrderedPartitioner.BytesToken.nextValidToken.
func (byteOrderedPartitioner) Offset(t Token, k int) Token {
	b := []byte(t.s)
	for ; k > 0; k-- {
		i := len(b) - 1
		for i >= 0 && b[i] == 0xff {
			i--
		}
		if i < 0 {
			b = append(b, 0)
			continue
		}
		b[i]++
		clear(b[i+1:])
	}
	return Token{s: string(b)}
}

// Random gives 16 random bytes.
func (byteOrderedPartitioner) Random(src Source) Token {
	b := binary.BigEndian.AppendUint64(nil, src.Uint64())
	return Token{s: string(binary.BigEndian.AppendUint64(b, src.Uint64()))}
}
