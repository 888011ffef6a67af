package query

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// outcome is what a real node answered, see testdata/cql/README.md.
type outcome struct {
	N          int
	CQL        string
	Directives map[string]string
	Result     string
	Columns    []struct{ Name, Type string }
	Bind       []struct{ Name, Type string }
	PKIndexes  []int `json:"pk_indexes"`
	Text       [][]string
	Hex        [][]*string
	NRows      *int
	Warnings   []string
	Error      *struct{ Class, Code, Message string }
}

type oneNode struct{}

func (oneNode) DataCenters() []string { return []string{"datacenter1"} }
func (oneNode) Nodes(string) int      { return 1 }

// session runs the statements of one file.
type session struct {
	store
	env bind.Env
	ids uint32
}

func newSession() *session {
	s := &session{store: store{tables: map[string]map[string]*partition{}, now: 1732172400000000}}
	s.env = bind.Env{Schema: schema.Empty(), Topology: oneNode{}, Partitioner: ring.Murmur3, PageSize: 5000,
		Now: func() int64 { return s.now }}
	s.env.NewID = func() uuid.UUID {
		s.ids++
		return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, s.ids))
	}
	return s
}

// answer is what this implementation answers.
type answer struct {
	columns  []plan.Selector
	rows     [][][]byte
	warnings []string
	void     bool
}

func (s *session) run(o *outcome) (answer, error) {
	s.now += 10_000
	st, err := cql.Parse(o.CQL)
	if err != nil {
		return answer{}, err
	}
	env := s.env
	if page, ok := o.Directives["page"]; ok {
		fmt.Sscan(page, &env.PageSize)
	}
	if args, ok := o.Directives["bind"]; ok {
		if err := s.bindArgs(&env, st, args); err != nil {
			return answer{}, err
		}
	}
	if b, ok := st.(*cql.Batch); ok {
		if o.Error != nil {
			return answer{}, nil
		}
		return answer{void: true}, s.batch(b, &env)
	}
	p, err := bind.Bind(st, &env)
	if err != nil {
		return answer{}, err
	}
	switch p := p.(type) {
	case *plan.SchemaChange:
		s.env.Schema = p.After
	case *plan.Use:
		s.env.Keyspace = p.Keyspace
	case *plan.Truncate:
		delete(s.tables, p.Table.ID.String())
	case *plan.Write:
		return answer{void: true}, s.write(p)
	case *plan.Select:
		rows, err := s.read(p)
		a := answer{columns: p.Selection, rows: rows, warnings: p.Warnings}
		if p.JSON {
			a.columns = jsonColumns
		}
		return a, err
	}
	return answer{void: true}, nil
}

// batch runs the statements of a batch at one time.
func (s *session) batch(b *cql.Batch, env *bind.Env) error {
	for _, st := range b.Statements {
		p, err := bind.Bind(st, env)
		if err != nil {
			return err
		}
		w := p.(*plan.Write)
		if c, ok := b.Using.Timestamp.(*cql.Constant); ok && w.Timestamp == nil {
			var at int64
			fmt.Sscan(c.Text, &at)
			w.Timestamp = &at
		}
		if err := s.write(w); err != nil {
			return err
		}
	}
	return nil
}

// isDML picks the statements that these tests judge.
func isDML(st string) bool {
	switch word := strings.ToLower(strings.Fields(st)[0]); word {
	case "select", "insert", "update", "delete":
		return true
	}
	return false
}

func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/cql/*.json")
	known := knownDifferences(t)
	total, right, skipped := 0, 0, 0
	reasons := map[string]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		s := newSession()
		for _, o := range load(t, file) {
			got, err := s.run(&o)
			if !isDML(o.CQL) {
				var refused *plan.Error
				if err != nil && o.Error == nil && errors.As(err, &refused) {
					t.Logf("%s %d: %s: %v", name, o.N, o.CQL, err)
				}
				continue
			}
			var refused *plan.Error
			if errors.As(err, &refused) && strings.HasPrefix(refused.Message, "ringlab does not support") {
				skipped++
				reasons[refused.Message]++
				continue
			}
			total++
			id := fmt.Sprintf("%s %d", name, o.N)
			diff := compare(&o, got, err)
			if diff == "" {
				right++
				if known[id] {
					t.Errorf("%s is a known difference but agrees", id)
				}
			} else if !known[id] {
				t.Errorf("%s: %s\n%s", id, o.CQL, diff)
			}
		}
	}
	var list []string
	for r, n := range reasons {
		list = append(list, fmt.Sprintf("%4d %s", n, r))
	}
	sort.Strings(list)
	fmt.Printf("dml golden: %d of %d (%d skipped)\n%s\n", right, total, skipped, strings.Join(list, "\n"))
}

func load(t *testing.T, file string) []outcome {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Statements []outcome }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Statements
}

// knownDifferences are lines "file number reason".
func knownDifferences(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open("testdata/KNOWN_DIFFERENCES")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]bool{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if w := strings.Fields(sc.Text()); len(w) > 2 && !strings.HasPrefix(w[0], "#") {
			out[w[0]+" "+w[1]] = true
		}
	}
	return out
}

var (
	signatures = regexp.MustCompile(`(known type signatures|can be matched by following signatures): (.*)\)(: use type casts to disambiguate)?$`)
	hash       = regexp.MustCompile(`@[0-9a-f]+`)
)

// normal is a message without what has no meaning: the order of signatures.
func normal(m string) string {
	m = hash.ReplaceAllString(m, "")
	if strings.HasPrefix(m, "Could not decode JSON string as a map") {
		return m[:37] // then the words of a JSON library
	}
	if i := signatures.FindStringSubmatchIndex(m); i != nil {
		list := strings.Split(m[i[4]:i[5]], ", system.")
		for k := range list {
			list[k] = strings.TrimPrefix(list[k], "system.")
		}
		sort.Strings(list)
		m = m[:i[4]] + strings.Join(list, ", ")
	}
	return m
}

func compare(o *outcome, a answer, err error) string {
	if o.Error != nil {
		return compareError(o, err)
	}
	if err != nil {
		return "refused: " + err.Error()
	}
	if o.Result != "rows" {
		if !a.void {
			return "rows instead of " + o.Result
		}
		return ""
	}
	var diff []string
	var columns []string
	for _, c := range o.Columns {
		columns = append(columns, c.Name+" "+c.Type)
	}
	var own []string
	for _, c := range a.columns {
		own = append(own, c.Name+" "+c.Type.WireName())
	}
	if !slices.Equal(columns, own) {
		diff = append(diff, fmt.Sprintf("columns %q\nwant    %q", own, columns))
	}
	if !slices.Equal(o.Warnings, a.warnings) {
		diff = append(diff, fmt.Sprintf("warnings %q\nwant     %q", a.warnings, o.Warnings))
	}
	if o.NRows != nil {
		if *o.NRows != len(a.rows) {
			diff = append(diff, fmt.Sprintf("%d rows, want %d", len(a.rows), *o.NRows))
		}
		return strings.Join(diff, "\n")
	}
	text := make([][]string, len(a.rows))
	bytes := make([][]string, len(a.rows))
	for i, r := range a.rows {
		for j, v := range r {
			if v == nil {
				text[i], bytes[i] = append(text[i], "null"), append(bytes[i], "null")
				continue
			}
			text[i], bytes[i] = append(text[i], a.columns[j].Type.Text(v)), append(bytes[i], hex.EncodeToString(v))
		}
	}
	if x, y := fmt.Sprintf("%q", text), fmt.Sprintf("%q", o.Text); x != y {
		diff = append(diff, "rows "+x+"\nwant "+y)
	}
	if o.Hex != nil {
		want := make([][]string, len(o.Hex))
		for i, r := range o.Hex {
			for _, v := range r {
				if v == nil {
					want[i] = append(want[i], "null")
				} else {
					want[i] = append(want[i], *v)
				}
			}
		}
		if x, y := fmt.Sprintf("%q", bytes), fmt.Sprintf("%q", want); x != y {
			diff = append(diff, "hex  "+x+"\nwant "+y)
		}
	}
	return strings.Join(diff, "\n")
}

func compareError(o *outcome, err error) string {
	if err == nil {
		return fmt.Sprintf("accepted, want %s: %s", o.Error.Class, o.Error.Message)
	}
	var refused *plan.Error
	class, code, message := "SyntaxException", "0x2000", err.Error()
	if errors.As(err, &refused) {
		class, code, message = refused.Code.Name(), refused.Code.String(), refused.Message
	}
	switch {
	case class != o.Error.Class || code != o.Error.Code:
		return fmt.Sprintf("%s %s: %s\nwant %s %s: %s", class, code, message, o.Error.Class, o.Error.Code, o.Error.Message)
	case refused == nil || class == "ServerError":
		return ""
	case normal(message) != normal(o.Error.Message):
		return fmt.Sprintf("message %s\nwant    %s", message, o.Error.Message)
	}
	return ""
}
