package index

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"ringlab/model/schema"
)

// The options of a storage-attached index that change text before it is
// compared. Source: Cassandra 5.0 NonTokenizingOptions.
var analyses = []string{"case_sensitive", "normalize", "ascii"}

// Analyzer changes text as an index does before comparing it: to lower case, to
// NFC, to ASCII, in that order. It is nil for an index that compares as it is.
// Source: Cassandra 5.0 NonTokenizingAnalyzer.getFilterPipeline.
func Analyzer(i *schema.Index) func([]byte) []byte {
	option := func(name string) string {
		v, _ := i.Option(name)
		return strings.ToLower(v)
	}
	lower, normal, ascii := option("case_sensitive") == "false", option("normalize") == "true", option("ascii") == "true"
	if !i.IsSAI() || !lower && !normal && !ascii {
		return nil
	}
	return func(v []byte) []byte {
		s := string(v)
		if lower {
			s = lowerCase(s)
		}
		if normal {
			s = norm.NFC.String(s)
		}
		if ascii {
			s = foldASCII(s)
		}
		return []byte(s)
	}
}

// lowerCase is Java's String.toLowerCase: a sigma that ends a word is ς.
func lowerCase(s string) string { return cases.Lower(language.Und).String(s) }

// foldASCII replaces letters, digits and signs by those of ASCII that look alike.
// Source: Lucene ASCIIFoldingFilter.foldToASCII.
func foldASCII(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if to, ok := folds[r]; ok {
			b.WriteString(to)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// folds is what each character becomes.
var folds = func() map[rune]string {
	out := map[rune]string{}
	for _, line := range foldTable {
		for _, r := range line[1] {
			out[r] = line[0]
		}
	}
	return out
}()
