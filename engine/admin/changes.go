package admin

import (
	"fmt"
	"sort"
	"strings"

	"ringlab/model/plan"
)

// Changes are what a replay does otherwise than the first time.
type Changes struct {
	Level   string   // consistency level of every statement, "" as it was
	Serial  string   // serial consistency level, "" as it was
	NoSkew  bool     // every clock is right
	Without []string // the words that commands to leave out begin with
}

// replay reads `with cl=QUORUM … without :down n3`.
func (j *Journey) replay(c *Command, rest string) error {
	rest = " " + strings.TrimSpace(rest)
	first, without, cut := strings.Cut(rest, " without")
	a, err := parseArgs(strings.TrimSpace(first))
	if err != nil {
		return err
	}
	if cut {
		words := strings.Fields(without)
		if n := len(words); n > 0 && strings.HasPrefix(words[n-1], "as=") {
			a.Named["as"], words = words[n-1][3:], words[:n-1]
		}
		if j.Changes.Without = words; len(j.Changes.Without) == 0 {
			return fmt.Errorf("without names the commands to leave out, as in `:replay with skew=0 without :down n3`")
		}
	}
	if len(a.Words) == 1 && a.Words[0] == "with" && (len(a.Named) > 0 || cut) || len(a.Words) == 0 && cut && strings.TrimSpace(first) == "" {
		return j.settings(a.Named)
	}
	return usageError(c)
}

func (j *Journey) settings(named map[string]string) error {
	keys := make([]string, 0, len(named))
	for key := range named {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		v := named[key]
		level, known := plan.ParseConsistency(v)
		switch {
		case key == "as":
			if err := branchName(v); err != nil {
				return err
			}
			j.Name = v
		case key == "cl" && known:
			j.Changes.Level = level.String()
		case key == "serial" && known && level.IsSerial():
			j.Changes.Serial = level.String()
		case key == "cl" || key == "serial":
			return fmt.Errorf("%s is no %sconsistency level", v, map[bool]string{true: "serial "}[key == "serial"])
		case key == "skew" && (v == "0" || v == "0s"):
			j.Changes.NoSkew = true
		case key == "skew":
			return fmt.Errorf("skew=0 sets every clock right; other clocks are set by `:skew` on a branch of your own")
		default:
			return fmt.Errorf("a replay changes cl, serial and skew and leaves out what `without` names; it has no %s", key)
		}
	}
	return nil
}

// String is the changes as a replay takes them.
func (c Changes) String() string {
	var out []string
	if c.Level != "" {
		out = append(out, "cl="+c.Level)
	}
	if c.Serial != "" {
		out = append(out, "serial="+c.Serial)
	}
	if c.NoSkew {
		out = append(out, "skew=0")
	}
	if len(c.Without) > 0 {
		out = append(out, "without "+strings.Join(c.Without, " "))
	}
	return strings.Join(out, " ")
}

// Opening are the commands that every new ring begins with.
func (c Changes) Opening() (out []string) {
	if c.Level != "" {
		out = append(out, "CONSISTENCY "+c.Level)
	}
	if c.Serial != "" {
		out = append(out, "SERIAL CONSISTENCY "+c.Serial)
	}
	return out
}

// Renews says whether a command starts an empty lab, whose clients are new.
func Renews(text string) bool {
	f := strings.Fields(text)
	return len(f) > 0 && f[0] == ":reset" || len(f) > 1 && f[0] == ":ring" && f[1] == "new"
}

// Of is a command as the replay runs it; keep is false where it is left out.
// NODE_LOCAL stays: it looks at one node's storage and is no level of the ring.
func (c Changes) Of(text string) (out string, keep bool) {
	f := strings.Fields(text)
	if len(f) == 0 {
		return text, true
	}
	if n := len(c.Without); n > 0 && len(f) >= n && strings.EqualFold(strings.Join(f[:n], " "), strings.Join(c.Without, " ")) {
		return "", false
	}
	first := strings.ToUpper(f[0])
	switch {
	case first == "CONSISTENCY" && len(f) == 2 && c.Level != "" && !local(f[1]):
		return "CONSISTENCY " + c.Level, true
	case first == "SERIAL" && len(f) == 3 && c.Serial != "":
		return "SERIAL CONSISTENCY " + c.Serial, true
	case f[0] == ":cli" && len(f) > 3 && strings.EqualFold(f[1], "consistencylevel") && c.Level != "":
		return ":cli consistencylevel as " + c.Level + ";", true
	case f[0] == ":skew" && len(f) == 3 && c.NoSkew:
		return ":skew " + f[1] + " 0s", true
	case f[0] == ":client" && len(f) > 1:
		return c.client(f), true
	case f[0] == ":stress" && c.Level != "" && !(len(f) > 1 && f[1] == "export"):
		return setWord(text, "cl=", c.Level), true
	}
	return text, true
}

// client is a :client at the changed level and with its clock right.
func (c Changes) client(words []string) string {
	text := strings.Join(words, " ")
	if c.NoSkew && strings.Contains(text, " skew=") {
		text = setWord(text, "skew=", "0s")
	}
	level := ""
	for _, w := range words {
		if v, ok := strings.CutPrefix(w, "cl="); ok {
			level = v
		}
	}
	if c.Level != "" && !local(level) {
		text = setWord(text, "cl=", c.Level)
	}
	return text
}

func local(level string) bool {
	cl, ok := plan.ParseConsistency(level)
	return ok && cl == plan.NodeLocal
}

// setWord replaces a named argument, or adds it. Only the argument changes: what
// stands around it may be quoted.
func setWord(text, key, value string) string {
	at := strings.LastIndex(text, " "+key)
	if at < 0 {
		return text + " " + key + value
	}
	end := at + 1 + len(key)
	for end < len(text) && text[end] != ' ' && text[end] != '\t' {
		end++
	}
	return text[:at+1] + key + value + text[end:]
}
