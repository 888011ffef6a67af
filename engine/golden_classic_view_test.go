package engine_test

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/model/types"
)

// viewEntry is what CQL of 2.1 said of a column family at the end of a recording.
type viewEntry struct {
	Table  string
	Schema struct {
		Type             string
		Comparator       string
		Subcomparator    *string
		DefaultValidator string `json:"default_validator"`
		KeyValidator     string `json:"key_validator"`
	} `json:"schema_columnfamilies"`
	Select struct {
		Columns []struct{ Name, Type string }
		Rows    [][]any
		Error   string
	}
}

// views checks the classic side of every column family, and what SELECT gives.
func (c *classicTally) views(lab *engine.Lab, base string, all map[string][]viewEntry) {
	var spaces []string
	for ks := range all {
		spaces = append(spaces, ks)
	}
	sort.Strings(spaces)
	for _, ks := range spaces {
		for _, e := range all[ks] {
			name := fmt.Sprintf("view/%s %s.%s", base, ks, e.Table)
			t := lab.Core().Cluster.Schema.Table(ks, e.Table)
			if t == nil {
				c.check(name, false, func() string { return "no such table" })
				continue
			}
			if f := t.Family; f != nil {
				got := fmt.Sprint(map[bool]string{true: "Super", false: "Standard"}[f.Super], shortClass(f.Comparator), shortClass(f.ValueClass), shortClass(f.KeyClass))
				want := fmt.Sprint(e.Schema.Type, e.Schema.Comparator, e.Schema.DefaultValidator, e.Schema.KeyValidator)
				c.check(name, strings.ReplaceAll(got, "()", "") == strings.ReplaceAll(want, "()", ""), func() string { return got + "\n want " + want })
			}
			if e.Select.Error != "" {
				continue // what the driver could not read
			}
			a := lab.Do(fmt.Sprintf("SELECT * FROM %s.%q LIMIT 10000", ks, e.Table))[0]
			c.check(name+" select", sameView(a, &e), func() string {
				return fmt.Sprintf("\n got  %v\n!     \n want %v %v\n!     ", a.Columns, e.Select.Columns, e.Select.Rows) + cqlDetail(a, nil, "")
			})
		}
	}
}

func shortClass(c *types.Comparator) string {
	if c == nil {
		return ""
	}
	return strings.ReplaceAll(c.ClassicName(), "org.apache.cassandra.db.marshal.", "")
}

// sameView compares names and values; those of times and collections, which
// cqlsh prints otherwise than the recorder, only by being there.
func sameView(a *answer.Answer, e *viewEntry) bool {
	if a.Error != nil || len(a.Columns) != len(e.Select.Columns) || len(a.Rows) != len(e.Select.Rows) {
		return false
	}
	for i, c := range e.Select.Columns {
		if a.Columns[i].Name != c.Name {
			return false
		}
	}
	for i, row := range e.Select.Rows {
		for j, v := range row {
			cell := a.Rows[i][j]
			switch v.(type) {
			case map[string]any, []any:
				continue
			case nil:
				if cell.Text == "" { // an empty value, which the recorder's driver reads as none
					continue
				}
			}
			if cell.Null != (v == nil) {
				return false
			}
			if !cell.Null && !sameText(cell.Text, goldenText(v), e.Select.Columns[j].Type) {
				return false
			}
		}
	}
	return true
}

func sameText(got, want, kind string) bool {
	switch kind {
	case "timestamp":
		return len(got) >= 10 && len(want) >= 10 && got[:10] == want[:10]
	case "timeuuid", "uuid":
		return len(got) == len(want) // some are made anew by every run
	case "blob":
		return got == want || len(got) == 34 && (len(want) == 34 || want == "UUIDHEX") // IDs
	case "double", "float", "decimal", "bigint", "counter", "varint":
		x, err1 := strconv.ParseFloat(got, 64)
		y, err2 := strconv.ParseFloat(want, 64)
		return got == want || err1 == nil && err2 == nil && (x == y || kind == "float" && float32(x) == float32(y))
	case "varchar", "ascii":
		return got == types.Text.Text([]byte(want))
	}
	return got == want
}
