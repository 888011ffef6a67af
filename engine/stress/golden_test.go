package stress

import (
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// lines are the lines of a recording.
func lines(t testing.TB, name string) []string {
	b, err := os.ReadFile("testdata/golden/stress/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

// table makes a table k.t: of each column its name, type and kind.
func table(t testing.TB, columns ...string) *schema.Table {
	out := &schema.Table{Keyspace: "k", Name: "t"}
	for i, text := range columns {
		f := strings.Fields(text)
		typ, err := types.Parse(f[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &schema.Column{ID: uint16(i), Name: f[0], Type: typ, Kind: schema.Regular}
		if len(f) > 2 {
			c.Kind = map[string]schema.Kind{"key": schema.PartitionKey, "clustering": schema.Clustering, "static": schema.Static}[f[2]]
		}
		to := map[schema.Kind]*[]*schema.Column{schema.PartitionKey: &out.Key, schema.Clustering: &out.Clustering, schema.Static: &out.Static, schema.Regular: &out.Regular}[c.Kind]
		*to = append(*to, c)
	}
	out.NextID = uint16(len(columns))
	return out.Finish()
}

// load is a load that only inserts.
func load(t testing.TB, n int64, profile string, tab *schema.Table) *Load {
	p, err := ParseProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLoad(p, tab, Options{N: n, Ops: []OpRatio{{"insert", 1}}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestGoldenDistributions compares the draws of each family.
func TestGoldenDistributions(t *testing.T) {
	known := map[string]bool{}
	for _, line := range lines(t, "KNOWN_DIFFERENCES") {
		known[line[:strings.LastIndex(line, ": ")]] = true
	}
	bits := regexp.MustCompile(`[0-9a-f]{2} \||[0-9a-f]{2}$`)
	same, all := 0, lines(t, "distributions.txt")
	for _, line := range all {
		name, _, _ := strings.Cut(line, " ")
		s, err := ParseSpec(name)
		if err != nil {
			t.Fatal(err)
		}
		d := s.New()
		var b strings.Builder
		fmt.Fprintf(&b, "%s min=%d max=%d average=%d", name, Min(d), Max(d), average(d))
		for _, seed := range []int64{0, 1, -3, 42, 123456789012345} {
			d.Seed(seed)
			b.WriteString(" |")
			for range 6 {
				fmt.Fprintf(&b, " %d", d.Next())
			}
			d.Seed(seed)
			fmt.Fprintf(&b, " %x", math.Float64bits(d.NextDouble()))
		}
		switch got, known := b.String(), known["distributions.txt: "+name]; {
		case got != line && !known:
			t.Errorf("got  %s\nwant %s", got, line)
		case got == line && known:
			t.Errorf("%s is equal: its line in KNOWN_DIFFERENCES is stale", name)
		case got != line && bits.ReplaceAllString(got, "") != bits.ReplaceAllString(line, ""):
			t.Errorf("more than the last bits differ:\ngot  %s\nwant %s", got, line)
		case got == line:
			same++
		}
	}
	t.Logf("golden stress distributions: %d of %d", same, len(all))
}

const typesProfile = `
keyspace: k
table: t
columnspec:
- {name: v_blob, size: GAUSSIAN(0..300)}
- {name: v_text, size: EXP(1..2K)}
`

const wideProfile = `
keyspace: k
table: t
columnspec:
- {name: b, population: gauss(1..20000)}
- {name: c, cluster: uniform(1..5)}
- {name: d, population: uniform(1..4), cluster: exp(1..8)}
- {name: v, population: uniform(1..10), size: fixed(12)}
- {name: w, population: ~exp(1..100)}
`

// TestGoldenRows compares the rows of whole partitions.
func TestGoldenRows(t *testing.T) {
	columns := []string{"k text key"}
	for _, c := range strings.Fields("bigint blob boolean date decimal double float inet int smallint text time timestamp timeuuid tinyint uuid varint") {
		columns = append(columns, "v_"+c+" "+c)
	}
	for _, c := range []struct {
		name       string
		partitions int64
		load       *Load
	}{
		{"types.txt", 6, load(t, 6, typesProfile, table(t, columns...))},
		{"wide.txt", 8, load(t, 8, wideProfile, table(t, "a uuid key", "b date key", "c timestamp clustering", "d int clustering", "v text", "w double"))},
	} {
		var got []string
		var op Operation
		for c.load.Next(&op) {
			for _, r := range op.Rows {
				var words []string
				for _, v := range slices.Concat(r.Key, r.Clustering, r.Values) {
					if len(v) == 0 {
						words = append(words, "-")
						continue
					}
					words = append(words, hex.EncodeToString(v))
				}
				got = append(got, strings.Join(words, " "))
			}
		}
		want, same := lines(t, c.name), 0
		for i := range max(len(want), len(got)) {
			switch {
			case i >= len(want) || i >= len(got):
				t.Errorf("%s: %d rows, want %d", c.name, len(got), len(want))
			case got[i] != want[i]:
				t.Errorf("%s:%d\ngot  %s\nwant %s", c.name, i+1, got[i], want[i])
				continue
			default:
				same++
				continue
			}
			break
		}
		t.Logf("golden stress %s: %d of %d", c.name, same, len(want))
	}
}
