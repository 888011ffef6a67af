package admin

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/classic"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

func init() {
	register(&Command{Name: "comparators", Group: "classic", Usage: "NAME… [slice=FROM..TO] [reversed] [types=BytesType,LongType]", Run: comparators,
		Help: "the same names of columns under several comparators: their order, what is refused, what a slice gives; 0x00ff is bytes, long(1) a function"})
}

// usualComparators are those that are compared when nobody says which.
const usualComparators = "BytesType,UTF8Type,IntegerType,LongType,TimeUUIDType"

// namedBytes is a name as it was written, and its bytes under one comparator.
type namedBytes struct {
	text  string
	bytes []byte
}

func comparators(ctx *Context, a Args) ([]*answer.Answer, error) {
	names := a.Without("reversed")
	if len(names) == 0 {
		return nil, usageError(byName["comparators"])
	}
	for k := range a.Named {
		if k != "types" && k != "slice" {
			return nil, fmt.Errorf(":comparators has no argument %s; it takes slice, types", k)
		}
	}
	list := a.Named["types"]
	if list == "" {
		list = usualComparators
	}
	from, to, sliced := strings.Cut(a.Named["slice"], "..")
	if _, given := a.Named["slice"]; given && !sliced {
		return nil, fmt.Errorf("slice is written FROM..TO, one of which may be left out; not %q", a.Named["slice"])
	}
	var rows [][]string
	for _, word := range outerCommas(list) {
		class, err := bind.ParseClass(word)
		switch {
		case err != nil:
			return nil, err
		case class.Counter():
			return nil, fmt.Errorf("CounterColumnType is no comparator: counters have no order")
		}
		order, refused := sortedBy(class, names)
		line := []string{word, joined(order), strings.Join(refused, "; ")}
		if sliced {
			line = append(line, sliceOf(class, order, from, to, a.Has("reversed")))
		}
		rows = append(rows, line)
	}
	columns := "comparator order refused"
	if sliced {
		columns += " slice"
	}
	return table(columns, rows), nil
}

// sortedBy is the names that a comparator takes, in its order and each once, and
// what it says of the others.
func sortedBy(class *types.Comparator, names []string) (order []namedBytes, refused []string) {
	said := map[string]int{}
	for _, name := range names {
		b, err := nameUnder(class, name)
		if err != nil {
			if text := err.Error(); said[text] == 0 {
				refused = append(refused, text)
			}
			said[err.Error()]++
			continue
		}
		order = append(order, namedBytes{name, b})
	}
	if len(refused) > 2 { // the same complaint for each name, mostly
		refused = append(refused[:1], fmt.Sprintf("and %d more", len(refused)-1))
	}
	slices.SortStableFunc(order, func(x, y namedBytes) int { return class.Compare(x.bytes, y.bytes) })
	return slices.CompactFunc(order, func(x, y namedBytes) bool { return class.Compare(x.bytes, y.bytes) == 0 }), refused
}

// nameUnder is the bytes that a name has under a comparator, if it takes them.
// A text goes to BytesType as the bytes that it is.
func nameUnder(class *types.Comparator, name string) (b []byte, err error) {
	digits, isHex := strings.CutPrefix(name, "0x")
	base, _ := class.Base()
	switch f, inner, ok := classic.Function(name); {
	case isHex:
		b, err = hex.DecodeString(digits)
	case ok:
		b, err = f.ClassicParse(inner)
	case base.Type != nil && base.Type.Kind == types.KindBlob:
		b = []byte(name)
	default:
		b, err = class.ClassicParse(name)
	}
	if err == nil {
		err = class.ClassicValidate(b)
	}
	return b, err
}

func joined(order []namedBytes) string {
	texts := make([]string, len(order))
	for i, n := range order {
		texts[i] = n.text
	}
	return strings.Join(texts, " ")
}

// sliceOf is what get_slice gives of the names, or what it says.
func sliceOf(class *types.Comparator, order []namedBytes, from, to string, reversed bool) string {
	bounds := [2][]byte{}
	for i, text := range []string{from, to} {
		if text == "" {
			continue
		}
		b, err := nameUnder(class, text)
		if err != nil {
			return err.Error()
		}
		bounds[i] = b
	}
	if err := bind.CheckRange(class, bounds[0], bounds[1], reversed); err != nil {
		return err.Error()
	}
	if reversed {
		bounds[0], bounds[1] = bounds[1], bounds[0]
	}
	var in []namedBytes
	for _, n := range order {
		if (len(bounds[0]) == 0 || class.Compare(bounds[0], n.bytes) <= 0) && (len(bounds[1]) == 0 || class.Compare(n.bytes, bounds[1]) <= 0) {
			in = append(in, n)
		}
	}
	if reversed {
		slices.Reverse(in)
	}
	return joined(in)
}

// outerCommas cuts at the commas that no parentheses hold.
func outerCommas(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}
