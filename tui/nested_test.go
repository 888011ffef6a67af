package tui

import (
	"fmt"

	"ringlab/engine/view"
)

// nestedMoment is a table with a wide row that a slice went over, a row of super
// columns, and names that are no text for a terminal.
func nestedMoment() *view.Nested {
	n := &view.Nested{Order: "tokens", Comparator: "CompositeType(LongType,UTF8Type)", Of: 5}
	row := func(key, token string, node, of int, boxes ...view.NestedBox) {
		n.Rows = append(n.Rows, view.NestedRow{Key: key, Token: token, Node: node, Of: of, Boxes: boxes})
	}
	box := func(name, value string) view.NestedBox { return view.NestedBox{Name: name, Value: value} }
	var wide []view.NestedBox
	for i := range 30 {
		b := box(fmt.Sprintf("%d:item%d", 120101+i, i), "iphone")
		b.Read = i >= 1 && i <= 4
		b.Returned = b.Read && i != 2
		if i == 2 {
			b.Value, b.Dead = "deleted", true
		}
		wide = append(wide, b)
	}
	row("sellerid1", "-5628869329145707428", 2, 10000, wide...)
	n.Rows[0].InHand, n.Rows[0].Read, n.Rows[0].Returned = true, 4, 3
	row("jim", "2680261686609811218", 0, 2, box("120101:a", "x"), box("120102:b", "a value that is longer than its box may be"))
	row("a-17:2026-11-21", "3979551258548783603", 4, 3, view.NestedBox{Super: "Likes", Name: "121212", Value: "iphone"},
		view.NestedBox{Super: "Likes", Name: "343434", Value: "ipad"}, view.NestedBox{Super: "UserInfo", Name: "Name", Value: "Jay"})
	row("hostile\x1b[31m", "5483485865352394673", 5, 2, box("name\x1b]0;x\a", "\x1b[2J"), box("漢字", "wide"))
	row("last", "7758250825761041707", 5, 1, box("1:z", ""))
	return n
}
