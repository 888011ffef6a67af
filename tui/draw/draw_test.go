package draw

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestCleanShowsWhatHides(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain text", "plain text"},
		{"a 日 b", "a 日 b"},
		{"Zürich ✓ │ ⣿", "Zürich ✓ │ ⣿"},
		{"\x1b[31mred", `\x1b[31mred`},
		{"a\nb\tc\rd\x07", `a\nb\tc\rd\x07`},
		{"\u009b31m", `\u009b31m`},
		{"\x9b31m", `\x9b31m`},
		{"\u202eabc\u2066", `\u202eabc\u2066`},
		{"zero\u200bwidth\ufeff", `zero\u200bwidth\ufeff`},
		{"soft\u00adhyphen", `soft\u00adhyphen`},
		{"nbsp\u00a0em\u2003", `nbsp\u00a0em\u2003`},
		{"e\u0301", "e\u0301"},
		{"\u0301alone", `\u0301alone`},
		{"日本", "日本"},
		{"\U000e0041", `\U000e0041`},
		{"\xff\xfe", `\xff\xfe`},
		{"fill\u3164er", `fill\u3164er`},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func hostile() *rapid.Generator[string] {
	bits := rapid.SampledFrom([]string{"a", "é", "e\u0301", "日", "\x1b[2J", "\x07", "\u009b", "\x9b", "\u202e", "\u200d", "👩\u200d👩", "🇩🇪", "\ufe0f", "\n", "│", "⣿", "\u0300\u0301\u0302\u0303", "\xc3", " ", "\x00"})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(bits, 0, 12).Draw(t, "bits"), "") + rapid.String().Draw(t, "any")
	})
}

func TestCleanIsSafeAndStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		c := Clean(s)
		if !utf8.ValidString(c) || Clean(c) != c {
			t.Fatalf("Clean(%q) = %q is not stable", s, c)
		}
		for _, r := range c {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff {
				t.Fatalf("Clean(%q) keeps %U", s, r)
			}
		}
		if Width(s) != ansi.StringWidth(c) || Width(s) != ansi.StringWidthWc(c) {
			t.Fatalf("Width(%q) = %d, the terminal says %d and %d", s, Width(s), ansi.StringWidth(c), ansi.StringWidthWc(c))
		}
	})
}

func TestCanvasKeepsItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(0, 30).Draw(t, "w"), rapid.IntRange(0, 6).Draw(t, "h")
		c := NewCanvas(w, h)
		c.ASCII = rapid.Bool().Draw(t, "ascii")
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			x, y := rapid.IntRange(-5, 35).Draw(t, "x"), rapid.IntRange(-2, 8).Draw(t, "y")
			s := hostile().Draw(t, "s")
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				c.Put(x, y, Bold, s)
			case 1:
				c.PutIn(x, y, rapid.IntRange(-1, 20).Draw(t, "room"), 2, s)
			case 2:
				c.Right(x, y, Reverse, s)
			case 3:
				c.Sub(x, y, 7, 2).Put(1, 0, 3, s)
			}
		}
		lines := c.Lines(&Palette{})
		if len(lines) != h {
			t.Fatalf("%d lines, want %d", len(lines), h)
		}
		for _, l := range lines {
			if ansi.StringWidth(l) != w {
				t.Fatalf("line %q is %d wide, want %d", l, ansi.StringWidth(l), w)
			}
			if c.ASCII && strings.Trim(ansi.Strip(l), " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") != "" {
				t.Fatalf("line %q is not ASCII", l)
			}
		}
	})
}

func TestWrapFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := hostile().Draw(t, "s"), rapid.IntRange(2, 40).Draw(t, "w")
		for _, l := range append(Wrap(s, w), HardWrap(s, w)...) {
			if Width(l) > w {
				t.Fatalf("%q is wider than %d", l, w)
			}
		}
		if got := Width(Cut(s, w)); got != max(Width(Clean(s))-w, 0) {
			t.Fatalf("Cut of %q by %d leaves %d", s, w, got)
		}
		if Width(Truncate(s, w)) > w || Width(Pad(s, w)) != w {
			t.Fatalf("Truncate or Pad of %q misses %d", s, w)
		}
	})
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Bytes(0), "0B"}, {Bytes(54 << 10), "54K"}, {Bytes(1_782_579), "1.7M"}, {Bytes(4096), "4K"}, {Bytes(1023), "1023B"},
		{Count(168), "168"}, {Count(41213), "41.2k"}, {Count(3_100_000), "3.1M"}, {Count(21000), "21.0k"},
		{Thousands(41208), "41,208"}, {Thousands(-1234567), "-1,234,567"},
		{Bar(0.5, 4), "██"}, {Bar(0.001, 4), "▏"}, {Bar(2, 3), "███"}, {Meter(0.5, 4), "██░░"}, {Spark([]float64{0, 1, 2}, 2), "▅█"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestRingLabelsStayOutside(t *testing.T) {
	r := Ring{Arcs: []Arc{{Pos: 0}, {Pos: 0.5}}, HasKey: true, Key: 0.2, Center: []Line{{Text: "token"}}}
	for i := range 6 {
		r.Labels = append(r.Labels, Label{Pos: float64(i) / 6, Text: "n" + string(rune('1'+i)) + " ●", ID: i})
	}
	for w := 1; w < 90; w += 3 {
		for h := 1; h < 40; h += 2 {
			for _, hit := range r.Paint(NewCanvas(w, h)) {
				if hit.X < 0 || hit.Y < 0 || hit.X+hit.W > w || hit.Y >= h {
					t.Fatalf("%dx%d: label %+v is outside", w, h, hit)
				}
			}
		}
	}
	if n := len(r.Paint(NewCanvas(40, 22))); n != 6 {
		t.Errorf("%d of 6 labels found room", n)
	}
}

func BenchmarkRing(b *testing.B) {
	r := Ring{}
	for i := range 4096 {
		r.Arcs = append(r.Arcs, Arc{Pos: float64(i) / 4096, Weight: i%3 + 1, Style: Style(i % 8)})
	}
	c := NewCanvas(44, 22)
	for b.Loop() {
		r.Paint(c)
	}
}

// The encoder gives what a canvas alone gives, whatever came before.
func TestEncoderGivesTheSameLines(t *testing.T) {
	p := &Palette{}
	p.Tokens[1], p.Tokens[2] = "31", "32"
	var e Encoder
	rapid.Check(t, func(rt *rapid.T) {
		c := NewCanvas(rapid.IntRange(1, 12).Draw(rt, "w"), rapid.IntRange(1, 4).Draw(rt, "h"))
		for range rapid.IntRange(0, 8).Draw(rt, "n") {
			x, y := rapid.IntRange(-3, 12).Draw(rt, "x"), rapid.IntRange(0, 4).Draw(rt, "y")
			style := Style(rapid.IntRange(0, 2).Draw(rt, "style"))
			if rapid.Bool().Draw(rt, "fill") {
				c.Fill(x, y, rapid.IntRange(0, 9).Draw(rt, "stretch"), style, "─")
				continue
			}
			c.Put(x, y, style, rapid.SampledFrom([]string{"a", "日本", "é日x", "──"}).Draw(rt, "text"))
		}
		for y := range c.H {
			for x := range c.W {
				if w := c.At(x, y).Width; w == 2 && (x+1 == c.W || c.At(x+1, y).Width != 0) || w == 0 && (x == 0 || c.At(x-1, y).Width != 2) {
					rt.Fatalf("half a wide cell at %d,%d", x, y)
				}
			}
		}
		if got, want := e.Lines(c, p), c.Lines(p); !slices.Equal(got, want) {
			rt.Fatalf("%q, expected %q", got, want)
		}
	})
}
