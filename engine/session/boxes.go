package session

import (
	"encoding/hex"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// Box is a column as text: Super is the outer name in a super column family.
type Box struct {
	Super, Name, Value string
}

// Boxes gives a function that shows the columns of a table by its classes;
// bytes that are none of the class are shown in hex.
func Boxes(t *schema.Table) func(*NestedColumn) Box {
	v := bind.ViewOf(t)
	stored := t.Stored()
	return func(c *NestedColumn) Box {
		var b Box
		b.Super, b.Name = nameText(v, c.Name)
		switch {
		case c.Kind == "range tombstone":
			_, end := nameText(v, c.End)
			b.Name, b.Value = b.Name+" … "+end, "deleted"
		case c.Kind == "deleted":
			b.Value = "deleted"
		case stored.Counter:
			b.Value = strconv.FormatInt(storage.CounterTotal(c.Value), 10)
		default:
			b.Value = textOf(v.ValueClassOf(innerName(v, c.Name)), c.Value)
		}
		return b
	}
}

// innerName is the name under the outer one, the name itself elsewhere.
func innerName(v *bind.View, name []byte) []byte {
	if parts := schema.SplitComposite(name); v.Super && len(parts) == 2 {
		return parts[1]
	}
	return name
}

func nameText(v *bind.View, name []byte) (super, inner string) {
	if parts := schema.SplitComposite(name); v.Super && len(parts) == 2 {
		return textOf(v.Comparator, parts[0]), textOf(v.Subcomparator, parts[1])
	}
	return "", textOf(v.Comparator, name)
}

func textOf(class *types.Comparator, b []byte) string {
	text, err := class.ClassicText(b)
	if err != nil {
		return "0x" + hex.EncodeToString(b)
	}
	return text
}

// OrderOf is the comparator of a table's columns, with that of inner names.
func OrderOf(t *schema.Table) string {
	v := bind.ViewOf(t)
	text := shortClass(v.Comparator)
	if v.Super {
		text += "/" + shortClass(v.Subcomparator)
	}
	return text
}

// shortClass is a class without its package.
func shortClass(c *types.Comparator) string {
	return strings.ReplaceAll(c.ClassicName(), "org.apache.cassandra.db.marshal.", "")
}

// NameKinds are the kinds of names that a family with dynamic composites holds,
// by the classes of their components, such as UTF8Type|LongType; nil for other
// tables, whose names are of one kind.
func NameKinds(t *schema.Table, columns []NestedColumn) []string {
	class := bind.ViewOf(t).Comparator
	if class.Aliases == nil {
		return nil
	}
	seen := map[string]bool{}
	for i := range columns {
		if kind, ok := class.KindOf(columns[i].Name); ok {
			seen[kind] = true
		}
	}
	out := make([]string, 0, len(seen))
	for k := range seen {
		out = append(out, strings.ReplaceAll(k, "org.apache.cassandra.db.marshal.", ""))
	}
	sort.Strings(out)
	return out
}
