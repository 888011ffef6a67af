package admin

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/figure"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "calc", Group: "load, review", Usage: "[FORMULA k=v…]", Help: "the design formulas with their numbers, by name or label (F1 to F7); alone: list them", Run: calc})
}

// formula is one rule of thumb of data modeling, with what it takes.
type formula struct {
	name string
	args string
	help string
	run  func(n numbers) ([][]string, error)
}

// numbers are a formula's arguments; asking for one that is missing is an error
// of the whole formula.
type numbers struct {
	given   map[string]string
	missing *[]string
}

func (n numbers) get(key string) float64 {
	text, ok := n.given[key]
	if !ok {
		*n.missing = append(*n.missing, key)
		return 1
	}
	unit := 1.0
	for suffix, u := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} {
		if strings.HasSuffix(text, suffix) {
			unit = u
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(text, "kMGT"), "_", ""), 64)
	if err != nil || v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		*n.missing = append(*n.missing, key+" (a number, not "+text+")")
		return 1
	}
	if v *= unit; v > mostNumber {
		*n.missing = append(*n.missing, key+" (at most 10^18, not "+text+")")
		return 1
	}
	return v
}

// sum is a number, or several joined by commas.
func (n numbers) sum(key string) (all float64) {
	given := n.given[key]
	if !strings.Contains(given, ",") {
		return n.get(key)
	}
	for _, part := range strings.Split(given, ",") {
		all += numbers{map[string]string{key: part}, n.missing}.get(key)
	}
	return all
}

func (n numbers) sumOr(key string, def float64) float64 {
	if _, ok := n.given[key]; !ok {
		return def
	}
	return n.sum(key)
}

func (n numbers) or(key string, def float64) float64 {
	if _, ok := n.given[key]; !ok {
		return def
	}
	return n.get(key)
}

// mostNumber is the largest number that a formula takes.
const mostNumber = 1e18

// num prints a number with commas, and decimals only where there are some.
func num(v float64) string {
	if v != math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return figure.Whole(v)
}

var formulas = []formula{
	{"cells", "rows columns key [clustering] [static]", "F1: values in a partition, rows × (columns − key − static) + static", cellsFormula},
	{"bytes", "rows key regular [clustering] [static] [values] [columns]", "F2: partition size as published, and with the clustering repeated per cell (before 3.0); sizes of several columns are joined by commas", bytesFormula},
	{"rate", "rows hours", "F3: events an hour that fill a bucket of that many rows", func(n numbers) ([][]string, error) {
		rows, hours := n.get("rows"), n.get("hours")
		return [][]string{{"rate", fmt.Sprintf("floor(%s / %s)", num(rows), num(hours)), num(math.Floor(rows / hours)), "events an hour"}}, nil
	}},
	{"buckets", "rows [most]", "F4: buckets that keep a partition at 100,000 rows", func(n numbers) ([][]string, error) {
		rows, most := n.get("rows"), n.or("most", 100000)
		return [][]string{{"buckets", fmt.Sprintf("ceil(%s / %s)", num(rows), num(most)), num(math.Ceil(rows / most)), "at least"}}, nil
	}},
	{"rebucket", "from to", "F4: share of rows whose bucket, hash modulo the number of buckets, changes with that number", rebucketFormula},
	{"quorum", "rf=3 or rf=dc1:3,dc2:2", "F5: acks of QUORUM, LOCAL_QUORUM and EACH_QUORUM", nil},
	{"overlap", "write read rf", "F5: whether every read meets the newest write: write + read > rf", func(n numbers) ([][]string, error) {
		w, r, rf := n.get("write"), n.get("read"), n.get("rf")
		word, sign := "every read meets the newest write", ">"
		if w+r <= rf {
			word, sign = "a read may miss the write", "≤"
		}
		return [][]string{{"overlap", fmt.Sprintf("%s + %s %s %s", num(w), num(r), sign, num(rf)), strconv.FormatBool(w+r > rf), word}}, nil
	}},
	{"compaction", "bytes [throughput]", "F6: seconds to compact that many bytes at a throughput cap in bytes a second", func(n numbers) ([][]string, error) {
		b, t := n.get("bytes"), n.or("throughput", 64<<20)
		if t == 0 {
			return nil, fmt.Errorf("throughput 0 is no cap: then the disk decides")
		}
		return [][]string{{"seconds", fmt.Sprintf("%s / %s", num(b), num(t)), num(b / t), "at the cap"}}, nil
	}},
	{"reads", "fanout", "F7: partitions read by a query that looks up that many others", func(n numbers) ([][]string, error) {
		f := n.get("fanout")
		return [][]string{{"partitions", fmt.Sprintf("1 + %s", num(f)), num(1 + f), "reads"}}, nil
	}},
	{"load", "writes [reads] [rf] [nodes] [peak]", "operations a day as operations a second, over all replicas, per node and at peak, a multiple", loadFormula},
}

func cellsFormula(n numbers) ([][]string, error) {
	rows, columns, key, clustering, static := n.get("rows"), n.get("columns"), n.get("key"), n.or("clustering", 0), n.or("static", 0)
	var out [][]string
	for _, c := range []struct {
		name string
		key  float64
	}{{"deck", key}, {"full key", key + clustering}} {
		per := columns - c.key - static
		if per < 0 {
			return nil, fmt.Errorf("a table of %s columns cannot have %s key and %s static ones", num(columns), num(c.key), num(static))
		}
		cells := float64(rows*per) + static
		most := "rows are free"
		if per > 0 {
			most = "at most " + num(math.Floor((schema.GuideCells-1-static)/per)) + " rows for fewer than 1,000,000 cells"
		}
		out = append(out, []string{c.name, fmt.Sprintf("%s × (%s − %s − %s) + %s", num(rows), num(columns), num(c.key), num(static), num(static)), num(cells), most})
	}
	return out, nil
}

// rebucketFormula counts the hashes that keep their bucket: of as many as the
// common multiple of both numbers, those below the smaller number.
func rebucketFormula(n numbers) ([][]string, error) {
	from, to := n.get("from"), n.get("to")
	for _, v := range []float64{from, to} {
		if v < 1 || v > 1e6 || v != math.Trunc(v) {
			return nil, fmt.Errorf("a number of buckets is a whole number from 1 to 1,000,000, not %s", num(v))
		}
	}
	common, rest := int64(from), int64(to)
	for rest != 0 {
		common, rest = rest, common%rest
	}
	multiple := float64(from*to) / float64(common)
	stay := math.Min(from, to)
	return [][]string{{"moved", fmt.Sprintf("1 - %s/%s", num(stay), num(multiple)), fmt.Sprintf("%.2f%%", (1-stay/multiple)*100), "of the rows"}}, nil
}

func bytesFormula(n numbers) ([][]string, error) {
	rows, key, regular, clustering, static := n.get("rows"), n.sum("key"), n.sum("regular"), n.sumOr("clustering", 0), n.sumOr("static", 0)
	values, columns := n.or("values", 0), n.or("columns", float64(1+strings.Count(n.given["regular"], ",")))
	published := key + static + float64(rows*(regular+clustering)) + float64(8*values)
	printed := key + static + float64(rows*(regular+float64(columns*clustering))) + float64(8*values)
	return [][]string{
		{"published", fmt.Sprintf("%s + %s + %s × (%s + %s) + 8 × %s", num(key), num(static), num(rows), num(regular), num(clustering), num(values)), num(published), "bytes"},
		{"as printed", fmt.Sprintf("%s + %s + %s × (%s + %s × %s) + 8 × %s", num(key), num(static), num(rows), num(regular), num(columns), num(clustering), num(values)), num(printed),
			"bytes; the clustering repeats per cell only before 3.0"},
	}, nil
}

func loadFormula(n numbers) ([][]string, error) {
	const day = 86400
	writes, reads, rf, nodes := n.get("writes"), n.or("reads", 0), n.or("rf", 1), n.or("nodes", 0)
	out := [][]string{
		{"writes", fmt.Sprintf("%s / 86,400", num(writes)), num(math.Round(writes / day)), "a second"},
		{"replica writes", fmt.Sprintf("%s × %s / 86,400", num(writes), num(rf)), num(math.Round(writes * rf / day)), "a second"},
	}
	if reads > 0 {
		out = append(out, []string{"reads", fmt.Sprintf("%s / 86,400", num(reads)), num(math.Round(reads / day)), "a second"})
	}
	if peak := n.or("peak", 0); peak > 0 {
		out = append(out, []string{"peak writes", fmt.Sprintf("%s × %s / 86,400", num(writes), num(peak)), num(math.Round(float64(writes*peak) / day)), "a second"},
			[]string{"peak replica writes", fmt.Sprintf("%s × %s × %s / 86,400", num(writes), num(rf), num(peak)), num(math.Round(float64(writes*rf*peak) / day)), "a second"})
	}
	if nodes > 0 {
		out = append(out, []string{"per node", fmt.Sprintf("(%s × %s + %s) / 86,400 / %s", num(writes), num(rf), num(reads), num(nodes)),
			num(math.Round((float64(writes*rf)+reads)/day/nodes*10) / 10), "operations a second"})
	}
	return out, nil
}

// quorumFormula reads replication factors by data center.
func quorumFormula(text string) ([][]string, error) {
	total := 0
	var rows [][]string
	each := 0
	for _, part := range strings.Split(text, ",") {
		dc, factor, ok := strings.Cut(part, ":")
		if !ok {
			dc, factor = "", part
		}
		rf, err := strconv.Atoi(factor)
		if err != nil || rf < 0 {
			return nil, fmt.Errorf("rf is a number, or dc:number pairs joined by commas, not %q", text)
		}
		total += rf
		each += rf/2 + 1
		if dc != "" {
			rows = append(rows, []string{"LOCAL_QUORUM in " + dc, fmt.Sprintf("floor(%d/2) + 1", rf), strconv.Itoa(rf/2 + 1), fmt.Sprintf("survives %d down there", rf-rf/2-1)})
		}
	}
	if len(rows) > 1 {
		rows = append(rows, []string{"EACH_QUORUM", "a quorum in every data center", strconv.Itoa(each), ""})
	}
	return append([][]string{{"QUORUM", fmt.Sprintf("floor(%d/2) + 1", total), strconv.Itoa(total/2 + 1), fmt.Sprintf("survives %d down", total-total/2-1)}}, rows...), nil
}

func calc(_ *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) == 0 {
		var rows [][]string
		for _, f := range formulas {
			rows = append(rows, []string{f.name, f.args, f.help})
		}
		return table("formula arguments what", rows), nil
	}
	var asked []formula
	for _, f := range formulas {
		if f.name == a.Words[0] {
			asked = []formula{f}
			break
		}
		if strings.HasPrefix(f.help, strings.ToUpper(a.Words[0])+":") {
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		return nil, fmt.Errorf("there is no formula %s; `:calc` lists them", a.Words[0])
	}
	var rows [][]string
	var refused error
	for _, f := range asked { // of a label: those whose arguments are there
		more, err := f.with(a.Named)
		rows = append(rows, more...)
		if refused == nil {
			refused = err
		}
	}
	if rows == nil {
		return nil, refused
	}
	return table("rule formula value note", rows), nil
}

// with evaluates a formula.
func (f *formula) with(named map[string]string) ([][]string, error) {
	if f.run == nil {
		return quorumFormula(named["rf"])
	}
	var missing []string
	rows, err := f.run(numbers{named, &missing})
	if len(missing) > 0 {
		sort.Strings(missing)
		return nil, fmt.Errorf(":calc %s takes %s; missing: %s", f.name, f.args, strings.Join(missing, ", "))
	}
	return rows, err
}
