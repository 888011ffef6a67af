package native

import (
	"encoding/binary"
	"strings"

	"github.com/golang/snappy"

	"ringlab/engine/lz4"
)

// Compressor compresses the bodies of versions 3 and 4.
type Compressor interface {
	// Append compresses a body behind dst.
	Append(dst, body []byte) []byte
	// Decode decompresses a body of at most most bytes.
	Decode(body []byte, most int) ([]byte, *Error)
}

// CompressionNames are the algorithms that SUPPORTED lists.
var CompressionNames = []string{"snappy", "lz4"}

// FindCompressor finds an algorithm by its name in any case; "" and nil without
// a name. Version 5 has LZ4 alone, in its segments.
// Source: Cassandra 5.0 StartupMessage.execute.
func FindCompressor(name string, v Version) (Compressor, *Error) {
	switch strings.ToLower(name) {
	case "":
		return nil, nil
	case "lz4":
		return &lz4Body{}, nil
	case "snappy":
		if v.Segmented() {
			return nil, protocolError("Snappy compression is not supported in protocol V5")
		}
		return snappyBody{}, nil
	}
	return nil, protocolError("Unknown compression algorithm: %s", name)
}

// Compress compresses the body of an envelope behind dst.
func Compress(c Compressor, dst, envelope []byte) []byte {
	h := ParseHeader(envelope)
	h.Flags |= Compressed
	at := len(dst)
	dst = c.Append(append(dst, envelope[:HeaderSize]...), envelope[HeaderSize:])
	h.Length = len(dst) - at - HeaderSize
	h.Append(dst[:at])
	return dst
}

// lz4Body is a length and a block.
type lz4Body struct{ z lz4.Block }

func (c *lz4Body) Append(dst, body []byte) []byte {
	return c.z.Append(appendInt(dst, len(body)), body)
}

func (c *lz4Body) Decode(body []byte, most int) ([]byte, *Error) {
	if len(body) < 4 {
		return nil, protocolError("a compressed body of %d bytes has no length", len(body))
	}
	n := int(int32(binary.BigEndian.Uint32(body)))
	if n < 0 || n > most {
		return nil, protocolError("a compressed body says that it holds %d bytes; at most %d are allowed", n, most)
	}
	out, err := lz4.Decode(body[4:], n)
	if err != nil {
		return nil, protocolError("%s", err)
	}
	return out, nil
}

type snappyBody struct{}

func (snappyBody) Append(dst, body []byte) []byte { return append(dst, snappy.Encode(nil, body)...) }

func (snappyBody) Decode(body []byte, most int) ([]byte, *Error) {
	n, err := snappy.DecodedLen(body)
	if err != nil || n > most {
		return nil, protocolError("a compressed body says that it holds %d bytes; at most %d are allowed", n, most)
	}
	out, err := snappy.Decode(nil, body)
	if err != nil {
		return nil, protocolError("%s", err)
	}
	return out, nil
}
