package engine_test

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// TestCompressedAsOnARealNode: what a node of 5.0.5 wrote for the same rows, to
// the byte where its library's matches are found the same way. A flush of tables
// with slow compressors uses LZ4; snappy-java ends one chunk a byte later.
func TestCompressedAsOnARealNode(t *testing.T) {
	words := strings.Fields("the quick brown fox jumps over a lazy dog while many small rivers carry blue water to an old quiet sea and nobody counts them today")
	sum := func(i int) string {
		s := md5.Sum([]byte(strconv.Itoa(i)))
		return hex.EncodeToString(s[:])
	}
	values := map[string]func(i int) string{
		"name": func(i int) string { return "some name " + strconv.Itoa(i) },
		"hex": func(i int) (s string) {
			for j := range 6 {
				s += sum(10*i + j)
			}
			return s
		},
		"text": func(i int) string {
			n, _ := new(big.Int).SetString(sum(i), 16)
			var out []string
			for j := range 20 {
				k := new(big.Int).Rsh(n, uint(5*j))
				out = append(out, words[k.Mod(k, big.NewInt(int64(len(words)))).Int64()])
			}
			return strings.Join(out, " ")
		},
	}
	for _, c := range []struct {
		class           string
		chunk           int
		name, hex, text int64 // on disk
		within          float64
	}{
		{"LZ4Compressor", 16, 44137, 297259, 99411, 0},
		{"LZ4Compressor", 64, 41664, 286948, 97277, 0},
		{"SnappyCompressor", 16, 50749, 306106, 79428, 1. / 50000},
		{"DeflateCompressor", 16, 44137, 297259, 99411, 0},
		{"ZstdCompressor", 16, 44137, 297259, 99411, 0},
	} {
		for kind, want := range map[string]int64{"name": c.name, "hex": c.hex, "text": c.text} {
			r, what := newStorageRun(t, nil, fmt.Sprintf("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compression = {'class': '%s', 'chunk_length_in_kb': %d}", c.class, c.chunk), "t")
			rows := 1500
			if kind == "name" {
				rows = 3000
			}
			for i := 0; i < rows && what == ""; i++ {
				what = r.do([]string{fmt.Sprintf("INSERT INTO ks.t (k, v) VALUES (%d, '%s') USING TIMESTAMP %d", i, values[kind](i), 1600000000000000+i)})
			}
			if what != "" {
				t.Fatal(what)
			}
			f := r.flush(t)
			if off := float64(f.OnDisk-want) / float64(want); off > c.within || -off > c.within {
				t.Errorf("%s in chunks of %d KiB, %s: %d bytes on disk, a real node's %d", c.class, c.chunk, kind, f.OnDisk, want)
			}
		}
	}
}

// TestComponentsAsOnARealNode: the files of one flush of n keys.
func TestComponentsAsOnARealNode(t *testing.T) {
	for _, c := range []struct{ n, info, data, filter, index, statistics, summary int64 }{
		{1, 47, 34, 16, 8, 4790, 56},
		{10, 47, 84, 24, 85, 4824, 56},
		{300, 47, 1565, 392, 2695, 5679, 88},
		{1000, 55, 5299, 1264, 9364, 7588, 168},
		{5000, 103, 27041, 6264, 49364, 17143, 680},
		{20000, 295, 108759, 25016, 199364, 10251, 2552},
	} {
		r, what := newStorageRun(t, nil, "CREATE TABLE ks.t (k int PRIMARY KEY, v text)", "t")
		for i := int64(0); i < c.n && what == ""; i++ {
			what = r.do([]string{fmt.Sprintf("INSERT INTO ks.t (k, v) VALUES (%d, 'x') USING TIMESTAMP 1600000000000000", i)})
		}
		if what != "" {
			t.Fatal(what)
		}
		got := map[string]int64{}
		for _, k := range r.flush(t).Components(r.table) {
			got[k.Name] = k.Bytes
		}
		for name, want := range map[string]int64{"CompressionInfo.db": c.info, "Data.db": c.data, "Filter.db": c.filter, "Index.db": c.index, "Summary.db": c.summary, "Statistics.db": c.statistics, "TOC.txt": 92} {
			if got[name] != want {
				t.Errorf("%d keys: %s has %d bytes, a real node's %d", c.n, name, got[name], want)
			}
		}
	}
}
