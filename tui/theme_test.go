package tui

import (
	"math"
	"testing"
)

func luminance(hex string) float64 {
	r, g, b := rgb(hex)
	lin := func(c int) float64 {
		f := float64(c) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestThemesAreReadable(t *testing.T) {
	for _, th := range Themes {
		if th.Background == "" {
			continue
		}
		for token, fg := range th.FG {
			need, ground := 4.5, th.Background
			if token == int(Border) {
				need = 3
			}
			if token == int(Select) {
				ground = th.SelectBG
			}
			if c := contrast(fg, ground); c < need {
				t.Errorf("%s: token %d %s on %s has contrast %.2f, want %.1f", th.Name, token, fg, ground, c, need)
			}
		}
	}
}

func TestThemeNoneHasNoColour(t *testing.T) {
	th := themeNamed("none")
	for token := range th.FG {
		for _, p := range []string{"3", "4", "9", "10"} {
			if s := th.palette.Tokens[token]; len(s) > 1 && s[:len(p)] == p {
				t.Errorf("token %d is %q", token, s)
			}
		}
	}
}

func TestThemesCycle(t *testing.T) {
	th := themeNamed("dark")
	for range Themes {
		th = th.after()
	}
	if th.Name != "dark" {
		t.Errorf("the cycle ends at %s", th.Name)
	}
}
