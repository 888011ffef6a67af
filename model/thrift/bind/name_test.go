package bind

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// family makes the view of a column family with that comparator.
func view(t interface{ Fatal(...any) }, comparator string) *View {
	c, err := ParseClass(comparator)
	if err != nil {
		t.Fatal(comparator, err)
	}
	f := schema.DefaultFamily()
	f.Comparator = c
	return ViewOf(f.Table("k", "t", uuid.UUID{}))
}

// name draws a composite name of at least one component, with the given end.
func name(t *rapid.T, c *types.Comparator, end byte) []byte {
	var parts [][]byte
	for i := range rapid.IntRange(1, len(c.Parts)).Draw(t, "components") {
		base, _ := c.Parts[i].Base()
		switch base.Type {
		case types.Int:
			parts = append(parts, types.EncodeInt32(int32(rapid.IntRange(-2, 2).Draw(t, "int"))))
		default:
			parts = append(parts, []byte(rapid.StringMatching(`[a-c:\\!]{0,2}`).Draw(t, "text")))
		}
	}
	b := schema.PartitionKeyComposite(parts)
	b[len(b)-1] = end
	return b
}

var composites = []string{"CompositeType(UTF8Type,Int32Type)", "CompositeType(ReversedType(UTF8Type),ReversedType(Int32Type),UTF8Type)",
	"CompositeType(Int32Type)", "CompositeType(UTF8Type,UTF8Type,UTF8Type)"}

// TestSliceIsOrder: a range of names lets in exactly what stands between its
// bounds in the order of the comparator, whatever their ends.
func TestSliceIsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := view(t, rapid.SampledFrom(composites).Draw(t, "comparator"))
		ends := rapid.SampledFrom([]byte{0, 1, 0xff})
		r := &SliceRange{Reversed: rapid.Bool().Draw(t, "reversed")}
		if rapid.Bool().Draw(t, "start") {
			r.Start = name(t, v.Comparator, ends.Draw(t, "end"))
		}
		if rapid.Bool().Draw(t, "finish") {
			r.Finish = name(t, v.Comparator, ends.Draw(t, "end"))
		}
		stored := name(t, v.Comparator, 0)
		at, err := v.clustering(nil, stored)
		if err != nil {
			t.Fatal(err)
		}
		if _, back := v.CellName(at); !bytes.Equal(back, stored) {
			t.Fatalf("%x is stored at %x, which reads as %x", stored, at, back)
		}
		lo, hi := r.Start, r.Finish
		if r.Reversed {
			lo, hi = hi, lo
		}
		want := (len(lo) == 0 || v.Comparator.Compare(lo, stored) <= 0) && (len(hi) == 0 || v.Comparator.Compare(stored, hi) <= 0)
		if got := v.Table.Contains(v.slice(nil, r), at); got != want {
			t.Fatalf("%x in %x … %x reversed %t: %t, by the comparator %t", stored, r.Start, r.Finish, r.Reversed, got, want)
		}
		if got := v.pick(nil, SlicePredicate{Range: r})(nil, stored); got != want {
			t.Fatalf("pick says %t", got)
		}
	})
}

// TestOrderOfNames: storage orders names as the comparator orders their bytes,
// and cuts lie between them.
func TestOrderOfNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := view(t, rapid.SampledFrom(composites).Draw(t, "comparator"))
		a, b := name(t, v.Comparator, 0), name(t, v.Comparator, 0)
		x, _ := v.clustering(nil, a)
		y, _ := v.clustering(nil, b)
		if got, want := v.Table.CompareClustering(x, y), v.Comparator.Compare(a, b); got != want {
			t.Fatalf("%x and %x: %d in storage, %d by the comparator", a, b, got, want)
		}
		var cuts []schema.Cut
		for _, c := range [][]byte{x, y} {
			cuts = append(cuts, schema.Cut{Prefix: c}, schema.Cut{Prefix: c, After: true}, schema.Cut{Prefix: c, After: true, Alone: true})
		}
		slices.SortFunc(cuts, v.Table.CompareCuts)
		for i := range cuts {
			for j := range i {
				if v.Table.CompareCuts(cuts[j], cuts[i]) > 0 || v.Table.CompareCuts(cuts[j], cuts[i]) != -v.Table.CompareCuts(cuts[i], cuts[j]) {
					t.Fatalf("cuts %v and %v have no order", cuts[j], cuts[i])
				}
				for _, row := range [][]byte{x, y} {
					if v.Table.CompareCutRow(cuts[j], row) > 0 && v.Table.CompareCutRow(cuts[i], row) < 0 {
						t.Fatalf("row %x is before %v and behind %v", row, cuts[j], cuts[i])
					}
				}
			}
		}
	})
}

// TestTextOfNames: a name reads back from its text.
func TestTextOfNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := view(t, rapid.SampledFrom(composites).Draw(t, "comparator"))
		b := name(t, v.Comparator, rapid.SampledFrom([]byte{0, 1, 0xff}).Draw(t, "end"))
		if err := v.Comparator.ClassicValidate(b); err != nil {
			t.Fatal(err)
		}
		text, err := v.Comparator.ClassicText(b)
		if err != nil {
			t.Fatal(err)
		}
		if text == "" { // one empty component has no text of its own
			return
		}
		back, err := v.Comparator.ClassicParse(text)
		if err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%x is %s, which reads as %x, %v", b, text, back, err)
		}
	})
}

// FuzzNames: any bytes are a name or refused, any text too; nothing panics, and
// what was taken is stored and read back.
func FuzzNames(f *testing.F) {
	f.Add([]byte("\x00\x01a\x00\x00\x04\x00\x00\x00\x01\x00"), "a:1")
	f.Add([]byte("\x80s\x00\x01a\x00"), `s@a\:b:UTF8Type@x`)
	f.Add([]byte("\xff\xff\x00\x00\x00"), "!")
	classes := append(slices.Clone(composites), "DynamicCompositeType(s=>UTF8Type,i=>Int32Type)", "CompositeType", "ReversedType(CompositeType(UTF8Type,LongType))",
		"LexicalUUIDType", "DateType")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		for _, class := range classes {
			v := view(t, class)
			if parsed, err := v.Comparator.ClassicParse(text); err == nil {
				_, _ = v.Comparator.ClassicText(parsed)
			}
			_, _ = v.Comparator.ClassicText(b)
			_ = v.Comparator.Compare(b, []byte(text))
			_ = v.validateRange(nil, &SliceRange{Start: b, Finish: []byte(text)})
			_ = v.slice(nil, &SliceRange{Start: b, Finish: []byte(text)})
			if v.validateNames(nil, b) != nil {
				continue
			}
			at, err := v.clustering(nil, b)
			if err != nil {
				continue
			}
			if _, back := v.CellName(at); !bytes.Equal(back, b) && !static(b) {
				t.Fatalf("%s: %x is stored at %x, which reads as %x", class, b, at, back)
			}
		}
	})
}
