package cql

import (
	"errors"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, r := range recordings(f) {
		f.Add(r.CQL)
	}
	f.Add("SELECT json - json, -i FROM \"\"\x00\xff")
	f.Fuzz(func(t *testing.T, src string) {
		tree, err := Parse(src)
		if err == nil {
			checkRoundTrip(t, tree, src)
			return
		}
		var refused *SyntaxError
		if !errors.As(err, &refused) {
			t.Fatalf("%q: error %T", src, err)
		}
		if refused.Pos.Offset < 0 || refused.Pos.Offset > len(src) || refused.Message == "" {
			t.Fatalf("%q: %+v", src, refused)
		}
	})
}

// FuzzTokens: the tokens of any text are its exact partition, each where it says
// that it is, and reading them one by one or cutting statements ends.
func FuzzTokens(f *testing.F) {
	for _, r := range recordings(f) {
		f.Add(r.CQL)
	}
	f.Add("-- x\n/* y */ // z\nBEGIN BATCH; 'é' $$ $ $$ \"\" 1..2 -i -nan P1Y2M3D 0x 1y2mo 550e8400-e29b-41d4-a716-446655440000 \xff\x00")
	f.Fuzz(func(t *testing.T, src string) {
		at, line := 0, 1
		for _, tok := range Tokens(src) {
			if tok.Text == "" || tok.Pos.Offset != at || tok.Pos.Line != line || tok.Pos.Col < 0 || !strings.HasPrefix(src[at:], tok.Text) {
				t.Fatalf("%q has the token %+v at %d in line %d", src, tok, at, line)
			}
			at += len(tok.Text)
			line += strings.Count(tok.Text, "\n")
		}
		if at != len(src) {
			t.Fatalf("the tokens of %q end at %d", src, at)
		}
		Split(src)
	})
}

func TestNestingIsBounded(t *testing.T) {
	const n = 200_000
	for _, src := range []string{
		"SELECT " + strings.Repeat("(", n),
		"SELECT " + strings.Repeat("-", 1) + strings.Repeat(" - ", n) + "1 FROM t",
		"SELECT " + strings.Repeat("f(", n),
		"SELECT " + strings.Repeat("[", n),
		"SELECT " + strings.Repeat("(int)", n) + "1 FROM t",
		"SELECT a" + strings.Repeat(".a", n) + " FROM t",
		"SELECT a" + strings.Repeat("+a", n) + " FROM t",
		"SELECT * FROM t WHERE " + strings.Repeat("(", n),
		"SELECT * FROM t WHERE a = " + strings.Repeat("(", n),
		"SELECT * FROM t WHERE a = " + strings.Repeat("{", n),
		"SELECT * FROM t WHERE a = " + strings.Repeat("(list<", n),
		"SELECT * FROM t WHERE a = 1" + strings.Repeat(" + 1", n),
		"SELECT * FROM t WHERE a = 1" + strings.Repeat(" * 1", n),
		"SELECT * FROM t WHERE a = " + strings.Repeat("(int)", n) + "1",
		"CREATE TABLE t (a " + strings.Repeat("list<", n),
		"CREATE TABLE t (a " + strings.Repeat("frozen<", n),
	} {
		if _, err := Parse(src); err == nil {
			t.Errorf("%.40s… is accepted", src)
		}
	}
}

// A parser that takes the square of these lengths does not end while tests run.
func TestLongTextIsLinear(t *testing.T) {
	values := strings.Repeat("1, 'two', ", 500_000)
	for _, src := range []string{
		"INSERT INTO t (a) VALUES (" + values + "3)",
		"INSERT INTO t (a) VALUES ({" + values + "3})",
		"SELECT " + values + "3 FROM t",
		"SELECT ({" + values + "3",
		"BEGIN BATCH " + strings.Repeat("UPDATE t SET a = 1, b += 2 WHERE k = 1; ", 100_000) + "APPLY BATCH",
		strings.Repeat("SELECT 'a', ", 400_000),
		strings.Repeat("é'", 2_000_000),
		"UPDATE t SET " + strings.Repeat("a += 1, ", 500_000) + "b = 1 WHERE k = 1",
	} {
		_, _ = Parse(src)
	}
}

var benchSink Statement

func benchParse(b *testing.B, src string) {
	b.ReportAllocs()
	for b.Loop() {
		s, err := Parse(src)
		if err != nil {
			b.Fatal(err)
		}
		benchSink = s
	}
}

func BenchmarkParseInsert(b *testing.B) {
	benchParse(b, "INSERT INTO shop.items (id, title, price, tags) VALUES (1, 'tea', 2.50, {'hot', 'green'}) USING TTL 60")
}

func BenchmarkParseInsertMarkers(b *testing.B) {
	benchParse(b, "INSERT INTO items (id, title, price) VALUES (?, ?, ?)")
}

func BenchmarkParseSelect(b *testing.B) {
	benchParse(b, "SELECT id, title, price FROM shop.items WHERE id = 7 AND day >= 3 LIMIT 10")
}

func BenchmarkTokens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Tokens("SELECT id, title, price FROM shop.items WHERE id = 7 AND day >= 3 LIMIT 10")
	}
}
