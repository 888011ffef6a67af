package render

import (
	"fmt"
	"strings"
	"unicode"

	"ringlab/engine/answer"
)

// Visible is a text from data as a terminal may see it: marks that reorder what
// stands around them, other invisible format characters and control characters
// that are not shown as escapes yet become escapes. cqlsh would pass the former on.
func Visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	if r < 0x7f {
		return r < ' ' && r != '\n'
	}
	return r != '\n' && unicode.IsControl(r) || r != '\u200d' && r != '\u00ad' && unicode.Is(unicode.Cf, r)
}

// visibleTabs is Visible for texts whose tabs stay.
func visibleTabs(s string) string {
	parts := strings.Split(s, "\t")
	for i := range parts {
		parts[i] = Visible(parts[i])
	}
	return strings.Join(parts, "\t")
}

// visible is the answer with every text as a terminal may see it; mostly that is
// the answer itself.
func visible(a *answer.Answer) *answer.Answer {
	clean := func(s string) bool { return strings.IndexFunc(s, hidden) < 0 }
	ok := clean(a.Message) && (a.Cli == nil || clean(a.Cli.Out+a.Cli.Err))
	for _, c := range a.Columns {
		ok = ok && clean(c.Name)
	}
	for _, w := range a.Warnings {
		ok = ok && clean(w)
	}
	for _, r := range a.Rows {
		for i := range r {
			ok = ok && clean(r[i].Text)
		}
	}
	if ok {
		return a
	}
	b := *a
	b.Message = Visible(a.Message)
	if a.Tool {
		b.Message = visibleTabs(a.Message)
	}
	if a.Cli != nil {
		b.Cli = &answer.Transcript{Out: visibleTabs(a.Cli.Out), Err: visibleTabs(a.Cli.Err)}
	}
	b.Columns, b.Warnings, b.Rows = nil, nil, nil
	for _, c := range a.Columns {
		b.Columns = append(b.Columns, answer.Column{Name: Visible(c.Name), Type: c.Type})
	}
	for _, w := range a.Warnings {
		b.Warnings = append(b.Warnings, Visible(w))
	}
	b.Rows = make([][]answer.Cell, len(a.Rows))
	for i, r := range a.Rows {
		for _, c := range r {
			b.Rows[i] = append(b.Rows[i], answer.Cell{Text: Visible(c.Text), Null: c.Null})
		}
	}
	return &b
}
