package thrift

import (
	"errors"
	"testing"
	"unicode/utf8"
)

// FuzzParse: any text is a statement or a *SyntaxError inside of the text, and a
// statement prints to what parses to the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"set u['ann']['town'] = 'Porto' with ttl = 5;", "get u where a = long(5) and b >= 'x' limit 3", "list u[a:b] limit 2 columns 3 reversed;",
		"create column family c with column_metadata = [{column_name: a, index_options: {class_name: 'x'}}] and gc_grace = -1;",
		"incr c[a][b][utf8('x')] by -3;", "assume u keys as utf8;", "connect 127.0.0.1/9160 u 'p';", "connect 0.0.0.0/0 a''", "help create column family;", "-- nothing", "/* x",
		`set a['\u00e9'][b] = '\x41\'';`, "drop index on a.b;", "set trace probability 0.5;", "?",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		st, err := Parse(text)
		if err != nil {
			var refused *SyntaxError
			if !errors.As(err, &refused) || refused.Column < 0 || refused.Column > utf8.RuneCountInString(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		printed := st.String()
		again, err := Parse(printed)
		if err != nil || again.String() != printed {
			t.Fatalf("%q prints to %q, which reads as %v, %v", text, printed, again, err)
		}
	})
}
