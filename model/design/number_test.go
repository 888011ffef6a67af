package design

import "testing"

// A number has one unit at most; two are refused each time, not by chance.
func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{"50": 50, "1k": 1000, "2.5m": 2.5e6, "1g": 1e9, "5mk": 0, "5km": 0, "k": 0, "-1": 0, "": 0} {
		for range 20 {
			if got, ok := number(text); ok != (want != 0) || ok && got != want {
				t.Fatalf("%q is %v, %v; want %v", text, got, ok, want)
			}
		}
	}
}
