package workspace

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// signatures are the first bytes of files that are often named by mistake.
var signatures = []struct{ prefix, seems string }{
	{"SQLite format 3\x00", "a SQLite database"},
	{"PK\x03\x04", "a ZIP archive"},
	{"\x1f\x8b", "a gzip file"},
	{"\x28\xb5\x2f\xfd", "a Zstandard file"},
	{"BZh", "a bzip2 file"},
	{"\xfd7zXZ\x00", "an xz file"},
	{"%PDF-", "a PDF document"},
	{"\x89PNG\r\n", "a PNG picture"},
	{"\xff\xd8\xff", "a JPEG picture"},
	{"\x7fELF", "a program"},
	{"MZ", "a program"},
	{"\xcf\xfa\xed\xfe", "a program"},
	{"ringlab lock\n", "the lock file of a workspace"},
}

// sniff says what a file that is not a workspace seems to be.
func sniff(r io.ReaderAt, size int64) string {
	if size == 0 {
		return "an empty file"
	}
	b := make([]byte, min(size, 4096))
	n, err := r.ReadAt(b, 0)
	if n == 0 && err != nil {
		return "a file that cannot be read"
	}
	b = b[:n]
	for _, s := range signatures {
		if bytes.HasPrefix(b, []byte(s.prefix)) {
			return s.seems
		}
	}
	switch {
	case hasBoltMagic(b):
		return "a bbolt database of another program"
	case len(bytes.Trim(b, "\x00")) == 0:
		return "a file of zeros"
	case isText(b):
		return "a text file"
	}
	return "a file of an unknown sort"
}

// hasBoltMagic reports whether b begins as a bbolt file does.
func hasBoltMagic(b []byte) bool {
	return len(b) >= pageHead+4 && native.Uint32(b[pageHead:]) == boltMagic
}

// isText reports whether b is UTF-8 without control characters. A character may be cut at its end.
func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			return len(b) < utf8.UTFMax && !utf8.FullRune(b)
		}
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1b {
			return false
		}
		b = b[n:]
	}
	return true
}
