package review

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"ringlab/model/figure"
)

// share writes a share in percent, "-" for none.
func share(v float64) string {
	if v < 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}

func known(v float64) string {
	if v < 0 {
		return "-"
	}
	return figure.Whole(v)
}

// Columns name the fields of Line.
var Columns = []string{"table", "key", "rows", "cells", "published", "bytes", "estimate", "spread", "copies"}

// Line is a gauge in the order of Columns: rows of the largest partition, its
// cells with the whole key taken off (F1) and as published, its bytes and what F2
// as published makes of it, the share of the busiest node, and the copies.
func (g *Gauge) Line() []string {
	rows, spread := known(g.Rows), share(g.Spread)
	if g.Expected {
		rows += " expected"
	}
	if g.Node != "" {
		spread += " on " + g.Node
	}
	return []string{g.Table, g.Key, rows, known(g.Cells), known(g.Published), known(g.Bytes), known(g.Estimate), spread, fmt.Sprint(g.Copies)}
}

// Line is a finding as a line: severity, rule, object, and the rest as a sentence.
func (f *Finding) Line() []string {
	object := f.Object
	if f.Partition != "" {
		object += " " + f.Partition
	}
	text := f.Found
	if f.Evidence != "" {
		text += " (" + f.Evidence + ")"
	}
	return []string{f.Severity.String(), f.Rule, object, text + ". Instead: " + f.Remedy + ". [" + f.Source + "]"}
}

// headings are Columns as a document has them, and legend explains them.
var headings = []string{"table", "primary key", "rows", "cells", "F1", "bytes", "F2", "busiest node", "copies"}

const legend = "Rows, cells and bytes are those of the largest partition; F1 and F2 are the e-library's formulas as published."

// Markdown is the report as a document.
func (r *Report) Markdown(title string) string {
	var b strings.Builder
	cell := func(s string) string {
		return strings.NewReplacer("\\", "\\\\", "|", "\\|", "\n", " ", "<", "&lt;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[").Replace(s)
	}
	row := func(cells []string, escape bool) {
		b.WriteString("|")
		for _, c := range cells {
			if escape {
				c = cell(c)
			}
			b.WriteString(" " + c + " |")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "# Review of %s\n\n%s.\n\n## Tables\n\n%s\n\n", cell(title), r.Counted(), legend)
	row(headings, false)
	row([]string{"---", "---", "--:", "--:", "--:", "--:", "--:", "---", "--:"}, false)
	for i := range r.Tables {
		row(r.Tables[i].Line(), true)
	}
	b.WriteString("\n## Findings\n")
	if len(r.Findings) == 0 {
		b.WriteString("\nNone.\n")
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "\n### %s: %s, %s\n\n", f.Severity, f.Rule, cell(f.Object))
		if f.Partition != "" {
			fmt.Fprintf(&b, "Partition %s. ", cell(f.Partition))
		}
		fmt.Fprintf(&b, "%s.\n\n", cell(sentence(f.Found)))
		if f.Evidence != "" {
			fmt.Fprintf(&b, "- Evidence: %s\n", cell(f.Evidence))
		}
		fmt.Fprintf(&b, "- Instead: %s\n- Rule: %s\n", cell(f.Remedy), cell(f.Source))
	}
	return b.String()
}

// sentence begins with a capital letter, unless it begins with a name, and ends
// without a full stop.
func sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s != "" && s[0] >= 'a' && s[0] <= 'z' && !strings.Contains(first, "_") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.TrimSuffix(s, ".")
}

// HTML is the report as a page that needs nothing else.
func (r *Report) HTML(title string) string {
	var b strings.Builder
	e := html.EscapeString
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Review of %s</title>\n<style>%s</style></head><body>\n<h1>Review of %s</h1>\n<p>%s.</p>\n<h2>Tables</h2>\n"+
		"<p>%s</p>\n<table><tr>", e(title), style, e(title), e(r.Counted()), legend)
	for _, h := range headings {
		fmt.Fprintf(&b, "<th>%s</th>", h)
	}
	b.WriteString("</tr>\n")
	for i := range r.Tables {
		b.WriteString("<tr>")
		for _, c := range r.Tables[i].Line() {
			fmt.Fprintf(&b, "<td>%s</td>", e(c))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n<h2>Findings</h2>\n")
	if len(r.Findings) == 0 {
		b.WriteString("<p>None.</p>\n")
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "<section class=\"%s\"><h3>%s: %s, %s</h3><p>", f.Severity, f.Severity, e(f.Rule), e(f.Object))
		if f.Partition != "" {
			fmt.Fprintf(&b, "Partition %s. ", e(f.Partition))
		}
		fmt.Fprintf(&b, "%s.</p><ul>", e(sentence(f.Found)))
		if f.Evidence != "" {
			fmt.Fprintf(&b, "<li>Evidence: %s</li>", e(f.Evidence))
		}
		fmt.Fprintf(&b, "<li>Instead: %s</li><li>Rule: %s</li></ul></section>\n", e(f.Remedy), e(f.Source))
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

const style = "body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fff}" +
	"table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2em .6em;text-align:left}" +
	"section{border-left:.4em solid #666;padding-left:1em}section.fail{border-color:#a00}section.warn{border-color:#b60}"

// JSON is the report as one object: {"tables":[…],"findings":[…]}; numbers that
// nobody knows are null.
func (r *Report) JSON() string {
	type gauge struct {
		Table     string   `json:"table"`
		Key       string   `json:"primary_key"`
		Rows      *float64 `json:"rows"`
		Expected  bool     `json:"expected"`
		Cells     *float64 `json:"cells"`
		Published *float64 `json:"cells_published"`
		Bytes     *float64 `json:"bytes"`
		Estimate  *float64 `json:"bytes_published"`
		Spread    *float64 `json:"spread"`
		Node      string   `json:"busiest_node"`
		Copies    int      `json:"copies"`
	}
	type finding struct {
		Severity  string `json:"severity"`
		Rule      string `json:"rule"`
		Object    string `json:"object"`
		Partition string `json:"partition"`
		Found     string `json:"found"`
		Evidence  string `json:"evidence"`
		Remedy    string `json:"remedy"`
		Source    string `json:"source"`
	}
	out := struct {
		Tables   []gauge   `json:"tables"`
		Findings []finding `json:"findings"`
	}{[]gauge{}, []finding{}}
	num := func(v float64) *float64 {
		if v < 0 {
			return nil
		}
		return &v
	}
	for _, g := range r.Tables {
		out.Tables = append(out.Tables, gauge{g.Table, g.Key, num(g.Rows), g.Expected, num(g.Cells), num(g.Published), num(g.Bytes), num(g.Estimate), num(g.Spread), g.Node, g.Copies})
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, finding{f.Severity.String(), f.Rule, f.Object, f.Partition, f.Found, f.Evidence, f.Remedy, f.Source})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil { // numbers and texts alone
		panic(err)
	}
	return string(text) + "\n"
}
