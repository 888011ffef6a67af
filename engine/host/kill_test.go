//go:build unix

package host

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/engine"
)

const childPath = "RINGLAB_TEST_TRAVELS"

// TestChildTravels is the process that TestKilledWhileTravelling kills: it goes
// to and fro for ever, and prints where it is once that is acknowledged.
func TestChildTravels(t *testing.T) {
	path := os.Getenv(childPath)
	if path == "" {
		t.Skip("it runs as a child of TestKilledWhileTravelling")
	}
	s := keeper(t, path, "dc1=3")
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 7))
	fmt.Println("at", spot(s))
	for n := 0; ; n++ {
		text := fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'x')", r.IntN(3), r.IntN(3))
		switch r.IntN(8) {
		case 0:
			text = ":undo"
		case 1:
			text = ":redo"
		case 2:
			text = fmt.Sprintf(":rewind %d", 2+r.IntN(max(1, s.tree.Current().DoneCommands()-1)))
		case 3:
			text = fmt.Sprintf(":fork b%d", r.IntN(40))
		case 4:
			text = fmt.Sprintf(":branch b%d", r.IntN(40))
		case 5:
			if n%20 == 0 {
				text = ":replay with cl=QUORUM"
			}
		}
		_, receipt := s.Run(text)
		told := make(chan error, 1)
		s.Commit(receipt, func(err error) { told <- err })
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := <-told; err != nil {
			t.Fatal(err)
		}
		fmt.Println("at", spot(s))
	}
}

// spot says where on which branch a store is, and how many branches there are.
func spot(s *Store) string {
	b := s.tree.Current()
	return fmt.Sprintf("%s %d of %d, %d branches, %d entries, %d us", b.Name, b.At, b.Len(), len(s.tree.Branches()), s.tree.Len(), s.Lab.Now())
}

// TestKilledWhileTravelling kills a process that moves along its journal, at
// random moments. Opened again, the lab is where it was acknowledged to be, or
// where the command behind that led, and holds what the commands of its branch give.
func TestKilledWhileTravelling(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	s := keeper(t, path, "dc1=3")
	for _, text := range lines(tables) {
		give(t, s, text)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	moves := 0
	for round := range 12 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChildTravels$")
		cmd.Env = append(os.Environ(), childPath+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		at := ""
		found := bufio.NewScanner(out)
		for n := rand.IntN(120) + 1; n > 0 && found.Scan(); n-- {
			at = heard(found.Text(), at)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for found.Scan() { // what it printed until then
			at = heard(found.Text(), at)
		}
		_ = cmd.Wait()
		s := keeper(t, path, "")
		got := spot(s)
		if n := lengthAt(at); s.tree.Len() < n || s.tree.Len() == n && got != at {
			t.Fatalf("round %d: the lab is at %s; acknowledged was %s", round, got, at)
		}
		moves += int(s.tree.Len())
		straight, err := engine.New(engine.Options{Ring: "dc1=3"})
		if err != nil {
			t.Fatal(err)
		}
		st := standing{lab: straight}
		for _, span := range s.tree.Current().Done() {
			for n := span.From; n <= span.To; n++ {
				e, err := s.entry(n)
				if err != nil {
					t.Fatal(err)
				}
				s.play(&st, e)
			}
		}
		same(t, got, s.Lab, straight)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if moves == 0 {
		t.Error("nothing was done")
	}
}

func heard(line, at string) string {
	if rest, ok := strings.CutPrefix(line, "at "); ok {
		return rest
	}
	return at
}

// lengthAt is the length of the journal at a spot.
func lengthAt(spot string) (n uint64) {
	if _, rest, ok := strings.Cut(spot, "branches, "); ok {
		fmt.Sscan(rest, &n)
	}
	return n
}
