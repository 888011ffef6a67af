package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const reviewedSchema = `CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'us-east': 3, 'eu': 2};
CREATE TABLE shop.events (type text, at timestamp, payload blob, PRIMARY KEY (type, at));
`

const reviewedProfile = `keyspace: shop
table: events
columnspec:
  - name: at
    cluster: fixed(900000)
  - name: payload
    size: fixed(300)
insert:
  partitions: fixed(20)
  batchtype: UNLOGGED
  select: fixed(1)/100000
queries:
  one:
    cql: select * from events where type = ? and at > ?
  refused:
    cql: select * from events where at > ?
  filtered:
    cql: select * from events where payload = ? allow filtering
  several:
    cql: select * from events where type in ?
  everything:
    cql: select * from events
`

// TestReview reviews a schema on the data centers that it names, with a profile:
// sizes that are expected, and queries.
func TestReview(t *testing.T) {
	dir := t.TempDir()
	schema, profile := filepath.Join(dir, "schema.cql"), filepath.Join(dir, "it's a profile.yaml")
	for name, text := range map[string]string{schema: reviewedSchema, profile: reviewedProfile} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := Run([]string{"review", schema, "--profile", profile, "--format", "json"}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var report struct {
		Findings []struct{ Severity, Rule, Object string }
		Tables   []struct{ Rows, Bytes float64 }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.Severity+" "+f.Rule+" "+f.Object)
	}
	want := []string{
		"fail allow-filtering filtered",
		"fail batch-size shop.events",
		"fail partition-bytes shop.events",
		"fail query-refused refused",
		"warn batch-across-partitions shop.events",
		"warn full-scan everything",
		"warn in-on-partition-key several",
		"warn partition-rows shop.events",
		"warn two-replicas shop",
		"warn unbounded-partition shop.events",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("findings:\n%s\nwanted:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(report.Tables) != 1 || report.Tables[0].Rows != 900000 || report.Tables[0].Bytes != 900000*308 {
		t.Errorf("tables %+v: a partition has 900,000 rows of a timestamp and 300 bytes", report.Tables)
	}
}

// TestReviewSaysWhatIsWrong: a schema that is refused ends with status 1 and the
// place, and no report.
func TestReviewSaysWhatIsWrong(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Run([]string{"review", "-"}, strings.NewReader("SELEC a;"), &out, &errs); code != 1 || out.Len() > 0 || !strings.HasPrefix(errs.String(), "<stdin>:2:SyntaxException") {
		t.Errorf("exit %d, printed %q and %q", code, out.String(), errs.String())
	}
	errs.Reset()
	if code := Run([]string{"review", "-", "--format", "pdf"}, strings.NewReader(""), &out, &errs); code != 2 || !strings.Contains(errs.String(), "md, html or json") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
	errs.Reset()
	if code := Run([]string{"review", "-"}, strings.NewReader(""), &out, &errs); code != 1 || !strings.Contains(errs.String(), "no keyspace to review") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

// TestReviewAsAPage: what stands in names does not become markup.
func TestReviewAsAPage(t *testing.T) {
	var out, errs bytes.Buffer
	schema := `CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}; CREATE TABLE k.t (k int PRIMARY KEY, "<script>|" list<int>);`
	if code := Run([]string{"review", "-", "--format", "html"}, strings.NewReader(schema), &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if page := out.String(); strings.Contains(page, "<script>") || !strings.Contains(page, "&lt;script&gt;|") {
		t.Errorf("the page is\n%s", page)
	}
	out.Reset()
	Run([]string{"review", "-"}, strings.NewReader(schema), &out, &errs)
	if text := out.String(); strings.Contains(text, "<script>") || !strings.Contains(text, `&lt;script>\|`) {
		t.Errorf("the document is\n%s", text)
	}
}
