package figure

import "testing"

func TestGrouped(t *testing.T) {
	for digits, want := range map[string]string{"": "", "0": "0", "999": "999", "1000": "1,000", "-999": "-999", "-1000": "-1,000", "123456": "123,456", "1234567": "1,234,567", "-123456789": "-123,456,789"} {
		if got := Grouped(digits); got != want {
			t.Errorf("%q is %q, not %q", digits, got, want)
		}
	}
	if got := Whole(1234.5); got != "1,234" {
		t.Errorf("1234.5 is %q", got)
	}
}
