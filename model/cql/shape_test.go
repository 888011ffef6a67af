package cql

import "testing"

func TestShape(t *testing.T) {
	for text, want := range map[string]struct {
		shape string
		n     int
	}{
		"SELECT a FROM t WHERE k = 'x''y' AND c IN (1, -2.5e3)": {"SELECT a FROM t WHERE k = ? AND c IN (?, ?)", 3},
		"INSERT INTO t (k,v)\n VALUES (true, 0xff) -- x":        {"INSERT INTO t (k,v) VALUES (?, ?)", 2},
		"SELECT * FROM t WHERE k = ?":                           {"SELECT * FROM t WHERE k = ?", 0},
		"UPDATE t SET v = 'open":                                {"UPDATE t SET v =", 0},
		"":                                                      {"", 0},
	} {
		if shape, n := Shape(text); shape != want.shape || n != want.n {
			t.Errorf("%q: %q, %d", text, shape, n)
		}
	}
}
