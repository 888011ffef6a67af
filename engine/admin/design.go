package admin

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/design"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "design", Group: "load, review", Usage: "ENTITIES; QUESTIONS | [chart|gauges|growth|refused|cql|cli|create]", Text: true, Run: runDesign,
		Words: []string{"chart", "gauges", "growth", "refused", "cql", "cli", "create"},
		Help: "propose tables for questions: `:design book: isbn text key, title text; user: id uuid key; books read by user, sorted by title` " +
			"gives the columns with their marks K, C and S; then gauges, growth, refused, cql, cli and create are about the same design"})
}

// runDesign reads a design and shows a part of it. The text stays for the words
// that follow it.
func runDesign(ctx *Context, a Args) ([]*answer.Answer, error) {
	word := strings.TrimSpace(a.Raw)
	if strings.ContainsAny(word, ":;\n") {
		ctx.design, word = word, "chart"
	}
	show, ok := map[string]func(*design.Design) []*answer.Answer{"": chart, "chart": chart, "gauges": gauges, "growth": forecast, "refused": refused, "cql": designCQL, "cli": designCli}[word]
	if !ok && word != "create" {
		return nil, usageError(byName["design"])
	}
	if ctx.design == "" {
		return nil, fmt.Errorf("there is no design yet: `:design book: isbn text key, title text; books by isbn` is one")
	}
	d := design.Read(ctx.design, ctx.Current.Keyspace)
	if len(d.Problems) > 0 {
		var all []string
		for _, p := range d.Problems {
			all = append(all, p.Error())
		}
		return nil, fmt.Errorf("%s", strings.Join(all, "\n"))
	}
	if word == "create" {
		return createDesign(ctx, d)
	}
	return show(d), nil
}

// createDesign makes the tables; it ends at the first that is refused.
func createDesign(ctx *Context, d *design.Design) ([]*answer.Answer, error) {
	if ctx.Current.Keyspace == "" {
		return nil, fmt.Errorf("tables stand in a keyspace: USE one first")
	}
	var made []string
	for _, t := range d.Tables {
		if a := ctx.Statement(strings.TrimSuffix(t.CQL, ";")); a.Error != nil {
			a.Statement = ""
			return []*answer.Answer{a}, nil
		}
		made = append(made, t.Name)
	}
	return message("Created %s.", strings.Join(made, ", ")), nil
}

func chart(d *design.Design) []*answer.Answer {
	var rows [][]string
	for _, t := range d.Tables {
		for _, c := range t.Columns {
			mark := string(c.Mark)
			if c.Mark == design.Plain {
				mark = "-"
			}
			rows = append(rows, []string{t.Name + "." + c.Name, c.Type.String(), mark, c.Why})
		}
	}
	return table("column type mark why", rows)
}

func gauges(d *design.Design) []*answer.Answer {
	var rows [][]string
	for _, t := range d.Tables {
		deck, stored := t.Cells()
		mostDeck, most := t.MostRows()
		for i, g := range t.Gauges {
			rows = append(rows, []string{t.Name + [...]string{".spread", ".reads", ".size"}[i], g.Level.String(), g.Text})
		}
		rows = append(rows, []string{t.Name + ".cells", "", stored}, []string{t.Name + ".cells-of-the-talk", "", deck})
		if most >= 0 {
			rows = append(rows, []string{t.Name + ".rows", "", num(float64(most))}, []string{t.Name + ".rows-of-the-talk", "", num(float64(mostDeck))})
		}
		copies := strconv.Itoa(len(t.Copies))
		if len(t.Copies) > 0 {
			copies += ": " + strings.Join(t.Copies, ", ")
		}
		rows = append(rows, []string{t.Name + ".copies", "", copies})
		for _, n := range t.Notes {
			rows = append(rows, []string{t.Name + ".note", "", n})
		}
	}
	out := table("goal level value", rows)
	out[0].Prose = true
	return out
}

func forecast(d *design.Design) []*answer.Answer {
	var rows [][]string
	for _, t := range d.Tables {
		for _, l := range t.Growth() {
			day := "never"
			if !math.IsInf(l.Days, 1) {
				day = num(l.Days)
			}
			rows = append(rows, []string{t.Name + " " + l.What, num(l.Rows), day})
		}
	}
	return table("limit rows day", rows)
}

func refused(d *design.Design) []*answer.Answer {
	var rows [][]string
	for _, t := range d.Tables {
		if t.Refused != "" {
			rows = append(rows, []string{"CREATE TABLE " + schema.Quote(t.Name), t.Refused})
		}
		for _, r := range t.Refuses {
			rows = append(rows, []string{r.Statement, r.Says})
		}
	}
	out := table("statement answer", rows)
	out[0].Prose = true
	return out
}

func designCQL(d *design.Design) []*answer.Answer {
	var out []string
	for _, t := range d.Tables {
		out = append(out, t.CQL)
	}
	return message("%s", strings.Join(out, "\n\n"))
}

func designCli(d *design.Design) []*answer.Answer {
	var out []string
	for _, t := range d.Tables {
		out = append(out, t.Cli())
	}
	return message("%s", strings.Join(out, "\n"))
}
