package engine_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/engine/native"
)

// protocolFile is one recording of frames; its README explains the fields.
type protocolFile struct {
	Exchanges []protocolExchange
}

type protocolExchange struct {
	ID       string
	Version  int
	Frames   []protocolFrame
	Volatile []string
	Type     string `json:"cql_type"`
	Literal  string
}

type protocolFrame struct {
	Dir          string
	Envelope     string
	Wire         string
	Connection   string
	Decompressed string `json:"decompressed_body"`
	SHA256       string `json:"envelope_sha256"`
	Segments     []struct{ Header string }
	Decoded      *struct {
		Opcode any
		Body   struct{ Message string }
	}
}

func (f *protocolFrame) bytes(t *testing.T) []byte { return unhex(t, f.Envelope) }

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatalf("%v: %.40s", err, text)
	}
	return b
}

// codec decodes a frame and encodes it again; "" if the bytes are the same.
func (f *protocolFrame) codec(t *testing.T) string {
	envelope := f.bytes(t)
	if len(envelope) < native.HeaderSize {
		return ""
	}
	first := envelope[0]
	if refused := native.Refusal(first, native.Flags(envelope[1])); refused != nil || first&0x7f < 3 {
		return "" // the answer is compared when it is replayed
	}
	h := native.ParseHeader(envelope)
	body := envelope[native.HeaderSize:]
	var compressor native.Compressor
	if h.Flags&native.Compressed != 0 {
		compressor, _ = native.FindCompressor("lz4", h.Version)
		plain, err := compressor.Decode(body, 1<<20)
		if err != nil {
			return err.Error()
		}
		if got := hex.EncodeToString(plain); got != f.Decompressed {
			return "decompressed " + got
		}
		body = plain
	}
	frame, err := native.Decode(h, body)
	if err != nil {
		// Only what a node refuses to decode is recorded without its parts.
		if f.Dir == "request" && refusedAsRecorded[err.Message] {
			return ""
		}
		return err.Error()
	}
	again := frame.Append(nil)
	if compressor != nil && f.Dir == "response" { // requests come from another compressor
		again = native.Compress(compressor, nil, again)
	} else if compressor != nil {
		envelope = append(append([]byte{}, envelope[:native.HeaderSize]...), body...)
		envelope[1] &^= byte(native.Compressed)
		plain := h
		plain.Flags &^= native.Compressed
		plain.Length = len(body)
		plain.Append(envelope[:0])
	}
	if !bytes.Equal(again, envelope) {
		return fmt.Sprintf("encoded again\n    %x, expected\n    %x", again, envelope)
	}
	return ""
}

// refusedAsRecorded are the complaints about requests that a node refuses to
// decode; that they are answered so is checked by replaying them.
var refusedAsRecorded = map[string]bool{
	"Unknown opcode 17": true, "Invalid BATCH message type 3": true, "Invalid query kind in BATCH messages. Must be 0 or 1 but got 2": true,
	"Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 8 (RESULT)": true,
	"Unknown code 99 for a consistency level":                                         true, "The page size cannot be 0": true,
	"Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4":                                   true,
	"Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got -9223372036854775808)": true,
}

// segments takes the segments of a frame apart and puts them together again; ""
// if the bytes are the same and hold the frame.
func (f *protocolFrame) segments(t *testing.T, compressed bool) string {
	wire := unhex(t, f.Wire)
	s := &native.Segmenter{LZ4: compressed}
	var all []byte
	for rest := wire; len(rest) > 0; {
		if len(rest) < s.HeaderSize() {
			return "the last segment has no whole header"
		}
		g, err := s.ParseHeader(rest[:s.HeaderSize()], "channel")
		if err != nil {
			return err.Message
		}
		rest = rest[s.HeaderSize():]
		payload, err := s.Payload(g, rest[:g.Size+s.Trailer()], "channel")
		if err != nil {
			return err.Message
		}
		all = append(all, payload...)
		rest = rest[g.Size+s.Trailer():]
	}
	if !bytes.Contains(all, f.bytes(t)) {
		return fmt.Sprintf("the segments hold %x, expected %s in it", all, f.Envelope)
	}
	// The recorder compresses no request.
	if again := s.Append(nil, all); !bytes.Equal(again, wire) && !(compressed && f.Dir == "request") {
		return fmt.Sprintf("segments again\n    %x, expected\n    %x", again, wire)
	}
	return ""
}

// protocolFiles reads the recordings here and those of $RINGLAB_GOLDEN.
func protocolFiles(t *testing.T) map[string]*protocolFile {
	names, _ := filepath.Glob("testdata/golden/protocol/*.json")
	if more := os.Getenv("RINGLAB_GOLDEN"); more != "" {
		err := filepath.WalkDir(filepath.Join(more, "protocol"), func(path string, d os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".json") {
				names = append(names, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]*protocolFile{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := &protocolFile{}
		if err := json.Unmarshal(text, f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(f.Exchanges) == 0 {
			t.Errorf("%s holds no exchange", name)
		}
		out[name] = f
	}
	return out
}

func TestGoldenProtocolFrames(t *testing.T) {
	for name, f := range protocolFiles(t) {
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		for i := range f.Exchanges {
			e := &f.Exchanges[i]
			for k := range e.Frames {
				fr := &e.Frames[k]
				if fr.Envelope == "" {
					continue
				}
				if diff := fr.codec(t); diff != "" {
					t.Errorf("%s %s %d: %s", base, e.ID, k, diff)
				}
				if fr.Wire == "" || strings.HasSuffix(e.ID, "-crc-mismatch") && fr.Dir == "request" {
					continue
				}
				if diff := fr.segments(t, strings.HasPrefix(e.ID, "lz4")); diff != "" {
					t.Errorf("%s %s %d: %s", base, e.ID, k, diff)
				}
			}
		}
	}
}
