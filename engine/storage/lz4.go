package storage

import (
	"encoding/binary"
	"math/bits"
)

// lz4Size counts what LZ4's fast compressor makes of a block, to the byte: it
// looks for matches where the reference implementation does and writes nothing.
// Libraries of LZ4 in Go find other matches, up to a fifth more bytes of them.
// Source: lz4 1.9 LZ4_compress_generic, which lz4-java calls for Cassandra 5.0.
type lz4Size struct {
	src   []byte
	table []uint32 // positions by hash
	wide  bool     // blocks from 64 KiB on hash five bytes
}

const (
	lz4MinMatch  = 4
	lz4LastMatch = 12 // no match begins in so many last bytes
	lz4LastBytes = 5  // which are literals
	lz4Far       = 65535
	lz4Small     = 64<<10 + lz4LastMatch - 1 // shorter blocks hash four bytes
)

// size is the compressed length of a block, without the length in front of it.
func (z *lz4Size) size(src []byte) int {
	z.src, z.wide = src, len(src) >= lz4Small
	slots := 1 << 13
	if z.wide {
		slots = 1 << 12
	}
	if len(z.table) != slots {
		z.table = make([]uint32, slots)
	} else {
		clear(z.table)
	}
	out, anchor := 0, 0
	if len(src) > lz4LastMatch {
		out, anchor = z.matches()
	}
	rest := len(src) - anchor
	return out + 1 + lz4Extra(rest) + rest
}

// matches are the bytes of all literals and matches but the last literals, which
// begin at anchor.
func (z *lz4Size) matches() (out, anchor int) {
	src := z.src
	last := len(src) - lz4LastMatch // the last place of a match
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
				return out, anchor
			}
			match = int(z.table[h])
			ahead = z.hash(next)
			z.table[h] = uint32(ip)
			found = z.same(match, ip)
		}
		for ip > anchor && match > 0 && src[ip-1] == src[match-1] {
			ip, match = ip-1, match-1
		}
		literals := ip - anchor
		out += 1 + lz4Extra(literals) + literals
		for {
			n := z.common(match+lz4MinMatch, ip+lz4MinMatch)
			out += 2 + lz4Extra(n)
			ip += n + lz4MinMatch
			anchor = ip
			if ip > last {
				return out, anchor
			}
			z.table[z.hash(ip-2)] = uint32(ip - 2)
			h := z.hash(ip)
			match = int(z.table[h])
			z.table[h] = uint32(ip)
			if !z.same(match, ip) {
				break
			}
			out++ // a match right behind a match
		}
		ip++
		ahead = z.hash(ip)
	}
}

func (z *lz4Size) hash(at int) uint32 {
	if z.wide {
		return uint32(binary.LittleEndian.Uint64(z.src[at:]) << 24 * 889523592379 >> (64 - 12))
	}
	return binary.LittleEndian.Uint32(z.src[at:]) * 2654435761 >> (32 - 13)
}

// same says whether four bytes stand in both places, near enough.
func (z *lz4Size) same(match, ip int) bool {
	return match+lz4Far >= ip && binary.LittleEndian.Uint32(z.src[match:]) == binary.LittleEndian.Uint32(z.src[ip:])
}

// common is how many bytes are the same from two places on, up to the last ones.
func (z *lz4Size) common(a, b int) int {
	n, end := 0, len(z.src)-lz4LastBytes
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

// lz4Extra are the bytes of a length that does not fit into a token.
func lz4Extra(n int) int {
	if n < 15 {
		return 0
	}
	return 1 + (n-15)/255
}
