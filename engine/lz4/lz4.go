// Package lz4 compresses blocks as the reference implementation does, to the
// byte, and decompresses them. Libraries of LZ4 in Go find other matches, up to a
// fifth more bytes of them.
// Source: lz4 1.9 LZ4_compress_generic, which lz4-java calls for Cassandra 5.0.
package lz4

import (
	"encoding/binary"
	"math/bits"
)

// Block compresses or measures blocks; it keeps its table between them. The zero
// value is ready.
type Block struct {
	src   []byte
	out   []byte
	size  int
	write bool
	table []uint32 // positions by hash
	wide  bool     // blocks from 64 KiB on hash five bytes
}

const (
	minMatch  = 4
	lastMatch = 12 // no match begins in so many last bytes
	lastBytes = 5  // which are literals
	far       = 65535
	small     = 64<<10 + lastMatch - 1 // shorter blocks hash four bytes
)

// Size is the compressed length of a block.
func (z *Block) Size(src []byte) int {
	z.write = false
	z.run(src)
	return z.size
}

// Append compresses a block behind dst.
func (z *Block) Append(dst, src []byte) []byte {
	z.out, z.write = dst, true
	z.run(src)
	dst, z.out = z.out, nil
	return dst
}

func (z *Block) run(src []byte) {
	z.src, z.wide, z.size = src, len(src) >= small, 0
	slots := 1 << 13
	if z.wide {
		slots = 1 << 12
	}
	if len(z.table) != slots {
		z.table = make([]uint32, slots)
	} else {
		clear(z.table)
	}
	anchor := 0
	if len(src) > lastMatch {
		anchor = z.matches()
	}
	rest := len(src) - anchor
	z.size += 1 + extra(rest) + rest
	if z.write {
		z.out = append(z.out, byte(min(rest, 15)<<4))
		z.out = append(appendExtra(z.out, rest), src[anchor:]...)
	}
	z.src = nil
}

// matches adds all literals and matches but the last literals, which begin at
// anchor.
func (z *Block) matches() (anchor int) {
	src := z.src
	last := len(src) - lastMatch // the last place of a match
	z.table[z.hash(0)] = 0
	ip := 1
	ahead := z.hash(ip)
	for {
		match, found := 0, false
		next, step, tries := ip, 1, 1<<6
		for !found {
			h := ahead
			ip = next
			next += step
			step = tries >> 6
			tries++
			if next > last+1 {
				return anchor
			}
			match = int(z.table[h])
			ahead = z.hash(next)
			z.table[h] = uint32(ip)
			found = z.same(match, ip)
		}
		for ip > anchor && match > 0 && src[ip-1] == src[match-1] {
			ip, match = ip-1, match-1
		}
		for {
			n := z.common(match+minMatch, ip+minMatch)
			z.sequence(src[anchor:ip], ip-match, n)
			ip += n + minMatch
			anchor = ip
			if ip > last {
				return anchor
			}
			z.table[z.hash(ip-2)] = uint32(ip - 2)
			h := z.hash(ip)
			match = int(z.table[h])
			z.table[h] = uint32(ip)
			if !z.same(match, ip) {
				break
			}
		}
		ip++
		ahead = z.hash(ip)
	}
}

// sequence adds literals and a match of minMatch+n bytes that far back.
func (z *Block) sequence(literals []byte, back, n int) {
	k := len(literals)
	z.size += 1 + extra(k) + k + 2 + extra(n)
	if !z.write {
		return
	}
	z.out = append(z.out, byte(min(k, 15)<<4|min(n, 15)))
	z.out = append(appendExtra(z.out, k), literals...)
	z.out = appendExtra(append(z.out, byte(back), byte(back>>8)), n)
}

func (z *Block) hash(at int) uint32 {
	if z.wide {
		return uint32(binary.LittleEndian.Uint64(z.src[at:]) << 24 * 889523592379 >> (64 - 12))
	}
	return binary.LittleEndian.Uint32(z.src[at:]) * 2654435761 >> (32 - 13)
}

// same says whether four bytes stand in both places, near enough.
func (z *Block) same(match, ip int) bool {
	return match+far >= ip && binary.LittleEndian.Uint32(z.src[match:]) == binary.LittleEndian.Uint32(z.src[ip:])
}

// common is how many bytes are the same from two places on, up to the last ones.
func (z *Block) common(a, b int) int {
	n, end := 0, len(z.src)-lastBytes
	for b+n+8 <= end {
		if x := binary.LittleEndian.Uint64(z.src[a+n:]) ^ binary.LittleEndian.Uint64(z.src[b+n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for b+n < end && z.src[a+n] == z.src[b+n] {
		n++
	}
	return n
}

// extra counts the bytes of a length that does not fit into a token.
func extra(n int) int {
	if n < 15 {
		return 0
	}
	return 1 + (n-15)/255
}

func appendExtra(b []byte, n int) []byte {
	if n < 15 {
		return b
	}
	for n -= 15; n >= 255; n -= 255 {
		b = append(b, 255)
	}
	return append(b, byte(n))
}
