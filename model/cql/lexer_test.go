package cql

import (
	"strings"
	"testing"
)

// show writes tokens as class:text, without spaces.
func show(src string) string {
	names := [...]string{"error", "", "comment", "keyword", "ident", "quoted", "string", "number", "literal", "marker", "symbol"}
	var out []string
	for _, t := range Tokens(src) {
		if t.Kind != SpaceToken {
			out = append(out, names[t.Kind]+":"+t.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"select A_1, \"A\"\"b\" from t", `keyword:select ident:A_1 symbol:, quoted:"A""b" keyword:from ident:t`},
		{"'it''s' $$a'b$$ ''", "string:'it''s' string:$$a'b$$ string:''"},
		{"1 -1 - 1 1.5 2. 1e5 1E-3 -0.5", "number:1 number:-1 symbol:- number:1 number:1.5 number:2. number:1e5 number:1E-3 number:-0.5"},
		{"1..2 1...2", "number:1 symbol:.. number:2 number:1. symbol:.. number:2"},
		{"0xCAFE 0X 0xzz", "literal:0xCAFE literal:0X literal:0x ident:zz"},
		{"550e8400-e29b-41d4-a716-446655440000", "literal:550e8400-e29b-41d4-a716-446655440000"},
		{"deadbeef-e29b-41d4-a716-446655440000 deadbeef", "literal:deadbeef-e29b-41d4-a716-446655440000 ident:deadbeef"},
		{"12d 1y2mo3w4d5h6m7s8ms9us10ns -1h 5µs", "literal:12d literal:1y2mo3w4d5h6m7s8ms9us10ns literal:-1h literal:5µs"},
		{"P1Y2M3DT4H5M6S P2W PT1H -P1D P1H P Price", "literal:P1Y2M3DT4H5M6S literal:P2W literal:PT1H literal:-P1D ident:P1H ident:P ident:Price"},
		{"P0001-02-03T04:05:06", "literal:P0001-02-03T04:05:06"},
		{"NaN -nan Infinity -INFINITY true False", "number:NaN number:-nan number:Infinity number:-INFINITY literal:true literal:False"},
		{"a--b\nc//d\ne/*f\ng*/h", "ident:a comment:--b\n ident:c comment://d\n ident:e comment:/*f\ng*/ ident:h"},
		{"? :name += -= <= >= != <> % ;", "marker:? symbol:: ident:name symbol:+= symbol:-= symbol:<= symbol:>= symbol:!= symbol:< symbol:> symbol:% symbol:;"},
		{"expr(a expr (b", "symbol:expr( ident:a ident:expr symbol:( ident:b"},
		{"a ö b 'open", "ident:a error:ö ident:b error:'open"},
		{"1f) x", "error:1f symbol:) ident:x"},
		{"select_masked TABLE", "keyword:select_masked keyword:TABLE"},
	} {
		if got := show(c.src); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.src, got, c.want)
		}
	}
}

func TestTokensCoverTheText(t *testing.T) {
	for _, r := range recordings(t) {
		var b strings.Builder
		for _, tok := range Tokens(r.CQL) {
			if tok.Pos.Offset != b.Len() {
				t.Fatalf("%s: token %q at %d, text at %d", r.CQL, tok.Text, tok.Pos.Offset, b.Len())
			}
			b.WriteString(tok.Text)
		}
		if b.String() != r.CQL {
			t.Fatalf("tokens of %q give %q", r.CQL, b.String())
		}
	}
}

func TestPositions(t *testing.T) {
	src := "-- é\nSELECT 'ö𝄞',\n  /* x\n */ v FROM t"
	want := map[string]Pos{
		"SELECT": {2, 0, 6},
		",":      {2, 12, 21},
		"v":      {4, 4, 34},
		"t":      {4, 11, 41},
	}
	for _, tok := range Tokens(src) {
		if pos, ok := want[tok.Text]; ok && pos != tok.Pos {
			t.Errorf("%s at %+v, want %+v", tok.Text, tok.Pos, pos)
		}
	}
}

func TestReservedWords(t *testing.T) {
	for _, w := range strings.Fields(`ADD ALLOW ALTER AND APPLY ASC AUTHORIZE BATCH BEGIN BY COLUMNFAMILY CREATE DELETE DESC
		DESCRIBE DROP ENTRIES EXECUTE FROM FULL GRANT IF IN INDEX INFINITY INSERT INTO IS KEYSPACE LIMIT MATERIALIZED MODIFY
		NAN NORECURSIVE NOT NULL OF ON OR ORDER PRIMARY RENAME REVOKE SCHEMA SELECT SET TABLE TO TOKEN TRUNCATE UNLOGGED
		UPDATE USE USING VIEW WHERE WITH select Token`) {
		if !IsReserved(w) {
			t.Errorf("%s is reserved", w)
		}
	}
	for _, w := range strings.Fields("key ttl list type map count json values static VECTOR tables cast foo") {
		if IsReserved(w) {
			t.Errorf("%s is not reserved", w)
		}
	}
	for name, want := range map[string]string{"a_1": "a_1", "Ab": `"Ab"`, "select": `"select"`, "": `""`, `a"b`: `"a""b"`, "key": "key", "1a": `"1a"`} {
		if got := QuoteName(name); got != want {
			t.Errorf("QuoteName(%q) = %s, want %s", name, got, want)
		}
	}
	if len(Keywords()) < 150 {
		t.Error("keywords are missing")
	}
}
