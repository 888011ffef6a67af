package session

import (
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/model/cql"
)

// Bounds of the search for what somebody meant. A statement that is longer was
// not typed, and one that is wrong in more places is not repaired but guessed.
const (
	mendBytes  = 4 << 10
	mendRounds = 4
	mendBack   = 2 // words before the place that the parser names
)

// edit is a change of a statement: text[from:to] becomes by.
type edit struct {
	from, to int
	by       string
	why      string
}

func (e edit) apply(text string) string { return text[:e.from] + e.by + text[e.to:] }

// mend offers a statement that the parser refuses with its mistakes put right:
// each of them one of those that people make (edits). Nothing is offered unless
// the parser takes all of it.
func mend(refused *cql.SyntaxError, text string) []answer.Fix {
	if len(text) > mendBytes {
		return nil
	}
	for _, b := range breaks(text) {
		if parses(b[0]) && parses(b[1]) {
			return []answer.Fix{ended(answer.Fix{Text: b[0]}, answer.Fix{Text: b[1]})}
		}
	}
	if fix := reword(refused, text); fix != nil {
		return fix
	}
	for _, b := range breaks(text) { // a statement without its end beside one that is mistyped
		switch first, rest := parses(b[0]), parses(b[1]); {
		case first && !rest:
			if fix := mendText(b[1]); fix != nil {
				return []answer.Fix{ended(answer.Fix{Text: b[0]}, fix[0])}
			}
		case rest && !first:
			if fix := mendText(b[0]); fix != nil {
				return []answer.Fix{ended(fix[0], answer.Fix{Text: b[1]})}
			}
		}
	}
	return nil
}

// mendText mends what the parser refuses of a text.
func mendText(text string) []answer.Fix {
	if _, err := cql.Parse(text); err != nil {
		if refused, ok := err.(*cql.SyntaxError); ok {
			return mend(refused, text)
		}
	}
	return nil
}

// reword puts words of one statement right, one after the other.
func reword(refused *cql.SyntaxError, text string) []answer.Fix {
	var why []string
	for range mendRounds {
		best, left := edit{}, len(text)-refused.Pos.Offset
		var next *cql.SyntaxError
		for _, e := range edits(text, refused) {
			changed := e.apply(text)
			_, err := cql.Parse(changed)
			if err == nil {
				why = append(why, e.why)
				slices.Sort(why)
				return []answer.Fix{{Text: cql.TrimStatement(changed) + ";", Why: strings.Join(slices.Compact(why), ", ")}}
			}
			if r, ok := err.(*cql.SyntaxError); ok && len(changed)-r.Pos.Offset < left {
				best, left, next = e, len(changed)-r.Pos.Offset, r
			}
		}
		if next == nil {
			return nil
		}
		text, refused, why = best.apply(text), next, append(why, best.why)
	}
	return nil
}

// breaks are the two parts of a text at each of its line ends.
func breaks(text string) (out [][2]string) {
	for at := range len(text) {
		if text[at] == '\n' {
			if first, rest := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:]); first != "" && rest != "" {
				out = append(out, [2]string{first, rest})
			}
		}
	}
	return out
}

// ended are two statements, each with its end.
func ended(first, rest answer.Fix) answer.Fix {
	why := "each statement ends with ;"
	for _, f := range []answer.Fix{first, rest} {
		if f.Why != "" && f.Why != why {
			why += ", " + strings.TrimPrefix(f.Why, why+", ")
		}
	}
	end := func(f answer.Fix) string { return strings.TrimSuffix(f.Text, ";") + ";" }
	return answer.Fix{Text: end(first) + "\n" + end(rest), Why: why}
}

func parses(text string) bool {
	_, err := cql.Parse(text)
	return err == nil
}

// edits are the changes that may be meant around the place of a refusal, the
// likelier ones first.
func edits(text string, refused *cql.SyntaxError) []edit {
	var words []cql.Token // without spaces and comments
	for _, t := range cql.Tokens(text) {
		if t.Kind != cql.SpaceToken && t.Kind != cql.CommentToken {
			words = append(words, t)
		}
	}
	at := len(words)
	for i, t := range words {
		if t.Pos.Offset >= refused.Pos.Offset {
			at = i
			break
		}
	}
	var out []edit
	for i := at; i >= max(at-mendBack, 0); i-- {
		if i < len(words) {
			out = append(out, misread(words, i)...)
		}
	}
	if _, rest, found := strings.Cut(refused.Message, "expecting '"); found && at > 0 && at < len(words) {
		if symbol, _, _ := strings.Cut(rest, "'"); strings.ContainsAny(symbol, ")]}>") {
			out = append(out, edit{words[at].Pos.Offset, words[at].Pos.Offset, symbol, "closed by " + symbol})
		}
	}
	if at > 0 {
		end := words[at-1].Pos.Offset + len(words[at-1].Text)
		if words[at-1].Text == "," {
			out = append(out, edit{from: end - 1, to: end, why: "no comma behind the last"})
		} else if at < len(words) {
			out = append(out, edit{from: end, to: end, by: ",", why: "a comma between them"})
		}
		if missing := unclosed(words); missing != "" && at >= len(words)-1 {
			last := words[len(words)-1]
			end := last.Pos.Offset + len(last.Text)
			if last.Text == ";" {
				end--
			}
			out = append(out, edit{from: end, to: end, by: missing, why: "closed by " + missing})
		}
	}
	return out
}

// misread are the changes of one word.
func misread(words []cql.Token, i int) []edit {
	t := words[i]
	from, to := t.Pos.Offset, t.Pos.Offset+len(t.Text)
	var out []edit
	switch t.Kind {
	case cql.KeywordToken, cql.IdentToken:
		if t.Kind == cql.KeywordToken && cql.IsReserved(t.Text) {
			out = append(out, edit{from, to, `"` + strings.ToLower(t.Text) + `"`, "a reserved word that is a name stands in double quotes"})
		}
		for _, k := range similarKeywords(t.Text) {
			if t.Text == strings.ToLower(t.Text) {
				k = strings.ToLower(k)
			}
			out = append(out, edit{from, to, k, "the keyword is " + k})
		}
		if t.Kind == cql.IdentToken {
			out = append(out, edit{from, to, "'" + t.Text + "'", "a text stands in single quotes"})
		}
	case cql.QuotedToken:
		inner := strings.ReplaceAll(t.Text[1:max(len(t.Text)-1, 1)], `""`, `"`)
		out = append(out, edit{from, to, "'" + strings.ReplaceAll(inner, "'", "''") + "'", "a text stands in single quotes, double quotes are for names"})
	case cql.SymbolToken:
		if t.Text == "=" && i > 0 && words[i-1].Text == "=" && words[i-1].Pos.Offset == from-1 {
			out = append(out, edit{from: from, to: to, why: "equal is ="})
		}
	case cql.ErrorToken:
		if t.Text == "&" {
			end := to
			if i+1 < len(words) && words[i+1].Text == "&" {
				end = words[i+1].Pos.Offset + 1
			}
			out = append(out, edit{from, end, "AND", "conditions are joined by AND"})
		}
	}
	return out
}

// similarKeywords are those that a word may have been meant as, the nearest first.
func similarKeywords(word string) []string {
	most := 2
	if len(word) < 5 {
		most = 1
	}
	upper := strings.ToUpper(word)
	type near struct {
		word     string
		distance int
	}
	var found []near
	for _, k := range cql.Keywords() {
		d := distance(upper, k)
		if d == 2 && len(k) == len(upper) && swapped(upper, k) {
			d = 1
		}
		if d > 0 && d <= most {
			found = append(found, near{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.distance - b.distance })
	var out []string
	for _, n := range found[:min(len(found), 6)] {
		out = append(out, n.word)
	}
	return out
}

// swapped says whether two words of the same length differ by two neighbours
// that changed places.
func swapped(a, b string) bool {
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// unclosed are the brackets that a statement opens and does not close, in the
// order in which they are to be closed.
func unclosed(words []cql.Token) string {
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}
	var open []string
	for _, t := range words {
		if c := closing[t.Text]; c != "" {
			open = append(open, c)
		} else if n := len(open); n > 0 && t.Text == open[n-1] {
			open = open[:n-1]
		}
	}
	slices.Reverse(open)
	return strings.Join(open, "")
}
