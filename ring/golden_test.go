package ring_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/ring"
)

// goldenChecks has, by file name, what compares a recording with this package.
var goldenChecks = map[string]func(*goldenRun, []byte) error{
	"tokens_murmur3.json":         tokenVectors,
	"tokens_random.json":          tokenVectors,
	"tokens_byteordered.json":     tokenVectors,
	"tokens_orderpreserving.json": tokenVectors,
	"preimages_murmur3.json":      preimageVectors,
	"names.json":                  nameVectors,
	"token_math.json":             mathVectors,
	"ranges.json":                 rangeVectors,
	"topologies.json":             topologyCases,
	"allocation.json":             allocationRuns,
}

// goldenRun counts cases. A case is named FILE#NUMBER, as KNOWN_DIFFERENCES has it at
// the start of a line, before the reason.
type goldenRun struct {
	t             *testing.T
	file          string
	known         map[string]bool
	passed, total int
}

func (g *goldenRun) check(id string, err error) {
	g.total++
	id = g.file + "#" + id
	switch {
	case err == nil:
		g.passed++
	case g.known[id]:
		g.t.Logf("known difference %s: %v", id, err)
	default:
		g.t.Errorf("%s: %v", id, err)
	}
}

func TestGoldenRing(t *testing.T) {
	run := &goldenRun{t: t, known: knownDifferences(t)}
	defer func() { fmt.Printf("golden ring: %d of %d\n", run.passed, run.total) }()
	run.folder("testdata/golden/ring")
	if extra := os.Getenv("RINGLAB_GOLDEN"); extra != "" {
		folder := filepath.Join(extra, "ring")
		if _, err := os.Stat(folder); err == nil {
			run.folder(folder)
		} else if !os.IsNotExist(err) {
			t.Error(err)
		}
	}
}

func knownDifferences(t *testing.T) map[string]bool {
	known := map[string]bool{}
	f, err := os.Open("testdata/golden/ring/KNOWN_DIFFERENCES")
	if os.IsNotExist(err) {
		return known
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if id, _, _ := strings.Cut(strings.TrimSpace(lines.Text()), " "); id != "" && id[0] != '#' {
			known[id] = true
		}
	}
	return known
}

func (g *goldenRun) folder(root string) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() && strings.HasSuffix(path, ".json") {
			g.recording(path)
		}
		return nil
	})
	if err != nil {
		g.t.Error(err)
	}
}

func (g *goldenRun) recording(path string) {
	g.file = filepath.Base(path)
	compare, known := goldenChecks[g.file]
	if !known {
		g.t.Errorf("%s: no check for a recording of this name", path)
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		g.t.Error(err)
		return
	}
	before := g.total
	defer func() { // a recording whose keys or tokens cannot be read
		if broken := recover(); broken != nil {
			g.t.Errorf("%s: %v", path, broken)
		}
	}()
	if err := compare(g, text); err != nil {
		g.t.Errorf("%s: %v", path, err)
	} else if g.total == before {
		g.t.Errorf("%s: holds no cases", path)
	}
}

// differ collects the fields of one case that are not as recorded.
type differ []string

func (d *differ) same(field string, got, want any) {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		*d = append(*d, fmt.Sprintf("%s is %s, recorded %s", field, g, w))
	}
}

func (d *differ) near(field string, got, want, tolerance float64) {
	if diff := got - want; !(diff <= tolerance && -diff <= tolerance) {
		*d = append(*d, fmt.Sprintf("%s is %v, recorded %v", field, got, want))
	}
}

func (d differ) err() error {
	if len(d) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(d, "; "))
}

// cases decodes a recording, each case by itself.
func cases[C any](text []byte, field string) ([]C, error) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	var list []C
	return list, json.Unmarshal(file[field], &list)
}

func tokenVectors(g *goldenRun, text []byte) error {
	var file struct{ Partitioner string }
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	p, err := ring.ByName(file.Partitioner)
	if err != nil {
		return err
	}
	vectors, err := cases[struct {
		Kind, Value, Key, Token string
		H1, H2                  *string
	}](text, "vectors")
	for i, v := range vectors {
		var d differ
		key := unhex(v.Key)
		d.same("token", p.Format(p.Token(key)), v.Token)
		if v.H1 != nil {
			h1, h2 := ring.Murmur3Hash(key)
			d.same("h1", h1, *v.H1)
			d.same("h2", h2, *v.H2)
		}
		if components := components(v.Kind, v.Value); components != nil {
			d.same("key", hex.EncodeToString(ring.CompositeKey(components)), v.Key)
		}
		if len(key) > 0 && !strings.Contains(v.Token, ",") {
			back, err := p.Parse(v.Token)
			d.same("error of Parse", err, nil)
			d.same("parsed token", back == p.Token(key), true)
		}
		g.check(fmt.Sprint(i), d.err())
	}
	return err
}

func preimageVectors(g *goldenRun, text []byte) error {
	vectors, err := cases[struct {
		Wanted         string `json:"wanted_h1"`
		Key, H1, Token string
	}](text, "vectors")
	for i, v := range vectors {
		var d differ
		h1, _ := ring.Murmur3Hash(unhex(v.Key))
		d.same("h1", h1, v.H1)
		d.same("wanted h1", h1, v.Wanted)
		d.same("token", ring.Murmur3.Format(ring.Murmur3.Token(unhex(v.Key))), v.Token)
		g.check(fmt.Sprint(i), d.err())
	}
	return err
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}
