package index

import (
	"strings"
	"testing"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// TestSupports lists what each kind of index answers.
func TestSupports(t *testing.T) {
	names := map[plan.Op]string{plan.EQ: "=", plan.LT: "<", plan.GTE: ">=", plan.In: "IN", plan.Contains: "CONTAINS", plan.ContainsKey: "CONTAINS KEY",
		plan.Like: "LIKE", plan.LikePrefix: "x%", plan.LikeSuffix: "%x", plan.LikeContains: "%x%", plan.NearestTo: "ANN"}
	order := []plan.Op{plan.EQ, plan.LT, plan.GTE, plan.In, plan.Contains, plan.ContainsKey, plan.Like, plan.LikePrefix, plan.LikeSuffix, plan.LikeContains, plan.NearestTo}
	contains := []schema.Option{{Key: "mode", Value: "CONTAINS"}}
	textMap := types.MapOf(types.Text, types.Int)
	for _, c := range []struct {
		class   string
		typ     *types.Type
		target  schema.Target
		desc    bool
		options []schema.Option
		want    string
	}{
		{"", types.Int, schema.TargetSimple, false, nil, "="},
		{"", textMap, schema.TargetKeys, false, nil, "CONTAINS KEY"},
		{"", textMap, schema.TargetValues, false, nil, "CONTAINS"},
		{"", textMap, schema.TargetEntries, false, nil, "="},
		{"", textMap.Freeze(), schema.TargetFull, false, nil, "="},
		{"sai", types.Int, schema.TargetSimple, false, nil, "= < >= CONTAINS CONTAINS KEY"},
		{"sai", types.Text, schema.TargetSimple, false, nil, "="},
		{"sai", types.UUID, schema.TargetSimple, false, nil, "="},
		{"sai", types.UUID, schema.TargetSimple, true, nil, "= < >= CONTAINS CONTAINS KEY"},
		{"sai", textMap, schema.TargetEntries, false, nil, "="},
		{"sai", textMap.Freeze(), schema.TargetFull, false, nil, "="},
		{"sai", types.VectorOf(types.Float, 2), schema.TargetSimple, false, nil, "= ANN"},
		{schema.SASI, types.Int, schema.TargetSimple, false, nil, "= < >= x%"},
		{schema.SASI, types.Text, schema.TargetSimple, false, nil, "= LIKE x%"},
		{schema.SASI, types.Text, schema.TargetSimple, false, contains, "= LIKE x% %x %x%"},
	} {
		i := &schema.Index{Column: "v", Class: c.class, Target: c.target, Options: c.options}
		var got []string
		for _, op := range order {
			if Supports(i, &schema.Column{Name: "v", Type: c.typ, Desc: c.desc, Kind: schema.Regular}, op) {
				got = append(got, names[op])
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("index %q of %s(%s): %s, expected %s", c.class, c.target, c.typ, text, c.want)
		}
	}
}

// TestWords looks at the words that StandardAnalyzer finds.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"The quick brown-fox jumped.": "The|quick|brown|fox|jumped",
		"quick's a b.c d_e 3.14 5,":   "quick's|a|b.c|d_e|3.14|5",
		"1,000;2 a,b x;y":             "1,000;2|a|b|x|y",
		"漢字 かな":                       "漢|字|か|な",
		" … ":                         "",
	} {
		if got := strings.Join(words(text), "|"); got != want {
			t.Errorf("%q: %s, expected %s", text, got, want)
		}
	}
}
