package host

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"ringlab/engine"
)

// A script is opened in an empty lab on a branch of its own; what was there
// before is a branch away, and the file is needed no more.
func TestOpen(t *testing.T) {
	inFolder(t)
	const rows = "SELECT k, c, v, writetime(v) FROM ks.t;\n:ring"
	h := open(t, "lab.ringlab")
	well(t, h, ":ring new dc1=4 seed=3\n"+tables+"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'saved');")
	saved := well(t, h, rows)
	well(t, h, ":save my.first.lab\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'later');")
	later := well(t, h, rows)
	if got := well(t, h, ":open my.first.lab"); !strings.Contains(got, "Branch my.first begins with the empty lab; `:branch main` leads back.") {
		t.Error(got)
	}
	here := well(t, h, rows)
	if here != saved {
		t.Errorf("opened is\n%s\nnot\n%s", here, saved)
	}
	if got := well(t, h, ":open my.first.lab\n:open my.first.lab as=again\n:branches"); !strings.Contains(got, " my.first-2 ") || !strings.Contains(got, " again ") {
		t.Error(got)
	}
	if err := os.Remove("my.first.lab"); err != nil {
		t.Fatal(err)
	}
	h.Close()
	h = open(t, "lab.ringlab")
	if got := well(t, h, rows); got != saved {
		t.Errorf("opened again it is\n%s\nnot\n%s", got, saved)
	}
	well(t, h, ":branch main")
	if got := well(t, h, rows); !strings.Contains(got, "later") || strings.Count(got, "\n") != strings.Count(later, "\n") {
		t.Errorf("back on main is\n%s\nnot\n%s", got, later)
	}
}

func TestOpenRefuses(t *testing.T) {
	inFolder(t)
	h := open(t, "lab.ringlab")
	write(t, "a.lab", "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n")
	write(t, "lesson.md", "# x\n")
	other := open(t, "other.ringlab")
	other.Close()
	text, err := os.ReadFile("other.ringlab")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "disguised.lab", string(text))
	for _, c := range []struct{ text, want string }{
		{":open", ":open is written"},
		{":open nowhere.lab", "could not open 'nowhere.lab': no such file"},
		{":open .", "it is not a file"},
		{":open other.ringlab", "other.ringlab is a workspace, not a script: leave this one and run `ringlab other.ringlab`"},
		{":open disguised.lab", "disguised.lab is a workspace"},
		{":open lesson.md", "`ringlab scenario run lesson.md`"},
		{":open a.lab as=main", "there is a branch main already"},
		{":open a.lab as=a/b", "cannot be the name of a branch"},
	} {
		if got := said(do(t, h, c.text)); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.text, got)
		}
	}
	if v := h.View(); v.Commands != 0 || len(v.Branches) != 1 {
		t.Errorf("%d commands on %q", v.Commands, v.Branches)
	}
}

// A script that opens itself ends.
func TestOpenEnds(t *testing.T) {
	inFolder(t)
	h := open(t, "lab.ringlab")
	write(t, "a.lab", ":open a.lab\n:advance 1s\n")
	got := said(do(t, h, ":open a.lab"))
	if !strings.Contains(got, "being run already") && !strings.Contains(got, "files deep") {
		t.Error(got)
	}
}

// FuzzBranchOf: whatever a file is called, its branch has a name that a command can say.
func FuzzBranchOf(f *testing.F) {
	for _, s := range []string{"a.lab", "/x/Ünï.lab", "...", "-b", strings.Repeat("x", 99), "a b.cql"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) {
		lab, err := engine.New(engine.Options{Ring: "dc1=1"})
		if err != nil {
			t.Fatal(err)
		}
		s := Memory(lab)
		if got := give(t, s, ":fork "+branchOf(file)); !strings.HasPrefix(got, "Branch ") {
			t.Errorf("%q: %s", file, got)
		}
		if bytes.ContainsAny([]byte(branchOf(file)), "\x00\x1b\n ") {
			t.Errorf("%q: %q", file, branchOf(file))
		}
	})
}
