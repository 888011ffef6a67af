package types

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type goldenEntry struct {
	CQL    string
	Class  string
	Sorted []struct {
		Hex, Literal, String string
		Equal                bool `json:"equal_to_previous"`
	}
}

// goldenFiles lists the recorded orders: the copy here, and what RINGLAB_GOLDEN
// adds. Files other than .json are ignored; a missing folder is fine.
func goldenFiles(t *testing.T) []string {
	roots := []string{"testdata/golden/comparators"}
	if dir := os.Getenv("RINGLAB_GOLDEN"); dir != "" {
		roots = append(roots, filepath.Join(dir, "comparators"))
	}
	var files []string
	for _, root := range roots {
		if _, err := os.Stat(root); os.IsNotExist(err) {
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".json" {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestGoldenComparators checks order, literal and text of every recorded value.
func TestGoldenComparators(t *testing.T) {
	known := knownDifferences(t)
	passed, total := 0, 0
	for _, file := range goldenFiles(t) {
		var entries []goldenEntry
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &entries)
		}
		if err != nil || len(entries) == 0 {
			t.Errorf("%s: empty or unreadable: %v", file, err)
			continue
		}
		for _, e := range entries {
			total++
			problems := checkComparator(e)
			if len(problems) == 0 {
				passed++
				continue
			}
			if !known[e.CQL] {
				t.Errorf("%s: %s:\n  %s", file, e.CQL, strings.Join(problems, "\n  "))
			}
		}
	}
	fmt.Printf("golden comparators: %d of %d\n", passed, total)
}

// knownDifferences reads "name: reason" lines.
func knownDifferences(t *testing.T) map[string]bool {
	data, err := os.ReadFile("testdata/golden/comparators/KNOWN_DIFFERENCES")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(data), "\n") {
		if name, _, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			known[name] = true
		}
	}
	return known
}

func checkComparator(e goldenEntry) (problems []string) {
	c, err := ParseMarshal(e.Class)
	if err != nil {
		return []string{err.Error()}
	}
	if strings.HasPrefix(e.CQL, "(") {
		if c.Aliases == nil && c.MarshalName() != e.Class {
			problems = append(problems, "class "+c.MarshalName())
		}
	} else if parsed, err := Parse(e.CQL, nil); err != nil || parsed.MarshalName() != e.Class {
		problems = append(problems, fmt.Sprintf("Parse: %v %v", parsed, err))
	}
	values := make([][]byte, len(e.Sorted))
	rank := make([]int, len(e.Sorted))
	for i, v := range e.Sorted {
		if values[i], err = hex.DecodeString(v.Hex); err != nil {
			return []string{err.Error()}
		}
		if i > 0 {
			rank[i] = rank[i-1]
			if !v.Equal {
				rank[i]++
			}
		}
		literal := c.Literal(values[i])
		if v.Hex == "" {
			literal = "" // recorded as nothing for the empty value of any type
		}
		if literal != v.Literal {
			problems = append(problems, fmt.Sprintf("%s: literal %q, want %q", v.Hex, literal, v.Literal))
		}
		if s := c.Raw(values[i]); s != v.String {
			problems = append(problems, fmt.Sprintf("%s: string %q, want %q", v.Hex, s, v.String))
		}
	}
	for i := range values {
		for j := range values {
			if got, want := c.Compare(values[i], values[j]), cmp.Compare(rank[i], rank[j]); sign(got) != want {
				problems = append(problems, fmt.Sprintf("compare %x %x = %d, want %d", values[i], values[j], got, want))
			}
		}
	}
	return problems
}

func sign(n int) int { return cmp.Compare(n, 0) }
