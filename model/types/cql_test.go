package types

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

type scriptResult struct {
	Keyspace   string
	Statements []struct {
		N       int
		CQL     string
		Result  string
		Columns []struct{ Name, Type string }
		Text    [][]*string
		Rows    [][]any
		Hex     [][]*string
		Error   *struct{ Class, Message string }
	}
}

func readScript(t *testing.T, file string) (s scriptResult) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil || len(s.Statements) == 0 {
		t.Fatalf("%s: empty or unreadable: %v", file, err)
	}
	return s
}

// scriptUDTs knows the user types of the scripts as they are while values are
// read; a type that grows in its script is left out.
func scriptUDTs(_, name string) (*Type, error) {
	if name == "person2" {
		return UDTOf("g_udt", name, []string{"name", "home", "tags"},
			[]*Type{Text, UDTOf("g_udt", "address", []string{"street", "city", "zip"}, []*Type{Text, Text, Int}).Freeze(), SetOf(Text).Freeze()}), nil
	}
	return testUDT("", name)
}

// TestScriptValues renders every recorded cell as cqlsh and as JSON rows do.
func TestScriptValues(t *testing.T) {
	files, _ := filepath.Glob("testdata/cql/*.json")
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	cells := 0
	for _, file := range files {
		for _, s := range readScript(t, file).Statements {
			for i, row := range s.Hex {
				for j, h := range row {
					typ, err := Parse(s.Columns[j].Type, scriptUDTs)
					if err != nil || h == nil {
						continue
					}
					b, _ := hex.DecodeString(*h)
					cells++
					if err := typ.Validate(b); err != nil && !strings.Contains(err.Error(), "Null value") {
						t.Errorf("%s %d: %s %s: %v", file, s.N, typ, *h, err)
					}
					if got := typ.Text(b); got != *s.Text[i][j] {
						t.Errorf("%s %d: Text(%s %s) = %q, want %q", file, s.N, typ, *h, got, *s.Text[i][j])
					}
					if got, ok := rowForm(typ, b); ok && got != s.Rows[i][j] {
						t.Errorf("%s %d: row form of %s %s = %#v, want %#v", file, s.N, typ, *h, got, s.Rows[i][j])
					}
				}
			}
		}
	}
	t.Logf("%d cells", cells)
}

// rowForm is the JSON of the scripts' rows for the simple types.
func rowForm(t *Type, b []byte) (any, bool) {
	if len(b) == 0 && t.Kind != KindBlob {
		return "", t.IsNative()
	}
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt:
		return float64(DecodeVarint(b).Int64()), true
	case KindBoolean:
		return DecodeBool(b), true
	case KindFloat, KindDouble:
		v := DecodeDouble(b)
		if t.Kind == KindFloat {
			v = float64(DecodeFloat(b))
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return t.Raw(b), true
		}
		return v, true
	case KindAscii, KindText:
		return string(b), true
	case KindBlob, KindUUID, KindTimeUUID:
		return t.Literal(b), true
	case KindTime, KindInet, KindDuration:
		return t.Text(b), true
	}
	return nil, false
}

var simpleInsert = regexp.MustCompile(`(?s)^INSERT INTO vals \(k, v\) VALUES \((\d+), (.*)\)$`)

// scanConstant classifies the text of one constant as the lexer does.
func scanConstant(s string) (ConstKind, string, bool) {
	match := func(pattern string) bool { return regexp.MustCompile(`(?i)^(?:` + pattern + `)$`).MatchString(s) }
	switch {
	case strings.HasPrefix(s, "'"):
		return ConstString, strings.ReplaceAll(s[1:len(s)-1], "''", "'"), true
	case strings.HasPrefix(s, "$$"):
		return ConstString, s[2 : len(s)-2], true
	case match(`true|false`):
		return ConstBoolean, s, true
	case match(`0x[0-9a-f]*`):
		return ConstHex, s, true
	case match(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`):
		return ConstUUID, s, true
	case match(`-?[0-9]+`):
		return ConstInteger, s, true
	case match(`-?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?|-?nan|-?infinity`):
		return ConstFloat, s, true
	case match(`-?(p[0-9ymwdths:-]*|([0-9]+(y|mo|w|d|h|m|s|ms|us|µs|ns))+)`):
		return ConstDuration, s, true
	}
	return 0, "", false
}

// TestScriptConstants inserts every simple constant and compares the bytes with
// those that the script reads back, or the error.
func TestScriptConstants(t *testing.T) {
	files, _ := filepath.Glob("testdata/cql/type-*.json")
	values, refusals := 0, 0
	for _, file := range files {
		typ, ok := Native(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "type-"), ".json"))
		if !ok {
			t.Fatal(file)
		}
		script := readScript(t, file)
		stored := map[float64]string{}
		for _, s := range script.Statements {
			if strings.HasPrefix(s.CQL, "SELECT k, v FROM vals") {
				for i, row := range s.Rows {
					if s.Hex == nil {
						if v, ok := row[1].(string); ok {
							stored[row[0].(float64)] = hex.EncodeToString([]byte(v))
						}
					} else if h := s.Hex[i][1]; h != nil {
						stored[row[0].(float64)] = *h
					}
				}
			}
		}
		for _, s := range script.Statements {
			m := simpleInsert.FindStringSubmatch(s.CQL)
			if m == nil || m[2] == "null" || s.Error != nil && s.Error.Class == "SyntaxException" {
				continue
			}
			kind, text, ok := scanConstant(m[2])
			if !ok {
				t.Errorf("%s %d: no constant in %s", file, s.N, s.CQL)
				continue
			}
			message := ""
			var b []byte
			if typ.Assign(kind, text) == NotAssignable {
				message = InvalidConstant(kind, text, "v", typ)
			} else if v, err := typ.FromConstant(kind, text); err != nil {
				message = err.Error()
			} else {
				b = v
			}
			if s.Error != nil {
				refusals++
				if message != s.Error.Message {
					t.Errorf("%s %d: %s: error %q, want %q", file, s.N, s.CQL, message, s.Error.Message)
				}
				continue
			}
			var k float64
			_ = json.Unmarshal([]byte(m[1]), &k)
			want, found := stored[k]
			if message != "" || found && hex.EncodeToString(b) != want {
				t.Errorf("%s %d: %s: %q %x, want %s", file, s.N, s.CQL, message, b, want)
			}
			if found {
				values++
			}
		}
	}
	t.Logf("%d values, %d refusals", values, refusals)
}

// TestScriptJSON compares SELECT JSON of the type scripts.
func TestScriptJSON(t *testing.T) {
	files, _ := filepath.Glob("testdata/cql/type-*.json")
	rows := 0
	for _, file := range files {
		typ, _ := Native(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "type-"), ".json"))
		byKey := map[string][]byte{}
		for _, s := range readScript(t, file).Statements {
			if strings.HasPrefix(s.CQL, "SELECT k, v FROM vals") && s.Hex != nil {
				for _, row := range s.Hex {
					k, _ := hex.DecodeString(*row[0])
					byKey[Int.Raw(k)] = nil
					if row[1] != nil {
						byKey[Int.Raw(k)], _ = hex.DecodeString(*row[1])
					}
				}
			}
			if s.CQL != "SELECT JSON k, v FROM vals" {
				continue
			}
			for _, row := range s.Rows {
				text := row[0].(string)
				k, _, _ := strings.Cut(strings.TrimPrefix(text, `{"k": `), ",")
				b, ok := byKey[k]
				if !ok {
					continue
				}
				rows++
				if got := `{"k": ` + k + `, "v": ` + typ.JSON(b) + "}"; got != text {
					t.Errorf("%s: %s, want %s", file, got, text)
				}
			}
		}
	}
	t.Logf("%d rows", rows)
}
