package lz4

import "errors"

// ErrCorrupt says that a block is none, or of another length.
var ErrCorrupt = errors.New("corrupt LZ4 block")

// Decode decompresses a block that holds exactly size bytes.
func Decode(src []byte, size int) ([]byte, error) {
	// A byte stands for at most 255 others: a small block cannot ask for much memory.
	if size < 0 || size > (len(src)+1)*255 {
		return nil, ErrCorrupt
	}
	out := make([]byte, 0, size)
	for at := 0; at < len(src); {
		token := src[at]
		at++
		literals, ok := length(src, &at, int(token>>4))
		if !ok || literals > len(src)-at || literals > size-len(out) {
			return nil, ErrCorrupt
		}
		out = append(out, src[at:at+literals]...)
		if at += literals; at == len(src) {
			break
		}
		if at+2 > len(src) {
			return nil, ErrCorrupt
		}
		back := int(src[at]) | int(src[at+1])<<8
		at += 2
		n, ok := length(src, &at, int(token&15))
		n += minMatch
		if !ok || back == 0 || back > len(out) || n > size-len(out) {
			return nil, ErrCorrupt
		}
		for from := len(out) - back; n > 0; { // the match may run into itself
			k := min(n, len(out)-from)
			out = append(out, out[from:from+k]...)
			n -= k
		}
	}
	if len(out) != size {
		return nil, ErrCorrupt
	}
	return out, nil
}

// length reads a length whose first part stands in the token.
func length(src []byte, at *int, n int) (int, bool) {
	if n < 15 {
		return n, true
	}
	for {
		if *at >= len(src) || n > 1<<30 {
			return 0, false
		}
		b := src[*at]
		*at++
		n += int(b)
		if b < 255 {
			return n, true
		}
	}
}
